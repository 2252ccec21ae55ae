"""The numbers that a figure shows, compared with the fields and parameters that it takes.

A figure may show a value as it is, as a percentage or as a complement to 1, a difference or sum along an axis, and an
index. Coordinates, ranges and texts are the author's.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from site_builder.contract import Estimate, Figure
from site_builder.figures.kinds.registry import kind_of
from site_builder.values.plain_values import classify

_NUMBERS = ("whole", "float", "exact")  # kinds of values
_ERROR = 1e-9  # share of a number by which the shown one may differ


def foreign_numbers(figure: Figure, values: Iterable[Any]) -> list[float]:
    """The numbers of a figure that are none of these values, each once, in their order."""
    shown = np.unique(_flat(array for value in kind_of(figure).numbers(figure) for array in _arrays(value)))
    shown = shown[np.isfinite(shown)]
    arrays = [array for value in values for array in _arrays(value)]
    longest = max([1, *(size for array in arrays for size in array.shape)])
    shown = shown[~((shown == np.round(shown)) & (shown >= 0) & (shown <= longest))]
    for allowed in _allowed(arrays):
        if not shown.size:
            break
        shown = shown[~_are_among(shown, allowed)]
    return [float(each) for each in shown]


def _allowed(arrays: list[np.ndarray]) -> Iterator[np.ndarray]:
    """The numbers that may be shown of these values, in the order of likelihood: most figures need the first alone."""
    plain = _flat(arrays)
    yield plain
    yield np.concatenate([100 * plain, 1 - plain, 100 - 100 * plain, -plain])
    axes = [(array, axis) for array in arrays for axis in range(array.ndim)]
    for along in (np.diff, np.sum, np.cumsum) if axes else ():
        found = np.concatenate([np.ravel(along(array, axis=axis)) for array, axis in axes])
        yield np.concatenate([found, -found, 100 * found, -100 * found])


def _are_among(shown: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    allowed = np.unique(allowed[np.isfinite(allowed)])
    if not allowed.size:
        return np.zeros(shown.shape, dtype=bool)
    place = np.searchsorted(allowed, shown)
    near = [allowed[np.clip(place + step, 0, allowed.size - 1)] for step in (-1, 0)]
    missed = np.minimum(*(np.abs(shown - each) for each in near))
    return np.asarray(missed <= _ERROR * np.maximum(1e-3, np.abs(shown)))


def _flat(arrays: Iterable[np.ndarray]) -> np.ndarray:
    """All the numbers of arrays in one."""
    return np.concatenate([np.zeros(0), *(array.ravel() for array in arrays)])


def _arrays(value: Any) -> Iterator[np.ndarray]:
    """The numbers in a value as arrays of floats: of a list one array where it has a shape."""
    kind, content = classify(value)
    if kind in _NUMBERS:
        yield np.array(_float(content))
    elif isinstance(value, Estimate):
        yield np.array([value.value, value.standard_error])
    elif kind == "grid":
        yield from _arrays(content.values)
        for coordinates in content.axes.values():
            yield from _arrays(list(coordinates))
    elif kind == "array":
        yield from [content.astype(float)] if content.dtype.kind in "fiu" else _arrays(content.tolist())
    elif kind in ("mapping", "record"):
        for entry in (*content.values(), *(content if isinstance(content, Mapping) else ())):
            yield from _arrays(entry)
    elif kind == "sequence":
        if numbers := [_float(each) for each in content if classify(each)[0] in _NUMBERS]:
            yield np.array(numbers)
        for entry in content:
            if classify(entry)[0] not in _NUMBERS:
                yield from _arrays(entry)


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf")
