"""What figures share: numbers as the site writes them in its text, a remark on pale states, a frame around a cell."""

from fractions import Fraction
from itertools import pairwise

from site_builder.contract import Line

PALE = "Faded states are all but decided, under 1% or over 99%."


def whole(number: int) -> str:
    """A whole number with its digits in groups of three from five digits on, and a proper minus sign."""
    digits = f"{abs(number):,}" if abs(number) >= 10_000 else str(abs(number))
    return ("−" if number < 0 else "") + digits


def percent(chance: Fraction | float) -> str:
    """A chance as a percentage with two decimals; one that is not certain never reads as 0 or 100%."""
    share = 100 * Fraction(chance)
    if 0 < share < Fraction(1, 200):
        return "less than 0.01%"
    if 100 - Fraction(1, 200) < share < 100:
        return "more than 99.99%"
    return f"{float(share):.2f}%"


def frame(across: float, up: float) -> tuple[Line, ...]:
    """Lines around a cell of a map."""
    corners = [(across + x, up + y) for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5))]
    return tuple(Line(*ends) for ends in pairwise(corners))
