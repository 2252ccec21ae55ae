"""The axes of a chart, its heading and its legend."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from site_builder.figures.canvas.canvas import Box, Canvas
from site_builder.figures.canvas.distinct_labels import truncate_all, wrap_all
from site_builder.figures.canvas.palette import AXIS, GRIDLINE, INK, MUTED
from site_builder.figures.canvas.text import (
    ASCENT,
    MEDIUM,
    MIDDLE,
    TextLine,
    block_width,
    text_line,
    widest,
    wrap_text,
)
from site_builder.figures.charts.scales import Scale, Tick

MARGIN = 3.0
AXIS_MARGIN = 12.0  # what the vertical axis needs beside its labels
LONGEST_LABEL = 0.3  # of a tick, as a share of the width
FAR = 20_000.0  # pixels; coordinates are clipped to this, which is outside of every canvas
_TICK_LENGTH = 4  # length of a tick mark
_LABEL_GAP = 5  # from a tick mark to its label
_SAMPLE_SIZE = (24.0, 14.0)
TickLabels = Sequence[tuple[float, TextLine]]  # the pixel and the label of each tick


@dataclass(frozen=True)
class LegendEntry:
    """One entry of a legend: its label, and a function that draws its sample into a box."""

    sample: Callable[[Canvas, Box], None]
    label: str


def tick_labels(
    ticks: Sequence[Tick], at: Callable[[float], float], max_width: float = math.inf
) -> list[tuple[float, TextLine]]:
    """Return the pixel and the label of each tick, labels truncated to this width. at: position -> pixel."""
    labels = truncate_all([tick.text for tick in ticks], max_width)
    return [(at(tick.position), label) for tick, label in zip(ticks, labels, strict=True)]


def fitting_ticks(at_most: int, scale: Scale, make: Callable[[int], tuple[Tick, ...]]) -> tuple[Tick, ...]:
    """Return as many ticks along a horizontal scale as have room for their labels. make: count -> ticks."""
    for count in range(at_most, 1, -1):
        ticks = make(count)
        gaps = [scale.at(b.position) - scale.at(a.position) for a, b in pairwise(ticks)]
        if min(gaps, default=math.inf) >= widest(tick.text for tick in ticks) + 8:
            return ticks
    return make(2)[:1]


def draw_heading(canvas: Canvas, label: str, width: float) -> float:
    """Write the label of the vertical axis above the chart; return the top of the chart."""
    block = wrap_text(label, width - 2 * MARGIN, MEDIUM)
    return canvas.text_block(block, MARGIN, 1) + 12 if block else 9


def draw_up_axis(canvas: Canvas, plot: Box, ticks: TickLabels, gridlines: bool = False) -> None:
    """Draw the vertical axis. ticks: the y of each on the canvas, and its label."""
    for y, text in ticks:
        if gridlines:
            canvas.line([(plot.left, y), (plot.right, y)], GRIDLINE)
        else:
            canvas.line([(plot.left - _TICK_LENGTH, y), (plot.left, y)], AXIS)
        canvas.text(text, plot.left - _TICK_LENGTH - _LABEL_GAP, y + MIDDLE * text.size, MUTED, "end")


def draw_across_axis(
    canvas: Canvas, plot: Box, ticks: TickLabels, label: str = "", rotated: bool = False, marks: bool = True
) -> float:
    """Draw the horizontal axis and its label; return their bottom. ticks: the x of each, and its label."""
    top = plot.bottom + (_TICK_LENGTH + 2 if marks else 4)
    bottom, free_from = top, 0.0
    for x, text in ticks:
        if marks:
            canvas.line([(x, plot.bottom), (x, plot.bottom + _TICK_LENGTH)], AXIS)
        if rotated:
            canvas.text(text, x + MIDDLE * text.size, top + 2, MUTED, "end", rotated=True)
            bottom = max(bottom, top + 2 + text.width)
        else:
            half = text.width / 2 + 1
            inside = min(max(x, half), canvas.width - half)
            if inside - half >= free_from:  # the last label may have been moved over the one before it
                canvas.text(text, inside, top + ASCENT * text.size, MUTED, "middle")
                free_from = inside + half + 3
            bottom = max(bottom, top + text.size)
    return draw_across_label(canvas, plot, label, bottom)


def draw_across_label(canvas: Canvas, plot: Box, label: str, top: float) -> float:
    """Write the label of the horizontal axis below `top`; return its bottom."""
    block = wrap_text(label, canvas.width - 2 * MARGIN, MEDIUM)
    if not block:
        return top + 2
    half = block_width(block) / 2
    middle = min(max(plot.centre[0], half + MARGIN), canvas.width - half - MARGIN)
    return canvas.text_block(block, middle, top + 5, INK, "middle")


def draw_legend(canvas: Canvas, entries: Sequence[LegendEntry], left: float, top: float) -> float:
    """Draw the entries in rows below `top`; return the bottom of the last row."""
    if not entries:
        return top
    x, y, row_height = left, top + 11, 0.0
    blocks = wrap_all([entry.label for entry in entries], canvas.width - left - _SAMPLE_SIZE[0] - 8 - MARGIN)
    for entry, block in zip(entries, blocks, strict=True):
        width = _SAMPLE_SIZE[0] + 7 + block_width(block)
        if x > left and x + width > canvas.width - MARGIN:
            x, y, row_height = left, y + row_height + 5, 0.0
        entry.sample(canvas, Box(x, y + 1, x + _SAMPLE_SIZE[0], y + 1 + _SAMPLE_SIZE[1]))
        bottom = canvas.text_block(block, x + _SAMPLE_SIZE[0] + 7, y + 2, INK)
        row_height = max(row_height, bottom - y, _SAMPLE_SIZE[1] + 2)
        x += width + 18
    return y + row_height


def draw_letter(canvas: Canvas, box: Box, text: str) -> None:
    """Write a bold letter in the middle of a box."""
    line = text_line(text, bold=True)
    x, y = box.centre
    canvas.text(line, x, y + MIDDLE * line.size, INK, "middle")
