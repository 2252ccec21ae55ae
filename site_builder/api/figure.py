"""A figure of a solver that shows itself in a notebook."""

from functools import cached_property
from typing import TYPE_CHECKING

from markupsafe import escape

from site_builder.contract import Figure, Table
from site_builder.errors import Place
from site_builder.figures.kinds.registry import describe, draw_figure
from site_builder.markup.typeset import typeset, written

if TYPE_CHECKING:
    from site_builder.figures.rendered import RenderedFigure


class ShownFigure:
    """A figure as a page shows it: drawn as SVG and PNG, of Frames the first step; a Table as HTML.

    figure: its data, of `contract`.
    """

    def __init__(self, figure: Figure) -> None:
        self.figure = figure

    def __repr__(self) -> str:
        return f"{type(self.figure).__name__}: {self.figure.title}"

    def _repr_svg_(self) -> str | None:
        """The drawing for wide screens; None for a Table. Notebooks call it."""
        return self._drawn.svg.decode() if self._drawn else None

    def _repr_png_(self) -> bytes | None:
        """The same in light colours on white, at twice its size; None for a Table."""
        return self._drawn.png if self._drawn else None

    def _repr_html_(self) -> str | None:
        """A Table with all of its rows; None for any other figure."""
        return _html(self.figure) if isinstance(self.figure, Table) else None

    @cached_property
    def alt(self) -> str:
        """The figure in words; empty for a Table."""
        return "" if isinstance(self.figure, Table) else describe(self.figure)

    @cached_property
    def _drawn(self) -> "RenderedFigure | None":
        if isinstance(self.figure, Table):
            return None

        return draw_figure(self.figure)


def _html(table: Table) -> str:
    heads = "".join(f"<th>{_cell(column.label, '')}</th>" for column in table.columns)
    columns = [[_cell(cell, column.form) for cell in column.cells] for column in table.columns]
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>\n" for row in zip(*columns, strict=True))
    caption = escape(table.title)
    return f"<table><caption>{caption}</caption>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody></table>"


def _cell(value: object, form: str) -> str:
    if isinstance(value, str) or value is None:
        return typeset(value or "", Place("a table")).html
    return written(value, form).html
