"""A figure of a solver that shows itself in a notebook."""

from base64 import b64encode
from functools import cached_property
from typing import TYPE_CHECKING

from markupsafe import escape

from site_builder.contract import Figure, Frames, Table
from site_builder.errors import Place
from site_builder.figures.kinds.registry import describe
from site_builder.markup.typeset import spoken, typeset, written

if TYPE_CHECKING:
    from site_builder.figures.rendered import RenderedFigure


class ShownFigure:
    """A figure as a page shows it: drawn as SVG and PNG, a Table or the steps of Frames as HTML.

    figure: its data, of `contract`.
    """

    def __init__(self, figure: Figure) -> None:
        self.figure = figure

    def __repr__(self) -> str:
        return f"{type(self.figure).__name__}: {self.figure.title}"

    def _repr_svg_(self) -> str | None:
        """The drawing for wide screens; None for a Table and Frames. Notebooks call it."""
        return self._drawn.svg.decode() if self._drawn and not isinstance(self.figure, Frames) else None

    def _repr_png_(self) -> bytes | None:
        """The same in light colours on white, at twice its size; None for a Table and Frames."""
        return self._drawn.png if self._drawn and not isinstance(self.figure, Frames) else None

    def _repr_html_(self) -> str | None:
        """A Table with all of its rows, Frames with all steps below each other; None for any other figure."""
        if isinstance(self.figure, Frames) and self._drawn:
            drawn = [self._drawn, *self._drawn.frames]
            steps = zip(self.figure.frames, drawn, strict=True)
            shown = ((spoken(label), _image(each.svg, describe(step))) for (label, step), each in steps)
            return "\n".join(
                f"<figure><figcaption>{escape(label)}</figcaption>{image}</figure>" for label, image in shown
            )
        return _html(self.figure) if isinstance(self.figure, Table) else None

    @cached_property
    def alt(self) -> str:
        """The figure in words; empty for a Table."""
        return "" if isinstance(self.figure, Table) else describe(self.figure)

    @cached_property
    def _drawn(self) -> "RenderedFigure | None":
        if isinstance(self.figure, Table):
            return None
        from site_builder.figures.kinds.draw import draw  # with matplotlib behind it

        return draw(self.figure)


class ShownFigures(dict[str, ShownFigure]):
    """Figures by name, which a notebook shows all below each other, with their names and captions."""

    def _repr_html_(self) -> str:
        return "\n".join(_shown(name, each) for name, each in self.items())


def _shown(name: str, shown: ShownFigure) -> str:
    caption = f"<code>{escape(name)}</code> {escape(spoken(shown.figure.caption))}"
    svg = shown._repr_svg_()
    if svg is None:
        return f"<figure>{shown._repr_html_()}<figcaption>{caption}</figcaption></figure>"
    return f"<figure>{_image(svg.encode(), shown.alt)}<figcaption>{caption}</figcaption></figure>"


def _image(svg: bytes, alt: str) -> str:
    """A drawing as an image by itself, so that drawings do not share ids and styles."""
    return f'<img src="data:image/svg+xml;base64,{b64encode(svg).decode()}" alt="{escape(alt)}">'


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
