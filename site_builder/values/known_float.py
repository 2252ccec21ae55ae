"""The known digits of a float: those within its ErrorBound, or six."""

import math
import sys
from typing import Self

UNDECLARED = 6  # significant digits of a float without an ErrorBound


class KnownFloat(float):
    """A float of a field that is marked with ErrorBound. error: the bound. Arithmetic with it gives plain floats."""

    __slots__ = ("error",)
    error: float

    def __new__(cls, value: float, error: float) -> Self:
        self = super().__new__(cls, value)
        self.error = error
        return self


def digits_known(value: float, magnitude: int) -> int:
    """The number of known significant digits of a float, at most 15. magnitude: the exponent of its first digit."""
    if not isinstance(value, KnownFloat):
        return UNDECLARED
    decimals = math.floor(-math.log10(2 * value.error))  # an error of at most half a unit of the last one
    return max(0, min(sys.float_info.dig, decimals + 1 + magnitude))


def why_unknown(value: float, digits: int) -> str:
    """Why no more than so many digits of a float can be printed, in words."""
    if isinstance(value, KnownFloat):
        if digits == sys.float_info.dig:
            return f"a float has {digits} digits"
        return f"its ErrorBound of {value.error:g} leaves {digits} digits"
    return f"{float(value)!r} is a float without an ErrorBound, of which {digits} digits are printed at most"


def cure_of_unknown(value: float) -> str:
    """The cure for too few digits: a change to the solver, in words."""
    exact = "let the solver keep the value exact"
    return exact if isinstance(value, KnownFloat) else f"mark its field Annotated[float, ErrorBound(1e-12)], or {exact}"
