"""The kinds of figures by their classes of the contract: a new kind is a module of this package and a line here."""

from typing import Any

from site_builder.contract import Figure
from site_builder.figures.kinds.bars import BarsKind
from site_builder.figures.kinds.curve import CurveKind
from site_builder.figures.kinds.diagram import DiagramKind
from site_builder.figures.kinds.drawing import DrawingKind
from site_builder.figures.kinds.frames import FramesKind
from site_builder.figures.kinds.heatmap import HeatmapKind
from site_builder.figures.kinds.histogram import HistogramKind
from site_builder.figures.kinds.kind import Kind
from site_builder.figures.kinds.policy_map import PolicyMapKind
from site_builder.figures.kinds.table import TableKind
from site_builder.figures.rendered import RenderedFigure
from site_builder.markup.typeset import curled, spoken

_SINGLE: tuple[Kind[Any], ...] = (
    HeatmapKind(),
    PolicyMapKind(),
    CurveKind(),
    BarsKind(),
    HistogramKind(),
    DiagramKind(),
    TableKind(),
    DrawingKind(),
)
KINDS: dict[type, Kind[Any]] = {kind.figure: kind for kind in (*_SINGLE, FramesKind(_SINGLE))}


def kind_of(figure: Figure) -> Kind[Any]:
    """Return the kind of a figure."""
    return KINDS[type(figure)]


def figure_error(figure: Figure) -> str:
    """Return the first error in a figure, in words; empty if it has none."""
    return kind_of(figure).first_error(figure)


def describe(figure: Figure) -> str:
    """Return the alt text of a figure: the author's own if there is one, else a few computed sentences."""
    if written := getattr(figure, "alt", "").strip():
        return curled(spoken(written))
    return curled(spoken(kind_of(figure).describe(figure)))


def draw_figure(figure: Figure) -> RenderedFigure:
    """Draw a figure as its files; the same data gives the same bytes.

    Raises TypeError for a figure that is not drawn, such as a Table, and ValueError when a number cannot be written in
    the format of `cell_text` or `value_text`.
    """
    return kind_of(figure).render(figure)
