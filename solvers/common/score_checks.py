"""Second methods for games in which coins move a score: whole rows of scores, marked states, games played.

Shares nothing with `lattice` but the rules. A row has every score from the lowest to the highest of the game; moves
beyond its ends come in at the other end, which no play from a score of 0 ever meets.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Any

import numpy as np

from site_builder.contract import Grid, close
from solvers.common.score_game import EITHER, LOST, UNREACHED, WON, ScoreGame, allowed, changes, halves, reach

GAMES = 10_000


def whole_rows(game: ScoreGame, exact: bool) -> Iterator[tuple[Any, np.ndarray, dict[int, np.ndarray]]]:
    """From the end back to the first step what means 1, the values of all scores, and those of each lottery allowed,

    V(t, s) = best over the lotteries of { chance * V(t + 1, s + points) + (1 - chance) * V(t + 1, s - points) }.

    exact: in whole numbers, 2 at the end and with the denominator of the chances as a factor for each step.
    """
    whole, number = (lcm(*(lottery.chance.denominator for lottery in game.lotteries)), int) if exact else (1, float)
    pay, one = halves(game, scores_of(game)), 2 if exact else 1
    value = pay.astype(object) if exact else pay / 2
    yield one, value, {}
    for step in reversed(range(len(game.movers))):
        worth, twice, size = {}, np.concatenate([value, value]), len(value)
        for index, lottery in allowed(game, step).items():
            moved = [(number(share * whole), twice[change % size :][:size]) for share, change in changes(lottery)]
            # With fair coins all shares are 1; the products would cost as much as the sum.
            worth[index] = reduce(np.add, [part if share == 1 else share * part for share, part in moved])
        value = reduce(np.minimum if game.movers[step] == "lowest" else np.maximum, worth.values())
        one *= whole
        yield one, value, worth


def scores_of(game: ScoreGame) -> np.ndarray:
    """The scores of a row."""
    farthest = reach(game) * len(game.movers)
    return np.arange(-farthest, farthest + 1)


def chances_at_start(game: ScoreGame) -> list[float]:
    """The value of score 0 with 0, 1, ... steps left, in floats."""
    return [float(value[len(value) // 2]) for _, value, _ in whole_rows(game, exact=False)]


def marked(game: ScoreGame) -> np.ndarray:
    """True for each score of a row that can occur before each step and at the end, by marking each that can follow."""
    marks = [scores_of(game) == 0]
    for step in range(len(game.movers)):
        moves = {change for lottery in allowed(game, step).values() for _, change in changes(lottery)}
        marks.append(np.logical_or.reduce([np.roll(marks[-1], move) for move in moves]))
    return np.array(marks)


def maps_by_rows(game: ScoreGame, theirs: Sequence[bool]) -> dict[str, Any]:
    """The start and the maps as of `state_maps`, by whole rows in whole numbers.

    theirs: for each step True where the opponent chooses, who sees the score with its sign turned.
    """
    rows, occurs, mirrored = [*whole_rows(game, exact=True)][::-1], marked(game), np.array(theirs)[:, np.newaxis]
    best, policy, cost = map(np.array, zip(*map(_choices, rows[:-1], theirs), strict=True))

    def seen(states: np.ndarray, otherwise: float) -> np.ndarray:
        some = np.where(occurs[:-1], states, otherwise)
        return np.where(mirrored, some[..., ::-1], some)

    one, value, _ = rows[0]
    return {
        "start": Fraction(value[len(value) // 2], one),
        "value": np.where(occurs, [(value / one).astype(float) for one, value, _ in rows], np.nan),
        "best": seen(best, UNREACHED),
        "policy": seen(policy, UNREACHED),
        "cost": close(seen(cost.swapaxes(0, 1), np.nan), absolute=1e-12),
    }


def _choices(row: tuple[Any, np.ndarray, dict[int, np.ndarray]], is_theirs: bool) -> tuple[np.ndarray, ...]:
    """The best choice for each score of a row, the policy, and what each choice gives away."""
    one, value, worth = row
    tied = np.logical_and.reduce([each == value for each in worth.values()])
    best = np.where(tied, EITHER if len(worth) == 2 else next(iter(worth)), worth.get(1) == value)
    decided = np.where((value == one) == is_theirs, LOST, WON)
    cost = [(np.abs(worth[index] - value) / one).astype(float) for index in (0, 1)] if len(worth) == 2 else np.nan
    policy = np.where((value == 0) | (value == one), decided, best)
    return best, policy, np.broadcast_to(cost, (2, len(value)))


def play(game: ScoreGame, best: Grid, seed: int) -> tuple[float, int]:
    """The mean pay of seeded games, and how many: choices looked up in a map, two equally good ones in turn."""
    random, middle = np.random.default_rng(seed), best.values.shape[1] // 2
    points = np.array([lottery.points for lottery in game.lotteries])
    chances = np.array([float(lottery.chance) for lottery in game.lotteries])
    scores = np.zeros(GAMES, dtype=np.int64)
    for step, choices in enumerate(best.values):
        looked_up = choices[middle + scores]
        taken = np.where(looked_up == EITHER, step % 2, looked_up)
        scores += np.where(random.random(GAMES) < chances[taken], 1, -1) * points[taken]
    return float(halves(game, scores).sum()) / 2 / GAMES, GAMES


def limit_of_long_games(game: Callable[[int], ScoreGame], long: int) -> float:
    """The limit of the chance, from games of `long` steps and of four times as many, which miss it by half as much."""
    short, longer = (chances_at_start(game(steps))[-1] for steps in (long, 4 * long))
    return 2 * longer - short
