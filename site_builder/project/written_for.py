"""The parameters that a text is written for: of each, the values it may take while every sentence fits."""

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, WithJsonSchema, model_validator

from site_builder.project.config import text_of_form
from site_builder.project.validation import shown

PARAMETER = r"[a-z_][A-Za-z0-9_]*\.[A-Za-z_][A-Za-z0-9_]*"
_STEPS = 100  # between the ends of a range, so that numbers drawn from it are short
_EXACT = r"^\s*[-+]?(?=\.?\d)[\d_]*((\s*/\s*[\d_]+)?|(\.[\d_]*)?([eE][-+]?[\d_]+)?)\s*$"


def _rational(value: object) -> object:
    from site_builder.contract import Rational  # imported only for posts with sweeps or ranges

    return TypeAdapter(Rational).validate_python(value)


Exact = Annotated[
    Fraction,
    BeforeValidator(_rational),
    WithJsonSchema({"type": ["number", "string"], "pattern": _EXACT}),
]


class Span(BaseModel):
    """All numbers from start to stop, both included."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, arbitrary_types_allowed=True)

    start: Annotated[Exact, Field(description="the smallest value")]
    stop: Annotated[Exact, Field(description="the largest value")]

    @model_validator(mode="after")
    def _in_order(self) -> "Span":
        if self.start >= self.stop:
            raise ValueError(f"start is {self.start}, and stop {self.stop}; write the smaller one first")
        return self

    def __str__(self) -> str:
        return f"from {self.start} to {self.stop}"


def _range_or_values(value: object) -> object:
    """Two whole numbers are the ends of a range; any other list holds the values themselves."""
    if isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value):
        return {"start": value[0], "stop": value[1]}
    if not value or not isinstance(value, (list, dict)):
        raise ValueError(f"{shown(value)} is neither [10, 400] nor like {{start: 0.3, stop: 0.7}} nor a list of values")
    return value


ParameterName = Annotated[
    str,
    text_of_form(PARAMETER, "{} is no parameter of a solver; write e.g. coin_game.flips"),
    WithJsonSchema({"type": "string", "pattern": f"^{PARAMETER}$"}),
]
Values = Annotated[Span | Annotated[list[Any], Field(min_length=1)], BeforeValidator(_range_or_values)]


def allows(values: Span | Sequence[Any], value: Any) -> bool:
    """True when a parameter's value is one of these."""
    if not isinstance(values, Span):
        return any(_is_same(each, value) for each in values)
    if isinstance(value, (bool, str)) or not isinstance(value, (int, float, Fraction)):
        return False
    return math.isfinite(value) and values.start <= Fraction(value) <= values.stop


def words_of(values: Span | Sequence[Any]) -> str:
    """The values in words that follow the name of the parameter: `from 10 to 400`, `one of a, b`."""
    return str(values) if isinstance(values, Span) else "one of " + ", ".join(shown(each).strip("'") for each in values)


def value_at(values: Span | Sequence[Any], share: float, is_whole: bool) -> Any:
    """The value at this share of the way from the first one, 0, to the last one, 1.

    is_whole: whether the parameter takes whole numbers alone; else those of a range are short decimals or fractions.
    """
    if not isinstance(values, Span):
        return values[min(int(share * len(values)), len(values) - 1)]
    if is_whole:
        first, last = math.ceil(values.start), math.floor(values.stop)
        return first + round(share * (last - first))
    value = values.start + (values.stop - values.start) * Fraction(round(share * _STEPS), _STEPS)
    return value.numerator if value.denominator == 1 else value


def _is_same(written: Any, value: Any) -> bool:
    """True when a value of YAML means this value of a parameter."""
    if isinstance(written, list) or isinstance(value, tuple):
        alike = isinstance(written, list) and isinstance(value, tuple) and len(written) == len(value)
        return alike and all(map(_is_same, written, value))
    if isinstance(written, str) and isinstance(value, Fraction):
        try:
            return Fraction(written) == value
        except (ValueError, ZeroDivisionError):
            return False
    if isinstance(written, Decimal):
        return float(written) == value if isinstance(value, float) else Fraction(written) == value
    if isinstance(written, bool) or isinstance(value, bool):
        return written is value
    return bool(written == value)
