"""A pool of worker processes: submit a task, get its result or its failure."""

import os
import pickle
import selectors
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from site_builder.project.config import Limits
from site_builder.solving import environment, interrupts
from site_builder.solving.failure import Crash, Failure

if TYPE_CHECKING:
    from site_builder.solving.worker_process import Job, WorkerProcess

SOLVER_TASKS = "site_builder.solving.solver_tasks"
_OF_SOLVERS = (SOLVER_TASKS, "site_builder.solving.drawing_tasks")
START_METHOD = "spawn" if sys.platform == "darwin" else "forkserver"  # macOS's own libraries do not bear a fork
_one_at_a_time = threading.Lock()  # around what changes this process while others are started
_POLL_SECONDS = 0.5
_MOST_PRINTED, _LONGEST_PRINTED = 200, 500  # lines of solvers, and characters of each
_LONGEST_WAIT = 3600.0  # seconds; systems wait for no more than some weeks at a time
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Share:
    """How much of its work a solver has done, from 0 to 1, as it says itself, and the seconds since it began."""

    solver: str
    done: float
    seconds: float

    @property
    def seconds_left(self) -> float:
        """What is left if the rest takes as long as what is done; infinite for a solver that has said nothing."""
        return self.seconds / self.done * (1 - self.done) if self.done else float("inf")


@contextmanager
def local_workers(root: Path, jobs: int, hash_seed: str = "") -> Iterator["Workers"]:
    """`jobs` processes on this machine for the project in `root`, from the first task on; all are ended on leaving.

    hash_seed: if given, every task has a new process, with this PYTHONHASHSEED.
    """
    # With fresh processes all the time: one is started whenever another has ended.
    with environment.of_workers(hash_seed) if hash_seed else nullcontext():
        workers = Workers(root, jobs, is_fresh=bool(hash_seed))
        try:
            yield workers
        finally:
            workers.stop()


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Hold back Ctrl-C, which would end a process that is only starting with a traceback."""
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[bool] = []
    handler = signal.signal(
        signal.SIGINT, lambda *_: received.append(True)
    )  # also where another thread gets the signal
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which is what processes inherit
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
        if received:
            os.kill(os.getpid(), signal.SIGINT)


def block_interrupts() -> None:
    """Block Ctrl-C in this thread, which is not the main one, and in the processes that it starts."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


class Workers:
    """Processes on this machine that run tasks of the project in `root`, until they are stopped.

    A process that has run a solver runs nothing else, and ends with its first failure, so that what a solver changes in
    it changes no other answer. One thread starts them, reads from all of them and ends them.
    jobs: how many there are. is_fresh: every task has a new process of its own.
    """

    def __init__(self, root: Path, jobs: int, is_fresh: bool = False) -> None:
        self._root = root.resolve()
        self.jobs = jobs
        self._is_fresh = is_fresh
        self._expected = [SOLVER_TASKS, "site_builder.solving.worker"]
        self._lock = threading.RLock()
        self._is_stopped = False
        self._to_begin = 0
        self._waiting: deque[Job] = deque()
        self._awaited: set[Future[Any]] = set()
        self._given_up: set[Future[Any]] = set()
        self._live: list[WorkerProcess] = []
        self._printed: deque[str] = deque(maxlen=_MOST_PRINTED)
        self._thread: threading.Thread | None = None

    @property
    def slots(self) -> int:
        """How many tasks can run at a time."""
        return self.jobs

    def expect(self, modules: Sequence[str]) -> None:
        """Load these modules once for all workers, because tasks will need them."""
        self._expected.extend(modules)

    def prepare(self) -> None:
        """Start the process that loads the expected modules for all others, where there is one."""
        if START_METHOD != "forkserver":
            return
        from multiprocessing import forkserver, get_context, resource_tracker

        get_context("forkserver").set_forkserver_preload(self._expected)
        with _one_at_a_time:
            resource_tracker.ensure_running()  # before, since it unblocks Ctrl-C
            if threading.current_thread() is not threading.main_thread():
                block_interrupts()
            with environment.of_workers(), _without_ctrl_c():
                forkserver.ensure_running()

    def begin(self) -> None:
        """Start the workers, so that the first task need not wait for them."""
        with self._lock:
            if not self._is_stopped:
                self._to_begin = self.jobs
                self._begin_thread()

    def submit(
        self, task: Callable[..., Answer | Failure], *arguments: Any, limits: Limits
    ) -> "Future[Answer | Failure]":
        """Run a task within the limits; the future holds its answer or a Failure."""
        from site_builder.solving.worker_process import Job  # imported only by builds that have tasks

        purpose = arguments[:2] if task.__module__ in _OF_SOLVERS else ()
        answer: Awaited = Awaited()
        message = pickle.dumps((task, (limits.memory, *arguments), purpose))
        with self._lock:
            if self._is_stopped:
                raise CancelledError
            self._awaited.add(answer)
            self._waiting.append(Job(message, purpose, limits, answer))
            self._begin_thread()
        return answer

    def give_up(self, answer: "Future[Any]") -> None:
        """End the process that works for this answer, from any thread; the answer is then a failure."""
        with self._lock:
            self._given_up.add(answer)
            if self._thread is not None:
                self._wake()

    def share_of(self, answer: "Future[Any]") -> Share | None:
        """How far the solver is that works for this answer; None where none does, or it does not say so."""
        own = next((each for each in tuple(self._live) if each.job and each.job.answer is answer), None)
        if own is None or not own.purpose or not own.share:
            return None
        return Share(str(own.purpose[0]), own.share, time.monotonic() - own.started)

    def stop(self) -> None:
        """End every process, from any thread; waiting for an answer then raises CancelledError."""
        with self._lock:
            self._is_stopped = True
            for answer in self._awaited:
                _cancel(answer)
            if self._thread is not None:
                self._wake()
            thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()

    def printed(self) -> list[str]:
        """The last lines that solvers have printed, none of them long, without control characters."""
        return list(self._printed)

    def shares(self) -> list[Share]:
        """How far the solvers are that run now and say so, the one that has most to do last."""
        now = time.monotonic()
        known = [Share(str(each.purpose[0]), each.share, now - each.started) for each in self._live if each.purpose]
        return sorted((each for each in known if each.done), key=lambda each: each.seconds_left)

    # In the thread

    def _begin_thread(self) -> None:
        """Have the thread look for work; start it if there is none."""
        if self._thread is not None:
            self._wake()
            return
        if not self._is_fresh:
            self.prepare()
        self._selector = selectors.DefaultSelector()
        self._woken, self._waking = os.pipe()
        os.set_blocking(self._waking, False)
        self._selector.register(self._woken, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, daemon=True)
        with _without_ctrl_c():  # the thread, and the processes that it starts, are never interrupted
            self._thread.start()

    def _wake(self) -> None:
        with suppress(BlockingIOError):
            os.write(self._waking, b".")

    def _run(self) -> None:
        from multiprocessing import get_context, resource_tracker

        resource_tracker.ensure_running()
        block_interrupts()
        self._context = get_context("spawn" if self._is_fresh else START_METHOD)
        try:
            while not self._is_stopped:
                self._assign()
                for key, _ in self._selector.select(self._seconds_left()):
                    if key.data is None:
                        os.read(self._woken, 4096)
                    elif key.data[0] in self._live:
                        self._read(*key.data)
                self._stop_late_ones()
                self._end_given_up()
        except BaseException as error:  # an error of the pool itself fails everything that waits for an answer
            self._answer_all(error)
            raise
        finally:
            self._end(self._live)
            self._selector.close()
            os.close(self._woken)
            os.close(self._waking)

    def _assign(self) -> None:
        """Give jobs to idle processes: first to those that serve the purpose, then to new ones in place of others."""
        for process in self._idle():
            if job := next((job for job in tuple(self._waiting) if job.purpose == process.purpose), None):
                self._give(process, job)
        while self._waiting:
            idle = self._idle()
            unused = next((each for each in idle if each.purpose is None), None)
            if unused is None and len(self._live) == self.jobs:
                if not idle:
                    break
                self._end(idle[:1])
            if new := unused or self._start():
                self._give(new, self._waiting[0])
        while self._to_begin and len(self._live) < self.jobs and self._start():
            pass
        self._to_begin = 0

    def _idle(self) -> "list[WorkerProcess]":
        return [each for each in self._live if each.job is None]

    def _start(self) -> "WorkerProcess | None":
        """A new process; None where it cannot be started, which is the failure of the first job that waits."""
        from site_builder.solving.worker_process import WorkerProcess

        process = WorkerProcess(self._context, self._root)
        try:
            with _one_at_a_time, nullcontext() if self._is_fresh else environment.of_workers():
                process.start()
        except (OSError, EOFError) as error:
            if self._waiting:
                words = f"no process can be started for it ({error or 'what starts them has ended'})"
                self._answer(self._waiting.popleft(), Failure("died", words))
            return None
        self._live.append(process)
        for kind, file in process.files().items():
            self._selector.register(file, selectors.EVENT_READ, (process, kind))
        return process

    def _give(self, process: "WorkerProcess", job: "Job") -> None:
        self._waiting.remove(job)
        process.give(job)
        self._send(process)

    def _send(self, process: "WorkerProcess") -> None:
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if process.send() else 0)
        self._selector.modify(process.channel, events, (process, "channel"))

    def _read(self, process: "WorkerProcess", kind: str) -> None:
        if kind == "output":
            if not process.drain():
                self._selector.unregister(process.output)
            return
        try:
            if process.unsent:
                self._send(process)
            if (answer := process.receive()) is not None:
                self._finish(process, answer)
        except EOFError:
            self._finish(process, Failure("died", f"its process died ({_cause(process.exit_code())})"))
        except ValueError as error:
            self._finish(process, Failure("died", f"its process sent {error}, and was ended"))

    def _finish(self, process: "WorkerProcess", answer: Any) -> None:
        """Pass on the answer of a process, and end the process unless it can be trusted with another job."""
        job, is_over = process.job, self._is_fresh
        if process.purpose:
            printed = process.printed(_MOST_PRINTED, _LONGEST_PRINTED).splitlines()
            self._printed.extend(printed)
            if job and isinstance(job.answer, Awaited):
                job.answer.seconds, job.answer.printed = time.monotonic() - process.started, printed
        if isinstance(answer, Failure):
            answer = replace(answer, printed=process.printed())
            is_over = is_over or process.purpose != () or answer.kind in ("died", "time")
        if is_over:
            self._end([process])
        process.job, process.deadline = None, float("inf")
        if job:
            self._answer(job, answer)

    def _seconds_left(self) -> float | None:
        first = min((each.deadline for each in self._live), default=float("inf"))
        return None if first == float("inf") else min(max(0.0, first - time.monotonic()), _LONGEST_WAIT)

    def _stop_late_ones(self) -> None:
        for process in [each for each in self._live if each.deadline <= time.monotonic()]:
            seconds = process.job.limits.time if process.job else 0.0
            self._finish(process, Failure("time", f"it ran for more than {seconds:g} seconds and was stopped"))

    def _end_given_up(self) -> None:
        with self._lock:
            given_up, self._given_up = self._given_up, set()
        for answer in given_up:
            if own := next((each for each in self._live if each.job and each.job.answer is answer), None):
                self._finish(own, Failure("died", "nobody waits for its answer any more"))
            elif job := next((job for job in tuple(self._waiting) if job.answer is answer), None):
                self._waiting.remove(job)
                self._answer(job, Failure("died", "nobody waits for its answer any more"))

    def _end(self, processes: "Sequence[WorkerProcess]") -> None:
        for process in processes:
            process.ask_to_end()
        for process in tuple(processes):
            self._live.remove(process)
            for file in process.files().values():
                with suppress(KeyError):  # its output has ended before
                    self._selector.unregister(file)
            process.end()

    def _answer(self, job: "Job", answer: Any) -> None:
        with self._lock:
            self._awaited.discard(job.answer)
            if job.answer.done():
                return
            if isinstance(answer, Crash):
                job.answer.set_exception(RuntimeError(f"in a worker process:\n{answer.message}"))
            else:
                job.answer.set_result(answer)

    def _answer_all(self, error: BaseException) -> None:
        with self._lock:
            self._is_stopped = True
            for answer in self._awaited:
                if not answer.done():
                    answer.set_exception(error)


class Awaited(Future[Any]):
    """The answer to a task. seconds: how long the task ran; printed: the last lines that its solver printed."""

    seconds = 0.0
    printed: Sequence[str] = ()

    def result(self, timeout: float | None = None) -> Any:
        """The answer, as of any future, waiting so that Ctrl-C is noticed."""
        if timeout is None:
            first_answered([self])
        return super().result(timeout)


def first_answered(
    answers: Collection["Future[Answer]"], meanwhile: Callable[[], None] = lambda: None
) -> "set[Future[Answer]]":
    """Wait for one of the answers; returns those that are there then. Raises KeyboardInterrupt.

    meanwhile: is called twice a second. It polls, because a signal that arrives in another thread, or just as a wait
    begins, is noticed only after the wait.
    """
    while True:
        done, _ = wait(answers, _POLL_SECONDS, return_when=FIRST_COMPLETED)
        interrupts.raise_if_interrupted()
        meanwhile()
        if done:
            return done


def _cancel(answer: "Future[Any]") -> None:
    if not answer.cancelled() and answer.cancel():
        answer.set_running_or_notify_cancel()  # wakes threads that wait for several answers


def _cause(exit_code: int) -> str:
    return f"signal {-exit_code}" if exit_code < 0 else f"exit code {exit_code}"
