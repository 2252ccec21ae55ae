"""A worker process: how it starts and ends, and how a task runs within limits."""

import gc
import os
import pickle
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from io import BufferedRWPair
from multiprocessing.connection import Connection
from pathlib import Path
from socket import socket
from types import ModuleType
from typing import Any, TypeVar

from site_builder.contract import progress_report
from site_builder.solving import audit, environment
from site_builder.solving.failure import Crash, Failure, TaskError
from site_builder.values.characters import without_control

HEAD = 8  # bytes of the length of a message
SHARE = b"%"  # begins a message before the answer: the share of its work that a task has done
_MOST_CHARACTERS = 500
_WITH_UV = "uv tool install --with-requirements requirements.txt puzzlepress"
_RESERVE = 8 * 2**20
_SECONDS_BETWEEN = 0.2  # of messages about progress
_NEW_OBJECTS = 10_000  # from one garbage collection to the next; with Python's 700 they take half the time of a check
_root = Path()
_leave = os._exit


def serve(root: str, channel: socket, output: Connection, is_forked: bool) -> None:
    """Run the tasks that arrive in the channel, and answer each; what they print goes to `output`."""
    _start(root, channel, output, is_forked)
    with suppress(OSError), channel.makefile("rwb") as stream:  # a solver may have closed it
        stream.write(frame(b""))  # it has started
        stream.flush()
        progress_report.listen(_sender(stream))
        while head := stream.read(HEAD):
            task, arguments, purpose = pickle.loads(stream.read(int.from_bytes(head)))
            if purpose:
                environment.keep_fixed()
            try:
                answer = task(*arguments)
            except Exception:  # of the builder itself: a task gives the errors of authors as a Failure
                answer = Crash(traceback.format_exc())
            with suppress(Exception):  # as above
                sys.stderr.flush()
            stream.write(frame(pickle.dumps(answer)))
            stream.flush()
            answer = None  # which may be large
    _leave(1)


def _sender(stream: BufferedRWPair) -> Callable[[float], None]:
    """A listener that sends shares of work to the build, a few times a second."""
    now, sent = time.monotonic, 0.0

    def send(share: float) -> None:
        nonlocal sent
        if now() >= sent + _SECONDS_BETWEEN:
            sent = now()
            stream.write(frame(SHARE + str(share).encode()))
            stream.flush()

    return send


def frame(message: bytes) -> bytes:
    """A message as it is sent: its length, then its bytes."""
    return len(message).to_bytes(HEAD) + message


def _start(root: str, channel: socket, output: Connection, is_forked: bool) -> None:
    """Prepare this process for the project in `root`; it ends with the build, which holds the channel's other end."""
    global _root
    environment.check()
    gc.freeze()  # what it was forked with lives to its end
    gc.set_threshold(_NEW_OBJECTS)
    os.setsid()  # it has no terminal, and no signal to its process group reaches the build
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(channel,), daemon=True).start()
    _root = Path(root)
    for number, file in ((0, os.open(os.devnull, os.O_RDONLY)), (1, output.fileno()), (2, output.fileno())):
        os.dup2(file, number)
    output.close()
    if is_forked:  # what it was forked with leads to the processes that start others
        os.closerange(3, channel.fileno())
        os.closerange(channel.fileno() + 1, os.sysconf("SC_OPEN_MAX"))
    sys.stdout = sys.stderr  # and nothing is lost in a buffer when this process is ended
    sys.path.insert(0, root)
    sys.dont_write_bytecode = True
    # Python's own would open the solver's file to show a line of it, as if the solver had.
    sys.unraisablehook = lambda error: traceback.print_exception(error.exc_value)
    threading.excepthook = lambda error: traceback.print_exception(error.exc_value)
    package = ModuleType("solvers")  # this project's, whatever else of the name lies on the path
    package.__path__ = [str(_root / "solvers")]
    sys.modules["solvers"] = package
    os.chdir(_root)
    audit.install(_root)


def project_root() -> Path:
    """The root of the project that this process works for."""
    return _root


def _end_with(channel: socket) -> None:
    ended = select.poll()
    ended.register(channel, 0)  # that the other end is closed is reported in any case
    ended.poll()
    if proving := sys.modules.get("site_builder.solving.bundle.proof"):
        proving.end_all()
    _leave(1)


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
    if refusal := _refusal_behind(error):
        failure = Failure("contract", str(refusal), cure=refusal.cure)
    if isinstance(error, MemoryError):
        failure = Failure("memory", "it needs more memory than it may have")
    if isinstance(error, ModuleNotFoundError) and (library := _missing_library(error.name or "")):
        cure = f"write {library}, as pip calls it, into requirements.txt, and run pip install -r requirements.txt"
        cure = f"{cure}\nwhere uv or pipx has installed Puzzlepress: {_WITH_UV}; pipx inject puzzlepress {library}"
        failure = Failure("raised", f"it imports {error.name}, which is not installed", cure=cure)
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if is_solver_file(frame.filename)]
    return replace(failure, path=shown_path(own[-1].filename), line=own[-1].lineno or 1) if own else failure


def _refusal_behind(error: BaseException | None) -> audit.RefusedError | None:
    """What was refused to a solver where that ended it, perhaps through errors of libraries."""
    while isinstance(error, OSError) and not isinstance(error, audit.RefusedError):
        error = error.__cause__ or error.__context__
    return error if isinstance(error, audit.RefusedError) else None


def _missing_library(module: str) -> str:
    """The top-level module of one that was not found; empty for a module of the project or builder."""
    top = module.partition(".")[0]
    is_own = top in ("solvers", "site_builder") or (_root / top).exists() or (_root / f"{top}.py").exists()
    return "" if is_own else top


def message_of(error: BaseException) -> str:
    """The message of an exception on one line, shortened."""
    try:
        words = " ".join(without_control(str(error).encode("utf-8", "replace").decode()).split())
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
