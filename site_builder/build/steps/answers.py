"""Planned runs -> results: each distinct solve once, from the store or in the workers; its figures and its checks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Protocol

from site_builder.contract import Check
from site_builder.errors import Place, SiteError, faults_of, raise_all
from site_builder.project.config import Limits
from site_builder.project.validation import shown
from site_builder.solving import solver_tasks
from site_builder.solving.catalog import SolverDescription, read_description
from site_builder.solving.failure import Failure
from site_builder.solving.plan import PlannedRun, Questions, Results, Solve
from site_builder.solving.pool import Workers, first_answered
from site_builder.storage.code_fingerprints import CodeKeys
from site_builder.storage.store import Store
from site_builder.values.digest import bytes_digest, digest
from site_builder.values.packing import pack, records_in, unpack
from site_builder.values.plain_text import text_of

_MOST_BATCHES = 64


class Tell(Protocol):
    """Whoever is told what becomes of a task, for `--explain`."""

    def __call__(self, run: PlannedRun, task: str, ran: int, of: int) -> None:
        """The task "solve", "figures" or "checks" of a run; so many of its parts had to run, the others were in the
        store."""


@dataclass(frozen=True)
class _Job:
    """A task under way: what to do with its bytes, and the run to name should it fail."""

    run: PlannedRun
    solves: tuple[Solve, ...]
    keep: Callable[[bytes], None]


def ask_solvers(
    workers: Workers,
    store: Store,
    codes: CodeKeys,
    limits: Limits,
    places: Mapping[str, Place],
    questions: Questions,
) -> dict[str, tuple[SolverDescription, list[dict[str, Any]]]]:
    """Each solver's description and its answers to wishes for parameters, which are kept for each run by itself.

    places: where each name was first written.
    """
    asked: dict[str, _Question] = {}
    faults: list[SiteError] = []
    for name, runs in questions.items():
        try:
            code, loadable = codes.describing(name).key, codes.loadable(name)
        except* SiteError as group:
            faults += [SiteError(each.place, f"solver '{name}': {each.fault}", each.cure) for each in faults_of(group)]
        else:
            wished = [(digest(code, bytes_digest(pack(list(wishes)))), wishes) for wishes in runs]
            question = _Question(code, wished, store)
            asked[name] = question
            if question.missing or not question.description:
                wishes = [wish for _, wishes in question.missing for wish in wishes]
                question.future = workers.submit(solver_tasks.describe, name, loadable, wishes, limits=limits)
    for name, question in asked.items():
        answer = question.future.result() if question.future else b""
        if isinstance(answer, Failure):
            faults.append(_described_fault(answer, name, places.get(name, Place(f"solvers/{name}.py"))))
        elif answer:
            question.hear(unpack(answer))
    raise_all(faults)
    return {name: question.told() for name, question in asked.items()}


class _Question:
    """What a solver is asked: the wishes of each run, with their key; what it said to some of them is in the store.

    code: names the solver. future: of its answer to the others.
    """

    def __init__(self, code: str, wished: Sequence[tuple[str, Sequence[Mapping[str, Any]]]], store: Store) -> None:
        self._code, self._wished, self._store = code, wished, store
        self.description = store.get("description", code) or b""
        self._granted = store.get_many("granted", [key for key, _ in wished])
        self.future: Future[bytes | Failure] | None = None

    @property
    def missing(self) -> list[tuple[str, Sequence[Mapping[str, Any]]]]:
        return [(key, wishes) for key, wishes in self._wished if key not in self._granted]

    def hear(self, told: Mapping[str, Any]) -> None:
        """Keep the description and the answers to what was missing."""
        answers = iter(told["answers"])
        for key, wishes in self.missing:
            self._granted[key] = pack(list(islice(answers, len(wishes))))
            self._store.put("granted", key, self._granted[key])
        self.description = pack(told["description"])
        self._store.put("description", self._code, self.description)

    def told(self) -> tuple[SolverDescription, list[dict[str, Any]]]:
        answers = [answer for key, _ in self._wished for answer in unpack(self._granted[key])]
        return read_description(unpack(self.description)), answers


def compute(
    runs: Iterable[PlannedRun],
    workers: Workers | None,
    store: Store,
    codes: CodeKeys,
    tell: Tell,
    step: Callable[[int], None],
    refuse: bool = True,
) -> Results:
    """The answers to all runs; equal solves are solved once, and none whose answer is in the store.

    step: called with the number of solves just finished. workers: None to solve nothing: then these are the answers
    that the store has, and `tell` says what a build would run. refuse: whether a check that failed is a fault; the
    checks say it anyway. Raises SiteError for each solver that failed and for each check that an answer did not pass,
    after all others have finished; what they found is in the store.
    """
    computing = _Computing(workers, store, codes, tell, step, refuse)
    for run, solves in sorted(
        distinct_solves(runs), key=lambda each: each[0].solver
    ):  # a worker holds one solver at a time
        if run.keep:
            computing.points(run, solves)
        else:
            computing.solve(run, solves[0])
    computing.finish()
    return computing.answers


class _Computing:
    """The answers that there are, the tasks under way for those that are missing, and the faults found so far."""

    def __init__(
        self,
        workers: Workers | None,
        store: Store,
        codes: CodeKeys,
        tell: Tell,
        step: Callable[[int], None],
        refuse: bool = True,
    ) -> None:
        self.answers = Results()
        self._faults: list[SiteError] = []
        self._workers = workers
        self._store = store
        self._codes = codes
        self._tell = tell
        self._step = step
        self._refuse = refuse
        self._under_way: dict[Future[bytes | Failure], _Job] = {}

    def solve(self, run: PlannedRun, solve: Solve) -> None:
        """The result of one solve, and then its figures and checks."""
        key = digest(self._codes.solving(run.solver).key, solve.key)
        data = self._store.get("result", key)
        self._tell(run, "solve", 0 if data else 1, 1)
        if data:
            self._keep_result(run, solve, data)
            self._step(1)
            return

        def keep(data: bytes) -> None:
            self._store.put("result", key, data)
            self._keep_result(run, solve, data)

        loadable = self._codes.loadable(run.solver)
        self._submit(_Job(run, (solve,), keep), solver_tasks.solve, run.solver, loadable, solve.parameters)

    def _keep_result(self, run: PlannedRun, solve: Solve, data: bytes) -> None:
        self.answers.results[solve.key] = data
        records = records_in(data)
        showing = digest(self._codes.showing(run.solver, records).key, bytes_digest(data))
        checking = digest(self._codes.checking(run.solver, records).key, solve.key, bytes_digest(data))

        def keep_figures(figures: bytes) -> None:
            self.answers.figures[solve.key] = figures

        def keep_checks(checks: bytes) -> None:
            self.answers.checks[solve.key] = checks
            self._faults += failed_checks(run, solve, unpack(checks)) if self._refuse else []

        self._beside(run, solve, "figures", showing, keep_figures, solver_tasks.figures, data)
        self._beside(run, solve, "checks", checking, keep_checks, solver_tasks.checks, solve.parameters, data)

    def _beside(
        self,
        run: PlannedRun,
        solve: Solve,
        kind: str,
        key: str,
        keep: Callable[[bytes], None],
        task: Callable[..., bytes | Failure],
        *arguments: bytes,
    ) -> None:
        """What belongs to a result, from the store or by a task of the solver."""
        data = self._store.get(kind, key)
        self._tell(run, kind, 0 if data else 1, 1)
        if data:
            keep(data)
            self._step(1)
            return

        def keep_new(data: bytes) -> None:
            self._store.put(kind, key, data)
            keep(data)

        self._submit(_Job(run, (solve,), keep_new), task, run.solver, self._codes.loadable(run.solver), *arguments)

    def points(self, run: PlannedRun, solves: Sequence[Solve]) -> None:
        """What a sweep keeps of each of its points.

        Missing ones go to the workers in batches: few enough to cost little, many enough to keep every worker busy.
        """
        code = self._codes.solving(run.solver).key
        keys = {solve.key: digest(code, solve.key, run.keep) for solve in solves}
        known = self._store.get_many("row", keys.values())
        missing = []
        for solve in solves:
            if data := known.get(keys[solve.key]):
                self.answers.rows[solve.key, run.keep] = data
            else:
                missing.append(solve)
        self._tell(run, "solve", len(missing), len(solves))
        self._step(len(solves) - len(missing))
        loadable = self._codes.loadable(run.solver)
        size = -(-len(missing) // _MOST_BATCHES) or 1
        for start in range(0, len(missing), size):
            batch = tuple(missing[start : start + size])

            def keep(data: bytes, batch: Sequence[Solve] = batch) -> None:
                for solve, row in zip(batch, unpack(data), strict=True):
                    self._store.put("row", keys[solve.key], row)
                    self.answers.rows[solve.key, run.keep] = row

            points = [solve.parameters for solve in batch]
            self._submit(_Job(run, batch, keep), solver_tasks.solve_points, run.solver, loadable, points, run.keep)

    def finish(self) -> None:
        """Wait for all tasks, and for those that they lead to. Raises SiteError for each fault."""
        while self._under_way:
            for future in first_answered(self._under_way):
                job = self._under_way.pop(future)
                answer = future.result()
                if isinstance(answer, Failure):
                    self._faults.append(_run_fault(answer, job))
                else:
                    job.keep(answer)
                self._step(len(job.solves))
        raise_all(self._faults)

    def _submit(self, job: _Job, task: Callable[..., bytes | Failure], *arguments: Any) -> None:
        if self._workers is None:
            return
        limits = job.solves[0].limits
        if len(job.solves) > 1:
            limits = limits.model_copy(update={"time": limits.time * len(job.solves)})
        self._under_way[self._workers.submit(task, *arguments, limits=limits)] = job


def count_solves(runs: Iterable[PlannedRun]) -> int:
    """How many steps `compute` takes: solves, and for each that is no point of a sweep its figures and its checks."""
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


def _run_fault(fault: Failure, job: _Job) -> SiteError:
    if fault.kind == "changed":
        return SiteError(Place(fault.path), fault.message, fault.cure)
    parameters = _parameters(job.solves[min(fault.point, len(job.solves) - 1)])
    if len(job.solves) > 1 and fault.kind in ("time", "died"):  # of the batch, nobody knows which point it was
        parameters += f" to {_parameters(job.solves[-1])}"
    where = f"{fault.path}:{fault.line}: " if fault.path else ""
    words = f"solver '{job.run.solver}' failed{_in_run(job.run)}: {where}{fault.message}"
    cure = fault.cure or {
        "time": "allow more with limits: {time: 600} in the post, or ask for less",
        "memory": "allow more with limits: {memory: 4 GiB} in the post, or ask for less",
    }.get(fault.kind, "")
    return SiteError(job.run.place, words, "\n".join(line for line in (cure, f"parameters: {parameters}") if line))


def _in_run(run: PlannedRun) -> str:
    """Which run of its post it is; nothing for one that no post has, as of the command `solve`."""
    return f" in run '{run.name}'" if run.post else ""


def failed_checks(run: PlannedRun, solve: Solve, checks: Iterable[Check]) -> list[SiteError]:
    """A fault for each check that an answer did not pass."""
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


def _described_fault(fault: Failure, name: str, place: Place) -> SiteError:
    """A solver that cannot even be described: the fault lies in its file, not in the post."""
    if fault.kind == "changed":
        return SiteError(Place(fault.path), fault.message, fault.cure)
    if fault.path:
        return SiteError(Place(fault.path, fault.line), f"solver '{name}': {fault.message}", fault.cure)
    return SiteError(place, f"solver '{name}' cannot be described: {fault.message}", fault.cure)
