"""A lock on a folder, for one process at a time."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf


@contextmanager
def locked(folder: str, wait: float = inf) -> Iterator[None]:
    """Lock a folder until the block or the process ends. wait: seconds; raises OSError after that."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        end = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.002)
        yield
    finally:
        os.close(opened)
