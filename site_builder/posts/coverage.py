"""Coverage of the results that a post shows: the checks that confirm each and how closely; errors for the others."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from site_builder.errors import SiteError
from site_builder.posts.evidence import CoverageRow, LooseCheck, RunRow
from site_builder.solving.checks.outcomes import CheckOutcome, Confirmation, is_within, sizes_of_fields
from site_builder.solving.plan import PlannedRun, plain
from site_builder.values.plain_values import fields_of_any
from site_builder.values.records import BESIDE, Record, fields_of


def coverage_of(
    run: PlannedRun,
    record: Record,
    outcomes: Sequence[Sequence[CheckOutcome]],
    figure_reads: Collection[str],
    reads: Iterable[str],
) -> tuple[CoverageRow, ...]:
    """The fields of a run that a text reads, with their checks.

    outcomes: of the run, or of each checked point of its sweep; figure_reads: fields that its figures are made from;
    reads: what the text reads, as `post_results` notes it.
    """
    fields = fields_of(record)
    shown = {name.removeprefix(f"{run.name}.") for name in reads if name.startswith(f"{run.name}.")}
    if any(name.startswith("figures.") for name in shown):
        shown |= set(figure_reads)
    top = {name for name in shown if name.partition(".")[0] in fields and name not in BESIDE}
    values = {name: value for name, value in fields.items() if name not in (*BESIDE, *run.axes)}
    leaves = [leaf for leaf in _leaves(values, bool(run.keep)) if any(is_within(leaf, name) for name in top)]
    return tuple(_row(run, leaf, values, outcomes) for leaf in leaves if run.keep or _value(values, leaf) is not None)


def _leaves(values: Mapping[str, Any], is_sweep: bool) -> list[str]:
    """The names by which checks confirm fields: those of a record within a result one by one."""
    return list(values) if is_sweep else list(sizes_of_fields(Record(values)))


def _value(values: Mapping[str, Any], leaf: str) -> Any:
    first, *others = leaf.split(".")
    value = values[first]
    for name in others:
        value = fields_of_any(value)[name]
    return value


def _row(
    run: PlannedRun, leaf: str, values: Mapping[str, Any], outcomes: Sequence[Sequence[CheckOutcome]]
) -> CoverageRow:
    if leaf in run.parameters and (run.keep or plain(run.parameters[leaf]) == plain(values[leaf])):
        return CoverageRow(leaf, (), is_parameter=True)
    found = [[(each.name, field) for each in point for field in _of_leaf(each.confirmed, leaf)] for point in outcomes]
    names = tuple(dict.fromkeys(name for point in found for name, _ in point))
    closest = [min((field for _, field in point), key=_order) for point in found if point]
    closeness = max(closest, key=_order).how_closely if closest else ""
    return CoverageRow(leaf, names, len(closest) if run.keep else 0, closeness=closeness, loose=_loose(outcomes, leaf))


def _of_leaf(confirmed: Iterable[Confirmation], leaf: str) -> list[Confirmation]:
    return [each for each in confirmed if is_within(leaf, each.field)]


def _order(each: Confirmation) -> tuple[float, float]:
    """Puts a check of more cells first, then a closer one."""
    return -each.cells / max(each.total, 1), each.closeness.share


def _loose(outcomes: Sequence[Sequence[CheckOutcome]], leaf: str) -> tuple[LooseCheck, ...]:
    agreeing = [each for point in outcomes for each in point if each.is_independent and each.passed]
    found = [(each.name, field.closeness) for each in agreeing for field in _of_leaf(each.of, leaf)]
    loose = [LooseCheck(name, how.text, how.cure) for name, how in found if not how.confirms]
    return tuple(dict.fromkeys(loose))


def unconfirmed_errors(runs: Iterable[PlannedRun], rows: Iterable[RunRow]) -> list[SiteError]:
    """An error for each run with a field that the post shows and no check confirms, unless the run says why."""
    pairs = zip(runs, rows, strict=True)
    return [_unconfirmed_error(run, row) for run, row in pairs if row.unconfirmed and not run.unchecked]


def _unconfirmed_error(run: PlannedRun, row: RunRow) -> SiteError:
    rows = [each for each in row.coverage if not each.is_checked]
    loose = list(dict.fromkeys(check for each in rows for check in each.loose))
    named = ", ".join(f"results.{run.name}.{each.field}" for each in rows)
    said = "; ".join(f"{check.name!r} agrees {check.closeness}" for check in loose)
    cures = list(dict.fromkeys(check.cure for check in loose))
    if without := [each.field for each in rows if not each.loose]:
        cures.append(f'yield a check with of="{", ".join(without)}"')
    reason = next((f"agrees {check.closeness}" for check in loose if check.closeness.startswith("to ")), "<why>")
    cure = f"in {run.description.path} {', and '.join(cures)}; or write in this run\nunchecked: {reason}"
    message = f"the post shows {named}, which no independent check confirms{said and f': {said}'}"
    return SiteError(run.place, message, cure)
