"""Worker processes behind one small interface: submit a task, get its result or its fault."""

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TimeIsUp
from contextlib import contextmanager
from multiprocessing import forkserver
from pathlib import Path
from typing import Any, Protocol

from pebble import ProcessExpired, ProcessPool

from site_builder import worker
from site_builder.config import Limits
from site_builder.faults import Fault

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

    def submit(self, task: Callable[..., bytes | Fault], *arguments: Any, limits: Limits) -> "Future[bytes | Fault]":
        """Run `task` of `site_builder.worker` within the limits; the future holds its bytes or a Fault."""
        ...


@contextmanager
def local_workers(root: Path, jobs: int) -> Iterator[Workers]:
    """`jobs` processes on this machine for the project in `root`; all are ended on leaving."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["site_builder.worker"])
    with _environment():
        forkserver.ensure_running()
    alive, ours = context.Pipe(duplex=False)  # closed with this process, however it ends
    pool = ProcessPool(
        max_workers=jobs, context=context, initializer=worker.start, initargs=(str(root.resolve()), alive)
    )
    try:
        yield _LocalWorkers(pool)
        pool.close()  # type: ignore[no-untyped-call]
    finally:
        locks = _locks(pool)
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()
        del locks
        ours.close()
        alive.close()


@contextmanager
def _environment() -> Iterator[None]:
    """The environment of the workers, for the process that they are forked from; the build's own stays as it is."""
    before = {name: os.environ.get(name) for name in _ENVIRONMENT}
    os.environ.update(_ENVIRONMENT)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _locks(pool: ProcessPool) -> list[Any]:
    """The locks that the workers share, to be held until the last worker has ended.

    Pebble lets go of them before it ends the workers; one that is only starting would look for them in vain, and print
    a traceback.
    """
    channel = pool._pool_manager.worker_manager.workers_channel
    return [channel.mutex.reader_mutex, channel.mutex.writer_mutex] if channel is not None else []


class _LocalWorkers:
    def __init__(self, pool: ProcessPool) -> None:
        self._pool = pool

    def submit(self, task: Callable[..., bytes | Fault], *arguments: Any, limits: Limits) -> "Future[bytes | Fault]":
        running = self._pool.schedule(task, args=[limits.memory, *arguments], timeout=limits.time)
        answer: Future[bytes | Fault] = Future()
        running.add_done_callback(lambda done: _pass_on(done, answer, limits))
        return answer


def _pass_on(done: "Future[bytes | Fault]", answer: "Future[bytes | Fault]", limits: Limits) -> None:
    if done.cancelled():
        answer.cancel()
        return
    error = done.exception()
    if error is None:
        answer.set_result(done.result())
    elif isinstance(error, TimeIsUp):
        answer.set_result(Fault("time", f"it ran for more than {limits.time:g} seconds and was stopped"))
    elif isinstance(error, ProcessExpired):
        answer.set_result(Fault("died", f"its process died ({_cause(error.exitcode)})"))
    else:
        answer.set_exception(error)


def _cause(exit_code: int) -> str:
    return f"signal {-exit_code}" if exit_code < 0 else f"exit code {exit_code}"
