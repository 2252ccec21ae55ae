"""The answers of checks: values of a second method, how closely they must agree, and the marks of checks and rules.

A check returns a mapping of fields of the result to what another method gives for them. A plain value is compared as it
is: exact numbers and texts for equality, floats to 1e-9 of the value.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, Literal, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Tolerance:
    """The agreement that a comparison asks for.

    kind: "equal" for equal values, of floats to a rounding error; "close" for numbers that differ by at most
    `absolute`, or by the share `relative` of the expected one; "games" for a mean of `n` simulated games with the
    standard deviation `deviation`, None where a game is won or lost; "at least" and "at most" for bounds; "one of"
    where the expected value is a tuple of values that are all right. choices: different values in a field of labels,
    such as a policy; 0 for other fields.
    """

    kind: Literal["equal", "close", "games", "at least", "at most", "one of"] = "equal"
    absolute: float = 0.0
    relative: float = 0.0
    n: int = 0
    deviation: float | None = None
    choices: int = 0

    @property
    def is_bound(self) -> bool:
        """True for a bound on one side."""
        return self.kind in ("at least", "at most")


@dataclass(frozen=True, eq=False)
class Marked:
    """A value of another method, or an array, list or mapping of values, with the agreement that it asks for."""

    value: Any
    tolerance: Tolerance


@dataclass(frozen=True, eq=False)
class Case:
    """Fields that `solve` gives for other parameters. parameters: those that differ from the defaults."""

    parameters: Mapping[str, Any]
    answer: Mapping[str, Any]


def close(value: Any, *, absolute: float = 0.0, relative: float = 0.0) -> Marked:
    """Numbers that agree when they differ by at most `absolute`, or by at most the share `relative` of `value`.

    value: a number, or an array, list or mapping of numbers. Raises ValueError without a tolerance.
    """
    if not (isfinite(absolute) and isfinite(relative) and min(absolute, relative) >= 0 and absolute + relative > 0):
        raise ValueError("close() needs a tolerance: write close(x, absolute=1e-12) or close(x, relative=1e-6)")
    return Marked(value, Tolerance("close", absolute, relative))


def simulated(mean: Any, n: int, *, deviation: float | None = None) -> Marked:
    """The mean of `n` simulated games, which may miss the found value by four of its standard errors.

    deviation: the standard deviation of one game, where it is not won or lost. Raises ValueError for n < 1 and for a
    deviation that is negative or not finite.
    """
    if n < 1 or not 0 <= (deviation or 0) < inf:
        given = f"simulated(mean, {n!r}, deviation={deviation!r})"
        raise ValueError(f"{given}: n is the number of games, at least 1, and deviation is finite and not negative")
    return Marked(mean, Tolerance("games", n=n, deviation=deviation))


def at_least(value: Any) -> Marked:
    """A lower bound; it confirms a value together with an upper bound of another check."""
    return Marked(value, Tolerance("at least"))


def at_most(value: Any) -> Marked:
    """An upper bound; it confirms a value together with a lower bound of another check."""
    return Marked(value, Tolerance("at most"))


def one_of(*values: Any) -> Marked:
    """Values that are all right, such as `one_of("A", "B")` for two moves that are equally good.

    Of arrays and lists each cell may be that of any of them; tuples, such as moves, are compared whole. Numbers confirm
    to their spread, labels exactly, unless more than half of those in an array are accepted.
    """
    return Marked(values, Tolerance("one of"))


def case(parameters: Mapping[str, Any], answer: Mapping[str, Any]) -> Case:
    """The answer of another method for other parameters: the builder compares what `solve` gives for these.

    parameters: by name, those that differ from the defaults of `solve`; answer: by field, as a check returns it.
    """
    return Case(dict(parameters), dict(answer))


def rules(function: Function) -> Function:
    """Mark a function as rules of the puzzle: the solution and the checks may both use it, and what it calls."""
    return function
