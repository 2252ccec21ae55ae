"""Draws a figure as SVG for wide and narrow screens, and as PNG."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import matplotlib

from site_builder.contract import Bars, Curve, Diagram, Drawing, Figure, Frames, Heatmap, PolicyMap
from site_builder.figures.canvas.canvas import NARROW, WIDE, Canvas, SizeLimits
from site_builder.figures.charts.bars import draw_bars
from site_builder.figures.charts.curve import draw_curve
from site_builder.figures.charts.diagram import draw_diagram
from site_builder.figures.charts.heatmap import draw_heatmap
from site_builder.figures.charts.own_drawing import FIXED_SETTINGS, default_settings, rendered
from site_builder.figures.charts.policy_map import draw_policy_map
from site_builder.figures.charts.shared_scales import with_shared_scales
from site_builder.figures.rendered import RenderedFigure

_DRAWERS: dict[type, Callable[[Any, SizeLimits], Canvas]] = {
    Heatmap: draw_heatmap,
    PolicyMap: draw_policy_map,
    Curve: draw_curve,
    Bars: draw_bars,
    Diagram: draw_diagram,
}


def draw(figure: Figure) -> RenderedFigure:
    """Draw a figure; the same data gives the same bytes.

    Raises TypeError for a figure that is not drawn, such as a Table, and ValueError when a number cannot be written in
    the format of `cell_text` or `value_text`.
    """
    if isinstance(figure, Frames):
        first, *others = (draw(step) for _, step in with_shared_scales(figure).frames)
        return replace(first, frames=tuple(others))
    if isinstance(figure, Drawing):
        return rendered(figure)
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
            plot=wide.plot_shares(),
            narrow_plot=narrow.plot_shares(),
            spans=wide.spans,
        )


@contextmanager
def _drawing(figure: Figure) -> Iterator[Callable[[SizeLimits], Canvas]]:
    """The function that draws a figure, and matplotlib with fixed settings."""
    if type(figure) not in _DRAWERS:
        raise TypeError(f"a {type(figure).__name__} is not drawn")
    settings: Any = default_settings() | FIXED_SETTINGS
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield partial(_DRAWERS[type(figure)], figure)
