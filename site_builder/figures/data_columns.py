"""The data of a figure as columns of plain values: numbers, fractions, words and None."""

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import Action, Bars, Curve, Diagram, Figure, Grid, Heatmap, PolicyMap
from site_builder.figures.numbers import floats
from site_builder.markup.typeset import spoken


@dataclass(frozen=True, eq=False)
class DataColumn:
    """A column of data. cells: numbers, words, or None where there is none; percent: shown as percentages.

    in_table: whether the figure itself shows it, so that the table on the page does. actions: whether its cells are
    names of actions.
    """

    label: str
    cells: Sequence[Any]
    percent: bool = False
    in_table: bool = True
    actions: bool = False


def map_subset(figure: Heatmap | PolicyMap, columns: Sequence[int], rows: Sequence[int]) -> Heatmap | PolicyMap:
    """Return the map with only these of its columns and rows."""
    grid = figure.grid
    indices = [columns if axis == figure.across else rows for axis in grid.axes]
    axes = {axis: [grid.axes[axis][i] for i in kept] for axis, kept in zip(grid.axes, indices, strict=True)}
    cells = np.ix_(*indices)
    layers = {name: getattr(figure, name, None) for name in ("drawn", "faded", "policy")}
    changed = {name: np.asarray(values)[cells] for name, values in layers.items() if values is not None}
    return dataclasses.replace(figure, grid=Grid(grid.values[cells], axes), **changed)  # type: ignore[arg-type]


def columns_of(figure: Figure) -> tuple[DataColumn, ...]:
    """Return the data of a figure; exact values as decimals, with fractions in a column of their own.

    Raises TypeError for a Table.
    """
    makers: dict[type, Callable[[Any], list[DataColumn]]] = {
        Heatmap: _heatmap, PolicyMap: _policy_map, Curve: _curve, Bars: _bars, Diagram: _diagram
    }  # fmt: skip
    if type(figure) not in makers:
        raise TypeError(f"a {type(figure).__name__} shows its data itself")
    return tuple(_unique_labels([whole for column in makers[type(figure)](figure) for whole in _with_exact(column)]))


def _heatmap(figure: Heatmap) -> list[DataColumn]:
    across, up = map_axes(figure)
    values = figure.grid.values
    if figure.drawn is not None:
        values = values.astype(object)
        values[~np.asarray(figure.drawn, bool)] = None
    found = [*_coordinates(figure), DataColumn(figure.value_label, _cells(figure, values, across, up), figure.percent)]
    if figure.policy is not None:
        shown = np.where(np.isfinite(floats(values)), np.asarray(figure.policy), -1)
        found.append(_actions(_cells(figure, shown, across, up), figure.actions))
    if figure.faded is not None:
        pale = _cells(figure, np.asarray(figure.faded, bool).astype(int), across, up)
        found.append(DataColumn("drawn pale", pale, in_table=False))
    return found


def _policy_map(figure: PolicyMap) -> list[DataColumn]:
    codes = _cells(figure, figure.grid.values, *map_axes(figure))
    return [*_coordinates(figure), _actions(codes, figure.actions)]


def map_axes(figure: Heatmap | PolicyMap) -> tuple[str, str]:
    """Return the names of the axes, the horizontal one first."""
    return figure.across, next(axis for axis in figure.grid.axes if axis != figure.across)


def _coordinates(figure: Heatmap | PolicyMap) -> list[DataColumn]:
    """The coordinates of each cell, column by column of the map."""
    across, up = map_axes(figure)
    grid: Grid = figure.grid
    places = [(a, u) for a in grid.axes[across] for u in grid.axes[up]]
    labels = [figure.labels.get(axis, axis) for axis in (across, up)]
    return [DataColumn(label, [plain(place[i]) for place in places]) for i, label in enumerate(labels)]


def _cells(figure: Heatmap | PolicyMap, values: np.ndarray, across: str, up: str) -> list[Any]:
    is_transposed = list(figure.grid.axes) == [up, across]
    return [plain(value) for value in (values.T if is_transposed else values).ravel().tolist()]


def _actions(codes: Sequence[Any], actions: Sequence[Action]) -> DataColumn:
    names = [spoken(action.name) for action in actions]
    return DataColumn(
        "action", [None if code is None or code < 0 else names[int(code)] for code in codes], actions=True
    )


def _curve(figure: Curve) -> list[DataColumn]:
    """One column for each series over all coordinates; or one row for each point if a series repeats a coordinate."""
    points = [[(plain(a), plain(u)) for a, u in zip(one.across, one.up, strict=True)] for one in figure.series]
    label = figure.across_label or "across"
    if any(len({place for place, _ in one}) < len(one) for one in points):
        every = [
            (place, series.name, up) for series, one in zip(figure.series, points, strict=True) for place, up in one
        ]
        names = DataColumn("series", [name for _, name, _ in every])
        return [
            DataColumn(label, [place for place, _, _ in every]),
            *([names] if len(points) > 1 else []),
            DataColumn(figure.up_label, [up for _, _, up in every], figure.percent),
        ]
    places = list(dict.fromkeys(place for one in points for place, _ in one))
    if all(isinstance(place, (int, float, Fraction)) for place in places):
        places.sort()
    columns = [DataColumn(label, places)]
    for series, one in zip(figure.series, points, strict=True):
        name = (series.name if len(points) > 1 else "") or figure.up_label or "value"
        up = dict(one)
        columns.append(DataColumn(name, [up.get(place) for place in places], figure.percent))
    return columns


def _bars(figure: Bars) -> list[DataColumn]:
    columns = [DataColumn("bar", [spoken(name) for name in figure.categories])]
    for series in figure.series:
        name = (figure.value_label if len(figure.series) == 1 else series.name) or "value"
        columns.append(DataColumn(name, [plain(value) for value in series.values], figure.percent))
    return columns


def _diagram(figure: Diagram) -> list[DataColumn]:
    """One row for each edge, and one for each node without an outgoing edge."""
    nodes = {node.name: node for node in figure.nodes}
    labels = {name: spoken(node.label or name) for name, node in nodes.items()}
    rows = []
    for name, node in nodes.items():
        moves = [(labels[edge.end], spoken(edge.label)) for edge in figure.edges if edge.start == name]
        rows += [(labels[name], spoken(figure.kinds[node.kind]), *move) for move in moves or [("", "")]]
    heads = ("state", "kind", "leads to", "by")
    return [DataColumn(head, [row[i] or None for row in rows]) for i, head in enumerate(heads)]


def plain(value: Any) -> Any:
    """Return a value as a cell: an int, a float, a Fraction, words, or None (also for NaN)."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, Decimal):
        return Fraction(value) if value.is_finite() else float(value)
    return None if isinstance(value, float) and math.isnan(value) else value


def _with_exact(column: DataColumn) -> list[DataColumn]:
    """The column with its label in plain text; if it has Fractions, also a column of them as text."""
    label = spoken(column.label)
    if not any(isinstance(cell, Fraction) for cell in column.cells):
        return [dataclasses.replace(column, label=label)]
    exact = [None if cell is None or isinstance(cell, float) else exact_digits(cell) for cell in column.cells]
    return [dataclasses.replace(column, label=label), DataColumn(f"{label}, exact", exact, in_table=False)]


def _unique_labels(columns: Sequence[DataColumn]) -> list[DataColumn]:
    """The columns with unique labels: an empty one becomes "value", a repeated one gets a number."""
    taken: set[str] = set()
    labelled = []
    for column in columns:
        label, number = column.label or "value", 2
        while label in taken:
            label, number = f"{column.label or 'value'} ({number})", number + 1
        taken.add(label)
        labelled.append(dataclasses.replace(column, label=label))
    return labelled


def exact_digits(value: Any) -> str:
    """Return all digits of an exact value: Python's own conversion stops at 4,300 digits."""
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{Decimal(value.numerator):f}/{Decimal(value.denominator):f}"
    return f"{Decimal(int(value)):f}" if isinstance(value, (int, Fraction)) else str(value)
