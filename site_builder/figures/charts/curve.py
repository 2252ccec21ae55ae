"""Draws curves: series over common axes, with reference lines and marks."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from site_builder.contract import Curve, Series
from site_builder.figures.canvas.canvas import Box, Canvas, SizeLimits, marker_path
from site_builder.figures.canvas.palette import DASHES, MARKERS, SERIES, Colour
from site_builder.figures.charts.axes import FAR, LegendEntry
from site_builder.figures.charts.error_bars import OPACITY, band_paths, draw_sample, error_bars
from site_builder.figures.charts.labels import draw_mark, label_point
from site_builder.figures.charts.plot import AxisRange, Plot, across_range, draw_plot, up_range, word_range
from site_builder.figures.charts.scales import Scale, finite_range, is_whole, log_padded, padded
from site_builder.figures.intervals import bounds, with_intervals
from site_builder.figures.numbers import floats

_WIDTH = 2.0
_MANY_DOTS, _MOST_DOTS = 60, 400  # more dots than this are small, or small squares


def draw_curve(figure: Curve, sizes: SizeLimits) -> Canvas:
    """Draw the curve on a new canvas."""
    figure = with_intervals(figure)
    names = _names(figure.series)
    points = [_points(series, names) for series in figure.series]
    named = figure.series if len(figure.series) > 1 else ()
    entries = [LegendEntry(partial(_draw_sample, index=i, style=one.style), one.name) for i, one in enumerate(named)]
    entries += _interval_entries(figure.series)
    across, up = _across(figure, points, names, sizes), _up(figure, points, sizes)
    plot = draw_plot(Canvas(sizes.width), sizes, across, up, figure.across_label, figure.up_label)
    _draw_series(plot, figure, points)
    if not any(np.isfinite(one).any() for one in points):
        plot.write_that_it_is_empty()
    return plot.finish(entries)


def _names(series: Sequence[Series]) -> list[str]:
    """The coordinates of an axis of words, in order of first occurrence; none on an axis of numbers."""
    return list(dict.fromkeys(value for one in series for value in one.across if isinstance(value, str)))


def _points(series: Series, names: Sequence[str]) -> np.ndarray:
    """The points, shape (n, 2), NaN where one is missing."""
    across = [names.index(v) if isinstance(v, str) else v for v in series.across] if names else series.across
    points = np.column_stack([floats(across), floats(series.up)])
    points[~np.isfinite(points).all(axis=1)] = np.nan
    return points


def _up(figure: Curve, points: Sequence[np.ndarray], sizes: SizeLimits) -> AxisRange:
    is_log = figure.log in ("up", "both")
    low, high, whole = _data_range(figure, points, 1, is_log)
    if figure.up_range is not None and figure.up_range[0] < figure.up_range[1]:
        low, high = float(figure.up_range[0]), float(figure.up_range[1])
    else:
        low, high = log_padded(low, high) if is_log else padded(low, high)
    return up_range(low, high, sizes, figure.percent, whole, is_log)


def _across(figure: Curve, points: Sequence[np.ndarray], names: Sequence[str], sizes: SizeLimits) -> AxisRange:
    if names:
        return word_range(names, sizes)
    is_log = figure.log in ("across", "both")
    low, high, whole = _data_range(figure, points, 0, is_log)
    if figure.across_range is not None and figure.across_range[0] < figure.across_range[1]:
        low, high = float(figure.across_range[0]), float(figure.across_range[1])
    if is_log:
        return across_range(*(log_padded(low, high) if low == high else (low, high)), sizes, log=True)
    if low == high:
        low, high = low - 1, high + 1
    made = across_range(low, high, sizes, whole)
    margin = 0.02 * (high - low) if any("dots" in series.style for series in figure.series) else 0.0
    return replace(made, low=low - margin, high=high + margin)


def _data_range(figure: Curve, points: Sequence[np.ndarray], axis: int, is_log: bool) -> tuple[float, float, bool]:
    """The range of the points, lines and marks along an axis, and whether the points have whole numbers there."""
    values = [one[:, axis] for one in points]
    intervals = [found for one in figure.series if axis == 1 and (found := bounds(one)) is not None]
    extra = [float(r.at) for r in figure.references if r.upright == (axis == 0)]
    extra += [float(mark.at[axis]) for mark in figure.marks]
    every = np.concatenate([*values, *(each.ravel() for each in intervals), extra, []])
    every = every[every > 0] if is_log else every
    low, high = finite_range(every) if every.size or not is_log else (1.0, 10.0)
    return low, high, all(is_whole(one) for one in values)


def _draw_series(plot: Plot, figure: Curve, points: Sequence[np.ndarray]) -> None:
    """Draw series, reference lines and marks."""
    canvas, x, y, obstacles, clip = plot.canvas, plot.x, plot.y, plot.obstacles, plot.box.grown(4)
    paths = [np.clip(np.column_stack([x.at(one[:, 0]), y.at(one[:, 1])]), -FAR, FAR) for one in points]
    centres = [(x.at(float(mark.at[0])), y.at(float(mark.at[1]))) for mark in figure.marks]
    for series, path in zip(figure.series, paths, strict=True):
        if series.style == "dots":
            obstacles.add_points(path)
        else:
            obstacles.add_path(_stepped(path) if series.style == "steps" else path)
    intervals = [_interval_pixels(one, path, y) for one, path in zip(figure.series, paths, strict=True)]
    for series, interval in zip(figure.series, intervals, strict=True):
        if interval is not None and "dots" in series.style:
            obstacles.add_path(np.pad(interval, ((0, 0), (0, 1), (0, 0)), constant_values=np.nan).reshape(-1, 2))
        elif interval is not None:
            obstacles.add_path(interval[:, 0])
            obstacles.add_path(interval[:, 1])
    obstacles.add_points(np.array(centres).reshape(-1, 2))
    for i, (series, interval) in enumerate(zip(figure.series, intervals, strict=True)):
        if interval is not None and "dots" not in series.style:
            _draw_band(canvas, series.style, interval, i, clip)
    plot.draw_references(figure.references)
    for i, (series, path, interval) in enumerate(zip(figure.series, paths, intervals, strict=True)):
        if interval is not None and "dots" in series.style:
            canvas.shape(error_bars(interval), edge=_line_style(i)[0], width=1.3, clip=clip)
        _draw_one(canvas, series.style, path, i, clip)
    for mark, centre in zip(figure.marks, centres, strict=True):
        if plot.box.grown(1).overlaps(Box.around(*centre, 0.5, 0.5)):
            draw_mark(canvas, centre)
            plot.legend.extend(label_point(canvas, centre, mark.label, plot.box, obstacles))


def _interval_entries(series: Sequence[Series]) -> list[LegendEntry]:
    """The legend of the bands and error bars, each kind once."""
    found = {one.interval: "dots" not in one.style for one in series if one.low is not None and one.interval.strip()}
    return [LegendEntry(partial(draw_sample, is_band=is_band), name) for name, is_band in found.items()]


def _interval_pixels(series: Series, path: np.ndarray, y: Scale) -> np.ndarray | None:
    """The ends of the intervals, shape (points, 2 ends, 2): NaN at points without one."""
    found = bounds(series)
    if found is None:
        return None
    ends = np.stack([np.column_stack([path[:, 0], np.clip(y.at(found[:, end]), -FAR, FAR)]) for end in (0, 1)], 1)
    ends[~np.isfinite(path).all(axis=1) | ~np.isfinite(ends).all(axis=(1, 2))] = np.nan
    return np.asarray(ends)


def _draw_band(canvas: Canvas, style: str, ends: np.ndarray, index: int, clip: Box) -> None:
    """A band between the ends of the intervals; an error bar at a point without neighbours."""
    low, high = (_stepped(ends[:, end]) if style == "steps" else ends[:, end] for end in (0, 1))
    colour = _line_style(index)[0]
    for path in band_paths(low, high):
        canvas.shape(path, fill=colour, opacity=OPACITY, clip=clip)
    alone = ends[_is_isolated(ends[:, 0])]
    if len(alone):
        canvas.shape(error_bars(alone), edge=colour, width=1.3, clip=clip)


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
    """Mask of the points that have no neighbour on the path, so that no line leads to them."""
    lone = path[_is_isolated(path)]
    return np.asarray((points[:, None, :] == lone[None, :, :]).all(axis=2).any(axis=1))


def _is_isolated(path: np.ndarray) -> np.ndarray:
    finite = np.pad(np.isfinite(path).all(axis=1), 1)
    return np.asarray(finite[1:-1] & ~finite[:-2] & ~finite[2:])


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


def _draw_sample(canvas: Canvas, box: Box, index: int, style: str) -> None:
    x, middle = box.centre
    colour, dash = _line_style(index)
    if style != "dots":
        canvas.line([(box.left, middle), (box.right, middle)], colour, _WIDTH, dash)
    if style in ("dots", "line with dots"):
        canvas.shape(marker_path(np.array([[x, middle]]), 3.6, MARKERS[index % len(MARKERS)]), fill=colour)
