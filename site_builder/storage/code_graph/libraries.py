"""Versions: of Python, and of the installed libraries that an import brings in; read from their files, not imported."""

import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path

_REQUIREMENT = re.compile(r"Requires-Dist:\s*([A-Za-z0-9][\w.-]*)([^\n]*)")
_ONLY_FOR_AN_EXTRA = re.compile(r"\bextra\s*==")
_STANDARD = sys.stdlib_module_names | frozenset(sys.builtin_module_names)


@dataclass(frozen=True)
class Distribution:
    """An installed library: its normalized name, its version, its metadata folder."""

    name: str
    version: str
    folder: Path

    def provides(self, module: str) -> bool:
        """Whether importing the top-level module may run code of this library."""
        listed = _listed(self.folder)
        if f"\n{module}/" in listed or f"\n{module}." in listed:
            return True
        named = _text(self.folder / "top_level.txt").split()
        return module in named or (not named and len(listed) == 1 and _normal(module) == self.name)

    def requires(self) -> list[str]:
        """The names of the libraries that it always needs, installed or not."""
        head = (_text(self.folder / "METADATA") or _text(self.folder / "PKG-INFO")).partition("\n\n")[0]
        return [_normal(name) for name, rest in _REQUIREMENT.findall(head) if not _ONLY_FOR_AN_EXTRA.search(rest)]


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
    """The names of the libraries that provide a top-level module."""
    return tuple(name for name, library in installed().items() if library.provides(module))


@cache
def _requirements(name: str) -> tuple[str, ...]:
    return tuple(installed()[name].requires())


@cache
def installed() -> Mapping[str, Distribution]:
    """All installed libraries by name, found once in a process."""
    found: dict[str, Distribution] = {}
    for folder in sys.path:
        for entry in _entries(folder):
            if entry.endswith((".dist-info", ".egg-info")):
                library = _distribution(Path(folder or ".") / entry)
                found.setdefault(library.name, library)
    return dict(sorted(found.items()))


def environment_stamp() -> str:
    """A digest that changes with the Python that runs and with the installed libraries; quick to find."""
    stamp = blake2b(python_version().encode(), digest_size=16)
    for folder in sys.path:
        relevant = [entry for entry in _entries(folder) if entry.endswith((".dist-info", ".egg-info", ".pth"))]
        for entry in relevant:
            stamp.update(f"\n{entry}".encode("utf-8", "surrogateescape"))
            is_unversioned = "-" not in entry.removesuffix(".egg-info")
            if entry.endswith(".egg-info") and is_unversioned:
                stamp.update(_text(Path(folder or ".") / entry / "PKG-INFO").encode())
        stamp.update(b"\0")
    return stamp.hexdigest()


@cache
def _listed(folder: Path) -> str:
    return "\n" + _text(folder / "RECORD")


def _distribution(folder: Path) -> Distribution:
    stem = folder.name.rpartition(".")[0]
    name, dash, version_in_name = stem.rpartition("-")
    if folder.suffix == ".dist-info" and dash:
        return Distribution(_normal(name), version_in_name, folder)
    name, _, rest = stem.partition("-")
    text = _text(folder / "PKG-INFO") or _text(folder)
    version = re.search(r"^Version:\s*(\S+)", text, re.MULTILINE)
    return Distribution(_normal(name), version[1] if version else rest, folder)


def _entries(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder or "."))
    except OSError:  # a zip file, or nothing
        return []


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
