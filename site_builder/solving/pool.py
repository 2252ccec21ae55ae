"""A pool of worker processes: submit a task, get its result or its failure."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures import TimeoutError as TimeIsUp
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from site_builder.project.config import Limits
from site_builder.solving import interrupts
from site_builder.solving.failure import Failure

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from pebble import ProcessPool

_one_at_a_time = threading.Lock()  # around what changes this process while others are started
_POLL_SECONDS = 0.5
Answer = TypeVar("Answer")

# One thread for linear algebra in each worker, sets in the same order, one zone and language: all give the same bytes.
_ENVIRONMENT = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_ENVIRONMENT |= {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"}


@contextmanager
def local_workers(root: Path, jobs: int, hash_seed: str = "") -> Iterator["Workers"]:
    """`jobs` processes on this machine for the project in `root`, from the first task on; all are ended on leaving.

    hash_seed: if given, every task has a new process, with this PYTHONHASHSEED.
    """
    # With fresh processes all the time: one is started whenever another has ended.
    with _environment(hash_seed) if hash_seed else nullcontext():
        workers = Workers(root, jobs, is_fresh=bool(hash_seed))
        try:
            yield workers
            workers.close()
        finally:
            workers.stop()


@contextmanager
def _environment(hash_seed: str = "") -> Iterator[None]:
    """Set the environment of worker processes, which find modules where this process does; restore it afterwards."""
    wanted = _ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}
    wanted |= {"PYTHONHASHSEED": hash_seed} if hash_seed else {}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Hold back Ctrl-C: a pool interrupted while it starts, or a worker with a lock, would block the build forever."""
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

    is_fresh: every task has a new process of its own.
    """

    def __init__(self, root: Path, jobs: int, is_fresh: bool = False) -> None:
        self._root = root
        self._jobs = jobs
        self._is_fresh = is_fresh
        self._pool: ProcessPool | None = None
        self._pipe: tuple[Connection, ...] = ()
        self._awaited: set[Future[Any]] = set()
        self._ending = threading.Lock()
        self._is_stopped = False
        self._expected = ["site_builder.solving.solver_tasks", "pebble.pool.process"]

    def expect(self, modules: Sequence[str]) -> None:
        """Load these modules once for all workers, because tasks will need them."""
        self._expected.extend(modules)

    def prepare(self) -> None:
        """Start the process that loads the expected modules, while this process goes on."""
        from multiprocessing import forkserver, get_context, resource_tracker

        get_context("forkserver").set_forkserver_preload(self._expected)
        with _one_at_a_time:
            resource_tracker.ensure_running()  # before, since it unblocks Ctrl-C
            if threading.current_thread() is not threading.main_thread():
                block_interrupts()
            with _environment(), _without_ctrl_c():
                forkserver.ensure_running()

    def begin(self) -> None:
        """Start the workers, so that the first task need not wait for them."""
        with self._ending:
            if not self._is_stopped:
                self._pool = self._pool or self._start()
                with _without_ctrl_c():
                    _ = self._pool.active  # which starts what it has not started

    def submit(
        self, task: Callable[..., Answer | Failure], *arguments: Any, limits: Limits
    ) -> "Future[Answer | Failure]":
        """Run a task within the limits; the future holds its answer or a Failure."""
        with self._ending:
            if self._is_stopped:
                raise CancelledError
            self._pool = self._pool or self._start()
            with _without_ctrl_c():  # the first task starts the pool's own threads, which may start processes
                running = self._pool.schedule(task, args=[limits.memory, *arguments], timeout=limits.time)
            answer: Future[Answer | Failure] = _Awaited()
            self._awaited.add(answer)
        answer.add_done_callback(self._awaited.discard)
        running.add_done_callback(lambda done: _pass_on(done, answer, limits))
        return answer

    def _start(self) -> "ProcessPool":
        from multiprocessing import get_context  # imported only by builds that have tasks

        from pebble import ProcessPool

        from site_builder.solving import worker

        if not self._is_fresh:
            self.prepare()
        context = get_context("spawn" if self._is_fresh else "forkserver")
        self._pipe = context.Pipe(duplex=False)  # closed with this process, however it ends
        return ProcessPool(
            max_workers=self._jobs,
            max_tasks=1 if self._is_fresh else 0,
            context=context,
            initializer=worker.start,
            initargs=(str(self._root.resolve()), self._pipe[0]),
        )

    def close(self) -> None:
        """Accept no more tasks."""
        if self._pool is not None:
            self._pool.close()  # type: ignore[no-untyped-call]

    def stop(self) -> None:
        """End every process, from any thread; waiting for an answer then raises CancelledError."""
        with self._ending:
            self._is_stopped = True
            pool, self._pool = self._pool, None
            for answer in tuple(self._awaited):
                _cancel(answer)
            if pool is None:
                return
            locks = _locks(pool)
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()
            del locks
            for end in self._pipe:
                end.close()


class _Awaited(Future[Any]):
    def result(self, timeout: float | None = None) -> Any:
        """The answer, as of any future, waiting so that Ctrl-C is noticed."""
        if timeout is None:
            first_answered([self])
        return super().result(timeout)


def first_answered(answers: Collection["Future[Answer]"]) -> "set[Future[Answer]]":
    """Wait for one of the answers; returns those that are there then. Raises KeyboardInterrupt.

    It polls, because a signal that arrives in another thread, or just as a wait begins, is noticed only after the wait.
    """
    while True:
        done, _ = wait(answers, _POLL_SECONDS, return_when=FIRST_COMPLETED)
        interrupts.raise_if_interrupted()
        if done:
            return done


def _locks(pool: "ProcessPool") -> list[Any]:
    """The workers' locks. Pebble drops them before it ends the workers; a starting one would print a traceback."""
    channel = pool._pool_manager.worker_manager.workers_channel
    return [channel.mutex.reader_mutex, channel.mutex.writer_mutex] if channel is not None else []


def _pass_on(done: "Future[Answer | Failure]", answer: "Future[Answer | Failure]", limits: Limits) -> None:
    if answer.cancelled() or done.cancelled():
        _cancel(answer)
        return
    error = done.exception()
    if error is None:
        answer.set_result(done.result())
    elif isinstance(error, TimeIsUp):
        answer.set_result(Failure("time", f"it ran for more than {limits.time:g} seconds and was stopped"))
    elif (exit_code := getattr(error, "exitcode", None)) is not None:
        answer.set_result(Failure("died", f"its process died ({_cause(exit_code)})"))
    else:
        answer.set_exception(error)


def _cancel(answer: "Future[Any]") -> None:
    if not answer.cancelled() and answer.cancel():
        answer.set_running_or_notify_cancel()  # wakes threads that wait for several answers


def _cause(exit_code: int) -> str:
    return f"signal {-exit_code}" if exit_code < 0 else f"exit code {exit_code}"
