"""A folder of this machine as the target: files are written beside it all and renamed, and removed last."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from site_builder.errors import Place, SiteError
from site_builder.project.config import Config, is_apart
from site_builder.publish.diff import RECORD, Difference, Found
from site_builder.publish.snapshot import Snapshot
from site_builder.storage import folder_transaction
from site_builder.storage.folder_transaction import Change, Staging, alone


@dataclass(frozen=True)
class Folder:
    """A folder apart from the project."""

    path: Path
    name: str
    extras: Mapping[str, bytes] = field(default_factory=dict)

    def finish(self) -> None:
        """Finish what a killed publishing began."""
        if folder_transaction.is_torn(os.fspath(self.path)):
            with _faults(self.path), alone(os.fspath(self.path)):
                folder_transaction.resume(os.fspath(self.path))

    def look(self, site: Snapshot) -> "SeenFolder":
        """The folder as it is now, compared with the site."""
        with _faults(self.path):
            return SeenFolder(self, self.compared(site))

    def compared(self, site: Snapshot) -> Found:
        """What is in it; nothing where there is no such folder yet."""
        there = frozenset(self._files())
        differing = frozenset(path for path in site.files & there if not self._has(path, site.read(path)))
        record = self.path / RECORD
        return Found(there - {RECORD}, differing, record.read_bytes() if RECORD in there else None)

    def _has(self, path: str, data: bytes) -> bool:
        file = self.path / path
        return (
            not file.is_symlink() and file.is_file() and file.stat().st_size == len(data) and file.read_bytes() == data
        )

    def _files(self) -> Iterator[str]:
        for inside, folders, files in os.walk(self.path, onerror=_raise):
            if inside == os.fspath(self.path):  # a clone keeps its history here, and a killed publishing its new files
                folders[:] = [name for name in folders if name not in (".git", folder_transaction.STAGING)]
            links = [name for name in folders if os.path.islink(f"{inside}/{name}")]
            for name in (*links, *files):
                yield os.path.relpath(f"{inside}/{name}", self.path).replace(os.sep, "/")


@dataclass(frozen=True)
class SeenFolder:
    """The folder as it was compared."""

    target: Folder
    found: Found

    def notes(self) -> list[str]:
        """What else the author should know."""
        if folder_transaction.is_torn(os.fspath(self.target.path)):
            return ["an earlier publishing was cut short there; publishing finishes it first"]
        return []

    def put(self, site: Snapshot, change: Difference) -> str:
        """Make the folder hold the site. Raises SiteError when it cannot be written."""
        folder = os.fspath(self.target.path)
        with _faults(self.target.path):
            self.target.path.mkdir(exist_ok=True)  # not those above it: a misspelt path should not make folders
            with alone(folder):
                if folder_transaction.is_torn(folder) or self.target.compared(site) != self.found:
                    fault = "somebody changed it meanwhile; nothing was published"
                    raise SiteError(Place(self.target.name), fault, "publish again")
                try:
                    self._replace(site, change, Staging(folder))
                finally:
                    if not folder_transaction.is_torn(folder):
                        folder_transaction.discard(folder)
        return ""

    def _replace(self, site: Snapshot, change: Difference, staging: Staging) -> None:
        """What pages need comes before them, what is not needed any more goes last, and the record after that."""
        paths = sorted({*change.added, *change.changed} - {RECORD}, key=lambda path: (_turn(path), path))
        moves = [(staging.put(site.read(path))[0], path) for path in paths]
        last = [(staging.put(change.record)[0], RECORD)]
        staging.replace(Change(moves, change.removed, last))


def folder_target(config: Config, folder: str) -> Folder:
    """The folder that the settings name. Raises SiteError for one with files of the project or the built site."""
    path = Path(os.path.abspath(config.root / os.path.expanduser(folder)))
    built = (config.root / config.settings.output).resolve()
    within = path.resolve().is_relative_to(built) or built.is_relative_to(path.resolve())
    if within or not is_apart(config.root, path):
        fault = f"publish.folder is {folder!r}, which holds files of the project itself or the built site"
        raise SiteError(config.reading.place("publish", "folder"), fault, "name a folder of its own, such as ../site")
    if not path.parent.is_dir():
        fault = f"publish.folder is {folder!r}, and there is no folder {path.parent}"
        raise SiteError(config.reading.place("publish", "folder"), fault, "make it, or correct the name")
    return Folder(path, f"folder {folder}")


def _turn(path: str) -> int:
    return 1 if path.endswith(".html") else 2 if path.endswith(".xml") else 0


@contextmanager
def _faults(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        place = Place(str(error.filename2 or error.filename or folder))
        raise SiteError(place, f"publishing failed: {error.strerror}", "see that it may be read and written") from error


def _raise(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error
