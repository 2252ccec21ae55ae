"""Draws a figure as SVG for wide and narrow screens, and as PNG."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import matplotlib

from site_builder.contract import Bars, Curve, Diagram, Figure, Heatmap, PolicyMap
from site_builder.figures.canvas.canvas import NARROW, ON_CARD, WIDE, Canvas, SizeLimits
from site_builder.figures.charts.bars import draw_bars
from site_builder.figures.charts.curve import draw_curve
from site_builder.figures.charts.diagram import draw_diagram
from site_builder.figures.charts.heatmap import draw_heatmap
from site_builder.figures.charts.policy_map import draw_policy_map
from site_builder.figures.rendered import RenderedFigure

_DRAWERS: dict[type, Callable[[Any, SizeLimits], Canvas]] = {
    Heatmap: draw_heatmap,
    PolicyMap: draw_policy_map,
    Curve: draw_curve,
    Bars: draw_bars,
    Diagram: draw_diagram,
}

# Fixed, so that neither a matplotlibrc file nor chance changes the bytes.
_SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "puzzlepress",
    "svg.image_inline": True,
    "hatch.linewidth": 1.0,
    "mathtext.fontset": "dejavusans",
    "mathtext.fallback": "cm",
    "path.simplify": True,
}


def draw(figure: Figure) -> RenderedFigure:
    """Draw a figure; the same data gives the same bytes.

    Raises TypeError for a figure that is not drawn, such as a Table, and ValueError when a number cannot be written in
    the format of `cell_text` or `value_text`.
    """
    with _drawing(figure) as make:
        wide, narrow = make(WIDE), make(NARROW)
        return RenderedFigure(
            svg=wide.svg(),
            width=round(wide.width),
            height=round(wide.height),
            narrow_svg=narrow.svg(),
            narrow_width=round(narrow.width),
            narrow_height=round(narrow.height),
            png=wide.png(),
        )


def draw_small(figure: Figure) -> bytes:
    """Draw a figure for a share card, as a PNG that is legible when small. Raises the errors of `draw`."""
    with _drawing(figure) as make:
        return make(ON_CARD).png()


@contextmanager
def _drawing(figure: Figure) -> Iterator[Callable[[SizeLimits], Canvas]]:
    """The function that draws a figure, and matplotlib with fixed settings."""
    if type(figure) not in _DRAWERS:
        raise TypeError(f"a {type(figure).__name__} is not drawn")
    machine = {"backend", "backend_fallback", "interactive", "toolbar", "timezone", "date.epoch"}
    settings: Any = {key: value for key, value in matplotlib.rcParamsDefault.items() if key not in machine} | _SETTINGS
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield partial(_DRAWERS[type(figure)], figure)
