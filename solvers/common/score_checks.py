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
    LAST_STEPS,
    LOST,
    UNREACHED,
    WON,
    ScoreGame,
    allowed,
    changes,
    halves,
    map_axes,
)

LONG = 400
"""The limit of long games is estimated from games of so many steps and of four times as many."""


def whole_rows(game: ScoreGame, exact: bool = False) -> Iterator[tuple[np.ndarray, dict[int, np.ndarray]]]:
    """From the end back to the first step the values of all scores, and those of each lottery that may be taken,

    V(t, s) = best over the lotteries of { chance * V(t + 1, s + points) + (1 - chance) * V(t + 1, s - points) }.

    A row has the scores that can occur, and as many more on each side as a step can move. exact: in whole numbers, with
    the factors of `ones`, else in floats.
    """
    reach = max(lottery.points for lottery in game.lotteries)
    far = reach * (len(game.movers) + 1)
    whole = lcm(*(lottery.chance.denominator for lottery in game.lotteries)) if exact else 1
    sides = [
        [(int(chance * whole) if exact else float(chance), change) for chance, change in changes(lottery)]
        for lottery in game.lotteries
    ]
    pay = halves(game, np.arange(-far, far + 1))
    value = pay.astype(object) if exact else pay / 2
    yield value, {}
    for step in reversed(range(len(game.movers))):
        wide = np.pad(value, reach, mode="edge")  # what is beyond the row cannot occur
        worth = {
            index: np.asarray(sum(share * wide[reach + move :][: len(value)] for share, move in sides[index]))
            for index in allowed(game, step)
        }
        value = reduce(np.minimum if game.movers[step] == "lowest" else np.maximum, worth.values())
        yield value, worth


def ones(game: ScoreGame) -> np.ndarray:
    """The whole number of an exact row that means 1, for each step and the end: a column."""
    whole, end = lcm(*(lottery.chance.denominator for lottery in game.lotteries)), len(game.movers)
    return np.array([2 * whole ** (end - step) for step in range(end + 1)], dtype=object)[:, np.newaxis]


def chances_at_start(game: ScoreGame) -> list[float]:
    """The value of score 0 with 0, 1, ... steps left, in floats."""
    return [float(value[len(value) // 2]) for value, _ in whole_rows(game)]


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


def values_near_start(game: ScoreGame) -> dict[tuple[int, int], float]:
    """The values of the scores near 0 that can occur, by step and score, of those on the map."""
    steps, scores = map_axes(game)
    near = {score for score in scores if abs(score) <= LAST_SCORES}
    marked = {step: near & set(row.tolist()) for step, row in enumerate(occurring(game)) if step in steps}
    found: dict[tuple[int, int], float] = {}
    for left, (value, _) in enumerate(whole_rows(game)):
        step = len(game.movers) - left
        found |= {(step, score): float(value[len(value) // 2 + score]) for score in marked.get(step, ())}
    return found


@dataclass(frozen=True, eq=False)
class RowMaps:
    """The exact maps of a game by whole rows, those of choices as the player sees the score who chooses.

    start: the value at the start. value, best, policy, cost: as in StateMaps; last_policy: the same by step and score.
    needs: open states with a free choice that need the first lottery, the second, either; ties: the latter ones.
    """

    start: Fraction
    value: np.ndarray
    best: np.ndarray
    policy: np.ndarray
    cost: np.ndarray
    last_policy: dict[tuple[int, int], int]
    needs: list[int]
    ties: list[tuple[int, int]]


def maps_by_rows(game: ScoreGame, middle: int, theirs: Sequence[bool]) -> RowMaps:
    """The maps of a game small enough to keep every state. theirs: for each step True where the opponent chooses."""
    rows = [*whole_rows(game, exact=True)][::-1]
    reach, scores = max(lottery.points for lottery in game.lotteries), map_axes(game)[1]
    one, value = ones(game), np.array([row for row, _ in rows])[:, reach:-reach]
    occurs = np.array([np.isin(scores, row) for row in occurring(game)])
    turned = np.array(theirs)[:, np.newaxis]
    is_free = np.array([[len(worth) == 2] for _, worth in rows[:-1]])
    worth = [np.array([each.get(index, row - 1) for row, each in rows[:-1]])[:, reach:-reach] for index in (0, 1)]
    first, second = (each == value[:-1] for each in worth)
    best = np.where(first & second, EITHER, second)
    won, lost = value[:-1] == one[:-1], value[:-1] == 0
    decided = np.where(won != turned, WON, LOST)
    policy = np.where(won | lost, decided, best)

    def seen(states: np.ndarray, otherwise: float) -> np.ndarray:
        some = np.where(occurs[:-1], states, otherwise)
        return np.where(turned, some[:, ::-1], some)

    best, policy = seen(best, UNREACHED), seen(policy, UNREACHED)
    lost_by = [(np.abs(each - value[:-1]) / one[:-1]).astype(float) for each in worth]
    is_open = [(policy == code) & is_free for code in range(3)]
    reach = max(lottery.points for lottery in game.lotteries)
    side, farthest = min(LAST_SCORES, 6 * reach), reach * len(game.movers)
    steps = range(len(game.movers))[-LAST_STEPS:]
    low, high = (sorted((-farthest, score, farthest))[1] for score in (middle - side, middle + side))
    near = range(low, high + 1)
    return RowMaps(
        start=Fraction(value[0, len(scores) // 2], one[0, 0]),
        value=np.where(occurs, (value / one).astype(float), np.nan),
        best=best,
        policy=policy,
        cost=np.array([seen(np.where(is_free, each, np.nan), np.nan) for each in lost_by]),
        last_policy={(step, score): policy[step, score - scores[0]] for step in steps for score in near},
        needs=[int(states.sum()) for states in is_open],
        ties=[(int(step), scores[column]) for step, column in np.argwhere(is_open[EITHER])],
    )


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
    short, long = (chances_at_start(game(steps))[-1] for steps in (LONG, 4 * LONG))
    return 2 * long - short
