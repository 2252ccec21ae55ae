"""What stands around and over a chart: axes with their ticks, the plot between them, labels in it, and the legend."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from site_builder.contract import Reference
from site_builder.figures.canvas.scales import Scale, Tick, log_ticks, round_ticks
from site_builder.figures.canvas.shapes import Box, Point, error_bars, markers
from site_builder.figures.canvas.text import (
    ASCENT,
    LEADING,
    MEDIUM,
    Block,
    block_height,
    block_top,
    block_width,
    text_line,
    widest,
    wrap_text,
)
from site_builder.figures.palette import AXIS, GRIDLINE, INK, MUTED, PAPER, Colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from site_builder.figures.canvas.canvas import Canvas, SizeLimits

MARGIN = 3.0
COVERING = 10_000.0  # cost of covering a label; covering a point of the data costs 1
_DASH = (4.0, 3.0)
_SAMPLE_SIZE = (24.0, 14.0)
AXIS_MARGIN = 12.0  # what the vertical axis needs beside its labels
LONGEST_LABEL = 0.3  # of a tick, as a share of the width
_BESIDE = 60  # pixels; estimated width of the labels of the vertical axis
_TICK_LENGTH = 4  # length of a tick mark
_LABEL_GAP = 5  # from a tick mark to its label
TickLabels = Sequence[tuple[float, Block]]  # the pixel and the label of each tick
LegendEntries = Sequence[tuple["Callable[[Canvas, Box], None]", str]]  # what draws each sample into a box; its label


class Labels:
    """The labels over the plot of a chart, placed where they cover least.

    What they should not cover is added before: points and lines of the data, and boxes.
    """

    def __init__(self, canvas: "Canvas", plot: Box) -> None:
        self.canvas, self.plot = canvas, plot
        self._points = np.empty((0, 2))
        self._boxes: list[tuple[Box, float]] = []

    def avoid_path(self, points: np.ndarray) -> None:
        """Add a line through the points (shape (n, 2), pixels), sampled so that no label fits between two samples."""
        start, vector = points[:-1], np.diff(points, axis=0)
        joined = np.isfinite(start).all(axis=1) & np.isfinite(vector).all(axis=1)
        start, vector = start[joined], vector[joined]
        counts = (np.hypot(vector[:, 0], vector[:, 1]) // 4).astype(int) + 2
        segment = np.repeat(np.arange(len(counts)), counts)
        step = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        self.avoid_points(start[segment] + vector[segment] * (step / (counts[segment] - 1))[:, None])

    def avoid_points(self, points: np.ndarray) -> None:
        self._points = np.vstack([self._points, points[np.isfinite(points).all(axis=1)]])

    def avoid_box(self, box: Box, cost: float = COVERING) -> None:
        self._boxes.append((box, cost))

    def cost(self, box: Box) -> float:
        """Return the cost of what a label in this box would cover."""
        points = float(box.grown(2).inside(self._points).sum())
        return points + sum(cost for other, cost in self._boxes if box.overlaps(other))

    def place(self, candidates: Iterable[Box]) -> tuple[Box, float]:
        """Return the first candidate of least cost, moved inside, and that cost; no later label should cover it."""
        chosen = min((box.moved_inside(self.plot) for box in candidates), key=self.cost)
        cost = self.cost(chosen)
        self.avoid_box(chosen)
        return chosen, cost

    def write(self, block: Block, candidates: Iterable[Box], colour: Colour, background: float = 0) -> None:
        """Write a label where it covers least. background: opacity of a rectangle under it; 1 if it covers anything."""
        box, cost = self.place(candidates)
        if opacity := 1 if cost else background:
            self.canvas.box(box, PAPER, opacity=opacity)
        self.canvas.text_block(block, box.left + 3, box.top + 1, colour)

    def label_point(self, point: Point, label: str, background: float = 0) -> None:
        """Write a label beside a point."""
        if block := wrap_text(label, min(0.5 * self.canvas.width, self.plot.width - 6)):
            self.write(block, boxes_around(*point, *label_size(block)), INK, background)


def label_size(block: Block) -> tuple[float, float]:
    """Return the width and height of the box of a label."""
    return block_width(block) + 6, block_height(block) + 2


def boxes_around(x: float, y: float, width: float, height: float, gap: float = 6) -> list[Box]:
    """Return boxes of this size beside a point: right, left, above, below and at the four corners."""
    sides = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
    across, up = width / 2, height / 2
    return [Box.around(x + right * (across + gap), y + down * (up + gap), across, up) for right, down in sides]


def draw_mark(canvas: "Canvas", point: Point) -> None:
    """Draw a dot with a border in the colour of the page."""
    centre = np.array([point])
    canvas.shape(markers(centre, 5.5), fill=PAPER)
    canvas.shape(markers(centre, 3.8), fill=INK)


def error_bar_sample(canvas: "Canvas", box: Box) -> None:
    """Draw an error bar into the box of a legend, in no series' colour."""
    x = box.centre[0]
    canvas.line(error_bars(np.array([[(x, box.top + 0.5), (x, box.bottom - 0.5)]])), MUTED, 1.3)


def draw_legend(canvas: "Canvas", entries: LegendEntries, left: float, top: float) -> None:
    """Draw the entries in rows below `top`, and end the canvas below them."""
    x, y, bottom = left, top + 11, top
    for draw_sample, label in entries:
        block = wrap_text(label, canvas.width - left - _SAMPLE_SIZE[0] - 8 - MARGIN)
        width = _SAMPLE_SIZE[0] + 7 + block_width(block)
        if x > left and x + width > canvas.width - MARGIN:
            x, y = left, bottom + 5
        draw_sample(canvas, Box(x, y + 1, x + _SAMPLE_SIZE[0], y + 1 + _SAMPLE_SIZE[1]))
        lowest = canvas.text_block(block, x + _SAMPLE_SIZE[0] + 7, y + 2, INK)
        bottom = max(bottom, lowest, y + _SAMPLE_SIZE[1] + 2)
        x += width + 18
    canvas.crop(bottom + MARGIN)


@dataclass(frozen=True)
class Plot:
    """The plot on its canvas. bottom: that of the labels below it. labels: those over it."""

    canvas: "Canvas"
    box: Box
    x: Scale
    y: Scale
    bottom: float
    labels: Labels

    def axes(self) -> "Axes":
        """Return axes of matplotlib in the place of the plot: over what is drawn already, without ticks and labels."""
        made = self.canvas.axes(self.box)
        made.set(xlim=(self.x.low, self.x.high), ylim=(self.y.low, self.y.high))
        made.set(xscale="log" if self.x.log else "linear", yscale="log" if self.y.log else "linear")
        return made

    def draw_references(self, references: Sequence[Reference]) -> None:
        """Draw dashed lines across the plot with their labels, clear of the data."""
        lines = [(each, self._line_of(each)) for each in references]
        shown = [(each, line) for each, line in lines if self.box.grown(0.5).inside(line).all()]
        for _, line in shown:
            self.canvas.line(line, MUTED, 1.2, _DASH)
            self.labels.avoid_path(line)
        for reference, line in shown:
            if block := wrap_text(reference.label, self.box.width * 0.6):
                self.labels.write(block, self._along(line[0], reference.upright, label_size(block)), MUTED)

    def _line_of(self, reference: Reference) -> np.ndarray:
        """The ends of the line of a reference, shape (2, 2)."""
        box, at = self.box, (self.x if reference.upright else self.y).at(float(reference.at))
        return np.array([(at, box.top), (at, box.bottom)] if reference.upright else [(box.left, at), (box.right, at)])

    def _along(self, at: np.ndarray, upright: bool, size: Point) -> list[Box]:
        """Boxes of this size along a line that begins here, on both sides of it, the ends first."""
        (x, y), (wide, high), shares = at, size, (1.0, 0.0, *np.linspace(0.95, 0.05, 19))
        if upright:
            tops = [self.box.top + (1 - share) * (self.box.height - high) for share in shares]
            return [Box(left, top, left + wide, top + high) for top in tops for left in (x + 3, x - wide - 3)]
        lefts = [self.box.left + share * (self.box.width - wide) for share in shares]
        return [Box(left, top, left + wide, top + high) for left in lefts for top in (y - high - 3, y + 3)]

    def write_that_it_is_empty(self) -> None:
        """Write into the middle of the plot that there is nothing to show."""
        line = text_line("nothing to show: no values", MEDIUM)
        self.canvas.text(line, *self.box.centre, MUTED, "middle")

    def finish(self, entries: LegendEntries = ()) -> None:
        """Draw the legend below the plot, which ends the canvas."""
        left = MARGIN if self.canvas.sizes.narrow else self.box.left
        draw_legend(self.canvas, entries, left, self.bottom)


def up_range(
    low: float, high: float, sizes: "SizeLimits", percent: bool = False, whole: bool = False, log: bool = False
) -> Scale:
    """Return the vertical axis from low to high."""
    most = sizes.ticks_up
    ticks = log_ticks(low, high, most, percent) if log else round_ticks(low, high, most, percent, whole)
    return Scale(low, high, log=log, ticks=ticks)


def across_range(low: float, high: float, sizes: "SizeLimits", whole: bool = False, log: bool = False) -> Scale:
    """Return the horizontal axis from low to high, with as many ticks as have room for their labels."""
    scale = Scale(low, high, 0, sizes.width - _BESIDE, log)

    def ticks(count: int) -> tuple[Tick, ...]:
        return log_ticks(low, high, count) if log else round_ticks(low, high, count, whole=whole)

    return replace(scale, ticks=fitting_ticks(sizes.ticks_across, scale, ticks))


def draw_plot(canvas: "Canvas", across: Scale, up: Scale, across_label: str, up_label: str) -> Plot:
    """Draw both axes with their labels; what is shown in the plot comes after."""
    top = draw_heading(canvas, up_label)
    longest = LONGEST_LABEL * canvas.width
    up_width, across_width = (min(widest(tick.text for tick in each.ticks), longest) for each in (up, across))
    left = max(up_width + AXIS_MARGIN, across_width / 2 + MARGIN)
    box = Box(left, top, canvas.width - across_width / 2 - MARGIN, top + canvas.sizes.curve_height)
    x, y = replace(across, start=box.left, end=box.right), replace(up, start=box.bottom, end=box.top)
    canvas.plot = box
    low, high = (math.log10(end) if across.log else end for end in (across.low, across.high))
    canvas.spans = ((low, high),)
    draw_up_axis(canvas, box, tick_labels(up.ticks, y.at, longest), gridlines=True)
    canvas.line([(box.left, box.bottom), (box.right, box.bottom)], AXIS)
    bottom = draw_across_axis(canvas, box, tick_labels(across.ticks, x.at, longest), across_label)
    return Plot(canvas, box, x, y, bottom, Labels(canvas, box))


def tick_labels(ticks: Sequence[Tick], at: Callable[[float], float], max_width: float = math.inf) -> TickLabels:
    """Return the pixel and the label of each tick, labels wrapped to this width. at: position -> pixel."""
    return [(at(tick.position), wrap_text(tick.text, max_width)) for tick in ticks]


def fitting_ticks(at_most: int, scale: Scale, make: Callable[[int], tuple[Tick, ...]]) -> tuple[Tick, ...]:
    """Return as many ticks along a horizontal scale as have room for their labels. make: count -> ticks."""
    for count in range(at_most, 1, -1):
        ticks = make(count)
        gaps = [scale.at(b.position) - scale.at(a.position) for a, b in pairwise(ticks)]
        if min(gaps, default=math.inf) >= widest(tick.text for tick in ticks) + 8:
            return ticks
    return make(2)[:1]


def draw_heading(canvas: "Canvas", label: str) -> float:
    """Write the label of the vertical axis above the chart; return the top of the chart."""
    block = wrap_text(label, canvas.width - 2 * MARGIN, MEDIUM)
    return canvas.text_block(block, MARGIN, 1) + 12 if block else 9


def draw_up_axis(canvas: "Canvas", plot: Box, ticks: TickLabels, gridlines: bool = False, marks: bool = True) -> None:
    """Draw the vertical axis. ticks: the y of each on the canvas, and its label."""
    for y, block in ticks:
        if gridlines:
            canvas.line([(plot.left, y), (plot.right, y)], GRIDLINE)
        elif marks:
            canvas.line([(plot.left - _TICK_LENGTH, y), (plot.left, y)], AXIS)
        canvas.text_block(block, plot.left - _TICK_LENGTH - _LABEL_GAP, block_top(block, y), MUTED, "end")


def draw_across_axis(
    canvas: "Canvas", plot: Box, ticks: TickLabels, label: str = "", rotated: bool = False, gridlines: bool = False
) -> float:
    """Draw the horizontal axis and its label; return their bottom. ticks: the x of each, and its label."""
    top = plot.bottom + (4 if gridlines else _TICK_LENGTH + 2)
    bottom, free_from = top, 0.0
    for x, block in ticks:
        if gridlines:
            canvas.line([(x, plot.top), (x, plot.bottom)], GRIDLINE)
        else:
            canvas.line([(x, plot.bottom), (x, plot.bottom + _TICK_LENGTH)], AXIS)
        if rotated:
            left = block_top(block, x)
            for i, line in enumerate(block):
                canvas.text(line, left + (ASCENT + i * LEADING) * line.size, top + 2, MUTED, "end", rotated=True)
            bottom = max(bottom, top + 2 + block_width(block))
            continue
        half = block_width(block) / 2 + 1
        inside = min(max(x, half), canvas.width - half)
        if inside - half >= free_from:  # the last label may have been moved over the one before it
            canvas.text_block(block, inside, top, MUTED, "middle")
            free_from = inside + half + 3
        bottom = max(bottom, top + block_height(block))
    block = wrap_text(label, canvas.width - 2 * MARGIN, MEDIUM)
    if not block:
        return bottom + 2
    half = block_width(block) / 2
    middle = min(max(plot.centre[0], half + MARGIN), canvas.width - half - MARGIN)
    return canvas.text_block(block, middle, bottom + 5, INK, "middle")
