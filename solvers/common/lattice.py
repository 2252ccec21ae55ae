"""A score that moves by choice and chance: its value and the best choices everywhere, by backward induction.

At each step one of two lotteries is chosen. Lottery k moves the score s up by its points v_k with probability p_k, else
down by as many, so that

    V(t, s) = best over k of  p_k V(t + 1, s + v_k) + (1 - p_k) V(t + 1, s - v_k),

where "best" is the larger value, the smaller one or that of a fixed k, depending on the mover of step t. V at the end
is 0, 1/2 or 1.
Source: backward induction, the principle of optimality (Bellman, Dynamic Programming, 1957).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Annotated, Any

import numpy as np

from site_builder.contract import ErrorBound, Grid
from solvers.common.score_game import (
    EITHER,
    FIRST,
    LOST,
    SECOND,
    UNREACHED,
    WON,
    ScoreGame,
    allowed,
    changes,
    halves,
    reach,
)

Chance = Annotated[Fraction | float, ErrorBound(1e-11)]
"""A probability of a result. In floats each of at most 10,000 steps takes a mean of two, and adds less than 1e-15."""


@dataclass(frozen=True, eq=False)
class Row:
    """The states of one step, for the scores from the lowest to the highest that the steps before it can reach.

    value: multiples of 1 / one; worth: the same for each lottery that may be taken, by its index.
    """

    one: int
    value: np.ndarray
    worth: dict[int, np.ndarray]


def backward(game: ScoreGame, exact: bool, beyond: int = 0) -> Iterator[Row]:
    """The rows of a game from the end back to the first step, in whole numbers if `exact`, else in floats.

    beyond: so many more scores on each side than a start at 0 can reach.
    """
    whole, most = denominator(game) if exact else 1, reach(game)
    number: type = int if exact else float
    farthest = most * len(game.movers) + beyond
    pay = halves(game, np.arange(-farthest, farthest + 1))
    value, one = (pay.astype(object), 2) if exact else (pay / 2, 1)
    yield Row(one, value, {})
    for step in reversed(range(len(game.movers))):
        worth, size = {}, 2 * (most * step + beyond) + 1
        for index, lottery in allowed(game, step).items():
            above, below = (value[most + move :][:size] for move in (lottery.points, -lottery.points))
            up, down = (number(share * whole) for share in (lottery.chance, 1 - lottery.chance))
            # With fair coins both weights are 1; the products would cost as much as the sum.
            worth[index] = above + below if up == down == 1 else up * above + down * below
        value = reduce(np.minimum if game.movers[step] == "lowest" else np.maximum, worth.values())
        one *= whole
        yield Row(one, value, worth)


def denominator(game: ScoreGame) -> int:
    """The common denominator of the chances."""
    return lcm(*(lottery.chance.denominator for lottery in game.lotteries))


def start(game: ScoreGame) -> Fraction:
    """The exact value of score 0 before the first step."""
    *_, first = backward(game, exact=True)
    return Fraction(first.value[0], first.one)


def by_steps_left(rows: Iterable[Row]) -> np.ndarray:
    """The value of score 0 with 0, 1, ... steps left, as floats. rows: from the end back."""
    return np.array([row.value[len(row.value) // 2] / row.one for row in rows], dtype=float)


def state_maps(
    game: ScoreGame, axes: tuple[str, str], names: tuple[str, str], theirs: Sequence[bool]
) -> dict[str, Any]:
    """The exact solution of a game, with maps over (step, score).

    start: the exact value at the start. by_steps_left: of score 0 with 0, 1, ... steps left. value: over your score,
    NaN where no play leads. best: the best choices, UNREACHED where no play leads. policy: the same, but WON or LOST
    where the value is 0 or 1. cost: what each choice gives away against the best one, NaN where there is no choice.
    Choices are over the score as their player sees it.

    axes: names of the steps and scores; names: of the choices. theirs: for each step True where an opponent chooses,
    whose score is the negative one.
    """
    steps, farthest = len(game.movers), reach(game) * len(game.movers)
    shape = steps, 2 * farthest + 1
    value, cost = np.full((steps + 1, shape[1]), np.nan), np.full((2, *shape), np.nan)
    best, policy = np.full((2, *shape), UNREACHED, dtype=np.int8)
    rows, places = [*backward(game, exact=True)][::-1], reached(game)
    for step, (row, scores) in enumerate(zip(rows, places, strict=True)):
        inside = scores + len(row.value) // 2
        value[step, scores + farthest] = row.value[inside] / row.one
        if step < steps:
            seen = farthest + (-scores if theirs[step] else scores)
            best[step, seen], policy[step, seen], cost[:, step, seen] = _choices(row, inside, theirs[step])
    maps = {axes[0]: range(steps), axes[1]: range(-farthest, farthest + 1)}
    return {
        "start": Fraction(rows[0].value[0], rows[0].one),
        "by_steps_left": by_steps_left(rows[::-1]),
        "value": Grid(value, {**maps, axes[0]: range(steps + 1)}),
        "best": Grid(best, maps),
        "policy": Grid(policy, maps),
        "cost": Grid(cost, {"choice": names, **maps}),
    }


def _choices(row: Row, inside: np.ndarray, is_theirs: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The best choices of some entries of a row, the policy, and the cost of both choices."""
    value, worth = row.value[inside], {index: each[inside] for index, each in row.worth.items()}
    won, lost = (0, row.one) if is_theirs else (row.one, 0)
    if len(worth) == 2:
        first, second = (each == value for each in worth.values())
        best = np.where(first & second, EITHER, np.where(second, SECOND, FIRST))
        gap = (np.abs(worth[0] - worth[1]) / row.one).astype(float)
        cost = np.where([first, second], 0, gap)
    else:
        best, cost = np.full(len(value), next(iter(worth))), np.full((2, len(value)), np.nan)
    return best, np.where(value == won, WON, np.where(value == lost, LOST, best)), cost


def reached(game: ScoreGame) -> list[np.ndarray]:
    """The scores that some play leads to, well or badly chosen, before each step and at the end, in rising order."""
    most, marks = reach(game), [np.ones(1, dtype=bool)]
    for step in range(len(game.movers)):
        after = np.zeros(2 * most * (step + 1) + 1, dtype=bool)
        for lottery in allowed(game, step).values():
            for _, change in changes(lottery):
                after[most + change :][: len(marks[-1])] |= marks[-1]
        marks.append(after)
    return [np.flatnonzero(some) - most * step for step, some in enumerate(marks)]


def last_steps(game: ScoreGame, most: int, middle: int, near: int, axes: tuple[str, str]) -> Grid:
    """The exact values with 0, 1, ..., `most` steps left, whether a play leads there or not.

    The scores are those that are at most `near` from the middle.
    """
    last = replace(game, movers=game.movers[-most:], win_from=game.win_from - middle)
    rows = []
    for row in backward(last, exact=True, beyond=near):
        centre = len(row.value) // 2
        rows.append([Fraction(value, row.one) for value in row.value[centre - near : centre + near + 1]])
    scores = range(middle - near, middle + near + 1)
    return Grid(np.array(rows), dict(zip(axes, (range(len(rows)), scores), strict=True)))
