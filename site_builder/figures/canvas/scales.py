"""Scales of numbers and of grid coordinates, and their ticks: few, at round numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from site_builder.contract.grid import Coordinate
from site_builder.figures.words import cell_text, column_texts, exact, fewest_decimals, plain_cell, short_number
from site_builder.values.number_format import scientific, with_percent, without_zeros, write

FAR = 20_000.0  # pixels; places are clipped to this, which is outside of every canvas
MOST_SINGLE = 16  # a grid axis of at most so many numbers may have a tick at each
_BEYOND = 1000  # cells, up to which a line may end outside of a map


@dataclass(frozen=True)
class Tick:
    """A labelled position on an axis, in the units of the axis (for a grid, the index of the cell)."""

    position: float
    text: str


@dataclass(frozen=True)
class Scale:
    """Maps numbers from `low` to `high` to pixels from `start` to `end`: linearly, or by their logarithms.

    ticks: those of the axis; its pixels are known once all labels around the plot are.
    """

    low: float
    high: float
    start: float = 0.0
    end: float = 1.0
    log: bool = False
    ticks: tuple[Tick, ...] = ()

    @property
    def span(self) -> tuple[float, float]:
        """Return the ends of the axis, or their decimal logarithms."""
        return (float(np.log10(self.low)), float(np.log10(self.high))) if self.log else (self.low, self.high)

    def at(self, value: Any) -> Any:
        """Return the pixel of a number, or of each number of an array; NaN for 0 and less on a logarithmic scale."""
        low, high = self.span
        place = np.log10(np.where(np.asarray(value) > 0, value, np.nan)) if self.log else value
        return np.clip(self.start + (place - low) / (high - low) * (self.end - self.start), -FAR, FAR)


def finite_range(values: np.ndarray) -> tuple[float, float]:
    """Return the smallest and largest finite value; 0 and 1 where there are none."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)


def is_whole(values: np.ndarray) -> bool:
    """True when all finite values are whole numbers."""
    finite = values[np.isfinite(values)]
    return bool((finite == np.floor(finite)).all())


def padded(low: float, high: float) -> tuple[float, float]:
    """Return the range with a margin; it starts at 0 if it began not far above 0, and ends at 1 if it ended there."""
    if low == high:
        return low - (abs(low) or 1) * 0.1, high + (abs(high) or 1) * 0.1
    margin = 0.05 * (high - low)
    return 0.0 if 0 <= low <= 0.35 * high else low - margin, high if high == 1 else high + margin


def log_padded(low: float, high: float) -> tuple[float, float]:
    """Return the range of a logarithmic axis with a margin; at least half a power of ten on each side of one value."""
    margin = (high**0.05 / low**0.05) if low < high else 10**0.5
    return max(low / margin, 5e-324), min(high * margin, 1.7e308)  # the ends of what floats hold


def round_edges(low: float, high: float, at_most: int, whole: bool = False, between: int = 2) -> np.ndarray:
    """Return the edges of about so many intervals that cover all from low to high, at multiples of 1, 2 or 5 * 10^n.

    between: how many whole edges lie from low to high at least, though there are more intervals then.
    """
    from matplotlib.ticker import MaxNLocator

    locator = MaxNLocator(at_most, steps=[1, 2, 5, 10], integer=whole, min_n_ticks=between)
    return np.asarray(locator.tick_values(low, high))


def round_numbers(low: float, high: float, at_most: int, whole: bool = False) -> list[float]:
    """Return at most `at_most` of these edges (but two are allowed) between low and high."""
    margin = 1e-9 * (high - low) + 1e-15 * max(abs(low), abs(high))
    for intervals in range(max(at_most, 2), 0, -1):
        edges = round_edges(low, high, intervals, whole)
        found = edges[(low - margin <= edges) & (edges <= high + margin)]
        if len(found) <= max(at_most, 2):
            break
    return [float(edge) for edge in found[:: -(-len(found) // max(at_most, 2))]]


def number_ticks(scale: Scale, at_most: int, percent: bool = False, whole: bool = False) -> tuple[Tick, ...]:
    """Return at most `at_most` ticks (but two are allowed) of an axis of numbers."""
    if scale.log:
        return log_ticks(scale.low, scale.high, at_most, percent)
    return round_ticks(scale.low, scale.high, at_most, percent, whole)


def round_ticks(low: float, high: float, at_most: int, percent: bool = False, whole: bool = False) -> tuple[Tick, ...]:
    """Return at most `at_most` ticks (but two are allowed) from low to high, at round numbers.

    percent: 0.25 is written as 25 %. whole: at whole numbers alone, where these are no percentages.
    """
    numbers = round_numbers(low, high, at_most, whole and not percent)
    shown = [exact(number) * (100 if percent else 1) for number in numbers]
    decimals = fewest_decimals(shown, 13)
    texts = [short_number(each) if decimals is None else cell_text(each, decimals) for each in shown]
    return tuple(Tick(number, _with_unit(text, percent)) for number, text in zip(numbers, texts, strict=True))


def log_ticks(low: float, high: float, at_most: int, percent: bool = False) -> tuple[Tick, ...]:
    """Return at most `at_most` ticks (but two are allowed) of a logarithmic axis.

    They stand at powers of ten, where these are few also at 2 and 5 times them; on a short axis as on a linear one.
    """
    first, last = Scale(low, high, log=True).span
    powers = [Fraction(10) ** power for power in range(int(np.floor(first)), int(np.ceil(last)) + 1)]
    for factors in ((1, 2, 5), (1,)):
        values = [power * factor for power in powers for factor in factors if low <= power * factor <= high]
        if 2 <= len(values) <= at_most:
            break
    if len(values) < 2:
        return round_ticks(low, high, at_most, percent)
    shown = values[:: -(-len(values) // max(at_most, 2))]
    return tuple(Tick(float(value), _power_text(value * (100 if percent else 1), percent)) for value in shown)


def _power_text(value: Fraction, percent: bool) -> str:
    """A tick of a logarithmic axis: in full from 0.0001 to millions, as a power of ten beyond."""
    if Fraction(1, 10**4) <= value < 10**7:
        return _with_unit(without_zeros(write(value, "number(4)")), percent)
    return _with_unit(scientific(value, 1).removeprefix("1·"), percent)


def _with_unit(text: str, percent: bool) -> str:
    return with_percent(text) if percent else text


@dataclass(frozen=True)
class GridAxis:
    """One axis of a map: the coordinates of cells 0, 1, 2, ..."""

    coordinates: Sequence[Coordinate]

    def __len__(self) -> int:
        return len(self.coordinates)

    @cached_property
    def numeric(self) -> bool:
        return all(not isinstance(c, str) for c in self.coordinates)

    @cached_property
    def _exact(self) -> list[Fraction]:
        return [exact(c) for c in self.coordinates]

    def position(self, coordinate: float) -> float:
        """Return the position of a coordinate, in cells: in proportion between two cells, and beyond the last ones.

        On an axis of words the coordinate is the index of the cell.
        """
        known = np.array([float(c) for c in self._exact] if self.numeric else [])
        if len(known) < 2:
            return float(coordinate) - float(known.sum())
        cells = np.array([-_BEYOND, *range(len(known)), len(known) - 1 + _BEYOND])
        first, last = (end + _BEYOND * (end - next_) for end, next_ in (known[:2], known[:-3:-1]))
        places = np.array([first, *known, last])
        order = np.argsort(places)
        return float(np.interp(coordinate, places[order], cells[order]))

    def ticks(self, spacing: float, needed: Callable[[Sequence[str]], float], at_most: int) -> tuple[Tick, ...]:
        """Return as many ticks as fit: at every cell, every 2nd, 5th, 10th, ... one, on an even axis at multiples.

        spacing: pixels from cell to cell. needed: the distance in pixels that such labels need. at_most: of numbers
        that are many.
        """
        for stride in (factor * 10**power for power in range(7) for factor in (1, 2, 5)):
            cells = range(self._first(stride), len(self), stride)
            texts = self.texts(cells)
            is_few = not self.numeric or len(cells) <= (MOST_SINGLE if stride == 1 else at_most)
            if is_few and (len(cells) < 2 or stride * spacing >= needed(texts)):
                return tuple(Tick(cell, text) for cell, text in zip(cells, texts, strict=True))
        return ()

    def _first(self, stride: int) -> int:
        """The first cell of those with ticks: on an even axis of numbers a multiple of their distance."""
        gaps = {b - a for a, b in pairwise(self._exact)} if self.numeric else set()
        if len(gaps) != 1:
            return 0
        return next((i for i, value in enumerate(self._exact) if not value % (stride * min(gaps))), 0)

    def texts(self, cells: Sequence[int]) -> list[str]:
        """Return the coordinates of these cells as text, all with the same decimals."""
        return column_texts([plain_cell(self.coordinates[cell]) for cell in cells])
