"""What stands around and over a chart: axes with their ticks, the plot between them, labels in it, and the legend."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from site_builder.contract import Reference
from site_builder.figures.canvas.scales import Scale, number_ticks
from site_builder.figures.canvas.shapes import Box, Point
from site_builder.figures.canvas.text import (
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
_BESIDE = 60  # pixels; estimated width of the labels of the vertical axis
_TICK_LENGTH = 4  # length of a tick mark
_LABEL_GAP = 5  # from a tick mark to its label
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


def draw_legend(canvas: "Canvas", entries: LegendEntries, top: float) -> None:
    """Draw the entries in rows below `top`, and end the canvas below them."""
    x, y, bottom = MARGIN, top + 11, top
    for draw_sample, label in entries:
        block = wrap_text(label, canvas.width - _SAMPLE_SIZE[0] - 8 - 2 * MARGIN)
        width = _SAMPLE_SIZE[0] + 7 + block_width(block)
        if x > MARGIN and x + width > canvas.width - MARGIN:
            x, y = MARGIN, bottom + 5
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
        box = self.box
        ranges = ((each, (self.x if each.upright else self.y).at(float(each.at))) for each in references)
        ends = (
            (each, Box(at, box.top, at, box.bottom) if each.upright else Box(box.left, at, box.right, at))
            for each, at in ranges
        )
        shown = [(each, line) for each, line in ends if box.grown(0.5).inside(line.corners).all()]
        for _, line in shown:
            self.canvas.line(line.corners[:3:2], MUTED, 1.2, _DASH)
            self.labels.avoid_path(line.corners[:3:2])
        for reference, line in shown:
            if block := wrap_text(reference.label, box.width * 0.6):
                self.labels.write(block, _boxes_along(line, *label_size(block)), MUTED)

    def write_that_it_is_empty(self) -> None:
        """Write into the middle of the plot that there is nothing to show."""
        line = text_line("nothing to show: no values", MEDIUM)
        self.canvas.text(line, *self.box.centre, MUTED, "middle")

    def finish(self, entries: LegendEntries = ()) -> None:
        """Draw the legend below the plot, which ends the canvas."""
        draw_legend(self.canvas, entries, self.bottom)


def _boxes_along(line: Box, wide: float, high: float) -> list[Box]:
    """Boxes of this size along a level or upright line, on both sides of it, its right or upper end first."""
    shares = (1.0, 0.0, *np.linspace(0.95, 0.05, 19))
    if line.width:
        lefts = [line.left + share * (line.width - wide) for share in shares]
        places = [(left, top) for left in lefts for top in (line.top - high - 3, line.top + 3)]
    else:
        tops = [line.top + (1 - share) * (line.height - high) for share in shares]
        places = [(left, top) for top in tops for left in (line.left + 3, line.left - wide - 3)]
    return [Box(left, top, left + wide, top + high) for left, top in places]


def up_range(
    low: float, high: float, sizes: "SizeLimits", percent: bool = False, whole: bool = False, log: bool = False
) -> Scale:
    """Return the vertical axis from low to high."""
    scale = Scale(low, high, log=log)
    return replace(scale, ticks=number_ticks(scale, sizes.ticks_up, percent, whole))


def across_range(low: float, high: float, sizes: "SizeLimits", whole: bool = False, log: bool = False) -> Scale:
    """Return the horizontal axis from low to high."""
    return with_fitting_ticks(Scale(low, high, 0, sizes.width - _BESIDE, log), sizes.ticks_across, whole=whole)


def with_fitting_ticks(scale: Scale, at_most: int, percent: bool = False, whole: bool = False) -> Scale:
    """Return a horizontal axis with as many ticks as have room for their labels."""
    for count in range(at_most, 1, -1):
        ticks = number_ticks(scale, count, percent, whole)
        gaps = [scale.at(b.position) - scale.at(a.position) for a, b in pairwise(ticks)]
        if min(gaps, default=math.inf) >= widest(tick.text for tick in ticks) + 8:
            return replace(scale, ticks=ticks)
    return replace(scale, ticks=ticks[:1])


def draw_plot(canvas: "Canvas", across: Scale, up: Scale, across_label: str, up_label: str) -> Plot:
    """Draw both axes with their labels; what is shown in the plot comes after."""
    top = draw_heading(canvas, up_label)
    up_width, across_width = (min(widest(tick.text for tick in each.ticks), longest(canvas)) for each in (up, across))
    left = max(up_width + AXIS_MARGIN, across_width / 2 + MARGIN)
    box = Box(left, top, canvas.width - across_width / 2 - MARGIN, top + canvas.sizes.curve_height)
    x, y = replace(across, start=box.left, end=box.right), replace(up, start=box.bottom, end=box.top)
    canvas.plot, canvas.spans = box, (x.span,)
    draw_up_axis(canvas, box, y, GRIDLINE)
    canvas.line([(box.left, box.bottom), (box.right, box.bottom)], AXIS)
    bottom = draw_across_axis(canvas, box, x, across_label)
    return Plot(canvas, box, x, y, bottom, Labels(canvas, box))


def longest(canvas: "Canvas") -> float:
    """Return the width to which the labels of ticks are wrapped."""
    return 0.35 * canvas.width


def draw_heading(canvas: "Canvas", label: str) -> float:
    """Write the label of the vertical axis above the chart; return the top of the chart."""
    block = wrap_text(label, canvas.width - 2 * MARGIN, MEDIUM)
    return canvas.text_block(block, MARGIN, 1) + 12 if block else 9


def draw_up_axis(canvas: "Canvas", plot: Box, scale: Scale, marks: Colour | None = AXIS) -> None:
    """Draw the ticks of the vertical axis and their labels. marks: AXIS beside the plot, GRIDLINE over it, or none."""
    for tick in scale.ticks:
        y, block = float(scale.at(tick.position)), wrap_text(tick.text, longest(canvas))
        if marks:
            over = (plot.left, plot.right) if marks == GRIDLINE else (plot.left - _TICK_LENGTH, plot.left)
            canvas.line([(x, y) for x in over], marks)
        canvas.text_block(block, plot.left - _TICK_LENGTH - _LABEL_GAP, block_top(block, y), MUTED, "end")


def draw_across_axis(
    canvas: "Canvas", plot: Box, scale: Scale, label: str = "", rotated: bool = False, marks: Colour = AXIS
) -> float:
    """Draw the ticks of the horizontal axis with their labels, and its own; return the bottom. marks: see above."""
    top = plot.bottom + _TICK_LENGTH + 2
    bottom, free_from = top, 0.0
    for tick in scale.ticks:
        x, block = float(scale.at(tick.position)), wrap_text(tick.text, longest(canvas))
        over = (plot.top, plot.bottom) if marks == GRIDLINE else (plot.bottom, plot.bottom + _TICK_LENGTH)
        canvas.line([(x, y) for y in over], marks)
        if rotated:
            canvas.text_block(block, block_top(block, x), top + 2, MUTED, "end", rotated=True)
            bottom = max(bottom, top + 2 + block_width(block))
            continue
        half = block_width(block) / 2 + 1
        inside = min(max(x, half), canvas.width - half)
        if inside - half >= free_from:  # the last label may have been moved over the one before it
            bottom = max(bottom, canvas.text_block(block, inside, top, MUTED, "middle"))
            free_from = inside + half + 3
    block = wrap_text(label, canvas.width - 2 * MARGIN, MEDIUM)
    if not block:
        return bottom + 2
    half = block_width(block) / 2 + MARGIN
    return canvas.text_block(block, min(max(plot.centre[0], half), canvas.width - half), bottom + 5, INK, "middle")
