"""Curves: series of points over common axes."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from site_builder.contract import Curve, Estimate, Series
from site_builder.figures.cell_texts import column_texts, plain_cell
from site_builder.figures.columns import DataColumn, stacked, with_ends
from site_builder.figures.intervals import (
    estimate_text,
    has_estimates,
    interval_errors,
    names_of_intervals,
    series_values,
    upward_numbers,
    with_intervals,
)
from site_builder.figures.kinds.kind import Kind
from site_builder.figures.numbers import floats, short_number
from site_builder.figures.words import (
    MOST_LONG_NAMES,
    MOST_NAMED,
    NumberFormat,
    axis_name,
    capitalized,
    distinct,
    interval_sentence,
    join_list,
    may_be_cut,
    number_format,
    reference_sentence,
    shown_text,
    widest_interval,
)

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas, SizeLimits

_MANY_ORDERS = 6  # of magnitude; on a linear axis most of such values look like 0
LOG_AXES = ("", "across", "up", "both")


class CurveKind(Kind[Curve]):
    """Lines, steps and dots over numbers or words."""

    figure = Curve
    name = "curve"

    def errors(self, figure: Curve) -> Iterator[str]:
        for series in figure.series:
            if len(series.across) != len(series.up):
                yield f"the series {series.name!r} has {len(series.across)} places across and {len(series.up)} values"
            yield from interval_errors(series, series.up)
        if figure.log not in LOG_AXES:
            yield f"its log is {figure.log!r}; it is 'across', 'up' or 'both', or left out"
        yield from _log_errors(figure)

    def draw(self, figure: Curve, sizes: "SizeLimits") -> "Canvas":
        from site_builder.figures.charts.curve import draw_curve

        return draw_curve(figure, sizes)

    def describe(self, figure: Curve) -> str:
        figure = with_intervals(figure)
        format_value = number_format(np.concatenate([[], *(floats(one.up) for one in figure.series)]), figure.percent)
        scale = {"up": "logarithmic scale up", "across": "logarithmic scale across", "both": "both scales logarithmic"}
        about = f"{figure.up_label} against {figure.across_label}"
        about += f" ({scale[figure.log]})" if figure.log else ""
        courses = [
            (one.name, _series_course(one, format_value) + widest_interval(one, one.across, format_value))
            for one in figure.series
        ]
        tail = interval_sentence(figure) + _references_and_marks(figure, format_value)
        if len(courses) == 1:
            return f"Curve of {about}: {courses[0][1]}.{tail}"
        most = MOST_LONG_NAMES if may_be_cut(name for name, _ in courses) else MOST_NAMED
        each = join_list((f"{name}: {course}" for name, course in courses), "; ", most)
        return f"{len(courses)} curves of {about}. {capitalized(each)}.{_crossing(figure)}{tail}"

    def columns(self, figure: Curve) -> list[DataColumn]:
        """One column for each series over all coordinates; or one row for each point if a series repeats a coordinate.

        The ends of its intervals are in two more columns.
        """
        series = with_intervals(figure).series
        points = [[plain_cell(place) for place in one.across] for one in series]
        label = figure.across_label or "across"
        if any(len(set(one)) < len(one) for one in points):
            columns = [DataColumn(label, [place for one in points for place in one])]
            if len(points) > 1:
                columns.append(
                    DataColumn("series", [one.name for one, places in zip(series, points, strict=True) for _ in places])
                )
            rows = [with_ends(one, figure.up_label, one.up) for one in series]
            return [*columns, *stacked(rows, figure.percent)]
        places = list(dict.fromkeys(place for one in points for place in one))
        if all(isinstance(place, (int, float, Fraction)) for place in places):
            places.sort()
        columns = [DataColumn(label, places)]
        for one, own in zip(series, points, strict=True):
            name = (one.name if len(points) > 1 else "") or figure.up_label or "value"
            for head, cells in with_ends(one, name, one.up).items():
                at = dict(zip(own, cells, strict=True))
                columns.append(DataColumn(head, [at.get(place) for place in places], figure.percent))
        return columns

    def axes(self, figure: Curve) -> dict[str, tuple[str, bool]]:
        return {"across": (figure.across_label, False), "up": (figure.up_label, figure.percent)}

    def intervals(self, figure: Curve) -> list[str]:
        return names_of_intervals(with_intervals(figure))

    def numbers(self, figure: Curve) -> Iterable[Any]:
        levels = [float(each.at) for each in figure.references if not each.upright]
        return [*(series.up for series in figure.series), levels, [float(mark.at[1]) for mark in figure.marks]]

    def axis_names(self, figure: Curve) -> tuple[str, ...]:
        return (axis_name(figure.across_label) or "across",) if _places(figure.series) else ()

    def explored(self, figure: Curve, most: int) -> dict[str, Any]:
        places = _places(figure.series)
        words = [shown_text(text) for text in column_texts(places)]
        axis: dict[str, Any] = {"words": distinct(words)}
        if not isinstance(places[0], str):
            at = [float(place) for place in places]
            axis |= {"at": np.log10(at).tolist() if figure.log in ("across", "both") else at}
        labels = [one.name if len(figure.series) > 1 else figure.up_label for one in figure.series]
        layers = [
            {"label": axis_name(label) or "value", "words": _series_words(one, places, figure.percent)}
            for one, label in zip(figure.series, labels, strict=True)
        ]
        return {"axes": [axis], "layers": layers}

    def warnings(self, figure: Curve) -> Iterator[str]:
        values = np.concatenate([[], *(floats(series_values(one)) for one in figure.series)])
        values = values[np.isfinite(values)]
        if figure.log in ("up", "both") or not values.size or values.min() <= 0:
            return
        orders = math.log10(values.max()) - math.log10(values.min())
        if orders >= _MANY_ORDERS:
            yield f'its values span {orders:.0f} orders of magnitude; log="up" shows the small ones too'

    def units(self, figure: Curve) -> tuple[Any, ...]:
        return figure.up_label, figure.across_label, figure.percent, figure.log

    def scales(self, figure: Curve) -> dict[str, np.ndarray]:
        level = [each.at for each in figure.references if not each.upright]
        up = [*upward_numbers(figure), floats([*(mark.at[1] for mark in figure.marks), *level])]
        return {"up_range": np.concatenate(up), "across_range": _across(figure)}


def _log_errors(figure: Curve) -> Iterator[str]:
    """The first number of each series that has no place on a logarithmic axis."""
    cure = "leave log out, or write None for numbers that cannot be shown"
    for axis in ("across", "up"):
        if figure.log not in (axis, "both"):
            continue
        for series in figure.series:
            given = series.across if axis == "across" else series_values(series)
            if any(isinstance(each, str) for each in given):
                yield f"the axis across has words, which have no logarithmic scale; write log={'up'!r} or leave it out"
                return
            for value in floats(given)[floats(given) <= 0][:1]:
                message = f"the series {series.name!r} has {value:g} {axis}"
                yield f"{message}, and a logarithmic axis shows no 0 or less; {cure}"


def _series_course(series: Series, format_value: NumberFormat) -> str:
    """Where a series starts and ends, and its extremes if they are not the ends."""
    ups = floats(series.up)
    finite = np.flatnonzero(np.isfinite(ups))
    if not finite.size:
        return "no points"

    def at(index: int) -> str:
        return f"{format_value(series.up[index])} at {short_number(series.across[index])}"

    first, last = int(finite[0]), int(finite[-1])
    if first == last:
        return f"one point, {at(first)}"
    lowest, highest = int(finite[ups[finite].argmin()]), int(finite[ups[finite].argmax()])
    if ups[lowest] == ups[highest]:
        interval = f"from {short_number(series.across[first])} to {short_number(series.across[last])}"
        return f"{format_value(series.up[first])} throughout, {interval}"
    ends = (ups[first], ups[last])
    turns = [f"lowest {at(lowest)}"] if ups[lowest] not in ends else []
    turns += [f"highest {at(highest)}"] if ups[highest] not in ends else []
    return ", ".join([f"from {at(first)} to {at(last)}", *turns])


def _references_and_marks(figure: Curve, format_value: NumberFormat) -> str:
    """Labelled reference lines and marks, with their values."""
    marks = [
        f"{mark.label} ({format_value(mark.at[1])} at {short_number(mark.at[0])})"
        for mark in figure.marks
        if mark.label
    ]
    references = reference_sentence(figure.references, format_value)
    return references + (f" Marked: {join_list(marks)}." if marks else "")


def _crossing(figure: Curve) -> str:
    """The upper one of two curves, and the crossing where they cross at most once, in words."""
    if len(figure.series) != 2:
        return ""
    one, other = (dict(zip(each.across, floats(each.up).tolist(), strict=True)) for each in figure.series)
    common = [place for place in one if place in other]
    pairs = np.array([(one[place], other[place]) for place in common]).reshape(-1, 2)
    differences = pairs[:, 0] - pairs[:, 1]
    apart = np.flatnonzero(np.abs(differences) > 1e-9 * np.nanmax(np.abs(pairs), initial=0.0))
    is_above = differences[apart] > 0
    turns = apart[1:][is_above[1:] != is_above[:-1]]
    if not apart.size or len(common) < 3 or len(turns) > 1:
        return ""
    names = [f"“{each.name}”" for each in figure.series]
    first, later = ("above", "below") if is_above[0] else ("below", "above")
    if not turns.size:
        return f" {names[0]} lies nowhere {later} {names[1]}."
    return f" {names[0]} lies {first} {names[1]} at first, and {later} it from {short_number(common[turns[0]])} on."


def _places(series: Sequence[Series]) -> list[Any]:
    """The places across at which a series has a value, in the order of the axis."""
    found = dict.fromkeys(plain_cell(place) for one in series for place in one.across)
    if any(isinstance(place, str) for place in found):
        return list(found)
    return sorted(place for place in found if place is not None and math.isfinite(place))


def _series_words(series: Series, places: Sequence[Any], percent: bool) -> list[str]:
    """The words for a series at each place: its value, and the ends of its interval; empty without one.

    Steps keep a value until the next point. A series with several points at a place has several values there.
    """
    across = [plain_cell(place) for place in series.across]
    found: dict[Any, str] = {}
    for place, text in zip(across, _point_words(series, percent), strict=True):
        if text:
            found[place] = f"{found[place]} and {text}" if place in found else text
    if series.style == "steps" and not any(isinstance(place, str) for place in places):
        return _held(found, places, across)
    return [found.get(place, "") for place in places]


def _held(found: Mapping[Any, str], places: Sequence[Any], across: Sequence[Any]) -> list[str]:
    last = max((place for place in across if place is not None), default=None)
    texts, text = [], ""
    for place in places:
        text = found.get(place, "" if place in across else text)
        texts.append(text if last is not None and place <= last else "")
    return texts


def _point_words(series: Series, percent: bool) -> list[str]:
    if has_estimates(series.up):
        return [estimate_text(value, percent) if isinstance(value, Estimate) else "" for value in series.up]
    values = [_finite(value) for value in series.up]
    texts = column_texts(values, percent)
    if series.low is None or series.high is None:
        return texts
    ends = [column_texts([_finite(value) for value in end], percent) for end in (series.low, series.high)]
    return [
        f"{text} ({low} to {high})" if text and low and high else text
        for text, low, high in zip(texts, *ends, strict=True)
    ]


def _finite(value: Any) -> Any:
    cell = plain_cell(value)
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def _across(figure: Curve) -> np.ndarray:
    """All numbers along the other axis; none where it has words."""
    places = [place for one in figure.series for place in one.across]
    if any(isinstance(place, str) for place in places):
        return np.empty(0)
    places += [mark.at[0] for mark in figure.marks] + [each.at for each in figure.references if each.upright]
    return floats(places)
