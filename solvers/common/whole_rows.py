"""A score moved by coins, worked out once more for the checks: whole rows of scores, and the scores that occur.

Shares no code with `lattice`: nothing is cut off, nothing is decided in advance, every score that could count is there.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

SLACK = 1e-12
"""In floats, coins whose values differ by no more than this count as equally good, and so near 0 or 1 is decided."""

MOST_CELLS = 400_000
"""So many steps times scores are worth whole numbers; beyond that, floats."""


@dataclass(frozen=True)
class Coin:
    """A coin that wins so many points with the chance of heads, and else loses them."""

    points: int
    heads: Fraction


Pick = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""How the values of the two coins make one: the better, the worse, or always the same coin's."""


@dataclass(frozen=True, eq=False)
class Row:
    """The scores -far..far before a step, or at the end: values and the values of each coin, times `one`.

    exact: these are whole numbers; else floats, and `one` is 1.
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
        first, second = (self._behind(coin, scores) <= self._slack for coin in self.coins)
        return np.where(first & second, 2, np.where(first, 0, 1))

    def decided(self, scores: np.ndarray) -> np.ndarray:
        """Where the value is 0 or 1."""
        value = self.value[scores + self.far]
        return np.asarray((value <= self._slack) | (self.one - value <= self._slack), dtype=bool)

    def unsure(self, scores: np.ndarray) -> np.ndarray:
        """Where floats are so close to the slack that rounding may decide on which side they are."""
        if self.exact:
            return np.zeros(len(scores), dtype=bool)
        value = self.value[scores + self.far]
        near = [*(self._behind(coin, scores) for coin in self.coins), value, 1 - value]
        return np.asarray(np.any([(entry > SLACK / 100) & (entry < SLACK * 100) for entry in near], axis=0))

    def _behind(self, coin: np.ndarray, scores: np.ndarray) -> np.ndarray:
        return np.asarray(abs(coin - self.value)[scores + self.far])

    @property
    def _slack(self) -> float:
        return 0 if self.exact else SLACK


def whole_rows(
    coins: Sequence[Coin], picks: Sequence[Pick], pays: Callable[[np.ndarray], np.ndarray], exact: bool = False
) -> Iterator[Row]:
    """The end, and then the rows before the last step, the last but one, ..., the first.

    picks: for each step. pays: what final scores pay, in halves: 0, 1 or 2, rising. exact: in whole numbers, if these
    are not too many.
    """
    reach = max(coin.points for coin in coins)
    far = reach * (len(picks) + 1)
    exact = exact and (2 * far + 1) * len(picks) <= MOST_CELLS
    halves = pays(np.arange(-far, far + 1))
    value, one = (halves.astype(object), 2) if exact else (halves / 2, 1)
    yield Row(len(picks), far, one, exact, value)
    whole = lcm(*(coin.heads.denominator for coin in coins)) if exact else 1
    for step in reversed(range(len(picks))):
        padded = np.concatenate([np.full(reach, value[0]), value, np.full(reach, value[-1])])
        worth = tuple(_worth(coin, padded, reach, whole, exact) for coin in coins)
        value, one = picks[step](*worth), one * whole
        yield Row(step, far, one, exact, value, worth)


def _worth(coin: Coin, padded: np.ndarray, reach: int, whole: int, exact: bool) -> np.ndarray:
    heads = int(coin.heads * whole) if exact else float(coin.heads)
    size = len(padded) - 2 * reach
    up, down = (padded[reach + points : reach + points + size] for points in (coin.points, -coin.points))
    return np.asarray(heads * up + (whole - heads) * down)


def scores_that_occur(coins: Sequence[Sequence[Coin]]) -> Iterator[set[int]]:
    """The scores before each step and at the end, by sets; coins: those that may be taken at each step."""
    scores = {0}
    yield scores
    for some in coins:
        moves = {sign * coin.points for coin in some for sign, chance in _sides(coin) if chance}
        scores = {score + move for score in scores for move in moves}
        yield scores


def _sides(coin: Coin) -> tuple[tuple[int, Fraction], ...]:
    return (1, coin.heads), (-1, 1 - coin.heads)
