"""Second methods for games in which coins move a score: whole rows of scores, marked states, games played.

Shares nothing with `lattice` but the rules: no score that can occur is left out, and none is decided in advance.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import lcm

import numpy as np

from site_builder.contract import Grid
from solvers.common.score_game import (
    EITHER,
    LAST_SCORES,
    LOST,
    UNREACHED,
    WON,
    ScoreGame,
    allowed,
    changes,
    halves,
    last_axes,
    map_axes,
)

LONG = 400
"""The limit of long games is estimated from games of so many steps and of four times as many."""


@dataclass(frozen=True, eq=False)
class Row:
    """The scores -far..far before a step, or at the end: all that can occur, and more.

    value: of each score, and worth: of each lottery that may be taken there, times `one`.
    """

    step: int
    far: int
    one: int
    value: np.ndarray
    worth: dict[int, np.ndarray]

    def at(self, values: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """The entries of some scores; beyond the row, where no score can occur, those of its ends."""
        return np.asarray(values[np.clip(scores + self.far, 0, 2 * self.far)])


def whole_rows(game: ScoreGame, exact: bool = False) -> Iterator[Row]:
    """The rows from the end back to the first step, with the values

    V(t, s) = best over the lotteries of { chance * V(t + 1, s + points) + (1 - chance) * V(t + 1, s - points) }.

    exact: in whole numbers, else in floats, where `one` is 1.
    """
    reach = max(lottery.points for lottery in game.lotteries)
    far = reach * (len(game.movers) + 1)
    pay = halves(game, np.arange(-far, far + 1))
    value, one = (pay.astype(object), 2) if exact else (pay / 2, 1)
    whole = lcm(*(lottery.chance.denominator for lottery in game.lotteries)) if exact else 1
    yield Row(len(game.movers), far, one, value, {})
    for step in reversed(range(len(game.movers))):
        far -= reach
        worth: dict[int, np.ndarray] = {}
        for index, lottery in allowed(game, step).items():
            parts = [
                (int(chance * whole) if exact else float(chance)) * value[reach + change : reach + change + 2 * far + 1]
                for chance, change in changes(lottery)
            ]
            worth[index] = np.asarray(sum(parts))
        value = reduce(np.minimum if game.movers[step] == "lowest" else np.maximum, worth.values())
        one *= whole
        yield Row(step, far, one, value, worth)


def occurring(game: ScoreGame) -> Iterator[np.ndarray]:
    """The scores that can occur before each step and at the end, found by marking each that can follow."""
    far = max(lottery.points for lottery in game.lotteries) * len(game.movers)
    marks = np.zeros(2 * far + 1, dtype=bool)
    marks[far] = True
    yield np.array([0])
    for step in range(len(game.movers)):
        moves = {change for lottery in allowed(game, step).values() for _, change in changes(lottery)}
        marks = np.logical_or.reduce([np.roll(marks, move) for move in moves])
        yield np.flatnonzero(marks) - far


class MapsByRows:
    """The maps of a game by whole rows; those of choices are exact, and as the player sees the score who chooses.

    theirs: for each step True where the opponent chooses. start: the value at the start; level: that of score 0 before
    each step and at the end. value: over the axes of the map. best, policy, cost, last_policy: as in StateMaps, for
    exact rows alone. needs: open states with a free choice that need the first lottery, the second, either; ties: the
    latter ones.
    """

    def __init__(self, game: ScoreGame, middle: int, theirs: Sequence[bool], exact: bool) -> None:
        self._steps, scores = map_axes(game)
        self._scores, self._theirs = np.array(scores), theirs
        self._occurring = {step: row for step, row in enumerate(occurring(game)) if step in self._steps}
        self.level = np.zeros(len(game.movers) + 1)
        self.value = np.full((len(self._steps), len(scores)), np.nan)
        shape = len(game.movers) if exact else 0, len(scores)
        self.best, self.policy = np.full(shape, UNREACHED), np.full(shape, UNREACHED)
        self.cost = np.full((2, *shape), np.nan)
        self.needs, self.ties = [0, 0, 0], list[tuple[int, int]]()
        for row in whole_rows(game, exact):
            self.level[row.step] = row.value[row.far] / row.one
            if row.step in self._steps:
                occurs = np.isin(self._scores, self._occurring[row.step])
                chances = row.at(row.value, self._scores) / row.one
                self.value[row.step // self._steps.step] = np.where(occurs, chances.astype(float), np.nan)
            if exact and row.worth:
                self._choices(row, self._scores[occurs])
        self.start = Fraction(row.value[row.far], row.one) if exact else float(self.level[0])
        self.ties = self.ties[::-1]
        steps, near = last_axes(game, middle) if exact else (range(0), range(0))
        self.last_policy = {(step, score): self.policy[step, score - scores[0]] for step in steps for score in near}

    def near_start(self) -> dict[tuple[int, int], float]:
        """The entries of `value` at the scores near 0 that can occur, by step and score."""
        scores = {column: score for column, score in enumerate(self._scores.tolist()) if abs(score) <= LAST_SCORES}
        return {
            (step, score): float(self.value[row, column])
            for row, step in enumerate(self._steps)
            for column, score in scores.items()
            if not np.isnan(self.value[row, column])
        }

    def _choices(self, row: Row, scores: np.ndarray) -> None:
        """Fill in a step of the maps of choices, at the scores that can occur."""
        good = {index: row.at(worth == row.value, scores) for index, worth in row.worth.items()}
        won, lost = (row.at(row.value == end, scores) for end in (row.one, 0))
        seen = scores
        if self._theirs[row.step]:
            won, lost, seen = lost, won, -scores
        best = (
            np.where(good[0] & good[1], EITHER, good[1]) if len(good) == 2 else np.full(len(scores), next(iter(good)))
        )
        policy = np.where(won, WON, np.where(lost, LOST, best))
        at = row.step, seen - self._scores[0]
        self.best[at], self.policy[at] = best, policy
        if len(good) == 2:
            for index, worth in row.worth.items():
                self.cost[index, *at] = row.at(abs(row.value - worth), scores) / row.one
            self.needs = [number + int((policy == code).sum()) for code, number in enumerate(self.needs)]
            self.ties += [(row.step, score) for score in sorted(seen[policy == EITHER].tolist(), reverse=True)]


def play(game: ScoreGame, best: Grid, theirs: Sequence[bool], seed: int) -> tuple[float, int]:
    """The mean pay of seeded games, and how many: choices looked up in a map, two equally good ones in turn."""
    games = max(1000, min(20_000, 4_000_000 // len(game.movers)))
    random = np.random.default_rng(seed)
    lowest, players = int(tuple(best.axes.values())[1][0]), 1 + any(theirs)
    points = np.array([lottery.points for lottery in game.lotteries])
    chances = np.array([float(lottery.chance) for lottery in game.lotteries])
    scores = np.zeros(games, dtype=np.int64)
    for step, is_theirs in enumerate(theirs):
        looked_up = best.values[step, (-scores if is_theirs else scores) - lowest]
        taken = np.where(looked_up == EITHER, step // players % 2, looked_up)
        scores += np.where(random.random(games) < chances[taken], 1, -1) * points[taken]
    return float(halves(game, scores).sum()) / 2 / games, games


def followed(game: ScoreGame, take: Callable[[int, int], int]) -> float:
    """The chance of a strategy, by the distribution of the score step by step. take: index by step and score."""
    chances = {0: 1.0}
    for step in range(len(game.movers)):
        after: dict[int, float] = defaultdict(float)
        for score, chance in chances.items():
            for share, change in changes(game.lotteries[take(step, score)]):
                after[score + change] += chance * float(share)
        chances = after
    return float(sum(chance * halves(game, score) for score, chance in chances.items()) / 2)


def limit_of_long_games(game: Callable[[int], ScoreGame]) -> float:
    """The limit of the chance: what is missing halves when the steps are four times as many, so two games give it."""
    short, long = (float([row.value[row.far] for row in whole_rows(game(steps))][-1]) for steps in (LONG, 4 * LONG))
    return 2 * long - short
