"""The record of the files that builds wrote into a folder, which also says whether the last one was cut short."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from site_builder.errors import Place, SiteError

MANIFEST = ".puzzlepress.json"
_FORMAT = 1


@dataclass(frozen=True)
class Manifest:
    """The files of a site.

    files: their digests by path, None where the record cannot be read. is_unfinished: a build was cut short while it
    changed them, or the record cannot be read.
    """

    files: Mapping[str, str] | None
    is_unfinished: bool = False

    def written(self) -> bytes:
        """The manifest as a file."""
        plain = {"format": _FORMAT, "files": self.files} | ({"unfinished": True} if self.is_unfinished else {})
        return json.dumps(plain, separators=(",", ":"), sort_keys=True).encode()


def read_manifest(root: str) -> Manifest:
    """The manifest of a folder; an empty one where there is none.

    Raises SiteError where something of others has its name.
    """
    file = f"{root}/{MANIFEST}"
    if os.path.islink(file) or os.path.isdir(file):
        message = "this was not written by this tool, which keeps the list of its files under this name"
        raise SiteError(Place(file), message, "move it away")
    try:
        with open(file, "rb") as opened:
            read: Any = json.load(opened)
        if read["format"] == _FORMAT:
            return Manifest(dict(read["files"]), "unfinished" in read)
    except FileNotFoundError:
        return Manifest({})
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return Manifest(None, is_unfinished=True)
