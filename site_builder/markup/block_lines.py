"""Finds the blocks in which the lines of a text stand, and writes lists as Python-Markdown reads them.

Lists nest as in CommonMark: what is indented as far as an item's text belongs to the item. Python-Markdown nests by
four columns alone, and begins a list after an empty line alone.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

_ANY_MARK = re.compile(r"^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]", re.MULTILINE)
_MAY_HAVE_CODE = re.compile(r"\n[ \t>]*\n[ >]*(?: {4}|\t)")  # behind an empty line
_MARK = re.compile(r"(?P<indent> {0,3})(?:(?P<bullet>[-*+])|(?P<number>\d{1,9})[.)])(?P<space> +)(?=\S)")
_RULE = re.compile(r" {0,3}([-*_])(?: *\1){2,} *$")
_QUOTE = re.compile(r" {0,3}> ?")
_INDENTED = re.compile(r' {0,3}(?:!!! ?\w|\?{3}\+? ?\w|={3}[!+]? ?"|\[\^[^\]]+\]:|: )')  # blocks with text by 4 columns
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_ELEMENT = re.compile(r" {0,3}<(?:(pre|script|style|textarea)(?=[\s>])|!--)", re.IGNORECASE)
_BLOCKS = "article|aside|blockquote|details|div|dl|figure|footer|form|h[1-6]|header|main|nav|ol|p|section|table|ul"
_INTERRUPTS = re.compile(rf" {{0,3}}(?:#{{1,6}} |>|</?(?:{_BLOCKS})[\s/>]|<!--|:{{3}})", re.IGNORECASE)
_STEP = 4


@dataclass
class _Block:
    """An open block. kind: quote, item or indented; width: of the columns in front of its text.

    is_at_head: no empty line was read in it.
    """

    kind: str
    width: int = 0
    is_numbered: bool = False
    is_at_head: bool = True


@dataclass(frozen=True)
class Line:
    """A line as Python-Markdown reads it. after_empty: it needs an empty line before it; is_code: is indented code."""

    text: str
    after_empty: bool = False
    is_code: bool = False


def with_lists(text: str) -> str:
    """Return the text with four columns for each level of its lists, and an empty line before each of them."""
    if not _ANY_MARK.search(text):
        return text
    found: list[str] = []
    for line in block_lines(text):
        if line.after_empty:
            front = re.match(r"[ >]*>|", line.text)
            found.append(front[0] if front else "")
        found.append(line.text)
    return "\n".join(found)


def code_lines(text: str) -> frozenset[int]:
    """Return the numbers, from 0, of the lines of indented code."""
    if not _MAY_HAVE_CODE.search(f"\n\n{text}"):
        return frozenset()
    return frozenset(number for number, line in enumerate(block_lines(text)) if line.is_code)


@lru_cache(maxsize=2)
def block_lines(text: str) -> tuple[Line, ...]:
    """Return the lines of a text as they stand in its blocks."""
    reader = _Reader()
    return tuple(reader.read(line) for line in text.split("\n"))


class _Reader:
    """Reads one line after the other. Source of the rules: CommonMark 0.31, sections 4.4, 4.5, 5.1 and 5.2."""

    def __init__(self) -> None:
        self._open: list[_Block] = []
        self._end: re.Pattern[str] | None = None  # of a fence or an element, whose lines are not read
        self._end_indent = 0
        self._is_after_empty = True
        self._is_in_paragraph = False
        self._is_in_code = False

    def read(self, line: str) -> Line:
        """Return the next line."""
        if not line.strip():
            self._is_after_empty, self._is_in_paragraph = True, False
            return Line(line)
        shown = _expanded(line)
        matched, at = self._matched(shown)
        if self._end and matched == len(self._open):
            made = self._unread(line, shown[at:])
        else:
            self._end = None
            made = self._continued(line, shown[at:], matched)
        self._is_after_empty, self._is_in_code = False, made.is_code
        return made

    def _matched(self, line: str) -> tuple[int, int]:
        """How many of the open blocks a line continues, and the column behind what stands in front of their text."""
        at = 0
        for number, block in enumerate(self._open):
            if block.kind == "quote":
                found = _QUOTE.match(line, at)
                if not found:
                    return number, at
                at = found.end()
            elif line[at : at + block.width].strip(" "):
                return number, at
            else:
                at += block.width
        return len(self._open), at

    def _unread(self, line: str, rest: str) -> Line:
        """A line within a fence or an element."""
        if self._end and self._end.search(rest):
            self._end = None
        return Line(self._placed(line, rest[min(_indent(rest), self._end_indent) :]))

    def _continued(self, line: str, rest: str, matched: int) -> Line:
        """A line that continues so many of the open blocks."""
        closed = self._open[matched:]
        if closed and self._is_in_paragraph and not self._interrupts(rest, closed[0]):
            is_quoted = any(block.kind == "quote" for block in closed)
            return Line(line if is_quoted else self._placed(line, rest.lstrip(" ")))
        del self._open[matched:]
        self._is_in_paragraph = self._is_in_paragraph and not closed
        if self._is_after_empty:
            for block in self._open:
                block.is_at_head = False
        if not self._is_in_paragraph and (self._is_after_empty or self._is_in_code) and _indent(rest) >= _STEP:
            return Line(self._placed(line, rest), is_code=True)
        return self._opened(line, rest, closed)

    def _opened(self, line: str, rest: str, closed: list[_Block]) -> Line:
        """A line of text, or one that opens blocks."""
        after_empty = not self._is_after_empty and any(block.kind != "quote" for block in closed)
        before = closed[0] if closed else None
        front = self._front()
        while not _RULE.match(rest):
            if quote := _QUOTE.match(rest):
                self._open.append(_Block("quote"))
                front += "> "
                rest, before = rest[quote.end() :], None
                self._is_in_paragraph = False
            elif (mark := _MARK.match(rest)) and (not self._is_in_paragraph or _begins_list(mark)):
                if before and before.kind == "item" and before.is_numbered == bool(mark["number"]):  # the next item
                    after_empty = after_empty and not all(block.is_at_head for block in closed)
                else:
                    after_empty = after_empty or (self._is_in_paragraph and not self._is_at_head())
                self._open.append(_Block("item", _width(mark), bool(mark["number"])))
                front += f"{mark['bullet'] or mark['number'] + '.'} "
                rest, before = rest[_width(mark) :], None
                self._is_in_paragraph = False
            else:
                break
        made = Line(front + rest.lstrip(" ") if self._is_in_list() else line, after_empty)
        self._note_text(rest)
        return made

    def _note_text(self, rest: str) -> None:
        """Note what a line of text begins."""
        self._is_in_paragraph = not rest.lstrip(" ").startswith("#") and not _RULE.match(rest)
        if fence := _FENCE.match(rest):
            self._end = re.compile(rf"^ *{fence[1][0]}{{{len(fence[1])},}} *$")
        elif element := _ELEMENT.match(rest):
            end = re.compile(rf"</{element[1]}\s*>" if element[1] else "-->", re.IGNORECASE)
            self._end = None if end.search(rest, element.end()) else end
        elif _INDENTED.match(rest):
            self._open.append(_Block("indented", _STEP, is_at_head=False))
        if self._end:
            self._end_indent, self._is_in_paragraph = _indent(rest), False

    def _interrupts(self, rest: str, closed: _Block) -> bool:
        """True when a line that continues no paragraph begins here."""
        mark = None if _RULE.match(rest) else _MARK.match(rest)
        if mark and (closed.kind == "item" or _begins_list(mark)):
            return True
        return bool(_RULE.match(rest) or _FENCE.match(rest) or _INTERRUPTS.match(rest) or _INDENTED.match(rest))

    def _is_at_head(self) -> bool:
        return bool(self._open) and self._open[-1].kind == "item" and self._open[-1].is_at_head

    def _is_in_list(self) -> bool:
        return any(block.kind == "item" for block in self._open)

    def _front(self) -> str:
        return "".join("> " if block.kind == "quote" else " " * _STEP for block in self._open)

    def _placed(self, line: str, rest: str) -> str:
        """The rest of a line behind the front of the open blocks; outside of lists the line as it is."""
        return self._front() + rest if self._is_in_list() else line


def _begins_list(mark: re.Match[str]) -> bool:
    """True for a mark that may begin a list right after a line of text."""
    return mark["number"] in (None, "1")


def _width(mark: re.Match[str]) -> int:
    """The columns in front of an item's text; behind more than four spaces it is code."""
    return len(mark[0]) if len(mark["space"]) <= _STEP else mark.end() - len(mark["space"]) + 1


def _expanded(line: str) -> str:
    """The line with tabs in front of its text as spaces."""
    text = line.lstrip(" \t>")
    return line[: len(line) - len(text)].expandtabs(_STEP) + text


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
