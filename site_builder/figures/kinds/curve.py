"""Curves: series of points over common axes."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from site_builder.contract import Curve, Series
from site_builder.figures.canvas.axes import (
    LegendEntries,
    Plot,
    across_range,
    draw_mark,
    draw_plot,
    error_bar_sample,
    up_range,
)
from site_builder.figures.canvas.scales import Scale, finite_range, is_whole, log_padded, padded
from site_builder.figures.canvas.shapes import Box, error_bars, markers
from site_builder.figures.columns import DataColumn, stacked
from site_builder.figures.kinds.kind import Kind
from site_builder.figures.palette import DASHES, HUES, MARKERS, Colour
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
    from site_builder.figures.canvas.canvas import Canvas, SizeLimits

_WIDTH = 2.0  # of lines, in pixels
_MANY_DOTS, _MOST_DOTS = 60, 400  # more dots than this are small, or small squares


class LineStyle(NamedTuple):
    """The colour, dashes and markers of a series."""

    colour: Colour
    dash: tuple[float, ...]
    marker: str


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
        styles = [_line_style(index, hue) for index, hue in enumerate(self.hues_of(figure))]
        points = [_points(series) for series in figure.series]
        up = up_range(**_limits(figure, points, 1), sizes=canvas.sizes, percent=figure.percent)
        across = _across_range(figure, points, canvas.sizes)
        plot = draw_plot(canvas, across, up, figure.across_label, figure.up_label)
        _draw_series(plot, figure, points, styles)
        if not any(np.isfinite(one).any() for one in points):
            plot.write_that_it_is_empty()
        plot.finish(_legend(figure, styles))

    def describe(self, figure: Curve) -> str:
        scale = {"up": "logarithmic scale up", "across": "logarithmic scale across", "both": "both scales logarithmic"}
        about = f"{figure.up_label} against {figure.across_label}"
        about += f" ({scale[figure.log]})" if figure.log else ""
        words = [_course(one, figure.percent) for one in figure.series]
        start = "Curve" if len(words) == 1 else f"{len(words)} curves"
        bars = f" Error bars: {OF_ESTIMATES}." if _has_error_bars(figure) else ""
        tail = bars + marked_sentence(figure.references, figure.marks, figure.percent)
        return f"{start} of {about}. {by_series([one.name for one in figure.series], words)}.{tail}"

    def columns(self, figure: Curve) -> list[DataColumn]:
        """One column for each series over all coordinates; or a row for each point if a series repeats a coordinate."""
        series, points = figure.series, _places(figure)
        label = figure.across_label or "across"
        if _repeats(figure):
            columns = [DataColumn(label, [place for one in points for place in one])]
            if len(points) > 1:
                columns.append(
                    DataColumn("series", [one.name for one, places in zip(series, points, strict=True) for _ in places])
                )
            return [*columns, *stacked([value_columns(one.up, figure.up_label, figure.percent) for one in series])]
        places = sorted({place for one in points for place in one}, key=lambda place: (place is None, place))
        columns = [DataColumn(label, places)]
        for one, own in zip(series, points, strict=True):
            name = (one.name if len(points) > 1 else "") or figure.up_label or "value"
            for column in value_columns(one.up, name, figure.percent):
                at = dict(zip(own, column.cells, strict=True))
                columns.append(replace(column, cells=[at.get(place) for place in places]))
        return columns

    def numbers(self, figure: Curve) -> Iterable[Any]:
        levels = [float(each.at) for each in figure.references if not each.upright]
        return [*(series.up for series in figure.series), levels, [float(mark.at[1]) for mark in figure.marks]]

    def axis_names(self, figure: Curve) -> tuple[str, ...]:
        """No name where a series repeats a coordinate, so that a place has no row of its own in the data."""
        is_readable = any(len(one.across) for one in figure.series) and not _repeats(figure)
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


def _places(figure: Curve) -> list[list[Any]]:
    """The coordinates of each series, as cells of data."""
    return [[plain_cell(place) for place in one.across] for one in figure.series]


def _repeats(figure: Curve) -> bool:
    return any(len(set(places)) < len(places) for places in _places(figure))


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


def _across_range(figure: Curve, points: Sequence[np.ndarray], sizes: "SizeLimits") -> Scale:
    """The horizontal axis, with a margin beside dots."""
    made = across_range(**_limits(figure, points, 0), sizes=sizes)
    has_margin = not made.log and any("dots" in series.style for series in figure.series)
    margin = 0.02 * (made.high - made.low) if has_margin else 0.0
    return replace(made, low=made.low - margin, high=made.high + margin)


def _legend(figure: Curve, styles: Sequence[LineStyle]) -> LegendEntries:
    """The series, where they are several, and what the error bars are."""
    named = zip(figure.series, styles, strict=True) if len(styles) > 1 else ()
    entries = [(partial(_line_sample, style=one.style, line=line), one.name) for one, line in named]
    return [*entries, *([(error_bar_sample, OF_ESTIMATES)] if _has_error_bars(figure) else ())]


def _draw_series(plot: Plot, figure: Curve, points: Sequence[np.ndarray], styles: Sequence[LineStyle]) -> None:
    """Draw reference lines, series and marks, in this order."""
    canvas, labels, clip = plot.canvas, plot.labels, plot.box.grown(4)
    paths = [np.column_stack([plot.x.at(one[:, 0]), plot.y.at(one[:, 1])]) for one in points]
    errors = [error_bars(_error_pixels(one, path, plot.y)) for one, path in zip(figure.series, paths, strict=True)]
    centres = [(float(plot.x.at(float(mark.at[0]))), float(plot.y.at(float(mark.at[1])))) for mark in figure.marks]
    labels.avoid_points(np.array(centres).reshape(-1, 2))
    drawn = list(zip(figure.series, paths, errors, styles, strict=True))
    for series, path, bars, _ in drawn:
        labels.avoid_path(bars)
        if series.style == "dots":
            labels.avoid_points(path)
        else:
            labels.avoid_path(_stepped(path) if series.style == "steps" else path)
    plot.draw_references(figure.references)
    for series, path, bars, line in drawn:
        canvas.line(bars, line.colour, 1.3 if len(path) <= _MANY_DOTS else 0.6, clip=clip)
        _draw_line(canvas, series.style, path, line, clip)
    for mark, centre in zip(figure.marks, centres, strict=True):
        if plot.box.grown(1.5).inside(np.array([centre])).all():
            draw_mark(canvas, centre)
            labels.label_point(centre, mark.label)


def _error_pixels(series: Series, path: np.ndarray, y: Scale) -> np.ndarray:
    """The ends of the error bars in pixels, shape (points, 2 ends, 2): NaN at points without one."""
    ends = y.at(error_ends(series.up))
    return np.stack([np.column_stack([path[:, 0], ends[:, i]]) for i in (0, 1)], axis=1)


def _draw_line(canvas: "Canvas", style: str, path: np.ndarray, line: LineStyle, clip: Box) -> None:
    """The line of a series and its dots; a line has dots at points without neighbours alone."""
    if style != "dots":
        canvas.line(_stepped(path) if style == "steps" else path, line.colour, _WIDTH, line.dash, clip)
    dots = path if "dots" in style else path[_is_isolated(path)]
    dots = dots[clip.inside(dots)]
    _, kept = np.unique(np.round(dots * 2), axis=0, return_index=True)  # one of those on the same half pixel
    if len(dots) > _MOST_DOTS:
        canvas.shape(markers(dots[np.sort(kept)], 1.4, "square"), fill=line.colour)
    elif len(dots):
        radius = 3.4 if len(dots) <= _MANY_DOTS else 2.2
        canvas.shape(markers(dots[np.sort(kept)], radius, line.marker), fill=line.colour)


def _is_isolated(path: np.ndarray) -> np.ndarray:
    finite = np.pad(np.isfinite(path).all(axis=1), 1)
    return np.asarray(finite[1:-1] & ~finite[:-2] & ~finite[2:])


def _line_style(index: int, hue: str) -> LineStyle:
    """The style of a series by its place among the others, whatever its colour is."""
    dash = DASHES[(index + index // len(DASHES)) % len(DASHES)]
    return LineStyle(HUES[hue].line, dash, MARKERS[index % len(MARKERS)])


def _stepped(path: np.ndarray) -> np.ndarray:
    """The path as steps: each value is kept until the next point."""
    doubled = np.repeat(path, 2, axis=0)
    return np.column_stack([doubled[1:, 0], doubled[:-1, 1]]) if len(path) else path


def _line_sample(canvas: "Canvas", box: Box, style: str, line: LineStyle) -> None:
    x, middle = box.centre
    if style != "dots":
        canvas.line([(box.left, middle), (box.right, middle)], line.colour, _WIDTH, line.dash)
    if "dots" in style:
        canvas.shape(markers(np.array([[x, middle]]), 3.6, line.marker), fill=line.colour)
