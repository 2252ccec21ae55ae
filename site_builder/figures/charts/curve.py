"""Curves: series over common axes, lines for reference, marks."""

from collections.abc import Callable, Sequence

import numpy as np

from site_builder.contract import Curve, Series
from site_builder.figures.alt_text import floats
from site_builder.figures.canvas.label_placement import Obstacles
from site_builder.figures.canvas.palette import AXIS, DASHES, MARKERS, SERIES, Ink
from site_builder.figures.canvas.scale import Scale, is_whole, padded, reach
from site_builder.figures.canvas.sheet import Box, Sheet, dots
from site_builder.figures.canvas.sizes import Room
from site_builder.figures.canvas.text import words
from site_builder.figures.charts.annotations import across_plot, draw_mark, draw_reference, write_beside
from site_builder.figures.charts.axes import (
    GAP,
    MARGIN,
    TICK,
    Entry,
    draw_across,
    draw_legend,
    draw_up,
    fitting,
    heading,
    tick_words,
    widest_number,
)
from site_builder.figures.charts.ticks import GridAxis, Tick, round_ticks

_WIDTH = 2.0
_FAR = 20_000.0  # pixels; what lies farther off than this is outside every picture
_MANY_DOTS, _MOST_DOTS = 60, 400  # more dots than this are small, or small squares


def draw_curve(figure: Curve, room: Room) -> Sheet:
    """The curve on a sheet of its own."""
    sheet = Sheet(room.width)
    names = _names(figure.series)
    points = [_points(series, names) for series in figure.series]
    entries = _entries(figure.series)
    ups, low, high = _up_ticks(figure, points, room)
    acrosses, first, last = _across_ticks(figure, points, names, room)
    up_words, across_words = tick_words(ups, 0.3 * room.width), tick_words(acrosses, 0.3 * room.width)
    plot = _plot(sheet, room, figure.up_label, widest_number(up_words), widest_number(across_words))
    x, y = Scale(first, last, plot.left, plot.right), Scale(low, high, plot.bottom, plot.top)
    draw_up(sheet, plot, [(y.at(t.place), text) for t, text in zip(ups, up_words, strict=True)], gridlines=True)
    sheet.line([(plot.left, plot.bottom), (plot.right, plot.bottom)], AXIS)
    placed = [(x.at(t.place), text) for t, text in zip(acrosses, across_words, strict=True)]
    foot = draw_across(sheet, plot, placed, figure.across_label)
    entries += _draw_series(sheet, figure, points, plot, x, y)
    sheet.cut(draw_legend(sheet, entries, MARGIN if room.narrow else plot.left, foot) + MARGIN)
    return sheet


def _names(series: Sequence[Series]) -> list[str]:
    """The places along an axis of words, in the order in which they first come; none on an axis of numbers."""
    found = dict.fromkeys(str(value) for one in series for value in one.across if isinstance(value, str))
    return list(found)


def _points(series: Series, names: Sequence[str]) -> np.ndarray:
    """Shape (n, 2); NaN where a point is missing."""
    across = [names.index(v) if isinstance(v, str) else v for v in series.across] if names else series.across
    points = np.column_stack([floats(across), floats(series.up)])
    points[~np.isfinite(points).all(axis=1)] = np.nan
    return points


def _up_ticks(figure: Curve, points: Sequence[np.ndarray], room: Room) -> tuple[tuple[Tick, ...], float, float]:
    values = [one[:, 1] for one in points]
    extra = [float(r.at) for r in figure.references if not r.upright] + [float(mark.at[1]) for mark in figure.marks]
    low, high = reach(np.concatenate([*values, extra, []]))
    if figure.up_range is not None and figure.up_range[0] < figure.up_range[1]:
        low, high = float(figure.up_range[0]), float(figure.up_range[1])
    else:
        low, high = padded(low, high)
    whole = all(is_whole(one) for one in values)
    ticks = round_ticks(low, high, room.ticks_up, figure.percent, whole)
    return ticks, low, high


def _across_ticks(
    figure: Curve, points: Sequence[np.ndarray], names: Sequence[str], room: Room
) -> tuple[tuple[Tick, ...], float, float]:
    values = [one[:, 0] for one in points]
    extra = [float(r.at) for r in figure.references if r.upright] + [float(mark.at[0]) for mark in figure.marks]
    low, high = reach(np.concatenate([*values, extra, []]))
    if names:
        spacing = (room.width - 60) / max(len(names), 1)
        ticks = GridAxis(names).ticks(spacing, lambda texts: max(words(text).width for text in texts) + 10, len(names))
        return ticks, low - 0.5, high + 0.5
    whole = all(is_whole(one) for one in values)
    if low == high:
        low, high = low - 1, high + 1
    ticks = fitting(
        room.ticks_across, Scale(low, high, 0, room.width - 60), lambda n: round_ticks(low, high, n, whole=whole)
    )
    air = 0.02 * (high - low) if any("dots" in series.style for series in figure.series) else 0.0
    return ticks, low - air, high + air


def _plot(sheet: Sheet, room: Room, label: str, number_up: float, number_across: float) -> Box:
    foot = heading(sheet, label, room.width)
    left = max(number_up + GAP + TICK + MARGIN, number_across / 2 + MARGIN)
    return Box(left, foot, room.width - number_across / 2 - MARGIN, foot + room.curve_height)


def _draw_series(
    sheet: Sheet, figure: Curve, points: Sequence[np.ndarray], plot: Box, x: Scale, y: Scale
) -> list[Entry]:
    """The series, lines for reference and marks; the entries of references that found no place for their label."""
    clip = plot.grown(4)
    paths = [np.clip(np.column_stack([x.at(one[:, 0]), y.at(one[:, 1])]), -_FAR, _FAR) for one in points]
    centres = [np.array([[x.at(float(mark.at[0])), y.at(float(mark.at[1]))]]) for mark in figure.marks]
    obstacles = Obstacles()
    places = [(x if reference.upright else y).at(float(reference.at)) for reference in figure.references]
    for reference, at in zip(figure.references, places, strict=True):
        obstacles.add_path(np.array(across_plot(plot, at, reference.upright)))
    for series, path in zip(figure.series, paths, strict=True):
        if series.style == "dots":
            obstacles.add_points(path)
        else:
            obstacles.add_path(_stepped(path) if series.style == "steps" else path)
    for centre in centres:
        obstacles.add_points(centre)
    entries = []
    for reference, at in zip(figure.references, places, strict=True):
        entries += draw_reference(sheet, plot, at, reference, reference.upright, obstacles)
    for i, (series, path) in enumerate(zip(figure.series, paths, strict=True)):
        _draw_one(sheet, series.style, path, i, clip)
    for mark, centre in zip(figure.marks, centres, strict=True):
        point = (float(centre[0, 0]), float(centre[0, 1]))
        if not plot.grown(1).meets(Box(*point, *point).grown(0.5)):
            continue
        draw_mark(sheet, point)
        if mark.label:
            entries += write_beside(sheet, point, mark.label, plot, obstacles)
    return entries


def _draw_one(sheet: Sheet, style: str, path: np.ndarray, place_in_order: int, clip: Box) -> None:
    ink, dash = _look(place_in_order)
    there = path[np.isfinite(path).all(axis=1)]
    there = there[(there[:, 0] > clip.left) & (there[:, 0] < clip.right)]
    there = there[(there[:, 1] > clip.top) & (there[:, 1] < clip.bottom)]
    if style != "dots":
        sheet.line(_stepped(path) if style == "steps" else path, ink, _WIDTH, dash, clip)
    if style in ("line", "steps"):
        there = there[_lone(path, there)]
    if len(there):
        marker = MARKERS[place_in_order % len(MARKERS)]
        if len(there) > _MOST_DOTS:
            shape = dots(_apart(there), 1.4, "square")
        else:
            shape = dots(_apart(there), 3.4 if len(there) <= _MANY_DOTS else 2.2, marker)
        sheet.shape(shape, fill=ink)


def _lone(path: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Which of the points have no neighbour on the path, so that no line shows them."""
    there = np.pad(np.isfinite(path).all(axis=1), 1)
    lone = path[there[1:-1] & ~there[:-2] & ~there[2:]]
    return np.asarray((points[:, None, :] == lone[None, :, :]).all(axis=2).any(axis=1))


def _look(place_in_order: int) -> tuple[Ink, tuple[float, ...]]:
    rounds = place_in_order // len(SERIES)
    return SERIES[place_in_order % len(SERIES)], DASHES[(place_in_order + rounds) % len(DASHES)]


def _stepped(path: np.ndarray) -> np.ndarray:
    """The path with each value held until the next point."""
    doubled = np.repeat(path, 2, axis=0)
    return np.column_stack([doubled[1:, 0], doubled[:-1, 1]]) if len(path) else path


def _apart(points: np.ndarray) -> np.ndarray:
    """The points without those that fall on the half pixel of another."""
    _, kept = np.unique(np.round(points * 2), axis=0, return_index=True)
    return points[np.sort(kept)]


def _entries(series: Sequence[Series]) -> list[Entry]:
    """The legend: none where a single series says nothing that the axis does not."""
    if len(series) < 2:
        return []
    return [Entry(_sample(i, one.style), one.name) for i, one in enumerate(series)]


def _sample(place_in_order: int, style: str) -> Callable[[Sheet, Box], None]:
    def sample(sheet: Sheet, box: Box) -> None:
        middle = (box.top + box.bottom) / 2
        ends = np.array([(box.left, middle), (box.right, middle)])
        ink, dash = _look(place_in_order)
        if style != "dots":
            sheet.line(ends, ink, _WIDTH, dash)
        if style in ("dots", "line with dots"):
            centre = np.array([[(box.left + box.right) / 2, middle]])
            sheet.shape(dots(centre, 3.6, MARKERS[place_in_order % len(MARKERS)]), fill=ink)

    return sample
