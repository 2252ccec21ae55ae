"""Measures, wraps and truncates the text of figures, TeX included.

Widths are those of DejaVu Sans, which comes with matplotlib and is wider than the fonts of browsers: what fits here
fits there. Text stays text in the SVG, simple formulas in italics; a label with other TeX becomes an outline.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import matplotlib
import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import text_to_path

from site_builder.figures.canvas.formula_text import NotLinearError, TextRun, split_tex, text_runs
from site_builder.markup.typeset import spoken

SMALL = 12.0  # CSS pixels; nothing is written smaller
MEDIUM = 13.0
# In multiples of the font size:
LEADING = 1.3  # distance between baselines
ASCENT = 0.76  # height above the baseline, with a margin
DESCENT = 0.24
MIDDLE = 0.36  # distance of the baseline below the middle of digits and capitals

_FONTS = f"{matplotlib.get_data_path()}/fonts/ttf/"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff\ufffe\uffff]+")


@dataclass(frozen=True)
class TextLine:
    """A measured line of text: its width in pixels, and either runs or an outline.

    outline: the shape of a line whose TeX has no linear format; its baseline is at 0, y upwards.
    """

    text: str
    size: float
    width: float
    runs: tuple[TextRun, ...] = ()
    outline: Path | None = None
    bold: bool = False


@lru_cache(maxsize=4096)
def text_line(text: str, size: float = SMALL, bold: bool = False) -> TextLine:
    """Measure a line at this size (CSS pixels). TeX that matplotlib cannot set is replaced by its plain-text form."""
    text = _CONTROL.sub(" ", text)
    try:
        found = text_runs(text)
    except NotLinearError:
        try:
            return _outlined(text, size)
        except ValueError:
            found = (TextRun(spoken(text)),)
    width = sum(run_width(run, size, bold) for run in found)
    return TextLine(text, size, width, found, bold=bold)


@lru_cache(maxsize=64)
def font(size: float, bold: bool = False, italic: bool = False) -> FontProperties:
    """Return DejaVu Sans in this size and style."""
    kind = "-Bold" if bold else "-Oblique" if italic else ""
    return FontProperties(
        fname=f"{_FONTS}DejaVuSans{kind}.ttf",
        size=size,
        weight="bold" if bold else "normal",
        style="italic" if italic else "normal",
    )


@lru_cache(maxsize=8192)
def run_width(run: TextRun, size: float, bold: bool = False) -> float:
    """Return the width of a run in pixels."""
    return float(text_to_path.get_text_width_height_descent(run.text, font(size, bold, run.italic), False)[0])


def _outlined(text: str, size: float) -> TextLine:
    readable = "".join(f"${piece}$" if kind == "tex" else piece.replace("$", r"\$") for kind, piece in split_tex(text))
    vertices, codes = text_to_path.get_text_path(font(size), readable, ismath=True)
    outline = Path(np.asarray(vertices).reshape(-1, 2) * (size / text_to_path.FONT_SCALE), codes)
    width, _, _ = text_to_path.get_text_width_height_descent(readable, font(size), True)
    return TextLine(text, size, float(width), outline=outline)


def wrap_text(text: str, width: float, size: float = SMALL, at_most: int = 4) -> tuple[TextLine, ...]:
    """Break a text into lines no wider than `width`; the last of `at_most` lines ends in an ellipsis if it must."""
    lines: list[str] = []
    for word in _words(text):
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and text_line(joined, size).width <= width:
            lines[-1] = joined
        else:
            lines.extend(_broken(word, width, size))
    if len(lines) > at_most:
        lines = [*lines[: at_most - 1], _truncated(" ".join(lines[at_most - 1 :]), width, size)]
    return tuple(text_line(line, size) for line in lines)


def truncate(text: str, width: float, size: float = SMALL) -> TextLine:
    """Return the text as one line no wider than `width`, with an ellipsis where it is too long."""
    return text_line(text if text_line(text, size).width <= width + 0.01 else _truncated(text, width, size), size)


def _words(text: str) -> list[str]:
    """The text split at spaces outside of formulas."""
    guarded = "".join(
        f"${piece}$".replace(" ", "\0") if kind == "tex" else piece.replace("$", "\\$")
        for kind, piece in split_tex(text)
    )
    return [piece.replace("\0", " ") for piece in guarded.split()]


def _broken(word: str, width: float, size: float) -> list[str]:
    """A word in pieces that fit."""
    if text_line(word, size).width <= width:
        return [word]
    if "$" in word:  # a formula cannot be broken
        return [_truncated(word, width, size)]
    broken: list[str] = []
    while word and len(broken) < 12:
        most = _most_characters(width, size)
        kept = next((n for n in range(most, 1, -1) if text_line(word[:n], size).width <= width), 1)
        broken.append(word[:kept])
        word = word[kept:]
    return broken


def _truncated(text: str, width: float, size: float) -> str:
    kept = _CONTROL.sub(" ", spoken(text))[: _most_characters(width, size)]
    while kept and run_width(TextRun(f"{kept}…"), size) > width:
        kept = kept[:-1].rstrip()
    return f"{kept}…".replace("$", "\\$")


def _most_characters(width: float, size: float) -> int:
    """An upper bound for the number of characters that fit, narrow ones included."""
    return int(4 * width / size) + 2


def block_height(block: tuple[TextLine, ...]) -> float:
    """Return the height of the lines from the top of the first to the bottom of the last."""
    return (len(block) - 1) * LEADING * block[0].size + (ASCENT + DESCENT) * block[0].size if block else 0.0


def block_width(block: Iterable[TextLine]) -> float:
    """Return the width of the longest line."""
    return max((line.width for line in block), default=0.0)
