"""Pages -> the output folder: only what is new is rendered, and all of it replaced together or nothing."""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from site_builder.errors import WRITTEN, Place, SiteError, UnfinishedError, counted, errors_of, raise_all
from site_builder.storage import disk, folder_transaction
from site_builder.storage.disk import alone, is_torn
from site_builder.storage.file_fingerprints import Signature, signature
from site_builder.storage.folder_transaction import Move, Staging, TornError, folders_above, is_inside, staging

if TYPE_CHECKING:
    from site_builder.site.page import NewSite, Page

MANIFEST = ".puzzlepress.json"
_FORMAT = 1
_TORN = "build again, when it can be written: that completes the change, undoes it, or compares every file"

# A change to a file may keep its size, inode and mtime, but it always sets the ctime to the file system's clock. That
# clock ticks in milliseconds, so a change right after a stat could leave the ctime as it was ("racily clean" in git).
# Hence the signature of a file that was written or compared counts only if its ctime is older than one more tick of the
# clock. Every other file has this signature, which no file has.
_UNKNOWN: Signature = (0, 0, 0, 0)


@dataclass(frozen=True)
class WrittenFile:
    """What is known of one file of the output from the last build.

    key: of the page when it was last rendered, "" for unknown; digest: BLAKE2b of the bytes, 128 bits in hexadecimal.
    """

    key: str
    digest: str
    signature: Signature


@dataclass(frozen=True)
class OutputChanges:
    """How many files were written, kept as they were, and removed; and what is known now of each, by its path."""

    written: int
    kept: int
    removed: int
    after: dict[str, WrittenFile] = field(repr=False)


def write_site(
    pages: "Iterable[Page]",
    folder: Path,
    before: Mapping[str, WrittenFile] = MappingProxyType({}),
    step: Callable[[int], None] = lambda count: None,
    render: "Callable[[Page], bytes]" = lambda page: page.render(),
    check: "Callable[[NewSite], Iterable[SiteError]]" = lambda site: (),
) -> OutputChanges:
    """Make the folder hold these pages. Files in it that this tool did not write stay.

    before: `after` of an earlier build into this folder. A page whose key it has, and whose file nobody has touched
    since, is not rendered. Every other page is rendered, by `render`, before the first file of the site changes; step
    is called with the number of pages done, and check with the new site. A change that was cut short earlier is
    finished first. Two builds into one folder write one after the other. Raises SiteError, or a group of them, when
    pages cannot be rendered, when check finds some, when files of others are where they belong, or when the folder
    cannot be written.
    """
    root = os.fspath(folder)
    done: list[Any] = []
    with noting(done), _file_errors(root):
        disk.mkdir(os.path.abspath(root))
        with alone(root):
            folder_transaction.resume(root)
            with staging(root) as staged:
                return _write(_Comparison(root, before, render, staged), pages, step, check, done)


def is_current(folder: Path, path: str, key: str, known: WrittenFile | None) -> bool:
    """Whether a page of this key would not be rendered, as nobody has touched its file since it was."""
    return known is not None and known.signature == signature(f"{os.fspath(folder)}/{path}") and known.key == key != ""


def finish(folder: Path) -> bool:
    """Complete or undo the change that a killed build began in this folder. Raises SiteError.

    False where neither could be done: a part of the files is new, and nothing is known of any of them.
    """
    root = os.fspath(folder)
    if not is_torn(root):
        return True
    with _file_errors(root), alone(root):  # a build that is at work is no killed one
        return folder_transaction.resume(root)


def clean(folder: Path) -> int:
    """Remove the files that this tool wrote, and the folders that this leaves empty; how many files there were.

    Raises SiteError when the record of these files cannot be read, UnfinishedError when some cannot be removed.
    """
    root = os.fspath(folder)
    if not os.path.isdir(root):
        return 0
    with _file_errors(root), alone(root):
        folder_transaction.resume(root)
        ours = _read_manifest(root)
        if ours is None:
            fault = "the record of the files that this tool wrote cannot be read"
            raise SiteError(Place(f"{root}/{MANIFEST}"), fault, "delete the folder by hand, or build into it first")
        removed, left = 0, list[OSError]()
        for path in filter(is_inside, ours):
            try:
                removed += folder_transaction.remove(root, path)
            except OSError as error:
                left.append(error)
        if left:
            fault = f"it cannot be removed: {left[0].strerror}; {counted(removed, 'file')} removed, {len(left):,} left"
            raise UnfinishedError(Place(str(left[0].filename)), fault, "clean again, when they can be removed")
        if folder_transaction.remove(root, MANIFEST):
            with suppress(OSError):  # it holds files of others
                disk.rmdir(root)
    return removed


def _write(
    comparison: "_Comparison",
    pages: "Iterable[Page]",
    step: Callable[[int], None],
    check: "Callable[[NewSite], Iterable[SiteError]]",
    done: list[Any],
) -> OutputChanges:
    """Write the pages; `done` gets something once the site is changed."""
    comparison.add_pages(pages, step)
    raise_all(comparison.errors)
    raise_all(list(check(comparison)))
    after, staged, staging, ours = comparison.after, comparison.staged, comparison.staging, comparison.ours
    files = {path: file.digest for path, file in after.items()}
    gone = [path for path in ours or () if path not in files and is_inside(path)]
    moves = [(staged[path], path) for path in sorted(staged, key=write_order)]
    last: list[Move] = []
    # All files that may be there on the way are listed first, so that none of ours is ever taken for a foreign one.
    if (possible := {**(ours or {}), **files}) != ours:
        moves.insert(0, (staging.put(_manifest(possible))[0], MANIFEST))
    if possible != files:
        last.append((staging.put(_manifest(files))[0], MANIFEST))
    if moves or gone or last:
        staging.replace(moves, gone, last)
        done.append(moves)
    with suppress(OSError):  # the site is complete; a file without a signature is compared next time
        comparison.add_signatures()
    return OutputChanges(len(staged), len(after) - len(staged), len(gone), after)


def _manifest(files: Mapping[str, str]) -> bytes:
    return json.dumps({"format": _FORMAT, "files": files}, separators=(",", ":"), sort_keys=True).encode()


@contextmanager
def noting(done: Sequence[object]) -> Iterator[None]:
    """Note on an error or interrupt in the block that the site was written before, if there is something in `done`."""
    try:
        yield
    except BaseException as error:
        if done:
            error.add_note(WRITTEN)
        raise


def write_order(path: str) -> int:
    """Sort key: what pages need comes before them, and feeds and sitemaps after them."""
    return 1 if path.endswith(".html") else 2 if path.endswith(".xml") else 0


class _Comparison:
    """What the pages would change in a folder, and the new files, staged: their names by path.

    found: the status of each file that was staged, or that was read and holds the bytes of its page.
    """

    def __init__(
        self, root: str, before: Mapping[str, WrittenFile], render: "Callable[[Page], bytes]", staging: Staging
    ) -> None:
        self.root = root
        self.before = before
        self.render = render
        self.ours = _read_manifest(root)
        self.staging = staging
        self.after: dict[str, WrittenFile] = {}
        self.staged: dict[str, str] = {}
        self.found: dict[str, os.stat_result] = {}
        self.errors: list[SiteError] = []

    def add_pages(self, pages: "Iterable[Page]", step: Callable[[int], None]) -> None:
        """Compare every page; an unchanged one costs one `stat` of its file."""
        before, prefix = self.before, f"{self.root}/"
        count = reported = 0
        for count, page in enumerate(pages, 1):
            known, there = before.get(page.path), signature(prefix + page.path)
            if known is not None and known.signature == there and known.key == page.key != "":
                self.after[page.path] = known
            else:
                self._add(page, known, there)
                step(count - reported)
                reported = count
        step(count - reported)

    def _add(self, page: "Page", known: WrittenFile | None, there: Signature | None) -> None:
        """Render a page, and stage it if its file differs. there: the signature of its file."""
        path, data = page.path, self._rendered(page)
        if data is None:
            return
        digest = hashlib.blake2b(data, digest_size=16).hexdigest()
        if known is not None and known.signature == there and known.digest == digest:
            self.after[path] = WrittenFile(page.key, digest, known.signature)
            return
        self.after[path] = WrittenFile(page.key, digest, _UNKNOWN)
        if not self._holds(path, data):
            self.errors += _foreign(self.root, path, self.ours)
            if not self.errors:
                self.staged[path], self.found[path] = self.staging.put(data)

    def paths(self) -> Iterable[str]:
        return self.after

    def size(self, path: str) -> int:
        return self.found[path].st_size if path in self.found else self.after[path].signature[0]

    def read(self, path: str) -> bytes:
        return self.staging.read(self.staged[path]) if path in self.staged else Path(self.root, path).read_bytes()

    def _rendered(self, page: "Page") -> bytes | None:
        try:
            return self.render(page)
        except OSError as error:
            place = Place(str(error.filename or page.path))
            self.errors.append(SiteError(place, f"it cannot be read: {error.strerror}"))
        except (SiteError, ExceptionGroup) as error:
            if isinstance(error, ExceptionGroup) and error.split(SiteError)[1] is not None:
                raise
            self.errors += errors_of(error)
        return None

    def _holds(self, path: str, data: bytes) -> bool:
        """Whether the file holds these bytes."""
        try:
            with open(f"{self.root}/{path}", "rb", buffering=0) as file:
                found = os.fstat(file.fileno())
                if found.st_size != len(data) or file.read() != data:
                    return False
        except OSError:
            return False
        self.found[path] = found
        return True

    def add_signatures(self) -> None:
        """Add the signatures of files that were written or compared, once all are in their places."""
        now = self.staging.next_tick() if self.found else 0
        for path, before in self.found.items():
            size, mtime, ctime, inode = there = signature(f"{self.root}/{path}") or _UNKNOWN
            # A move changes the ctime and nothing else, unless another process has written the file since.
            if (size, mtime, inode) == (before.st_size, before.st_mtime_ns, before.st_ino) and ctime < now:
                self.after[path] = replace(self.after[path], signature=there)


def _foreign(root: str, path: str, ours: Mapping[str, str] | None) -> list[SiteError]:
    """An error for each file of others where a page belongs, above it or below.

    ours: None when the record cannot be read, and every file is taken to be the site's.
    """
    if ours is None:
        return []
    if os.path.isdir(f"{root}/{path}"):
        there = [f"{path}/{file}" for file in files_below(f"{root}/{path}")]
    else:
        there = [file for file in (*folders_above(path), path) if os.path.isfile(f"{root}/{file}")]
        there += [file for file in folders_above(path) if os.path.islink(f"{root}/{file}")]
    fault = "this file was not written by this tool, and a page of the site belongs there"
    cure = "choose another folder with --output, or move the file away"
    return [SiteError(Place(f"{root}/{file}"), fault, cure) for file in there if file not in ours]


def files_below(folder: str) -> Iterator[str]:
    """The paths of the files and links below a folder, without what publishing and version control keep in it."""
    for inside, folders, files in os.walk(folder, onerror=_raise):
        if inside == folder:
            folders[:] = [name for name in folders if name not in (".git", disk.STAGING)]
        links = [name for name in folders if os.path.islink(f"{inside}/{name}")]
        for name in (*links, *files):
            yield os.path.relpath(f"{inside}/{name}", folder).replace(os.sep, "/")


def _raise(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error


def _read_manifest(root: str) -> dict[str, str] | None:
    """The digests of the files that the last build wrote, by path; None when its record cannot be read.

    Raises SiteError where something of others has its name.
    """
    if os.path.islink(f"{root}/{MANIFEST}") or os.path.isdir(f"{root}/{MANIFEST}"):
        fault = "this was not written by this tool, which keeps the list of its files under this name"
        raise SiteError(Place(f"{root}/{MANIFEST}"), fault, "move it away")
    try:
        with open(f"{root}/{MANIFEST}", "rb") as file:
            read: Any = json.load(file)
        if read["format"] != _FORMAT:
            return None
        return dict(read["files"])
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError):
        return None


@contextmanager
def _file_errors(root: str) -> Iterator[None]:
    """Raise what the system refuses as a SiteError about the folder; as an UnfinishedError if it is half changed."""
    try:
        yield
    except OSError as error:
        place = Place(str(error.filename2 or error.filename or root))
        fault = f"it cannot be written: {error.strerror}"
        if isinstance(error, TornError):
            fault += f"; a part of the site in {root} is new, the rest is old"
            raise UnfinishedError(place, fault, _TORN) from error
        raise SiteError(place, fault, "see that there is room, and that it may be written; then build again") from error
