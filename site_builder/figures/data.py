"""The data of a figure as files: all of it as CSV and as JSON, and a table short enough for a page."""

import csv
import dataclasses
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from typing import Any, Literal

import numpy as np

from site_builder.contract import (
    Action,
    Bars,
    BarSeries,
    Curve,
    Diagram,
    Drawing,
    Figure,
    Frames,
    Grid,
    Heatmap,
    PolicyMap,
    Series,
    Table,
)
from site_builder.figures.cell_texts import column_texts, plain_cell
from site_builder.figures.intervals import names_of_intervals, with_intervals
from site_builder.figures.numbers import by_columns, floats, map_axes
from site_builder.figures.rendered import data_table
from site_builder.markup.typeset import spoken, written
from site_builder.values.number_format import ordinal, write

_MOST_CELLS = 200_000  # cells of a larger map are thinned in its files, which would take gigabytes
_LARGEST = 2**53  # larger whole numbers are strings in JSON: many readers would round them
_MOST_ROWS, _MOST_COLUMNS = 25, 12  # of an extract
_WHOLE_ROWS = 30  # so many are rather shown whole


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


def data_files(figure: Figure) -> dict[str, bytes]:
    """Return the data of a figure as "csv" and "json", and as "table" what a page shows of it (see `data_table`).

    Raises TypeError for a Table, which shows its data itself.
    """
    thinned, extract = _bounded(figure)
    columns = _columns_of(thinned)
    return {
        "csv": _csv(columns),
        "json": _json(figure, columns, extract),
        "table": _map_table(figure, extract) if isinstance(figure, (Heatmap, PolicyMap)) else _table(columns, extract),
    }


def table_csv(table: Table) -> bytes:
    """Return a table as CSV: numbers with all their digits, fractions also exactly, other cells as the page has them.

    Raises CuredError for a cell that cannot be written.
    """
    columns = [DataColumn(each.label, [_table_cell(cell, each.form) for cell in each.cells]) for each in table.columns]
    return _csv(_unique_labels([whole for column in columns for whole in _with_exact(column)]))


def _table_cell(cell: Any, form: str) -> Any:
    if isinstance(cell, str):
        return spoken(cell)
    plain = cell.item() if isinstance(cell, np.generic) else cell
    is_number = isinstance(plain, (int, float, Fraction, Decimal)) and not isinstance(plain, bool)
    return plain_cell(plain) if is_number or plain is None else str(written(cell, form))


def _bounded(figure: Figure, most: int = _MOST_CELLS) -> tuple[Figure, str]:
    """The figure with a large map thinned evenly, and what of the map that is, in words. most: cells of all steps."""
    if isinstance(figure, Frames):
        bounded = [(label, *_bounded(step, most // len(figure.frames))) for label, step in figure.frames]
        extracts = list(dict.fromkeys(extract for *_, extract in bounded if extract))
        thinned = tuple((label, step) for label, step, _ in bounded)
        return dataclasses.replace(figure, frames=thinned), "; ".join(extracts)
    if not isinstance(figure, (Heatmap, PolicyMap)) or figure.grid.values.size <= most:
        return figure, ""
    across, up = (len(figure.grid.axes[axis]) for axis in map_axes(figure))
    least = math.isqrt(most)
    columns, columns_extract = _thinned(across, "column", max(least, most // up))
    rows, rows_extract = _thinned(up, "row", max(least, most // across))
    return _map_subset(figure, columns, rows), ", ".join(filter(None, [rows_extract, columns_extract]))


def _decimal(value: Any) -> Any:
    """A cell with a Fraction replaced by a float, or by text where it is beyond the range of floats."""
    if not isinstance(value, Fraction):
        return value
    try:
        return float(value)
    except OverflowError:
        return f"{Decimal(value.numerator) / Decimal(value.denominator):.15e}"


def _csv(columns: Sequence[DataColumn]) -> bytes:
    """The columns as CSV by RFC 4180, with a header row; floats with all digits, None as an empty field."""

    def written(cell: Any) -> str:
        cell = _decimal(cell)
        return "" if cell is None else repr(cell) if isinstance(cell, float) else _exact_digits(cell)

    file = StringIO(newline="")
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow([column.label for column in columns])
    writer.writerows(zip(*([written(cell) for cell in column.cells] for column in columns), strict=True))
    return file.getvalue().encode()


def _json(figure: Figure, columns: Sequence[DataColumn], extract: str) -> bytes:
    """One JSON object with a line for each row. extract: what of a map the rows are, in words."""
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
    facts: dict[str, Any] = {"title": spoken(figure.title), "kind": _KINDS[type(figure)]}
    facts |= {"caption": spoken(figure.caption), "axes": _axis_facts(figure)}
    if extract:
        facts["extract"] = f"of the map, {extract}"
    for name in ("references", "lines", "marks"):
        if overlays := getattr(figure, name, ()):
            facts[name] = [{key: _json_value(value) for key, value in vars(overlay).items()} for overlay in overlays]
    if intervals := _intervals(figure):
        facts["intervals"] = intervals
    facts["columns"] = [_label_facts(column.label, column.percent) for column in columns]
    cells = [[_json_cell(cell) for cell in column.cells] for column in columns]
    rows = ",\n".join(encode(row) for row in zip(*cells, strict=True))
    head = "".join(f'"{name}":{encode(fact)},\n' for name, fact in facts.items())
    return f'{{{head}"rows":[\n{rows}\n]}}\n'.encode()


def _intervals(figure: Figure) -> list[str]:
    """The intervals whose ends are the columns "low" and "high", by name."""
    if isinstance(figure, Curve):
        return names_of_intervals(with_intervals(figure))
    return names_of_intervals(with_intervals(figure)) if isinstance(figure, Bars) else []


_KINDS = {
    Heatmap: "heatmap",
    PolicyMap: "policy map",
    Curve: "curve",
    Bars: "bars",
    Diagram: "diagram",
    Drawing: "drawing",
    Frames: "frames",
}


def _axis_facts(figure: Figure) -> dict[str, dict[str, Any]]:
    """The labels of the axes and of what colours, curves or bars show, with their units."""
    if isinstance(figure, (Heatmap, PolicyMap)):
        across, up = (figure.labels.get(axis, axis) for axis in map_axes(figure))
        axes = {"across": (across, False), "up": (up, False)}
        if isinstance(figure, Heatmap):
            axes["colour"] = (figure.value_label, figure.percent)
    elif isinstance(figure, Curve):
        axes = {"across": (figure.across_label, False), "up": (figure.up_label, figure.percent)}
    else:
        axes = {"value": (figure.value_label, figure.percent)} if isinstance(figure, Bars) else {}
    return {name: _label_facts(spoken(label), percent) for name, (label, percent) in axes.items()}


def _label_facts(label: str, percent: bool) -> dict[str, Any]:
    return {"label": label} | ({"percent": True} if percent else {})


def _json_value(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [_json_cell(plain_cell(each)) for each in value]
    if isinstance(value, str):
        return spoken(value)
    return value if isinstance(value, bool) else _json_cell(plain_cell(value))


def _json_cell(value: Any) -> Any:
    """A cell as JSON data: infinity and very large whole numbers as text."""
    value = _decimal(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    return _exact_digits(value) if isinstance(value, int) and abs(value) > _LARGEST else value


def _table(columns: Sequence[DataColumn], files_extract: str) -> bytes:
    candidates = [column for column in columns if column.in_table]
    rows, rows_extract = _thinned(len(candidates[0].cells), "row")
    indices, columns_extract = _thinned(len(candidates), "column")
    shown = [candidates[index] for index in indices]
    texts = [column_texts([column.cells[row] for row in rows], column.percent) for column in shown]
    heads = [(column.label, _is_numeric(column.cells)) for column in shown]
    body = list(zip(*texts, strict=True))
    return data_table(heads, body, rows_extract, columns_extract, files_extract=files_extract)


def _is_numeric(cells: Sequence[Any]) -> bool:
    return not any(isinstance(cell, str) for cell in cells)


def _map_table(figure: Heatmap | PolicyMap, files_extract: str) -> bytes:
    """The cells in the order of the map, the topmost row first; transposed where the map is wide and low."""
    axes = map_axes(figure)
    labels = [spoken(figure.labels.get(axis, axis)) for axis in axes]
    lengths = [len(figure.grid.axes[axis]) for axis in axes]
    is_transposed = lengths[0] > _MOST_COLUMNS >= lengths[1]
    kept_across, columns_extract = _thinned(lengths[is_transposed], "column")
    kept_up, rows_extract = _thinned(lengths[not is_transposed], "row")
    if not (is_transposed or figure.downward):
        kept_up = [lengths[1] - 1 - index for index in kept_up]
    small = _map_subset(figure, kept_up, kept_across) if is_transposed else _map_subset(figure, kept_across, kept_up)
    coordinates = [[plain_cell(c) for c in small.grid.axes[axis]] for axis in axes]
    rows = np.arange(small.grid.values.size).reshape(len(coordinates[0]), len(coordinates[1])).T
    if is_transposed:
        rows, labels, coordinates = rows.T, labels[::-1], coordinates[::-1]
    values = [column for column in _columns_of(small) if column.in_table][2:]
    texts = [_map_cells(column, rows.ravel().tolist(), figure.actions, len(values) > 1) for column in values]
    cells = [" ".join(filter(None, parts)) for parts in zip(*texts, strict=True)]
    heads = [(text, isinstance(figure, Heatmap)) for text in column_texts(coordinates[0])]
    row_labels = column_texts(coordinates[1])
    body = [(label, *cells[i * len(heads) : (i + 1) * len(heads)]) for i, label in enumerate(row_labels)]
    corner, letters = (labels[1], _is_numeric(coordinates[1])), _letters(figure.actions)
    return data_table([corner, *heads], body, rows_extract, columns_extract, labels[0], letters, files_extract)


def _map_cells(column: DataColumn, rows: Sequence[int], actions: Sequence[Action], beside: bool) -> list[str]:
    """Cells of a map as text: actions as letters if each has one, or if they stand beside a number (`beside`)."""
    cells = [column.cells[row] for row in rows]
    if not column.actions:
        return column_texts(cells, column.percent)
    letters = {spoken(action.name): action.letter for action in actions} if _letters(actions) or beside else {}
    return [letters.get(cell) or cell or "" for cell in cells]


def _letters(actions: Sequence[Action]) -> tuple[tuple[str, str], ...]:
    """The letters and names of the actions; none where an action has no letter."""
    if not all(action.letter for action in actions):
        return ()
    return tuple((action.letter, spoken(action.name)) for action in actions)


def _thinned(count: int, noun: Literal["row", "column"], most: int = 0) -> tuple[list[int], str]:
    """The indices of evenly spaced rows or columns, the first and last included; and which they are, in words.

    most: the largest number of them, by default that of a table on a page. The words are empty where all are kept.
    """
    whole = most or (_WHOLE_ROWS if noun == "row" else _MOST_COLUMNS)
    most = most or (_MOST_ROWS if noun == "row" else _MOST_COLUMNS)
    if count <= whole:
        return list(range(count)), ""
    least = -(-(count - 1) // (most - 1))
    even = next((step for step in range(least, 3 * least // 2 + 1) if (count - 1) % step == 0), 0)
    step = even or least
    extract = f"every {ordinal(step)} of {write(count, 'integer')} {noun}s"
    return [*range(0, count - 1, step), count - 1], extract if even else f"{extract} and the last"


def _map_subset(figure: Heatmap | PolicyMap, columns: Sequence[int], rows: Sequence[int]) -> Heatmap | PolicyMap:
    """The map with only these of its columns and rows."""
    grid = figure.grid
    indices = [columns if axis == figure.across else rows for axis in grid.axes]
    axes = {axis: [grid.axes[axis][i] for i in kept] for axis, kept in zip(grid.axes, indices, strict=True)}
    cells = np.ix_(*indices)
    layers = {name: getattr(figure, name, None) for name in ("drawn", "faded", "policy")}
    changed: dict[str, Any] = {name: np.asarray(values)[cells] for name, values in layers.items() if values is not None}
    if isinstance(figure, PolicyMap):
        changed["value"] = figure.value and Grid(figure.value.values[cells], axes)
        changed["costs"] = {name: Grid(cost.values[cells], axes) for name, cost in figure.costs.items()}
    return dataclasses.replace(figure, grid=Grid(grid.values[cells], axes), **changed)


def _columns_of(figure: Figure) -> tuple[DataColumn, ...]:
    """The data of a figure; exact values as decimals, with fractions in a column of their own."""
    if isinstance(figure, Frames):
        return _columns_of_frames(figure)
    makers: dict[type, Callable[[Any], list[DataColumn]]] = {
        Heatmap: _heatmap, PolicyMap: _policy_map, Curve: _curve, Bars: _bars, Diagram: _diagram,
        Drawing: _own_drawing
    }  # fmt: skip
    if type(figure) not in makers:
        raise TypeError(f"a {type(figure).__name__} shows its data itself")
    return tuple(_unique_labels([whole for column in makers[type(figure)](figure) for whole in _with_exact(column)]))


def _columns_of_frames(figure: Frames) -> tuple[DataColumn, ...]:
    """The data of all steps below each other, after a column with the label of each."""
    steps = [(spoken(label), _columns_of(step)) for label, step in figure.frames]
    lengths = [len(columns[0].cells) for _, columns in steps]
    first = {column.label: column for _, columns in reversed(steps) for column in columns}
    heads = dict.fromkeys(column.label for _, columns in steps for column in columns)
    of_steps = [{column.label: column.cells for column in columns} for _, columns in steps]
    made = [DataColumn("step", [label for (label, _), n in zip(steps, lengths, strict=True) for _ in range(n)])]
    for head in heads:
        parts = [own.get(head, [None] * n) for own, n in zip(of_steps, lengths, strict=True)]
        made.append(dataclasses.replace(first[head], cells=[cell for part in parts for cell in part]))
    return tuple(_unique_labels(made))


def _heatmap(figure: Heatmap) -> list[DataColumn]:
    values = figure.grid.values
    if figure.drawn is not None:
        values = values.astype(object)
        values[~np.asarray(figure.drawn, bool)] = None
    found = [*_coordinates(figure), DataColumn(figure.value_label, _cells(figure, values), figure.percent)]
    if figure.policy is not None:
        shown = np.where(np.isfinite(floats(values)), np.asarray(figure.policy), -1)
        found.append(_actions(_cells(figure, shown), figure.actions))
    if figure.faded is not None:
        pale = _cells(figure, np.asarray(figure.faded, bool).astype(int))
        found.append(DataColumn("drawn pale", pale, in_table=False))
    return found


def _policy_map(figure: PolicyMap) -> list[DataColumn]:
    columns = [*_coordinates(figure), _actions(_cells(figure, figure.grid.values), figure.actions)]
    if figure.value is not None:
        values = _cells(figure, figure.value.values)
        columns.append(DataColumn(figure.value_label, values, figure.percent, in_table=False))
    for name, cost in figure.costs.items():
        label = f"cost of {name}" + (f" ({figure.cost_unit})" if figure.cost_unit else "")
        columns.append(DataColumn(label, _cells(figure, cost.values), in_table=False))
    return columns


def _coordinates(figure: Heatmap | PolicyMap) -> list[DataColumn]:
    """The coordinates of each cell, column by column of the map."""
    across, up = map_axes(figure)
    grid: Grid = figure.grid
    places = [(a, u) for a in grid.axes[across] for u in grid.axes[up]]
    labels = [figure.labels.get(axis, axis) for axis in (across, up)]
    return [DataColumn(label, [plain_cell(place[i]) for place in places]) for i, label in enumerate(labels)]


def _cells(figure: Heatmap | PolicyMap, values: np.ndarray) -> list[Any]:
    return [plain_cell(value) for value in by_columns(figure, values).ravel().tolist()]


def _actions(codes: Sequence[Any], actions: Sequence[Action]) -> DataColumn:
    names = [spoken(action.name) for action in actions]
    cells = [None if code < 0 else names[int(code)] for code in codes]
    return DataColumn("action", cells, actions=True)


def _curve(figure: Curve) -> list[DataColumn]:
    """One column for each series over all coordinates; or one row for each point if a series repeats a coordinate.

    The ends of its intervals are in two more columns.
    """
    series = with_intervals(figure).series
    points = [[plain_cell(place) for place in one.across] for one in series]
    label = figure.across_label or "across"
    if any(len(set(one)) < len(one) for one in points):
        columns = [DataColumn(label, [place for one in points for place in one])]
        if len(points) > 1:
            columns.append(
                DataColumn("series", [one.name for one, places in zip(series, points, strict=True) for _ in places])
            )
        rows = [_with_ends(one, figure.up_label, one.up) for one in series]
        return [*columns, *_stacked(rows, figure.percent)]
    places = list(dict.fromkeys(place for one in points for place in one))
    if all(isinstance(place, (int, float, Fraction)) for place in places):
        places.sort()
    columns = [DataColumn(label, places)]
    for one, own in zip(series, points, strict=True):
        name = (one.name if len(points) > 1 else "") or figure.up_label or "value"
        for head, cells in _with_ends(one, name, one.up).items():
            at = dict(zip(own, cells, strict=True))
            columns.append(DataColumn(head, [at.get(place) for place in places], figure.percent))
    return columns


def _with_ends(series: Series | BarSeries, name: str, values: Any) -> dict[str, list[Any]]:
    """The values of a series, and the ends of its intervals, under the heads of their columns."""
    columns = {name: [plain_cell(value) for value in values]}
    for end in ("low", "high"):
        if getattr(series, end) is not None:
            columns[f"{name}, {end}"] = [plain_cell(value) for value in getattr(series, end)]
    return columns


def _stacked(parts: Sequence[dict[str, list[Any]]], percent: bool) -> list[DataColumn]:
    """Columns of several series below each other; None where one lacks a column that another has."""
    heads = list(dict.fromkeys(head for part in parts for head in part))
    lengths = [len(next(iter(part.values()))) for part in parts]
    return [
        DataColumn(
            head, [cell for part, n in zip(parts, lengths, strict=True) for cell in part.get(head, [None] * n)], percent
        )
        for head in heads
    ]


def _bars(figure: Bars) -> list[DataColumn]:
    columns = [DataColumn("bar", [spoken(name) for name in figure.categories])]
    for series in with_intervals(figure).series:
        name = (figure.value_label if len(figure.series) == 1 else series.name) or "value"
        columns += [
            DataColumn(head, cells, figure.percent) for head, cells in _with_ends(series, name, series.values).items()
        ]
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


def _own_drawing(figure: Drawing) -> list[DataColumn]:
    """One row for each number: its name, its coordinates as "axis = coordinate", and the number."""
    names, places, values = [], [], []
    for name, value in figure.data.items():
        if not isinstance(value, Grid):
            names.append(spoken(name))
            places.append("")
            values.append(plain_cell(value))
            continue
        for index, number in np.ndenumerate(value.values):
            at = zip(value.axes.items(), index, strict=True)
            names.append(spoken(name))
            places.append(", ".join(f"{axis} = {plain_cell(coordinates[i])}" for (axis, coordinates), i in at))
            values.append(plain_cell(number))
    columns = [DataColumn("data", names), DataColumn("of", [place or None for place in places])]
    return [*(columns if any(places) else columns[:1]), DataColumn("value", values)]


def _with_exact(column: DataColumn) -> list[DataColumn]:
    """The column with its label in plain text; if it has Fractions, also a column of them as text."""
    label = spoken(column.label)
    if not any(isinstance(cell, Fraction) for cell in column.cells):
        return [dataclasses.replace(column, label=label)]
    exact = [None if cell is None or isinstance(cell, float) else _exact_digits(cell) for cell in column.cells]
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


def _exact_digits(value: Any) -> str:
    """All digits of an exact value: Python's own conversion stops at 4,300 digits."""
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{Decimal(value.numerator):f}/{Decimal(value.denominator):f}"
    return f"{Decimal(int(value)):f}" if isinstance(value, (int, Fraction)) else str(value)
