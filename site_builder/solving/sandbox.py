"""Audit hooks for a running solver: it may read only its code, its declared data and installed libraries.

A result is cached under its solver's code, parameters and declared files; whatever else could change it is refused.
Where the kernel has Landlock it refuses the same to compiled code.
"""

import builtins
import importlib.util
import linecache
import os
import sys
import sysconfig
import tokenize
import traceback
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import FileFinder, SourceFileLoader, SourcelessFileLoader
from pathlib import Path
from types import CodeType, FrameType, MappingProxyType, ModuleType
from typing import Any, NoReturn
from urllib.parse import unquote

from site_builder.errors import changed
from site_builder.solving.confinement import clock, landlock
from site_builder.solving.confinement.source_loader import compile_texts
from site_builder.solving.failure import Failure, TaskError
from site_builder.storage.file_fingerprints import Loadable, Signature, signature
from site_builder.values.digest import bytes_digest

_ANY: Mapping[str, str] = MappingProxyType({})
_CONTRACT = "docs/solver-contract.md has the contract"
_OWN_CODE = os.path.realpath(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_READ_CODE = {SourceFileLoader.get_code.__code__, SourcelessFileLoader.get_code.__code__}
_GET_DATA = SourceFileLoader.get_data.__code__
_FILL_CACHE: CodeType = FileFinder._fill_cache.__code__  # type: ignore[attr-defined]
_LINES = {linecache.__file__, tokenize.__file__}
_MESSAGES = {traceback.__file__, warnings.__file__}
_METADATA = (".dist-info", ".egg-info")
_METADATA_FILE = os.path.join(os.path.dirname(importlib.util.__file__), "metadata", "__init__.py")
# What the C library and Python read by themselves.
_SYSTEM_FILES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/etc/localtime", "/etc/ld.so.cache")
_SYSTEM_FOLDERS = ("/usr/share/zoneinfo", "/usr/lib/locale")
_SHARED_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
_SITE_FOLDERS = ("site-packages", "dist-packages")
_IMPORTING = ("<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>")


@dataclass
class _Watch:
    """One task of one solver. texts: digests of the files of code that it may load, by their paths in the project.

    seeded: texts that run in place of some of them. data: what it may read, unknown while it is being loaded; reads:
    what it read meanwhile.
    """

    code: frozenset[str]
    texts: Mapping[str, str]
    unlisted: frozenset[str] = frozenset()
    seeded: Mapping[str, bytes] = field(default_factory=dict)
    subject: str = "it"
    home: str = ""
    data: frozenset[str] | None = None
    reads: list[tuple[str, str, int]] = field(default_factory=list)
    failure: Failure | None = None


_root = ""
_libraries: tuple[str, ...] = ()
_own: frozenset[str] = frozenset()
_builtins: Mapping[str, Any] = dict(vars(builtins))
_builtins_now = vars(builtins)
_watch: _Watch | None = None


def install(root: Path) -> None:
    """Add the audit hook to this process, for solvers of the project in `root`."""
    global _root, _libraries, _own
    _is_code_of_project.cache_clear()
    if not _root:
        sys.addaudithook(_audit)
        _READ_CODE.add(compile_texts(_is_own_code, _checked_text))
        clock.guard(_on_clock)
    _root = os.path.realpath(root)
    _own = frozenset(sys.modules)
    paths = sysconfig.get_paths()
    folders = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders += [
        path for path in sys.path if os.path.basename(path) in _SITE_FOLDERS or path.endswith(("lib-dynload", ".zip"))
    ]
    named = {path for folder in folders for path in (os.path.abspath(folder), os.path.realpath(folder))}
    _libraries = tuple(sorted(path for path in named if not _inside(_root, path)))


def confine(loadable: Loadable) -> None:
    """Have the kernel, if it can, refuse to this process for ever what this solver may not open."""
    if not loadable.code:  # it is not checked
        return
    prefixes = {os.path.realpath(prefix) for prefix in (sys.prefix, sys.base_prefix)}
    shared = [os.path.join(prefix, name) for prefix in prefixes for name in ("lib", "lib64")]
    folders = [*_libraries, *shared, *_SHARED_LIBRARIES, *_SYSTEM_FOLDERS, _OWN_CODE]
    own = [os.path.join(_root, name) for name in (*loadable.code, *loadable.data)]
    own += map(str, Path(_root, "solvers").rglob("*.py"))  # of which the hook checks what is loaded
    landlock.restrict(
        [folder for folder in folders if not _inside(_root, os.path.realpath(folder))],
        [*own, *loadable.unlisted, *_SYSTEM_FILES],
        [_root, os.path.join(_root, "solvers"), *sys.path, *map(os.path.dirname, loadable.unlisted)],
    )


@contextmanager
def watching(
    code: Collection[str],
    texts: Mapping[str, str] = _ANY,
    data: Mapping[str, str] = _ANY,
    unlisted: Collection[str] = (),
    seeded: Mapping[str, bytes] = MappingProxyType({}),
) -> Iterator[None]:
    """Refuse what no solver may do; at the end raise TaskError even if the solver caught it.

    code: full names of the project's modules that the solver may import. texts and data: digests of files of code and
    data, by their paths in the project. unlisted and seeded: as in `Loadable`. What is empty is not checked. The
    builder's own modules are unloaded meanwhile, so that importing one is seen.
    """
    global _watch
    before = {name: signature(os.path.join(_root, name)) for name in data}
    watch = _watch = _Watch(frozenset(code), texts, frozenset(unlisted), seeded)
    hidden = _hide_builder()
    original_exit = os._exit
    os._exit = _refuse_exit
    try:
        yield
    finally:
        _restore_builtins(watch)
        _judge_reads(watch, [os.path.realpath(os.path.join(_root, name)) for name in (*data, *texts)])
        os._exit = original_exit
        _watch = None
        imported = list(_hide_builder())
        sys.modules.update(hidden)
        for name, module in hidden.items():
            if name.count(".") == 1:
                setattr(sys.modules["site_builder"], name.partition(".")[2], module)
        _check_modules(watch, imported)
        _check_data(watch, data, before)
        if watch.failure:
            raise TaskError(watch.failure)


def loaded(file: str, data: Iterable[str], subject: str) -> None:
    """The solver in `file` is loaded. data: the files that it declares; subject: what of it runs next, for messages.

    Raises TaskError when it read another file while it was loaded.
    """
    if not _watch:
        return
    _watch.subject, _watch.home = subject, file
    _watch.data = frozenset(os.path.realpath(os.path.join(os.path.dirname(file), name)) for name in data)
    _judge_reads(_watch, _watch.data)
    judge()


def _judge_reads(watch: _Watch, data: Collection[str]) -> None:
    """Refuse what was read while it was loaded, unless it is declared; also where that ended in an error."""
    for path, at, line in watch.reads:
        with suppress(TaskError):  # recorded in the watch
            if os.path.realpath(path) not in data:
                _refuse_reading(watch, path, "it", (at, line))
    watch.reads.clear()


def judge() -> None:
    """Raise TaskError if anything was refused since the watch began, even if the solver caught it."""
    if _watch:
        _restore_builtins(_watch)
        if _watch.failure:
            raise TaskError(_watch.failure)


@contextmanager
def unwatched() -> Iterator[None]:
    """Pause the watch, for what the worker itself reads."""
    global _watch
    watch, _watch = _watch, None
    try:
        yield
    finally:
        _watch = watch


def project_modules() -> list[str]:
    """The loaded modules that are the project's own code: its solvers and other modules in its folder."""
    return [
        name
        for name, module in list(sys.modules.items())
        if name.startswith("solvers.")
        or (name not in _own and name.partition(".")[0] != "site_builder" and _is_ours(module))
    ]


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if _watch and (handler := _HANDLERS.get(event)):
        handler(_watch, sys._getframe(1), arguments)


def _on_open(watch: _Watch, frame: FrameType, arguments: tuple[Any, ...]) -> None:
    path, mode, flags = arguments
    if frame.f_code is _GET_DATA and frame.f_back and frame.f_back.f_code in _READ_CODE:
        _check_code(watch, path)
        return
    if mode is None and os.path.isdir(path):  # through its descriptor, files in it could be read by short names
        _on_folder(watch, frame, (path,))
    inside = _in_project(path)
    if inside and isinstance(flags, int) and flags & _WRITING:
        _refuse_writing(watch, inside)
    if inside and not _for_a_message(frame):
        _check_reading(watch, inside)
    if not inside and not (isinstance(flags, int) and flags & os.O_ACCMODE == os.O_WRONLY):
        _check_outside(watch, frame, path)


def _check_outside(watch: _Watch, frame: FrameType, path: Any) -> None:
    """What lies outside of the project is read only if it belongs to Python, to a library or to the system's own."""
    if isinstance(path, int):
        return
    name = os.path.realpath(os.fsdecode(path))
    allowed = name in watch.unlisted or os.path.abspath(os.fsdecode(path)) in (*watch.unlisted, *_SYSTEM_FILES)
    if allowed or _in_library(name) or any(_inside(name, folder) for folder in (*_SYSTEM_FOLDERS, _OWN_CODE)):
        return
    if not _for_a_message(frame) and not _is_importing_a_library():
        words = f"reads {name}, which lies outside of the project"
        _refuse(watch, words, "put it beside the solver and name it in DATA, so that its changes are noticed")


def _check_code(watch: _Watch, path: str) -> None:
    """The import system reads code: it must be a module that the solver's text names."""
    if _in_library(path):
        return
    if path.endswith(".pyc"):
        if _is_own_code(path):
            _refuse(watch, f"imports {_shown(path)}, which is bytecode without its text", "put its text there")
        try:
            path = importlib.util.source_from_cache(path)
        except ValueError:  # it stands alone, without its text
            path = path.removesuffix("c")
    name = _module_name(os.path.realpath(path)) or _module_name(os.path.abspath(path))  # solvers/ may be a link
    if name and _is_internal(name):
        _refuse_internal(watch, name)
    if watch.code and (name not in watch.code if name else os.path.realpath(path) not in watch.unlisted):
        _refuse_module(watch, name or path)


def _checked_text(path: str, data: bytes) -> bytes:
    """Code of the project is about to run: it must be what was scanned; returns it, or what is seeded in its place."""
    if _watch and (line := clock.asks_datetime(data)):
        _refuse_clock(_watch, "now of datetime", (_shown(path), line))
    if _watch and _watch.texts:
        paths = [_shown(full) for full in (os.path.abspath(path), os.path.realpath(path)) if _inside(full, _root)]
        if bytes_digest(data) not in [_watch.texts.get(shown) for shown in paths]:
            _refuse_changed(_watch, paths[0])
        return next((_watch.seeded[shown] for shown in paths if shown in _watch.seeded), data)
    return data


def _on_import(watch: _Watch, _: FrameType, arguments: tuple[Any, ...]) -> None:
    name, file, *_rest = arguments
    if _is_internal(str(name)):
        _refuse_internal(watch, str(name))
    if file:  # an extension module
        _check_code(watch, os.path.join(os.path.dirname(file), str(name).rpartition(".")[2] + ".py"))
        if _is_own_code(file):
            with unwatched():
                data = Path(file).read_bytes()
            _checked_text(file, data)


def _on_folder(watch: _Watch, frame: FrameType, arguments: tuple[Any, ...]) -> None:
    path = "." if arguments[0] is None else arguments[0]
    inside = _in_project(path)
    importing = frame.f_code is _FILL_CACHE or frame.f_code.co_filename == _METADATA_FILE
    if inside and not importing and os.path.isdir(path):
        _refuse(watch, f"lists the folder {_shown(inside)}/", f"name the files in DATA instead; {_CONTRACT}")
    if not inside and not importing and not isinstance(path, int) and not _is_importing_a_library():
        name = os.path.realpath(os.fsdecode(path))
        if not _in_library(name) and not _inside(name, _OWN_CODE):
            _refuse(watch, f"lists the folder {name}/, which lies outside of the project", _CONTRACT)


def _on_change(watch: _Watch, _: FrameType, arguments: tuple[Any, ...]) -> None:
    for path in arguments[:2]:
        if isinstance(path, (str, bytes, os.PathLike)) and (inside := _in_project(path)):
            _refuse_writing(watch, inside)


def _on_database(watch: _Watch, frame: FrameType, arguments: tuple[Any, ...]) -> None:
    path = os.fsdecode(arguments[0])
    if path.startswith("file:"):
        path = unquote(path.removeprefix("file:").partition("?")[0])
    if path not in ("", ":memory:"):
        if inside := _in_project(path):
            _check_reading(watch, inside)
        else:
            _check_outside(watch, frame, path)


def _on_shared_library(watch: _Watch, _: FrameType, arguments: tuple[Any, ...]) -> None:
    path = arguments[0]
    if isinstance(path, (str, bytes)) and os.sep in os.fsdecode(path) and (inside := _in_project(path)):
        _check_reading(watch, inside)


def _on_program(watch: _Watch, _: FrameType, __: tuple[Any, ...]) -> None:
    if not _is_importing_a_library():
        _refuse(watch, "starts another program, and nobody can see what that reads", _CONTRACT)


def _on_signal(watch: _Watch, _: FrameType, arguments: tuple[Any, ...]) -> None:
    if arguments[0] != os.getpid():
        _refuse(watch, "sends a signal to another process", _CONTRACT)


def _on_clock(function: str, frame: FrameType) -> None:
    if _watch and _inside(frame.f_code.co_filename, _root) and _is_own_code(frame.f_code.co_filename):
        _refuse_clock(_watch, function)


def _on_network(watch: _Watch, _: FrameType, __: tuple[Any, ...]) -> None:
    if not _is_importing_a_library():
        _refuse(watch, "uses the network, which may answer otherwise tomorrow", _CONTRACT)


_HANDLERS: dict[str, Callable[[_Watch, FrameType, tuple[Any, ...]], None]] = {
    "open": _on_open,
    "import": _on_import,
    "sqlite3.connect": _on_database,
    "ctypes.dlopen": _on_shared_library,
    **dict.fromkeys(("os.listdir", "os.scandir"), _on_folder),
    **dict.fromkeys(
        ("os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink", "os.truncate"), _on_change
    ),
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.exec", "os.spawn", "os.posix_spawn"), _on_program),
    **dict.fromkeys(("os.fork", "os.forkpty", "os.startfile"), _on_program),
    **dict.fromkeys(("os.kill", "os.killpg"), _on_signal),
    **dict.fromkeys(("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"), _on_network),
    **dict.fromkeys(("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"), _on_network),
}


def _check_reading(watch: _Watch, path: str) -> None:
    if watch.data is None:
        watch.reads.append((path, *_place(watch)))
    elif os.path.realpath(path) not in watch.data:
        _refuse_reading(watch, path, watch.subject, _place(watch))


def _refuse_reading(watch: _Watch, path: str, subject: str, place: tuple[str, int]) -> NoReturn:
    cure = "add it to DATA = (...) of the solver, so that its answers are computed anew when the file changes"
    _refuse(watch, f"reads {_shown(path)}, which DATA does not name", cure, subject, place)


def _refuse_writing(watch: _Watch, path: str) -> NoReturn:
    _refuse(watch, f"writes {_shown(path)}; a solver gives a result and changes nothing else", _CONTRACT)


def _refuse_module(watch: _Watch, name: str, place: tuple[str, int] | None = None) -> NoReturn:
    words = f"imports {name} in a way that cannot be seen in its text"
    _refuse(watch, words, "import it by name at the top of the file", place=place)


def _refuse_internal(watch: _Watch, name: str, place: tuple[str, int] | None = None) -> NoReturn:
    words = f"imports {name}; of the builder a solver imports site_builder.contract alone"
    _refuse(watch, words, _CONTRACT, place=place)


def _refuse_clock(watch: _Watch, function: str, place: tuple[str, int] | None = None) -> NoReturn:
    cure = f"the same parameters give the same result at every time; {_CONTRACT}"
    _refuse(watch, f"reads the clock ({function})", cure, place=place)


def _refuse_changed(watch: _Watch, path: str) -> NoReturn:
    error = changed(path)
    watch.failure = watch.failure or Failure("changed", error.fault, path, cure=error.cure)
    raise TaskError(watch.failure)


def _refuse_exit(status: int) -> NoReturn:
    if _watch:
        _refuse(_watch, f"ends its process with os._exit({status})", "raise an exception that says what is wrong")
    raise SystemExit(status)


def _refuse(watch: _Watch, words: str, cure: str, subject: str = "", place: tuple[str, int] | None = None) -> NoReturn:
    path, line = place or _place(watch)
    failure = Failure("contract", f"{subject or watch.subject} {words}", path, line, cure=cure)
    watch.failure = watch.failure or failure
    raise TaskError(failure)


def _restore_builtins(watch: _Watch) -> None:
    """Refuse a change of what all code uses, the packing of an answer too; uses nothing of it before it is restored."""
    changed = ""
    for name, value in _builtins.items():
        if _builtins_now.get(name) is not value:
            _builtins_now[name] = value
            changed = changed or name
    if changed:
        place = (_shown(watch.home) if watch.home else "", 1 if watch.home else 0)
        with suppress(TaskError):  # recorded in the watch
            _refuse(watch, f"changes builtins.{changed}, which all code uses", _CONTRACT, place=place)


def _check_modules(watch: _Watch, internal: Iterable[str]) -> None:
    """Find what was imported without a file being opened; its place in the text is unknown."""
    place = (_shown(watch.home) if watch.home else "", 1 if watch.home else 0)
    try:
        for name in internal:
            _refuse_internal(watch, name, place)
        for name in project_modules() if watch.code else ():
            if name not in watch.code and getattr(sys.modules[name], "__file__", None):
                _refuse_module(watch, name, place)
    except TaskError:
        pass  # recorded in the watch


def _check_data(watch: _Watch, data: Mapping[str, str], before: Mapping[str, Signature | None]) -> None:
    """Find whether a data file changed meanwhile, even if it was changed back."""
    for name, digest in data.items():
        path = os.path.join(_root, name)
        with suppress(TaskError):  # recorded in the watch
            if signature(path) != before[name] or _content(path) != digest:
                _refuse_changed(watch, name)


def _content(path: str) -> str:
    try:
        return bytes_digest(Path(path).read_bytes())
    except OSError:
        return ""


def _hide_builder() -> dict[str, ModuleType]:
    """Unload the builder's own modules; returns them by name."""
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if _is_internal(name)}
    for name in hidden:
        vars(sys.modules["site_builder"]).pop(name.partition(".")[2], None)
    return hidden


def _is_internal(name: str) -> bool:
    return name.startswith("site_builder.") and not f"{name}.".startswith("site_builder.contract.")


def _is_ours(module: ModuleType) -> bool:
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and _is_code_of_project(file)


@cache  # asked after every task for every loaded module, of which a library may have hundreds
def _is_code_of_project(file: str) -> bool:
    return _in_project(file) is not None


def _module_name(path: str) -> str:
    """The name by which a file of the project or builder is imported; empty for other files."""
    folder = os.path.dirname(_OWN_CODE) if _inside(path, _OWN_CODE) else _root
    if not _inside(path, folder):
        return ""
    parts = path[len(folder) :].strip(os.sep).rpartition(".")[0].split(os.sep)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _in_project(path: Any) -> str | None:
    """The path, or where its links lead, if it is in the project and in no library there."""
    if isinstance(path, int):  # a descriptor, opened earlier by its name
        return None
    name = os.fsdecode(path)
    for full in (os.path.realpath(name), os.path.abspath(name)):
        if _inside(full, _root) and not _in_library(full):
            return full
    return None


def _in_library(path: str) -> bool:
    """Whether a path is that of an installed library; the builder is none, wherever it is installed."""
    if _inside(os.path.realpath(path), _OWN_CODE):
        return False
    return any(_inside(path, library) for library in _libraries) or any(
        part.endswith(_METADATA) for part in path[len(_root) :].split(os.sep)
    )


def _is_own_code(path: str) -> bool:
    """Whether a file of code is the project's, and neither a library's nor the builder's."""
    if _in_library(path) or _in_project(path) is None:
        return False
    return not _inside(os.path.realpath(path), _OWN_CODE)


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _for_a_message(frame: FrameType | None) -> bool:
    """Whether lines of code are read to be printed with an exception or a warning."""
    read = False
    while frame and frame.f_code.co_filename in _LINES:
        read, frame = True, frame.f_back
    return read and frame is not None and frame.f_code.co_filename in _MESSAGES


def _is_importing_a_library() -> bool:
    frame: FrameType | None = sys._getframe(2)
    while frame and not _is_solver(frame.f_code.co_filename):
        if frame.f_code.co_filename in _IMPORTING:
            return True
        frame = frame.f_back
    return False


def _place(watch: _Watch) -> tuple[str, int]:
    """Path and line in the solver's code that runs now; in a thread of a library, the solver's file."""
    frame: FrameType | None = sys._getframe(2)
    while frame:
        if _is_solver(frame.f_code.co_filename):
            return _shown(frame.f_code.co_filename), frame.f_lineno
        frame = frame.f_back
    return (_shown(watch.home), 1) if watch.home else ("", 0)


def _is_solver(filename: str) -> bool:
    return _inside(filename, os.path.join(_root, "solvers"))


def _shown(path: str) -> str:
    return Path(os.path.relpath(path, _root)).as_posix()
