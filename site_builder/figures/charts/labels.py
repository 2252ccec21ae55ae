"""Draws reference lines and marks, and places labels clear of the data and of each other, or in the legend."""

from collections.abc import Iterable, Sequence

import numpy as np

from site_builder.contract import Reference
from site_builder.figures.canvas.canvas import Box, Canvas, marker_path
from site_builder.figures.canvas.palette import INK, MUTED, PAPER, Colour
from site_builder.figures.canvas.text import TextLine, block_height, block_width, wrap_text
from site_builder.figures.charts.axes import LegendEntry

COVERING = 10_000.0  # cost of covering a label; covering a point of the data costs 1
_DASH = (4.0, 3.0)


class Obstacles:
    """Obstacles to labels, which should not cover them: points of the data, and the labels placed so far."""

    def __init__(self) -> None:
        self._points = np.empty((0, 2))
        self._boxes: list[tuple[Box, float]] = []

    def add_path(self, points: np.ndarray) -> None:
        """Add a line through the points (shape (n, 2), pixels), sampled so that no label fits between two samples."""
        start, vector = points[:-1], np.diff(points, axis=0)
        joined = np.isfinite(start).all(axis=1) & np.isfinite(vector).all(axis=1)
        start, vector = start[joined], vector[joined]
        counts = (np.hypot(vector[:, 0], vector[:, 1]) // 4).astype(int) + 2
        segment = np.repeat(np.arange(len(counts)), counts)
        step = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        self.add_points(start[segment] + vector[segment] * (step / (counts[segment] - 1))[:, None])

    def add_points(self, points: np.ndarray) -> None:
        self._points = np.vstack([self._points, points[np.isfinite(points).all(axis=1)]])

    def add_box(self, box: Box, cost: float = COVERING) -> None:
        self._boxes.append((box, cost))

    def cost(self, box: Box) -> float:
        """Return the cost of what a label in this box would cover."""
        return box.grown(2).count_inside(self._points) + sum(cost for other, cost in self._boxes if box.overlaps(other))

    def place(self, candidates: Iterable[Box], inside: Box, limit: float = COVERING) -> tuple[Box, float]:
        """Return the first candidate of least cost, moved inside, and that cost; below the limit, add it."""
        chosen = min((_moved_inside(box, inside) for box in candidates), key=self.cost)
        cost = self.cost(chosen)
        if cost < limit:
            self.add_box(chosen)
        return chosen, cost


def _moved_inside(box: Box, inside: Box) -> Box:
    left = max(min(box.left, inside.right - box.width), inside.left)
    top = max(min(box.top, inside.bottom - box.height), inside.top)
    return Box(left, top, left + box.width, top + box.height)


def label_size(block: Sequence[TextLine]) -> tuple[float, float]:
    """Return the width and height of the box of a label."""
    return block_width(block) + 6, block_height(block) + 2


def write_label(
    canvas: Canvas, block: Sequence[TextLine], box: Box, colour: Colour = INK, background: float = 0
) -> None:
    """Write a label into its box. background: opacity of a rectangle under it."""
    if background:
        canvas.shape(box.outline(), fill=PAPER, opacity=background)
    canvas.text_block(block, box.left + 3, box.top + 1, colour)


def boxes_around(x: float, y: float, width: float, height: float, gap: float = 6) -> list[Box]:
    """Return boxes of this size beside a point: right, left, above, below and at the four corners."""
    boxes = []
    for right, down in ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1)):
        left, top = x - width / 2 + right * (width / 2 + gap), y - height / 2 + down * (height / 2 + gap)
        boxes.append(Box(left, top, left + width, top + height))
    return boxes


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
    block = wrap_text(reference.label, plot.width * 0.6, at_most=3)
    if not block:
        return []
    box, cost = obstacles.place(_along(plot, at, upright, *label_size(block)), plot, limit=1)
    if cost:
        return [LegendEntry(_line_sample, reference.label)]
    write_label(canvas, block, box, MUTED)
    return []


def line_across(plot: Box, at: float, upright: bool) -> list[tuple[float, float]]:
    """Return the ends of a line across the plot at this pixel."""
    return [(at, plot.top), (at, plot.bottom)] if upright else [(plot.left, at), (plot.right, at)]


def _line_sample(canvas: Canvas, box: Box) -> None:
    canvas.line(line_across(box, box.centre[1], upright=False), MUTED, 1.2, _DASH)


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
    if not label:
        return []
    block = wrap_text(label, min(0.5 * canvas.width, inside.width - 6), at_most=3)
    box, cost = obstacles.place(boxes_around(*point, *label_size(block)), inside)
    if cost >= COVERING:
        return [LegendEntry(_mark_sample, label)]
    write_label(canvas, block, box, background=1 if cost else 0.85 * boxed)
    return []


def draw_mark(canvas: Canvas, point: tuple[float, float]) -> None:
    """Draw a dot with a border in the colour of the page."""
    centre = np.array([point])
    canvas.shape(marker_path(centre, 5.5), fill=PAPER)
    canvas.shape(marker_path(centre, 3.8), fill=INK)


def _mark_sample(canvas: Canvas, box: Box) -> None:
    draw_mark(canvas, box.centre)
