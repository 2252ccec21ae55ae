"""The data of a figure as columns and rows: all of it as CSV and as JSON, and a table of a page's size."""

import csv
import dataclasses
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from typing import Any

import numpy as np

from site_builder.contract import Action, Bars, Curve, Diagram, Figure, Grid, Heatmap, PolicyMap
from site_builder.figures.alt_text import floats
from site_builder.figures.data_table import MOST_COLUMNS, thinned, write_column
from site_builder.figures.rendered import DataHead, DataTable
from site_builder.markup.typeset import spoken

_MOST_CELLS = 200_000  # of a map in its files: more are written as an extract, or they would take gigabytes
_LARGEST = 2**53  # whole numbers beyond it are text in JSON: many readers of JSON would round them


@dataclass(frozen=True, eq=False)
class Column:
    """A column of data. cells: numbers, words, or None where there is nothing; percent: shown as percentages.

    kept: whether it is what the figure itself shows, and so has a place in the table on the page. actions: whether its
    cells are names of actions.
    """

    label: str
    cells: Sequence[Any]
    percent: bool = False
    kept: bool = True
    actions: bool = False


def data_files(figure: Figure) -> dict[str, bytes]:
    """The data of a figure as "csv" and "json", and as "table" what a page shows of it (see `DataTable`)."""
    extract, told = _bounded(figure)
    columns = columns_of(extract)
    table = dataclasses.replace(_table(figure, columns), files_told=told)
    return {"csv": _csv(columns), "json": _json(figure, columns, told), "table": table.packed()}


def _bounded(figure: Figure) -> tuple[Figure, str]:
    """The figure as its files have it, a large map thinned evenly; and of what that is an extract, in words."""
    if not isinstance(figure, (Heatmap, PolicyMap)) or figure.grid.values.size <= _MOST_CELLS:
        return figure, ""
    across, up = (len(figure.grid.axes[axis]) for axis in _axes(figure))
    least = math.isqrt(_MOST_CELLS)
    columns, columns_told = thinned(across, "column", max(least, _MOST_CELLS // up))
    rows, rows_told = thinned(up, "row", max(least, _MOST_CELLS // across))
    return _picked(figure, columns, rows), ", ".join(filter(None, [rows_told, columns_told]))


def _picked(figure: Heatmap | PolicyMap, columns: Sequence[int], rows: Sequence[int]) -> Heatmap | PolicyMap:
    """The map with these of its columns and rows alone."""
    grid = figure.grid
    places = [columns if axis == figure.across else rows for axis in grid.axes]
    axes = {axis: [grid.axes[axis][i] for i in kept] for axis, kept in zip(grid.axes, places, strict=True)}
    cells = np.ix_(*places)
    over = {name: getattr(figure, name, None) for name in ("drawn", "faded", "policy")}
    picked = {name: np.asarray(values)[cells] for name, values in over.items() if values is not None}
    return dataclasses.replace(figure, grid=Grid(grid.values[cells], axes), **picked)  # type: ignore[arg-type]


def columns_of(figure: Figure) -> tuple[Column, ...]:
    """All that a figure shows, exact values as decimals and as fractions beside them. Raises TypeError for a Table."""
    makers: dict[type, Callable[[Any], list[Column]]] = {
        Heatmap: _heatmap, PolicyMap: _policy_map, Curve: _curve, Bars: _bars, Diagram: _diagram
    }  # fmt: skip
    if type(figure) not in makers:
        raise TypeError(f"a {type(figure).__name__} shows its data itself")
    return tuple(_named_apart([whole for column in makers[type(figure)](figure) for whole in _with_exact(column)]))


def _heatmap(figure: Heatmap) -> list[Column]:
    across, up = _axes(figure)
    values = figure.grid.values
    if figure.drawn is not None:
        values = values.astype(object)
        values[~np.asarray(figure.drawn, bool)] = None
    found = [*_coordinates(figure), Column(figure.value_label, _cells(figure, values, across, up), figure.percent)]
    if figure.policy is not None:
        shown = np.where(np.isfinite(floats(values)), np.asarray(figure.policy), -1)
        found.append(_actions(_cells(figure, shown, across, up), figure.actions))
    if figure.faded is not None:
        pale = _cells(figure, np.asarray(figure.faded, bool).astype(int), across, up)
        found.append(Column("drawn pale", pale, kept=False))
    return found


def _policy_map(figure: PolicyMap) -> list[Column]:
    codes = _cells(figure, figure.grid.values, *_axes(figure))
    return [*_coordinates(figure), _actions(codes, figure.actions)]


def _axes(figure: Heatmap | PolicyMap) -> tuple[str, str]:
    """The names of the axes, the one across first."""
    return figure.across, next(axis for axis in figure.grid.axes if axis != figure.across)


def _coordinates(figure: Heatmap | PolicyMap) -> list[Column]:
    """One row for each cell: all the cells of a column of the map, then those of the next."""
    across, up = _axes(figure)
    grid: Grid = figure.grid
    places = [(a, u) for a in grid.axes[across] for u in grid.axes[up]]
    labels = [figure.labels.get(axis, axis) for axis in (across, up)]
    return [Column(label, [_plain(place[i]) for place in places]) for i, label in enumerate(labels)]


def _cells(figure: Heatmap | PolicyMap, values: np.ndarray, across: str, up: str) -> list[Any]:
    turned = list(figure.grid.axes) == [up, across]
    return [_plain(value) for value in (values.T if turned else values).ravel().tolist()]


def _actions(codes: Sequence[Any], actions: Sequence[Action]) -> Column:
    names = [spoken(action.name) for action in actions]
    return Column("action", [None if code is None or code < 0 else names[int(code)] for code in codes], actions=True)


def _curve(figure: Curve) -> list[Column]:
    """One column for each series over the places of all of them; one row for each point where a place comes twice."""
    points = [[(_plain(a), _plain(u)) for a, u in zip(one.across, one.up, strict=True)] for one in figure.series]
    label = figure.across_label or "across"
    if any(len({place for place, _ in one}) < len(one) for one in points):
        every = [
            (place, series.name, up) for series, one in zip(figure.series, points, strict=True) for place, up in one
        ]
        names = Column("series", [name for _, name, _ in every])
        return [
            Column(label, [place for place, _, _ in every]),
            *([names] if len(points) > 1 else []),
            Column(figure.up_label, [up for _, _, up in every], figure.percent),
        ]
    places = list(dict.fromkeys(place for one in points for place, _ in one))
    if all(isinstance(place, (int, float, Fraction)) for place in places):
        places.sort()
    known = [dict(one) for one in points]
    names_of = [(one.name if len(points) > 1 else "") or figure.up_label or "value" for one in figure.series]
    series = [
        Column(name, [of.get(p) for p in places], figure.percent) for name, of in zip(names_of, known, strict=True)
    ]
    return [Column(label, places), *series]


def _bars(figure: Bars) -> list[Column]:
    alone = len(figure.series) == 1
    values = [
        Column((figure.value_label if alone else one.name) or "value", [_plain(v) for v in one.values], figure.percent)
        for one in figure.series
    ]
    return [Column("bar", [spoken(name) for name in figure.categories]), *values]


def _diagram(figure: Diagram) -> list[Column]:
    """One row for each move, and one for each state that none leaves."""
    nodes = {node.name: node for node in figure.nodes}
    labels = {name: spoken(node.label or name) for name, node in nodes.items()}
    rows = []
    for name, node in nodes.items():
        moves = [(labels[edge.end], spoken(edge.label)) for edge in figure.edges if edge.start == name]
        rows += [(labels[name], spoken(figure.kinds[node.kind]), *move) for move in moves or [("", "")]]
    heads = ("state", "kind", "leads to", "by")
    return [Column(head, [row[i] or None for row in rows]) for i, head in enumerate(heads)]


def _plain(value: Any) -> Any:
    """A cell: an int, a float, a Fraction or words; None for NaN and for nothing."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, Decimal):
        return Fraction(value) if value.is_finite() else float(value)
    return None if isinstance(value, float) and math.isnan(value) else value


def _with_exact(column: Column) -> list[Column]:
    """The column, its label in plain words; of Fractions the decimals, and beside them the Fractions as written."""
    label = spoken(column.label)
    if not any(isinstance(cell, Fraction) for cell in column.cells):
        return [dataclasses.replace(column, label=label)]
    exact = [None if cell is None or isinstance(cell, float) else _digits(cell) for cell in column.cells]
    return [dataclasses.replace(column, label=label), Column(f"{label}, exact", exact, kept=False)]


def _named_apart(columns: Sequence[Column]) -> list[Column]:
    """The columns, those without a name or with one that another has before with a number."""
    taken: set[str] = set()
    named = []
    for column in columns:
        label, number = column.label or "value", 2
        while label in taken:
            label, number = f"{column.label or 'value'} ({number})", number + 1
        taken.add(label)
        named.append(dataclasses.replace(column, label=label))
    return named


def _digits(value: Any) -> str:
    """An exact value as it is, whatever its length: Python itself writes no more than 4,300 digits."""
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{Decimal(value.numerator):f}/{Decimal(value.denominator):f}"
    return f"{Decimal(int(value)):f}" if isinstance(value, (int, Fraction)) else str(value)


def _decimal(value: Any) -> Any:
    """A cell with a float for a Fraction; text where no float can hold it."""
    if not isinstance(value, Fraction):
        return value
    try:
        return float(value)
    except OverflowError:
        return f"{Decimal(value.numerator) / Decimal(value.denominator):.15e}"


def _csv(columns: Sequence[Column]) -> bytes:
    """RFC 4180: a row of heads, lines that end in CRLF; floats with all of their digits, nothing where nothing is."""

    def written(cell: Any) -> str:
        cell = _decimal(cell)
        return "" if cell is None else repr(cell) if isinstance(cell, float) else _digits(cell)

    file = StringIO(newline="")
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow([column.label for column in columns])
    writer.writerows(zip(*([written(cell) for cell in column.cells] for column in columns), strict=True))
    return file.getvalue().encode()


def _json(figure: Figure, columns: Sequence[Column], told: str) -> bytes:
    """One object, its rows a line each. told: of what of a map they are an extract."""
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
    facts: dict[str, Any] = {"title": spoken(figure.title), "kind": _KINDS[type(figure)]}
    facts |= {"caption": spoken(figure.caption), "axes": _told_axes(figure)}
    if told:
        facts["extract"] = f"of the map, {told}"
    for name in ("references", "lines", "marks"):
        if over := getattr(figure, name, ()):
            facts[name] = [_told(part) for part in over]
    facts["columns"] = [{"label": column.label} | ({"percent": True} if column.percent else {}) for column in columns]
    cells = [[_json_cell(cell) for cell in column.cells] for column in columns]
    rows = ",\n".join(encode(row) for row in zip(*cells, strict=True))
    head = "".join(f'"{name}":{encode(fact)},\n' for name, fact in facts.items())
    return f'{{{head}"rows":[\n{rows}\n]}}\n'.encode()


_KINDS = {Heatmap: "heatmap", PolicyMap: "policy map", Curve: "curve", Bars: "bars", Diagram: "diagram"}


def _told_axes(figure: Figure) -> dict[str, dict[str, Any]]:
    """What the axes count, with their units, and what the colours, curves or bars show."""
    if isinstance(figure, (Heatmap, PolicyMap)):
        across, up = (figure.labels.get(axis, axis) for axis in _axes(figure))
        told = {"across": (across, False), "up": (up, False)}
        if isinstance(figure, Heatmap):
            told["colour"] = (figure.value_label, figure.percent)
    elif isinstance(figure, Curve):
        told = {"across": (figure.across_label, False), "up": (figure.up_label, figure.percent)}
    else:
        told = {"value": (figure.value_label, figure.percent)} if isinstance(figure, Bars) else {}
    return {
        name: {"label": spoken(label)} | ({"percent": True} if percent else {})
        for name, (label, percent) in told.items()
    }


def _told(part: Any) -> dict[str, Any]:
    """A line, a mark or a reference as plain data."""
    fields = {field.name: getattr(part, field.name) for field in dataclasses.fields(part)}
    return {
        name: [_json_cell(_plain(each)) for each in value]
        if isinstance(value, (tuple, list))
        else spoken(value)
        if isinstance(value, str)
        else value
        if isinstance(value, bool)
        else _json_cell(_plain(value))
        for name, value in fields.items()
    }


def _json_cell(value: Any) -> Any:
    """A cell as JSON can hold it: infinity and very large whole numbers are text."""
    value = _decimal(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    return _digits(value) if isinstance(value, int) and abs(value) > _LARGEST else value


def _table(figure: Figure, columns: Sequence[Column]) -> DataTable:
    if isinstance(figure, (Heatmap, PolicyMap)):
        return _map_table(figure)
    shown = [column for column in columns if column.kept]
    rows, told_rows = thinned(len(shown[0].cells), "row")
    places, told_columns = thinned(len(shown), "column")
    kept = [shown[place] for place in places]
    written = [write_column([column.cells[row] for row in rows], column.percent) for column in kept]
    heads = tuple(DataHead(column.label, _is_numeric(column.cells)) for column in kept)
    return DataTable(heads, tuple(zip(*written, strict=True)), told_rows, told_columns)


def _is_numeric(cells: Sequence[Any]) -> bool:
    return not any(isinstance(cell, str) for cell in cells)


def _map_table(figure: Heatmap | PolicyMap) -> DataTable:
    """The cells as they lie on the map, the topmost row first; turned where the map is broad and low."""
    across, up = _axes(figure)
    labels = [spoken(figure.labels.get(axis, axis)) for axis in (across, up)]
    lengths = [len(figure.grid.axes[axis]) for axis in (across, up)]
    is_turned = lengths[0] > MOST_COLUMNS >= lengths[1]
    kept_across, told_columns = thinned(lengths[is_turned], "column")
    kept_up, told_rows = thinned(lengths[not is_turned], "row")
    if not (is_turned or figure.downward):
        kept_up = [lengths[1] - 1 - place for place in kept_up]
    small = _picked(figure, kept_up, kept_across) if is_turned else _picked(figure, kept_across, kept_up)
    places = [[_plain(c) for c in small.grid.axes[axis]] for axis in (across, up)]
    rows = np.arange(small.grid.values.size).reshape(len(places[0]), len(places[1])).T
    if is_turned:
        rows, labels, places = rows.T, labels[::-1], places[::-1]
    values = [column for column in columns_of(small) if column.kept][2:]
    written = [_map_cells(column, rows.ravel().tolist(), figure.actions, len(values) > 1) for column in values]
    cells = [" ".join(filter(None, parts)) for parts in zip(*written, strict=True)]
    heads = [DataHead(text, isinstance(figure, Heatmap)) for text in write_column(places[0])]
    firsts = write_column(places[1])
    body = [(first, *cells[i * len(heads) : (i + 1) * len(heads)]) for i, first in enumerate(firsts)]
    corner = DataHead(labels[1], _is_numeric(places[1]))
    return DataTable((corner, *heads), tuple(body), told_rows, told_columns, labels[0], _letters(figure.actions))


def _map_cells(column: Column, rows: Sequence[int], actions: Sequence[Action], beside: bool) -> list[str]:
    """Cells of a map as they are written; actions by their letters where each has one, or beside a number."""
    cells = [column.cells[row] for row in rows]
    if not column.actions:
        return write_column(cells, column.percent)
    letters = {spoken(action.name): action.letter for action in actions} if _letters(actions) or beside else {}
    return [letters.get(cell) or cell or "" for cell in cells]


def _letters(actions: Sequence[Action]) -> tuple[tuple[str, str], ...]:
    """The letters of the actions and what they stand for; none where an action has none."""
    if not all(action.letter for action in actions):
        return ()
    return tuple((action.letter, spoken(action.name)) for action in actions)
