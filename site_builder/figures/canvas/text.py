"""Measures and wraps the text of figures. No text is cut, so that labels that begin alike stay different.

Widths are those of DejaVu Sans, which comes with matplotlib and is wider than the fonts of browsers: what fits here
fits there. Formulas become plain text, their variables in italics.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from site_builder.figures.svg import ITALIC, UPRIGHT
from site_builder.markup.typeset import curled, spoken, tex_pieces
from site_builder.values.number_format import NO_BREAK

if TYPE_CHECKING:
    from matplotlib.font_manager import FontProperties

SMALL = 12.0  # CSS pixels; nothing is written smaller
MEDIUM = 13.0
# In multiples of the font size:
LEADING = 1.3  # distance between baselines
ASCENT = 0.76  # height above the baseline, with a margin
DESCENT = 0.24
MIDDLE = 0.36  # distance of the baseline below the middle of digits and capitals

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff\ufffe\uffff]+")
_SCRIPT = re.compile(r"([_^])(?:\(([+−]?\d+)\)|([+−]?\d+))")
_VARIABLE = re.compile(r"(?<![^\W\d_])[^\W\d_](?![^\W\d_])")
_SCRIPTS = {
    "_": str.maketrans("0123456789+−", "₀₁₂₃₄₅₆₇₈₉₊₋"),
    "^": str.maketrans("0123456789+−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"),
}


@dataclass(frozen=True)
class TextLine:
    """A measured line: its characters, in which ITALIC and UPRIGHT mark italics, and its width in pixels."""

    text: str
    size: float
    width: float
    bold: bool = False

    @property
    def plain(self) -> str:
        """Return its characters without the marks."""
        return _plain(self.text)


Block = tuple[TextLine, ...]


def text_line(text: str, size: float = SMALL, bold: bool = False) -> TextLine:
    """Measure a label in one line, at this size (CSS pixels)."""
    return _measured(_typeset(text), size, bold)


def wrap_text(text: str, width: float, size: float = SMALL) -> Block:
    """Break a text into lines no wider than `width`: between words, and within those that are too wide."""
    lines: list[str] = []
    for word in filter(None, _typeset(text).split(" ")):
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and _fits(joined, width, size):
            lines[-1] = joined
        else:
            lines.extend(_broken(word, width, size))
    return tuple(_measured(line, size) for line in lines)


def block_height(block: Block) -> float:
    """Return the height of the lines from the top of the first to the bottom of the last."""
    return (len(block) - 1) * LEADING * block[0].size + (ASCENT + DESCENT) * block[0].size if block else 0.0


def block_top(block: Block, middle: float) -> float:
    """Return the top of a block whose digits and capitals have their middle here."""
    return middle - block_height(block) / 2 + (MIDDLE + 0.5 - ASCENT) * block[0].size if block else middle


def block_width(block: Iterable[TextLine]) -> float:
    """Return the width of the longest line."""
    return max((line.width for line in block), default=0.0)


def widest(texts: Iterable[str], bold: bool = False) -> float:
    """Return the width of the longest of these texts, each on a line of its own."""
    return block_width(text_line(text, bold=bold) for text in texts)


def tallest(texts: Iterable[str], width: float) -> float:
    """Return the height of the highest of these texts, each wrapped to this width."""
    return max((block_height(wrap_text(text, width)) for text in texts), default=0.0)


@lru_cache(maxsize=64)
def font(size: float, bold: bool = False) -> "FontProperties":
    """Return DejaVu Sans in this size and weight."""
    import matplotlib
    from matplotlib.font_manager import FontProperties

    file = f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans{'-Bold' if bold else ''}.ttf"
    return FontProperties(fname=file, size=size, weight="bold" if bold else "normal")


@lru_cache(maxsize=4096)
def _typeset(text: str) -> str:
    """The characters of a label: typographic quotes, formulas as plain text with italics."""
    pieces = tex_pieces(_CONTROL.sub(" ", text))
    return "".join(_formula(piece) if kind == "tex" else curled(piece) for kind, piece in pieces)


def _formula(tex: str) -> str:
    """A formula in one line that is not broken: `$x_1 = 2$` as x₁ = 2."""
    text = _SCRIPT.sub(lambda found: (found[2] or found[3]).translate(_SCRIPTS[found[1]]), spoken(f"${tex}$"))
    return _VARIABLE.sub(lambda found: f"{ITALIC}{found[0]}{UPRIGHT}", text).replace(" ", NO_BREAK)


def _plain(text: str) -> str:
    return text.replace(ITALIC, "").replace(UPRIGHT, "")


@lru_cache(maxsize=8192)
def _measured(text: str, size: float, bold: bool = False) -> TextLine:
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(_plain(text), font(size, bold), False)
    return TextLine(text, size, float(width), bold)


def _fits(text: str, width: float, size: float) -> bool:
    return _measured(text, size).width <= width + 0.01


def _broken(word: str, width: float, size: float) -> list[str]:
    """A word or formula in pieces that fit; of a formula that does not fit, its italics are lost."""
    if _fits(word, width, size):
        return [word]
    pieces, rest = [], _plain(word)
    while rest:
        most = range(1, min(len(rest), int(4 * width / size) + 2))
        kept = 1 + bisect_right(most, width + 0.01, key=lambda count: _measured(rest[: count + 1], size).width)
        pieces.append(rest[:kept])
        rest = rest[kept:]
    return pieces
