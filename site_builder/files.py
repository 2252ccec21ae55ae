"""Files of the project that commands write: whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from site_builder.errors import Place, SiteError


def replace_file(path: Path, data: bytes) -> bool:
    """Let the file hold these bytes; whether it had to be written. Raises SiteError when it cannot be."""
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
