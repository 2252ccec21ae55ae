"""Results as a post sees them: `results.<run>.<field>`, with the run's parameters and figures."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.computing import Answers
from site_builder.contract import Grid
from site_builder.tasks import PlannedRun
from site_builder.values import Record, fields_of, unpack


def post_results(runs: Sequence[PlannedRun], answers: Answers) -> dict[str, Record]:
    """For each run of a post its record; a sweep's has columns of equal length, or grids when it sweeps two names."""
    return {run.name: _swept(run, answers) if run.keep else _solved(run, answers) for run in runs}


def _solved(run: PlannedRun, answers: Answers) -> Record:
    key = run.solves[0].key
    fields = dict(fields_of(unpack(answers.results[key])))
    fields["parameters"] = _parameters(run)
    fields["figures"] = Record(unpack(answers.figures[key]), f"figures of '{run.name}'")
    return Record(fields, f"result '{run.name}'")


def _swept(run: PlannedRun, answers: Answers) -> Record:
    rows = [answers.rows[solve.key, run.keep] for solve in run.solves]
    fields: dict[str, Any] = dict(run.axes)
    for position, name in enumerate(run.keep):
        column = [row[position] for row in rows]
        fields[name] = tuple(column) if len(run.axes) == 1 else _grid(column, run.axes)
    fields["parameters"] = _parameters(run, leave_out=tuple(run.axes))
    return Record(fields, f"result '{run.name}'")


def _parameters(run: PlannedRun, leave_out: Sequence[str] = ()) -> Record:
    kept = {name: plain(value) for name, value in run.parameters.items() if name not in leave_out}
    return Record(kept, f"parameters of '{run.name}'")


def plain(value: Any) -> Any:
    """A parameter as a reader meets it: a whole Fraction is an int."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    return tuple(plain(entry) for entry in value) if isinstance(value, tuple) else value


def _grid(column: Sequence[Any], axes: Mapping[str, Sequence[Any]]) -> Grid:
    shape = tuple(len(values) for values in axes.values())
    kinds = {type(value) for value in column}
    if kinds <= {float} or kinds <= {int}:
        return Grid(np.array(column).reshape(shape), axes)
    values = np.empty(len(column), dtype=object)
    values[:] = column
    return Grid(values.reshape(shape), axes)
