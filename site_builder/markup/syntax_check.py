"""Finds errors in the text of a post before it is rendered: what Markdown would not read as it was meant."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from markdown import Markdown

from site_builder.markup.block_lines import code_lines
from site_builder.markup.segments import Segment, closing_fence, line_start, segments
from site_builder.values.characters import FORBIDDEN, code_of

SyntaxProblem = tuple[int, str, str]  # line, problem, cure

_FENCE = re.compile(r"(`{3,})(?=[^`\n]*(?:\n|\Z))|(~{3,})")
_USUAL_FENCE = re.compile(r"(`{3,}|~{3,})[\w#+.-]*[ \t]*\n(?:.*\n)*\1")
_LIST_MARK = re.compile(r"[ \t>]*(?:[-*+]|\d+[.)])[ \t]+")
_OPENING = re.compile(
    rf"(?P<fence>^{_LIST_MARK.pattern}(?:`{{3,}}[^`\n]*|~{{3,}}[^\n]*)$)"
    r"|\\.|(?P<display>\$\$)|(?P<comment><!--)",
    re.DOTALL | re.MULTILINE,
)
_UNREAD_FENCE = (
    "this block of code would not be read as one",
    'write a language, title="…" or {…} alone behind the signs of its first line, and begin all of its lines with the '
    "same spaces or >, in a list below the words of the item",
)
_UNREAD = {
    "fence": _UNREAD_FENCE,
    "display": (
        "this formula is never closed before an empty line, or it is empty",
        "close it with $$, or write \\$\\$ for the signs",
    ),
    "comment": ("this comment is never closed", "close it with -->"),
}
_PARAGRAPH = r"(?:(?!\n[ \t>]*\n).)*?"
_NOT_TEX = re.compile(
    rf"\\\[(?P<within>{_PARAGRAPH})\\\]"
    rf"|(?P<tex>\\\\\({_PARAGRAPH}\\\\\)|\\\\\[{_PARAGRAPH}\\\\\]|^[ \t>]*\\\[[ \t]*$|\\begin\{{[A-Za-z]+\*?\}})|\\.",
    re.DOTALL | re.MULTILINE,
)
_SIGN_OF_TEX = re.compile(r"\\[A-Za-z]|[\^_=]")
_OUTSIDE = (
    "this TeX is no formula: it stands outside one, has two backslashes, or ends within a line or after an empty line",
    "write $…$ or \\(…\\) in a line, $$…$$ or \\[…\\] from the beginning of a line to an end, or `…` around code",
)
# Of a formula that begins with a number: words, or a sign at its end, as between two sums of money.
_NO_FORMULA = re.compile(r"(?:^|[\s,])(?:[A-Za-z]{3,}|an|as|by|if|in|is|it|of|on|or|to)(?=[\s,.;:!?]|$)|[-+/=(,;]\s*$")
_BEFORE_DIGIT = re.compile(r"(?<![\\$\w])\$(?=[^\s$\d])[^$\n]{0,60}(?<![\s\\])\$(?=\d)")
_SPACED = re.compile(r"(?<![\\$])\$(?!\$)(?=[^$\n]*\\[A-Za-z])(?:[ \t][^$\n]*|[^$\n]*[ \t])\$(?!\$)")
_COMMAND_OR_BRACES = re.compile(r"\\[A-Za-z]+\*?|\{[^{}]*\}")
_WORD = re.compile(r"[A-Za-z]{3,}")
_EXPRESSION = re.compile(r"\{\{-?[A-Za-z_]\w+[.\[|(][^{}]*\}\}")

_COLONS = re.compile(r"^(?P<front>[ \t>]*):::+(?P<rest>.*)$", re.MULTILINE)
_OPENS = re.compile(r"[ \t]*(?:[\w-]+|\{[^{}\n]*\})[ \t:]*")
_TAB_WITHOUT_QUOTES = re.compile(r'^[ \t>]*===[+!]{0,2}[ \t]+(?P<title>[^\s"=].*)$', re.MULTILINE)
_NOTE = re.compile(r"(?<!\\)\^\[(?P<words>[^\]^\n]{2,})\](?!\^)")
_DIAGRAM = re.compile(r"[`~]{3,}[ \t]*\{?[ \t]*\.?(?P<language>mermaid|plantuml|geojson|topojson)\b")
_CELL = re.compile(r"[`~]{3,}[ \t]*\{(?P<language>[A-Za-z]\w*)(?=[ ,}])")
_ATTRIBUTES = re.compile(r"^[ \t>]*\{:[^{}\n:/][^{}\n]*\}[ \t]*$", re.MULTILINE)
_NO_PARAGRAPH = re.compile(  # an empty line, a heading, a rule, a row, a fence, a block of its own, HTML
    r"[ \t>]*(?:(?:[-*_`~]{3,}|\{\{.*\}\}|.*(?:\$\$|\\\])|#.*|\|.*|.*\||</.*"
    r"|<.*</(?:div|table|ul|ol|dl|pre|p|details|figure|section|blockquote)>)?[ \t]*)$"
)
_ATTRIBUTES_CURE = (
    "put the block between ::: {.name} and :::, each on a line of its own; a heading has it behind its words, "
    "code behind the signs of its fence, ```{.python .name}, and HTML in its tag"
)
_DIV_CURE = "write ::: note or ::: {.note}, with nothing else on the line"


def syntax_errors(text: str) -> list[SyntaxProblem]:
    """Return the line, problem and cure of each error, in order."""
    found: list[SyntaxProblem] = []
    for match in FORBIDDEN.finditer(text):
        problem = f"the character {code_of(match.group())} cannot stand in a post"
        found.append((1 + text.count("\n", 0, match.start()), problem, "delete it"))
    pieces = segments(text, jinja=True)
    found += _div_errors(pieces)
    for piece in pieces:
        if piece.kind == "text":
            found += [*_in_text(piece), *_not_tex(piece), *_attribute_lists(piece, text)]
        elif piece.kind in ("tex", "display"):
            found += _in_tex(piece)
        elif piece.kind == "code" and piece.text.startswith(("```", "~~~")):
            found += _in_fenced_code(piece, text[line_start(text, piece.start) : piece.start])
    return sorted(set(found))


def _matches(pattern: re.Pattern[str], piece: Segment) -> Iterator[tuple[int, re.Match[str]]]:
    """Each match with its line."""
    for found in pattern.finditer(piece.text):
        yield piece.line + piece.text.count("\n", 0, found.start()), found


def _in_text(piece: Segment) -> Iterator[SyntaxProblem]:
    """Formulas and comments that begin and do not end, fences beside a list's mark, tabs, notes."""
    for line, found in _matches(_NOTE, piece) if "^[" in piece.text else ():
        yield line, f"a note stands in the text: {found[0]}", f"write [^1] there, and on a line [^1]: {found['words']}"
    for line, found in _matches(_TAB_WITHOUT_QUOTES, piece) if "===" in piece.text else ():
        yield line, "the title of a tab stands in quotes", f'write === "{found["title"].strip()}"'
    has_opening = any(signs in piece.text for signs in ("```", "~~~", "$$", "<!--"))
    for line, found in _matches(_OPENING, piece) if has_opening else ():
        if found.lastgroup:
            yield line, *_UNREAD[found.lastgroup]


def _attribute_lists(piece: Segment, text: str) -> Iterator[SyntaxProblem]:
    """Attribute lists on a line of their own that end no paragraph."""
    for line, found in _matches(_ATTRIBUTES, piece) if "{:" in piece.text else ():
        above = line - 2  # as lines are counted from 0
        if above < 0 or above in code_lines(text) or _NO_PARAGRAPH.match(text.split("\n")[above]):
            message = f"the attribute list {found[0].strip(' >')} stands below no paragraph, where it is not read"
            yield line, message, _ATTRIBUTES_CURE


def _not_tex(piece: Segment) -> Iterator[SyntaxProblem]:
    """A problem for all that LaTeX or a Jekyll blog would show as a formula and a post would show as text."""
    for line, found in _matches(_BEFORE_DIGIT, piece) if "$" in piece.text else ():
        message = f"{found[0]} is no formula, since a digit follows it"
        yield line, message, "write the digit into the formula, or \\$ for the sign of money"
    for line, found in _matches(_SPACED, piece) if "$" in piece.text else ():
        message = f"{found[0]} is no formula, since a space stands beside a dollar sign in it"
        yield line, message, f"write ${found[0][1:-1].strip()}$, or \\$ for the sign of money"
    if "\\[" not in piece.text and "\\(" not in piece.text and "\\begin" not in piece.text:
        return
    for line, found in _matches(_NOT_TEX, piece):
        within = found["within"] or ""
        if found["tex"] or (_SIGN_OF_TEX.search(within) and within[0] != "^"):
            yield line, *_OUTSIDE


def _has_words(tex: str) -> bool:
    """True when three letters stand side by side outside of commands and braces, as in brackets around words."""
    shorter = _COMMAND_OR_BRACES.sub(" ", tex)
    while shorter != tex:
        tex, shorter = shorter, _COMMAND_OR_BRACES.sub(" ", shorter)
    return _WORD.search(tex) is not None


def _in_tex(piece: Segment) -> Iterator[SyntaxProblem]:
    """A problem for all that looks like Jinja and would, without a space after its braces, be printed as a formula."""
    if piece.text[0] == "\\" and _has_words(piece.text[2:-2]):
        message = f"{piece.text[:2]}…{piece.text[-2:]} is a formula, and words stand in this one"
        cure = "write brackets around words without \\, or $…$ for a formula in which they belong"
        yield piece.line, message, cure
    if re.match(r"\$\d", piece.text) and _NO_FORMULA.search(_COMMAND_OR_BRACES.sub("x", piece.text[1:-1])):
        message = f"{' '.join(piece.text.split())} is a formula, and looks like a sum of money with words"
        cure = "write \\$ for the sign of money; in a formula, \\text{or} for words and \\sin for functions"
        yield piece.line, message, cure
    for line, found in _matches(_EXPRESSION, piece):
        cure = f"write {{{{ {found.group()[2:-2].strip(' -')} }}}}"
        yield line, "within TeX a space stands after the braces of a result", cure


def _in_fenced_code(piece: Segment, front: str) -> Iterator[SyntaxProblem]:
    """Fences that Markdown does not read, and languages of code that would be drawn or run elsewhere."""
    if diagram := _DIAGRAM.match(piece.text):
        cure = "save the diagram as a picture beside this file and write ![words](file.svg)"
        yield piece.line, f"diagrams in {diagram['language']} are not drawn", cure
    elif cell := _CELL.match(piece.text):
        cure = f"write {piece.text[:3]}{cell['language']} for code that is shown, and compute in a solver"
        yield piece.line, f"a cell {{{cell['language']}}} is not run", cure
    signs = _FENCE.match(piece.text)
    if not signs or (front.strip(" \t>") and not _LIST_MARK.fullmatch(front)):
        return  # code in a line
    _, line_break, last = piece.text.rpartition("\n")
    closing = closing_fence(signs[0]).fullmatch(last) if line_break else None
    if not closing:
        yield piece.line, "this fence is never closed", f"close it with {signs[0]} on a line of its own"
    elif closing["signs"] != signs[0]:
        cure = f"close it with {signs[0]}, neither more nor fewer signs"
        yield piece.line + piece.text.count("\n"), f"this fence was opened with {signs[0]}", cure
    elif (front or not _USUAL_FENCE.fullmatch(piece.text)) and not _is_one_fence(f"{front}{piece.text}"):
        yield piece.line, *_UNREAD_FENCE


@cache
def _fences() -> Markdown:
    return Markdown(extensions=["pymdownx.superfences"])


def _is_one_fence(text: str) -> bool:
    """True when superfences reads these lines as one block of code."""
    reader = _fences().reset()
    return len(reader.preprocessors["fenced_code_block"].run(text.split("\n"))) == reader.htmlStash.html_counter == 1


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
