"""A second process, a copy of this one, that does a part of some work on another core.

The answers do not depend on who gives them. Where the system makes no copies of processes, there is none.
"""

import os
import pickle
import signal
import sys
from collections.abc import Callable
from mmap import mmap
from typing import TypeVar

Answer = TypeVar("Answer")


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

    That goes up from the first number and this process down from the last, until they meet. What the second one has no
    answer to, since an exception or a signal has ended it, this process answers too, and then raises what it raises.
    fork: makes the second process, as `os.fork` does. step: is called here with numbers of answers. Answers are
    pickled.
    """
    ends = memoryview(mmap(-1, 16)).cast("q")  # shared: where each is; at the end both may answer the same number
    ends[1] = count
    answers, give = os.pipe()
    process = _forked(fork)
    if not process:
        _answer_and_end(ends, answer, give)
    os.close(give)
    found: dict[int, Answer] = {}
    try:
        with open(answers, "rb") as opened:
            while ends[0] < ends[1]:
                ends[1] -= 1
                found[ends[1]] = answer(ends[1])
                step(1)
            given = opened.read()
    except BaseException:
        if process > 0:
            os.kill(process, signal.SIGKILL)
        raise
    finally:
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


def _answer_and_end(ends: memoryview, answer: Callable[[int], Answer], give: int) -> None:
    """Answer in the second process; it ends without what Python does at the end of the first one."""
    status, found = 1, dict[int, Answer]()
    try:
        while ends[0] < ends[1]:
            ends[0] += 1
            found[ends[0] - 1] = answer(ends[0] - 1)
        with open(give, "wb") as opened:
            pickle.dump(found, opened)
        status = 0
    finally:
        os._exit(status)
