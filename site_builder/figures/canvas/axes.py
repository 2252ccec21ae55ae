"""The axes of a chart, their ticks and labels, and the plot between them, with axes of matplotlib to draw on."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from site_builder.contract import Reference
from site_builder.figures.canvas.labels import MARGIN, Labels, LegendEntry, draw_legend
from site_builder.figures.canvas.scales import GridAxis, Scale, Tick, log_ticks, round_ticks
from site_builder.figures.canvas.shapes import Box
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
from site_builder.figures.palette import AXIS, GRIDLINE, INK, MUTED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from site_builder.figures.canvas.canvas import Canvas, SizeLimits

AXIS_MARGIN = 12.0  # what the vertical axis needs beside its labels
LONGEST_LABEL = 0.3  # of a tick, as a share of the width
_BESIDE = 60  # pixels; estimated width of the labels of the vertical axis
_TICK_LENGTH = 4  # length of a tick mark
_LABEL_GAP = 5  # from a tick mark to its label
TickLabels = Sequence[tuple[float, Block]]  # the pixel and the label of each tick


@dataclass(frozen=True)
class AxisRange:
    """The ends of an axis and its ticks. log: whether it is logarithmic."""

    low: float
    high: float
    ticks: tuple[Tick, ...]
    log: bool = False


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
        """Draw dashed lines with their labels, clear of the data."""
        self.labels.draw_references(references, lambda each: (self.x.at(float(each.at)), self.y.at(float(each.at))))

    def write_that_it_is_empty(self) -> None:
        """Write into the middle of the plot that there is nothing to show."""
        line = text_line("nothing to show: no values", MEDIUM)
        self.canvas.text(line, *self.box.centre, MUTED, "middle")

    def finish(self, entries: Sequence[LegendEntry] = ()) -> None:
        """Draw the legend below the plot, which ends the canvas."""
        left = MARGIN if self.canvas.sizes.narrow else self.box.left
        draw_legend(self.canvas, entries, left, self.bottom)


def up_range(
    low: float, high: float, sizes: "SizeLimits", percent: bool = False, whole: bool = False, log: bool = False
) -> AxisRange:
    """Return the vertical axis from low to high."""
    most = sizes.ticks_up
    ticks = log_ticks(low, high, most, percent) if log else round_ticks(low, high, most, percent, whole)
    return AxisRange(low, high, ticks, log)


def across_range(low: float, high: float, sizes: "SizeLimits", whole: bool = False, log: bool = False) -> AxisRange:
    """Return the horizontal axis from low to high, with as many ticks as have room for their labels."""
    scale = Scale(low, high, 0, sizes.width - _BESIDE, log)

    def ticks(count: int) -> tuple[Tick, ...]:
        return log_ticks(low, high, count) if log else round_ticks(low, high, count, whole=whole)

    return AxisRange(low, high, fitting_ticks(sizes.ticks_across, scale, ticks), log)


def word_range(names: Sequence[str], sizes: "SizeLimits") -> AxisRange:
    """Return a horizontal axis of words, which stand at 0, 1, 2, ..."""
    spacing, longest = (sizes.width - _BESIDE) / len(names), LONGEST_LABEL * sizes.width
    ticks = GridAxis(names).ticks(spacing, lambda texts: min(widest(texts), longest) + 10, len(names))
    return AxisRange(-0.5, len(names) - 0.5, ticks)


def draw_plot(canvas: "Canvas", across: AxisRange, up: AxisRange, across_label: str, up_label: str) -> Plot:
    """Draw both axes with their labels; what is shown in the plot comes after."""
    top = draw_heading(canvas, up_label)
    longest = LONGEST_LABEL * canvas.width
    up_width, across_width = (min(widest(tick.text for tick in each.ticks), longest) for each in (up, across))
    left = max(up_width + AXIS_MARGIN, across_width / 2 + MARGIN)
    box = Box(left, top, canvas.width - across_width / 2 - MARGIN, top + canvas.sizes.curve_height)
    x = Scale(across.low, across.high, box.left, box.right, across.log)
    y = Scale(up.low, up.high, box.bottom, box.top, up.log)
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
