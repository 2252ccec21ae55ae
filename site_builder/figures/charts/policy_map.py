"""Draws policy maps: the areas of each action in a colour, hatch and letter of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.path import Path

from site_builder.contract import Action, PolicyMap
from site_builder.figures.canvas.canvas import Box, Canvas, SizeLimits
from site_builder.figures.canvas.palette import AXIS, HATCH, INK, Colour, fill
from site_builder.figures.charts import grid_map
from site_builder.figures.charts.axes import MARGIN, LegendEntry, draw_legend, draw_letter
from site_builder.figures.charts.grid_map import GridLayout
from site_builder.figures.charts.regions import border_length, merge_alternating, outline
from site_builder.figures.numbers import floats

SMALL_CELL = 8.0  # pixels; in smaller cells, areas in which two actions alternate are drawn as one
MOST_BORDER = 8000  # cell edges; an outline with more of them takes as many bytes as a list of cells


@dataclass(frozen=True)
class ActionStyle:
    """The style in which an action is drawn: in one colour, or in stripes of two. `letter` may be empty."""

    label: str
    letter: str
    colour: Colour
    hatch: str
    stripe: Colour | None = None

    def draw(self, canvas: Canvas, path: Path, edge: Colour, width: float, faint: bool = False) -> None:
        """Draw a shape in this style. faint: with a fainter hatch, for a shape under letters."""
        if self.stripe is not None:
            canvas.shape(path, self.colour, edge, width, "/", self.stripe, hatch_opacity=1, hatch_width=4.2)
        else:
            canvas.shape(path, self.colour, edge, width, self.hatch, HATCH, hatch_opacity=0.25 if faint else 0.4)

    def draw_sample(self, canvas: Canvas, box: Box) -> None:
        """Draw the sample in the legend."""
        self.draw(canvas, box.outline(), AXIS, 0.8, faint=bool(self.letter))
        draw_letter(canvas, box, self.letter if self.stripe is None else "")


def draw_policy_map(figure: PolicyMap, sizes: SizeLimits) -> Canvas:
    """Draw the map on a new canvas."""
    canvas = Canvas(sizes.width)
    cells = grid_map.rows_of(figure, floats(figure.grid.values).astype(int))
    layout = grid_map.lay_out_grid(canvas, sizes, figure)
    codes, styles = action_styles(figure.actions, cells, layout)
    if any(too_scattered(codes, code) for code in styles):
        codes, styles = action_styles(figure.actions, cells, layout, merge=False)
        pixels = np.zeros((*codes.shape, 4), dtype=np.uint8)
        for code, style in styles.items():
            pixels[codes == code], styles[code] = _scheme_neutral(style)
        canvas.image(pixels, layout.plot)
    else:
        width = 0.7 if min(layout.cell) >= SMALL_CELL else 0.4
        faint = grid_map.letters_fit(layout, [style.letter for style in styles.values()])
        drawn = set(np.unique(codes).tolist())
        for code, style in ((code, style) for code, style in styles.items() if code in drawn):
            style.draw(canvas, area_path(layout, codes, code), INK, width, faint)
    grid_map.draw_letters(canvas, layout, codes, {code: style.letter for code, style in styles.items()})
    more = grid_map.draw_lines_and_marks(canvas, layout, figure.lines, figure.marks)
    bottom = grid_map.draw_axes(canvas, sizes, layout)
    entries = [LegendEntry(style.draw_sample, _legend_label(style)) for style in styles.values()]
    canvas.crop(draw_legend(canvas, entries + more, MARGIN if sizes.narrow else layout.plot.left, bottom) + MARGIN)
    return canvas


def _legend_label(style: ActionStyle) -> str:
    """The label, with the letters in front when they would not be legible on a striped sample."""
    return f"{style.letter}: {style.label}" if style.stripe and style.letter else style.label


def _scheme_neutral(style: ActionStyle) -> tuple[tuple[int, ...], ActionStyle]:
    """A pixel (RGBA) and the style in one colour halfway between the schemes: an image cannot follow the scheme."""
    mean = np.mean([to_rgb(value) for value in (style.colour.light, style.colour.dark)], axis=0)
    pixel = tuple(round(255 * part) for part in mean.tolist())
    colour = "#" + "".join(f"{part:02x}" for part in pixel)
    return (*pixel, 255), ActionStyle(style.label, "", Colour(colour, colour), "")


def action_styles(
    actions: Sequence[Action], codes: np.ndarray, layout: GridLayout, merge: bool = True
) -> tuple[np.ndarray, dict[int, ActionStyle]]:
    """Return the codes to draw, and the styles of actions that occur, in their order, and of mixtures of two.

    merge: whether areas of small cells in which two actions alternate get a code of their own.
    """
    present = set(np.unique(codes).tolist())
    pairs: dict[int, tuple[int, int]] = {}
    if merge and min(layout.cell) < SMALL_CELL:
        codes, pairs = merge_alternating(codes)
    styles = {i: ActionStyle(action.name, action.letter, *fill(i)) for i, action in enumerate(actions) if i in present}
    for code, (one, other) in pairs.items():
        a, b = actions[one], actions[other]
        letters = f"{a.letter}/{b.letter}" if a.letter and b.letter else ""
        label = f"{a.name} and {b.name}, too finely mixed to show"
        styles[code] = ActionStyle(label, letters, fill(one)[0], "", fill(other)[0])
    return codes, styles


def too_scattered(codes: np.ndarray, code: int) -> bool:
    """True when the outline of the cells with this code is too long to be drawn."""
    return border_length(codes == code) > MOST_BORDER


def area_path(layout: GridLayout, codes: np.ndarray, code: int) -> Path:
    """Return the outline of the cells with this code, on the canvas."""
    return layout.scaled(outline(codes == code))
