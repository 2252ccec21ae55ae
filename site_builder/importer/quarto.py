"""Converts what Quarto writes beyond CommonMark: callouts, cells, figures, simple cross-references, inline notes."""

import re
from collections.abc import Mapping, Sequence

from site_builder.errors import counted
from site_builder.importer.dialects import quoted
from site_builder.importer.lines import (
    FRONT,
    ConversionContext,
    SourceLine,
    fence_at,
    join_lines,
    replace,
    without_blank_ends,
)
from site_builder.importer.shortcodes import alt_text, figure

_KINDS: Mapping[str, str] = {"fig": "Figure", "tbl": "Table", "eq": "Equation", "sec": "Section"}
_KIND = "|".join(_KINDS)
_LABEL = re.compile(
    rf"^#{{1,6}}[ \t]+(?P<title>[^\n]*?)[ \t]*\{{#(?P<section>sec-[\w-]+)[^{{}}\n]*\}}[ \t]*$"
    rf"|\{{#(?P<label>(?:{_KIND})-[\w-]+)|^#\|[ \t]*label:[ \t]*(?P<cell>(?:fig|tbl)-[\w-]+)",
    re.MULTILINE,
)
_CELL = re.compile(r"\{(?P<language>[A-Za-z]\w*)[^{}]*\}$")
_OPTION = re.compile(r"[ \t]*(?:#|//|%%)\|[ ]?(?:(?P<key>[\w.-]+):[ \t]*)?(?P<value>.*)$")
_DIV = re.compile(r"(?P<front>[ \t]*):{3,}[ \t]*(?:\{(?P<braces>.*)\}|(?P<word>[\w-]+))[ \t]*:*[ \t]*$")
_DIV_END = re.compile(r"[ \t]*:{3,}[ \t]*$")
_NAMED = re.compile(r"([\w-]+)=(?:\"((?:\\.|[^\"\\])*)\"|'([^']*)'|([^\s}]+))")
_TITLE = re.compile(r"#{1,6}[ \t]+(.*?)[ \t]*(?:\{[^{}]*\})?$")
_MOST_DIVS = 20  # within one another
_KEY = rf"@(?P<{{0}}>(?:{_KIND})-[\w-]+)"
_PART = re.compile(
    rf"(?P<code>^{FRONT}(?P<fence>`{{3,}}|~{{3,}})[^\n]*\n.*?^[ \t>]*(?P=fence)[ \t]*$"
    r"|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|\$\$[ \t]*\{#eq-(?P<equation>[\w-]+)[^{}\n]*\}"
    r"|^(?P<front>[ \t>]*)!\[(?P<caption>(?:\\.|[^\[\]\\]|\[[^\[\]]*\])*)\]"
    r"\((?P<address>[^()\s]*)\)\{(?P<attributes>[^{}\n]*)\}[ \t]*$"
    r"|^:[ \t]+(?P<words>[^\n]*?)[ \t]*\{#(?P<table>tbl-[\w-]+)[^{}\n]*\}[ \t]*$"
    r"|\^\[(?P<note>(?:\\.|[^\[\]\\]|\[[^\[\]]*\])*)\]"
    rf"|\[(?P<minus>-)?{_KEY.format('alone')}\]|(?<![\w/@.]){_KEY.format('key')}",
    re.DOTALL | re.MULTILINE,
)


def convert_quarto(lines: Sequence[SourceLine], context: ConversionContext) -> list[SourceLine]:
    """Return lines of CommonMark, in which callouts are quotations with a mark."""
    labels = _labels(join_lines(lines))
    notes: list[str] = []
    made = replace(
        _cells(_divs(lines, context), labels, context),
        _PART,
        lambda found, number: _part(found, labels, notes, context, number),
    )
    made = without_blank_ends(made)
    last = made[-1].number if made else 1
    for count, note in enumerate(notes, 1):
        made += [SourceLine("", last), SourceLine(f"[^inline-{count}]: {' '.join(note.split())}", last)]
    return made


def _labels(text: str) -> dict[str, str]:
    """What references show, by label: figures, tables and formulas are numbered as they come, sections have titles."""
    found: dict[str, str] = {}
    counts: dict[str, int] = {}
    for each in _LABEL.finditer(text):
        label = each["section"] or each["label"] or each["cell"]
        kind = label.partition("-")[0]
        counts[kind] = counts.get(kind, 0) + (label not in found)
        found.setdefault(label, f"“{each['title']}”" if each["title"] else str(counts[kind]))
    return found


def _named(label: str, caption: str, labels: Mapping[str, str]) -> str:
    """A caption after its name, such as Figure 1: A walk."""
    name = f"{_KINDS[label.partition('-')[0]]} {labels[label]}" if label in labels else ""
    return ": ".join(filter(None, (name, caption)))


def _part(
    found: re.Match[str], labels: Mapping[str, str], notes: list[str], context: ConversionContext, number: int
) -> str:
    """The text in place of a formula's label, an image of its own, a caption, a note or a reference."""
    if found["equation"]:
        return rf" \label{{eq:{found['equation']}}}$$"
    if found["address"] is not None:
        return _image(found, labels, context, number)
    if found["table"]:
        return f'\n<span id="{found["table"]}"></span>{_named(found["table"], found["words"], labels)}'
    if found["note"] is not None:
        notes.append(found["note"])
        return f"[^inline-{len(notes)}]"
    label = found["alone"] or found["key"]
    if label is None or label not in labels:
        return found[0]
    kind, _, name = label.partition("-")
    if kind == "eq":
        return rf"$\ref{{eq:{name}}}$" if found["minus"] else rf"Equation $\eqref{{eq:{name}}}$"
    return f"[{labels[label] if found['minus'] else _named(label, '', labels)}](#{label})"


def _image(found: re.Match[str], labels: Mapping[str, str], context: ConversionContext, number: int) -> str:
    named, label = _attributes(found["attributes"]), re.search(r"#([\w-]+)", found["attributes"])
    if others := [key for key in named if key not in ("fig-alt", "fig-cap")]:
        context.report(number, f"{', '.join(others)} of an image", "left out")
    caption = named.get("fig-cap") or found["caption"]
    alt = named.get("fig-alt") or re.sub(r"[*_`$\\]", "", found["caption"])
    image = SourceLine(f"![{alt_text(alt)}]({found['address']})", number)
    identifier = label[1] if label else ""
    words, front = _named(identifier, caption, labels), found["front"]
    if front.strip() or len(front) > 1:  # in notes and lists no figure is read
        anchor = f'<span id="{identifier}"></span>' if identifier else ""
        return f"{front}{image.text}\n{front.rstrip()}\n{front}{anchor}{words}"
    return join_lines(figure([image], words, identifier))


def _attributes(braces: str) -> dict[str, str]:
    """The attributes with values of what stands in braces."""
    return {key: double or single or bare for key, double, single, bare in _NAMED.findall(braces)}


# cells


def _cells(lines: Sequence[SourceLine], labels: Mapping[str, str], context: ConversionContext) -> list[SourceLine]:
    """Cells as blocks of code, with a caption as figures."""
    out: list[SourceLine] = []
    numbers: list[int] = []
    at = 0
    while at < len(lines):
        fence = fence_at(lines, at)
        cell = _CELL.match(fence.words) if fence else None
        if fence is None or cell is None:
            end = fence.end if fence else at + 1
            out += lines[at:end]
        else:
            end = fence.end
            numbers.append(lines[at].number)
            out += _cell(lines[at:end], fence.front, cell["language"].lower(), labels, context)
        at = end
    if numbers:
        action = "not run: the code stands as text, without its outputs"
        context.report(numbers[0], f"{counted(len(numbers), 'cell')} of code", action)
    return out


def _cell(
    rows: Sequence[SourceLine], front: str, language: str, labels: Mapping[str, str], context: ConversionContext
) -> list[SourceLine]:
    count = next((at for at, row in enumerate(rows[1:]) if not _OPTION.match(row.text)), len(rows) - 1)
    options = _options([row.text for row in rows[1 : count + 1]])
    code = [rows[0].changed(rows[0].text.partition("{")[0] + language), *rows[count + 1 :]]
    caption = options.get("fig-cap") or options.get("tbl-cap") or ""
    label = options.get("label", "") if options.get("label", "") in labels else ""
    if caption or label:
        problem = f"the figure {label}".rstrip() + " that this cell makes"
        context.report(rows[0].number, problem, "not made: its code and caption stand in its place")
    if front.strip():
        return code
    is_hidden = "false" in (options.get("echo"), options.get("include"))
    if is_hidden or options.get("code-fold") in ("true", "show"):
        code = quoted(f"[!details]- {options.get('code-summary', 'Code')}", rows[0].number, code)
    return figure(code, _named(label, caption, labels), label)


def _options(rows: Sequence[str]) -> dict[str, str]:
    """The options of a cell; values over several lines as one text."""
    found: dict[str, str] = {}
    key = ""
    for row in filter(None, map(_OPTION.match, rows)):
        key = row["key"] or key
        value = "" if row["value"].strip() in ("|", ">", "|-", ">-") else row["value"].strip().strip("\"'")
        found[key] = f"{found.get(key, '')} {value}".strip()
    return found


# divs


def _divs(lines: Sequence[SourceLine], context: ConversionContext, level: int = 0) -> list[SourceLine]:
    """Callouts as quotations with a mark; other divs without their first and last line."""
    out: list[SourceLine] = []
    at = 0
    while at < len(lines):
        fence = fence_at(lines, at)
        div = None if fence or level > _MOST_DIVS else _DIV.match(lines[at].text)
        if div:
            end = _end_of_div(lines, at)
            inside = without_blank_ends(lines[at + 1 : end])
            made = _div(div, lines[at], _divs(inside, context, level + 1), context)
            out += [lines[at].changed("")] if out and out[-1].text.strip() else []
            at = end + 1
            out += [*made, lines[end - 1].changed("")] if at < len(lines) and lines[at].text.strip() else made
        else:
            end = fence.end if fence else at + 1
            out += lines[at:end]
            at = end
    return out


def _end_of_div(lines: Sequence[SourceLine], at: int) -> int:
    """The index of the line that closes the div which starts at an index; the end of the text if none does."""
    depth = 0
    while at < len(lines):
        if fence := fence_at(lines, at):
            at = fence.end
            continue
        depth += bool(_DIV.match(lines[at].text)) - bool(_DIV_END.match(lines[at].text))
        if depth == 0:
            return at
        at += 1
    return at


def _div(
    div: re.Match[str], line: SourceLine, inside: list[SourceLine], context: ConversionContext
) -> list[SourceLine]:
    written, front = div["word"] or div["braces"], div["front"]
    callout = re.search(r"callout-(\w+)", written)
    if callout is None:
        context.report(line.number, f"the div {written}", "left out; the text inside it stays")
        return inside
    inside = [each.changed(each.text.removeprefix(front)) for each in inside]
    named = _attributes(written)
    title = named.get("title", "")
    if not title and inside and (heading := _TITLE.match(inside[0].text)):
        title, inside = heading[1], without_blank_ends(inside[1:])
    fold = {"true": "-", "false": "+"}.get(named.get("collapse", ""), "")
    title = title or (callout[1].capitalize() if fold else "")
    note = quoted(f"[!{callout[1]}]{fold} {title}".rstrip(), line.number, inside)
    return [each.changed(f"{front}{each.text}") for each in note]
