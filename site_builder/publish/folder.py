"""A folder of this machine as the target: files are written beside it all and renamed, and removed last."""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from site_builder.errors import Place, SiteError
from site_builder.pipeline.output import files_below, write_order
from site_builder.project.config import Config, is_apart
from site_builder.publish.diff import RECORD, Found, TargetChanges, widened_record
from site_builder.publish.target import Snapshot, Target
from site_builder.site.provenance import ANSWERS
from site_builder.storage import disk, folder_transaction
from site_builder.storage.disk import alone, is_torn
from site_builder.storage.folder_transaction import Staging, TornError, staging


class LocalFolder(Target):
    """A folder apart from the project."""

    def __init__(self, path: Path, name: str) -> None:
        super().__init__(name, {})
        self.path = path

    def finish(self) -> None:
        """Finish what a killed publishing began."""
        if os.path.lexists(self.path / disk.STAGING):
            with _file_errors(self.path), alone(os.fspath(self.path)):
                folder_transaction.resume(os.fspath(self.path))

    def compare(self, site: Snapshot) -> Found:
        """What is in it now; nothing where there is no such folder yet."""
        with _file_errors(self.path):
            return self._compared(site)

    def _compared(self, site: Snapshot) -> Found:
        if (self.path / RECORD).is_symlink():
            fault = "this was not written by publishing, which keeps the list of its files under this name"
            raise SiteError(Place(str(self.path / RECORD)), fault, "move it away")
        there = frozenset(files_below(os.fspath(self.path)))
        differing = frozenset(path for path in site.files & there if not self._has(path, site.read(path)))
        answers = None if (self.path / ANSWERS).is_symlink() else self._bytes(ANSWERS, there)
        return Found(there - {RECORD}, differing, self._bytes(RECORD, there), answers)

    def _bytes(self, path: str, there: Collection[str]) -> bytes | None:
        return (self.path / path).read_bytes() if path in there else None

    def _has(self, path: str, data: bytes) -> bool:
        file = self.path / path
        return (
            not file.is_symlink() and file.is_file() and file.stat().st_size == len(data) and file.read_bytes() == data
        )

    def notes(self) -> list[str]:
        """Whether an earlier publishing was cut short there."""
        if is_torn(os.fspath(self.path)):
            return ["an earlier publishing was cut short there; publishing finishes it first"]
        return []

    def put(self, site: Snapshot, changes: TargetChanges) -> str:
        """Make the folder hold the site. Raises SiteError when it cannot be written."""
        folder = os.fspath(self.path)
        with _file_errors(self.path):
            disk.mkdir(folder)
            with alone(folder):
                if is_torn(folder) or self._compared(site) != changes.found:
                    fault = "somebody changed it meanwhile; nothing was published"
                    raise SiteError(Place(self.name), fault, "publish again")
                with staging(folder) as staged:
                    self._replace(site, changes, staged)
        return ""

    def _replace(self, site: Snapshot, changes: TargetChanges, staging: Staging) -> None:
        """What pages need comes before them, what is not needed any more goes last, and the record after that."""
        paths = sorted({*changes.added, *changes.changed} - {RECORD}, key=lambda path: (write_order(path), path))
        # All files that may be there on the way are listed first, so that none of ours is ever taken for a foreign one.
        records = [widened_record(changes.found.record, changes.record), changes.record]
        first, last = [(staging.put(record)[0], RECORD) for record in records]
        moves = [(staging.put(site.read(path))[0], path) for path in paths]
        staging.replace([first, *moves], changes.removed, [last])


def folder_target(config: Config, folder: str) -> LocalFolder:
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
    return LocalFolder(path, f"folder {folder}")


@contextmanager
def _file_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        place = Place(str(error.filename2 or error.filename or folder))
        is_half = isinstance(error, TornError)
        state = "a part of the site there is new, the rest is old" if is_half else "nothing was changed"
        fault = f"publishing failed: {error.strerror}; {state}"
        raise SiteError(place, fault, "see that it may be read and written, and publish again") from error
