"""The tasks of a solver: describe it, solve, solve at a point of a sweep, make its figures, check a result.

Nothing else imports solvers. Arguments and answers are packed bytes; an error comes back as a Failure.
"""

import dataclasses
import importlib
import os
import re
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any

from site_builder.contract import Drawing, Figure, Frames
from site_builder.contract.bounds import AnnotationError, declared_by
from site_builder.figures.validate import figure_error
from site_builder.solving import audit
from site_builder.solving import description as describing
from site_builder.solving.bounds import OutOfBounds, find_out_of_bounds
from site_builder.solving.checks.board_data import board_data
from site_builder.solving.checks.games import GameError, traced_games
from site_builder.solving.checks.outcomes import raw_check
from site_builder.solving.checks.trace import CheckError, recording, traced_checks
from site_builder.solving.failure import Failure, TaskAnswer, TaskError
from site_builder.solving.finiteness import NonFinite, find_non_finite
from site_builder.solving.worker import is_project_file, message_of, project_root, run_limited, shown_path
from site_builder.storage.file_fingerprints import Loadable
from site_builder.values.digest import bytes_digest
from site_builder.values.packing import pack, unpack
from site_builder.values.plain_values import text_of
from site_builder.values.records import BESIDE

_EXPOSED = ("Parameters", "Result", "DATA", "solve", "figures", "checks")
_FIGURE_NAME = re.compile(r"[a-z][a-z0-9_]*")
_READ_CONTRACT = "docs/solver-contract.md has the contract"


def solver_task(function: Callable[..., bytes]) -> Callable[..., "TaskAnswer | Failure"]:
    """The function as a task of the solver that is its first argument, recorded, in a process for this solver alone.

    The task has one argument more, after the name: what the solver needs.
    """

    @wraps(function)
    def run(memory: int, name: str, loadable: Loadable, *arguments: Any) -> TaskAnswer | Failure:
        if loadable.folder:
            _move_to(loadable.folder)
        try:
            with audit.recording(loadable.code) as reads:
                answer = run_limited(memory, function, name, *arguments)
        except TaskError as error:  # a file has changed, which may be why the solver failed
            return error.failure
        return replace(answer, reads=reads) if isinstance(answer, Failure) else TaskAnswer(answer, reads)

    return run


def _move_to(folder: str) -> None:
    """Let a copy of the project take its place in this process."""
    root = str(project_root())
    for name, module in list(sys.modules.items()):
        if name.startswith("solvers.") or audit.is_own_code(getattr(module, "__file__", None) or ""):
            del sys.modules[name]
    sys.modules["solvers"].__path__ = [f"{folder}/solvers"]
    sys.path[:] = [folder if path == root else path for path in sys.path]
    os.chdir(folder)
    audit.install(Path(folder))


@solver_task
def describe(name: str, requests: Sequence[Mapping[str, Any]]) -> bytes:
    """The description of a solver, and its answer to each request for parameters."""
    module = load_solver(name)
    if wrong := describing.wrong_default(module):
        raise broken(module, f"in the defaults {wrong}", "Parameters")
    description = describing.description(name, module, shown_path(str(module.__file__)))
    answers = [describing.answer(module, request) for request in requests]
    return packed_of({"description": description, "answers": answers}, module, "Parameters")


@solver_task
def solve(name: str, parameters: bytes) -> bytes:
    """The packed result of one solve."""
    return _packed_result(load_solver(name), parameters)


@solver_task
def solve_point(name: str, keep: Sequence[str], parameters: bytes, is_checked: bool) -> bytes:
    """The packed pair of the kept fields of the result at a point of a sweep, packed, and the whole packed result.

    is_checked: whether the result is needed, to be checked; else it is empty.
    """
    module = load_solver(name)
    result = _solved(module, parameters)
    row = packed_of(tuple(getattr(result, field) for field in keep), module, "Result")
    _refuse_wrong_numbers(result, module, keep)
    return pack((row, pack(result) if is_checked else b""))


@solver_task
def check_point(name: str, keep: Sequence[str], parameters: bytes, result: bytes) -> bytes:
    """The packed checks of the kept fields of a result."""
    return _checked(load_solver(name), parameters, unpack(result, _make_record), frozenset(keep))


@solver_task
def figures(name: str, result: bytes) -> bytes:
    """The figures of a result by name, and the fields of the result that they read; of a solver without Drawing."""
    module = load_solver(name)
    made, reads = made_figures(module, result)
    for key in (key for key, figure in made.items() if _has_drawing(figure)):
        message = f"the figure {key!r} is a Drawing, and no file of the solver names that class"
        cure = "import it by its name: from site_builder.contract import Drawing"
        raise broken(module, message, "figures", cure)
    return packed_of({"figures": made, "reads": sorted(reads)}, module, "figures")


def _has_drawing(figure: Figure) -> bool:
    if isinstance(figure, Frames):
        return any(_has_drawing(step) for _, step in figure.frames)
    return isinstance(figure, Drawing)


def made_figures(module: ModuleType, result: bytes) -> tuple[dict[str, Figure], set[str]]:
    """The figures that the solver's `figures` returns for a packed result, checked, and the fields that it read."""
    reads: set[str] = set()
    found = module.figures(recording(unpack(result, _make_record), reads))
    if not isinstance(found, Mapping) or not all(isinstance(figure, Figure) for figure in found.values()):
        raise broken(module, "figures must give a mapping of names to figures", "figures")
    for wrong in (key for key in found if not _FIGURE_NAME.fullmatch(str(key))):
        raise broken(module, f"the figure {wrong!r} needs a name of small letters, digits and _", "figures")
    for key, figure in found.items():
        if message := figure_error(figure):
            raise broken(module, f"in the figure {key!r} {message}", "figures")
    return dict(found), reads


@solver_task
def checks(name: str, parameters: bytes, result: bytes) -> bytes:
    """The checks of a result, for `checks.outcomes.judge`."""
    module = load_solver(name)
    return _checked(module, parameters, unpack(result, _make_record))


@solver_task
def solve_and_check(name: str, parameters: bytes, known: str = "") -> bytes:
    """The packed pair of a result and its checks, both as of other tasks, without checks after the first that fails.

    known: digest of the packed result that needs no checks.
    """
    module = load_solver(name)
    packed = _packed_result(module, parameters)
    if bytes_digest(packed) == known:
        return pack((packed, pack(([], b""))))
    return pack((packed, _checked(module, parameters, unpack(packed, _make_record), is_short=True)))


def _checked(
    module: ModuleType,
    parameters: bytes,
    result: Any,
    fields: frozenset[str] | None = None,
    is_short: bool = False,
) -> bytes:
    """The packed checks of a result, its games as the last ones, and the board of the last game with one.

    fields: those that are kept of it; None for all, without which there is no board.

    is_short: whether to leave out those after the first that fails.
    """
    made = []
    given = module.Parameters(**unpack(parameters))
    try:
        for check, shared in traced_checks(module, given, result, fields):
            made.append(raw_check(check, shared, result))
            if is_short and not check.passed:
                return packed_of((made, b""), module, "checks")
    except CheckError as error:
        raise broken(module, str(error), "checks") from error
    if not made and fields is None:
        raise broken(
            module, "checks gave none for these parameters; every answer is confirmed by a second method", "checks"
        )
    if made and all(check["shared"] for check in made) and fields is None and not is_short:
        names = ", ".join(sorted({name for check in made for name in check["shared"]}))
        message = f"no check is independent of the solution: all of them run functions that solve uses: {names}"
        raise broken(module, message, "checks", "compute an expected value without these functions")
    board = b""
    try:
        for traced, verified in traced_games(module, given, result, fields):
            made.append(raw_check(*traced, result, is_game=True))
            if verified.game.board is not None and fields is None and not is_short and verified.is_whole:
                board = board_data(verified)
    except GameError as error:
        raise broken(module, str(error), "game", error.cure) from error
    return packed_of((made, board), module, "checks")


def _solved(module: ModuleType, parameters: bytes) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "overflow encountered in scalar", RuntimeWarning)  # numpy goes on with garbage
        result = module.solve(module.Parameters(**unpack(parameters)))
    if not isinstance(result, module.Result):
        raise broken(module, f"solve gave a {type(result).__name__}; it must give a Result", "solve")
    return result


def _packed_result(module: ModuleType, parameters: bytes) -> bytes:
    result = _solved(module, parameters)
    packed = packed_of(result, module, "Result")
    _refuse_wrong_numbers(result, module)
    return packed


def packed_of(value: Any, module: ModuleType, name: str) -> bytes:
    """The value as bytes; what cannot be packed is a failure of the solver's class or function of that name."""
    try:
        return pack(value)
    except AnnotationError as error:
        raise _unreadable(error, module) from error
    except (TypeError, ValueError, RecursionError) as error:
        raise broken(module, message_of(error).partition(": ")[2] or message_of(error), name) from error


def _refuse_wrong_numbers(result: Any, module: ModuleType, fields: Sequence[str] | None = None) -> None:
    """Fail for infinity and NaN in a field that is not marked, and for a number outside of the Bounds of its field.

    fields: those to check, by default all.
    """
    try:
        if non_finite := find_non_finite(result, fields):
            raise _non_finite(non_finite, module)
        if outside := find_out_of_bounds(result, fields):
            raise _out_of_bounds(outside, module)
    except AnnotationError as error:
        raise _unreadable(error, module) from error


def _non_finite(found: NonFinite, module: ModuleType) -> TaskError:
    message = f"in the result, {found.path} is {found.value}, and no field says that this is meant"
    cure = f'correct solve, or say why it is meant: {found.field}: Annotated[..., NotFinite("what it stands for")]'
    return _wrong_field(module, message, found.record, found.field, cure)


def _out_of_bounds(found: OutOfBounds, module: ModuleType) -> TaskError:
    message = f"in the result, {found.field} holds {text_of(found.value)}, outside of its bounds"
    cure = f"correct solve, or the mark Bounds({found.bounds.low}, {found.bounds.high}) of {found.field}"
    return _wrong_field(module, message, found.record, found.field, cure)


def _unreadable(error: AnnotationError, module: ModuleType) -> TaskError:
    cure = "correct the name, or import it where the solver runs, too, and not under `if TYPE_CHECKING:` alone"
    return _wrong_field(module, str(error), error.record, error.field, cure)


def _wrong_field(module: ModuleType, message: str, record: type, field: str, cure: str) -> TaskError:
    """A breach of the contract at a field of a solver's class; at Result where it is in a figure, say."""
    file, line = describing.origin(declared_by(record, field), field)
    if not is_project_file(file):
        return broken(module, message, "Result", cure)
    return TaskError(Failure("contract", message, shown_path(file), line, cure=cure))


def load_solver(name: str) -> ModuleType:
    """The solver's module, checked against the contract."""
    module = importlib.import_module(f"solvers.{name}")
    for exposed in _EXPOSED:
        if not hasattr(module, exposed):
            raise broken(module, f"it has no {exposed}; a solver exposes {', '.join(_EXPOSED)}")
    if not dataclasses.is_dataclass(module.Parameters) or not hasattr(module.Parameters, "__pydantic_fields__"):
        raise broken(module, "Parameters is not declared with @parameters of site_builder.contract", "Parameters")
    if not dataclasses.is_dataclass(module.Result):
        raise broken(module, "Result is not a dataclass", "Result")
    if not isinstance(module.DATA, tuple) or not all(isinstance(file, str) for file in module.DATA):
        raise broken(module, f"DATA is {module.DATA!r}; it must be a tuple of the names of files")
    for function in ("solve", "figures", "checks"):
        if not callable(getattr(module, function)):
            raise broken(module, f"{function} is no function")
    for field in dataclasses.fields(module.Result):
        if field.name in BESIDE:
            raise broken(module, f"Result has a field {field.name!r}, a name that every run has already", "Result")
    return module


def broken(module: ModuleType, message: str, name: str = "", cure: str = _READ_CONTRACT) -> TaskError:
    """A breach of the contract, at the class or function of that name or at the first line."""
    file, line = describing.origin(getattr(module, name)) if name else ("", 1)
    return TaskError(Failure("contract", message, shown_path(file or str(module.__file__)), line, cure=cure))


def _make_record(kind: str, fields: dict[str, Any]) -> Any:
    """A solver's own dataclass from its packed form."""
    module_name, _, class_name = kind.partition(":")
    if not module_name.startswith("solvers."):
        raise ValueError(f"{kind} is no class of a solver")
    return getattr(importlib.import_module(module_name), class_name)(**fields)
