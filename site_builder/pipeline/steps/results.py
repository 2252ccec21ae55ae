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
from site_builder.solving.plan import PlannedRun, Point, Results, Solve
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

    def held(self, task: str) -> dict[Point, bytes]:
        """The answers to a task, "solve", "figures" or "checks", among the results."""
        results = self.results
        return results.results if task == "solve" else results.figures if task == "figures" else results.checks

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
            if not self._look_up(plan, run, "solve", solves).missing and not run.keep:
                self._look_beside(plan, run, solves)
        return plan

    def run(self, plan: ResultsPlan) -> Results:
        """The results of all runs of the plan. Raises SiteError for each solver or check that failed.

        Errors are raised when everything else is computed and stored.
        """
        tasks = (task for part in tuple(plan.parts) for task in self._tasks(plan, part))
        failures = self.context.compute(tasks)
        raise_all([*plan.errors, *failures, *_not_tried(plan)])
        return plan.results

    def _look_up(self, plan: ResultsPlan, run: PlannedRun, task: str, solves: tuple[Solve, ...]) -> RunPart:
        """Take what the cache holds of a task of a run; the part of the run that it is."""
        missing = self._missing(plan, run, task, solves)
        if run.keep:  # a point without its checks is solved again
            checked = [each for each in solves if each.key in run.checked and each not in missing]
            missing |= self._missing(plan, run, "checks", checked)
        part = RunPart(run, task, tuple(each for each in solves if each in missing), solves)
        plan.parts.append(part)
        self.log(part)
        self.context.progress(len(solves) - len(missing))
        return part

    def _look_beside(self, plan: ResultsPlan, run: PlannedRun, solves: tuple[Solve, ...]) -> list[RunPart]:
        """Take what the cache holds of the figures and checks of a single result; these parts of the run."""
        if not run.figures:
            plan.results.figures[run.points[0]] = _NO_FIGURES
        tasks = [task for task in self.beside if run.figures or task != "figures"]
        return [self._look_up(plan, run, task, solves) for task in tasks]

    def _missing(self, plan: ResultsPlan, run: PlannedRun, task: str, solves: Iterable[Solve]) -> set[Solve]:
        """Take the answers to a task that the cache holds; the solves without one."""
        missing = set(solves)
        for has_png in dict.fromkeys((True, self.has_png)) if task == "figures" else (True,):  # a PNG more does no harm
            keys = {each: self.key(run, each, task, plan.results, has_png) for each in missing}
            read = partial(self._judged, run) if task == "checks" else bytes
            found = self.context.look_up(kind_of_entries(run, task), keys, read, run.solver).found
            plan.held(task).update({(each.key, run.keep): data for each, data in found.items()})
            missing -= found.keys()
        return missing

    # Tasks

    def _tasks(self, plan: ResultsPlan, part: RunPart) -> Iterator[Task]:
        """The tasks of a part, each made when it is requested; the points of a sweep in batches."""
        pace, at = Pace(), 0
        while at < len(part.missing):
            if _is_out_of_time(plan, part.run):
                plan.left_out[part.run.solver] += len(part.missing) - at
                return
            size = pace.batch(len(part.missing) - at, self.context.workers.slots)
            batch = part.missing[at : at + size]
            results = [plan.results.results.get((each.key, part.run.keep), b"") for each in batch]
            yield replace(self._task(plan, part.run, part.task, batch, results), took=partial(pace.add, size))
            at += size

    def _task(
        self, plan: ResultsPlan, run: PlannedRun, task: str, batch: Sequence[Solve], results: Iterable[bytes]
    ) -> Task:
        """Solve at these parameters, or make the figures or checks of their results."""
        from site_builder.solving.tasks import solver_tasks  # only builds that run solvers pay for these

        name, options = task, {"solve": (), "figures": (run.figures, self.has_png), "checks": (run.keep,)}[task]
        points: list[tuple[Any, ...]] = [(each.parameters, data) for each, data in zip(batch, results, strict=True)]
        if task == "solve" and run.keep:
            name, options = "solve_point", (run.keep,)
            points = [(each.parameters, each.key in run.checked) for each in batch]
        elif task == "solve":
            points = [(each.parameters,) for each in batch]
        return Task(
            getattr(solver_tasks, name),
            (run.solver, self.context.codes.loadable(run.solver), *options),
            self.context.limits,
            partial(self._keep, plan, run, task, batch),
            partial(self._fail, plan, run, batch),
            steps=0 if run.keep and task == "checks" else len(batch),
            points=points,
            is_dropped=partial(_is_out_of_time, plan, run),
        )

    def _keep(
        self, plan: ResultsPlan, run: PlannedRun, task: str, batch: Sequence[Solve], answers: Sequence[TaskAnswer]
    ) -> Iterator[Task]:
        """Store the answers to a task; the tasks that follow from them. Raises SiteError when what it read changed."""
        to_check: dict[Solve, bytes] = {}
        for solve, answer in zip(batch, answers, strict=True):
            data = answer.data
            if task == "solve" and run.keep:
                data, result = unpack(data)
                to_check |= {solve: result} if result else {}
            key = self.key(run, solve, task, plan.results, self.has_png)
            self.context.put_answer(kind_of_entries(run, task), run.solver, key, data, answer.reads)
            plan.held(task)[solve.key, run.keep] = self._judged(run, data) if task == "checks" else data
        if to_check:
            yield self._task(plan, run, "checks", tuple(to_check), to_check.values())
        elif task == "solve" and not run.keep:
            for part in self._look_beside(plan, run, tuple(batch)):
                yield from self._tasks(plan, part)
        elif task == "checks" and not run.keep:
            self.checked(batch[0])

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

    def key(self, run: PlannedRun, solve: Solve, task: str, results: Results, has_png: bool = True) -> str:
        """The key of the answer to a task. results: hold the result that figures and checks are of."""
        code = self.context.codes.of(run.solver)
        if task == "solve" or run.keep:
            solved = digest(code.solving.key, solve.key, *([run.keep] if run.keep else []))
            return solved if task == "solve" else digest(code.checking.key, solved)
        result = _digest_of(results.results[solve.key, run.keep])
        if task == "figures":
            return digest(code.showing.key, solve.key, result, run.figures, has_png)
        return digest(code.checking.key, solve.key, result)


@lru_cache(maxsize=1)  # for the keys of its figures and checks, one after the other
def _digest_of(result: bytes) -> str:
    return bytes_digest(result)


def kind_of_entries(run: PlannedRun, task: str) -> str:
    """The kind of the cache entries with the answers to a task."""
    return task if task != "solve" else "row" if run.keep else "result"


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
