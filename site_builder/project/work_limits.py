"""Limits of time and memory for work in this process: the text of a post, a page, an import.

The main thread is interrupted by a signal, which also ends a long search of a regular expression; another thread, as
in a preview, by an exception that CPython raises at its next step.
"""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_WATCH = "time limit"
_AGAIN = 5.0  # seconds until the exception is raised again, where something has suppressed it
_thread = threading.local()


class TimeIsUpError(Exception):
    """The work of a block has taken as long as it may."""


TOO_MUCH = (TimeIsUpError, MemoryError)


def described(error: Exception) -> tuple[str, str]:
    """Error and cure for a text or page that raised one of TOO_MUCH."""
    if isinstance(error, MemoryError):
        cure = "let its loops make less, or raise memory: under limits: in config.yaml"
        return "this needs more memory than a text or page may", cure
    cure = "let its loops end sooner, or raise text: under limits: in config.yaml, which is in seconds"
    return "this takes longer than a text or page may", cure


@contextmanager
def limited(seconds: float, memory: int = 0) -> Iterator[None]:
    """Raises TimeIsUpError in the block after so many seconds; MemoryError where this process grows by more bytes.

    Within another such block it does nothing. memory: 0 for no limit.
    """
    if getattr(_thread, "is_limited", False):
        yield
        return
    _thread.is_limited = True
    is_main = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    try:
        with _alarm(seconds) if is_main else _watched(seconds), _memory_limit(memory):
            yield
    finally:
        _thread.is_limited = False


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    handler = signal.signal(signal.SIGALRM, _time_is_up)
    before = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, handler)


def _time_is_up(*_: object) -> None:
    raise TimeIsUpError


@contextmanager
def _watched(seconds: float) -> Iterator[None]:
    import ctypes

    own, is_over, lock = ctypes.c_ulong(threading.get_ident()), threading.Event(), threading.Lock()
    interrupt = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def watch() -> None:
        wait = seconds
        while not is_over.wait(wait):
            with lock:
                if not is_over.is_set():
                    interrupt(own, ctypes.py_object(TimeIsUpError))
            wait = _AGAIN

    def end() -> None:
        with lock:
            is_over.set()
        for _ in range(10):  # an exception that is on its way comes here
            pass

    try:  # around the start as well, in which the time may be up
        threading.Thread(target=watch, daemon=True, name=_WATCH).start()
        yield
    finally:
        try:
            end()
        except TimeIsUpError:  # as the block has ended; taking it back instead would leave CPython waiting for it
            end()


_limits: list[tuple[int, int]] = []  # of memory, as they were, once for each block that runs
_limits_lock = threading.Lock()


@contextmanager
def _memory_limit(memory: int) -> Iterator[None]:
    """Let this process have so many bytes more than now, where it has no limit yet, until the last such block ends."""
    if not memory or not sys.platform.startswith("linux"):
        yield
        return
    import resource

    with _limits_lock:
        soft, hard = _limits[-1] if _limits else resource.getrlimit(resource.RLIMIT_DATA)
        if not _limits and soft == resource.RLIM_INFINITY:
            used = int(Path("/proc/self/statm").read_bytes().split()[5]) * resource.getpagesize()
            resource.setrlimit(
                resource.RLIMIT_DATA, (used + memory if hard == soft else min(used + memory, hard), hard)
            )
        _limits.append((soft, hard))
    try:
        yield
    finally:
        with _limits_lock:
            before = _limits.pop()
            if not _limits:
                resource.setrlimit(resource.RLIMIT_DATA, before)
