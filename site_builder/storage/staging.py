"""Replace many files of a folder: all are staged in a hidden folder of it, then renamed into place one by one.

One of the files, the manifest, is the record of all that builds wrote. It says first that the change is unfinished,
and last that it is finished. An error or a kill on the way leaves every file whole, old or new; the next process stages
what still differs, and completes the change. A killed process loses nothing without fsync. A crash of the machine may
cost files of the last change, which the next one replaces; syncing every file would take seconds.

The caller makes sure that no path leads through a link.
"""

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from site_builder.errors import Place, SiteError, StoppedError, UnfinishedError
from site_builder.storage.atomic_files import create_file
from site_builder.storage.file_fingerprints import OutputSignature, signature_of_output

STAGING = ".puzzlepress-new"  # the hidden folder
MANIFEST = ".puzzlepress.json"
_FORMAT = 1
_CURE = "see that there is room, and that it may be written; then run the same command again"
_STAGED = re.compile(r"(\d+-)?\d+")

Move = tuple[str, str]  # the name among the staged files, and the path in the folder


@dataclass(frozen=True)
class Manifest:
    """The files of a site.

    files: their digests by path, None where the record cannot be read. is_unfinished: a build was cut short while it
    changed them, or the record cannot be read.
    """

    files: Mapping[str, str] | None
    is_unfinished: bool = False

    def written(self) -> bytes:
        """The manifest as a file."""
        plain = {"format": _FORMAT, "files": self.files} | ({"unfinished": True} if self.is_unfinished else {})
        return json.dumps(plain, separators=(",", ":"), sort_keys=True).encode()


def read_manifest(root: str) -> Manifest:
    """The manifest of a folder; an empty one where there is none.

    Raises SiteError where something of others has its name.
    """
    file = f"{root}/{MANIFEST}"
    if os.path.islink(file) or os.path.isdir(file):
        message = "this was not written by this tool, which keeps the list of its files under this name"
        raise SiteError(Place(file), message, "move it away")
    try:
        with open(file, "rb") as opened:
            read: Any = json.load(opened)
        if read["format"] == _FORMAT:
            return Manifest(dict(read["files"]), "unfinished" in read)
    except (FileNotFoundError, NotADirectoryError):
        return Manifest({})
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return Manifest(None, is_unfinished=True)


@contextmanager
def file_errors(folder: str, left: str = "") -> Iterator[None]:
    """Raise what the system refuses as a SiteError about the folder.

    left: the state of a folder of which a part is changed; an UnfinishedError describes it, of Ctrl-C a StoppedError.
    """
    try:
        yield
    except OSError as error:
        place = Place(str(error.filename2 or error.filename or folder))
        message = f"it cannot be written: {error.strerror}; {left or 'nothing was changed'}"
        raise (UnfinishedError if left else SiteError)(place, message, _CURE) from error
    except KeyboardInterrupt as error:
        if not left:
            raise
        raise StoppedError(f"Interrupted; {left}. The same command completes the change.") from error


class Staging:
    """New files of a folder until all are complete."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._count = 0

    def put(self, data: bytes) -> tuple[str, OutputSignature]:
        """Stage a file; returns its name among the staged files, and its signature, which it keeps when it is moved."""
        if not self._count:
            os.makedirs(self._path(), exist_ok=True)
        self._count += 1
        name = f"{os.getpid()}-{self._count}"  # a copy of this process may stage files too
        return name, signature_of_output(create_file(self._path(name), data))

    def replace(self, record: str, change: tuple[bytes, bytes], moves: Sequence[Move], gone: Collection[str]) -> int:
        """Move staged files into place in this order, then remove what is gone; returns how many files that were.

        record: the path of the record; change: what it holds while the change is unfinished, and then. Raises OSError
        when nothing was changed, UnfinishedError or StoppedError when a part was.
        """
        first, last = (self.put(data)[0] for data in change)
        self._move(first, record)
        with file_errors(self._folder, f"a part of the site in {self._folder} is new, the rest is old"):
            removed = sum(remove(self._folder, path) for path in _in_the_way(moves, gone))
            for name, path in moves:
                self._move(name, path)
            removed += sum(remove(self._folder, path) for path in gone)
            self._move(last, record)
        return removed

    def _move(self, name: str, path: str) -> None:
        """Move a staged file into place; the folders above it are made, an empty folder in its place is removed."""
        staged, target = self._path(name), f"{self._folder}/{path}"
        try:
            os.replace(staged, target)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.replace(staged, target)
        except IsADirectoryError:
            for inside, _, _ in os.walk(target, topdown=False):
                os.rmdir(inside)
            os.replace(staged, target)

    def _path(self, name: str = "") -> str:
        return os.path.join(self._folder, STAGING, name)


@contextmanager
def staging(folder: str) -> Iterator[Staging]:
    """New files of a folder. What a killed process left there is deleted, and in the end what was not moved.

    Raises SiteError where something of others has the name of the folder for new files.
    """
    discard(folder)
    try:
        yield Staging(folder)
    finally:
        with suppress(OSError):  # the next process deletes it
            discard(folder)


def discard(folder: str) -> None:
    """Delete what is staged. Raises SiteError for a link or file of others in the place of its folder."""
    inside = f"{folder}/{STAGING}"
    if os.path.islink(inside) or os.path.isfile(inside):
        message = "this was not written by this tool, which keeps new files under this name until they are complete"
        raise SiteError(Place(inside), message, "move it away")
    if os.path.isdir(inside):
        with os.scandir(inside) as entries:
            found = [each.path for each in entries if _STAGED.fullmatch(each.name) and each.is_file()]
        for path in found:
            os.unlink(path)
        with suppress(OSError):  # others have put something there
            os.rmdir(inside)


def remove(folder: str, path: str) -> bool:
    """Remove a file and the folders that it leaves empty; returns whether it was there.

    A folder in its place is left alone, and so is what is behind a link in place of a folder above it.
    """
    above = [f"{folder}/{each}" for each in reversed(folders_above(path))]
    if any(map(os.path.islink, above)):
        return False
    file = f"{folder}/{path}"
    was_there = os.path.islink(file) or os.path.isfile(file)
    if was_there:
        os.unlink(file)
    for each in above:
        try:
            os.rmdir(each)
        except FileNotFoundError:  # deleted by hand; one above it may be empty still
            pass
        except OSError:
            break
    return was_there


def files_below(folder: str) -> Iterator[str]:
    """The paths of the files and links below a folder, without what publishing and version control keep in it."""
    for inside, folders, files in os.walk(folder, onerror=_raise):
        if inside == folder:
            folders[:] = [name for name in folders if name not in (".git", STAGING)]
        links = [name for name in folders if os.path.islink(f"{inside}/{name}")]
        for name in (*links, *files):
            yield os.path.relpath(f"{inside}/{name}", folder)


def is_inside(path: str) -> bool:
    """Return whether a recorded path lies in the folder."""
    return bool(path) and not os.path.isabs(path) and ".." not in path.replace("\\", "/").split("/")


def folders_above(path: str) -> list[str]:
    """The folders that a path lies in: posts and posts/x for posts/x/index.html."""
    return [path[:end] for end, sign in enumerate(path) if sign == "/"]


def _raise(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error


def _in_the_way(moves: Sequence[Move], gone: Collection[str]) -> list[str]:
    """The files of `gone` where a new file needs a folder, or that lie in a folder where a new file belongs."""
    files = {path for _, path in moves} if gone else set()
    folders = {above for path in files for above in folders_above(path)}
    return [path for path in gone if path in folders or not files.isdisjoint(folders_above(path))]
