"""`check --twice`: every solver run twice in fresh processes, and the bytes of its results compared.

Each of the two rounds has its own order of tasks and its own hash seed, so that a result which depends on the order of
a set, on what ran before or on unseeded chance differs.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from site_builder.errors import SiteError, raise_all
from site_builder.pipeline.steps.context import StepContext, Task
from site_builder.pipeline.steps.results import distinct_solves
from site_builder.solving import solver_tasks
from site_builder.solving.failure import Failure, TaskAnswer
from site_builder.solving.plan import PlannedRun, Solve
from site_builder.solving.pool import local_workers
from site_builder.values.packing import unpack
from site_builder.values.plain_values import fields_of_any, text_of

Batch = tuple[PlannedRun, tuple[Solve, ...]]
_BATCH = 32
_SEEDS = ("1", "2")


def compare_twice(context: StepContext, runs: Iterable[PlannedRun]) -> int:
    """The number of distinct solves that gave the same bytes twice. Raises SiteError for others."""
    batches = [
        (run, solves[start : start + _BATCH])
        for run, solves in distinct_solves(runs)
        for start in range(0, len(solves), _BATCH)
    ]
    count = sum(len(solves) for _, solves in batches)
    context.report.stage("Solving twice", 2 * count)
    order = range(len(batches))
    first = _answers(context, batches, order, _SEEDS[0])
    second = _answers(context, batches, reversed(order), _SEEDS[1])
    raise_all([error for each in order for error in _errors(batches[each][0], first[each], second[each])])
    return count


def _answers(context: StepContext, batches: Sequence[Batch], order: Iterable[int], seed: str) -> dict[int, Any]:
    """The answer or the failure of each batch by its number, each from a process of its own."""
    found: dict[int, Any] = {}

    def task(number: int) -> Task:
        run, solves = batches[number]
        keep = partial(found.__setitem__, number)
        arguments = (run.solver, context.codes.loadable(run.solver))
        if not run.keep:
            return Task(solver_tasks.solve, (*arguments, solves[0].parameters), solves[0].limits, keep, keep)
        points = [(solve.parameters, False) for solve in solves]
        return Task(
            solver_tasks.solve_point, (*arguments, run.keep), solves[0].limits, keep, keep, len(solves), points=points
        )

    with local_workers(context.root, context.workers.jobs, seed) as workers:
        raise_all(replace(context, workers=workers).compute(map(task, order)))
    return found


def _errors(run: PlannedRun, first: Any, second: Any) -> Iterator[SiteError]:
    for answer in (first, second):
        if isinstance(answer, Failure):
            where = f"{answer.path}:{answer.line}: " if answer.path else ""
            words = f"solver '{run.solver}' failed in run '{run.name}': {where}{answer.message}"
            yield SiteError(run.place, words, answer.cure, answer.notes(), answer.calls)
            return
    if _data(first) != _data(second):
        words = f"solver '{run.solver}' gave two answers to the same question in run '{run.name}': "
        cure = "chance is a parameter (a seed); time, the order of a set and what ran before must not count"
        yield SiteError(run.place, words + _difference(run, _data(first), _data(second)), cure)


def _data(answer: TaskAnswer | Sequence[TaskAnswer]) -> Any:
    return answer.data if isinstance(answer, TaskAnswer) else [each.data for each in answer]


def _difference(run: PlannedRun, first: Any, second: Any) -> str:
    if run.keep:
        for one, other in zip(map(_row, first), map(_row, second), strict=True):
            for name, before, now in zip(run.keep, one, other, strict=True):
                if text_of(before) != text_of(now):
                    return f"{name} was {text_of(before)}, then {text_of(now)}"
    before, now = fields_of_any(unpack(first)), fields_of_any(unpack(second))
    for name in before:
        if text_of(before[name]) != text_of(now.get(name)):
            return f"{name} was {text_of(before[name])}, then {text_of(now.get(name))}"
    return "their bytes differ"


def _row(answer: bytes) -> Any:
    return unpack(unpack(answer)[0])
