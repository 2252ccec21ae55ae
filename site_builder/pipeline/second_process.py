"""A second process, a copy of this one, that does a part of some work on another core.

The answers do not depend on who gives them. Where the system makes no copies of processes, there is none.
"""

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterable
from typing import TypeVar

Answer = TypeVar("Answer")
_PIECES = 1000  # at most; a pipe holds more bytes than that


def can_be_made() -> bool:
    """True where a second process can be made and has a core of its own."""
    return hasattr(os, "fork") and sys.platform != "darwin" and (os.cpu_count() or 1) > 1  # see pool.START_METHOD


def share(
    count: int,
    answer: Callable[[int], Answer],
    fork: Callable[[], int],
    step: Callable[[int], None] = lambda count: None,
) -> list[Answer]:
    """The answers to the numbers below `count`, some of them from a second process.

    That begins with the first number and this process with the last, until all are answered. What the second one has
    no answer to, since an exception or a signal has ended it, this process answers too, and then raises what it raises.
    fork: makes the second process, as `os.fork` does. step: is called here with numbers of answers. Answers are
    pickled.
    """
    size = -(-count // _PIECES)
    pieces = [range(start, min(start + size, count)) for start in range(0, count, size)]
    left, fill = os.pipe()  # a byte for each piece that nobody has begun
    os.write(fill, bytes(len(pieces)))
    os.close(fill)
    answers, give = os.pipe()
    process = _forked(fork)
    if not process:
        _answer_and_end(pieces, left, answer, give)
    os.close(give)
    try:
        with open(answers, "rb") as opened:
            found = _answered(reversed(pieces), left, answer, step)
            given = opened.read()
    except BaseException:
        if process > 0:
            os.kill(process, signal.SIGKILL)
        raise
    finally:
        os.close(left)
        status = os.waitpid(process, 0)[1] if process > 0 else 1
    step(count - len(found))
    found |= pickle.loads(given) if status == 0 else {}
    return [found[number] if number in found else answer(number) for number in range(count)]


def _forked(fork: Callable[[], int]) -> int:
    """The second process, 0 in that itself, -1 where there is no room for it."""
    try:
        return fork()
    except OSError:
        return -1


def _answered(
    pieces: Iterable[range], left: int, answer: Callable[[int], Answer], step: Callable[[int], None]
) -> dict[int, Answer]:
    """The answers of one process, which takes pieces until none is left."""
    found: dict[int, Answer] = {}
    for piece in pieces:
        if not os.read(left, 1):
            break
        found |= {number: answer(number) for number in piece}
        step(len(piece))
    return found


def _answer_and_end(pieces: Iterable[range], left: int, answer: Callable[[int], Answer], give: int) -> None:
    """Answer in the second process; it ends without what Python does at the end of the first one."""
    status = 1
    try:
        with open(give, "wb") as opened:
            pickle.dump(_answered(pieces, left, answer, lambda count: None), opened)
        status = 0
    finally:
        os._exit(status)
