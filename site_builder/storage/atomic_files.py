"""Write files of the project completely or not at all, one process at a time."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from site_builder.errors import Place, SiteError


def create_file(path: str, data: bytes) -> os.stat_result:
    """Write a new file, whole or not at all; returns its status. Raises FileExistsError for one that is there."""
    with open(path, "xb", buffering=0) as file:
        try:
            left = memoryview(data)
            while left:
                left = left[file.write(left) :]
            return os.fstat(file.fileno())
        except BaseException as error:  # also Ctrl-C
            if isinstance(error, OSError):
                error.filename = error.filename or path  # a write does not say to which file
            with suppress(OSError):
                os.unlink(path)
            raise


def replace_file(path: Path, data: bytes) -> bool:
    """Write a file unless it holds these bytes already; returns whether it was written. Raises SiteError."""
    beside = path.with_name(f".{path.name}.new")
    try:
        with suppress(FileNotFoundError):
            if path.read_bytes() == data:
                return False
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.unlink(missing_ok=True)  # of a process that was killed
        try:
            create_file(str(beside), data)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
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
                folder.mkdir(exist_ok=True)
                made.append(folder)
            create_file(str(path), data if isinstance(data, bytes) else data.read_bytes())  # never over another file
            made.append(path)
    except BaseException as error:
        for path in reversed(made):
            with suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        if not isinstance(error, OSError):
            raise
        raise SiteError(Place(name), f"it cannot be written: {error.strerror}", cure) from error


@contextmanager
def locked(folder: str) -> Iterator[None]:
    """Lock a folder until the block or the process ends; waits for another process that has locked it."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)
