"""A worker process: how it starts and ends, and how a task runs within limits."""

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from site_builder.solving import sandbox
from site_builder.solving.failure import Failure, TaskError

_MOST_CHARACTERS = 500
_RESERVE = 8 * 2**20
_root = Path()
_leave = os._exit


def start(root: str, build: Connection) -> None:
    """Prepare this process for the project in `root`. build: closed when the build ends, and this process with it."""
    global _root
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(build,), daemon=True).start()
    _root = Path(root)
    os.dup2(2, 1)  # what a solver prints is no output of the build
    sys.stdout = sys.stderr  # and is not lost in a buffer when this process is ended
    sys.path.insert(0, root)
    sys.dont_write_bytecode = True
    # Python's own would open the solver's file to show a line of it, as if the solver had.
    sys.unraisablehook = lambda error: traceback.print_exception(error.exc_value)
    threading.excepthook = lambda error: traceback.print_exception(error.exc_value)
    sandbox.install(_root)
    forget_solver()


def project_root() -> Path:
    """The root of the project that this process works for."""
    return _root


def _end_with(build: Connection) -> None:
    build.poll(None)
    if proving := sys.modules.get("site_builder.solving.bundle.proof"):
        proving.end_all()
    _leave(1)


def forget_solver() -> None:
    """Unload the solver's modules and leave its working folder."""
    for name in sandbox.project_modules():
        del sys.modules[name]
    package = ModuleType("solvers")  # this project's, whatever else of the name lies on the path
    package.__path__ = [str(_root / "solvers")]
    sys.modules["solvers"] = package
    os.chdir(_root)


Answer = TypeVar("Answer")


def run_limited(memory: int, function: Callable[..., Answer], *arguments: Any) -> "Answer | Failure":
    """Call a function within a memory limit; a Failure in place of an exception. memory: bytes."""
    reserve = bytearray(_RESERVE)
    try:
        _limit_memory(memory)
        return function(*arguments)
    except BaseException as error:  # sys.exit and the like are as much a solver's error as any other
        del reserve  # what exhausted the memory is still held by the error, and describing that takes some
        _limit_memory(None)
        return failure_of(error)
    finally:
        _limit_memory(None)  # the answer is still to be sent


def _limit_memory(size: int | None) -> None:
    """Limit the memory of this process in bytes; None removes the limit."""
    try:
        import resource
    except ImportError:  # no such limits on this system; the time limit still holds
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if size is None or (hard != resource.RLIM_INFINITY and size > hard):
        size = hard
    resource.setrlimit(resource.RLIMIT_DATA, (size, hard))


def failure_of(error: BaseException) -> Failure:
    """The failure that an exception of a task stands for."""
    if isinstance(error, TaskError):
        return error.failure
    if isinstance(error, SyntaxError):
        message = f"this is not Python: {error.msg}"
        return Failure("raised", message, shown_path(error.filename or ""), error.lineno or 1)
    failure = Failure("raised", message_of(error))
    if isinstance(error, MemoryError):
        failure = Failure("memory", "it needs more memory than it may have")
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if is_solver_file(frame.filename)]
    return replace(failure, path=shown_path(own[-1].filename), line=own[-1].lineno or 1) if own else failure


def message_of(error: BaseException) -> str:
    """The message of an exception on one line, shortened."""
    try:
        words = " ".join(str(error).encode("utf-8", "replace").decode().split())
    except Exception:  # its own __str__ fails
        words = ""
    words = words if len(words) <= _MOST_CHARACTERS else words[:_MOST_CHARACTERS] + " …"
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def is_solver_file(filename: str) -> bool:
    """Whether a file lies in the folder solvers/ of the project."""
    return Path(filename).is_relative_to(_root / "solvers")


def shown_path(filename: str) -> str:
    """A file as messages name it: by its path in the project, or by its name alone outside of it."""
    path = Path(filename)
    return path.relative_to(_root).as_posix() if path.is_relative_to(_root) else path.name
