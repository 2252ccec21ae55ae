"""Maps over (step, score): the part of a large lattice that is worth keeping, and the part that is worth drawing."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from site_builder.contract import Grid
from solvers.common.lattice import ScoreGame

OPEN_FROM, OPEN_TO = 0.01, 0.99
"""Outside of this range of values a state is drawn pale or left out: hardly anything is at stake any more."""


MOST_CELLS, MOST_SCORES = 200_000, 2_000
"""A result keeps so many states; of a larger lattice so many scores at most."""


@dataclass(frozen=True, eq=False)
class Window:
    """The states of a lattice that a result keeps: every so many steps, and some of the scores.

    columns: the kept columns of the lattice, in order.
    """

    game: ScoreGame
    columns: np.ndarray
    step_stride: int = 1

    @property
    def is_whole(self) -> bool:
        """Whether every state is kept."""
        return self.step_stride == 1 and len(self.columns) == self.game.width

    def grid(self, states: np.ndarray, step_axis: str, score_axis: str) -> Grid:
        """The kept part of an array over (step, column), whose first axis may end one step before the end."""
        axes = {
            step_axis: range(0, len(states), self.step_stride),
            score_axis: (self.columns - self.game.highest).tolist(),
        }
        return Grid(np.ascontiguousarray(states[:: self.step_stride, self.columns]), axes)


def window(game: ScoreGame, value: np.ndarray, seen: np.ndarray, symmetric: bool = False) -> Window:
    """Everything if that is at most MOST_CELLS states, else the scores at which something is at stake, thinned out.

    value, seen: shape (horizon + 1, width); something is at stake where a state is seen and its value is not within a
    thousandth of 0 or 1. symmetric: with a score its negative is kept too. An odd number of steps stands between kept
    ones, so that the steps of both of two alternating players are among them.
    """
    if value.size <= MOST_CELLS:
        return Window(game, np.arange(game.width))
    at_stake = np.flatnonzero((seen & (value > 1e-3) & (value < 1 - 1e-3)).any(axis=0))
    mirrored = game.width - 1 - at_stake if symmetric else at_stake
    columns = np.unique(np.concatenate([at_stake, mirrored, [game.highest]]))
    stride = 1 + len(columns) // MOST_SCORES
    columns = columns[len(columns) // 2 % stride :: stride]
    return Window(game, columns, 1 + len(value) * len(columns) // MOST_CELLS | 1)


def part(grid: Grid, first: Sequence[bool] | np.ndarray, second: Sequence[bool] | np.ndarray) -> Grid:
    """The rows and columns of a two-axis grid for which `first` and `second` are true."""
    kept = [np.flatnonzero(np.asarray(mask)) for mask in (first, second)]
    axes = {name: [ends[i] for i in keep.tolist()] for (name, ends), keep in zip(grid.axes.items(), kept, strict=True)}
    return Grid(grid.values[np.ix_(*kept)], axes)


def scores_in_play(value: Grid) -> np.ndarray:
    """For each coordinate of the second axis, whether it lies between scores at which the game is still open.

    Values that are NaN are states that do not occur. All true when no state is open.
    """
    with np.errstate(invalid="ignore"):
        is_open = (value.values >= OPEN_FROM) & (value.values <= OPEN_TO)
    places, columns = np.flatnonzero(is_open.any(axis=0)), np.arange(value.values.shape[1])
    if not len(places):
        return columns >= 0
    return np.asarray((columns >= places[0]) & (columns <= places[-1]))


def hardly_open(value: Grid) -> np.ndarray:
    """Where the value is nearly 0 or 1: shape of the grid."""
    with np.errstate(invalid="ignore"):
        return np.asarray((value.values < OPEN_FROM) | (value.values > OPEN_TO))
