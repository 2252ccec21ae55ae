"""Scales of numbers and of grid coordinates, and their ticks: few, at round numbers."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from site_builder.contract.grid import Coordinate
from site_builder.figures.words import column_texts, exact, fewest_decimals, plain_cell, short_number
from site_builder.values.number_format import with_percent, write

FAR = 20_000.0  # pixels; places are clipped to this, which is outside of every canvas
MOST_SINGLE = 16  # a grid axis of at most so many numbers may have a tick at each


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

    def at(self, value: Any) -> Any:
        """Return the pixel of a number, or of each number of an array; NaN for 0 and less on a logarithmic scale."""
        if self.log:
            with np.errstate(divide="ignore", invalid="ignore"):
                share = np.log(np.where(np.asarray(value) > 0, value, np.nan) / self.low) / np.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return np.clip(self.start + share * (self.end - self.start), -FAR, FAR)


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
    margin = (high / low) ** 0.05 if low < high else math.sqrt(10)
    return low / margin, high * margin


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


def round_ticks(low: float, high: float, at_most: int, percent: bool = False, whole: bool = False) -> tuple[Tick, ...]:
    """Return at most `at_most` ticks (but two are allowed) from low to high, at round numbers.

    percent: 0.25 is written as 25 %. whole: at whole numbers alone, where these are no percentages.
    """
    numbers = round_numbers(low, high, at_most, whole and not percent)
    decimals = fewest_decimals([exact(number) * (100 if percent else 1) for number in numbers], 13)
    return tuple(Tick(number, _tick_text(exact(number), decimals, percent)) for number in numbers)


def log_ticks(low: float, high: float, at_most: int, percent: bool = False) -> tuple[Tick, ...]:
    """Return at most `at_most` ticks (but two are allowed) of a logarithmic axis.

    They stand at powers of ten, where these are few also at 2 and 5 times them; on a short axis as on a linear one.
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values: list[Fraction] = []
    for factors in ((1, 2, 5), (1,)):
        every = [factor * Fraction(10) ** power for power in powers for factor in factors]
        values = [value for value in every if low <= value <= high]
        if 2 <= len(values) <= at_most:
            break
    if len(values) < 2:
        return round_ticks(low, high, at_most, percent)
    shown = values[:: -(-len(values) // max(at_most, 2))]
    return tuple(Tick(float(value), _power_text(value, percent)) for value in shown)


def _power_text(value: Fraction, percent: bool) -> str:
    """A tick of a logarithmic axis: in full from 0.0001 to a million, as a power of ten beyond."""
    shown = 100 * value if percent else value
    factor, power = f"{float(shown):.0e}".split("e")
    if -4 <= int(power) <= 6:
        text = write(shown, f"number({max(-int(power), 0)})")
    else:
        text = f"$10^{{{int(power)}}}$" if factor == "1" else rf"${factor} \cdot 10^{{{int(power)}}}$"
    return with_percent(text) if percent else text


def _tick_text(value: Fraction, decimals: int | None, percent: bool) -> str:
    if decimals is None or abs(value) >= 10**12:
        return with_percent(short_number(value * 100)) if percent else short_number(value)
    return write(value, f"{'percent' if percent else 'number'}({decimals})")


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

    @cached_property
    def _even(self) -> bool:
        gaps = {b - a for a, b in pairwise(self._exact)}
        return len(gaps) == 1 and 0 not in gaps

    def position(self, coordinate: float) -> float:
        """Return the position of a coordinate, in cells: interpolated between cells, extrapolated on an even axis.

        On an axis of words the coordinate is the index of the cell.
        """
        known = np.array([float(c) for c in self._exact] if self.numeric else [])
        if len(known) < 2:
            return float(coordinate) - float(known.sum())
        if self._even:
            return (float(coordinate) - float(known[0])) / float(self._exact[1] - self._exact[0])
        order = np.argsort(known)
        return float(np.interp(coordinate, known[order], order))

    def ticks(self, spacing: float, needed: Callable[[Sequence[str]], float], at_most: int) -> tuple[Tick, ...]:
        """Return as many ticks as fit: at every cell if possible, else at round numbers, else at every n-th cell.

        spacing: pixels from cell to cell. needed: the distance in pixels that such labels need.
        """
        for cells in self._choices(at_most) if len(self) else ():
            texts = self.texts(cells)
            gap = min((b - a for a, b in pairwise(cells)), default=len(self)) * spacing
            if gap >= needed(texts):
                return tuple(Tick(cell, text) for cell, text in zip(cells, texts, strict=True))
        return ()

    def _choices(self, at_most: int) -> Iterator[list[int]]:
        """Sets of cells that may have ticks, in order of preference."""
        everything = list(range(len(self)))
        if not self.numeric or len(self) <= MOST_SINGLE:
            yield everything
        if self.numeric and self._even:
            low, high = sorted((float(self._exact[0]), float(self._exact[-1])))
            for count in range(at_most, 1, -1):
                numbers = {exact(number) for number in round_numbers(low, high, count)}
                chosen = [i for i, value in enumerate(self._exact) if value in numbers]
                if len(chosen) > 1:
                    yield chosen
        for stride in range(2, len(self) + 1):
            if not self.numeric or len(self) / stride <= at_most:
                yield everything[::stride]

    def texts(self, cells: Sequence[int]) -> list[str]:
        """Return the coordinates of these cells as text, all with the same decimals."""
        return column_texts([plain_cell(self.coordinates[cell]) for cell in cells])
