"""The edges of a chart: light lines, few numbers, what they count; and the legend below."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from site_builder.figures.canvas.palette import AXIS, GRIDLINE, INK, MUTED
from site_builder.figures.canvas.scale import Scale
from site_builder.figures.canvas.sheet import Box, Sheet
from site_builder.figures.canvas.text import (
    ASCENT,
    LEADING,
    MEDIUM,
    MIDDLE,
    SMALL,
    Words,
    lines,
    shortened,
    widest,
    words,
)
from site_builder.figures.charts.ticks import Tick

TICK = 4  # length of a tick mark
GAP = 5  # from a tick mark to its number
LINE = SMALL * LEADING
SWATCH = (24.0, 14.0)
MARGIN = 3.0


@dataclass(frozen=True)
class Entry:
    """One line of a legend: a sample, drawn into a box, and its name."""

    sample: Callable[[Sheet, Box], None]
    name: str


def tick_words(ticks: Sequence[Tick], widest_allowed: float) -> list[Words]:
    return [shortened(tick.text, widest_allowed) for tick in ticks]


def fitting(at_most: int, scale: Scale, make: Callable[[int], tuple[Tick, ...]]) -> tuple[Tick, ...]:
    """Ticks along a level scale, fewer and fewer of them until their numbers fit beside each other."""
    for count in range(at_most, 1, -1):
        ticks = make(count)
        gaps = [scale.at(b.place) - scale.at(a.place) for a, b in pairwise(ticks)]
        if min(gaps, default=math.inf) >= max((words(tick.text).width for tick in ticks), default=0.0) + 8:
            return ticks
    return make(2)[:1]


def heading(sheet: Sheet, label: str, width: float, top: float = 1) -> float:
    """What the upward axis counts, on top of the chart; where the chart may begin."""
    block = lines(label, width - 2 * MARGIN, MEDIUM)
    return sheet.write_block(block, MARGIN, top) + 12 if block else top + 8


def draw_up(
    sheet: Sheet, plot: Box, ticks: Sequence[tuple[float, Words]], gridlines: bool = False, marks: bool = True
) -> None:
    """Numbers to the left of the plot; ticks: the height of each on the sheet, and its words."""
    for y, text in ticks:
        if gridlines:
            sheet.line([(plot.left, y), (plot.right, y)], GRIDLINE)
        elif marks:
            sheet.line([(plot.left - TICK, y), (plot.left, y)], AXIS)
        sheet.write(text, plot.left - TICK - GAP, y + MIDDLE * text.size, MUTED, "end")


def draw_across(
    sheet: Sheet, plot: Box, ticks: Sequence[tuple[float, Words]], label: str, turned: bool = False, marks: bool = True
) -> float:
    """Numbers and what they count under the plot; the foot of it all."""
    top = plot.bottom + (TICK + 2 if marks else 4)
    foot, free_from = top, 0.0
    for x, text in ticks:
        if marks:
            sheet.line([(x, plot.bottom), (x, plot.bottom + TICK)], AXIS)
        if turned:
            sheet.write(text, x + MIDDLE * text.size, top + 2, MUTED, "end", turned=True)
            foot = max(foot, top + 2 + text.width)
        else:
            half = text.width / 2 + 1
            inside = min(max(x, half), sheet.width - half)
            if inside - half >= free_from:  # the last one may have been moved inwards too far
                sheet.write(text, inside, top + ASCENT * text.size, MUTED, "middle")
                free_from = inside + half + 3
            foot = max(foot, top + text.size)
    block = lines(label, sheet.width - 2 * MARGIN, MEDIUM)
    if not block:
        return foot + 2
    half = widest(block) / 2
    middle = min(max((plot.left + plot.right) / 2, half + MARGIN), sheet.width - half - MARGIN)
    return sheet.write_block(block, middle, foot + 5, INK, "middle")


def draw_legend(sheet: Sheet, entries: Sequence[Entry], left: float, top: float) -> float:
    """Samples and names in rows under `top`; the foot of the last row."""
    if not entries:
        return top
    x, y, row = left, top + 11, 0.0
    for entry in entries:
        block = lines(entry.name, sheet.width - left - SWATCH[0] - 8 - MARGIN, SMALL)
        room = SWATCH[0] + 7 + widest(block)
        if x > left and x + room > sheet.width - MARGIN:
            x, y, row = left, y + row + 5, 0.0
        entry.sample(sheet, Box(x, y + 1, x + SWATCH[0], y + 1 + SWATCH[1]))
        foot = sheet.write_block(block, x + SWATCH[0] + 7, y + 2, INK)
        row = max(row, foot - y, SWATCH[1] + 2)
        x += room + 18
    return y + row


def widest_number(ticks: Sequence[Words]) -> float:
    return max((tick.width for tick in ticks), default=0.0)


def letter(sheet: Sheet, box: Box, text: str) -> None:
    """A letter in the middle of a box."""
    line = words(text, SMALL, bold=True)
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    sheet.write(line, x, y + MIDDLE * line.size, INK, "middle")
