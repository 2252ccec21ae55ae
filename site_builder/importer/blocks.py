"""Converts the blocks that posts write in another way: headings, code, tables, attribute lists of kramdown."""

import re
from collections.abc import Callable, Sequence

from site_builder.importer.constructs import report_constructs
from site_builder.importer.dialects import convert_dialect
from site_builder.importer.lines import (
    ConversionContext,
    Dialect,
    SourceLine,
    fence_at,
    fenced,
    in_code,
    without_blank_ends,
)
from site_builder.importer.spans import convert_spans
from site_builder.markup.markdown import anchor_of

_HEADING = re.compile(r"(?P<front>(?: {0,3}>)? {0,3})(?P<signs>#{1,6})(?:[ \t]+(?P<words>.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_STARTS_BLOCK = re.compile(r"\s*(?:$|[>|<#]|[-*+] |\d+[.)] |:::|\{:|-+$)")
_ATTRIBUTES = re.compile(r"[ \t]*\{:(?![:/])(?P<words>[^{}]*)\}[ \t]*$")
_HEADING_ATTRIBUTES = re.compile(r"[ \t]*\{(?P<words>:(?![:/])[^{}]*|[.#][^{}]*)\}[ \t]*$")
_ITEM = re.compile(r" {0,3}(?:(?:[-*+:]|\d{1,9}[.)])[ \t]|\[\^)")  # or a definition or note
_CONTENTS = re.compile(r"\s*(?:[-*+]|1\.)[ \t]")
_WORD = re.compile(r"[\w#.+-]+$")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:[|+][ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_TABLE_FOOT = re.compile(r"[ \t]*\|?[ \t]*=+[ =|+]*$")
_CELL = re.compile(r"((?:\\.|`[^`]*`|\$[^$\n]*\$|[^|\\])*)\|?")
_IN_CELL = re.compile(r"\$[^$\n]*\$")


def convert_text(lines: Sequence[SourceLine], context: ConversionContext, is_shifted: bool) -> list[SourceLine]:
    """Convert the lines of a text, and list what stays in it as it is. is_shifted: make headings one level deeper."""
    made = convert_dialect(convert_spans(_Blocks(lines, context, is_shifted).convert(), context), context)
    report_constructs(made, context)
    return made


def take_heading(lines: Sequence[SourceLine], levels: int = 1) -> tuple[str, list[SourceLine]]:
    """Return the heading with which a text begins, and the lines without it; empty if it begins otherwise.

    Images and HTML may precede it. levels: the deepest level that counts.
    """
    for at, line in enumerate(lines):
        found = _HEADING.match(line.text)
        if found and found["words"] and len(found["signs"]) <= levels:
            return _HEADING_ATTRIBUTES.sub("", found["words"]), [*lines[:at], *lines[at + 1 :]]
        if line.text.strip() and not line.text.lstrip().startswith(("<", "[", "!")):
            if at + 1 < len(lines) and (under := _UNDERLINE.match(lines[at + 1].text)) and under[1][0] == "=":
                return _HEADING_ATTRIBUTES.sub("", line.text).strip(), [*lines[:at], *lines[at + 2 :]]
            break
    return "", list(lines)


def has_first_level(lines: Sequence[SourceLine]) -> bool:
    """Return True when there is a heading of level 1 outside of fenced code."""
    before = ""
    for line, is_code in zip(lines, in_code(lines), strict=True):
        heading, under = _HEADING.match(line.text), _UNDERLINE.match(line.text)
        is_underlined = under and under[1][0] == "=" and not _STARTS_BLOCK.match(before)
        if not is_code and ((heading and heading["words"] and len(heading["signs"]) == 1) or is_underlined):
            return True
        before = line.text
    return False


class _Blocks:
    """Copies lines, block by block. at: the index of the current line; out: the converted lines."""

    def __init__(self, lines: Sequence[SourceLine], context: ConversionContext, is_shifted: bool) -> None:
        self.lines, self.context, self.shift = lines, context, int(is_shifted)
        self.out: list[SourceLine] = []
        self.at = 0
        self.in_list = False

    def convert(self) -> list[SourceLine]:
        """Return the lines of all blocks."""
        readers: tuple[Callable[[SourceLine], bool], ...] = (
            *(self._fence, self._indented, self._contents, self._attributes),
            *(self._heading, self._underlined, self._table),
        )
        while self.at < len(self.lines):
            line = self.lines[self.at]
            self._follow_lists(line.text)
            if not any(read(line) for read in readers):
                self.out.append(line)
                self.at += 1
        return self.out

    def _text(self, at: int) -> str:
        return self.lines[at].text if 0 <= at < len(self.lines) else ""

    def _follow_lists(self, text: str) -> None:
        """Note whether a line is in a list, where indented text is no code."""
        if _ITEM.match(text):
            self.in_list = True
        elif text[:1].strip() and not self._text(self.at - 1).strip():
            self.in_list = False

    def _write_apart(self, block: Sequence[SourceLine]) -> None:
        """Write a block with an empty line before it, and one after it if text follows."""
        if self.out and self.out[-1].text.strip():
            self.out.append(self.out[-1].changed(""))
        self.out += block
        if self._text(self.at).strip():
            self.out.append(block[-1].changed(""))

    def _fence(self, line: SourceLine) -> bool:
        fence = fence_at(self.lines, self.at)
        if fence is None:
            return False
        words = fence.words.replace("{", " ").replace("}", " ").split()
        first = next((word for word in words if word.startswith(".")), words[0] if words else "")
        first = first.removeprefix(".").removeprefix("language-")
        language = first if _WORD.match(first) else ""
        if len(words) > 1 or first != language:
            problem = f"the words {fence.words!r} after the signs of a fence"
            self.context.report(line.number, problem, f"only {language!r} is kept")
        self.at = fence.end
        head = line.text.rstrip().removesuffix(fence.words).rstrip() + (language or self._language())
        block = [line.changed(head), *self.lines[fence.start + 1 : fence.end]]
        if fence.front.strip():
            self.out += block
        else:
            self._write_apart(block)
        return True

    def _indented(self, line: SourceLine) -> bool:
        is_code = line.text.startswith(("    ", "\t")) and line.text.strip()
        if not is_code or self.in_list or self._text(self.at - 1).strip():
            return False
        end = self.at
        while end < len(self.lines) and (self._text(end).startswith(("    ", "\t")) or not self._text(end).strip()):
            end += 1
        rows = without_blank_ends(self.lines[self.at : end])
        self.at += len(rows)
        language = self._language()
        self._write_apart(fenced([row.changed(row.text.expandtabs(4)[4:]) for row in rows], language, line.number))
        return True

    def _language(self) -> str:
        """The language in an attribute list below code, whose line is read."""
        found = _ATTRIBUTES.match(self._text(self.at))
        language = re.search(r"\.language-([\w#.+-]+)", found["words"]) if found else None
        self.at += bool(language)
        return language[1] if language else ""

    def _contents(self, line: SourceLine) -> bool:
        """A list that kramdown replaces by a table of contents."""
        below = _ATTRIBUTES.match(self._text(self.at + 1))
        if not (below and "toc" in below["words"].split() and _CONTENTS.match(line.text)):
            return False
        self.context.has_contents = True
        self.at += 2
        return True

    def _attributes(self, line: SourceLine) -> bool:
        """An attribute list of kramdown; below a paragraph it stays, elsewhere no block here could have it."""
        found = _ATTRIBUTES.match(line.text)
        if found is None or self.context.dialect != "kramdown":
            return False
        before = self._text(self.at - 1)
        if before.strip() and "|" not in before and not _STARTS_BLOCK.match(before) and self.out[-1].text.strip():
            return False
        if found["words"].strip():
            self.context.report(line.number, f"{line.text.strip()} cannot be given to this block", "left out")
        self.at += 1
        return True

    # headings

    def _heading(self, line: SourceLine) -> bool:
        found = _HEADING.match(line.text)
        if found is None or found["words"] is None:
            return False
        self.at += 1
        self._write_heading(found["front"], len(found["signs"]), line.changed(found["words"]))
        return True

    def _underlined(self, line: SourceLine) -> bool:
        under = _UNDERLINE.match(self._text(self.at + 1))
        is_first = not self._text(self.at - 1).strip() or self._text(self.at - 1).startswith("#")
        if under is None or _STARTS_BLOCK.match(line.text) or not is_first:
            return False
        self.at += 2
        self._write_heading("", 1 if under[1][0] == "=" else 2, line.changed(line.text.strip()))
        return True

    def _write_heading(self, front: str, depth: int, title: SourceLine) -> None:
        words, attributes = title.text, ""
        if self.context.dialect != "notebook":
            if found := _HEADING_ATTRIBUTES.search(words):
                words, attributes = words[: found.start()], found["words"].removeprefix(":").strip()
            if below := _ATTRIBUTES.match(self._text(self.at)):
                attributes = f"{attributes} {below['words'].strip()}".strip()
                self.at += 1
            attributes = " ".join(word for word in attributes.split() if word not in (".no_toc", ".unnumbered", "-"))
        own = _old_anchor(words, self.context.dialect)
        if "#" not in attributes and own in self.context.anchors and own != anchor_of(_heading_text(words)):
            attributes = f"#{own} {attributes}".strip()
        end = f" {{: {attributes} }}" if attributes else ""
        heading = title.changed(f"{front}{'#' * min(depth + self.shift, 6)} {words}{end}")
        if front.strip():
            self.out.append(heading)
        else:
            self._write_apart([heading])

    # tables

    def _table(self, line: SourceLine) -> bool:
        end = self.at
        while "|" in self._text(end):
            end += 1
        rows = self.lines[self.at : end]
        has_rule = any(_TABLE_RULE.match(row.text) for row in rows[:2])
        is_headless = self.context.dialect == "kramdown" and line.text.lstrip().startswith("|")
        is_table = has_rule or (is_headless and all(row.text.lstrip().startswith("|") for row in rows))
        if len(rows) < 2 or not is_table or line.text.startswith("    "):
            return False
        made = self._converted_table(rows)
        self.at = end
        if made:
            self._write_apart(made)
        return True

    def _converted_table(self, rows: Sequence[SourceLine]) -> list[SourceLine]:
        """The rows of a table with one header, one rule below it and cells of the same number in each row."""
        rules = [row for row in rows if _TABLE_RULE.match(row.text)]
        filled = [row for row in rows if row not in rules and not _TABLE_FOOT.match(row.text)]
        for row in rows:
            if _TABLE_FOOT.match(row.text) or (row in rules[1:] and row is not rows[1]):
                self.context.report(row.number, "a line between the parts of a table", "left out")
        cells = [_cells(row.text) for row in filled]
        columns = max(map(len, cells), default=0)
        has_header = len(rules) > 0 and rows[0] in filled[:1] and rows[1] in rules
        rule = _cells(rules[0].text.replace("+", "|")) if rules else []
        is_whole = has_header and _borders(filled[0].text) == _borders(rules[0].text)
        if is_whole and len(rule) == len(cells[0]) == columns:
            return [row.changed(_without_escaped_bars(row.text)) for row in (filled[0], rules[0], *filled[1:])]
        made = [row.changed(_row(each, columns)) for row, each in zip(filled, cells, strict=True)]
        number = rows[0].number
        head = [made.pop(0)] if has_header else [SourceLine(_row([], columns), number)] if made else []
        return [*head, SourceLine("|" + "|".join([*rule, *["--"] * columns][:columns]) + "|", number), *made]


def _cells(row: str) -> list[str]:
    """The cells of a row of a table."""
    inside = row.strip().removeprefix("|")
    cells = [found[1].strip() for found in _CELL.finditer(inside) if found[0]]
    return [*cells, ""] if inside.endswith("||") else cells


def _borders(row: str) -> tuple[bool, bool]:
    return row.lstrip().startswith("|"), row.rstrip().endswith("|")


def _row(cells: Sequence[str], columns: int) -> str:
    filled = [*cells, *[""] * (columns - len(cells))]
    return _without_escaped_bars(f"| {' | '.join(filled)} |")


def _without_escaped_bars(row: str) -> str:
    r"""The row with | for \| in formulas, as tables read it before formulas are read."""
    return _IN_CELL.sub(lambda formula: formula[0].replace("\\|", "|"), row)


def _heading_text(words: str) -> str:
    """The words of a heading from which anchors are made: without formulas, links and emphasis."""
    without_links = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)
    return re.sub(r"\$\$?[^$]*\$\$?", "", without_links).replace("*", "").replace("`", "")


def _old_anchor(words: str, dialect: Dialect) -> str:
    """The anchor of a heading in its source: that of GFM, Jupyter or Pandoc."""
    plain = _heading_text(words)
    if dialect == "notebook":
        return plain.strip().replace(" ", "-")
    if dialect == "quarto":
        return re.sub(r"^[^a-z]+", "", re.sub(r"[^\w\-. ]", "", plain.lower()).strip().replace(" ", "-"))
    return re.sub(r"[^\w\- \t]", "", plain.lower()).strip().replace(" ", "-").replace("\t", "-")
