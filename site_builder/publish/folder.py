"""A folder of this machine as the target: files are staged there and renamed, and removed last.

A publishing that was cut short needs nothing of the next one: that compares all files by their bytes anyway.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from site_builder.errors import Place, SiteError, UsageError
from site_builder.pipeline.output import write_order
from site_builder.project.config import Config, is_apart, is_within
from site_builder.publish.diff import RECORD, TargetChanges, TargetFiles, read_record
from site_builder.publish.target import Snapshot, Target, bytes_in
from site_builder.site.provenance import ANSWERS
from site_builder.storage.staging import PartialChangeError, Staging, files_below, staging


class LocalFolder(Target):
    """A folder apart from the project."""

    def __init__(self, path: Path, name: str) -> None:
        super().__init__(name)
        self.path = path

    def compare(self, site: Snapshot) -> TargetFiles:
        """The files that are in it now; none where there is no such folder yet."""
        with _file_errors(self.path):
            there = frozenset(files_below(os.fspath(self.path)))
            differing = frozenset(path for path in site.files & there if bytes_in(self.path, path) != site.read(path))
            record, answers = bytes_in(self.path, RECORD), bytes_in(self.path, ANSWERS)
            return TargetFiles(there - {RECORD}, differing, read_record(record), answers)

    def put(self, site: Snapshot, changes: TargetChanges) -> str:
        """Make the folder hold the site. Raises SiteError when it cannot be written."""
        folder = os.fspath(self.path)
        with _file_errors(self.path):
            os.makedirs(folder, exist_ok=True)
            with staging(folder) as staged:
                self._replace(site, changes, staged)
        return ""

    def _replace(self, site: Snapshot, changes: TargetChanges, staging: Staging) -> None:
        """Replace files: what pages need before them, then what is not needed any more, and the record last."""
        paths = sorted({*changes.added, *changes.changed} - {RECORD}, key=lambda path: (write_order(path), path))
        first, last = [(staging.put(record)[0], RECORD) for record in changes.records]
        moves = [(staging.put(site.read(path))[0], path) for path in paths]
        staging.replace(first, moves, changes.removed, last)


def local_folder(config: Config, folder: Path | str, option: str = "") -> LocalFolder:
    """The folder of config.yaml, or of an option. Raises SiteError or UsageError where the site cannot be put there."""
    path = Path(os.path.abspath(folder if option else config.root / folder))
    message, cure = _unusable(config, path, not option)
    if message and option:
        raise UsageError(f"{option} {folder}, {message}", cure)
    if message:
        place = config.reading.place("publish", "folder")
        raise SiteError(place, f"publish.folder is {str(folder)!r}, {message}", cure)
    return LocalFolder(path, f"folder {folder}")


def _unusable(config: Config, path: Path, is_of_project: bool) -> tuple[str, str]:
    """Why the site cannot be published to a folder, and the cure; both empty where it can."""
    built = (config.root / config.settings.output).resolve()
    within = path.resolve().is_relative_to(built) or built.is_relative_to(path.resolve())
    if within or not is_apart(config.root, path):
        return "which holds files of the project itself or the built site", "name a folder of its own, such as public"
    if not path.parent.is_dir():
        return f"and there is no folder {path.parent}", "make it, or correct the name"
    if is_of_project and not is_within(config.root, path):
        words = os.path.relpath(path, config.root)
        return "which lies outside of the project", f"leave publish: out, and write publish --folder {words}"
    return "", ""


@contextmanager
def _file_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        place = Place(str(error.filename2 or error.filename or folder))
        is_half = isinstance(error, PartialChangeError)
        state = "a part of the site there is new, the rest is old" if is_half else "nothing was changed"
        message = f"publishing failed: {error.strerror}; {state}"
        raise SiteError(place, message, "see that it may be read and written, and publish again") from error
