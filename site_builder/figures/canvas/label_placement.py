"""Places labels beside their points: clear of the data and of each other, inside the figure."""

from collections.abc import Iterable, Sequence

import numpy as np

from site_builder.figures.canvas.canvas import Box

COVERING = 10_000.0  # cost of covering a label; covering a point of the data costs 1


class Obstacles:
    """What labels should not cover: points of the data, and the labels placed so far."""

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
        x, y = self._points.T
        larger = box.grown(2)
        covered = int(((x > larger.left) & (x < larger.right) & (y > larger.top) & (y < larger.bottom)).sum())
        return covered + sum(cost for other, cost in self._boxes if box.overlaps(other))


def place_free(candidates: Iterable[Box], inside: Box, obstacles: Obstacles) -> Box | None:
    """Return the first candidate that covers nothing and add it to the obstacles; each is first moved inside."""
    for box in candidates:
        moved = _inside(box, inside)
        if not obstacles.cost(moved):
            obstacles.add_box(moved)
            return moved
    return None


def place_best(candidates: Iterable[Box], inside: Box, obstacles: Obstacles) -> tuple[Box, bool]:
    """Return the candidate of least cost and whether it covers no label; if so, add it to the obstacles."""
    chosen = min((_inside(box, inside) for box in candidates), key=obstacles.cost)
    is_clear = obstacles.cost(chosen) < COVERING
    if is_clear:
        obstacles.add_box(chosen)
    return chosen, is_clear


def boxes_around(x: float, y: float, width: float, height: float, gap: float = 6) -> Sequence[Box]:
    """Return boxes of this size beside a point: right, left, above, below and at the four corners."""
    boxes = []
    for shift_x, shift_y in ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1)):
        left = x - width / 2 + shift_x * (width / 2 + gap)
        top = y - height / 2 + shift_y * (height / 2 + gap)
        boxes.append(Box(left, top, left + width, top + height))
    return boxes


def _inside(box: Box, inside: Box) -> Box:
    left = max(min(box.left, inside.right - box.width), inside.left)
    top = max(min(box.top, inside.bottom - box.height), inside.top)
    return Box(left, top, left + box.width, top + box.height)
