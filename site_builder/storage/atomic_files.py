"""Write files of the project completely or not at all."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from site_builder.errors import Place, SiteError
from site_builder.storage import disk


def replace_file(path: Path, data: bytes) -> bool:
    """Write a file unless it holds these bytes already; whether it was written. Raises SiteError."""
    beside = path.with_name(f".{path.name}.new")
    try:
        with suppress(FileNotFoundError):
            if path.read_bytes() == data:
                return False
        disk.mkdir(str(path.parent))
        if os.path.lexists(beside):  # of a process that was killed
            disk.unlink(str(beside))
        try:
            disk.create(str(beside), data)
            disk.rename(str(beside), str(path))
        finally:
            if os.path.lexists(beside):
                disk.unlink(str(beside))
    except OSError as error:
        raise SiteError(Place(str(error.filename or path)), f"it cannot be written: {error.strerror}") from error
    return True


def make_files(root: Path, files: Mapping[str, bytes | Path], cure: str = "") -> None:
    """Write new files, or copies of files, by path below `root`: all of them, or none and no folder for them.

    Raises SiteError, with this cure, when one exists or cannot be written.
    """
    made: list[Path] = []
    try:
        for name, data in files.items():
            path = root / name
            for folder in reversed([each for each in path.parents if not each.exists()]):
                disk.mkdir(str(folder))
                made.append(folder)
            disk.create(str(path), data if isinstance(data, bytes) else data.read_bytes())  # never over another file
            made.append(path)
    except BaseException as error:
        for path in reversed(made):
            with suppress(OSError):
                disk.rmdir(str(path)) if path.is_dir() else disk.unlink(str(path))
        if not isinstance(error, OSError):
            raise
        raise SiteError(Place(name), f"it cannot be written: {error.strerror}", cure) from error
