"""The numbers of figures: as floats, as exact fractions, and as short text; the axes of maps."""

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import Heatmap, PolicyMap
from site_builder.values.number_format import MINUS, integer, significant


def floats(values: Any) -> np.ndarray:
    """Return numbers of any kind as an array of floats of the same shape, None as NaN."""
    array = np.asarray(values)
    if array.dtype.kind in "biuf":
        return array.astype(float)
    return np.array([math.nan if v is None else _float(v) for v in array.ravel()], dtype=float).reshape(array.shape)


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:  # an exact number beyond the range of floats
        return math.inf if value > 0 else -math.inf


def short_number(value: Any, kept: int = 3) -> str:
    """Return a value as short text: whole numbers below 10^9 in full, others to `kept` digits, words unchanged."""
    if isinstance(value, str):
        return value
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and not math.isfinite(value):
        return "nothing" if math.isnan(value) else MINUS * (value < 0) + "∞"
    fraction = Fraction(value)
    if fraction.denominator == 1 and abs(fraction) < 10**9:
        return integer(fraction)
    if Fraction(1, 10**5) <= abs(fraction) < 10**9:
        text = significant(fraction, kept)
        return text.rstrip("0").rstrip(".") if "." in text else text
    digits, exponent = f"{Decimal(fraction.numerator) / Decimal(fraction.denominator):.2e}".split("e")
    return f"{digits}·10^{int(exponent)}".replace("-", MINUS)


def exact(value: Any) -> Fraction:
    """Return a number as a fraction, a float as its decimal of 12 significant digits: 0.1 + 0.2 is 3/10."""
    value = value.item() if isinstance(value, np.generic) else value
    return Fraction(f"{value:.12g}") if isinstance(value, float) else Fraction(value)


def fewest_decimals(values: Sequence[Fraction], limit: int) -> int | None:
    """Return how many decimals show each number exactly; None where that takes `limit` or more."""
    return next((d for d in range(limit) if all((value * 10**d).denominator == 1 for value in values)), None)


def map_axes(figure: Heatmap | PolicyMap) -> tuple[str, str]:
    """Return the names of the axes, the horizontal one first."""
    return figure.across, next(axis for axis in figure.grid.axes if axis != figure.across)


def by_columns(figure: Heatmap | PolicyMap, values: np.ndarray) -> np.ndarray:
    """Return values (shape of the figure's grid) with the horizontal axis first."""
    return values if next(iter(figure.grid.axes)) == figure.across else values.T
