"""Bars: one value for each category, or several side by side."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from site_builder.contract import Bars, Estimate
from site_builder.figures.canvas.axes import (
    AXIS_MARGIN,
    MARGIN,
    draw_across_axis,
    draw_heading,
    draw_legend,
    draw_up_axis,
    longest,
    with_fitting_ticks,
)
from site_builder.figures.canvas.scales import Scale, Tick, finite_range, is_whole
from site_builder.figures.canvas.shapes import Box
from site_builder.figures.canvas.text import MIDDLE, SMALL, block_width, tallest, text_line, widest, wrap_text
from site_builder.figures.columns import DataColumn
from site_builder.figures.kinds.kind import Kind, format_errors
from site_builder.figures.palette import AXIS, GRIDLINE, HATCHES, HUES, INK
from site_builder.figures.series import all_numbers, by_series, estimate_text, numbers_of, value_columns
from site_builder.figures.words import column_texts, floats, formatted, join_list, plain_cell
from site_builder.markup.typeset import spoken

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas

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
        texts = [[_number(figure, value) for value in one.values] for one in figure.series]
        x, y, bottom = _draw_axes(canvas, figure, max(map(widest, texts), default=0.0))
        for place, (hue, series) in enumerate(zip(hues, figure.series, strict=True)):
            boxes = _boxes(floats(numbers_of(series.values)), x, y, place, len(hues))
            by_hue: dict[str, list[Box]] = {}
            for at, box in boxes.items():
                own = figure.colours.get(figure.categories[at], hue) if len(hues) == 1 else hue
                by_hue.setdefault(own, []).append(box)
                is_left, level = box.left < _zero(x), box.centre[1] + MIDDLE * SMALL
                beyond = box.left - 5 if is_left else box.right + 5
                canvas.text(text_line(texts[place][at]), beyond, level, INK, "end" if is_left else "start")
            for own, each in by_hue.items():
                _draw_bars(canvas, each, own, place)
        canvas.line([(_zero(x), y.start), (_zero(x), y.end)], AXIS)
        named = zip(hues, figure.series, strict=True) if len(hues) > 1 else ()
        entries = [(partial(_sample, hue=hue, place=i), one.name) for i, (hue, one) in enumerate(named)]
        draw_legend(canvas, entries, bottom)

    def describe(self, figure: Bars) -> str:
        words = [_bar_values(figure.categories, numbers_of(one.values), figure.percent) for one in figure.series]
        by = f" by {figure.category_label}" if figure.category_label else ""
        return f"Bars of {figure.value_label}{by}. {by_series([one.name for one in figure.series], words)}."

    def columns(self, figure: Bars) -> list[DataColumn]:
        columns = [DataColumn(figure.category_label or "bar", [spoken(name) for name in figure.categories])]
        for series in figure.series:
            name = (figure.value_label if len(figure.series) == 1 else series.name) or "value"
            columns += value_columns(series.values, name, figure.percent)
        return columns

    def numbers(self, figure: Bars) -> Iterable[Any]:
        return [series.values for series in figure.series]

    def scales(self, figure: Bars) -> dict[str, np.ndarray]:
        return {"value_range": np.append(all_numbers(one.values for one in figure.series), 0)}


def _bar_values(categories: Sequence[str], values: Any, percent: bool) -> str:
    """The names of the bars with their values."""
    texts = column_texts([*map(plain_cell, values)], percent)
    return join_list(f"{name} {text}" for name, text in zip(categories, texts, strict=True) if text) or "no values"


# Drawing


def _draw_axes(canvas: "Canvas", figure: Bars, numbers: float) -> tuple[Scale, Scale, float]:
    """Draw the names of the categories and the axis of the values; return their scales and the bottom.

    numbers: the width of those at the bars.
    """
    low, high = figure.value_range or finite_range(BarsKind().scales(figure)["value_range"])
    low, high = float(low), float(high if high > low else low + 1)
    names = [wrap_text(name, longest(canvas)) for name in figure.categories]
    row = max(len(figure.series) * _THICKEST + 4, tallest(figure.categories, longest(canvas)) + 8)
    top = draw_heading(canvas, figure.category_label or figure.value_label)
    left = max(map(block_width, names), default=0.0) + AXIS_MARGIN
    box = Box(left, top, canvas.width - MARGIN, top + len(names) * row)
    x = Scale(low, high, box.left + (numbers + 8 if low < 0 else 0), box.right - numbers - 8)
    ticks = tuple(Tick(at, name) for at, name in enumerate(figure.categories))
    y = Scale(-0.5, max(len(names), 1) - 0.5, box.top, box.bottom, ticks=ticks)
    draw_up_axis(canvas, box, y, marks=None)
    whole = is_whole(all_numbers(one.values for one in figure.series))
    x = with_fitting_ticks(x, canvas.sizes.ticks_across - 1, figure.percent, whole)
    label = figure.value_label if figure.category_label else ""
    return x, y, draw_across_axis(canvas, box, x, label, marks=GRIDLINE)


def _zero(x: Scale) -> float:
    """The pixel at which bars start: that of 0, or of the end of the scale that is nearer to it."""
    return float(x.at(min(max(0.0, x.low), x.high)))


def _boxes(values: np.ndarray, x: Scale, y: Scale, place: int, count: int) -> dict[int, Box]:
    """The bars of the series at this place, by category; none for a category without a value."""
    thick = min(abs(y.end - y.start) / (y.high - y.low) * _BAR_SHARE / count, _THICKEST)
    boxes = {}
    for at in np.flatnonzero(np.isfinite(values)).tolist():
        left, right = sorted((_zero(x), float(x.at(np.clip(values[at], x.low, x.high)))))
        top = y.at(at) + thick * (place - count / 2)
        boxes[at] = Box(left, top + 0.5, right, top + thick - 0.5)
    return boxes


def _draw_bars(canvas: "Canvas", boxes: Sequence[Box], hue: str, place: int) -> None:
    """Draw bars of the series at this place."""
    canvas.shape([box.corners for box in boxes], fill=HUES[hue].line, hatch=HATCHES[place % len(HATCHES)])


def _sample(canvas: "Canvas", box: Box, hue: str, place: int) -> None:
    _draw_bars(canvas, [box], hue, place)


def _number(figure: Bars, value: Any) -> str:
    """The text at a bar."""
    if isinstance(value, Estimate):
        return estimate_text(value, figure.percent)
    return formatted(value, figure.value_text) if np.isfinite(floats([value])).all() else ""
