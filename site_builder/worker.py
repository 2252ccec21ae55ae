"""What a worker process does: describe, solve, make figures, check, draw. The only room that imports solvers.

Everything comes in and goes out as packed bytes; what goes wrong comes out as a Fault.
"""

import dataclasses
import importlib
import inspect
import os
import signal
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any

from site_builder import describing
from site_builder.contract import Figure
from site_builder.faults import Fault
from site_builder.values import pack, unpack

_EXPOSED = ("Parameters", "Result", "solve", "figures", "checks")
_root = Path()


def start(root: str) -> None:
    """Prepare this process for the solvers of the project in `root`; Ctrl-C is the build's business."""
    global _root
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _root = Path(root)
    os.chdir(root)
    sys.path.insert(0, root)
    package = ModuleType("solvers")  # this project's, whatever else of the name lies on the path
    package.__path__ = [str(_root / "solvers")]
    sys.modules["solvers"] = package
    sys.dont_write_bytecode = True


def _task(function: Callable[..., bytes]) -> Callable[..., "bytes | Fault"]:
    """The function as a task: within a memory limit, and with a Fault in place of an exception."""

    @wraps(function)
    def run(memory: int, *arguments: Any) -> bytes | Fault:
        _limit_memory(memory)
        try:
            return function(*arguments)
        except _FaultError as error:
            return error.fault
        except (Exception, SystemExit) as error:
            return _raised(error)

    return run


@_task
def describe(name: str, wishes: Sequence[Mapping[str, Any]]) -> bytes:
    """What a solver offers, and what it says to each wish for parameters; see `site_builder.describing`."""
    module = _load(name)
    description = describing.description(name, module, _shown(str(module.__file__)))
    return pack({"description": description, "answers": [describing.answer(module, wish) for wish in wishes]})


@_task
def solve(name: str, parameters: bytes) -> bytes:
    """The packed result of one solve."""
    module = _load(name)
    result = module.solve(module.Parameters(**unpack(parameters)))
    if not isinstance(result, module.Result):
        raise _broken(module, f"solve gave a {type(result).__name__}; it must give a Result", "solve")
    return pack(result)


@_task
def solve_points(name: str, points: Sequence[bytes], keep: Sequence[str]) -> bytes:
    """The kept fields of the results at many points, one tuple for each point."""
    module = _load(name)
    rows = []
    for place, point in enumerate(points):
        try:
            result = module.solve(module.Parameters(**unpack(point)))
        except Exception as error:
            raise _FaultError(replace(_raised(error), point=place)) from error
        rows.append(tuple(getattr(result, field) for field in keep))
    return pack(rows)


@_task
def figures(name: str, result: bytes) -> bytes:
    """The figures of a result by name."""
    module = _load(name)
    found = module.figures(unpack(result, _make_record))
    if not isinstance(found, Mapping) or not all(isinstance(figure, Figure) for figure in found.values()):
        raise _broken(module, "figures must give a mapping of names to figures", "figures")
    return pack(dict(found))


@_task
def checks(name: str, parameters: bytes, result: bytes) -> bytes:
    """The checks of a result, as a tuple of records."""
    module = _load(name)
    return pack(list(module.checks(module.Parameters(**unpack(parameters)), unpack(result, _make_record))))


@_task
def draw(figure: bytes) -> bytes:
    """The drawing of a figure, as a mapping of its parts."""
    from site_builder import drawing  # matplotlib is paid for by the processes that draw

    made = drawing.draw(unpack(figure))
    return pack({field.name: getattr(made, field.name) for field in dataclasses.fields(made)})


class _FaultError(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def _load(name: str) -> ModuleType:
    module = importlib.import_module(f"solvers.{name}")
    for exposed in _EXPOSED:
        if not hasattr(module, exposed):
            raise _broken(module, f"it has no {exposed}; a solver exposes {', '.join(_EXPOSED)}")
    if not dataclasses.is_dataclass(module.Parameters) or not hasattr(module.Parameters, "__pydantic_fields__"):
        raise _broken(module, "Parameters is not declared with @parameters of site_builder.contract", "Parameters")
    if not dataclasses.is_dataclass(module.Result):
        raise _broken(module, "Result is not a dataclass", "Result")
    for taken in ("parameters", "figures"):
        if taken in {f.name for f in dataclasses.fields(module.Result)}:
            raise _broken(module, f"Result has a field {taken!r}, a name that every run has already", "Result")
    return module


def _broken(module: ModuleType, message: str, name: str = "") -> _FaultError:
    line = 1
    if name:
        try:
            line = inspect.getsourcelines(getattr(module, name))[1]
        except (OSError, TypeError):  # written in no file of its own
            line = 1
    return _FaultError(
        Fault("contract", message, _shown(str(module.__file__)), line, cure="docs/solver-contract.md has the contract")
    )


def _make_record(kind: str, fields: dict[str, Any]) -> Any:
    """A solver's own dataclass from its packed form."""
    module_name, _, class_name = kind.partition(":")
    if not module_name.startswith("solvers."):
        raise ValueError(f"{kind} is no class of a solver")
    return getattr(importlib.import_module(module_name), class_name)(**fields)


def _limit_memory(size: int) -> None:
    try:
        import resource
    except ImportError:  # no such limits on this system; the time limit still holds
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (size if hard == resource.RLIM_INFINITY else min(size, hard), hard))


def _raised(error: BaseException) -> Fault:
    if isinstance(error, MemoryError):
        return Fault("memory", "it needs more memory than it may have")
    if isinstance(error, SyntaxError):
        return Fault("raised", f"this is not Python: {error.msg}", _shown(error.filename or ""), error.lineno or 1)
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_ours(frame.filename)]
    words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if not own:
        return Fault("raised", words)
    return Fault("raised", words, _shown(own[-1].filename), own[-1].lineno or 1)


def _is_ours(filename: str) -> bool:
    return Path(filename).is_relative_to(_root / "solvers")


def _shown(filename: str) -> str:
    path = Path(filename)
    return path.relative_to(_root).as_posix() if path.is_relative_to(_root) else path.name
