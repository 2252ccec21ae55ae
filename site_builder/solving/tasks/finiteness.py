"""Infinity and NaN in results: allowed only in fields that are marked with NotFinite."""

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import Grid, NotFinite
from site_builder.contract.bounds import marks_of

_ALWAYS_FINITE = frozenset({int, str, bool, bytes, Fraction, type(None)})


@dataclass(frozen=True)
class NonFinite:
    """A number that is not finite in a field that is not marked.

    path: where it is in the result, as Python writes it: `map.at(toss=0, lead=1)`. value: nan, inf or -inf. record,
    field: the class and its field that would have to be marked, at whatever depth it is.
    """

    path: str
    value: str
    record: type = object
    field: str = ""


def find_non_finite(result: Any, fields: Iterable[str] | None = None) -> NonFinite | None:
    """The first number that is not finite in a field that is not marked. fields: those to check, by default all.

    result: a dataclass, or a mapping, which has no marks. Raises AnnotationError.
    """
    if isinstance(result, Mapping):
        every = (_placed(name, _in(result[name])) for name in (result if fields is None else fields))
        found = next(filter(None, every), None)
    else:
        found = _in_fields(result, fields)
    return replace(found, path=found.path.removeprefix(".")) if found else None


def _placed(name: str, found: NonFinite | None) -> NonFinite | None:
    return replace(found, path=f".{name}{found.path}") if found else None


def _in_fields(record: Any, fields: Iterable[str] | None = None) -> NonFinite | None:
    kind: type = type(record)
    names = [field.name for field in dataclasses.fields(record) if field.init] if fields is None else fields
    for name in names:
        found = _in(getattr(record, name))
        if found and name not in marks_of(kind, NotFinite):
            found = replace(found, path=f".{name}{found.path}")
            return found if found.field else replace(found, record=kind, field=name)
    return None


def _in(value: Any) -> NonFinite | None:
    if type(value) in _ALWAYS_FINITE:
        return None
    if isinstance(value, (float, np.floating)):
        return None if math.isfinite(value) else NonFinite("", str(float(value)))
    if isinstance(value, Decimal):
        return None if value.is_finite() else NonFinite("", str(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, (type, Grid)):
        return _in_fields(value)
    for place, entry in _entries(value):
        if found := _in(entry):
            return replace(found, path=place + found.path)
    return None


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
