"""Installed libraries: which of them a top-level module belongs to, and their versions; nothing is imported.

Other code outside of the project, such as an editable installation or a folder of PYTHONPATH, counts as a file that a
solver reads, see `processes.audit`.
"""

import os
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from site_builder.values.digest import digest

NOT_INSTALLED = "not installed"  # in place of a version
_REQUIRED_NAME = re.compile(r"^Requires-Dist: *([A-Za-z0-9][\w.-]*)(?!.*\bextra *==)", re.MULTILINE)
_INFO = re.compile(r"(.+?)-(\d[^-]*)(?:-py[\d.]+)?\.(?:dist|egg)-info")


class Installed(NamedTuple):
    """An installed library: its version, and the folder (or file) with its metadata."""

    version: str
    metadata: Path


def python_version() -> str:
    """The Python that runs, such as "3.11.2 (CPython, linux, x86_64)"."""
    name = {"cpython": "CPython", "pypy": "PyPy"}.get(sys.implementation.name, sys.implementation.name)
    return f"{sys.version.split()[0]} ({name}, {sys.platform}, {os.uname().machine})"


def environment_stamp() -> str:
    """A digest that changes with the Python that runs and with the installed libraries; quick to find."""
    ends = (".dist-info", ".egg-info", ".pth")
    found = [[entry for entry in _entries(folder) if entry.endswith(ends)] for folder in sys.path]
    return digest(python_version(), [each for each in found if each])  # whatever other folders are on the path


def installed() -> dict[str, Installed]:
    """All installed libraries by normalized name, as their metadata is named; quick to find."""
    found: dict[str, Installed] = {}
    for folder in sys.path:
        for entry in map(_INFO.fullmatch, _entries(folder)):
            if entry is not None and os.path.exists(_about(path := Path(folder or ".", entry[0]))):
                found.setdefault(_normal(entry[1]), Installed(entry[2], path))
    return dict(sorted(found.items()))


def libraries_of(module: str) -> dict[str, str]:
    """The versions of the libraries that a top-level module belongs to, mostly one, and of all that they need."""
    own = [name for name, each in installed().items() if _provides(each, name, module)]
    return versions(own) or {module: NOT_INSTALLED}


def versions(names: Iterable[str]) -> dict[str, str]:
    """The versions of those of these libraries that are installed, and of all that they need."""
    known = installed()
    return {name: known[name].version for name in _with_needed(names, known)}


def _with_needed(names: Iterable[str], known: Mapping[str, Installed]) -> list[str]:
    """The libraries of these names that are installed, with all that they need."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in known and name not in found:
            found.add(name)
            headers = _text(_about(known[name].metadata)).partition("\n\n")[0]
            waiting += map(_normal, _REQUIRED_NAME.findall(headers))
    return sorted(found)


def _about(metadata: Path) -> Path:
    """The file with the name, the version and the requirements of a library."""
    if metadata.suffix == ".dist-info":
        return metadata / "METADATA"
    return metadata / "PKG-INFO" if metadata.is_dir() else metadata


def _provides(library: Installed, name: str, module: str) -> bool:
    """True when importing a top-level module may run code of a library."""
    listed = "\n" + _text(library.metadata / "RECORD")
    if f"\n{module}/" in listed or f"\n{module}." in listed:
        return True
    named = _text(library.metadata / "top_level.txt").split()
    return module in named or (not named and len(listed) == 1 and _normal(module) == name)


def _entries(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder or "."))
    except OSError:  # a zip file, or nothing
        return []


@cache
def _text(file: Path) -> str:
    """The text of a file of metadata, which no installer changes; empty where there is none."""
    try:
        return file.read_text("utf-8")
    except OSError:
        return ""


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
