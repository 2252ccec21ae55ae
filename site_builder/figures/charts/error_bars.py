"""The shapes of intervals around values: bands, error bars, and their samples in a legend."""

from collections.abc import Iterator

import numpy as np
from matplotlib.path import Path

from site_builder.figures.canvas.canvas import Box, Canvas
from site_builder.figures.canvas.palette import MUTED

OPACITY = 0.22  # of a band
_CAP = 3.5  # half of the width of the ends of an error bar


def error_bars(ends: np.ndarray, horizontal: bool = False) -> Path:
    """Return one path of all error bars. ends: shape (n, 2 ends, 2), in pixels; NaN where there is none."""
    known = ends[np.isfinite(ends).all(axis=(1, 2))]
    cap = np.array([0, _CAP] if horizontal else [_CAP, 0])
    first, last = known[:, 0], known[:, 1]
    strokes = [(first, last), (first - cap, first + cap), (last - cap, last + cap)]
    vertices = np.stack([point for stroke in strokes for point in stroke], axis=1).reshape(-1, 2)
    return Path(vertices, np.tile([Path.MOVETO, Path.LINETO], len(vertices) // 2))


def band_paths(low: np.ndarray, high: np.ndarray) -> Iterator[Path]:
    """Yield the area between two lines (shape (n, 2), pixels) as a closed path for each part without NaN."""
    finite = np.isfinite(low).all(axis=1) & np.isfinite(high).all(axis=1)
    breaks = np.flatnonzero(np.diff(finite.astype(int))) + 1
    for part in np.split(np.arange(len(low)), breaks):
        if len(part) > 1 and finite[part[0]]:
            outline = np.vstack([low[part], high[part][::-1], low[part[:1]]])
            yield Path(outline, closed=True)


def draw_sample(canvas: Canvas, box: Box, is_band: bool) -> None:
    """Draw a band or an error bar into the box of a legend, in no series' colour."""
    if is_band:
        canvas.shape(box.outline(), fill=MUTED, opacity=OPACITY)
        return
    x = box.centre[0]
    canvas.shape(error_bars(np.array([[(x, box.top + 0.5), (x, box.bottom - 0.5)]])), edge=MUTED, width=1.3)
