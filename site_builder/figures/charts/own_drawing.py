"""Draws pictures by functions of solvers, in the worker of the solver; then the files of such a figure.

A solver is watched meanwhile and no module of the builder may be imported, so this one imports them at its top, and
matplotlib where it is used.
"""

import importlib.util
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, NoReturn

from site_builder.contract import Drawing, Look
from site_builder.errors import CuredError
from site_builder.figures.canvas.palette import AXIS, GRIDLINE, HATCH, INK, PAPER, SERIES
from site_builder.figures.canvas.svg import clean_svg
from site_builder.figures.rendered import RenderedFigure

WIDE, NARROW = 680, 320
_SMALLEST = 12.0
_FONT = "DejaVu Sans"
_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))

# Fixed, so that neither a matplotlibrc file nor chance changes the bytes.
FIXED_SETTINGS: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "puzzlepress",
    "svg.image_inline": True,
    "hatch.linewidth": 1.0,
    "mathtext.fontset": "dejavusans",
    "mathtext.fallback": "cm",
    "path.simplify": True,
}
_OF_THE_MACHINE = {"backend", "backend_fallback", "interactive", "toolbar", "timezone", "date.epoch"}
_TEXT = {
    **dict.fromkeys(("font.size", "axes.titlesize", "axes.labelsize", "figure.titlesize", "figure.labelsize"), 13.0),
    **dict.fromkeys(("xtick.labelsize", "ytick.labelsize", "legend.fontsize", "legend.title_fontsize"), 12.0),
    "font.family": [_FONT],
}
_COLOURS = {
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor"), INK.light),
    **dict.fromkeys(("xtick.color", "ytick.color", "axes.edgecolor"), AXIS.light),
    **dict.fromkeys(("grid.color", "legend.edgecolor"), GRIDLINE.light),
    **dict.fromkeys(("lines.color", "patch.facecolor"), SERIES[0].light),
    **dict.fromkeys(("patch.edgecolor", "boxplot.flierprops.color"), INK.light),
    **{"hatch.color": HATCH.light, "axes.facecolor": "none", "legend.facecolor": PAPER.light},
}


def default_settings() -> dict[str, Any]:
    """The settings that matplotlib comes with, without those of the machine."""
    import matplotlib

    return {key: value for key, value in matplotlib.rcParamsDefault.items() if key not in _OF_THE_MACHINE}


def draw_pictures(
    draw: Callable[[Any, Mapping[str, Any], Look], Any], data: Callable[[], Mapping[str, Any]], aspect: float
) -> tuple[bytes, ...]:
    """Call a function that draws; its SVG for wide screens and for phones, and its PNG, as matplotlib writes them.

    data: gives the data anew for each call.

    Raises CuredError when it draws differently twice, opens a window or writes too small, and whatever it raises.
    """
    _import_matplotlib()
    drawn = []
    with _settings(), _without_windows():
        for width in (WIDE, NARROW):
            height = round(width / aspect)
            first, again = (_picture(draw, data(), width, height) for _ in range(2))
            svg = _svg(first)
            if svg != _svg(again):
                message = "draws another picture when it is called again with the same data"
                raise CuredError(message, "draw from the data alone; chance needs a fixed seed, such as default_rng(1)")
            _refuse_small_letters(first, width)
            drawn.append((svg, _png(first) if width == WIDE else b""))
    (wide, png), (narrow, _) = drawn
    return wide, narrow, png


def rendered(figure: Drawing) -> RenderedFigure:
    """The files of a figure whose pictures are drawn."""
    wide, narrow, png = figure.pictures
    height, narrow_height = round(WIDE / figure.aspect), round(NARROW / figure.aspect)
    return RenderedFigure(
        svg=clean_svg(wide.decode(), WIDE, height),
        width=WIDE,
        height=height,
        narrow_svg=clean_svg(narrow.decode(), NARROW, narrow_height),
        narrow_width=NARROW,
        narrow_height=narrow_height,
        png=png,
    )


def _import_matplotlib() -> None:
    """Import matplotlib without the settings, caches and fonts of the machine, which a solver may not read."""
    if "matplotlib.font_manager" not in sys.modules:
        found = importlib.util.find_spec("matplotlib")
        folder = Path(found.origin if found and found.origin else "").parent
        os.environ["MATPLOTLIBRC"] = str(folder / "mpl-data" / "matplotlibrc")
        try:
            import matplotlib

            matplotlib.get_cachedir = matplotlib.get_configdir = lambda: os.devnull  # where nothing is found
            logging.getLogger("matplotlib").setLevel(logging.ERROR)  # that it cannot keep its list of fonts
            import matplotlib.font_manager
        finally:
            del os.environ["MATPLOTLIBRC"]
    from matplotlib import font_manager as fonts
    from matplotlib import get_data_path

    own = os.path.realpath(get_data_path())
    fonts.fontManager.ttflist = [font for font in fonts.fontManager.ttflist if _is_below(font.fname, own)]
    fonts.fontManager.afmlist = [font for font in fonts.fontManager.afmlist if _is_below(font.fname, own)]


def _is_below(file: str, folder: str) -> bool:
    return os.path.realpath(file).startswith(folder + os.sep)


@contextmanager
def _settings() -> Iterator[None]:
    import matplotlib
    from cycler import cycler

    cycle = {"axes.prop_cycle": cycler(color=[colour.light for colour in SERIES])}
    settings: Any = default_settings() | FIXED_SETTINGS | _TEXT | _COLOURS | cycle
    matplotlib.use("agg")
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        for words in ("Glyph .* missing from font", "There are no gridspecs with layoutgrids"):  # axes placed by hand
            warnings.filterwarnings("ignore", message=words)
        yield


@contextmanager
def _without_windows() -> Iterator[None]:
    """Refuse figures of pyplot, which are not the one that is shown, meanwhile."""
    from matplotlib import pyplot
    from matplotlib.backend_bases import FigureManagerBase

    def refuse(*_: Any, **__: Any) -> NoReturn:
        cure = "draw on the figure that it is given: axes = figure.subplots(), axes.plot(...)"
        raise CuredError("opens a window or a figure of its own with pyplot", cure)

    places: list[tuple[Any, str]] = [(pyplot, "figure"), (pyplot, "show"), (FigureManagerBase, "__init__")]
    before = [vars(place)[name] for place, name in places]
    for place, name in places:
        setattr(place, name, refuse)
    try:
        yield
    finally:
        for (place, name), original in zip(places, before, strict=True):
            setattr(place, name, original)


def _picture(
    draw: Callable[[Any, Mapping[str, Any], Look], Any], data: Mapping[str, Any], width: int, height: int
) -> Any:
    """A matplotlib figure of this size in CSS pixels, drawn."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / 72, height / 72), dpi=72, layout="constrained")
    figure.patch.set_visible(False)
    series = tuple(colour.light for colour in SERIES)
    draw(figure, data, Look(INK.light, PAPER.light, series[0], series, width, _FONT))
    figure.set_size_inches(width / 72, height / 72)
    return figure


def _svg(figure: Any) -> bytes:
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    figure.set_dpi(72)
    figure.patch.set_visible(False)
    file = StringIO()
    canvas: Any = FigureCanvasSVG(figure)
    canvas.print_svg(file, metadata=_METADATA)
    return file.getvalue().encode()


def _png(figure: Any) -> bytes:
    """The figure in the light scheme on white, two pixels to a CSS pixel."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    figure.set_dpi(144)
    figure.patch.set(visible=True, facecolor="#ffffff")
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    rows, columns = (int(canvas.get_width_height()[i]) for i in (1, 0))
    file = BytesIO()
    pixels = Image.frombuffer("RGBA", (columns, rows), canvas.buffer_rgba(), "raw", "RGBA", 0, 1)
    pixels.convert("RGB").save(file, "png", compress_level=6)
    return file.getvalue()


def _refuse_small_letters(figure: Any, width: int) -> None:
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        words = text.get_text().strip()
        if words and text.get_visible() and text.get_fontsize() < _SMALLEST:
            message = f"writes {words!r} {text.get_fontsize():g} px high on a picture {width} px wide"
            raise CuredError(message, "write nothing below 12 px; leave words out where look.width is small")
