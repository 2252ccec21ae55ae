"""The audit hook of worker processes: it records what a solver reads, and refuses the network and other programs.

A record is a file that children of the process inherit, so that what they read is in it too. What compiled code does
below Python raises no event.
"""

import multiprocessing
import os
import shutil
import socket
import sys
import tokenize
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.util import source_from_cache
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import unquote

from site_builder.solving.processes.read_record import CHANGE, CODE, MAKE, READ, Record, is_inside, project_name
from site_builder.storage.file_fingerprints import BUILDER

_SYSTEM = tuple(f"/{name}/" for name in ("bin", "dev", "etc", "lib", "lib64", "proc", "run", "sbin", "sys", "usr"))
_SYSTEM += ("/Library/", "/System/", "/private/etc/", "/private/var/db/")  # of macOS
_SITE_FOLDERS = ("site-packages", "dist-packages")
_OF_INSTALLERS = ("/__pycache__", ".dist-info/", ".egg-info/")
_IMPORT_SYSTEM = ("<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>")
_METADATA = ("importlib/metadata/__init__.py", "importlib_metadata/__init__.py")
OTHER_PYTHONS = tuple(f"multiprocessing.popen_{how}" for how in ("spawn_posix", "forkserver"))

_root = ""
_ignored: tuple[str, ...] = ()  # folders of installed libraries and of the builder
_record: Record | None = None
_is_running = False


class RefusedError(PermissionError):
    """Raised in a solver for what is refused to it: an OSError, so that a library can go on without."""

    def __init__(self, message: str, cure: str = "") -> None:
        super().__init__(message)
        self.cure = cure


def install(root: Path) -> None:
    """Begin to record what this process reads, and to refuse what solvers of the project in `root` may not do."""
    global _record
    if _record is None:
        sys.addaudithook(_audit)
    locate(root)
    _record = Record(_root)
    multiprocessing.set_start_method("fork", force=True)  # so that children inherit the record
    multiprocessing.current_process().daemon = False  # else it could have none


def locate(root: Path) -> None:
    """Take the code in `root`, without libraries in it, for that of the project."""
    global _root, _ignored
    _root = os.path.realpath(root)
    folders = [f"{prefix}/{name}" for prefix in (sys.prefix, sys.base_prefix) for name in ("lib", "lib64", "share")]
    folders += [path for path in sys.path if path.endswith((*_SITE_FOLDERS, "lib-dynload", ".zip"))]
    folders.append(os.path.dirname(os.__file__))
    every = {f"{path}/" for folder in folders for path in (os.path.abspath(folder), os.path.realpath(folder))}
    _ignored = (f"{BUILDER}/", *sorted(each for each in every if not f"{_root}/".startswith(each)))
    _recorded.cache_clear()


@contextmanager
def recording(code: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Record a task: at the end the mapping has what it and this process before it have read, as by `Record.reads`."""
    global _record, _is_running
    assert _record is not None
    _record, _is_running = Record(_root, _record.lines()), True
    found: dict[str, str] = {}
    try:
        yield found
    finally:
        _is_running = False
    record = _record
    with unrecorded():
        found |= record.reads(code)


@contextmanager
def unrecorded() -> Iterator[None]:
    """Read something for the builder, of which nothing is recorded."""
    global _record
    before, _record = _record, None
    try:
        yield
    finally:
        _record = before


# Reading and writing


def _on_open(frame: FrameType, arguments: tuple[Any, ...]) -> None:
    path, mode, flags = arguments
    if isinstance(path, int):  # opened earlier by its name
        return
    by_name = frame.f_code.co_filename
    if by_name == shutil.__file__ and mode is None:  # which removes a folder, by names inside of that
        return
    full = os.path.abspath(os.fsdecode(path))
    if by_name in _IMPORT_SYSTEM and full.endswith(".pyc"):
        _refuse_bytecode(full)
        full = _text_of(full)
    access = flags & os.O_ACCMODE
    if access != os.O_WRONLY and not flags & (os.O_TRUNC | os.O_EXCL):
        _note(CODE if by_name in (*_IMPORT_SYSTEM, tokenize.__file__) else READ, full, frame)
    if access != os.O_RDONLY and not os.path.isdir(full):
        _note(MAKE if flags & os.O_TRUNC or not os.path.lexists(full) else CHANGE, full, frame)


def _on_folder(frame: FrameType, arguments: tuple[Any, ...]) -> None:
    path = "." if arguments[0] is None else arguments[0]
    if not isinstance(path, int) and not frame.f_code.co_filename.endswith((*_IMPORT_SYSTEM, *_METADATA)):
        _note(READ, os.path.abspath(os.fsdecode(path)), frame)


def _on_new_folder(frame: FrameType, arguments: tuple[Any, ...]) -> None:
    full = os.path.abspath(os.fsdecode(arguments[0]))
    if not os.path.lexists(full):
        _note(MAKE, full, frame)


def _on_rename(frame: FrameType, arguments: tuple[Any, ...]) -> None:
    _note(MAKE, os.path.abspath(os.fsdecode(arguments[1])), frame)


def _on_database(frame: FrameType, arguments: tuple[Any, ...]) -> None:
    path = os.fsdecode(arguments[0])
    if path.startswith("file:"):
        path = unquote(path.removeprefix("file:").partition("?")[0])
    if path not in ("", ":memory:"):
        full = os.path.abspath(path)
        _note(READ if os.path.lexists(full) else MAKE, full, frame)


def _on_shared_library(frame: FrameType, arguments: tuple[Any, ...]) -> None:
    path = os.fsdecode(arguments[0] or "")
    if os.sep in path:
        _note(READ, os.path.abspath(path), frame)


def _note(kind: str, full: str, frame: FrameType) -> None:
    if _record is None or not (path := _recorded(full)):
        return
    is_import = frame.f_code.co_filename in _IMPORT_SYSTEM
    if is_inside(path, _root) or (is_import if kind == CODE else not _is_importing_a_library(frame)):
        _record.note(kind, path)


@cache
def _recorded(full: str) -> str:
    """The path by which a file is recorded; empty for the builder, installed libraries, bytecode and the system's own.

    A path that leads into the project through a link outside of it becomes one in the project.
    """
    for path in (full, os.path.realpath(full)):
        if f"{path}/".startswith(_ignored) or any(each in path for each in _OF_INSTALLERS):
            return ""
        if is_inside(path, _root):
            return path
        if f"{path}/".startswith(_SYSTEM):
            return ""
    return full


def _refuse_bytecode(full: str) -> None:
    """Have Python compile a module of the project from its text.

    It would take the bytecode of another text that has the same size and was written in the same second.
    """
    path = full.removeprefix(sys.pycache_prefix or "")
    if is_own_code(path):
        name = project_name(path, _root)
        raise RefusedError(f"it imports {name}, which is bytecode without its text", "put its text there")


def _text_of(bytecode: str) -> str:
    """The file from which Python has compiled bytecode of its cache."""
    try:
        return source_from_cache(bytecode)
    except ValueError:  # bytecode without its text
        return bytecode


# Refusing


def _on_network(frame: FrameType, arguments: tuple[Any, ...]) -> None:
    if getattr(arguments[0], "family", None) != socket.AF_UNIX:
        cure = "save what it needs in a file beside the solver, and read that"
        _refuse(frame, "it uses the network, which may answer otherwise tomorrow", cure)


def _on_program(frame: FrameType, _: tuple[Any, ...]) -> None:
    cure = "save what the program gives in a file beside the solver, and read that"
    _refuse(frame, "it starts another program, and nobody sees what that reads", cure)


def _on_import(frame: FrameType, arguments: tuple[Any, ...]) -> None:
    module, file, *_ = arguments
    if module in OTHER_PYTHONS:
        cure = "leave the start method of multiprocessing as it is, which is fork"
        _refuse(frame, "it starts another Python, and nobody sees what that reads", cure)
    elif file:  # an extension module
        _note(CODE, os.path.abspath(file), frame)


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


def is_own_code(path: str) -> bool:
    """True when a file of code is the project's, and neither the builder's nor a library's."""
    return bool(_root) and is_inside(path, _root) and not path.startswith(_ignored)


_HANDLERS: Mapping[str, Callable[[FrameType, tuple[Any, ...]], None]] = {
    "open": _on_open,
    "os.mkdir": _on_new_folder,
    "os.rename": _on_rename,
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
        handler(sys._getframe(1), arguments)
