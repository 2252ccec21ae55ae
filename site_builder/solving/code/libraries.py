"""Versions of the installed libraries behind top-level modules, found without importing them.

A library that an installer has listed counts by its version. Other code outside of the project, such as an editable
installation or a folder of PYTHONPATH, counts by its content. What a library needs itself does not count.
"""

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from site_builder.values.digest import bytes_digest, digest

_FIRST_PART = re.compile(r"^([^/.,\n]+)", re.MULTILINE)  # of a path
_EDITABLE = re.compile(r'"editable":\s*true')


class Library(NamedTuple):
    """A library. files: paths of those that count by their content, in place of a version."""

    name: str
    version: str
    files: tuple[str, ...] = ()


def libraries_of(module: str) -> list[Library]:
    """The libraries that a top-level module belongs to: mostly one, since few share a module."""
    places = _places(module)
    folders = {place.parent for place in places}
    infos = {info for folder in folders for info in _listed(folder, folder.stat().st_mtime_ns).get(module, ())}
    if infos:
        names = sorted(info.name.rpartition(".")[0].partition("-") for info in infos)  # such as numpy-2.1.0.dist-info
        return [Library(name, version) for name, _, version in names]
    files = {path: path.relative_to(place.parent).as_posix() for place in places for path in _code(place)}
    content = digest(sorted((name, bytes_digest(path.read_bytes())) for path, name in files.items()))
    return [Library(module, content if files else "not installed", tuple(sorted(map(str, files))))]


def _places(module: str) -> list[Path]:
    """The folders of a package, or the file of a module."""
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):  # raised for a module in sys.modules that has no spec
        return []
    found = [] if spec is None else spec.submodule_search_locations or [spec.origin or ""]
    return [path for path in map(Path, filter(None, found)) if path.exists()]


@cache
def _listed(folder: Path, modified: int) -> dict[str, list[Path]]:
    """What installers have listed in a folder: folders of metadata by top-level module, without editable ones.

    modified: time of the folder's last change, after which it is read again.
    """
    found: dict[str, list[Path]] = {}
    for info in folder.glob("*-info"):
        is_installed = folder.name in ("site-packages", "dist-packages")  # else it lies beside an author's own code
        names = _text(info / "RECORD") or (_text(info / "top_level.txt") if is_installed else "")
        if not _EDITABLE.search(_text(info / "direct_url.json")):
            for module in set(_FIRST_PART.findall(names)):
                found.setdefault(module, []).append(info)
    return found


def _code(place: Path) -> list[Path]:
    found = place.rglob("*") if place.is_dir() else [place]
    return [path for path in found if path.suffix in (".py", ".so", ".pyd")]


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
