"""Measures, wraps and shortens the text of figures.

Widths are those of DejaVu Sans, which comes with matplotlib and is wider than the fonts of browsers: what fits here
fits there. Formulas become plain text, their variables in italics.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, TypeVar

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

_KEPT = 8  # characters of the start of labels that look alike when they are cut
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff\ufffe\uffff]+")
_SCRIPT = re.compile(r"([_^])(?:\(([+−]?\d+)\)|([+−]?\d+))")
_VARIABLE = re.compile(r"(?<![^\W\d_])[^\W\d_](?![^\W\d_])")
_SCRIPTS = {
    "_": str.maketrans("0123456789+−", "₀₁₂₃₄₅₆₇₈₉₊₋"),
    "^": str.maketrans("0123456789+−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"),
}
_T = TypeVar("_T")


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


def text_line(text: str, size: float = SMALL, bold: bool = False) -> TextLine:
    """Measure a label in one line, at this size (CSS pixels)."""
    return _measured(_typeset(text), size, bold)


def wrap_text(text: str, width: float, size: float = SMALL, at_most: int = 4) -> tuple[TextLine, ...]:
    """Break a text into lines no wider than `width`; the last of `at_most` lines ends in an ellipsis if it must."""
    return _wrapped(_typeset(text), width, size, at_most)


def truncate(text: str, width: float) -> TextLine:
    """Return the text as one line no wider than `width`, with an ellipsis where it is too long."""
    return _measured(_cut(_typeset(text), width, SMALL), SMALL)


def truncate_all(texts: Sequence[str], width: float) -> list[TextLine]:
    """Truncate each text; different ones stay different."""
    return _distinct(texts, lambda text: _measured(_cut(text, width, SMALL), SMALL))


def wrap_all(texts: Sequence[str], width: float, at_most: int = 4) -> list[tuple[TextLine, ...]]:
    """Wrap each text; different ones stay different."""
    return _distinct(texts, lambda text: _wrapped(text, width, SMALL, at_most))


def block_height(block: Sequence[TextLine]) -> float:
    """Return the height of the lines from the top of the first to the bottom of the last."""
    return (len(block) - 1) * LEADING * block[0].size + (ASCENT + DESCENT) * block[0].size if block else 0.0


def block_width(block: Iterable[TextLine]) -> float:
    """Return the width of the longest line."""
    return max((line.width for line in block), default=0.0)


def widest(texts: Iterable[str], bold: bool = False) -> float:
    """Return the width of the longest of these texts, each on a line of its own."""
    return block_width(text_line(text, bold=bold) for text in texts)


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


def _wrapped(text: str, width: float, size: float, at_most: int) -> tuple[TextLine, ...]:
    lines: list[str] = []
    for word in filter(None, text.split(" ")):
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and _fits(joined, width, size):
            lines[-1] = joined
        else:
            lines.extend(_broken(word, width, size))
    if len(lines) > at_most:
        lines = [*lines[: at_most - 1], _cut(" ".join(lines[at_most - 1 :]), width, size)]
    return tuple(_measured(line, size) for line in lines)


def _broken(word: str, width: float, size: float) -> list[str]:
    """A word in pieces that fit; a formula is cut instead."""
    if ITALIC in word or NO_BREAK in word:
        return [_cut(word, width, size)]
    broken: list[str] = []
    while word and len(broken) < 12:
        kept = len(word) if _fits(word, width, size) else _longest(word.__getitem__, word, width, size)
        broken.append(word[:kept])
        word = word[kept:]
    return broken


def _cut(text: str, width: float, size: float) -> str:
    """The text with an ellipsis for its end where it is too wide."""
    if _fits(text, width, size):
        return text
    text = _plain(text)
    return f"{text[: _longest(lambda kept: f'{text[kept].rstrip()}…', text, width, size)].rstrip()}…"


def _longest(make: Callable[[slice], str], text: str, width: float, size: float) -> int:
    """The most characters of a text with which what is made of them fits, at least one; found by halving."""
    low, high = 1, min(len(text), int(4 * width / size) + 2)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _fits(make(slice(middle)), width, size) else (low, middle - 1)
    return low


def _distinct(texts: Sequence[str], make: Callable[[str], _T]) -> list[_T]:
    """Make a label of each text; texts whose labels would look alike lose the middle that they have in common."""
    whole = [_typeset(text) for text in texts]
    found = [make(text) for text in whole]
    for look in set(found):
        alike = [i for i, each in enumerate(found) if each == look]
        if len({whole[i] for i in alike}) > 1:
            short = _without_middle([_plain(whole[i]) for i in alike], make)
            for i, each in zip(alike, short, strict=True):
                found[i] = each
    return found


def _without_middle(texts: Sequence[str], make: Callable[[str], _T]) -> list[_T]:
    """Make labels of the start of each text and its part from the first difference on; else of that part alone."""
    same = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False)))
    start = max(texts[0].rfind(" ", 0, same) + 1, same - _KEPT)
    for kept in (_KEPT, 0):
        found = [make(f"{text[:kept].rstrip()}…{text[start:]}") for text in texts]
        if len(set(found)) == len(set(texts)):
            break
    return found
