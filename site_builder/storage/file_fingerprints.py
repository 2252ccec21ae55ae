"""The files that a site is made from: whether they changed, and digests of their bytes.

A file is read only when its signature (size, times, inode) has changed. One that was changed so lately that a further
change could have the same times is read again next time.
"""

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from site_builder.errors import CONTROL, Place, SiteError
from site_builder.values.digest import bytes_digest, digest

FOLDERS = ("content", "templates", "solvers")
BUILDER = Path(__file__).resolve().parents[1]
ABSENT = "absent"  # in place of a digest
THEME = "@default_theme/"  # before the names of the files of the default theme
_IN_WHEEL = BUILDER / "default_theme"
DEFAULT_THEME = _IN_WHEEL if _IN_WHEEL.is_dir() else BUILDER.parent / "templates"
_NO_CODE = (THEME[:-1], "@examples", "@docs")  # folders of the builder that hold none
_CODE = (".py", ".html")  # what the builder is made of, with templates of extensions
_PUBLISHED = "content/.well-known"
_LEFTOVERS = re.compile(r"(\..*|.*~|#.*#|.*\.(swp|swo|bak|orig|tmp)|Thumbs\.db)$")
_ODD = re.compile(f"[{CONTROL}\t\udc80-\udcff]")  # the last are bytes that are no UTF-8, as Python shows them
_TICK = 50_000_000  # nanoseconds; the clock behind the times of files does not tick more slowly
_COARSE_TICK = 2_000_000_000  # that of file systems which keep whole seconds

Signature = tuple[int, int, int, int]  # size, mtime_ns, ctime_ns, inode
OutputSignature = tuple[int, int, int]  # size, mtime_ns, inode: what a file has that is staged, and after it was moved
Homes = tuple[Path, ...]  # folders that links may lead to


@dataclass(frozen=True)
class Scan:
    """The files of a project. signatures: by path, relative to the project; those of the builder begin with @.

    A project whose templates/ is the default theme itself has no names that begin with THEME.
    """

    root: Path
    signatures: Mapping[str, Signature]
    began: int

    def path(self, name: str) -> Path:
        """Where a file lies on disk."""
        if name.startswith(THEME):
            return DEFAULT_THEME / name.removeprefix(THEME)
        return BUILDER / name[1:] if name.startswith("@") else self.root / name

    def is_default_theme(self, name: str) -> bool:
        """True when a file belongs to the default theme."""
        return name.startswith(THEME if self._has_theme else "templates/")

    @cached_property
    def _has_theme(self) -> bool:
        return any(name.startswith(THEME) for name in self.signatures)


@dataclass(frozen=True)
class Loadable:
    """The files and libraries that a solver needs.

    code, data: digests of files of the project by their paths in it; of data those that it has read before.
    libraries: versions of installed ones. extensions: those that read functions of it, each with its digest, by the
    names of these.
    """

    code: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)
    libraries: Mapping[str, str] = field(default_factory=dict)
    extensions: Mapping[str, tuple[str, str]] = field(default_factory=dict)


def signature(path: str) -> Signature | None:
    """Size, times of change and inode of a file; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def output_signature(path: str) -> OutputSignature | None:
    """The signature of a file of the output; None where there is none."""
    found = signature(path)
    return (found[0], found[1], found[3]) if found else None


def signature_of_output(found: os.stat_result) -> OutputSignature:
    """The signature of a file of the output, from its status."""
    return found.st_size, found.st_mtime_ns, found.st_ino


def scan(root: Path, further: Iterable[str] = ()) -> Scan:
    """The files of the project in `root`, without dotfiles and backup files, but with content/.well-known/.

    further: paths of other files.

    Each of the three folders may be a link itself; links in it must lead to files that are in it or in the project.
    Raises SiteError for one that does not, and where a folder cannot be read.
    """
    began = time.time_ns()  # compared with the times of files, and never shown
    found: dict[str, Signature] = {}
    for folder in FOLDERS:
        if os.path.isdir(root / folder):
            homes = root.resolve(), (root / folder).resolve()
            found |= _walk(str(root / folder), f"{folder}/", homes)
    anywhere = (Path("/"),)
    if not _IN_WHEEL.is_dir():  # a checkout; an installed builder counts by its version
        found |= {name: each for name, each in _walk(str(BUILDER), "@", anywhere) if name.endswith(_CODE)}
    if os.path.realpath(root / "templates") != os.path.realpath(DEFAULT_THEME):
        found |= _walk(str(DEFAULT_THEME), THEME, anywhere)
    beside = [f"{name}/__init__.py" if "." not in name else name for name in sorted(os.listdir(root))]
    modules = [name for name in beside if name.endswith(".py") and not name.startswith("@")]
    top = str(root)
    for name in ("config.yaml", *further, *modules):
        if each := signature(os.path.join(top, name)):  # a Path costs more than to look at the file
            found[name] = each
    return Scan(root, found, began)


def _walk(folder: str, inside: str, homes: Homes) -> Iterator[tuple[str, Signature]]:
    """The files below a folder."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                if name == "__pycache__" or (is_leftover(name) and f"{inside}{name}" != _PUBLISHED):
                    continue
                if inside == "@" and f"@{name}" in _NO_CODE:
                    continue
                if _ODD.search(name):
                    message = "the name of this file is no text in UTF-8 without control characters"
                    raise SiteError(Place(f"{inside}{name}"), message, "give it another name")
                if entry.is_symlink():
                    _refuse_link(Place(f"{inside}{name}"), entry.path, homes)
                if entry.is_dir():
                    yield from _walk(entry.path, f"{inside}{name}/", homes)
                elif entry.is_file() and (found := signature(entry.path)):
                    yield f"{inside}{name}", found
    except FileNotFoundError:
        return
    except OSError as error:
        where = os.path.normpath(f"{inside}{os.path.relpath(error.filename or folder, folder)}")
        raise SiteError(Place(where), f"it cannot be read: {error.strerror}") from error


def _refuse_link(place: Place, link: str, homes: Homes) -> None:
    """Raises SiteError for a link that leads to no file, or out of the project."""
    target = Path(os.path.realpath(link))
    if os.path.islink(link) and not (target.is_file() and any(map(target.is_relative_to, homes))):
        message = f"this link leads to {target}, which is no file of the project"
        raise SiteError(place, message, "put a copy of a file in its place, or remove it")


def is_leftover(name: str) -> bool:
    """True when a file of this name is a dotfile or a backup."""
    return _LEFTOVERS.fullmatch(name) is not None


def folders(root: Path, further: Iterable[str] = ()) -> set[str]:
    """All folders in which a change can change what `scan` finds, with those that links lead to."""
    top = os.path.realpath(root)
    found = {top, *(entry.path for entry in _entries(top) if "." not in entry.name)}  # each may become a module
    found |= {os.path.dirname(name) for name in further if os.path.isabs(name)}
    found |= {os.path.join(top, each) for name in further if not os.path.isabs(name) for each in Path(name).parents}
    found |= {os.path.join(top, name) for name in further}  # of which the folders are left at the end
    sources = [os.path.realpath(root / name) for name in FOLDERS]
    ahead = [*sources, str(BUILDER), str(DEFAULT_THEME)]
    while ahead:
        folder = ahead.pop()
        found.add(folder)
        for entry in _entries(folder):
            if entry.is_symlink() and os.path.isfile(target := os.path.realpath(entry.path)):
                found.add(os.path.dirname(target))
            elif entry.is_dir(follow_symlinks=False) and entry.name != "__pycache__":
                ahead.append(entry.path)
    return {folder for folder in found if os.path.isdir(folder)}


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:  # which `scan` reports
        return []


def settled(scanned: Scan) -> dict[str, Signature]:
    """The signatures that can be trusted next time."""
    found = {}
    for name, each in scanned.signatures.items():
        age = scanned.began - max(each[1], each[2])
        if age > _COARSE_TICK or (age > _TICK and max(each[1], each[2]) % 1_000_000_000 != 0):
            found[name] = each
    return found


def digests(scanned: Scan, known: Mapping[str, tuple[Signature | None, str]]) -> dict[str, str]:
    """Digests of all files. known: earlier signatures with their digests, None for one that cannot be trusted."""
    found = {}
    for name, each in scanned.signatures.items():
        before = known.get(name)
        found[name] = before[1] if before is not None and before[0] == each else content_digest(scanned.path(name))
    return found


def content_digest(path: Path) -> str:
    """The digest of a file's bytes or of the names in a folder; ABSENT where there is neither.

    What cannot be read, which is an error where it has to be, has a digest that is none of bytes.
    """
    try:
        mode = path.stat().st_mode
        if S_ISDIR(mode):
            return digest(sorted(name for name in os.listdir(path) if name != "__pycache__"))
        return bytes_digest(path.read_bytes()) if S_ISREG(mode) else "no file"
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except OSError as error:
        return f"not readable: {error.errno}"
