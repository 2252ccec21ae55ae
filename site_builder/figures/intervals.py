"""The intervals around the values of curves and bars: those that a series gives, and those of Estimates."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from site_builder.contract import Bars, BarSeries, Curve, Estimate, Series
from site_builder.figures.numbers import floats
from site_builder.values.number_format import with_percent, write

STANDARD_ERRORS = 2  # on each side of an Estimate
OF_ESTIMATES = f"± {STANDARD_ERRORS} standard errors"
_MOST_BARS = 60  # a line through more Estimates has a band instead of error bars
_Chart = TypeVar("_Chart", Curve, Bars)


def with_intervals(figure: _Chart) -> _Chart:
    """Return the figure with its Estimates as values with intervals; itself where it has none."""
    made = [_with_interval(series) for series in figure.series]
    if all(new is old for new, old in zip(made, figure.series, strict=True)):
        return figure
    return replace(figure, series=tuple(made))  # type: ignore[arg-type]


def series_values(series: Series | BarSeries) -> Sequence[Any]:
    """Return the values of a series, Estimates as their values alone."""
    values = series.up if isinstance(series, Series) else series.values
    return [each.value if isinstance(each, Estimate) else each for each in values]


def has_estimates(values: Sequence[Any] | np.ndarray) -> bool:
    """True when there is an Estimate among the values."""
    if isinstance(values, np.ndarray) and values.dtype != object:
        return False
    return any(isinstance(value, Estimate) for value in values)


def estimate_text(value: Estimate, percent: bool) -> str:
    """Return an Estimate with its standard error, as `0.7919 ± 0.0040` or `79.19 ± 0.40%`."""
    if not percent:
        return write(value, "estimate")
    return with_percent(write(Estimate(100 * value.value, 100 * value.standard_error, value.n), "estimate"))


def bounds(series: Series | BarSeries) -> np.ndarray | None:
    """Return the intervals of a series as floats, shape (n, 2), NaN where there is none; None without any."""
    if series.low is None or series.high is None:
        return None
    found = np.column_stack([floats(series.low), floats(series.high)])
    found[~np.isfinite(found).all(axis=1)] = math.nan
    return found


def names_of_intervals(figure: Curve | Bars) -> list[str]:
    """Return what the intervals of a figure are, each once; those without a name are left out."""
    return list(dict.fromkeys(one.interval for one in figure.series if one.low is not None and one.interval.strip()))


def _with_interval(series: Series | BarSeries) -> Series | BarSeries:
    values = series.up if isinstance(series, Series) else series.values
    if not has_estimates(values):
        return series
    numbers = tuple(each.value if isinstance(each, Estimate) else each for each in values)
    margins = [STANDARD_ERRORS * each.standard_error if isinstance(each, Estimate) else math.nan for each in values]
    low = tuple(float(value) - margin if margin >= 0 else math.nan for value, margin in _pairs(numbers, margins))
    high = tuple(float(value) + margin if margin >= 0 else math.nan for value, margin in _pairs(numbers, margins))
    if isinstance(series, BarSeries):
        return replace(series, values=numbers, low=low, high=high, interval=OF_ESTIMATES)
    style = "line with dots" if series.style == "line" and len(numbers) <= _MOST_BARS else series.style
    return replace(series, up=numbers, style=style, low=low, high=high, interval=OF_ESTIMATES)


def _pairs(numbers: Sequence[Any], margins: Sequence[float]) -> list[tuple[Any, float]]:
    return list(zip(numbers, margins, strict=True))


def upward_numbers(figure: _Chart) -> list[np.ndarray]:
    """Return the values of all series, and the ends of their intervals."""
    series = with_intervals(figure).series
    found = [floats(one.up if isinstance(one, Series) else one.values) for one in series]
    return found + [ends.ravel() for one in series if (ends := bounds(one)) is not None]


def interval_errors(series: Series | BarSeries, values: Any) -> Iterator[str]:
    """The errors of the intervals of a series. values: of its points or bars."""
    name = f"the series {series.name!r}"
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
