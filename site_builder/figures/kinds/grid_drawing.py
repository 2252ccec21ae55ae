"""The drawing that heatmaps and policy maps share: the plot of the cells, axes, borders of cells, lines and marks."""

import math
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


class GridPlot:
    """The cells of a map on the canvas. box: around all; cell: the width and height of one.

    x, y: from cells counted from 0, rows from the bottom or, in a map that runs downwards, from the top, to pixels.
    """

    def __init__(self, canvas: "Canvas", figure: Heatmap | PolicyMap) -> None:
        """Compute the layout of the cells, and write the heading."""
        self.canvas, self.figure = canvas, figure
        self._across, self._up = (GridAxis(figure.grid.axes[name]) for name in map_axes(figure))
        self._longest = LONGEST_LABEL * canvas.width
        columns, rows = max(len(self._across), 1), max(len(self._up), 1)
        sampled = self._up.texts(range(0, len(self._up), max(rows // 60, 1)))  # enough to estimate their size
        left = min(widest(sampled), self._longest) + AXIS_MARGIN
        last = min(widest(self._across.texts(range(len(self._across))[-1:])), self._longest)
        overhang = max(MARGIN, last / 2 - canvas.width / (2 * columns) + MARGIN)  # of the last label
        least = max(min(28.0, 150.0 / rows), 0.0 if self._up.numeric else tallest(sampled, self._longest) + _GAP)
        wide, high = self.cell = _cell_size(columns, rows, canvas.width - overhang - left, least, canvas.sizes)
        top = draw_heading(canvas, axis_labels(figure)[1])
        self.box = box = Box(left, top, left + wide * columns, top + high * rows)
        self.x = Scale(-0.5, columns - 0.5, box.left, box.right)
        self.y = Scale(-0.5, rows - 0.5, *((box.top, box.bottom) if figure.downward else (box.bottom, box.top)))
        canvas.plot, canvas.spans = box, ((-0.5, len(self._across) - 0.5), (-0.5, len(self._up) - 0.5))

    def rows(self, values: np.ndarray) -> np.ndarray:
        """Return values (shape of the figure's grid) in the order of the map: topmost row first, from left to right."""
        rows = by_columns(self.figure, values).T
        return rows if self.figure.downward else rows[::-1]

    def cell_box(self, row: int, column: int) -> Box:
        """Return the box of a cell; rows count from the top."""
        left, top = self.box.left + column * self.cell[0], self.box.top + row * self.cell[1]
        return Box(left, top, left + self.cell[0], top + self.cell[1])

    def pixels(self, corners: np.ndarray) -> np.ndarray:
        """Return the pixels of corners of cells, which are counted from the left and from the top."""
        return np.asarray(corners * self.cell + (self.box.left, self.box.top))

    def draw_axes(self) -> float:
        """Draw the two axes with their ticks; return the bottom of the horizontal one."""
        box, longest, sizes = self.box, self._longest, self.canvas.sizes
        self.canvas.line([(box.left, box.top), (box.left, box.bottom), (box.right, box.bottom)], AXIS)
        up = self._up.ticks(self.cell[1], lambda texts: tallest(texts, longest) + _GAP, sizes.ticks_up + 2)
        draw_up_axis(self.canvas, box, tick_labels(up, self.y.at, longest))
        axis, wide = self._across, self.cell[0]
        ticks = axis.ticks(wide, lambda texts: min(widest(texts), longest) + 9, sizes.ticks_across)
        rotated = not axis.numeric and len(ticks) < len(axis)  # words that do not fit run upwards
        if rotated:
            ticks = axis.ticks(wide, lambda texts: tallest(texts, longest) + 2 * _GAP, len(axis))
        labels = tick_labels(ticks, self.x.at, longest)
        return draw_across_axis(self.canvas, box, labels, axis_labels(self.figure)[0], rotated)

    def draw_borders(self, cells: np.ndarray, colour: Colour, width: float) -> None:
        """Draw the borders between cells with different codes, and between those above -1 and the outside."""
        ends = self.pixels(borders(cells))
        beyond = np.sign(ends[:, 1] - ends[:, 0]) * width / 2  # so that lines that meet at a corner close it
        first, last = ends[:, 0] - beyond, ends[:, 1] + beyond
        self.canvas.line(np.stack([first, last, np.full_like(first, np.nan)], axis=1).reshape(-1, 2), colour, width)

    def draw_lines_and_marks(self) -> None:
        """Draw lines and marks over the cells with their labels."""
        canvas, box, labelled = self.canvas, self.box, []
        labels = Labels(canvas, box)
        for text in canvas.text_boxes:
            labels.avoid_box(text, cost=20)
        for line in self.figure.lines:
            path = np.array([self._at(line.start), self._at(line.end)])
            canvas.line(path, PAPER, 3.2, clip=box)
            canvas.line(path, INK, 1.4, clip=box)
            labels.avoid_path(path)
            along = path[0] + np.linspace(1, 0, 201)[:, None] * (path[1] - path[0])
            inside = along[box.grown(0.01).inside(along)]
            if len(inside):
                labelled.append((inside[0].tolist(), line.label))
        for mark in self.figure.marks:
            x, y = self._at(mark.at)
            if box.overlaps(Box.around(x, y, 0.5, 0.5)):
                draw_mark(canvas, (x, y))
                labels.avoid_box(Box.around(x, y, 6, 6), cost=20)
                labelled.append(((x, y), mark.label))
        for point, label in labelled:
            labels.label_point(point, label, background=0.85)

    def _at(self, point: tuple[float, float]) -> Point:
        """The pixel of a point that is given in coordinates of the axes."""
        return float(self.x.at(self._across.position(point[0]))), float(self.y.at(self._up.position(point[1])))


def _cell_size(columns: int, rows: int, width: float, least: float, sizes: "SizeLimits") -> Point:
    """The width and height of a cell: square where that fits, flatter in a high map. least: its height in others."""
    wide = min(width / columns, LARGEST_CELL)
    high = min(max(min(wide, 56.0), least), sizes.map_height / rows)
    return (wide, high) if sizes.narrow else (_whole_pixels(wide), _whole_pixels(high))


def _whole_pixels(size: float) -> float:
    """Round the size of small cells to half pixels: at other sizes, equal cells look unequal on a screen."""
    return math.floor(2 * size) / 2 if 1.5 <= size < 8 else size


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
