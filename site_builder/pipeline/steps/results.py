"""Step: planned runs -> results. Each distinct solve is computed once; then its figures and its checks."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from site_builder.errors import Place, SiteError, raise_all
from site_builder.pipeline.steps.context import StepContext, StepPlan, Task
from site_builder.project.config import Limits
from site_builder.project.validation import shown
from site_builder.solving.checks.outcomes import CheckOutcome, judge, read_outcomes
from site_builder.solving.failure import Failure, TaskAnswer
from site_builder.solving.plan import PlannedRun, Results, Solve
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.packing import records_in, unpack

_SECONDS_OF_BATCH = 1.0
_SHORTEST = 1e-6  # seconds that a point is taken to need at least


@dataclass(frozen=True)
class RunPart:
    """A part of a run: its "solve", "figures" or "checks". missing: those of its `of` solves that are not cached."""

    run: PlannedRun
    task: str
    missing: tuple[Solve, ...]
    of: int = 1


@dataclass(frozen=True)
class ResultsPlan:
    """What the cache holds of the results of runs.

    parts: of each distinct run those that are known to be cached or missing; nothing is known of the figures and checks
    of a missing result. errors: of checks that failed in an earlier build. failed_points: of each sweep, by post and
    name, the first of its points with such a check, and the error.
    """

    results: Results = field(default_factory=Results)
    parts: list[RunPart] = field(default_factory=list)
    errors: list[SiteError] = field(default_factory=list)
    failed_points: dict[tuple[str, str], tuple[int, SiteError]] = field(default_factory=dict)


@dataclass
class Pace:
    """How long the points of a sweep take, from those that are done: `points` of them in `seconds`."""

    points: int = 0
    seconds: float = 0.0

    def add(self, points: int, seconds: float) -> None:
        """Take note of a batch."""
        self.points, self.seconds = self.points + points, self.seconds + seconds

    def batch(self, left: int, slots: int) -> int:
        """How many of the points that are left make a batch: a second of work, and one while nothing is known.

        At the end batches are smaller, down to an eighth, so that all workers end at about the same time. slots: how
        many run at a time.
        """
        if not self.points:
            return 1
        in_time = int(_SECONDS_OF_BATCH / max(self.seconds / self.points, _SHORTEST))
        return max(1, in_time // 8, min(in_time, -(-left // (2 * slots))))


@dataclass(frozen=True)
class SolveRuns:
    """The step that runs solvers.

    log: is called with each part of a run once it is known whether it is cached. refuse: whether a check that failed is
    an error; it is part of the results in any case.
    """

    context: StepContext
    log: Callable[[RunPart], None]
    refuse: bool = True

    def plan(self, runs: Iterable[PlannedRun]) -> ResultsPlan:
        """What the cache holds of the results of these runs."""
        plan = ResultsPlan()
        for run, solves in sorted(distinct_solves(runs), key=lambda each: each[0].solver):  # a worker holds one solver
            if run.keep:
                self._plan_points(plan, run, solves)
            else:
                data = self._find("result", run, self._result_key(run, solves[0]))
                self._add(plan, RunPart(run, "solve", () if data else solves[:1]))
                if data:
                    self._plan_beside(plan, run, solves[0], data)
        return plan

    def run(self, plan: ResultsPlan) -> Results:
        """The results of all runs of the plan. Raises SiteError for each solver or check that failed.

        Errors are raised when everything else is computed and stored.
        """
        tasks = (task for part in tuple(plan.parts) if part.missing for task in self._tasks(plan, part))
        failures = self.context.compute(tasks)  # which adds checks that fail to the errors of the plan
        raise_all([*plan.errors, *(error for _, error in plan.failed_points.values()), *failures])
        return plan.results

    def _plan_points(self, plan: ResultsPlan, run: PlannedRun, solves: Sequence[Solve]) -> None:
        """Take the points of a sweep and their checks from the cache; a point without its checks is solved again."""
        rows = self._look_up("row", run, solves, self._row_key)
        wanted = [solve for solve in rows.cached if solve.key in run.checked]
        checks = self._look_up("checks", run, wanted, self._point_checks_key)
        missing = {*rows.missing, *checks.missing}
        for solve, row in rows.cached.items():
            if solve not in missing:
                self._keep_point(plan, run, solve, row, checks.cached.get(solve))
        self._add(plan, RunPart(run, "solve", tuple(each for each in solves if each in missing), len(solves)))

    def _plan_beside(self, plan: ResultsPlan, run: PlannedRun, solve: Solve, result: bytes) -> list[RunPart]:
        """Take the figures and checks of a result from the cache; the parts that are missing."""
        plan.results.results[solve.key] = result
        parts = []
        for task in ("figures", "checks"):
            data = self._find(task, run, self._beside_key(run, solve, task, result))
            part = RunPart(run, task, () if data else (solve,))
            self._add(plan, part)
            if data:
                self._keep_beside(plan, part, solve, data)
            else:
                parts.append(part)
        return parts

    def _add(self, plan: ResultsPlan, part: RunPart) -> None:
        plan.parts.append(part)
        self.log(part)
        self.context.progress(part.of - len(part.missing))

    def _keep_beside(self, plan: ResultsPlan, part: RunPart, solve: Solve, data: bytes) -> None:
        if part.task == "figures":
            plan.results.figures[solve.key] = data
            return
        plan.results.checks[solve.key] = data
        self._refuse_failed(plan, part.run, solve, data)

    def _keep_point(self, plan: ResultsPlan, run: PlannedRun, solve: Solve, row: bytes, checks: bytes | None) -> None:
        plan.results.rows[solve.key, run.keep] = row
        if checks is not None:
            plan.results.point_checks[solve.key, run.keep] = checks
            self._refuse_failed(plan, run, solve, checks)

    def _refuse_failed(self, plan: ResultsPlan, run: PlannedRun, solve: Solve, checks: bytes) -> None:
        """Add the errors of checks that failed; of a sweep at most one, whichever point it is of."""
        failed = failed_checks(run, solve, read_outcomes(checks)) if self.refuse else []
        if not failed:
            return
        if run.keep:
            place = [each.key for each in run.solves].index(solve.key)
            known = plan.failed_points.get((run.post, run.name))
            if known is None or place < known[0]:
                plan.failed_points[run.post, run.name] = place, failed[0]
        else:
            plan.errors.extend(failed)

    # Tasks

    def _tasks(self, plan: ResultsPlan, part: RunPart) -> Iterator[Task]:
        """The tasks of a part, each made when it is asked for; the points of a sweep in batches."""
        pace, at = Pace(), 0
        while at < len(part.missing):
            size = pace.batch(len(part.missing) - at, self.context.workers.slots)
            yield self._task(plan, part, part.missing[at : at + size], pace)
            at += size

    def _task(self, plan: ResultsPlan, part: RunPart, batch: tuple[Solve, ...], pace: Pace) -> Task:
        from site_builder.solving import (
            drawing_tasks,
            solver_tasks,
        )  # only builds that run solvers pay for these imports

        run, parameters = part.run, batch[0].parameters
        function: Callable[..., TaskAnswer | Failure] = solver_tasks.solve
        arguments: tuple[Any, ...] = (parameters,)
        if run.keep:
            points = [solve.parameters for solve in batch]
            checked = tuple(place for place, solve in enumerate(batch) if solve.key in run.checked)
            function, arguments = solver_tasks.solve_points, (points, run.keep, checked)
        elif part.task == "figures":
            tasks = drawing_tasks if self.context.codes.has_drawings(run.solver) else solver_tasks
            function, arguments = tasks.figures, (plan.results.results[batch[0].key],)
        elif part.task == "checks":
            function, arguments = solver_tasks.checks, (parameters, plan.results.results[batch[0].key])
        arguments = (run.solver, self.context.codes.loadable(run.solver), *arguments)
        keep = partial(self._keep, plan, part, batch)
        took = partial(pace.add, len(batch))

        def fail(failure: Failure) -> SiteError:
            self.context.codes.reads.note(run.solver, failure.reads)
            return _error(run, batch, failure)

        return Task(function, arguments, limits_of(batch), keep, fail, len(batch), took)

    def _keep(self, plan: ResultsPlan, part: RunPart, batch: tuple[Solve, ...], answer: TaskAnswer) -> list[Task]:
        """Store the answer to a task; the tasks that follow from it. Raises SiteError when what it read has changed."""
        run, solve, data = part.run, batch[0], answer.data
        self.context.codes.reads.note(run.solver, answer.reads)
        put = partial(self.context.put_answer, reads=answer.reads)
        if run.keep:
            for each, (row, raw) in zip(batch, unpack(data), strict=True):
                put("row", self._row_key(run, each), row)
                checks = None if raw is None else judge(raw)
                if checks is not None:
                    put("checks", self._point_checks_key(run, each), checks)
                self._keep_point(plan, run, each, row, checks)
        elif part.task == "solve":
            put("result", self._result_key(run, solve), data)
            return [task for each in self._plan_beside(plan, run, solve, data) for task in self._tasks(plan, each)]
        else:
            data = judge(data) if part.task == "checks" else data
            put(part.task, self._beside_key(run, solve, part.task, plan.results.results[solve.key]), data)
            self._keep_beside(plan, part, solve, data)
        return []

    # Keys

    def _find(self, kind: str, run: PlannedRun, key: str) -> bytes | None:
        return self.context.find(kind, run.solver, (key,)).get(key)

    def _look_up(
        self, kind: str, run: PlannedRun, solves: Iterable[Solve], key: Callable[[PlannedRun, Solve], str]
    ) -> StepPlan[Solve, bytes]:
        return self.context.look_up(kind, solves, partial(key, run), bytes, solver=lambda solve: run.solver)

    def _result_key(self, run: PlannedRun, solve: Solve) -> str:
        return digest(self.context.codes.solving(run.solver).key, solve.key)

    def _row_key(self, run: PlannedRun, solve: Solve) -> str:
        return digest(self.context.codes.solving(run.solver).key, solve.key, run.keep)

    def _point_checks_key(self, run: PlannedRun, solve: Solve) -> str:
        return digest(self.context.codes.checking(run.solver).key, self._row_key(run, solve))

    def _beside_key(self, run: PlannedRun, solve: Solve, task: str, result: bytes) -> str:
        records, content = records_in(result), bytes_digest(result)
        if task == "figures":
            return digest(self.context.codes.showing(run.solver, records).key, content)
        return digest(self.context.codes.checking(run.solver, records).key, solve.key, content)


def limits_of(solves: Sequence[Solve]) -> Limits:
    """The limits of one task for these solves."""
    limits = solves[0].limits
    return limits.model_copy(update={"time": limits.time * len(solves)})


def count_solves(runs: Iterable[PlannedRun]) -> int:
    """How many steps of progress these runs are: a point of a sweep is one, any other solve three."""
    return sum(len(solves) if run.keep else 3 for run, solves in distinct_solves(runs))


def distinct_solves(runs: Iterable[PlannedRun]) -> list[tuple[PlannedRun, tuple[Solve, ...]]]:
    """Each run with those of its solves that no run before it asked for in the same way.

    A solve that several posts ask for has the widest of their limits.
    """
    runs = list(runs)
    seen: set[tuple[str, tuple[str, ...]]] = set()
    widest: dict[str, Limits] = {}
    checked = frozenset[str]().union(*(run.checked for run in runs))
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
            wanted.append((replace(run, checked=checked), tuple(new.values())))
    return wanted


def _error(run: PlannedRun, solves: Sequence[Solve], failure: Failure) -> SiteError:
    if failure.kind == "changed":
        return SiteError(Place(failure.path), failure.message, failure.cure)
    parameters = _parameters(solves[min(failure.point, len(solves) - 1)])
    if len(solves) > 1 and failure.kind in ("time", "died"):  # at an unknown point of the batch
        parameters += f" to {_parameters(solves[-1])}"
    where = f"{failure.path}:{failure.line}: " if failure.path else ""
    words = f"solver '{run.solver}' failed{_in_run(run)}: {where}{failure.message}"
    cure = {
        "time": f"allow more with {'limits: {time: 600} in the post' if run.post else '--limit 1h'}, or ask for less",
        "memory": "allow more with limits: {memory: 4 GiB} in the post, or ask for less",
    }.get(failure.kind, "")
    return SiteError(run.place, words, failure.cured("" if failure.cure else cure, f"parameters: {parameters}"))


def _in_run(run: PlannedRun) -> str:
    """Which run of its post it is; nothing for one that no post has, as of the command `solve`."""
    return f" in run '{run.name}'" if run.post else ""


def failed_checks(run: PlannedRun, solve: Solve, checks: Iterable[CheckOutcome]) -> list[SiteError]:
    """An error for each check that an answer did not pass."""
    found = []
    for check in checks:
        if not check.passed:
            words = f"solver '{run.solver}' failed a check{_in_run(run)}: {check.name} ({check.method}): "
            cure = [f"one of the two methods is wrong; see {run.description.path}", check.detail]
            cure.append(f"parameters: {_parameters(solve)}")
            found.append(SiteError(run.place, words + check.difference, "\n".join(line for line in cure if line)))
    return found


def _parameters(solve: Solve) -> str:
    return ", ".join(f"{name}={shown(value)}" for name, value in unpack(solve.parameters).items())
