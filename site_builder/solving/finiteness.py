"""Infinity and NaN in results: allowed only where a field says that they are meant."""

import dataclasses
import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import numpy as np

from site_builder.contract import Grid, NotFinite

_ALWAYS_FINITE = frozenset({int, str, bool, bytes, Fraction, type(None)})


@dataclass(frozen=True)
class Stray:
    """A number that is not finite where none is meant.

    path: where it stands in the result, as Python would write it: `map.at(toss=0, lead=1)`. value: nan, inf or -inf.
    record, field: the class and its field that would have to be marked, at whatever depth it is.
    """

    path: str
    value: str
    record: type
    field: str


def stray(result: Any, fields: Iterable[str] | None = None) -> Stray | None:
    """The first number of a result that is not finite in a field that is not marked; None when there is none.

    fields: those that are looked at; by default all of them. Raises TypeError for an annotation that names what is not
    there when the solver runs.
    """
    found = _in_fields(result, fields)
    return replace(found, path=found.path.removeprefix(".")) if found else None


def declared_by(record: type, field: str) -> type:
    """The class in which a field of a record is written: the record's own or one that it is derived from."""
    return next(kind for kind in record.__mro__ if field in vars(kind).get("__annotations__", {}))


def _in_fields(record: Any, fields: Iterable[str] | None = None) -> Stray | None:
    names = [field.name for field in dataclasses.fields(record) if field.init] if fields is None else fields
    for name in names:
        found = _in(getattr(record, name))
        if found and not _is_marked(type(record), name):
            found = _within(f".{name}", found)
            return found if found.field else replace(found, record=type(record), field=name)
    return None


def _is_marked(record: type, field: str) -> bool:
    owner = declared_by(record, field)
    alone = SimpleNamespace(__annotations__={field: owner.__annotations__[field]})
    try:
        hint = get_type_hints(alone, vars(sys.modules[owner.__module__]), include_extras=True)[field]
    except NameError as error:
        raise TypeError(f"the type of {record.__name__}.{field} cannot be read: {error}") from error
    return _has_marker(hint)


def _has_marker(hint: Any) -> bool:
    if any(isinstance(note, NotFinite) for note in getattr(hint, "__metadata__", ())):
        return True
    return any(_has_marker(part) for part in get_args(hint))


def _in(value: Any) -> Stray | None:
    """The first number that is not finite in a value of any kind that a result may hold."""
    if type(value) in _ALWAYS_FINITE:
        return None
    if isinstance(value, (float, np.floating)):
        return None if math.isfinite(value) else Stray("", str(float(value)), object, "")
    if isinstance(value, Decimal):
        return None if value.is_finite() else Stray("", str(value), object, "")
    if isinstance(value, np.ndarray):
        return _in_array(value)
    if isinstance(value, (tuple, list)):
        return _in_list(value)
    if isinstance(value, Mapping):
        return _in_mapping(value)
    if isinstance(value, Grid):
        return _in_grid(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _in_fields(value)
    return None


def _in_list(values: tuple[Any, ...] | list[Any]) -> Stray | None:
    for place, entry in enumerate(values):
        if found := _in(entry):
            return _within(f"[{place}]", found)
    return None


def _in_mapping(values: Mapping[Any, Any]) -> Stray | None:
    for key, entry in values.items():
        if found := _in(key) or _in(entry):
            return _within(f"[{key!r}]", found)
    return None


def _in_array(values: np.ndarray) -> Stray | None:
    index, found = _in_cells(values)
    return _within(f"[{', '.join(str(place) for place in index)}]", found) if found else None


def _in_grid(grid: Grid) -> Stray | None:
    for name, coordinates in grid.axes.items():
        if found := _in(coordinates):
            return _within(f".axes[{name!r}]", found)
    index, found = _in_cells(grid.values)
    at = ", ".join(f"{name}={grid.axes[name][place]!r}" for name, place in zip(grid.axes, index, strict=False))
    return _within(f".at({at})", found) if found else None


def _in_cells(values: np.ndarray) -> tuple[tuple[int, ...], Stray | None]:
    """The first cell that holds such a number: its index, and the number."""
    if values.dtype.kind == "O":
        for place, entry in enumerate(values.flat):
            if found := _in(entry):
                return _index(place, values), found
    elif values.dtype.kind == "f" and not (finite := np.isfinite(values)).all():
        place = int(np.argmin(finite))
        return _index(place, values), _in(values.flat[place])
    return (), None


def _index(place: int, values: np.ndarray) -> tuple[int, ...]:
    return tuple(int(along) for along in np.unravel_index(place, values.shape))


def _within(place: str, found: Stray) -> Stray:
    return replace(found, path=place + found.path)
