"""The claims of a post, compared with the values computed."""

import re
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

from jinja2 import Undefined, pass_context
from jinja2.runtime import Context

from site_builder.errors import Place, PostError, SiteError, nearest
from site_builder.markup.placeholders import FormattedText
from site_builder.markup.typeset import curled
from site_builder.posts.evidence import ClaimRow
from site_builder.posts.jinja import line_of
from site_builder.posts.result_values import name_of, raw, sources_of, with_values
from site_builder.values import number_format
from site_builder.values.comparison import Verdict, compare, longer
from site_builder.values.language import ENGLISH, current, writing_in
from site_builder.values.literals import shortened
from site_builder.values.number_format import as_number
from site_builder.values.plain_values import text_of

if TYPE_CHECKING:
    from site_builder.posts.job import JobData

_LONGEST_CURE = 200
_LEAST = 10  # a whole number that stands for another value has two digits at least
_SHORT_LIST = re.compile(r"\([^()]{,24}\)")  # such as a state, which no line may break
_AS_LOOSE = 'loose="..." with the reason why so few digits were published'


class Claims:
    """The claims of one post, which are compared where they are called.

    data: of the text, which gets those that hold and the errors of others. Those that the text at the post's own
    parameters has were compared there; one that is in this text alone, as in an {% if %}, is compared here.
    """

    def __init__(self, data: "JobData") -> None:
        self._rows, self._errors = data.claims, data.errors
        self._compared = {(row.line, row.text) for row in data.job.own_text.claims} if data.job.own_text else set()
        self._path, self._sources = data.job.post.source, data.job.post.front.sources

    @with_values
    @pass_context
    def claim(
        self,
        _context: Context,
        text: str,
        value: Any,
        source: str = "",
        where: str = "",
        simulated: int | None = None,
        loose: str = "",
    ) -> FormattedText:
        """Compare a published number, as it was printed, with the computed value."""
        if isinstance(value, Undefined):
            str(value)  # raises, with the names that there are
        line = line_of(_context)
        source, where, simulated, loose = raw((source, where, simulated, loose))
        if sources_of(text):
            raise PostError("the text of a claim comes from a run", 'type it as published: claim("0.64", ...)')
        if not isinstance(text, str):
            raise PostError(f"the claim {text!r} is no text", f'put it in quotes: claim("{text}", ...)')
        try:
            if (line, text) not in self._compared:
                self._check_source(source)
                found = _compared(text, value, simulated, loose)
                precision = f"{'loosely, to ' if loose else ''}{found.held}"
                words = (str(source), curled(str(where)), str(loose))
                row = ClaimRow(line, text, _expression(value), found.computed, precision, *words, simulated or 0)
                self._rows[row] = None
        except PostError as error:
            self._errors.append(SiteError(Place(self._path, line), error.message, error.cure))
        return self._written(text, source, where)

    def _written(self, text: str, source: str, where: str) -> FormattedText:
        """The claim as readers see it: a link to its source, where that has an address."""
        html = _SHORT_LIST.sub(lambda found: found[0].replace(" ", number_format.NO_BREAK), escape(text, quote=False))
        if (sign := current().percent) != "%":
            html = html.replace(" %", sign)  # which no line may break either
        known = self._sources.get(source)
        words = ", ".join(filter(None, (known.author, known.title, str(where)))) if known else ""
        title = f' title="{escape(curled(words))}"' if words else ""
        address = f' href="{escape(known.url)}"' if known and known.url else ""
        tag = "a" if address else "span"
        return FormattedText(text, f'<{tag} class="claim"{address}{title}>{html}</{tag}>')

    def _check_source(self, source: str) -> None:
        if source and source not in self._sources:
            cure = "write it under sources: in the front matter, such as sources: {%s: {title: ...}}"
            name = source if re.fullmatch(r"[a-z][a-z0-9_]*", str(source)) else "book"
            close = nearest(str(source), list(self._sources))
            hint = cure % name if not close.startswith("did you") else close
            raise PostError(f"the post has no source named {shortened(str(source))!r}", hint)


def _expression(value: Any) -> str:
    """The value of a claim, in words."""
    sources = ", ".join(sorted(sources_of(value)))
    return name_of(value) or (f"a value of {sources}" if sources else text_of(value))


def _compared(text: str, claimed: Any, simulated: int | None, loose: str) -> Verdict:
    """The comparison of a claim that holds. Raises PostError for one that does not, or cannot be compared."""
    value, language = raw(claimed), current()
    if not sources_of(claimed):
        message = f"the claim {shortened(text)} is held against {_expression(claimed)}, which comes from no run"
        raise PostError(message, "compare it with a result, such as results.<run>.<field>")
    if isinstance(value, FormattedText):
        cure = f"leave the filter out: the claim is held to as many digits as it has, {shortened(text)}"
        raise PostError(f"{_expression(claimed)} is text, and a claim needs the value itself", cure)
    typed = text if isinstance(value, str) else language.in_english(text)
    try:
        with writing_in(ENGLISH):
            found = compare(typed, value, simulated, bool(loose))
    except ValueError as error:
        reason = language.from_english(str(error), with_words=False)
        message = f"the claim {shortened(text)} cannot be held against {_expression(claimed)}: {reason}"
        other = language.from_english(text)
        cure = f'write claim("{other}", ...): the post is in {language.code!r}' if other != text else ""
        raise PostError(message, cure) from error
    if typed != text:
        found = _translated(found)
    if not found.agrees:
        raise _disagreement(text, found, claimed)
    if found.rounded is not None and not found.rounded.decimals and abs(found.rounded.number) < _LEAST:
        message = f"the claim {shortened(text)} has too few digits: it stands for {found.computed}"
        better = language.from_english(longer(found.rounded, as_number(value)))
        raise PostError(message, f'write claim("{better}", {name_of(claimed) or "..."}), or add {_AS_LOOSE}')
    return found


def _translated(found: Verdict) -> Verdict:
    """The verdict with numbers as the language of the post writes them."""
    write = current().from_english
    difference = write(found.difference, with_words=False)
    return replace(found, computed=write(found.computed), cure=write(found.cure), difference=difference)


def _disagreement(text: str, found: Verdict, claimed: Any) -> PostError:
    """The error of a claim, with the literal that would be right."""
    printed, expression = shortened(text), _expression(claimed)
    right = f'claim("{found.cure}", {name_of(claimed) or "..."})' if len(found.cure) <= _LONGEST_CURE else ""
    if found.is_too_precise:
        message = f"the claim {printed} has more digits than {expression} can vouch for: {found.difference}"
        return PostError(message, f"write {right}" if found.cure and right else "")
    message = f"the claim {printed} disagrees with {expression}, which is {found.computed}; {found.difference}"
    cure = "look at the solver, or at where the figure comes from"
    if found.cure and right:
        cure = f"write {right} if the published figure is misprinted here, or look at the solver"
    return PostError(message, cure)
