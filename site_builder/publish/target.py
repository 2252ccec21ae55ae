"""A target of publishing, and the snapshot that is put there: a copy of the verified site that nothing else changes."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from site_builder.errors import Place, SiteError, shown_path
from site_builder.publish.diff import TargetChanges, TargetFiles


@dataclass(frozen=True)
class Snapshot:
    """A folder, and the paths of the site's files in it."""

    folder: Path
    files: frozenset[str]

    def read(self, path: str) -> bytes:
        """The bytes of a file."""
        return (self.folder / path).read_bytes()

    def add(self, path: str, data: bytes) -> None:
        """Write one more file. Raises SiteError when that is not possible."""
        file = self.folder / path
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        except OSError as error:
            message = f"the copy that is published cannot be written: {error.strerror}; nothing was published"
            raise SiteError(Place(str(file)), message, "TMPDIR can name another folder for it") from error


class Target(ABC):
    """A place for the site. name: the place in words; extras: files that the site gets for it, by path."""

    def __init__(self, name: str, extras: Mapping[str, bytes] = MappingProxyType({})) -> None:
        self.name = name
        self.extras = extras

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
    snapshot = Snapshot(into, frozenset(digests))
    for path, digest in digests.items():
        try:
            data = (source / path).read_bytes()
        except OSError:
            data = None
        if data is None or hashlib.blake2b(data, digest_size=16).hexdigest() != digest:
            place = Place(shown_path(source / path, root))
            message = "it is not what was built any more: somebody changed it meanwhile; nothing was published"
            raise SiteError(place, message, "publish again, when nothing else builds")
        snapshot.add(path, data)
    return snapshot
