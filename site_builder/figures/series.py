"""The series of curves and bars: their values, the intervals around them, also those of Estimates, and their texts."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from site_builder.contract import Bars, BarSeries, Curve, Estimate, Series
from site_builder.figures.columns import DataColumn
from site_builder.figures.words import column_texts, floats, join_list, plain_cell
from site_builder.values.number_format import with_percent, write

STANDARD_ERRORS = 2  # on each side of an Estimate
OF_ESTIMATES = f"± {STANDARD_ERRORS} standard errors"
_MOST_BARS = 60  # a line through more Estimates has a band instead of error bars
_Chart = TypeVar("_Chart", bound=Curve | Bars)


def with_intervals(figure: _Chart) -> _Chart:
    """Return the figure with its Estimates as values with intervals; itself where it has none."""
    made = [_with_interval(series) for series in figure.series]
    if all(new is old for new, old in zip(made, figure.series, strict=True)):
        return figure
    return replace(figure, series=tuple(made))  # type: ignore[arg-type]


def _with_interval(series: Series | BarSeries) -> Series | BarSeries:
    if not has_estimates(values_of(series)):
        return series
    errors = [each.standard_error if isinstance(each, Estimate) else math.nan for each in values_of(series)]
    numbers, margins = tuple(numbers_of(series)), STANDARD_ERRORS * np.array(errors, dtype=float)
    low, high = ((floats(numbers) + side * margins).tolist() for side in (-1, 1))
    interval: dict[str, Any] = {"low": low, "high": high, "interval": OF_ESTIMATES}
    if isinstance(series, BarSeries):
        return replace(series, values=numbers, **interval)
    style = "line with dots" if series.style == "line" and len(numbers) <= _MOST_BARS else series.style
    return replace(series, up=numbers, style=style, **interval)


def values_of(series: Series | BarSeries) -> Any:
    """Return the values of a series, Estimates among them."""
    return series.up if isinstance(series, Series) else series.values


def numbers_of(series: Series | BarSeries) -> list[Any]:
    """Return the values of a series, Estimates as their values alone."""
    return [each.value if isinstance(each, Estimate) else each for each in values_of(series)]


def has_estimates(values: Sequence[Any] | np.ndarray) -> bool:
    """True when there is an Estimate among the values."""
    if isinstance(values, np.ndarray) and values.dtype != object:
        return False
    return any(isinstance(value, Estimate) for value in values)


def all_numbers(figure: Curve | Bars) -> np.ndarray:
    """Return the values of all series as floats, Estimates as their values alone."""
    return np.concatenate([[], *(floats(numbers_of(one)) for one in figure.series)])


def reach(figure: Curve | Bars) -> np.ndarray:
    """Return the values of all series and the ends of their intervals as floats."""
    ends = [ends.ravel() for one in with_intervals(figure).series if (ends := bounds(one)) is not None]
    return np.concatenate([all_numbers(figure), *ends])


def bounds(series: Series | BarSeries) -> np.ndarray | None:
    """Return the intervals of a series as floats, shape (n, 2), NaN where there is none; None without any."""
    if series.low is None or series.high is None:
        return None
    found = np.column_stack([floats(series.low), floats(series.high)])
    found[~np.isfinite(found).all(axis=1)] = math.nan
    return found


def names_of_intervals(figure: Curve | Bars) -> list[str]:
    """Return what the intervals of a figure are, each once; those without a name are left out."""
    every = with_intervals(figure).series
    return list(dict.fromkeys(one.interval for one in every if one.low is not None and one.interval.strip()))


def series_columns(series: Series | BarSeries, name: str, percent: bool) -> list[DataColumn]:
    """Return the values of a series, and the ends of its intervals, as columns of data."""
    found = {name: values_of(series), f"{name}, low": series.low, f"{name}, high": series.high}
    return [DataColumn(head, [*map(plain_cell, each)], percent) for head, each in found.items() if each is not None]


def estimate_text(value: Estimate, percent: bool) -> str:
    """Return an Estimate with its standard error, as `0.7919 ± 0.0040` or `79.19 ± 0.40%`."""
    if not percent:
        return write(value, "estimate")
    return with_percent(write(Estimate(100 * value.value, 100 * value.standard_error, value.n), "estimate"))


def point_texts(series: Series, percent: bool) -> list[str]:
    """Return the value of each point with its interval as text; empty where there is none."""
    if has_estimates(series.up):
        return [estimate_text(value, percent) if isinstance(value, Estimate) else "" for value in series.up]
    texts = column_texts([_finite(value) for value in series.up], percent)
    if series.low is None or series.high is None:
        return texts
    ends = [column_texts([_finite(value) for value in end], percent) for end in (series.low, series.high)]
    return [
        f"{text} ({low} to {high})" if text and low and high else text
        for text, low, high in zip(texts, *ends, strict=True)
    ]


def places_of(series: Sequence[Series]) -> list[Any]:
    """Return the places across at which a series has a value, in the order of the axis."""
    found = dict.fromkeys(plain_cell(place) for one in series for place in one.across)
    if any(isinstance(place, str) for place in found):
        return list(found)
    return sorted(place for place in found if place is not None and math.isfinite(place))


def texts_at(series: Series, places: Sequence[Any], percent: bool) -> list[str]:
    """Return the words for a series at each place: its value, and the ends of its interval; empty without one.

    A series with several points at a place has several values there.
    """
    found: dict[Any, str] = {}
    for place, text in zip(map(plain_cell, series.across), point_texts(series, percent), strict=True):
        if text:
            found[place] = f"{found[place]} and {text}" if place in found else text
    return [found.get(place, "") for place in places]


def _finite(value: Any) -> Any:
    cell = plain_cell(value)
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def interval_errors(series: Series | BarSeries) -> Iterator[str]:
    """The errors of the intervals of a series."""
    values, name = values_of(series), f"the series {series.name!r}"
    given = [end for end in ("low", "high") if getattr(series, end) is not None]
    if given and has_estimates(values):
        yield f"{name} has Estimates, which have their own intervals, and {' and '.join(given)} too; leave these out"
    elif len(given) == 1:
        yield f"{name} has {given[0]} and no {'high' if given == ['low'] else 'low'}; an interval needs both"
    elif series.interval and not given and not has_estimates(values):
        yield f"{name} names an interval and has no low and high"
    for end in given:
        if len(getattr(series, end)) != len(values):
            yield f"{name} has {len(values)} values and {len(getattr(series, end))} in {end}; write one for each value"
    if len(given) == 2:
        yield from _value_outside(name, series, floats(values))


def _value_outside(name: str, series: Series | BarSeries, values: Any) -> Iterator[str]:
    """The first value that does not lie in its interval."""
    low, high = floats(series.low), floats(series.high)
    for i in np.flatnonzero((low > values) | (values > high) | (low > high))[:1]:
        interval = f"low {low[i]:g} to high {high[i]:g}"
        yield f"{name} has the value {values[i]:g} at index {i}, and {interval} does not contain it"


def by_series(figure: Curve | Bars, words: Sequence[str]) -> str:
    """Join what is said of each series, under its name where there are several."""
    series: Sequence[Series | BarSeries] = figure.series
    named = (f"{one.name}: {said}" for one, said in zip(series, words, strict=True))
    return join_list(named if len(words) > 1 else words, "; ")


def interval_sentence(figure: Curve | Bars) -> str:
    """The meaning of the bands and error bars of a figure, as a sentence; empty without any."""
    names = names_of_intervals(figure)
    is_band = any("dots" not in one.style for one in figure.series if isinstance(one, Series) and one.low is not None)
    return f" {'Bands' if is_band else 'Error bars'}: {join_list(names)}." if names else ""
