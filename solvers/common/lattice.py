"""A score that moves by choice and chance: the value and the best choices everywhere, by backward induction.

Before each of `horizon` steps somebody picks one of a few lotteries, which then moves the score. What the final score
pays rises from 0 to 1: nothing below a first score, everything above a last one. Numbers are exact (integers over one
common denominator for each step) or floats, as the caller asks.
Source: backward induction, the principle of optimality; own derivation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import lcm, log2
from operator import or_
from typing import Any, Literal

import numpy as np

TOLERANCE = 1e-12
"""In floats, values closer than this count as equal: rounding in a few thousand steps stays far below it."""

Mover = Literal["highest", "lowest"] | int
"""Who picks at a step: one who wants the value high, one who wants it low, or a rule (always that lottery)."""


@dataclass(frozen=True)
class Lottery:
    """One action: the score changes by each of `changes` with the chance beside it; the chances sum to 1."""

    changes: tuple[int, ...]
    chances: tuple[Fraction, ...]

    @cached_property
    def outcomes(self) -> list[tuple[int, Fraction]]:
        """The changes that can happen, with their chances; a change of chance 0 is left out."""
        return [(change, chance) for change, chance in zip(self.changes, self.chances, strict=True) if chance]


@dataclass(frozen=True)
class ScoreGame:
    """The rules. A final score below `first` pays 0; `first` and the scores after it pay `middle`; more pays 1.

    movers: who picks at each step, horizon entries. spread: the first step starts from any score in -spread..spread.
    """

    lotteries: tuple[Lottery, ...]
    movers: tuple[Mover, ...]
    first: int
    middle: tuple[Fraction, ...] = ()
    spread: int = 0

    @cached_property
    def horizon(self) -> int:
        """How many steps are made."""
        return len(self.movers)

    @cached_property
    def reach(self) -> int:
        """The most that one step can move the score, in points."""
        return max(abs(change) for lottery in self.lotteries for change, _ in lottery.outcomes)

    @cached_property
    def highest(self) -> int:
        """The highest score of the lattice, in points; the lowest is its negative."""
        return self.spread + self.reach * self.horizon

    @cached_property
    def width(self) -> int:
        """How many scores the lattice has."""
        return 2 * self.highest + 1

    @property
    def centre_columns(self) -> slice:
        """The columns of the scores -spread..spread."""
        return slice(self.highest - self.spread, self.highest + self.spread + 1)

    def open_columns(self, step: int) -> slice:
        """The columns whose result can still depend on what follows; the others are decided or cannot be reached."""
        near, far = self.spread + self.reach * step, self.reach * (self.horizon - step)
        low = max(-near, self.first - far)
        high = min(near, self.first + len(self.middle) - 1 + far)
        return slice(low + self.highest, max(low, high + 1) + self.highest)

    def first_sure_column(self, step: int) -> int:
        """From this column on the value is 1 whatever follows."""
        sure = self.first + len(self.middle) + self.reach * (self.horizon - step)
        return min(max(sure + self.highest, 0), self.width)

    def exact_seconds(self) -> float:
        """About how long an exact solution takes: a guess to choose by, not a measurement."""
        bits = self.horizon * log2(max(2, _denominator(self))) / 2
        return self.horizon**2 * self.reach / 2 * (250 + bits / 5) * 1e-9


@dataclass(frozen=True, eq=False)
class Lattice:
    """The solution over (step, score). Column `highest` is the score 0, column 0 the lowest score.

    value: shape (horizon + 1, width), the value before each step and at the end, rounded to floats.
    optimal: shape (horizon, width), bit k set where lottery k is a best choice, or the one the mover always takes.
    decided: shape of value, True where the value is exactly 0 or 1 (in floats: within TOLERANCE).
    centre: shape (horizon + 1, 2 * spread + 1), the value at the scores -spread..spread at each step; Fractions in an
    object array if exact, else floats.
    """

    game: ScoreGame
    value: np.ndarray
    optimal: np.ndarray
    decided: np.ndarray
    centre: np.ndarray


def backward(game: ScoreGame, exact: bool = True) -> Lattice:
    """The solution of a game, worked out from the last step to the first.

    With `exact` only whole numbers are compared: the value is a whole number over d * D ** steps_left, where D is a
    common denominator of the chances and d one of the middle payoffs.
    """
    return _backward_exact(game) if exact else _backward_floats(game)


def _backward_exact(game: ScoreGame) -> Lattice:
    factor, one = _denominator(game), lcm(1, *(pay.denominator for pay in game.middle))
    weights = [[(change, int(chance * factor)) for change, chance in one_of.outcomes] for one_of in game.lotteries]
    value, optimal, decided = _decided_states(game)
    after = _final_row(game, one)
    centre = [_fractions(after[game.centre_columns], one)]
    for step in reversed(range(game.horizon)):
        one *= factor
        row = np.zeros(game.width, dtype=object)
        row[game.first_sure_column(step) :] = one
        columns = game.open_columns(step)
        looks = _looks(after, columns, weights)
        row[columns] = best = _pick(looks, game.movers[step])
        value[step, columns] = best / one
        decided[step, columns] = (best == 0) | (best == one)
        if not isinstance(game.movers[step], int):
            optimal[step, columns] = _bits([look == best for look in looks])
        centre.append(_fractions(row[game.centre_columns], one))
        after = row
    return Lattice(game, value, optimal, decided, np.array(centre[::-1], dtype=object))


def _backward_floats(game: ScoreGame) -> Lattice:
    weights = [[(change, float(chance)) for change, chance in one_of.outcomes] for one_of in game.lotteries]
    value, optimal, _ = _decided_states(game)
    for step in reversed(range(game.horizon)):
        columns = game.open_columns(step)
        value[step, columns] = _pick(_looks(value[step + 1], columns, weights), game.movers[step])
    free = np.array([not isinstance(mover, int) for mover in game.movers])
    for steps in _blocks(game):
        chosen = steps[free[steps]]
        optimal[chosen, game.reach : game.width - game.reach] = _equal_choices(game, value, weights, chosen)
    decided = (value <= TOLERANCE) | (value >= 1 - TOLERANCE)
    return Lattice(game, value, optimal, decided, value[:, game.centre_columns])


def _equal_choices(
    game: ScoreGame, value: np.ndarray, weights: Sequence[Sequence[tuple[int, Any]]], steps: np.ndarray
) -> np.ndarray:
    """The best choices at some steps, away from the edges of the lattice, for which every choice is as good."""
    inner = slice(game.reach, game.width - game.reach)
    best = value[steps, inner]
    return _bits([abs(look.T - best) <= TOLERANCE for look in _looks(value[steps + 1].T, inner, weights)])


def _blocks(game: ScoreGame, cells: int = 1_000_000) -> list[np.ndarray]:
    """All steps, in blocks of rows that fit well into memory."""
    return np.array_split(np.arange(game.horizon), 1 + game.horizon * game.width // cells)


def reachable(game: ScoreGame) -> np.ndarray:
    """Which scores can occur at which step under some play, well or badly chosen: booleans, (horizon + 1, width).

    While it is worked out a row is one integer, with a bit for each score.
    """
    row = ((1 << (2 * game.spread + 1)) - 1) << (game.highest - game.spread)
    rows = [row]
    moves = {mover: _moves(game, mover) for mover in set(game.movers)}
    for mover in game.movers:
        row = reduce(or_, [row << move if move >= 0 else row >> -move for move in moves[mover]])
        rows.append(row)
    size = (game.width + 7) // 8
    packed = np.frombuffer(b"".join(row.to_bytes(size, "little") for row in rows), dtype=np.uint8)
    bits = np.unpackbits(packed.reshape(len(rows), size), axis=1, count=game.width, bitorder="little")
    return bits.astype(bool)


def _moves(game: ScoreGame, mover: Mover) -> list[int]:
    """The changes of the score that the mover can bring about."""
    picked = (game.lotteries[mover],) if isinstance(mover, int) else game.lotteries
    return sorted({change for lottery in picked for change, _ in lottery.outcomes})


def best_choices(lattice: Lattice, seen: np.ndarray) -> np.ndarray:
    """The best choice in a game with two lotteries as a code: 0 the first, 1 the second, 2 either, -1 not seen.

    Shape (horizon, width), small integers. `seen` (shape of the value) says which states to tell of.
    """
    codes: np.ndarray = np.array([-1, 0, 1, 2], dtype=np.int8)[lattice.optimal]
    codes[~seen[:-1]] = -1
    return codes


def _decided_states(game: ScoreGame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Value, optimal and decided with their open states still to be filled in: elsewhere every choice is as good."""
    value = np.zeros((game.horizon + 1, game.width))
    for step in range(game.horizon):
        value[step, game.first_sure_column(step) :] = 1.0
    value[-1] = _final_row(game, 1)
    decided = np.ones(value.shape, dtype=bool)
    decided[-1] = (value[-1] == 0) | (value[-1] == 1)
    every = (1 << len(game.lotteries)) - 1
    masks = [1 << mover if isinstance(mover, int) else every for mover in game.movers]
    optimal = np.repeat(np.array(masks, dtype=np.uint8)[:, np.newaxis], game.width, axis=1)
    return value, optimal, decided


def _final_row(game: ScoreGame, one: int) -> np.ndarray:
    """What each final score pays, times `one`: whole numbers if `one` is a multiple of the denominators."""
    row = np.zeros(game.width, dtype=object)
    row[game.first_sure_column(game.horizon) :] = one
    for column, pay in enumerate(game.middle, game.first + game.highest):
        if 0 <= column < game.width:
            row[column] = int(pay * one) if (pay * one).denominator == 1 else pay * one
    return row


def _fractions(row: np.ndarray, one: int) -> list[Fraction]:
    return [Fraction(entry, one) for entry in row]


def _denominator(game: ScoreGame) -> int:
    return lcm(*(chance.denominator for lottery in game.lotteries for _, chance in lottery.outcomes))


def _looks(after: np.ndarray, columns: slice, weights: Sequence[Sequence[tuple[int, Any]]]) -> list[np.ndarray]:
    """For each lottery the weighted sum of what `after` holds at its outcomes, for a range of its first axis."""
    looks = []
    for (move, weight), *others in weights:
        look = after[columns.start + move : columns.stop + move]
        if weight != 1:
            look = look * weight
        for move_on, weight_of_it in others:
            part = after[columns.start + move_on : columns.stop + move_on]
            look = look + (part if weight_of_it == 1 else part * weight_of_it)
        looks.append(look)
    return looks


def _pick(looks: Sequence[np.ndarray], mover: Mover) -> np.ndarray:
    if isinstance(mover, int):
        return looks[mover]
    better = np.maximum if mover == "highest" else np.minimum
    best: np.ndarray = better(looks[0], looks[1]) if len(looks) == 2 else reduce(better, looks)
    return best


def _bits(masks: Sequence[np.ndarray]) -> np.ndarray:
    """One small integer for each place, bit k from mask k."""
    return reduce(or_, [mask.astype(np.uint8) << k for k, mask in enumerate(masks)])
