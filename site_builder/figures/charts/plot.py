"""The plot of a chart: the rectangle between its axes, their ticks and labels, and axes of matplotlib to draw on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from site_builder.contract import Reference
from site_builder.figures.canvas.canvas import Box, Canvas, SizeLimits
from site_builder.figures.canvas.palette import AXIS, MUTED
from site_builder.figures.canvas.text import MEDIUM, block_width, text_line, truncate, widest
from site_builder.figures.charts import axes
from site_builder.figures.charts.axes import LONGEST_LABEL, MARGIN, LegendEntry
from site_builder.figures.charts.labels import Obstacles, draw_reference, line_across
from site_builder.figures.charts.scales import GridAxis, Scale, Tick, log_ticks, round_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BESIDE = 60  # pixels; estimated width of the labels of the vertical axis


@dataclass(frozen=True)
class AxisRange:
    """The ends of an axis and its ticks. log: whether it is logarithmic."""

    low: float
    high: float
    ticks: tuple[Tick, ...]
    log: bool = False


@dataclass(frozen=True)
class Plot:
    """The plot on its canvas. bottom: that of the labels below it. obstacles: what labels should not cover.

    legend: entries for labels that have no free place.
    """

    canvas: Canvas
    box: Box
    x: Scale
    y: Scale
    bottom: float
    narrow: bool
    obstacles: Obstacles = field(default_factory=Obstacles)
    legend: list[LegendEntry] = field(default_factory=list)

    def axes(self) -> "Axes":
        """Return axes of matplotlib in the place of the plot: over what is drawn already, without ticks and labels."""
        made = self.canvas.axes(self.box)
        made.set(xlim=(self.x.low, self.x.high), ylim=(self.y.low, self.y.high))
        made.set(xscale="log" if self.x.log else "linear", yscale="log" if self.y.log else "linear")
        return made

    def draw_references(self, references: Sequence[Reference]) -> None:
        """Draw dashed lines with their labels, clear of the obstacles."""
        at = [(self.x if each.upright else self.y).at(float(each.at)) for each in references]
        for reference, pixel in zip(references, at, strict=True):
            self.obstacles.add_path(np.array(line_across(self.box, pixel, reference.upright)))
        for reference, pixel in zip(references, at, strict=True):
            entries = draw_reference(self.canvas, self.box, pixel, reference, reference.upright, self.obstacles)
            self.legend.extend(entries)

    def write_that_it_is_empty(self) -> None:
        """Write into the middle of the plot that there is nothing to show."""
        line = text_line("nothing to show: no values", MEDIUM)
        self.canvas.text(line, *self.box.centre, MUTED, "middle")

    def finish(self, entries: Sequence[LegendEntry] = ()) -> Canvas:
        """Draw the legend below the plot, and return the canvas in its final size."""
        left = MARGIN if self.narrow else self.box.left
        self.canvas.crop(axes.draw_legend(self.canvas, [*entries, *self.legend], left, self.bottom) + MARGIN)
        return self.canvas


def up_range(
    low: float, high: float, sizes: SizeLimits, percent: bool = False, whole: bool = False, log: bool = False
) -> AxisRange:
    """Return the vertical axis from low to high."""
    make = (
        log_ticks(low, high, sizes.ticks_up, percent) if log else round_ticks(low, high, sizes.ticks_up, percent, whole)
    )
    return AxisRange(low, high, make, log)


def across_range(low: float, high: float, sizes: SizeLimits, whole: bool = False, log: bool = False) -> AxisRange:
    """Return the horizontal axis from low to high, with as many ticks as have room for their labels."""
    scale = Scale(low, high, 0, sizes.width - _BESIDE, log)

    def ticks(count: int) -> tuple[Tick, ...]:
        return log_ticks(low, high, count) if log else round_ticks(low, high, count, whole=whole)

    return AxisRange(low, high, axes.fitting_ticks(sizes.ticks_across, scale, ticks), log)


def word_range(names: Sequence[str], sizes: SizeLimits) -> AxisRange:
    """Return a horizontal axis of words, which stand at 0, 1, 2, ..."""
    spacing = (sizes.width - _BESIDE) / len(names)
    ticks = GridAxis(names).ticks(spacing, lambda texts: widest(texts) + 10, len(names))
    return AxisRange(-0.5, len(names) - 0.5, ticks)


def draw_plot(
    canvas: Canvas, sizes: SizeLimits, across: AxisRange, up: AxisRange, across_label: str, up_label: str
) -> Plot:
    """Draw both axes with their labels; what is shown in the plot comes after."""
    top = axes.draw_heading(canvas, up_label, sizes.width)
    longest = LONGEST_LABEL * sizes.width
    up_width, across_width = (block_width(truncate(tick.text, longest) for tick in each.ticks) for each in (up, across))
    left = max(up_width + axes.AXIS_MARGIN, across_width / 2 + MARGIN)
    box = Box(left, top, sizes.width - across_width / 2 - MARGIN, top + sizes.curve_height)
    x = Scale(across.low, across.high, box.left, box.right, across.log)
    y = Scale(up.low, up.high, box.bottom, box.top, up.log)
    canvas.plot = box
    low, high = (math.log10(end) if across.log else end for end in (across.low, across.high))
    canvas.spans = ((low, high),)
    axes.draw_up_axis(canvas, box, axes.tick_labels(up.ticks, y.at, longest), gridlines=True)
    canvas.line([(box.left, box.bottom), (box.right, box.bottom)], AXIS)
    bottom = axes.draw_across_axis(canvas, box, axes.tick_labels(across.ticks, x.at, longest), across_label)
    return Plot(canvas, box, x, y, bottom, sizes.narrow)
