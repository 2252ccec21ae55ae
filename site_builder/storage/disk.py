"""Every change of the builder to the disk: one function for each kind, so that a test can make any of them fail.

Left out are folders under the system's folder for temporary files, and what SQLite does inside of its own file. A build
with nothing to do loads this module, and looks with it for a change that was cut short.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf

STAGING = ".puzzlepress-new"  # in a folder: its new files, see folder_transaction
RECORD, UNDO = f"{STAGING}/record.json", f"{STAGING}/undo.json"


def before_change(kind: str, path: str) -> None:
    """Called before each change, and does nothing. Tests replace it: theirs raises OSError, or ends the process."""


def create(path: str, data: bytes) -> os.stat_result:
    """Write a new file, whole or not at all; its status. Raises FileExistsError for one that is there."""
    before_change("create", path)
    with open(path, "xb", buffering=0) as file:
        try:
            before_change("write", path)
            left = memoryview(data)
            while left:
                left = left[file.write(left) :]
            return os.fstat(file.fileno())
        except BaseException as error:  # also Ctrl-C
            if isinstance(error, OSError):
                error.filename = error.filename or path  # a write does not say to which file
            with suppress(OSError):
                unlink(path)
            raise


def touch(path: str) -> int:
    """Set the time of a file, new or not, to the file system's own, and return it in nanoseconds."""
    before_change("write", path)
    if os.path.exists(path):
        os.utime(path)
    else:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
    return os.stat(path).st_mtime_ns


def rename(source: str, target: str) -> None:
    """Move a file to another name, in place of what is there."""
    before_change("rename", target)
    os.replace(source, target)


def link(source: str, target: str) -> None:
    """Give a file a second name."""
    before_change("link", target)
    os.link(source, target)


def unlink(path: str) -> None:
    """Remove a file or link."""
    before_change("unlink", path)
    os.unlink(path)


def rmdir(path: str) -> None:
    """Remove an empty folder."""
    before_change("rmdir", path)
    os.rmdir(path)


def mkdir(path: str) -> None:
    """Make a folder, and those above it. One that is there may be a link."""
    if os.path.isdir(path):
        return
    before_change("mkdir", path)
    try:
        os.mkdir(path)
    except FileExistsError:
        if not os.path.isdir(path):  # else another process was quicker
            raise
    except FileNotFoundError:
        if not (above := os.path.dirname(path)):
            raise
        mkdir(above)
        os.mkdir(path)


def is_torn(folder: str) -> bool:
    """Whether a change of many files was begun in a folder, and neither completed nor undone."""
    return os.path.exists(f"{folder}/{RECORD}") or os.path.exists(f"{folder}/{UNDO}")


@contextmanager
def alone(folder: str, wait: float = inf) -> Iterator[None]:
    """Lock a folder for one process at a time, until the process ends. wait: seconds; raises OSError after that."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        yield
        return
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
