"""Converts Markdown of GitHub, Pandoc and kramdown that posts do not read yet; each part goes once posts read it."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from site_builder.importer.lines import (
    ConversionContext,
    SourceLine,
    in_code,
    join_lines,
    replace_in_text,
    without_blank_ends,
)
from site_builder.markup.segments import segments

_ITEM = re.compile(r"(?P<front>[ ]*)(?P<mark>[*+-]|\d{1,9}[.)])(?:(?P<gap>[ \t]+)(?P<rest>.*)|$)")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_BLOCK = re.compile(r"[ ]*(?:#{1,6} |>|`{3}|~{3}|<|\||\$\$|!{3}|\?{3})")
_TASK = re.compile(r"^\[(?P<mark>[ xX])\][ \t]+(?=\S)")
_ALERT = re.compile(r"(?P<front>[ \t]*)> ?\[!(?P<kind>[A-Za-z]+)\](?P<fold>[+-]?)[ \t]*(?P<title>.*)$")
_QUOTE = re.compile(r"[ \t]*> ?")
_HTML_BLOCK = re.compile(r" {0,3}<(?P<name>details|div|section|aside)\b(?![^<>]*\bmarkdown\s*=)", re.IGNORECASE)
_SPAN = re.compile(
    r"~~(?=\S)(?P<strike>[^~\n]+?)(?<=\S)~~|==(?=[^\s=])(?P<mark>[^=\n]+?)(?<=\S)==|(?P<line_end>\\)(?=\n)"
    r"|^(?P<hashtag>#{1,6})(?=[^\s#])",
    re.MULTILINE,
)
_OF_PANDOC = re.compile(r"(?<=\w)\^(?P<over>[^\s^\[\]]+)\^|(?<=\w)~(?P<under>[^\s~]+)~(?!~)")
_CITATION = re.compile(r"\[(?=@\w)")  # which is one in Pandoc's Markdown alone
_BARE_URL = re.compile(r"(?<![\w/<(\"'=\[])https?://[^\s<>()\[\]\"'`]*[\w/=&#-]")


def quoted(head: str, number: int, inside: Sequence[SourceLine]) -> list[SourceLine]:
    """Return lines as a quotation that begins with a mark such as [!note], which `convert_dialect` makes a note."""
    return [SourceLine(f"> {head}", number), *(line.changed(f"> {line.text}".rstrip()) for line in inside)]


def convert_dialect(lines: Sequence[SourceLine], context: ConversionContext) -> list[SourceLine]:
    """Convert the blocks and spans that posts do not read; formulas and links are converted already."""
    made = replace_in_text(nested_lists(_alerts(_html_blocks(lines))), _SPAN, _span)
    if context.dialect == "quarto":
        made = replace_in_text(made, _OF_PANDOC, _over_or_under)
    else:
        made = replace_in_text(made, _CITATION, lambda found: f"{found[0]}\\")
    if context.dialect != "kramdown":
        made = replace_in_text(made, _BARE_URL, lambda found: f"<{found[0]}>")
    return made


def _span(found: re.Match[str]) -> str:
    if found["line_end"]:
        return "  "
    if found["hashtag"]:
        return f"\\{found[0]}"
    return f"<del>{found['strike']}</del>" if found["strike"] else f"<mark>{found['mark']}</mark>"


def _over_or_under(found: re.Match[str]) -> str:
    return f"<sup>{found['over']}</sup>" if found["over"] else f"<sub>{found['under']}</sub>"


def _html_blocks(lines: Sequence[SourceLine]) -> list[SourceLine]:
    """Ask for Markdown in elements with an empty line inside, in which CommonMark reads it."""
    out = list(lines)
    for at, (line, is_code) in enumerate(zip(lines, in_code(lines), strict=True)):
        found = None if is_code else _HTML_BLOCK.match(line.text)
        if found is None:
            continue
        closing = re.compile(rf"</{found['name']}\s*>", re.IGNORECASE)
        end = next((each for each in range(at, len(lines)) if closing.search(lines[each].text)), at)
        if any(not each.text.strip() for each in lines[at:end]):
            out[at] = line.changed(f'{found[0]} markdown="1"{line.text[found.end() :]}')
    return out


def _alerts(lines: Sequence[SourceLine], level: int = 0) -> list[SourceLine]:
    """Notes and folds in place of quotations that begin with a mark such as [!note]."""
    out: list[SourceLine] = []
    codes, at = _in_parts(lines), 0
    while at < len(lines):
        head = None if codes[at] or level > 20 else _ALERT.match(lines[at].text)
        if head is None:
            out.append(lines[at])
            at += 1
            continue
        end = next((each for each in range(at, len(lines)) if not _QUOTE.match(lines[each].text)), len(lines))
        inside = [line.changed(_QUOTE.sub("", line.text, count=1)) for line in lines[at + 1 : end]]
        note = _note(head, lines[at], _alerts(nested_lists(without_blank_ends(inside)), level + 1))
        is_apart = not out or not out[-1].text.strip()
        out += note if is_apart else [lines[at].changed(""), *note]
        if end < len(lines) and lines[end].text.strip():
            out.append(lines[end - 1].changed(""))
        at = end
    return out


def _note(head: re.Match[str], line: SourceLine, inside: Sequence[SourceLine]) -> list[SourceLine]:
    mark = {"": "!!!", "-": "???", "+": "???+"}[head["fold"]]
    title = ' "' + head["title"].replace('"', "'") + '"' if head["title"] else ""
    rows = [line.changed(f"{mark} {head['kind'].lower()}{title}")]
    rows += [each.changed(f"    {each.text}" if each.text.strip() else "") for each in inside]
    return [each.changed(f"{head['front']}{each.text}" if each.text else "") for each in rows]


def _in_parts(lines: Sequence[SourceLine]) -> list[bool]:
    """For each line whether code, a formula or a comment goes on in it from the line before."""
    found = [False] * len(lines)
    for part in segments(join_lines(lines), jinja=False):
        if part.kind != "text":
            count = part.text.count("\n")
            found[part.line : part.line + count] = [True] * count
    return found


class _OpenItem(NamedTuple):
    """An item around a line. column: of its text in the source; start: the index of its first line as written."""

    column: int
    start: int


def nested_lists(lines: Sequence[SourceLine]) -> list[SourceLine]:
    """Indent the text of list items by four, and write an empty line where a list would not begin without one."""
    out: list[SourceLine] = []
    items: list[_OpenItem] = []
    for line, is_code in zip(lines, _in_parts(lines), strict=True):
        text = line.text if is_code else line.text.expandtabs(4)
        indent = len(text) - len(text.lstrip(" "))
        if not text.strip():
            out.append(line.changed(""))
            continue
        item = None if is_code or _RULE.match(text) else _ITEM.match(text)
        is_after_blank = not out or not out[-1].text
        start = len(out)  # of the item before this line, if that ends here
        if not is_code and (item or is_after_blank or _BLOCK.match(text)):
            while items and indent < items[-1].column:
                start = items.pop().start
        front = "    " * len(items)
        if item is None or indent - (items[-1].column if items else 0) > 3:
            out.append(line.changed(front + text[min(indent, items[-1].column if items else 0) :]))
            continue
        is_loose = any(not each.text for each in out[start:])  # else this item would be text of the one before
        if not is_after_blank and (is_loose or (not items and start == len(out))):
            out.append(line.changed(""))
        items.append(_OpenItem(indent + len(item["mark"]) + min(len(item["gap"] or " "), 4), len(out)))
        out += _item(front, item, line)
    return out


def _item(front: str, item: re.Match[str], line: SourceLine) -> list[SourceLine]:
    mark = "-" if item["mark"] in "*+-" else f"{item['mark'][:-1]}."
    rest = _TASK.sub(lambda task: "☐ " if task["mark"] == " " else "☑ ", item["rest"] or "")
    if rest.startswith(("```", "~~~")):  # a list mark must be followed by text
        return [line.changed(f"{front}{mark} &nbsp;"), line.changed(""), line.changed(f"{front}    {rest}")]
    return [line.changed(f"{front}{mark} {rest}")]
