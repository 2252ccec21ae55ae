"""Step: planned runs -> results. Each distinct solve is computed once; then its figures and its checks."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from site_builder.build.steps.context import StepContext, Task
from site_builder.contract import Check
from site_builder.errors import Place, SiteError, raise_all
from site_builder.project.config import Limits
from site_builder.project.validation import shown
from site_builder.solving import solver_tasks
from site_builder.solving.failure import Failure
from site_builder.solving.plan import PlannedRun, Results, Solve
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.packing import records_in, unpack
from site_builder.values.plain_values import text_of

_MOST_BATCHES = 64


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
    of a missing result. errors: of checks that failed in an earlier build.
    """

    results: Results = field(default_factory=Results)
    parts: list[RunPart] = field(default_factory=list)
    errors: list[SiteError] = field(default_factory=list)


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
                cached = self.context.look_up("row", solves, partial(self._row_key, run), bytes)
                plan.results.rows.update({(solve.key, run.keep): row for solve, row in cached.cached.items()})
                self._add(plan, RunPart(run, "solve", tuple(cached.missing), len(solves)))
            else:
                data = self.context.store.get("result", self._result_key(run, solves[0]))
                self._add(plan, RunPart(run, "solve", () if data else solves[:1]))
                if data:
                    self._plan_beside(plan, run, solves[0], data)
        return plan

    def run(self, plan: ResultsPlan) -> Results:
        """The results of all runs of the plan. Raises SiteError for each solver or check that failed.

        Errors are raised when everything else is computed and stored.
        """
        tasks = [task for part in plan.parts if part.missing for task in self._tasks(plan, part)]
        failures = self.context.compute(tasks)  # which adds checks that fail to the errors of the plan
        raise_all([*plan.errors, *failures])
        return plan.results

    def _plan_beside(self, plan: ResultsPlan, run: PlannedRun, solve: Solve, result: bytes) -> list[RunPart]:
        """Take the figures and checks of a result from the cache; the parts that are missing."""
        plan.results.results[solve.key] = result
        parts = []
        for task in ("figures", "checks"):
            data = self.context.store.get(task, self._beside_key(run, solve, task, result))
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
        if self.refuse:
            plan.errors.extend(failed_checks(part.run, solve, unpack(data)))

    # Tasks

    def _tasks(self, plan: ResultsPlan, part: RunPart) -> list[Task]:
        size = -(-len(part.missing) // _MOST_BATCHES)  # few batches cost little, but every worker should have some
        return [self._task(plan, part, part.missing[at : at + size]) for at in range(0, len(part.missing), size)]

    def _task(self, plan: ResultsPlan, part: RunPart, batch: tuple[Solve, ...]) -> Task:
        run, parameters = part.run, batch[0].parameters
        function: Callable[..., bytes | Failure] = solver_tasks.solve
        arguments: tuple[Any, ...] = (parameters,)
        if run.keep:
            function, arguments = solver_tasks.solve_points, ([solve.parameters for solve in batch], run.keep)
        elif part.task == "figures":
            function, arguments = solver_tasks.figures, (plan.results.results[batch[0].key],)
        elif part.task == "checks":
            function, arguments = solver_tasks.checks, (parameters, plan.results.results[batch[0].key])
        arguments = (run.solver, self.context.codes.loadable(run.solver), *arguments)
        keep = partial(self._keep, plan, part, batch)
        return Task(function, arguments, limits_of(batch), keep, partial(_error, run, batch), len(batch))

    def _keep(self, plan: ResultsPlan, part: RunPart, batch: tuple[Solve, ...], data: bytes) -> list[Task]:
        """Store the answer to a task; the tasks that follow from it."""
        run, solve, put = part.run, batch[0], self.context.store.put
        if run.keep:
            for each, row in zip(batch, unpack(data), strict=True):
                put("row", self._row_key(run, each), row)
                plan.results.rows[each.key, run.keep] = row
        elif part.task == "solve":
            put("result", self._result_key(run, solve), data)
            return [task for each in self._plan_beside(plan, run, solve, data) for task in self._tasks(plan, each)]
        else:
            put(part.task, self._beside_key(run, solve, part.task, plan.results.results[solve.key]), data)
            self._keep_beside(plan, part, solve, data)
        return []

    # Keys

    def _result_key(self, run: PlannedRun, solve: Solve) -> str:
        return digest(self.context.codes.solving(run.solver).key, solve.key)

    def _row_key(self, run: PlannedRun, solve: Solve) -> str:
        return digest(self.context.codes.solving(run.solver).key, solve.key, run.keep)

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


def _error(run: PlannedRun, solves: Sequence[Solve], failure: Failure) -> SiteError:
    if failure.kind == "changed":
        return SiteError(Place(failure.path), failure.message, failure.cure)
    parameters = _parameters(solves[min(failure.point, len(solves) - 1)])
    if len(solves) > 1 and failure.kind in ("time", "died"):  # at an unknown point of the batch
        parameters += f" to {_parameters(solves[-1])}"
    where = f"{failure.path}:{failure.line}: " if failure.path else ""
    words = f"solver '{run.solver}' failed{_in_run(run)}: {where}{failure.message}"
    cure = failure.cure or {
        "time": "allow more with limits: {time: 600} in the post, or ask for less",
        "memory": "allow more with limits: {memory: 4 GiB} in the post, or ask for less",
    }.get(failure.kind, "")
    return SiteError(run.place, words, "\n".join(line for line in (cure, f"parameters: {parameters}") if line))


def _in_run(run: PlannedRun) -> str:
    """Which run of its post it is; nothing for one that no post has, as of the command `solve`."""
    return f" in run '{run.name}'" if run.post else ""


def failed_checks(run: PlannedRun, solve: Solve, checks: Iterable[Check]) -> list[SiteError]:
    """An error for each check that an answer did not pass."""
    found = []
    for check in checks:
        if not check.passed:
            words = f"solver '{run.solver}' failed a check{_in_run(run)}: {check.name} ({check.method}): "
            cure = [f"one of the two methods is wrong; see {run.description.path}", check.detail]
            cure.append(f"parameters: {_parameters(solve)}")
            lines = "\n".join(line for line in cure if line)
            found.append(SiteError(run.place, words + difference(check.expected, check.found), lines))
    return found


def difference(expected: Any, found: Any) -> str:
    """What differs between two values, in words; of two lists of the same length the first entries that differ."""
    if isinstance(expected, tuple) and isinstance(found, tuple) and len(expected) == len(found) > 1:
        for place, (one, other) in enumerate(zip(expected, found, strict=True), 1):
            if one != other:
                return f"of {len(found)} values number {place} should be {text_of(one)}, and is {text_of(other)}"
    return f"it should be {text_of(expected)}, and is {text_of(found)}"


def _parameters(solve: Solve) -> str:
    return ", ".join(f"{name}={shown(value)}" for name, value in unpack(solve.parameters).items())
