"""How closely two answers must agree, the entries in which they do not, and how closely those that agree confirm.

A comparison that could miss more than LOOSEST confirms nothing, nor does a bound on one side alone.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, inf, isfinite, sqrt
from typing import Any

import numpy as np

from site_builder.contract.answers import Tolerance
from site_builder.errors import counted
from site_builder.values.plain_values import classify

LOOSEST = 0.02
"""The largest error of a comparison that confirms: a share of the number, of 1 for a smaller one such as a chance."""

_ROUNDING = 1e-9  # share of a value by which floats may differ where a check says nothing
_STANDARD_ERRORS = 4
_SLIGHT = 1e-12  # by which the mean of games that all end alike may differ
_NEVER_SEEN = 3.0  # after n games without a single win (or loss) its chance may still be 3/n, with 95 %
_SINGLE = frozenset((bool, int, float, str, Fraction, type(None)))

Part = tuple[Tolerance, Sequence[Any], Sequence[Any]]
"""Expected and found values that are compared with one tolerance."""

Entry = tuple[tuple[int, ...], Any, Any]
"""The indices of a single value, what is expected, what was found."""

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


# Entries


def entries_of(part: Part) -> Iterator[Entry]:
    """The entries of a part that decide whether it agrees, and how closely; indices begin with that of the value."""
    tolerance, expected, found = part
    for place, (one, other) in enumerate(zip(expected, found, strict=True)):
        for at, *entry in entries(one, other, tolerance):
            yield (at if len(expected) == 1 else (place, *at)), entry[0], entry[1]


def entries(expected: Any, found: Any, tolerance: Tolerance = EQUAL) -> Iterator[Entry]:
    """The entries of two values that are compared one by one; of two arrays of numbers the one that decides.

    Of "one of" a tuple is expected: what the alternatives of the same shape have in this place.
    """
    if tolerance.kind == "one of":
        yield from _of_alternatives(expected, found)
    elif _are_arrays(expected, found) and tolerance.kind in ("equal", "close"):
        if expected.size:
            at = _deciding_cell(expected, found, tolerance)
            yield at, expected[at].item(), found[at].item()
    else:
        yield from _side_by_side(plain(expected), plain(found), ())


def plain(value: Any, has_labels: bool = False) -> Any:
    """Arrays, lists, mappings and records as tuples. has_labels: a record is one value, its text."""
    if type(value) in _SINGLE:
        return value
    kind, content = classify(value)
    if kind == "record" and has_labels:
        return repr(plain(content))
    if kind == "grid":
        content = [*content.axes.items(), content.values]
    elif kind == "array":
        content = content.tolist()
    elif kind in ("mapping", "record"):
        content = sorted(content.items(), key=repr)
    is_list = isinstance(content, (list, tuple, range))
    return tuple(plain(each, has_labels) for each in content) if is_list else content


def _side_by_side(expected: Any, found: Any, at: tuple[int, ...]) -> Iterator[Entry]:
    if isinstance(expected, tuple) and isinstance(found, tuple) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            yield from _side_by_side(one, other, (*at, place))
    else:
        yield at, expected, found


def _of_alternatives(expected: Sequence[Any], found: Any) -> Iterator[Entry]:
    own, *alternatives = (plain(each, has_labels=True) for each in (found, *expected))
    places = {at: entry for at, entry, _ in _side_by_side(own, own, ())}
    entered = [{at: one for at, one, _ in _side_by_side(each, own, ())} for each in alternatives]
    fitting = [each for each in entered if each.keys() == places.keys()]
    if not fitting:
        yield (), tuple(alternatives), own
    for at, entry in places.items() if fitting else ():
        yield at, tuple(each[at] for each in fitting), entry


def _are_arrays(*values: Any) -> bool:
    """True for arrays of numbers that have one shape."""
    is_array = all(isinstance(each, np.ndarray) and each.dtype.kind in "biuf" for each in values)
    return is_array and len({each.shape for each in values}) == 1


@np.errstate(invalid="ignore")
def _deciding_cell(expected: np.ndarray, found: np.ndarray, tolerance: Tolerance) -> tuple[int, ...]:
    """The index of the first cell that does not agree; where all do, of the one that may differ most."""
    if tolerance.kind == "equal" and "f" not in (expected.dtype.kind, found.dtype.kind):
        decides = expected != found
    else:
        one, other, most = expected.astype(float), found.astype(float), _rounded(tolerance)
        allowed = np.maximum(most.absolute, most.relative * np.abs(one))
        is_near = np.isfinite(one) & (np.abs(one - other) <= allowed)
        decides = ~(is_near | (expected == found) | (np.isnan(one) & np.isnan(other)))
        if not decides.any():
            decides = np.where(np.isfinite(one), allowed, 0) / np.fmax(1, np.abs(other))
    return tuple(map(int, np.unravel_index(np.argmax(decides), expected.shape)))


# Agreement and closeness


def compared(tolerance: Tolerance, expected: Any, found: Any) -> tuple[bool, Closeness]:
    """Whether two single values agree, and how closely they then confirm; of "one of" one of those expected."""
    if tolerance.kind == "one of":
        return any(compared(EQUAL, each, found)[0] for each in expected), _of_several(tolerance, expected, found)
    if not (_is_number(expected) and _is_number(found)):
        return isinstance(expected, bool) == isinstance(found, bool) and bool(expected == found), EXACTLY
    if tolerance.is_bound:
        return bool(found <= expected if tolerance.kind == "at most" else found >= expected), ONE_SIDED
    is_exact = not (isinstance(expected, float) or isinstance(found, float))
    if tolerance.kind == "equal" and is_exact:
        return bool(expected == found), EXACTLY
    if expected != expected or found != found:  # NaN
        return expected != expected and found != found and tolerance.kind != "games", EXACTLY
    is_close = is_exact and tolerance.kind == "close"  # of which floats may lose the difference
    as_number: Callable[[Any], Any] = Fraction if is_close else _float
    one, other = as_number(expected), as_number(found)
    if inf in (abs(one), abs(other)):  # of which there is no share
        return bool(expected == found), EXACTLY
    if tolerance.kind == "games":
        return _of_games(tolerance, one, other)
    most = _rounded(tolerance)
    absolute, relative = _as_written(most) if is_close else (most.absolute, most.relative)
    share = relative * abs(one)
    agrees = abs(one - other) <= max(absolute, share)
    if tolerance.kind == "equal" or share > absolute:
        return agrees, _of_share(most.relative)
    return agrees, _of_error(most.absolute, found)


@cache
def _as_written(tolerance: Tolerance) -> tuple[Fraction, Fraction]:
    """The absolute and the relative difference of a tolerance as fractions: 3/10 for 0.3."""
    return Fraction(str(tolerance.absolute)), Fraction(str(tolerance.relative))


def _rounded(tolerance: Tolerance) -> Tolerance:
    """The tolerance of floats."""
    return _ROUNDED if tolerance.kind == "equal" else tolerance


def _is_number(value: Any) -> bool:
    """True when a tolerance applies to the value."""
    return not isinstance(value, (bool, str)) and hasattr(value, "__float__")


def loosest(found: Iterable[Closeness]) -> Closeness:
    """The closeness of a comparison: that of the entries that agree least closely."""
    return max(found, key=lambda each: each.share, default=EXACTLY)


def between(bounds: Iterable[Part], others: Iterable[Part]) -> Closeness | None:
    """The closeness to which bounds of two checks confirm the values between them: half of the gap.

    None unless they lie on different sides of the same values.
    """
    one, other = ([(part[0].kind, *entry) for part in each for entry in entries_of(part)] for each in (bounds, others))
    kinds = {(kind, facing) for (kind, *_), (facing, *_) in zip(one, other, strict=False)}
    same = [entry[3] for entry in one] == [entry[3] for entry in other]
    if not same or kinds not in ({("at least", "at most")}, {("at most", "at least")}):
        return None
    bounds_of = [(low, high, found) for (*_, low, found), (*_, high, _) in zip(one, other, strict=True)]
    numbers = [each for each in bounds_of if all(map(_is_number, each))]  # texts beside them are compared
    return loosest(_of_error(_distance(low, high) / 2, found) for low, high, found in numbers)


def _of_several(tolerance: Tolerance, accepted: tuple[Any, ...], found: Any) -> Closeness:
    """Of values that are all right: labels are right exactly, unless most of them are; numbers to their spread."""
    different = len(set(map(repr, accepted)))
    if different == 1:
        return compared(EQUAL, accepted[0], found)[1]
    choices = 2 if isinstance(found, bool) else tolerance.choices
    is_value = all(map(_is_number, (found, *accepted)))
    if 2 * different <= choices or not (choices or is_value):
        return EXACTLY
    return _of_error(_distance(min(accepted), max(accepted)), found) if is_value else _MOST_ARE_RIGHT


@cache
def _of_share(share: float) -> Closeness:
    cure = f"compare it to {LOOSEST:g} of the value or closer"
    return Closeness(share / LOOSEST, f"to {share:.2g} of the value", cure)


def _of_error(error: float, found: Any) -> Closeness:
    if not error:
        return EXACTLY
    most = _largest(_float(found))
    return Closeness(
        error / most if isfinite(error) else inf, f"to ±{error:.2g}", f"compare it to ±{most:.2g} or closer"
    )


def _float(number: Any) -> float:
    """A number as a float; infinite where it is beyond all floats."""
    try:
        return float(number)
    except OverflowError:
        return inf if number > 0 else -inf


def _distance(one: Any, other: Any) -> float:
    """How far two numbers are apart; infinite where one of them is."""
    if one == other:
        return 0.0
    is_finite = not any(isinstance(each, float) and not isfinite(each) for each in (one, other))
    return _float(abs(Fraction(one) - Fraction(other))) if is_finite else inf


def _of_games(tolerance: Tolerance, mean: float, found: float) -> tuple[bool, Closeness]:
    """A mean may miss by four standard errors; it confirms to two, or to the difference where that is larger."""
    n, is_chance, difference, most = tolerance.n, tolerance.deviation is None, abs(mean - found), _largest(found)
    variance = max(found * (1 - found), 1 / n) if is_chance else (tolerance.deviation or 0) ** 2  # some wins are luck
    standard_error = sqrt(variance / n)
    error = max(2 * standard_error, _NEVER_SEEN / n if is_chance else _SLIGHT)
    games = max(ceil(n * (error / most) ** 2), 2 * n)
    shown, wanted = (_points(each) if is_chance else f"±{each:.2g}" for each in (max(error, difference), most))
    cure = f"play {games:,} games or more, for {wanted}"
    closeness = Closeness(max(error, difference) / most, f"to {shown} by {counted(n, 'game')}", cure)
    return mean == found or difference <= _STANDARD_ERRORS * standard_error + _SLIGHT, closeness


def _points(error: float) -> str:
    """An error of a chance in percentage points."""
    points = f"{100 * error:.1f}".removesuffix(".0") if error >= 0.001 else f"{100 * error:.1g}"
    return f"±{points} points"


def _largest(found: float) -> float:
    return LOOSEST * min(max(1.0, abs(found)), sys.float_info.max)
