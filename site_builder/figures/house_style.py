"""The style in which matplotlib draws the figures of solvers, and the import of matplotlib that sets it.

A process that runs a solver imports this module before the solver, so that nothing of the machine reaches a figure:
neither its matplotlibrc file nor its fonts.
"""

import importlib.util
import logging
import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

from site_builder.contract import Look
from site_builder.figures.palette import AXIS, GRIDLINE, HATCH, HUES, INK, PAPER, SERIES

WIDE, NARROW = 680, 320  # widths in CSS pixels; a point is one of them
_ASPECT = 1.6
_is_in_use = False
_FONT = "DejaVu Sans"
_TEXT = re.compile(r">([^<]+)<")
_EXPECTED = (  # warnings of matplotlib that tell an author nothing
    "There are no gridspecs with layoutgrids",  # axes placed by hand
    "The figure layout has changed to tight",
    "FigureCanvasAgg is non-interactive",
    "Glyph .* missing from font",  # of which `check` warns
)

# Fixed, so that neither a matplotlibrc file nor chance changes the bytes.
FIXED_SETTINGS: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "puzzlepress",
    "svg.image_inline": True,
    "hatch.linewidth": 1.0,
    "mathtext.fontset": "dejavusans",
    "mathtext.fallback": "cm",
    "path.simplify": True,
    "figure.autolayout": False,
    "figure.constrained_layout.use": False,
}
METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))  # that no SVG has
_OF_THE_MACHINE = {"backend", "backend_fallback", "interactive", "toolbar", "timezone", "date.epoch"}
_SIZE = {
    **{"figure.figsize": (WIDE / 72, WIDE / _ASPECT / 72), "figure.dpi": 72.0, "figure.constrained_layout.use": True},
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
    **dict.fromkeys(("figure.facecolor", "axes.facecolor"), "none"),
    **{"hatch.color": HATCH.light, "legend.facecolor": PAPER.light},
}


def default_settings() -> dict[str, Any]:
    """The settings that matplotlib comes with, without those of the machine."""
    import matplotlib

    return {key: value for key, value in matplotlib.rcParamsDefault.items() if key not in _OF_THE_MACHINE}


def look_of(width: int) -> Look:
    """The colours and the font of a figure of this width."""
    series = tuple(colour.light for colour in SERIES)
    named = {name: hue.line.light for name, hue in HUES.items()}
    return Look(INK.light, PAPER.light, series[0], series, named, width, _FONT)


def import_matplotlib() -> None:
    """Import matplotlib in the house style, for all that this process draws from now on."""
    global _is_in_use
    _import_without_the_machine()
    import matplotlib
    from cycler import cycler
    from matplotlib import font_manager as fonts

    own, manager = os.path.realpath(matplotlib.get_data_path()) + os.sep, fonts.fontManager
    for known in (manager.ttflist, manager.afmlist):
        known[:] = [font for font in known if os.path.realpath(font.fname).startswith(own)]
    cycle = {"axes.prop_cycle": cycler(color=[colour.light for colour in SERIES])}
    settings: Any = default_settings() | FIXED_SETTINGS | _SIZE | _COLOURS | cycle
    matplotlib.use("agg")
    matplotlib.rcParams.update(settings)
    _is_in_use = True


def is_in_use() -> bool:
    """True once `import_matplotlib` was called in this process."""
    return _is_in_use


@contextmanager
def one_figure(width: int) -> Iterator[None]:
    """Figures of this width meanwhile; then no figure of pyplot is open and all settings are as they were."""
    import matplotlib
    from matplotlib import pyplot

    across, up = matplotlib.rcParams["figure.figsize"]
    pyplot.close("all")
    with matplotlib.rc_context({"figure.figsize": (width / 72, width / 72 * up / across)}), warnings.catch_warnings():
        for words in _EXPECTED:
            warnings.filterwarnings("ignore", message=words)
        yield
        pyplot.close("all")


def letters_without_glyph(svg: bytes) -> str:
    """The characters of a drawing for which the font of PNGs has no glyph, each once."""
    from matplotlib.font_manager import findfont, get_font

    words = "".join(map(unescape, _TEXT.findall(svg.decode())))
    known = get_font(findfont(_FONT)).get_charmap()
    return "".join(each for each in dict.fromkeys(words) if ord(each) not in known and each.isprintable())


def _import_without_the_machine() -> None:
    """Import matplotlib without the settings, caches and fonts of the machine, which a solver may not read."""
    if "matplotlib.font_manager" in sys.modules:
        return
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
