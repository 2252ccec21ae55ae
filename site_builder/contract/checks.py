"""Check: an answer beside that of a second method, for the builder to compare; and how closely the two must agree."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite, sqrt
from typing import Any

METHODS = ("closed form", "brute force", "simulation", "another algorithm", "published value", "by hand")
"""The ways to confirm an answer; `by hand` is a small case worked out on paper."""

_FIELD = re.compile(r"([a-z_]\w*(?:\.[a-z_]\w*)*)(?:\[([1-9]\d*)\])?", re.IGNORECASE)


@dataclass(frozen=True)
class Exact:
    """Equal; also for Fractions, texts, and lists of these."""

    def bound(self, expected: float, found: float) -> float:
        """The largest difference of the two that agrees."""
        return 0.0


@dataclass(frozen=True)
class Absolute:
    """Numbers that differ by at most `error`."""

    error: float

    def bound(self, expected: float, found: float) -> float:
        """The largest difference of the two that agrees."""
        return self.error


@dataclass(frozen=True)
class Relative:
    """Numbers that differ by at most `share` of the expected one."""

    share: float

    def bound(self, expected: float, found: float) -> float:
        """The largest difference of the two that agrees."""
        return self.share * abs(expected)


@dataclass(frozen=True)
class StandardErrors:
    """A mean of `n` simulated games, at most `count` of its standard errors from the found value.

    deviation: the standard deviation of one game; by default that of a game which is won with the found chance. spare:
    games by which the number of wins may miss besides, for a chance so small that hardly any game is won.
    """

    count: float
    n: int
    deviation: float | None = None
    spare: float = 0.0

    def bound(self, expected: float, found: float) -> float:
        """The largest difference of the two that agrees."""
        deviation = sqrt(max(0.0, found * (1 - found))) if self.deviation is None else self.deviation
        return float(self.count * deviation / sqrt(self.n) + self.spare / self.n + 1e-12)


@dataclass(frozen=True)
class AtMost:
    """A number that is not larger than the expected one, but for `error`."""

    error: float = 0.0


@dataclass(frozen=True)
class AtLeast:
    """A number that is not smaller than the expected one, but for `error`."""

    error: float = 0.0


Tolerance = Exact | Absolute | Relative | StandardErrors | AtMost | AtLeast


@dataclass(frozen=True, eq=False)
class Check:
    """One confirmation of an answer by a method that shares no code with the solution. The builder compares the two.

    name: what is confirmed, in a few words. method: one of METHODS. expected: the result of the second method; found:
    that of the solver; both are numbers, Fractions, texts, arrays, or tuples of these, which are compared entry by
    entry. of: the fields of the result that it confirms, each with the number of its cells that it looks at if these
    are not all: `"chance, table[66], pair.chance"`. within: how closely the two must agree. detail: the size of
    the case, the seed, the source.
    """

    name: str
    method: str
    expected: Any
    found: Any
    of: str = field(kw_only=True)
    within: Tolerance = field(default=Exact(), kw_only=True)
    detail: str = field(default="", kw_only=True)

    def __new__(cls, *arguments: Any, **named: Any) -> "Check":
        """Refuse a verdict of the author's own."""
        if len(arguments) > 4 or "passed" in named:
            cure = 'write Check(name, method, expected, found, of="field", within=Absolute(1e-9), detail="...")'
            raise TypeError(f"a Check takes no verdict, the builder compares expected and found; {cure}")
        return super().__new__(cls)

    @property
    def passed(self) -> bool:
        """True when the two agree."""
        return next(disagreements(self.expected, self.found, self.within), None) is None


def fields_in(of: str) -> list[tuple[str, int]]:
    """The fields in `Check.of` with their numbers of cells, 0 for all. Raises ValueError for anything else."""
    found = []
    for entry in of.split(","):
        match = _FIELD.fullmatch(entry.strip())
        if match is None:
            raise ValueError(f'of={of!r} must name fields of the result, as in of="chance, table[66]"')
        found.append((match[1], int(match[2] or 0)))
    return found


def tolerance_error(check: Check) -> str:
    """The error in the tolerance of a check; empty when there is none."""
    within = check.within
    if not isinstance(within, Tolerance):
        forms = "Exact(), Absolute(...), Relative(...), StandardErrors(...), AtMost() or AtLeast()"
        return f"within is {within!r}; write {forms}"
    numbers = vars(within).values()
    if any(number is not None and (not isfinite(number) or number < 0) for number in numbers):
        return f"the tolerance {within} must have finite numbers that are not negative"
    if isinstance(within, StandardErrors) and within.n < 1:
        return f"{within} must have the number of games that were played"
    return ""


def disagreements(expected: Any, found: Any, within: Tolerance) -> Iterator[tuple[tuple[int, ...], Any, Any]]:
    """The entries that do not agree: their indices, what is expected, what was found."""
    if _are_equal_arrays(expected, found):  # the usual case of a large result, in a time that nobody notices
        return
    for at, one, other in entries(expected, found):
        if not _agree(one, other, within):
            yield at, one, other


def _are_equal_arrays(expected: Any, found: Any) -> bool:
    """True for arrays of numbers with the same type, shape and entries, none of which is NaN."""
    kinds = [getattr(getattr(each, "dtype", None), "kind", "") for each in (expected, found)]
    if kinds[0] != kinds[1] or kinds[0] not in tuple("biuf") or expected.shape != found.shape:
        return False
    return bool((expected == found).all())


def entries(expected: Any, found: Any, at: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any, Any]]:
    """The entries that are compared one by one: their indices, what is expected, what was found."""
    expected, found = _plain(expected), _plain(found)
    if isinstance(expected, tuple) and isinstance(found, tuple) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            yield from entries(one, other, (*at, place))
    else:
        yield at, expected, found


def _agree(expected: Any, found: Any, within: Tolerance) -> bool:
    if isinstance(within, Exact) or not (is_number(expected) and is_number(found)):
        return bool(type(expected) is bool) == bool(type(found) is bool) and bool(expected == found)
    if isinstance(within, AtMost):
        return bool(found <= expected + within.error) if within.error else bool(found <= expected)
    if isinstance(within, AtLeast):
        return bool(found >= expected - within.error) if within.error else bool(found >= expected)
    return bool(abs(float(expected) - float(found)) <= within.bound(float(expected), float(found)))


def is_number(value: Any) -> bool:
    """True when a tolerance applies to the value."""
    return not isinstance(value, (bool, str)) and hasattr(value, "__float__")


def _plain(value: Any) -> Any:
    """Arrays, lists, mappings and numpy's numbers as tuples and numbers of Python."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        value = tuple(sorted(value.items(), key=repr))
    return tuple(value) if isinstance(value, (list, range)) else value
