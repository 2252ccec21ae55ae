"""The formulas of a text: each with the references to it becomes a placeholder."""

import re
from collections.abc import Sequence

from site_builder.errors import Place, SiteError, raise_all
from site_builder.markup.equations import QUARTO_LABEL, Equations, Source
from site_builder.markup.placeholders import Inline, Placeholder, Placeholders
from site_builder.markup.segments import Segment, segments
from site_builder.markup.typeset import bare_tex, formula
from site_builder.project.posts import Post

_TABLE_RULE = re.compile(r"^[ \t>]*(?=[^\n]*\|)\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$", re.MULTILINE)
_ROWS = re.compile(r"(?:\n[^\n]*\S[^\n]*)*")
_ESCAPED_BAR = re.compile(r"\\\\|\\\|")
_DOLLAR = re.compile(r"\\\$")


def set_formulas(text: str, lines: Sequence[int], post: Post, placeholders: Placeholders) -> tuple[str, list[int]]:
    """The text with each formula and each reference to one as a placeholder, and the lines of the file for its lines.

    Raises every broken formula in one go.
    """
    pieces, wrong = [], []
    rows = _table_lines(text)
    sources = {
        segment.start: Source(
            (_in_cell(bare_tex(segment.text)) if segment.line in rows else bare_tex(segment.text))
            + _label_behind(segment, text),
            segment.kind == "display",
            Place(post.source, lines[segment.line - 1]),
        )
        for segment in segments(text, jinja=False)
        if segment.kind in ("tex", "display")
    }
    labels = {found.start() for found in QUARTO_LABEL.finditer(text)} if "{#eq-" in text else set()
    equations = Equations(list(sources.values()), placeholders)
    swallowed: set[int] = set()  # lines inside a formula, which are no lines of the text any more
    for segment in segments(text, jinja=False):
        if segment.kind == "text":
            own = QUARTO_LABEL.sub("", segment.text, count=1) if segment.start in labels else segment.text
            linked = equations.link(own, Place(post.source, lines[segment.line - 1]))
            pieces.append(_DOLLAR.sub(lambda _: placeholders.put(Placeholder(Inline("$", "$"))), linked))
            continue
        if segment.kind not in ("tex", "display"):
            pieces.append(segment.text)
            continue
        source = sources[segment.start]
        try:
            made = equations.link_in(source) or _numbered_formula(source, equations, placeholders)
        except SiteError as error:
            wrong.append(error)
        else:
            pieces.append(placeholders.put(made))
            swallowed.update(range(segment.line, segment.line + segment.text.count("\n")))
    raise_all(equations.errors + wrong)
    return "".join(pieces), [number for place, number in enumerate(lines) if place not in swallowed]


def _label_behind(formula: Segment, text: str) -> str:
    """The label that stands behind a displayed formula as Quarto has it, as TeX; else empty."""
    found = QUARTO_LABEL.match(text, formula.end) if formula.kind == "display" else None
    return f"\\label{{{found['label']}}}" if found else ""


def _table_lines(text: str) -> frozenset[int]:
    """The numbers of the lines of tables, from 1."""
    found: set[int] = set()
    for rule in _TABLE_RULE.finditer(text) if "\\|" in text else ():
        first = text.count("\n", 0, rule.start())
        found.update(range(first, first + 2 + len(_ROWS.match(text, rule.end())[0].split("\n"))))  # type: ignore[index]
    return frozenset(found)


def _in_cell(tex: str) -> str:
    """The TeX of a formula in a table, where a bar may be written as \\|."""
    return _ESCAPED_BAR.sub(lambda found: "|" if found[0] == "\\|" else found[0], tex)


def _numbered_formula(source: Source, equations: Equations, placeholders: Placeholders) -> Placeholder:
    """The placeholder of a formula, with its number if it has one."""
    tex, equation = equations.of(source)
    made = formula(tex, source.is_displayed, source.place, placeholders)
    if equation is None:
        return Placeholder(made, tex, line=source.place.line)
    made = Inline(made.html, f"{made.text} {equation.shown.text}")
    return Placeholder(made, tex, line=source.place.line, number=equation.shown, anchor=equation.anchor)
