"""The files that a site is made from, as they lie on disk: whether they changed, and what names their bytes.

A file is looked at by its signature, what the file system says of it, and read only when that has changed. A file that
was changed so lately that the file system's clock might not tell a further change from it is read again next time.
"""

import hashlib
import os
import re
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from site_builder.errors import Place, SiteError, changed

FOLDERS = ("content", "templates", "solvers")
BUILDER = Path(__file__).resolve().parents[1]
_LEFTOVERS = re.compile(r"(\..*|.*~|#.*#|.*\.(swp|swo|bak|orig|tmp)|Thumbs\.db)$")
_ODD = re.compile("[\udc80-\udcff]")  # bytes that are no UTF-8, as Python shows them
_TICK = 50_000_000  # nanoseconds; the clock behind the times of files does not tick more slowly
_COARSE_TICK = 2_000_000_000  # that of file systems which keep whole seconds

Signature = tuple[int, int, int, int]  # size, mtime_ns, ctime_ns, inode


@dataclass(frozen=True)
class Scan:
    """The files of a project. signatures: by path, relative to the project; those of the builder begin with @."""

    root: Path
    signatures: Mapping[str, Signature]
    began: int

    def path(self, name: str) -> Path:
        """Where a file lies on disk."""
        return BUILDER / name[1:] if name.startswith("@") else self.root / name


@dataclass(frozen=True)
class Loadable:
    """What of a project a solver may load; what is empty is not checked.

    modules: full names. code, data: digests of files by their paths in the project.
    """

    modules: Collection[str] = ()
    code: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)


def signature(path: str) -> Signature | None:
    """What the file system says of a file: its size, its times of change and its inode; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def scan(root: Path, further: Iterable[str] = ()) -> Scan:
    """The files of the project in `root`, without dotfiles and editors' leftovers. further: paths of other files.

    Raises SiteError where a folder cannot be looked into.
    """
    began = time.time_ns()  # compared with the times of files, and never shown
    found: dict[str, Signature] = {}
    for folder in FOLDERS:
        if os.path.isdir(root / folder):
            found |= _signatures(str(root / folder), folder, folder == "solvers")
    found |= {name: each for name, each in _signatures(str(BUILDER), "@").items() if name.endswith(".py")}
    beside = [f"{name}/__init__.py" if "." not in name else name for name in sorted(os.listdir(root))]
    modules = [name for name in beside if name.endswith(".py") and not name.startswith("@")]
    for name in ("config.yaml", *further, *modules):
        if each := signature(str(root / name)):
            found[name] = each
    return Scan(root, found, began)


def _signatures(folder: str, inside: str, everything: bool = False) -> dict[str, Signature]:
    return dict(_walk(folder, "" if inside == "@" else f"{inside}/", everything, "@" if inside == "@" else ""))


def _walk(
    folder: str, inside: str, everything: bool, mark: str, above: tuple[str, ...] = ()
) -> Iterator[tuple[str, Signature]]:
    """The files below a folder. everything: dotfiles too, as far as they are no caches of Python.

    above: the real paths of folders from which links led here. What vanishes on the way was never there.
    """
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                if name == "__pycache__" or (not everything and _LEFTOVERS.fullmatch(name)):
                    continue
                if _ODD.search(name):
                    shown = os.fsencode(name).decode("utf-8", "replace")
                    fault = "the name of this file is no text in UTF-8"
                    raise SiteError(Place(f"{mark}{inside}{shown}"), fault, "give it another name")
                if entry.is_dir():
                    way = above
                    if entry.is_symlink():
                        way = (*above, os.path.realpath(folder))
                        if _leads_round(entry.path, way):
                            fault = "this link leads to a folder in which it stands itself"
                            raise SiteError(Place(f"{mark}{inside}{name}"), fault, "remove it")
                    yield from _walk(entry.path, f"{inside}{name}/", everything, mark, way)
                elif entry.is_file() and (found := signature(entry.path)):
                    yield f"{mark}{inside}{name}", found
    except FileNotFoundError:
        return
    except OSError as error:
        where = os.path.normpath(f"{inside}{os.path.relpath(error.filename or folder, folder)}")
        raise SiteError(Place(f"{mark}{where}"), f"it cannot be read: {error.strerror}") from error


def _leads_round(link: str, way: Iterable[str]) -> bool:
    target = os.path.realpath(link)
    return any(Path(folder).is_relative_to(target) for folder in way)


def settled(scanned: Scan) -> dict[str, Signature]:
    """The signatures that can be trusted next time."""
    return {name: each for name, each in scanned.signatures.items() if _is_settled(each, scanned.began)}


def _is_settled(each: Signature, began: int) -> bool:
    changed = max(each[1], each[2])
    return changed < began - _COARSE_TICK or (changed < began - _TICK and changed % 1_000_000_000 != 0)


def digests(scanned: Scan, known: Mapping[str, tuple[Signature, str]]) -> dict[str, str]:
    """A name for the bytes of each file. known: signatures from earlier, and the names that went with them."""
    found = {}
    for name, each in scanned.signatures.items():
        before = known.get(name)
        found[name] = before[1] if before is not None and before[0] == each else file_digest(scanned.path(name))
    return found


def read_as_scanned(path: Path, name: str, digest: str) -> bytes:
    """The bytes of a file, found to be those that the digest names. Raises SiteError when they are others by now."""
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise changed(name) from error
    except OSError as error:
        raise SiteError(Place(name), f"it cannot be read: {error.strerror}") from error
    if _digest(data) != digest:
        raise changed(name)
    return data


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def file_digest(path: Path) -> str:
    """A name for the bytes of a file. Raises SiteError when it cannot be read."""
    try:
        return _digest(path.read_bytes())
    except OSError as error:
        raise SiteError(Place(str(path)), f"it cannot be read: {error.strerror}") from error
