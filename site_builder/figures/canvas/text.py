"""Words in a drawing: how large they are, where they break, and which part of them is TeX.

Sizes are those of DejaVu Sans, which comes with matplotlib and runs wider than the fonts that readers have: what fits
here fits there. Words stay text in the SVG, simple formulas as italics; a label with harder TeX becomes one shape.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

import matplotlib
import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import text_to_path

from site_builder.figures.canvas.formula_text import NotInARowError, Run, pieces, runs
from site_builder.markup.typeset import spoken

SMALL = 12.0  # CSS pixels; nothing is written smaller
MEDIUM = 13.0
LEADING = 1.3  # distance of lines, in sizes
ASCENT = 0.76  # how far letters rise above the baseline, in sizes, with a little air
DESCENT = 0.24
MIDDLE = 0.36  # the baseline lies this far below the middle of figures and capitals

_FONTS = f"{matplotlib.get_data_path()}/fonts/ttf/"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff\ufffe\uffff]+")


@dataclass(frozen=True)
class Words:
    """One line of words, ready to be put down.

    runs: the line in upright and italic stretches. outline: instead of them, the shape of a line whose TeX is more
    than letters in a row; its baseline is at 0, y upwards.
    """

    text: str
    size: float
    width: float
    runs: tuple[Run, ...] = ()
    outline: Path | None = None
    bold: bool = False


@lru_cache(maxsize=4096)
def words(text: str, size: float = SMALL, bold: bool = False) -> Words:
    """The line in this size (CSS pixels). TeX that matplotlib cannot set is written as its plain reading."""
    text = _CONTROL.sub(" ", text)
    try:
        stretches = runs(text)
    except NotInARowError:
        try:
            return _outlined(text, size)
        except ValueError:
            stretches = (Run(spoken(text)),)
    width = sum(run_width(run, size, bold) for run in stretches)
    return Words(text, size, width, stretches, bold=bold)


@lru_cache(maxsize=64)
def font(size: float, bold: bool = False, italic: bool = False) -> FontProperties:
    """DejaVu Sans in this size and style."""
    kind = "-Bold" if bold else "-Oblique" if italic else ""
    return FontProperties(
        fname=f"{_FONTS}DejaVuSans{kind}.ttf",
        size=size,
        weight="bold" if bold else "normal",
        style="italic" if italic else "normal",
    )


@lru_cache(maxsize=8192)
def run_width(run: Run, size: float, bold: bool = False) -> float:
    """How wide a stretch of letters is."""
    return float(text_to_path.get_text_width_height_descent(run.text, font(size, bold, run.italic), False)[0])


def _outlined(text: str, size: float) -> Words:
    readable = "".join(f"${piece}$" if kind == "tex" else piece.replace("$", r"\$") for kind, piece in pieces(text))
    vertices, codes = text_to_path.get_text_path(font(size), readable, ismath=True)
    outline = Path(np.asarray(vertices).reshape(-1, 2) * (size / text_to_path.FONT_SCALE), codes)
    width, _, _ = text_to_path.get_text_width_height_descent(readable, font(size), True)
    return Words(text, size, float(width), outline=outline)


def lines(text: str, width: float, size: float = SMALL, at_most: int = 4) -> tuple[Words, ...]:
    """The text broken into lines no wider than `width`; what does not fit into so many lines ends in an ellipsis."""
    broken: list[str] = []
    for piece in _at_spaces(text):
        joined = f"{broken[-1]} {piece}" if broken else piece
        if broken and words(joined, size).width <= width:
            broken[-1] = joined
        else:
            broken.extend(_chopped(piece, width, size))
    if len(broken) > at_most:
        broken = [*broken[: at_most - 1], _shortened(" ".join(broken[at_most - 1 :]), width, size)]
    return tuple(words(line, size) for line in broken)


def shortened(text: str, width: float, size: float = SMALL) -> Words:
    """The text on one line no wider than `width`, cut with an ellipsis where it is too long."""
    return words(text if words(text, size).width <= width + 0.01 else _shortened(text, width, size), size)


def _at_spaces(text: str) -> list[str]:
    """The text at its spaces, formulas left whole."""
    guarded = "".join(
        f"${piece}$".replace(" ", "\0") if kind == "tex" else piece.replace("$", "\\$") for kind, piece in pieces(text)
    )
    return [piece.replace("\0", " ") for piece in guarded.split()]


def _chopped(piece: str, width: float, size: float) -> list[str]:
    """A single long word in pieces that fit."""
    if words(piece, size).width <= width:
        return [piece]
    if "$" in piece:  # a formula has no place where it may be broken
        return [_shortened(piece, width, size)]
    chopped: list[str] = []
    while piece and len(chopped) < 12:
        kept = next((n for n in range(_most_letters(width, size), 1, -1) if words(piece[:n], size).width <= width), 1)
        chopped.append(piece[:kept])
        piece = piece[kept:]
    return chopped


def _shortened(text: str, width: float, size: float) -> str:
    kept = _CONTROL.sub(" ", spoken(text))[: _most_letters(width, size)]
    while kept and run_width(Run(f"{kept}…"), size) > width:
        kept = kept[:-1].rstrip()
    return f"{kept}…".replace("$", "\\$")


def _most_letters(width: float, size: float) -> int:
    """More letters than this never fit, not even narrow ones."""
    return int(4 * width / size) + 2


def height(block: tuple[Words, ...]) -> float:
    """How much room the lines take from the top of the first to the foot of the last."""
    return (len(block) - 1) * LEADING * block[0].size + (ASCENT + DESCENT) * block[0].size if block else 0.0


def widest(block: tuple[Words, ...]) -> float:
    """The width of the longest line."""
    return max((line.width for line in block), default=0.0)
