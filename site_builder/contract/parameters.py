"""Marks of parameters and results, and how exact rational numbers are read."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Annotated

from pydantic import Field, PlainValidator
from pydantic_core import PydanticCustomError

__all__ = ["ExactFraction", "Field", "NotFinite", "exact_fraction"]


def exact_fraction(value: object) -> Fraction:
    """The fraction that is meant: 0.6, "3/5", Fraction(3, 5) and Decimal("0.6") all mean three fifths.

    A float means the decimal that it is printed as, never its binary expansion. Raises PydanticCustomError.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Fraction, Decimal)):
        raise _not_rational()
    try:
        return Fraction(value if isinstance(value, (int, Fraction)) else _written(value))
    except (ValueError, ZeroDivisionError):
        raise _not_rational() from None


ExactFraction = Annotated[Fraction, PlainValidator(exact_fraction)]


def _written(value: float | str | Decimal) -> str:
    """Return the number as text. Raises ValueError for one with more digits than Python prints."""
    text = repr(value) if isinstance(value, float) else str(value).strip()
    mantissa, _, exponent = text.lower().partition("e")
    if len(exponent) > 6 or len(mantissa) + abs(int(exponent or 0)) > 4000:
        raise ValueError(text)
    return text


def _not_rational() -> PydanticCustomError:
    return PydanticCustomError("rational", "it must be a number such as 0.6 or a fraction such as 3/5")


@dataclass(frozen=True)
class NotFinite:
    """Marks a field that may hold infinity or NaN: `Annotated[Grid, NotFinite("no play leads there")]`.

    why: the meaning of such a number. The field is one of a dataclass in a result; without the mark the builder refuses
    a result that is not finite, and every parameter that is not.
    """

    why: str
