"""Write files of the project completely or not at all."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from site_builder.errors import Place, SiteError


def replace_file(path: Path, data: bytes) -> bool:
    """Write a file unless it holds these bytes already; whether it was written. Raises SiteError."""
    beside = path.with_name(f".{path.name}.new")
    try:
        with suppress(FileNotFoundError):
            if path.read_bytes() == data:
                return False
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            beside.write_bytes(data)
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise SiteError(Place(str(error.filename or path)), f"it cannot be written: {error.strerror}") from error
    return True


def make_files(root: Path, files: Mapping[str, bytes]) -> None:
    """Write new files, by path below `root`: all or none. Raises SiteError when one exists or cannot be written."""
    made: list[Path] = []
    try:
        for name, data in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:  # never over a file that appeared just now
                made.append(path)
                file.write(data)
    except OSError as error:
        for path in made:
            path.unlink(missing_ok=True)
        raise SiteError(Place(name), f"it cannot be written: {error.strerror}") from error
