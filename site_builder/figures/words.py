"""The words of figures that several kinds share: lists, counts, percentages, labels without their units, intervals."""

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from site_builder.contract import Bars, BarSeries, Curve, Reference, Series
from site_builder.figures.numbers import short_number
from site_builder.figures.series import bounds, names_of_intervals
from site_builder.markup.typeset import curled, spoken
from site_builder.values.number_format import with_percent

MOST_NAMED = 6  # of a longer list, the rest is counted
MOST_LONG_NAMES = 40  # likewise, of names that a picture may cut

_LONGEST_WHOLE = 14  # characters; a longer name may be cut in a picture

NumberFormat = Callable[[Any], str]


def shown_text(text: str) -> str:
    return curled(spoken(text))


def axis_name(label: str) -> str:
    return without_unit(shown_text(label))


def label_and_unit(label: str) -> tuple[str, str]:
    """A label and its unit: "score (points)" is "score" and "points"."""
    match = re.fullmatch(r"(.+?)\s*\(([^()$]+)\)", label.strip())
    return (match[1], match[2]) if match else (label, "")


def without_unit(label: str) -> str:
    """Return the label of an axis without its unit: "score (points)" is "score"."""
    return label_and_unit(label)[0]


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def may_be_cut(names: Iterable[Any]) -> bool:
    """True when a picture may not show all of these names in full, so that its description has to."""
    return any(isinstance(name, str) and len(name) > _LONGEST_WHOLE for name in names)


def counted(count: int, noun: str) -> str:
    return f"{short_number(count)} {noun}{'' if count == 1 else 's'}"


def join_list(parts: Iterable[str], comma: str = ", ", most: int = MOST_NAMED) -> str:
    """Join parts, of which at most so many are named."""
    listed = list(parts)
    more = f"{comma}and {len(listed) - most} more" if len(listed) > most else ""
    return comma.join(listed[:most]) + more


def number_format(values: np.ndarray, percent: bool) -> NumberFormat:
    """Return a function that writes these values, with enough digits for the lowest and highest to differ."""
    finite = values[np.isfinite(values)]
    if percent or not finite.size or finite.min() == finite.max():
        return percent_text if percent else short_number
    ends = float(finite.min()), float(finite.max())
    kept = next((digits for digits in range(3, 12) if len({short_number(end, digits) for end in ends}) == 2), 12)
    return partial(short_number, kept=kept)


def percent_text(value: Any) -> str:
    """A share as a percentage; one above 0 is never shown as 0, and one below 1 never as 100."""
    share = 100 * (value.item() if isinstance(value, np.generic) else value)
    if 0 < share < 0.01:
        return with_percent("under 0.01")
    if 99.9 < share < 100:
        return with_percent("over 99.9")
    return with_percent(short_number(share))


def reference_sentence(references: Iterable[Reference], format_value: NumberFormat) -> str:
    """The labelled reference lines with their values, as a sentence; empty without any."""
    is_percent = format_value is percent_text
    lines = [
        f"{each.label} at {percent_text(each.at) if is_percent and not each.upright else short_number(each.at, 6)}"
        for each in references
        if each.label
    ]
    return f" Reference line{'s' if len(lines) > 1 else ''}: {join_list(lines)}." if lines else ""


def interval_sentence(figure: Curve | Bars) -> str:
    """The meaning of the bands and error bars of a figure, as a sentence; empty without any."""
    names = names_of_intervals(figure)
    is_band = any("dots" not in one.style for one in figure.series if isinstance(one, Series) and one.low is not None)
    return f" {'Bands' if is_band else 'Error bars'}: {join_list(names)}." if names else ""


def widest_interval(series: Series | BarSeries, places: Any, format_value: NumberFormat) -> str:
    """The widest interval of a series; empty if it has none."""
    ends = bounds(series)
    if ends is None or not np.isfinite(ends).any():
        return ""
    widest = int(np.nanargmax(ends[:, 1] - ends[:, 0]))
    low, high = (format_value(each[widest]) for each in (series.low, series.high) if each is not None)
    return f", widest interval {low} to {high} at {short_number(places[widest])}"


def distinct(words: list[str]) -> list[str]:
    """The words, with a number at each that is there already, so that they name one place only."""
    counts: dict[str, int] = {}
    found = []
    for word in words:
        counts[word] = counts.get(word, 0) + 1
        found.append(word if counts[word] == 1 else f"{word} ({counts[word]})")
    return found
