"""The data of a figure as columns, and which of them are shown where there are many."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from site_builder.figures.numbers import column_texts
from site_builder.figures.rendered import data_table
from site_builder.markup.typeset import spoken
from site_builder.values.number_format import ordinal, write

MOST_COLUMNS = 12  # of an extract
_MOST_ROWS = 25
_WHOLE_ROWS = 30  # so many are rather shown whole


@dataclass(frozen=True, eq=False)
class DataColumn:
    """A column of data. cells: numbers, words, or None where there is none; percent: shown as percentages.

    in_table: whether the figure itself shows it, so that the table on the page does.
    """

    label: str
    cells: Sequence[Any]
    percent: bool = False
    in_table: bool = True


def with_exact(column: DataColumn) -> list[DataColumn]:
    """The column with its label in plain text; if it has Fractions, also a column of them as text."""
    label = spoken(column.label)
    if not any(isinstance(cell, Fraction) for cell in column.cells):
        return [dataclasses.replace(column, label=label)]
    exact = [None if cell is None or isinstance(cell, float) else exact_digits(cell) for cell in column.cells]
    return [dataclasses.replace(column, label=label), DataColumn(f"{label}, exact", exact, in_table=False)]


def unique_labels(columns: Sequence[DataColumn]) -> list[DataColumn]:
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
    """All digits of an exact value: Python's own conversion stops at 4,300 digits."""
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{Decimal(value.numerator):f}/{Decimal(value.denominator):f}"
    return f"{Decimal(int(value)):f}" if isinstance(value, (int, Fraction)) else str(value)


def stacked(parts: Sequence[Sequence[DataColumn]]) -> list[DataColumn]:
    """Columns of several parts below each other; None where one lacks a column that another has."""
    first = {column.label: column for part in reversed(parts) for column in part}
    heads = dict.fromkeys(column.label for part in parts for column in part)
    own = [({column.label: column.cells for column in part}, [None] * len(part[0].cells)) for part in parts]
    return [
        dataclasses.replace(first[head], cells=[cell for cells, none in own for cell in cells.get(head, none)])
        for head in heads
    ]


def thinned_indices(count: int, noun: Literal["row", "column"], most: int = 0) -> tuple[list[int], str]:
    """The indices of evenly spaced rows or columns, the first and last included; and which they are, in words.

    most: the largest number of them, by default that of a table on a page. The words are empty where all are kept.
    """
    whole = most or (_WHOLE_ROWS if noun == "row" else MOST_COLUMNS)
    most = most or (_MOST_ROWS if noun == "row" else MOST_COLUMNS)
    if count <= whole:
        return list(range(count)), ""
    least = -(-(count - 1) // (most - 1))
    even = next((step for step in range(least, 3 * least // 2 + 1) if (count - 1) % step == 0), 0)
    step = even or least
    extract = f"every {ordinal(step)} of {write(count, 'integer')} {noun}s"
    return [*range(0, count - 1, step), count - 1], extract if even else f"{extract} and the last"


def short_table(columns: Sequence[DataColumn], files_extract: str) -> bytes:
    candidates = [column for column in columns if column.in_table]
    rows, rows_extract = thinned_indices(len(candidates[0].cells), "row")
    indices, columns_extract = thinned_indices(len(candidates), "column")
    shown = [candidates[index] for index in indices]
    texts = [column_texts([column.cells[row] for row in rows], column.percent) for column in shown]
    heads = [(column.label, is_numeric(column.cells)) for column in shown]
    body = list(zip(*texts, strict=True))
    return data_table(heads, body, rows_extract, columns_extract, files_extract=files_extract)


def is_numeric(cells: Sequence[Any]) -> bool:
    return not any(isinstance(cell, str) for cell in cells)
