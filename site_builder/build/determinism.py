"""`check --twice`: every solver run twice in fresh processes, and the bytes of its results compared.

Each of the two rounds has its own order of tasks and its own hash seed, so that a result which depends on the order of
a set, on what ran before or on unseeded chance differs.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from itertools import chain
from pathlib import Path
from typing import Any

from site_builder.build.steps.context import Report
from site_builder.build.steps.results import distinct_solves, limits_of
from site_builder.errors import SiteError, raise_all
from site_builder.solving import solver_tasks
from site_builder.solving.failure import Failure
from site_builder.solving.plan import PlannedRun, Solve
from site_builder.solving.pool import fresh_workers
from site_builder.storage.code_fingerprints import CodeKeys
from site_builder.values.packing import unpack
from site_builder.values.plain_values import fields_of_any, text_of

_BATCH = 32
_SEEDS = ("1", "2")
Task = tuple[PlannedRun, tuple[Solve, ...]]


def compare_twice(
    root: Path, runs: Mapping[str, Sequence[PlannedRun]], codes: CodeKeys, jobs: int, report: Report
) -> int:
    """How many distinct solves gave the same bytes twice. Raises SiteError for each that did not, or failed."""
    tasks = list(_batches(list(chain.from_iterable(runs.values()))))
    count = sum(len(solves) for _, solves in tasks)
    report.stage("Solving twice", 2 * count)
    first = _round(root, tasks, codes, jobs, _SEEDS[0], report.step)
    second = _round(root, tasks[::-1], codes, jobs, _SEEDS[1], report.step)[::-1]
    raise_all([error for task, *answers in zip(tasks, first, second, strict=True) for error in _errors(task, *answers)])
    return count


def _batches(runs: Sequence[PlannedRun]) -> Iterator[Task]:
    for run, solves in distinct_solves(runs):
        for start in range(0, len(solves), _BATCH):
            yield run, solves[start : start + _BATCH]


def _round(
    root: Path, tasks: Sequence[Task], codes: CodeKeys, jobs: int, seed: str, step: Callable[[int], None]
) -> list[bytes | Failure]:
    """What each task answers, in a process of its own."""
    with fresh_workers(root, jobs, seed) as workers:
        futures: list[Future[bytes | Failure]] = []
        for run, solves in tasks:
            points = [solve.parameters for solve in solves]
            function = solver_tasks.solve_points if run.keep else solver_tasks.solve
            arguments = (points, run.keep) if run.keep else (points[0],)
            loadable, limits = codes.loadable(run.solver), limits_of(solves)
            futures.append(workers.submit(function, run.solver, loadable, *arguments, limits=limits))
        answers = []
        for (_, solves), future in zip(tasks, futures, strict=True):
            answers.append(future.result())
            step(len(solves))
        return answers


def _errors(task: Task, first: bytes | Failure, second: bytes | Failure) -> Iterator[SiteError]:
    run, _ = task
    for answer in (first, second):
        if isinstance(answer, Failure):
            where = f"{answer.path}:{answer.line}: " if answer.path else ""
            words = f"solver '{run.solver}' failed in run '{run.name}': {where}{answer.message}"
            yield SiteError(run.place, words, answer.cure)
            return
    if first != second:
        words = f"solver '{run.solver}' gave two answers to the same question in run '{run.name}': "
        cure = "chance is a parameter (a seed); time, the order of a set and what ran before must not count"
        yield SiteError(run.place, words + _difference(run, unpack(first), unpack(second)), cure)  # type: ignore[arg-type]


def _difference(run: PlannedRun, first: Any, second: Any) -> str:
    if run.keep:
        for one, other in zip(map(unpack, first), map(unpack, second), strict=True):
            for name, before, now in zip(run.keep, one, other, strict=True):
                if text_of(before) != text_of(now):
                    return f"{name} was {text_of(before)}, then {text_of(now)}"
    before, now = fields_of_any(first), fields_of_any(second)
    for name in before:
        if text_of(before[name]) != text_of(now.get(name)):
            return f"{name} was {text_of(before[name])}, then {text_of(now.get(name))}"
    return "their bytes differ"
