"""The words over and below a chart: labels of lines and points, and the legend."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from site_builder.contract import Reference
from site_builder.figures.canvas.shapes import Box, Point, error_bars, markers
from site_builder.figures.canvas.text import Block, block_height, block_width, wrap_text
from site_builder.figures.palette import INK, MUTED, PAPER, Colour

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas

MARGIN = 3.0
COVERING = 10_000.0  # cost of covering a label; covering a point of the data costs 1
_DASH = (4.0, 3.0)
_SAMPLE_SIZE = (24.0, 14.0)


@dataclass(frozen=True)
class LegendEntry:
    """One entry of a legend: its label, and a function that draws its sample into a box."""

    sample: "Callable[[Canvas, Box], None]"
    label: str


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

    def draw_references(self, references: Sequence[Reference], at: Callable[[Reference], Point]) -> None:
        """Draw dashed lines across the plot with their labels; `at` gives a point on each, in pixels."""
        lines = [(each, _line_across(self.plot, *at(each), each.upright)) for each in references]
        shown = [(each, line) for each, line in lines if self.plot.grown(0.5).inside(line).all()]
        for _, line in shown:
            self.canvas.line(line, MUTED, 1.2, _DASH)
            self.avoid_path(line)
        for reference, line in shown:
            if block := wrap_text(reference.label, self.plot.width * 0.6):
                self.write(block, _along(self.plot, line[0], reference.upright, label_size(block)), MUTED)

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


def _line_across(plot: Box, x: float, y: float, upright: bool) -> np.ndarray:
    """The ends of a line across the plot through this point, shape (2, 2)."""
    return np.array([(x, plot.top), (x, plot.bottom)] if upright else [(plot.left, y), (plot.right, y)])


def _along(plot: Box, at: np.ndarray, upright: bool, size: Point) -> list[Box]:
    """Boxes of this size along a reference line, on both sides of it, the ends first."""
    (x, y), (wide, high), shares = at, size, (1.0, 0.0, *np.linspace(0.95, 0.05, 19))
    if upright:
        tops = [plot.top + (1 - share) * (plot.height - high) for share in shares]
        return [Box(left, top, left + wide, top + high) for top in tops for left in (x + 3, x - wide - 3)]
    lefts = [plot.left + share * (plot.width - wide) for share in shares]
    return [Box(left, top, left + wide, top + high) for left in lefts for top in (y - high - 3, y + 3)]


def draw_mark(canvas: "Canvas", point: Point) -> None:
    """Draw a dot with a border in the colour of the page."""
    centre = np.array([point])
    canvas.shape(markers(centre, 5.5), fill=PAPER)
    canvas.shape(markers(centre, 3.8), fill=INK)


def error_bar_sample(canvas: "Canvas", box: Box) -> None:
    """Draw an error bar into the box of a legend, in no series' colour."""
    x = box.centre[0]
    canvas.line(error_bars(np.array([[(x, box.top + 0.5), (x, box.bottom - 0.5)]])), MUTED, 1.3)


def draw_legend(canvas: "Canvas", entries: Sequence[LegendEntry], left: float, top: float) -> None:
    """Draw the entries in rows below `top`, and end the canvas below them."""
    x, y, bottom = left, top + 11, top
    for entry in entries:
        block = wrap_text(entry.label, canvas.width - left - _SAMPLE_SIZE[0] - 8 - MARGIN)
        width = _SAMPLE_SIZE[0] + 7 + block_width(block)
        if x > left and x + width > canvas.width - MARGIN:
            x, y = left, bottom + 5
        entry.sample(canvas, Box(x, y + 1, x + _SAMPLE_SIZE[0], y + 1 + _SAMPLE_SIZE[1]))
        lowest = canvas.text_block(block, x + _SAMPLE_SIZE[0] + 7, y + 2, INK)
        bottom = max(bottom, lowest, y + _SAMPLE_SIZE[1] + 2)
        x += width + 18
    canvas.crop(bottom + MARGIN)
