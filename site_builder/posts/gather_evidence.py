"""Planned runs and their results -> the evidence of a post."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from site_builder.markup.placeholders import Inline
from site_builder.markup.typeset import curled, typeset
from site_builder.posts.blocks import CheckRow
from site_builder.posts.evidence import CoverageRow, Evidence, RunRow
from site_builder.posts.findings import shown_rows
from site_builder.project.front_matter import PublishedSource
from site_builder.solving.checks.outcomes import CheckOutcome
from site_builder.solving.plan import PlannedRun, Results
from site_builder.solving.results import unpacked
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.plain_values import SURE_DIGITS, as_written, classify, fields_of_any, text_of
from site_builder.values.records import BESIDE

if TYPE_CHECKING:
    from site_builder.posts.job import JobData

_MOST_SHOWN = 3  # values of a check that compares several fields
_SURE_BITS = 32  # of each float of many: with more, another machine rounds one of them the other way
_MOST_LEAVES = 40  # values of a list that are recorded one by one; of a longer one its size and a digest


def check_rows(checks: Iterable[CheckOutcome], set_text: Callable[[str], Inline]) -> tuple[CheckRow, ...]:
    """Checks as readers see them, each with all that it compares. set_text: renders a text with TeX in it."""
    by_check: dict[str, list[CheckOutcome]] = {}
    for each in checks:
        by_check.setdefault(each.check, []).append(each)
    return tuple(_check_row(outcomes, set_text) for outcomes in by_check.values())


def _check_row(outcomes: Sequence[CheckOutcome], set_text: Callable[[str], Inline]) -> CheckRow:
    first = outcomes[0]
    confirming = [each for each in outcomes if each.confirms]
    fields = [_with_share(each, bool(confirming)) for each in outcomes]
    return CheckRow(
        first.check,
        set_text(first.title),
        first.kind,
        "; ".join(dict.fromkeys(each.expected for each in outcomes[:_MOST_SHOWN])),
        "; ".join(dict.fromkeys(each.found for each in outcomes[:_MOST_SHOWN])),
        all(each.passed for each in outcomes),
        ", ".join(filter(None, fields)),
        max(confirming or outcomes, key=lambda each: each.closeness.share).closeness.text,
        first.shared,
        first.rules,
        tuple(dict.fromkeys(name for each in outcomes if each.agrees for name in each.given)),
        bool(confirming),
    )


def _with_share(outcome: CheckOutcome, others_confirm: bool) -> str:
    """A field with how much of it was compared, and how closely where that is too loose and others are confirmed."""
    if others_confirm and outcome.passed and not outcome.closeness.confirms:
        return f"{outcome.field} ({outcome.closeness.text})"
    is_part = outcome.cells < outcome.total
    return f"{outcome.field} ({outcome.cells:,} of {outcome.total:,})" if is_part else outcome.field


def evidence_of(data: "JobData", answers: Results) -> Evidence:
    """The evidence of a post that is written. answers: those of its runs."""
    set_text, sources = partial(typeset, place=data.place), data.job.post.front.sources
    rows = []
    for run, outcomes, every in data.checked:
        figures = {} if run.keep else unpacked(answers.figures[run.points[0]])
        coverage = shown_rows(run, every, figures, data.reads)
        rows.append(_run_row(run, outcomes, coverage, () if run.keep else check_rows(outcomes[0], set_text)))
    used = {claim.source for claim in data.claims}
    cited = {name: _source_facts(source) for name, source in sources.items() if name in used}
    shown = _answers(data.reads, data.results)
    return Evidence(tuple(rows), tuple(data.claims), shown, cited)


def _source_facts(source: PublishedSource) -> dict[str, str]:
    date = f"{source.date:%Y-%m-%d}" if source.date else ""
    return {"title": curled(source.title), "author": curled(source.author), "date": date, "url": source.url}


def _run_row(
    run: PlannedRun,
    outcomes: Sequence[Sequence[CheckOutcome]],
    coverage: tuple[CoverageRow, ...],
    checks: tuple[CheckRow, ...],
) -> RunRow:
    parameters = tuple((name, text_of(value)) for name, value in run.parameters.items() if name not in run.axes)
    axes = tuple((name, _swept(values)) for name, values in run.axes.items())
    defaults = run.description.parameters
    settings = tuple(
        f"{name}={as_written(value)}"
        for name, value in run.parameters.items()
        if name not in run.axes and (name not in defaults or text_of(value) != text_of(defaults[name].default))
    )
    points, checked = (len(run.solves), len(outcomes)) if run.keep else (0, 0)
    confirming = sum(len({each.check for each in point if each.confirms}) for point in outcomes)
    counts = (points, checks, checked, confirming, coverage, dict(run.unchecked))
    return RunRow(run.name, run.solver, run.pinned, parameters, settings, axes, *counts)


def _swept(values: Sequence[Any]) -> str:
    return f"{text_of(values[0])} to {text_of(values[-1])}, {len(values)} values"


def _answers(reads: Iterable[str], results: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The values that a text read of results, without parameters and figures, by run and field."""
    found: dict[str, dict[str, Any]] = {}
    for name in sorted(reads):
        run, _, field = name.partition(".")
        values = fields_of_any(results.get(run))
        parameters = fields_of_any(values.get("parameters"))
        if field in values and field not in BESIDE and field not in parameters:
            found.setdefault(run, {})[field] = in_order(answer_of(values[field]))
    return found


def in_order(answer: Any) -> Any:
    """The answer with the names of its mappings in order: equal answers are the same bytes."""
    if isinstance(answer, Mapping):
        return {name: in_order(answer[name]) for name in sorted(answer)}
    return [in_order(entry) for entry in answer] if isinstance(answer, list) else answer


def answer_of(value: Any) -> Any:
    """Return a value as JSON that can be compared later: exact numbers exact, floats to the digits that are sure."""
    kind, value = classify(value)
    match kind:
        case "constant" | "text" | "whole":
            return value
        case "float":
            return format(value, f".{SURE_DIGITS}g")
        case "grid":
            return answer_of(value.values)
        case "array":
            is_long = value.dtype.kind in "fiu" and value.size > _MOST_LEAVES
            return _of_numbers(value) if is_long else answer_of(value.tolist())
        case "sequence":
            return _list_of([answer_of(entry) for entry in value])
        case "mapping" | "record" if value:
            return {text_of(name): answer_of(entry) for name, entry in value.items()}
        case "record":
            return "()"
    return text_of(value)


@np.errstate(over="ignore")  # the largest floats, rounded up
def _of_numbers(values: np.ndarray) -> dict[str, Any]:
    """The answer of a long array of numbers, as `_list_of` gives it; of floats the digest is of the sure bits."""
    sure = values.astype("<i8" if values.dtype.kind in "iu" else "<f8")
    if values.dtype.kind == "f":
        mantissas, exponents = np.frexp(sure)
        sure = np.ldexp(np.rint(np.ldexp(mantissas, _SURE_BITS)), exponents - _SURE_BITS) + 0.0  # -0.0 becomes 0.0
        sure[np.isnan(sure)] = np.nan  # of which there are many
    found = digest(values.shape, sure.dtype.str, bytes_digest(sure.tobytes()))
    return {"size": values.size, "digest": found, "first": answer_of(values.flat[0])}


def _list_of(found: list[Any]) -> Any:
    size = _leaves(found)
    return found if size <= _MOST_LEAVES else {"size": size, "digest": digest(found), "first": _first(found)}


def _first(found: Any) -> Any:
    while isinstance(found, (list, dict)) and found:
        found = next(iter(found.values() if isinstance(found, dict) else found))
    return found


def _leaves(found: Any) -> int:
    """The number of values in it; a list that is given by its digest holds as many as it says."""
    if isinstance(found, dict):
        return int(found["size"]) if "digest" in found else sum(map(_leaves, found.values()))
    return sum(map(_leaves, found)) if isinstance(found, list) else 1
