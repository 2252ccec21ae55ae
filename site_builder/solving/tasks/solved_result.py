"""The result that `solve` returned: names, types and numbers that no result may have are refused."""

import dataclasses
import importlib
import types
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import inf
from numbers import Integral, Rational
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import numpy as np

from site_builder.contract import Bounds, Grid, NotFinite
from site_builder.contract.bounds import AnnotationError, annotations_of, marks_of
from site_builder.solving.plan import plain
from site_builder.solving.processes.audit import is_own_code
from site_builder.solving.tasks.solver import READ_CONTRACT, RESULT, ContractError, Solver, place_of
from site_builder.values.packing import kind_of, unpack
from site_builder.values.plain_values import classify, fields_of_any, text_of
from site_builder.values.records import BESIDE, Record, fields_of

_RECORD = "result"  # the kind of record that a mapping is packed as
_TAKEN = (*BESIDE, RESULT, "look")
_ACCEPTED: dict[Any, tuple[type, ...]] = {
    int: (Integral,),
    float: (float, int, np.floating, np.integer),
    Fraction: (Rational,),
    bool: (bool, np.bool_),
    str: (str,),
    type(None): (type(None),),
}
_NO_NUMBERS: frozenset[type] = frozenset({str, bool, bytes, type(None)})
_ALWAYS_FINITE = _NO_NUMBERS | {int, Fraction}
_ROUNDING = 1e-9  # by which a float may miss a bound


def refuse_wrong_names(solver: Solver, parameters: Mapping[str, Any], returned: Any) -> None:
    """Raise ContractError for what is no result, and for names that its fields may not have."""
    if not isinstance(returned, Mapping) and (isinstance(returned, type) or not dataclasses.is_dataclass(returned)):
        cure = 'return a mapping of names to values, such as {"flips": flips}, or a dataclass'
        raise ContractError(f"solve returned {_shown(returned)}", solver.place(), cure)
    if message := _wrong_name(fields_of_result(returned), parameters):
        raise ContractError(message, solver.place(), READ_CONTRACT)


def fields_of_result(result: Any) -> Mapping[str, Any]:
    """The fields of what `solve` returned, a mapping or a dataclass."""
    return result if isinstance(result, Mapping) else fields_of_any(result)


def as_record(result: Any) -> Any:
    """A result as it is packed: a record."""
    return Record(dict(result), _RECORD) if isinstance(result, Mapping) else result


def read_result(data: bytes) -> tuple[Any, Mapping[str, Any]]:
    """A packed result as `solve` returned it, a mapping or a dataclass, and its fields."""
    whole = unpack(data, _made_record)
    result = dict(fields_of(whole)) if isinstance(whole, Record) else whole
    return result, fields_of_result(result)


def misfit(solver: Solver, error: AnnotationError) -> ContractError:
    """The failure of a value that its annotation does not allow: at its class, or at solve where that is no one's."""
    file, line = place_of(error.record)
    return ContractError(str(error), (file, line) if is_own_code(file) else solver.place(), error.cure)


def _wrong_name(fields: Mapping[str, Any], parameters: Mapping[str, Any]) -> str:
    """The error in the names of the fields; empty when there is none."""
    if not fields:
        return "the result is empty"
    for name, value in fields.items():
        if not (isinstance(name, str) and name.isidentifier() and not name.startswith("_")):
            return f"the result has a field {name!r}; a field is named by letters, digits and _"
        if name in _TAKEN:
            return f"the result has a field {name!r}, a name that every run has already"
        if name in parameters and text_of(plain(value)) != text_of(plain(parameters[name])):
            return f"the result has a field {name!r}, the name of a parameter, with another value"
    return ""


def _made_record(kind: str, fields: dict[str, Any]) -> Any:
    """A solver's own dataclass from its packed form, or the record that a mapping is packed as."""
    module_name, _, class_name = kind.partition(":")
    if kind == _RECORD:
        return Record(fields, kind)
    if not module_name.startswith("solvers."):
        raise ValueError(f"{kind} is no class of a solver")
    return getattr(importlib.import_module(module_name), class_name)(**fields)


# Values that fields may not hold


def refuse_wrong_values(result: Any, names: Collection[str] | None = None) -> None:
    """Raise AnnotationError for a value of a result, at any depth, that its field may not hold.

    result: a mapping or dataclass. names: of the fields whose numbers are wanted, by default all.
    """
    kind = object if isinstance(result, Mapping) else type(result)
    for name, value in fields_of_result(result).items():
        is_wanted = names is None or name in names
        _refuse_wrong_type(kind, name, value)
        for record in _records_in(value):
            refuse_wrong_values(record, None if is_wanted else ())
        if is_wanted:
            _refuse_wrong_numbers(kind, name, value)


def _shown(value: Any) -> str:
    """A value in words; of one of another library its class, since its text may look like that of a number."""
    return kind_of(value) if classify(value)[0] == "other" else text_of(value)


def _refuse_wrong_type(kind: type, name: str, value: Any) -> None:
    hint = annotations_of(kind).get(name, Any) if kind.__module__.startswith("solvers.") else Any
    hint = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if not _is_of(value, hint):
        message = f"in the result, {name} is {_shown(value)}, and its type is {getattr(hint, '__name__', str(hint))}"
        raise AnnotationError(kind, message, f"correct solve, or the annotation of {name}")


def _refuse_wrong_numbers(kind: type, name: str, value: Any) -> None:
    """Raise AnnotationError for a number outside of the bounds, and for one that is not finite unless this is meant."""
    bounds, is_meant = None, False
    if kind is not object:
        bounds, is_meant = marks_of(kind, Bounds).get(name), name in marks_of(kind, NotFinite)
    for number in () if is_meant and not bounds else _numbers_in(value, _NO_NUMBERS if bounds else _ALWAYS_FINITE):
        is_finite = number.is_finite() if isinstance(number, Decimal) else -inf < number < inf
        if not (_is_inside(number, bounds) if is_finite else is_meant):
            raise _wrong_number(kind, name, number, bounds if is_finite else None)


def _wrong_number(kind: type, name: str, number: Any, bounds: Bounds | None) -> AnnotationError:
    held = f"in the result, {name} holds {text_of(number)}"
    if bounds:
        cure = f"correct solve, or the mark Bounds({bounds.low}, {bounds.high}) of {name}"
        return AnnotationError(kind, f"{held}, outside of its bounds", cure)
    cure = f'correct solve, or say why it is meant: {name}: Annotated[..., NotFinite("what it stands for")]'
    if kind is object:
        cure = 'correct solve, or return a dataclass in which it is meant: Annotated[float, NotFinite("why")]'
    return AnnotationError(kind, f"{held}, and no field says that this is meant", cure)


def _records_in(value: Any) -> Iterator[Any]:
    """The outermost dataclasses in a value."""
    if isinstance(value, (tuple, list, Mapping)):
        for entry in value.values() if isinstance(value, Mapping) else value:
            yield from _records_in(entry)
    elif dataclasses.is_dataclass(value) and not isinstance(value, (type, Grid)):
        yield value


# Types


def _is_of(value: Any, hint: Any) -> bool:
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin is Annotated:
        return _is_of(value, inner[0])
    if origin in (Union, types.UnionType):
        return any(_is_of(value, each) for each in inner)
    if origin is Literal:
        return value in inner
    if hint in _ACCEPTED:
        return isinstance(value, _ACCEPTED[hint]) and (hint is bool or not isinstance(value, (bool, np.bool_)))
    kind = origin if isinstance(origin, type) else object
    if issubclass(kind, Sequence):
        is_of_any_length = len(inner) == 1 or inner[1:] == (Ellipsis,)
        kinds = inner[:1] * len(value) if is_of_any_length and isinstance(value, Sequence) else inner
        is_list = isinstance(value, (list, tuple, range)) and len(kinds) == len(value)
        return is_list and all(map(_is_of, value, kinds))
    if issubclass(kind, Mapping):
        return isinstance(value, Mapping) and all(_is_of(each, inner[1]) for each in value.values())
    return not isinstance(hint, type) or origin is not None or isinstance(value, hint)


# Numbers


def _numbers_in(value: Any, without: frozenset[type]) -> Iterator[Any]:
    """The numbers in a value but for those in records; of an array of numbers the ones that can be wrong.

    without: types that are left out.
    """
    kind, content = classify(value)
    if kind in ("whole", "float", "exact"):
        yield content
    elif kind == "array" and content.dtype.kind in "iuf":
        is_finite = np.isfinite(content)
        finite = content if is_finite.all() else content[is_finite]
        yield from content[~is_finite][:1].tolist()
        yield from (finite.min().item(), finite.max().item()) if finite.size else ()
    elif kind in ("sequence", "array", "grid", "mapping"):
        entries = [content.values] if kind == "grid" else content.values() if kind == "mapping" else content
        for entry in entries:
            if type(entry) not in without:
                yield from _numbers_in(entry, without)


def _is_inside(number: Any, bounds: Bounds | None) -> bool:
    slack = _ROUNDING if isinstance(number, float) else 0
    low, high = (bounds.low, bounds.high) if bounds else (None, None)
    return (low is None or number >= low - slack) and (high is None or number <= high + slack)
