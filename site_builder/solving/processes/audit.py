"""The audit hook of worker processes: it records what a solver reads, and refuses the network and other programs.

The record is a file that children of the process inherit, so that what they read is in it too. What compiled code does
below Python raises no event.
"""

import fcntl
import json
import multiprocessing
import os
import shutil
import socket
import sys
import tokenize
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import source_from_cache
from pathlib import Path, PurePath
from tempfile import TemporaryFile
from types import FrameType
from typing import Any
from urllib.parse import unquote

from site_builder.errors import changed
from site_builder.solving.processes.failure import Failure, TaskError
from site_builder.storage.file_fingerprints import BUILDER, Signature, content_digest, signature

_SYSTEM = tuple(f"/{name}/" for name in ("bin", "dev", "etc", "lib", "lib64", "proc", "run", "sbin", "sys", "usr"))
_SYSTEM += ("/Library/", "/System/", "/private/etc/", "/private/var/db/")  # of macOS
_SITE_FOLDERS = ("site-packages", "dist-packages")
_IMPORT_SYSTEM = ("<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>")
_METADATA = ("importlib/metadata/__init__.py", "importlib_metadata/__init__.py")
OTHER_PYTHONS = tuple(f"multiprocessing.popen_{how}" for how in ("spawn_posix", "forkserver"))
_CODE, _READ, _CHANGE, _MAKE = "code", "read", "change", "make"  # kinds of events

_root = ""
_installed: tuple[str, ...] = ()  # folders of libraries and of the builder
_record: "_Record | None" = None
_is_running = False


class RefusedError(PermissionError):
    """Raised in a solver for what is refused to it: an OSError, so that a library can go on without."""

    def __init__(self, message: str, cure: str = "") -> None:  # a default, so that it can be pickled
        super().__init__(message)
        self.cure = cure


def install(root: Path) -> None:
    """Begin to record what this process reads, and to refuse what solvers of the project in `root` may not do."""
    global _record
    locate(root)
    _record = _Record()
    sys.addaudithook(_audit)
    multiprocessing.set_start_method("fork", force=True)  # so that children inherit the record
    multiprocessing.current_process().daemon = False  # else it could have none
    for name in OTHER_PYTHONS:  # so that a solver imports them, which is refused
        sys.modules.pop(name, None)


def locate(root: Path) -> None:
    """Take the code in `root`, without libraries in it, for that of the project."""
    global _root, _installed
    _root = os.path.realpath(root)
    folders = [os.path.dirname(os.__file__), *(path for path in sys.path if path.endswith(_SITE_FOLDERS))]
    folders += [f"{prefix}/{name}" for prefix in (sys.prefix, sys.base_prefix) for name in ("lib", "lib64", "share")]
    every = {f"{path}/" for folder in folders for path in (folder, os.path.realpath(folder))}
    _installed = (f"{BUILDER}/", *(each for each in every if not f"{_root}/".startswith(each)))
    _recorded.cache_clear()


@contextmanager
def recording(code: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Record a task: at the end the mapping has what it and this process before it have read, as by `_reads`."""
    global _record, _is_running
    assert _record is not None
    _record, _is_running = _Record(_record.lines()), True
    found: dict[str, str] = {}
    try:
        yield found
    finally:
        _is_running = False
    lines = _record.lines()
    with unrecorded():
        found |= _reads(lines, code)


@contextmanager
def unrecorded() -> Iterator[None]:
    """Read something for the builder, of which nothing is recorded."""
    global _record
    before, _record = _record, None
    try:
        yield
    finally:
        _record = before


def is_own_code(path: str) -> bool:
    """True when a file of code is the project's, and neither the builder's nor a library's."""
    return bool(_root) and _is_inside(path) and not path.startswith(_installed)


def _is_inside(path: str) -> bool:
    """True when a path is that of the project or of something in it."""
    return path == _root or path.startswith(f"{_root}/")


# The record


class _Record:
    """The record of the files that a process and its children read and write. lines: of an earlier record."""

    def __init__(self, lines: bytes = b"") -> None:
        self._file = TemporaryFile(buffering=0)  # noqa: SIM115 - as long as the record
        self._noted: set[tuple[str, str]] = set()
        fcntl.fcntl(self._file, fcntl.F_SETFL, os.O_APPEND)
        self._file.write(lines)

    def note(self, kind: str, path: str) -> None:
        """Add an event with the signature that the file has now, unless this process has noted it before."""
        if (kind, path) not in self._noted:
            self._noted.add((kind, path))
            self._file.write(json.dumps([kind, path, signature(path)]).encode() + b"\n")

    def lines(self) -> bytes:
        """All events in their order."""
        return os.pread(self._file.fileno(), os.fstat(self._file.fileno()).st_size, 0)


def _reads(lines: bytes, code: Mapping[str, str]) -> dict[str, str]:
    """The digests of what was read, by path: of files, of the names in folders, of what was looked for in vain.

    Paths are relative to the project for what is in it. code: digests of modules, which are left out, as is what was
    made meanwhile. Raises TaskError when a file is no longer what was read, or a module has another digest.
    """
    read: dict[tuple[str, str], Signature | None] = {}
    written: set[str] = set()
    made: set[str] = set()
    for kind, path, found in map(json.loads, lines.splitlines()):
        if kind in (_CODE, _READ):
            if not made or made.isdisjoint((path, *map(str, PurePath(path).parents))):
                read.setdefault((kind, path), tuple(found) if found else None)
            continue
        written.add(path)
        if kind == _MAKE and not read.get((_READ, path)):
            read.pop((_READ, path), None)  # it was looked for in vain
            made.add(path)
    digests = {}
    for (kind, path), before in read.items():
        name = path[len(_root) + 1 :] or "." if _is_inside(path) else path
        if os.path.isabs(name) and before and not signature(path):  # a temporary file that compiled code has made
            continue
        digest = _digest(path, before)
        if not digest and path in written:
            cure = "let it write to another file, and to a folder that it does not list"
            raise TaskError(Failure("contract", f"it changes {name}, which it has read before", cure=cure))
        if not digest or (kind == _CODE and digest != code.get(name, digest)):
            error = changed(name)
            raise TaskError(Failure("changed", error.message, name, cure=error.cure))
        if kind == _READ or name not in code:
            digests[name] = digest
    return digests


def _digest(path: str, before: Signature | None) -> str:
    """The digest of what had this signature when it was read; empty where it has another one by now."""
    digest = _content(path, before) if signature(path) == before else ""
    return digest if signature(path) == before else ""


@cache  # children of a process know what it has found
def _content(path: str, _: Signature | None) -> str:
    return content_digest(Path(path))


# Reading and writing


def _note(kind: str, file: str | bytes, frame: FrameType) -> None:
    path = _recorded(os.path.abspath(os.fsdecode(file))) if _record else ""
    if _record and path:
        is_import = frame.f_code.co_filename in _IMPORT_SYSTEM
        if _is_inside(path) or (is_import if kind == _CODE else not _is_importing_a_library(frame)):
            _record.note(kind, path)


@cache
def _recorded(full: str) -> str:
    """The path by which a file is recorded; empty for the builder, installed libraries, bytecode and the system's own.

    A path that leads into the project through a link outside of it becomes one in the project.
    """
    for path in (full, os.path.realpath(full)):
        if f"{path}/".startswith(_installed) or "/__pycache__" in path:
            return ""
        if _is_inside(path):
            return path
        if f"{path}/".startswith(_SYSTEM):
            return ""
    return full


def _on_open(frame: FrameType, file: Any, mode: str | None, flags: int) -> None:
    by = frame.f_code.co_filename
    if isinstance(file, int) or (by == shutil.__file__ and mode is None):  # which removes a folder, by names inside
        return
    path = os.path.abspath(os.fsdecode(file))
    if by in _IMPORT_SYSTEM and path.endswith(".pyc"):
        with suppress(ValueError):  # of bytecode without its text
            path = source_from_cache(path)
        if is_own_code(path):
            # Python then compiles the text: this may be of another one with the same size and second of change.
            raise PermissionError(f"{file} may be older than its text")
    access = flags & os.O_ACCMODE
    if access != os.O_WRONLY and not flags & (os.O_TRUNC | os.O_EXCL):
        _note(_CODE if by in (*_IMPORT_SYSTEM, tokenize.__file__) else _READ, path, frame)
    if access != os.O_RDONLY and not os.path.isdir(path):
        _note(_MAKE if flags & os.O_TRUNC or not os.path.lexists(path) else _CHANGE, path, frame)


def _on_folder(frame: FrameType, folder: Any = None) -> None:
    if not isinstance(folder, int) and not frame.f_code.co_filename.endswith((*_IMPORT_SYSTEM, *_METADATA)):
        _note(_READ, "." if folder is None else folder, frame)


def _on_new_folder(frame: FrameType, folder: Any, *_: Any) -> None:
    if not os.path.lexists(folder):
        _note(_MAKE, folder, frame)


def _on_database(frame: FrameType, file: Any) -> None:
    path = os.fsdecode(file)
    if path.startswith("file:"):
        path = unquote(path.removeprefix("file:").partition("?")[0])
    if path not in ("", ":memory:"):
        _note(_READ if os.path.lexists(path) else _MAKE, path, frame)


def _on_shared_library(frame: FrameType, file: Any) -> None:
    if os.sep in os.fsdecode(file or ""):
        _note(_READ, file, frame)


# Refusing


def _on_network(frame: FrameType, target: Any, *_: Any) -> None:
    if getattr(target, "family", None) != socket.AF_UNIX:
        cure = "save what it needs in a file beside the solver, and read that"
        _refuse(frame, "it uses the network, which may answer otherwise tomorrow", cure)


def _on_program(frame: FrameType, *_: Any) -> None:
    cure = "save what the program gives in a file beside the solver, and read that"
    _refuse(frame, "it starts another program, and nobody sees what that reads", cure)


def _on_import(frame: FrameType, module: str, file: str | None, *_: Any) -> None:
    if module in OTHER_PYTHONS:
        cure = "leave the start method of multiprocessing as it is, which is fork"
        _refuse(frame, "it starts another Python, and nobody sees what that reads", cure)
    elif file:  # an extension module
        _note(_CODE, file, frame)


def _refuse(frame: FrameType, message: str, cure: str) -> None:
    """Raise RefusedError, unless a library does so while it is imported, or the builder itself."""
    is_solver = _is_running or any(map(is_own_code, _files_behind(frame)))
    if is_solver and not _is_importing_a_library(frame):
        raise RefusedError(message, cure)


def _is_importing_a_library(frame: FrameType) -> bool:
    """True when the import system stands between an event and the project's own code."""
    for file in _files_behind(frame):
        if file in _IMPORT_SYSTEM or is_own_code(file):
            return file in _IMPORT_SYSTEM
    return False


def _files_behind(frame: FrameType | None) -> Iterator[str]:
    while frame:
        yield frame.f_code.co_filename
        frame = frame.f_back


_HANDLERS: Mapping[str, Callable[..., None]] = {
    "open": _on_open,
    "os.mkdir": _on_new_folder,
    "os.rename": lambda frame, _, target, *__: _note(_MAKE, target, frame),
    "sqlite3.connect": _on_database,
    "ctypes.dlopen": _on_shared_library,
    "import": _on_import,
    **dict.fromkeys(("os.listdir", "os.scandir"), _on_folder),
    **dict.fromkeys(("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"), _on_network),
    **dict.fromkeys(("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"), _on_network),
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "os.spawn", "os.posix_spawn"), _on_program),
}


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if handler := _HANDLERS.get(event):
        handler(sys._getframe(1), *arguments)
