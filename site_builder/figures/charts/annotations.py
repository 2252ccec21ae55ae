"""Draws reference lines and marked points, with their labels beside them or in the legend."""

import numpy as np

from site_builder.contract import Reference
from site_builder.figures.canvas.canvas import Box, Canvas, marker_path
from site_builder.figures.canvas.label_placement import Obstacles, boxes_around, place_best, place_free
from site_builder.figures.canvas.palette import INK, MUTED, PAPER
from site_builder.figures.canvas.text import SMALL, block_height, block_width, wrap_text
from site_builder.figures.charts.axes import LegendEntry

_DASH = (4.0, 3.0)


def draw_reference(
    canvas: Canvas, plot: Box, at: float, reference: Reference, upright: bool, obstacles: Obstacles
) -> list[LegendEntry]:
    """Draw a dashed line across the plot at this pixel, and its label along it, clear of the data.

    Returns a legend entry for a label that has no free place. Draws nothing when the pixel lies outside the plot.
    """
    first, last = (plot.left, plot.right) if upright else (plot.top, plot.bottom)
    if not first - 0.5 <= at <= last + 0.5:
        return []
    canvas.line(line_across(plot, at, upright), MUTED, 1.2, _DASH)
    block = wrap_text(reference.label, plot.width * 0.6, SMALL, at_most=3)
    if not block:
        return []
    free = place_free(_along(plot, at, upright, block_width(block) + 6, block_height(block) + 2), plot, obstacles)
    if free is None:
        return [LegendEntry(_line_sample, reference.label)]
    canvas.text_block(block, free.left + 3, free.top + 1, MUTED)
    return []


def line_across(plot: Box, at: float, upright: bool) -> list[tuple[float, float]]:
    """Return the ends of a line across the plot at this pixel."""
    return [(at, plot.top), (at, plot.bottom)] if upright else [(plot.left, at), (plot.right, at)]


def _line_sample(canvas: Canvas, box: Box) -> None:
    middle = (box.top + box.bottom) / 2
    canvas.line([(box.left, middle), (box.right, middle)], MUTED, 1.2, _DASH)


def _along(plot: Box, at: float, upright: bool, wide: float, high: float) -> list[Box]:
    """Boxes of this size along a reference line, on both sides of it, the ends first."""
    shares = (1.0, 0.0, *np.linspace(0.95, 0.05, 19))
    if upright:
        tops = [plot.top + (1 - share) * (plot.height - high) for share in shares]
        return [Box(left, top, left + wide, top + high) for top in tops for left in (at + 3, at - wide - 3)]
    lefts = [plot.left + share * (plot.width - wide) for share in shares]
    return [Box(left, top, left + wide, top + high) for left in lefts for top in (at - high - 3, at + 3)]


def label_point(
    canvas: Canvas, point: tuple[float, float], label: str, inside: Box, obstacles: Obstacles, boxed: bool = False
) -> list[LegendEntry]:
    """Write a label beside a point where it covers least, on a background if it covers something or if `boxed`.

    Returns a legend entry for a label that would cover another one.
    """
    block = wrap_text(label, min(0.5 * canvas.width, inside.width - 6), SMALL, at_most=3)
    candidates = boxes_around(*point, block_width(block) + 6, block_height(block) + 2)
    free = place_free(candidates, inside, obstacles)
    box, is_clear = (free, True) if free else place_best(candidates, inside, obstacles)
    if not is_clear:
        return [LegendEntry(_mark_sample, label)]
    if boxed or free is None:
        canvas.shape(box.outline(), fill=PAPER, opacity=0.85 if free else 1)
    canvas.text_block(block, box.left + 3, box.top + 1)
    return []


def draw_mark(canvas: Canvas, point: tuple[float, float]) -> None:
    """Draw a dot with a border in the colour of the page."""
    centre = np.array([point])
    canvas.shape(marker_path(centre, 5.5), fill=PAPER)
    canvas.shape(marker_path(centre, 3.8), fill=INK)


def _mark_sample(canvas: Canvas, box: Box) -> None:
    draw_mark(canvas, ((box.left + box.right) / 2, (box.top + box.bottom) / 2))
