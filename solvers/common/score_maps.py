"""Maps over (step, score): what a result keeps of a lattice, and how figures draw it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from site_builder.contract import Action, Grid
from solvers.common.lattice import Lattice
from solvers.common.score_game import EITHER, LOST, UNREACHED, WON, ScoreGame, allowed, is_whole, last_axes, map_axes

OPEN_FROM, OPEN_TO = 0.01, 0.99
"""A state with a value outside of this range is drawn pale or left out: hardly anything is at stake any more."""

DECIDED = (Action("won", "+"), Action("lost", "−"))
"""How a map of choices shows a state in which the game is decided, for the player who chooses."""


@dataclass(frozen=True, eq=False)
class StateMaps:
    """The maps of a result, all but `value` with the score as the player sees it who chooses there.

    value: over your score, NaN where no play leads. best: the best choices, UNREACHED where no play leads. policy: the
    same, but WON or LOST where the value is 0 or 1. last_policy: the policy of the last steps. cost: what each choice
    gives away against the best one, NaN where there is no choice; None where the maps have not all states.
    states: the policy of all states of the lattice, by step and column.
    """

    value: Grid
    best: Grid
    policy: Grid
    last_policy: Grid
    cost: Grid | None
    states: np.ndarray


def state_maps(
    game: ScoreGame, lattice: Lattice, axes: tuple[str, str], names: tuple[str, str], middle: int, mirrored: Any = False
) -> StateMaps:
    """The maps of a lattice. axes: names of the steps and scores; names: of the choices.

    middle: of the scores of `last_policy`. mirrored: for each step True where an opponent chooses, whose score is the
    negative one.
    """
    theirs = np.broadcast_to(np.asarray(mirrored), len(game.movers))[:, np.newaxis]
    best = np.where(lattice.reached[:-1], lattice.choices, np.int8(UNREACHED))
    lost = (lattice.value[:-1] < 0.5) != theirs
    policy = np.where(lattice.decided & (best != UNREACHED), np.where(lost, np.int8(LOST), np.int8(WON)), best)
    best, policy = (np.where(theirs, states[:, ::-1], states) for states in (best, policy))
    steps, scores = map_axes(game)
    before = range(0, len(game.movers), steps.step)
    cost = None
    if is_whole(game):
        costs = _costs(game, lattice)
        cost = Grid(np.where(theirs, costs[:, :, ::-1], costs), {"choice": names, axes[0]: before, axes[1]: scores})
    value = np.where(lattice.reached, lattice.value, np.nan)
    last = last_axes(game, middle)
    return StateMaps(
        _cut(value, steps, scores, axes),
        _cut(best, before, scores, axes),
        _cut(policy, before, scores, axes),
        _cut(policy, *last, axes),
        cost,
        policy,
    )


def _cut(states: np.ndarray, steps: Sequence[int], scores: Sequence[int], axes: tuple[str, str]) -> Grid:
    """Some steps and scores of an array over (step, column); scores beyond its columns are left out."""
    middle = states.shape[1] // 2
    scores = [score for score in scores if abs(score) <= middle]
    return Grid(states[np.ix_(steps, np.array(scores) + middle)], dict(zip(axes, (steps, scores), strict=True)))


def _costs(game: ScoreGame, lattice: Lattice) -> np.ndarray:
    """The difference of the value of each state and the mean value after each choice: shape (2, steps, columns)."""
    reach, size = max(lottery.points for lottery in game.lotteries), len(lattice.scores)
    after = np.pad(lattice.value[1:], ((0, 0), (reach, reach)))
    is_free = np.array([len(allowed(game, step)) == 2 for step in range(len(game.movers))])[:, np.newaxis]
    costs = []
    for index, lottery in enumerate(game.lotteries):
        above, below = (after[:, reach + move : reach + move + size] for move in (lottery.points, -lottery.points))
        mean = float(lottery.chance) * above + float(1 - lottery.chance) * below
        is_best = (lattice.choices == index) | (lattice.choices == EITHER)
        cost = np.where(is_best, 0, np.abs(mean - lattice.value[:-1]))  # exactly 0, whatever the rounding
        costs.append(np.where(lattice.reached[:-1] & is_free, cost, np.nan))
    return np.array(costs)


def scores_in_play(value: Grid, symmetric: bool = False) -> list[Any]:
    """The scores that can be reached and lie between scores at which the game is still open.

    All scores that can be reached when no state is open. symmetric: with a score its negative is in play too.
    """
    is_open = np.flatnonzero(((value.values >= OPEN_FROM) & (value.values <= OPEN_TO)).any(axis=0))
    reached = ~np.isnan(value.values).all(axis=0)
    in_play = np.zeros(len(reached), dtype=bool)
    in_play[slice(is_open[0], is_open[-1] + 1) if len(is_open) else slice(None)] = True
    if symmetric:
        in_play, reached = in_play | in_play[::-1], reached | reached[::-1]
    scores = tuple(value.axes.values())[1]
    return [score for score, shown in zip(scores, in_play & reached, strict=True) if shown]


def part(grid: Grid, *coordinates: Sequence[Any]) -> Grid:
    """The part of a grid at some coordinates of each axis."""
    places = [
        [list(axis).index(one) for one in some] for axis, some in zip(grid.axes.values(), coordinates, strict=True)
    ]
    return Grid(grid.values[np.ix_(*places)], dict(zip(grid.axes, coordinates, strict=True)))


def costs_and_values(policy: Grid, value: Grid, cost: Grid | None, value_label: str) -> dict[str, Any]:
    """The hints of a map of choices: the chance in each state, and what each choice gives away."""
    if cost is None:
        return {}
    steps, scores = policy.axes.values()
    costs = {name: part(cost.along(choice=name), steps, scores) for name in cost.axes["choice"]}
    return {
        "costs": {name: Grid(100 * each.values, each.axes) for name, each in costs.items()},
        "cost_unit": "percentage points",
        "value": part(value, steps, scores),
        "value_label": value_label,
        "percent": True,
    }


def chance_style(value: Grid) -> dict[str, Any]:
    """How a heatmap of chances is drawn: reached states only, from 0 to 1, pale where the game is hardly open."""
    hardly_open = (value.values < OPEN_FROM) | (value.values > OPEN_TO)
    return {"drawn": ~np.isnan(value.values), "faded": hardly_open, "value_range": (0.0, 1.0), "percent": True}
