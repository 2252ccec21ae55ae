"""What an import brings in from outside of a project: versions and files of code; found without importing it."""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from site_builder.values.digest import digest

if TYPE_CHECKING:
    from importlib.metadata import Distribution

_REQUIRED_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_ONLY_FOR_AN_EXTRA = re.compile(r"\bextra\s*==")
_CODE = re.compile(r"\.(py|so|pyd|dll|dylib)$|\.so\.")
_RECORD = re.compile(r"^([^/\n]+\.dist-info/RECORD),", re.MULTILINE)
_NO_SOLVERS = re.compile(
    r"(^|/)(tests|distutils|f2py|_pyinstaller)/|^\.\.|^__editable__"
)  # tests, and tools that build
_STANDARD = sys.stdlib_module_names | frozenset(sys.builtin_module_names)


@dataclass(frozen=True)
class InstalledCode:
    """The files of code behind a top-level module and all that it needs, by names that are the same on every machine.

    records: the lists of files that installers left. unlisted: those of `files` that stand in none of them, because
    they are installed as editable or found through PYTHONPATH.
    """

    files: dict[str, str] = field(default_factory=dict)
    records: list[str] = field(default_factory=list)
    unlisted: list[str] = field(default_factory=list)


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


def installed_code(module: str) -> InstalledCode:
    """The code that importing a top-level module may run; of editable code also what that imports."""
    found = InstalledCode()
    waiting, seen = {module}, set()
    while waiting:
        seen.add(top := waiting.pop())
        for name in versions([top]):
            if listed := _listed_code(name):
                found.files.update(listed)
                found.records.extend(
                    str(installed()[name].locate_file(each)) for each in _RECORD.findall(_listed(name))
                )
                continue
            for each in _top_modules(name):
                files = dict(_code_of(each))
                found.files.update(files)
                found.unlisted.extend(files.values())
                waiting |= {needed for path in files.values() for needed in _imported_by(path)} - seen
    return found


def _listed_code(name: str) -> dict[str, str]:
    """The files of code in an installer's list, by their names there; nothing for what is installed as editable."""
    if name not in installed():
        return {}
    names = [line.rsplit(",", 2)[0].strip('"') for line in _listed(name).splitlines()]
    code = [each for each in names if _CODE.search(each) and not _NO_SOLVERS.search(each)]
    return {each: str(installed()[name].locate_file(each)) for each in code}


def _top_modules(name: str) -> list[str]:
    """The top-level modules of a library without a list of files; a name that is no library's is a module's own."""
    if name not in installed():
        return [name]
    return (installed()[name].read_text("top_level.txt") or name.replace("-", "_")).split()


def _code_of(module: str) -> Iterator[tuple[str, str]]:
    """The files of a top-level module where Python finds it, by their names below the folder that holds it."""
    from importlib.util import find_spec

    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        return
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if spec and not folders and spec.origin and os.path.isfile(spec.origin):
        yield os.path.basename(spec.origin), spec.origin
    for folder in folders:
        for path, inner, names in os.walk(folder):
            inner[:] = sorted(each for each in inner if each.isidentifier() and each != "__pycache__")
            for each in sorted(filter(_CODE.search, names)):
                full = os.path.join(path, each)
                yield f"{module}/{os.path.relpath(full, folder)}", full


def _imported_by(path: str) -> set[str]:
    """The top-level modules that a file imports, other than Python's."""
    if not path.endswith(".py"):
        return set()
    from site_builder.storage.code_graph.definitions import facts_of  # a build with nothing to do parses nothing

    rows = facts_of(_content(Path(path))).imports
    return {top for row in rows if not row.level and not is_standard(top := row.module.partition(".")[0])}


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
        with suppress(FileNotFoundError):  # the same as nothing, where importlib_metadata was loaded, as by Dask
            if library.metadata and library.metadata["Name"]:  # a library that was removed may leave an empty folder
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
    return digest(python_version(), [each for each in found if each])  # whatever other folders are on the path


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
