"""Converts the blocks of Quarto beyond CommonMark: divs, cells, figures, tables with captions, headings with labels."""

import re
from collections.abc import Sequence

from site_builder.errors import counted
from site_builder.importer.markdown import patterns
from site_builder.importer.markdown.conversion import (
    MAX_LEVELS,
    ConversionContext,
    SourceLine,
    fence_for,
    join_lines,
    without_blank_ends,
)
from site_builder.importer.markdown.pandoc_attributes import Attributes, read_attributes
from site_builder.importer.markdown.quarto_cells import CAPTIONS, READ_OPTIONS, read_options
from site_builder.importer.markdown.quarto_references import Labels, kind_of
from site_builder.importer.markdown.quarto_spans import SpanConverter
from site_builder.importer.markdown.quarto_structure import CAPTION, MARKS, Block, is_table, lines_inside, split_blocks
from site_builder.importer.markdown.shortcode_outputs import alt_text, figure, quoted
from site_builder.markup.markdown import anchor_of

_HEADING_END = re.compile(r"[ \t]*\{(?P<words>[^{}]*)\}[ \t]*$")
_IMAGE = re.compile(
    r"!\[(?P<caption>(?:\\.|[^\[\]\\]|\[[^\[\]]*\])*)\]\((?P<address>(?:[^()\n]|\([^()\n]*\))*)\)"
    r"(?:\{(?P<attributes>[^{}]*)\})?\s*",
    re.DOTALL,
)
_QUOTE_MARK = re.compile(r"[ \t]*> ?")
_TEX_COMMAND = re.compile(r"[ \t]*\\(?:newpage|pagebreak|clearpage|(?:med|big|small)skip)[ \t]*$")
_CELL = re.compile(r"\{(?P<language>[A-Za-z]\w*)(?:[ ,]+(?P<options>.*))?\}\s*$")
_OTHER_TABLE = re.compile(r"[ \t]*(?:\+[-=:]+\+[-=:+]*|-{2,}(?:[ \t]+-{2,})+)[ \t]*$")
_DIAGRAMS = ("mermaid", "dot")
_CALLOUTS = ("note", "tip", "warning", "caution", "important")
_PROOFS = ("proof", "solution", "remark")
_NO_NUMBER = ("unnumbered", "unlisted", "-")


def convert_quarto(lines: Sequence[SourceLine], context: ConversionContext) -> tuple[list[SourceLine], Labels]:
    """Return lines of CommonMark with notes as in GFM, and what the references, which stay, can lead to."""
    labels = Labels()
    converter = _Converter(labels, context)
    made = converter.convert(lines)
    if converter.cells:
        problem = f"{counted(len(converter.cells), 'cell')} of code"
        context.report(converter.cells[0], problem, "not run: the code stands as text, without its outputs")
    return [*without_blank_ends(made), *converter.spans.notes_as_lines()], labels


class _Converter:
    """Converts blocks. cells: the line of each cell so far; parent: the figure inside of which lines stand."""

    def __init__(self, labels: Labels, context: ConversionContext) -> None:
        self.labels, self.context = labels, context
        self.spans = SpanConverter(labels, context)
        self.cells: list[int] = []
        self.level = 0  # of the text in divs
        self.depth = 0  # of notes, folds and indented divs around the lines

    def convert(self, lines: Sequence[SourceLine], parent: str = "") -> list[SourceLine]:
        """Return the lines of all blocks; divs that are nested too deeply stay as they are."""
        if self.level > MAX_LEVELS:
            return list(lines)
        self.level += 1
        made = self._converted(lines, parent)
        self.level -= 1
        return made

    def _converted(self, lines: Sequence[SourceLine], parent: str) -> list[SourceLine]:
        blocks = list(split_blocks(lines))
        out: list[SourceLine] = []
        at = 0
        while at < len(blocks):
            block = blocks[at]
            following = next((number for number in range(at + 1, len(blocks)) if blocks[number].kind != "blank"), 0)
            after = blocks[following] if following else None
            if block.kind == "code":
                made = self._code(block, parent)
            elif block.kind == "div":
                made = self._div(block)
            elif block.kind == "quote":
                made = self._quote(block)
            elif block.kind == "blank":
                made = [self._blank(block.lines[0])]
            elif is_table(block) and (caption := self._caption(after)):
                made, at = self._table(block, caption, parent), following
            elif after and is_table(after) and (caption := self._caption(block)):
                made, at = self._table(after, caption, parent), following
            else:
                made = self._text(list(block.lines), parent)
            is_after_blank = not out or not out[-1].text.strip()
            out += made[1:] if made and not made[0].text.strip() and is_after_blank else made
            at += 1
        return out

    def _quote(self, block: Block) -> list[SourceLine]:
        inside = [line.changed(_QUOTE_MARK.sub("", line.text, count=1)) for line in block.lines]
        front = re.match(r"[ \t]*", block.lines[0].text)[0]  # type: ignore[index]
        return [line.changed(f"{front}> {line.text}".rstrip()) for line in without_blank_ends(self._nested(inside))]

    def _blank(self, line: SourceLine) -> SourceLine:
        if line.text.strip():
            self.context.report(line.number, f"{line.text.strip()} closes no div", "left out")
        return line.changed("")

    # text

    def _text(self, lines: list[SourceLine], parent: str) -> list[SourceLine]:
        heading = patterns.HEADING.match(lines[0].text)
        if heading and heading["words"]:
            first = self._heading(heading["signs"], lines[0].changed(heading["words"]))
            return [first, *(self._text(lines[1:], parent) if lines[1:] else [])]
        under = patterns.UNDERLINE.match(lines[1].text) if len(lines) > 1 else None
        if under and not patterns.starts_block(lines[0].text):
            first = self._heading("#" if under[1][0] == "=" else "##", lines[0].changed(lines[0].text.strip()))
            return [first, *(self._text(lines[2:], parent) if lines[2:] else [])]
        if any(_OTHER_TABLE.match(line.text) for line in lines):
            self.context.report(
                lines[0].number, "a table that is drawn with lines", "it stands as text in a code block"
            )
            fence = fence_for(lines)
            return [lines[0].changed(fence), *lines, lines[-1].changed(fence)]
        front = re.match(r"[ \t]*", lines[0].text)[0]  # type: ignore[index]
        if image := _IMAGE.fullmatch(join_lines(lines).strip()):
            return self._image(image, front, lines[0].number, parent)
        if len(lines) == 1 and _TEX_COMMAND.match(lines[0].text):
            self.context.report(lines[0].number, f"{lines[0].text.strip()}, which is for paper", "left out")
            return []
        return self.spans.convert(lines)

    def _heading(self, signs: str, title: SourceLine) -> SourceLine:
        words, attributes = title.text, Attributes("", (), {})
        if found := _HEADING_END.search(words):
            words, attributes = words[: found.start()], read_attributes(found["words"])
        if attributes.named:
            self.spans.report_dropped(attributes.others(attributes.classes), "a heading", title.number)
        plain = patterns.heading_text(words).strip()
        identifier = attributes.identifier
        own = _pandoc_anchor(plain)
        if not identifier and own in self.context.anchors and own != anchor_of(plain):
            identifier = own
        if kind_of(identifier):
            self.labels.add(identifier, re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words).strip())
        kept = [f"#{identifier}"] if identifier else []
        kept += [f".{each}" for each in attributes.classes if each not in _NO_NUMBER]
        end = f" {{: {' '.join(kept)} }}" if kept else ""
        return title.changed(f"{signs} {self.spans.convert_text(words, title.number)}{end}")

    def _image(self, image: re.Match[str], front: str, number: int, parent: str) -> list[SourceLine]:
        attributes = read_attributes(image["attributes"] or "")
        caption = self.spans.convert_text(image["caption"], number)
        if others := attributes.others(("fig-alt", "fig-cap")):
            self.spans.report_dropped(others, "an image", number)
        caption = attributes.any_of("fig-cap") or caption
        alt = attributes.any_of("fig-alt") or _plain(image["caption"])
        row = SourceLine(f"{front}![{alt_text(alt)}]({image['address']})", number)
        return self._figure_lines([row], self._named(attributes.identifier, caption, parent), attributes.identifier)

    def _figure_lines(self, rows: Sequence[SourceLine], caption: str, identifier: str) -> list[SourceLine]:
        front = re.match(MARKS, rows[0].text)[0].expandtabs(4)  # type: ignore[index]
        made = figure(rows, caption, identifier, self.depth > 0 or bool(front))
        if not front or len(made) == len(rows):
            return made
        return [*made[:-1], made[-1].changed(" " * len(front) + made[-1].text)]

    def _anchor(self, identifier: str, number: int) -> list[SourceLine]:
        if not identifier:
            return []
        tag = "span" if self.depth else "div"
        return [SourceLine(f'<{tag} id="{identifier}"></{tag}>', number), SourceLine("", number)]

    def _nested(self, lines: Sequence[SourceLine]) -> list[SourceLine]:
        """Convert lines that will be indented."""
        self.depth += 1
        made = self.convert(lines)
        self.depth -= 1
        return made

    def _named(self, identifier: str, caption: str, parent: str = "") -> str:
        """A caption with its number before it, such as Figure 1: A walk."""
        name = self.labels.add(identifier, part_of=parent) if identifier else ""
        return f"{name}: {caption}" if name and caption else name or caption

    def _caption(self, block: Block | None) -> re.Match[str] | None:
        is_text = block is not None and block.kind == "text" and not is_table(block)
        return CAPTION.match(join_lines(block.lines)) if block and is_text else None

    def _table(self, table: Block, caption: re.Match[str], parent: str) -> list[SourceLine]:
        attributes = read_attributes(caption["attributes"] or "")
        number = table.lines[0].number
        if others := attributes.others(()):
            self.spans.report_dropped(others, "a table", number)
        words = self._named(attributes.identifier, self.spans.convert_text(caption["words"], number), parent)
        return self._figure_lines(self.spans.convert(table.lines), words, attributes.identifier)

    # code

    def _code(self, block: Block, parent: str) -> list[SourceLine]:
        head = block.head
        assert head is not None
        line, words = block.lines[0], head["words"].strip()
        if cell := _CELL.match(words):
            return self._cell(block, cell, parent)
        attributes = read_attributes(words.strip("{}")) if words.startswith("{") else Attributes("", (), {})
        if attributes.format:
            if attributes.format == "html":
                return [SourceLine("", line.number), *lines_inside(block), SourceLine("", line.number)]
            self.context.report(line.number, f"a block in {attributes.format}", "left out")
            return []
        if not attributes.identifier and not attributes.named:
            return list(block.lines)
        kept = ("lst-cap", "filename", "code-fold", "code-summary")
        if others := attributes.others((*kept, *attributes.classes[:1])):
            self.spans.report_dropped(others, "a block of code", line.number)
        rows = [line.changed(f"{head['front']}{head['signs']}{''.join(attributes.classes[:1])}"), *block.lines[1:]]
        words = ": ".join(filter(None, (attributes.any_of("filename"), attributes.any_of("lst-cap"))))
        caption = self._named(attributes.identifier, words, parent)
        return self._figure_lines(self._folded(rows, attributes, head["front"]), caption, attributes.identifier)

    def _folded(self, rows: list[SourceLine], options: Attributes, front: str) -> list[SourceLine]:
        """Code in a fold if it was folded or hidden; what is indented stays as it is."""
        is_hidden = "false" in (options.any_of("echo"), options.any_of("include"))
        is_folded = options.any_of("code-fold") in ("true", "show")
        if front or not (is_hidden or is_folded):
            return rows
        sign = "+" if options.any_of("code-fold") == "show" else "-"
        title = options.any_of("code-summary") or "Code"
        return quoted(f"[!details]{sign} {title}", rows[0].number, rows)

    def _cell(self, block: Block, cell: re.Match[str], parent: str) -> list[SourceLine]:
        """A cell as a block of code; with a label and a caption as a figure."""
        head, line, language = block.head, block.lines[0], cell["language"].lower()
        assert head is not None
        if language not in _DIAGRAMS:
            self.cells.append(line.number)
        options, count = read_options(cell["options"] or "", block.lines[1:])
        rows = [line, *block.lines[1 + count :]]
        if others := [key for key in options.named if key not in READ_OPTIONS]:
            noun = "options" if len(others) > 1 else "option"
            self.context.report(line.number, f"the {noun} {', '.join(others)} of a cell", "left out")
        if language in _DIAGRAMS:
            self.context.report(line.number, f"a diagram of {language} is not drawn here", "its source stands as code")
        caption, identifier = options.any_of(*CAPTIONS), options.any_of("lst-label", "label")
        identifier = identifier if kind_of(identifier) else ""
        if language not in _DIAGRAMS and (caption or kind_of(identifier) in ("fig", "tbl")):
            kind = "table" if kind_of(identifier) == "tbl" or options.any_of("tbl-cap") else "figure"
            problem = f"the {kind} {identifier} that this cell makes".replace("  ", " ")
            self.context.report(line.number, problem, "not made: its code and caption stand in its place")
        if not any(row.text.strip() for row in lines_inside(block)[count:]):
            return []
        words = self._named(identifier, self.spans.convert_text(caption, line.number), parent)
        rows[0] = line.changed(f"{head['front']}{head['signs']}{language}")
        return self._figure_lines(self._folded(rows, options, head["front"]), words, identifier)

    # divs

    def _div(self, block: Block) -> list[SourceLine]:
        head = block.head
        assert head is not None
        number, front = block.lines[0].number, head["front"]
        attributes = read_attributes(head["word"] or head["braces"])
        if not block.is_closed:
            self.context.report(number, "this div is never closed", "it is closed where the text ends")
        rows = block.lines[1 : -1 if block.is_closed else None]
        inside = [line.changed(line.text.removeprefix(front)) for line in rows]
        self.depth += bool(front)
        made = self._div_inside(attributes, without_blank_ends(inside), number)
        self.depth -= bool(front)
        made = [SourceLine("", number), *made, SourceLine("", block.lines[-1].number)] if made else []
        return [line.changed(f"{front}{line.text}" if line.text else "") for line in made]

    def _div_inside(self, attributes: Attributes, inside: list[SourceLine], number: int) -> list[SourceLine]:
        kind = kind_of(attributes.identifier)
        callout = next((each[8:] for each in attributes.classes if each.startswith("callout-")), "")
        if callout:
            return self._callout(callout, attributes, inside, number)
        if kind in ("fig", "tbl", "lst"):
            return self._figure(attributes, inside, number)
        proof = next((each for each in attributes.classes if each in _PROOFS), "")
        if kind or proof:
            return self._theorem(attributes, proof, inside, number)
        if attributes.identifier == "refs" and not inside:
            return []
        if _is_hidden(attributes):
            self.context.report(number, f"the div {attributes.others(())}", "left out, with the text inside it")
            return []
        if (others := attributes.others(())) and attributes.classes != ("column",):
            self.context.report(number, f"the div {others}", "left out; the text inside it stays")
        return [*self._anchor(attributes.identifier, number), *self.convert(inside)]

    def _callout(self, kind: str, attributes: Attributes, inside: list[SourceLine], number: int) -> list[SourceLine]:
        title, inside = self._title(attributes, "title", inside)
        if others := attributes.others(("title", "collapse", f"callout-{kind}")):
            self.spans.report_dropped(others, "a note", number)
        if kind not in _CALLOUTS:
            self.context.report(number, f"the callout {kind} is not one of Quarto's", "it stands as a note")
            kind = "note"
        fold = {"true": "-", "false": "+"}.get(attributes.any_of("collapse"), "")
        if attributes.identifier and (name := self.labels.add(attributes.identifier)):
            title = f"{name}: {title}" if title else name
        if fold and not title:
            title = kind.capitalize()
        note = quoted(f"[!{kind}]{fold} {title}".rstrip(), number, self._nested(inside))
        return [*self._anchor(attributes.identifier, number), *note]

    def _title(self, attributes: Attributes, key: str, inside: list[SourceLine]) -> tuple[str, list[SourceLine]]:
        """A title from an attribute, else from the heading with which the text begins, and the text without that."""
        found = patterns.HEADING.match(inside[0].text) if inside else None
        if attributes.any_of(key) or not found:
            return attributes.any_of(key), inside
        words = _HEADING_END.sub("", found["words"])
        return self.spans.convert_text(words, inside[0].number), without_blank_ends(inside[1:])

    def _theorem(self, attributes: Attributes, proof: str, inside: list[SourceLine], number: int) -> list[SourceLine]:
        name = self.labels.add(attributes.identifier) or proof.capitalize()
        title, inside = self._title(attributes, "name", inside)
        if others := attributes.others(("name", proof)):
            self.spans.report_dropped(others, "a note", number)
        head = f"[!note] {name} ({title})" if title else f"[!note] {name}"
        return [*self._anchor(attributes.identifier, number), *quoted(head, number, self._nested(inside))]

    def _figure(self, attributes: Attributes, inside: list[SourceLine], number: int) -> list[SourceLine]:
        """A div that is a figure, table or listing; its last paragraph is the caption."""
        if others := attributes.others(CAPTIONS):
            self.spans.report_dropped(others, "a figure", number)
        identifier = attributes.identifier
        name = self.labels.add(identifier)
        caption = attributes.any_of(*CAPTIONS)
        blocks = list(split_blocks(inside))
        last = blocks[-1] if blocks else None
        is_words = last is not None and last.kind == "text" and not (is_table(last) or "![" in join_lines(last.lines))
        if not caption and last and is_words and len(blocks) > 1:
            caption = self.spans.convert_text(join_lines(last.lines), last.lines[0].number)
            inside = without_blank_ends(line for block in blocks[:-1] for line in block.lines)
        rows = without_blank_ends(self.convert(inside, identifier))
        return self._figure_lines(
            rows or [SourceLine("", number)], f"{name}: {caption}" if caption else name, identifier
        )


def _is_hidden(attributes: Attributes) -> bool:
    """True when a div is not for pages on the web."""
    form = attributes.any_of("when-format", "unless-format")
    is_for_form = not form or "html" in form
    is_when = "unless-format" not in attributes.named
    if "content-hidden" in attributes.classes:
        return is_for_form == is_when
    return "content-visible" in attributes.classes and is_for_form != is_when


def _pandoc_anchor(words: str) -> str:
    """The anchor that Pandoc makes of a heading."""
    kept = re.sub(r"[^\w\-. ]", "", words.lower()).strip().replace(" ", "-")
    return re.sub(r"^[^a-z]+", "", kept)


def _plain(words: str) -> str:
    """Words without the signs of Markdown."""
    return re.sub(r"[*_`$\\]", "", re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", words))
