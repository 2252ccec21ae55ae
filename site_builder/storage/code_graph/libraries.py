"""Versions: of Python, and of the installed libraries that an import brings in; read from their files, not imported."""

import os
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from site_builder.values.digest import digest

if TYPE_CHECKING:
    from importlib.metadata import Distribution

_REQUIRED_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_ONLY_FOR_AN_EXTRA = re.compile(r"\bextra\s*==")
_STANDARD = sys.stdlib_module_names | frozenset(sys.builtin_module_names)


def python_version() -> str:
    """The Python that runs, such as "3.11.2 (CPython, linux, x86_64)"."""
    machine = os.uname().machine if hasattr(os, "uname") else os.environ.get("PROCESSOR_ARCHITECTURE", "")
    name = {"cpython": "CPython", "pypy": "PyPy"}.get(sys.implementation.name, sys.implementation.name)
    return f"{sys.version.split()[0]} ({name}, {sys.platform}, {machine})"


def is_standard(module: str) -> bool:
    """Whether the top-level module belongs to Python itself."""
    return module in _STANDARD


def versions(modules: Iterable[str]) -> dict[str, str]:
    """The versions behind top-level modules: of the libraries that provide them, and of all that these need.

    A module that no library provides stands under its own name as "not found".
    """
    found: dict[str, str] = {}
    waiting: list[str] = []
    for module in sorted(set(modules)):
        names = provided_by(module)
        waiting += names
        if not names:
            found[module] = "not found"
    while waiting:
        name = waiting.pop()
        if name in installed() and name not in found:
            found[name] = installed()[name].version
            waiting += _requirements(name)
    return dict(sorted(found.items()))


@cache
def provided_by(module: str) -> tuple[str, ...]:
    """The names of the libraries of which importing a top-level module may run code."""
    return tuple(name for name in installed() if _provides(name, module))


def _provides(name: str, module: str) -> bool:
    listed = _listed(name)
    if f"\n{module}/" in listed or f"\n{module}." in listed:
        return True
    named = (installed()[name].read_text("top_level.txt") or "").split()
    return module in named or (not named and len(listed) == 1 and _normal(module) == name)


@cache
def _listed(name: str) -> str:
    return "\n" + (installed()[name].read_text("RECORD") or "")


@cache
def _requirements(name: str) -> tuple[str, ...]:
    """The names of the libraries that a library always needs, installed or not."""
    needed = [each for each in installed()[name].requires or () if not _ONLY_FOR_AN_EXTRA.search(each)]
    return tuple(_normal(found[0]) for found in map(_REQUIRED_NAME.match, needed) if found)


@cache
def installed() -> Mapping[str, "Distribution"]:
    """All installed libraries by normalized name, found once in a process."""
    from importlib.metadata import distributions  # imported only where a key is not cached

    found: dict[str, Distribution] = {}
    for library in distributions():
        if library.metadata and library.metadata["Name"]:  # a library that was removed may have left an empty folder
            found.setdefault(_normal(library.metadata["Name"]), library)
    return dict(sorted(found.items()))


def environment_stamp() -> str:
    """A digest that changes with the Python that runs and with the installed libraries; quick to find."""
    found: list[list[str | bytes]] = []
    for folder in sys.path:
        found.append([entry for entry in _entries(folder) if entry.endswith((".dist-info", ".egg-info", ".pth"))])
        for entry in _entries(folder):
            if entry.endswith(".egg-info") and "-" not in entry.removesuffix(".egg-info"):  # its version is inside
                found[-1].append(_content(Path(folder or ".") / entry / "PKG-INFO"))
    return digest(python_version(), found)


def _entries(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder or "."))
    except OSError:  # a zip file, or nothing
        return []


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
