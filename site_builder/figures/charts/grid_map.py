"""The parts of heatmaps and policy maps: the layout of the cells, axes, and the lines, marks and letters over cells."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from matplotlib.path import Path

from site_builder.contract import Heatmap, Line, Mark, PolicyMap
from site_builder.figures.canvas.canvas import Box, Canvas, SizeLimits
from site_builder.figures.canvas.palette import AXIS, INK, PAPER
from site_builder.figures.canvas.text import SMALL, widest
from site_builder.figures.charts import axes
from site_builder.figures.charts.axes import FAR, LONGEST_LABEL, MARGIN, LegendEntry
from site_builder.figures.charts.labels import Obstacles, draw_mark, label_point
from site_builder.figures.charts.regions import letter_positions
from site_builder.figures.charts.scales import GridAxis
from site_builder.figures.numbers import by_columns, map_axes

LARGEST_CELL = 110.0
MOST_LETTERS = 600  # cells; a larger map has no letter in each cell
_LETTER_BOX = 9.0  # pixels; half of its side


@dataclass(frozen=True, eq=False)
class GridLayout:
    """The position of a grid on the canvas. labels: of its two axes, the horizontal one first."""

    plot: Box
    across: GridAxis
    up: GridAxis
    downward: bool
    labels: tuple[str, str]

    @cached_property
    def cell(self) -> tuple[float, float]:
        """The width and height of a cell in pixels."""
        return self.plot.width / max(len(self.across), 1), self.plot.height / max(len(self.up), 1)

    def x(self, cells: float) -> float:
        return self.plot.left + (cells + 0.5) * self.cell[0]

    def y(self, cells: float) -> float:
        if self.downward:
            return self.plot.top + (cells + 0.5) * self.cell[1]
        return self.plot.bottom - (cells + 0.5) * self.cell[1]

    def at(self, point: tuple[float, float]) -> tuple[float, float]:
        """Return the pixel of a point that is given in coordinates of the axes."""
        return self.x(self.across.position(point[0])), self.y(self.up.position(point[1]))

    def cell_box(self, row: int, column: int) -> Box:
        """Return the box of a cell; rows count from the top."""
        left, top = self.plot.left + column * self.cell[0], self.plot.top + row * self.cell[1]
        return Box(left, top, left + self.cell[0], top + self.cell[1])

    def scaled(self, path: Path) -> Path:
        """Return a path that is given in cells (x to the right, y downwards from the top row) in pixels."""
        return Path(np.asarray(path.vertices) * self.cell + np.array([self.plot.left, self.plot.top]), path.codes)


def rows_of(figure: Heatmap | PolicyMap, values: np.ndarray) -> np.ndarray:
    """Return values (shape of the figure's grid) in the order of the map: topmost row first, from left to right."""
    rows = by_columns(figure, values).T
    return rows if figure.downward else rows[::-1]


def lay_out_grid(
    canvas: Canvas, sizes: SizeLimits, figure: Heatmap | PolicyMap, beside: float = 0, cell_height: float = 0
) -> GridLayout:
    """Compute the layout of the cells, with `beside` pixels free to the right; write the heading.

    cell_height: wanted height of a cell in pixels; ignored where it would make the map much higher.
    """
    names = map_axes(figure)
    across, up = (GridAxis(figure.grid.axes[name]) for name in names)
    labels = figure.labels.get(names[0], names[0]), figure.labels.get(names[1], names[1])
    columns, rows, longest = max(len(across), 1), max(len(up), 1), LONGEST_LABEL * sizes.width
    sampled = range(0, len(up), max(len(up) // 60, 1))  # enough to estimate the width of the labels
    left = min(widest(up.text(cell) for cell in sampled), longest) + axes.AXIS_MARGIN
    last = widest([across.text(len(across) - 1)]) if len(across) else 0.0
    overhang = max(MARGIN, min(last, longest) / 2 - sizes.width / (2 * columns) + MARGIN)  # of the last label
    top = axes.draw_heading(canvas, labels[1], sizes.width - beside)
    wide, high = _cell_size(columns, rows, sizes.width - beside - overhang - left, sizes)
    if len(up) * cell_height <= 1.4 * sizes.map_height:
        high = max(high, cell_height)
    canvas.plot = plot = Box(left, top, left + wide * columns, top + high * rows)
    canvas.spans = (-0.5, len(across) - 0.5), (-0.5, len(up) - 0.5)
    return GridLayout(plot, across, up, figure.downward, labels)


def _cell_size(columns: int, rows: int, width: float, sizes: SizeLimits) -> tuple[float, float]:
    """The width and height of a cell: square where that fits, flatter in a high map, with a minimum in a flat one."""
    wide = min(width / columns, LARGEST_CELL)
    high = min(max(min(wide, 56.0), min(28.0, 150.0 / rows)), sizes.map_height / rows)
    return (wide, high) if sizes.narrow else (_whole_pixels(wide), _whole_pixels(high))


def _whole_pixels(size: float) -> float:
    """Round the size of small cells to half pixels: at other sizes, equal cells look unequal on a screen."""
    return math.floor(2 * size) / 2 if 1.5 <= size < 8 else size


def draw_axes(canvas: Canvas, sizes: SizeLimits, layout: GridLayout) -> float:
    """Draw the two axes with their ticks; return the bottom of the horizontal one."""
    plot, cell = layout.plot, layout.cell
    canvas.line([(plot.left, plot.top), (plot.left, plot.bottom), (plot.right, plot.bottom)], AXIS)
    up = layout.up.ticks(cell[1], lambda _: SMALL + 3, sizes.ticks_up + 2)
    axes.draw_up_axis(canvas, plot, axes.tick_labels(up, layout.y, plot.left - axes.AXIS_MARGIN))
    axis, longest = layout.across, LONGEST_LABEL * sizes.width
    ticks = axis.ticks(cell[0], lambda texts: min(widest(texts), longest) + 9, sizes.ticks_across)
    rotated = not axis.numeric and len(ticks) < len(axis)  # words that do not fit run upwards
    if rotated:
        ticks = axis.ticks(cell[0], lambda _: SMALL + (3 if len(axis) * (SMALL + 3) < sizes.width else 12), len(axis))
    return axes.draw_across_axis(canvas, plot, axes.tick_labels(ticks, layout.x, longest), layout.labels[0], rotated)


def letters_fit(layout: GridLayout, letters: Iterable[str]) -> bool:
    """True when every cell is large enough for the letter of its action."""
    few = len(layout.across) * len(layout.up) <= MOST_LETTERS
    return few and layout.cell[1] >= _LETTER_BOX * 2 - 1 and layout.cell[0] >= max(widest(letters, bold=True) + 5, 17)


def draw_letters(canvas: Canvas, layout: GridLayout, codes: np.ndarray, letters: Mapping[int, str]) -> None:
    """Write the letter of each action: in every cell if legible there, else on a background inside its areas.

    codes: shape (rows, columns), -1 where there is none. letters: code -> letter.
    """
    if letters_fit(layout, letters.values()):
        for row, column in np.argwhere(codes >= 0).tolist():
            axes.draw_letter(canvas, layout.cell_box(row, column), letters.get(int(codes[row, column]), ""))
        return
    for code, text in letters.items():
        for x, y in letter_positions(codes == code, layout.cell, clear=11, apart=150) if text else []:
            middle = (layout.plot.left + x * layout.cell[0], layout.plot.top + y * layout.cell[1])
            box = Box.around(*middle, max(_LETTER_BOX, widest([text], bold=True) / 2 + 4), _LETTER_BOX)
            canvas.shape(box.outline(), fill=PAPER, opacity=0.85)
            axes.draw_letter(canvas, box, text)


def draw_lines_and_marks(
    canvas: Canvas, layout: GridLayout, lines: Sequence[Line], marks: Sequence[Mark]
) -> list[LegendEntry]:
    """Draw lines and marks over the cells with their labels; return legend entries for labels without a free place."""
    obstacles = Obstacles()
    for _, box in canvas.text_boxes:
        obstacles.add_box(box, cost=20)
    labelled = []
    for line in lines:
        path = np.array([layout.at(line.start), layout.at(line.end)])
        canvas.line(path, PAPER, 3.2, clip=layout.plot)
        canvas.line(path, INK, 1.4, clip=layout.plot)
        obstacles.add_path(np.clip(path, -FAR, FAR))
        if end := _last_inside(path, layout.plot):
            labelled.append((end, line.label))
    for mark in marks:
        x, y = layout.at(mark.at)
        if layout.plot.overlaps(Box.around(x, y, 0.5, 0.5)):
            draw_mark(canvas, (x, y))
            obstacles.add_box(Box.around(x, y, 6, 6), cost=20)
            labelled.append(((x, y), mark.label))
    entries = []
    for end, label in labelled:
        entries += label_point(canvas, end, label, layout.plot, obstacles, boxed=True)
    return entries


def _last_inside(path: np.ndarray, plot: Box) -> tuple[float, float] | None:
    """The last point of a straight line that lies inside the plot; None where no point does."""
    for share in np.linspace(1, 0, 201):
        x, y = path[0] + share * (path[1] - path[0])
        if plot.left <= x <= plot.right and plot.top <= y <= plot.bottom:
            return float(x), float(y)
    return None
