"""Planned runs and their results -> the evidence of a post."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from site_builder.contract import Check
from site_builder.markup.placeholders import Inline
from site_builder.posts.blocks import CheckRow
from site_builder.posts.evidence import ClaimRow, Evidence, ResultTexts, RunRow
from site_builder.solving.plan import PlannedRun, Results
from site_builder.values.digest import digest
from site_builder.values.packing import unpack
from site_builder.values.plain_values import classify, fields_of_any, text_of

_MOST_LEAVES = 40  # values of a list that are recorded one by one; of a longer one its size and a digest
_SURE_DIGITS = 12  # of a float: the rest may differ from one machine to the next


def check_rows(checks: Iterable[Check], typeset: Callable[[str], Inline]) -> tuple[CheckRow, ...]:
    """Checks as readers see them. typeset: renders a text with TeX in it."""
    return tuple(
        CheckRow(
            typeset(check.name),
            check.method,
            text_of(check.expected, digits=_SURE_DIGITS),
            text_of(check.found, digits=_SURE_DIGITS),
            bool(check.passed),
            typeset(check.detail),
        )
        for check in checks
    )


def evidence_of(
    runs: Sequence[PlannedRun],
    answers: Results,
    claims: Iterable[ClaimRow],
    reads: Iterable[str],
    results: Mapping[str, Any],
    result_texts: Mapping[str, ResultTexts],
    typeset: Callable[[str], Inline],
) -> Evidence:
    """The evidence of a post. reads: what its text read of results, such as `fair.value`; results: its records.

    result_texts: of each run; they are filled in.
    """
    rows = []
    for run in runs:
        found = () if run.keep else unpack(answers.checks[run.solves[0].key])
        rows.append(_run_row(run, check_rows(found, typeset)))
    return Evidence(tuple(rows), tuple(claims), _answers(reads, results, result_texts))


def _run_row(run: PlannedRun, checks: tuple[CheckRow, ...]) -> RunRow:
    parameters = tuple((name, text_of(value)) for name, value in run.parameters.items() if name not in run.axes)
    axes = tuple((name, _swept(values)) for name, values in run.axes.items())
    defaults = run.description.parameters
    settings = tuple(
        f"{name}={_as_written(value)}"
        for name, value in run.parameters.items()
        if name not in run.axes and (name not in defaults or text_of(value) != text_of(defaults[name].default))
    )
    points = len(run.solves) if run.keep else 0
    return RunRow(run.name, run.solver, run.pinned, parameters, settings, axes, points, checks)


def _as_written(value: Any) -> str:
    """A parameter as YAML and the command line take it."""
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(_as_written(entry) for entry in value)}]"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else text_of(value)


def _swept(values: Sequence[Any]) -> str:
    return f"{text_of(values[0])} to {text_of(values[-1])}, {len(values)} values"


def _answers(
    reads: Iterable[str], results: Mapping[str, Any], result_texts: Mapping[str, ResultTexts]
) -> dict[str, dict[str, Any]]:
    """The values that a text read of results, without parameters and figures, by run and field."""
    found: dict[str, dict[str, Any]] = {}
    for name in sorted(reads):
        run, _, field = name.partition(".")
        values = fields_of_any(results.get(run)) if not name.startswith("source ") else {}
        if field in values and field not in ("parameters", "figures", "checks"):
            known = result_texts[run].answers
            if field not in known:
                known[field] = answer_of(values[field])
            found.setdefault(run, {})[field] = known[field]
    return found


def answer_of(value: Any) -> Any:
    """Return a value as JSON that can be compared later: exact numbers exact, floats to the digits that are sure."""
    kind, value = classify(value)
    match kind:
        case "constant" | "text" | "whole":
            return value
        case "float":
            return format(value, f".{_SURE_DIGITS}g")
        case "grid":
            return answer_of(value.values)
        case "array":
            return answer_of(value.tolist())
        case "sequence":
            return _list_of([answer_of(entry) for entry in value])
        case "mapping" | "record" if value:
            return {text_of(name): answer_of(entry) for name, entry in value.items()}
        case "record":
            return "()"
    return text_of(value)


def _list_of(found: list[Any]) -> Any:
    size = _leaves(found)
    return found if size <= _MOST_LEAVES else {"size": size, "digest": digest(found), "first": _first(found)}


def _first(found: Any) -> Any:
    while isinstance(found, (list, dict)) and found:
        found = next(iter(found.values() if isinstance(found, dict) else found))
    return found


def _leaves(found: Any) -> int:
    """How many values it holds; a list that is given by its digest holds as many as it says."""
    if isinstance(found, dict):
        return int(found["size"]) if "digest" in found else sum(map(_leaves, found.values()))
    return sum(map(_leaves, found)) if isinstance(found, list) else 1
