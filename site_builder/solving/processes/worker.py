"""A worker process from within: how it starts and ends, and how it runs a task.

The modules of a solver are imported once. Each task of the solver then runs in a child of the worker, forked in the
state right after that import, so that no memo, global or generator of one task reaches another.
"""

import fcntl
import gc
import multiprocessing
import os
import random
import resource  # here, so that no child of a worker has to load it
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic  # a solver may replace that of the module
from types import ModuleType
from typing import Any, TypeVar

from site_builder.errors import guide
from site_builder.solving.processes import audit
from site_builder.solving.processes.failure import Failure, TaskError, died
from site_builder.storage.file_fingerprints import BUILDER, Loadable
from site_builder.values.characters import without_control

# The variables that solvers find: one thread for linear algebra in each worker, sets in the same order, one zone and
# language, so that all give the same bytes.
FIXED = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
FIXED |= {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
_HAS_ANSWERED = 86  # exit code of a child that has sent its answer
_MOST_CHARACTERS = 500
_MOST_CALLS = 10  # at each end of a traceback
_RESERVE = 8 * 2**20
_SECONDS_BETWEEN = 0.2  # of messages about progress
_NEW_OBJECTS = 10_000  # from one garbage collection to the next; with Python's 700 they take half the time of a check
_ON_MACOS = sys.platform == "darwin"  # whose own libraries do not bear a fork
_root = Path()
_channel: Connection | None = None  # to the build
_sent = 0.0  # when the last share was
Answer = TypeVar("Answer")


def serve(purpose: tuple[Any, ...], channel: Connection, output: Connection) -> None:
    """Run the tasks that arrive in the channel, until this process is killed; what they print goes to `output`.

    purpose: the root of the project, and for tasks of a solver its name, what it may load, and the function that
    prepares for its tasks. Sent are None when it is ready; for each task the shares of its work that are done, as
    floats, then a pair of its answer and whether this process can run no further one.
    """
    global _channel
    root, *solver = purpose
    _start(root, output)
    _end_with_the_build()
    _channel = channel
    load = _import_solver(*solver) if solver else None
    channel.send(None)
    while True:
        task, arguments = channel.recv()
        if load is None:  # tasks of the builder need no state of their own
            _answer(channel, task, arguments)
        elif _ON_MACOS:
            _answer(channel, task, arguments)
            load()
        elif len(os.listdir("/proc/self/task")) == 1:
            _answer_in_child(channel, task, arguments)
        else:  # a fork would copy only one of its threads
            _answer(channel, task, arguments, is_last=True)


def _import_solver(solver: str, loadable: Loadable, prepare: Callable[[str, Loadable], None]) -> Callable[[], None]:
    """Import a solver's modules with the global generators in a fixed state; returns what does so anew.

    What fails here fails again, with its message, in the task that needs the solver.
    """
    import numpy  # paid for by solvers, whose tasks import it anyway

    for name in set(os.environ) - set(FIXED):
        del os.environ[name]
    seed = int(os.environ["PYTHONHASHSEED"])
    own = set(sys.modules)

    def load() -> None:
        for name in set(sys.modules) - own:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if name.startswith("solvers.") or audit.is_own_code(file):
                del sys.modules[name]
        random.seed(seed)
        numpy.random.seed(seed)
        with suppress(BaseException):  # SystemExit too
            prepare(solver, loadable)

    with suppress(Exception), audit.recording(loadable.code):  # so that children know the digests of what is read here
        if "matplotlib" in loadable.libraries:
            from site_builder.figures.house_style import import_matplotlib  # paid for by solvers that draw

            import_matplotlib()
        load()
    gc.freeze()  # what children share is not copied for their garbage collections
    return load


def _answer_in_child(channel: Connection, task: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Run a task in a child process, which sends its messages itself; a child that dies is a Failure."""
    state = random.getstate()
    child = os.fork()
    if not child:
        random.setstate(state)  # which Python seeds anew in every child
        _answer(channel, task, arguments)
        os._exit(_HAS_ANSWERED)
    _, status = os.waitpid(child, 0)
    if (code := os.waitstatus_to_exitcode(status)) != _HAS_ANSWERED:
        channel.send((died(code), True))


def _answer(channel: Connection, task: Callable[..., Any], arguments: tuple[Any, ...], is_last: bool = False) -> None:
    """Run a task and send its answer."""
    answer: Any
    try:
        answer = task(*arguments)
    except Exception:  # of the builder itself: a task gives the errors of authors as a Failure
        answer = RuntimeError(f"in a worker process:\n{traceback.format_exc()}")
    sys.stderr.flush()
    channel.send((answer, is_last))


def send_share(share: float) -> None:
    """Send the share of its work that a task has done to the build, a few times a second."""
    global _sent
    if _channel and monotonic() >= _sent + _SECONDS_BETWEEN:
        _sent = monotonic()
        _channel.send(float(share))


# Starting


def _start(root: Path, output: Connection) -> None:
    """Prepare this process for the project in `root`."""
    gc.freeze()  # what it was forked with lives to its end
    gc.set_threshold(_NEW_OBJECTS)
    os.setsid()  # it has no terminal, and all that it starts can be ended with it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number, file in ((0, os.open(os.devnull, os.O_RDONLY)), (1, output.fileno()), (2, output.fileno())):
        os.dup2(file, number)
    output.close()
    sys.stdout = sys.stderr  # and nothing is lost in a buffer when this process is ended
    sys.dont_write_bytecode = True
    sys.path[:] = [path for path in sys.path if path and Path(path).resolve() not in (root, BUILDER.parent)]
    use_project(root)
    os.chdir(root)
    audit.install(root)


def _end_with_the_build() -> None:
    """Have the system end this process and its children when the build is gone, which holds one end of a pipe.

    The end of the pipe sends SIGIO to the whole process group, whatever its processes are doing.
    """
    build = multiprocessing.parent_process()
    assert build is not None
    if _ON_MACOS:  # where that signal is ignored by default
        signal.signal(signal.SIGIO, lambda *_: os._exit(1))
    fcntl.fcntl(build.sentinel, fcntl.F_SETOWN, -os.getpid())
    fcntl.fcntl(build.sentinel, fcntl.F_SETFL, fcntl.fcntl(build.sentinel, fcntl.F_GETFL) | os.O_ASYNC)
    if not build.is_alive():  # it was gone before
        os._exit(1)


def use_project(root: Path) -> None:
    """Let solvers of the project in `root` be imported in this process."""
    global _root
    _root = root.resolve()
    # Last, so that no file of a blog hides a library.
    sys.path += [path for path in map(str, (BUILDER.parent, _root)) if path not in sys.path]
    package = ModuleType("solvers")  # this project's, whatever else of the name lies on the path
    package.__path__ = [str(_root / "solvers")]
    sys.modules["solvers"] = package
    audit.locate(_root)


def project_root() -> Path:
    """The root of the project that this process works for."""
    return _root


# Running a task


def run_limited(memory: int, function: Callable[..., Answer], *arguments: Any) -> "Answer | Failure":
    """Call a function within a memory limit; a Failure in place of an exception. memory: bytes."""
    reserve = bytes(_RESERVE)  # of which no page is touched, as a bytearray would
    try:
        _limit_memory(memory)
        answer = function(*arguments)
        _limit_memory(None)  # it is still to be sent
        return answer
    except BaseException as error:  # sys.exit and the like are as much a solver's error as any other
        del reserve  # what exhausted the memory is still held by the error, and describing that takes some
        _limit_memory(None)
        return failure_of(error)


def _limit_memory(size: int | None) -> None:
    """Limit the memory of this process in bytes; None removes the limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    with suppress(ValueError):  # this process may have less anyway
        resource.setrlimit(resource.RLIMIT_DATA, (hard if size is None else size, hard))


def failure_of(error: BaseException) -> Failure:
    """The failure that an exception of a task stands for."""
    if isinstance(error, TaskError):
        return error.failure
    if isinstance(error, SyntaxError):
        message = f"this is not Python: {error.msg}"
        return Failure("raised", message, shown_path(error.filename or ""), error.lineno or 1)
    failure = _failure_without_place(error)
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if audit.is_own_code(frame.filename)]
    if not own:
        return failure
    shown = own if len(own) <= 2 * _MOST_CALLS else [*own[:_MOST_CALLS], *own[-_MOST_CALLS:]]
    calls = tuple(f"{shown_path(each.filename)}:{each.lineno}: {each.line}" for each in shown)
    return replace(failure, path=shown_path(own[-1].filename), line=own[-1].lineno or 1, calls=calls)


def _failure_without_place(error: BaseException) -> Failure:
    if isinstance(error, MemoryError):
        return Failure("memory", "it needs more memory than it may have")
    if isinstance(error, ModuleNotFoundError):
        cure = "write a library, as pip calls it, into requirements.txt, and run pip install -r requirements.txt"
        cure = f"{cure}\nof a module in solvers/: from solvers import {error.name}; {guide('installing')} has more"
        return Failure("raised", f"it imports {error.name}, which is not there", cure=cure)
    behind: BaseException | None = error  # libraries raise errors of their own for a refusal
    while isinstance(behind, OSError) and not isinstance(behind, audit.RefusedError):
        behind = behind.__cause__ or behind.__context__
    if isinstance(behind, audit.RefusedError):
        return Failure("contract", str(behind), cure=behind.cure)
    return Failure("raised", message_of(error))


def message_of(error: BaseException) -> str:
    """The message of an exception on one line, shortened."""
    words = " ".join(without_control(str(error).encode("utf-8", "replace").decode()).split())
    words = words if len(words) <= _MOST_CHARACTERS else words[:_MOST_CHARACTERS] + " …"
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def shown_path(filename: str) -> str:
    """A file as messages name it: by its path in the project, or by its name alone outside of it."""
    path = Path(filename)
    return path.relative_to(_root).as_posix() if path.is_relative_to(_root) else path.name
