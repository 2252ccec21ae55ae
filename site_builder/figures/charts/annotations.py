"""Labels that stand beside what they name: a line for reference, or a point."""

import numpy as np

from site_builder.contract import Reference
from site_builder.figures.canvas.label_placement import Obstacles, around, best, place
from site_builder.figures.canvas.palette import INK, MUTED, PAPER
from site_builder.figures.canvas.sheet import Box, Sheet, dots
from site_builder.figures.canvas.text import SMALL, height, lines, widest
from site_builder.figures.charts.axes import Entry

_DASH = (4.0, 3.0)


def draw_reference(
    sheet: Sheet, plot: Box, at: float, reference: Reference, upright: bool, obstacles: Obstacles
) -> list[Entry]:
    """A broken line right across the plot at this pixel, and its label along it, clear of the data.

    Where there is no clear place, the label is for the legend: its entry is what comes back. Nothing is drawn when
    the pixel lies outside the plot.
    """
    first, last = (plot.left, plot.right) if upright else (plot.top, plot.bottom)
    if not first - 0.5 <= at <= last + 0.5:
        return []
    sheet.line(across_plot(plot, at, upright), MUTED, 1.2, _DASH)
    block = lines(reference.label, plot.width * 0.6, SMALL, at_most=3)
    if not block:
        return []
    found = place(_along(plot, at, upright, widest(block) + 6, height(block) + 2), plot, obstacles)
    if found is None:
        return [Entry(_sample, reference.label)]
    sheet.write_block(block, found.left + 3, found.top + 1, MUTED)
    return []


def across_plot(plot: Box, at: float, upright: bool) -> list[tuple[float, float]]:
    """The ends of a line right across the plot at this pixel."""
    return [(at, plot.top), (at, plot.bottom)] if upright else [(plot.left, at), (plot.right, at)]


def _sample(sheet: Sheet, box: Box) -> None:
    middle = (box.top + box.bottom) / 2
    sheet.line([(box.left, middle), (box.right, middle)], MUTED, 1.2, _DASH)


def _along(plot: Box, at: float, upright: bool, wide: float, high: float) -> list[Box]:
    """Boxes along a reference line: on either side of it, at both its ends and between."""
    shares = (1.0, 0.0, *np.linspace(0.95, 0.05, 19))
    if upright:
        tops = [plot.top + (1 - share) * (plot.height - high) for share in shares]
        return [Box(left, top, left + wide, top + high) for top in tops for left in (at + 3, at - wide - 3)]
    lefts = [plot.left + share * (plot.width - wide) for share in shares]
    return [Box(left, top, left + wide, top + high) for left in lefts for top in (at - high - 3, at + 3)]


def write_beside(
    sheet: Sheet, point: tuple[float, float], label: str, inside: Box, obstacles: Obstacles, boxed: bool = False
) -> list[Entry]:
    """A label beside a point where it covers least; on paper where it covers something, or always when `boxed`.

    Where it would cover another label it is for the legend: its entry is what comes back.
    """
    block = lines(label, min(0.5 * sheet.width, inside.width - 6), SMALL, at_most=3)
    candidates = around(*point, widest(block) + 6, height(block) + 2)
    free = place(candidates, inside, obstacles)
    box, is_clear = (free, True) if free else best(candidates, inside, obstacles)
    if not is_clear:
        return [Entry(_dot, label)]
    if boxed or free is None:
        sheet.shape(box.outline(), fill=PAPER, opacity=0.85 if free else 1)
    sheet.write_block(block, box.left + 3, box.top + 1)
    return []


def draw_mark(sheet: Sheet, point: tuple[float, float]) -> None:
    """A dot with a rim of paper."""
    centre = np.array([point])
    sheet.shape(dots(centre, 5.5), fill=PAPER)
    sheet.shape(dots(centre, 3.8), fill=INK)


def _dot(sheet: Sheet, box: Box) -> None:
    draw_mark(sheet, ((box.left + box.right) / 2, (box.top + box.bottom) / 2))
