"""A score that moves by choice and chance: its value and the best choices everywhere, by backward induction.

At each step one of two lotteries is chosen. Lottery k moves the score s up by its points v_k with probability p_k, else
down by as many, so that

    V(t, s) = best over k of  p_k V(t + 1, s + v_k) + (1 - p_k) V(t + 1, s - v_k),

where "best" is the larger value, the smaller one or that of a fixed k, depending on the mover of step t. V at the end
is 0, 1/2 or 1 and rises with the score.
Source: backward induction, the principle of optimality (Bellman, Dynamic Programming, 1957).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from math import ceil, lcm, log, log2, sqrt
from operator import or_
from typing import Annotated, Any

import numpy as np

from site_builder.contract import ErrorBound, Grid
from solvers.common.score_game import EITHER, Lottery, ScoreGame, allowed, changes, halves

TOLERANCE = 1e-12
"""In floats, values closer than this count as equal; 10,000 steps with fair coins were measured to round by 4e-15."""

SURE, MOST_WHOLE = 1e-16, 1_000_000
"""In floats, a larger lattice than MOST_WHOLE leaves out the scores whose value is within SURE of 0 or 1."""

Chance = Annotated[Fraction | float, ErrorBound(1e-11)]
"""A probability of a result. In floats each of at most 10,000 steps takes a mean of two, and adds less than 1e-15."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """The solution over (step, column), with a column for each of the `scores`.

    value: shape (steps + 1, columns), before each step and at the end, as floats. start: that of score 0, exact if the
    solution is. choices: shape (steps, columns), FIRST, SECOND or EITHER, or the lottery that is always chosen.
    decided: where the value is 0 or 1, shape of choices. reached: where some play leads, well or badly chosen, shape of
    value; n_reached: how many states these are, those without a column included.
    """

    scores: np.ndarray
    value: np.ndarray
    start: Fraction | float
    choices: np.ndarray
    decided: np.ndarray
    reached: np.ndarray
    n_reached: int


def depths(lotteries: Sequence[Lottery], steps: int) -> list[int]:
    """How far from the winning scores a value may differ from 0 and 1 by more than SURE, with 0, 1, ... steps to go.

    Whatever is chosen, a step changes the score by a mean of at most d = max |2 p_k - 1| v_k to either side, and by at
    most v = max v_k. So the change in m steps is past d m + x with a probability of at most exp(-x^2 / (2 m v^2)).
    Source: the inequality of Azuma and Hoeffding (Hoeffding, Probability inequalities for sums of bounded random
    variables, 1963, theorem 2, which holds for martingales too).
    """
    reach = max(lottery.points for lottery in lotteries)
    drift = max(float(abs(2 * lottery.chance - 1) * lottery.points) for lottery in lotteries)
    spread = reach * sqrt(2 * log(1 / SURE))
    return [min(reach * left, ceil(drift * left + spread * sqrt(left))) for left in range(steps + 1)]


def takes_at_most(game: ScoreGame, seconds: float) -> bool:
    """True when the exact solution takes about so many seconds at most."""
    steps, reach = len(game.movers), max(lottery.points for lottery in game.lotteries)
    bits = steps * log2(max(2, _denominator(game))) / 2
    return steps**2 * reach / 2 * (250 + bits / 5) * 1e-9 < seconds


def backward(game: ScoreGame, exact: bool) -> Lattice:
    """Solve a game from the last step to the first.

    With `exact` only whole numbers are compared: a value is a whole number over `one`, which is 2 at the end and gains
    the factor `whole` with each step back. Else values are floats, `one` is 1, and values within TOLERANCE are equal.
    """
    columns = _Columns(game, exact)
    whole, one = (_denominator(game), 2) if exact else (1, 1)
    number: type = int if exact else float
    weights = [[number(share * whole) for share in (k.chance, 1 - k.chance)] for k in game.lotteries]
    value, choices, decided = columns.without_a_choice()
    row = (2 * value[-1]).astype(int).astype(object) if exact else value[-1]
    for step in reversed(range(len(game.movers))):
        here = columns.open(step)
        worth = {
            index: _mean(row, here, lottery.points, *weights[index]) for index, lottery in allowed(game, step).items()
        }
        best = reduce(np.minimum if game.movers[step] == "lowest" else np.maximum, worth.values())
        if len(worth) > 1:
            tied = worth[0] == worth[1] if exact else np.abs(worth[0] - worth[1]) <= TOLERANCE
            choices[step, here] = np.where(tied, EITHER, best == worth[1])
        one *= whole
        value[step, here] = best / one if exact else best
        if exact:
            decided[step, here] = (best == 0) | (best == one)
            row = np.zeros(len(row), dtype=object)
            row[columns.sure(step)], row[here] = one, best
        else:
            row = value[step]
    if not exact:
        decided = (value[:-1] <= TOLERANCE) | (value[:-1] >= 1 - TOLERANCE)
    start = row[columns.highest]
    reached = _reached_rows(game)
    return Lattice(
        columns.scores,
        value,
        Fraction(start, one) if exact else float(start),
        choices,
        decided,
        columns.marked(reached),
        sum(row.bit_count() for row in reached),
    )


def last_steps(game: ScoreGame, most: int, scores: range, axes: tuple[str, str]) -> Grid:
    """The exact values of some scores with 0, 1, ..., `most` steps left, whether a play leads there or not."""
    whole, end = _denominator(game), len(game.movers)
    sides = [[(int(chance * whole), change) for chance, change in changes(k)] for k in game.lotteries]

    @cache
    def multiple(left: int, score: int) -> int:
        """The value, times 2 whole^left."""
        if left == 0:
            return int(halves(game, score))
        worth = [
            sum(share * multiple(left - 1, score + change) for share, change in sides[index])
            for index in allowed(game, end - left)
        ]
        return min(worth) if game.movers[end - left] == "lowest" else max(worth)

    lefts = range(min(end, most) + 1)
    rows = [[Fraction(multiple(left, score), 2 * whole**left) for score in scores] for left in lefts]
    return Grid(np.array(rows), dict(zip(axes, (lefts, scores), strict=True)))


def _denominator(game: ScoreGame) -> int:
    return lcm(*(lottery.chance.denominator for lottery in game.lotteries))


def _mean(after: np.ndarray, here: slice, points: int, up: Any, down: Any) -> np.ndarray:
    """The worth of a lottery at some columns: up times the value above plus down times the value below."""
    above, below = (after[here.start + move : here.stop + move] for move in (points, -points))
    # With fair coins and whole numbers both weights are 1; the product would cost as much as the sum.
    return np.asarray((above if up == 1 else above * up) + (below if down == 1 else below * down))


class _Columns:
    """The columns of a lattice, for the scores -highest..highest, and which of them the induction has to compute."""

    def __init__(self, game: ScoreGame, exact: bool) -> None:
        self._game, self._steps = game, len(game.movers)
        self._reach = max(lottery.points for lottery in game.lotteries)
        self._farthest = self._reach * self._steps
        is_narrow = not exact and (self._steps + 1) * (2 * self._farthest + 1) > MOST_WHOLE
        # With 0, 1, ... steps to go, how far from the winning scores the result can still depend on what follows.
        self._margins: Sequence[int] = range(0, self._farthest + 1, self._reach)
        if is_narrow:
            self._margins = depths(game.lotteries, self._steps)
        self.highest = min(self._farthest, abs(game.win_from) + game.draws + self._margins[-1] + self._reach)
        self.scores = np.arange(-self.highest, self.highest + 1)

    def open(self, step: int) -> slice:
        """The columns whose result can still depend on what follows; the others are decided or cannot be reached."""
        near, far = self._reach * step, self._margins[self._steps - step]
        low = max(-near, self._game.win_from - self._game.draws - far)
        high = min(near, self._game.win_from - 1 + far)
        return slice(low + self.highest, max(low, high + 1) + self.highest)

    def sure(self, step: int) -> slice:
        """The columns in which the value is 1 whatever follows."""
        return slice(max(self._game.win_from + self._margins[self._steps - step] + self.highest, 0), None)

    def without_a_choice(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Value, choices and decided states, with the open columns of each step still to be filled in."""
        value = np.zeros((self._steps + 1, len(self.scores)))
        for step in range(self._steps + 1):
            value[step, self.sure(step)] = 1
        value[-1, self.open(self._steps)] = 0.5
        fixed = [mover if isinstance(mover, int) else EITHER for mover in self._game.movers]
        choices = np.repeat(np.array(fixed, dtype=np.int8)[:, np.newaxis], len(self.scores), axis=1)
        return value, choices, np.ones(choices.shape, dtype=bool)

    def marked(self, rows: Sequence[int]) -> np.ndarray:
        """Rows with a bit for each score from -farthest on, as booleans over (step, column)."""
        count, left_out = len(self.scores), self._farthest - self.highest
        size, mask = count // 8 + 1, (1 << count) - 1
        packed = b"".join((row >> left_out & mask).to_bytes(size, "little") for row in rows)
        bits = np.frombuffer(packed, dtype=np.uint8).reshape(-1, size)
        return np.unpackbits(bits, axis=1, count=count, bitorder="little").view(bool)


def _reached_rows(game: ScoreGame) -> list[int]:
    """Before each step and at the end a whole number with a bit for each score from the lowest on that is reached."""
    moves = [{change for _, change in changes(lottery)} for lottery in game.lotteries]
    rows = [1 << max(lottery.points for lottery in game.lotteries) * len(game.movers)]
    for step in range(len(game.movers)):  # a shift moves all bits at once
        some = set().union(*(moves[index] for index in allowed(game, step)))
        rows.append(reduce(or_, [rows[-1] << move if move >= 0 else rows[-1] >> -move for move in some]))
    return rows
