"""Parameters of a solver: a frozen, strict dataclass whose rational numbers are exactly what was written."""

from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar, dataclass_transform

from pydantic import ConfigDict, Field, GetCoreSchemaHandler
from pydantic.dataclasses import dataclass as validated_dataclass
from pydantic_core import PydanticCustomError, core_schema

__all__ = ["Field", "Rational", "parameters"]

Class = TypeVar("Class", bound=type)


class Rational(Fraction):
    """An exact rational parameter: 0.6, "3/5", Fraction(3, 5) and Decimal("0.6") all mean three fifths.

    A float means the decimal that it is printed as, never its binary expansion. Arithmetic gives Fractions.
    """

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(_as_rational)


def _as_rational(value: object) -> Rational:
    if isinstance(value, Rational):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Fraction, Decimal)):
        raise _not_rational()
    try:
        return Rational(value if isinstance(value, (int, Fraction)) else _written(value))
    except (ValueError, ZeroDivisionError):
        raise _not_rational() from None


def _written(value: float | str | Decimal) -> str:
    """The number as text; one of more digits than Python would print again is refused."""
    text = repr(value) if isinstance(value, float) else str(value).strip()
    mantissa, _, exponent = text.lower().partition("e")
    if len(exponent) > 6 or len(mantissa) + abs(int(exponent or 0)) > 4000:
        raise ValueError(text)
    return text


def _not_rational() -> PydanticCustomError:
    return PydanticCustomError("rational", "it must be a number such as 0.6 or a fraction such as 3/5")


@dataclass_transform(frozen_default=True, field_specifiers=(Field,))
def parameters(cls: Class) -> Class:
    """The class as a frozen dataclass that checks types and ranges strictly and refuses unknown names.

    So are infinity and NaN, except in a field that is marked with `NotFinite`. Making one with an impossible value
    raises pydantic's ValidationError. A rule that ties two fields together is written in `__post_init__` and raises
    ValueError with a message that can stand before the author.
    """
    config = ConfigDict(strict=True, extra="forbid", arbitrary_types_allowed=False, allow_inf_nan=False)
    return validated_dataclass(frozen=True, config=config)(cls)  # type: ignore[return-value]
