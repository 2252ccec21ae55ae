"""The answers of checks: values of a second method, how closely they must agree, and the marks of checks and rules.

A check returns a mapping of fields of the result to what another method gives for them. A plain value is compared as it
is: exact numbers and texts for equality, floats to 1e-9 of the value.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, eq=False)
class Close:
    """Numbers that the found ones may miss by `absolute`, or by a share `relative` of the expected ones."""

    value: Any
    absolute: float
    relative: float


@dataclass(frozen=True, eq=False)
class Simulated:
    """Means of `n` simulated games each. deviation: of one game; None for a game that is won or lost."""

    mean: Any
    n: int
    deviation: float | None


@dataclass(frozen=True, eq=False)
class Bound:
    """Numbers that bound the found ones from below (`is_lower`) or from above."""

    value: Any
    is_lower: bool


@dataclass(frozen=True, eq=False)
class OneOf:
    """Values of which any may be found, such as the best moves of a state; arrays are compared cell by cell."""

    values: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Case:
    """Fields that `solve` gives for other parameters. parameters: those that differ from the defaults."""

    parameters: Mapping[str, Any]
    answer: Mapping[str, Any]


def close(value: Any, *, absolute: float = 0.0, relative: float = 0.0) -> Close:
    """Numbers that agree when they differ by at most `absolute`, or by at most the share `relative` of `value`.

    value: a number, or an array, list or mapping of numbers. Raises ValueError without a tolerance.
    """
    if not (isfinite(absolute) and isfinite(relative) and min(absolute, relative) >= 0 and absolute + relative > 0):
        raise ValueError("close() needs a tolerance: write close(x, absolute=1e-12) or close(x, relative=1e-6)")
    return Close(value, absolute, relative)


def simulated(mean: Any, n: int, *, deviation: float | None = None) -> Simulated:
    """The mean of `n` simulated games, which may miss the found value by four of its standard errors.

    deviation: the standard deviation of one game, where it is not won or lost. Raises ValueError for n < 1 and for a
    deviation that is negative or not finite.
    """
    if n < 1:
        raise ValueError(f"simulated(mean, {n!r}): n is the number of games that were played, at least 1")
    if deviation is not None and not (isfinite(deviation) and deviation >= 0):
        raise ValueError(f"simulated(mean, n, deviation={deviation!r}): it must be finite and not negative")
    return Simulated(mean, n, deviation)


def at_least(value: Any) -> Bound:
    """A lower bound; it confirms a value together with an upper bound of another check."""
    return Bound(value, is_lower=True)


def at_most(value: Any) -> Bound:
    """An upper bound; it confirms a value together with a lower bound of another check."""
    return Bound(value, is_lower=False)


def one_of(*values: Any) -> OneOf:
    """Values that are all right, such as `one_of("A", "B")` for two moves that are equally good.

    Of arrays and lists each cell may be that of any of them; tuples, such as moves, are compared whole. Numbers confirm
    to their spread, labels exactly, unless more than half of those in an array are accepted.
    """
    return OneOf(values)


def case(parameters: Mapping[str, Any], answer: Mapping[str, Any]) -> Case:
    """The answer of another method for other parameters: the builder compares what `solve` gives for these.

    parameters: by name, those that differ from the defaults of `solve`; answer: by field, as a check returns it.
    """
    return Case(dict(parameters), dict(answer))


def rules(function: Function) -> Function:
    """Mark a function as rules of the puzzle: the solution and the checks may both use it, and what it calls."""
    return function
