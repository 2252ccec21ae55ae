"""Tables, which pages show as HTML."""

from collections.abc import Iterable, Iterator
from typing import Any

from site_builder.contract import Table
from site_builder.figures.kinds.kind import Kind, format_errors
from site_builder.figures.words import join_list
from site_builder.values.number_format import plural


class TableKind(Kind[Table]):
    """Columns under their labels; it is not drawn."""

    figure = Table

    def errors(self, figure: Table) -> Iterator[str]:
        if len({len(column.cells) for column in figure.columns}) > 1:
            sizes = ", ".join(f"{column.label}: {len(column.cells)}" for column in figure.columns)
            yield f"its columns differ in length ({sizes})"
        for column in figure.columns:
            yield from format_errors(column.form)

    def describe(self, figure: Table) -> str:
        rows = len(figure.columns[0].cells) if figure.columns else 0
        names = join_list(column.label for column in figure.columns)
        return f"Table of {plural(rows, 'row')} and {plural(len(figure.columns), 'column')}: {names}."

    def numbers(self, figure: Table) -> Iterable[Any]:
        return [column.cells for column in figure.columns[figure.row_heads :]]
