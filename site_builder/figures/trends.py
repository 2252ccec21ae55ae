"""What strikes the eye in arrays: which way values rise, where one action gives way to another, where curves cross."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_ENOUGH = 10  # neighbouring cells that differ; of fewer nobody would say that they rise
_NEARLY_ALL = 0.9
_LONGEST = 4  # actions one after the other that can be kept in mind


def slope(values: np.ndarray, shown: np.ndarray, axis: int) -> int:
    """1 where values rise along this axis nearly everywhere, -1 where they fall, 0 else."""
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
    """Codes that lie one over the other in most columns of a map, the lowest first.

    starts: for each code but the first, the first and the last row in which it begins. columns: how many are so;
    of: how many there are.
    """

    codes: tuple[int, ...]
    starts: tuple[tuple[int, int], ...]
    columns: int
    of: int


def layers(codes: np.ndarray) -> Layers | None:
    """The order of codes up most columns, if there is one. codes: shape (columns, rows), -1 for none."""
    found: dict[tuple[int, ...], list[list[int]]] = {}
    columns = [column for column in codes if (column >= 0).any()]
    for column in columns:
        rows = np.flatnonzero(column >= 0)
        changes = np.flatnonzero(np.diff(column[rows])) + 1
        order = tuple(int(code) for code in column[rows[np.append(0, changes)]])
        found.setdefault(order, []).append(rows[changes].tolist())
    order, most = max(found.items(), key=lambda item: len(item[1]), default=((), []))
    if not 1 < len(order) <= _LONGEST or len(most) < 3 or 3 * len(most) < len(columns):
        return None
    starts = [(min(rows), max(rows)) for rows in zip(*most, strict=True)]
    if any(last - first > codes.shape[1] / 2 for first, last in starts):  # it begins anywhere
        return None
    return Layers(order, tuple(starts), len(most), len(columns))


def crossing(one: np.ndarray, other: np.ndarray) -> tuple[int, list[int]]:
    """1 where one curve begins above another, -1 where below; and the places from which on it is on the other side.

    0 where they are nowhere apart. Shape of both: (n,); NaN is no point.
    """
    apart = one - other
    scale = np.nanmax(np.abs([one, other]), initial=0.0)
    places = [i for i in range(len(apart)) if abs(apart[i]) > 1e-9 * scale]
    sides = [1 if apart[i] > 0 else -1 for i in places]
    turns = [places[k] for k in range(1, len(places)) if sides[k] != sides[k - 1]]
    return (sides[0] if sides else 0), turns


def most_met(names: Sequence[str]) -> list[tuple[str, int]]:
    """The names and how often each comes, the most frequent first."""
    return Counter(names).most_common()
