"""Converts labels with TeX to upright and italic runs of text, for formulas simple enough for the linear format."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from site_builder.markup.segments import segments
from site_builder.markup.tex.convert import convert
from site_builder.markup.tex.errors import TexError
from site_builder.markup.tex.plain_text import CLOSE, OPEN, SPACED
from site_builder.markup.typeset import bare_tex

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


def text_runs(text: str) -> tuple[TextRun, ...]:
    """Return the runs of a label. Raises NotLinearError when a formula has no linear format or its TeX is invalid."""
    return _merged(
        run for kind, piece in split_tex(text) for run in (_formula(piece) if kind == "tex" else [TextRun(piece)])
    )


def split_tex(text: str) -> list[tuple[str, str]]:
    """Split a label into ("text", plain text) and ("tex", a formula without its dollar signs)."""
    if "$" not in text and "`" not in text:
        return [("text", text)]
    found = []
    for segment in segments(text, jinja=False):
        if segment.kind in ("tex", "display"):
            found.append(("tex", bare_tex(segment.text)))
        else:
            plain = segment.text.strip("`") if segment.kind == "code" else segment.text
            found.append(("text", plain.replace("\\$", "$")))
    return found


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
