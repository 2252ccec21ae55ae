"""Targets of publishing, and the snapshot that is put there: a copy of the verified site that nothing else changes."""

import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_builder.errors import Place, PostError, SiteError, shown_path
from site_builder.extension import Registration, guarded
from site_builder.project.publish_settings import FOLDER
from site_builder.publish.diff import TargetChanges, TargetFiles
from site_builder.publish.programs import failed, run
from site_builder.site.provenance import ANSWERS
from site_builder.storage.atomic_files import make_files, replace_file
from site_builder.storage.manifest import MANIFEST, Manifest, read_manifest
from site_builder.values.digest import bytes_digest, digest


@dataclass(frozen=True)
class Snapshot:
    """A folder with the files of the site, and their digests by path."""

    folder: Path
    digests: Mapping[str, str]

    @property
    def files(self) -> frozenset[str]:
        """Their paths."""
        return frozenset(self.digests)

    def read(self, path: str) -> bytes:
        """The bytes of a file."""
        return (self.folder / path).read_bytes()

    def write(self, path: str, data: bytes) -> None:
        """Put a file of publishing beside those of the site."""
        (self.folder / path).write_bytes(data)


class Target(ABC):
    """A place for the site. name: the place in words."""

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def compare(self, site: Snapshot) -> TargetFiles:
        """Compare it with the site, and change nothing. Raises SiteError."""

    @abstractmethod
    def put(self, site: Snapshot, changes: TargetChanges) -> str:
        """Put the site there, after `compare`; its name there, if it has one. Raises SiteError."""


def take_snapshot(source: Path, digests: Mapping[str, str], into: Path, root: Path) -> Snapshot:
    """A snapshot of the built files whose digests are given, and of no others in the folder.

    Raises SiteError when one of them is not what was built.
    """
    snapshot = Snapshot(into, digests)
    into.mkdir()
    make_files(into, {path: source / path for path in digests}, "TMPDIR names the folder for a copy of the site")
    for path, found in digests.items():
        if bytes_digest(snapshot.read(path)) != found:
            place = Place(shown_path(source / path, root))
            message = "it is not what was built any more: somebody changed it meanwhile; nothing was published"
            raise SiteError(place, message, "publish again, when nothing else builds")
    return snapshot


def bytes_in(folder: Path, path: str) -> bytes | None:
    """The bytes of a file of a folder; None where it is no file, or a link."""
    file = folder / path
    return file.read_bytes() if file.is_file() and not file.is_symlink() else None


class RecordedTarget(Target):
    """A target that only a program or an extension can reach: what it holds is known from what was put there last.

    A manifest of its files, and the published answers, are kept in the cache's folder of the project. Where they are
    lost, all files count as new ones. put_site: puts the whole site there, and is given its folder.
    """

    def __init__(self, name: str, root: Path, put_site: Callable[[Path], None]) -> None:
        super().__init__(name)
        self._put_site = put_site
        self._known = root / ".store" / "published" / digest(name)

    def compare(self, site: Snapshot) -> TargetFiles:
        """Compare the site with what was put there last."""
        files = read_manifest(str(self._known)).files or {}
        differing = {path for path in site.files & files.keys() if files[path] != site.digests[path]}
        there = frozenset(files)
        return TargetFiles(there, frozenset(differing), there or None, bytes_in(self._known, ANSWERS))

    def put(self, site: Snapshot, changes: TargetChanges) -> str:
        """Put the site there, and remember what it holds. Raises SiteError where the function fails."""
        self._put_site(site.folder)
        replace_file(self._known / ANSWERS, site.read(ANSWERS) if ANSWERS in site.files else b"")
        replace_file(self._known / MANIFEST, Manifest(site.digests).written())
        return ""


def command_target(root: Path, command: str) -> RecordedTarget:
    """The target of `publish: {command: ...}`, run in the project without a shell."""
    words = shlex.split(command)

    def put(folder: Path) -> None:
        ran = run(root, *(word.replace(FOLDER, str(folder)) for word in words))
        if ran.returncode:
            cure = "try the command by hand, with the folder _site in place of {folder}"
            raise failed(words[0], f"it ended with status {ran.returncode}", ran, cure)

    return RecordedTarget(f"command {words[0]}", root, put)


def extension_target(root: Path, registration: Registration, value: Any) -> RecordedTarget:
    """The target that an extension has registered. value: what config.yaml says of it."""
    publish = guarded("target", registration)

    def put(folder: Path) -> None:
        try:
            publish(folder, value)
        except PostError as error:
            raise SiteError(Place("config.yaml"), error.message, "mend the extension, then publish again") from error

    return RecordedTarget(f"{registration.name} {value}", root, put)
