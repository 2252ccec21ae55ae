"""Labels find their place: beside what they name, off the data, off each other, inside the picture."""

from collections.abc import Iterable, Sequence

import numpy as np

from site_builder.figures.canvas.sheet import Box

COVERING = 10_000.0  # what it costs to cover a label; a point of the data costs 1


class Obstacles:
    """What labels keep clear of: points of the data, and the labels placed before."""

    def __init__(self) -> None:
        self._points = np.empty((0, 2))
        self._boxes: list[tuple[Box, float]] = []

    def add_path(self, points: np.ndarray) -> None:
        """A line through the points (shape (n, 2), pixels), so closely sampled that no label slips through."""
        start, way = points[:-1], np.diff(points, axis=0)
        joined = np.isfinite(start).all(axis=1) & np.isfinite(way).all(axis=1)
        start, way = start[joined], way[joined]
        counts = (np.hypot(way[:, 0], way[:, 1]) // 4).astype(int) + 2
        segment = np.repeat(np.arange(len(counts)), counts)
        step = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        self.add_points(start[segment] + way[segment] * (step / (counts[segment] - 1))[:, None])

    def add_points(self, points: np.ndarray) -> None:
        self._points = np.vstack([self._points, points[np.isfinite(points).all(axis=1)]])

    def add_box(self, box: Box, cost: float = COVERING) -> None:
        self._boxes.append((box, cost))

    def cost(self, box: Box) -> float:
        """How much a label in this box would cover."""
        x, y = self._points.T
        wide = box.grown(2)
        covered = int(((x > wide.left) & (x < wide.right) & (y > wide.top) & (y < wide.bottom)).sum())
        return covered + sum(cost for other, cost in self._boxes if box.meets(other))


def place(candidates: Iterable[Box], inside: Box, obstacles: Obstacles) -> Box | None:
    """The first candidate that covers nothing, taken from then on; each is first moved inside the picture."""
    for box in candidates:
        moved = _inside(box, inside)
        if not obstacles.cost(moved):
            obstacles.add_box(moved)
            return moved
    return None


def best(candidates: Iterable[Box], inside: Box, obstacles: Obstacles) -> tuple[Box, bool]:
    """The candidate that covers least, taken from then on, and whether it covers no other label."""
    chosen = min((_inside(box, inside) for box in candidates), key=obstacles.cost)
    is_clear = obstacles.cost(chosen) < COVERING
    if is_clear:
        obstacles.add_box(chosen)
    return chosen, is_clear


def around(x: float, y: float, width: float, height: float, gap: float = 6) -> Sequence[Box]:
    """Boxes of this size beside a point: right, left, above, below and at the four corners."""
    spots = []
    for shift_x, shift_y in ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1)):
        left = x - width / 2 + shift_x * (width / 2 + gap)
        top = y - height / 2 + shift_y * (height / 2 + gap)
        spots.append(Box(left, top, left + width, top + height))
    return spots


def _inside(box: Box, inside: Box) -> Box:
    left = max(min(box.left, inside.right - box.width), inside.left)
    top = max(min(box.top, inside.bottom - box.height), inside.top)
    return Box(left, top, left + box.width, top + box.height)
