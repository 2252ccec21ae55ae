"""Pages -> the output folder: what is new beside the old first, then renamed into place, then what is gone removed."""

import hashlib
import json
import os
import shutil
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from site_builder.errors import Place, SiteError
from site_builder.pages import Page

_MANIFEST = ".puzzlepress.json"
_STAGING = ".puzzlepress-new"
_FORMAT = 1


@dataclass(frozen=True)
class Written:
    """What became of the files: how many were written, kept as they were, and removed."""

    written: int
    kept: int
    removed: int


def write_site(pages: Sequence[Page], folder: Path) -> Written:
    """Make the folder hold these pages. Files in it that this tool did not write stay.

    Everything is rendered before the first file of the site changes. Raises SiteError when a foreign file stands where
    a page belongs, or when the folder cannot be written. Two builds into one folder write one after the other.
    """
    try:
        return _write(pages, folder)
    except OSError as error:
        raise SiteError(Place(str(error.filename or folder)), f"it cannot be written: {error.strerror}") from error


def _write(pages: Sequence[Page], folder: Path) -> Written:
    folder.mkdir(parents=True, exist_ok=True)
    staging = folder / _STAGING
    with _alone(folder):
        try:
            return _replace(pages, folder, staging)
        finally:
            shutil.rmtree(staging, ignore_errors=True)


def _replace(pages: Sequence[Page], folder: Path, staging: Path) -> Written:
    shutil.rmtree(staging, ignore_errors=True)  # what a killed build left
    before = _read_manifest(folder)
    after: dict[str, str] = {}
    changed = []
    for page in pages:
        data = page.render()
        after[page.path] = hashlib.blake2b(data, digest_size=16).hexdigest()
        if _holds(folder / page.path, data):
            continue
        _refuse_foreign(folder, page.path, before)
        _put(staging / page.path, data)
        changed.append(page.path)
    gone = [path for path in before or () if path not in after]
    with _undisturbed():
        _move(changed, gone, folder, staging)
        _record(after, folder, staging)
    return Written(len(changed), len(pages) - len(changed), len(gone))


def _move(changed: Sequence[str], gone: Sequence[str], folder: Path, staging: Path) -> None:
    """Changed files into place, what pages need before the pages; then those away that are no more."""
    if changed:  # should this be cut short, the next build knows these files as its own
        _record((_read_manifest(folder) or {}) | dict.fromkeys(changed, ""), folder, staging)
    files, folders = set(changed), {above for path in changed for above in _above(path)}
    in_the_way = [path for path in gone if path in folders or not files.isdisjoint(_above(path))]
    for path in in_the_way:  # a file where a folder comes, or the other way round
        _remove(folder, path)
    for path in sorted(changed, key=lambda path: path.endswith(".html")):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        os.replace(staging / path, folder / path)
    for path in sorted(set(gone).difference(in_the_way)):
        _remove(folder, path)


def _above(path: str) -> list[str]:
    """The folders that a path lies in."""
    return [str(parent) for parent in PurePosixPath(path).parents]


def _record(files: Mapping[str, str], folder: Path, staging: Path) -> None:
    manifest = json.dumps({"format": _FORMAT, "files": files}, indent=0, sort_keys=True) + "\n"
    if not _holds(folder / _MANIFEST, manifest.encode()):
        _put(staging / _MANIFEST, manifest.encode())
        os.replace(staging / _MANIFEST, folder / _MANIFEST)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One build at a time writes into a folder: another one waits here until it has ended, however it ends."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system
        yield
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C and the like have no effect meanwhile: a site of which half is replaced is none."""
    if threading.current_thread() is not threading.main_thread():  # they interrupt the main thread alone
        yield
        return
    before = {sent: signal.signal(sent, signal.SIG_IGN) for sent in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for sent, handler in before.items():
            signal.signal(sent, handler)


def _read_manifest(folder: Path) -> dict[str, str] | None:
    """The files that the last build wrote; None when its record cannot be read."""
    try:
        read: Any = json.loads((folder / _MANIFEST).read_text("utf-8"))
        if read["format"] != _FORMAT:
            return None
        return {path: digest for path, digest in read["files"].items() if _is_inside(path)}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _is_inside(path: str) -> bool:
    """Whether a recorded path lies in the folder of the site."""
    return not PurePosixPath(path).is_absolute() and ".." not in PurePosixPath(path).parts


def _refuse_foreign(folder: Path, path: str, ours: Mapping[str, str] | None) -> None:
    """ours: None when nobody knows any more, and the folder is taken to be the site's."""
    if ours is None:
        return
    target = folder / path
    below = target.rglob("*") if target.is_dir() else ()
    for file in (target, *target.parents, *below):
        if file.is_file() and file.relative_to(folder).as_posix() not in ours:
            fault = "this file was not written by this tool, and a page of the site belongs there"
            raise SiteError(Place(str(file)), fault, "choose another folder with --output, or move the file away")


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _remove(folder: Path, path: str) -> None:
    target = folder / path
    target.unlink(missing_ok=True)
    for parent in target.parents:
        if parent == folder:
            break
        if parent.is_dir():  # else it was deleted by hand
            if any(parent.iterdir()):
                break
            parent.rmdir()
