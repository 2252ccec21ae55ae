"""The values of curves and bars, numbers and Estimates: their errors, columns and texts."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from site_builder.contract import Estimate
from site_builder.contract.figures import Numbers
from site_builder.figures.columns import DataColumn
from site_builder.figures.words import floats, join_list, plain_cell
from site_builder.values.number_format import with_percent, write

STANDARD_ERRORS = 2  # on each side of an Estimate
OF_ESTIMATES = f"± {STANDARD_ERRORS} standard errors"


def numbers_of(values: Numbers) -> list[Any]:
    """Return the values, Estimates as their values alone."""
    return [each.value if isinstance(each, Estimate) else each for each in values]


def errors_of(values: Numbers) -> np.ndarray:
    """Return the standard errors of the values, NaN where one is no Estimate."""
    return np.array([each.standard_error if isinstance(each, Estimate) else math.nan for each in values], dtype=float)


def has_estimates(values: Numbers) -> bool:
    """True when there is an Estimate among the values."""
    return not np.isnan(errors_of(values)).all()


def all_numbers(rows: Iterable[Numbers]) -> np.ndarray:
    """Return the values of several rows as floats, Estimates as their values alone."""
    return np.concatenate([[], *(floats(numbers_of(values)) for values in rows)])


def error_ends(values: Numbers) -> np.ndarray:
    """Return the ends of the error bars of values as floats, shape (n, 2), NaN where there is none."""
    ends = floats(numbers_of(values))[:, None] + np.outer(errors_of(values), (-STANDARD_ERRORS, STANDARD_ERRORS))
    return np.where(np.isfinite(ends).all(axis=1, keepdims=True), ends, math.nan)


def value_columns(values: Numbers, name: str, percent: bool) -> list[DataColumn]:
    """Return the values, and the standard errors of Estimates, as columns of data."""
    columns = [DataColumn(name, [*map(plain_cell, numbers_of(values))], percent)]
    if has_estimates(values):
        columns.append(DataColumn(f"{name}, standard error", [*map(plain_cell, errors_of(values))], percent))
    return columns


def estimate_text(value: Estimate, percent: bool) -> str:
    """Return an Estimate with its standard error, as `0.7919 ± 0.0040` or `79.19 ± 0.40%`."""
    if not percent:
        return write(value, "estimate")
    return with_percent(write(Estimate(100 * value.value, 100 * value.standard_error, value.n), "estimate"))


def by_series(names: Sequence[str], words: Sequence[str]) -> str:
    """Join the words of each series, under its name where there are several."""
    named = (f"{name}: {description}" for name, description in zip(names, words, strict=True))
    return join_list(named if len(words) > 1 else words, "; ")
