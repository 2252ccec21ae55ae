"""What a figure shows, in a sentence or two computed from its data, for readers who do not see it.

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
from site_builder.markup import segments
from site_builder.mathematics import TexError, convert
from site_builder.numbers import MINUS, THIN, integer, significant
from site_builder.typesetting import bare_tex

FEW = 6  # so many things are named one by one, more are counted

Write = Callable[[Any], str]


def describe(figure: Figure) -> str:
    """One or two sentences of plain text that say what is to be seen: the author's own where there are any."""
    if written := getattr(figure, "alt", "").strip():
        return spoken(written)
    tellers: dict[type, Callable[[Any], str]] = {
        Heatmap: _heatmap, PolicyMap: _policy_map, Curve: _curve, Bars: _bars, Diagram: _diagram, Table: _table
    }  # fmt: skip
    return spoken(tellers[type(figure)](figure))


def spoken(text: str) -> str:
    """The text with its formulas in plain letters: `$\\frac{1}{2}$` is 1/2. Broken TeX stays as it is written."""
    if "$" in text or "`" in text:
        text = "".join(_spoken_piece(segment.kind, segment.text) for segment in segments(text, jinja=False))
    return re.sub(r"\s+", lambda space: space[0] if space[0] == THIN else " ", text).strip()


def _spoken_piece(kind: str, text: str) -> str:
    if kind in ("tex", "display"):
        try:
            return convert(bare_tex(text), False).text
        except TexError:
            return bare_tex(text)
    return text.strip("`") if kind == "code" else text.replace("\\$", "$")


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
        places = [_place(figure.grid, cell, figure.labels) for cell in (low, high)]
        middle = f"Lowest {write(lowest)} ({places[0]}), highest {write(highest)} ({places[1]})."
    if figure.policy is None:
        return f"{start} {middle}"
    return f"{start} {middle} Letters show the action: {_shares(np.asarray(figure.policy)[shown], figure.actions)}."


def _policy_map(figure: PolicyMap) -> str:
    up = _up_axis(figure.grid, figure.across)
    codes = floats(figure.grid.values)
    codes = np.where(np.isfinite(codes), codes, -1).astype(int)
    start = f"Map of the actions by {_ranges(figure.grid, (figure.across, up), figure.labels)}"
    return f"{start}: {_shares(codes, figure.actions)}." if (codes >= 0).any() else f"{start}. No cell has an action."


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
    ends = _listed(spoken(reference.label) for reference in figure.references if reference.label)
    tail = f" Reference lines: {ends}." if ends else ""
    if len(told) == 1:
        return f"Curve of {about}: {told[0][1]}.{tail}"
    return f"{len(told)} curves of {about}. {_listed((f'{name}: {course}' for name, course in told), '; ')}.{tail}"


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
    if not figure.edges or len(figure.edges) > FEW:
        return f"{start}: {kinds}."
    moves = _listed(f"{labels[edge.start]} to {labels[edge.end]}" for edge in figure.edges)
    return f"{start}: {kinds}. Moves: {moves}."


def _table(figure: Table) -> str:
    rows = len(figure.columns[0].cells) if figure.columns else 0
    names = _listed(column.label for column in figure.columns)
    return f"Table of {_counted(rows, 'row')} and {_counted(len(figure.columns), 'column')}: {names}."


def _counted(count: int, noun: str) -> str:
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def _ranges(grid: Grid, axes: Iterable[str], labels: Mapping[str, str]) -> str:
    return " and ".join(f"{labels.get(axis, axis)} ({_range(grid.axes[axis])})" for axis in axes)


def _range(coordinates: Sequence[Any]) -> str:
    if not coordinates:
        return "none"
    first, last = number(coordinates[0]), number(coordinates[-1])
    return first if len(coordinates) == 1 else f"{first} to {last}"


def _place(grid: Grid, cell: tuple[int, ...], labels: Mapping[str, str]) -> str:
    named = zip(grid.axes.items(), cell, strict=True)
    return ", ".join(f"{labels.get(axis, axis)} {number(coordinates[i])}" for (axis, coordinates), i in named)


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
