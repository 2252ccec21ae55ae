"""A folder of this machine as the target: files are staged there and renamed, and removed last.

A publishing that was cut short needs nothing of the next one: that compares all files by their bytes anyway.
"""

import os
from pathlib import Path

from site_builder.errors import SiteError, UsageError
from site_builder.pipeline.output import write_order
from site_builder.project.config import Config, is_apart, is_within
from site_builder.publish.target import RECORD, Changes, Snapshot, Target, TargetFiles, load, read_record
from site_builder.site.provenance import ANSWERS
from site_builder.storage.staging import file_errors, files_below, staging


class LocalFolder(Target):
    """A folder apart from the project."""

    def __init__(self, path: Path, name: str) -> None:
        super().__init__(name)
        self.path = path

    def compare(self, site: Snapshot) -> TargetFiles:
        """The files that are in it now; none where there is no such folder yet."""
        with file_errors(os.fspath(self.path)):
            there = frozenset(files_below(os.fspath(self.path)))
            both = there.intersection(site.digests)
            differing = frozenset(path for path in both if load(self.path, path) != load(site.folder, path))
            record, answers = load(self.path, RECORD), load(self.path, ANSWERS)
            return TargetFiles(there - {RECORD}, differing, read_record(record), answers)

    def put(self, site: Snapshot, changes: Changes) -> None:
        """Make the folder hold the site. Raises SiteError when it cannot be written."""
        paths = sorted({*changes.added, *changes.changed} - {RECORD}, key=lambda path: (write_order(path), path))
        with file_errors(os.fspath(self.path)):
            self.path.mkdir(parents=True, exist_ok=True)
            with staging(os.fspath(self.path)) as staged:
                # What pages need is replaced before them; what is not needed any more goes after them.
                moves = [(staged.put((site.folder / path).read_bytes())[0], path) for path in paths]
                staged.replace(RECORD, changes.records, moves, changes.removed)


def local_folder(config: Config, folder: Path | str, option: str = "") -> LocalFolder:
    """The folder of config.yaml, or of an option. Raises SiteError or UsageError where the site cannot be put there."""
    path = Path(os.path.abspath(folder if option else config.root / folder))
    message, cure = _unusable(config, path, not option)
    if message and option:
        raise UsageError(f"{option} {folder}, {message}", cure)
    if message:
        message = f"publish.folder is {str(folder)!r}, {message}"
        raise SiteError(config.reading.place("publish", "folder"), message, cure)
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
