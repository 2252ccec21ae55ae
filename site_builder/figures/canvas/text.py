"""Measures, wraps and truncates the text of figures, TeX included.

Widths are those of DejaVu Sans, which comes with matplotlib and is wider than the fonts of browsers: what fits here
fits there. Text stays text in the SVG, simple formulas in italics; a label with other TeX becomes an outline.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from xml.etree import ElementTree

import matplotlib
import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import text_to_path

from site_builder.markup.tex.convert import TexError, convert
from site_builder.markup.tex.plain_text import CLOSE, OPEN, SPACED
from site_builder.markup.typeset import curled, spoken, tex_pieces

SMALL = 12.0  # CSS pixels; nothing is written smaller
MEDIUM = 13.0
# In multiples of the font size:
LEADING = 1.3  # distance between baselines
ASCENT = 0.76  # height above the baseline, with a margin
DESCENT = 0.24
MIDDLE = 0.36  # distance of the baseline below the middle of digits and capitals

_FONTS = f"{matplotlib.get_data_path()}/fonts/ttf/"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff\ufffe\uffff]+")


_SUBSCRIPTS = dict(zip("0123456789+−", "₀₁₂₃₄₅₆₇₈₉₊₋", strict=True))
_SUPERSCRIPTS = dict(zip("0123456789+−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", strict=True))
_SCRIPT_CHARACTERS = {"msub": _SUBSCRIPTS, "msup": _SUPERSCRIPTS}
_ROWS = ("mrow", "mstyle", "mpadded")


@dataclass(frozen=True)
class TextRun:
    """Consecutive characters of one style."""

    text: str
    italic: bool = False


class NotLinearError(Exception):
    """The formula has no linear format, such as a fraction."""


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
        found = _text_runs(text)
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
    readable = _marked(text)
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


def truncate(text: str, width: float) -> TextLine:
    """Return the text as one line no wider than `width`, with an ellipsis where it is too long."""
    return text_line(text if text_line(text).width <= width + 0.01 else _truncated(text, width, SMALL))


def _words(text: str) -> list[str]:
    """The text split at spaces outside of formulas."""
    return [piece.replace("\0", " ") for piece in _marked(text, "\0").split()]


def _marked(text: str, space: str = " ") -> str:
    """The text with dollar signs around formulas only, and other spaces in formulas."""
    pieces = tex_pieces(text)
    return "".join(
        f"${p}$".replace(" ", space) if kind == "tex" else curled(p).replace("$", r"\$") for kind, p in pieces
    )


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


def block_height(block: Sequence[TextLine]) -> float:
    """Return the height of the lines from the top of the first to the bottom of the last."""
    return (len(block) - 1) * LEADING * block[0].size + (ASCENT + DESCENT) * block[0].size if block else 0.0


def block_width(block: Iterable[TextLine]) -> float:
    """Return the width of the longest line."""
    return max((line.width for line in block), default=0.0)


def widest(texts: Iterable[str], bold: bool = False) -> float:
    """Return the width of the longest of these texts, each on a line of its own."""
    return block_width(text_line(text, bold=bold) for text in texts)


def _text_runs(text: str) -> tuple[TextRun, ...]:
    """The runs of a label. Raises NotLinearError when a formula has no linear format or its TeX is invalid."""
    return _merged(
        run
        for kind, piece in tex_pieces(text)
        for run in (_formula(piece) if kind == "tex" else [TextRun(curled(piece))])
    )


def _formula(tex: str) -> list[TextRun]:
    try:
        math = ElementTree.fromstring(convert(tex, False).mathml)
    except TexError as error:
        raise NotLinearError(tex) from error
    return list(_row([math[0]]))


def _row(nodes: Sequence[ElementTree.Element]) -> Iterator[TextRun]:
    previous = ""  # the operator before the node, or the tag of another element; empty at the start
    for node in nodes:
        if node.tag in _ROWS:
            yield from _row(list(node))
        elif node.tag in _SCRIPT_CHARACTERS:
            yield from _row([node[0]])
            yield TextRun(_script(node[1], _SCRIPT_CHARACTERS[node.tag]))
        elif node.tag == "mspace":
            yield TextRun("\N{THIN SPACE}" if node.get("width", "").strip("0.em") else "")
        elif node.tag in ("mi", "mn", "mo", "mtext"):
            yield _leaf(node, previous)
        else:
            raise NotLinearError(node.tag)
        previous = (node.text or node.tag) if node.tag == "mo" else node.tag


def _leaf(node: ElementTree.Element, previous: str) -> TextRun:
    text = node.text or ""
    if node.tag == "mi":
        return TextRun(text, italic=len(text) == 1 and node.get("mathvariant") != "normal")
    if node.tag == "mo":
        is_binary = previous not in OPEN | SPACED and previous not in (",", "")
        if text in SPACED and is_binary:
            return TextRun(f"\N{NO-BREAK SPACE}{text}\N{NO-BREAK SPACE}")
        return TextRun(f"{text} " if text in (",", ";") and text not in CLOSE else text)
    return TextRun(text)


def _script(node: ElementTree.Element, characters: dict[str, str]) -> str:
    """An index or power in Unicode's own characters for it, of which there are few."""
    text = "".join(node.itertext())
    if any(character not in characters for character in text):
        raise NotLinearError(text)
    return "".join(characters[character] for character in text)


def _merged(runs: Iterator[TextRun]) -> tuple[TextRun, ...]:
    """The runs without empty ones, neighbours of one style merged."""
    merged: list[TextRun] = []
    for run in runs:
        if merged and run.text and merged[-1].italic == run.italic:
            merged[-1] = TextRun(merged[-1].text + run.text, run.italic)
        elif run.text:
            merged.append(run)
    return tuple(merged)
