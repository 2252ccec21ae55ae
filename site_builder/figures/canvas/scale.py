"""Numbers laid along pixels."""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Scale:
    """A range of numbers from `low` to `high`, laid along the pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: Any) -> Any:
        """The pixel of a number, or of each number of an array."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def reach(values: np.ndarray) -> tuple[float, float]:
    """The smallest and largest of the finite values; 0 and 1 where there are none."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)


def is_whole(values: np.ndarray) -> bool:
    """Whether all the finite values are whole numbers."""
    finite = values[np.isfinite(values)]
    return bool((finite == np.floor(finite)).all())


def padded(low: float, high: float) -> tuple[float, float]:
    """The range with a little air; one that begins not far above 0 begins at 0, and one that ends at 1 ends there."""
    if low == high:
        return low - (abs(low) or 1) * 0.1, high + (abs(high) or 1) * 0.1
    air = 0.05 * (high - low)
    return 0.0 if 0 <= low <= 0.35 * high else low - air, high if high == 1 else high + air
