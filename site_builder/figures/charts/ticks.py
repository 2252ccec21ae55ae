"""Where an axis carries numbers, and how they read: round steps, few of them, exact arithmetic throughout."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from site_builder.contract.grid import Coordinate
from site_builder.figures.alt_text import number
from site_builder.values.number_format import THIN, write

MOST_SINGLE = 16  # an axis of so many numbers may carry all of them


@dataclass(frozen=True)
class Tick:
    """A number on an axis. place: in the units of the axis (for a grid, the index of the cell)."""

    place: float
    text: str


def round_ticks(low: float, high: float, at_most: int, percent: bool = False, whole: bool = False) -> tuple[Tick, ...]:
    """Ticks at multiples of 1, 2 or 5 times a power of ten from low to high, `at_most` of them (at least two).

    percent: 0.25 reads 25 %. whole: no step below 1, except of percentages.
    """
    first, last = exact(low), exact(high)
    steps = round_steps((last - first) / max(at_most, 2), Fraction(1) if whole and not percent else None)
    for step in steps:
        below, above = -(-first // step), last // step
        if above - below + 1 <= max(at_most, 2):
            places = [step * k for k in range(below, above + 1)]
            return tuple(Tick(float(place), _tick_text(place, step, percent)) for place in places)
    raise AssertionError("steps grow without end")


def round_steps(at_least: Fraction, lowest: Fraction | None = None) -> Iterator[Fraction]:
    """1, 2, 5, 10, ... times a power of ten, from about `at_least` on."""
    power = Fraction(1)
    while power > at_least > 0:
        power /= 10
    while power * 10 <= at_least:
        power *= 10
    while True:
        for step in (power, 2 * power, 5 * power):
            if lowest is None or step >= lowest:
                yield step
        power *= 10


def _tick_text(value: Fraction, step: Fraction, percent: bool) -> str:
    shown = step * 100 if percent else step
    if abs(value) >= 10**12 or step < Fraction(1, 10**12):
        return f"{number(value * 100)}{THIN}%" if percent else number(value)
    decimals = next(d for d in range(13) if (shown * 10**d).denominator == 1)
    return write(value, f"{'percent' if percent else 'number'}({decimals})")


def exact(value: Any) -> Fraction:
    """A number as the short decimal that it is meant to be: 0.1 + 0.2 is 3/10."""
    value = value.item() if isinstance(value, np.generic) else value
    return Fraction(f"{value:.12g}") if isinstance(value, float) else Fraction(value)


@dataclass(frozen=True)
class GridAxis:
    """One axis of a map: cells 0, 1, 2, ... and what stands at them."""

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
        """Where a coordinate lies, in cells; between two of them in proportion, beyond the ends in even steps.

        For an axis of words the coordinate is the number of the cell.
        """
        if not self.numeric or len(self) < 2:
            first = float(self._exact[0]) if self.numeric and len(self) else 0.0
            return float(coordinate) - first
        if self._even:
            gap = float(self._exact[1] - self._exact[0])
            return (float(coordinate) - float(self._exact[0])) / gap
        known = np.array([float(c) for c in self._exact])
        order = np.argsort(known)
        return float(np.interp(coordinate, known[order], order))

    def ticks(self, spacing: float, needed: Callable[[Sequence[str]], float], at_most: int) -> tuple[Tick, ...]:
        """As many ticks as fit: every cell's if possible, else round numbers, else every n-th cell's.

        spacing: pixels from cell to cell. needed: the pixels that such labels take from one to the next.
        """
        for cells in self._choices(at_most) if len(self) else ():
            texts = self._texts(cells)
            gap = min((b - a for a, b in pairwise(cells)), default=len(self)) * spacing
            if len(cells) == 1 or gap >= needed(texts):
                return tuple(Tick(cell, text) for cell, text in zip(cells, texts, strict=True))
        return ()

    def _choices(self, at_most: int) -> Iterator[list[int]]:
        everything = list(range(len(self)))
        if not self.numeric or len(self) <= MOST_SINGLE:
            yield everything
        if self.numeric and self._even:
            gap = abs(self._exact[1] - self._exact[0])
            for step in round_steps(gap * len(self) / max(at_most, 1)):
                chosen = [i for i, value in enumerate(self._exact) if value % step == 0]
                if len(chosen) < 2:
                    break
                if len(chosen) <= at_most:
                    yield chosen
        for leap in range(2, len(self) + 1):
            if not self.numeric or len(self) / leap <= at_most:
                yield everything[::leap]

    def _texts(self, cells: Sequence[int]) -> list[str]:
        """The coordinates of these cells, all with the same decimals."""
        if not self.numeric:
            return [str(self.coordinates[cell]) for cell in cells]
        values = [self._exact[cell] for cell in cells]
        decimals = next((d for d in range(5) if all((v * 10**d).denominator == 1 for v in values)), None)
        if decimals is not None and all(abs(value) < 10**7 for value in values):
            return [write(value, f"number({decimals})") for value in values]
        return [self.text(cell) for cell in cells]

    def text(self, cell: int) -> str:
        """How the coordinate of a cell reads: a decimal where it is a short one, else as a fraction."""
        value = self.coordinates[cell]
        if isinstance(value, str):
            return value
        short = exact(value)
        decimals = next((d for d in range(5) if (short * 10**d).denominator == 1), None)
        if decimals is not None and abs(short) < 10**7:
            return write(short, f"number({decimals})")
        return number(value) if isinstance(value, float) else write(short, "fraction")
