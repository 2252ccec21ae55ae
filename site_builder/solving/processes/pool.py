"""A pool of worker processes: submit a task, get its answer or its failure.

Threads of `concurrent.futures` each run one task at a time in a process of their own choice and watch over it: they end
it after a time limit, and a process that dies fails its own task alone.
"""

import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from site_builder.errors import UsageError
from site_builder.project.config import Limits
from site_builder.solving.processes.failure import Failure

if TYPE_CHECKING:
    from site_builder.solving.processes.worker_process import WorkerProcess

SOLVER_TASKS = "site_builder.solving.tasks.solver_tasks"
START_METHOD = "spawn" if sys.platform == "darwin" else "forkserver"  # macOS's own libraries do not bear a fork
_POLL_SECONDS = 0.5
_IDLE = 8  # processes that wait for a task of their solver; each has some 15 MB of its own, and takes 0.1 s to start
_MOST_PRINTED = 200  # last lines of all solvers
Answer = TypeVar("Answer")
Points = Sequence[tuple[Any, ...]] | None
Took = Callable[[float], None]


@dataclass(frozen=True)
class Share:
    """The progress of a solver: the seconds that it has run, and the share of its work that it reports done, 0 to 1."""

    solver: str
    done: float
    seconds: float

    @property
    def seconds_left(self) -> float:
        """The time left if the solver keeps its pace; infinite for a solver that has reported no progress."""
        return self.seconds / self.done * (1 - self.done) if self.done else float("inf")


@dataclass(eq=False)
class Job:
    """A task that was submitted, see `Workers.submit`, and how far it is.

    process: that runs it. started: when its first call began. share: of its work that is done. printed: the last lines
    that its solver printed.
    """

    root: Path
    task: Callable[..., Any]
    arguments: tuple[Any, ...]
    limits: Limits
    points: Points = None
    took: Took = lambda _: None
    answer: Future[Any] = field(default_factory=Future)
    process: "WorkerProcess | None" = None
    started: float = 0.0
    share: float = 0.0
    printed: Sequence[str] = ()
    is_given_up: bool = False

    @property
    def purpose(self) -> tuple[Any, ...]:
        """The purpose of the process that it needs, see `worker.serve`."""
        prepare = getattr(self.task, "prepare", None)  # of tasks of solvers
        return (self.root, *self.arguments[:2], prepare) if prepare else (self.root,)

    def report(self, share: float) -> None:
        """Note the share of its work that is done, 0 when it begins."""
        self.started = self.started or time.monotonic()
        self.share = share or self.share

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return time.monotonic() - self.started if self.started else 0.0


def block_interrupts() -> None:
    """Block Ctrl-C in this thread, which is not the main one, and in the processes that it starts."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


class Workers:
    """Processes on this machine that run tasks of the project in `root`, from the first task until they are stopped.

    A process serves one purpose: tasks of the builder, or those of one solver, each of which begins in the state right
    after the import of the solver.
    jobs: how many run tasks at a time; up to eight processes, or as many as `jobs`, stay idle for the next task of
    their solver. hash_seed: PYTHONHASHSEED of processes that are started anew for these workers alone; it also gives
    the state in which the global random generators begin. Raises UsageError under `python -O`, which processes would
    inherit.
    """

    def __init__(self, root: Path, jobs: int, hash_seed: str = "") -> None:
        if sys.flags.optimize:
            message = "Python runs with -O, which leaves out the asserts of solvers"
            raise UsageError(message, "run it without -O, and without PYTHONOPTIMIZE in the environment")
        self._root = root.resolve()
        self.jobs = jobs
        self._hash_seed = hash_seed
        self._expected = ["site_builder.solving.processes.worker"]
        self._expected += [SOLVER_TASKS, "numpy.random"] if (root / "solvers").is_dir() else []
        self._lock = threading.RLock()
        self._is_stopped = False
        self._jobs: list[Job] = []  # without an answer
        self._idle: list[WorkerProcess] = []
        self._printed: deque[str] = deque(maxlen=_MOST_PRINTED)
        self._executor: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def slots(self) -> int:
        """The number of tasks that can run at a time."""
        return self.jobs

    def expect(self, modules: Sequence[str]) -> None:
        """Load these modules once for all workers, because tasks will need them."""
        self._expected.extend(modules)

    def prepare(self) -> None:
        """Begin to load the expected modules, so that the first task need not wait for them."""
        with self._lock:
            if not self._is_stopped:
                self._threads()

    def submit(
        self,
        task: Callable[..., Answer | Failure],
        *arguments: Any,
        limits: Limits,
        points: Points = None,
        root: Path | None = None,
        took: Took = lambda _: None,
    ) -> "Future[Answer | Failure]":
        """Run a task within the limits; the future holds its answer or a Failure.

        points: the last arguments of several calls, each of which begins in a fresh state and has the time limit to
        itself; they are answered together by a list, or by the Failure of the first that fails, with its point.
        root: of a copy of the project, in which it runs. took: is called with the seconds that it ran.
        """
        return self.run(Job(root or self._root, task, arguments, limits, points, took))

    def run(self, job: Job) -> Future[Any]:
        """Run a job on this machine; its answer."""
        with self._lock:
            if self._is_stopped:
                raise CancelledError
            self._jobs.append(job)
            job.answer = self._threads().submit(self._run, job)
        return job.answer

    def give_up(self, answer: "Future[Any]") -> None:
        """End the process that works for this answer, from any thread; the answer is then a failure."""
        with self._lock:
            for job in [each for each in self._jobs if each.answer is answer]:
                job.is_given_up = True
                if job.process:
                    job.process.kill()

    def give_up_all(self) -> None:
        """End the processes that work for any answer; others stay for the next tasks."""
        with self._lock:
            for job in self._jobs:
                self.give_up(job.answer)

    def shares(self) -> list[Share]:
        """The progress of the solvers that run now, the one with most time left last."""
        with self._lock:
            jobs = [job for job in self._jobs if len(job.purpose) > 1 and job.started]
            found = [Share(job.purpose[1], job.share, job.seconds) for job in jobs]
        return sorted(found, key=lambda each: each.seconds_left)

    def printed(self) -> list[str]:
        """The last lines that solvers have printed, none of them long, without control characters."""
        return list(self._printed)

    def stop(self) -> None:
        """End every process, from any thread; waiting for an answer then raises CancelledError."""
        with self._lock:
            self._is_stopped = True
            self.give_up_all()
            idle, self._idle = self._idle, []
            executor, self._executor = self._executor, None
        for process in idle:
            process.end()
        if executor is not None:
            executor.shutdown(cancel_futures=True)

    # In the threads

    def _threads(self) -> ThreadPoolExecutor:
        if self._executor is None:
            self._executor = ThreadPoolExecutor(self.jobs, "workers", initializer=block_interrupts)
            if not self._hash_seed and START_METHOD == "forkserver":
                self._executor.submit(self._start_server)
        return self._executor

    def _start_server(self) -> None:
        from site_builder.solving.processes.worker_process import start_server  # only where builds have tasks

        start_server(self._expected)

    def _run(self, job: Job) -> Any:
        """The answer of a job."""
        answers: list[Any] = []
        try:
            for number, point in enumerate([()] if job.points is None else job.points):
                answer = self._call(job, pickle.dumps((job.task, (job.limits.memory, *job.arguments, *point))))
                if self._is_stopped:
                    raise CancelledError
                if isinstance(answer, Exception):  # of the builder itself
                    raise answer
                if isinstance(answer, Failure):
                    return replace(answer, point=number)
                answers.append(answer)
            return answers[0] if job.points is None else answers
        finally:
            with self._lock:
                self._jobs.remove(job)
            job.took(job.seconds)

    def _call(self, job: Job, message: bytes) -> Any:
        """The answer of one call, in a process that is idle or ended afterwards."""
        if job.is_given_up:
            return Failure("died", "it was given up")
        process = self._process_for(job.purpose)
        with self._lock:
            job.process = process
            if job.is_given_up:  # meanwhile
                process.kill()
        answer = process.run(message, job.limits.time, job.report)
        with self._lock:
            job.process, job.printed = None, process.printed
            self._printed.extend(job.printed)
            is_left = process.is_usable and not self._is_stopped
            self._idle += [process] if is_left else []
            ended = self._idle[: -max(_IDLE, self.jobs)] if is_left else [process]  # those that are idle for longest
            self._idle = [each for each in self._idle if each not in ended]
        for each in ended:
            each.end()
        return answer

    def _process_for(self, purpose: tuple[Any, ...]) -> "WorkerProcess":
        """A process for this purpose: one that is idle, or a new one."""
        from site_builder.solving.processes.worker_process import WorkerProcess  # only where builds have tasks

        with self._lock:
            for each in self._idle:
                if each.purpose == purpose:
                    self._idle.remove(each)
                    return each
        return WorkerProcess("spawn" if self._hash_seed else START_METHOD, purpose, self._hash_seed)


def first_answered(
    answers: Collection["Future[Answer]"],
    meanwhile: Callable[[], None] = lambda: None,
    interval: float = _POLL_SECONDS,
) -> "set[Future[Answer]]":
    """Wait for one of the answers; returns those that are there then. Raises KeyboardInterrupt.

    meanwhile: is called whenever so many seconds have passed. It polls, because a signal that arrives in another
    thread, or just as a wait begins, is noticed only after the wait.
    """
    while True:
        done, _ = wait(answers, interval, return_when=FIRST_COMPLETED)
        meanwhile()
        if done:
            return done
