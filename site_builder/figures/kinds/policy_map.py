"""Policy maps: the action of each cell of a grid."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from site_builder.contract import PolicyMap
from site_builder.figures.canvas.axes import draw_legend
from site_builder.figures.canvas.shapes import Box, Point
from site_builder.figures.canvas.text import MIDDLE, text_line, widest
from site_builder.figures.columns import DataColumn
from site_builder.figures.kinds.grid_map import GridMapKind, GridPlot, cells_by_column, flat, rectangles
from site_builder.figures.palette import AXIS, INK, OF_AREAS, Colour, fill
from site_builder.figures.words import cell_text, floats, join_list, shown_text
from site_builder.markup.typeset import spoken
from site_builder.values.number_format import plural

if TYPE_CHECKING:
    from site_builder.figures.canvas.canvas import Canvas

_LEAST_COST = 0.01  # smaller ones are not distinguished
_MOST_RECTANGLES = 600  # of an action; more take many bytes, and show more ink than cells
_SMALL_CELL = 8.0  # pixels; areas of smaller cells have finer borders
_MOST_LETTERS = 600  # cells; a larger map has no letter in each cell
_SMALLEST = 17.0  # pixels; width and height of a cell with a letter
Fill = tuple[Colour, str]  # with its hatch


class PolicyMapKind(GridMapKind[PolicyMap]):
    """The action of each cell, as its colour, hatch and letter."""

    figure = PolicyMap
    hues = OF_AREAS

    def errors(self, figure: PolicyMap) -> Iterator[str]:
        found = [*super().errors(figure)]
        yield from found or _action_errors(figure)
        yield from found or _values_and_costs(figure)

    def names(self, figure: PolicyMap, given: Collection[str]) -> list[str]:
        return [action.name for action in figure.actions]

    def colours(self, figure: PolicyMap) -> dict[str, str]:
        own = {action.name: action.colour for action in figure.actions if action.colour}
        return own | super().colours(figure)

    def draw(self, figure: PolicyMap, canvas: "Canvas") -> None:
        plot = GridPlot(canvas, figure)
        cells = plot.rows(floats(figure.grid.values).astype(int))
        shown = {code: action for code, action in enumerate(figure.actions) if (cells == code).any()}
        hues = self.hues_of(figure)
        fills = {code: fill(hues[code], hues[:code].count(hues[code])) for code in shown}
        has_letters = _letters_fit(plot, [action.letter for action in shown.values()])
        areas = {code: rectangles(cells == code) for code in shown}
        is_fine = any(len(area) > _MOST_RECTANGLES for area in areas.values())
        if is_fine:  # each cell in its colour
            pixels = np.zeros((*cells.shape, 4), dtype=np.uint8)
            for code, (colour, _) in fills.items():
                pixels[cells == code] = _pixel(colour)
            canvas.image(pixels, plot.box)
        else:
            for code, (colour, hatch) in fills.items():
                canvas.shape(plot.pixels(areas[code]), colour, hatch=hatch)
            plot.draw_borders(cells, INK, 0.7 if min(plot.cell) >= _SMALL_CELL else 0.4)
        for code, action in shown.items() if has_letters else ():
            for row, column in np.argwhere(cells == code).tolist():
                _draw_letter(canvas, plot.cell_box(row, column).centre, action.letter)
        plot.draw_lines()
        sample = _draw_pixel if is_fine else partial(_draw_sample, has_letters=has_letters)
        entries = [(partial(sample, area=fills[code], letter=each.letter), each.name) for code, each in shown.items()]
        draw_legend(canvas, entries, plot.draw_axes())

    def describe(self, figure: PolicyMap) -> str:
        codes = floats(figure.grid.values).astype(int)
        counts = [(int((codes == code).sum()), action.name) for code, action in enumerate(figure.actions)]
        named = join_list(f"{name} in {plural(count, 'cell')}" for count, name in counts if count)
        return f"Map of the actions by {self.axis_ranges(figure)}: {named or 'no cell has an action'}."

    def columns(self, figure: PolicyMap) -> list[DataColumn]:
        columns = [
            *self.coordinate_columns(figure),
            DataColumn("action", _names(figure, cells_by_column(figure, figure.grid.values))),
        ]
        if figure.value is not None:
            values = cells_by_column(figure, figure.value.values)
            columns.append(DataColumn(figure.value_label, values, figure.percent, in_table=False))
        for name, cost in figure.costs.items():
            label = f"cost of {name}" + (f" ({figure.cost_unit})" if figure.cost_unit else "")
            columns.append(DataColumn(label, cells_by_column(figure, cost.values), in_table=False))
        return columns

    def layers(self, figure: PolicyMap) -> list[dict[str, Any]]:
        values = [] if figure.value is None else [self.value_layer(figure, flat(figure, figure.value.values))]
        codes = floats(flat(figure, figure.grid.values)).astype(int)
        names = [shown_text(action.name) for action in figure.actions]
        return [*values, {"names": names, "cells": codes.tolist()}]

    def numbers(self, figure: PolicyMap) -> Iterable[Any]:
        grids = (*figure.costs.values(), *([figure.value] if figure.value is not None else []))
        return [grid.values for grid in grids]

    def explored(self, figure: PolicyMap) -> dict[str, Any]:
        found = super().explored(figure)
        if figure.costs:
            costs = figure.costs.items()
            words = [
                {"name": shown_text(name), "words": _cost_words(flat(figure, cost.values))} for name, cost in costs
            ]
            found |= {"costs": words, "unit": shown_text(figure.cost_unit)}
        return found


def _action_errors(figure: PolicyMap) -> Iterator[str]:
    codes, count = floats(figure.grid.values), len(figure.actions)
    for code in np.unique(codes).tolist():
        if code not in range(-1, count):
            yield f"a cell has the action {code:g}; there are {count}, counted from 0, and -1 for none"


def _values_and_costs(figure: PolicyMap) -> Iterator[str]:
    names = [action.name for action in figure.actions]
    for what, grid in [("value", figure.value), *((f"costs of {name!r}", cost) for name, cost in figure.costs.items())]:
        if grid is not None and [*grid.axes.items()] != [*figure.grid.axes.items()]:
            yield f"its {what} must have the axes of its grid, in the same order"
    for name, grid in figure.costs.items():
        if name not in names:
            yield f"its costs name the action {name!r}; its actions are: {', '.join(names)}"
        for cost in floats(grid.values)[floats(grid.values) < 0][:1]:
            yield f"its costs of {name!r} are {cost:g} in a cell; a cost is what an action gives away, 0 or more"


def _names(figure: PolicyMap, codes: Sequence[Any]) -> list[str | None]:
    """The names of the actions of cells; none for a code below 0."""
    names = [spoken(action.name) for action in figure.actions]
    return [None if code < 0 else names[int(code)] for code in codes]


def _cost_words(costs: np.ndarray) -> list[str]:
    """The cost of an action with two decimals; empty where it costs nothing or cannot be taken."""
    least = f"less than {cell_text(_LEAST_COST, 2)}"
    values = floats(costs)
    cells = np.where((values > 0) & (values < _LEAST_COST), _LEAST_COST / 2, values.round(2)).tolist()
    texts = {cell: cell_text(cell, 2) if cell >= _LEAST_COST else least if cell > 0 else "" for cell in set(cells)}
    return [texts[cell] if math.isfinite(cell) else "" for cell in cells]


# Drawing


def _pixel(colour: Colour) -> tuple[int, ...]:
    return (*bytes.fromhex(colour.light[1:]), 255)


def _draw_pixel(canvas: "Canvas", box: Box, area: Fill, letter: str) -> None:
    """Draw a box of the legend as the image shows cells, whose colours are the same on dark pages."""
    canvas.image(np.array([[_pixel(area[0])]], dtype=np.uint8), box)


def _draw_sample(canvas: "Canvas", box: Box, area: Fill, letter: str, has_letters: bool) -> None:
    """Draw a box of the legend as the map shows areas."""
    canvas.box(box, area[0], AXIS, width=0.8, hatch=area[1])
    if has_letters:
        _draw_letter(canvas, box.centre, letter)


def _draw_letter(canvas: "Canvas", at: Point, letter: str) -> None:
    line = text_line(letter, bold=True)
    canvas.text(line, at[0], at[1] + MIDDLE * line.size, INK, "middle")


def _letters_fit(plot: GridPlot, letters: Sequence[str]) -> bool:
    """True when every cell is large enough for the letter of its action."""
    few = plot.figure.grid.values.size <= _MOST_LETTERS
    return few and plot.cell[1] >= _SMALLEST and plot.cell[0] >= max(widest(letters, bold=True) + 5, _SMALLEST)
