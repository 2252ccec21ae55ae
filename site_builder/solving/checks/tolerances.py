"""How closely the answers of two methods must agree, and the entries in which they do not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal

import numpy as np

ROUNDING = 1e-9  # share of a value by which floats may differ where a check says nothing
_STANDARD_ERRORS = 4
_NUMERIC = tuple("biuf")
Entry = tuple[tuple[int, ...], Any, Any]


@dataclass(frozen=True)
class Tolerance:
    """The agreement that a comparison asks for.

    kind: "equal" for equal values, of floats to ROUNDING; "close" for numbers that differ by at most `absolute`, or by
    the share `relative` of the expected one; "games" for a mean of `n` simulated games with the standard deviation
    `deviation`, None where a game is won or lost; "at least" and "at most" for bounds; "one of" where the expected
    value is a tuple of values that are all right. choices: different values in a field of labels, such as a policy; 0
    for other fields. is_whole: tuples such as moves are compared whole.
    """

    kind: Literal["equal", "close", "games", "at least", "at most", "one of"] = "equal"
    absolute: float = 0.0
    relative: float = 0.0
    n: int = 0
    deviation: float | None = None
    choices: int = 0
    is_whole: bool = False

    @property
    def is_bound(self) -> bool:
        """True for a bound on one side."""
        return self.kind in ("at least", "at most")

    def largest_difference(self, expected: float, found: float, standard_errors: float = _STANDARD_ERRORS) -> float:
        """The largest difference of two numbers that agrees; of games so many of their standard errors."""
        if self.kind == "games":
            if self.deviation is not None:
                return standard_errors * self.deviation / sqrt(self.n) + 1e-12
            variance = max(found * (1 - found), 1 / self.n)  # so that some wins at a tiny chance agree
            return standard_errors * sqrt(variance / self.n)
        return max(self.absolute, self.relative * abs(expected))


EQUAL = Tolerance()


def disagreements(expected: Any, found: Any, tolerance: Tolerance) -> Iterator[Entry]:
    """The entries that do not agree: their indices, what is expected, what was found."""
    if tolerance.kind == "one of":
        yield from _in_none(expected, found, tolerance.is_whole)
        return
    if (differ := _different_cells(expected, found, tolerance)) is not None:
        for index in np.argwhere(differ).tolist():
            yield tuple(index), expected[tuple(index)].item(), found[tuple(index)].item()
        return
    for at, one, other in entries(expected, found):
        if not _agree(one, other, tolerance):
            yield at, one, other


def entries(expected: Any, found: Any, at: tuple[int, ...] = ()) -> Iterator[Entry]:
    """The entries that are compared one by one: their indices, what is expected, what was found."""
    expected, found = _plain(expected), _plain(found)
    if isinstance(expected, tuple) and isinstance(found, tuple) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            yield from entries(one, other, (*at, place))
    else:
        yield at, expected, found


def accepted_entries(alternatives: tuple[Any, ...], found: Any, is_whole: bool) -> Iterator[Entry]:
    """The entries of what was found, each with what the alternatives of the same shape have there."""
    own = {} if is_whole else {at: entry for at, entry, _ in entries(found, found)}
    each = [{at: one for at, one, _ in entries(values, found)} for values in alternatives]
    fitting = [values for values in each if values.keys() == own.keys()]
    for at, entry in own.items() if fitting else ():
        yield at, tuple(values[at] for values in fitting), entry
    if not fitting:
        yield (), tuple(map(_plain, alternatives)), _plain(found)


def is_number(value: Any) -> bool:
    """True when a tolerance applies to the value."""
    return not isinstance(value, (bool, str)) and hasattr(value, "__float__")


def _in_none(alternatives: tuple[Any, ...], found: Any, is_whole: bool) -> Iterator[Entry]:
    """The entries of what was found that are in none of the alternatives."""
    for at, accepted, other in accepted_entries(alternatives, found, is_whole):
        if not any(_agree(one, other, EQUAL) for one in accepted):
            yield at, accepted, other


def _different_cells(expected: Any, found: Any, tolerance: Tolerance) -> np.ndarray | None:
    """The cells of arrays of numbers that do not agree; None for other values."""
    arrays = all(isinstance(each, np.ndarray) and each.dtype.kind in _NUMERIC for each in (expected, found))
    if not arrays or expected.shape != found.shape or tolerance.kind not in ("equal", "close"):
        return None
    if tolerance.kind == "equal" and "f" not in (expected.dtype.kind, found.dtype.kind):
        return np.asarray(expected != found)
    if tolerance.kind == "equal":
        tolerance = Tolerance("close", relative=ROUNDING)
    allowed = np.maximum(tolerance.absolute, tolerance.relative * np.abs(expected))
    with np.errstate(invalid="ignore"):
        is_near = (expected == found) | (np.abs(expected - found.astype(float)) <= allowed)
    return ~np.asarray(is_near | (np.isnan(expected.astype(float)) & np.isnan(found.astype(float))))


def _agree(expected: Any, found: Any, tolerance: Tolerance) -> bool:
    if not (is_number(expected) and is_number(found)):
        return isinstance(expected, bool) == isinstance(found, bool) and bool(expected == found)
    if tolerance.kind == "at most":
        return bool(found <= expected)
    if tolerance.kind == "at least":
        return bool(found >= expected)
    if tolerance.kind == "equal":
        if expected == found or not (isinstance(expected, float) or isinstance(found, float)):
            return bool(expected == found)
        tolerance = Tolerance("close", relative=ROUNDING)
    one, other = float(expected), float(found)
    return one == other or abs(one - other) <= tolerance.largest_difference(one, other)


def _plain(value: Any) -> Any:
    """Arrays, lists, mappings and numpy's numbers as tuples and numbers of Python."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        value = tuple(sorted(value.items(), key=repr))
    return tuple(value) if isinstance(value, (list, range)) else value
