"""Finds errors in the text of a post before it is rendered: what would be lost, or stand on the page as it is typed."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from markdown import Markdown

from site_builder.markup.block_lines import code_lines
from site_builder.markup.segments import Segment, line_start, segments
from site_builder.values.characters import FORBIDDEN, code_of

SyntaxProblem = tuple[int, str, str]  # line, problem, cure

_LIST_MARK = re.compile(r"[ \t>]*(?:[-*+]|\d+[.)])[ \t]+")
_UNREAD_FENCE = (
    "this block of code is never closed, or would not be read as one",
    'close it by the very signs with which it begins, on a line of their own; write a language, title="…" or {…} alone '
    "behind the first ones; begin all of its lines with the same spaces or >, in a list below the words of the item",
)
_UP_TO = r"(?:(?!\n[ \t>]*\n).)*?"  # within a paragraph
# What is refused in text: signs of which one occurs in it, a pattern, problem and cure with the words of the pattern.
_IN_TEXT: tuple[tuple[tuple[str, ...], str, str, str], ...] = (
    (("^[",), r"(?<!\\)\^\[(?P<words>[^\]^\n]{2,})\](?!\^)",
     "a note stands in the text: ^[<words>]", "write [^1] there, and on a line [^1]: <words>"),
    (("===",), r'^[ \t>]*===[+!]{0,2}[ \t]+(?P<words>[^\s"=][^\n]*)$',
     "the title of a tab stands in quotes", 'write === "<words>"'),
    (("```", "~~~"), rf"^{_LIST_MARK.pattern}(?:`{{3,}}[^`\n]*|~{{3,}}[^\n]*)$", *_UNREAD_FENCE),
    (("$$",), r"(?<!\\)\$\$",
     "this formula is never closed before an empty line, or it is empty",
     "close it with $$, or write \\$\\$ for the signs"),
    (("<!--",), r"(?<!\\)<!--", "this comment is never closed", "close it with -->"),
    (("$",), r"(?<![\\$\w])\$(?P<words>(?![\s$\d])[^$\n]{0,60}(?<![\s\\]))\$(?=\d)",
     "$<words>$ is no formula, since a digit follows it",
     "write the digit into the formula, or \\$ for the sign of money"),
    (("$",), r"(?<![\\$])\$(?!\$)(?=[^$\n]*\\[A-Za-z])(?P<words>[ \t][^$\n]*|[^$\n]*[ \t])\$(?!\$)",
     "$<words>$ is no formula, since a space stands beside a dollar sign in it",
     "write $<words>$, or \\$ for the sign of money"),
    (("\\[", "\\(", "\\begin"),
     rf"(?<!\\)\\\[(?!\^)(?=(?:(?!\\\]).)*?(?:\\[A-Za-z]|[_=^])){_UP_TO}\\\]|\\\\\({_UP_TO}\\\\\)"
     rf"|\\\\\[{_UP_TO}\\\\\]|^[ \t>]*\\\[[ \t]*$|(?<!\\)\\begin\{{[A-Za-z]+\*?\}}",
     "this TeX is no formula: it stands outside one, has two backslashes, or ends within a line or after an empty line",
     "write $…$ or \\(…\\) in a line, $$…$$ or \\[…\\] from the beginning of a line to an end, or `…` around code"),
)  # fmt: skip
_REFUSED = [
    (signs, re.compile(pattern, re.DOTALL | re.MULTILINE), problem, cure) for signs, pattern, problem, cure in _IN_TEXT
]

# Of a formula that begins with a number: words, or a sign at its end, as between two sums of money.
_SUM = re.compile(
    r"\$\d.*?(?:[\s,](?:[A-Za-z]{3,}|an|as|by|if|in|is|it|of|on|or|to)(?=[\s,.;:!?$])|[-+/=(,;]\s*\$$)", re.DOTALL
)
_BRACKETED_WORDS = re.compile(r"\\[(\[].*[A-Za-z]{3}", re.DOTALL)
_COMMAND_OR_BRACES = re.compile(r"\\[A-Za-z]+\*?|\{(?:[^{}]|\{[^{}]*\})*\}")
_EXPRESSION = re.compile(r"\{\{-?[A-Za-z_]\w+[.\[|(][^{}]*\}\}")

_FENCE = re.compile(r"`{3,}[^`\n]*(?:\n|\Z)|~{3,}")
_USUAL_FENCE = re.compile(r"(`{3,}|~{3,})[\w#+.-]*[ \t]*\n(?:.*\n)*\1")
_DIAGRAM = re.compile(r"[`~]{3,}[ \t]*\{?[ \t]*\.?(?P<language>mermaid|plantuml|geojson|topojson)\b")
_CELL = re.compile(r"[`~]{3,}[ \t]*\{(?P<language>[A-Za-z]\w*)(?=[ ,}])")

_COLONS = re.compile(r"^[ \t>]*:::+(?P<rest>.*)$", re.MULTILINE)
_OPENS = re.compile(r"[ \t]*(?:[\w-]+|\{[^{}\n]*\})[ \t:]*")
_ATTRIBUTES = re.compile(r"^[ \t>]*\{:[^{}\n:/][^{}\n]*\}[ \t]*$", re.MULTILINE)
_NO_PARAGRAPH = re.compile(  # an empty line, a heading, a rule, a row, a fence, a block of its own, HTML
    r"[ \t>]*(?:(?:[-*_`~]{3,}|\{\{.*\}\}|.*(?:\$\$|\\\])|#.*|\|.*|.*\||</.*"
    r"|<.*</(?:div|table|ul|ol|dl|pre|p|details|figure|section|blockquote)>)?[ \t]*)$"
)
_ATTRIBUTES_CURE = (
    "put the block between ::: {.name} and :::, each on a line of its own; a heading has it behind its words, "
    "code behind the signs of its fence, ```{.python .name}, and HTML in its tag"
)


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
            found += [*_in_text(piece), *_attribute_lists(piece, text)]
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
    """What other programs read, and Markdown would print."""
    for signs, pattern, problem, cure in _REFUSED:
        for line, found in _matches(pattern, piece) if any(sign in piece.text for sign in signs) else ():
            words = found.groupdict().get("words", "")
            yield line, problem.replace("<words>", words), cure.replace("<words>", words.strip())


def _attribute_lists(piece: Segment, text: str) -> Iterator[SyntaxProblem]:
    """Attribute lists on a line of their own that end no paragraph."""
    for line, found in _matches(_ATTRIBUTES, piece) if "{:" in piece.text else ():
        above = line - 2  # as lines are counted from 0
        if above < 0 or above in code_lines(text) or _NO_PARAGRAPH.match(text.split("\n")[above]):
            message = f"the attribute list {found[0].strip(' >')} stands below no paragraph, where it is not read"
            yield line, message, _ATTRIBUTES_CURE


def _in_tex(piece: Segment) -> Iterator[SyntaxProblem]:
    """Sums of money and words in brackets that would be a formula, and Jinja without a space after its braces."""
    shown = _COMMAND_OR_BRACES.sub("0", piece.text)
    if _SUM.match(shown) or _BRACKETED_WORDS.match(shown):
        message = f"{' '.join(piece.text.split())} is a formula, and looks like money or words"
        cure = (
            "write \\$ for the sign of money, and brackets around words without \\; in a formula \\text{or} for words"
        )
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
    is_in_line = front.strip(" \t>") and not _LIST_MARK.fullmatch(front)
    if is_in_line or not _FENCE.match(piece.text) or (not front and _USUAL_FENCE.fullmatch(piece.text)):
        return
    if not _is_one_fence(f"{front}{piece.text}"):
        yield piece.line, *_UNREAD_FENCE


@cache
def _fences() -> Markdown:
    return Markdown(extensions=["pymdownx.superfences"])


def _is_one_fence(text: str) -> bool:
    """True when superfences reads these lines as one block of code."""
    reader = _fences().reset()
    return len(reader.preprocessors["fenced_code_block"].run(text.split("\n"))) == reader.htmlStash.html_counter == 1


def _div_errors(pieces: Sequence[Segment]) -> Iterator[SyntaxProblem]:
    """Lines of colons that open a div which is never closed, that close none, or that have other words on them."""
    opened: list[int] = []
    for line, found in (each for piece in pieces if piece.kind == "text" for each in _matches(_COLONS, piece)):
        if _OPENS.fullmatch(found["rest"]):
            opened.append(line)
        elif found["rest"].strip(" \t:"):
            cure = "write ::: note or ::: {.note}, with nothing else on the line"
            yield line, "the words after ::: are not understood", cure
        elif opened:
            opened.pop()
        else:
            yield line, "this ::: closes nothing", "delete it, or write ::: note where the block begins"
    for line in opened:
        yield line, "this ::: is never closed", "close it with ::: on a line of its own"
