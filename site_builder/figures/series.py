"""The series of curves and bars: their values, the standard errors of Estimates, and their texts."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from site_builder.contract import Bars, BarSeries, Curve, Estimate, Series
from site_builder.figures.columns import DataColumn
from site_builder.figures.words import floats, join_list, plain_cell
from site_builder.values.number_format import with_percent, write

STANDARD_ERRORS = 2  # on each side of an Estimate
OF_ESTIMATES = f"± {STANDARD_ERRORS} standard errors"


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


def shows_estimates(figure: Curve) -> bool:
    """True when there is an Estimate in a series of the figure."""
    return any(has_estimates(one.up) for one in figure.series)


def all_numbers(figure: Curve | Bars) -> np.ndarray:
    """Return the values of all series as floats, Estimates as their values alone."""
    return np.concatenate([[], *(floats(numbers_of(one)) for one in figure.series)])


def reach(figure: Curve) -> np.ndarray:
    """Return the values of all series and the ends of their error bars as floats."""
    return np.concatenate([all_numbers(figure), *(error_ends(one).ravel() for one in figure.series)])


def error_ends(series: Series) -> np.ndarray:
    """Return the ends of the error bars of a series as floats, shape (n, 2), NaN where there is none."""
    if not has_estimates(series.up):
        return np.full((len(series.up), 2), math.nan)
    values, errors = floats(numbers_of(series)), np.array(_errors_of(series))
    ends = np.column_stack([values - STANDARD_ERRORS * errors, values + STANDARD_ERRORS * errors])
    ends[~np.isfinite(ends).all(axis=1)] = math.nan
    return ends


def _errors_of(series: Series | BarSeries) -> list[float]:
    """The standard errors of the values, NaN where one is no Estimate."""
    return [each.standard_error if isinstance(each, Estimate) else math.nan for each in values_of(series)]


def series_columns(series: Series | BarSeries, name: str, percent: bool) -> list[DataColumn]:
    """Return the values of a series, and the standard errors of Estimates, as columns of data."""
    columns = [DataColumn(name, [*map(plain_cell, numbers_of(series))], percent)]
    if has_estimates(values_of(series)):
        errors = [*map(plain_cell, _errors_of(series))]
        columns.append(DataColumn(f"{name}, standard error", errors, percent))
    return columns


def estimate_text(value: Estimate, percent: bool) -> str:
    """Return an Estimate with its standard error, as `0.7919 ± 0.0040` or `79.19 ± 0.40%`."""
    if not percent:
        return write(value, "estimate")
    return with_percent(write(Estimate(100 * value.value, 100 * value.standard_error, value.n), "estimate"))


def by_series(figure: Curve | Bars, words: Sequence[str]) -> str:
    """Join the words of each series, under its name where there are several."""
    series: Sequence[Series | BarSeries] = figure.series
    named = (f"{one.name}: {description}" for one, description in zip(series, words, strict=True))
    return join_list(named if len(words) > 1 else words, "; ")


def error_bar_sentence(figure: Curve) -> str:
    """The meaning of the error bars of a figure, as a sentence; empty without any."""
    return f" Error bars: {OF_ESTIMATES}." if shows_estimates(figure) else ""
