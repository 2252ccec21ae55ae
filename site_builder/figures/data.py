"""The data of a figure as files: all of it as CSV and as JSON, and a table short enough for a page."""

import csv
import dataclasses
import json
import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from typing import Any, Literal

import numpy as np

from site_builder.contract import Action, Bars, Curve, Diagram, Figure, Heatmap, Line, Mark, PolicyMap, Reference
from site_builder.figures.data_columns import DataColumn, columns_of, exact_digits, map_axes, map_subset, plain
from site_builder.figures.numbers import exact, short_number
from site_builder.figures.rendered import ColumnHead, DataTable
from site_builder.markup.typeset import spoken
from site_builder.values.number_format import THIN, ordinal, write

_MOST_CELLS = 200_000  # cells of a larger map are thinned in its files, which would take gigabytes
_LARGEST = 2**53  # larger whole numbers are strings in JSON: many readers would round them
_MOST_ROWS, _MOST_COLUMNS = 25, 12  # of an extract
_WHOLE_ROWS = 30  # so many are rather shown whole
_MOST_DECIMALS = 4


def data_files(figure: Figure) -> dict[str, bytes]:
    """Return the data of a figure as "csv" and "json", and as "table" what a page shows of it (see `DataTable`).

    Raises TypeError for a Table, which shows its data itself.
    """
    thinned, extract = _bounded(figure)
    columns = columns_of(thinned)
    table = dataclasses.replace(_table(figure, columns), files_extract=extract)
    return {"csv": _csv(columns), "json": _json(figure, columns, extract), "table": table.packed()}


def _bounded(figure: Figure) -> tuple[Figure, str]:
    """The figure with a large map thinned evenly, and what of the map that is, in words."""
    if not isinstance(figure, (Heatmap, PolicyMap)) or figure.grid.values.size <= _MOST_CELLS:
        return figure, ""
    across, up = (len(figure.grid.axes[axis]) for axis in map_axes(figure))
    least = math.isqrt(_MOST_CELLS)
    columns, columns_extract = _thinned(across, "column", max(least, _MOST_CELLS // up))
    rows, rows_extract = _thinned(up, "row", max(least, _MOST_CELLS // across))
    return map_subset(figure, columns, rows), ", ".join(filter(None, [rows_extract, columns_extract]))


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
        return "" if cell is None else repr(cell) if isinstance(cell, float) else exact_digits(cell)

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
            facts[name] = [_overlay_facts(overlay) for overlay in overlays]
    facts["columns"] = [{"label": column.label} | ({"percent": True} if column.percent else {}) for column in columns]
    cells = [[_json_cell(cell) for cell in column.cells] for column in columns]
    rows = ",\n".join(encode(row) for row in zip(*cells, strict=True))
    head = "".join(f'"{name}":{encode(fact)},\n' for name, fact in facts.items())
    return f'{{{head}"rows":[\n{rows}\n]}}\n'.encode()


_KINDS = {Heatmap: "heatmap", PolicyMap: "policy map", Curve: "curve", Bars: "bars", Diagram: "diagram"}


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
    return {
        name: {"label": spoken(label)} | ({"percent": True} if percent else {})
        for name, (label, percent) in axes.items()
    }


def _overlay_facts(overlay: Line | Mark | Reference) -> dict[str, Any]:
    """A line, a mark or a reference as JSON data."""
    return {field.name: _json_value(getattr(overlay, field.name)) for field in dataclasses.fields(overlay)}


def _json_value(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [_json_cell(plain(each)) for each in value]
    if isinstance(value, str):
        return spoken(value)
    return value if isinstance(value, bool) else _json_cell(plain(value))


def _json_cell(value: Any) -> Any:
    """A cell as JSON data: infinity and very large whole numbers as text."""
    value = _decimal(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    return exact_digits(value) if isinstance(value, int) and abs(value) > _LARGEST else value


def _table(figure: Figure, columns: Sequence[DataColumn]) -> DataTable:
    if isinstance(figure, (Heatmap, PolicyMap)):
        return _map_table(figure)
    candidates = [column for column in columns if column.in_table]
    rows, rows_extract = _thinned(len(candidates[0].cells), "row")
    indices, columns_extract = _thinned(len(candidates), "column")
    shown = [candidates[index] for index in indices]
    texts = [_column_texts([column.cells[row] for row in rows], column.percent) for column in shown]
    heads = tuple(ColumnHead(column.label, _is_numeric(column.cells)) for column in shown)
    return DataTable(heads, tuple(zip(*texts, strict=True)), rows_extract, columns_extract)


def _is_numeric(cells: Sequence[Any]) -> bool:
    return not any(isinstance(cell, str) for cell in cells)


def _map_table(figure: Heatmap | PolicyMap) -> DataTable:
    """The cells in the order of the map, the topmost row first; transposed where the map is wide and low."""
    across, up = map_axes(figure)
    labels = [spoken(figure.labels.get(axis, axis)) for axis in (across, up)]
    lengths = [len(figure.grid.axes[axis]) for axis in (across, up)]
    is_transposed = lengths[0] > _MOST_COLUMNS >= lengths[1]
    kept_across, columns_extract = _thinned(lengths[is_transposed], "column")
    kept_up, rows_extract = _thinned(lengths[not is_transposed], "row")
    if not (is_transposed or figure.downward):
        kept_up = [lengths[1] - 1 - index for index in kept_up]
    small = map_subset(figure, kept_up, kept_across) if is_transposed else map_subset(figure, kept_across, kept_up)
    coordinates = [[plain(c) for c in small.grid.axes[axis]] for axis in (across, up)]
    rows = np.arange(small.grid.values.size).reshape(len(coordinates[0]), len(coordinates[1])).T
    if is_transposed:
        rows, labels, coordinates = rows.T, labels[::-1], coordinates[::-1]
    values = [column for column in columns_of(small) if column.in_table][2:]
    texts = [_map_cells(column, rows.ravel().tolist(), figure.actions, len(values) > 1) for column in values]
    cells = [" ".join(filter(None, parts)) for parts in zip(*texts, strict=True)]
    heads = [ColumnHead(text, isinstance(figure, Heatmap)) for text in _column_texts(coordinates[0])]
    row_labels = _column_texts(coordinates[1])
    body = [(label, *cells[i * len(heads) : (i + 1) * len(heads)]) for i, label in enumerate(row_labels)]
    corner = ColumnHead(labels[1], _is_numeric(coordinates[1]))
    return DataTable((corner, *heads), tuple(body), rows_extract, columns_extract, labels[0], _letters(figure.actions))


def _map_cells(column: DataColumn, rows: Sequence[int], actions: Sequence[Action], beside: bool) -> list[str]:
    """Cells of a map as text: actions as letters if each has one, or if they stand beside a number (`beside`)."""
    cells = [column.cells[row] for row in rows]
    if not column.actions:
        return _column_texts(cells, column.percent)
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


def _column_texts(cells: Sequence[Any], percent: bool = False) -> list[str]:
    """The cells of a column as text: all numbers with the same decimals, words unchanged, None as empty text."""
    numbers = [exact(cell) for cell in cells if _is_number(cell)]
    decimals = _decimals([100 * each for each in numbers], 2, 2) if percent else _decimals(numbers, _MOST_DECIMALS)
    return [_cell_text(cell, decimals, percent) for cell in cells]


def _cell_text(cell: Any, decimals: int, percent: bool) -> str:
    if cell is None or isinstance(cell, str):
        return cell or ""
    if not _is_number(cell):
        return short_number(cell)
    value = exact(cell)
    if percent:
        return _percent(100 * value, decimals)
    shown = round(value, decimals)
    if (value and not shown) or abs(value) >= 10**12:
        return short_number(value)
    return write(shown, f"number({decimals})")


def _percent(value: Fraction, decimals: int) -> str:
    """A percentage; one above 0 is never shown as 0, and one below 100 never as 100."""
    shown, least = round(value, decimals), Fraction(1, 10**decimals)
    sign = ""
    if 0 < value < 1 and not shown:
        sign, shown = "< ", least
    elif 99 < value < 100 == shown:
        sign, shown = "> ", 100 - least
    return f"{sign}{write(shown, f'number({decimals})')}{THIN}%"


def _is_number(cell: Any) -> bool:
    return isinstance(cell, (int, Fraction)) or (isinstance(cell, float) and abs(cell) != float("inf"))


def _decimals(values: Sequence[Fraction], most: int, fewest: int = 0) -> int:
    """The fewest decimals that show each number exactly, or else as many as the largest one needs."""
    if (short := next((d for d in range(most) if all((v * 10**d).denominator == 1 for v in values)), None)) is not None:
        return short
    largest = max(abs(value) for value in values)
    return next((d for d in range(fewest, most) if largest >= 10 ** (most - d)), most)
