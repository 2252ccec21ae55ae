"""Heatmaps: a number for each cell of a grid."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from site_builder.contract import Heatmap
from site_builder.figures.canvas.axes import MARGIN, draw_across_axis, with_fitting_ticks
from site_builder.figures.canvas.scales import Scale, Tick, finite_range, is_whole
from site_builder.figures.canvas.shapes import Box
from site_builder.figures.canvas.text import MEDIUM, MIDDLE, SMALL, block_width, text_line, widest, wrap_text
from site_builder.figures.columns import DataColumn
from site_builder.figures.kinds.grid_map import GridMapKind, GridPlot, cells_by_column, flat
from site_builder.figures.palette import AXIS, HUES, INK, ON_DEEP, ON_PALE, Colour
from site_builder.figures.words import column_texts, floats, formatted, spread

if TYPE_CHECKING:
    from matplotlib.cm import ScalarMappable

    from site_builder.figures.canvas.canvas import Canvas

_SHADES = 127  # more of them make larger files
_DIVERGING = (HUES["orange"].line.light, "#f3f1ec", HUES["blue"].line.light)  # from low by the centre to high
_FADED = 81  # opacity of a faded cell, of 255
_MOST_NUMBERS = 450  # a map of more cells has no numbers in them
_SHORTEST_BAR = 240.0  # pixels


class HeatmapKind(GridMapKind[Heatmap]):
    """A number for each cell, as its colour."""

    figure = Heatmap

    def draw(self, figure: Heatmap, canvas: "Canvas") -> None:
        plot = GridPlot(canvas, figure)
        values = plot.rows(floats(_shown_values(figure)))
        shown = ~np.isnan(values)
        colours = _colour_scale(figure, values[shown])
        pixels = colours.to_rgba(values, bytes=True)  # NaN is transparent
        if figure.faded is not None:
            pixels[shown & plot.rows(np.asarray(figure.faded, bool)), 3] = _FADED
        canvas.image(pixels, plot.box)
        # Without an outline, the ends of the scale vanish on a light or dark page.
        plot.draw_borders(shown.astype(int) - 1, AXIS, 0.8)
        _write_numbers(plot, figure, shown, pixels)
        plot.draw_lines()
        bottom = plot.draw_axes()
        if shown.any():
            bottom = _draw_colour_bar(plot, figure, bottom + 12, colours, values[shown])
        canvas.crop(bottom + MARGIN)

    def describe(self, figure: Heatmap) -> str:
        shown = spread(self.scales(figure)["value_range"], figure.percent)
        return f"Heatmap of {figure.value_label} by {self.axis_ranges(figure)}: {shown}."

    def columns(self, figure: Heatmap) -> list[DataColumn]:
        values = cells_by_column(figure, _shown_values(figure))
        return [*self.coordinate_columns(figure), DataColumn(figure.value_label, values, figure.percent)]

    def layers(self, figure: Heatmap) -> list[dict[str, Any]]:
        return [self.value_layer(figure, flat(figure, _shown_values(figure)))]

    def numbers(self, figure: Heatmap) -> Iterable[Any]:
        return [_shown_values(figure)]

    def scales(self, figure: Heatmap) -> dict[str, np.ndarray]:
        return {"value_range": floats(_shown_values(figure)).ravel()}


def _shown_values(figure: Heatmap) -> np.ndarray:
    """The values in the shape of the grid, NaN or None where a cell is not drawn."""
    values = figure.grid.values
    missing: Any = np.nan if values.dtype.kind == "f" else None
    return values if figure.drawn is None else np.where(np.asarray(figure.drawn, bool), values, missing)


# Drawing


def _colour_scale(figure: Heatmap, values: np.ndarray) -> "ScalarMappable":
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    low, high = map(float, figure.value_range or finite_range(values))
    if figure.scale == "diverging":
        centre = (low + high) / 2 if figure.centre is None else float(figure.centre)
        reach = max(high - centre, centre - low)
        low, high = centre - reach, centre + reach
    if low >= high:
        low, high = low - 0.5, low + 0.5
    diverging = LinearSegmentedColormap.from_list("diverging", _DIVERGING)
    shades = diverging if figure.scale == "diverging" else colormaps["viridis"]
    return ScalarMappable(Normalize(low, high), shades.resampled(_SHADES))


def _write_numbers(plot: GridPlot, figure: Heatmap, shown: np.ndarray, pixels: np.ndarray) -> None:
    """Write the number of each cell, if those of all cells fit."""
    cells = [(row, column) for row, column in np.argwhere(shown).tolist()]
    if not figure.cell_text or len(cells) > _MOST_NUMBERS:
        return
    values: Any = plot.rows(figure.grid.values)
    texts = [text_line(formatted(values[cell], figure.cell_text)) for cell in cells]
    if block_width(texts) > plot.cell[0] - 2 or plot.cell[1] < SMALL + 3:
        return
    for cell, text in zip(cells, texts, strict=True):
        x, y = plot.cell_box(*cell).centre
        plot.canvas.text(text, x, y + MIDDLE * SMALL, _readable_on(pixels[cell]), "middle")


def _readable_on(pixel: np.ndarray) -> Colour:
    """The colour of text on a cell: dark on pale cells, pale on dark ones, on a faded cell that of text on the page."""
    if pixel[3] < 255:
        return INK
    linear = ((pixel[:3] / 255 + 0.055) / 1.055) ** 2.4
    return ON_PALE if linear @ (0.2126, 0.7152, 0.0722) > 0.179 else ON_DEEP


def _draw_colour_bar(
    plot: GridPlot, figure: Heatmap, top: float, colours: "ScalarMappable", values: np.ndarray
) -> float:
    """Draw the colour bar below the plot, with its label on top; return its bottom. values: those that are shown."""
    canvas, right = plot.canvas, plot.box.right
    left = MARGIN if canvas.sizes.narrow else plot.box.left
    block = wrap_text(figure.value_label, canvas.width - left - MARGIN, MEDIUM)
    top = canvas.text_block(block, left, top) + 5 if block else top
    low, high = colours.get_clim()
    length = min(max(right - left, _SHORTEST_BAR), canvas.width - left - MARGIN)
    scale = _with_ticks(Scale(low, high, 0, length), figure, values)
    margin = widest(tick.text for tick in scale.ticks) / 2 + MARGIN
    left = max(left, margin)
    bar = Box(left, top, min(left + length, canvas.width - margin), top + 12)
    canvas.image(colours.to_rgba(np.linspace(low, high, _SHADES)[None, :], bytes=True), bar)
    return draw_across_axis(canvas, bar, replace(scale, start=bar.left, end=bar.right))


def _with_ticks(scale: Scale, figure: Heatmap, values: np.ndarray) -> Scale:
    """The scale of the colours with at most five ticks; of equal values with just one."""
    if figure.value_range is None and np.ptp(values) == 0:
        value = float(values[0])
        return replace(scale, ticks=(Tick(value, column_texts([value], figure.percent)[0]),))
    return with_fitting_ticks(scale, 5, figure.percent, is_whole(values))
