"""Environments: matrices, cases and aligned lines, as tables."""

import re
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from site_builder.errors import nearest
from site_builder.markup.tex.atoms import Atom, element, fenced, space, spaced
from site_builder.markup.tex.parser import LINE_BREAKS, ROW_NUMBER, Opening, Parser, wrong_end
from site_builder.markup.tex.text_mode import text

NAME = re.compile(r"\s*\{\s*([A-Za-z]+\*?)\s*\}")
COLUMNS = re.compile(r"\s*\{([lcr|\s]*[lcr][lcr|\s]*)\}")
SKIP = re.compile(r"\*?(?:\[\s*-?[0-9.]+\s*[a-z]{2}\s*\])?")
PLACE = re.compile(r"\[[tbc]\]")
PLACED = frozenset({"array", "aligned", "gathered"})  # in others a [t] belongs to the first cell
ALIGNMENTS = {"l": "left", "r": "right", "c": "center"}


@dataclass(frozen=True)
class Environment:
    """An environment of TeX: the signs around its table, and how the columns are set."""

    left: str = ""
    right: str = ""
    columns: str = "c"  # alignments, over and over
    most: int | None = None  # columns
    style: tuple[tuple[str, str], ...] = ()
    has_columns: bool = False  # their alignments follow \begin{…}


_DISPLAYED = (("displaystyle", "true"),)
_SMALL = (("rowspacing", "0.1em"), ("columnspacing", "0.2em"))
_ALIGNED = Environment(columns="rl", style=(*_DISPLAYED, ("columnspacing", "0em 2em")))
_GATHERED = Environment(most=1, style=_DISPLAYED)
_CASES = Environment(left="{", columns="l", most=2)
ENVIRONMENTS = {
    "matrix": Environment(),
    "pmatrix": Environment("(", ")"), "bmatrix": Environment("[", "]"), "Bmatrix": Environment("{", "}"),
    "vmatrix": Environment("|", "|"), "Vmatrix": Environment("‖", "‖"),
    "smallmatrix": Environment(style=(("scriptlevel", "1"), *_SMALL)),
    "array": Environment(has_columns=True),
    "subarray": Environment(has_columns=True, style=(("scriptlevel", "1"), *_SMALL)),
    "cases": _CASES, "dcases": replace(_CASES, style=_DISPLAYED),
    "rcases": replace(_CASES, left="", right="}"),
    **dict.fromkeys(("aligned", "align", "align*", "split", "flalign", "flalign*"), _ALIGNED),
    **dict.fromkeys(("eqnarray", "eqnarray*"), replace(_ALIGNED, columns="rcl", most=3)),
    **dict.fromkeys(("gathered", "gather", "gather*", "equation", "equation*", "multline", "multline*"), _GATHERED),
}  # fmt: skip
SUBSTACK = Environment(most=1, style=_SMALL)


@dataclass
class _Row:
    cells: list[list[Atom]]
    number: Atom | None = None
    has_line_above: bool = False
    has_line_below: bool = False


def begin(parser: Parser, name: str, position: int) -> Atom:
    """The atom of a whole environment; \\begin is already taken."""
    environment_name = _name(parser, "\\begin", position)
    if environment_name not in ENVIRONMENTS:
        parser.fail(f"unknown environment {environment_name}", nearest(environment_name, ENVIRONMENTS), position)
    environment = ENVIRONMENTS[environment_name]
    columns, lines_left = _columns(parser, environment, environment_name)
    opening = Opening("environment", position, environment_name)
    most = len(columns) if environment.has_columns else environment.most
    rows = _rows(parser, opening, most, has_numbers=_DISPLAYED[0] in environment.style)
    ending = parser.at
    parser.take("\\end")
    if (ended := _name(parser, "\\end", ending)) != environment_name:
        parser.fail(
            f"\\begin{{{environment_name}}} is ended by \\end{{{ended}}}", "let both have the same name", ending
        )
    inner, left, right = table(rows, columns, environment, lines_left), environment.left, environment.right
    return Atom(fenced(left, [inner], right) if left or right else inner)


def substack(parser: Parser, name: str, position: int) -> Atom:
    """Lines under one another, without an environment: \\substack{i < n \\\\ j < m}."""
    if parser.peek() != "{":
        parser.fail("\\substack lacks its argument", "write \\substack{first \\\\ second}", position)
    opening = Opening("brace", parser.at)
    parser.take("{")
    rows = _rows(parser, opening, most=1)
    parser.close(opening, "}")
    return Atom(table(rows, "c", SUBSTACK, frozenset()))


def lines(rows: list[list[Atom]]) -> Element:
    """The lines of a displayed formula that has several."""
    return table([_Row([atoms]) for atoms in rows], "c", _GATHERED, frozenset())


def _name(parser: Parser, command: str, position: int) -> str:
    found = parser.matched(NAME)
    if found is None:
        parser.fail(f"{command} without the name of an environment", f"write {command}{{aligned}}", position)
    return found.group(1)


def _columns(parser: Parser, environment: Environment, name: str) -> tuple[str, frozenset[int]]:
    """The alignments of the columns, and the columns that have a line on their left."""
    if name in PLACED:
        parser.matched(PLACE)
    if not environment.has_columns:
        return environment.columns, frozenset()
    if (found := parser.matched(COLUMNS)) is None:
        cure = f"write one l, c or r for each column: \\begin{{{name}}}{{rcl}}"
        parser.fail(f"\\begin{{{name}}} lacks its columns", cure)
    wanted = "".join(found[1].split())
    return wanted.replace("|", ""), frozenset(
        len(wanted[:at].replace("|", "")) for at, key in enumerate(wanted) if key == "|"
    )


def _rows(parser: Parser, opening: Opening, most: int | None, has_numbers: bool = False) -> list[_Row]:
    """The rows up to \\end, or to the brace that closes a \\substack; that token is not taken."""
    rows = [_Row([])]
    while True:
        while not rows[-1].cells and parser.peek() == "\\hline":
            parser.take("\\hline")
            rows[-1].has_line_above = True
        rows[-1].cells.append(parser.row(opening))
        while (token := parser.peek()) == ROW_NUMBER and has_numbers:
            rows[-1].number = _number(parser)
            rows[-1].cells[-1] += parser.row(opening)
        if token == "&":
            if most is not None and len(rows[-1].cells) == most:
                parser.fail("a stray &: one column too many", "delete it, or declare another column")
            parser.take(token)
        elif token in LINE_BREAKS:
            parser.take(token)
            parser.matched(SKIP)  # a distance as in \\\\[1ex], which tables of MathML cannot take
            rows.append(_Row([]))
        elif token == ("}" if opening.kind == "brace" else "\\end"):
            return _without_last_break(parser, rows, opening)
        else:
            wrong_end(parser, token, opening)


def _number(parser: Parser) -> Atom:
    """The number of a row, \\tag*{(1)}."""
    parser.take(ROW_NUMBER)
    return Atom(element("mrow", space("2em"), text(parser, "\\text", parser.at).nucleus), "space")


def _without_last_break(parser: Parser, rows: list[_Row], opening: Opening) -> list[_Row]:
    if rows[-1].cells == [[]] and len(rows) > 1:
        rows[-2].has_line_below = rows[-1].has_line_above
        rows = rows[:-1]
    if not any(any(row.cells) for row in rows):
        parser.fail(f"nothing stands in the {opening.name or 'lines'}", "delete it, or fill it", opening.position)
    return rows


def table(rows: list[_Row], columns: str, environment: Environment, lines_left: frozenset[int]) -> Element:
    """Rows of cells as <mtable>; cells that are not centred say so, for the stylesheet and for older browsers."""
    width = max(len(row.cells) for row in rows)
    for row in rows:
        if row.number:  # in a cell behind all others
            row.cells += [*([] for _ in range(width - len(row.cells))), [row.number]]
    cells = (_table_row(row, columns, environment, lines_left) for row in rows)
    return element("mtable", *cells, **dict(environment.style))


def _table_row(row: _Row, columns: str, environment: Environment, lines_left: frozenset[int]) -> Element:
    cells = []
    for index, atoms in enumerate(row.cells):
        alignment = columns[index % len(columns)]
        if environment.columns.startswith("r") and alignment != "r":
            atoms = [Atom(element("mrow")), *atoms]  # so that a sign in front joins the column before it
        cell = element("mtd", *spaced(atoms))
        if alignment != "c":
            cell.set("columnalign", ALIGNMENTS[alignment])
        looks = ["tex-line-above"] * row.has_line_above + ["tex-line-below"] * row.has_line_below
        looks += ["tex-line-left"] * (index in lines_left)
        looks += ["tex-line-right"] * (index == len(row.cells) - 1 and len(columns) in lines_left)
        if looks:
            cell.set("class", " ".join(looks))
        cells.append(cell)
    return element("mtr", *cells)
