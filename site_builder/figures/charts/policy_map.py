"""Draws policy maps: the areas of each action in a colour, hatch and letter of its own."""

import numpy as np
from matplotlib.colors import to_rgb

from site_builder.contract import PolicyMap
from site_builder.figures.canvas.canvas import Canvas, SizeLimits
from site_builder.figures.canvas.palette import INK, Colour
from site_builder.figures.charts.action_styles import SMALL_CELL, ActionStyle, action_styles, area_path, too_scattered
from site_builder.figures.charts.axes import MARGIN, LegendEntry, draw_legend
from site_builder.figures.charts.grid_map import (
    draw_axes,
    draw_letters,
    draw_lines_and_marks,
    lay_out_grid,
    letters_fit,
    rows_of,
)
from site_builder.figures.numbers import floats


def draw_policy_map(figure: PolicyMap, sizes: SizeLimits) -> Canvas:
    """Draw the map on a new canvas."""
    canvas = Canvas(sizes.width)
    values = floats(figure.grid.values)
    cells = rows_of(figure, np.where(np.isfinite(values), values, -1).astype(int))
    layout = lay_out_grid(canvas, sizes, figure)
    codes, styles = action_styles(figure.actions, cells, layout)
    if any(too_scattered(codes, code) for code in styles):
        codes, styles = action_styles(figure.actions, cells, layout, merge=False)
        styles = {code: _scheme_neutral(style) for code, style in styles.items()}
        canvas.image(_pixels(codes, styles), layout.plot)
    else:
        width = 0.7 if min(layout.cell) >= SMALL_CELL else 0.4
        quiet = letters_fit(layout, [style.letter for style in styles.values()])
        for code, style in styles.items():
            style.draw(canvas, area_path(layout, codes, code), INK, width, quiet)
    draw_letters(canvas, layout, codes, {code: style.letter for code, style in styles.items()})
    more = draw_lines_and_marks(canvas, layout, figure.lines, figure.marks)
    bottom = draw_axes(canvas, sizes, layout)
    entries = [LegendEntry(style.sample(), _legend_label(style)) for style in styles.values()]
    canvas.crop(draw_legend(canvas, entries + more, MARGIN if sizes.narrow else layout.plot.left, bottom) + MARGIN)
    return canvas


def _legend_label(style: ActionStyle) -> str:
    """The label, with the letters in front when they would not be legible on a striped sample."""
    return f"{style.letter}: {style.label}" if style.stripe and style.letter else style.label


def _scheme_neutral(style: ActionStyle) -> ActionStyle:
    """The style in one colour halfway between light and dark scheme: an image cannot follow the scheme."""
    entries = (style.colour, style.stripe or style.colour)
    colours = [to_rgb(value) for entry in entries for value in (entry.light, entry.dark)]
    mean = "#" + "".join(f"{round(255 * part):02x}" for part in np.mean(colours, axis=0))
    return ActionStyle(style.label, "", Colour(mean, mean), "")


def _pixels(codes: np.ndarray, styles: dict[int, ActionStyle]) -> np.ndarray:
    pixels = np.zeros((*codes.shape, 4), dtype=np.uint8)
    for code, style in styles.items():
        pixels[codes == code] = (*(round(255 * part) for part in to_rgb(style.colour.light)), 255)
    return pixels
