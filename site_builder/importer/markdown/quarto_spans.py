"""Converts what Quarto writes inside paragraphs beyond CommonMark: attributes, raw HTML, inline notes, labels."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from site_builder.importer.markdown.conversion import ConversionContext, SourceLine, join_lines, number_at, number_lines
from site_builder.importer.markdown.pandoc_attributes import read_attributes
from site_builder.importer.markdown.quarto_references import Labels, equation_label, kind_of

_IN_BRACKETS = r"(?:\\.|[^\[\]\\]|\[(?:\\.|[^\[\]\\])*\])*"
_SPAN = re.compile(
    r"(?P<escape>\\.)"
    r"|(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)(?:\{(?P<of_code>[^{}\n]+)\})?"
    r"|\$\$(?P<display>.+?)\$\$(?:(?P<gap>[ \t]*)\{#(?P<equation>eq-[^\s{}]+)[^{}\n]*\})?"
    r"|(?P<tex>\$(?=[^\s$])(?:\\.|[^$\\])*?(?<!\s)\$(?!\d))"
    r"|(?P<html><!--.*?-->|<[^<>\n]*>|https?://[^\s)\]]+)"
    r"|(?P<address>\]\((?:[^()\n]|\([^()\n]*\))*\))(?:\{(?P<of_link>[^{}\n]+)\})?"
    rf"|\^\[(?P<note>{_IN_BRACKETS})\]"
    rf"|\[(?P<span>{_IN_BRACKETS})\]\{{(?P<of_span>[^{{}}\n]+)\}}"
    r"|(?P<strike>~~)|\^(?P<over>[^\s^\[\]]+)\^|~(?P<under>[^\s~]+)~",
    re.DOTALL,
)
_INLINE_CELL = re.compile(r"\{(?P<language>\w+)\}\s+(?P<code>.*)|r\s+(?P<r>\S.*)", re.DOTALL)
_TAGS = {"mark": "mark", "underline": "u", "ul": "u", "kbd": "kbd"}
_DROPPED = "left out"


@dataclass
class SpanConverter:
    """Converts paragraphs. notes: the inline notes so far, each with its line; `notes_as_lines` returns them."""

    labels: Labels
    context: ConversionContext
    notes: list[SourceLine] = field(default_factory=list)
    _numbers: Sequence[int] = (1,)

    def convert(self, lines: Sequence[SourceLine]) -> list[SourceLine]:
        """Convert the lines of one paragraph."""
        if not lines:
            return []
        self._numbers = [line.number for line in lines]
        return number_lines(self.convert_text(join_lines(lines)), self._numbers)

    def convert_text(self, text: str, number: int = 0) -> str:
        """Convert a text. number: the line of all of it, unless it is that of the paragraph."""

        def replaced(found: re.Match[str]) -> str:
            return self._replaced(found, number or number_at(text, self._numbers, found.start()))

        return _SPAN.sub(replaced, text)

    def notes_as_lines(self) -> list[SourceLine]:
        """The footnotes that the inline notes become."""
        rows: list[SourceLine] = []
        for count, note in enumerate(self.notes, 1):
            text = " ".join(note.text.split())
            rows += [SourceLine("", note.number), SourceLine(f"[^inline-{count}]: {text}", note.number)]
        return rows

    def _replaced(self, found: re.Match[str], number: int) -> str:
        if found["code"]:
            return self._code(found, number)
        if found["display"]:
            return self._display(found)
        if found["address"]:
            if found["of_link"]:
                self.report_dropped(found["of_link"], "a link or an image", number)
            return found["address"]
        if found["note"]:
            self.notes.append(SourceLine("", number))
            mark = f"[^inline-{len(self.notes)}]"
            at = len(self.notes) - 1
            self.notes[at] = SourceLine(self.convert_text(found["note"], number), number)
            return mark
        if found["of_span"]:
            return self._span(found["span"], found["of_span"], number)
        if found["over"] or found["under"]:
            tag = "sup" if found["over"] else "sub"
            return f"<{tag}>{found['over'] or found['under']}</{tag}>"
        return found[0]

    def report_dropped(self, attributes: str, of: str, number: int) -> None:
        """Report attributes that have no place in a post. of: what had them."""
        self.context.report(number, f"{{{attributes}}} cannot be given to {of}", _DROPPED)

    def _code(self, found: re.Match[str], number: int) -> str:
        code, written = found["code"], found["of_code"]
        form = read_attributes(written).format if written else ""
        if form == "html":
            return code
        if form:
            self.context.report(number, f"text in {form}, {code}", _DROPPED)
            return ""
        if (cell := _INLINE_CELL.fullmatch(code)) and not written:
            expression = cell["code"] or cell["r"]
            self.context.report(number, f"the expression {expression} is not run", "it stands as code")
            return f"{found['ticks']}{expression}{found['ticks']}"
        if written:
            self.report_dropped(written, "code within a line", number)
        return f"{found['ticks']}{code}{found['ticks']}"

    def _display(self, found: re.Match[str]) -> str:
        if not found["equation"]:
            return found[0]
        self.labels.add(found["equation"])
        tex, label = found["display"], rf"\label{{{equation_label(found['equation'])}}}"
        if "%" in tex.rstrip().rpartition("\n")[2]:  # a comment would hide it
            return f"$${label} {tex}$$"
        end = tex[len(tex.rstrip()) :]
        return f"$${tex.rstrip()} {label}{end}$$"

    def _span(self, text: str, written: str, number: int) -> str:
        attributes = read_attributes(written)
        inside = self.convert_text(text, number)
        for name in attributes.classes:
            if tag := _TAGS.get(name):
                inside = f"<{tag}>{inside}</{tag}>"
        if attributes.identifier:
            inside = f'<span id="{attributes.identifier}">{inside}</span>'
            if kind_of(attributes.identifier):
                self.labels.add(attributes.identifier)
        if others := attributes.others(_TAGS):
            self.report_dropped(others, "words", number)
        return inside
