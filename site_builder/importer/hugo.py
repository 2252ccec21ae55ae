"""What Hugo takes the files of a project for: the targets of its references."""

import posixpath
from collections.abc import Collection

_ENDINGS = ("", ".md", "/index.md", "/_index.md", ".markdown")


def referenced_file(written: str, page: str, files: Collection[str]) -> str | None:
    """Return the file to which ref or relref leads: its path below the root; None if there is none.

    page, files: paths of the page with the reference and of all pages, below the root.
    """
    wanted = written.strip("/")
    folders = ["content", ""] if written.startswith("/") else [posixpath.dirname(page), "content", ""]
    for folder in folders:
        path = posixpath.normpath(posixpath.join(folder, wanted))
        if found := next((path + ending for ending in _ENDINGS if path + ending in files), None):
            return found
    named = (each for each in sorted(files) if any(f"/{each}".endswith(f"/{wanted}{ending}") for ending in _ENDINGS))
    return next(named, None)
