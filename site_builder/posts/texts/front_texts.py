"""The texts of front matter: title, summary, answer, corrections, guess."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from site_builder.errors import Place, SiteError, collecting, raise_all
from site_builder.markup.placeholders import Inline, Placeholders
from site_builder.markup.typeset import curled, typeset
from site_builder.posts.jinja import HELD, PostEnvironment, claim_out_of_place, has_jinja, render, typed
from site_builder.posts.macro_files import imports_anything
from site_builder.posts.result_values import RESULTS, results_value
from site_builder.posts.summary import Correction, Guess
from site_builder.project import front_matter
from site_builder.project.front_matter import FRONT_TEXTS, DatedCorrection
from site_builder.project.posts import Post
from site_builder.values.language import current
from site_builder.values.records import Record

if TYPE_CHECKING:
    from site_builder.posts.held_sentences import HeldSentences


_AS_TYPED = str.maketrans({"\u2212": "-", "\u202f": "", "\u2009": "", ",": ""})  # numbers for readers


def front_texts(
    environment: PostEnvironment, post: Post, results: Mapping[str, Record], held: "HeldSentences"
) -> tuple[dict[str, Any], list[Any]]:
    """The texts of a post's front matter as fields of its summary, and the values that are printed in them.

    Raises SiteError, or a group of them, at the lines of its errors.
    """
    names = {RESULTS: results_value(results), HELD: held, "typed": typed, "claim": claim_out_of_place}
    printed: list[Any] = []
    line = partial(_line, environment, names, printed)
    place, errors = post.reading.place, list[SiteError]()
    found: dict[str, Any] = {}
    for key in FRONT_TEXTS:
        with collecting(errors):
            found[key] = line(getattr(post.front, key), place(key))
    corrections: list[Correction] = []
    for number, each in enumerate(post.front.corrections):
        with collecting(errors):
            corrections.append(_correction(each, line(each.text, place("corrections", number, "text"))))
    found |= {"corrections": tuple(corrections), "guess": None}
    if guess := post.front.guess:
        with collecting(errors):
            question, at = line(guess.question, place("guess", "question")).text, place("guess", "answer")
            found["guess"] = guess_of(guess, question, line(guess.answer, at).text, at)
    raise_all(errors)
    return found, printed


def _line(
    environment: PostEnvironment, names: Mapping[str, Any], printed: list[Any], text: str, place: Place
) -> Inline:
    """One text as readers see it. printed: gets the values in it."""
    if imports_anything(text):
        raise SiteError(place, "front matter imports nothing", "write the text here, or import in the post's text")
    placeholders = Placeholders()
    rendered, _ = render(environment, text, place, names, placeholders)
    if any(each.part for each in placeholders.found):
        raise SiteError(place, "a figure or table has no place here", "show it in the text of the post")
    printed += placeholders.printed
    return typeset(" ".join(rendered.split()), place, placeholders)


def _correction(written: DatedCorrection, note: Inline) -> Correction:
    """A note of correction, with the values that have changed."""
    changed = tuple((name.removeprefix("results."), old, new) for name, (old, new) in written.changed.items())
    form = " " + current().word("%(name)s was %(old)s and is %(new)s.")
    text = "".join(form % {"name": name, "old": old, "new": new} for name, old, new in changed)
    html = "".join(
        form % {"name": f"<code>{escape(name)}</code>", "old": escape(old), "new": escape(new)}
        for name, old, new in changed
    )
    return Correction(written.date, Inline(note.html + html, note.text + text), changed)


def guess_of(written: front_matter.Guess, question: str, answer: str, place: Place) -> Guess:
    """The question with its answer. question, answer: the rendered texts; place: of the line of `written.answer`.

    Raises SiteError where the answer does not come from results, is no number or is not among the choices.
    """
    cure = "write a result: {{ results.main.best }}"
    if not has_jinja(written.answer):
        raise SiteError(place, f"the answer of the guess is typed: {written.answer}", cure)
    if written.choices:
        choices = tuple(curled(choice) for choice in written.choices)
        if curled(answer) not in choices:
            cure = f"let the result give one of: {', '.join(written.choices)}"
            raise SiteError(place, f"the answer of the guess is {answer!r}, which is not among the choices", cure)
        return Guess(question, curled(answer), choices)
    start, stop = Fraction(written.start or 0), Fraction(written.stop or 0)
    answer = current().in_english(answer)  # as the slider has its numbers
    try:
        value = Fraction(answer.translate(_AS_TYPED))
    except ValueError:
        cure = "leave signs and words to unit:, and write {{ (100 * results.main.chance) | number(2) }}"
        raise SiteError(place, f"the answer of the guess is {answer!r}, which is no number", cure) from None
    if not start <= value <= stop:
        raise SiteError(place, f"the answer {answer} is not on the slider", "let start: and stop: lie around it")
    step = Fraction(1 if written.step is None else written.step)
    middle = start + step * ((stop - start) // step // 2)
    unit = f" {written.unit}" if written.unit[:1].isalpha() else written.unit
    decimals = _decimal(start), _decimal(stop), _decimal(step), _decimal(middle)
    return Guess(question, answer, (), *decimals, unit)


def _decimal(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else str(float(value))
