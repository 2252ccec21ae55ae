"""Errors of the disk, and the death of the process, at the nth change that the builder makes to the disk."""

import errno
import os
import signal
import sqlite3
from contextlib import contextmanager
from pathlib import Path

import pytest

from site_builder.storage import disk
from site_builder.storage.sqlite_file import NAME

CTRL_C = -signal.SIGINT
ERRORS = (errno.ENOSPC, errno.EACCES, errno.EIO)
_OF_SQLITE = {errno.ENOSPC: sqlite3.SQLITE_FULL, errno.EACCES: sqlite3.SQLITE_READONLY, errno.EIO: sqlite3.SQLITE_IOERR}


class Died(BaseException):
    """In place of the end of the process: nothing catches it, and nothing that it passes changes the disk any more."""


def error_of(number, path):
    """The error of this number as the system, or SQLite, raises it for a file."""
    if not path.endswith(NAME):
        return OSError(number, os.strerror(number), path)
    error = sqlite3.OperationalError(os.strerror(number))
    error.sqlite_errorcode = _OF_SQLITE[number]
    return error


@contextmanager
def fault(at, number=None, lasts=False):
    """Make the change `at`, counted from 1, fail with an error of this number; without one the process dies there.

    CTRL_C in place of the number interrupts it there. lasts: all changes after it fail as well.
    Gives a list that gets the kind and path of each change; at 0 none fails.
    """
    changes = []

    def change(kind, path):
        changes.append((kind, path))
        if at and number is None and len(changes) >= at:
            raise Died
        if number == CTRL_C:
            if len(changes) == at:
                signal.raise_signal(signal.SIGINT)
        elif len(changes) == at or (lasts and at and len(changes) > at):
            raise error_of(number, path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disk, "before_change", change)
        yield changes


def snapshot(folder):
    """Every file and link below a folder, with what it holds."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        if path.is_symlink():
            found[path.relative_to(folder).as_posix()] = os.readlink(path)
        elif path.is_file():
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found
