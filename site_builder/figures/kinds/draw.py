"""Draws a figure of any kind as its files."""

from site_builder.contract import Figure
from site_builder.figures.kinds.registry import kind_of
from site_builder.figures.rendered import RenderedFigure


def draw(figure: Figure) -> RenderedFigure:
    """Draw a figure; the same data gives the same bytes.

    Raises TypeError for a figure that is not drawn, such as a Table, and ValueError when a number cannot be written in
    the format of `cell_text` or `value_text`.
    """
    return kind_of(figure).render(figure)
