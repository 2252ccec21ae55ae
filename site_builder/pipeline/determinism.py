"""`check` solves new and changed solvers once more, draws their figures once more, and compares the bytes.

The second time is in fresh processes, with another hash seed and another state of the global generators, and in another
order, so that a result which depends on the order of a set, on what ran before or on unseeded chance differs.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from site_builder.errors import SiteError, collecting, raise_all
from site_builder.pipeline.steps.context import StepContext
from site_builder.pipeline.steps.results import SolveRuns, distinct_solves, kind_of_entries
from site_builder.solving.plan import PlannedRun, Point, Results
from site_builder.solving.processes.pool import Workers
from site_builder.storage.store import Store
from site_builder.values.packing import pack, unpack
from site_builder.values.plain_values import fields_of_any, text_of

_KIND, _FIGURES = "solved twice", "figures"
_SEED = "1"


def compare_twice(context: StepContext, runs: Iterable[PlannedRun], every: bool = False) -> int:
    """The number of distinct solves that gave the same bytes again; of a sweep its checked points are solved.

    every: whether to solve also what was compared before. Raises SiteError for each run of which a solve gave another
    result, and for each figure that was drawn in another way.
    """
    step = SolveRuns(context, lambda _: None, beside=(_FIGURES,))
    runs = [_with_checked_points(replace(run, solves=solves)) for run, solves in distinct_solves(runs)]
    before = step.plan(runs).results
    entries = list(_entries(step, runs, before))
    known = {} if every else context.store.get_many(_KIND, [key for _, key, _ in entries])
    new = [(kind, key) for kind, key, _ in entries if key not in known]
    if new:
        context.report.stage("Solving twice", len(entries))
        with (
            TemporaryDirectory() as folder,
            Store(Path(folder), sys.maxsize, lambda _: None) as store,
            Workers(context.root, context.workers.jobs, _SEED) as workers,
        ):
            for kind, key, data in entries:
                if key in known:
                    store.put(kind, key, data)
            _compare(replace(step, context=replace(context, store=store, workers=workers)), runs, before)
    for _, key in new:
        context.store.put(_KIND, key, b"the same")
    return sum(kind != _FIGURES for kind, _ in new)


def _with_checked_points(run: PlannedRun) -> PlannedRun:
    """The run, of a sweep those of its points that are checked, the last one first."""
    solves = [solve for solve in reversed(run.solves) if not run.keep or solve.key in run.checked]
    return replace(run, solves=tuple(solves), checked=frozenset())


def _entries(step: SolveRuns, runs: Iterable[PlannedRun], results: Results) -> Iterator[tuple[str, str, bytes]]:
    """The kind, key and bytes of each entry of the cache with a result or the figures of one."""
    for run in runs:
        for solve, point in zip(run.solves, run.points, strict=True):
            yield kind_of_entries(run, "solve"), step.key(run, solve, "solve", results), results.results[point]
            if run.figures:
                yield _FIGURES, step.key(run, solve, _FIGURES, results), results.figures[point]


def _compare(step: SolveRuns, runs: list[PlannedRun], before: Results) -> None:
    """Solve and draw what the cache of the step lacks, the last run first. Raises SiteError for what differs."""
    errors: list[SiteError] = []
    plan = step.plan(reversed(runs))
    with collecting(errors):
        step.run(plan)
    for run in runs:
        found = [error for point in run.points for error in _errors(run, point, before, plan.results)]
        errors += found[:1] if run.keep else found
    raise_all(errors)


def _errors(run: PlannedRun, point: Point, before: Results, after: Results) -> Iterator[SiteError]:
    """An error for another result at a point, else for each figure that is another one."""
    one = before.results[point]
    if (other := after.results.get(point, one)) != one:
        words = f"solver '{run.solver}' gave two answers to the same question in run '{run.name}': "
        cure = "seed every generator, such as random.Random(seed) with seed a parameter of solve; "
        cure += "time, the order of a set and what ran before must not count"
        yield SiteError(run.place, words + _difference(run, one, other), cure)
    elif run.figures:
        first = unpack(before.figures[point])["figures"]
        again = unpack(after.figures.get(point, before.figures[point]))["figures"]
        for name in [name for name in run.figures if pack(first.get(name)) != pack(again.get(name))]:
            words = f"figure_{name} of solver '{run.solver}' draws another picture when it is called again"
            cure = "chance needs a fixed seed, such as default_rng(1), and each call a new figure, by plt.figure()"
            yield SiteError(run.place, words, cure)


def _difference(run: PlannedRun, before: bytes, now: bytes) -> str:
    for name, one in (old := _fields(run, before)).items():
        other = _fields(run, now).get(name)
        if text_of(one) != text_of(other):
            return f"{name} was {text_of(one)}, then {text_of(other)}"
    return f"the bytes of {', '.join(old)} differ"


def _fields(run: PlannedRun, data: bytes) -> Mapping[str, Any]:
    found = unpack(data)
    return dict(zip(run.keep, found, strict=True)) if run.keep else fields_of_any(found)
