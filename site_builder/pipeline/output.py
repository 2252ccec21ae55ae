"""Pages -> the output folder: only what is new is rendered, and nothing changes before all errors are known."""

import errno
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from site_builder.errors import WRITTEN, Place, SiteError, UnfinishedError, errors_of, raise_all
from site_builder.pipeline import second_process
from site_builder.pipeline.last_build import WrittenFile
from site_builder.pipeline.search_index import ENTRY_FILES, FOLDER, IS_OLD, SearchIndex
from site_builder.storage.atomic_files import locked
from site_builder.storage.file_fingerprints import OutputSignature, output_signature, signature_of_output
from site_builder.storage.staging import (
    MANIFEST,
    Manifest,
    Staging,
    discard,
    file_errors,
    files_below,
    folders_above,
    is_inside,
    read_manifest,
    remove,
    staging,
)
from site_builder.values.digest import digest

if TYPE_CHECKING:
    from site_builder.site.model import Page


_CURE = "choose another folder with --output, or move the file away"
_MANY = 100  # pages to render that take longer than a second process does to begin


@dataclass(frozen=True)
class OutputChanges:
    """The numbers of files written, kept as they were, and removed.

    after: the record of each file now, by its path; rendered: the paths of pages that were rendered. is_indexed:
    whether the search index was made.
    """

    written: int
    kept: int
    removed: int
    after: dict[str, WrittenFile] = field(repr=False)
    rendered: frozenset[str] = frozenset()
    is_indexed: bool = False


class _NewFile(NamedTuple):
    """A page that was rendered, as a file. staged: its name among the staged files, empty where it lies in the folder.

    file: its record; None where there are errors.
    """

    file: WrittenFile | None = None
    staged: str = ""
    errors: Sequence[SiteError] = ()


def write_site(
    pages: "Iterable[Page]",
    folder: Path,
    before: Mapping[str, WrittenFile] = MappingProxyType({}),
    step: Callable[[int], None] = lambda count: None,
    index: SearchIndex | None = None,
    fork: Callable[[], int] | None = None,
) -> OutputChanges:
    """Make the folder hold these pages. Files in it that this tool did not write stay.

    before: `after` of an earlier build into this folder. A page whose key it has, and whose file nobody has touched
    since, is not rendered. Every other page is rendered before the first file of the site changes; step is called with
    the number of pages done. index: of the site, made after its pages are written; None for none. fork: makes a copy
    of this process, as `os.fork` does, which renders a part of many pages; None for one process. After a build that was
    cut short, every file is compared. Two builds into one folder write one after the other. Raises SiteError, or a
    group of them, when pages cannot be rendered, when files of others are where they belong, or when the folder cannot
    be written.
    """
    root, done = os.fspath(folder), list[OutputChanges]()
    with noting(done), file_errors(root):
        _make_folder(root)
        with locked(root), staging(root) as staged:
            done.append(_write(_Comparison(root, before, staged, fork), pages, step, index))
    return done[0]


@contextmanager
def noting(done: Sequence[OutputChanges]) -> Iterator[None]:
    """Note on an error or interrupt in the block that the site was written before, if there is something in `done`."""
    try:
        yield
    except BaseException as error:
        if done:
            error.add_note(WRITTEN)
        raise


def _make_folder(root: str) -> None:
    try:
        os.makedirs(root, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise SiteError(Place(root), "a file is where the folder of the site belongs", _CURE) from error


def clean(folder: Path) -> int:
    """Remove the files that this tool wrote, and the folders that this leaves empty; how many files there were.

    Raises SiteError when the record of these files cannot be read, UnfinishedError when some cannot be removed.
    """
    root = os.fspath(folder)
    if not os.path.isdir(root):
        return 0
    with file_errors(root), locked(root):
        discard(root)
        ours = read_manifest(root).files
        if ours is None:
            message = "the record of the files that this tool wrote cannot be read"
            raise SiteError(Place(f"{root}/{MANIFEST}"), message, "delete the folder by hand, or build into it first")
        with file_errors(root, f"a part of the site in {root} is removed"):
            removed = sum(remove(root, path) for path in filter(is_inside, ours))
            if remove(root, MANIFEST):
                with suppress(OSError):  # it holds files of others
                    os.rmdir(root)
    return removed


def _write(
    comparison: "_Comparison", pages: "Iterable[Page]", step: Callable[[int], None], index: SearchIndex | None
) -> OutputChanges:
    """Write the pages, and the index that is made from them."""
    comparison.add_pages(pages, step)
    raise_all(comparison.errors)
    is_indexed = index is not None and not comparison.keep(FOLDER, digest(index.inputs(comparison.digests)))
    if index is not None and is_indexed:
        _write_with_index(comparison, index)
    elif comparison.staged or comparison.manifest != Manifest(comparison.digests):
        _replace(comparison, comparison.digests)
    after, written = comparison.after, comparison.written
    kept, rendered = len(after) - written, frozenset(comparison.rendered)
    return OutputChanges(written, kept, comparison.removed, after, rendered, is_indexed)


def _write_with_index(comparison: "_Comparison", index: SearchIndex) -> None:
    """Put the pages into place, and then the index that is made from them. The manifest is unfinished in between."""
    root, ours = comparison.root, comparison.manifest.files
    raise_all([error for path in ENTRY_FILES for error in _foreign(root, path, ours)])
    old = {path: each for path, each in (ours or {}).items() if path.startswith(FOLDER)}
    inputs = index.inputs(comparison.digests)
    _replace(comparison, {**old, **comparison.digests}, is_finished=False)
    left = IS_OLD.format(root)
    with file_errors(root, left), index.files(root, inputs) as files:
        comparison.add_pages(files, lambda count: None)
        raise_all([UnfinishedError(each.place, f"{each.message}; {left}", each.cure) for each in comparison.errors])
        _replace(comparison, comparison.digests)


def _replace(comparison: "_Comparison", files: Mapping[str, str], is_finished: bool = True) -> None:
    """Put the staged files into place and remove those that are not among these.

    is_finished: whether the site is complete then, as the manifest says.
    """
    staged, ours = comparison.staged, comparison.manifest.files or {}
    manifest = Manifest(files, not is_finished)
    # All files that may be there on the way are listed, so that none of ours is ever taken for a foreign one.
    change = Manifest({**ours, **files}, is_unfinished=True).written(), manifest.written()
    moves = [(staged[path], path) for path in sorted(staged, key=write_order)]
    gone = [path for path in ours if path not in files and is_inside(path)]
    comparison.removed += comparison.staging.replace(MANIFEST, change, moves, gone)
    comparison.written += len(staged)
    comparison.manifest = manifest
    staged.clear()


def write_order(path: str) -> int:
    """Sort key: what pages need comes before them, and feeds and sitemaps after them."""
    return 1 if path.endswith(".html") else 2 if path.endswith(".xml") else 0


class _Comparison:
    """The changes that the pages would make in a folder, and the new files, staged: their names by path.

    rendered: the paths of pages that were rendered. written, removed: numbers of files that were, so far.
    """

    def __init__(
        self,
        root: str,
        before: Mapping[str, WrittenFile],
        staging: Staging,
        fork: Callable[[], int] | None,
    ) -> None:
        self.root = root
        self.manifest = read_manifest(root)
        self.before = {} if self.manifest.is_unfinished else before
        self.staging = staging
        self.fork = fork
        self.after: dict[str, WrittenFile] = {}
        self.staged: dict[str, str] = {}
        self.errors: list[SiteError] = []
        self.rendered: list[str] = []
        self.written = self.removed = 0

    @property
    def digests(self) -> dict[str, str]:
        """The digests of the files of the site, by path."""
        return {path: file.digest for path, file in self.after.items()}

    def keep(self, folder: str, key: str) -> bool:
        """Keep the files of a folder as the last build left them, if there are some that have this key."""
        known = {path: self._untouched(path) for path in self.before if path.startswith(folder)}
        found = {path: file for path, file in known.items() if file is not None and file.key == key}
        is_same = bool(found) and found.keys() == known.keys()
        self.after |= found if is_same else {}
        return is_same

    def _untouched(self, path: str) -> WrittenFile | None:
        """The record of a file that is as the last build left it."""
        known = self.before.get(path)
        return known if known is not None and known.signature == output_signature(f"{self.root}/{path}") else None

    def add_pages(self, pages: "Iterable[Page]", step: Callable[[int], None]) -> None:
        """Compare every page; an unchanged one costs one `stat` of its file."""
        pending: list[tuple[Page, WrittenFile | None]] = []
        for page in pages:
            known = self._untouched(page.path)
            if known is not None and known.key == page.key != "":
                self.after[page.path] = known
            else:
                pending.append((page, known))
        step(len(self.after))
        for (page, _), new in zip(pending, self._new_files(pending, step), strict=True):
            self.rendered.append(page.path)
            self.errors += new.errors
            if new.file is not None:
                self.after[page.path] = new.file
            if new.staged:
                self.staged[page.path] = new.staged

    def _new_files(
        self, pending: "Sequence[tuple[Page, WrittenFile | None]]", step: Callable[[int], None]
    ) -> Iterator[_NewFile]:
        """The pages as files, in their order; of many pages a second process renders a part."""
        if self.fork is None or len(pending) < _MANY:
            for each in pending:
                yield self._new_file(*each)
                step(1)
            return
        for page, _ in pending:
            _ = page.key  # made once, with what pages share, for both processes
        yield from second_process.share(len(pending), lambda number: self._new_file(*pending[number]), self.fork, step)

    def _new_file(self, page: "Page", known: WrittenFile | None) -> _NewFile:
        """Render a page, and stage it if its file differs. known: the record of its file, where that is untouched."""
        try:
            data = page.render()
        except OSError as error:
            place = Place(str(error.filename or page.path))
            return _NewFile(errors=[SiteError(place, f"it cannot be read: {error.strerror}")])
        except (SiteError, ExceptionGroup) as error:
            if isinstance(error, ExceptionGroup) and error.split(SiteError)[1] is not None:
                raise
            return _NewFile(errors=errors_of(error))
        digest, staged = hashlib.blake2b(data, digest_size=16).hexdigest(), ""
        if known is not None and known.digest == digest:
            return _NewFile(known._replace(key=page.key))
        signature = self._signature_if_held(page.path, data)
        if signature is None:
            if errors := _foreign(self.root, page.path, self.manifest.files):
                return _NewFile(errors=errors)
            staged, signature = self.staging.put(data)
        return _NewFile(WrittenFile(page.key, digest, *signature), staged)

    def _signature_if_held(self, path: str, data: bytes) -> OutputSignature | None:
        """The signature of the file if it holds these bytes. Raises OSError for a name that no file can have."""
        try:
            with open(f"{self.root}/{path}", "rb", buffering=0) as file:
                found = os.fstat(file.fileno())
                is_held = found.st_size == len(data) and file.read() == data
                return signature_of_output(found) if is_held else None
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:  # nor can it be written
                raise
            return None


def _foreign(root: str, path: str, ours: Mapping[str, str] | None) -> list[SiteError]:
    """An error for each file of others where a page belongs, above it or below, and for each link above it.

    ours: None when the record cannot be read, and every file is taken to be the site's.
    """
    above = folders_above(path)
    there = [file for file in above if os.path.islink(f"{root}/{file}")]
    if ours is not None and os.path.isdir(f"{root}/{path}"):
        there += [f"{path}/{file}" for file in files_below(f"{root}/{path}")]
    elif ours is not None:
        there += [file for file in (*above, path) if os.path.isfile(f"{root}/{file}") and file not in there]
    message = "this file was not written by this tool, and a page of the site belongs there"
    return [SiteError(Place(f"{root}/{file}"), message, _CURE) for file in there if file not in (ours or {})]
