"""Converts the blocks of kramdown, notebooks, Hugo and Quarto to those of posts: lists, code, formulas, tables."""

import re
from collections.abc import Mapping, Sequence

from site_builder.importer.markdown import patterns
from site_builder.importer.markdown.conversion import (
    MAX_LEVELS,
    ConversionContext,
    Dialect,
    SourceLine,
    fence_for,
    join_lines,
    number_lines,
    without_blank_ends,
)
from site_builder.importer.markdown.mathjax import ENVIRONMENT, convert_formula, mathjax_source
from site_builder.importer.markdown.spans import convert_spans, convert_table
from site_builder.markup.markdown import anchor_of

_COMMONMARK_FORMULA = re.compile(r" {0,3}(\$\$|\\?\\\[)")
_FORMULA_STARTS: Mapping[Dialect, re.Pattern[str]] = {
    "kramdown": re.compile(r" {0,3}(\$\$|\\\\\[)"),
    "notebook": re.compile(r" {0,3}(\\?\\\[)"),  # those in $$ are read with the paragraph
    "hugo": _COMMONMARK_FORMULA,
    "quarto": _COMMONMARK_FORMULA,
}


def convert_blocks(
    lines: Sequence[SourceLine], context: ConversionContext, in_list: bool = False, level: int = 0
) -> list[SourceLine]:
    """Convert the lines of a text, or those inside a list item, quotation or footnote."""
    if level > MAX_LEVELS:
        return list(lines)
    return _BlockConverter(list(lines) if level else patterns.expand_tabs(lines), context, in_list, level).convert()


class _BlockConverter:
    """Converts lines block by block. A reader returns False if no block of its kind starts at the current line.

    at: the index of the current line; out: the converted lines.
    """

    def __init__(self, lines: list[SourceLine], context: ConversionContext, in_list: bool, level: int) -> None:
        self.lines, self.context, self.in_list, self.level = lines, context, in_list, level
        self.out: list[SourceLine] = []
        self.at = 0
        self.first_number: int | None = None  # of the next numbered list

    def convert(self) -> list[SourceLine]:
        """Return the lines of all blocks."""
        readers = (
            (patterns.FENCE, self._fence),
            (patterns.CODE, self._indented),
            (patterns.ANY_LINE, self._formula),
            (patterns.NOTE, self._footnote),
            (patterns.ABBREVIATION, self._abbreviation),
            (patterns.REFERENCE, self._reference),
            (patterns.HTML, self._html),
            (patterns.KRAMDOWN, self._attributes),
            (patterns.GOLDMARK, self._goldmark_attributes),
            (patterns.HEADING, self._heading),
            (patterns.ANY_LINE, self._underlined_heading),
            (patterns.RULE, self._rule),
            (patterns.QUOTE, self._quote),
            (patterns.ITEM, self._list),
            (patterns.DEFINITION, self._definition),
            (patterns.ROW, self._table),
        )
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line.text.strip():
                self.out.append(SourceLine("", line.number))
                self.at += 1
            elif all(not (found := start.match(line.text)) or read(line, found) is False for start, read in readers):
                self._paragraph()
        return self.out

    def _line_text(self, at: int) -> str:
        return self.lines[at].text if 0 <= at < len(self.lines) else ""

    def _is_blank(self, at: int) -> bool:
        return not self._line_text(at).strip()

    def _write_apart(self, block: Sequence[SourceLine]) -> None:
        """Write a block with an empty line before it, and one after it if text follows."""
        if self.out and self.out[-1].text.strip():
            self.out.append(SourceLine("", self.out[-1].number))
        self.out += block
        if not self._is_blank(self.at):
            self.out.append(SourceLine("", block[-1].number if block else self.lines[self.at].number))

    # code

    def _fence(self, line: SourceLine, found: re.Match[str]) -> None:
        signs = found["signs"]
        front = patterns.indentation(line.text)
        closing = re.compile(rf" {{0,3}}{signs[0]}{{{len(signs)},}}[ \t]*$")
        end = next((at for at in range(self.at + 1, len(self.lines)) if closing.match(self._line_text(at))), None)
        if end is None:
            self.context.report(line.number, "this fence is never closed", "it is closed where the text ends")
        code = self.lines[self.at + 1 : end]
        self.at = len(self.lines) if end is None else end + 1
        code = [each.changed(each.text.removeprefix(" " * front)) for each in code]
        self._code(code, self._language(found["words"], line.number), line.number)

    def _language(self, words: str, number: int) -> str:
        first = words.replace("{", " ").replace("}", " ").split()
        if not first:
            return ""
        word = first[0].removeprefix(".").removeprefix("language-")
        if len(first) > 1 or not patterns.PLAIN_WORD.match(word):
            self.context.report(
                number, f"the words {words.strip()!r} after the signs of a fence", f"only {word!r} is kept"
            )
        return word if patterns.PLAIN_WORD.match(word) else ""

    def _indented(self, line: SourceLine, found: re.Match[str]) -> bool | None:
        if self.at and not self._is_blank(self.at - 1):
            return False
        end = self.at
        while end < len(self.lines) and (self._line_text(end).startswith("    ") or self._is_blank(end)):
            end += 1
        code = without_blank_ends(each.changed(each.text[4:]) for each in self.lines[self.at : end])
        end = self.at + len(code)
        if self.level:  # items may be indented by less than four
            depth = min(patterns.indentation(each.text) for each in code if each.text.strip())
            code = [each.changed(each.text[depth:]) for each in code]
        self.at = end
        self._code(code, "", line.number)
        return None

    def _code(self, code: list[SourceLine], language: str, number: int) -> None:
        """Write fenced code; an attribute list below it may give the language."""
        if found := patterns.ATTRIBUTES.match(self._line_text(self.at)):
            words = found["words"].split()
            named = [word.removeprefix(".language-") for word in words if word.startswith(".language-")]
            language = language or (named[0] if named else "")
            if [word for word in words if not word.startswith(".language-")]:
                self._report_dropped(self.lines[self.at], "a block of code")
            self.at += 1
        fence, last = fence_for(code), code[-1].number if code else number
        self._write_apart([SourceLine(f"{fence}{language}", number), *code, SourceLine(fence, last)])

    def _report_dropped(self, line: SourceLine, of: str) -> None:
        self.context.report(line.number, f"{line.text.strip()} cannot be given to {of}", "left out")

    # formulas

    def _formula(self, line: SourceLine, found: re.Match[str]) -> bool | None:
        """A display formula: between delimiters, or an environment."""
        is_own = self.context.dialect in ("hugo", "quarto")
        environment = ENVIRONMENT.match(line.text.lstrip(" "))
        opening = _FORMULA_STARTS[self.context.dialect].match(line.text)
        is_double = opening is not None and opening[1] == "$$"
        if environment:
            closing = rf"\end{{{environment['name']}}}"
        elif opening and (not is_double or self._is_edge(self.at - 1)):
            closing = {"$$": "$$", "\\\\[": "\\\\]", "\\[": "\\]"}[opening[1]]
        else:
            return False
        rest = join_lines(self.lines[self.at :])
        start = opening.end() if opening and not environment else 0
        end = rest.find(closing, start)
        count = rest.count("\n", 0, end) + 1
        if end < 0 or rest[end + len(closing) :].split("\n", 1)[0].strip():
            return False
        if is_double and not self._is_edge(self.at + count):
            return False
        tex = rest[start : end + (len(closing) if environment else 0)]
        numbers = [line.number for line in self.lines[self.at : self.at + count]]
        text = convert_formula(
            tex if is_double and not is_own else mathjax_source(tex, self.context), True, self.context
        )
        if self.level and "\n" in text:  # in a quotation its lines would start with >
            text = "$$" + " ".join(text[2:-2].split()) + "$$"
        self.at += count
        if attributes := patterns.ATTRIBUTES.match(self._line_text(self.at)):
            if attributes["words"].strip():
                self._report_dropped(self.lines[self.at], "a formula")
            self.at += 1
        if text:
            self._write_apart(number_lines(text, numbers))
        return None

    def _is_attributes(self, at: int) -> bool:
        return not self.context.is_commonmark and bool(patterns.ATTRIBUTES.match(self._line_text(at)))

    def _is_edge(self, at: int) -> bool:
        """True when a line separates blocks: a blank one, an attribute list, or one before or after the text."""
        return self._is_blank(at) or bool(patterns.ATTRIBUTES.match(self._line_text(at)))

    # single lines and HTML

    def _footnote(self, line: SourceLine, found: re.Match[str]) -> None:
        self._item(f"[^{found['label']}]: ", found["rest"], 4, patterns.NOTE)

    def _abbreviation(self, line: SourceLine, found: re.Match[str]) -> None:
        self.out.append(line)
        self.at += 1

    def _reference(self, line: SourceLine, found: re.Match[str]) -> None:
        written = found["url"].removeprefix("<").removesuffix(">")
        address = self.context.resolve(written)
        if address is None:
            self.context.report(line.number, f"the link {written} leads nowhere here", "it leads to the post itself")
            address = "#"
        self.out.append(SourceLine(f"[{found['label']}]: {address}{found['title'] or ''}", line.number))
        self.at += 1

    def _html(self, line: SourceLine, found: re.Match[str]) -> bool | None:
        closing = "-->" if found["name"] is None else patterns.RAW_HTML_END.get(found["name"].lower(), "")
        end = self.at
        while end < len(self.lines) and (
            closing not in self._line_text(end).lower() if closing else not self._is_blank(end)
        ):
            end += 1
        end = min(end + (1 if closing else 0), len(self.lines))
        html = self.lines[self.at : end]
        if found["name"] is None and closing not in self._line_text(end - 1):
            return False
        self.at = end
        if found["name"] and found["name"].lower() == "script" and patterns.MATHJAX.search(join_lines(html)):
            self.context.report(line.number, "a script for formulas", "left out: formulas need none here")
            return None
        is_comment = found["name"] is None
        is_markdown = bool(re.search(r"\bmarkdown\s*=", line.text))
        self.out += html if is_comment else convert_spans(html, self.context, in_html=not is_markdown)
        return None

    def _attributes(self, line: SourceLine, found: re.Match[str]) -> bool | None:
        """An attribute list or an extension of kramdown that belongs to no block that could have it."""
        if self.context.is_commonmark:
            return False
        if patterns.COMMENT.fullmatch(line.text.strip()) and self._comment(line):
            return None
        if attributes := patterns.ATTRIBUTES.match(line.text):
            if "toc" in attributes["words"].split():
                self.context.has_contents = True
            elif number := _first_number(line.text, self._line_text(self.at + 1)):
                self.first_number = number
            elif attributes["words"].strip():
                self._report_dropped(line, "this block")
        elif patterns.EXTENSION.match(line.text):
            self.context.report(line.number, f"{line.text.strip()} is kramdown's own", "left out")
        else:
            return False
        self.at += 1
        return None

    def _goldmark_attributes(self, line: SourceLine, found: re.Match[str]) -> bool | None:
        if self.context.dialect != "hugo":
            return False
        self._report_dropped(line, "a block")
        self.at += 1
        return None

    def _comment(self, line: SourceLine) -> bool:
        """A comment of kramdown with all blocks inside; one without an end is no comment."""
        lines = enumerate(self.lines[self.at + 1 :], self.at + 1)
        end = next((at for at, each in lines if patterns.COMMENT_END.fullmatch(each.text.strip())), None)
        if end is None:
            return False
        self.context.report(line.number, "a comment of kramdown", "left out")
        self.at = end + 1
        return True

    def _heading(self, line: SourceLine, found: re.Match[str]) -> None:
        self.at += 1
        self._write_heading(len(found["signs"]), line.changed(found["words"]))

    def _underlined_heading(self, line: SourceLine, found: re.Match[str]) -> bool | None:
        if patterns.HASHTAG.match(line.text):
            self.lines[self.at] = line.changed(line.text.replace("#", "\\#", 1))
            return False
        under = patterns.UNDERLINE.match(self._line_text(self.at + 1))
        if under is None or patterns.starts_block(line.text):
            return False
        self.at += 2
        self._write_heading(1 if under[1][0] == "=" else 2, line.changed(line.text.strip()))
        return None

    def _write_heading(self, depth: int, title: SourceLine) -> None:
        words, attributes = title.text, ""
        if self.context.dialect != "notebook":
            if found := patterns.HEADING_ATTRIBUTES.search(words):
                words, attributes = words[: found.start()], found["words"].removeprefix(":").strip()
            if below := patterns.ATTRIBUTES.match(self._line_text(self.at)):
                attributes = f"{attributes} {below['words'].strip()}".strip()
                self.at += 1
            attributes = " ".join(word for word in attributes.split() if word != ".no_toc")
        own = patterns.old_anchor(words, self.context.dialect)
        if "#" not in attributes and own in self.context.anchors and own != anchor_of(patterns.heading_text(words)):
            attributes = f"#{own} {attributes}".strip()
        made = convert_spans([title.changed(words)], self.context)[0].text
        made += f" {{: {attributes} }}" if attributes else ""
        self._write_apart([title.changed(f"{'#' * min(depth + self.context.shift, 6)} {made}")])

    def _rule(self, line: SourceLine, found: re.Match[str]) -> None:
        self.at += 1
        self._write_apart([SourceLine("---", line.number)])

    # containers

    def _quote(self, line: SourceLine, found: re.Match[str]) -> None:
        end = self.at
        while end < len(self.lines) and (
            patterns.QUOTE.match(self._line_text(end))
            or not (self._is_blank(end) or patterns.starts_block(self._line_text(end)))
        ):
            end += 1
        inner = [each.changed(patterns.QUOTE.sub("", each.text, count=1)) for each in self.lines[self.at : end]]
        self.at = end
        if alert := patterns.ALERT.match(inner[0].text):
            kind = alert["kind"].lower()
            mark = {"": "!!!", "-": "???", "+": "???+"}[alert["fold"]]
            title = ' "' + alert["title"].replace('"', "'") + '"' if alert["title"] else ""
            made = without_blank_ends(convert_blocks(inner[1:], self.context, level=self.level + 1))
            block = [each.changed(f"    {each.text}" if each.text else "") for each in made]
            self._write_apart([inner[0].changed(f"{mark} {kind}{title}"), *block])
            return
        made = convert_blocks(inner, self.context, level=self.level + 1)
        self._write_apart([each.changed(f"> {each.text}".rstrip()) for each in made])

    def _list(self, line: SourceLine, found: re.Match[str]) -> None:
        if patterns.ATTRIBUTES.match(self._line_text(self.at + 1)) and "toc" in self._line_text(self.at + 1):
            self.context.has_contents = True
            self.at += 2
            return
        if not self.in_list and self.out and self.out[-1].text.strip():
            self.out.append(SourceLine("", line.number))
        is_bullet, item = found["mark"] in "*+-", patterns.ITEM.match(line.text)
        starts = []
        while item and (item["mark"] in "*+-") == is_bullet and not patterns.RULE.match(self._line_text(self.at)):
            gap = len(item["gap"] or " ")
            indent = len(item["front"]) + len(item["mark"]) + (gap if gap <= 4 else 1)
            rest = (item["rest"] or "") if gap <= 4 else " " * (gap - 1) + item["rest"]
            rest = patterns.TASK.sub(lambda task: "☐ " if task["mark"] == " " else "☑ ", rest, count=1)
            starts.append(len(self.out))
            self._item("- " if is_bullet else f"{item['mark'][:-1]}. ", rest, indent, patterns.ITEM)
            while self._is_blank(self.at) and self.at < len(self.lines):
                self.out.append(SourceLine("", self.lines[self.at].number))
                self.at += 1
            item = patterns.ITEM.match(self._line_text(self.at))
        if self._is_attributes(self.at) and not self._is_blank(self.at - 1):
            below = self.lines[self.at]
            self.first_number = self.first_number or _first_number(below.text, line.text)
            if self.first_number is None:
                self._report_dropped(below, "a list")
            self.at += 1
        for number, at in enumerate(starts, self.first_number or 0):
            if self.first_number is not None:
                self.out[at] = self.out[at].changed(re.sub(r"^\d+", str(number), self.out[at].text))
        self.first_number = None

    def _definition(self, line: SourceLine, found: re.Match[str]) -> bool | None:
        if self.context.dialect == "notebook":
            return False
        indent = len(found["front"]) + 1 + min(len(found["gap"]), 3)
        self._item(":   ", found["rest"], indent, patterns.DEFINITION)
        return None

    def _end_of_item(self, at: int, indent: int, start: re.Pattern[str]) -> int:
        """The index after the last line of an item; lines that continue a paragraph need no indentation."""
        while at < len(self.lines):
            text = self._line_text(at)
            if not text.strip():
                after = at
                while after < len(self.lines) and self._is_blank(after):
                    after += 1
                if after == len(self.lines) or patterns.indentation(self._line_text(after)) < indent:
                    return at
                at = after
            elif patterns.indentation(text) >= indent or not (
                self._is_blank(at - 1) or start.match(text) or patterns.starts_block(text) or self._is_attributes(at)
            ):
                at += 1
            else:
                return at
        return at

    def _item(self, mark: str, rest: str, indent: int, start: re.Pattern[str]) -> None:
        """Convert the item that starts at the current line. rest: that line after its mark; start: of such items."""
        first = self.lines[self.at].changed(rest)
        end = self._end_of_item(self.at + 1, indent, start)
        following = [each.changed(patterns.unindent(each.text, indent)) for each in self.lines[self.at + 1 : end]]
        self.at = end
        made = without_blank_ends(convert_blocks([first, *following], self.context, True, self.level + 1))
        if not made or made[0].text.startswith(("```", "$$\n")):  # a list mark must be followed by text
            made = [first.changed("&nbsp;"), first.changed(""), *made]
        self.out.append(made[0].changed(f"{mark}{made[0].text}"))
        self.out += [each.changed(f"    {each.text}" if each.text else "") for each in made[1:]]
        if not all(each.text for each in made) and not self._is_blank(self.at):
            self.out.append(SourceLine("", made[-1].number))  # else the next item would become part of this one

    # tables and paragraphs

    def _table(self, line: SourceLine, found: re.Match[str]) -> bool | None:
        end = self.at
        while not self._is_blank(end) and "|" in self._line_text(end):
            end += 1
        made = convert_table(self.lines[self.at : end], self.context) if self._is_edge(end) else None
        if made is None:
            return False
        self.at = end
        if self._line_text(self.at).strip():
            self._report_dropped(self.lines[self.at], "a table")
            self.at += 1
        self._write_apart(made)
        return None

    def _paragraph(self) -> None:
        end = self.at + 1
        while not self._is_blank(end) and not self._interrupts(end):
            end += 1
        lines = [line.changed(line.text.lstrip(" ")) for line in self.lines[self.at : end]]
        if lines[0].text.startswith("\\$$"):  # in kramdown: not a display formula
            lines[0] = lines[0].changed(lines[0].text[1:])
        self.at = end
        self.out += convert_spans(lines, self.context)
        found = None if self.context.is_commonmark else patterns.ATTRIBUTES.match(self._line_text(self.at))
        if found:
            words = [word for word in found["words"].split() if word[0] in ".#" or "=" in word]
            if len(words) != len(found["words"].split()) and '"' not in found["words"]:
                self._report_dropped(self.lines[self.at], "a paragraph in full")
            kept = found["words"].strip() if '"' in found["words"] else " ".join(words)
            if kept:
                self.out.append(SourceLine(f"{{: {kept} }}", self.lines[self.at].number))
            self.at += 1

    def _interrupts(self, at: int) -> bool:
        """True when a line ends the paragraph above it."""
        text = self._line_text(at)
        if self.context.dialect == "hugo" and patterns.GOLDMARK.match(text):
            return True
        if self.context.dialect in ("hugo", "quarto") and patterns.DEFINITION.match(text):
            return True
        if self.context.is_commonmark:
            item = patterns.ITEM.match(text)
            if item and item["mark"][:-1] not in ("", "1"):
                return False
        elif patterns.ATTRIBUTES.match(text) or patterns.DEFINITION.match(text):
            return True
        starts_formula = ENVIRONMENT.match(text.lstrip(" ")) or re.match(r" {0,3}\\\\?\[\s*$", text)
        return patterns.starts_block(text) or bool(patterns.HTML.match(text) or starts_formula)


def _first_number(attributes: str, item: str) -> int | None:
    """The first number that an attribute list gives to a numbered list with this item."""
    found, of = patterns.START.search(attributes), patterns.ITEM.match(item)
    return int(found["number"]) if found and of and of["mark"][0].isdigit() else None
