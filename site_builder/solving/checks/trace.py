"""Run a solver's checks and see, for each of them, which fields of the result it read and which functions it ran.

Only where `checks` and `solve` refer to the same functions is it watched which of them run. A check is made between two
yields; what ran is counted for the innermost generator that yields it, from its start, as what a function computes once
for several checks belongs to each of them.
"""

import cProfile
import dataclasses
import dis
import inspect
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from site_builder.contract import Check
from site_builder.contract.checks import METHODS, fields_in, tolerance_error
from site_builder.errors import nearest
from site_builder.solving.checks.outcomes import cells_of, is_within, sizes_of_fields

_SOLVERS = "solvers."
Answer = TypeVar("Answer")
_GENERATED = "<string>"  # the file of the methods that dataclasses write


class CheckError(Exception):
    """Raised for a check that can confirm nothing, whatever it found."""


class TracedCheck(NamedTuple):
    """A check, and the functions it ran that `solve` may run too."""

    check: Check
    shared: tuple[str, ...]


def traced_checks(
    module: types.ModuleType, parameters: Any, result: Any, fields: frozenset[str] | None = None
) -> Iterator[TracedCheck]:
    """The checks of a result. fields: those that are kept of it; None for all. Raises CheckError for a bad check."""
    reads: set[str] = set()
    arguments = [parameters, recording(result, reads)]
    if fields is not None and len(inspect.signature(module.checks).parameters) > len(arguments):
        arguments.append(fields)
    kinds = (type(parameters), type(result))
    common = shared_functions(module.solve, module.checks, kinds)
    run: dict[Any, set[str]] = {}
    running = iter(module.checks(*arguments))
    while True:
        check, names = watched(lambda: next(running, None), common)
        if check is None:
            return
        run.setdefault(_innermost(running), set()).update(names)
        if wrong := wrong_check(check, result, reads):
            raise CheckError(wrong)
        if fields is None or any(name.partition(".")[0] in fields for name, _ in fields_in(check.of)):
            yield TracedCheck(check, tuple(sorted(run[_innermost(running)])))


def shared_functions(
    solve: Callable[..., Any], other: Callable[..., Any], kinds: tuple[type, ...]
) -> dict[types.CodeType, str]:
    """The functions that both may run, with caches emptied so that `watched` sees them. kinds: classes left out."""
    solving = functions_reached(solve, kinds)
    common = {code: name for code, name in functions_reached(other, kinds).items() if code in solving}
    if common:
        _clear_caches()
    return common


def watched(function: Callable[[], Answer], common: Mapping[types.CodeType, str]) -> tuple[Answer, set[str]]:
    """Call a function; return its answer, and the names of those of the common functions that ran meanwhile."""
    if not common:
        return function(), set()
    profile = cProfile.Profile(builtins=False)
    profile.enable()
    try:
        answer = function()
    finally:
        profile.disable()
    codes = (entry.code for entry in profile.getstats() if isinstance(entry.code, types.CodeType))
    return answer, {common[code] for code in codes if code in common}


def _innermost(running: Iterator[Any]) -> Any:
    """The generator that is suspended inside all others."""
    while isinstance(inner := getattr(running, "gi_yieldfrom", None), types.GeneratorType):
        running = inner
    return running


def _clear_caches() -> None:
    """Empty the caches of solvers' functions, so that the functions behind them run and are seen."""
    for name, each in list(sys.modules.items()):
        if name.startswith(_SOLVERS):
            for value in list(vars(each).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()


def wrong_check(check: Any, result: Any, reads: set[str]) -> str:
    """The error in how a check is written, whatever it found; empty when there is none."""
    if not isinstance(check, Check):
        return f"checks gave a {type(check).__name__}; it must give Checks"
    about = f"the check {check.name!r}"
    if check.method not in METHODS:
        return f"{about} has the method {check.method!r}; it must be one of {', '.join(METHODS)}"
    if wrong := tolerance_error(check):
        return f"in {about} {wrong}"
    sizes = sizes_of_fields(result)
    try:
        confirmed = fields_in(check.of)
    except (ValueError, AttributeError) as error:
        return f"in {about} {error}"
    for field, cells in confirmed:
        if not any(is_within(name, field) for name in sizes):
            return f"{about} confirms {field!r}, which is no field of the result; {nearest(field, sizes)}"
        total = cells_of(field, sizes)
        if cells > total:
            return f"{about} confirms {cells} cells of {field!r}, which has {total}"
        if not any(is_within(read, field) for read in reads):
            return f"{about} confirms {field!r}, and reads nothing of it"
        if _same_object(check.expected, _value_at(result, field)):
            return f"{about} compares {field!r} with itself"
    return ""


def _same_object(expected: Any, value: Any) -> bool:
    """True when the expected value was taken out of the result; small constants are the same object everywhere."""
    is_constant = isinstance(value, (bool, int, str, type(None))) or (isinstance(value, tuple) and not value)
    return expected is value and not is_constant


def _value_at(result: Any, field: str) -> Any:
    for part in field.split("."):
        result = getattr(result, part)
    return result


def recording(record: Any, reads: set[str], prefix: str = "") -> Any:
    """A copy of a solver's record that notes the names of the fields that are read; records in it likewise."""
    kind = type(record)
    names = {field.name for field in dataclasses.fields(record)}
    inner: dict[str, Any] = {}

    def read(self: Any, name: str) -> Any:
        value = object.__getattribute__(self, name)
        if name not in names:
            return value
        if _is_record(value):
            return inner.setdefault(name, recording(value, reads, f"{prefix}{name}."))
        reads.add(f"{prefix}{name}")
        return value

    copy: Any = object.__new__(type(kind.__name__, (kind,), {"__getattribute__": read, "__module__": kind.__module__}))
    for name in names:
        object.__setattr__(copy, name, getattr(record, name))
    return copy


def _is_record(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and type(value).__module__.startswith(_SOLVERS)


def find_functions(module: types.ModuleType) -> None:
    """Fill the cache of `functions_reached` with what the checks of a solver ask it for."""
    for start in (module.solve, module.checks, getattr(module, "game", None)):
        if start:
            functions_reached(start, (module.Parameters, module.Result))


@lru_cache(maxsize=3)
def functions_reached(start: Callable[..., Any], left_out: tuple[type, ...]) -> Mapping[types.CodeType, str]:
    """The solver's functions that a function refers to, directly and through others: their code and their names.

    left_out: classes whose methods do not count.
    """
    found: dict[types.CodeType, str] = {}
    waiting, seen = [start], {id(each) for each in left_out}
    while waiting:
        each = waiting.pop()
        if id(each) in seen or not str(getattr(each, "__module__", "")).startswith(_SOLVERS):
            continue
        seen.add(id(each))
        if isinstance(each, type):
            waiting += [*each.__mro__, *(part for value in vars(each).values() for part in _functions_in(value))]
        elif isinstance(each, types.FunctionType):
            is_written = each.__globals__.get("__name__", "").startswith(_SOLVERS)
            if is_written and each.__code__.co_filename != _GENERATED:
                for code in _code_in(each.__code__):
                    found[code] = each.__qualname__
            waiting += [*_globals_used(each), *(_content(cell) for cell in each.__closure__ or ())]
        else:
            waiting += _functions_in(each)
    return found


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


def _functions_in(value: Any) -> list[Any]:
    """The functions behind a method, property, cached or partial function."""
    names = ("__wrapped__", "__func__", "fget", "func")
    inner = [part for name in names if (part := getattr(value, name, None)) is not None]
    return [*inner, value] if isinstance(value, (types.FunctionType, type)) else inner


def _code_in(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a function and of the functions, lambdas and comprehensions within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _code_in(constant)


def _globals_used(function: types.FunctionType) -> Iterator[Any]:
    instructions = [each for code in _code_in(function.__code__) for each in dis.get_instructions(code)]
    attributes = {each.argval for each in instructions if each.opname in ("LOAD_ATTR", "LOAD_METHOD")}
    for name in {each.argval for each in instructions if each.opname == "LOAD_GLOBAL"}:
        value = function.__globals__.get(name)
        if isinstance(value, types.ModuleType):
            yield from (vars(value)[each] for each in attributes if each in vars(value))
        elif isinstance(value, (tuple, list)):
            yield from value
        elif isinstance(value, dict):
            yield from value.values()
        elif value is not None:
            yield value
