"""Writes a post with the results of its runs as plain data, the texts of its front matter too; runs in any process."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from html import escape
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from site_builder.errors import Place, SiteError, changed, collecting, nearest, raise_all
from site_builder.markup.placeholders import Inline, Placeholders
from site_builder.markup.tex.definitions import defining
from site_builder.markup.typeset import curled, typeset
from site_builder.posts.blocks import Body
from site_builder.posts.evidence import Evidence, Finding
from site_builder.posts.jinja import HELD, PostEnvironment, has_jinja, render, typed
from site_builder.posts.job import Job, JobData, OwnText, WrittenPost
from site_builder.posts.result_values import RESULTS, results_value
from site_builder.posts.summary import Correction, PostSummary, Turn, beside, json_values
from site_builder.posts.texts.render import body_and_facts
from site_builder.project.config import Limits
from site_builder.project.extensions import NO_EXTENSIONS, OWN, Extensions, load_extensions
from site_builder.project.front_matter import FRONT_TEXTS, DatedCorrection, Guess, TurnSetting
from site_builder.project.posts import Post
from site_builder.project.validation import exact_fraction
from site_builder.project.work_limits import TOO_LONG, TimeIsUpError, limited
from site_builder.values.digest import bytes_digest
from site_builder.values.json_records import to_json
from site_builder.values.language import current, writing_in
from site_builder.values.number_format import sentence
from site_builder.values.plain_values import as_written
from site_builder.values.records import Record, fields_of

if TYPE_CHECKING:
    from site_builder.solving.plan import PlannedRun

_AS_TYPED = str.maketrans({"\u2212": "-", "\u202f": "", "\u2009": "", ",": ""})  # numbers for readers

_OF_POST = ("source", "path", "slug", "is_page", "is_draft", "date", "tags", "aliases")  # in its summary, too


def write_text(root: Path, job: Job, limits: Limits) -> WrittenPost | list[SiteError]:
    """The text of a post, or all errors in its front matter and its text."""
    errors: list[SiteError] = []
    try:
        with collecting(errors), limited(limits.text), writing_in(job.language), defining(job.macros):
            if job.own and not job.own_text:
                job = replace(job, own_text=_own_text(JobData(root, job.own)))
            return _written(JobData(root, job))
    except TimeIsUpError:  # where no line of the text is known
        errors.append(SiteError(Place(job.post.source, job.post.body_line), *TOO_LONG))
    return [_turned_error(job.post.setting, each) for each in errors] if job.post.setting else errors


def _turned_error(setting: TurnSetting, error: SiteError) -> SiteError:
    """An error in a text at a setting."""
    options = " ".join(f"--set {quote(f'{name}={as_written(value)}')}" for name, value in setting.values.items())
    cure = f"a build with {options} shows only this; write what fails there in {{% if %}}, or leave the setting out"
    message = f"turned to {setting.label}: {error.message}"
    return error.copy(message=message, cure="\n".join(filter(None, [cure, error.cure])))


def _written(data: JobData) -> WrittenPost:
    """The post as bytes. Raises SiteError, or a group of them, for its front matter and its text."""
    post, (front, written, facts) = data.job.post, _rendered(data)
    evidence = _evidence(data)
    findings = _findings(data, evidence) if evidence else []
    body = to_json(replace(written, html=_draft_notice(findings) + written.html))
    packed_evidence = to_json(evidence) if evidence else b""
    beside = {name: bytes_digest(each) for name, each in sorted(data.beside.items())}
    summary = PostSummary(
        **front_facts(post),
        **facts | front | {"summary": front["summary"] if front["summary"].text else facts["summary"]},
        language=data.job.language.code,
        body=bytes_digest(body),
        evidence=bytes_digest(packed_evidence) if evidence else "",
        files_of_extensions=tuple((content, name) for name, content in beside.items()),
        checks=sum(run.confirmations for run in evidence.runs) if evidence else 0,
        turns=_turns(post, data.job.runs),
        findings=tuple(findings),
        picture=facts["figures"][0][1] if post.front.picture else "",
        macros=tuple(sorted(data.job.imports)),
        extensions=tuple(data.job.used),
    )
    entries = {("figure", key): packed for key, packed in data.figures.items()}
    entries |= {("file", beside[name]): content for name, content in data.beside.items()}
    entries |= {("body", summary.body): body} | ({("evidence", summary.evidence): packed_evidence} if evidence else {})
    return WrittenPost(to_json(summary), entries)


def _turns(post: Post, runs: "Sequence[PlannedRun]") -> tuple[Turn, ...]:
    """The settings of a post; the published one first where it is none of them.

    Its label then is the value of the only parameter that is turned.
    """
    if not (settings := [] if post.is_page else post.front.turn):
        return ()
    found = [_turn(post, each, runs) for each in settings]
    if any(each.path == post.path for each in found):
        return tuple(found)
    names = {name for each in settings for name in each.values}
    values = [as_written(value) for name in names for value in _values_of(name, runs)]
    return Turn("", values[0] if len(names) == 1 and values else "as published", post.path), *found


def _turn(post: Post, setting: TurnSetting, runs: "Sequence[PlannedRun]") -> Turn:
    """A setting; its page is the post where the runs have its values."""
    changes = []
    for name, value in setting.values.items():
        published = _values_of(name, runs)
        if not published or not all(_is_same(value, each) for each in published):
            before = " / ".join(dict.fromkeys(map(_shown, published)))
            changes.append((_meaning(name, runs), _shown(value), before))
    path = beside(post.path, f"{setting.key}/") if changes else post.path
    return Turn(setting.key, setting.label, path, tuple(changes))


def _shown(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_shown, value))
    text = as_written(value)
    return text.replace(".", current().decimal) if isinstance(value, (Decimal, float)) else text


def _meaning(name: str, runs: "Iterable[PlannedRun]") -> str:
    """What a parameter, named solver.name, means; what follows a colon says how it may be written, and is left out."""
    solver, _, parameter = name.partition(".")
    for run in runs:
        known = run.description.parameters.get(parameter) if run.solver == solver else None
        if known and known.description:
            return typeset(known.description, run.place).text.partition(": ")[0]
    return parameter  # it may be none of the solver, which the runs of the setting refuse


def _values_of(name: str, runs: "Iterable[PlannedRun]") -> list[Any]:
    """The values of a parameter, named solver.name, in the runs that can be turned; a sweep of it has its own."""
    solver, _, parameter = name.partition(".")
    own = [run for run in runs if run.solver == solver and not run.pinned and parameter not in run.axes]
    return [run.parameters[parameter] for run in own if parameter in run.parameters]


def _is_same(written: Any, value: Any) -> bool:
    """True when a value of YAML is that of a parameter: 0.75 is 3/4, but the text "007" is not "7"."""
    if isinstance(value, str):
        return bool(written == value)
    with suppress(ValueError):  # of what is no number
        return exact_fraction(written) == exact_fraction(value)
    return as_written(written) == as_written(value)


def _own_text(data: JobData) -> OwnText:
    """What texts at other parameters take from this one. Raises SiteError, or a group of them, for its errors."""
    _rendered(data)
    return OwnText(tuple(data.claims), _typed(data))


def _rendered(data: JobData) -> tuple[dict[str, Any], Body, dict[str, Any]]:
    """The texts of front matter, the text of the post and facts of that. Raises all their errors together."""
    with collecting(data.errors):
        environment = _environment(_extensions_of(data.root, data.job))
        loader = environment.loader
        loader.root, loader.files, loader.read = data.root, data.job.imports, data.read
        front, post = front_texts(environment, data), _with_picture(data)
        body, facts = body_and_facts(environment, post, data)
    raise_all(data.errors)
    return front, body, facts


def _evidence(data: JobData) -> Evidence | None:
    """The evidence; None where nothing was computed."""
    if not data.checked or data.job.answers is None:
        return None
    from site_builder.posts.gather_evidence import evidence_of

    return evidence_of(data, data.job.answers)


def _findings(data: JobData, evidence: Evidence) -> list[Finding]:
    """The numbers of the post that nothing verifies."""
    from site_builder.posts.findings import finding_of, open_rows

    typed = data.job.own_text.typed if data.job.own_text else _typed(data)
    shown = zip(data.job.runs, evidence.runs, strict=True)
    unconfirmed = [finding_of(run, row) for run, each in shown for row in open_rows(run, each.coverage)]
    return [*unconfirmed, *sorted(typed, key=lambda each: each.line)]


def _typed(data: JobData) -> tuple[Finding, ...]:
    """The numbers that are typed and meet a result."""
    from site_builder.posts.typed_numbers import result_numbers, typed_findings

    return tuple(typed_findings(data.job.post, result_numbers(data.results, data.printed)))


def _draft_notice(findings: Iterable[Finding]) -> str:
    """The line of HTML at the head of a page with numbers that nothing verifies; else empty."""
    parts = []
    for is_typed, words in ((False, "not confirmed by a second method"), (True, "typed, though results of solvers")):
        names = list(
            dict.fromkeys(f"<code>{escape(each.name)}</code>" for each in findings if each.is_typed == is_typed)
        )
        if names:
            count = "1 number here is" if len(names) == 1 else f"{len(names)} numbers here are"
            parts.append(f"{count} {words}: {', '.join(names)}")
    return f'<div class="admonition draft"><p>Draft: {"; ".join(parts)}.</p></div>\n' if parts else ""


def _with_picture(data: JobData) -> Post:
    """The post with its `picture:` as the first figure of its text; data gets the error where there is none."""
    post, wanted = data.job.post, data.job.post.front.picture
    figures = {run: fields_of(record).get("figures", Record({})) for run, record in data.results.items()}
    known = [f"{run}.{name}" for run, record in figures.items() for name in fields_of(record)]
    if wanted not in known:
        if wanted:
            place, message = post.reading.place("picture"), f"no figure is named {wanted!r}"
            data.errors.append(SiteError(place, message, nearest(wanted, known)))
        return post
    first = f"{{{{ figure(results.{wanted.replace('.', '.figures.', 1)}) }}}}\n\n"
    return replace(post, body=first + post.body, body_line=post.body_line - first.count("\n"))


def _extensions_of(root: Path, job: Job) -> Extensions:
    """The extensions for a text. Raises SiteError where they have changed since the job was made."""
    if not job.extensions:
        return NO_EXTENSIONS
    found = load_extensions(root, job.extensions_off)
    if found.digest != job.extensions:
        raise changed(OWN)
    return found


@lru_cache(maxsize=4)
def _environment(extensions: Extensions) -> PostEnvironment:
    return PostEnvironment(extensions.registry)


def front_facts(post: Post) -> dict[str, Any]:
    """The fields of the summary that come from the front matter as it is written."""
    front, runs = post.front, post.runs.values()
    puzzle = front.puzzle
    lines = {key: post.reading.place(key).line for key in ("tags", "turn")}
    for number, (address, place) in enumerate(post.addresses()):
        lines[address if number else "address"] = place.line
    return {
        **{name: getattr(post, name) for name in _OF_POST},
        "updated": max(filter(None, [front.updated, *(each.date for each in front.corrections)]), default=None),
        "author": sentence(front.author) if front.author else "",
        "authors": tuple(front.author),
        "series": front.series,
        "puzzle": puzzle
        and puzzle.model_copy(update={name: curled(getattr(puzzle, name)) for name in ("name", "source")}),
        "toc": front.toc,
        "extra": json_values(front.extra),
        "solvers": {each.solver: any(not run.fixed for run in runs if run.solver == each.solver) for each in runs},
        "lines": lines,
    }


# The texts of front matter: title, summary, answer, corrections, guess.


def front_texts(environment: PostEnvironment, data: JobData) -> dict[str, Any]:
    """The texts of front matter as fields of the summary. data: gets the errors in them."""
    front, place = data.job.post.front, data.job.post.reading.place
    names = {RESULTS: results_value(data.results), HELD: data.held, "typed": typed}
    line = partial(_line, environment, names, data.printed)
    found: dict[str, Any] = {"guess": None}
    for key in FRONT_TEXTS:
        with collecting(data.errors):
            found[key] = line(getattr(front, key), place(key))
    corrections: list[Correction] = []
    for number, each in enumerate(front.corrections):
        with collecting(data.errors):
            corrections.append(_correction(each, line(each.text, place("corrections", number, "text"))))
    if guess := front.guess:
        with collecting(data.errors):
            question, at = line(guess.question, place("guess", "question")).text, place("guess", "answer")
            found["guess"] = guess_of(guess, question, line(guess.answer, at).text, at)
    return found | {"corrections": tuple(corrections)}


def _line(
    environment: PostEnvironment, names: Mapping[str, Any], printed: list[Any], text: str, place: Place
) -> Inline:
    """One text as readers see it. printed: gets the values in it."""
    placeholders = Placeholders(printed=printed)
    rendered, _ = render(environment, text, place, names, placeholders)
    if placeholders.blocks:
        raise SiteError(place, "a figure or table has no place here", "show it in the text of the post")
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


def guess_of(written: Guess, question: str, answer: str, place: Place) -> Guess:
    """The guess with its rendered texts, of which an answer in numbers is English. place: of the line of its answer.

    Raises SiteError where the answer does not come from results, is no number or is not among the choices.
    """
    cure, choices = "write a result: {{ results.main.best }}", list(map(curled, written.choices))
    if not has_jinja(written.answer):
        raise SiteError(place, f"the answer of the guess is typed: {written.answer}", cure)
    if choices and curled(answer) not in choices:
        cure = f"let the result give one of: {', '.join(written.choices)}"
        raise SiteError(place, f"the answer of the guess is {answer!r}, which is not among the choices", cure)
    if not choices:
        answer = current().in_english(answer)  # as the slider has its numbers
        _check_slider(written, answer, place)
    unit = f" {written.unit}" if written.unit[:1].isalpha() else written.unit
    update = {"question": question, "answer": curled(answer), "choices": choices, "unit": unit}
    return written.model_copy(update=update)


def _check_slider(written: Guess, answer: str, place: Place) -> None:
    try:
        value = Fraction(answer.translate(_AS_TYPED))
    except ValueError:
        cure = "leave signs and words to unit:, and write {{ (100 * results.main.chance) | number(2) }}"
        raise SiteError(place, f"the answer of the guess is {answer!r}, which is no number", cure) from None
    if not (written.start or 0) <= value <= (written.stop or 0):
        raise SiteError(place, f"the answer {answer} is not on the slider", "let start: and stop: lie around it")
