"""Step: planned runs -> results. Each distinct solve is computed once; then its figures and its checks."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any

from site_builder.errors import Place, SiteError, counted, raise_all
from site_builder.pipeline.steps.context import StepContext, Task
from site_builder.project.validation import shown
from site_builder.solving.catalog import SolverDescription
from site_builder.solving.checks.description import CheckDescription
from site_builder.solving.checks.outcomes import CheckOutcome, judge, read_outcomes
from site_builder.solving.code.code_keys import UNKNOWN
from site_builder.solving.plan import PlannedRun, Results, Solve
from site_builder.solving.processes.failure import Failure, TaskAnswer
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.packing import pack, unpack

_SECONDS_OF_BATCH = 1.0
_MOST_TIMEOUTS = 3
_MORE = {  # by the kind of a failure
    "time": "allow more with limits: {time: 600} in config.yaml, or ask for less",
    "memory": "allow more with limits: {memory: 4 GiB} in config.yaml, or ask for less",
}
_NO_FIGURES = pack({"figures": {}, "takes": {}, "foreign": {}, "untraced": []})
_SHORTEST = 1e-6  # seconds that a point is taken to need at least


@dataclass(frozen=True)
class RunPart:
    """A part of a run: its "solve", "figures" or "checks". missing: those of its solves that are not cached."""

    run: PlannedRun
    task: str
    missing: tuple[Solve, ...]
    solves: tuple[Solve, ...]


@dataclass(frozen=True)
class ResultsPlan:
    """The results of runs that the cache holds, and the tasks that are missing.

    parts: of each distinct run those that are known to be cached or missing; nothing is known of the figures and checks
    of a missing result. timed_out: how many runs of each solver reached the time limit; left_out: how many were not
    tried because of that.
    """

    results: Results = field(default_factory=Results)
    parts: list[RunPart] = field(default_factory=list)
    timed_out: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def errors(self) -> list[SiteError]:
        """The errors of checks that failed; of a sweep at most one, of the first of its points with such a check."""
        errors: list[SiteError] = []
        for part in (each for each in self.parts if each.task == "solve"):
            checks = {solve: self.results.checks.get((solve.key, part.run.keep)) for solve in part.solves}
            found = [_failed_checks(part.run, each, read_outcomes(data)) for each, data in checks.items() if data]
            failed = [error for each in found for error in each]
            errors += failed[:1] if part.run.keep else failed
        return errors


@dataclass
class Pace:
    """The pace of the points of a sweep, from those that are done: `points` of them in `seconds`."""

    points: int = 0
    seconds: float = 0.0

    def add(self, points: int, seconds: float) -> None:
        """Take note of a batch."""
        self.points, self.seconds = self.points + points, self.seconds + seconds

    def batch(self, left: int, slots: int) -> int:
        """The number of the points left that make a batch: a second of work, and one point while the pace is unknown.

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

    log: is called with each part of a run once it is known whether it is cached. checked: is called with each solve,
    but those of sweeps, that has been checked; checks come before figures, and sweeps of a solver last. has_png:
    whether what matplotlib draws needs a PNG, which no page of a setting links to. beside: the tasks that follow from a
    single result.
    """

    context: StepContext
    log: Callable[[RunPart], None]
    checked: Callable[[Solve], None] = lambda _: None
    has_png: bool = True
    beside: Sequence[str] = ("checks", "figures")

    def plan(self, runs: Iterable[PlannedRun]) -> ResultsPlan:
        """Look up the results of these runs in the cache."""
        plan = ResultsPlan()
        # A worker holds one solver; its sweeps come last, so that what its checks leave open is known before them.
        for run, solves in sorted(distinct_solves(runs), key=lambda each: (each[0].solver, bool(each[0].keep))):
            found = self._cached(plan, run, solves)
            self._add(plan, RunPart(run, "solve", tuple(each for each in solves if each not in found), solves))
            for solve, result in found.items() if not run.keep else ():
                self._plan_beside(plan, run, solve, result)
        return plan

    def run(self, plan: ResultsPlan) -> Results:
        """The results of all runs of the plan. Raises SiteError for each solver or check that failed.

        Errors are raised when everything else is computed and stored.
        """
        tasks = (task for part in tuple(plan.parts) if part.missing for task in self._tasks(plan, part))
        failures = self.context.compute(tasks)
        raise_all([*plan.errors, *failures, *_not_tried(plan)])
        return plan.results

    def _cached(self, plan: ResultsPlan, run: PlannedRun, solves: Sequence[Solve]) -> dict[Solve, bytes]:
        """Take results from the cache, those of a sweep with their checks; without these a point is solved again."""
        keys = {solve: self.result_key(run, solve) for solve in solves}
        found = self.context.look_up(kind_of_results(run), keys, bytes, run.solver).found
        if run.keep:
            keys = {solve: self._point_checks_key(run, solve) for solve in found if solve.key in run.checked}
            checks = self.context.look_up("checks", keys, partial(self._judged, run), run.solver).found
            found = {solve: row for solve, row in found.items() if solve.key not in run.checked or solve in checks}
            plan.results.checks.update({(solve.key, run.keep): data for solve, data in checks.items()})
        plan.results.results.update({(solve.key, run.keep): data for solve, data in found.items()})
        return found

    def _plan_beside(self, plan: ResultsPlan, run: PlannedRun, solve: Solve, result: bytes) -> list[RunPart]:
        """Take the figures and checks of a result from the cache; the parts that are missing."""
        parts = []
        if not run.figures:
            plan.results.figures[run.points[0]] = _NO_FIGURES
        for task in self.beside if run.figures else [each for each in self.beside if each != "figures"]:
            forms = dict.fromkeys((True, self.has_png)) if task == "figures" else (True,)  # a PNG more does no harm
            keys = [self.beside_key(run, solve, task, result, has_png) for has_png in forms]
            cached = self.context.find(task, run.solver, keys)
            data = next((cached[key] for key in keys if key in cached), None)
            part = RunPart(run, task, () if data else (solve,), (solve,))
            self._add(plan, part)
            if data:
                self._keep_beside(plan, part, data)
            else:
                parts.append(part)
        return parts

    def _add(self, plan: ResultsPlan, part: RunPart) -> None:
        plan.parts.append(part)
        self.log(part)
        self.context.progress(len(part.solves) - len(part.missing))

    def _keep_beside(self, plan: ResultsPlan, part: RunPart, data: bytes) -> None:
        (point,) = part.run.points
        if part.task == "figures":
            plan.results.figures[point] = data
        else:
            plan.results.checks[point] = self._judged(part.run, data)

    # Tasks

    def _tasks(self, plan: ResultsPlan, part: RunPart) -> Iterator[Task]:
        """The tasks of a part, each made when it is requested; the points of a sweep in batches."""
        pace, at = Pace(), 0
        while at < len(part.missing):
            if _is_out_of_time(plan, part.run):
                plan.left_out[part.run.solver] += len(part.missing) - at
                return
            size = pace.batch(len(part.missing) - at, self.context.workers.slots)
            yield self._task(plan, part, part.missing[at : at + size], pace)
            at += size

    def _task(self, plan: ResultsPlan, part: RunPart, batch: tuple[Solve, ...], pace: Pace) -> Task:
        """Compute a part of a run, or solve at points of a sweep."""
        run = part.run
        if run.keep:
            points = [(solve.parameters, solve.key in run.checked) for solve in batch]
            keep = partial(self._keep_points, plan, part, batch)
            task = self._task_of("solve_point", plan, run, batch, (run.keep,), keep)
            return replace(task, steps=len(batch), took=partial(pace.add, len(batch)), points=points)
        options = {"solve": (), "figures": (run.figures, self.has_png), "checks": (run.keep,)}[part.task]
        given = () if part.task == "solve" else (plan.results.results[run.points[0]],)
        arguments = (*options, batch[0].parameters, *given)
        return self._task_of(part.task, plan, run, batch, arguments, partial(self._keep, plan, part, batch[0]))

    def _task_of(
        self,
        name: str,
        plan: ResultsPlan,
        run: PlannedRun,
        batch: tuple[Solve, ...],
        arguments: tuple[Any, ...],
        keep: Callable[[Any], Iterable[Task] | None],
    ) -> Task:
        """The task of this name of `solver_tasks`. arguments: those behind the solver and its code."""
        from site_builder.solving.tasks import solver_tasks  # only builds that run solvers pay for these

        arguments = (run.solver, self.context.codes.loadable(run.solver), *arguments)
        fail, is_dropped = partial(self._fail, plan, run, batch), partial(_is_out_of_time, plan, run)
        function = getattr(solver_tasks, name)
        return Task(function, arguments, self.context.limits, keep, fail, is_dropped=is_dropped)

    def _keep_points(
        self, plan: ResultsPlan, part: RunPart, batch: Sequence[Solve], answers: Sequence[TaskAnswer]
    ) -> Iterator[Task]:
        """Store the rows of points; the task that checks their results."""
        run, checked = part.run, dict[Solve, bytes]()
        for solve, answer in zip(batch, answers, strict=True):
            row, result = unpack(answer.data)
            self.context.put_answer(kind_of_results(run), run.solver, self.result_key(run, solve), row, answer.reads)
            plan.results.results[solve.key, run.keep] = row
            checked |= {solve: result} if result else {}
        if checked:
            points = [(solve.parameters, result) for solve, result in checked.items()]
            keep = partial(self._keep_checks, plan, run, tuple(checked))
            task = self._task_of("checks", plan, run, tuple(checked), (run.keep,), keep)
            yield replace(task, steps=0, points=points)

    def _keep_checks(
        self, plan: ResultsPlan, run: PlannedRun, batch: Sequence[Solve], answers: Sequence[TaskAnswer]
    ) -> None:
        for solve, answer in zip(batch, answers, strict=True):
            self.context.put_answer("checks", run.solver, self._point_checks_key(run, solve), answer.data, answer.reads)
            plan.results.checks[solve.key, run.keep] = self._judged(run, answer.data)

    def _keep(self, plan: ResultsPlan, part: RunPart, solve: Solve, answer: TaskAnswer) -> list[Task]:
        """Store the answer to a task; the tasks that follow from it. Raises SiteError when what it read has changed."""
        run, data = part.run, answer.data
        if part.task == "solve":
            self.context.put_answer(kind_of_results(run), run.solver, self.result_key(run, solve), data, answer.reads)
            plan.results.results[solve.key, run.keep] = data
            return [task for each in self._plan_beside(plan, run, solve, data) for task in self._tasks(plan, each)]
        key = self.beside_key(run, solve, part.task, plan.results.results[run.points[0]], self.has_png)
        self.context.put_answer(part.task, run.solver, key, data, answer.reads)
        self._keep_beside(plan, part, data)
        if part.task == "checks":
            self.checked(solve)
        return []

    def _judged(self, run: PlannedRun, data: bytes) -> bytes:
        """The outcomes of the checks of a run, from what a worker packed."""
        sources, known = check_sources(self.context, run.description), sorted(run.parameters)
        key = digest(bytes_digest(data), sources, known)
        return self.context.recall("outcomes", key, lambda: judge(data, sources, known))

    def _fail(self, plan: ResultsPlan, run: PlannedRun, solves: Sequence[Solve], failure: Failure) -> SiteError | None:
        """The error of a task that failed; None for one that was ended since its solver is out of time."""
        self.context.codes.reads.note(run.solver, failure.reads)
        if _is_out_of_time(plan, run):
            plan.left_out[run.solver] += len(solves)
            return None
        plan.timed_out[run.solver] += failure.kind == "time"
        raise_all([_error(run, solves, each) for each in (failure, *failure.more)])
        return None

    # Keys

    def result_key(self, run: PlannedRun, solve: Solve) -> str:
        """The key of the result of a solve, or of what a sweep keeps of it."""
        return digest(self.context.codes.of(run.solver).solving.key, solve.key, *([run.keep] if run.keep else []))

    def _point_checks_key(self, run: PlannedRun, solve: Solve) -> str:
        return digest(self.context.codes.of(run.solver).checking.key, self.result_key(run, solve))

    def beside_key(self, run: PlannedRun, solve: Solve, task: str, result: bytes, has_png: bool = True) -> str:
        """The key of the "figures" or "checks" of a result."""
        code = self.context.codes.of(run.solver)
        if task == "figures":
            return digest(code.showing.key, solve.key, _digest_of(result), run.figures, has_png)
        return digest(code.checking.key, solve.key, _digest_of(result))


@lru_cache(maxsize=1)  # for the keys of its figures and checks, one after the other
def _digest_of(result: bytes) -> str:
    return bytes_digest(result)


def kind_of_results(run: PlannedRun) -> str:
    """The kind of the cache entries of its results."""
    return "row" if run.keep else "result"


def check_sources(context: StepContext, description: SolverDescription) -> dict[str, CheckDescription]:
    """The checks of a solver by name, with the code that they share with `solve`."""
    known = context.codes.of(description.name).independence
    return {name: replace(each, **vars(known.get(name, UNKNOWN))) for name, each in description.checks.items()}


def count_solves(runs: Iterable[PlannedRun]) -> int:
    """The number of steps of progress of runs: points of a sweep, else solve, checks and figures."""
    return sum(len(solves) if run.keep else 2 + bool(run.figures) for run, solves in distinct_solves(runs))


def distinct_solves(runs: Iterable[PlannedRun]) -> list[tuple[PlannedRun, tuple[Solve, ...]]]:
    """Each run with those of its solves that no run before it requested in the same way.

    A solve that several posts request has the figures of all.
    """
    runs = list(runs)
    seen: set[tuple[str, tuple[str, ...]]] = set()
    figures: dict[str, dict[str, None]] = {}
    checked = frozenset[str]().union(*(run.checked for run in runs))
    for run in runs:
        figures.setdefault(run.solves[0].key, {}).update(dict.fromkeys(run.figures))
    wanted = []
    for run in runs:
        new = {solve.key: solve for solve in run.solves if (solve.key, run.keep) not in seen}
        seen.update((key, run.keep) for key in new)
        if new:
            shown = tuple(sorted(figures[run.solves[0].key])) if not run.keep else ()
            wanted.append((replace(run, checked=checked, figures=shown), tuple(new.values())))
    return wanted


def _is_out_of_time(plan: ResultsPlan, run: PlannedRun) -> bool:
    """True when so many runs of this solver reached the time limit that its other ones are not tried."""
    return plan.timed_out[run.solver] >= _MOST_TIMEOUTS


def _not_tried(plan: ResultsPlan) -> Iterator[SiteError]:
    """An error for each solver of which runs were left out."""
    for solver, count in plan.left_out.items():
        run = next(part.run for part in plan.parts if part.run.solver == solver)
        words = f"solver '{solver}' reached the time limit {_MOST_TIMEOUTS} times; {counted(count, 'other run')} of it"
        verb = "was" if count == 1 else "were"
        yield SiteError(Place(run.description.path), f"{words} {verb} not tried", _MORE["time"])


def _error(run: PlannedRun, solves: Sequence[Solve], failure: Failure) -> SiteError:
    cure = _MORE.get(failure.kind, "")
    words = f"solver '{run.solver}' failed{_in_run(run)}"
    return failure.error(run.place, words, cure, _parameters(solves[failure.point]))


def _in_run(run: PlannedRun) -> str:
    """The name of the run in its post, in words; empty for one that no post has, as of the command `solve`."""
    return f" in run '{run.name}'" if run.post else ""


def _failed_checks(run: PlannedRun, solve: Solve, checks: Iterable[CheckOutcome]) -> list[SiteError]:
    """An error for each check that an answer did not pass."""
    found = []
    for check in checks:
        if not check.passed:
            about = f"{check.check} ({check.title})"
            case = f" in the case {check.parameters}" if check.parameters else ""
            field = f"{check.field}: " if check.field else ""
            words = f"solver '{run.solver}' failed {about}{_in_run(run)}{case}: {field}{check.difference}"
            cure = check.cure or f"one of the two methods is wrong; see {run.description.path}"
            place = Place(*check.place) if check.place else run.place
            found.append(SiteError(place, words, cure, [f"parameters: {_parameters(solve)}"]))
    return found


def _parameters(solve: Solve) -> str:
    return ", ".join(f"{name}={shown(value)}" for name, value in unpack(solve.parameters).items())
