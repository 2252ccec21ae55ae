"""Pages -> the output folder: what is new beside the old first, then renamed into place, then what is gone removed."""

import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
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
    a page belongs, or when the folder cannot be written.
    """
    try:
        return _write(pages, folder)
    except OSError as error:
        raise SiteError(Place(str(error.filename or folder)), f"it cannot be written: {error.strerror}") from error


def _write(pages: Sequence[Page], folder: Path) -> Written:
    folder.mkdir(parents=True, exist_ok=True)
    staging = folder / _STAGING
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
    for path in sorted(changed, key=lambda path: path.endswith(".html")):  # what pages need is there before them
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        os.replace(staging / path, folder / path)
    gone = [path for path in before if path not in after]
    for path in gone:
        _remove(folder, path)
    manifest = json.dumps({"format": _FORMAT, "files": after}, indent=0, sort_keys=True) + "\n"
    if not _holds(folder / _MANIFEST, manifest.encode()):
        _put(staging / _MANIFEST, manifest.encode())
        os.replace(staging / _MANIFEST, folder / _MANIFEST)
    return Written(len(changed), len(pages) - len(changed), len(gone))


def _read_manifest(folder: Path) -> dict[str, str]:
    """The files that the last build wrote; none when there was no build, or its record cannot be read."""
    try:
        read: Any = json.loads((folder / _MANIFEST).read_text("utf-8"))
        return dict(read["files"]) if read["format"] == _FORMAT else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _refuse_foreign(folder: Path, path: str, ours: dict[str, str]) -> None:
    if (folder / path).exists() and path not in ours and not _is_ours_by_look(folder):
        fault = "this file was not written by this tool, and a page of the site belongs there"
        raise SiteError(Place(str(folder / path)), fault, "choose another folder with --output, or move the file away")


def _is_ours_by_look(folder: Path) -> bool:
    """Whether the folder has a record of ours; one that is damaged lets us write over what it listed."""
    return (folder / _MANIFEST).exists()


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
        if parent == folder or any(parent.iterdir()):
            break
        parent.rmdir()
