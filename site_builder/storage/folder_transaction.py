"""Replace files of a folder together: stage them in a hidden folder, write a record, rename them into place.

Once all files are staged, the record lists where each belongs and what is removed. What a step replaces or removes is
set aside first. An error on the way undoes the steps that were done; a process that is killed leaves the record, and
the next one completes the change. A killed process loses nothing without fsync. A crash of the machine may cost a part
of the last build, which the next build detects; syncing every file would take seconds.

No step leads through a link, and nothing is deleted from the hidden folder that has none of the names given here.
"""

import errno
import json
import os
import re
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from site_builder.errors import Place, SiteError
from site_builder.storage import disk
from site_builder.storage.disk import RECORD, STAGING, UNDO, is_torn

_FORMAT = 2
_OURS = re.compile(r"(old-)?\d+|clock|record\.json|undo\.json")

Move = tuple[str, str]  # the name among the staged files, or "" for one that is removed, and the path in the folder


class TornError(OSError):
    """A change that an error stopped could not be undone either: a part of the files is new."""


class Staging:
    """New files of a folder until all are complete."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._is_made = False
        self._count = 0

    def put(self, data: bytes) -> tuple[str, os.stat_result]:
        """Stage a file; returns its name among the staged files, and its status."""
        self._count += 1
        name = str(self._count)
        return name, disk.create(self._path(name), data)

    def read(self, name: str) -> bytes:
        """The bytes of a staged file."""
        with open(self._path(name), "rb") as file:
            return file.read()

    def next_tick(self) -> int:
        """The file system's own time in nanoseconds, after its clock has ticked once more; waits at most 40 ms."""
        path = self._path("clock")
        before = now = disk.touch(path)
        end = time.monotonic() + 0.04
        while now == before and time.monotonic() < end:
            time.sleep(0.001)
            now = disk.touch(path)
        return now

    def replace(self, moves: Sequence[Move], gone: Sequence[str], last: Sequence[Move] = ()) -> None:
        """Move staged files into place in this order, then remove paths, then make the last moves.

        Raises OSError when that is not possible and nothing was changed, TornError when a part was.
        """
        steps = _in_order(moves, gone, last)
        name, _ = self.put(json.dumps({"format": _FORMAT, "steps": steps}, separators=(",", ":")).encode())
        with _undisturbed():
            disk.rename(self._path(name), f"{self._folder}/{RECORD}")
            _complete(self._folder, steps)
        self._is_made = False  # it is gone with what was in it

    def _path(self, name: str) -> str:
        if not self._is_made:
            disk.mkdir(f"{self._folder}/{STAGING}")
            self._is_made = True
        return f"{self._folder}/{STAGING}/{name}"


@contextmanager
def staging(folder: str) -> Iterator[Staging]:
    """New files of a folder. What an earlier process left there is deleted, and in the end what was not moved.

    Raises SiteError where something of others has the name of the folder for new files or lies in it.
    """
    discard(folder)
    try:
        yield Staging(folder)
    finally:
        if not is_torn(folder):
            with suppress(OSError):  # the next process deletes it
                discard(folder)


def resume(folder: str) -> bool:
    """Complete or undo a change that was begun, and delete what is left of it.

    False where neither could be done and its record was dropped: a part of the files is new. Raises SiteError as
    `staging` does, OSError when what is left cannot be deleted.
    """
    _staged(folder)
    is_done = _completed_or_undone(folder) if is_torn(folder) else True
    discard(folder)
    return is_done


def discard(folder: str) -> None:
    """Delete what is staged, the record first. Raises SiteError for what others put there."""
    for name in sorted(_staged(folder), reverse=True):  # undo.json, record.json, old-1, clock, 1
        disk.unlink(f"{folder}/{STAGING}/{name}")
    if os.path.isdir(f"{folder}/{STAGING}"):
        disk.rmdir(f"{folder}/{STAGING}")


def remove(folder: str, path: str) -> bool:
    """Remove a file and the folders that it leaves empty; whether it was there.

    A folder in its place is left alone, and so is what is behind a link in place of a folder above it.
    """
    if not _is_plain(folder, path):
        return False
    was_there = _is_file(f"{folder}/{path}")
    if was_there:
        disk.unlink(f"{folder}/{path}")
    _remove_empty(folder, path)
    return was_there


def is_inside(path: str) -> bool:
    """Whether a recorded path lies in the folder."""
    return bool(path) and not os.path.isabs(path) and ".." not in path.replace("\\", "/").split("/")


def folders_above(path: str) -> list[str]:
    """The folders that a path lies in: posts and posts/x for posts/x/index.html."""
    return [path[:end] for end, sign in enumerate(path) if sign == "/"]


def _staged(folder: str) -> set[str]:
    """The names of what is staged. Raises SiteError for what others put there."""
    inside = f"{folder}/{STAGING}"
    if os.path.islink(inside) or os.path.isfile(inside):
        raise _foreign(inside)
    try:
        with os.scandir(inside) as entries:
            for entry in (found := list(entries)):
                is_ours = _OURS.fullmatch(entry.name) and not entry.is_dir(follow_symlinks=False)
                if not is_ours or (entry.is_symlink() and not entry.name.startswith("old-")):
                    raise _foreign(entry.path)
            return {entry.name for entry in found}
    except FileNotFoundError:
        return set()


def _foreign(path: str) -> SiteError:
    fault = "this was not written by this tool, which keeps new files under this name until they are complete"
    return SiteError(Place(path), fault, "move it away")


def _in_order(moves: Sequence[Move], gone: Sequence[str], last: Sequence[Move]) -> list[Move]:
    """The steps of a change. Files in whose place a folder comes, or the other way round, are removed first."""
    files = {path for _, path in moves} if gone else set()
    folders = {above for path in files for above in folders_above(path)}
    first = [path for path in gone if path in folders or not files.isdisjoint(folders_above(path))]
    rest = set(gone).difference(first)
    return [*(("", path) for path in first), *moves, *(("", path) for path in gone if path in rest), *last]


def _read_record(file: str) -> list[Move] | None:
    """The steps of the change that was begun; None when its record cannot be read."""
    try:
        with open(file, "rb") as opened:
            read: Any = json.load(opened)
        if read["format"] != _FORMAT:
            return None
        steps = [(str(name), str(path)) for name, path in read["steps"]]
    except (ValueError, KeyError, TypeError):
        return None
    return steps if all(is_inside(path) and (not name or _OURS.fullmatch(name)) for name, path in steps) else None


def _completed_or_undone(folder: str) -> bool:
    """Complete or undo the change of the record; whether one of the two was possible."""
    is_undone = os.path.exists(f"{folder}/{UNDO}")
    steps = _read_record(f"{folder}/{UNDO if is_undone else RECORD}")
    if steps is None:
        return False
    with _undisturbed():
        try:
            (_undo if is_undone else _complete)(folder, steps)
        except TornError:
            return False
        except OSError:  # it was undone instead
            pass
    return True


def _complete(folder: str, steps: Sequence[Move]) -> None:
    """Take all steps from the first; those that are done are skipped. After an error undo them, and raise it.

    A step is done when its staged file is gone or, for a removal, when the removed file was set aside.
    """
    try:
        staged, there = _staged(folder), {folder}
        for number, (name, path) in enumerate(steps):
            old = f"{folder}/{STAGING}/old-{number}"
            if not name:
                _set_aside(folder, path, old)
            elif name in staged:
                _move(folder, name, path, old, there)
        disk.unlink(f"{folder}/{RECORD}")
    except OSError as error:
        try:
            disk.rename(f"{folder}/{RECORD}", f"{folder}/{UNDO}")
            _undo(folder, steps)
        except OSError as second:
            raise TornError(error.errno, error.strerror, error.filename, None, error.filename2) from second
        raise
    with suppress(OSError):  # the change is made; the next process deletes what is left
        discard(folder)


def _undo(folder: str, steps: Sequence[Move]) -> None:
    """Take all steps back from the last. Raises TornError when that is not possible.

    As a staged file returns to its place before what it replaced does, this may be cut short and begun again.
    """
    try:
        staged = _staged(folder)
        for number, (name, path) in reversed(list(enumerate(steps))):
            target, old = f"{folder}/{path}", f"old-{number}"
            if name and name not in staged and _is_plain(folder, path) and _is_file(target):
                disk.rename(target, f"{folder}/{STAGING}/{name}")
            if old in staged:
                _make_folder(os.path.dirname(target), {folder})
                disk.rename(f"{folder}/{STAGING}/{old}", target)
            elif name:
                _remove_empty(folder, path)
        disk.unlink(f"{folder}/{UNDO}")
    except OSError as error:
        raise TornError(error.errno, error.strerror, error.filename) from error
    with suppress(OSError):
        discard(folder)


def _set_aside(folder: str, path: str, old: str) -> None:
    """Remove a file, and keep it as `old`; see `remove`."""
    if _is_plain(folder, path):
        if _is_file(f"{folder}/{path}"):
            disk.rename(f"{folder}/{path}", old)
        _remove_empty(folder, path)


def _move(folder: str, name: str, path: str, old: str, there: set[str]) -> None:
    """Move a staged file into place, and keep what it replaces as `old`."""
    target = f"{folder}/{path}"
    _make_folder(os.path.dirname(target), there)
    try:
        disk.link(target, old)  # so that readers find one of the two at any time
    except (FileNotFoundError, FileExistsError):  # there is nothing to keep, or it is kept already
        pass
    except OSError:
        if _is_file(target):  # on a file system without links
            disk.rename(target, old)
        else:
            for inside, _, _ in os.walk(target, topdown=False):  # made by hand, and empty, or it stops here
                disk.rmdir(inside)
    disk.rename(f"{folder}/{STAGING}/{name}", target)


def _make_folder(path: str, there: set[str]) -> None:
    """Make a folder. there: folders known to exist and to be no links."""
    if path in there:
        return
    _make_folder(os.path.dirname(path), there)
    if os.path.islink(path):
        raise NotADirectoryError(errno.ENOTDIR, "this is a link, and the builder follows none", path)
    disk.mkdir(path)
    there.add(path)


def _remove_empty(folder: str, path: str) -> None:
    """Remove the folders above a path that are empty."""
    for above in reversed(folders_above(path)):
        try:
            disk.rmdir(f"{folder}/{above}")
        except FileNotFoundError:  # deleted by hand; one above it may be empty still
            pass
        except OSError:
            break


def _is_plain(folder: str, path: str) -> bool:
    """Whether no folder above a path is a link."""
    return not any(os.path.islink(f"{folder}/{above}") for above in folders_above(path))


def _is_file(path: str) -> bool:
    """Whether there is a file or link."""
    return os.path.lexists(path) and (os.path.islink(path) or not os.path.isdir(path))


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
