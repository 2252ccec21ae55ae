"""Results as a post sees them: `results.<run>.<field>`, with the run's parameters and figures."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from site_builder.contract import Grid
from site_builder.solving.checks.outcomes import read_outcomes
from site_builder.solving.plan import PlannedRun, Results, plain
from site_builder.values.digest import digest
from site_builder.values.packing import unpack
from site_builder.values.records import Record, fields_of


def post_results(
    runs: Sequence[PlannedRun], answers: Results, note: Callable[[str], None] = lambda _: None
) -> dict[str, Record]:
    """A record for each run; a sweep's has columns, or grids for two names. note: called with what is read."""
    return {run.name: _record(run, answers, note) for run in runs}


def _record(run: PlannedRun, answers: Results, note: Callable[[str], None]) -> Record:
    fields = _fields(run, answers)
    figures = fields.pop("figures", None)
    kept = {name: plain(value) for name, value in run.parameters.items() if name not in run.axes}
    fields = kept | fields
    if not run.keep:
        fields["checks"] = read_outcomes(answers.checks[run.points[0]])
    fields["parameters"] = Record(kept, f"parameters of '{run.name}'")
    if not run.keep:
        fields["figures"] = Record(figures, f"figures of '{run.name}'", lambda name: note(f"{run.name}.figures.{name}"))

    def note_field(name: str) -> None:
        if name != "figures":  # which of them is noted by their own record
            note(f"{run.name}.{name}")

    return Record(fields, f"result '{run.name}'", note_field)


def _fields(run: PlannedRun, answers: Results) -> dict[str, Any]:
    if not run.keep:
        (point,) = run.points
        figures = unpacked(answers.figures[point])["figures"]
        return {**fields_of(unpacked(answers.results[point])), "figures": figures}
    rows = [unpack(answers.results[point]) for point in run.points]
    fields: dict[str, Any] = dict(run.axes)
    for position, name in enumerate(run.keep):
        column = [row[position] for row in rows]
        fields[name] = tuple(column) if len(run.axes) == 1 else _grid(column, run.axes)
    return fields


@lru_cache(maxsize=32)  # those of a post, which is written at each of its settings
def unpacked(data: bytes) -> Any:
    """The result or the figures of a run."""
    return unpack(data)


def run_digest(run: PlannedRun, answers: Results) -> str:
    """Digest of all that a post can read of a run that has results."""
    return digest([_digest(each, answers) for each in run.solved])


def _digest(run: PlannedRun, answers: Results) -> str:
    described = dataclasses.replace(run.description, sentence="")  # which no post shows
    values = [dict(run.parameters), dict(run.axes), list(run.turned)]
    plan = [run.keep, run.pinned, dict(run.unchecked), repr(described), repr(values)]
    return digest(answers.digest(run), plan)


def packed_checks(run: PlannedRun, answers: Results) -> list[bytes]:
    """The packed outcomes of the checks of a run: one entry, or one for each checked point of a sweep."""
    return [answers.checks[point] for point in run.points_with_checks]


def _grid(column: Sequence[Any], axes: Mapping[str, Sequence[Any]]) -> Grid:
    shape = tuple(len(values) for values in axes.values())
    kinds = {type(value) for value in column}
    if kinds <= {float} or kinds <= {int}:
        return Grid(np.array(column).reshape(shape), axes)
    values = np.empty(len(column), dtype=object)
    values[:] = column
    return Grid(values.reshape(shape), axes)
