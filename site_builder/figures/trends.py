"""Finds trends in arrays for alt texts: slopes along an axis, layers of actions, crossings of curves."""

from dataclasses import dataclass

import numpy as np

_ENOUGH = 10  # differing neighbours; fewer show no slope
_NEARLY_ALL = 0.9
_MOST_LAYERS = 4  # a longer order of actions is not reported


def slope(values: np.ndarray, shown: np.ndarray, axis: int) -> int:
    """Return 1 if values rise along this axis nearly everywhere, -1 if they fall, else 0."""
    values, shown = np.moveaxis(values, axis, 0), np.moveaxis(shown, axis, 0)
    both = shown[1:] & shown[:-1]
    with np.errstate(invalid="ignore"):
        steps = (values[1:] - values[:-1])[both]
    rises, falls = int((steps > 0).sum()), int((steps < 0).sum())
    if rises + falls < max(_ENOUGH, 0.3 * steps.size):
        return 0
    return int(rises >= _NEARLY_ALL * (rises + falls)) - int(falls >= _NEARLY_ALL * (rises + falls))


@dataclass(frozen=True)
class Layers:
    """Codes that follow each other in the same order in many columns of a map, the lowest first.

    starts: for each code but the first, the first and the last row in which it begins. columns: the number of columns
    in this order; total: of all columns.
    """

    codes: tuple[int, ...]
    starts: tuple[tuple[int, int], ...]
    columns: int
    total: int


def layers(codes: np.ndarray) -> Layers | None:
    """Return the most frequent order of codes in columns, or None. codes: shape (columns, rows), -1 for none."""
    found: dict[tuple[int, ...], list[list[int]]] = {}
    columns = [column for column in codes if (column >= 0).any()]
    for column in columns:
        rows = np.flatnonzero(column >= 0)
        changes = np.flatnonzero(np.diff(column[rows])) + 1
        order = tuple(int(code) for code in column[rows[np.append(0, changes)]])
        found.setdefault(order, []).append(rows[changes].tolist())
    order, most = max(found.items(), key=lambda item: len(item[1]), default=((), []))
    if not 1 < len(order) <= _MOST_LAYERS or len(most) < 3 or 3 * len(most) < len(columns):
        return None
    starts = [(min(rows), max(rows)) for rows in zip(*most, strict=True)]
    if any(last - first > codes.shape[1] / 2 for first, last in starts):  # it begins at no particular row
        return None
    return Layers(order, tuple(starts), len(most), len(columns))


def crossing(one: np.ndarray, other: np.ndarray) -> tuple[int, list[int]]:
    """Return 1 if one curve starts above the other and -1 if below, and the indices at which it changes sides.

    0 if they are equal everywhere. Shape of both: (n,); NaN is no point.
    """
    difference = one - other
    scale = np.nanmax(np.abs([one, other]), initial=0.0)
    indices = [i for i in range(len(difference)) if abs(difference[i]) > 1e-9 * scale]
    sides = [1 if difference[i] > 0 else -1 for i in indices]
    turns = [indices[k] for k in range(1, len(indices)) if sides[k] != sides[k - 1]]
    return (sides[0] if sides else 0), turns
