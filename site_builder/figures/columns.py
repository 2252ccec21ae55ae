"""The data of a figure as columns, and as the table that a page shows."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from site_builder.figures.rendered import data_table
from site_builder.figures.words import column_texts
from site_builder.markup.typeset import spoken

MOST_ROWS, MOST_COLUMNS = 60, 13  # of a table on a page


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


def short_table(columns: Sequence[DataColumn]) -> bytes:
    """Return what a page shows of the data: all of it where that is short, else nothing; see `data_table`."""
    shown = [column for column in columns if column.in_table]
    if len(shown) > MOST_COLUMNS or len(shown[0].cells) > MOST_ROWS:
        return data_table()
    texts = [column_texts(column.cells, column.percent) for column in shown]
    heads = [(column.label, is_numeric(column.cells)) for column in shown]
    return data_table(heads, list(zip(*texts, strict=True)))


def is_numeric(cells: Sequence[Any]) -> bool:
    return not any(isinstance(cell, str) for cell in cells)
