"""The numbers and words of figures that several kinds share: floats, cells as text, lists, counts, labels."""

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import Mark, Reference
from site_builder.markup.typeset import curled, spoken
from site_builder.values.number_format import (
    MINUS,
    integer,
    read_form,
    scientific,
    significant,
    with_percent,
    without_zeros,
    write,
)

_MOST_DECIMALS = 4
_MOST_NAMED = 6  # of a longer list, the rest is counted


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


def short_number(value: Any) -> str:
    """Return a value as short text: whole numbers below 10^9 in full, others to three digits, words unchanged."""
    if isinstance(value, str):
        return value
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and not math.isfinite(value):
        return "nothing" if math.isnan(value) else MINUS * (value < 0) + "∞"
    fraction = Fraction(value)
    if fraction.denominator == 1 and abs(fraction) < 10**9:
        return integer(fraction)
    if Fraction(1, 10**5) <= abs(fraction) < 10**9:
        return without_zeros(significant(fraction, 3))
    return scientific(fraction, 3)


def exact(value: Any) -> Fraction:
    """Return a number as a fraction, a float as its decimal of 12 significant digits: 0.1 + 0.2 is 3/10."""
    value = value.item() if isinstance(value, np.generic) else value
    return Fraction(f"{value:.12g}") if isinstance(value, float) else Fraction(value)


def fewest_decimals(values: Sequence[Fraction], limit: int) -> int | None:
    """Return how many decimals show each number exactly; None where that takes `limit` or more."""
    return next((d for d in range(limit) if all((value * 10**d).denominator == 1 for value in values)), None)


def plain_cell(value: Any) -> Any:
    """Return a value as a cell: an int, a float, a Fraction, words, or None (also for NaN)."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, Decimal):
        return Fraction(value) if value.is_finite() else float(value)
    return None if isinstance(value, float) and math.isnan(value) else value


def column_texts(cells: Sequence[Any], percent: bool = False, most: int = _MOST_DECIMALS) -> list[str]:
    """Return the cells of a column as text: all numbers with the same decimals, words unchanged, None as empty text.

    most: decimals, of percentages no more than two.
    """
    distinct = dict.fromkeys(cells)
    numbers = [exact(cell) for cell in distinct if _is_number(cell)]
    if percent:
        decimals = _decimals([100 * each for each in numbers], min(most, 2), min(most, 2))
    else:
        decimals = _decimals(numbers, most)
    texts = {cell: cell_text(cell, decimals, percent) for cell in distinct}
    return [texts[cell] for cell in cells]


def cell_text(cell: Any, decimals: int, percent: bool = False) -> str:
    """Return a cell as text: a number with so many decimals, one that these would show as 0 with three digits."""
    if cell is None or isinstance(cell, str):
        return cell or ""
    if not _is_number(cell):
        return short_number(cell)
    value = exact(cell)
    if percent:
        return _percent(100 * value, decimals)
    shown = round(value, decimals)
    if (value and not shown) or abs(value) >= 10**12:
        return short_number(value)
    return write(shown, f"number({decimals})")


def formatted(value: Any, form: str) -> str:
    """Return a number in this format; percentages near 0 and 100 in few characters, such as `< 1%`.

    Raises ValueError for a number that cannot be written in the format.
    """
    text = write(value, form)
    name, digits = read_form(form)
    return cell_text(plain_cell(value), digits[0] if digits else 0, percent=True) if name == "percent" else text


def _percent(value: Fraction, decimals: int) -> str:
    """A percentage; one above 0 is never shown as 0, and one below 100 never as 100."""
    shown, least = round(value, decimals), Fraction(1, 10**decimals)
    sign = ""
    if 0 < value < 1 and not shown:
        sign, shown = "< ", least
    elif 99 < value < 100 == shown:
        sign, shown = "> ", 100 - least
    return with_percent(f"{sign}{write(shown, f'number({decimals})')}")


def _is_number(cell: Any) -> bool:
    return isinstance(cell, (int, Fraction)) or (isinstance(cell, float) and abs(cell) != float("inf"))


def _decimals(values: Sequence[Fraction], most: int, fewest: int = 0) -> int:
    """The fewest decimals that show each number exactly, or else as many as the largest one needs."""
    if (decimals := fewest_decimals(values, most)) is not None:
        return decimals
    largest = max(abs(value) for value in values)
    return next((d for d in range(fewest, most) if largest >= 10 ** (most - d)), most)


def shown_text(text: str) -> str:
    return curled(spoken(text))


def axis_name(label: str) -> str:
    """Return the label of an axis as readers see it, without its unit: "score (points)" is "score"."""
    return label_and_unit(shown_text(label))[0]


def label_and_unit(label: str) -> tuple[str, str]:
    """A label and its unit: "score (points)" is "score" and "points"."""
    match = re.fullmatch(r"(.+?)\s*\(([^()$]+)\)", label.strip())
    return (match[1], match[2]) if match else (label, "")


def join_list(parts: Iterable[str], comma: str = ", ") -> str:
    """Join parts, of which the first few are named."""
    listed = list(parts)
    more = f"{comma}and {len(listed) - _MOST_NAMED} more" if len(listed) > _MOST_NAMED else ""
    return comma.join(listed[:_MOST_NAMED]) + more


def spread(values: np.ndarray, percent: bool) -> str:
    """Return the lowest and the highest of these numbers in words, such as "values from 0.1 to 0.9"."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return "no values"
    low, high = column_texts([float(finite.min()), float(finite.max())], percent)
    return f"values from {low} to {high}"


def marked_sentence(references: Iterable[Reference], marks: Iterable[Mark], percent: bool) -> str:
    """Return the labelled reference lines and marks with their values, as a sentence; empty without any."""
    named = [(each.label, _number(each.at, percent and not each.upright)) for each in references]
    named += [(mark.label, f"{_number(mark.at[1], percent)} at {_number(mark.at[0])}") for mark in marks]
    listed = [f"{label} ({value})" for label, value in named if label]
    return f" Marked: {join_list(listed)}." if listed else ""


def _number(value: Any, percent: bool = False) -> str:
    return column_texts([plain_cell(value)], percent)[0]
