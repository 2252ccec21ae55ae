"""Converts the blocks of kramdown or of a notebook to those of posts: lists indented by four, code in fences."""

import re
from collections.abc import Callable, Sequence

from site_builder.importer.markdown import patterns
from site_builder.importer.markdown.conversion import ConversionContext, SourceLine, fence_for, join_lines, number_lines
from site_builder.importer.markdown.kramdown_spans import convert_spans
from site_builder.importer.markdown.mathjax import ENVIRONMENT, convert_formula, mathjax_source
from site_builder.importer.markdown.tables import convert_table
from site_builder.markup.markdown import anchor_of

_MAX_LEVELS = 20


def convert_blocks(
    lines: Sequence[SourceLine], context: ConversionContext, in_list: bool = False, level: int = 0
) -> list[SourceLine]:
    """Convert the lines of a text, or those inside a list item, quotation or footnote."""
    if level > _MAX_LEVELS:
        return list(lines)
    return _BlockConverter(list(lines) if level else patterns.expand_tabs(lines), context, in_list, level).convert()


class _BlockConverter:
    """Converts lines block by block. A reader returns False if its kind of block does not start at the current line.

    at: the index of the current line; out: the converted lines.
    """

    def __init__(self, lines: list[SourceLine], context: ConversionContext, in_list: bool, level: int) -> None:
        self.lines, self.context, self.in_list, self.level = lines, context, in_list, level
        self.out: list[SourceLine] = []
        self.at = 0

    def convert(self) -> list[SourceLine]:
        """Return the lines of all blocks."""
        readers = (
            self._fence,
            self._indented,
            self._display_formula,
            self._environment,
            self._footnote,
            self._reference,
            self._html,
            self._attributes,
            self._heading,
            self._rule,
            self._quote,
            self._list,
            self._definition,
            self._table,
        )
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line.text.strip():
                self.out.append(SourceLine("", line.number))
                self.at += 1
            elif not any(read(line) for read in readers):
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

    def _fence(self, line: SourceLine) -> bool:
        found = patterns.FENCE.match(line.text)
        if found is None:
            return False
        signs = found["signs"]
        front = len(line.text) - len(line.text.lstrip(" "))
        closing = re.compile(rf" {{0,3}}{signs[0]}{{{len(signs)},}}[ \t]*$")
        end = next((at for at in range(self.at + 1, len(self.lines)) if closing.match(self._line_text(at))), None)
        if end is None:
            self.context.report(line.number, "this fence is never closed", "it is closed where the text ends")
        code = self.lines[self.at + 1 : end]
        self.at = len(self.lines) if end is None else end + 1
        code = [SourceLine(each.text.removeprefix(" " * front), each.number) for each in code]
        self._code(code, self._language(found["words"], line.number), line.number)
        return True

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

    def _indented(self, line: SourceLine) -> bool:
        if not line.text.startswith("    ") or (self.at and not self._is_blank(self.at - 1)):
            return False
        end = self.at
        while end < len(self.lines) and (self._line_text(end).startswith("    ") or self._is_blank(end)):
            end += 1
        while self._is_blank(end - 1):
            end -= 1
        code = [SourceLine(each.text[4:], each.number) for each in self.lines[self.at : end]]
        if self.level:  # items may be indented by less than four
            depth = min(patterns.indentation(each.text) for each in code if each.text.strip())
            code = [SourceLine(each.text[depth:], each.number) for each in code]
        self.at = end
        self._code(code, "", line.number)
        return True

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

    def _display_formula(self, line: SourceLine) -> bool:
        """A display formula between delimiters."""
        context = self.context
        opening = re.match(r" {0,3}(\\?\\\[)" if context.is_notebook else r" {0,3}(\$\$|\\\\\[)", line.text)
        if opening is None or not (self._begins_block() or opening[1] != "$$"):
            return False
        closing = {"$$": "$$", "\\\\[": "\\\\]", "\\[": "\\]"}[opening[1]]
        rest = join_lines(self.lines[self.at :])
        end = rest.find(closing, opening.end())
        if end < 0 or rest[end + len(closing) :].split("\n", 1)[0].strip():
            return False
        count = rest.count("\n", 0, end) + 1
        if opening[1] == "$$" and not self._ends_block(self.at + count):
            return False
        tex = rest[opening.end() : end]
        self._write_formula(tex if opening[1] == "$$" else mathjax_source(tex, context), count)
        return True

    def _begins_block(self) -> bool:
        return (
            self.at == 0 or self._is_blank(self.at - 1) or bool(patterns.ATTRIBUTES.match(self._line_text(self.at - 1)))
        )

    def _ends_block(self, at: int) -> bool:
        return self._is_blank(at) or bool(patterns.ATTRIBUTES.match(self._line_text(at)))

    def _environment(self, line: SourceLine) -> bool:
        found = ENVIRONMENT.match(line.text.lstrip(" "))
        if found is None:
            return False
        rest = join_lines(self.lines[self.at :])
        closing = rf"\end{{{found['name']}}}"
        end = rest.find(closing)
        if end < 0 or rest[end + len(closing) :].split("\n", 1)[0].strip():
            return False
        tex = rest[: end + len(closing)]
        self._write_formula(mathjax_source(tex, self.context), tex.count("\n") + 1)
        return True

    def _write_formula(self, tex: str, count: int) -> None:
        numbers = [line.number for line in self.lines[self.at : self.at + count]]
        text = convert_formula(tex, True, self.context)
        if self.level and "\n" in text:  # in a quotation its lines would start with >
            text = "$$" + " ".join(text[2:-2].split()) + "$$"
        self.at += count
        if found := patterns.ATTRIBUTES.match(self._line_text(self.at)):
            if found["words"].strip():
                self._report_dropped(self.lines[self.at], "a formula")
            self.at += 1
        if text:
            self._write_apart(number_lines(text, numbers))

    # single lines and HTML

    def _footnote(self, line: SourceLine) -> bool:
        found = patterns.NOTE.match(line.text)
        if found is None:
            return False
        end = self._end_of_item(self.at + 1, 4, lambda text: bool(patterns.NOTE.match(text)))
        inner = [SourceLine(found["rest"], line.number)]
        inner += self._unindented(end, 4)
        self.at = end
        self._write_item(f"[^{found['label']}]: ", inner)
        return True

    def _reference(self, line: SourceLine) -> bool:
        if patterns.ABBREVIATION.match(line.text):
            self.out.append(line)
            self.at += 1
            return True
        found = patterns.REFERENCE.match(line.text)
        if found is None:
            return False
        written = found["url"].removeprefix("<").removesuffix(">")
        address = self.context.resolve(written, patterns.is_image(written), line.number)
        if address is None:
            self.context.report(line.number, f"the link {written} leads nowhere here", "it leads to the post itself")
            address = "#"
        self.out.append(SourceLine(f"[{found['label']}]: {address}{found['title'] or ''}", line.number))
        self.at += 1
        return True

    def _html(self, line: SourceLine) -> bool:
        found = patterns.HTML.match(line.text)
        if found is None:
            return False
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
            return True
        is_comment = found["name"] is None
        is_markdown = bool(re.search(r"\bmarkdown\s*=", line.text))
        self.out += html if is_comment else convert_spans(html, self.context, in_html=not is_markdown)
        return True

    def _attributes(self, line: SourceLine) -> bool:
        """An attribute list or an extension of kramdown that belongs to no block that could have it."""
        if self.context.is_notebook:
            return False
        if patterns.COMMENT.fullmatch(line.text.strip()) and self._comment(line):
            return True
        if found := patterns.ATTRIBUTES.match(line.text):
            if "toc" in found["words"].split():
                self.context.has_contents = True
            elif found["words"].strip():
                self._report_dropped(line, "this block")
        elif patterns.EXTENSION.match(line.text) and re.match(r"\s*\{:", line.text):
            self.context.report(line.number, f"{line.text.strip()} is kramdown's own", "left out")
        else:
            return False
        self.at += 1
        return True

    def _comment(self, line: SourceLine) -> bool:
        """A comment of kramdown with all blocks inside; one without an end is no comment."""
        lines = enumerate(self.lines[self.at + 1 :], self.at + 1)
        end = next((at for at, each in lines if patterns.COMMENT_END.fullmatch(each.text.strip())), None)
        if end is None:
            return False
        self.context.report(line.number, "a comment of kramdown", "left out")
        self.at = end + 1
        return True

    def _heading(self, line: SourceLine) -> bool:
        found = patterns.HEADING.match(line.text)
        if found:
            if not found["gap"] and found["words"]:  # GFM: a hashtag
                self.lines[self.at] = SourceLine(line.text.replace("#", "\\#", 1), line.number)
                return False
            self.at += 1
            self._write_heading(len(found["signs"]), SourceLine(found["words"], line.number))
            return True
        under = patterns.UNDERLINE.match(self._line_text(self.at + 1))
        if under is None or patterns.starts_block(line.text):
            return False
        self.at += 2
        self._write_heading(1 if under[1][0] == "=" else 2, SourceLine(line.text.strip(), line.number))
        return True

    def _write_heading(self, depth: int, title: SourceLine) -> None:
        words, attributes = title.text, ""
        if not self.context.is_notebook:
            if found := patterns.HEADING_ATTRIBUTES.search(words):
                words, attributes = words[: found.start()], found["words"].removeprefix(":").strip()
            if below := patterns.ATTRIBUTES.match(self._line_text(self.at)):
                attributes = f"{attributes} {below['words'].strip()}".strip()
                self.at += 1
            attributes = " ".join(word for word in attributes.split() if word != ".no_toc")
        own = patterns.old_anchor(words, self.context.is_notebook)
        if "#" not in attributes and own in self.context.anchors and own != anchor_of(patterns.heading_text(words)):
            attributes = f"#{own} {attributes}".strip()
        made = convert_spans([SourceLine(words, title.number)], self.context)[0].text
        signs = "#" * min(depth + self.context.shift, 6)
        self._write_apart(
            [SourceLine(f"{signs} {made}" + (f" {{: {attributes} }}" if attributes else ""), title.number)]
        )

    def _rule(self, line: SourceLine) -> bool:
        if not patterns.RULE.match(line.text):
            return False
        self.at += 1
        self._write_apart([SourceLine("---", line.number)])
        return True

    # containers

    def _quote(self, line: SourceLine) -> bool:
        if not patterns.QUOTE.match(line.text):
            return False
        end = self.at
        while end < len(self.lines) and (
            patterns.QUOTE.match(self._line_text(end))
            or not (self._is_blank(end) or patterns.starts_block(self._line_text(end)))
        ):
            end += 1
        inner = [
            SourceLine(patterns.QUOTE.sub("", each.text, count=1), each.number) for each in self.lines[self.at : end]
        ]
        self.at = end
        made = convert_blocks(inner, self.context, level=self.level + 1)
        self._write_apart([SourceLine(f"> {each.text}".rstrip(), each.number) for each in made])
        return True

    def _list(self, line: SourceLine) -> bool:
        found = patterns.ITEM.match(line.text)
        if found is None or patterns.RULE.match(line.text):
            return False
        if patterns.ATTRIBUTES.match(self._line_text(self.at + 1)) and "toc" in self._line_text(self.at + 1):
            self.context.has_contents = True
            self.at += 2
            return True
        if not self.in_list and self.out and self.out[-1].text.strip():
            self.out.append(SourceLine("", line.number))
        is_bullet = found["mark"] in "*+-"
        while found and (found["mark"] in "*+-") == is_bullet and not patterns.RULE.match(self._line_text(self.at)):
            self._list_item(found, is_bullet)
            while self._is_blank(self.at) and self.at < len(self.lines):
                self.out.append(SourceLine("", self.lines[self.at].number))
                self.at += 1
            found = patterns.ITEM.match(self._line_text(self.at))
        return True

    def _list_item(self, found: re.Match[str], is_bullet: bool) -> None:
        line = self.lines[self.at]
        gap = len(found["gap"] or " ")
        indent = len(found["front"]) + len(found["mark"]) + (gap if gap <= 4 else 1)
        rest = (found["rest"] or "") if gap <= 4 else " " * (gap - 1) + found["rest"]
        end = self._end_of_item(self.at + 1, indent, lambda text: bool(patterns.ITEM.match(text)))
        inner = [SourceLine(rest, line.number)]
        inner += self._unindented(end, indent)
        self.at = end
        self._write_item("- " if is_bullet else f"{found['mark'][:-1]}. ", inner)

    def _definition(self, line: SourceLine) -> bool:
        found = patterns.DEFINITION.match(line.text)
        if found is None or self.context.is_notebook:
            return False
        indent = len(found["front"]) + 1 + min(len(found["gap"]), 3)
        end = self._end_of_item(self.at + 1, indent, lambda text: bool(patterns.DEFINITION.match(text)))
        inner = [SourceLine(found["rest"], line.number)]
        inner += self._unindented(end, indent)
        self.at = end
        self._write_item(":   ", inner)
        return True

    def _unindented(self, end: int, columns: int) -> list[SourceLine]:
        """The lines after the current one, without the indentation of an item."""
        following = self.lines[self.at + 1 : end]
        return [SourceLine(patterns.unindent(line.text, columns), line.number) for line in following]

    def _end_of_item(self, at: int, indent: int, begins_another: Callable[[str], bool]) -> int:
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
                self._is_blank(at - 1) or begins_another(text) or patterns.starts_block(text)
            ):
                at += 1
            else:
                return at
        return at

    def _write_item(self, mark: str, inner: Sequence[SourceLine]) -> None:
        number = inner[0].number
        made = convert_blocks(inner, self.context, in_list=True, level=self.level + 1)
        while made and not made[0].text:
            made = made[1:]
        while made and not made[-1].text:
            made = made[:-1]
        if not made or made[0].text.startswith(("```", "$$\n")):  # a list mark must be followed by text
            made = [SourceLine("&nbsp;", number), SourceLine("", number), *made]
        self.out.append(SourceLine(f"{mark}{made[0].text}", made[0].number))
        self.out += [SourceLine(f"    {each.text}" if each.text else "", each.number) for each in made[1:]]
        if not all(each.text for each in made) and not self._is_blank(self.at):
            self.out.append(SourceLine("", made[-1].number))  # else the next item would become part of this one

    # tables and paragraphs

    def _table(self, line: SourceLine) -> bool:
        if "|" not in line.text:
            return False
        end = self.at
        while not self._is_blank(end) and "|" in self._line_text(end):
            end += 1
        made = convert_table(self.lines[self.at : end], self.context) if self._ends_block(end) else None
        if made is None:
            return False
        self.at = end
        if self._line_text(self.at).strip():
            self._report_dropped(self.lines[self.at], "a table")
            self.at += 1
        self._write_apart(made)
        return True

    def _paragraph(self) -> None:
        end = self.at + 1
        while not self._is_blank(end) and not self._interrupts(end):
            end += 1
        lines = [SourceLine(line.text.lstrip(" "), line.number) for line in self.lines[self.at : end]]
        if lines[0].text.startswith("\\$$"):  # in kramdown: not a display formula
            lines[0] = SourceLine(lines[0].text[1:], lines[0].number)
        self.at = end
        self.out += convert_spans(lines, self.context)
        found = None if self.context.is_notebook else patterns.ATTRIBUTES.match(self._line_text(self.at))
        if found:
            words = [word for word in found["words"].split() if word[0] in ".#" or "=" in word]
            if len(words) != len(found["words"].split()) and '"' not in found["words"]:
                self._report_dropped(self.lines[self.at], "a paragraph in full")
            kept = found["words"].strip() if '"' in found["words"] else " ".join(words)
            if kept:
                self.out.append(SourceLine(f"{{: {kept} }}", self.lines[self.at].number))
            self.at += 1

    def _interrupts(self, at: int) -> bool:
        text = self._line_text(at)
        if patterns.ATTRIBUTES.match(text) and not self.context.is_notebook:
            return True
        if patterns.DEFINITION.match(text) and not self.context.is_notebook:
            return True
        item = patterns.ITEM.match(text)
        if item and not (self.context.is_notebook and item["mark"][:-1] not in ("", "1")):
            return True
        if self._is_notebook_formula(text):
            return True
        heading = patterns.HEADING.match(text)
        return bool(
            patterns.FENCE.match(text)
            or patterns.QUOTE.match(text)
            or patterns.HTML.match(text)
            or patterns.RULE.match(text)
            or (heading and heading["gap"])
        )

    def _is_notebook_formula(self, text: str) -> bool:
        return bool(ENVIRONMENT.match(text.lstrip(" "))) or bool(re.match(r" {0,3}\\\\?\[\s*$", text))
