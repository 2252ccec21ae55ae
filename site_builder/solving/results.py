"""Results as a post sees them: `results.<run>.<field>`, with the run's parameters and figures."""

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from site_builder.contract import Grid
from site_builder.solving.checks.outcomes import read_board, read_outcomes
from site_builder.solving.plan import PlannedRun, Results, plain
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.packing import pack, unpack
from site_builder.values.records import ALL_FIELDS, Record, fields_of


def post_results(
    runs: Sequence[PlannedRun], answers: Results, note: Callable[[str], None] = lambda _: None
) -> dict[str, Record]:
    """A record for each run; a sweep's has columns, or grids for two names. note: called with what is read."""
    return {run.name: _record(run, answers, note) for run in runs}


def _record(run: PlannedRun, answers: Results, note: Callable[[str], None]) -> Record:
    fields = _fields(run, answers)
    figures = fields.pop("figures", None)
    kept = {name: plain(value) for name, value in run.parameters.items() if name not in run.axes}
    if not run.keep:
        packed = answers.checks[run.solves[0].key]
        fields |= {"checks": read_outcomes(packed), "board": read_board(packed)}
    fields["parameters"] = Record(kept, f"parameters of '{run.name}'")
    if not run.keep:
        fields["figures"] = Record(figures, f"figures of '{run.name}'", lambda name: note(f"{run.name}.figures.{name}"))

    def note_field(name: str) -> None:
        if name != "figures":  # which of them is noted by their own record
            note(f"{run.name}.{name}")

    return Record(fields, f"result '{run.name}'", note_field)


def _fields(run: PlannedRun, answers: Results) -> dict[str, Any]:
    if not run.keep:
        key = run.solves[0].key
        return {**fields_of(unpack(answers.results[key])), "figures": unpack(answers.figures[key])["figures"]}
    rows = [unpack(answers.rows[solve.key, run.keep]) for solve in run.solves]
    fields: dict[str, Any] = dict(run.axes)
    for position, name in enumerate(run.keep):
        column = [row[position] for row in rows]
        fields[name] = tuple(column) if len(run.axes) == 1 else _grid(column, run.axes)
    return fields


class ResultDigests:
    """Digests of what a post can read of its results, by the names that `post_results` notes.

    cached: gives the bytes that were made under a key, or makes them.
    """

    def __init__(
        self,
        runs: Sequence[PlannedRun],
        answers: Results,
        cached: Callable[[str, Callable[[], bytes]], bytes] = lambda key, make: make(),
    ) -> None:
        self._runs = {run.name: run for run in runs}
        self._answers = answers
        self._cached = cached
        self._fields: dict[str, Mapping[str, str]] = {}

    def __getitem__(self, name: str) -> str:
        run, _, field = name.partition(".")
        if run not in self._runs:
            return ""
        if run not in self._fields:
            self._fields[run] = self._of(self._runs[run])
        return self._fields[run].get(field, "")

    def _of(self, run: PlannedRun) -> Mapping[str, str]:
        axes = bytes_digest(pack(dict(run.axes)))
        made_from = digest([bytes_digest(data) for data in self._packed(run)], run.keep, axes)
        found: dict[str, str] = json.loads(self._cached(made_from, lambda: json.dumps(self._of_answers(run)).encode()))
        described = [dataclasses.astuple(parameter) for parameter in run.description.parameters.values()]
        found["parameters"] = bytes_digest(pack([dict(run.parameters), described, list(run.axes), list(run.turned)]))
        return found

    def _packed(self, run: PlannedRun) -> list[bytes]:
        """All that the solver has answered."""
        if run.keep:
            answers = [self._answers.rows[solve.key, run.keep] for solve in run.solves]
        else:
            answers = [self._answers.results[run.solves[0].key], self._answers.figures[run.solves[0].key]]
        return [*answers, *packed_checks(run, self._answers)]

    def _of_answers(self, run: PlannedRun) -> dict[str, str]:
        fields = _fields(run, self._answers)
        figures = fields.pop("figures", {})
        found = {name: bytes_digest(pack(value)) for name, value in fields.items()}
        found[ALL_FIELDS] = digest(sorted(found.items()))
        found |= {f"figures.{name}": bytes_digest(pack(figure)) for name, figure in figures.items()}
        packed = packed_checks(run, self._answers)
        found["checks"] = digest([bytes_digest(data) for data in packed])
        found["board"] = "" if run.keep else bytes_digest(read_board(packed[0]))
        return found


def packed_checks(run: PlannedRun, answers: Results) -> list[bytes]:
    """The packed outcomes of the checks of a run: one entry, or one for each checked point of a sweep."""
    if not run.keep:
        return [answers.checks[run.solves[0].key]]
    return [answers.point_checks[solve.key, run.keep] for solve in run.solves if solve.key in run.checked]


def _grid(column: Sequence[Any], axes: Mapping[str, Sequence[Any]]) -> Grid:
    shape = tuple(len(values) for values in axes.values())
    kinds = {type(value) for value in column}
    if kinds <= {float} or kinds <= {int}:
        return Grid(np.array(column).reshape(shape), axes)
    values = np.empty(len(column), dtype=object)
    values[:] = column
    return Grid(values.reshape(shape), axes)
