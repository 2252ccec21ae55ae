"""Splits Quarto's Markdown into divs, code and paragraphs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from site_builder.importer.markdown import patterns
from site_builder.importer.markdown.conversion import SourceLine

CAPTION = re.compile(r"(?:[Tt]able)?:[ \t]+(?P<words>.*?)[ \t]*(?:\{(?P<attributes>[^{}]*)\})?[ \t]*$", re.DOTALL)
MARKS = r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*"  # of list items
_FENCE = re.compile(rf"(?P<front>{MARKS})(?P<signs>`{{3,}}|~{{3,}})[ \t]*(?P<words>[^`\n]*)$")
_DIV = re.compile(r"(?P<front>[ \t]*):{3,}[ \t]*(?:\{(?P<braces>.*)\}|(?P<word>[\w-]+))[ \t]*:*[ \t]*$")
_QUOTE = re.compile(r"[ \t]*>")
_DIV_END = re.compile(r"[ \t]*:{3,}[ \t]*$")


@dataclass(frozen=True)
class Block:
    """Lines that belong together. kind: code, div, quote, blank or text; head: the first line of code and divs."""

    kind: str
    lines: tuple[SourceLine, ...]
    head: re.Match[str] | None = None
    is_closed: bool = True


def split_blocks(lines: Sequence[SourceLine]) -> Iterator[Block]:
    """Split lines into blocks. A line that closes no div is a blank block which is not empty."""
    at, text = 0, []
    while at < len(lines):
        line = lines[at]
        fence, div = _FENCE.match(line.text), _DIV.match(line.text)
        is_quote = bool(_QUOTE.match(line.text))
        if not (fence or div or is_quote or _DIV_END.match(line.text)) and line.text.strip():
            text.append(line)
            at += 1
            continue
        yield from _text_blocks(text)
        text = []
        if fence:
            end = _end_of_fence(lines, at, fence)
            yield Block("code", tuple(lines[at:end]), fence)
        elif is_quote:
            end = next((each for each in range(at, len(lines)) if not _QUOTE.match(lines[each].text)), len(lines))
            yield Block("quote", tuple(lines[at:end]))
        elif div:
            end, is_closed = _end_of_div(lines, at)
            yield Block("div", tuple(lines[at:end]), div, is_closed)
        else:
            end = at + 1
            yield Block("blank", (line,))
        at = end
    yield from _text_blocks(text)


def _text_blocks(lines: Sequence[SourceLine]) -> Iterator[Block]:
    """Lines without a blank one among them as a block; a table's caption is one of its own."""
    whole = Block("text", tuple(lines))
    end = next((at for at, line in enumerate(lines) if at > 1 and CAPTION.match(line.text)), 0)
    if end and is_table(whole):
        yield from (Block("text", tuple(lines[:end])), Block("text", tuple(lines[end:])))
    elif lines:
        yield whole


def is_table(block: Block) -> bool:
    """True when a block is a table with a header row."""
    return (
        block.kind == "text"
        and len(block.lines) > 1
        and "|" in block.lines[0].text + block.lines[1].text
        and patterns.TABLE_RULE.match(block.lines[1].text) is not None
    )


def lines_inside(block: Block) -> tuple[SourceLine, ...]:
    """The lines between two fences."""
    is_closed = re.match(r"[ \t]*(`{3,}|~{3,})[ \t]*$", block.lines[-1].text)
    return block.lines[1 : -1 if is_closed else None]


def _end_of_div(lines: Sequence[SourceLine], start: int) -> tuple[int, bool]:
    """The index after the line that closes a div, and whether there is such a line."""
    at, depth = start + 1, 1
    while at < len(lines):
        if fence := _FENCE.match(lines[at].text):
            at = _end_of_fence(lines, at, fence)
            continue
        depth += 1 if _DIV.match(lines[at].text) else -1 if _DIV_END.match(lines[at].text) else 0
        at += 1
        if depth == 0:
            return at, True
    return at, False


def _end_of_fence(lines: Sequence[SourceLine], start: int, fence: re.Match[str]) -> int:
    """The index after the line that closes a fence."""
    signs = fence["signs"]
    closing = re.compile(rf"[ \t]*{signs[0]}{{{len(signs)},}}[ \t]*$")
    after = (at + 1 for at in range(start + 1, len(lines)) if closing.match(lines[at].text))
    return next(after, len(lines))
