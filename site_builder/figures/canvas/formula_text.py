"""Labels with TeX in them as letters, upright and italic, as far as letters in a row can say what the TeX says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from site_builder.markup.segments import segments
from site_builder.markup.tex.convert import convert
from site_builder.markup.tex.errors import TexError
from site_builder.markup.tex.plain_text import CLOSE, OPEN, SPACED
from site_builder.markup.typeset import bare_tex

_LOWERED = dict(zip("0123456789+−", "₀₁₂₃₄₅₆₇₈₉₊₋", strict=True))
_RAISED = dict(zip("0123456789+−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", strict=True))
_SCRIPTS = {"msub": _LOWERED, "msup": _RAISED}
_ROWS = ("mrow", "mstyle", "mpadded")


@dataclass(frozen=True)
class Run:
    """A stretch of letters in one style."""

    text: str
    italic: bool = False


class NotInARowError(Exception):
    """A formula that letters in a row cannot show, such as a fraction."""


def runs(text: str) -> tuple[Run, ...]:
    """The label as runs. Raises NotInARowError where it needs more, or where its TeX is broken."""
    return _joined(run for kind, piece in pieces(text) for run in (_formula(piece) if kind == "tex" else [Run(piece)]))


def pieces(text: str) -> list[tuple[str, str]]:
    """The label in pieces: ("text", the letters themselves) and ("tex", a formula without its dollar signs)."""
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


def _formula(tex: str) -> list[Run]:
    try:
        math = ElementTree.fromstring(convert(tex, False).mathml)
    except TexError as error:
        raise NotInARowError(tex) from error
    return list(_row([math[0]]))


def _row(nodes: Sequence[ElementTree.Element]) -> Iterator[Run]:
    before = ""
    for node in nodes:
        if node.tag in _ROWS:
            yield from _row(list(node))
        elif node.tag in _SCRIPTS:
            yield from _row([node[0]])
            yield Run(_script(node[1], _SCRIPTS[node.tag]))
        elif node.tag == "mspace":
            yield Run("\N{THIN SPACE}" if node.get("width", "").strip("0.em") else "")
        elif node.tag in ("mi", "mn", "mo", "mtext"):
            yield _leaf(node, before)
        else:
            raise NotInARowError(node.tag)
        before = (node.text or node.tag) if node.tag == "mo" else node.tag


def _leaf(node: ElementTree.Element, before: str) -> Run:
    """before: the sign that stands before the node, or what else does; empty at the start of a row."""
    text = node.text or ""
    if node.tag == "mi":
        return Run(text, italic=len(text) == 1 and node.get("mathvariant") != "normal")
    if node.tag == "mo":
        has_left = before not in OPEN | SPACED and before not in (",", "")
        if text in SPACED and has_left:
            return Run(f"\N{NO-BREAK SPACE}{text}\N{NO-BREAK SPACE}")
        return Run(f"{text} " if text in (",", ";") and text not in CLOSE else text)
    return Run(text)


def _script(node: ElementTree.Element, signs: dict[str, str]) -> str:
    """A small index or power by its own characters, of which there are few."""
    text = "".join(node.itertext())
    if any(character not in signs for character in text):
        raise NotInARowError(text)
    return "".join(signs[character] for character in text)


def _joined(found: Iterator[Run]) -> tuple[Run, ...]:
    """The runs without empty ones, neighbours of one style put together."""
    joined: list[Run] = []
    for run in found:
        if joined and run.text and joined[-1].italic == run.italic:
            joined[-1] = Run(joined[-1].text + run.text, run.italic)
        elif run.text:
            joined.append(run)
    return tuple(joined)
