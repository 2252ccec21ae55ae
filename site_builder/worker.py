"""What a worker process does: describe, solve, make figures, check, draw, prove. The only room that imports solvers.

Everything comes in and goes out as packed bytes; what goes wrong comes out as a Fault.
"""

import dataclasses
import importlib
import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from site_builder import describing, guard
from site_builder.contract import Check, Figure
from site_builder.contract.checks import METHODS
from site_builder.faults import Fault
from site_builder.figure_faults import figure_fault
from site_builder.finiteness import declared_by, stray
from site_builder.loading import Loadable
from site_builder.origins import origin
from site_builder.values import pack, unpack

if TYPE_CHECKING:
    from site_builder.errors import SiteError
    from site_builder.share_card import Look, ShareCard
    from site_builder.writing import Job, Written

_EXPOSED = ("Parameters", "Result", "DATA", "solve", "figures", "checks")
_FIGURE_NAME = re.compile(r"[a-z][a-z0-9_]*")
_READ_CONTRACT = "docs/solver-contract.md has the contract"
_MOST_WORDS = 500
_RESERVE = 8 * 2**20
_root = Path()
_held: tuple[str, Loadable] | None = None
_leave = os._exit


def start(root: str, build: Connection) -> None:
    """Prepare this process for the solvers of the project in `root`; Ctrl-C is the build's business.

    build: closed when the build's process has ended, by whatever means; this one then ends as well.
    """
    global _root
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(build,), daemon=True).start()
    _root = Path(root)
    os.dup2(2, 1)  # what a solver prints is no word of the build's
    sys.stdout = sys.stderr  # and is not lost in a buffer when this process is ended
    sys.path.insert(0, root)
    sys.dont_write_bytecode = True
    # Python's own would open the solver's file to show a line of it, as if the solver had.
    sys.unraisablehook = lambda told: traceback.print_exception(told.exc_value)
    threading.excepthook = lambda told: traceback.print_exception(told.exc_value)
    guard.install(_root)
    _forget()


def _end_with(build: Connection) -> None:
    build.poll(None)
    if proving := sys.modules.get("site_builder.proving"):
        proving.end_all()
    _leave(1)


def _forget() -> None:
    """Hold no solver: neither its modules nor the working folder that it may have chosen."""
    for name in guard.project_modules():
        del sys.modules[name]
    package = ModuleType("solvers")  # this project's, whatever else of the name lies on the path
    package.__path__ = [str(_root / "solvers")]
    sys.modules["solvers"] = package
    os.chdir(_root)


Answer = TypeVar("Answer")


def _task(function: Callable[..., Answer]) -> Callable[..., "Answer | Fault"]:
    """The function as a task: within a memory limit, and with a Fault in place of an exception."""

    @wraps(function)
    def run(memory: int, *arguments: Any) -> Answer | Fault:
        reserve = bytearray(_RESERVE)
        try:
            _limit_memory(memory)
            return function(*arguments)
        except BaseException as error:  # sys.exit and the like are as much a solver's fault as any other
            del reserve  # what exhausted the memory is still held by the error, and telling of it takes some
            _limit_memory(None)
            return _fault_of(error)
        finally:
            _limit_memory(None)  # the answer has to be sent yet

    return run


def _solver_task(function: Callable[..., bytes]) -> Callable[..., "bytes | Fault"]:
    """The function as a task of the solver that is its first argument, watched and beside no other solver's modules.

    The task has one argument more, after the name: what of the project the solver may load, for all that it exposes,
    since one process answers for all of that.
    """
    limited = _task(function)

    @wraps(function)
    def run(memory: int, name: str, loadable: Loadable, *arguments: Any) -> bytes | Fault:
        global _held
        if (name, loadable) != _held:
            _forget()
        _held = None  # after a fault, nothing that was loaded is trusted
        answer: bytes | Fault = b""
        try:
            with guard.watching(
                loadable.modules, loadable.code, loadable.data
            ):  # around the memory limit, so that ending the watch has memory
                answer = limited(memory, name, *arguments)
        except guard.RefusedError as error:
            return replace(error.fault, point=answer.point if isinstance(answer, Fault) else 0)
        _held = name, loadable
        return answer

    return run


@_solver_task
def describe(name: str, wishes: Sequence[Mapping[str, Any]]) -> bytes:
    """What a solver offers, and what it says to each wish for parameters; see `site_builder.describing`."""
    module = _load(name)
    if wrong := describing.wrong_default(module):
        raise _broken(module, f"in the defaults {wrong}", "Parameters")
    description = describing.description(name, module, _shown(str(module.__file__)))
    answers = [describing.answer(module, wish) for wish in wishes]
    return _packed({"description": description, "answers": answers}, module, "Parameters")


@_solver_task
def solve(name: str, parameters: bytes) -> bytes:
    """The packed result of one solve."""
    module = _load(name, "solve")
    result = _solved(module, parameters)
    packed = _packed(result, module, "Result")
    _refuse_stray(result, module)
    return packed


@_solver_task
def solve_points(name: str, points: Sequence[bytes], keep: Sequence[str]) -> bytes:
    """The kept fields of the results at many points: for each point the packed tuple of them."""
    module = _load(name, "solve")
    rows = []
    for place, point in enumerate(points):
        try:
            result = _solved(module, point)
            rows.append(_packed(tuple(getattr(result, field) for field in keep), module, "Result"))
            _refuse_stray(result, module, keep)
            guard.judge()
        except BaseException as error:
            raise _FaultError(replace(_fault_of(error), point=place)) from error
    return pack(rows)


@_solver_task
def figures(name: str, result: bytes) -> bytes:
    """The figures of a result by name."""
    module = _load(name, "figures")
    found = module.figures(unpack(result, _make_record))
    if not isinstance(found, Mapping) or not all(isinstance(figure, Figure) for figure in found.values()):
        raise _broken(module, "figures must give a mapping of names to figures", "figures")
    for wrong in (key for key in found if not _FIGURE_NAME.fullmatch(str(key))):
        raise _broken(module, f"the figure {wrong!r} needs a name of small letters, digits and _", "figures")
    for key, figure in found.items():
        if fault := figure_fault(figure):
            raise _broken(module, f"in the figure {key!r} {fault}", "figures")
    return _packed(dict(found), module, "figures")


@_solver_task
def checks(name: str, parameters: bytes, result: bytes) -> bytes:
    """The checks of a result."""
    module = _load(name, "checks")
    made = tuple(module.checks(module.Parameters(**unpack(parameters)), unpack(result, _make_record)))
    if wrong := _wrong_check(made):
        raise _broken(module, wrong, "checks")
    return _packed(made, module, "checks")


def _wrong_check(made: Sequence[Any]) -> str:
    """What is wrong with the checks of an answer; empty when nothing is, whatever they found."""
    if not made:
        return "checks gave none for these parameters; every answer is confirmed by a second method"
    for check in made:
        if not isinstance(check, Check):
            return f"checks gave a {type(check).__name__}; it must give Checks"
        if check.method not in METHODS:
            return f"the check {check.name!r} has the method {check.method!r}; it must be one of {', '.join(METHODS)}"
        if not isinstance(check.passed, (bool, np.bool_)):
            return f"the check {check.name!r} passed {check.passed!r}; it must be True or False"
    return ""


@_task
def write(jobs: "Sequence[Job]") -> "list[Written | list[SiteError]]":
    """The texts of posts, or their faults."""
    from site_builder.writing import write_or_faults  # paid for by the processes that write

    return [write_or_faults(_root, job) for job in jobs]


@_task
def draw(figure: bytes, with_small: bool = False) -> bytes:
    """The drawing of a figure and its data, as a mapping of their parts. with_small: whether with that for a card."""
    from site_builder import drawing, figure_data  # matplotlib is paid for by the processes that draw

    shown = unpack(figure)
    made = drawing.draw(shown)
    parts = {field.name: getattr(made, field.name) for field in dataclasses.fields(made)}
    small = {"small": drawing.draw_small(shown)} if with_small else {}
    return pack(parts | small | figure_data.data_files(shown))


@_task
def draw_small(figure: bytes) -> bytes:
    """A figure as a PNG for a share card."""
    from site_builder import drawing

    return drawing.draw_small(unpack(figure))


@_task
def draw_cards(cards: "Sequence[tuple[ShareCard, bytes]]", look: "Look") -> list[bytes]:
    """Share cards, each with the picture that stands beside its words, if any."""
    from site_builder.card_drawing import draw_cards  # paid for by the processes that draw

    return draw_cards(cards, look)


@_task
def prove(bundle: bytes, seconds: float) -> "bytes | Fault":
    """Nothing when the bundle gives the answer that it holds, all by itself and within the time; else a Fault."""
    from site_builder import proving  # paid for by the processes that prove

    return proving.prove(bundle, seconds, _root) or b""


def _solved(module: ModuleType, parameters: bytes) -> Any:
    result = module.solve(module.Parameters(**unpack(parameters)))
    if not isinstance(result, module.Result):
        raise _broken(module, f"solve gave a {type(result).__name__}; it must give a Result", "solve")
    return result


def _packed(value: Any, module: ModuleType, name: str) -> bytes:
    """The value as bytes; what cannot travel is a fault of the solver's class or function of that name."""
    try:
        return pack(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise _broken(module, _said(error).partition(": ")[2] or _said(error), name) from error


def _refuse_stray(result: Any, module: ModuleType, fields: Sequence[str] | None = None) -> None:
    """Raise a fault for infinity or NaN in a field that does not say that they are meant. fields: those that count."""
    try:
        found = stray(result, fields)
    except TypeError as error:
        raise _broken(module, str(error), "Result") from error
    if found is None:
        return
    message = f"in the result, {found.path} is {found.value}, and no field says that this is meant"
    cure = f'mend solve, or say why it is meant: {found.field}: Annotated[..., NotFinite("what it stands for")]'
    with guard.unwatched():
        file, line = origin(declared_by(found.record, found.field), found.field)
    if not _is_ours(file):  # a figure, say: the solver can mark the field that holds it
        raise _broken(module, message, "Result", cure)
    raise _FaultError(Fault("contract", message, _shown(file), line, cure=cure))


class _FaultError(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def _load(name: str, running: str = "it") -> ModuleType:
    """The solver's module, found to keep its contract. running: what of it runs next, for what the watch may say."""
    module = importlib.import_module(f"solvers.{name}")
    for exposed in _EXPOSED:
        if not hasattr(module, exposed):
            raise _broken(module, f"it has no {exposed}; a solver exposes {', '.join(_EXPOSED)}")
    if not dataclasses.is_dataclass(module.Parameters) or not hasattr(module.Parameters, "__pydantic_fields__"):
        raise _broken(module, "Parameters is not declared with @parameters of site_builder.contract", "Parameters")
    if not dataclasses.is_dataclass(module.Result):
        raise _broken(module, "Result is not a dataclass", "Result")
    if not isinstance(module.DATA, tuple) or not all(isinstance(file, str) for file in module.DATA):
        raise _broken(module, f"DATA is {module.DATA!r}; it must be a tuple of the names of files")
    for function in ("solve", "figures", "checks"):
        if not callable(getattr(module, function)):
            raise _broken(module, f"{function} is no function")
    for taken in ("parameters", "figures", "checks"):
        if taken in {f.name for f in dataclasses.fields(module.Result)}:
            raise _broken(module, f"Result has a field {taken!r}, a name that every run has already", "Result")
    guard.loaded(str(module.__file__), module.DATA, running)
    return module


def _broken(module: ModuleType, message: str, name: str = "", cure: str = _READ_CONTRACT) -> _FaultError:
    """A breach of the contract, at the class or function of that name; without one, at the head of the solver."""
    with guard.unwatched():
        file, line = origin(getattr(module, name)) if name else ("", 1)
    return _FaultError(Fault("contract", message, _shown(file or str(module.__file__)), line, cure=cure))


def _make_record(kind: str, fields: dict[str, Any]) -> Any:
    """A solver's own dataclass from its packed form."""
    module_name, _, class_name = kind.partition(":")
    if not module_name.startswith("solvers."):
        raise ValueError(f"{kind} is no class of a solver")
    return getattr(importlib.import_module(module_name), class_name)(**fields)


def _limit_memory(size: int | None) -> None:
    """Let this process have so many bytes; with None, as many as there are."""
    try:
        import resource
    except ImportError:  # no such limits on this system; the time limit still holds
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if size is None or (hard != resource.RLIM_INFINITY and size > hard):
        size = hard
    resource.setrlimit(resource.RLIMIT_DATA, (size, hard))


def _fault_of(error: BaseException) -> Fault:
    return error.fault if isinstance(error, (_FaultError, guard.RefusedError)) else _raised(error)


def _raised(error: BaseException) -> Fault:
    if isinstance(error, SyntaxError):
        return Fault("raised", f"this is not Python: {error.msg}", _shown(error.filename or ""), error.lineno or 1)
    fault = Fault("raised", _said(error))
    if isinstance(error, MemoryError):
        fault = Fault("memory", "it needs more memory than it may have")
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_ours(frame.filename)]
    return replace(fault, path=_shown(own[-1].filename), line=own[-1].lineno or 1) if own else fault


def _said(error: BaseException) -> str:
    """What an exception says, on one line of bearable length, whatever a solver put into it."""
    try:
        words = " ".join(str(error).encode("utf-8", "replace").decode().split())
    except Exception:  # its own __str__ fails
        words = ""
    words = words if len(words) <= _MOST_WORDS else words[:_MOST_WORDS] + " …"
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _is_ours(filename: str) -> bool:
    return Path(filename).is_relative_to(_root / "solvers")


def _shown(filename: str) -> str:
    path = Path(filename)
    return path.relative_to(_root).as_posix() if path.is_relative_to(_root) else path.name
