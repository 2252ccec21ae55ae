"""Installed libraries: which of them a top-level module belongs to, and what they count by; nothing is imported.

A library that an installer has listed counts by its version, and so does each that it needs. Other code outside of the
project, such as an editable installation or a folder of PYTHONPATH, counts by its content.
"""

import os
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from site_builder.values.digest import bytes_digest, digest

if TYPE_CHECKING:
    from importlib.metadata import Distribution

NOT_FOUND = "not found"  # in place of a version
_REQUIRED_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_ONLY_FOR_AN_EXTRA = re.compile(r"\bextra\s*==")
_EDITABLE = re.compile(r'"editable":\s*true')
_INFO = re.compile(r"([^-]+)-(.+?)(?:-py[\d.]+)?\.(?:dist|egg)-info")


class Library(NamedTuple):
    """A library. files: paths of those that count by their content, in place of a version."""

    name: str
    version: str
    files: tuple[str, ...] = ()


def python_version() -> str:
    """The Python that runs, such as "3.11.2 (CPython, linux, x86_64)"."""
    machine = os.uname().machine if hasattr(os, "uname") else os.environ.get("PROCESSOR_ARCHITECTURE", "")
    name = {"cpython": "CPython", "pypy": "PyPy"}.get(sys.implementation.name, sys.implementation.name)
    return f"{sys.version.split()[0]} ({name}, {sys.platform}, {machine})"


def environment_stamp() -> str:
    """A digest that changes with the Python that runs and with the installed libraries; quick to find."""
    found: list[list[str | bytes]] = []
    for folder in sys.path:
        found.append([entry for entry in _entries(folder) if entry.endswith((".dist-info", ".egg-info", ".pth"))])
        for entry in _entries(folder):
            if entry.endswith(".egg-info") and "-" not in entry.removesuffix(".egg-info"):  # its version is inside
                found[-1].append(_content(Path(folder or ".") / entry / "PKG-INFO"))
    return digest(python_version(), [each for each in found if each])  # whatever other folders are on the path


def installed_versions(names: Iterable[str]) -> dict[str, str]:
    """Versions of libraries by name, as the names of their folders of metadata give them; quick to find."""
    found: dict[str, str] = {}
    for folder in sys.path:
        for entry in map(_INFO.fullmatch, _entries(folder)):
            if entry is not None:
                found.setdefault(_normal(entry[1]), entry[2])
    return {name: found[name] for name in names if name in found}


def libraries_of(module: str) -> list[Library]:
    """The libraries that a top-level module belongs to, mostly one, and all that they need."""
    own = provided_by(module)
    if not own:
        return [_by_content(module, [module])]
    found = versions([module])
    return [
        Library(name, version) if _is_listed(name) else _by_content(name, [module] if name in own else _modules(name))
        for name, version in found.items()
    ]


def versions(modules: Iterable[str]) -> dict[str, str]:
    """The versions of the libraries that provide top-level modules, and of all that these need."""
    found: dict[str, str] = {}
    waiting = [name for module in modules for name in provided_by(module)]
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


@cache
def installed() -> Mapping[str, "Distribution"]:
    """All installed libraries by normalized name, found once in a process."""
    from importlib.metadata import distributions  # imported only where a key is not cached

    found: dict[str, Distribution] = {}
    for library in distributions():
        with suppress(FileNotFoundError):  # the same as nothing, where importlib_metadata was loaded
            if library.metadata and library.metadata["Name"]:  # a library that was removed may leave an empty folder
                found.setdefault(_normal(library.metadata["Name"]), library)
    return dict(sorted(found.items()))


def _provides(name: str, module: str) -> bool:
    listed = _listed(name)
    if f"\n{module}/" in listed or f"\n{module}." in listed:
        return True
    named = (installed()[name].read_text("top_level.txt") or "").split()
    return module in named or (not named and len(listed) == 1 and _normal(module) == name)


@cache
def _listed(name: str) -> str:
    """The list of files that an installer has left; a line end alone where there is none."""
    return "\n" + (installed()[name].read_text("RECORD") or "")


def _is_listed(name: str) -> bool:
    """True for a library that an installer has put among the others, and False for one that lies beside its sources."""
    library = installed()[name]
    folder = Path(str(library.locate_file("")))
    is_among_others = len(_listed(name)) > 1 or folder.name in ("site-packages", "dist-packages")
    return is_among_others and not _EDITABLE.search(library.read_text("direct_url.json") or "")


@cache
def _requirements(name: str) -> tuple[str, ...]:
    """The names of the libraries that a library always needs, installed or not."""
    needed = [each for each in installed()[name].requires or () if not _ONLY_FOR_AN_EXTRA.search(each)]
    return tuple(_normal(found[0]) for found in map(_REQUIRED_NAME.match, needed) if found)


def _modules(name: str) -> list[str]:
    """The top-level modules of a library."""
    return (installed()[name].read_text("top_level.txt") or name.replace("-", "_")).split()


def _by_content(name: str, modules: Iterable[str]) -> Library:
    """The code of modules as a library that has no version."""
    places = [place for module in modules for place in _places(module)]
    files = {path: path.relative_to(place.parent).as_posix() for place in places for path in _code(place)}
    content = digest(sorted((inside, bytes_digest(path.read_bytes())) for path, inside in files.items()))
    return Library(name, content if files else NOT_FOUND, tuple(sorted(map(str, files))))


def _places(module: str) -> list[Path]:
    """The folders of a package, or the file of a module."""
    from importlib.util import find_spec

    try:
        spec = find_spec(module)
    except (ImportError, ValueError):  # raised for a module in sys.modules that has no spec
        return []
    found = [] if spec is None else spec.submodule_search_locations or [spec.origin or ""]
    return [path for path in map(Path, filter(None, found)) if path.exists()]


def _code(place: Path) -> list[Path]:
    found = place.rglob("*") if place.is_dir() else [place]
    return [path for path in found if path.suffix in (".py", ".so", ".pyd")]


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
