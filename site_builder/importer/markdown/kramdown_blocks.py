"""Blocks of kramdown, or of a notebook's Markdown -> blocks of posts: lists indented by four, code in fences."""

import re
from collections.abc import Callable, Sequence

from site_builder.importer.markdown import block_marks
from site_builder.importer.markdown.kramdown_spans import spans
from site_builder.importer.markdown.lines import Line, Text, joined, numbered
from site_builder.importer.markdown.mathjax import ENVIRONMENT, formula, unescaped
from site_builder.importer.markdown.tables import table
from site_builder.markup.markdown import anchor_of

_MOST_LEVELS = 20


def blocks(lines: Sequence[Line], text: Text, in_list: bool = False, level: int = 0) -> list[Line]:
    """The lines of a text, or of what stands in a list item, a quotation or a note."""
    if level > _MOST_LEVELS:
        return list(lines)
    return _Blocks(list(lines) if level else block_marks.spaced(lines), text, in_list, level).all()


class _Blocks:
    def __init__(self, lines: list[Line], text: Text, in_list: bool, level: int) -> None:
        self.lines, self.text, self.in_list, self.level = lines, text, in_list, level
        self.out: list[Line] = []
        self.at = 0

    def all(self) -> list[Line]:
        """Every block, one after the other."""
        readers = (
            self._fence,
            self._indented,
            self._display,
            self._environment,
            self._note,
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
                self.out.append(Line("", line.number))
                self.at += 1
            elif not any(read(line) for read in readers):
                self._paragraph()
        return self.out

    def _text(self, at: int) -> str:
        return self.lines[at].text if 0 <= at < len(self.lines) else ""

    def _is_blank(self, at: int) -> bool:
        return not self._text(at).strip()

    def _apart(self, made: Sequence[Line]) -> None:
        """Write a block with an empty line before it, and after it where text goes on."""
        if self.out and self.out[-1].text.strip():
            self.out.append(Line("", self.out[-1].number))
        self.out += made
        if not self._is_blank(self.at):
            self.out.append(Line("", made[-1].number if made else self.lines[self.at].number))

    # code

    def _fence(self, line: Line) -> bool:
        found = block_marks.FENCE.match(line.text)
        if found is None:
            return False
        signs = found["signs"]
        front = len(line.text) - len(line.text.lstrip(" "))
        closing = re.compile(rf" {{0,3}}{signs[0]}{{{len(signs)},}}[ \t]*$")
        end = next((at for at in range(self.at + 1, len(self.lines)) if closing.match(self._text(at))), None)
        if end is None:
            self.text.note(line.number, "this fence is never closed", "it is closed where the text ends")
        code = self.lines[self.at + 1 : end]
        self.at = len(self.lines) if end is None else end + 1
        code = [Line(each.text.removeprefix(" " * front), each.number) for each in code]
        self._code(code, self._language(found["words"], line.number), line.number)
        return True

    def _language(self, words: str, number: int) -> str:
        first = words.replace("{", " ").replace("}", " ").split()
        if not first:
            return ""
        word = first[0].removeprefix(".").removeprefix("language-")
        if len(first) > 1 or not block_marks.PLAIN_WORD.match(word):
            self.text.note(number, f"the words {words.strip()!r} after the signs of a fence", f"only {word!r} is kept")
        return word if block_marks.PLAIN_WORD.match(word) else ""

    def _indented(self, line: Line) -> bool:
        if not line.text.startswith("    ") or (self.at and not self._is_blank(self.at - 1)):
            return False
        end = self.at
        while end < len(self.lines) and (self._text(end).startswith("    ") or self._is_blank(end)):
            end += 1
        while self._is_blank(end - 1):
            end -= 1
        code = [Line(each.text[4:], each.number) for each in self.lines[self.at : end]]
        if self.level:  # items are indented by less than four here and there
            depth = min(block_marks.indent(each.text) for each in code if each.text.strip())
            code = [Line(each.text[depth:], each.number) for each in code]
        self.at = end
        self._code(code, "", line.number)
        return True

    def _code(self, code: list[Line], language: str, number: int) -> None:
        """Write a fence, with the language that an attribute list below it may name."""
        if found := block_marks.ATTRIBUTES.match(self._text(self.at)):
            words = found["words"].split()
            named = [word.removeprefix(".language-") for word in words if word.startswith(".language-")]
            language = language or (named[0] if named else "")
            if [word for word in words if not word.startswith(".language-")]:
                self._dropped(self.lines[self.at], "a block of code")
            self.at += 1
        longest = max((len(run) for each in code for run in re.findall("`{3,}", each.text)), default=2)
        signs = "`" * (longest + 1)
        last = code[-1].number if code else number
        self._apart([Line(f"{signs}{language}", number), *code, Line(signs, last)])

    def _dropped(self, line: Line, of: str) -> None:
        self.text.note(line.number, f"{line.text.strip()} cannot be given to {of}", "left out")

    # formulas

    def _display(self, line: Line) -> bool:
        """A formula that begins and ends a block."""
        text = self.text
        opening = re.match(r" {0,3}(\\?\\\[)" if text.is_notebook else r" {0,3}(\$\$|\\\\\[)", line.text)
        if opening is None or not (self._begins_block() or opening[1] != "$$"):
            return False
        closing = {"$$": "$$", "\\\\[": "\\\\]", "\\[": "\\]"}[opening[1]]
        rest = joined(self.lines[self.at :])
        end = rest.find(closing, opening.end())
        if end < 0 or rest[end + len(closing) :].split("\n", 1)[0].strip():
            return False
        count = rest.count("\n", 0, end) + 1
        if opening[1] == "$$" and not self._ends_block(self.at + count):
            return False
        tex = rest[opening.end() : end]
        self._formula(tex if opening[1] == "$$" or text.is_notebook else unescaped(tex), count)
        return True

    def _begins_block(self) -> bool:
        return (
            self.at == 0 or self._is_blank(self.at - 1) or bool(block_marks.ATTRIBUTES.match(self._text(self.at - 1)))
        )

    def _ends_block(self, at: int) -> bool:
        return self._is_blank(at) or bool(block_marks.ATTRIBUTES.match(self._text(at)))

    def _environment(self, line: Line) -> bool:
        found = ENVIRONMENT.match(line.text.lstrip(" "))
        if found is None:
            return False
        rest = joined(self.lines[self.at :])
        closing = rf"\end{{{found['name']}}}"
        end = rest.find(closing)
        if end < 0 or rest[end + len(closing) :].split("\n", 1)[0].strip():
            return False
        tex = rest[: end + len(closing)]
        self._formula(tex if self.text.is_notebook else unescaped(tex), tex.count("\n") + 1)
        return True

    def _formula(self, tex: str, count: int) -> None:
        numbers = [line.number for line in self.lines[self.at : self.at + count]]
        said = formula(tex, True, self.text)
        if self.level and "\n" in said:  # in a quotation its lines would begin with >
            said = "$$" + " ".join(said[2:-2].split()) + "$$"
        self.at += count
        if found := block_marks.ATTRIBUTES.match(self._text(self.at)):
            if found["words"].strip():
                self._dropped(self.lines[self.at], "a formula")
            self.at += 1
        if said:
            self._apart(numbered(said, numbers))

    # what stands by itself

    def _note(self, line: Line) -> bool:
        found = block_marks.NOTE.match(line.text)
        if found is None:
            return False
        end = self._end_of_item(self.at + 1, 4, lambda text: bool(block_marks.NOTE.match(text)))
        inner = [Line(found["rest"], line.number)]
        inner += [Line(block_marks.outdented(each.text, 4), each.number) for each in self.lines[self.at + 1 : end]]
        self.at = end
        self._item(f"[^{found['label']}]: ", inner)
        return True

    def _reference(self, line: Line) -> bool:
        if block_marks.ABBREVIATION.match(line.text):
            self.out.append(line)
            self.at += 1
            return True
        found = block_marks.REFERENCE.match(line.text)
        if found is None:
            return False
        written = found["url"].removeprefix("<").removesuffix(">")
        address = self.text.resolve(written, block_marks.is_picture(written), line.number)
        if address is None:
            self.text.note(line.number, f"the link {written} leads nowhere here", "it leads to the post itself")
            address = "#"
        self.out.append(Line(f"[{found['label']}]: {address}{found['title'] or ''}", line.number))
        self.at += 1
        return True

    def _html(self, line: Line) -> bool:
        found = block_marks.HTML.match(line.text)
        if found is None:
            return False
        closing = "-->" if found["name"] is None else block_marks.TO_ITS_END.get(found["name"].lower(), "")
        end = self.at
        while end < len(self.lines) and (
            closing not in self._text(end).lower() if closing else not self._is_blank(end)
        ):
            end += 1
        end = min(end + (1 if closing else 0), len(self.lines))
        html = self.lines[self.at : end]
        if found["name"] is None and closing not in self._text(end - 1):
            return False
        self.at = end
        if found["name"] and found["name"].lower() == "script" and block_marks.MATHJAX.search(joined(html)):
            self.text.note(line.number, "a script for formulas", "left out: formulas need none here")
            return True
        is_comment = found["name"] is None
        is_markdown = bool(re.search(r"\bmarkdown\s*=", line.text))
        self.out += html if is_comment else spans(html, self.text, in_html=not is_markdown)
        return True

    def _attributes(self, line: Line) -> bool:
        """An attribute list or an extension of kramdown that stands alone, or after something that takes none."""
        if self.text.is_notebook:
            return False
        if block_marks.HIDDEN.fullmatch(line.text.strip()) and self._hidden(line):
            return True
        if found := block_marks.ATTRIBUTES.match(line.text):
            if "toc" in found["words"].split():
                self.text.has_contents = True
            elif found["words"].strip():
                self._dropped(line, "this block")
        elif block_marks.OPTIONS.match(line.text) and re.match(r"\s*\{:", line.text):
            self.text.note(line.number, f"{line.text.strip()} is kramdown's own", "left out")
        else:
            return False
        self.at += 1
        return True

    def _hidden(self, line: Line) -> bool:
        """A comment of kramdown, whatever blocks stand in it; without an end it is none."""
        lines = enumerate(self.lines[self.at + 1 :], self.at + 1)
        end = next((at for at, each in lines if block_marks.HIDDEN_END.fullmatch(each.text.strip())), None)
        if end is None:
            return False
        self.text.note(line.number, "a comment of kramdown", "left out")
        self.at = end + 1
        return True

    def _heading(self, line: Line) -> bool:
        found = block_marks.HEADING.match(line.text)
        if found:
            if not found["gap"] and found["words"]:  # GFM: a hashtag
                self.lines[self.at] = Line(line.text.replace("#", "\\#", 1), line.number)
                return False
            self.at += 1
            self._titled(len(found["signs"]), Line(found["words"], line.number))
            return True
        under = block_marks.UNDERLINE.match(self._text(self.at + 1))
        if under is None or block_marks.is_special(line.text):
            return False
        self.at += 2
        self._titled(1 if under[1][0] == "=" else 2, Line(line.text.strip(), line.number))
        return True

    def _titled(self, depth: int, title: Line) -> None:
        words, attributes = title.text, ""
        if not self.text.is_notebook:
            if found := block_marks.TRAILING.search(words):
                words, attributes = words[: found.start()], found["words"].removeprefix(":").strip()
            if below := block_marks.ATTRIBUTES.match(self._text(self.at)):
                attributes = f"{attributes} {below['words'].strip()}".strip()
                self.at += 1
            attributes = " ".join(word for word in attributes.split() if word != ".no_toc")
        own = block_marks.their_anchor(words, self.text.is_notebook)
        if "#" not in attributes and own in self.text.anchors and own != anchor_of(block_marks.bare(words)):
            attributes = f"#{own} {attributes}".strip()
        made = spans([Line(words, title.number)], self.text)[0].text
        signs = "#" * min(depth + self.text.shift, 6)
        self._apart([Line(f"{signs} {made}" + (f" {{: {attributes} }}" if attributes else ""), title.number)])

    def _rule(self, line: Line) -> bool:
        if not block_marks.RULE.match(line.text):
            return False
        self.at += 1
        self._apart([Line("---", line.number)])
        return True

    # containers

    def _quote(self, line: Line) -> bool:
        if not block_marks.QUOTE.match(line.text):
            return False
        end = self.at
        while end < len(self.lines) and (
            block_marks.QUOTE.match(self._text(end))
            or not (self._is_blank(end) or block_marks.is_special(self._text(end)))
        ):
            end += 1
        inner = [Line(block_marks.QUOTE.sub("", each.text, count=1), each.number) for each in self.lines[self.at : end]]
        self.at = end
        made = blocks(inner, self.text, level=self.level + 1)
        self._apart([Line(f"> {each.text}".rstrip(), each.number) for each in made])
        return True

    def _list(self, line: Line) -> bool:
        found = block_marks.ITEM.match(line.text)
        if found is None or block_marks.RULE.match(line.text):
            return False
        if block_marks.ATTRIBUTES.match(self._text(self.at + 1)) and "toc" in self._text(self.at + 1):
            self.text.has_contents = True
            self.at += 2
            return True
        if not self.in_list and self.out and self.out[-1].text.strip():
            self.out.append(Line("", line.number))
        is_bullet = found["mark"] in "*+-"
        while found and (found["mark"] in "*+-") == is_bullet and not block_marks.RULE.match(self._text(self.at)):
            self._list_item(found, is_bullet)
            while self._is_blank(self.at) and self.at < len(self.lines):
                self.out.append(Line("", self.lines[self.at].number))
                self.at += 1
            found = block_marks.ITEM.match(self._text(self.at))
        return True

    def _list_item(self, found: re.Match[str], is_bullet: bool) -> None:
        line = self.lines[self.at]
        gap = len(found["gap"] or " ")
        indent = len(found["front"]) + len(found["mark"]) + (gap if gap <= 4 else 1)
        rest = (found["rest"] or "") if gap <= 4 else " " * (gap - 1) + found["rest"]
        end = self._end_of_item(self.at + 1, indent, lambda text: bool(block_marks.ITEM.match(text)))
        inner = [Line(rest, line.number)]
        inner += [Line(block_marks.outdented(each.text, indent), each.number) for each in self.lines[self.at + 1 : end]]
        self.at = end
        self._item("- " if is_bullet else f"{found['mark'][:-1]}. ", inner)

    def _definition(self, line: Line) -> bool:
        found = block_marks.DEFINITION.match(line.text)
        if found is None or self.text.is_notebook:
            return False
        indent = len(found["front"]) + 1 + min(len(found["gap"]), 3)
        end = self._end_of_item(self.at + 1, indent, lambda text: bool(block_marks.DEFINITION.match(text)))
        inner = [Line(found["rest"], line.number)]
        inner += [Line(block_marks.outdented(each.text, indent), each.number) for each in self.lines[self.at + 1 : end]]
        self.at = end
        self._item(":   ", inner)
        return True

    def _end_of_item(self, at: int, indent: int, begins_another: Callable[[str], bool]) -> int:
        """Where what belongs to an item ends; lines that go on a paragraph need no indentation."""
        while at < len(self.lines):
            said = self._text(at)
            if not said.strip():
                after = at
                while after < len(self.lines) and self._is_blank(after):
                    after += 1
                if after == len(self.lines) or block_marks.indent(self._text(after)) < indent:
                    return at
                at = after
            elif block_marks.indent(said) >= indent or not (
                self._is_blank(at - 1) or begins_another(said) or block_marks.is_special(said)
            ):
                at += 1
            else:
                return at
        return at

    def _item(self, mark: str, inner: Sequence[Line]) -> None:
        number = inner[0].number
        made = blocks(inner, self.text, in_list=True, level=self.level + 1)
        while made and not made[0].text:
            made = made[1:]
        while made and not made[-1].text:
            made = made[:-1]
        if not made or made[0].text.startswith(("```", "$$\n")):  # the language wants words beside a mark
            made = [Line("&nbsp;", number), Line("", number), *made]
        self.out.append(Line(f"{mark}{made[0].text}", made[0].number))
        self.out += [Line(f"    {each.text}" if each.text else "", each.number) for each in made[1:]]
        if not all(each.text for each in made) and not self._is_blank(self.at):
            self.out.append(Line("", made[-1].number))  # or the next item would belong to this one

    # tables and paragraphs

    def _table(self, line: Line) -> bool:
        if "|" not in line.text:
            return False
        end = self.at
        while not self._is_blank(end) and "|" in self._text(end):
            end += 1
        made = table(self.lines[self.at : end], self.text) if self._ends_block(end) else None
        if made is None:
            return False
        self.at = end
        if self._text(self.at).strip():
            self._dropped(self.lines[self.at], "a table")
            self.at += 1
        self._apart(made)
        return True

    def _paragraph(self) -> None:
        end = self.at + 1
        while not self._is_blank(end) and not self._interrupts(end):
            end += 1
        lines = [Line(line.text.lstrip(" "), line.number) for line in self.lines[self.at : end]]
        if lines[0].text.startswith("\\$$"):  # kramdown's way to say that this is no block
            lines[0] = Line(lines[0].text[1:], lines[0].number)
        self.at = end
        self.out += spans(lines, self.text)
        found = None if self.text.is_notebook else block_marks.ATTRIBUTES.match(self._text(self.at))
        if found:
            words = [word for word in found["words"].split() if word[0] in ".#" or "=" in word]
            if len(words) != len(found["words"].split()) and '"' not in found["words"]:
                self._dropped(self.lines[self.at], "a paragraph in full")
            kept = found["words"].strip() if '"' in found["words"] else " ".join(words)
            if kept:
                self.out.append(Line(f"{{: {kept} }}", self.lines[self.at].number))
            self.at += 1

    def _interrupts(self, at: int) -> bool:
        said = self._text(at)
        if block_marks.ATTRIBUTES.match(said) and not self.text.is_notebook:
            return True
        if block_marks.DEFINITION.match(said) and not self.text.is_notebook:
            return True
        item = block_marks.ITEM.match(said)
        if item and not (self.text.is_notebook and item["mark"][:-1] not in ("", "1")):
            return True
        if self._is_display_of_notebook(said):
            return True
        heading = block_marks.HEADING.match(said)
        return bool(
            block_marks.FENCE.match(said)
            or block_marks.QUOTE.match(said)
            or block_marks.HTML.match(said)
            or block_marks.RULE.match(said)
            or (heading and heading["gap"])
        )

    def _is_display_of_notebook(self, said: str) -> bool:
        return bool(ENVIRONMENT.match(said.lstrip(" "))) or bool(re.match(r" {0,3}\\\\?\[\s*$", said))
