"""Which results that a post shows are confirmed by checks, and by which."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from site_builder.posts.evidence import CoverageRow
from site_builder.solving.checks.outcomes import CheckOutcome, is_within, sizes_of_fields
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
    found = [[each.name for each in point if _confirms(each, leaf)] for point in outcomes]
    names = tuple(dict.fromkeys(name for point in found for name in point))
    return CoverageRow(leaf, names, sum(map(bool, found)) if run.keep else 0)


def _confirms(outcome: CheckOutcome, leaf: str) -> bool:
    return outcome.is_independent and any(is_within(leaf, each.field) for each in outcome.of)
