"""The rules, data and words that heatmaps and policy maps share: both show the cells of a grid."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from site_builder.contract import Heatmap, PolicyMap
from site_builder.figures.columns import MOST_COLUMNS, MOST_ROWS, DataColumn, is_numeric
from site_builder.figures.kinds.kind import MOST_EXPLORED, Kind, format_errors
from site_builder.figures.rendered import data_table
from site_builder.figures.series import has_estimates
from site_builder.figures.words import (
    axis_name,
    column_texts,
    label_and_unit,
    plain_cell,
    short_number,
    shown_text,
)
from site_builder.markup.typeset import spoken

_MANY_CELLS = 1_000  # a map with more of them has percentages with one decimal
GridMap = TypeVar("GridMap", bound=Heatmap | PolicyMap)


class GridMapKind(Kind[GridMap]):
    """The common part of heatmaps and policy maps."""

    def errors(self, figure: GridMap) -> Iterator[str]:
        axes, shape = figure.grid.axes, figure.grid.values.shape
        if len(axes) != 2:
            yield f"its grid has {len(axes)} axes; a map has two"
        if figure.across not in axes:
            yield f"its grid has no axis {figure.across!r}; it has: {', '.join(axes)}"
        for name in ("drawn", "faded"):
            layer = getattr(figure, name, None)
            if layer is not None and np.shape(layer) != shape:
                yield f"its {name} has the shape {np.shape(layer)}, its grid {shape}"
        if has_estimates(figure.grid.values.ravel()):
            yield "its grid holds Estimates, whose errors no map shows; show them in a curve, bars or a table"
        yield from format_errors(getattr(figure, "cell_text", ""))

    def size(self, figure: GridMap) -> int:
        return max(figure.grid.values.size, 1)

    def axis_names(self, figure: GridMap) -> tuple[str, ...]:
        is_readable = 0 < figure.grid.values.size <= MOST_EXPLORED
        return tuple(map(axis_name, axis_labels(figure))) if is_readable else ()

    def table(self, figure: GridMap, columns: Sequence[DataColumn]) -> bytes:
        """The cells in the order of the map, the topmost row first."""
        across, up = ([plain_cell(c) for c in figure.grid.axes[axis]] for axis in map_axes(figure))
        if len(across) >= MOST_COLUMNS or len(up) > MOST_ROWS:
            return data_table()
        labels = [spoken(label) for label in axis_labels(figure)]
        cells = self.cell_texts(figure, [column for column in columns if column.in_table][2])
        heads = [(labels[1], is_numeric(up)), *((text, isinstance(figure, Heatmap)) for text in column_texts(across))]
        body = [(label, *cells[row :: len(up)]) for row, label in enumerate(column_texts(up))]
        return data_table(heads, body if figure.downward else body[::-1], labels[0], self.letters(figure))

    def cell_texts(self, figure: GridMap, column: DataColumn) -> list[str]:
        """Return the cells of the column that the map shows as text."""
        return column_texts(column.cells, column.percent)

    def letters(self, figure: GridMap) -> tuple[tuple[str, str], ...]:
        """Return the letters in the table on a page, each with what it means."""
        return ()

    def explored(self, figure: GridMap) -> dict[str, Any]:
        coordinates = [[plain_cell(each) for each in figure.grid.axes[name]] for name in map_axes(figure)]
        axes = [{"words": [shown_text(text) for text in column_texts(each)]} for each in coordinates]
        return {"down": figure.downward, "axes": axes, "layers": self.layers(figure)} | self.costs(figure)

    @abstractmethod
    def layers(self, figure: GridMap) -> list[dict[str, Any]]:
        """Return what readers can read of each cell, see `explore_script`."""

    def costs(self, figure: GridMap) -> dict[str, Any]:
        """Return what each action costs in each cell, see `explore_script`."""
        return {}

    def coordinate_columns(self, figure: GridMap) -> list[DataColumn]:
        """The coordinates of each cell, column by column of the map."""
        across, up = map_axes(figure)
        places = [(a, u) for a in figure.grid.axes[across] for u in figure.grid.axes[up]]
        return [
            DataColumn(label, [plain_cell(place[i]) for place in places]) for i, label in enumerate(axis_labels(figure))
        ]

    def axis_ranges(self, figure: GridMap) -> str:
        """The labels of both axes with their units and ranges, in words."""
        phrases = []
        for axis, full in zip(map_axes(figure), axis_labels(figure), strict=True):
            label, unit = label_and_unit(full)
            phrases.append(f"{label} ({unit}{', ' if unit else ''}{_range(figure.grid.axes[axis])})")
        return " and ".join(phrases)

    def value_layer(self, figure: GridMap, values: np.ndarray) -> dict[str, Any]:
        """The values of cells as a layer; of a large map percentages with one decimal, of which there are few."""
        label, most = axis_name(figure.value_label) or "value", 4
        if figure.percent and len(values) > _MANY_CELLS and values.dtype.kind == "f":
            values, most = np.clip(values.round(3), (values > 0) * 1e-4, 1 - (values < 1) * 1e-4), 1
        return {"label": label, "words": column_texts([*map(plain_cell, values.tolist())], figure.percent, most)}


def map_axes(figure: Heatmap | PolicyMap) -> tuple[str, str]:
    """Return the names of the axes, the horizontal one first."""
    return figure.across, next(axis for axis in figure.grid.axes if axis != figure.across)


def axis_labels(figure: Heatmap | PolicyMap) -> tuple[str, str]:
    """Return the labels of the axes, the horizontal one first."""
    across, up = map_axes(figure)
    return figure.labels.get(across, across), figure.labels.get(up, up)


def by_columns(figure: Heatmap | PolicyMap, values: np.ndarray) -> np.ndarray:
    """Return values (shape of the figure's grid) with the horizontal axis first."""
    return values if next(iter(figure.grid.axes)) == figure.across else values.T


def flat(figure: Heatmap | PolicyMap, values: Any) -> np.ndarray:
    """The cells of an array of the shape of the grid, column by column of the map, as one row."""
    return by_columns(figure, np.asarray(values)).ravel()


def cells_by_column(figure: Heatmap | PolicyMap, values: np.ndarray) -> list[Any]:
    """The same, each as a cell of data."""
    return [plain_cell(value) for value in flat(figure, values).tolist()]


def _range(coordinates: Sequence[Any]) -> str:
    if not coordinates:
        return "none"
    first, last = short_number(coordinates[0]), short_number(coordinates[-1])
    return first if len(coordinates) == 1 else f"{first} to {last}"
