"""Computes the alt text of a figure from its data: one to three sentences for readers who do not see it.

Does not know how figures are drawn.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import (
    Action,
    Bars,
    BarSeries,
    Curve,
    Diagram,
    Figure,
    Grid,
    Heatmap,
    PolicyMap,
    Series,
    Table,
)
from site_builder.figures.intervals import bounds, names_of_intervals, with_intervals
from site_builder.figures.numbers import by_columns, floats, map_axes, short_number
from site_builder.markup.typeset import curled, spoken
from site_builder.values.number_format import with_percent

_MOST_NAMED = 6  # of a longer list, the rest is counted
_MOST_EDGES = 16  # of a larger diagram, single edges are not named
_MOST_RARE_CELLS = 30  # of an action with more cells, single cells are not named
_MOST_LAYERS = 4  # a longer order of actions is not named
_FEWEST_STEPS = 10  # differing neighbours; fewer show no slope
_NEARLY_ALL = 0.9

NumberFormat = Callable[[Any], str]


def describe(figure: Figure) -> str:
    """Return the alt text of a figure: the author's own if there is one, else a few computed sentences."""
    if written := getattr(figure, "alt", "").strip():
        return curled(spoken(written))
    writers: dict[type, Callable[[Any], str]] = {
        Heatmap: _heatmap, PolicyMap: _policy_map, Curve: _curve, Bars: _bars, Diagram: _diagram, Table: _table
    }  # fmt: skip
    return curled(spoken(writers[type(figure)](figure)))


def _heatmap(figure: Heatmap) -> str:
    values = floats(figure.grid.values)
    shown = np.isfinite(values) if figure.drawn is None else np.isfinite(values) & np.asarray(figure.drawn, bool)
    start = f"Heatmap of {figure.value_label} by {_ranges(figure)}."
    if not shown.any():
        return f"{start} No cell has a value."
    low, high = _lowest(values, shown), _lowest(-values, shown)
    format_value = _percent if figure.percent else short_number
    lowest, highest = figure.grid.values[low], figure.grid.values[high]
    if values[low] == values[high]:
        middle = f"Every cell is {format_value(lowest)}."
    else:
        places = [_extreme_place(figure, (values == values[cell]) & shown, cell) for cell in (low, high)]
        extremes = f"Lowest {format_value(lowest)} ({places[0]}), highest {format_value(highest)} ({places[1]})."
        middle = extremes + _trend(figure, shown)
    if figure.policy is None:
        return f"{start} {middle}"
    return f"{start} {middle} Letters show the action: {_shares(np.asarray(figure.policy)[shown], figure.actions)}."


def _extreme_place(figure: Heatmap, equal: np.ndarray, cell: tuple[int, ...]) -> str:
    """Where an extreme value is, or in how many cells."""
    count = int(equal.sum())
    if count > _MOST_NAMED:
        return f"in {short_number(count)} cells"
    more = f", and {_counted(count - 1, 'cell')} more" if count > 1 else ""
    return _place(figure.grid, cell, figure.labels) + more


def _trend(figure: Heatmap, shown: np.ndarray) -> str:
    """The numeric axes along which values rise or fall nearly everywhere."""
    axes = [axis for axis, coordinates in figure.grid.axes.items() if not any(isinstance(c, str) for c in coordinates)]
    slopes = {axis: _slope(floats(figure.grid.values), shown, list(figure.grid.axes).index(axis)) for axis in axes}
    names = {axis: without_unit(figure.labels.get(axis, axis)) for axis in axes}
    phrases = [
        f"{verb} with {' and '.join(names[axis] for axis in axes if slopes[axis] == direction)}"
        for direction, verb in ((1, "rises"), (-1, "falls"))
        if direction in slopes.values()
    ]
    return f" It {' and '.join(phrases)}." if phrases else ""


def _slope(values: np.ndarray, shown: np.ndarray, axis: int) -> int:
    """1 if values rise along this axis nearly everywhere, -1 if they fall, else 0."""
    values, shown = np.moveaxis(values, axis, 0), np.moveaxis(shown, axis, 0)
    both = shown[1:] & shown[:-1]
    with np.errstate(invalid="ignore"):
        steps = (values[1:] - values[:-1])[both]
    rises, falls = int((steps > 0).sum()), int((steps < 0).sum())
    if rises + falls < max(_FEWEST_STEPS, 0.3 * steps.size):
        return 0
    return int(rises >= _NEARLY_ALL * (rises + falls)) - int(falls >= _NEARLY_ALL * (rises + falls))


def _policy_map(figure: PolicyMap) -> str:
    codes = floats(figure.grid.values).astype(int)
    start = f"Map of the actions by {_ranges(figure)}"
    if not (codes >= 0).any():
        return f"{start}. No cell has an action."
    columns = by_columns(figure, codes)
    return f"{start}: {_shares(codes, figure.actions)}.{_layer_order(figure, columns)}{_rare_cells(figure, columns)}"


def _layer_order(figure: PolicyMap, codes: np.ndarray) -> str:
    """The most frequent order of actions in a column, and where each one starts. codes: shape (columns, rows)."""
    found: dict[tuple[int, ...], list[list[int]]] = {}  # order of the codes -> the rows where the later ones start
    columns = [column for column in codes if (column >= 0).any()]
    for column in columns:
        rows = np.flatnonzero(column >= 0)
        changes = np.flatnonzero(np.diff(column[rows])) + 1
        order = tuple(column[rows[np.append(0, changes)]].tolist())
        found.setdefault(order, []).append(rows[changes].tolist())
    order, most = max(found.items(), key=lambda item: len(item[1]), default=((), []))
    starts = [(min(rows), max(rows)) for rows in zip(*most, strict=True)]
    is_frequent = len(most) >= 3 and 3 * len(most) >= len(columns)
    if not (1 < len(order) <= _MOST_LAYERS and is_frequent) or any(
        last - first > codes.shape[1] / 2 for first, last in starts
    ):
        return _action_ranges(figure, codes)
    names, coordinates = [figure.actions[code].name for code in order], figure.grid.axes[map_axes(figure)[1]]
    steps = [
        f"then {name} from {short_number(coordinates[first])}"
        + ("" if first == last else f" to {short_number(coordinates[last])}")
        + " on"
        for name, (first, last) in zip(names[1:], starts, strict=True)
    ]
    share = "every column" if len(most) == len(columns) else f"{len(most)} of {len(columns)} columns"
    direction = "Down" if figure.downward else "Up"
    return f" {direction} {share}: {', '.join([names[0], *steps])}."


def _action_ranges(figure: PolicyMap, codes: np.ndarray) -> str:
    """The range of each action along the axes, if that is less than three quarters of an axis."""
    phrases = []
    for code, action in enumerate(figure.actions):
        cells = np.argwhere(codes == code)
        if len(cells) <= _MOST_RARE_CELLS:
            continue
        narrow = []
        for i, axis in enumerate(map_axes(figure)):
            places, first, last = figure.grid.axes[axis], cells[:, i].min(), cells[:, i].max()
            if last - first < 0.75 * (len(places) - 1):
                label = without_unit(figure.labels.get(axis, axis))
                narrow.append(f"{label} {short_number(places[first])} to {short_number(places[last])}")
        phrases += [f"{action.name} only at {' and '.join(narrow)}"] if narrow else []
    return f" {_capitalized(_join_list(phrases, '; '))}." if phrases else ""


def _rare_cells(figure: PolicyMap, codes: np.ndarray) -> str:
    """The single cells of actions that are rare."""
    places = [figure.grid.axes[axis] for axis in map_axes(figure)]
    phrases = []
    for code, action in enumerate(figure.actions):
        cells = np.argwhere(codes == code).tolist()
        if 0 < len(cells) <= _MOST_RARE_CELLS and 20 * len(cells) < np.count_nonzero(codes >= 0):
            pairs = [f"({short_number(places[0][i])}, {short_number(places[1][j])})" for i, j in cells]
            phrases.append(f"{action.name} at {_join_list(pairs)}")
    return f" {_capitalized('; '.join(phrases))}." if phrases else ""


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _shares(codes: np.ndarray, actions: Sequence[Action]) -> str:
    counts = [(int((codes == code).sum()), action.name) for code, action in enumerate(actions)]
    total = sum(count for count, _ in counts)
    if not total:
        return "none"
    taken = sorted((pair for pair in counts if pair[0]), key=lambda pair: -pair[0])
    if len(taken) == 1:
        return f"{taken[0][1]} everywhere"
    shares = _join_list(f"{name} {_rounded_percent(count, total)}" for count, name in taken)
    return f"{shares} of {short_number(total)} cells"


def _rounded_percent(count: int, total: int) -> str:
    share = round(Fraction(100 * count, total))
    if share == 0 or (share == 100 and count < total):
        return with_percent("under 1" if share == 0 else "over 99")
    return with_percent(str(share))


def _curve(figure: Curve) -> str:
    figure = with_intervals(figure)
    format_value = _percent if figure.percent else short_number
    about = f"{figure.up_label} against {figure.across_label}"
    courses = [
        (one.name, _series_course(one, format_value) + _widest_interval(one, one.across, format_value))
        for one in figure.series
    ]
    tail = _intervals(figure) + _references_and_marks(figure, format_value)
    if len(courses) == 1:
        return f"Curve of {about}: {courses[0][1]}.{tail}"
    each = _join_list((f"{name}: {course}" for name, course in courses), "; ")
    return f"{len(courses)} curves of {about}. {_capitalized(each)}.{_crossing(figure)}{tail}"


def _intervals(figure: Curve | Bars) -> str:
    """The meaning of the bands and error bars of a figure, as a sentence; empty without any."""
    names = names_of_intervals(figure)
    is_band = any("dots" not in one.style for one in figure.series if isinstance(one, Series) and one.low is not None)
    return f" {'Bands' if is_band else 'Error bars'}: {_join_list(names)}." if names else ""


def _widest_interval(series: Series | BarSeries, places: Any, format_value: NumberFormat) -> str:
    """The widest interval of a series; empty if it has none."""
    ends = bounds(series)
    if ends is None or not np.isfinite(ends).any():
        return ""
    widest = int(np.nanargmax(ends[:, 1] - ends[:, 0]))
    low, high = (format_value(each[widest]) for each in (series.low, series.high) if each is not None)
    return f", widest interval {low} to {high} at {short_number(places[widest])}"


def _references_and_marks(figure: Curve, format_value: NumberFormat) -> str:
    """Labelled reference lines and marks, with their values."""
    is_percent = format_value is _percent
    lines = [
        f"{each.label} at {_percent(each.at) if is_percent and not each.upright else short_number(each.at, 6)}"
        for each in figure.references
        if each.label
    ]
    marks = [
        f"{mark.label} ({format_value(mark.at[1])} at {short_number(mark.at[0])})"
        for mark in figure.marks
        if mark.label
    ]
    references = f" Reference line{'s' if len(lines) > 1 else ''}: {_join_list(lines)}." if lines else ""
    return references + (f" Marked: {_join_list(marks)}." if marks else "")


def _crossing(figure: Curve) -> str:
    """The upper one of two curves, and the crossing where they cross at most once, in words."""
    if len(figure.series) != 2:
        return ""
    one, other = (dict(zip(each.across, floats(each.up).tolist(), strict=True)) for each in figure.series)
    common = [place for place in one if place in other]
    pairs = np.array([(one[place], other[place]) for place in common]).reshape(-1, 2)
    differences = pairs[:, 0] - pairs[:, 1]
    apart = np.flatnonzero(np.abs(differences) > 1e-9 * np.nanmax(np.abs(pairs), initial=0.0))
    is_above = differences[apart] > 0
    turns = apart[1:][is_above[1:] != is_above[:-1]]
    if not apart.size or len(common) < 3 or len(turns) > 1:
        return ""
    names = [f"“{each.name}”" for each in figure.series]
    first, later = ("above", "below") if is_above[0] else ("below", "above")
    if not turns.size:
        return f" {names[0]} lies nowhere {later} {names[1]}."
    return f" {names[0]} lies {first} {names[1]} at first, and {later} it from {short_number(common[turns[0]])} on."


def _series_course(series: Series, format_value: NumberFormat) -> str:
    """Where a series starts and ends, and its extremes if they are not the ends."""
    ups = floats(series.up)
    finite = np.flatnonzero(np.isfinite(ups))
    if not finite.size:
        return "no points"

    def at(index: int) -> str:
        return f"{format_value(series.up[index])} at {short_number(series.across[index])}"

    first, last = int(finite[0]), int(finite[-1])
    if first == last:
        return f"one point, {at(first)}"
    lowest, highest = int(finite[ups[finite].argmin()]), int(finite[ups[finite].argmax()])
    if ups[lowest] == ups[highest]:
        interval = f"from {short_number(series.across[first])} to {short_number(series.across[last])}"
        return f"{format_value(series.up[first])} throughout, {interval}"
    ends = (ups[first], ups[last])
    turns = [f"lowest {at(lowest)}"] if ups[lowest] not in ends else []
    turns += [f"highest {at(highest)}"] if ups[highest] not in ends else []
    return ", ".join([f"from {at(first)} to {at(last)}", *turns])


def _bars(figure: Bars) -> str:
    figure = with_intervals(figure)
    format_value = _percent if figure.percent else short_number
    phrases = [
        _bar_values(figure.categories, one.values, format_value)
        + _widest_interval(one, figure.categories, format_value)
        for one in figure.series
    ]
    if len(phrases) > 1:
        phrases = [f"{series.name}: {body}" for series, body in zip(figure.series, phrases, strict=True)]
    return f"Bars of {figure.value_label}: {_join_list(phrases, '; ')}.{_intervals(figure)}"


def _bar_values(categories: Sequence[str], values: Any, format_value: NumberFormat) -> str:
    is_known = np.isfinite(floats(values))
    pairs = [(name, value) for name, value, known in zip(categories, values, is_known, strict=True) if known]
    if not pairs:
        return "no values"
    if len(pairs) <= _MOST_NAMED:
        return _join_list(f"{name} {format_value(value)}" for name, value in pairs)
    low, high = (pick(pairs, key=lambda pair: pair[1]) for pick in (min, max))
    return f"{len(pairs)} bars, lowest {format_value(low[1])} ({low[0]}), highest {format_value(high[1])} ({high[0]})"


def _diagram(figure: Diagram) -> str:
    counts = {kind: sum(node.kind == kind for node in figure.nodes) for kind in figure.kinds}
    kinds = _join_list(f"{figure.kinds[kind]} ({count})" for kind, count in counts.items() if count)
    start = f"Diagram of {_counted(len(figure.nodes), 'state')} and {_counted(len(figure.edges), 'move')}"
    labels = {node.name: node.label or node.name for node in figure.nodes}
    if not kinds:
        return f"{start}."
    if not figure.edges:
        return f"{start}: {kinds}."
    if len(figure.edges) > _MOST_EDGES:
        ends = Counter(labels[edge.end] for edge in figure.edges).most_common(3)
        return f"{start}: {kinds}. Most moves lead to {_join_list(f'{name} ({count})' for name, count in ends)}."
    moves = ", ".join(
        f"{labels[edge.start]} to {labels[edge.end]}{f' ({edge.label})' if edge.label else ''}" for edge in figure.edges
    )
    return f"{start}: {kinds}. Moves: {moves}."


def _table(figure: Table) -> str:
    rows = len(figure.columns[0].cells) if figure.columns else 0
    names = _join_list(column.label for column in figure.columns)
    return f"Table of {_counted(rows, 'row')} and {_counted(len(figure.columns), 'column')}: {names}."


def _counted(count: int, noun: str) -> str:
    return f"{short_number(count)} {noun}{'' if count == 1 else 's'}"


def _ranges(figure: Heatmap | PolicyMap) -> str:
    phrases = []
    for axis in map_axes(figure):
        label, unit = _label_and_unit(figure.labels.get(axis, axis))
        phrases.append(f"{label} ({unit}{', ' if unit else ''}{_range(figure.grid.axes[axis])})")
    return " and ".join(phrases)


def _label_and_unit(label: str) -> tuple[str, str]:
    """A label and its unit: "score (points)" is "score" and "points"."""
    match = re.fullmatch(r"(.+?)\s*\(([^()$]+)\)", label.strip())
    return (match[1], match[2]) if match else (label, "")


def without_unit(label: str) -> str:
    """Return the label of an axis without its unit: "score (points)" is "score"."""
    return _label_and_unit(label)[0]


def _range(coordinates: Sequence[Any]) -> str:
    if not coordinates:
        return "none"
    first, last = short_number(coordinates[0]), short_number(coordinates[-1])
    return first if len(coordinates) == 1 else f"{first} to {last}"


def _place(grid: Grid, cell: tuple[int, ...], labels: Mapping[str, str]) -> str:
    named = zip(grid.axes.items(), cell, strict=True)
    return ", ".join(
        f"{without_unit(labels.get(axis, axis))} {short_number(coordinates[i])}" for (axis, coordinates), i in named
    )


def _lowest(values: np.ndarray, shown: np.ndarray) -> tuple[int, ...]:
    where = np.unravel_index(np.where(shown, values, np.inf).argmin(), values.shape)
    return tuple(int(i) for i in where)


def _join_list(parts: Iterable[str], comma: str = ", ") -> str:
    listed = list(parts)
    more = f"{comma}and {len(listed) - _MOST_NAMED} more" if len(listed) > _MOST_NAMED else ""
    return comma.join(listed[:_MOST_NAMED]) + more


def _percent(value: Any) -> str:
    """A share as a percentage; one above 0 is never shown as 0, and one below 1 never as 100."""
    share = 100 * (value.item() if isinstance(value, np.generic) else value)
    if 0 < share < 0.01:
        return with_percent("under 0.01")
    if 99.9 < share < 100:
        return with_percent("over 99.9")
    return with_percent(short_number(share))
