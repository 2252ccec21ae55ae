"""Converts what Quarto writes and posts do not read: cells, captions of images and tables, notes within a line."""

import re
from collections.abc import Sequence

from site_builder.errors import counted
from site_builder.importer.lines import (
    FRONT,
    ConversionContext,
    SourceLine,
    fence_at,
    join_lines,
    quoted,
    replace,
    without_blank_ends,
)
from site_builder.importer.shortcodes import figure

_CELL = re.compile(r"\{(?P<language>[A-Za-z]\w*)[^{}]*\}$")
_OPTION = re.compile(r"[ \t]*(?:#|//|%%)\|[ ]?(?:(?P<key>[\w.-]+):[ \t]*(?P<value>.*))?")
_WORDS = r"(?:\\.|[^\[\]\\]|\[[^\[\]]*\])"
_PART = re.compile(
    rf"(?P<code>^{FRONT}(?P<fence>`{{3,}}|~{{3,}})[^\n]*\n.*?^[ \t>]*(?P=fence)[ \t]*$"
    r"|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    rf"|(?:\A|(?<=\n\n))!\[(?P<caption>{_WORDS}+)\]\((?P<address>[^()\s]*)\)(?:\{{(?P<attributes>[^{{}}\n]*)\}})?"
    r"[ \t]*(?=\n[ \t]*\n|\s*\Z)"
    r"|^:[ \t]+(?P<table>[^\n]*?)[ \t]*\{#tbl-[^{}\n]*\}[ \t]*$"
    rf"|\^\[(?P<note>{_WORDS}*)\]",
    re.DOTALL | re.MULTILINE,
)


def convert_quarto(lines: Sequence[SourceLine], context: ConversionContext) -> list[SourceLine]:
    """Return lines without cells, and with captions and notes as posts have them."""
    notes: list[str] = []
    made = without_blank_ends(replace(_cells(lines, context), _PART, lambda found, number: _part(found, notes, number)))
    last = made[-1].number if made else 1
    for count, note in enumerate(notes, 1):
        made += [SourceLine("", last), SourceLine(f"[^inline-{count}]: {' '.join(note.split())}", last)]
    return made


def _part(found: re.Match[str], notes: list[str], number: int) -> str:
    """The text in place of an image of its own, the caption of a table, or a note."""
    if found["address"] is not None:
        return _image(found, number)
    if found["table"] is not None:
        return f"\n{found['table']}"
    if found["note"] is not None:
        notes.append(found["note"])
        return f"[^inline-{len(notes)}]"
    return found[0]


def _image(found: re.Match[str], number: int) -> str:
    """An image as a figure with its caption; one with a label stays, for posts give it a number."""
    attributes = (found["attributes"] or "").replace("fig-alt=", "alt=")
    end = f"({found['address']})" + (f"{{{attributes}}}" if attributes else "")
    if "#fig-" in attributes:
        return f"![{found['caption']}]{end}"
    alt = re.sub(r"[*_`$\\]", "", found["caption"])
    return join_lines(figure([SourceLine(f"![{alt}]{end}", number)], found["caption"]))


def _cells(lines: Sequence[SourceLine], context: ConversionContext) -> list[SourceLine]:
    """Cells as blocks of code, of which the first is reported with the number of all."""
    out: list[SourceLine] = []
    numbers: list[int] = []
    at = 0
    while at < len(lines):
        fence = fence_at(lines, at)
        end = fence.end if fence else at + 1
        rows = list(lines[at:end])
        if fence and (cell := _CELL.match(fence.words)):
            numbers.append(lines[at].number)
            rows = _cell(rows, fence.front, cell["language"].lower(), context)
        out += rows
        at = end
    if numbers:
        action = "not run: the code stands as text, without its outputs"
        context.report(numbers[0], f"{counted(len(numbers), 'cell')} of code", action)
    return out


def _cell(rows: list[SourceLine], front: str, language: str, context: ConversionContext) -> list[SourceLine]:
    """A cell as a block of code without its options; in a fold if they hide or fold it."""
    found = [_OPTION.match(row.text) for row in rows[1:]]
    count = next((at for at, each in enumerate(found) if not each), len(found))
    options = {each["key"]: (each["value"] or "").strip("\"' ") for each in found[:count] if each and each["key"]}
    code = [rows[0].changed(rows[0].text.partition("{")[0] + language), *rows[count + 1 :]]
    if made := options.get("label") or options.get("fig-cap") or options.get("tbl-cap"):
        context.report(rows[0].number, f"the figure or table {made} of this cell", "not made: its code stands there")
    is_hidden = "false" in (options.get("echo"), options.get("include")) or options.get("code-fold") in ("true", "show")
    return quoted("[!details]- Code", rows[0].number, code) if is_hidden and not front.strip() else code
