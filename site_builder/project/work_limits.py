"""A time limit for work in the main thread of this process: the text of a post, a page, an import.

A signal interrupts it, which also ends a long search of a regular expression.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from math import isinf

_AGAIN = 5.0  # seconds until the exception is raised again, where something has suppressed it
TOO_LONG = (
    "this takes longer than a text or page may",
    "let its loops end sooner, or raise text: under limits: in config.yaml, which is in seconds",
)
"""Message and cure for a text or page that raised TimeIsUpError."""


class TimeIsUpError(Exception):
    """The work of a block has taken as long as it may."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises TimeIsUpError in the block after so many seconds; nothing within another such block or in a thread."""
    handler = signal.getsignal(signal.SIGALRM)
    if isinf(seconds) or threading.current_thread() is not threading.main_thread() or handler is _time_is_up:
        yield
        return
    signal.signal(signal.SIGALRM, _time_is_up)
    before = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, handler)


def _time_is_up(*_: object) -> None:
    raise TimeIsUpError
