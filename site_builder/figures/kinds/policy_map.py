"""Policy maps: the action of each cell of a grid."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from site_builder.contract import Grid, PolicyMap
from site_builder.figures.cell_texts import cell_text
from site_builder.figures.columns import DataColumn
from site_builder.figures.kinds.grid_map import (
    GridMapKind,
    action_column,
    action_names,
    action_shares,
    axis_ranges,
    cells_by_column,
    codes_of,
    coordinate_columns,
    rounded,
    subset_cells,
    value_layer,
)
from site_builder.figures.numbers import by_columns, floats, map_axes, short_number
from site_builder.figures.words import capitalized, join_list, shown_text, without_unit

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas, SizeLimits

_MOST_RARE_CELLS = 30  # of an action with more cells, single cells are not named
_MOST_LAYERS = 4  # a longer order of actions is not named
_LEAST_COST = 0.01  # smaller ones are not distinguished


class PolicyMapKind(GridMapKind[PolicyMap]):
    """The action of each cell, as its colour, hatch and letter."""

    figure = PolicyMap
    name = "policy map"

    def errors(self, figure: PolicyMap) -> Iterator[str]:
        found = list(super().errors(figure))
        yield from found or _values_and_costs(figure)

    def draw(self, figure: PolicyMap, sizes: "SizeLimits") -> "Canvas":
        from site_builder.figures.charts.policy_map import draw_policy_map

        return draw_policy_map(figure, sizes)

    def describe(self, figure: PolicyMap) -> str:
        codes = floats(figure.grid.values).astype(int)
        start = f"Map of the actions by {axis_ranges(figure)}"
        if not (codes >= 0).any():
            return f"{start}. No cell has an action."
        columns = by_columns(figure, codes)
        shares = action_shares(codes, figure.actions)
        return f"{start}: {shares}.{_layer_order(figure, columns)}{_rare_cells(figure, columns)}"

    def columns(self, figure: PolicyMap) -> list[DataColumn]:
        columns = [
            *coordinate_columns(figure),
            action_column(cells_by_column(figure, figure.grid.values), figure.actions),
        ]
        if figure.value is not None:
            values = cells_by_column(figure, figure.value.values)
            columns.append(DataColumn(figure.value_label, values, figure.percent, in_table=False))
        for name, cost in figure.costs.items():
            label = f"cost of {name}" + (f" ({figure.cost_unit})" if figure.cost_unit else "")
            columns.append(DataColumn(label, cells_by_column(figure, cost.values), in_table=False))
        return columns

    def subset(self, figure: PolicyMap, columns: Sequence[int], rows: Sequence[int]) -> PolicyMap:
        small, cells = super().subset(figure, columns, rows), subset_cells(figure, columns, rows)
        value = figure.value and Grid(figure.value.values[cells], small.grid.axes)
        costs = {name: Grid(cost.values[cells], small.grid.axes) for name, cost in figure.costs.items()}
        return replace(small, value=value, costs=costs)

    def layers(self, figure: PolicyMap, cells: Callable[[Any], np.ndarray]) -> list[dict[str, Any]]:
        values = [value_layer(figure, cells(figure.value.values).tolist())] if figure.value is not None else []
        return [*values, action_names(figure) | {"cells": codes_of(cells(figure.grid.values))}]

    def numbers(self, figure: PolicyMap) -> Iterable[Any]:
        grids = (*figure.costs.values(), *([figure.value] if figure.value is not None else []))
        return [grid.values for grid in grids]

    def costs(self, figure: PolicyMap, cells: Callable[[Any], np.ndarray]) -> dict[str, Any]:
        if not figure.costs:
            return {}
        costs = [
            {"name": shown_text(name), "words": _cost_words(cells(cost.values))} for name, cost in figure.costs.items()
        ]
        return {"costs": costs, "unit": shown_text(figure.cost_unit)}


def _values_and_costs(figure: PolicyMap) -> Iterator[str]:
    names = [action.name for action in figure.actions]
    if figure.value is not None and [*figure.value.axes.items()] != [*figure.grid.axes.items()]:
        yield "its value has other axes than its grid; give it the same axes in the same order"
    if figure.value is not None and not figure.value_label.strip():
        yield 'its value has no value_label; it says what the value is, such as "chance of winning"'
    for name, grid in figure.costs.items():
        if name not in names:
            yield f"its costs name the action {name!r}; its actions are: {', '.join(names)}"
        if [*grid.axes.items()] != [*figure.grid.axes.items()]:
            yield f"its costs of {name!r} have other axes than its grid; give them the same axes in the same order"
            continue
        for place in np.argwhere(floats(grid.values) < 0)[:1].tolist():
            at = [f"{axis} {each[i]}" for (axis, each), i in zip(grid.axes.items(), place, strict=True)]
            cost = floats(grid.values)[tuple(place)]
            yield f"{name!r} costs {cost:g} at {', '.join(at)}; a cost is what it gives away, 0 or more"


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
    return f" {capitalized(join_list(phrases, '; '))}." if phrases else ""


def _rare_cells(figure: PolicyMap, codes: np.ndarray) -> str:
    """The single cells of actions that are rare."""
    places = [figure.grid.axes[axis] for axis in map_axes(figure)]
    phrases = []
    for code, action in enumerate(figure.actions):
        cells = np.argwhere(codes == code).tolist()
        if 0 < len(cells) <= _MOST_RARE_CELLS and 20 * len(cells) < np.count_nonzero(codes >= 0):
            pairs = [f"({short_number(places[0][i])}, {short_number(places[1][j])})" for i, j in cells]
            phrases.append(f"{action.name} at {join_list(pairs)}")
    return f" {capitalized('; '.join(phrases))}." if phrases else ""


def _cost_words(costs: np.ndarray) -> list[str]:
    """The cost of an action with two decimals; empty where it costs nothing or cannot be taken."""
    least = f"less than {cell_text(_LEAST_COST, 2)}"
    values = floats(costs)
    cells = np.where((values > 0) & (values < _LEAST_COST), _LEAST_COST / 2, rounded(values, 2)).tolist()
    texts = {cell: cell_text(cell, 2) if cell >= _LEAST_COST else least if cell > 0 else "" for cell in set(cells)}
    return [texts[cell] if math.isfinite(cell) else "" for cell in cells]
