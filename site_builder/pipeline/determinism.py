"""`check` solves new and changed solvers once more, draws their figures once more, and compares the bytes.

The second time is in fresh processes, with another hash seed and another state of the global generators, and in
another order, so that a result which depends on the order of a set, on what ran before or on unseeded chance differs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from site_builder.errors import SiteError, raise_all
from site_builder.pipeline.steps.context import StepContext, Task
from site_builder.pipeline.steps.results import SolveRuns, distinct_solves
from site_builder.solving.plan import PlannedRun, Results, Solve
from site_builder.solving.processes.failure import Failure, TaskAnswer
from site_builder.solving.processes.pool import Workers
from site_builder.solving.tasks import solver_tasks
from site_builder.values.digest import digest
from site_builder.values.packing import pack, unpack
from site_builder.values.plain_values import fields_of_any, text_of

Batch = tuple[PlannedRun, tuple[Solve, ...]]
_KIND = "solved twice"
_BATCH = 32
_SEED = "1"


def compare_twice(context: StepContext, runs: Iterable[PlannedRun], every: bool = False) -> int:
    """The number of distinct solves that gave the same bytes again; of a sweep its checked points are solved.

    every: whether to solve also what was compared before. Raises SiteError for each solve that gave another result, and
    for each figure that was drawn in another way.
    """
    runs = list(runs)
    solving = SolveRuns(context, lambda _: None)
    results = solving.plan(runs).results
    solved = list(_batches(context, runs, every))
    drawn = dict(_drawings(solving, runs, results, every))
    count = sum(len(solves) for _, solves in solved)
    if not count and not drawn:
        return 0
    context.report.stage("Solving twice", count + len(drawn))
    batches = [*solved, *((run, ()) for run in drawn.values())]
    again = _answers(context, batches, results)
    errors: list[SiteError] = []
    for number, (run, solves) in enumerate(batches):
        answer = again[number]
        if isinstance(answer, Failure):
            errors.append(answer.error(run.place, f"solver '{run.solver}' failed in run '{run.name}'"))
        else:
            errors += _errors(run, solves, results, answer) if solves else _redrawn(run, results, answer)
    raise_all(errors)
    for key in (*(_key(context, run, solve) for run, solves in solved for solve in solves), *drawn):
        context.store.put(_KIND, key, b"the same")
    return count


def _key(context: StepContext, run: PlannedRun, solve: Solve) -> str:
    return digest(context.codes.solving(run.solver).key, solve.key, run.keep)


def _batches(context: StepContext, runs: Iterable[PlannedRun], every: bool) -> Iterator[Batch]:
    for run, solves in distinct_solves(runs):
        keys = {_key(context, run, each): each for each in solves if not run.keep or each.key in run.checked}
        known = {} if every else context.store.get_many(_KIND, keys)
        pending = [each for key, each in keys.items() if key not in known]
        for start in range(0, len(pending), _BATCH):
            yield run, tuple(pending[start : start + _BATCH])


def _drawings(
    solving: SolveRuns, runs: Iterable[PlannedRun], results: Results, every: bool
) -> Iterator[tuple[str, PlannedRun]]:
    """The runs whose figures are to be drawn once more, by a key of these."""
    for run, (solve, *_) in distinct_solves(runs):
        if run.figures:
            key = digest(solving.beside_key(run, solve, "figures", results.results[run.points[0]]), _KIND)
            if every or solving.context.store.get(_KIND, key) is None:
                yield key, run


def _answers(context: StepContext, batches: Sequence[Batch], results: Results) -> dict[int, Any]:
    """The answer or the failure of each batch by its number, from processes with another seed, the last one first.

    A batch without solves stands for the figures of its run.
    """
    found: dict[int, Any] = {}

    def task(number: int) -> Task:
        run, solves = batches[number]
        keep = partial(found.__setitem__, number)
        arguments = (run.solver, context.codes.loadable(run.solver))
        if not solves:
            solve, result = run.solves[0], results.results[run.points[0]]
            asked = (*arguments, run.figures, True, solve.parameters, result)
            return Task(solver_tasks.figures, asked, solve.limits, keep, keep)
        if not run.keep:
            return Task(solver_tasks.solve, (*arguments, solves[0].parameters), solves[0].limits, keep, keep)
        points = [(solve.parameters, False) for solve in solves]
        return Task(
            solver_tasks.solve_point, (*arguments, run.keep), solves[0].limits, keep, keep, len(solves), points=points
        )

    with Workers(context.root, context.workers.jobs, _SEED) as workers:
        raise_all(replace(context, workers=workers).compute(map(task, reversed(range(len(batches))))))
    return found


def _errors(run: PlannedRun, solves: Sequence[Solve], results: Results, again: Any) -> Iterator[SiteError]:
    """An error for the first solve that gave another result."""
    for solve, answer in zip(solves, [again] if isinstance(again, TaskAnswer) else again, strict=True):
        before = results.results[solve.key, run.keep]
        now = unpack(answer.data)[0] if run.keep else answer.data
        if before != now:
            words = f"solver '{run.solver}' gave two answers to the same question in run '{run.name}': "
            cure = "seed every generator, such as random.Random(seed) with seed a parameter of solve; "
            cure += "time, the order of a set and what ran before must not count"
            yield SiteError(run.place, words + _difference(run, before, now), cure)
            return


def _redrawn(run: PlannedRun, results: Results, again: Any) -> Iterator[SiteError]:
    """An error for each figure of the run that is another one now."""
    before, now = unpack(results.figures[run.points[0]])["figures"], unpack(again.data)["figures"]
    for name in run.figures:
        if pack(before.get(name)) != pack(now.get(name)):
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
