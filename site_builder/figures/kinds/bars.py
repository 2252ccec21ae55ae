"""Bars: one value for each category, or several side by side."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from site_builder.contract import Bars
from site_builder.figures.columns import DataColumn, with_ends
from site_builder.figures.intervals import interval_errors, names_of_intervals, upward_numbers, with_intervals
from site_builder.figures.kinds.kind import Kind, format_errors
from site_builder.figures.numbers import floats
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


class BarsKind(Kind[Bars]):
    """A bar for each value of a few categories."""

    figure = Bars
    name = "bars"

    def errors(self, figure: Bars) -> Iterator[str]:
        count = len(figure.categories)
        for series in figure.series:
            if len(series.values) != count:
                yield f"the series {series.name!r} has {len(series.values)} values for {count} categories"
            yield from interval_errors(series, series.values)
        yield from format_errors(figure.value_text)

    def draw(self, figure: Bars, sizes: "SizeLimits") -> "Canvas":
        from site_builder.figures.charts.bars import draw_bars

        return draw_bars(figure, sizes)

    def describe(self, figure: Bars) -> str:
        figure = with_intervals(figure)
        format_value = number_format(
            np.concatenate([[], *(floats(one.values) for one in figure.series)]), figure.percent
        )
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
            columns += [
                DataColumn(head, cells, figure.percent)
                for head, cells in with_ends(series, name, series.values).items()
            ]
        return columns

    def axes(self, figure: Bars) -> dict[str, tuple[str, bool]]:
        category = {"category": (figure.category_label, False)} if figure.category_label else {}
        return category | {"value": (figure.value_label, figure.percent)}

    def intervals(self, figure: Bars) -> list[str]:
        return names_of_intervals(with_intervals(figure))

    def numbers(self, figure: Bars) -> Iterable[Any]:
        return [series.values for series in figure.series]

    def units(self, figure: Bars) -> tuple[Any, ...]:
        return figure.value_label, figure.percent

    def scales(self, figure: Bars) -> dict[str, np.ndarray]:
        level = [each.at for each in figure.references if not each.upright]
        return {"value_range": np.concatenate([*upward_numbers(figure), floats([0, *level])])}


def _bar_values(categories: Sequence[str], values: Any, format_value: NumberFormat) -> str:
    is_known = np.isfinite(floats(values))
    pairs = [(name, value) for name, value, known in zip(categories, values, is_known, strict=True) if known]
    if not pairs:
        return "no values"
    if len(pairs) <= MOST_NAMED or may_be_cut(categories):
        return join_list((f"{name} {format_value(value)}" for name, value in pairs), most=MOST_LONG_NAMES)
    low, high = (pick(pairs, key=lambda pair: pair[1]) for pick in (min, max))
    return f"{len(pairs)} bars, lowest {format_value(low[1])} ({low[0]}), highest {format_value(high[1])} ({high[0]})"
