"""Bounds: a mark of result fields whose numbers all lie in a range."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Bounds:
    """Marks a field whose numbers, at any depth, lie between two: `Annotated[Fraction, Bounds(0, 1)]`.

    The builder refuses a result with a number outside, by more than the rounding of floats. Numbers that are not finite
    are left to NotFinite. low, high: None for no bound.
    """

    low: int | Fraction | float | None
    high: int | Fraction | float | None
