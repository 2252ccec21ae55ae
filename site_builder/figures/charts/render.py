"""Renders a chart as SVG for wide and narrow screens, and as PNG."""

import warnings
from collections.abc import Callable
from typing import Any

import matplotlib

from site_builder.figures.canvas.canvas import NARROW, WIDE, Canvas, SizeLimits
from site_builder.figures.house_style import FIXED_SETTINGS, default_settings
from site_builder.figures.rendered import RenderedFigure


def render(figure: Any, draw: Callable[[Any, SizeLimits], Canvas]) -> RenderedFigure:
    """Render a chart, with fixed settings of matplotlib. draw: draws the figure on a canvas of this size."""
    settings: Any = default_settings() | FIXED_SETTINGS
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        wide, narrow = draw(figure, WIDE), draw(figure, NARROW)
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
