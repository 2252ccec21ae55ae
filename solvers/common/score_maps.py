"""Maps over (step, score) as figures draw them: the part that matters, faded states, the cost of a wrong choice."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from site_builder.contract import Action, Grid, Heatmap

OPEN_FROM, OPEN_TO = 0.01, 0.99
"""A state with a value outside of this range is drawn pale or left out: hardly anything is at stake any more."""

DECIDED = (Action("won", "+"), Action("lost", "−"))
"""How a map of choices shows a state in which the game is decided, for the player who chooses."""


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


def costs_and_values(policy: Grid, value: Grid, cost: Grid, value_label: str) -> dict[str, Any]:
    """The hints of a map of choices: the chance in each state, and what each choice gives away."""
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


def steps_by_hand(table: Grid, names: Sequence[str], value_label: str, labels: dict[str, str], **style: Any) -> Any:
    """The table of the last steps, filled row by row: a heatmap for each name of a row."""
    across, known = list(table.axes)[1], np.indices(table.values.shape)[0]
    style = {"value_range": (0.0, 1.0), "cell_text": "fraction", **style}
    return [
        Heatmap(f"{name} left", table, across, value_label, "", labels, drawn=known <= row, **style)
        for row, name in enumerate(names)
    ]
