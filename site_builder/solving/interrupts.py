"""Ctrl-C, also where Python loses it.

Python raises KeyboardInterrupt wherever the program is. Inside a callback of the garbage collector or of an import it
prints the exception and goes on; an extension module may turn it into another one. So it is also recorded, and whoever
waits for workers or reports progress checks the record.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_received: list[int] = []


@contextmanager
def recorded() -> Iterator[None]:
    """Record SIGINT, and SIGTERM as the same, until the block ends; in the main thread only."""
    _received.clear()
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    if before[signal.SIGINT] is signal.default_int_handler:  # else whoever started this process ignores it
        signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler or signal.SIG_DFL)


def was_interrupted() -> bool:
    """Whether there was an interrupt since `recorded` was entered."""
    return bool(_received)


def raise_if_interrupted() -> None:
    """Raises KeyboardInterrupt, in the main thread, where there was an interrupt since `recorded` was entered."""
    if _received and threading.current_thread() is threading.main_thread():
        raise KeyboardInterrupt


def _interrupt(number: int, _: FrameType | None) -> None:
    _received.append(number)
    raise KeyboardInterrupt
