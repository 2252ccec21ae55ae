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


@dataclass(frozen=True)
class Window:
    """The states of a lattice that a result keeps: every so many steps, every so many scores from `low` to `high`."""

    game: ScoreGame
    low: int
    high: int
    step_stride: int = 1
    score_stride: int = 1

    @property
    def is_whole(self) -> bool:
        """Whether every state is kept."""
        return self.step_stride == self.score_stride == 1 and self.high == self.game.highest == -self.low

    def grid(self, states: np.ndarray, step_axis: str, score_axis: str) -> Grid:
        """The kept part of an array over (step, column), whose first axis may end one step before the end."""
        columns = slice(self.low + self.game.highest, self.high + self.game.highest + 1, self.score_stride)
        axes = {
            step_axis: range(0, len(states), self.step_stride),
            score_axis: range(self.low, self.high + 1, self.score_stride),
        }
        return Grid(np.ascontiguousarray(states[:: self.step_stride, columns]), axes)


def window(game: ScoreGame, value: np.ndarray, seen: np.ndarray) -> Window:
    """Everything if that is at most MOST_CELLS states, else the scores at which something is at stake, thinned out.

    value, seen: shape (horizon + 1, width); something is at stake where a state is seen and its value is not within a
    thousandth of 0 or 1.
    """
    if value.size <= MOST_CELLS:
        return Window(game, -game.highest, game.highest)
    at_stake = np.flatnonzero((seen & (value > 1e-3) & (value < 1 - 1e-3)).any(axis=0)) - game.highest
    low, high = (int(at_stake[0]), int(at_stake[-1])) if len(at_stake) else (0, 0)
    score_stride = 1 + (high - low) // MOST_SCORES
    scores = (high - low) // score_stride + 1
    return Window(game, low, high, 1 + len(value) * scores // MOST_CELLS, score_stride)


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
