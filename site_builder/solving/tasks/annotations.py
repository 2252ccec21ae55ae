"""Values of a result that its annotations do not allow: of another type, outside of Bounds, or not finite."""

import dataclasses
import math
import types
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from numbers import Integral, Rational
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from site_builder.contract import Bounds, Grid, NotFinite
from site_builder.contract.bounds import marks_of
from site_builder.values.plain_values import classify

_ACCEPTED: dict[Any, tuple[type, ...]] = {
    int: (Integral,),
    float: (float, int, np.floating, np.integer),
    Fraction: (Rational,),
    bool: (bool, np.bool_),
    str: (str,),
    type(None): (type(None),),
}
_ALWAYS_FINITE = frozenset({int, str, bool, bytes, Fraction, type(None)})
_ROUNDING = 1e-9  # by which a float may miss a bound


@dataclass(frozen=True)
class WrongValue:
    """A value that an annotation does not allow. record, field: the class and its field; object and "" outside of one.

    wanted: the annotated type, or the Bounds. path: where a number that is not finite is in the result, as Python
    writes it: `map.at(toss=0, lead=1)`.
    """

    value: Any
    record: type = object
    field: str = ""
    wanted: Any = None
    path: str = ""


def find_wrong_type(result: Any) -> WrongValue | None:
    """The first value of another type than annotated, in a dataclass of a solver at any depth of a result."""
    for kind, name, value in _fields_in(result):
        hint = _hints(kind).get(name, Any) if kind.__module__.startswith("solvers.") else Any
        if not _is_of(value, hint):
            return WrongValue(value, kind, name, getattr(hint, "__name__", str(hint)))
    return None


def find_out_of_bounds(result: Any, names: Collection[str] | None = None) -> WrongValue | None:
    """The first number of a result outside of the Bounds of its field. names: of fields, by default all.

    Raises AnnotationError.
    """
    for kind, name, value in _fields_in(result, names):
        if bounds := marks_of(kind, Bounds).get(name):
            for number in _numbers_outside(value, bounds):
                return WrongValue(number, kind, name, bounds)
    return None


def find_non_finite(result: Any, names: Collection[str] | None = None) -> WrongValue | None:
    """The first number that is not finite in a field without the mark NotFinite. names: of fields, by default all.

    result: a dataclass, or a mapping, which has no marks. Raises AnnotationError.
    """
    if isinstance(result, Mapping):
        found = _first((f".{name}", result[name]) for name in (result if names is None else names))
    else:
        found = _non_finite_field(result, names)
    return replace(found, path=found.path.removeprefix(".")) if found else None


def _fields_in(value: Any, names: Collection[str] | None = None) -> Iterator[tuple[type, str, Any]]:
    """The fields of the dataclasses in a value, each with its class. names: of those of the outermost one."""
    if dataclasses.is_dataclass(value) and not isinstance(value, (type, Grid)):
        for name in _names(value) if names is None else names:
            own = getattr(value, name)
            yield type(value), name, own
            yield from _fields_in(own)
    elif isinstance(value, (tuple, list, Mapping)):
        for entry in value.values() if isinstance(value, Mapping) else value:
            yield from _fields_in(entry)


def _names(record: Any) -> list[str]:
    return [each.name for each in dataclasses.fields(record) if each.init]


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


# Bounds


def _numbers_outside(value: Any, bounds: Bounds) -> Iterator[Any]:
    kind, value = classify(value)
    if kind in ("whole", "float", "exact"):
        is_number = not isinstance(value, float) or math.isfinite(value)
        if is_number and not _is_inside(value, bounds):
            yield value
    elif kind == "array" and value.dtype.kind in "iu":
        # Whole numbers are compared as such: as floats, those above 2**53 would miss a bound by more than the rounding.
        below = value < math.ceil(bounds.low) if bounds.low is not None and math.isfinite(bounds.low) else False
        above = value > math.floor(bounds.high) if bounds.high is not None and math.isfinite(bounds.high) else False
        yield from value[np.broadcast_to(below | above, value.shape)][:1].tolist()
    elif kind == "array" and value.dtype.kind == "f":
        low, high = (-math.inf if bounds.low is None else bounds.low, math.inf if bounds.high is None else bounds.high)
        outside = np.isfinite(value) & ((value < low - _ROUNDING) | (value > high + _ROUNDING))
        yield from value[outside][:1].tolist()
    elif kind in ("sequence", "array", "grid", "mapping"):
        inner = value.values if kind == "grid" else value
        entries = [inner] if kind == "grid" else inner.values() if kind == "mapping" else inner
        for entry in entries:
            yield from _numbers_outside(entry, bounds)


def _is_inside(value: Any, bounds: Bounds) -> bool:
    slack = _ROUNDING if isinstance(value, float) else 0
    return (bounds.low is None or value >= bounds.low - slack) and (bounds.high is None or value <= bounds.high + slack)


# Infinity and NaN


def _non_finite_field(record: Any, names: Collection[str] | None = None) -> WrongValue | None:
    kind: type = type(record)
    for name in _names(record) if names is None else names:
        found = _first([(f".{name}", getattr(record, name))])
        if found and name not in marks_of(kind, NotFinite):
            return found if found.field else replace(found, record=kind, field=name)
    return None


def _first(entries: Iterable[tuple[str, Any]]) -> WrongValue | None:
    """The first number that is not finite in these values, each with its place."""
    for place, value in entries:
        if found := _non_finite(value):
            return replace(found, path=place + found.path)
    return None


def _non_finite(value: Any) -> WrongValue | None:
    if type(value) in _ALWAYS_FINITE:
        return None
    if isinstance(value, (float, np.floating)):
        return None if math.isfinite(value) else WrongValue(str(float(value)))
    if isinstance(value, Decimal):
        return None if value.is_finite() else WrongValue(str(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, (type, Grid)):
        return _non_finite_field(value)
    return _first(_entries(value))


def _entries(value: Any) -> Iterator[tuple[str, Any]]:
    """The entries of a value that may hold such numbers, each with its place as Python writes it."""
    if isinstance(value, np.ndarray):
        for index in _suspects(value):
            yield f"[{', '.join(map(str, index))}]", value[index]
    elif isinstance(value, (tuple, list)):
        yield from ((f"[{place}]", entry) for place, entry in enumerate(value))
    elif isinstance(value, Mapping):
        yield from ((f"[{key!r}]", each) for key, entry in value.items() for each in (key, entry))
    elif isinstance(value, Grid):
        yield from ((f".axes[{name!r}]", coordinates) for name, coordinates in value.axes.items())
        for index in _suspects(value.values):
            at = zip(value.axes.items(), index, strict=False)
            yield f".at({', '.join(f'{name}={axis[place]!r}' for (name, axis), place in at)})", value.values[index]


def _suspects(values: np.ndarray) -> Iterator[tuple[int, ...]]:
    """The indices of the cells that may not be finite."""
    if values.dtype.kind == "O":
        places = [place for place, entry in enumerate(values.flat) if type(entry) not in _ALWAYS_FINITE]
    else:
        places = np.flatnonzero(~np.isfinite(values)).tolist() if values.dtype.kind == "f" else []
    for place in places:
        yield tuple(map(int, np.unravel_index(place, values.shape)))
