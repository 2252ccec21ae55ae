"""Draws curves: series over common axes, with reference lines and marks."""

from collections.abc import Callable, Sequence

import numpy as np

from site_builder.contract import Curve, Series
from site_builder.figures.canvas.canvas import Box, Canvas, SizeLimits, marker_path
from site_builder.figures.canvas.label_placement import Obstacles
from site_builder.figures.canvas.palette import AXIS, DASHES, MARKERS, SERIES, Colour
from site_builder.figures.canvas.text import block_width, text_line
from site_builder.figures.charts.annotations import draw_mark, draw_reference, label_point, line_across
from site_builder.figures.charts.axes import (
    LABEL_GAP,
    MARGIN,
    TICK_LENGTH,
    LegendEntry,
    draw_across_axis,
    draw_heading,
    draw_legend,
    draw_up_axis,
    fitting_ticks,
    tick_labels,
)
from site_builder.figures.charts.scales import GridAxis, Scale, Tick, finite_range, is_whole, padded, round_ticks
from site_builder.figures.numbers import floats

_WIDTH = 2.0
_FAR = 20_000.0  # pixels; coordinates are clipped to this, which is outside of every canvas
_MANY_DOTS, _MOST_DOTS = 60, 400  # more dots than this are small, or small squares


def draw_curve(figure: Curve, sizes: SizeLimits) -> Canvas:
    """Draw the curve on a new canvas."""
    canvas = Canvas(sizes.width)
    names = _names(figure.series)
    points = [_points(series, names) for series in figure.series]
    entries = _entries(figure.series)
    up_ticks, low, high = _up_ticks(figure, points, sizes)
    across_ticks, first, last = _across_ticks(figure, points, names, sizes)
    up_labels, across_labels = tick_labels(up_ticks, 0.3 * sizes.width), tick_labels(across_ticks, 0.3 * sizes.width)
    plot = _plot(canvas, sizes, figure.up_label, block_width(up_labels), block_width(across_labels))
    x, y = Scale(first, last, plot.left, plot.right), Scale(low, high, plot.bottom, plot.top)
    draw_up_axis(
        canvas, plot, [(y.at(t.position), text) for t, text in zip(up_ticks, up_labels, strict=True)], gridlines=True
    )
    canvas.line([(plot.left, plot.bottom), (plot.right, plot.bottom)], AXIS)
    x_labels = [(x.at(tick.position), label) for tick, label in zip(across_ticks, across_labels, strict=True)]
    bottom = draw_across_axis(canvas, plot, x_labels, figure.across_label)
    entries += _draw_series(canvas, figure, points, plot, x, y)
    canvas.crop(draw_legend(canvas, entries, MARGIN if sizes.narrow else plot.left, bottom) + MARGIN)
    return canvas


def _names(series: Sequence[Series]) -> list[str]:
    """The coordinates of an axis of words, in order of first occurrence; none on an axis of numbers."""
    return list(dict.fromkeys(value for one in series for value in one.across if isinstance(value, str)))


def _points(series: Series, names: Sequence[str]) -> np.ndarray:
    """The points, shape (n, 2), NaN where one is missing."""
    across = [names.index(v) if isinstance(v, str) else v for v in series.across] if names else series.across
    points = np.column_stack([floats(across), floats(series.up)])
    points[~np.isfinite(points).all(axis=1)] = np.nan
    return points


def _up_ticks(figure: Curve, points: Sequence[np.ndarray], sizes: SizeLimits) -> tuple[tuple[Tick, ...], float, float]:
    values = [one[:, 1] for one in points]
    extra = [float(r.at) for r in figure.references if not r.upright] + [float(mark.at[1]) for mark in figure.marks]
    low, high = finite_range(np.concatenate([*values, extra, []]))
    if figure.up_range is not None and figure.up_range[0] < figure.up_range[1]:
        low, high = float(figure.up_range[0]), float(figure.up_range[1])
    else:
        low, high = padded(low, high)
    whole = all(is_whole(one) for one in values)
    ticks = round_ticks(low, high, sizes.ticks_up, figure.percent, whole)
    return ticks, low, high


def _across_ticks(
    figure: Curve, points: Sequence[np.ndarray], names: Sequence[str], sizes: SizeLimits
) -> tuple[tuple[Tick, ...], float, float]:
    values = [one[:, 0] for one in points]
    extra = [float(r.at) for r in figure.references if r.upright] + [float(mark.at[0]) for mark in figure.marks]
    low, high = finite_range(np.concatenate([*values, extra, []]))
    if names:
        spacing = (sizes.width - 60) / max(len(names), 1)
        ticks = GridAxis(names).ticks(
            spacing, lambda texts: max(text_line(text).width for text in texts) + 10, len(names)
        )
        return ticks, low - 0.5, high + 0.5
    whole = all(is_whole(one) for one in values)
    if low == high:
        low, high = low - 1, high + 1
    ticks = fitting_ticks(
        sizes.ticks_across, Scale(low, high, 0, sizes.width - 60), lambda n: round_ticks(low, high, n, whole=whole)
    )
    margin = 0.02 * (high - low) if any("dots" in series.style for series in figure.series) else 0.0
    return ticks, low - margin, high + margin


def _plot(canvas: Canvas, sizes: SizeLimits, label: str, number_up: float, number_across: float) -> Box:
    """The box of the plot, with room for axis labels of these widths; writes the heading."""
    top = draw_heading(canvas, label, sizes.width)
    left = max(number_up + LABEL_GAP + TICK_LENGTH + MARGIN, number_across / 2 + MARGIN)
    return Box(left, top, sizes.width - number_across / 2 - MARGIN, top + sizes.curve_height)


def _draw_series(
    canvas: Canvas, figure: Curve, points: Sequence[np.ndarray], plot: Box, x: Scale, y: Scale
) -> list[LegendEntry]:
    """Draw series, reference lines and marks; return legend entries for labels without a free place."""
    clip = plot.grown(4)
    paths = [np.clip(np.column_stack([x.at(one[:, 0]), y.at(one[:, 1])]), -_FAR, _FAR) for one in points]
    centres = [np.array([[x.at(float(mark.at[0])), y.at(float(mark.at[1]))]]) for mark in figure.marks]
    obstacles = Obstacles()
    pixels = [(x if reference.upright else y).at(float(reference.at)) for reference in figure.references]
    for reference, at in zip(figure.references, pixels, strict=True):
        obstacles.add_path(np.array(line_across(plot, at, reference.upright)))
    for series, path in zip(figure.series, paths, strict=True):
        if series.style == "dots":
            obstacles.add_points(path)
        else:
            obstacles.add_path(_stepped(path) if series.style == "steps" else path)
    for centre in centres:
        obstacles.add_points(centre)
    entries = []
    for reference, at in zip(figure.references, pixels, strict=True):
        entries += draw_reference(canvas, plot, at, reference, reference.upright, obstacles)
    for i, (series, path) in enumerate(zip(figure.series, paths, strict=True)):
        _draw_one(canvas, series.style, path, i, clip)
    for mark, centre in zip(figure.marks, centres, strict=True):
        point = (float(centre[0, 0]), float(centre[0, 1]))
        if not plot.grown(1).overlaps(Box(*point, *point).grown(0.5)):
            continue
        draw_mark(canvas, point)
        if mark.label:
            entries += label_point(canvas, point, mark.label, plot, obstacles)
    return entries


def _draw_one(canvas: Canvas, style: str, path: np.ndarray, index: int, clip: Box) -> None:
    colour, dash = _line_style(index)
    visible = path[np.isfinite(path).all(axis=1)]
    visible = visible[(visible[:, 0] > clip.left) & (visible[:, 0] < clip.right)]
    visible = visible[(visible[:, 1] > clip.top) & (visible[:, 1] < clip.bottom)]
    if style != "dots":
        canvas.line(_stepped(path) if style == "steps" else path, colour, _WIDTH, dash, clip)
    if style in ("line", "steps"):
        visible = visible[_isolated(path, visible)]
    if len(visible):
        marker = MARKERS[index % len(MARKERS)]
        if len(visible) > _MOST_DOTS:
            shape = marker_path(_thinned(visible), 1.4, "square")
        else:
            shape = marker_path(_thinned(visible), 3.4 if len(visible) <= _MANY_DOTS else 2.2, marker)
        canvas.shape(shape, fill=colour)


def _isolated(path: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Which of the points have no neighbour on the path, so that no line leads to them."""
    finite = np.pad(np.isfinite(path).all(axis=1), 1)
    lone = path[finite[1:-1] & ~finite[:-2] & ~finite[2:]]
    return np.asarray((points[:, None, :] == lone[None, :, :]).all(axis=2).any(axis=1))


def _line_style(index: int) -> tuple[Colour, tuple[float, ...]]:
    rounds = index // len(SERIES)
    return SERIES[index % len(SERIES)], DASHES[(index + rounds) % len(DASHES)]


def _stepped(path: np.ndarray) -> np.ndarray:
    """The path as steps: each value is kept until the next point."""
    doubled = np.repeat(path, 2, axis=0)
    return np.column_stack([doubled[1:, 0], doubled[:-1, 1]]) if len(path) else path


def _thinned(points: np.ndarray) -> np.ndarray:
    """The points without those that fall on the same half pixel as another."""
    _, kept = np.unique(np.round(points * 2), axis=0, return_index=True)
    return points[np.sort(kept)]


def _entries(series: Sequence[Series]) -> list[LegendEntry]:
    """The legend entries of the series; a single series needs none."""
    if len(series) < 2:
        return []
    return [LegendEntry(_sample(i, one.style), one.name) for i, one in enumerate(series)]


def _sample(index: int, style: str) -> Callable[[Canvas, Box], None]:
    def sample(canvas: Canvas, box: Box) -> None:
        middle = (box.top + box.bottom) / 2
        ends = np.array([(box.left, middle), (box.right, middle)])
        colour, dash = _line_style(index)
        if style != "dots":
            canvas.line(ends, colour, _WIDTH, dash)
        if style in ("dots", "line with dots"):
            centre = np.array([[(box.left + box.right) / 2, middle]])
            canvas.shape(marker_path(centre, 3.6, MARKERS[index % len(MARKERS)]), fill=colour)

    return sample
