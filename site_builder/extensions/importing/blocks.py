"""Converts the blocks that posts write in another way: headings, tables, attribute lists of kramdown, captions.

What stays in a text as it is is listed, each construct with what to do.
"""

import re
from collections.abc import Sequence

from site_builder.extensions.importing.conversion import Conversion, figure, without_marks
from site_builder.extensions.importing.spans import convert_spans
from site_builder.markup.segments import segments

_HEADING = re.compile(
    r"^(?P<front>(?: {0,3}>)? {0,3})(?P<signs>#{1,6})[ \t]+(?P<words>.*?)(?:[ \t]+#+)?[ \t]*"
    r"(?:\n[ \t]*(?P<attributes>\{:[^{}\n]*\})[ \t]*)?$",
    re.MULTILINE,
)
_UNDERLINED = re.compile(
    r"(?:(?<=\n\n)|\A|(?P<before>^#.*\n))(?!\s|[>|<#]|[-*+] |\d+[.)] |:::|\{:)"
    r"(?P<words>.*\S)[ \t]*\n(?P<line>=+|-+)[ \t]*$",
    re.MULTILINE,
)
_BEFORE_TITLE = re.compile(r"(?:[ \t]*(?:[<\[!\ufde1].*)?\n)*")  # images, HTML and comments
_CONTENTS = re.compile(r"^\s*(?:[-*+]|1\.)[ \t].*\n[ \t]*\{:[^{}]*\btoc\b[^{}]*\}[ \t]*$", re.MULTILINE)
_ATTRIBUTES = re.compile(  # which a paragraph has here, and no code, HTML, formula, table, list or empty line
    r"(?P<before>^[ \t>]*(?:\ufde1\d+\ufde2|<.*>|.*\$\$|\|.*|.*\||(?:[-*+]|\d+[.)])[ \t].*)?[ \t]*\n|\A)"
    r"[ \t>]*(?P<list>\{:(?![:/])[^{}\n]*\})[ \t]*(?:\n|\Z)",
    re.MULTILINE,
)
_TABLE = re.compile(r"(?:^.*\|.*(?:\n|\Z)){2,}", re.MULTILINE)
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?[-=]+:?[ \t]*(?:[|+][ \t]*:?[-=]+:?[ \t]*)*\|?[ \t]*$")
_CELL = re.compile(r"((?:\\.|\$[^$\n]*\$|[^|\\])*)\|?")
_WORDS = r"(?:\\.|[^\[\]\\]|\[[^\[\]]*\])"
_IMAGE = re.compile(
    rf"(?:\A|(?<=\n\n))!\[(?P<caption>{_WORDS}+)\]\((?P<address>[^()\s]*)\)(?:\{{(?P<attributes>[^{{}}\n]*)\}})?"
    r"[ \t]*(?=\n[ \t]*\n|\s*\Z)"
)
_LEFT = "it stands as text; write in Markdown what it showed"
_CONSTRUCTS = {
    "the shortcode {name}": r"\{\{[<%]/?\*?\s*/?\s*(?P<name>[\w./-]*)[^{}]*[>%]\}\}",
    "the Liquid tag {name}": r"\{%-?\s*(?P<name>\w+)[^{}]*%\}",
    "the Liquid value {name}": r"\{\{(?![<%])-?\s*(?P<name>[^{}]*?)\s*-?\}\}",
    "the mark {name}": r"(?P<name>\{:[:/][^{}\n]*\}|^\\(?:(?:new|clear)page|pagebreak)\b)",
    "the note {name}": r"(?P<name>\^\[[^\[\]\n]*\])",
    "the caption {name}": r"^:[ \t].*(?P<name>\{#tbl-[^{}\n]*\})",
    "a table that is drawn with lines": (r"^[ \t]*(?:\+[-=:]+\+[-=:+]*|-{2,}(?:[ \t]+-{2,})+)[ \t]*\n(?=[ \t]*[|\w])"),
}
_PATTERNS = [(name, re.compile(pattern, re.MULTILINE)) for name, pattern in _CONSTRUCTS.items()]


def convert_text(text: str, conversion: Conversion, is_shifted: bool) -> str:
    """Convert a text without its code, and list what stays in it. is_shifted: make headings one level deeper."""
    if conversion.dialect == "quarto":
        text = _IMAGE.sub(_image, text)
    if _CONTENTS.search(text):
        conversion.has_contents = True
        text = _CONTENTS.sub("", text)
    text = _HEADING.sub(lambda found: _heading(found, int(is_shifted)), text)
    if conversion.dialect == "kramdown":
        text = _ATTRIBUTES.sub(lambda found: _attributes(found, conversion), text)
    text = convert_spans(_TABLE.sub(lambda found: _table(found, conversion), text), conversion)
    _report_constructs(text, conversion)
    return text


def with_signs(text: str) -> str:
    """Return a text with # before headings that are underlined."""
    return _UNDERLINED.sub(
        lambda found: f"{found['before'] or ''}{'#' if found['line'][0] == '=' else '##'} {found['words']}", text
    )


def take_heading(text: str, levels: int = 1) -> tuple[str, str]:
    """Return the heading with which a text begins, and the text without it; empty if it begins otherwise.

    Images and HTML may precede it. levels: the deepest level that counts.
    """
    start = _BEFORE_TITLE.match(text)
    found = _HEADING.match(text, start.end() if start else 0)
    if found is None or len(found["signs"]) > levels:
        return "", text
    return re.sub(r"[ \t]*\{[^{}]*\}$", "", found["words"]), text[: found.start()] + text[found.end() + 1 :]


def has_first_level(text: str) -> bool:
    """Return True when there is a heading of level 1 in a text without its code."""
    return any(len(found["signs"]) == 1 for found in _HEADING.finditer(text))


def _heading(found: re.Match[str], shift: int) -> str:
    words = " ".join(filter(None, (found["words"], found["attributes"])))
    return f"{found['front']}{'#' * min(len(found['signs']) + shift, 6)} {words}"


def _attributes(found: re.Match[str], conversion: Conversion) -> str:
    """Leave out an attribute list of kramdown that no block here has."""
    conversion.report(found["list"], f"{found['list']} cannot be given to this block", "left out")
    return found["before"]


# tables


def _table(found: re.Match[str], conversion: Conversion) -> str:
    rows = found[0].rstrip("\n").split("\n")
    has_rule = any(_TABLE_RULE.match(row) for row in rows[:2])
    is_headless = conversion.dialect == "kramdown" and all(row.lstrip().startswith("|") for row in rows)
    if not (has_rule or is_headless):
        return found[0]
    for row in filter(_TABLE_RULE.match, rows[2:]):
        conversion.report(row, "a line between the parts of a table", "left out")
    before, after = found.string[: found.start()], found.string[found.end() :]
    start = "\n" if before and not before.endswith("\n\n") else ""
    end = found[0][len(found[0].rstrip("\n")) :] + ("\n" if after and after[0] != "\n" else "")
    return start + "\n".join(_with_equal_rows(rows)) + end


def _with_equal_rows(rows: Sequence[str]) -> list[str]:
    """The rows of a table with one header, one rule below it and cells of the same number in each row."""
    rules = [row for row in rows if _TABLE_RULE.match(row)]
    cells = [_cells(row) for row in rows if row not in rules]
    rule = _cells(rules[0].replace("+", "|").replace("=", "-")) if rules else []
    columns = max(map(len, cells), default=len(rule))
    has_header = rows[1] in rules and rows[0] not in rules
    is_bordered = all(row.lstrip().startswith("|") for row in rows[:2])
    if has_header and is_bordered and len(rules) == 1 and len(cells[0]) == len(rule) == columns:
        return list(rows)
    head = [cells[0]] if has_header else [[]]
    made = [_row(each, columns) for each in head + cells[has_header:]]
    return [made[0], "|" + "|".join([*rule, *["--"] * columns][:columns]) + "|", *made[1:]]


def _cells(row: str) -> list[str]:
    inside = row.strip().removeprefix("|")
    cells = [found[1].strip() for found in _CELL.finditer(inside) if found[0]]
    return [*cells, ""] if inside.endswith("||") else cells


def _row(cells: Sequence[str], columns: int) -> str:
    return f"| {' | '.join([*cells, *[''] * (columns - len(cells))])} |"


# Quarto


def _image(found: re.Match[str]) -> str:
    """An image as a figure with its caption; one with a label stays, for posts give it a number."""
    attributes = (found["attributes"] or "").replace("fig-alt=", "alt=")
    end = f"({found['address']})" + (f"{{{attributes}}}" if attributes else "")
    if "#fig-" in attributes:
        return f"![{found['caption']}]{end}"
    return figure(f"![{without_marks(found['caption'])}]{end}", found["caption"])


def _report_constructs(text: str, conversion: Conversion) -> None:
    """Add a note for every construct that is left in a text without its code, outside of formulas."""
    texts = [part.text for part in segments(text, jinja=False) if part.kind == "text"]
    for name, pattern in _PATTERNS if conversion.dialect != "notebook" else ():
        for found in (each for part in texts for each in pattern.finditer(part)):
            words = " ".join(found.groupdict().get("name", "").split())[:70]
            conversion.report(found[0], name.format(name=words), _LEFT)
