"""A worker process from within: how it starts and ends, and how it runs a task.

The modules of a solver are imported once. Each task of the solver then runs in a child of the worker, forked in the
state right after that import, so that no memo, global or generator of one task reaches another.
"""

import fcntl
import gc
import os
import pickle
import random
import resource  # here, so that no child of a worker has to load it
import signal
import sys
import threading
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
from site_builder.solving.processes.failure import Failure, TaskError
from site_builder.storage.file_fingerprints import Loadable
from site_builder.values.characters import without_control

# The variables that solvers find: one thread for linear algebra in each worker, sets in the same order, one zone and
# language, so that all give the same bytes.
FIXED = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
FIXED |= {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
READY = b"R"  # a message to the build: the solver's modules are imported
SHARE = b"%"  # begins one with the share of its work that a task has done
ANSWER = b"="  # begins one with a pickled answer
_HAS_ANSWERED = 86  # exit code of a child that has sent its answer
LAST = b"."  # the same, of a process that can run no further task
_MOST_CHARACTERS = 500
_MOST_CALLS = 10  # at each end of a traceback
_RESERVE = 8 * 2**20
_SECONDS_BETWEEN = 0.2  # of messages about progress
_NEW_OBJECTS = 10_000  # from one garbage collection to the next; with Python's 700 they take half the time of a check
_BUILDER = Path(__file__).resolve().parents[3]
_ON_MACOS = sys.platform == "darwin"  # whose own libraries do not bear a fork
_root = Path()
_channel: Connection | None = None  # to the build
_sent = 0.0  # when the last share was
Answer = TypeVar("Answer")


def serve(root: str, purpose: tuple[Any, ...], channel: Connection, output: Connection, lifeline: Connection) -> None:
    """Run the tasks that arrive in the channel, and answer each; what they print goes to `output`.

    purpose: `()` for tasks of the builder, else a solver, what it may load, and the function that prepares for its
    tasks.
    """
    global _channel
    _start(root, output)
    _end_with(lifeline)
    _channel = channel
    with suppress(EOFError, OSError):
        if purpose:
            for name in set(os.environ) - set(FIXED):
                del os.environ[name]
        load = _import_solver(*purpose) if purpose else None
        channel.send_bytes(READY)
        while True:
            task, arguments = pickle.loads(channel.recv_bytes())
            if load is None:  # tasks of the builder need no state of their own
                channel.send_bytes(ANSWER + _answer(task, arguments))
            elif _ON_MACOS:
                channel.send_bytes(ANSWER + _answer(task, arguments))
                load()
            elif _count_threads() == 1:
                _run_in_child(channel, task, arguments)
            else:
                channel.send_bytes(LAST + _answer(task, arguments))
                break
    os._exit(0)


def _import_solver(solver: str, loadable: Loadable, prepare: Callable[[str, Loadable], None]) -> Callable[[], None]:
    """Import a solver's modules with the global generators in a fixed state; returns what does so anew.

    What fails here fails again, with its message, in the task that needs the solver.
    """
    own = set(sys.modules)

    def load() -> None:
        for name in set(sys.modules) - own:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if name.startswith("solvers.") or audit.is_own_code(file):
                del sys.modules[name]
        _fix_generators()
        with suppress(BaseException):  # SystemExit too
            prepare(solver, loadable)

    with suppress(Exception), audit.recording(loadable.code):  # so that children know the digests of what is read here
        if "matplotlib" in loadable.libraries:
            from site_builder.figures.house_style import import_matplotlib  # paid for by solvers that draw

            import_matplotlib()
        load()
    gc.freeze()  # what children share is not copied for their garbage collections
    return load


def _fix_generators() -> None:
    """Put the global random generators into a state that the hash seed gives."""
    import numpy  # paid for by solvers, whose tasks import it anyway

    seed = int(os.environ["PYTHONHASHSEED"])
    random.seed(seed)
    numpy.random.seed(seed)


def _count_threads() -> int:
    """The number of threads of this process; a fork would copy only the one that forks."""
    return len(os.listdir("/proc/self/task"))


def _run_in_child(channel: Connection, task: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Run a task in a child process, which sends its messages itself; a child that dies is a Failure."""
    state = random.getstate()
    child = os.fork()
    if not child:
        random.setstate(state)  # which Python seeds anew in every child
        channel.send_bytes(ANSWER + _answer(task, arguments))
        os._exit(_HAS_ANSWERED)
    _, status = os.waitpid(child, 0)
    if (code := os.waitstatus_to_exitcode(status)) != _HAS_ANSWERED:
        channel.send_bytes(ANSWER + pickle.dumps(Failure("died", f"its process died ({cause(code)})")))


def _answer(task: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """The pickled answer of a task."""
    try:
        answer = task(*arguments)
    except Exception:  # of the builder itself: a task gives the errors of authors as a Failure
        answer = RuntimeError(f"in a worker process:\n{traceback.format_exc()}")
    with suppress(Exception):  # a solver may have closed it
        sys.stderr.flush()
    return pickle.dumps(answer)


def send_share(share: float) -> None:
    """Send the share of its work that a task has done to the build, a few times a second."""
    global _sent
    if _channel and monotonic() >= _sent + _SECONDS_BETWEEN:
        _sent = monotonic()
        _channel.send_bytes(SHARE + str(share).encode())


def cause(exit_code: int) -> str:
    """The exit code of a process in words."""
    return f"signal {-exit_code}" if exit_code < 0 else f"exit code {exit_code}"


# Starting


def _start(root: str, output: Connection) -> None:
    """Prepare this process for the project in `root`."""
    global _root
    gc.freeze()  # what it was forked with lives to its end
    gc.set_threshold(_NEW_OBJECTS)
    os.setsid()  # it has no terminal, and all that it starts can be ended with it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _root = Path(root)
    for number, file in ((0, os.open(os.devnull, os.O_RDONLY)), (1, output.fileno()), (2, output.fileno())):
        os.dup2(file, number)
    output.close()
    sys.stdout = sys.stderr  # and nothing is lost in a buffer when this process is ended
    sys.path[:] = [path for path in sys.path if path and Path(path).resolve() not in (_root, _BUILDER)]
    sys.path += list(dict.fromkeys(map(str, (_BUILDER, _root))))  # last, so that no file of a blog hides a library
    sys.dont_write_bytecode = True
    # Python's own would open the solver's file to show a line of it, as if the solver had.
    sys.unraisablehook = lambda error: traceback.print_exception(error.exc_value)
    threading.excepthook = lambda error: traceback.print_exception(error.exc_value)
    sys.modules["solvers"] = _solvers_package()
    os.chdir(_root)
    audit.install(_root)


def _end_with(lifeline: Connection) -> None:
    """Have the system end this process and its children when the build is gone, which holds the lifeline's other end.

    The end of the file sends SIGIO to the whole process group, whatever its processes are doing.
    """
    if _ON_MACOS:  # where that signal is ignored by default
        signal.signal(signal.SIGIO, lambda *_: os._exit(1))
    fcntl.fcntl(lifeline.fileno(), fcntl.F_SETOWN, -os.getpid())
    fcntl.fcntl(lifeline.fileno(), fcntl.F_SETFL, fcntl.fcntl(lifeline.fileno(), fcntl.F_GETFL) | os.O_ASYNC)
    if lifeline.poll():  # it was gone before
        os._exit(1)


def use_project(root: Path) -> None:
    """Let solvers of the project in `root` be imported in this process."""
    global _root
    _root = root.resolve()
    sys.path += [path for path in map(str, (_BUILDER, _root)) if path not in sys.path]
    sys.modules["solvers"] = _solvers_package()
    audit.locate(_root)


def _solvers_package() -> ModuleType:
    package = ModuleType("solvers")  # this project's, whatever else of the name lies on the path
    package.__path__ = [str(_root / "solvers")]
    return package


def project_root() -> Path:
    """The root of the project that this process works for."""
    return _root


# Running a task


def run_limited(memory: int, function: Callable[..., Answer], *arguments: Any) -> "Answer | Failure":
    """Call a function within a memory limit; a Failure in place of an exception. memory: bytes."""
    reserve = bytes(_RESERVE)  # of which no page is touched, as a bytearray would
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
    if isinstance(error, ModuleNotFoundError):
        cure = "write a library, as pip calls it, into requirements.txt, and run pip install -r requirements.txt"
        cure = f"{cure}\nof a module in solvers/: from solvers import {error.name}; {guide('installing')} has more"
        failure = Failure("raised", f"it imports {error.name}, which is not there", cure=cure)
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if audit.is_own_code(frame.filename)]
    if not own:
        return failure
    calls = tuple(f"{shown_path(each.filename)}:{each.lineno}: {each.line}" for each in _without_repeats(own))
    return replace(failure, path=shown_path(own[-1].filename), line=own[-1].lineno or 1, calls=calls)


def _without_repeats(frames: list[traceback.FrameSummary]) -> list[traceback.FrameSummary]:
    """The calls of a traceback, of a long one the first and the last."""
    return frames if len(frames) <= 2 * _MOST_CALLS else [*frames[:_MOST_CALLS], *frames[-_MOST_CALLS:]]


def _refusal_behind(error: BaseException | None) -> audit.RefusedError | None:
    """The refusal that ended a solver, perhaps through errors of libraries; None where something else did."""
    while isinstance(error, OSError) and not isinstance(error, audit.RefusedError):
        error = error.__cause__ or error.__context__
    return error if isinstance(error, audit.RefusedError) else None


def message_of(error: BaseException) -> str:
    """The message of an exception on one line, shortened."""
    try:
        words = " ".join(without_control(str(error).encode("utf-8", "replace").decode()).split())
    except Exception:  # its own __str__ fails
        words = ""
    words = words if len(words) <= _MOST_CHARACTERS else words[:_MOST_CHARACTERS] + " …"
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def shown_path(filename: str) -> str:
    """A file as messages name it: by its path in the project, or by its name alone outside of it."""
    path = Path(filename)
    return path.relative_to(_root).as_posix() if path.is_relative_to(_root) else path.name
