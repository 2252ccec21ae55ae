"""Draws heatmaps: a colour for each cell, its number where that fits, and a colour bar."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from matplotlib import colormaps

from site_builder.contract import Heatmap
from site_builder.figures.canvas.canvas import Box, Canvas, SizeLimits
from site_builder.figures.canvas.palette import AXIS, INK, MUTED, ON_DEEP, ON_PALE, PAPER, Colour
from site_builder.figures.canvas.text import LEADING, MEDIUM, MIDDLE, SMALL, block_width, text_line, widest, wrap_text
from site_builder.figures.cell_texts import formatted
from site_builder.figures.charts import grid_map
from site_builder.figures.charts.axes import MARGIN, LegendEntry, draw_legend, draw_letter, fitting_ticks, tick_labels
from site_builder.figures.charts.grid_map import GridLayout
from site_builder.figures.charts.policy_map import action_styles, area_path, too_scattered
from site_builder.figures.charts.scales import Scale, Tick, finite_range, is_whole, round_ticks
from site_builder.figures.numbers import floats, short_number
from site_builder.values.number_format import with_percent

SHADES = 127  # these, the same ones faded, and the empty cell fit into a PNG palette of 256
FADED = 0.32  # opacity of a faded cell
MOST_NUMBERS = 450  # a map of more cells has no numbers in them
TWO_LINES = 40.0  # pixels; height of a cell that holds a number and a letter
_BAR_WIDTH = 14.0


@dataclass(frozen=True, eq=False)
class ColourScale:
    """Maps numbers from `low` to `high` to colours. shades: shape (SHADES, 3), from 0 to 255."""

    low: float
    high: float
    shades: np.ndarray

    def of(self, values: np.ndarray) -> np.ndarray:
        """Return RGB for each value, for NaN that of the lowest."""
        with np.errstate(over="ignore"):
            share = (np.nan_to_num(values, nan=self.low) - self.low) / (self.high - self.low)
        return np.asarray(self.shades[(np.clip(share, 0, 1) * (SHADES - 1e-6)).astype(int)])

    @property
    def pixels(self) -> np.ndarray:
        """Return the colours from low to high as RGBA, shape (SHADES, 1, 4)."""
        return np.hstack([self.shades, np.full((SHADES, 1), 255)]).astype(np.uint8)[:, None, :]


def draw_heatmap(figure: Heatmap, sizes: SizeLimits) -> Canvas:
    """Draw the heatmap on a new canvas."""
    # Over colours only letters distinguish actions.
    actions = [replace(action, letter=action.letter or action.name[:1].upper()) for action in figure.actions]
    figure, canvas = replace(figure, actions=tuple(actions)), Canvas(sizes.width)
    values, shown, faded = _cells(figure)
    colours = _colour_scale(figure, values[shown])
    ticks = _bar_ticks(colours, figure, values[shown], sizes.width - 60) if shown.any() else ()
    beside = 0.0 if sizes.narrow or not ticks else _bar_width(figure.value_label, ticks)
    cell_height = TWO_LINES if figure.cell_text and figure.policy is not None else 0
    layout = grid_map.lay_out_grid(canvas, sizes, figure, beside, cell_height)
    opacity = np.where(shown, np.where(faded, FADED, 1.0), 0.0)
    pixels = np.dstack([colours.of(values), opacity * 255]).astype(np.uint8)
    pixels[~shown] = 0
    if pixels.size:
        canvas.image(_downsampled(pixels, layout), layout.plot)
    if not too_scattered(shown, True):  # without an outline, the ends of the scale vanish on a light or dark page
        canvas.shape(area_path(layout, shown, True), edge=AXIS, width=0.8)
    policy = -1 if figure.policy is None else grid_map.rows_of(figure, np.asarray(figure.policy))
    codes = np.where(shown, policy, -1)
    _write_cells(canvas, layout, figure, codes, shown, pixels)
    entries = _draw_areas(canvas, layout, figure, codes)
    entries += grid_map.draw_lines_and_marks(canvas, layout, figure.lines, figure.marks)
    bottom = grid_map.draw_axes(canvas, sizes, layout)
    if ticks and sizes.narrow:
        bottom = _draw_horizontal_bar(canvas, bottom + 12, figure.value_label, colours, ticks)
    elif ticks:
        bottom = max(bottom, _draw_vertical_bar(canvas, layout.plot, figure.value_label, colours, ticks))
    canvas.crop(draw_legend(canvas, entries, MARGIN if sizes.narrow else layout.plot.left, bottom) + MARGIN)
    return canvas


def _cells(figure: Heatmap) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The values, whether they are shown and whether they are faded; rows in the order of the map."""
    values = floats(figure.grid.values)
    shown = ~np.isnan(values) if figure.drawn is None else ~np.isnan(values) & np.asarray(figure.drawn, bool)
    faded = np.zeros(values.shape, bool) if figure.faded is None else np.asarray(figure.faded, bool)
    return grid_map.rows_of(figure, values), grid_map.rows_of(figure, shown), grid_map.rows_of(figure, faded)


def _colour_scale(figure: Heatmap, values: np.ndarray) -> ColourScale:
    low, high = finite_range(values)
    if figure.value_range is not None:
        low, high = float(figure.value_range[0]), float(figure.value_range[1])
    if figure.scale == "diverging":
        centre = (low + high) / 2 if figure.centre is None else float(figure.centre)
        reach = max(high - centre, centre - low)
        low, high = centre - reach, centre + reach
    if low >= high:
        low, high = low - 0.5, low + 0.5
    shades = colormaps["coolwarm" if figure.scale == "diverging" else "viridis"](np.linspace(0, 1, SHADES))
    return ColourScale(low, high, np.round(shades[:, :3] * 255))


def _bar_ticks(colours: ColourScale, figure: Heatmap, values: np.ndarray, width: float) -> tuple[Tick, ...]:
    """The ticks of the colour bar: at most five, and no more than fit beside each other into this width."""
    if figure.value_range is None and np.ptp(values) == 0:
        value = float(values[0])
        return (Tick(value, with_percent(short_number(100 * value)) if figure.percent else short_number(value)),)
    scale = Scale(colours.low, colours.high, 0, width)
    return fitting_ticks(
        5, scale, lambda n: round_ticks(colours.low, colours.high, n, figure.percent, is_whole(values))
    )


def _bar_width(label: str, ticks: Sequence[Tick]) -> float:
    numbers = widest(tick.text for tick in ticks) + _BAR_WIDTH + 8
    return 24 + max(numbers, min(text_line(label, MEDIUM).width, 110.0)) + MARGIN


def _draw_vertical_bar(canvas: Canvas, plot: Box, label: str, colours: ColourScale, ticks: Sequence[Tick]) -> float:
    """Draw the colour bar to the right of the plot, with its label on top; return its bottom."""
    left = plot.right + 24
    block = wrap_text(label, canvas.width - left - MARGIN, MEDIUM)
    top = canvas.text_block(block, left, plot.top - 2) + 8 if block else plot.top
    bottom = max(min(plot.bottom, top + 260), top + 90)
    bar = Box(left, top, left + _BAR_WIDTH, bottom)
    canvas.image(colours.pixels[::-1], bar)
    for y, text in tick_labels(ticks, Scale(colours.low, colours.high, bar.bottom, bar.top).at):
        canvas.line([(bar.right, y), (bar.right + 4, y)], AXIS)
        canvas.text(text, bar.right + 8, y + MIDDLE * SMALL, MUTED)
    return bar.bottom + SMALL / 2


def _draw_horizontal_bar(canvas: Canvas, top: float, label: str, colours: ColourScale, ticks: Sequence[Tick]) -> float:
    """Draw the colour bar below the plot over the whole width, with its label on top; return its bottom."""
    block = wrap_text(label, canvas.width - 2 * MARGIN, MEDIUM)
    top = canvas.text_block(block, MARGIN, top) + 5 if block else top
    margin = widest(tick.text for tick in ticks) / 2 + MARGIN
    bar = Box(margin, top, canvas.width - margin, top + 12)
    canvas.image(colours.pixels.transpose(1, 0, 2), bar)
    for x, text in tick_labels(ticks, Scale(colours.low, colours.high, bar.left, bar.right).at):
        canvas.line([(x, bar.bottom), (x, bar.bottom + 4)], AXIS)
        canvas.text(text, x, bar.bottom + 6 + 0.8 * SMALL, MUTED, "middle")
    return bar.bottom + 6 + SMALL * LEADING


def _downsampled(pixels: np.ndarray, layout: GridLayout) -> np.ndarray:
    """The cells, averaged in blocks where more than six cells share a pixel of the canvas."""
    for axis, size in ((0, layout.cell[1]), (1, layout.cell[0])):
        block = int(1 / (3 * size)) if size < 1 / 6 else 1
        if block > 1:
            pixels = _block_means(pixels, axis, block)
    return pixels


def _block_means(pixels: np.ndarray, axis: int, block: int) -> np.ndarray:
    """The mean colours of blocks of cells along an axis, weighted by opacity."""
    starts = np.arange(0, pixels.shape[axis], block)
    counts = np.diff(np.append(starts, pixels.shape[axis])).reshape([-1 if i == axis else 1 for i in range(3)])
    solid = pixels[:, :, 3:].astype(float)
    weight = np.add.reduceat(solid, starts, axis=axis)
    colour = np.add.reduceat(pixels[:, :, :3] * solid, starts, axis=axis) / np.maximum(weight, 1)
    return np.dstack([colour, weight / counts]).round().astype(np.uint8)


def _write_cells(
    canvas: Canvas, layout: GridLayout, figure: Heatmap, codes: np.ndarray, shown: np.ndarray, pixels: np.ndarray
) -> None:
    """Write each cell's number, the letter of its action, or both, if those of all cells fit."""
    letters = [action.letter for action in figure.actions]
    cells = [(row, column) for row, column in np.argwhere(shown).tolist()]
    values: Any = grid_map.rows_of(figure, figure.grid.values)
    written = cells if figure.cell_text and len(cells) <= MOST_NUMBERS else []
    texts = {cell: text_line(formatted(values[cell], figure.cell_text)) for cell in written}
    wide, high = layout.cell
    lettered = bool((codes >= 0).any()) and grid_map.letters_fit(layout, letters)
    fit = block_width(texts.values()) <= wide - 2 and high >= SMALL + 3
    numbered = bool(texts) and fit and (high >= TWO_LINES or not lettered)
    offset = 8.0 if numbered and lettered else 0.0
    for cell in cells if numbered or lettered else ():
        colour, (x, y) = _readable_on(pixels[cell]), layout.cell_box(*cell).centre
        if numbered:
            canvas.text(texts[cell], x, y + MIDDLE * SMALL - offset, colour, "middle")
        if lettered and codes[cell] >= 0:
            letter = text_line(letters[codes[cell]], bold=True)
            canvas.text(letter, x, y + MIDDLE * SMALL + offset, colour, "middle")


def _readable_on(pixel: np.ndarray) -> Colour:
    """The colour of text on a cell: dark on pale cells, pale on dark ones, on a faded cell that of text on the page."""
    if pixel[3] < 255:
        return INK
    linear = ((pixel[:3] / 255 + 0.055) / 1.055) ** 2.4
    return ON_PALE if linear @ (0.2126, 0.7152, 0.0722) > 0.179 else ON_DEEP


def _draw_areas(canvas: Canvas, layout: GridLayout, figure: Heatmap, codes: np.ndarray) -> list[LegendEntry]:
    """Draw the borders between areas of actions, with letters inside, unless each cell has its letter."""
    if grid_map.letters_fit(layout, [action.letter for action in figure.actions]):
        present = [action for code, action in enumerate(figure.actions) if (codes == code).any()]
        return [LegendEntry(partial(_draw_sample, letter=action.letter), action.name) for action in present]
    codes, styles = action_styles(figure.actions, codes, layout)
    for code in styles:
        if not too_scattered(codes, code):
            canvas.shape(area_path(layout, codes, code), edge=PAPER, width=1.2)
    grid_map.draw_letters(canvas, layout, codes, {code: style.letter for code, style in styles.items()})
    return [LegendEntry(partial(_draw_sample, letter=style.letter), style.label) for style in styles.values()]


def _draw_sample(canvas: Canvas, box: Box, letter: str) -> None:
    canvas.shape(box.outline(), edge=AXIS)
    draw_letter(canvas, box, letter)
