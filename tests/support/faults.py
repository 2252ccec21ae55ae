"""Errors, and the death of the process, at the nth change of the files in a folder, by an audit hook of the tests."""

import os
import signal
import sys
from contextlib import contextmanager
from functools import cache
from pathlib import Path

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_PATHS = {"os.rename": 1, "os.remove": 0, "os.mkdir": 0, "os.rmdir": 0}  # which argument of an event is the file
_watched = []


@cache
def _add_hook():
    """Watch the changes of this process from now on; a hook can not be taken away again."""
    sys.addaudithook(lambda event, arguments: _watched and _watch(event, arguments))


def _watch(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, os.PathLike)) and arguments[2] & _WRITES:
        kind, path = "create", arguments[0]
    elif event in _PATHS:
        kind, path = event.removeprefix("os."), arguments[_PATHS[event]]
    else:
        return
    path = os.path.abspath(os.fspath(path))
    for folder, before_change in _watched:
        if path.startswith(f"{folder}/"):
            before_change(kind, path)


@contextmanager
def watched(folder, before_change=lambda kind, path: None):
    """Call a function before each change of a file below the folder; it may raise.

    Gives a list that gets the kind and path of each change.
    """
    changes = []

    def note(kind, path):
        changes.append((kind, path))
        before_change(kind, path)

    _add_hook()
    _watched.append((os.path.abspath(folder), note))
    try:
        yield changes
    finally:
        _watched.pop()


@contextmanager
def failing(folder, at, number, lasts=False):
    """Make the change `at`, counted from 1, fail with this error, and if it lasts all changes after it.

    Gives a list that gets the kind and path of each change.
    """

    def fail(kind, path):
        if len(changes) == at or (lasts and len(changes) > at):
            raise OSError(number, os.strerror(number), path)

    with watched(folder, fail) as changes:
        yield changes


def is_killed(folder, at, action):
    """Do something in a process that SIGKILL ends at the change `at`; return whether a signal ended it."""

    def die(kind, path):
        if len(changes) == at:
            os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        try:
            with watched(folder, die) as changes:
                action()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def snapshot(folder):
    """Every file and link below a folder, with what it holds."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        if path.is_symlink():
            found[path.relative_to(folder).as_posix()] = os.readlink(path)
        elif path.is_file():
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found
