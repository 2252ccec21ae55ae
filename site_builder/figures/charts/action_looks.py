"""How actions look on a map: colours, patterns and letters, and two of them where they alternate from cell to cell."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.path import Path

from site_builder.contract import Action
from site_builder.figures.canvas.palette import AXIS, HATCH, Ink, fill
from site_builder.figures.canvas.sheet import Box, Sheet
from site_builder.figures.charts.axes import letter
from site_builder.figures.charts.grid_map import Ground
from site_builder.figures.charts.regions import border_length, outline, woven

SMALL_CELL = 8.0  # below this size (pixels) areas in which two actions alternate are drawn as one
MOST_BORDER = 8000  # cell edges around all areas of an action, beyond which an outline is no use


@dataclass(frozen=True)
class Look:
    """One colour, or stripes of two. `letter` may be empty."""

    name: str
    letter: str
    ink: Ink
    hatch: str
    stripe: Ink | None = None

    def draw(self, sheet: Sheet, path: Path, edge: Ink, width: float, quiet: bool = False) -> None:
        """A shape in this look; quiet: a fainter pattern, under letters."""
        if self.stripe is not None:
            sheet.shape(path, self.ink, edge, width, "/", self.stripe, hatch_opacity=1, hatch_width=4.2)
        else:
            sheet.shape(path, self.ink, edge, width, self.hatch, HATCH, hatch_opacity=0.25 if quiet else 0.4)

    def sample(self) -> Callable[[Sheet, Box], None]:
        """What the legend shows."""

        def draw(sheet: Sheet, box: Box) -> None:
            self.draw(sheet, box.outline(), AXIS, 0.8, quiet=bool(self.letter))
            letter(sheet, box, self.letter if self.stripe is None else "")

        return draw


def looks(
    actions: Sequence[Action], codes: np.ndarray, ground: Ground, weave: bool = True
) -> tuple[np.ndarray, dict[int, Look]]:
    """The codes as they are drawn, and the look of each of them that occurs, in the order of the actions.

    weave: whether small cells of two actions that alternate become one area.
    """
    pairs: dict[int, tuple[int, int]] = {}
    if weave and min(ground.cell) < SMALL_CELL:
        codes, pairs = woven(codes)
    there = set(np.unique(codes).tolist())
    found = {i: Look(action.name, action.letter, *fill(i)) for i, action in enumerate(actions) if i in there}
    for code, (one, other) in pairs.items():
        a, b = actions[one], actions[other]
        both = f"{a.letter}/{b.letter}" if a.letter and b.letter else ""
        name = f"{a.name} and {b.name} by turns, cell by cell"
        found[code] = Look(name, both, fill(one)[0], "", fill(other)[0])
    return codes, found


def too_scattered(codes: np.ndarray, code: int) -> bool:
    """Whether an outline of these areas would be as long as a list of their cells."""
    return border_length(codes == code) > MOST_BORDER


def areas(ground: Ground, codes: np.ndarray, code: int) -> Path:
    """The areas of a code on the sheet."""
    return ground.scaled(outline(codes == code))
