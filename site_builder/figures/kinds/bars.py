"""Bars: one value for each category, or several side by side."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from site_builder.contract import Bars, Estimate
from site_builder.figures.canvas.axes import (
    AXIS_MARGIN,
    MARGIN,
    Labels,
    LegendEntry,
    Plot,
    draw_across_axis,
    draw_heading,
    draw_legend,
    draw_up_axis,
    error_bar_sample,
    fitting_ticks,
    tick_labels,
)
from site_builder.figures.canvas.scales import Scale, finite_range, is_whole, round_ticks
from site_builder.figures.canvas.shapes import Box, error_bars
from site_builder.figures.canvas.text import (
    MIDDLE,
    SMALL,
    TextLine,
    block_height,
    block_width,
    text_line,
    wrap_text,
)
from site_builder.figures.columns import DataColumn
from site_builder.figures.kinds.kind import Kind, format_errors
from site_builder.figures.palette import AXIS, HATCHES, HUES, INK, PAPER
from site_builder.figures.series import (
    OF_ESTIMATES,
    all_numbers,
    by_series,
    error_bar_sentence,
    error_ends,
    estimate_text,
    numbers_of,
    reach,
    series_columns,
    shows_estimates,
)
from site_builder.figures.words import column_texts, floats, formatted, join_list, marked_sentence, plain_cell
from site_builder.markup.typeset import spoken

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas

_MANY = 45  # bars; more of them are thinner
_BAR_SHARE = 0.8  # share of the height of a row that its bars fill
_THICKEST = 22.0  # pixels


class BarsKind(Kind[Bars]):
    """A level bar for each value of a few categories, beside its name."""

    figure = Bars

    def errors(self, figure: Bars) -> Iterator[str]:
        count = len(figure.categories)
        for series in figure.series:
            if len(series.values) != count:
                yield f"the series {series.name!r} has {len(series.values)} values for {count} categories"
        yield from format_errors(figure.value_text)

    def names(self, figure: Bars, given: Collection[str]) -> list[str]:
        categories = [name for name in figure.categories if name in given] if len(figure.series) == 1 else []
        return [*categories, *(series.name for series in figure.series)]

    def draw(self, figure: Bars, canvas: "Canvas") -> None:
        hues = self.hues_of(figure)[-len(figure.series) :]
        texts = [[text_line(_number(figure, value)) for value in one.values] for one in figure.series]
        plot = _draw_axes(canvas, figure, block_width(chain.from_iterable(texts)))
        _draw_bars(plot, figure, [*_bars(plot, figure, texts, hues)])
        canvas.line([(_zero(plot.x), plot.box.top), (_zero(plot.x), plot.box.bottom)], AXIS)
        fills = [partial(_bar_sample, hue=hue, hatch=HATCHES[i % len(HATCHES)]) for i, hue in enumerate(hues)]
        entries = [LegendEntry(each, one.name) for each, one in zip(fills, figure.series, strict=True)]
        errors = [LegendEntry(error_bar_sample, OF_ESTIMATES)] if shows_estimates(figure) else []
        draw_legend(canvas, [*(entries if len(entries) > 1 else ()), *errors], MARGIN, plot.bottom)

    def describe(self, figure: Bars) -> str:
        words = [_bar_values(figure.categories, numbers_of(one), figure.percent) for one in figure.series]
        by = f" by {figure.category_label}" if figure.category_label else ""
        tail = error_bar_sentence(figure) + marked_sentence(figure.references, (), figure.percent)
        return f"Bars of {figure.value_label}{by}. {by_series(figure, words)}.{tail}"

    def columns(self, figure: Bars) -> list[DataColumn]:
        columns = [DataColumn(figure.category_label or "bar", [spoken(name) for name in figure.categories])]
        for series in figure.series:
            name = (figure.value_label if len(figure.series) == 1 else series.name) or "value"
            columns += series_columns(series, name, figure.percent)
        return columns

    def numbers(self, figure: Bars) -> Iterable[Any]:
        return [series.values for series in figure.series]

    def scales(self, figure: Bars) -> dict[str, np.ndarray]:
        return {"value_range": np.concatenate([reach(figure), floats([0, *(each.at for each in figure.references)])])}


def _bar_values(categories: Sequence[str], values: Any, percent: bool) -> str:
    """The names of the bars with their values."""
    texts = column_texts([*map(plain_cell, values)], percent)
    return join_list(f"{name} {text}" for name, text in zip(categories, texts, strict=True) if text) or "no values"


# Drawing


def _draw_axes(canvas: "Canvas", figure: Bars, longest: float) -> Plot:
    """Draw the names of the categories and the axis of the values. longest: the width of the longest number."""
    low, high = _value_range(figure)
    names = [wrap_text(name, 0.4 * canvas.width) for name in figure.categories]
    few = len(names) * len(figure.series) <= _MANY
    tallest = max(map(block_height, names), default=SMALL)
    row = max(len(figure.series) * (_THICKEST if few else SMALL + 2) + 4, tallest + (8 if few else 2))
    top = draw_heading(canvas, figure.category_label or figure.value_label)
    left = max(map(block_width, names), default=0.0) + AXIS_MARGIN
    box = Box(left, top, canvas.width - MARGIN, top + len(names) * row)
    x = Scale(low, high, box.left + (longest + 8 if low < 0 else 0), box.right - longest - 8)
    y = Scale(-0.5, max(len(names), 1) - 0.5, box.top, box.bottom)
    draw_up_axis(canvas, box, [(y.at(i), name) for i, name in enumerate(names)], marks=False)
    most, whole = canvas.sizes.ticks_across - 1, is_whole(all_numbers(figure))
    ticks = fitting_ticks(most, x, lambda n: round_ticks(low, high, n, figure.percent, whole))
    label = figure.value_label if figure.category_label else ""
    bottom = draw_across_axis(canvas, box, tick_labels(ticks, x.at), label, gridlines=True)
    return Plot(canvas, box, x, y, bottom, Labels(canvas, box))


def _value_range(figure: Bars) -> tuple[float, float]:
    low, high = figure.value_range or finite_range(BarsKind().scales(figure)["value_range"])
    return float(low), float(high if high > low else low + 1)


def _zero(x: Scale) -> float:
    """The pixel at which bars start: that of 0, or of the end of the scale that is nearer to it."""
    return float(x.at(min(max(0.0, x.low), x.high)))


@dataclass(frozen=True, eq=False)
class Bar:
    """One bar on the canvas, its number and the box of that. error: the ends of its error bar; NaN without one."""

    box: Box
    fill: tuple[str, str]  # its hue and hatch
    error: np.ndarray
    text: TextLine
    text_box: Box


def _bars(plot: Plot, figure: Bars, texts: Sequence[Sequence[TextLine]], hues: Sequence[str]) -> Iterator[Bar]:
    """The bars, those of the first series first."""
    count = len(figure.series)
    thick = min(plot.box.height / max(len(figure.categories), 1) * _BAR_SHARE / count, _THICKEST)
    for i, series in enumerate(figure.series):
        values, ends = floats(numbers_of(series)), error_ends(series)
        for category in np.flatnonzero(np.isfinite(values)).tolist():
            middle = plot.y.at(category) + thick * (i + 0.5 - count / 2)
            hue = figure.colours.get(figure.categories[category], hues[i]) if count == 1 else hues[i]
            numbers = values[category], *ends[category]
            yield _bar(plot.x, (hue, HATCHES[i % len(HATCHES)]), middle, thick / 2 - 0.5, numbers, texts[i][category])


def _bar(x: Scale, fill: tuple[str, str], middle: float, half: float, numbers: Sequence[float], text: TextLine) -> Bar:
    """A bar of half this thickness. numbers: its value and the ends of its error bar; its text stands beyond them."""
    end, low, high = x.at(np.clip(numbers, x.low, x.high)).tolist()
    is_rising = numbers[0] >= 0 or x.low >= 0
    beyond = np.nanmax([end, high + 1.5]) if is_rising else np.nanmin([end, low - 1.5])
    left = beyond + 5 if is_rising else beyond - 5 - text.width
    text_box = Box(left, middle - SMALL / 2, left + text.width, middle + SMALL / 2)
    box = Box(min(_zero(x), end), middle - half, max(_zero(x), end), middle + half)
    return Bar(box, fill, np.array([(low, middle), (high, middle)]), text, text_box)


def _draw_bars(plot: Plot, figure: Bars, bars: Sequence[Bar]) -> None:
    """Draw the bars with their error bars, reference lines over them, and the numbers on top."""
    canvas = plot.canvas
    for hue, hatch in dict.fromkeys(bar.fill for bar in bars):
        boxes = [bar.box.corners for bar in bars if bar.fill == (hue, hatch)]
        canvas.shape(boxes, fill=HUES[hue].line, hatch=hatch)
    errors = error_bars(np.array([bar.error for bar in bars]).reshape(-1, 2, 2), horizontal=True)
    canvas.line(errors, PAPER, 3.6)
    canvas.line(errors, INK, 1.3)
    for bar in bars:
        plot.labels.avoid_box(bar.box)
        plot.labels.avoid_box(bar.text_box.grown(2))
    plot.draw_references([replace(each, upright=True) for each in figure.references])
    _write_numbers(canvas, bars, [plot.x.at(float(each.at)) for each in figure.references])


def _write_numbers(canvas: "Canvas", bars: Sequence[Bar], lines: Sequence[float]) -> None:
    """Write the numbers, on a background where a reference line crosses them. lines: where these stand."""
    for bar in bars:
        box = bar.text_box
        if any(box.left - 3 < at < box.right + 3 for at in lines):
            canvas.box(box.grown(2), PAPER)
        canvas.text(bar.text, box.left, box.bottom - (0.5 - MIDDLE) * SMALL)


def _number(figure: Bars, value: Any) -> str:
    """The text at a bar."""
    if isinstance(value, Estimate):
        return estimate_text(value, figure.percent)
    return formatted(value, figure.value_text) if np.isfinite(floats([value])).all() else ""


def _bar_sample(canvas: "Canvas", box: Box, hue: str, hatch: str) -> None:
    canvas.box(box, fill=HUES[hue].line, hatch=hatch)
