"""The closeness of a check to a field: the error of the field that the comparison could miss.

A comparison that could miss more than LOOSEST confirms nothing, nor does a bound on one side alone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil, inf
from typing import Any

import numpy as np

from site_builder.errors import counted
from site_builder.solving.checks.tolerances import (
    EQUAL,
    ROUNDING,
    Tolerance,
    accepted_entries,
    entries,
    is_number,
)

LOOSEST = 0.02
"""The largest error of a comparison that confirms: a share of the number, of 1 for a smaller one such as a chance."""

_NEVER_SEEN = 3.0  # after n games without a single win (or loss) its chance may still be 3/n, with 95 %
Part = tuple[Tolerance, Any, Any]


@dataclass(frozen=True)
class Closeness:
    """The closeness to which a check confirms a field. text: in words; share: of the largest error that confirms.

    cure: what would confirm the field.
    """

    share: float
    text: str
    cure: str = ""

    @property
    def confirms(self) -> bool:
        """True when it is close enough to confirm anything."""
        return self.share <= 1


EXACTLY = Closeness(0.0, "exactly")
ONE_SIDED = Closeness(inf, "on one side only", "bound it on the other side, too, or compare it")
_MOST_ARE_RIGHT = Closeness(inf, "as one of more than half of the values there are", "say which of them are right")
_TO_ROUNDING = Closeness(ROUNDING / LOOSEST, f"to {ROUNDING:.0e} of the value")


def closeness_of(parts: Iterable[Part]) -> Closeness:
    """The closeness of a comparison: that of the entries that agree least closely."""
    return _loosest(_of_entry(*entry) for part in parts for entry in _loosest_entries(*part))


def between(parts: Iterable[Part], others: Iterable[Part]) -> Closeness:
    """The closeness to which bounds on both sides confirm the values between them: half of the gap."""
    pairs = zip(_pairs(parts), _pairs(others), strict=False)
    gaps = [(abs(float(one) - float(two)), float(found)) for (_, one, found), (_, two, _) in pairs]
    return _loosest(_of_error(gap / 2, found) for gap, found in gaps)


def bounds_same(parts: Iterable[Part], others: Iterable[Part]) -> bool:
    """True when the bounds of two checks lie on different sides of the same values."""
    one, other = list(_pairs(parts)), list(_pairs(others))
    kinds = [{tolerance.kind for tolerance, _, _ in each} for each in (one, other)]
    is_opposite = sorted(map(sorted, kinds)) == [["at least"], ["at most"]]
    return is_opposite and [found for _, _, found in one] == [found for _, _, found in other]


def _loosest_entries(tolerance: Tolerance, expected: list[Any], found: list[Any]) -> Iterator[Part]:
    """The single values of a part; of an array of numbers the one alone that may differ most."""
    for one, other in zip(expected, found, strict=True):
        if (
            _are_numbers(one)
            and _are_numbers(other)
            and one.shape == other.shape
            and tolerance.kind in ("equal", "close")
        ):
            allowed = np.maximum(tolerance.absolute, tolerance.relative * np.abs(one))
            at = np.unravel_index(np.argmax(allowed / np.maximum(1, np.abs(other))), one.shape) if one.size else ()
            yield from [(tolerance, one[at].item(), other[at].item())] if one.size else []
        else:
            yield from _pairs([(tolerance, [one], [other])])


def _are_numbers(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "biuf"


def _pairs(parts: Iterable[Part]) -> Iterator[Part]:
    """The single values of parts: a tolerance, an expected and a found one."""
    for tolerance, expected, found in parts:
        if tolerance.kind == "one of":
            for alternatives, value in zip(expected, found, strict=True):
                for _, accepted, other in accepted_entries(alternatives, value, tolerance.is_whole):
                    yield tolerance, accepted, other
            continue
        for _, one, other in entries(expected, found):
            yield tolerance, one, other


def _loosest(found: Iterable[Closeness]) -> Closeness:
    return max(found, key=lambda each: each.share, default=EXACTLY)


def _of_entry(tolerance: Tolerance, expected: Any, found: Any) -> Closeness:
    if tolerance.is_bound:
        return ONE_SIDED
    if tolerance.kind == "one of":
        return _of_several(tolerance, expected, found)
    if not (is_number(expected) and is_number(found)):
        return EXACTLY
    if tolerance.kind == "equal":
        return _TO_ROUNDING if isinstance(expected, float) or isinstance(found, float) else EXACTLY
    expected, found = float(expected), float(found)
    if tolerance.kind == "games":
        return _of_games(tolerance, expected, found)
    closeness = _of_error(tolerance.largest_difference(expected, found), found)
    if tolerance.relative * abs(expected) <= tolerance.absolute:
        return closeness
    cure = closeness.cure and f"compare it to {LOOSEST:g} of the value or closer"
    return Closeness(tolerance.relative / LOOSEST, f"to {tolerance.relative:.2g} of the value", cure)


def _of_several(tolerance: Tolerance, accepted: tuple[Any, ...], found: Any) -> Closeness:
    """Of values that are all right: labels are right exactly, unless most of them are; numbers to their spread."""
    different = len(set(map(repr, accepted)))
    if different == 1:
        return _of_entry(EQUAL, accepted[0], found)
    choices = 2 if isinstance(found, bool) else tolerance.choices
    is_value = is_number(found) and all(map(is_number, accepted))
    if 2 * different <= choices or not (choices or is_value):
        return EXACTLY
    return _of_error(float(max(accepted) - min(accepted)), float(found)) if is_value else _MOST_ARE_RIGHT


def _of_error(error: float, found: float) -> Closeness:
    if not error:
        return EXACTLY
    most = _largest(found)
    return Closeness(error / most, f"to ±{error:.2g}", f"compare it to ±{most:.2g} or closer")


def _of_games(tolerance: Tolerance, expected: float, found: float) -> Closeness:
    """Two standard errors, or the difference that was found where that is larger."""
    is_chance = tolerance.deviation is None
    unseen = _NEVER_SEEN / tolerance.n if is_chance else 0.0
    error, most = max(tolerance.largest_difference(expected, found, standard_errors=2), unseen), _largest(found)
    games = max(ceil(tolerance.n * (error / most) ** 2), 2 * tolerance.n)
    error = max(error, abs(expected - found))
    agrees, wanted = (_points(each) if is_chance else f"±{each:.2g}" for each in (error, most))
    text = f"to {agrees} by {counted(tolerance.n, 'game')}"
    return Closeness(error / most, text, f"play {games:,} games or more, for {wanted}")


def _points(error: float) -> str:
    """An error of a chance in percentage points."""
    points = f"{100 * error:.1f}".removesuffix(".0") if error >= 0.001 else f"{100 * error:.1g}"
    return f"±{points} points"


def _largest(found: float) -> float:
    return LOOSEST * max(1.0, abs(found))
