"""Splits the text of a post into code, TeX, Jinja, comments and other text, before Markdown converts it."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from site_builder.markup.block_lines import code_lines

Kind = Literal["text", "code", "tex", "display", "jinja", "comment", "html code"]

# Each way begins with a sign that is written out (not "`+"): then re looks for these signs alone, five times as fast.
_SIGNS = re.compile(r"\\(?:.|\Z)|``*|~~*|\$\$?|<|\{", re.DOTALL)
_BLANK_LINE = re.compile(r"\n[ \t>]*(?=\n|\Z)")  # in a quotation a line that holds the > alone
_IN_TEX = re.compile(rf"\\[^\n]|[{{}}$]|{_BLANK_LINE.pattern}")
_HTML_CODE = re.compile(r"<(pre|code|script|style)(?=[\s>/])", re.IGNORECASE)
_COMMENT = re.compile(r"\{#[-+]?\s")  # {#1, #2} is text
_RAW = re.compile(r"\{%[-+]?\s*raw\s*[-+]?%\}")
_RAW_END = re.compile(r"\{%[-+]?\s*endraw\s*[-+]?%\}")

_IN_TAG = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[{}%]", re.DOTALL)
_BRACKETS = {r"\(": r"\)", r"\[": r"\]"}
_BEFORE_DISPLAY = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*")
_AFTER_DISPLAY = re.compile(r"[.,;:]?[ \t]*$", re.MULTILINE)
_IN_ADDRESS = re.compile(r"(?:\]\(|\[[^\]\n]*\]:[ \t]*)\S*$")  # of a link, in which \( is a bracket
_DEEPEST = 100  # braces within one another; who has more has left some open
_TAG_CLOSINGS = {"{{": "}}", "{%": "%}"}
_OPENINGS = (*_TAG_CLOSINGS, "{#")


class Segment(NamedTuple):
    """A piece of a text. start, end: its offsets; line: the line in which it starts, from 1."""

    kind: Kind
    start: int
    end: int
    text: str
    line: int


def segments(text: str, jinja: bool) -> tuple[Segment, ...]:
    """Split a text into pieces that together are the whole of it. jinja: whether Jinja tags are pieces of their own.

    A fenced block begins at its signs, after the indentation or the > in front of them, and ends with its last sign.
    """
    return _split(text, jinja and any(opening in text for opening in _OPENINGS))


@lru_cache(maxsize=4)  # for the steps that follow each other on one text
def _split(text: str, jinja: bool) -> tuple[Segment, ...]:
    found: list[Segment] = []
    done, line = 0, 1
    for kind, start, end in (*_pieces(text, jinja), (None, len(text), len(text))):
        if done < start:
            found.append(Segment("text", done, start, text[done:start], line))
            line += text.count("\n", done, start)
        if kind:
            found.append(Segment(kind, start, end, text[start:end], line))
            line += text.count("\n", start, end)
        done = end
    return tuple(found)


def _pieces(text: str, jinja: bool) -> Iterator[tuple[Kind, int, int]]:
    """The pieces that are not text: their kinds, where they begin, and where they end."""
    at, indented = 0, _indented_code(text)
    while (signs := _SIGNS.search(text, at)) or indented:
        if indented and (not signs or indented[-1][0] <= signs.start()):
            start, end = indented.pop()
            if at <= start:
                yield "code", start, end
                at = end
        elif signs:
            kind, end = _kind_and_end(text, signs.start(), signs[0], jinja)
            if end:
                yield kind, signs.start(), end
            at = end or signs.end()


def _indented_code(text: str) -> list[tuple[int, int]]:
    """The offsets of each line of indented code, the first one last."""
    found, start, numbers = [], 0, code_lines(text)
    for number, line in enumerate(text.split("\n") if numbers else ()):
        if number in numbers:
            found.append((start, start + len(line)))
        start += len(line) + 1
    return found[::-1]


def tag_end(text: str, start: int) -> int:
    """Return the end of the Jinja tag that starts here, past its braces; 0 when it is none or never ends."""
    opening = text[start : start + 2]
    if opening == "{#":
        if not _COMMENT.match(text, start):
            return 0
        closing = text.find("#}", start + 2)
        return closing + 2 if closing >= 0 else 0
    if opening not in _TAG_CLOSINGS:
        return 0
    if raw := _RAW.match(text, start):
        raw_end = _RAW_END.search(text, raw.end())
        return raw_end.end() if raw_end else 0
    return _expression_end(text, start + 2, _TAG_CLOSINGS[opening])


def tag_in_tex_end(text: str, start: int) -> int:
    """Return the end of the Jinja tag that starts here in TeX: in TeX, white space follows its braces."""
    return tag_end(text, start) if text[start + 2 : start + 3].isspace() else 0


def line_start(text: str, at: int) -> int:
    """Return the offset at which the line of an offset begins."""
    return text.rfind("\n", 0, at) + 1


def _expression_end(text: str, at: int, closing: str) -> int:
    """Past the closing braces of a tag; those in strings, and those of mappings, do not count."""
    depth = 0
    while depth <= _DEEPEST and (found := _IN_TAG.search(text, at)):
        at, sign = found.end(), found.group()
        if depth == 0 and text.startswith(closing, found.start()):
            return found.start() + 2
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth = max(0, depth - 1)
    return 0


def _kind_and_end(text: str, start: int, signs: str, jinja: bool) -> tuple[Kind, int]:
    """The kind of the piece that begins at these signs, and where it ends; 0 when the signs are text."""
    after = start + len(signs)
    if signs[0] in "`~":
        return "code", (_fence_end(text, start, signs) if len(signs) >= 3 else 0) or _span_end(text, after, signs)
    if signs == "$$":
        end = _tex_end(text, after, signs, jinja)
        return "display", end + 2 if text[after:end].strip() else 0
    if signs == "$" and not text[after : after + 1].isspace():
        end = _tex_end(text, after, signs, jinja)
        is_text = end <= after or text[end - 1].isspace() or text[end + 1 : end + 2].isdigit()
        return "tex", 0 if is_text else end + 1
    if closing := _BRACKETS.get(signs):
        end, before = _tex_end(text, after, closing, jinja), text[line_start(text, start) : start]
        if signs == r"\(":
            is_text = _IN_ADDRESS.search(before) is not None
        else:  # a pair that does not begin and end its line is one of escaped brackets
            is_text = not (_BEFORE_DISPLAY.fullmatch(before) and _AFTER_DISPLAY.match(text, end + 2))
        return "tex" if signs == r"\(" else "display", 0 if is_text or not text[after:end].strip() else end + 2
    if signs == "<" and text.startswith("<!--", start):
        end = text.find("-->", start + 4)
        return "comment", end + 3 if end >= 0 else 0
    if signs == "<" and (element := _HTML_CODE.match(text, start)):
        closing_tag = re.compile(rf"</{element[1]}\s*>", re.IGNORECASE).search(text, element.end())
        return "html code", closing_tag.end() if closing_tag else 0
    return "jinja", tag_end(text, start) if signs == "{" and jinja else 0


def _span_end(text: str, after: int, signs: str) -> int:
    """Where the code span ends that backticks before `after` open, within its paragraph; 0 when there is none."""
    found = re.compile(f"(?<!`){signs}(?!`)|{_BLANK_LINE.pattern}").search(text, after)
    return found.end() if found and found[0] == signs and signs[0] == "`" else 0


def _fence_end(text: str, start: int, signs: str) -> int:
    """Where the fenced block ends whose signs stand here; 0 when no block begins here. Unclosed, it takes the rest.

    Source: CommonMark, section 4.5, fenced code blocks.
    """
    front = text[line_start(text, start) : start]
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    if front.strip(" \t>") or (signs[0] == "`" and "`" in text[start + len(signs) : line_end]):
        return 0
    closing = re.compile(rf"^(?P<front>[ \t>]*){signs[0]}{{{len(signs)},}}(?=[ \t]*$)", re.MULTILINE)
    for found in closing.finditer(text, line_end):
        is_as_far = len(found["front"].expandtabs(4)) <= len(front.expandtabs(4)) + 3
        if is_as_far and found["front"].count(">") == front.count(">"):
            return found.end()
    return len(text)


def _tex_end(text: str, start: int, closing: str, jinja: bool) -> int:
    """The offset of the sign that ends the TeX; 0 when there is none before an empty line.

    Dollar signs in braces belong to the TeX, as in \\text{if $x$}. When its braces do not match, the first sign ends
    it, so that an error is reported for a formula instead of text being printed.
    """
    at, depth, first = start, 0, 0
    while depth <= _DEEPEST and (found := _IN_TEX.search(text, at)) and found.group()[0] != "\n":
        at, sign = found.end(), found.group()
        if sign == "{":
            if jinja and (end := tag_in_tex_end(text, found.start())):
                at = end
            else:
                depth += 1
        elif sign == "}":
            depth = max(0, depth - 1)
        elif text.startswith(closing, found.start()):
            if depth == 0:
                return found.start()
            first = first or found.start()
    return first


def without(text: str, *kinds: str, filler: str = "") -> str:
    """Return the text with segments of these kinds left out, line for line; filler: for each of their characters."""
    return "".join(
        "\n".join(filler * len(line) for line in each.text.split("\n")) if each.kind in kinds else each.text
        for each in segments(text, jinja=False)
    )
