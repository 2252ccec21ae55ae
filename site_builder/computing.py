"""Planned runs -> results: each distinct solve once, in the workers, and the figures of each."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from typing import Any

from site_builder import worker
from site_builder.catalog import Description, read_description
from site_builder.config import Limits
from site_builder.errors import Place, SiteError, raise_all
from site_builder.faults import Fault
from site_builder.retelling import shown
from site_builder.tasks import PlannedRun, Solve
from site_builder.values import unpack
from site_builder.workers import Workers

_MOST_BATCHES = 64


@dataclass(frozen=True)
class Answers:
    """What the solvers said. results and figures: by the key of the solve; rows: by key and kept fields."""

    results: dict[str, bytes] = field(default_factory=dict)
    figures: dict[str, bytes] = field(default_factory=dict)
    rows: dict[tuple[str, tuple[str, ...]], tuple[Any, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Job:
    """A task under way: what to do with its bytes, and the run to name should it fail."""

    run: PlannedRun
    solves: tuple[Solve, ...]
    keep: Callable[[bytes], None]


def ask_solvers(
    workers: Workers, limits: Limits, places: Mapping[str, Place], questions: Mapping[str, Sequence[Mapping[str, Any]]]
) -> dict[str, tuple[Description, list[dict[str, Any]]]]:
    """Each solver's description and its answers to wishes for parameters. places: where each name was first written."""
    asked = {
        name: workers.submit(worker.describe, name, (), list(wishes), limits=limits)
        for name, wishes in questions.items()
    }
    found: dict[str, tuple[Description, list[dict[str, Any]]]] = {}
    faults = []
    for name, future in asked.items():
        answer = future.result()
        if isinstance(answer, Fault):
            faults.append(_described_fault(answer, name, places.get(name, Place(f"solvers/{name}.py"))))
        else:
            told = unpack(answer)
            found[name] = read_description(told["description"]), list(told["answers"])
    raise_all(faults)
    return found


def compute(runs: Iterable[PlannedRun], workers: Workers, step: Callable[[int], None]) -> Answers:
    """The answers to all runs; equal solves are solved once. step: called with the number of solves just finished.

    Raises SiteError for each solver that failed, after all others have finished.
    """
    answers = Answers()
    faults: list[SiteError] = []
    under_way: dict[Future[bytes | Fault], _Job] = {}
    for run, solves in _distinct(runs):
        if run.keep:
            _submit_points(run, solves, workers, answers, under_way)
        else:
            _submit_solve(run, solves[0], workers, answers, under_way)
    while under_way:
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            job = under_way.pop(future)
            answer = future.result()
            if isinstance(answer, Fault):
                faults.append(_run_fault(answer, job))
            else:
                job.keep(answer)
                if not job.run.keep and job.solves[0].key not in answers.figures:
                    _submit_figures(job.run, job.solves[0], workers, answers, under_way)
            step(len(job.solves))
    raise_all(faults)
    return answers


def count_solves(runs: Iterable[PlannedRun]) -> int:
    """How many steps `compute` takes: solves, and for each solve that is no point of a sweep its figures."""
    return sum(len(solves) if run.keep else 2 for run, solves in _distinct(runs))


def _distinct(runs: Iterable[PlannedRun]) -> list[tuple[PlannedRun, tuple[Solve, ...]]]:
    """Each run with those of its solves that no run before it asked for in the same way.

    A solve that several posts ask for has the widest of their limits.
    """
    runs = list(runs)
    seen: set[tuple[str, tuple[str, ...]]] = set()
    widest: dict[str, Limits] = {}
    for solve in (solve for run in runs for solve in run.solves):
        widest[solve.key] = solve.limits.widened(widest.get(solve.key, solve.limits))
    wanted = []
    for run in runs:
        new = {
            solve.key: replace(solve, limits=widest[solve.key])
            for solve in run.solves
            if (solve.key, run.keep) not in seen
        }
        seen.update((key, run.keep) for key in new)
        if new:
            wanted.append((run, tuple(new.values())))
    return wanted


def _submit_solve(
    run: PlannedRun, solve: Solve, workers: Workers, answers: Answers, under_way: dict[Future[bytes | Fault], _Job]
) -> None:
    future = workers.submit(worker.solve, solve.solver, (), solve.parameters, limits=solve.limits)
    under_way[future] = _Job(run, (solve,), lambda data: answers.results.__setitem__(solve.key, data))


def _submit_figures(
    run: PlannedRun, solve: Solve, workers: Workers, answers: Answers, under_way: dict[Future[bytes | Fault], _Job]
) -> None:
    future = workers.submit(worker.figures, solve.solver, (), answers.results[solve.key], limits=solve.limits)
    under_way[future] = _Job(run, (solve,), lambda data: answers.figures.__setitem__(solve.key, data))


def _submit_points(
    run: PlannedRun,
    solves: Sequence[Solve],
    workers: Workers,
    answers: Answers,
    under_way: dict[Future[bytes | Fault], _Job],
) -> None:
    """The points of a sweep in batches: few enough to cost little, many enough to keep every worker busy."""
    size = -(-len(solves) // _MOST_BATCHES)
    for start in range(0, len(solves), size):
        batch = tuple(solves[start : start + size])
        limits = batch[0].limits.model_copy(update={"time": batch[0].limits.time * len(batch)})
        points = [solve.parameters for solve in batch]
        future = workers.submit(worker.solve_points, run.solver, (), points, run.keep, limits=limits)
        under_way[future] = _Job(run, batch, lambda data, batch=batch: _keep_rows(answers, run, batch, data))  # type: ignore[misc]


def _keep_rows(answers: Answers, run: PlannedRun, batch: Sequence[Solve], data: bytes) -> None:
    for solve, row in zip(batch, unpack(data), strict=True):
        answers.rows[solve.key, run.keep] = row


def _run_fault(fault: Fault, job: _Job) -> SiteError:
    parameters = _parameters(job.solves[min(fault.point, len(job.solves) - 1)])
    if len(job.solves) > 1 and fault.kind in ("time", "died"):  # of the batch, nobody knows which point it was
        parameters += f" to {_parameters(job.solves[-1])}"
    where = f"{fault.path}:{fault.line}: " if fault.path else ""
    words = f"solver '{job.run.solver}' failed in run '{job.run.name}': {where}{fault.message}"
    cure = fault.cure or {
        "time": "allow more with limits: {time: 600} in the post, or ask for less",
        "memory": "allow more with limits: {memory: 4 GiB} in the post, or ask for less",
    }.get(fault.kind, "")
    return SiteError(job.run.place, words, "\n".join(line for line in (cure, f"parameters: {parameters}") if line))


def _parameters(solve: Solve) -> str:
    return ", ".join(f"{name}={shown(value)}" for name, value in unpack(solve.parameters).items())


def _described_fault(fault: Fault, name: str, place: Place) -> SiteError:
    """A solver that cannot even be described: the fault lies in its file, not in the post."""
    if fault.path:
        return SiteError(Place(fault.path, fault.line), f"solver '{name}': {fault.message}", fault.cure)
    return SiteError(place, f"solver '{name}' cannot be described: {fault.message}", fault.cure)
