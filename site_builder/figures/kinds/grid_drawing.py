"""The drawing that heatmaps and policy maps share: the layout of the cells, axes, areas of cells, lines and marks."""

import math
from dataclasses import dataclass
from functools import cached_property
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
from site_builder.figures.canvas.scales import FAR, GridAxis
from site_builder.figures.canvas.shapes import Box, Point
from site_builder.figures.canvas.text import SMALL, widest
from site_builder.figures.kinds.grid_map import axis_labels, by_columns, map_axes
from site_builder.figures.palette import AXIS, INK, PAPER

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas, SizeLimits

LARGEST_CELL = 110.0
MOST_BORDER = 2500  # cell edges; a longer outline takes many bytes, and shows more ink than cells
Corner = tuple[int, int]


@dataclass(frozen=True, eq=False)
class GridLayout:
    """The position of a grid on the canvas. labels: of its two axes, the horizontal one first."""

    plot: Box
    across: GridAxis
    up: GridAxis
    downward: bool
    labels: tuple[str, str]

    @cached_property
    def cell(self) -> Point:
        """The width and height of a cell in pixels."""
        return self.plot.width / max(len(self.across), 1), self.plot.height / max(len(self.up), 1)

    def x(self, cells: float) -> float:
        return self.plot.left + (cells + 0.5) * self.cell[0]

    def y(self, cells: float) -> float:
        if self.downward:
            return self.plot.top + (cells + 0.5) * self.cell[1]
        return self.plot.bottom - (cells + 0.5) * self.cell[1]

    def at(self, point: tuple[float, float]) -> Point:
        """Return the pixel of a point that is given in coordinates of the axes."""
        x, y = self.x(self.across.position(point[0])), self.y(self.up.position(point[1]))
        return max(min(x, FAR), -FAR), max(min(y, FAR), -FAR)

    def cell_box(self, row: int, column: int) -> Box:
        """Return the box of a cell; rows count from the top."""
        left, top = self.plot.left + column * self.cell[0], self.plot.top + row * self.cell[1]
        return Box(left, top, left + self.cell[0], top + self.cell[1])

    def outline(self, mask: np.ndarray) -> list[np.ndarray]:
        """Return the outlines of the True cells on the canvas; of none where they are too long to be drawn."""
        if border_length(mask) > MOST_BORDER:
            return []
        return [loop * self.cell + (self.plot.left, self.plot.top) for loop in outlines(mask)]


def rows_of(figure: Heatmap | PolicyMap, values: np.ndarray) -> np.ndarray:
    """Return values (shape of the figure's grid) in the order of the map: topmost row first, from left to right."""
    rows = by_columns(figure, values).T
    return rows if figure.downward else rows[::-1]


def lay_out_grid(canvas: "Canvas", figure: Heatmap | PolicyMap) -> GridLayout:
    """Compute the layout of the cells, and write the heading."""
    sizes, (across, up) = canvas.sizes, (GridAxis(figure.grid.axes[name]) for name in map_axes(figure))
    columns, rows, longest = max(len(across), 1), max(len(up), 1), LONGEST_LABEL * sizes.width
    sampled = range(0, len(up), max(len(up) // 60, 1))  # enough to estimate the width of the labels
    left = min(widest(up.texts(sampled)), longest) + AXIS_MARGIN
    last = widest(across.texts(range(len(across))[-1:]))
    overhang = max(MARGIN, min(last, longest) / 2 - sizes.width / (2 * columns) + MARGIN)  # of the last label
    labels = axis_labels(figure)
    top = draw_heading(canvas, labels[1])
    wide, high = _cell_size(columns, rows, sizes.width - overhang - left, sizes)
    canvas.plot = plot = Box(left, top, left + wide * columns, top + high * rows)
    canvas.spans = (-0.5, len(across) - 0.5), (-0.5, len(up) - 0.5)
    return GridLayout(plot, across, up, figure.downward, labels)


def _cell_size(columns: int, rows: int, width: float, sizes: "SizeLimits") -> Point:
    """The width and height of a cell: square where that fits, flatter in a high map, with a minimum in a flat one."""
    wide = min(width / columns, LARGEST_CELL)
    high = min(max(min(wide, 56.0), min(28.0, 150.0 / rows)), sizes.map_height / rows)
    return (wide, high) if sizes.narrow else (_whole_pixels(wide), _whole_pixels(high))


def _whole_pixels(size: float) -> float:
    """Round the size of small cells to half pixels: at other sizes, equal cells look unequal on a screen."""
    return math.floor(2 * size) / 2 if 1.5 <= size < 8 else size


def draw_axes(canvas: "Canvas", layout: GridLayout) -> float:
    """Draw the two axes with their ticks; return the bottom of the horizontal one."""
    plot, cell, sizes = layout.plot, layout.cell, canvas.sizes
    canvas.line([(plot.left, plot.top), (plot.left, plot.bottom), (plot.right, plot.bottom)], AXIS)
    up = layout.up.ticks(cell[1], lambda _: SMALL + 3, sizes.ticks_up + 2)
    draw_up_axis(canvas, plot, tick_labels(up, layout.y, plot.left - AXIS_MARGIN))
    axis, longest = layout.across, LONGEST_LABEL * sizes.width
    ticks = axis.ticks(cell[0], lambda texts: min(widest(texts), longest) + 9, sizes.ticks_across)
    rotated = not axis.numeric and len(ticks) < len(axis)  # words that do not fit run upwards
    if rotated:
        ticks = axis.ticks(cell[0], lambda _: SMALL + (3 if len(axis) * (SMALL + 3) < sizes.width else 12), len(axis))
    return draw_across_axis(canvas, plot, tick_labels(ticks, layout.x, longest), layout.labels[0], rotated)


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


def border_length(mask: np.ndarray) -> int:
    """Return the number of cell edges between True and False; cells outside of the grid count as False."""
    padded: np.ndarray = np.pad(mask, 1)
    return int(np.count_nonzero(padded[1:] != padded[:-1]) + np.count_nonzero(padded[:, 1:] != padded[:, :-1]))


def outlines(mask: np.ndarray) -> list[np.ndarray]:
    """Return the outlines of the True cells, each by its corners in cells: x to the right, y downwards.

    Filled by the non-zero rule they cover exactly these cells: the inside always lies on the same side of an outline.
    """
    steps = _border_steps(mask)
    found = []
    while steps:
        found.append(np.array(_corners(_closed_walk(steps)), dtype=float))
    return found


def _border_steps(mask: np.ndarray) -> dict[Corner, list[Corner]]:
    """For each corner on a border, the next corners, with the True cells on the right."""
    padded = np.pad(mask, 1)
    inside = padded[1:-1, 1:-1]
    sides = (
        (inside & ~padded[:-2, 1:-1], (0, 0), (1, 0)),
        (inside & ~padded[1:-1, 2:], (1, 0), (1, 1)),
        (inside & ~padded[2:, 1:-1], (1, 1), (0, 1)),
        (inside & ~padded[1:-1, :-2], (0, 1), (0, 0)),
    )
    steps: dict[Corner, list[Corner]] = {}
    for side, start, end in sides:
        for row, column in np.argwhere(side).tolist():
            steps.setdefault((column + start[0], row + start[1]), []).append((column + end[0], row + end[1]))
    return steps


def _closed_walk(steps: dict[Corner, list[Corner]]) -> list[Corner]:
    """One closed walk along the steps; it is removed from them."""
    start = next(iter(steps))
    walk = [start]
    while True:
        followers = steps[walk[-1]]
        step = followers.pop()
        if not followers:
            del steps[walk[-1]]
        if step == start:
            return walk
        walk.append(step)


def _corners(walk: list[Corner]) -> list[Corner]:
    """The walk without the corners at which it goes straight on."""
    turns = zip([walk[-1], *walk], walk, [*walk[1:], walk[0]], strict=False)
    return [here for last, here, following in turns if last[0] != following[0] and last[1] != following[1]]
