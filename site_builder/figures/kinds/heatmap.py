"""Heatmaps: a number for each cell of a grid."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from site_builder.contract import Grid, Heatmap
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
    value_layer,
)
from site_builder.figures.numbers import floats, short_number
from site_builder.figures.words import MOST_NAMED, counted, number_format, without_unit

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas, SizeLimits

_FEWEST_STEPS = 10  # differing neighbours; fewer show no slope
_NEARLY_ALL = 0.9


class HeatmapKind(GridMapKind[Heatmap]):
    """A number for each cell, as its colour."""

    figure = Heatmap
    name = "heatmap"

    def draw(self, figure: Heatmap, sizes: "SizeLimits") -> "Canvas":
        from site_builder.figures.charts.heatmap import draw_heatmap

        return draw_heatmap(figure, sizes)

    def describe(self, figure: Heatmap) -> str:
        values = floats(figure.grid.values)
        shown = np.isfinite(values) if figure.drawn is None else np.isfinite(values) & np.asarray(figure.drawn, bool)
        start = f"Heatmap of {figure.value_label} by {axis_ranges(figure)}."
        if not shown.any():
            return f"{start} No cell has a value."
        low, high = _lowest(values, shown), _lowest(-values, shown)
        format_value = number_format(values[shown], figure.percent)
        lowest, highest = figure.grid.values[low], figure.grid.values[high]
        if values[low] == values[high]:
            middle = f"Every cell is {format_value(lowest)}."
        else:
            places = [_extreme_place(figure, (values == values[cell]) & shown, cell) for cell in (low, high)]
            extremes = f"Lowest {format_value(lowest)} ({places[0]}), highest {format_value(highest)} ({places[1]})."
            middle = extremes + _trend(figure, shown)
        if figure.policy is None:
            return f"{start} {middle}"
        shares = action_shares(np.asarray(figure.policy)[shown], figure.actions)
        return f"{start} {middle} Letters show the action: {shares}."

    def columns(self, figure: Heatmap) -> list[DataColumn]:
        values = figure.grid.values
        if figure.drawn is not None:
            values = values.astype(object)
            values[~np.asarray(figure.drawn, bool)] = None
        found = [
            *coordinate_columns(figure),
            DataColumn(figure.value_label, cells_by_column(figure, values), figure.percent),
        ]
        if figure.policy is not None:
            shown = np.where(np.isfinite(floats(values)), np.asarray(figure.policy), -1)
            found.append(action_column(cells_by_column(figure, shown), figure.actions))
        if figure.faded is not None:
            pale = cells_by_column(figure, np.asarray(figure.faded, bool).astype(int))
            found.append(DataColumn("drawn pale", pale, in_table=False))
        return found

    def axes(self, figure: Heatmap) -> dict[str, tuple[str, bool]]:
        return super().axes(figure) | {"colour": (figure.value_label, figure.percent)}

    def layers(self, figure: Heatmap, cells: Callable[[Any], np.ndarray]) -> list[dict[str, Any]]:
        values = cells(figure.grid.values).tolist()
        if figure.drawn is not None:
            values = [v if drawn else None for v, drawn in zip(values, cells(figure.drawn).tolist(), strict=True)]
        layer = value_layer(figure, values)
        if figure.policy is None:
            return [layer]
        codes = np.where([bool(text) for text in layer["words"]], codes_of(cells(figure.policy)), -1)
        return [layer, action_names(figure) | {"cells": codes.tolist()}]

    def numbers(self, figure: Heatmap) -> Iterable[Any]:
        return [figure.grid.values if figure.drawn is None else figure.grid.values[figure.drawn]]

    def units(self, figure: Heatmap) -> tuple[Any, ...]:
        return figure.value_label, figure.percent, figure.scale, figure.centre

    def scales(self, figure: Heatmap) -> dict[str, np.ndarray]:
        values = floats(figure.grid.values)
        drawn = values if figure.drawn is None else values[np.asarray(figure.drawn, bool)]
        return {"value_range": drawn.ravel()}


def _extreme_place(figure: Heatmap, equal: np.ndarray, cell: tuple[int, ...]) -> str:
    """Where an extreme value is, or in how many cells."""
    count = int(equal.sum())
    if count > MOST_NAMED:
        return f"in {short_number(count)} cells"
    more = f", and {counted(count - 1, 'cell')} more" if count > 1 else ""
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


def _place(grid: Grid, cell: tuple[int, ...], labels: Mapping[str, str]) -> str:
    named = zip(grid.axes.items(), cell, strict=True)
    return ", ".join(
        f"{without_unit(labels.get(axis, axis))} {short_number(coordinates[i])}" for (axis, coordinates), i in named
    )


def _lowest(values: np.ndarray, shown: np.ndarray) -> tuple[int, ...]:
    where = np.unravel_index(np.where(shown, values, np.inf).argmin(), values.shape)
    return tuple(int(i) for i in where)
