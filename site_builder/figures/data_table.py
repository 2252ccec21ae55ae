"""What a page shows of long columns: a few of them, evenly apart, with numbers as a reader wants them."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

from site_builder.figures.alt_text import number
from site_builder.values.number_format import THIN, ordinal, write

MOST_ROWS, MOST_COLUMNS = 25, 12  # of an extract
_WHOLE_ROWS = 30  # so many are rather shown whole
_MOST_DECIMALS = 4


def thinned(count: int, noun: Literal["row", "column"], most: int = 0) -> tuple[list[int], str]:
    """Which of so many rows or columns are shown, evenly apart, the first and last among them; and that in words.

    most: so many at most, by default as many as a page bears.
    """
    whole = most or (_WHOLE_ROWS if noun == "row" else MOST_COLUMNS)
    most = most or (MOST_ROWS if noun == "row" else MOST_COLUMNS)
    if count <= whole:
        return list(range(count)), ""
    least = -(-(count - 1) // (most - 1))
    even = next((step for step in range(least, 3 * least // 2 + 1) if (count - 1) % step == 0), 0)
    step = even or least
    told = f"every {ordinal(step)} of {write(count, 'integer')} {noun}s"
    return [*range(0, count - 1, step), count - 1], told if even else f"{told} and the last"


def write_column(cells: Sequence[Any], percent: bool = False) -> list[str]:
    """Numbers with the same few decimals, so that they can be compared; words as they are, nothing where nothing is."""
    numbers = [_exact(cell) for cell in cells if _is_number(cell)]
    decimals = _decimals([100 * each for each in numbers], 2, 2) if percent else _decimals(numbers, _MOST_DECIMALS)
    return [_written(cell, decimals, percent) for cell in cells]


def _written(cell: Any, decimals: int, percent: bool) -> str:
    if cell is None or isinstance(cell, str):
        return cell or ""
    if not _is_number(cell):
        return number(cell)
    exact = _exact(cell)
    if percent:
        return _percent(100 * exact, decimals)
    shown = round(exact, decimals)
    if (exact and not shown) or abs(exact) >= 10**12:
        return number(exact)
    return write(shown, f"number({decimals})")


def _percent(exact: Fraction, decimals: int) -> str:
    """What is not nothing and what is not all stay apart from nothing and all."""
    shown, least = round(exact, decimals), Fraction(1, 10**decimals)
    sign = ""
    if 0 < exact < 1 and not shown:
        sign, shown = "< ", least
    elif 99 < exact < 100 == shown:
        sign, shown = "> ", 100 - least
    return f"{sign}{write(shown, f'number({decimals})')}{THIN}%"


def _is_number(cell: Any) -> bool:
    return isinstance(cell, (int, Fraction)) or (isinstance(cell, float) and abs(cell) != float("inf"))


def _exact(value: Any) -> Fraction:
    """A float as the short decimal that it is meant to be."""
    return Fraction(f"{value:.12g}") if isinstance(value, float) else Fraction(value)


def _decimals(values: Sequence[Fraction], most: int, fewest: int = 0) -> int:
    """So few decimals that they say all of each number, or as many as a number of this size needs."""
    if (short := next((d for d in range(most) if all((v * 10**d).denominator == 1 for v in values)), None)) is not None:
        return short
    largest = max(abs(value) for value in values)
    return next((d for d in range(fewest, most) if largest >= 10 ** (most - d)), most)
