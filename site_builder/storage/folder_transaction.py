"""Replace files of a folder together: stage them in a hidden folder, write a record, rename them into place.

Once all files are staged, the record lists where each belongs and what is removed; from then on the change is completed
by this process or, if it is killed, by the next. A killed process loses nothing without fsync. A crash of the machine
may cost a part of the last build, which the next build detects; syncing every file would take seconds.
"""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import inf
from typing import Any

STAGING = ".puzzlepress-new"
_RECORD = f"{STAGING}/record.json"
_FORMAT = 1

Move = tuple[str, str]  # the name among the staged files, the path in the folder


@dataclass(frozen=True)
class Change:
    """Files moved into place in this order, then paths removed (`gone`), then the last moves."""

    moves: Sequence[Move]
    gone: Sequence[str]
    last: Sequence[Move]


class Staging:
    """New files of a folder until all are complete. What an earlier process left there is deleted."""

    def __init__(self, folder: str) -> None:
        discard(folder)
        self._folder = folder
        self._is_made = False
        self._count = 0

    def put(self, data: bytes) -> tuple[str, os.stat_result]:
        """Stage a file; returns its name among the staged files, and its status."""
        self._count += 1
        name = str(self._count)
        with open(self._path(name), "xb", buffering=0) as file:
            left = memoryview(data)
            while left:
                left = left[file.write(left) :]
            return name, os.fstat(file.fileno())

    def clock(self) -> int:
        """The file system's own time in nanoseconds, which ticks in milliseconds."""
        path = self._path("clock")
        if os.path.exists(path):
            os.utime(path)
        else:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT))
        return os.stat(path).st_mtime_ns

    def next_tick(self) -> int:
        """The time as of `clock` after it has ticked once more; waits at most 40 ms."""
        before = now = self.clock()
        end = time.monotonic() + 0.04
        while now == before and time.monotonic() < end:
            time.sleep(0.001)
            now = self.clock()
        return now

    def replace(self, change: Change) -> None:
        """Apply a change whose files are all staged."""
        recorded = {"format": _FORMAT, "moves": change.moves, "gone": change.gone, "last": change.last}
        name, _ = self.put(json.dumps(recorded, separators=(",", ":")).encode())
        with _undisturbed():
            os.replace(self._path(name), f"{self._folder}/{_RECORD}")
            _carry_out(self._folder, change)
        self._is_made = False  # it is gone with what was in it

    def _path(self, name: str) -> str:
        if not self._is_made:
            os.mkdir(f"{self._folder}/{STAGING}")
            self._is_made = True
        return f"{self._folder}/{STAGING}/{name}"


def is_torn(folder: str) -> bool:
    """Whether a change was begun and not completed."""
    return os.path.exists(f"{folder}/{_RECORD}")


def resume(folder: str) -> bool:
    """Complete a change that was begun; whether there was one."""
    if not is_torn(folder):
        return False
    change = _read_record(folder)
    if change is None:  # damaged by a crash of the machine or by hand
        discard(folder)
        return False
    with _undisturbed():
        _carry_out(folder, change)
    return True


def discard(folder: str) -> None:
    """Delete what is staged, the record first."""
    with suppress(FileNotFoundError):
        os.unlink(f"{folder}/{_RECORD}")
    for inside, folders, files in os.walk(f"{folder}/{STAGING}", topdown=False):
        for name in files:
            os.unlink(f"{inside}/{name}")
        for name in folders:
            os.rmdir(f"{inside}/{name}")
    with suppress(FileNotFoundError):
        os.rmdir(f"{folder}/{STAGING}")


def remove(folder: str, path: str) -> bool:
    """Remove a file and the folders that it leaves empty; whether it was there. A folder in its place is left alone."""
    target = f"{folder}/{path}"
    was_there = True
    try:
        os.unlink(target)
    except OSError:
        if os.path.lexists(target) and not os.path.isdir(target):
            raise
        was_there = False
    above = os.path.dirname(path)
    while above:
        try:
            os.rmdir(f"{folder}/{above}")
        except FileNotFoundError:  # deleted by hand; one above it may be empty still
            pass
        except OSError:
            break
        above = os.path.dirname(above)
    return was_there


def is_inside(path: str) -> bool:
    """Whether a recorded path lies in the folder."""
    return bool(path) and not os.path.isabs(path) and ".." not in path.replace("\\", "/").split("/")


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


def _read_record(folder: str) -> Change | None:
    """The change that was begun; None when its record cannot be read."""
    try:
        with open(f"{folder}/{_RECORD}", "rb") as file:
            read: Any = json.load(file)
        if read["format"] != _FORMAT:
            return None
        moves, last = ([(str(name), str(path)) for name, path in read[part]] for part in ("moves", "last"))
        change = Change(moves, [str(path) for path in read["gone"]], last)
    except (ValueError, KeyError, TypeError):
        return None
    paths = [*change.gone, *(part for move in (*moves, *last) for part in move)]
    return change if all(map(is_inside, paths)) else None


def _carry_out(folder: str, change: Change) -> None:
    """Apply a change from its first step; steps that are done already are skipped."""
    waiting = set(os.listdir(f"{folder}/{STAGING}"))
    in_the_way = _in_the_way(change)
    for path in in_the_way:
        remove(folder, path)
    there = {folder}
    for name, path in change.moves:
        if name in waiting:
            _move(folder, name, path, there)
    for path in change.gone:
        if path not in in_the_way:
            remove(folder, path)
    for name, path in change.last:
        if name in waiting:
            _move(folder, name, path, there)
    discard(folder)


def _in_the_way(change: Change) -> set[str]:
    """Removed files in whose place a folder comes, or the other way round."""
    if not change.gone:
        return set()
    files = {path for _, path in change.moves}
    folders = {above for path in files for above in folders_above(path)}
    return {path for path in change.gone if path in folders or not files.isdisjoint(folders_above(path))}


def folders_above(path: str) -> list[str]:
    """The folders that a path lies in: posts and posts/x for posts/x/index.html."""
    return [path[:end] for end, sign in enumerate(path) if sign == "/"]


def _move(folder: str, name: str, path: str, there: set[str]) -> None:
    source, target = f"{folder}/{STAGING}/{name}", f"{folder}/{path}"
    _make_folder(os.path.dirname(target), there)
    try:
        os.replace(source, target)
    except OSError:
        if not os.path.isdir(target):
            raise
        for inside, _, _ in os.walk(target, topdown=False):  # made by hand, and empty, or it stops here
            os.rmdir(inside)
        os.replace(source, target)


def _make_folder(path: str, there: set[str]) -> None:
    """there: folders known to exist, which saves thousands of calls to the file system."""
    if path in there:
        return
    try:
        os.mkdir(path)
    except FileNotFoundError:
        _make_folder(os.path.dirname(path), there)
        os.mkdir(path)
    except FileExistsError:
        if not os.path.isdir(path):
            raise
    there.add(path)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ignore Ctrl-C and SIGTERM meanwhile, so that no half of a site is left."""
    if threading.current_thread() is not threading.main_thread():  # signals interrupt the main thread alone
        yield
        return
    before = {sent: signal.signal(sent, signal.SIG_IGN) for sent in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for sent, handler in before.items():
            signal.signal(sent, handler)
