"""Finds constructs of other Markdown dialects that a post would print raw: each is an error with what to do instead."""

import re
from collections.abc import Iterator, Sequence

from site_builder.markup.segments import Segment

_COLONS = re.compile(r"^(?P<front>[ \t>]*):::+(?P<rest>.*)$", re.MULTILINE)
_OPENS = re.compile(r"[ \t]*(?:[\w-]+|\{[^{}\n]*\})[ \t:]*")
_TAB_WITHOUT_QUOTES = re.compile(r'^[ \t>]*===[+!]{0,2}[ \t]+(?P<title>[^\s"=].*)$', re.MULTILINE)
_DIAGRAM = re.compile(r"[`~]{3,}[ \t]*\{?[ \t]*\.?(?P<language>mermaid|plantuml|geojson|topojson)\b")
_CELL = re.compile(r"[`~]{3,}[ \t]*\{(?P<language>[A-Za-z]\w*)(?=[ ,}])")
_CHEMISTRY = re.compile(r"\\ce(?![A-Za-z])")
_DIV_CURE = "write ::: note or ::: {.note}, with nothing else on the line"


def construct_errors(pieces: Sequence[Segment]) -> Iterator[tuple[int, str, str]]:
    """Yield line, problem and cure of each construct that is not supported or not closed."""
    yield from _div_errors(pieces)
    for piece in pieces:
        if piece.kind == "text" and "===" in piece.text:
            for line, found in _matches(_TAB_WITHOUT_QUOTES, piece):
                yield line, "the title of a tab stands in quotes", f'write === "{found["title"].strip()}"'
        elif piece.kind == "code" and (diagram := _DIAGRAM.match(piece.text)):
            cure = "save the diagram as a picture beside this file and write ![words](file.svg)"
            yield piece.line, f"diagrams in {diagram['language']} are not drawn", cure
        elif piece.kind == "code" and (cell := _CELL.match(piece.text)):
            cure = f"write {piece.text[:3]}{cell['language']} for code that is shown, and compute in a solver"
            yield piece.line, f"a cell {{{cell['language']}}} is not run", cure
        elif piece.kind in ("tex", "display") and "\\ce" in piece.text:
            for line, _ in _matches(_CHEMISTRY, piece):
                cure = "write H~2~O in text, or $\\mathrm{H_2O}$"
                yield line, "formulas of chemistry with \\ce are not supported", cure


def _matches(pattern: re.Pattern[str], piece: Segment) -> Iterator[tuple[int, re.Match[str]]]:
    for found in pattern.finditer(piece.text):
        yield piece.line + piece.text.count("\n", 0, found.start()), found


def _div_errors(pieces: Sequence[Segment]) -> Iterator[tuple[int, str, str]]:
    """Lines of colons that open a div which is never closed, that close none, or that have other words on them."""
    opened: list[int] = []
    for piece in pieces:
        if piece.kind != "text" or ":::" not in piece.text:
            continue
        for line, found in _matches(_COLONS, piece):
            if not found["rest"].strip(" \t:"):
                if not opened:
                    yield line, "this ::: closes nothing", "delete it, or write ::: note where the block begins"
                else:
                    opened.pop()
            elif _OPENS.fullmatch(found["rest"]):
                opened.append(line)
            else:
                yield line, "the words after ::: are not understood", _DIV_CURE
    for line in opened:
        yield line, "this ::: is never closed", "close it with ::: on a line of its own"
