"""Installed libraries: which of them a top-level module belongs to, and their versions; none of them is imported.

Other code outside of the project, such as an editable installation or a folder of PYTHONPATH, counts as a file that a
solver reads, see `processes.audit`.
"""

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache

from site_builder.values.digest import digest

NOT_INSTALLED = "not installed"  # in place of a version
_REQUIRED_NAME = re.compile(r"[\w.-]+")


def python_version() -> str:
    """The Python that runs, such as "3.11.2 (CPython, linux, x86_64)"."""
    name = {"cpython": "CPython", "pypy": "PyPy"}.get(sys.implementation.name, sys.implementation.name)
    return f"{sys.version.split()[0]} ({name}, {sys.platform}, {os.uname().machine})"


def environment_stamp(names: tuple[str, ...] = ("",)) -> str:
    """A digest that changes with the Python that runs and with the installed libraries; quick to find.

    names: the beginnings of the names of those that count.
    """
    ends = (".dist-info", ".egg-info", ".pth")
    found = [[entry for entry in _entries(folder) if entry.endswith(ends)] for folder in sys.path]
    chosen = [[entry for entry in each if entry.lower().startswith(names)] for each in found]
    return digest(python_version(), [each for each in chosen if each])  # whatever other folders are on the path


def libraries_of(module: str) -> dict[str, str]:
    """The versions of the libraries that a top-level module belongs to, mostly one, and of all that they need."""
    own = [
        name
        for name, files in _files(environment_stamp()).items()
        if f"\n{module}/" in files or f"\n{module}." in files
    ]
    return versions(own) or {module: NOT_INSTALLED}


def versions(names: Iterable[str]) -> dict[str, str]:
    """The versions of those of these libraries that are installed, and of all that they need."""
    found: dict[str, str] = {}
    stamp, waiting = environment_stamp(), list(names)
    while waiting:
        name = _normal(waiting.pop())
        version, needed = _about(name, stamp)
        if version and name not in found:
            found[name] = version
            waiting += needed
    return dict(sorted(found.items()))


@lru_cache(maxsize=256)  # a preview may go on while libraries are installed
def _about(name: str, stamp: str) -> tuple[str, list[str]]:
    """The version of a library, "" where it is not installed, and the names of those that it needs.

    stamp: of the environment.
    """
    from importlib.metadata import PackageNotFoundError, distribution  # paid for where code has changed

    try:
        library = distribution(name)
        version, required = library.metadata["Version"], library.requires
    except (PackageNotFoundError, FileNotFoundError, KeyError):  # the last two of what a removed one has left
        return "", []
    needed = [each for each in required or () if not re.search(r"\bextra *==", each)]
    return version or "", [name[0] for name in map(_REQUIRED_NAME.match, needed) if name]


@lru_cache(maxsize=1)
def _files(stamp: str) -> dict[str, str]:
    """The files of each installed library, or its top-level modules, each behind a new line."""
    from importlib.metadata import distributions

    found: dict[str, str] = {}
    for library in distributions():
        with suppress(FileNotFoundError, KeyError):
            name = _normal(library.metadata["Name"] or "nameless")
            tops = (library.read_text("top_level.txt") or "").split()
            listed = library.read_text("RECORD") or ""
            tops += [] if tops or listed else [name.replace("-", "_")]
            found.setdefault(name, "".join(["\n", listed, *(f"\n{top}/" for top in tops)]))
    return found


def _entries(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder or "."))
    except OSError:  # a zip file, or nothing
        return []


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
