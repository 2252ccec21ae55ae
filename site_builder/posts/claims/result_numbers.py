"""The numbers in a result, at any depth, each with the expression that a post would write for it."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from site_builder.values.plain_values import classify

Found = tuple[Fraction | float, str]  # a number in a result, and the expression that a post would write for it
Spans = Sequence[tuple[float, float]]  # of absolute values that are looked for


def numbers_in(value: Any, path: str, spans: Spans) -> Iterator[Found]:
    """The numbers in a value that lie in one of the spans, at any depth. path: the expression of the value."""
    kind, value = classify(value)
    inner: Iterable[tuple[str, Any]] = ()
    match kind:
        case "whole" | "float" | "exact" if not isinstance(value, Decimal) and _is_near(value, spans):
            yield value if kind == "float" else Fraction(value), path
        case "grid":
            inner = ((_at(value.axes, place), entry) for place, entry in _entries(value.values, spans))
        case "array":
            inner = ((f"[{', '.join(map(str, place))}]", entry) for place, entry in _entries(value, spans))
        case "mapping":
            inner = ((f"[{key!r}]", entry) for key, entry in value.items())
        case "sequence":
            inner = ((f"[{at}]", entry) for at, entry in enumerate(value))
        case "record":
            inner = ((f".{name}", entry) for name, entry in value.items())
    for part, entry in inner:
        yield from numbers_in(entry, path + part, spans)


def _entries(array: Any, spans: Spans) -> Iterator[tuple[Sequence[int], Any]]:
    """The entries of an array that may hold numbers in the spans, each with its indices."""
    import numpy as np  # loaded already, since there is an array

    flat = array.ravel()
    if array.dtype.kind in "fiu":
        sizes = abs(flat)
        places = [at for low, high in spans for at in ((sizes >= low) & (sizes <= high)).nonzero()[0].tolist()]
    else:
        places = [at for at, each in enumerate(flat.tolist()) if type(each) is not Fraction or _is_near(each, spans)]
    for at in places:
        entry = flat[at]
        yield np.unravel_index(at, array.shape), entry.item() if hasattr(entry, "item") else entry


def _is_near(value: Any, spans: Spans) -> bool:
    try:
        size = abs(float(value))
    except OverflowError:
        return False
    return any(low <= size <= high for low, high in spans) and math.isfinite(size)


def _at(axes: Mapping[str, Sequence[Any]], place: Sequence[int]) -> str:
    coordinates = [(name, values[index]) for (name, values), index in zip(axes.items(), place, strict=True)]
    where = (f"{name}={value!r}" if isinstance(value, str) else f"{name}={value}" for name, value in coordinates)
    return f".at({', '.join(where)})"
