"""The functions of the post language that make figures of results: curves, heatmaps, bars and histograms."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from site_builder.contract import Bars, BarSeries, Curve, Grid, Heatmap, Histogram, Reference, Series
from site_builder.errors import PostError, nearest

_STYLES = "line", "dots", "line with dots", "steps"
_Columns = Sequence[Any] | Mapping[str, Sequence[Any]]


def curve(
    across: Sequence[Any],
    up: _Columns,
    title: str,
    across_label: str,
    up_label: str,
    caption: str = "",
    name: str = "",
    percent: bool = False,
    references: Sequence[tuple[float, str]] = (),
    log: Literal["", "across", "up", "both"] = "",
    style: Any = "line",
) -> Curve:
    """A curve through columns of results; `up` may hold several columns by name.

    log: the axes that are logarithmic. style: how its points are drawn, as in Series.
    """
    columns = up if isinstance(up, Mapping) else {name: up}
    if style not in _STYLES:
        raise PostError(f"style={style!r} is no style of curve(...)", f"write one of: {', '.join(_STYLES)}")
    places = tuple(across)
    series = tuple(Series(label, places, tuple(column), style) for label, column in columns.items())
    lines = tuple(Reference(at, label) for at, label in references)
    return Curve(title, series, across_label, up_label, caption or title, references=lines, percent=percent, log=log)


def heatmap(
    grid: Any,
    title: str,
    across: str,
    value_label: str,
    caption: str = "",
    labels: Mapping[str, str] | None = None,
    percent: bool = False,
    alt: str = "",
) -> Heatmap:
    """A heatmap of a grid with two axes. alt: in words; by default computed."""
    if not isinstance(grid, Grid) or len(grid.axes) != 2:
        names = list(grid.axes) if isinstance(grid, Grid) else []
        cure = (
            f"fix the others first: grid.along({names[0]}=...)"
            if len(names) > 2
            else "a sweep over two names gives one"
        )
        raise PostError("heatmap(...) needs a grid with two axes", cure)
    if across not in grid.axes:
        raise PostError(f"the grid has no axis {across!r}", nearest(across, grid.axes))
    return Heatmap(title, grid, across, value_label, caption or title, labels or {}, percent=percent, alt=alt)


def bars(
    categories: Sequence[Any],
    values: _Columns,
    title: str,
    value_label: str,
    caption: str = "",
    value_text: str = "number(3)",
    percent: bool = False,
    category_label: str = "",
) -> Bars:
    """Bars side by side; `values` may hold several columns by name."""
    columns = values if isinstance(values, Mapping) else {"": values}
    series = tuple(BarSeries(label, tuple(column)) for label, column in columns.items())
    names = tuple(str(category) for category in categories)
    return Bars(
        title,
        names,
        series,
        value_label,
        caption or title,
        value_text=value_text,
        percent=percent,
        category_label=category_label,
    )


def histogram(
    values: Any,
    title: str,
    across_label: str,
    caption: str = "",
    bins: int | Sequence[float] | None = None,
    counts: Sequence[Any] | None = None,
    percent: bool = False,
    references: Sequence[tuple[float, str]] = (),
    up_label: str = "",
) -> Histogram:
    """How many values lie in each of `bins`: about so many, or between these edges; by default chosen.

    counts: how often each value occurs. percent: shares of all values. references: `(value, label)`.
    """
    numbers = values.values if isinstance(values, Grid) else values
    lines = tuple(Reference(at, label, upright=True) for at, label in references)
    return Histogram(title, numbers, across_label, caption or title, bins, counts, percent, lines, up_label)


FIGURES = (curve, heatmap, bars, histogram)
