"""What a figure shows, in a sentence or three computed from its data, for readers who do not see it.

Knows nothing of how figures are drawn.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import Action, Bars, Curve, Diagram, Figure, Grid, Heatmap, PolicyMap, Series, Table
from site_builder.figures.trends import crossing, layers, most_met, slope
from site_builder.markup.typeset import spoken
from site_builder.values.number_format import MINUS, THIN, integer, significant

FEW = 6  # so many things are named one by one, more are counted
_MOST_MOVES = 16  # that a diagram is told with
_RARE = 30  # cells of an action that are named

Write = Callable[[Any], str]


def describe(figure: Figure) -> str:
    """A few sentences of plain text that say what is to be seen: the author's own where there are any."""
    if written := getattr(figure, "alt", "").strip():
        return spoken(written)
    tellers: dict[type, Callable[[Any], str]] = {
        Heatmap: _heatmap, PolicyMap: _policy_map, Curve: _curve, Bars: _bars, Diagram: _diagram, Table: _table
    }  # fmt: skip
    return spoken(tellers[type(figure)](figure))


def _heatmap(figure: Heatmap) -> str:
    up = _up_axis(figure.grid, figure.across)
    values = floats(figure.grid.values)
    shown = np.isfinite(values) if figure.drawn is None else np.isfinite(values) & np.asarray(figure.drawn, bool)
    start = f"Heatmap of {figure.value_label} by {_ranges(figure.grid, (figure.across, up), figure.labels)}."
    if not shown.any():
        return f"{start} No cell has a value."
    low, high = _lowest(values, shown), _lowest(-values, shown)
    write = _percent if figure.percent else number
    lowest, highest = figure.grid.values[low], figure.grid.values[high]
    if values[low] == values[high]:
        middle = f"Every cell is {write(lowest)}."
    else:
        places = [_places(figure, (values == values[cell]) & shown, cell) for cell in (low, high)]
        middle = f"Lowest {write(lowest)} ({places[0]}), highest {write(highest)} ({places[1]}).{_trend(figure, shown)}"
    if figure.policy is None:
        return f"{start} {middle}"
    return f"{start} {middle} Letters show the action: {_shares(np.asarray(figure.policy)[shown], figure.actions)}."


def _places(figure: Heatmap, equal: np.ndarray, cell: tuple[int, ...]) -> str:
    """Where an extreme is, or in how many cells."""
    count = int(equal.sum())
    if count > FEW:
        return f"in {number(count)} cells"
    more = f", and {_counted(count - 1, 'cell')} more" if count > 1 else ""
    return _place(figure.grid, cell, figure.labels) + more


def _trend(figure: Heatmap, shown: np.ndarray) -> str:
    """With which axes of numbers the values rise or fall nearly everywhere."""
    axes = [axis for axis, coordinates in figure.grid.axes.items() if not any(isinstance(c, str) for c in coordinates)]
    ways = {axis: slope(floats(figure.grid.values), shown, list(figure.grid.axes).index(axis)) for axis in axes}
    named = {axis: _bare(figure.labels.get(axis, axis)) for axis in axes}
    told = [
        f"{verb} with {' and '.join(named[axis] for axis in axes if ways[axis] == way)}"
        for way, verb in ((1, "rises"), (-1, "falls"))
        if way in ways.values()
    ]
    return f" It {' and '.join(told)}." if told else ""


def _policy_map(figure: PolicyMap) -> str:
    up = _up_axis(figure.grid, figure.across)
    codes = floats(figure.grid.values)
    codes = np.where(np.isfinite(codes), codes, -1).astype(int)
    start = f"Map of the actions by {_ranges(figure.grid, (figure.across, up), figure.labels)}"
    if not (codes >= 0).any():
        return f"{start}. No cell has an action."
    turned = codes if next(iter(figure.grid.axes)) == figure.across else codes.T
    return f"{start}: {_shares(codes, figure.actions)}.{_order(figure, turned)}{_rare_cells(figure, turned)}"


def _order(figure: PolicyMap, codes: np.ndarray) -> str:
    """Where one action gives way to the next; codes: shape (columns, rows)."""
    up = _up_axis(figure.grid, figure.across)
    found, coordinates = layers(codes), figure.grid.axes[up]
    if found is None:
        return _reaches(figure, codes)
    names = [figure.actions[code].name for code in found.codes]
    steps = [
        f"then {name} from {number(coordinates[first])}"
        + ("" if first == last else f" to {number(coordinates[last])}")
        + " on"
        for name, (first, last) in zip(names[1:], found.starts, strict=True)
    ]
    share = "every column" if found.columns == found.of else f"{found.columns} of {found.of} columns"
    way = "Down" if figure.downward else "Up"
    return f" {way} {share}: {', '.join([names[0], *steps])}."


def _reaches(figure: PolicyMap, codes: np.ndarray) -> str:
    """From where to where along an axis each action is found, where that is not nearly everywhere."""
    axes = (figure.across, _up_axis(figure.grid, figure.across))
    told = []
    for code, action in enumerate(figure.actions):
        cells = np.argwhere(codes == code)
        if len(cells) <= _RARE:
            continue
        spans = [(axis, figure.grid.axes[axis], cells[:, i].min(), cells[:, i].max()) for i, axis in enumerate(axes)]
        narrow = [
            f"{_bare(figure.labels.get(axis, axis))} {number(places[first])} to {number(places[last])}"
            for axis, places, first, last in spans
            if last - first < 0.75 * (len(places) - 1)
        ]
        told += [f"{action.name} only at {' and '.join(narrow)}"] if narrow else []
    return f" {_capital(_listed(told, '; '))}." if told else ""


def _rare_cells(figure: PolicyMap, codes: np.ndarray) -> str:
    """The cells of actions that only few of many have."""
    places = [figure.grid.axes[axis] for axis in (figure.across, _up_axis(figure.grid, figure.across))]
    told = []
    for code, action in enumerate(figure.actions):
        cells = np.argwhere(codes == code).tolist()
        if 0 < len(cells) <= _RARE and 20 * len(cells) < np.count_nonzero(codes >= 0):
            pairs = [f"({number(places[0][i])}, {number(places[1][j])})" for i, j in cells]
            told.append(f"{action.name} at {_listed(pairs)}")
    return f" {_capital('; '.join(told))}." if told else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _shares(codes: np.ndarray, actions: Sequence[Action]) -> str:
    counts = [(int((codes == code).sum()), action.name) for code, action in enumerate(actions)]
    total = sum(count for count, _ in counts)
    if not total:
        return "none"
    taken = sorted((pair for pair in counts if pair[0]), key=lambda pair: -pair[0])
    if len(taken) == 1:
        return f"{taken[0][1]} everywhere"
    shares = _listed(f"{name} {_rounded_percent(count, total)}" for count, name in taken)
    return f"{shares} of {number(total)} cells"


def _rounded_percent(count: int, total: int) -> str:
    share = round(Fraction(100 * count, total))
    if share == 0 or (share == 100 and count < total):
        return f"{'under 1' if share == 0 else 'over 99'}{THIN}%"
    return f"{share}{THIN}%"


def _curve(figure: Curve) -> str:
    write = _percent if figure.percent else number
    about = f"{figure.up_label} against {figure.across_label}"
    told = [(series.name, _course(series, write)) for series in figure.series]
    tail = _beside(figure, write)
    if len(told) == 1:
        return f"Curve of {about}: {told[0][1]}.{tail}"
    each = _listed((f"{name}: {course}" for name, course in told), "; ")
    return f"{len(told)} curves of {about}. {_capital(each)}.{_crossing(figure)}{tail}"


def _beside(figure: Curve, write: Write) -> str:
    """Lines for reference and marks, with their places."""
    lines = [
        f"{reference.label} at {number(reference.at) if reference.upright else write(reference.at)}"
        for reference in figure.references
        if reference.label
    ]
    marks = [f"{mark.label} ({write(mark.at[1])} at {number(mark.at[0])})" for mark in figure.marks if mark.label]
    told = f" Reference line{'s' if len(lines) > 1 else ''}: {_listed(lines)}." if lines else ""
    return told + (f" Marked: {_listed(marks)}." if marks else "")


def _crossing(figure: Curve) -> str:
    """Which of two curves is the upper one, and from where to where."""
    if len(figure.series) != 2:
        return ""
    one, other = (dict(zip(each.across, floats(each.up).tolist(), strict=True)) for each in figure.series)
    common = [place for place in one if place in other]
    side, turns = crossing(np.array([one[p] for p in common]), np.array([other[p] for p in common]))
    if not side or len(common) < 3 or len(turns) > 1:
        return ""
    names = [f"“{each.name}”" for each in figure.series]
    way, back = ("above", "below") if side > 0 else ("below", "above")
    if not turns:
        return f" {names[0]} lies nowhere {back} {names[1]}."
    return f" {names[0]} lies {way} {names[1]} at first, and {back} it from {number(common[turns[0]])} on."


def _course(series: Series, write: Write) -> str:
    """Where a series begins and ends, and its turning points where they are not the ends."""
    ups = floats(series.up)
    there = np.flatnonzero(np.isfinite(ups))
    if not there.size:
        return "no points"

    def at(place: int) -> str:
        return f"{write(series.up[place])} at {number(series.across[place])}"

    first, last = int(there[0]), int(there[-1])
    if first == last:
        return f"one point, {at(first)}"
    lowest, highest = int(there[ups[there].argmin()]), int(there[ups[there].argmax()])
    if ups[lowest] == ups[highest]:
        stretch = f"from {number(series.across[first])} to {number(series.across[last])}"
        return f"{write(series.up[first])} throughout, {stretch}"
    ends = (ups[first], ups[last])
    turns = [f"lowest {at(lowest)}"] if ups[lowest] not in ends else []
    turns += [f"highest {at(highest)}"] if ups[highest] not in ends else []
    return ", ".join([f"from {at(first)} to {at(last)}", *turns])


def _bars(figure: Bars) -> str:
    write = _percent if figure.percent else number
    told = [_heights(figure.categories, series.values, write) for series in figure.series]
    if len(told) > 1:
        told = [f"{series.name}: {body}" for series, body in zip(figure.series, told, strict=True)]
    return f"Bars of {figure.value_label}: {_listed(told, '; ')}."


def _heights(categories: Sequence[str], values: Any, write: Write) -> str:
    known = np.isfinite(floats(values))
    pairs = [(name, value) for name, value, there in zip(categories, values, known, strict=True) if there]
    if not pairs:
        return "no values"
    if len(pairs) <= FEW:
        return _listed(f"{name} {write(value)}" for name, value in pairs)
    low, high = (pick(pairs, key=lambda pair: pair[1]) for pick in (min, max))
    return f"{len(pairs)} bars, lowest {write(low[1])} ({low[0]}), highest {write(high[1])} ({high[0]})"


def _diagram(figure: Diagram) -> str:
    counts = {kind: sum(node.kind == kind for node in figure.nodes) for kind in figure.kinds}
    kinds = _listed(f"{figure.kinds[kind]} ({count})" for kind, count in counts.items() if count)
    start = f"Diagram of {_counted(len(figure.nodes), 'state')} and {_counted(len(figure.edges), 'move')}"
    labels = {node.name: node.label or node.name for node in figure.nodes}
    if not kinds:
        return f"{start}."
    if not figure.edges:
        return f"{start}: {kinds}."
    if len(figure.edges) > _MOST_MOVES:
        ends = most_met([labels[edge.end] for edge in figure.edges])[:3]
        return f"{start}: {kinds}. Most moves lead to {_listed(f'{name} ({count})' for name, count in ends)}."
    moves = ", ".join(
        f"{labels[edge.start]} to {labels[edge.end]}{f' ({edge.label})' if edge.label else ''}" for edge in figure.edges
    )
    return f"{start}: {kinds}. Moves: {moves}."


def _table(figure: Table) -> str:
    rows = len(figure.columns[0].cells) if figure.columns else 0
    names = _listed(column.label for column in figure.columns)
    return f"Table of {_counted(rows, 'row')} and {_counted(len(figure.columns), 'column')}: {names}."


def _counted(count: int, noun: str) -> str:
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def _ranges(grid: Grid, axes: Iterable[str], labels: Mapping[str, str]) -> str:
    told = []
    for axis in axes:
        label, unit = _parts(labels.get(axis, axis))
        told.append(f"{label} ({unit}{', ' if unit else ''}{_range(grid.axes[axis])})")
    return " and ".join(told)


def _parts(label: str) -> tuple[str, str]:
    """A label and its unit: "score (points)" is "score" and "points"."""
    match = re.fullmatch(r"(.+?)\s*\(([^()$]+)\)", label.strip())
    return (match[1], match[2]) if match else (label, "")


def _bare(label: str) -> str:
    return _parts(label)[0]


def _range(coordinates: Sequence[Any]) -> str:
    if not coordinates:
        return "none"
    first, last = number(coordinates[0]), number(coordinates[-1])
    return first if len(coordinates) == 1 else f"{first} to {last}"


def _place(grid: Grid, cell: tuple[int, ...], labels: Mapping[str, str]) -> str:
    named = zip(grid.axes.items(), cell, strict=True)
    return ", ".join(f"{_bare(labels.get(axis, axis))} {number(coordinates[i])}" for (axis, coordinates), i in named)


def _up_axis(grid: Grid, across: str) -> str:
    return next(axis for axis in grid.axes if axis != across)


def _lowest(values: np.ndarray, shown: np.ndarray) -> tuple[int, ...]:
    where = np.unravel_index(np.where(shown, values, np.inf).argmin(), values.shape)
    return tuple(int(i) for i in where)


def _listed(parts: Iterable[str], comma: str = ", ") -> str:
    told = list(parts)
    return comma.join(told[:FEW]) + (f"{comma}and {len(told) - FEW} more" if len(told) > FEW else "")


def floats(values: Any) -> np.ndarray:
    """Numbers of any kind as an array of floats of the same shape; what is missing is NaN."""
    array = np.asarray(values)
    if array.dtype.kind in "biuf":
        return array.astype(float)
    return np.array([math.nan if v is None else _float(v) for v in array.ravel()], dtype=float).reshape(array.shape)


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:  # an exact number beyond every float
        return math.inf if value > 0 else -math.inf


def number(value: Any) -> str:
    """A value as it is read out: whole numbers up to a billion in full, others to three digits, words as they are."""
    if isinstance(value, str):
        return value
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and not math.isfinite(value):
        return "nothing" if math.isnan(value) else MINUS * (value < 0) + "∞"
    exact = Fraction(value)
    if exact.denominator == 1 and abs(exact) < 10**9:
        return integer(exact)
    if Fraction(1, 10**5) <= abs(exact) < 10**9:
        text = significant(exact, 3)
        return text.rstrip("0").rstrip(".") if "." in text else text
    digits, exponent = f"{Decimal(exact.numerator) / Decimal(exact.denominator):.2e}".split("e")
    return f"{digits}·10^{int(exponent)}".replace("-", MINUS)


def _percent(value: Any) -> str:
    """A share as a percentage; a small one that is not nothing, and a large one that is not all, stay apart from it."""
    share = 100 * (value.item() if isinstance(value, np.generic) else value)
    if 0 < share < 0.01:
        return f"under 0.01{THIN}%"
    if 99.9 < share < 100:
        return f"over 99.9{THIN}%"
    return f"{number(share)}{THIN}%"
