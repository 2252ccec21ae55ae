"""A score that moves by choice and chance: its value and the best choices everywhere, by backward induction.

At each step one of two lotteries is chosen. Lottery k moves the score s up by its points v_k with probability p_k, else
down by as many, so that

    V(t, s) = best over k of  p_k V(t + 1, s + v_k) + (1 - p_k) V(t + 1, s - v_k),

where "best" is the larger value, the smaller one or that of a fixed k, depending on the mover of step t. V at the end
is 0, 1/2 or 1 and rises with the score.
Source: backward induction, the principle of optimality (Bellman, Dynamic Programming, 1957).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from math import ceil, lcm, log, log2, sqrt
from operator import eq, or_
from typing import Annotated, Any, Literal

import numpy as np

from site_builder.contract import Bounds, ErrorBound

TOLERANCE = 1e-12
"""In floats, values closer than this count as equal; 10,000 steps with fair coins were measured to round by 4e-15."""

SURE, MOST_WHOLE = 1e-16, 1_000_000
"""In floats, a larger lattice than MOST_WHOLE leaves out the scores whose value is within SURE of 0 or 1."""

Chance = Annotated[Fraction | float, Bounds(0, 1), ErrorBound(1e-11)]
"""A probability of a result. In floats each of at most 10,000 steps takes a mean of two, and adds less than 1e-15."""

UNREACHED, FIRST, SECOND, EITHER, DECIDED = range(-1, 4)
"""Codes of a policy: no play leads to the state; which lottery is the best choice; the value is 0 or 1."""

PICKS = {"highest": np.maximum, "lowest": np.minimum}
Mover = Literal["highest", "lowest"] | int
"""Who chooses at a step: a player who wants the value high or low, or nobody, since it is always that lottery."""


@dataclass(frozen=True)
class Lottery:
    """The score rises by `points` with probability `chance`, and else falls by as many."""

    points: int
    chance: Fraction

    @property
    def moves(self) -> set[int]:
        """The changes of the score that can happen."""
        return {move for move, chance in ((self.points, self.chance), (-self.points, 1 - self.chance)) if chance}


Lotteries = tuple[Lottery, Lottery]


def depths(lotteries: Lotteries, steps: int) -> list[int]:
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


@dataclass(frozen=True)
class ScoreGame:
    """The rules. The score starts at 0; an array over scores has a column for each of -highest..highest.

    movers: one for each step. win_from: final scores from here on pay 1; draws: so many scores below it pay 1/2.
    is_narrow: scores whose value is surely within SURE of 0 or 1 have these values, and those furthest out no column.
    """

    lotteries: Lotteries
    movers: tuple[Mover, ...]
    win_from: int
    draws: int = 0
    is_narrow: bool = False

    @property
    def horizon(self) -> int:
        """How many steps are made."""
        return len(self.movers)

    @cached_property
    def reach(self) -> int:
        """The most that one step can move the score, in points."""
        return max(lottery.points for lottery in self.lotteries)

    @cached_property
    def farthest(self) -> int:
        """The highest score that all steps together can lead to, in points."""
        return self.reach * self.horizon

    @cached_property
    def highest(self) -> int:
        """The highest score of the lattice, in points; also the column of score 0."""
        if not self.is_narrow:
            return self.farthest
        return min(self.farthest, abs(self.win_from) + self.draws + self._depths[-1] + self.reach)

    @cached_property
    def scores(self) -> np.ndarray:
        """The score of each column."""
        return np.arange(-self.highest, self.highest + 1)

    def narrowed(self) -> "ScoreGame":
        """The game to solve in floats: without the scores far out when there are too many of them."""
        return replace(self, is_narrow=True) if self._is_large else self

    @property
    def _is_large(self) -> bool:
        return (self.horizon + 1) * (2 * self.farthest + 1) > MOST_WHOLE

    @cached_property
    def _depths(self) -> Sequence[int]:
        """How far from the winning scores the result can still depend on what follows, with 0, 1, ... steps to go."""
        if self.is_narrow:
            return depths(self.lotteries, self.horizon)
        return [self.reach * left for left in range(self.horizon + 1)]

    def open_columns(self, step: int) -> slice:
        """The columns whose result can still depend on what follows; the others are decided or cannot be reached."""
        near, far = self.reach * step, self._depths[self.horizon - step]
        low = max(-near, self.win_from - self.draws - far)
        high = min(near, self.win_from - 1 + far)
        return slice(low + self.highest, max(low, high + 1) + self.highest)

    def sure_columns(self, step: int) -> slice:
        """The columns in which the value is 1 whatever follows."""
        sure = self.win_from + self._depths[self.horizon - step] + self.highest
        return slice(max(sure, 0), None)

    def is_exact(self, arithmetic: str, seconds: float) -> bool:
        """Whether to solve in fractions: as `arithmetic` says, "auto" meaning if it takes about `seconds` at most."""
        if arithmetic != "auto":
            return arithmetic == "exact"
        bits = self.horizon * log2(max(2, self.denominator)) / 2
        return self.horizon**2 * self.reach / 2 * (250 + bits / 5) * 1e-9 < seconds

    @cached_property
    def denominator(self) -> int:
        """A common denominator of all chances."""
        return lcm(*(lottery.chance.denominator for lottery in self.lotteries))

    def _reached_rows(self) -> Iterator[int]:
        """Before each step and at the end, an integer with a bit for each score from -farthest on that is reached."""
        first, second = (lottery.moves for lottery in self.lotteries)
        moves = {0: first, 1: second, "highest": first | second, "lowest": first | second}
        row = 1 << self.farthest
        yield row
        for mover in self.movers:  # a shift moves all bits at once
            row = reduce(or_, [row << move if move >= 0 else row >> -move for move in moves[mover]])
            yield row

    @cached_property
    def reached(self) -> np.ndarray:
        """Which scores some play leads to, well or badly chosen: booleans, shape (horizon + 1, columns)."""
        count, size = len(self.scores), len(self.scores) // 8 + 1
        left_out, columns = self.farthest - self.highest, (1 << count) - 1
        rows = b"".join((row >> left_out & columns).to_bytes(size, "little") for row in self._reached_rows())
        packed = np.frombuffer(rows, dtype=np.uint8).reshape(-1, size)
        return np.unpackbits(packed, axis=1, count=count, bitorder="little").view(bool)

    @cached_property
    def n_reached(self) -> int:
        """How many states (step, score) some play leads to, those without a column included."""
        if self.highest == self.farthest and not self._is_large:
            return int(self.reached.sum())
        return sum(row.bit_count() for row in self._reached_rows())


@dataclass(frozen=True, eq=False)
class Lattice:
    """The solution over (step, column).

    value: shape (horizon + 1, columns), the value before each step and at the end, as floats.
    choices: shape (horizon, columns), FIRST, SECOND or EITHER, or the lottery that is always chosen. decided: where the
    value is 0 or 1, shape of choices.
    centre: the values of the scores -near..near, shape (horizon + 1, 2 * near + 1); Fractions if exact, else floats.
    """

    game: ScoreGame
    value: np.ndarray
    choices: np.ndarray
    decided: np.ndarray
    centre: np.ndarray

    @cached_property
    def best(self) -> np.ndarray:
        """The best choices, UNREACHED where no play leads."""
        return np.where(self.game.reached[:-1], self.choices, np.int8(UNREACHED))

    @cached_property
    def policy(self) -> np.ndarray:
        """The same, but DECIDED where the value is 0 or 1."""
        return np.where(self.decided & self.game.reached[:-1], np.int8(DECIDED), self.best)

    @property
    def start(self) -> Fraction | float:
        """The value before the first step."""
        value = self.centre[0, self.centre.shape[1] // 2]
        return value if isinstance(value, Fraction) else float(value)


def backward(game: ScoreGame, exact: bool = True, near: int = 0) -> Lattice:
    """Solve a game from the last step to the first.

    With `exact` only whole numbers are compared: a value is a whole number over `one`, which is 2 at the end and gains
    the factor `game.denominator` with each step back. Else values are floats, `one` is 1, and values within TOLERANCE
    count as equal, and the game of the lattice is narrow if it is large. near: the `centre` of the lattice has the
    scores -near..near.
    """
    game = game if exact else game.narrowed()
    factor, one = (game.denominator, 2) if exact else (1, 1)
    equal, number = (eq, int) if exact else (_nearly_equal, float)
    weights = [(k.points, number(k.chance * factor), number((1 - k.chance) * factor)) for k in game.lotteries]
    centre = slice(game.highest - near, game.highest + near + 1)
    value, choices, decided = _without_a_choice(game)
    row = (2 * value[-1]).astype(int).astype(object) if exact else value[-1]
    exact_rows = [[Fraction(entry, one) for entry in row[centre]]] if exact else []
    for step, mover in reversed(list(enumerate(game.movers))):
        columns = game.open_columns(step)
        if isinstance(mover, int):
            chosen = _mean(row, columns, *weights[mover])
        else:
            first, second = (_mean(row, columns, *weight) for weight in weights)
            chosen = PICKS[mover](first, second)
            choices[step, columns] = np.where(equal(first, second), EITHER, chosen == second)
        one *= factor
        value[step, columns] = chosen / one if exact else chosen
        if exact:
            decided[step, columns] = (chosen == 0) | (chosen == one)
            row = np.zeros(len(row), dtype=object)
            row[game.sure_columns(step)], row[columns] = one, chosen
            exact_rows.append([Fraction(entry, one) for entry in row[centre]])
        else:
            row = value[step]
    if not exact:
        decided = value[:-1] <= TOLERANCE
        decided |= value[:-1] >= 1 - TOLERANCE
    return Lattice(game, value, choices, decided, np.array(exact_rows[::-1]) if exact else value[:, centre])


def _nearly_equal(one: np.ndarray, other: Any) -> np.ndarray:
    return np.asarray(abs(one - other) <= TOLERANCE)


def _without_a_choice(game: ScoreGame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Value, choices and decided states, with the open columns of each step still to be filled in."""
    value = np.zeros((game.horizon + 1, len(game.scores)))
    for step in range(game.horizon + 1):
        value[step, game.sure_columns(step)] = 1
    value[-1, game.open_columns(game.horizon)] = 0.5
    fixed = [mover if isinstance(mover, int) else EITHER for mover in game.movers]
    choices = np.repeat(np.array(fixed, dtype=np.int8)[:, np.newaxis], len(game.scores), axis=1)
    return value, choices, np.ones(choices.shape, dtype=bool)


def _mean(after: np.ndarray, columns: slice, points: int, up: Any, down: Any) -> np.ndarray:
    """What a lottery is worth at some columns: up times the value above plus down times the value below."""
    above = after[columns.start + points : columns.stop + points]
    below = after[columns.start - points : columns.stop - points]
    # With fair coins and whole numbers both weights are 1; the product would cost as much as the sum.
    return np.asarray((above if up == 1 else above * up) + (below if down == 1 else below * down))
