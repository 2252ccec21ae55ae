"""The ground of every map: a grid of cells with its axes, and what lies over the cells: lines, marks, letters."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from matplotlib.path import Path

from site_builder.contract import Heatmap, Line, Mark, PolicyMap
from site_builder.figures.canvas.label_placement import Obstacles
from site_builder.figures.canvas.palette import AXIS, INK, PAPER
from site_builder.figures.canvas.sheet import Box, Sheet
from site_builder.figures.canvas.sizes import Room
from site_builder.figures.canvas.text import SMALL, Words, words
from site_builder.figures.charts.annotations import draw_mark, write_beside
from site_builder.figures.charts.axes import (
    GAP,
    MARGIN,
    TICK,
    Entry,
    draw_across,
    draw_up,
    heading,
    letter,
    tick_words,
    widest_number,
)
from site_builder.figures.charts.regions import letter_spots
from site_builder.figures.charts.ticks import GridAxis, Tick

LARGEST_CELL = 110.0
_FAR = 20_000.0  # pixels; farther off than this nothing is in a picture
MOST_LETTERS = 600  # cells of a map that carries a letter in each
_LETTER_BOX = 9.0  # half the side


@dataclass(frozen=True, eq=False)
class Ground:
    """A grid as it lies on the sheet. labels: what its two axes count, the one across first."""

    plot: Box
    across: GridAxis
    up: GridAxis
    downward: bool
    labels: tuple[str, str]

    @cached_property
    def cell(self) -> tuple[float, float]:
        """Width and height of a cell in pixels."""
        return self.plot.width / max(len(self.across), 1), self.plot.height / max(len(self.up), 1)

    def x(self, cells: float) -> float:
        return self.plot.left + (cells + 0.5) * self.cell[0]

    def y(self, cells: float) -> float:
        if self.downward:
            return self.plot.top + (cells + 0.5) * self.cell[1]
        return self.plot.bottom - (cells + 0.5) * self.cell[1]

    def at(self, point: tuple[float, float]) -> tuple[float, float]:
        """Where a point given by its coordinates lies on the sheet."""
        return self.x(self.across.position(point[0])), self.y(self.up.position(point[1]))

    def cell_box(self, row: int, column: int) -> Box:
        """The cell in this row, counted from the top, and column."""
        left, top = self.plot.left + column * self.cell[0], self.plot.top + row * self.cell[1]
        return Box(left, top, left + self.cell[0], top + self.cell[1])

    def scaled(self, path: Path) -> Path:
        """A path in cells (x to the right, y downwards from the top row) on the sheet."""
        return Path(np.asarray(path.vertices) * self.cell + np.array([self.plot.left, self.plot.top]), path.codes)


def rows_of(figure: Heatmap | PolicyMap, values: np.ndarray) -> np.ndarray:
    """Values (shape of the figure's grid) as they appear on the map: topmost row first, from left to right."""
    rows = values.T if next(iter(figure.grid.axes)) == figure.across else values
    return rows if figure.downward else rows[::-1]


def lay_ground(
    sheet: Sheet, room: Room, figure: Heatmap | PolicyMap, beside: float = 0, cell_height: float = 0
) -> Ground:
    """The place of the cells, leaving `beside` pixels to the right; writes the heading of the upward axis.

    cell_height: pixels that the cells should have at least, if that makes the map not much higher.
    """
    grid, across, labels = figure.grid, figure.across, figure.labels
    up = next(axis for axis in grid.axes if axis != across)
    axis_across, axis_up = GridAxis(grid.axes[across]), GridAxis(grid.axes[up])
    left = _room_for_numbers(axis_up, room)
    right = room.width - beside - _overhang(axis_across, room)
    top = heading(sheet, labels.get(up, up), room.width - beside)
    cell = _cell_size(len(axis_across), len(axis_up), right - left, room)
    if len(axis_up) * cell_height <= 1.4 * room.map_height:
        cell = (cell[0], max(cell[1], cell_height))
    plot = Box(left, top, left + cell[0] * max(len(axis_across), 1), top + cell[1] * max(len(axis_up), 1))
    return Ground(plot, axis_across, axis_up, figure.downward, (labels.get(across, across), labels.get(up, up)))


def _cell_size(columns: int, rows: int, width: float, room: Room) -> tuple[float, float]:
    """Squares where they fit; flat cells in a small grid; never a map so flat that nothing can be seen."""
    wide = min(width / max(columns, 1), LARGEST_CELL)
    tallest = room.map_height / max(rows, 1)
    flattest = min(28.0, 150.0 / max(rows, 1))
    high = min(max(min(wide, 56.0), flattest), tallest)
    return (wide, high) if room.narrow else (_crisp(wide), _crisp(high))


def _crisp(size: float) -> float:
    """A size of small cells that fills the pixels of a screen: on broken ones, equal cells look unequal."""
    return math.floor(2 * size) / 2 if 1.5 <= size < 8 else size


def _room_for_numbers(axis: GridAxis, room: Room) -> float:
    widest_text = max((words(axis.text(cell)).width for cell in _some(axis)), default=0.0)
    return min(widest_text, 0.3 * room.width) + GAP + TICK + MARGIN


def _overhang(axis: GridAxis, room: Room) -> float:
    last = words(axis.text(len(axis) - 1)).width if len(axis) else 0.0
    return max(MARGIN, min(last, 0.3 * room.width) / 2 - room.width / (2 * max(len(axis), 1)) + MARGIN)


def _some(axis: GridAxis) -> range:
    """Cells enough to know how wide the numbers of an axis get."""
    return range(0, len(axis), max(len(axis) // 60, 1))


def draw_axes(sheet: Sheet, room: Room, ground: Ground) -> float:
    """The two axes with their numbers; the foot of what stands under the cells."""
    plot, cell = ground.plot, ground.cell
    sheet.line([(plot.left, plot.top), (plot.left, plot.bottom), (plot.right, plot.bottom)], AXIS)
    up = ground.up.ticks(cell[1], lambda _: SMALL + 3, room.ticks_up + 2)
    put = tick_words(up, plot.left - GAP - TICK - MARGIN)
    draw_up(sheet, plot, [(ground.y(tick.place), text) for tick, text in zip(up, put, strict=True)])
    ticks, turned = _ticks_across(ground, room)
    return draw_across(sheet, plot, ticks, ground.labels[0], turned)


def _ticks_across(ground: Ground, room: Room) -> tuple[list[tuple[float, Words]], bool]:
    """Level numbers where they fit; names that do not are turned upright."""
    longest = 0.3 * room.width

    def level(texts: Sequence[str]) -> float:
        return min(max(words(text).width for text in texts), longest) + 9

    axis, spacing = ground.across, ground.cell[0]
    ticks = axis.ticks(spacing, level, room.ticks_across)
    turned = not axis.numeric and len(ticks) < len(axis)
    if turned:
        ticks = axis.ticks(spacing, lambda _: SMALL + (3 if len(axis) * (SMALL + 3) < room.width else 12), len(axis))
    placed = zip(ticks, _shown(ticks, longest), strict=True)
    return [(ground.x(tick.place), text) for tick, text in placed], turned


def _shown(ticks: Sequence[Tick], longest: float) -> list[Words]:
    put = tick_words(ticks, longest)
    return put if widest_number(put) else []


def letters_fit(ground: Ground, letters: Iterable[str]) -> bool:
    """Whether every cell can carry the letter of its action."""
    widest_letter = max((words(text, SMALL, bold=True).width for text in letters), default=0.0)
    few = len(ground.across) * len(ground.up) <= MOST_LETTERS
    return few and ground.cell[1] >= _LETTER_BOX * 2 - 1 and ground.cell[0] >= max(widest_letter + 5, 17)


def draw_letters(sheet: Sheet, ground: Ground, codes: np.ndarray, letters: Mapping[int, str]) -> None:
    """The letter of each action: in every cell where that is readable, else on paper in the midst of its areas.

    codes: shape (rows, columns), -1 where none; letters: for each code.
    """
    if letters_fit(ground, letters.values()):
        for row, column in np.argwhere(codes >= 0).tolist():
            letter(sheet, ground.cell_box(row, column), letters.get(int(codes[row, column]), ""))
        return
    for code, text in letters.items():
        for x, y in letter_spots(codes == code, ground.cell, clear=11, apart=150) if text else []:
            middle = (ground.plot.left + x * ground.cell[0], ground.plot.top + y * ground.cell[1])
            half = max(_LETTER_BOX, words(text, SMALL, bold=True).width / 2 + 4)
            box = Box(middle[0] - half, middle[1] - _LETTER_BOX, middle[0] + half, middle[1] + _LETTER_BOX)
            sheet.shape(box.outline(), fill=PAPER, opacity=0.85)
            letter(sheet, box, text)


def draw_over(sheet: Sheet, ground: Ground, drawn_lines: Sequence[Line], marks: Sequence[Mark]) -> list[Entry]:
    """Lines and marks over the cells, their labels where they cover least; entries of those that found no place."""
    obstacles = Obstacles()
    for _, box in sheet.written:
        obstacles.add_box(box, cost=20)
    ends = []
    for line in drawn_lines:
        path = np.array([ground.at(line.start), ground.at(line.end)])
        sheet.line(path, PAPER, 3.2, clip=ground.plot)
        sheet.line(path, INK, 1.4, clip=ground.plot)
        obstacles.add_path(np.clip(path, -_FAR, _FAR))
        if end := _last_inside(path, ground.plot):
            ends.append((end, line.label))
    for mark in marks:
        x, y = ground.at(mark.at)
        if ground.plot.meets(Box(x, y, x, y).grown(0.5)):
            draw_mark(sheet, (x, y))
            obstacles.add_box(Box(x - 6, y - 6, x + 6, y + 6), cost=20)
            ends.append(((x, y), mark.label))
    return [
        entry
        for end, label in ends
        if label
        for entry in write_beside(sheet, end, label, ground.plot, obstacles, boxed=True)
    ]


def _last_inside(path: np.ndarray, plot: Box) -> tuple[float, float] | None:
    """The point nearest the end of a straight path that lies inside the plot."""
    for share in np.linspace(1, 0, 201):
        x, y = path[0] + share * (path[1] - path[0])
        if plot.left <= x <= plot.right and plot.top <= y <= plot.bottom:
            return float(x), float(y)
    return None
