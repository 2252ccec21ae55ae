"""Numbers in results that lie outside of the Bounds of their field."""

import dataclasses
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from site_builder.contract import Bounds
from site_builder.contract.bounds import marks_of
from site_builder.values.plain_values import classify

_ROUNDING = 1e-9  # by which a float may miss a bound


@dataclasses.dataclass(frozen=True)
class OutOfBounds:
    """A number outside of the bounds of its field. record, field: the class and its field that is marked."""

    value: Any
    bounds: Bounds
    record: type
    field: str


def find_out_of_bounds(result: Any, fields: Iterable[str] | None = None) -> OutOfBounds | None:
    """The first number of a result outside of the bounds of its field. fields: those to check, by default all.

    Raises AnnotationError.
    """
    return next(_in_record(result, fields), None)


def _in_record(record: Any, fields: Iterable[str] | None = None) -> Iterator[OutOfBounds]:
    kind: type = type(record)
    marked = marks_of(kind, Bounds)
    for name in fields or [field.name for field in dataclasses.fields(record) if field.init]:
        value = getattr(record, name)
        for inner in _records_in(value):
            yield from _in_record(inner)
        if bounds := marked.get(name):
            yield from (OutOfBounds(each, bounds, kind, name) for each in _numbers_outside(value, bounds))


def _records_in(value: Any) -> Iterator[Any]:
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and classify(value)[0] == "record":
        yield value
    elif isinstance(value, (tuple, list, dict)):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _records_in(entry)


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
