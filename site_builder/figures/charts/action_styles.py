"""The colour, hatch and letter of each action on a map, and of areas in which two actions alternate."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.path import Path

from site_builder.contract import Action
from site_builder.figures.canvas.canvas import Box, Canvas
from site_builder.figures.canvas.palette import AXIS, HATCH, Colour, fill
from site_builder.figures.charts.axes import draw_letter
from site_builder.figures.charts.grid_map import GridLayout
from site_builder.figures.charts.regions import border_length, merge_alternating, outline

SMALL_CELL = 8.0  # pixels; in smaller cells, areas in which two actions alternate are drawn as one
MOST_BORDER = 8000  # cell edges; an outline with more of them takes as many bytes as a list of cells


@dataclass(frozen=True)
class ActionStyle:
    """How an action is drawn: in one colour, or in stripes of two. `letter` may be empty."""

    label: str
    letter: str
    colour: Colour
    hatch: str
    stripe: Colour | None = None

    def draw(self, canvas: Canvas, path: Path, edge: Colour, width: float, quiet: bool = False) -> None:
        """Draw a shape in this style. quiet: with a fainter hatch, for a shape under letters."""
        if self.stripe is not None:
            canvas.shape(path, self.colour, edge, width, "/", self.stripe, hatch_opacity=1, hatch_width=4.2)
        else:
            canvas.shape(path, self.colour, edge, width, self.hatch, HATCH, hatch_opacity=0.25 if quiet else 0.4)

    def sample(self) -> Callable[[Canvas, Box], None]:
        """Return the function that draws the sample in the legend."""

        def draw(canvas: Canvas, box: Box) -> None:
            self.draw(canvas, box.outline(), AXIS, 0.8, quiet=bool(self.letter))
            draw_letter(canvas, box, self.letter if self.stripe is None else "")

        return draw


def action_styles(
    actions: Sequence[Action], codes: np.ndarray, layout: GridLayout, merge: bool = True
) -> tuple[np.ndarray, dict[int, ActionStyle]]:
    """Return the codes to draw and the style of each code that occurs, in the order of the actions.

    merge: whether areas of small cells in which two actions alternate get a code of their own.
    """
    pairs: dict[int, tuple[int, int]] = {}
    if merge and min(layout.cell) < SMALL_CELL:
        codes, pairs = merge_alternating(codes)
    present = set(np.unique(codes).tolist())
    styles = {i: ActionStyle(action.name, action.letter, *fill(i)) for i, action in enumerate(actions) if i in present}
    for code, (one, other) in pairs.items():
        a, b = actions[one], actions[other]
        letters = f"{a.letter}/{b.letter}" if a.letter and b.letter else ""
        label = f"{a.name} and {b.name} by turns, cell by cell"
        styles[code] = ActionStyle(label, letters, fill(one)[0], "", fill(other)[0])
    return codes, styles


def too_scattered(codes: np.ndarray, code: int) -> bool:
    """Whether the outline of the cells with this code is too long to be drawn."""
    return border_length(codes == code) > MOST_BORDER


def area_path(layout: GridLayout, codes: np.ndarray, code: int) -> Path:
    """Return the outline of the cells with this code, on the canvas."""
    return layout.scaled(outline(codes == code))
