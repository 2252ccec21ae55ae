"""Bars: one value for each category, or several side by side."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from site_builder.contract import Bars, Estimate
from site_builder.figures.canvas.axes import (
    AXIS_MARGIN,
    draw_across_axis,
    draw_across_label,
    draw_heading,
    draw_up_axis,
    fitting_ticks,
    tick_labels,
)
from site_builder.figures.canvas.labels import MARGIN, Labels, LegendEntry, draw_legend, interval_sample
from site_builder.figures.canvas.scales import GridAxis, Scale, finite_range, is_whole, round_ticks
from site_builder.figures.canvas.shapes import Box, error_bars
from site_builder.figures.canvas.text import (
    MIDDLE,
    SMALL,
    TextLine,
    block_height,
    block_width,
    text_line,
    widest,
    wrap_all,
)
from site_builder.figures.columns import DataColumn
from site_builder.figures.kinds.kind import Kind, format_errors
from site_builder.figures.numbers import floats, formatted
from site_builder.figures.palette import AXIS, GRIDLINE, HATCHES, INK, MUTED, PAPER, SERIES
from site_builder.figures.series import (
    all_numbers,
    bounds,
    estimate_text,
    interval_errors,
    names_of_intervals,
    numbers_of,
    reach,
    series_columns,
    with_intervals,
)
from site_builder.figures.words import (
    MOST_LONG_NAMES,
    MOST_NAMED,
    NumberFormat,
    interval_sentence,
    join_list,
    may_be_cut,
    number_format,
    widest_interval,
)
from site_builder.markup.typeset import spoken

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas, SizeLimits

_MOST_HORIZONTAL = 45  # more bars than this are vertical, with a name at only some of them, and without numbers
_WIDEST_BAR = 64.0  # pixels, as below
_BAR_SHARE = 0.72  # share of the width of a category that its bars fill
_HORIZONTAL_BAR = 19.0
_AXIS_WIDTH = 60.0  # estimated width of the axis, before its labels are known


class BarsKind(Kind[Bars]):
    """A bar for each value of a few categories: upright where names and numbers fit under and over it, else level."""

    figure = Bars
    name = "bars"

    def errors(self, figure: Bars) -> Iterator[str]:
        count = len(figure.categories)
        for series in figure.series:
            if len(series.values) != count:
                yield f"the series {series.name!r} has {len(series.values)} values for {count} categories"
            yield from interval_errors(series)
        yield from format_errors(figure.value_text)

    def draw(self, figure: Bars, canvas: "Canvas") -> None:
        data = _bar_data(figure)
        if 0 < data.values.size <= _MOST_HORIZONTAL and not _fit_upright(figure, data, canvas.sizes):
            bottom, legend = _draw_level(canvas, figure, data)
        else:
            bottom, legend = _draw_upright(canvas, figure, data)
        entries = [LegendEntry(partial(_bar_sample, series=i), one.name) for i, one in enumerate(figure.series)]
        intervals = [LegendEntry(partial(interval_sample, is_band=False), name) for name in names_of_intervals(figure)]
        draw_legend(canvas, [*(entries if len(entries) > 1 else ()), *legend, *intervals], MARGIN, bottom)

    def describe(self, figure: Bars) -> str:
        figure = with_intervals(figure)
        format_value = number_format(all_numbers(figure), figure.percent)
        phrases = [
            _bar_values(figure.categories, one.values, format_value)
            + widest_interval(one, figure.categories, format_value)
            for one in figure.series
        ]
        if len(phrases) > 1:
            phrases = [f"{series.name}: {body}" for series, body in zip(figure.series, phrases, strict=True)]
        by = f" by {figure.category_label}" if figure.category_label else ""
        return f"Bars of {figure.value_label}{by}: {join_list(phrases, '; ')}.{interval_sentence(figure)}"

    def columns(self, figure: Bars) -> list[DataColumn]:
        columns = [DataColumn(figure.category_label or "bar", [spoken(name) for name in figure.categories])]
        for series in with_intervals(figure).series:
            name = (figure.value_label if len(figure.series) == 1 else series.name) or "value"
            columns += series_columns(series, name, figure.percent)
        return columns

    def axes(self, figure: Bars) -> dict[str, tuple[str, bool]]:
        category = {"category": (figure.category_label, False)} if figure.category_label else {}
        return category | {"value": (figure.value_label, figure.percent)}

    def intervals(self, figure: Bars) -> list[str]:
        return names_of_intervals(figure)

    def numbers(self, figure: Bars) -> Iterable[Any]:
        return [series.values for series in figure.series]

    def units(self, figure: Bars) -> tuple[Any, ...]:
        return figure.value_label, figure.percent

    def scales(self, figure: Bars) -> dict[str, np.ndarray]:
        return {"value_range": np.concatenate([reach(figure), floats([0, *(each.at for each in figure.references)])])}


def _bar_values(categories: Sequence[str], values: Any, format_value: NumberFormat) -> str:
    is_known = np.isfinite(floats(values))
    pairs = [(name, value) for name, value, known in zip(categories, values, is_known, strict=True) if known]
    if not pairs:
        return "no values"
    if len(pairs) <= MOST_NAMED or may_be_cut(categories):
        return join_list((f"{name} {format_value(value)}" for name, value in pairs), most=MOST_LONG_NAMES)
    low, high = (pick(pairs, key=lambda pair: pair[1]) for pick in (min, max))
    return f"{len(pairs)} bars, lowest {format_value(low[1])} ({low[0]}), highest {format_value(high[1])} ({high[0]})"


# Drawing


@dataclass(frozen=True, eq=False)
class BarData:
    """The numbers of all bars, and as text. Shape of both: (series, categories); NaN and "" where there is none.

    intervals: shape (series, categories, 2); NaN where there is none.
    """

    values: np.ndarray
    intervals: np.ndarray
    texts: tuple[tuple[TextLine, ...], ...]
    low: float
    high: float

    @property
    def widest_text(self) -> float:
        return max((text.width for row in self.texts for text in row), default=0.0)

    @property
    def zero(self) -> float:
        """Return the value at which bars start: 0, or the end of the scale that is nearer to it."""
        return min(max(0.0, self.low), self.high)


@dataclass(frozen=True)
class BarShape:
    """One bar on the canvas, its number and the box of that. error: the ends of its error bar; NaN without one."""

    box: Box
    series: int
    text: TextLine
    text_box: Box
    error: np.ndarray


def _bar_data(figure: Bars) -> BarData:
    shape = (len(figure.series), len(figure.categories))
    values = np.array([floats(numbers_of(one)) for one in figure.series]).reshape(shape)
    none = np.full((shape[1], 2), np.nan)
    found = [bounds(one) for one in with_intervals(figure).series]
    intervals = np.array([none if each is None else each for each in found]).reshape(*shape, 2)
    texts = [tuple(text_line(_number(figure, value)) for value in one.values) for one in figure.series]
    low, high = finite_range(BarsKind().scales(figure)["value_range"])
    if figure.value_range is not None:
        low, high = float(figure.value_range[0]), float(figure.value_range[1])
    return BarData(values, intervals, tuple(texts), low, high if high > low else low + 1)


def _number(figure: Bars, value: Any) -> str:
    """The text at a bar."""
    if isinstance(value, Estimate):
        return estimate_text(value, figure.percent)
    return formatted(value, figure.value_text) if np.isfinite(floats([value])).all() else ""


def _fit_upright(figure: Bars, data: BarData, sizes: "SizeLimits") -> bool:
    """True when names fit under upright bars, and numbers over them."""
    group, series = (sizes.width - _AXIS_WIDTH) / max(len(figure.categories), 1), len(figure.series)
    longest_word = widest(part for name in figure.categories for part in name.split())
    room = group if series == 1 else _bar_width(group, series)
    return longest_word <= group - 6 and data.widest_text <= room - 3


def _bar_width(group: float, series: int) -> float:
    return min(group * (_BAR_SHARE if group > 6 else 1) / max(series, 1), _WIDEST_BAR)


def _bars(data: BarData, start: float, group: float, scale: Scale, level: bool = False) -> list[BarShape]:
    """The bars. start: the pixel at which the category axis starts; group: pixels of each category."""
    series, shapes = len(data.values), []
    width = _bar_width(group, series)
    gap = 0.5 if width > 4 else 0.0
    for category, one in np.argwhere(np.isfinite(data.values.T)).tolist():
        value, text = float(data.values[one, category]), data.texts[one][category]
        side = start + group * (category + 0.5) + width * (one - series / 2)
        near, far = side + gap, side + width - gap
        base, end, *ends = scale.at(np.clip([data.zero, value, *data.intervals[one, category]], data.low, data.high))
        first, last, middle = min(base, end), max(base, end), (near + far) / 2
        is_rising = value >= data.zero or data.low >= 0
        if np.isfinite(ends).all():  # the number stands beyond the error bar
            end = ends[int(is_rising)] + (1.5 if level == is_rising else -1.5)
        error = np.array([(each, middle) if level else (middle, each) for each in ends])
        if level:
            box, left = Box(first, near, last, far), end + 5 if is_rising else end - 5 - text.width
            text_box = Box(left, middle - SMALL / 2, left + text.width, middle + SMALL / 2)
        else:
            box, top = Box(near, first, far, last), end - 4 - SMALL if is_rising else end + 4
            text_box = Box(middle - text.width / 2, top, middle + text.width / 2, top + SMALL)
        shapes.append(BarShape(box, one, text, text_box, error))
    return shapes


def _draw_upright(canvas: "Canvas", figure: Bars, data: BarData) -> tuple[float, list[LegendEntry]]:
    """Draw upright bars over the names of their categories; return the bottom, and entries for the legend."""
    sizes = canvas.sizes
    if not _fit_upright(figure, data, sizes):
        data = replace(data, texts=tuple(tuple(text_line("") for _ in row) for row in data.texts))
    margin = SMALL + 7 if data.widest_text else 3
    ticks = round_ticks(data.low, data.high, sizes.ticks_up, figure.percent, is_whole(data.values))
    top = draw_heading(canvas, figure.value_label)
    left = widest(tick.text for tick in ticks) + AXIS_MARGIN
    plot = Box(left, top, sizes.width - MARGIN, top + sizes.curve_height)
    y = Scale(data.low, data.high, plot.bottom - (margin if data.low < 0 else 0), plot.top + margin)
    draw_up_axis(canvas, plot, tick_labels(ticks, y.at), gridlines=True)
    group = plot.width / max(len(figure.categories), 1)
    legend = _draw_bars(canvas, figure, plot, _bars(data, plot.left, group, y), y)
    canvas.line([(plot.left, y.at(data.zero)), (plot.right, y.at(data.zero))], AXIS)
    return _draw_categories(canvas, figure, plot, group), legend


def _draw_level(canvas: "Canvas", figure: Bars, data: BarData) -> tuple[float, list[LegendEntry]]:
    """Draw level bars beside the names of their categories; return the bottom, and entries for the legend."""
    width = canvas.width
    blocks = wrap_all(figure.categories, 0.4 * width, at_most=3)
    group = max(len(data.values) * _HORIZONTAL_BAR + 9, max(block_height(block) for block in blocks) + 8)
    top = draw_heading(canvas, figure.category_label or figure.value_label)
    left = max(block_width(block) for block in blocks) + 8 + MARGIN
    plot = Box(left, top, width - MARGIN, top + len(blocks) * group)
    margin = data.widest_text + 8
    x = Scale(data.low, data.high, plot.left + (margin if data.low < 0 else 0), plot.right - margin)
    whole = is_whole(data.values)
    ticks = fitting_ticks(
        canvas.sizes.ticks_across - 1, x, lambda n: round_ticks(data.low, data.high, n, figure.percent, whole)
    )
    for tick in ticks:
        canvas.line([(x.at(tick.position), plot.top), (x.at(tick.position), plot.bottom)], GRIDLINE)
    legend = _draw_bars(canvas, figure, plot, _bars(data, plot.top, group, x, level=True), x, level=True)
    canvas.line([(x.at(data.zero), plot.top), (x.at(data.zero), plot.bottom)], AXIS)
    for i, block in enumerate(blocks):
        middle = plot.top + group * (i + 0.5)
        canvas.text_block(block, plot.left - 8, middle - block_height(block) / 2, MUTED, "end")
    label = figure.value_label if figure.category_label else ""
    return draw_across_axis(canvas, plot, tick_labels(ticks, x.at), label, marks=False), legend


def _draw_bars(
    canvas: "Canvas", figure: Bars, plot: Box, bars: Sequence[BarShape], scale: Scale, level: bool = False
) -> list[LegendEntry]:
    """Draw the bars, reference lines over them, and the numbers on top, on a background where a line crosses them."""
    labels = Labels(canvas, plot)
    for series in range(len(figure.series)):
        _fill(canvas, [bar.box.corners for bar in bars if bar.series == series], series)
    errors = error_bars(np.array([bar.error for bar in bars]).reshape(-1, 2, 2), level)
    canvas.line(errors, PAPER, 3.6)
    canvas.line(errors, INK, 1.3)
    for bar in bars:
        labels.avoid_box(bar.box)
        labels.avoid_box(bar.text_box.grown(2), cost=10_000 * bool(bar.text.text))
    references = [replace(each, upright=level) for each in figure.references]
    labels.draw_references(references, lambda each: (scale.at(float(each.at)),) * 2)
    pixels = [scale.at(float(each.at)) for each in references]
    for bar in bars:
        box = bar.text_box
        first, last = (box.left, box.right) if level else (box.top, box.bottom)
        if bar.text.text and any(first - 3 < at < last + 3 for at in pixels):
            canvas.box(box.grown(2), PAPER)
        canvas.text(bar.text, box.left, box.bottom - (0.5 - MIDDLE) * SMALL)
    return labels.legend


def _draw_categories(canvas: "Canvas", figure: Bars, plot: Box, group: float) -> float:
    """Write the categories on up to three lines each, or only some of them if too long; return the bottom."""
    if widest(part for name in figure.categories for part in name.split()) <= group - 4:
        blocks = wrap_all(figure.categories, group - 6, at_most=3)
        places = [plot.left + group * (i + 0.5) for i in range(len(blocks))]
        named = zip(blocks, places, strict=True)
        bottoms = [canvas.text_block(block, x, plot.bottom + 5, MUTED, "middle") for block, x in named]
        bottom = max(bottoms, default=plot.bottom + SMALL)
        return draw_across_label(canvas, plot, figure.category_label, bottom) if figure.category_label else bottom
    names = GridAxis(figure.categories)
    ticks = names.ticks(group, lambda texts: widest(texts) + 14, len(names))
    labels = tick_labels(ticks, lambda position: plot.left + group * (position + 0.5))
    return draw_across_axis(canvas, plot, labels, figure.category_label)


def _fill(canvas: "Canvas", boxes: Sequence[np.ndarray], series: int) -> None:
    """Fill boxes in the colour and hatch of a series; the first has no hatch."""
    canvas.shape(boxes, fill=SERIES[series % len(SERIES)], hatch=HATCHES[series % len(HATCHES)])


def _bar_sample(canvas: "Canvas", box: Box, series: int) -> None:
    _fill(canvas, [box.corners], series)
