"""Shapes in CSS pixels, y downwards: boxes, and markers and error bars as arrays of their corners."""

from dataclasses import dataclass

import numpy as np

Point = tuple[float, float]
_CAP = 3.5  # half of the width of the ends of an error bar


@dataclass(frozen=True)
class Box:
    """A rectangle on the canvas."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def centre(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def corners(self) -> np.ndarray:
        """Return its four corners, shape (4, 2)."""
        left, top, right, bottom = self.left, self.top, self.right, self.bottom
        return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])

    @staticmethod
    def around(x: float, y: float, across: float, up: float) -> "Box":
        """Return the box around this centre, given half of its width and height."""
        return Box(x - across, y - up, x + across, y + up)

    def grown(self, by: float) -> "Box":
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def overlaps(self, other: "Box") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def moved_inside(self, other: "Box") -> "Box":
        """Return the box of this size that lies inside the other one, as near as possible."""
        left = max(min(self.left, other.right - self.width), other.left)
        top = max(min(self.top, other.bottom - self.height), other.top)
        return Box(left, top, left + self.width, top + self.height)

    def inside(self, points: np.ndarray) -> np.ndarray:
        """Return for each of the points (shape (n, 2)) whether it lies inside."""
        x, y = points.T
        return np.asarray((x > self.left) & (x < self.right) & (y > self.top) & (y < self.bottom))


def regular(corners: int, turn: float = 0.0, inner: float = 1.0, size: float = 1.0) -> np.ndarray:
    """Return the corners of a regular polygon around the origin; with `inner`, a star."""
    angles = np.arange(corners) * 2 * np.pi / corners + turn
    radii = np.where(np.arange(corners) % 2 == 1, inner, 1.0) * size
    return np.asarray(np.column_stack([radii * np.sin(angles), -radii * np.cos(angles)]))


_MARKERS = {
    "circle": regular(16),
    "square": regular(4, turn=np.pi / 4, size=1.25),
    "diamond": regular(4, size=1.35),
    "triangle": regular(3, size=1.35),
    "pentagon": regular(5, size=1.15),
    "star": regular(10, inner=0.45, size=1.5),
}


def markers(centres: np.ndarray, radius: float, marker: str = "circle") -> np.ndarray:
    """Return the corners of a marker at every centre (shape (n, 2)): shape (n, corners, 2)."""
    return np.asarray(centres)[:, None, :] + _MARKERS[marker][None, :, :] * radius


def error_bars(ends: np.ndarray) -> np.ndarray:
    """Return all error bars as one line that NaN interrupts. ends: shape (n, 2 ends, 2); NaN where there is none."""
    known = ends[np.isfinite(ends).all(axis=(1, 2))]
    cap = np.array([_CAP, 0])
    first, last = known[:, 0], known[:, 1]
    gap = np.full_like(first, np.nan)
    strokes = [first, last, gap, first - cap, first + cap, gap, last - cap, last + cap, gap]
    return np.stack(strokes, axis=1).reshape(-1, 2)
