"""Converts what Quarto writes and posts do not read: cells, captions of images and tables, notes within a line."""

import re
from collections.abc import Sequence

from site_builder.extensions.importing.lines import (
    FRONT,
    ConversionContext,
    quoted,
    replace,
    without_blank_ends,
)
from site_builder.extensions.importing.shortcodes import figure

CELL = re.compile(r"\{[A-Za-z]\w*[^{}]*\}$")
"""The words behind the signs of the fence of a cell."""
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


def convert_quarto(lines: Sequence[str]) -> list[str]:
    """Return lines with captions and notes as posts have them."""
    notes: list[str] = []
    made = without_blank_ends(replace(lines, _PART, lambda found: _part(found, notes)))
    for count, note in enumerate(notes, 1):
        made += ["", f"[^inline-{count}]: {' '.join(note.split())}"]
    return made


def _part(found: re.Match[str], notes: list[str]) -> str:
    """The text in place of an image of its own, the caption of a table, or a note."""
    if found["address"] is not None:
        return _image(found)
    if found["table"] is not None:
        return f"\n{found['table']}"
    if found["note"] is not None:
        notes.append(found["note"])
        return f"[^inline-{len(notes)}]"
    return found[0]


def _image(found: re.Match[str]) -> str:
    """An image as a figure with its caption; one with a label stays, for posts give it a number."""
    attributes = (found["attributes"] or "").replace("fig-alt=", "alt=")
    end = f"({found['address']})" + (f"{{{attributes}}}" if attributes else "")
    if "#fig-" in attributes:
        return f"![{found['caption']}]{end}"
    alt = re.sub(r"[*_`$\\]", "", found["caption"])
    return "\n".join(figure([f"![{alt}]{end}"], found["caption"]))


def cell_as_code(rows: Sequence[str], words: str, front: str, context: ConversionContext) -> list[str]:
    """Return a cell as a block of code without its options; in a fold if they hide or fold it. It is listed.

    words: those behind the signs of its fence; front: what stands before them.
    """
    found = [_OPTION.match(row) for row in rows[1:]]
    count = next((at for at, each in enumerate(found) if not each), len(found))
    options = {each["key"]: (each["value"] or "").strip("\"' ") for each in found[:count] if each and each["key"]}
    made = options.get("label") or options.get("fig-cap") or options.get("tbl-cap") or ""
    action = "not run: its code stands as text, without outputs"
    context.report(rows[0], f"the cell {made}".rstrip(), action)
    language = re.sub(r"\W.*", "", words.lstrip("{")).lower()
    code = [rows[0].partition("{")[0] + language, *rows[count + 1 :]]
    is_hidden = "false" in (options.get("echo"), options.get("include")) or options.get("code-fold") in ("true", "show")
    return quoted("[!details]- Code", code) if is_hidden and not front.strip() else code
