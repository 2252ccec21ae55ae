"""Ctrl-C, heard even where Python loses it.

An interrupt is an exception that is raised wherever the program then is. Where that is a callback of the garbage
collector or of an import, Python prints the exception and goes on; an extension module may make another of it. So it is
also noted; whoever waits for workers, or tells how far a build is, looks at the note.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_heard: list[int] = []


@contextmanager
def noted() -> Iterator[None]:
    """Meanwhile note Ctrl-C, and a request to end, which is taken for the same; in the main thread only."""
    _heard.clear()
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    if before[signal.SIGINT] is signal.default_int_handler:  # or whoever began this ignores it
        signal.signal(signal.SIGINT, _hear)
    signal.signal(signal.SIGTERM, _hear)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler or signal.SIG_DFL)


def were_heard() -> bool:
    """Whether there was an interrupt since `noted` was entered."""
    return bool(_heard)


def raise_what_was_heard() -> None:
    """Raises KeyboardInterrupt, in the main thread, where there was an interrupt since `noted` was entered."""
    if _heard and threading.current_thread() is threading.main_thread():
        raise KeyboardInterrupt


def _hear(number: int, _: FrameType | None) -> None:
    _heard.append(number)
    raise KeyboardInterrupt
