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
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from site_builder.errors import UsageError
from site_builder.project.config import Limits
from site_builder.solving.processes.failure import NOBODY, Failure

if TYPE_CHECKING:
    from site_builder.solving.processes.worker_process import WorkerProcess

SOLVER_TASKS = "site_builder.solving.tasks.solver_tasks"
START_METHOD = "spawn" if sys.platform == "darwin" else "forkserver"  # macOS's own libraries do not bear a fork
_one_at_a_time = threading.Lock()  # around what changes this process while others are started
_POLL_SECONDS = 0.5
_STARTING = 60.0  # seconds for a process to start, beside what its task may take
_IDLE = 8  # processes that wait for a task of their solver; each has some 15 MB of its own, and takes 0.1 s to start
_MOST_PRINTED, _SHOWN = 200, 10  # last lines of solvers: of all of them, and with a failure
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
    """A task for the workers: one message for each of its calls. root: of the project. purpose: see `WorkerProcess`.

    took: is called with the seconds that it ran, before its answer is there. process: that runs it, or has run it and
    is left for the next call. started: when its first call began. printed: the last lines that its solver printed.
    """

    root: Path
    purpose: tuple[Any, ...]
    messages: Sequence[bytes]
    has_points: bool
    limits: Limits
    took: Took = lambda _: None
    answer: Future[Any] = field(default_factory=Future)
    process: "WorkerProcess | None" = None
    started: float = 0.0
    share: float = 0.0
    printed: Sequence[str] = ()
    is_given_up: bool = False

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return time.monotonic() - self.started if self.started else 0.0


def make_job(
    root: Path,
    task: Callable[..., Any],
    arguments: tuple[Any, ...],
    limits: Limits,
    points: Points = None,
    took: Took = lambda _: None,
) -> Job:
    """The job of a task that is submitted with these arguments; see `Workers.submit`."""
    prepare = getattr(task, "prepare", None)  # of tasks of solvers
    purpose = (*arguments[:2], prepare) if prepare else ()
    calls = [()] if points is None else points
    messages = [pickle.dumps((task, (limits.memory, *arguments, *further))) for further in calls]
    return Job(root, purpose, messages, points is not None, limits, took)


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
        return self.run(make_job(root or self._root, task, arguments, limits, points, took))

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
            jobs = [job for job in self._jobs if job.purpose and job.started]
            found = [Share(job.purpose[0], job.share, job.seconds) for job in jobs]
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
            executor.shutdown()

    # In the threads

    def _threads(self) -> ThreadPoolExecutor:
        if self._executor is None:
            self._executor = ThreadPoolExecutor(self.jobs, "workers", initializer=block_interrupts)
            if not self._hash_seed and START_METHOD == "forkserver":
                from multiprocessing import get_context

                get_context(START_METHOD).set_forkserver_preload(self._expected)
                self._executor.submit(self._start_server)
        return self._executor

    def _start_server(self) -> None:
        """Start the process that loads the expected modules for all others."""
        from multiprocessing import forkserver

        with self._starting():
            forkserver.ensure_running()

    @contextmanager
    def _starting(self) -> Iterator[None]:
        """Have processes that are started meanwhile get the variables of workers, and no Ctrl-C."""
        from multiprocessing import resource_tracker

        from site_builder.solving.processes.worker_process import environment_of_workers

        with _one_at_a_time:
            resource_tracker.ensure_running()  # before, since it unblocks Ctrl-C
            block_interrupts()
            with environment_of_workers(self._hash_seed):
                yield

    def _run(self, job: Job) -> Any:
        """The answer of a job; the process that has run it is idle or ended afterwards."""
        with self._lock:
            fitting = (each for each in self._idle if (each.root, each.purpose) == (job.root, job.purpose))
            job.process = next(fitting, None)
            self._idle = [each for each in self._idle if each is not job.process]
        try:
            return self._answer_of(job)
        finally:
            self._leave(job)

    def _answer_of(self, job: Job) -> Any:
        answers: list[Any] = []
        for point, message in enumerate(job.messages):
            answer = self._call(job, message)
            if self._is_stopped:
                raise CancelledError
            if isinstance(answer, Exception):  # of the builder itself
                raise answer
            if isinstance(answer, Failure):
                return replace(answer, point=point)
            answers.append(answer)
        return answers if job.has_points else answers[0]

    def _leave(self, job: Job) -> None:
        """Leave the process of a job for others, and end those that have been idle for longest where there are many."""
        with self._lock:
            self._jobs.remove(job)
            job.took(job.seconds)
            self._idle += [job.process] if job.process else []
            excess = max(0, len(self._idle) - (0 if self._is_stopped else max(_IDLE, self.jobs)))
            unneeded, self._idle = self._idle[:excess], self._idle[excess:]
        for each in unneeded:
            each.end()

    def _call(self, job: Job, message: bytes) -> Any:
        """The answer of one call; its process has ended where it can run no further one."""
        from site_builder.solving.processes.worker_process import ProcessDiedError

        answer: Any
        if job.is_given_up:
            return Failure("died", NOBODY)
        try:
            process = job.process = job.process or self._start(job)
        except (OSError, EOFError) as error:
            return Failure("died", f"no process can be started for it ({error or 'what starts them has ended'})")
        try:
            answer = self._answer_in(process, job, message)
        except TimeoutError:
            answer = Failure("time", f"it ran for more than {job.limits.time:g} seconds and was stopped")
        except ProcessDiedError:
            answer = Failure("died", f"its process died ({process.cause_of_end()})")
        job.printed = process.printed()
        self._printed.extend(job.printed)
        if isinstance(answer, Failure):
            answer = replace(answer, printed="\n".join(job.printed[-_SHOWN:]))
        if not process.is_usable or (isinstance(answer, Failure) and answer.kind in ("died", "time")):
            process.end()
            job.process = None
        return Failure("died", NOBODY) if job.is_given_up else answer

    def _answer_in(self, process: "WorkerProcess", job: Job, message: bytes) -> Any:
        if job.is_given_up:  # while its process was started
            return Failure("died", NOBODY)
        process.wait_until_ready(job.limits.time + _STARTING)
        job.started = job.started or time.monotonic()
        return process.call(message, job.limits.time, lambda share: setattr(job, "share", share))

    def _start(self, job: Job) -> "WorkerProcess":
        """A new process for a job. Raises OSError or EOFError where it cannot be started."""
        from multiprocessing import get_context

        from site_builder.solving.processes.worker_process import (
            WorkerProcess,  # imported only by builds that have tasks
        )

        context = get_context("spawn" if self._hash_seed else START_METHOD)
        with self._starting():
            return WorkerProcess(context, job.root, job.purpose)


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
