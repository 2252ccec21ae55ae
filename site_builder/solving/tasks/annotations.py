"""Values of a result that its annotations do not allow: of another type, outside of Bounds, or not finite."""

import dataclasses
import types
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import isfinite
from numbers import Integral, Rational
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from site_builder.contract import Bounds, Grid, NotFinite
from site_builder.contract.bounds import marks_of
from site_builder.values.plain_values import classify, fields_of_any

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


@dataclass(frozen=True)
class WrongValue:
    """A value that a field may not hold. record: the class of the field; object for a field of a mapping.

    wanted: the annotated type, or the Bounds; None for a number that is not finite.
    """

    value: Any
    record: type
    field: str
    wanted: Any = None


def find_wrong_type(result: Any) -> WrongValue | None:
    """The first value of another type than annotated, in a dataclass of a solver at any depth of a result."""
    for kind, name, value in _fields_in(result):
        hint = _hints(kind).get(name, Any) if kind.__module__.startswith("solvers.") else Any
        if not _is_of(value, hint):
            return WrongValue(value, kind, name, getattr(hint, "__name__", str(hint)))
    return None


def find_wrong_number(result: Any, names: Collection[str] | None = None) -> WrongValue | None:
    """The first number of a result that is not finite or outside of Bounds, where the marks of its field forbid that.

    names: of the fields of the result, by default all. Raises AnnotationError.
    """
    for kind, name, value in _fields_in(result, names):
        bounds = None if kind is object else marks_of(kind, Bounds).get(name)
        is_meant = kind is not object and name in marks_of(kind, NotFinite)
        for number in () if is_meant and not bounds else _wrong_numbers(value, bounds, is_meant):
            return WrongValue(number, kind, name, bounds if _is_finite(number) else None)
    return None


def _fields_in(result: Any, names: Collection[str] | None = None) -> Iterator[tuple[type, str, Any]]:
    """The fields of a mapping or dataclass, and of the dataclasses in it, each with its class. names: of its own."""
    is_mapping = isinstance(result, Mapping)
    fields = result if is_mapping else fields_of_any(result)
    for name in fields if names is None else names:
        yield object if is_mapping else type(result), name, fields[name]
        for record in _records_in(fields[name]):
            yield from _fields_in(record)


def _records_in(value: Any) -> Iterator[Any]:
    """The outermost dataclasses in a value."""
    if isinstance(value, (tuple, list, Mapping)):
        for entry in value.values() if isinstance(value, Mapping) else value:
            yield from _records_in(entry)
    elif dataclasses.is_dataclass(value) and not isinstance(value, (type, Grid)):
        yield value


# Types


@cache
def _hints(kind: type) -> dict[str, Any]:
    try:
        return get_type_hints(kind)
    except NameError:  # reported where marks of fields are read
        return {}


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
    if origin in (tuple, list) or (isinstance(origin, type) and issubclass(origin, Sequence)):
        kinds = _kinds_of_entries(inner, value) if isinstance(value, (list, tuple, range)) else None
        return kinds is not None and all(map(_is_of, value, kinds))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(_is_of(each, inner[1]) for each in value.values())
    return not isinstance(hint, type) or origin is not None or isinstance(value, hint)


def _kinds_of_entries(inner: Sequence[Any], value: Sequence[Any]) -> Sequence[Any] | None:
    """The types of the entries of a list or tuple; None where it has another length."""
    if len(inner) == 1 or (len(inner) == 2 and inner[1] is Ellipsis):
        return [inner[0]] * len(value)
    return inner if len(inner) == len(value) else None


# Numbers


def _wrong_numbers(value: Any, bounds: Bounds | None, is_meant: bool) -> Iterator[Any]:
    """The numbers in a value that are outside of the bounds, or not finite unless this is meant."""
    for number in _numbers_in(value, _NO_NUMBERS if bounds else _ALWAYS_FINITE):
        if not (_is_inside(number, bounds) if _is_finite(number) else is_meant):
            yield number


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


def _is_finite(number: Any) -> bool:
    return number.is_finite() if isinstance(number, Decimal) else not isinstance(number, float) or isfinite(number)


def _is_inside(number: Any, bounds: Bounds | None) -> bool:
    slack = _ROUNDING if isinstance(number, float) else 0
    low, high = (bounds.low, bounds.high) if bounds else (None, None)
    return (low is None or number >= low - slack) and (high is None or number <= high + slack)
