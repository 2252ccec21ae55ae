"""A figure's data -> SVG for wide and narrow screens, and PNG; the only room that imports matplotlib."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib

from site_builder.contract import Bars, Curve, Diagram, Figure, Heatmap, PolicyMap
from site_builder.figures.canvas.sheet import Sheet
from site_builder.figures.canvas.sizes import NARROW, ON_CARD, WIDE, Room
from site_builder.figures.charts.bars import draw_bars
from site_builder.figures.charts.curve import draw_curve
from site_builder.figures.charts.diagram import draw_diagram
from site_builder.figures.charts.heatmap import draw_heatmap
from site_builder.figures.charts.policy_map import draw_policy_map
from site_builder.figures.rendered import RenderedFigure

__all__ = ["RenderedFigure", "draw", "draw_small"]

_DRAWERS: dict[type, Callable[[Any, Room], Sheet]] = {
    Heatmap: draw_heatmap,
    PolicyMap: draw_policy_map,
    Curve: draw_curve,
    Bars: draw_bars,
    Diagram: draw_diagram,
}

# A matplotlibrc of the machine must not change a picture, nor must chance.
_OWN_SETTINGS = {
    "svg.fonttype": "none",
    "svg.hashsalt": "puzzlepress",
    "svg.image_inline": True,
    "hatch.linewidth": 1.0,
    "mathtext.fontset": "dejavusans",
    "mathtext.fallback": "cm",
    "path.simplify": True,
}


def draw(figure: Figure) -> RenderedFigure:
    """The figure drawn; the same bytes for the same data.

    Raises TypeError for what is not drawn, such as a Table, and ValueError when a number cannot be written in the
    form that the figure asks for.
    """
    make = _drawer(figure)
    with _own_settings():
        wide, narrow = make(figure, WIDE), make(figure, NARROW)
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
    """The figure as a PNG that is legible when it is small, for a share card; raises as `draw` does."""
    make = _drawer(figure)
    with _own_settings():
        return make(figure, ON_CARD).png()


def _drawer(figure: Figure) -> Callable[[Any, Room], Sheet]:
    if type(figure) not in _DRAWERS:
        raise TypeError(f"a {type(figure).__name__} is not drawn")
    return _DRAWERS[type(figure)]


@contextmanager
def _own_settings() -> Iterator[None]:
    settings: Any = _settings()
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def _settings() -> dict[str, Any]:
    """Matplotlib's built-in settings with our own on top."""
    kept = {"backend", "backend_fallback", "interactive", "toolbar", "timezone", "date.epoch"}
    return {k: v for k, v in matplotlib.rcParamsDefault.items() if k not in kept} | _OWN_SETTINGS
