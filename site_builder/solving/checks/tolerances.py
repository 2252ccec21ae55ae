"""How closely two answers must agree, the entries in which they do not, and how closely those that agree confirm.

A comparison that could miss more than LOOSEST confirms nothing, nor does a bound on one side alone.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, inf, isfinite, sqrt
from typing import Any

import numpy as np

from site_builder.contract.answers import Tolerance
from site_builder.errors import counted

LOOSEST = 0.02
"""The largest error of a comparison that confirms: a share of the number, of 1 for a smaller one such as a chance."""

_ROUNDING = 1e-9  # share of a value by which floats may differ where a check says nothing
_STANDARD_ERRORS = 4
_NEVER_SEEN = 3.0  # after n games without a single win (or loss) its chance may still be 3/n, with 95 %
Part = tuple[Tolerance, list[Any], list[Any]]
Entry = tuple[tuple[int, ...], Any, Any]
_SINGLE = frozenset((bool, int, float, str, Fraction))


EQUAL = Tolerance()
_ROUNDED = Tolerance("close", relative=_ROUNDING)


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


def largest_difference(
    tolerance: Tolerance, expected: float, found: float, standard_errors: float = _STANDARD_ERRORS
) -> float:
    """The largest difference of two numbers that agrees; of games so many of their standard errors."""
    if tolerance.kind != "games":
        return max(tolerance.absolute, tolerance.relative * abs(expected))
    if tolerance.deviation is not None:
        return standard_errors * tolerance.deviation / sqrt(tolerance.n) + 1e-12
    variance = max(found * (1 - found), 1 / tolerance.n)  # so that some wins at a tiny chance agree
    return standard_errors * sqrt(variance / tolerance.n)


def disagreements(expected: Any, found: Any, tolerance: Tolerance) -> Iterator[Entry]:
    """The entries that do not agree: their indices, what is expected, what was found."""
    if _are_arrays(expected, found, tolerance):
        for index in map(tuple, np.argwhere(_different_cells(expected, found, tolerance)).tolist()):
            yield index, expected[index].item(), found[index].item()
        return
    for at, one, other in entries(expected, found, tolerance):
        if not _agree(one, other, tolerance):
            yield at, one, other


def entries(expected: Any, found: Any, tolerance: Tolerance = EQUAL) -> Iterator[Entry]:
    """The entries that are compared one by one: their indices, what is expected, what was found.

    Of "one of" a tuple is expected: what the alternatives of the same shape have in this place.
    """
    if tolerance.kind != "one of":
        yield from _entries(_plain(expected), _plain(found), ())
        return
    if all(map(_is_single, (found, *expected))):
        yield (), tuple(expected), found
        return
    own = {} if tolerance.is_whole else {at: entry for at, entry, _ in entries(found, found)}
    alternatives = [{at: one for at, one, _ in entries(each, found)} for each in expected]
    fitting = [each for each in alternatives if each.keys() == own.keys()]
    for at, entry in own.items() if fitting else ():
        yield at, tuple(each[at] for each in fitting), entry
    if not fitting:
        yield (), tuple(map(_plain, expected)), _plain(found)


def closeness_of(parts: Iterable[Part]) -> Closeness:
    """The closeness of a comparison: that of the entries that agree least closely."""
    return _loosest(_of_entry(*entry) for part in parts for entry in _loosest_entries(*part))


def between(parts: Iterable[Part], others: Iterable[Part]) -> Closeness | None:
    """The closeness to which bounds of two checks confirm the values between them: half of the gap.

    None unless they lie on different sides of the same values.
    """
    one, other = list(_singles(parts)), list(_singles(others))
    kinds = [{tolerance.kind for tolerance, _, _ in each} for each in (one, other)]
    if sorted(map(sorted, kinds)) != [["at least"], ["at most"]] or [e[2] for e in one] != [e[2] for e in other]:
        return None
    gaps = [abs(float(low) - float(high)) for (_, low, _), (_, high, _) in zip(one, other, strict=True)]
    return _loosest(_of_error(gap / 2, float(found)) for gap, (_, _, found) in zip(gaps, one, strict=True))


def _is_number(value: Any) -> bool:
    """True when a tolerance applies to the value."""
    return not isinstance(value, (bool, str)) and hasattr(value, "__float__")


def _is_single(value: Any) -> bool:
    """True for a single value of Python itself."""
    return value is None or type(value) in _SINGLE


def _plain(value: Any) -> Any:
    """Arrays, lists, mappings and numpy's numbers as tuples and numbers of Python."""
    if _is_single(value):
        return value
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        value = tuple(sorted(value.items(), key=repr))
    return tuple(map(_plain, value)) if isinstance(value, (list, tuple, range)) else value


def _entries(expected: Any, found: Any, at: tuple[int, ...]) -> Iterator[Entry]:
    if isinstance(expected, tuple) and isinstance(found, tuple) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            yield from _entries(one, other, (*at, place))
    else:
        yield at, expected, found


def _agree(expected: Any, found: Any, tolerance: Tolerance) -> bool:
    if tolerance.kind == "one of":
        return any(_agree(each, found, EQUAL) for each in expected)
    if not (_is_number(expected) and _is_number(found)):
        return isinstance(expected, bool) == isinstance(found, bool) and bool(expected == found)
    if tolerance.is_bound:
        return bool(found <= expected if tolerance.kind == "at most" else found >= expected)
    if expected == found or (tolerance.kind == "equal" and not _has_float(expected, found)):
        return bool(expected == found)
    one, other = float(expected), float(found)
    allowed = largest_difference(_ROUNDED if tolerance.kind == "equal" else tolerance, one, other)
    return one == other or (isfinite(one) and abs(one - other) <= allowed)  # no share of infinity


def _has_float(*values: Any) -> bool:
    return any(isinstance(each, float) for each in values)


# Arrays, which are compared at once


def _are_arrays(expected: Any, found: Any, tolerance: Tolerance) -> bool:
    """True for arrays of numbers that have one shape, unless their tolerance depends on what was found."""
    arrays = all(isinstance(each, np.ndarray) and each.dtype.kind in "biuf" for each in (expected, found))
    return arrays and expected.shape == found.shape and tolerance.kind in ("equal", "close")


def _different_cells(expected: np.ndarray, found: np.ndarray, tolerance: Tolerance) -> np.ndarray:
    if tolerance.kind == "equal" and "f" not in (expected.dtype.kind, found.dtype.kind):
        return np.asarray(expected != found)
    with np.errstate(invalid="ignore"):
        allowed = _allowed(expected, _ROUNDED if tolerance.kind == "equal" else tolerance)
        is_near = (expected == found) | (np.isfinite(expected) & (np.abs(expected - found.astype(float)) <= allowed))
    return ~np.asarray(is_near | (np.isnan(expected.astype(float)) & np.isnan(found.astype(float))))


def _allowed(expected: np.ndarray, tolerance: Tolerance) -> np.ndarray:
    return np.asarray(np.maximum(tolerance.absolute, tolerance.relative * np.abs(expected)))


# Closeness


def _singles(parts: Iterable[Part]) -> Iterator[tuple[Tolerance, Any, Any]]:
    """The single values of parts: a tolerance, an expected and a found one."""
    for tolerance, expected, found in parts:
        for one, other in zip(expected, found, strict=True):
            yield from ((tolerance, *entry) for _, *entry in entries(one, other, tolerance))


def _loosest_entries(tolerance: Tolerance, expected: list[Any], found: list[Any]) -> Iterator[Any]:
    """The single values of a part; of an array of numbers the one alone that may differ most."""
    for one, other in zip(expected, found, strict=True):
        if not _are_arrays(one, other, tolerance):
            yield from _singles([(tolerance, [one], [other])])
        elif one.size:
            finite = np.where(np.isfinite(one), one, 0)
            widest = np.argmax(_allowed(finite, tolerance) / np.fmax(1, np.abs(other)))
            yield tolerance, one.flat[widest].item(), other.flat[widest].item()


def _loosest(found: Iterable[Closeness]) -> Closeness:
    return max(found, key=lambda each: each.share, default=EXACTLY)


def _of_entry(tolerance: Tolerance, expected: Any, found: Any) -> Closeness:
    if tolerance.is_bound:
        return ONE_SIDED
    if tolerance.kind == "one of":
        return _of_several(tolerance, expected, found)
    if not (_is_number(expected) and _is_number(found)):
        return EXACTLY
    if tolerance.kind == "equal":
        return _of_share(_ROUNDING) if _has_float(expected, found) else EXACTLY
    expected, found = float(expected), float(found)
    if tolerance.kind == "games":
        return _of_games(tolerance, expected, found)
    if tolerance.relative * abs(expected) > tolerance.absolute:
        return _of_share(tolerance.relative)
    return _of_error(largest_difference(tolerance, expected, found), found)


def _of_several(tolerance: Tolerance, accepted: tuple[Any, ...], found: Any) -> Closeness:
    """Of values that are all right: labels are right exactly, unless most of them are; numbers to their spread."""
    different = len(set(map(repr, accepted)))
    if different == 1:
        return _of_entry(EQUAL, accepted[0], found)
    choices = 2 if isinstance(found, bool) else tolerance.choices
    is_value = all(map(_is_number, (found, *accepted)))
    if 2 * different <= choices or not (choices or is_value):
        return EXACTLY
    return _of_error(float(max(accepted) - min(accepted)), float(found)) if is_value else _MOST_ARE_RIGHT


@cache
def _of_share(share: float) -> Closeness:
    cure = f"compare it to {LOOSEST:g} of the value or closer"
    return Closeness(share / LOOSEST, f"to {share:.2g} of the value", cure)


def _of_error(error: float, found: float) -> Closeness:
    if not error:
        return EXACTLY
    most = _largest(found)
    return Closeness(error / most, f"to ±{error:.2g}", f"compare it to ±{most:.2g} or closer")


def _of_games(tolerance: Tolerance, expected: float, found: float) -> Closeness:
    """Two standard errors, or the difference that was found where that is larger."""
    is_chance = tolerance.deviation is None
    unseen = _NEVER_SEEN / tolerance.n if is_chance else 0.0
    error, most = max(largest_difference(tolerance, expected, found, standard_errors=2), unseen), _largest(found)
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
