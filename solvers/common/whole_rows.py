"""The value of a score game once more, for the checks: whole rows of scores.

In each step a coin is taken; it adds its points to the score with the chance of heads, and else subtracts them. With
V(t, s) the value of score s before step t, V(end, s) what the final score pays, and `pick` the choice between coins,

    V(t, s) = pick over the coins of { heads * V(t + 1, s + points) + (1 - heads) * V(t + 1, s - points) }.

Shares no code with `lattice`: no score that can occur is left out, and none is decided in advance.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

SLACK = 1e-12  # floats that differ by at most this count as equal
MOST_CELLS = 400_000  # beyond so many steps times scores, values are floats


@dataclass(frozen=True)
class Coin:
    """A coin that adds so many points with the chance of heads, and else subtracts them."""

    points: int
    heads: Fraction


Pick = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""The value of a step from the values of its two coins: the better, the worse, or always the same coin's."""


@dataclass(frozen=True, eq=False)
class Row:
    """The scores -far..far before a step, or at the end (step: the number of steps): all that can occur, and more.

    value, coins: the values of the scores, and of taking each coin there, times `one`. exact: these are whole numbers;
    else floats, and `one` is 1.
    """

    step: int
    far: int
    one: int
    exact: bool
    value: np.ndarray
    coins: tuple[np.ndarray, ...] = ()

    def chances(self, scores: np.ndarray) -> np.ndarray:
        """The values of some scores as floats."""
        return np.asarray(self.value[scores + self.far] / self.one, dtype=float)

    def choices(self, scores: np.ndarray) -> np.ndarray:
        """Which coin is the better one at some scores: 0 or 1, 2 either."""
        first, second = (gap <= self._slack for gap in self._gaps(scores)[:-2])
        return np.where(first & second, 2, np.where(first, 0, 1))

    def decided(self, scores: np.ndarray) -> np.ndarray:
        """Where the value is 0 or 1."""
        return np.asarray(np.minimum(*self._gaps(scores)[-2:]) <= self._slack, dtype=bool)

    def unsure(self, scores: np.ndarray) -> np.ndarray:
        """Where floats are so close to the slack that rounding may decide on which side they are."""
        near = [(gap > SLACK / 100) & (gap < SLACK * 100) for gap in self._gaps(scores)]
        return np.asarray(np.any(near, axis=0)) & (not self.exact)

    def _gaps(self, scores: np.ndarray) -> list[np.ndarray]:
        """How far the values of some scores are from those of the coins, from 0 and from 1, times `one`."""
        value, *coins = (values[scores + self.far] for values in (self.value, *self.coins))
        return [*(abs(coin - value) for coin in coins), value, self.one - value]

    @property
    def _slack(self) -> float:
        return 0 if self.exact else SLACK


def whole_rows(
    coins: Sequence[Coin], picks: Sequence[Pick], pays: Callable[[np.ndarray], np.ndarray], exact: bool = False
) -> Iterator[Row]:
    """The rows from the end back to the first step.

    picks: for each step. pays: what final scores pay, in halves: 0, 1 or 2, rising with the score. exact: use whole
    numbers, unless there are more than MOST_CELLS.
    """
    reach = max(coin.points for coin in coins)
    far = reach * (len(picks) + 1)
    exact = exact and (2 * far + 1) * len(picks) <= MOST_CELLS
    halves = pays(np.arange(-far, far + 1))
    value, one = (halves.astype(object), 2) if exact else (halves / 2, 1)
    yield Row(len(picks), far, one, exact, value)
    whole = lcm(*(coin.heads.denominator for coin in coins)) if exact else 1
    sides = [(coin.points, coin.heads * whole) for coin in coins]
    weights = [(points, *((int(up), int(whole - up)) if exact else (float(up), 1 - float(up)))) for points, up in sides]
    for step in reversed(range(len(picks))):
        far -= reach
        stop = reach + 2 * far + 1
        worth = tuple(
            heads * value[reach + points : stop + points] + tails * value[reach - points : stop - points]
            for points, heads, tails in weights
        )
        value, one = picks[step](*worth), one * whole
        yield Row(step, far, one, exact, value, worth)
