"""Worker processes behind one small interface: submit a task, get its result or its fault."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures import TimeoutError as TimeIsUp
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from site_builder.project.config import Limits
from site_builder.solving import interrupts
from site_builder.solving.failure import Failure

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from pebble import ProcessPool

_one_at_a_time = threading.Lock()  # around what changes this process while others are started
_SPELL = 0.5  # seconds that a wait for workers may last at once
Answer = TypeVar("Answer")

# One thread for linear algebra in each worker, sets in the same order, one zone and language: all give the same bytes.
_ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "TZ": "UTC",
    "LC_ALL": "C.UTF-8",
}


class Workers(Protocol):
    """Where tasks run. Another implementation may hand them to a cluster."""

    def submit(
        self, task: Callable[..., Answer | Failure], *arguments: Any, limits: Limits
    ) -> "Future[Answer | Failure]":
        """Run `task` of `site_builder.solving.worker` within the limits; the future holds its answer or a Failure."""
        ...

    def expect(self, modules: Sequence[str]) -> None:
        """Tasks that need these modules will come, so that they may be loaded once for all workers."""
        ...

    def prepare(self) -> None:
        """Load the modules that are expected, beside whatever this process does meanwhile."""
        ...

    def begin(self) -> None:
        """Start the processes, so that the first task need not wait for them."""
        ...

    def stop(self) -> None:
        """End every process, from any thread; whoever waits for an answer is told CancelledError."""
        ...


@contextmanager
def local_workers(root: Path, jobs: int) -> Iterator[Workers]:
    """`jobs` processes on this machine for the project in `root`, from the first task on; all are ended on leaving."""
    workers = _LocalWorkers(root, jobs)
    try:
        yield workers
        workers.close()
    finally:
        workers.stop()


def lasting_workers(root: Path, jobs: int) -> Workers:
    """Like `local_workers`, until somebody stops them."""
    return _LocalWorkers(root, jobs)


@contextmanager
def fresh_workers(root: Path, jobs: int, hash_seed: str) -> Iterator[Workers]:
    """Like `local_workers`, with a new process for every task; hash_seed: of the hashes of texts, so of sets' order."""
    workers = _LocalWorkers(root, jobs, is_fresh=True)
    with _environment(hash_seed):  # all the time: processes are started whenever one has ended
        try:
            yield workers
            workers.close()
        finally:
            workers.stop()


@contextmanager
def _environment(hash_seed: str = "") -> Iterator[None]:
    """The environment of the workers, for the process that they are forked from; the build's own stays as it is.

    That process finds modules where this one does, wherever the build was started.
    """
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
    """What is started meanwhile never hears Ctrl-C, not even before it can say so; this process hears it afterwards.

    A pool that is interrupted while it begins, or a worker while it holds a lock of all workers, would keep the build
    from ever ending.
    """
    if not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread():
        yield
        return
    heard: list[bool] = []
    handler = signal.signal(signal.SIGINT, lambda *_: heard.append(True))  # also where another thread gets the signal
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which is what processes inherit
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler)
        if heard:
            os.kill(os.getpid(), signal.SIGINT)


def hear_no_signals() -> None:
    """In a thread beside the main one: Ctrl-C is for that, and no process that this one starts hears it either."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


class _LocalWorkers:
    def __init__(self, root: Path, jobs: int, is_fresh: bool = False) -> None:
        self._root = root
        self._jobs = jobs
        self._is_fresh = is_fresh  # every task has a process of its own, started from nothing
        self._pool: ProcessPool | None = None
        self._pipe: tuple[Connection, ...] = ()
        self._awaited: set[Future[Any]] = set()
        self._ending = threading.Lock()
        self._is_stopped = False
        self._expected = ["site_builder.solving.solver_tasks", "pebble.pool.process"]

    def expect(self, modules: Sequence[str]) -> None:
        self._expected.extend(modules)

    def prepare(self) -> None:
        from multiprocessing import forkserver, get_context, resource_tracker

        get_context("forkserver").set_forkserver_preload(self._expected)
        with _one_at_a_time:
            resource_tracker.ensure_running()  # before, since it lets Ctrl-C through again
            if threading.current_thread() is not threading.main_thread():
                hear_no_signals()
            with _environment(), _without_ctrl_c():
                forkserver.ensure_running()  # once; it loads while this process goes on

    def begin(self) -> None:
        with self._ending:
            if not self._is_stopped:
                self._pool = self._pool or self._start()
                with _without_ctrl_c():
                    _ = self._pool.active  # which starts what it has not started

    def submit(
        self, task: Callable[..., Answer | Failure], *arguments: Any, limits: Limits
    ) -> "Future[Answer | Failure]":
        with self._ending:
            if self._is_stopped:
                raise CancelledError
            self._pool = self._pool or self._start()
            with _without_ctrl_c():  # with the first task begin the pool's own threads, which may start processes
                running = self._pool.schedule(task, args=[limits.memory, *arguments], timeout=limits.time)
            answer: Future[Answer | Failure] = _Awaited()
            self._awaited.add(answer)
        answer.add_done_callback(self._awaited.discard)
        running.add_done_callback(lambda done: _pass_on(done, answer, limits))
        return answer

    def _start(self) -> "ProcessPool":
        from multiprocessing import get_context  # this and more is paid for by builds that have something for workers

        from pebble import ProcessPool

        from site_builder.solving import worker

        if not self._is_fresh:
            self.prepare()
        context = get_context("spawn" if self._is_fresh else "forkserver")
        self._pipe = context.Pipe(duplex=False)  # closed with this process, however it ends
        arguments = (str(self._root.resolve()), self._pipe[0])
        return ProcessPool(
            max_workers=self._jobs,
            max_tasks=1 if self._is_fresh else 0,
            context=context,
            initializer=worker.start,
            initargs=arguments,
        )

    def close(self) -> None:
        """Take no more tasks."""
        if self._pool is not None:
            self._pool.close()  # type: ignore[no-untyped-call]

    def stop(self) -> None:
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
        """The answer, as of any future."""
        if timeout is None:
            first_answered([self])
        return super().result(timeout)


def first_answered(answers: Collection["Future[Answer]"]) -> "set[Future[Answer]]":
    """Wait for one of the answers, in short spells; those that are there then. Raises KeyboardInterrupt.

    Python hears of Ctrl-C between two steps of its own; a signal that comes just as a wait begins, or in another
    thread, would be heard only when the wait ends, which may be minutes later.
    """
    while True:
        done, _ = wait(answers, _SPELL, return_when=FIRST_COMPLETED)
        interrupts.raise_what_was_heard()
        if done:
            return done


def _locks(pool: "ProcessPool") -> list[Any]:
    """The locks that the workers share, to be held until the last worker has ended.

    Pebble lets go of them before it ends the workers; one that is only starting would look for them in vain, and print
    a traceback.
    """
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
        answer.set_running_or_notify_cancel()  # which is what wakes those that wait for several


def _cause(exit_code: int) -> str:
    return f"signal {-exit_code}" if exit_code < 0 else f"exit code {exit_code}"
