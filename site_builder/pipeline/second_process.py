"""A forked process that does a half of some work while this one does the other."""

import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass
class Child:
    """The answer of a forked process, None where it has failed or had none."""

    answer: Any = None


def can_fork() -> bool:
    """True where a fork is safe, as only this thread runs, and where it saves time."""
    return sys.platform == "linux" and threading.active_count() == 1 and len(os.sched_getaffinity(0)) > 1


@contextmanager
def in_child(enter: Callable[[], None], work: Callable[[], Any]) -> Iterator[Child]:
    """Do work in a forked process while the block runs; its answer, which can be pickled, is there after the block.

    enter: called first in that process.
    """
    reader, writer = os.pipe()
    process = os.fork()
    if not process:
        _answer(writer, enter, work)
    os.close(writer)
    child = Child()
    try:
        yield child
    finally:
        with open(reader, "rb") as answer:
            data = answer.read()
        _, status = os.waitpid(process, 0)
        if data and not status:
            child.answer = pickle.loads(data)


def _answer(writer: int, enter: Callable[[], None], work: Callable[[], Any]) -> None:
    """Write the pickled answer, and end this process without running anything of its parent."""
    status = 1
    try:
        enter()
        with open(writer, "wb") as answer:
            answer.write(pickle.dumps(work()))
        status = 0
    finally:
        os._exit(status)
