"""The site as it was verified, in a folder of its own, where nothing can change it any more."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from site_builder.errors import Place, SiteError, shown_path

_FOLDER, _FILE, _PROGRAM = 0o755, 0o644, 0o755  # as web servers can read them, whatever the umask is


@dataclass(frozen=True)
class Snapshot:
    """A folder, and the paths of the site's files in it."""

    folder: Path
    files: frozenset[str]

    def read(self, path: str) -> bytes:
        """The bytes of a file."""
        return (self.folder / path).read_bytes()


def take(source: Path, digests: Mapping[str, str], into: Path, root: Path) -> Snapshot:
    """A snapshot of the built files whose digests are given, and of nothing else that lies among them.

    Raises SiteError when one of them is not what was built.
    """
    add_folder(into)
    for path, digest in digests.items():
        try:
            data = (source / path).read_bytes()
        except OSError:
            data = None
        if data is None or hashlib.blake2b(data, digest_size=16).hexdigest() != digest:
            place = Place(shown_path(source / path, root))
            fault = "it is not what was built any more: somebody changed it meanwhile; nothing was published"
            raise SiteError(place, fault, "publish again, when nothing else builds")
        add(into, path, data)
    return Snapshot(into, frozenset(digests))


def add(folder: Path, path: str, data: bytes, is_program: bool = False) -> None:
    """Write one more file."""
    file = folder / path
    add_folder(file.parent)
    file.write_bytes(data)
    os.chmod(file, _PROGRAM if is_program else _FILE)


def add_folder(folder: Path) -> None:
    """Make a folder that anybody can read, and those above it."""
    if not folder.is_dir():
        add_folder(folder.parent)
        folder.mkdir()
        os.chmod(folder, _FOLDER)
