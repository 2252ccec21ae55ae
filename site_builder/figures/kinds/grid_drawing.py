"""The drawing that heatmaps and policy maps share: the layout of the cells, axes, borders of cells, lines and marks."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from site_builder.contract import Heatmap, PolicyMap
from site_builder.figures.canvas.axes import (
    AXIS_MARGIN,
    LONGEST_LABEL,
    draw_across_axis,
    draw_heading,
    draw_up_axis,
    tick_labels,
)
from site_builder.figures.canvas.labels import MARGIN, Labels, draw_mark
from site_builder.figures.canvas.scales import GridAxis, Scale
from site_builder.figures.canvas.shapes import Box, Point
from site_builder.figures.canvas.text import tallest, widest
from site_builder.figures.kinds.grid_map import axis_labels, by_columns, map_axes
from site_builder.figures.palette import AXIS, INK, PAPER, Colour

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas, SizeLimits

LARGEST_CELL = 110.0
_GAP = 3  # pixels between labels of the vertical axis


@dataclass(frozen=True, eq=False)
class GridLayout:
    """The position of a grid on the canvas. x, y: from cells counted from 0, and cell the size of one, to pixels.

    labels: of its two axes, the horizontal one first.
    """

    plot: Box
    across: GridAxis
    up: GridAxis
    x: Scale
    y: Scale
    cell: Point
    labels: tuple[str, str]

    def at(self, point: tuple[float, float]) -> Point:
        """Return the pixel of a point that is given in coordinates of the axes."""
        return float(self.x.at(self.across.position(point[0]))), float(self.y.at(self.up.position(point[1])))

    def cell_box(self, row: int, column: int) -> Box:
        """Return the box of a cell; rows count from the top."""
        left, top = self.plot.left + column * self.cell[0], self.plot.top + row * self.cell[1]
        return Box(left, top, left + self.cell[0], top + self.cell[1])

    def pixels(self, corners: np.ndarray) -> np.ndarray:
        """Return the pixels of corners of cells, which are counted from the left and from the top."""
        return np.asarray(corners * self.cell + (self.plot.left, self.plot.top))


def rows_of(figure: Heatmap | PolicyMap, values: np.ndarray) -> np.ndarray:
    """Return values (shape of the figure's grid) in the order of the map: topmost row first, from left to right."""
    rows = by_columns(figure, values).T
    return rows if figure.downward else rows[::-1]


def lay_out_grid(canvas: "Canvas", figure: Heatmap | PolicyMap) -> GridLayout:
    """Compute the layout of the cells, and write the heading."""
    sizes, (across, up) = canvas.sizes, (GridAxis(figure.grid.axes[name]) for name in map_axes(figure))
    columns, rows, longest = max(len(across), 1), max(len(up), 1), LONGEST_LABEL * sizes.width
    sampled = up.texts(range(0, len(up), max(len(up) // 60, 1)))  # enough to estimate the size of the labels
    left = min(widest(sampled), longest) + AXIS_MARGIN
    last = widest(across.texts(range(len(across))[-1:]))
    overhang = max(MARGIN, min(last, longest) / 2 - sizes.width / (2 * columns) + MARGIN)  # of the last label
    labels = axis_labels(figure)
    top = draw_heading(canvas, labels[1])
    least = max(min(28.0, 150.0 / rows), 0.0 if up.numeric else tallest(sampled, longest) + _GAP)
    wide, high = cell = _cell_size(columns, rows, sizes.width - overhang - left, least, sizes)
    canvas.plot = plot = Box(left, top, left + wide * columns, top + high * rows)
    canvas.spans = (-0.5, len(across) - 0.5), (-0.5, len(up) - 0.5)
    x = Scale(-0.5, columns - 0.5, plot.left, plot.right)
    ends = (plot.top, plot.bottom) if figure.downward else (plot.bottom, plot.top)
    return GridLayout(plot, across, up, x, Scale(-0.5, rows - 0.5, *ends), cell, labels)


def _cell_size(columns: int, rows: int, width: float, least: float, sizes: "SizeLimits") -> Point:
    """The width and height of a cell: square where that fits, flatter in a high map. least: its height in others."""
    wide = min(width / columns, LARGEST_CELL)
    high = min(max(min(wide, 56.0), least), sizes.map_height / rows)
    return (wide, high) if sizes.narrow else (_whole_pixels(wide), _whole_pixels(high))


def _whole_pixels(size: float) -> float:
    """Round the size of small cells to half pixels: at other sizes, equal cells look unequal on a screen."""
    return math.floor(2 * size) / 2 if 1.5 <= size < 8 else size


def draw_axes(canvas: "Canvas", layout: GridLayout) -> float:
    """Draw the two axes with their ticks; return the bottom of the horizontal one."""
    plot, cell, sizes = layout.plot, layout.cell, canvas.sizes
    longest = LONGEST_LABEL * sizes.width
    canvas.line([(plot.left, plot.top), (plot.left, plot.bottom), (plot.right, plot.bottom)], AXIS)
    up = layout.up.ticks(cell[1], lambda texts: tallest(texts, longest) + _GAP, sizes.ticks_up + 2)
    draw_up_axis(canvas, plot, tick_labels(up, layout.y.at, longest))
    axis = layout.across
    ticks = axis.ticks(cell[0], lambda texts: min(widest(texts), longest) + 9, sizes.ticks_across)
    rotated = not axis.numeric and len(ticks) < len(axis)  # words that do not fit run upwards
    if rotated:
        ticks = axis.ticks(cell[0], lambda texts: tallest(texts, longest) + 2 * _GAP, len(axis))
    return draw_across_axis(canvas, plot, tick_labels(ticks, layout.x.at, longest), layout.labels[0], rotated)


def draw_borders(canvas: "Canvas", layout: GridLayout, cells: np.ndarray, colour: Colour, width: float) -> None:
    """Draw the borders between cells with different codes, and between those above -1 and the outside."""
    ends = layout.pixels(borders(cells))
    beyond = np.sign(ends[:, 1] - ends[:, 0]) * width / 2  # so that lines that meet at a corner close it
    first, last = ends[:, 0] - beyond, ends[:, 1] + beyond
    canvas.line(np.stack([first, last, np.full_like(first, np.nan)], axis=1).reshape(-1, 2), colour, width)


def draw_lines_and_marks(canvas: "Canvas", layout: GridLayout, figure: Heatmap | PolicyMap) -> None:
    """Draw lines and marks over the cells with their labels."""
    labels, labelled = Labels(canvas, layout.plot), []
    for box in canvas.text_boxes:
        labels.avoid_box(box, cost=20)
    for line in figure.lines:
        path = np.array([layout.at(line.start), layout.at(line.end)])
        canvas.line(path, PAPER, 3.2, clip=layout.plot)
        canvas.line(path, INK, 1.4, clip=layout.plot)
        labels.avoid_path(path)
        along = path[0] + np.linspace(1, 0, 201)[:, None] * (path[1] - path[0])
        inside = along[layout.plot.grown(0.01).inside(along)]
        if len(inside):
            labelled.append((inside[0].tolist(), line.label))
    for mark in figure.marks:
        x, y = layout.at(mark.at)
        if layout.plot.overlaps(Box.around(x, y, 0.5, 0.5)):
            draw_mark(canvas, (x, y))
            labels.avoid_box(Box.around(x, y, 6, 6), cost=20)
            labelled.append(((x, y), mark.label))
    for point, label in labelled:
        labels.label_point(point, label, background=0.85)


def rectangles(mask: np.ndarray) -> np.ndarray:
    """Return rectangles that cover the True cells, one for each run in a row: their corners, shape (n, 4, 2)."""
    row, start, end = _runs(mask)
    return np.stack([start, row, end, row, end, row + 1, start, row + 1], axis=1).reshape(-1, 4, 2)


def borders(cells: np.ndarray) -> np.ndarray:
    """Return the lines between cells with different codes, -1 being that of the outside: shape (n, 2 ends, 2)."""
    padded = np.pad(cells, 1, constant_values=-1)
    y, left, right = _runs(padded[1:, 1:-1] != padded[:-1, 1:-1])
    x, top, bottom = _runs((padded[1:-1, 1:] != padded[1:-1, :-1]).T)
    level, upright = np.stack([left, y, right, y], axis=1), np.stack([x, top, x, bottom], axis=1)
    return np.vstack([level, upright]).reshape(-1, 2, 2)


def _runs(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The row of each run of True in a row, the column where it starts, and the one after its end."""
    steps = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(int), axis=1)
    rows, starts = np.nonzero(steps == 1)
    return rows, starts, np.nonzero(steps == -1)[1]
