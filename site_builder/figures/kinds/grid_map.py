"""What heatmaps and policy maps share, which both show the cells of a grid: rules, data, words and drawing."""

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from site_builder.contract import Heatmap, PolicyMap
from site_builder.figures.canvas.axes import (
    AXIS_MARGIN,
    MARGIN,
    Labels,
    draw_across_axis,
    draw_heading,
    draw_up_axis,
    longest,
)
from site_builder.figures.canvas.scales import GridAxis, Scale
from site_builder.figures.canvas.shapes import Box, Point
from site_builder.figures.canvas.text import tallest, widest
from site_builder.figures.columns import MOST_COLUMNS, MOST_ROWS, DataColumn, is_numeric
from site_builder.figures.kinds.kind import MOST_EXPLORED, Kind, format_errors
from site_builder.figures.palette import AXIS, INK, PAPER, Colour
from site_builder.figures.rendered import data_table
from site_builder.figures.series import has_estimates
from site_builder.figures.words import axis_name, column_texts, plain_cell, short_number, shown_text
from site_builder.markup.typeset import spoken

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas, SizeLimits

LARGEST_CELL = 110.0
_GAP = 3  # pixels between labels of the vertical axis
_MANY_CELLS = 1_000  # a map with more of them has percentages with one decimal
GridMap = TypeVar("GridMap", bound=Heatmap | PolicyMap)


class GridMapKind(Kind[GridMap]):
    """The common part of heatmaps and policy maps."""

    def errors(self, figure: GridMap) -> Iterator[str]:
        axes, shape = figure.grid.axes, figure.grid.values.shape
        if len(axes) != 2:
            yield f"its grid has {len(axes)} axes; a map has two"
        if figure.across not in axes:
            yield f"its grid has no axis {figure.across!r}; it has: {', '.join(axes)}"
        for name in ("drawn", "faded"):
            layer = getattr(figure, name, None)
            if layer is not None and np.shape(layer) != shape:
                yield f"its {name} has the shape {np.shape(layer)}, its grid {shape}"
        if has_estimates(figure.grid.values.ravel()):
            yield "its grid holds Estimates, whose errors no map shows; show them in a curve, bars or a table"
        yield from format_errors(getattr(figure, "cell_text", ""))

    def size(self, figure: GridMap) -> int:
        return max(figure.grid.values.size, 1)

    def axis_names(self, figure: GridMap) -> tuple[str, ...]:
        is_readable = 0 < figure.grid.values.size <= MOST_EXPLORED
        return tuple(map(axis_name, axis_labels(figure))) if is_readable else ()

    def table(self, figure: GridMap, columns: Sequence[DataColumn]) -> bytes:
        """The cells in the order of the map, the topmost row first."""
        across, up = ([plain_cell(c) for c in figure.grid.axes[axis]] for axis in map_axes(figure))
        if len(across) >= MOST_COLUMNS or len(up) > MOST_ROWS:
            return data_table()
        labels = [spoken(label) for label in axis_labels(figure)]
        shown = [column for column in columns if column.in_table][2]
        cells = column_texts(shown.cells, shown.percent)
        heads = [(labels[1], is_numeric(up)), *((text, isinstance(figure, Heatmap)) for text in column_texts(across))]
        body = [(label, *cells[row :: len(up)]) for row, label in enumerate(column_texts(up))]
        return data_table(heads, body if figure.downward else body[::-1], labels[0])

    def explored(self, figure: GridMap) -> dict[str, Any]:
        coordinates = [[plain_cell(each) for each in figure.grid.axes[name]] for name in map_axes(figure)]
        axes = [{"words": [shown_text(text) for text in column_texts(each)]} for each in coordinates]
        return {"down": figure.downward, "axes": axes, "layers": self.layers(figure)}

    @abstractmethod
    def layers(self, figure: GridMap) -> list[dict[str, Any]]:
        """Return what readers can read of each cell, see `explore_script`."""

    def coordinate_columns(self, figure: GridMap) -> list[DataColumn]:
        """The coordinates of each cell, column by column of the map."""
        across, up = map_axes(figure)
        places = [(a, u) for a in figure.grid.axes[across] for u in figure.grid.axes[up]]
        return [
            DataColumn(label, [plain_cell(place[i]) for place in places]) for i, label in enumerate(axis_labels(figure))
        ]

    def axis_ranges(self, figure: GridMap) -> str:
        """The labels of both axes with their ranges, in words."""
        pairs = zip(map_axes(figure), axis_labels(figure), strict=True)
        return " and ".join(f"{label} {_range(figure.grid.axes[axis])}" for axis, label in pairs)

    def value_layer(self, figure: GridMap, values: np.ndarray) -> dict[str, Any]:
        """The values of cells as a layer; of a large map percentages with one decimal, of which there are few."""
        label, most = axis_name(figure.value_label) or "value", 4
        if figure.percent and len(values) > _MANY_CELLS and values.dtype.kind == "f":
            values, most = np.clip(values.round(3), (values > 0) * 1e-4, 1 - (values < 1) * 1e-4), 1
        return {"label": label, "words": column_texts([*map(plain_cell, values.tolist())], figure.percent, most)}


def map_axes(figure: Heatmap | PolicyMap) -> tuple[str, str]:
    """Return the names of the axes, the horizontal one first."""
    return figure.across, next(axis for axis in figure.grid.axes if axis != figure.across)


def axis_labels(figure: Heatmap | PolicyMap) -> tuple[str, str]:
    """Return the labels of the axes, the horizontal one first."""
    across, up = map_axes(figure)
    return figure.labels.get(across, across), figure.labels.get(up, up)


def by_columns(figure: Heatmap | PolicyMap, values: np.ndarray) -> np.ndarray:
    """Return values (shape of the figure's grid) with the horizontal axis first."""
    return values if next(iter(figure.grid.axes)) == figure.across else values.T


def flat(figure: Heatmap | PolicyMap, values: Any) -> np.ndarray:
    """The cells of an array of the shape of the grid, column by column of the map, as one row."""
    return by_columns(figure, np.asarray(values)).ravel()


def cells_by_column(figure: Heatmap | PolicyMap, values: np.ndarray) -> list[Any]:
    """The same, each as a cell of data."""
    return [plain_cell(value) for value in flat(figure, values).tolist()]


def _range(coordinates: Sequence[Any]) -> str:
    ends = dict.fromkeys(short_number(each) for each in [*coordinates[:1], *coordinates[-1:]])
    return f"from {' to '.join(ends)}" if len(ends) > 1 else " ".join(ends)


# Drawing


class GridPlot:
    """The cells of a map on the canvas. box: around all; cell: the width and height of one.

    x, y: from cells counted from 0, rows from the bottom or, in a map that runs downwards, from the top, to pixels.
    """

    def __init__(self, canvas: "Canvas", figure: Heatmap | PolicyMap) -> None:
        """Compute the layout of the cells, and write the heading."""
        self.canvas, self.figure, most = canvas, figure, longest(canvas)
        self._across, self._up = (GridAxis(figure.grid.axes[name]) for name in map_axes(figure))
        columns, rows = max(len(self._across), 1), max(len(self._up), 1)
        sampled = self._up.texts(range(0, len(self._up), max(rows // 60, 1)))  # enough to estimate their size
        left = min(widest(sampled), most) + AXIS_MARGIN
        last = min(widest(self._across.texts(range(len(self._across))[-1:])), most)
        overhang = max(0.0, last / 2 - canvas.width / (2 * columns)) + MARGIN
        least = max(min(28.0, 150.0 / rows), 0.0 if self._up.numeric else tallest(sampled, most) + _GAP)
        wide, high = self.cell = _cell_size(columns, rows, canvas.width - overhang - left, least, canvas.sizes)
        top = draw_heading(canvas, axis_labels(figure)[1])
        self.box = box = Box(left, top, left + wide * columns, top + high * rows)
        self.x = Scale(-0.5, columns - 0.5, box.left, box.right)
        self.y = Scale(-0.5, rows - 0.5, *((box.top, box.bottom) if figure.downward else (box.bottom, box.top)))
        canvas.plot, canvas.spans = box, (self.x.span, self.y.span)

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
        box, most, sizes = self.box, longest(self.canvas), self.canvas.sizes
        self.canvas.line([(box.left, box.top), (box.left, box.bottom), (box.right, box.bottom)], AXIS)
        up = self._up.ticks(self.cell[1], lambda texts: tallest(texts, most) + _GAP, sizes.ticks_up + 2)
        draw_up_axis(self.canvas, box, replace(self.y, ticks=up))
        axis, wide = self._across, self.cell[0]
        ticks = axis.ticks(wide, lambda texts: min(widest(texts), most) + 9, sizes.ticks_across)
        rotated = not axis.numeric and len(ticks) < len(axis)  # words that do not fit run upwards
        if rotated:
            ticks = axis.ticks(wide, lambda texts: tallest(texts, most) + 2 * _GAP, len(axis))
        return draw_across_axis(self.canvas, box, replace(self.x, ticks=ticks), axis_labels(self.figure)[0], rotated)

    def draw_borders(self, cells: np.ndarray, colour: Colour, width: float) -> None:
        """Draw the borders between cells with different codes, and between those above -1 and the outside."""
        ends = self.pixels(borders(cells))
        beyond = np.sign(ends[:, 1] - ends[:, 0]) * width / 2  # so that lines that meet at a corner close it
        first, last = ends[:, 0] - beyond, ends[:, 1] + beyond
        self.canvas.line(np.stack([first, last, np.full_like(first, np.nan)], axis=1).reshape(-1, 2), colour, width)

    def draw_lines(self) -> None:
        """Draw lines over the cells with their labels."""
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
