"""Maps over (step, score): the part of a lattice that a result keeps, the part that a figure draws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from site_builder.contract import Action, Grid
from solvers.common.lattice import DECIDED, EITHER, FIRST, SECOND, UNREACHED, Lattice, Lottery

OPEN_FROM, OPEN_TO = 0.01, 0.99
"""A state with a value outside of this range is drawn pale or left out: hardly anything is at stake any more."""

MOST_CELLS, MOST_SCORES = 200_000, 2_000
"""A result keeps at most so many states, and of a larger lattice at most so many scores."""

DECIDED_STATES = (Action("won", "+"), Action("lost", "−"), Action("decided", "·"))
"""How a map of choices shows a state in which the game is decided: won or lost for its player, or not known which."""

LAST_STEPS, LAST_SCORES = 20, 24
"""The map of the last steps: so many steps, and so many scores to each side, at most."""


@dataclass(frozen=True, eq=False)
class StateMaps:
    """The states of a lattice that a result keeps, as grids.

    axes: the names of the steps and of the scores. columns: the kept columns of the lattice, in order. stride: every
    so many steps are kept.
    """

    lattice: Lattice
    axes: tuple[str, str]
    columns: np.ndarray
    stride: int = 1

    @property
    def is_whole(self) -> bool:
        """Whether every state is kept."""
        return self.stride == 1 and len(self.columns) == 2 * self.lattice.game.farthest + 1

    def value(self) -> Grid:
        """The value of every kept state, NaN where no play leads."""
        return self.grid(np.where(self.lattice.game.reached, self.lattice.value, np.nan))

    def grid(self, states: np.ndarray) -> Grid:
        """The kept part of an array over (step, column), whose first axis may end one step before the end."""
        game = self.lattice.game
        scores: Sequence[int] = range(-game.highest, game.highest + 1)
        if len(self.columns) < len(scores):
            states, scores = states[:, self.columns], game.scores[self.columns].tolist()
        coordinates = range(0, len(states), self.stride), scores
        return Grid(np.ascontiguousarray(states[:: self.stride]), dict(zip(self.axes, coordinates, strict=True)))

    def last_steps(self, states: np.ndarray, middle: int) -> Grid:
        """The last steps of an array over (step, column): at most six of the larger moves to each side of a score."""
        game = self.lattice.game
        first, side = max(0, game.horizon - LAST_STEPS), min(LAST_SCORES, 6 * game.reach)
        low, high = (min(max(score, -game.highest), game.highest) for score in (middle - side, middle + side))
        kept = np.ascontiguousarray(states[first:, low + game.highest : high + game.highest + 1])
        coordinates = range(first, game.horizon), range(low, high + 1)
        return Grid(kept, dict(zip(self.axes, coordinates, strict=True)))


def state_maps(lattice: Lattice, axes: tuple[str, str], symmetric: bool = False) -> StateMaps:
    """Keep every state if that is at most MOST_CELLS, else the scores at which something is at stake, thinned out.

    Something is at stake where a state is reached and its value is not within a thousandth of 0 or 1. symmetric: with
    a score its negative is kept too. The stride is odd, so that steps of both of two alternating players are kept.
    """
    value, game = lattice.value, lattice.game
    if value.size <= MOST_CELLS:
        return StateMaps(lattice, axes, np.arange(len(game.scores)))
    at_stake = np.flatnonzero((game.reached & (value > 1e-3) & (value < 1 - 1e-3)).any(axis=0))
    mirrored = len(game.scores) - 1 - at_stake if symmetric else at_stake
    columns = np.unique(np.concatenate([at_stake, mirrored, [game.highest]]))
    thinning = 1 + len(columns) // MOST_SCORES
    columns = columns[len(columns) // 2 % thinning :: thinning]
    return StateMaps(lattice, axes, columns, 1 + len(value) * len(columns) // MOST_CELLS | 1)


def part_in_play(grid: Grid, value: Grid, symmetric: bool = False) -> Grid:
    """The part of a map with the scores that can be reached and lie between scores at which the game is still open.

    All scores that can be reached when no state is open. symmetric: with a score its negative is in play too.
    """
    is_open = ((value.values >= OPEN_FROM) & (value.values <= OPEN_TO)).any(axis=0)
    reached = ~np.isnan(value.values).all(axis=0)
    places = np.flatnonzero(is_open)
    in_play = np.zeros(len(reached), dtype=bool)
    in_play[slice(places[0], places[-1] + 1) if len(places) else slice(None)] = True
    if symmetric:
        in_play, reached = in_play | in_play[::-1], reached | reached[::-1]
    columns = np.flatnonzero(in_play & reached)
    (steps, step), (scores, score) = grid.axes.items()
    return Grid(grid.values[:, columns], {steps: step, scores: [score[place] for place in columns.tolist()]})


def won_and_lost(policy: Grid, told: Mapping[str, Any]) -> Grid:
    """A map of best choices with its decided states told apart, as codes of DECIDED_STATES after the choices.

    told: the facts of the map; its `value` has the value of each state, of the shape of the policy. Without one nothing
    is told apart.
    """
    decided = policy.values == DECIDED
    lost = told["value"].values < 0.5 if "value" in told else np.full(policy.values.shape, 2)
    return Grid(np.where(decided, DECIDED + lost, policy.values), policy.axes)


def costs_of_choices(lattice: Grid, best: Grid, lotteries: tuple[Lottery, Lottery], lowest: np.ndarray) -> np.ndarray:
    """What each lottery gives away against the better one, in percentage points: shape (2 lotteries, *shape of best).

    lattice: the value of every state, over all steps and scores, NaN where no play leads. best: the best choices as
    codes, over the same axes without the end. lowest: for each step whether its mover wants the value low. NaN where no
    play leads, exactly 0 for a best choice, whatever the rounding of the values.
    """
    after = [_expected(lattice.values[1:], lottery) for lottery in lotteries]
    sign = np.where(lowest, -1, 1)[:, np.newaxis]
    gain = sign * (after[0] - after[1])
    lost = 100 * np.maximum(0, np.array([-gain, gain]))
    for code in (FIRST, SECOND):
        lost[code][(best.values == code) | (best.values == EITHER)] = 0
    return np.where(best.values == UNREACHED, np.nan, lost)


def _expected(after: np.ndarray, lottery: Lottery) -> np.ndarray:
    """The expected value of a lottery before each step; after: the values after it, shape (steps, columns)."""
    size = after.shape[1]
    wide = np.pad(after, ((0, 0), (lottery.points, lottery.points)), constant_values=np.nan)
    above, below = wide[:, 2 * lottery.points :], wide[:, :size]
    up = float(lottery.chance)
    return np.asarray((up * above if up else 0) + ((1 - up) * below if up < 1 else 0))


def same_part(states: np.ndarray, whole: Grid, part: Grid) -> Grid:
    """The values at the coordinates of a part of a grid. states: of the shape of the whole grid."""
    pairs = zip(whole.axes.values(), part.axes.values(), strict=True)
    places = [[list(every).index(one) for one in some] for every, some in pairs]
    return Grid(np.ascontiguousarray(states[np.ix_(*places)]), part.axes)


def chance_style(value: Grid) -> dict[str, Any]:
    """How a heatmap of chances is drawn: reached states only, from 0 to 1, pale where the game is hardly open."""
    hardly_open = (value.values < OPEN_FROM) | (value.values > OPEN_TO)
    return {"drawn": ~np.isnan(value.values), "faded": hardly_open, "value_range": (0.0, 1.0), "percent": True}
