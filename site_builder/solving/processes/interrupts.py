"""Record interrupts, so that Ctrl-C also ends a build where the exception for it is lost.

CPython discards a KeyboardInterrupt that is raised in a callback of the garbage collector or of an import, and an
extension module may replace it by another exception. Code that waits for workers or reports progress checks the record.
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
    if before[signal.SIGINT] is signal.default_int_handler:  # else SIGINT was ignored when this process began
        signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler or signal.SIG_DFL)


def was_interrupted() -> bool:
    """True when there was an interrupt since `recorded` was entered."""
    return bool(_received)


def raise_if_interrupted() -> None:
    """Raises KeyboardInterrupt, in the main thread, where there was an interrupt since `recorded` was entered."""
    if _received and threading.current_thread() is threading.main_thread():
        raise KeyboardInterrupt


def _interrupt(number: int, _: FrameType | None) -> None:
    _received.append(number)
    raise KeyboardInterrupt
