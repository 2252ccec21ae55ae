"""Curves: series of points over common axes."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from site_builder.contract import Curve, Series
from site_builder.figures.canvas.axes import Plot, across_range, draw_plot, up_range
from site_builder.figures.canvas.scales import finite_range, is_whole, log_padded, padded
from site_builder.figures.canvas.shapes import Box, error_bars, markers
from site_builder.figures.columns import DataColumn
from site_builder.figures.kinds.kind import Kind
from site_builder.figures.palette import DASHES, HUES, INK, MARKERS, MUTED, PAPER, Colour
from site_builder.figures.series import (
    OF_ESTIMATES,
    all_numbers,
    by_series,
    error_ends,
    has_estimates,
    numbers_of,
    value_columns,
)
from site_builder.figures.words import (
    axis_name,
    column_texts,
    floats,
    marked_sentence,
    plain_cell,
    short_number,
    shown_text,
)

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas

_WIDTH = 2.0  # of lines, in pixels
_MANY_DOTS, _MOST_DOTS = 60, 400  # more dots than this are small, or small squares
_SCALES = {"up": "logarithmic scale up", "across": "logarithmic scale across", "both": "both scales logarithmic"}


class CurveKind(Kind[Curve]):
    """Lines, steps and dots over numbers."""

    figure = Curve

    def errors(self, figure: Curve) -> Iterator[str]:
        for series in figure.series:
            if len(series.across) != len(series.up):
                yield f"the series {series.name!r} has {len(series.across)} places across and {len(series.up)} values"
            if words := [place for place in series.across if isinstance(place, str)]:
                yield f"the series {series.name!r} has {words[0]!r} across, which is no number; Bars are over words"
        yield from _log_errors(figure)

    def names(self, figure: Curve, given: Collection[str]) -> list[str]:
        return [series.name for series in figure.series]

    def draw(self, figure: Curve, canvas: "Canvas") -> None:
        points = [_points(series) for series in figure.series]
        across = across_range(**_limits(figure, points, 0), sizes=canvas.sizes)
        if not across.log and any("dots" in series.style for series in figure.series):
            margin = 0.02 * (across.high - across.low)
            across = replace(across, low=across.low - margin, high=across.high + margin)
        up = up_range(**_limits(figure, points, 1), sizes=canvas.sizes, percent=figure.percent)
        plot = draw_plot(canvas, across, up, figure.across_label, figure.up_label)
        hues = self.hues_of(figure)
        lines = [_drawn(series, plot, i, hue) for i, (series, hue) in enumerate(zip(figure.series, hues, strict=True))]
        centres = [(float(plot.x.at(float(mark.at[0]))), float(plot.y.at(float(mark.at[1])))) for mark in figure.marks]
        plot.labels.avoid_points(np.array(centres).reshape(-1, 2))
        for line in lines:
            plot.labels.avoid_path(line.bars)
            (plot.labels.avoid_points if line.style == "dots" else plot.labels.avoid_path)(line.path)
        plot.draw_references(figure.references)
        for line in lines:
            line.draw(canvas, plot.box.grown(4))
        for mark, centre in zip(figure.marks, centres, strict=True):
            if plot.box.grown(1.5).inside(np.array([centre])).all():
                canvas.shape(markers(np.array([centre]), 5.5), fill=PAPER)
                canvas.shape(markers(np.array([centre]), 3.8), fill=INK)
                plot.labels.label_point(centre, mark.label)
        if not any(np.isfinite(one).any() for one in points):
            plot.write_that_it_is_empty()
        named = zip(lines, figure.series, strict=True) if len(lines) > 1 else ()
        entries = [(partial(_sample, line=line), series.name) for line, series in named]
        plot.finish([*entries, *([(_error_bar_sample, OF_ESTIMATES)] if _has_error_bars(figure) else ())])

    def describe(self, figure: Curve) -> str:
        about = f"{figure.up_label} against {figure.across_label}"
        about += f" ({_SCALES[figure.log]})" if figure.log else ""
        words = [_course(one, figure.percent) for one in figure.series]
        start = "Curve" if len(words) == 1 else f"{len(words)} curves"
        bars = f" Error bars: {OF_ESTIMATES}." if _has_error_bars(figure) else ""
        tail = bars + marked_sentence(figure.references, figure.marks, figure.percent)
        return f"{start} of {about}. {by_series([one.name for one in figure.series], words)}.{tail}"

    def columns(self, figure: Curve) -> list[DataColumn]:
        """One column for each series over all coordinates; a coordinate that a series repeats has more rows."""
        points = [_places(one) for one in figure.series]
        places = sorted({place for one in points for place in one}, key=lambda place: (place[0] is None, *place))
        columns = [DataColumn(figure.across_label or "across", [place for place, _ in places])]
        for one, own in zip(figure.series, points, strict=True):
            name = (one.name if len(points) > 1 else "") or figure.up_label or "value"
            for column in value_columns(one.up, name, figure.percent):
                at = dict(zip(own, column.cells, strict=True))
                columns.append(replace(column, cells=[at.get(place) for place in places]))
        return columns

    def numbers(self, figure: Curve) -> Iterable[Any]:
        levels = [float(each.at) for each in figure.references if not each.upright]
        return [*(series.up for series in figure.series), levels, [float(mark.at[1]) for mark in figure.marks]]

    def axis_names(self, figure: Curve) -> tuple[str, ...]:
        """No name where a series repeats a coordinate, so that a place has several rows in the data."""
        repeats = any(number for one in figure.series for _, number in _places(one))
        is_readable = any(len(one.across) for one in figure.series) and not repeats
        return (axis_name(figure.across_label) or "across",) if is_readable else ()

    def explored(self, figure: Curve) -> dict[str, Any]:
        across, *columns = self.columns(figure)
        at = floats(across.cells)
        shown = np.flatnonzero(np.isfinite(at)).tolist()

        def words(column: DataColumn) -> list[str]:
            texts = column_texts(column.cells, column.percent)
            return [texts[i] for i in shown]

        places = (np.log10(at) if figure.log in ("across", "both") else at)[shown].tolist()
        layers = [{"label": axis_name(each.label) or "value", "words": words(each)} for each in columns]
        return {"axes": [{"words": [shown_text(text) for text in words(across)], "at": places}], "layers": layers}

    def scales(self, figure: Curve) -> dict[str, np.ndarray]:
        return {"up_range": _shown(figure, 1), "across_range": _shown(figure, 0)}


def _places(series: Series) -> list[tuple[Any, int]]:
    """The coordinates of a series as cells of data, each with how often it came before."""
    seen: Counter[Any] = Counter()
    places = []
    for place in map(plain_cell, series.across):
        places.append((place, seen[place]))
        seen[place] += 1
    return places


def _log_errors(figure: Curve) -> Iterator[str]:
    """The first number of each series that has no place on a logarithmic axis."""
    cure = "leave log out, or write None for numbers that cannot be shown"
    for axis in ("across", "up"):
        if figure.log not in (axis, "both"):
            continue
        for series in figure.series:
            given = series.across if axis == "across" else numbers_of(series.up)
            for value in floats(given)[floats(given) <= 0][:1]:
                message = f"the series {series.name!r} has {value:g} {axis}"
                yield f"{message}, and a logarithmic axis shows no 0 or less; {cure}"


def _course(series: Series, percent: bool) -> str:
    """The first and last point of a series, and between them its lowest and highest one."""
    numbers = numbers_of(series.up)
    ups = floats(numbers)
    finite = np.flatnonzero(np.isfinite(ups))
    if not finite.size:
        return "no points"
    lowest, highest = finite[ups[finite].argmin()], finite[ups[finite].argmax()]
    points = sorted({int(at) for at in (finite[0], lowest, highest, finite[-1])})
    texts = column_texts([plain_cell(numbers[at]) for at in points], percent)
    return ", ".join(f"{text} at {short_number(series.across[at])}" for at, text in zip(points, texts, strict=True))


def _shown(figure: Curve, axis: int) -> np.ndarray:
    """All numbers along an axis (0 across, 1 up), with error bars, references and marks."""
    rows = [one.up if axis else one.across for one in figure.series]
    ends = [error_ends(values).ravel() for values in rows] if axis else []
    levels = [each.at for each in figure.references if each.upright == (axis == 0)]
    return np.concatenate([all_numbers(rows), *ends, floats([*(mark.at[axis] for mark in figure.marks), *levels])])


def _has_error_bars(figure: Curve) -> bool:
    return any(has_estimates(one.up) for one in figure.series)


# Drawing


def _points(series: Series) -> np.ndarray:
    """The points, shape (n, 2), NaN where one is missing."""
    points = np.column_stack([floats(series.across), floats(numbers_of(series.up))])
    points[~np.isfinite(points).all(axis=1)] = np.nan
    return points


def _limits(figure: Curve, points: Sequence[np.ndarray], axis: int) -> dict[str, Any]:
    """The ends of an axis (0 across, 1 up), whether it is logarithmic, and whether its points are whole numbers."""
    log, given = figure.log in (("across", "up")[axis], "both"), (figure.across_range, figure.up_range)[axis]
    every = _shown(figure, axis)
    every = every[every > 0] if log else every
    low, high = finite_range(every) if every.size or not log else (1.0, 10.0)
    if given is not None and given[0] < given[1]:
        low, high = map(float, given)
    elif axis or (log and low == high):
        low, high = log_padded(low, high) if log else padded(low, high)
    elif low == high:
        low, high = low - 1, high + 1
    return {"low": low, "high": high, "log": log, "whole": all(is_whole(one[:, axis]) for one in points)}


@dataclass(frozen=True, eq=False)
class DrawnSeries:
    """A series in pixels. path: the line through its points, NaN where one is missing; bars: its error bars.

    dots: the middles of its markers; a line has them at points without neighbours alone.
    """

    style: str
    path: np.ndarray
    dots: np.ndarray
    bars: np.ndarray
    colour: Colour
    dash: tuple[float, ...]
    marker: str

    def draw(self, canvas: "Canvas", clip: Box) -> None:
        dots = self.dots[clip.inside(self.dots)]
        canvas.line(self.bars, self.colour, 1.3 if len(dots) <= _MANY_DOTS else 0.6, clip=clip)
        if self.style != "dots":
            canvas.line(self.path, self.colour, _WIDTH, self.dash, clip)
        is_fine = len(dots) > _MOST_DOTS
        radius = 1.4 if is_fine else 2.2 if len(dots) > _MANY_DOTS else 3.4
        canvas.shape(markers(dots, radius, "square" if is_fine else self.marker), fill=self.colour)


def _drawn(series: Series, plot: Plot, index: int, hue: str) -> DrawnSeries:
    """The series on the plot, in a style by its place among the others, whatever its colour is."""
    points = _points(series)
    path = np.column_stack([plot.x.at(points[:, 0]), plot.y.at(points[:, 1])])
    finite = np.pad(np.isfinite(path).all(axis=1), 1)
    dots = path if "dots" in series.style else path[finite[1:-1] & ~finite[:-2] & ~finite[2:]]
    ends = plot.y.at(error_ends(series.up))  # NaN at points without an error
    bars = error_bars(np.stack([np.column_stack([path[:, 0], ends[:, i]]) for i in (0, 1)], axis=1))
    if series.style == "steps" and len(path):  # each value is kept until the next point
        doubled = np.repeat(path, 2, axis=0)
        path = np.column_stack([doubled[1:, 0], doubled[:-1, 1]])
    dash = DASHES[(index + index // len(DASHES)) % len(DASHES)]
    return DrawnSeries(series.style, path, dots, bars, HUES[hue].line, dash, MARKERS[index % len(MARKERS)])


def _sample(canvas: "Canvas", box: Box, line: DrawnSeries) -> None:
    x, middle = box.centre
    if line.style != "dots":
        canvas.line([(box.left, middle), (box.right, middle)], line.colour, _WIDTH, line.dash)
    if "dots" in line.style:
        canvas.shape(markers(np.array([[x, middle]]), 3.6, line.marker), fill=line.colour)


def _error_bar_sample(canvas: "Canvas", box: Box) -> None:
    x = box.centre[0]
    canvas.line(error_bars(np.array([[(x, box.top + 0.5), (x, box.bottom - 0.5)]])), MUTED, 1.3)
