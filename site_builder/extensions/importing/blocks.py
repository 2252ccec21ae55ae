"""Converts the blocks that posts write in another way: headings, fences, tables, attribute lists of kramdown.

What stays in a text as it is is listed, each construct with what to do.
"""

import re
from collections.abc import Callable, Sequence

from site_builder.extensions.importing.lines import ConversionContext, fence_at, in_code
from site_builder.extensions.importing.quarto import CELL, cell_as_code
from site_builder.extensions.importing.spans import convert_spans
from site_builder.markup.block_lines import code_lines
from site_builder.markup.markdown import anchor_of
from site_builder.markup.segments import segments

_HEADING = re.compile(r"(?P<front>(?: {0,3}>)? {0,3})(?P<signs>#{1,6})[ \t]+(?P<words>.*?)(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_STARTS_BLOCK = re.compile(r"\s*(?:$|[>|<#]|[-*+] |\d+[.)] |:::|\{:|-+$)")
_ATTRIBUTES = re.compile(r"[ \t]*\{:(?![:/])(?P<words>[^{}]*)\}[ \t]*$")
_CONTENTS = re.compile(r"\s*(?:[-*+]|1\.)[ \t]")
_LANGUAGE = re.compile(r"\{? *\.?(?:language-)?(?P<name>[\w#+-][\w#.+-]*)? *\}?")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?[-=]+:?[ \t]*(?:[|+][ \t]*:?[-=]+:?[ \t]*)*\|?[ \t]*$")
_CELL = re.compile(r"((?:\\.|`[^`]*`|\$[^$\n]*\$|[^|\\])*)\|?")
_LEFT = "it stands as text; write in Markdown what it showed"
_CONSTRUCTS = {
    "the shortcode {name}": (r"\{\{[<%]/?\*?\s*/?\s*(?P<name>[\w./-]*)[^{}]*[>%]\}\}", _LEFT),
    "the Liquid tag {name}": (r"\{%-?\s*(?P<name>\w+)[^{}]*%\}", _LEFT),
    "the Liquid value {name}": (r"\{\{(?![<%])-?\s*(?P<name>[^{}]*?)\s*-?\}\}", _LEFT),
    "the mark {name}": (r"(?P<name>\{:[:/][^{}\n]*\}|^\\(?:(?:new|clear)page|pagebreak)\b)", _LEFT),
    "the div {name}": (
        r"(?<=:::)(?!.*callout-)[ \t]*(?P<name>\{[^{}\n]*\}|[^\s:{].*)$",
        "its text stays, and looks like any other",
    ),
    "a table that is drawn with lines": (
        r"^[ \t]*(?:\+[-=:]+\+[-=:+]*|-{2,}(?:[ \t]+-{2,})+)[ \t]*\n(?=[ \t]*[|\w])",
        "it stands as text; write it with |",
    ),
}
_PATTERNS = [(name, re.compile(pattern, re.MULTILINE), action) for name, (pattern, action) in _CONSTRUCTS.items()]
_INLINE_CELL = re.compile(r"`\{?(?:r|python)(?:\} ?| )[^`]+`")


def convert_text(lines: Sequence[str], context: ConversionContext, is_shifted: bool) -> list[str]:
    """Convert the lines of a text, and list what stays in it as it is. is_shifted: make headings one level deeper."""
    made = convert_spans(_Blocks(lines, context, is_shifted).convert(), context)
    _report_constructs(made, context)
    return made


def with_signs(lines: Sequence[str]) -> list[str]:
    """Return the lines with # before headings that are underlined."""
    out: list[str] = []
    for line, is_code in zip(lines, in_code(lines), strict=True):
        under = None if is_code else _UNDERLINE.match(line)
        is_first = len(out) < 2 or not out[-2].strip() or bool(_HEADING.match(out[-2]))
        if under and is_first and out and not _STARTS_BLOCK.match(out[-1]):
            out[-1] = f"{'#' if under[1][0] == '=' else '##'} {out[-1].strip()}"
        else:
            out.append(line)
    return out


def take_heading(lines: Sequence[str], levels: int = 1) -> tuple[str, list[str]]:
    """Return the heading with which a text begins, and the lines without it; empty if it begins otherwise.

    Images and HTML may precede it. levels: the deepest level that counts.
    """
    for at, line in enumerate(lines):
        found = _HEADING.match(line)
        if found and len(found["signs"]) <= levels:
            return re.sub(r"[ \t]*\{[^{}]*\}$", "", found["words"]), [*lines[:at], *lines[at + 1 :]]
        if line.strip() and not line.lstrip().startswith(("<", "[", "!")):
            break
    return "", list(lines)


def has_first_level(lines: Sequence[str]) -> bool:
    """Return True when there is a heading of level 1 outside of fenced code."""
    found = (_HEADING.match(line) for line, is_code in zip(lines, in_code(lines), strict=True) if not is_code)
    return any(each and len(each["signs"]) == 1 for each in found)


class _Blocks:
    """Copies lines, block by block. at: the index of the current line; out: the converted lines."""

    def __init__(self, lines: Sequence[str], context: ConversionContext, is_shifted: bool) -> None:
        self.lines, self.context, self.shift = lines, context, int(is_shifted)
        self.code = code_lines("\n".join(lines))
        self.out: list[str] = []
        self.at = 0

    def convert(self) -> list[str]:
        """Return the lines of all blocks."""
        readers: tuple[Callable[[str], bool], ...] = (
            *(self._fence, self._contents, self._attributes),
            *(self._heading, self._table),
        )
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if self.at in self.code or not any(read(line) for read in readers):
                self.out.append(line)
                self.at += 1
        return self.out

    def _text(self, at: int) -> str:
        return self.lines[at] if 0 <= at < len(self.lines) else ""

    def _fence(self, line: str) -> bool:
        fence = fence_at(self.lines, self.at)
        if fence is None:
            return False
        self.at = fence.end
        if self.context.dialect == "quarto" and CELL.match(fence.words):
            self.out += cell_as_code(self.lines[fence.start : fence.end], fence.words, fence.front, self.context)
            return True
        found = _LANGUAGE.match(fence.words)
        language = (found and found["name"]) or ""
        if not found or found.end() < len(fence.words):
            problem = f"the words {fence.words!r} after the signs of a fence"
            self.context.report(line, problem, f"only {language!r} is kept")
        head = line.rstrip().removesuffix(fence.words).rstrip() + language
        self.out += [head, *self.lines[fence.start + 1 : fence.end]]
        return True

    def _contents(self, line: str) -> bool:
        """A list that kramdown replaces by a table of contents."""
        below = _ATTRIBUTES.match(self._text(self.at + 1))
        if not (below and "toc" in below["words"].split() and _CONTENTS.match(line)):
            return False
        self.context.has_contents = True
        self.at += 2
        return True

    def _attributes(self, line: str) -> bool:
        """An attribute list of kramdown; below a paragraph it stays, elsewhere no block here could have it."""
        found = _ATTRIBUTES.match(line)
        if found is None or self.context.dialect != "kramdown":
            return False
        before = self._text(self.at - 1)
        is_paragraph = before.strip() and "|" not in before and not _STARTS_BLOCK.match(before)
        if is_paragraph and self.at - 1 not in self.code:
            return False
        if found["words"].strip():
            self.context.report(line, f"{line.strip()} cannot be given to this block", "left out")
        self.at += 1
        return True

    def _heading(self, line: str) -> bool:
        found = _HEADING.match(line)
        if found is None:
            return False
        words = found["words"]
        self.at += 1
        if _ATTRIBUTES.match(self._text(self.at)):
            words = f"{words} {self._text(self.at).strip()}"
            self.at += 1
        signs = "#" * min(len(found["signs"]) + self.shift, 6)
        self.out.append(f"{found['front']}{signs} {words}{self._old_anchor(words)}")
        return True

    def _old_anchor(self, words: str) -> str:
        """The anchor of a heading in its source, if links refer to it and the builder makes another one."""
        plain = re.sub(r"[^\w. -]", "", words).strip().replace(" ", "-")
        of_pandoc = re.sub(r"^[^a-z]+", "", plain.lower())
        anchors = {plain, plain.lower().replace(".", ""), of_pandoc} & self.context.options.anchors - {anchor_of(words)}
        return f" {{#{min(anchors)}}}" if anchors and "{" not in words else ""

    # tables

    def _table(self, line: str) -> bool:
        end = self.at
        while "|" in self._text(end):
            end += 1
        rows = self.lines[self.at : end]
        has_rule = any(_TABLE_RULE.match(row) for row in rows[:2])
        is_headless = self.context.dialect == "kramdown" and all(row.lstrip().startswith("|") for row in rows)
        if len(rows) < 2 or not (has_rule or is_headless):
            return False
        for row in filter(lambda row: _TABLE_RULE.match(row), rows[2:]):
            self.context.report(row, "a line between the parts of a table", "left out")
        blank = [("")]
        before = blank if self.out and self.out[-1].strip() else []
        self.out += [*before, *_with_equal_rows(rows), *(blank if self._text(end).strip() else [])]
        self.at = end
        return True


def _with_equal_rows(rows: Sequence[str]) -> list[str]:
    """The rows of a table with one header, one rule below it and cells of the same number in each row."""
    rules = [row for row in rows if _TABLE_RULE.match(row)]
    filled = [row for row in rows if row not in rules]
    has_header = rows[1] in rules and rows[0] not in rules
    head = filled[0] if has_header else ""
    cells = [_cells(row) for row in filled]
    rule = _cells(rules[0].replace("+", "|").replace("=", "-")) if rules else []
    columns = max(map(len, cells), default=len(rule))
    if len(rules) == 1 and _borders(head) == _borders(rules[0]) and len(_cells(head)) == len(rule) == columns:
        return list(rows)
    made = [_row(each, columns) for each in cells]
    first = made.pop(0) if has_header else _row([], columns)
    return [first, "|" + "|".join([*rule, *["--"] * columns][:columns]) + "|", *made]


def _cells(row: str) -> list[str]:
    """The cells of a row of a table."""
    inside = row.strip().removeprefix("|")
    cells = [found[1].strip() for found in _CELL.finditer(inside) if found[0]]
    return [*cells, ""] if inside.endswith("||") else cells


def _borders(row: str) -> tuple[bool, bool]:
    return row.lstrip().startswith("|"), row.rstrip().endswith("|")


def _row(cells: Sequence[str], columns: int) -> str:
    return f"| {' | '.join([*cells, *[''] * (columns - len(cells))])} |"


def _report_constructs(lines: Sequence[str], context: ConversionContext) -> None:
    """Add a note for every construct that is left in the lines of a post, outside of code, formulas and comments."""
    for part in segments("\n".join(lines), jinja=False):
        if part.kind == "code" and context.dialect == "quarto" and _INLINE_CELL.fullmatch(part.text):
            context.report(part.text, f"the expression {part.text}", "not run; it stands as code")
        is_text = part.kind == "text" and context.dialect != "notebook"
        for name, pattern, action in _PATTERNS if is_text else ():
            for found in pattern.finditer(part.text):
                words = " ".join(found.groupdict().get("name", "").split())[:70]
                context.report(found[0], name.format(name=words), action)
