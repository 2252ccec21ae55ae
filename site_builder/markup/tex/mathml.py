"""TeX -> MathML and plain text, at build time, and no formula that is not understood; MathML for feeds.

A browser shows the MathML without a script, but knows no alignment, lines or boxes in it: the site's stylesheet carries
rules for them, and strikes through <menclose> as its `notation` says.

Many feed readers keep the text of elements that they do not know and drop the rest: 1 over 2 becomes 12. In feeds the
signs of the plain text stand in the formula, invisible and without width: who shows MathML shows the same formula as on
the page, who drops it shows 1/2.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from site_builder.markup.tex.atoms import as_row, element, leaf
from site_builder.markup.tex.commands import HANDLERS
from site_builder.markup.tex.environments import lines
from site_builder.markup.tex.parser import Parser, TexError
from site_builder.markup.tex.plain_text import (
    BARE,
    BESIDE,
    MARKS,
    NAMES,
    RAISED,
    SCRIPTS,
    core_of,
    is_base,
    is_simple,
    reading,
    scripts_of,
    stands_free,
)

__all__ = ["Formula", "TexError", "convert", "spelled"]

_FORMULA = re.compile(r'<math(?: tabindex="0")?(?: display="block")? alttext="[^">]*">.*?</math>', re.DOTALL)
_CHOOSE = "\N{NO-BREAK SPACE}choose\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class Formula:
    """A converted formula.

    `mathml` is one <math> element without ids, for HTML, with `text` as its alternative; `text` is the same as one line
    of plain text. A displayed one carries its TeX, for readers who copy it.
    """

    mathml: str
    text: str


@lru_cache(maxsize=4096)
def convert(tex: str, display: bool) -> Formula:
    """The formula that `tex`, without its dollar signs, stands for.

    `display` sets it as a block of its own, with the limits of sums above and below. Raises TexError for anything that
    TeX or this module does not understand: nothing is left out silently.
    """
    if not tex.strip():
        raise TexError("an empty formula", "write the formula between the dollar signs, or delete them", 0)
    rows = Parser(tex, display, HANDLERS).formula()
    tree = as_row(rows[0]) if len(rows) == 1 else lines(rows)
    text = reading(tree)
    if not display:  # its TeX would be a third of many a page
        return Formula(_markup(element("math", tree, alttext=text)), text)
    annotation = leaf("annotation", tex.strip(), encoding="application/x-tex")
    shown = element("semantics", tree, annotation)
    return Formula(_markup(element("math", shown, display="block", alttext=text)), text)


def _markup(node: Element) -> str:
    """The element as HTML and XML both write it."""
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in node.items())
    text = escape(node.text, quote=False) if node.text else ""
    return f"<{node.tag}{attributes}>{text}{''.join(map(_markup, node))}</{node.tag}>"


def spelled(html: str) -> str:
    """The HTML with formulas whose text says what they show; without their TeX, which would be shown beside it.

    Formulas that an author typed as HTML stay as they are: they may be anything.
    """
    return _FORMULA.sub(lambda found: _spelled(found[0]), html)


@lru_cache(maxsize=4096)
def _spelled(mathml: str) -> str:
    try:
        math = ElementTree.fromstring(mathml)
        (whole,) = math
        shown = whole[0] if whole.tag == "semantics" else whole
        if reading(shown) != math.get("alttext"):
            return mathml
        math[:] = [_with_signs(shown)]
    except (ElementTree.ParseError, ValueError, IndexError):  # no XML, not one whole, or a fraction without its parts
        return mathml
    math.attrib.pop("tabindex", None)
    return ElementTree.tostring(math, encoding="unicode", short_empty_elements=False)


def _sign(text: str) -> Element:
    """Text that takes no room and is not seen."""
    return element("mpadded", element("mphantom", leaf("mtext", text)), width="0", height="0", depth="0")


def _between(before: str, node: Element, after: str = "") -> Element:
    return element("mrow", *([_sign(before)] if before else []), node, *([_sign(after)] if after else []))


def _grouped(node: Element, before: str = "") -> Element:
    """The node after the signs that lead to it, in parentheses where its text could fall apart."""
    made = _with_signs(node)
    if is_simple(node) or (before in ("", "/") and core_of(node).tag in BESIDE):
        return _between(before, made) if before else made
    return _between(f"{before}(", made, ")")


def _with_signs(node: Element) -> Element:
    """The node with the signs of its plain text in it."""
    made = Element(node.tag, node.attrib)
    made.text = node.text
    children = list(node)
    if node.tag == "mfrac" and node.get("linethickness") == "0":
        made.extend([_with_signs(node[0]), _between(_CHOOSE, _with_signs(node[1]))])
    elif node.tag == "mfrac":
        made.extend([_grouped(node[0]), _grouped(node[1], "/")])
    elif node.tag == "msqrt":
        made.append(_between("√(", element("mrow", *_row(children)), ")"))
    elif node.tag == "mroot":
        made.extend([_between("√(", _with_signs(node[0]), ")"), _between("[", _with_signs(node[1]), "]")])
    elif node.tag == "mphantom":  # its text would be read
        return element("mrow")
    elif node.tag in SCRIPTS and (node[1].text or "") not in NAMES.keys() | MARKS.keys():
        made.extend(_scripts(node))
    elif node.tag == "mtable":
        made.extend(_lines(node))
    elif node.tag in ("mrow", "mstyle", "mpadded", "math", "mtd", "menclose"):
        made.extend(_row(children))
    else:
        made.extend(map(_with_signs, children))
    return made


def _scripts(node: Element) -> list[Element]:
    below, above = scripts_of(node)
    scripts = [_with_signs(node[0]) if is_base(node[0]) else _between("(", _with_signs(node[0]), ")")]
    if below is not None:
        scripts.append(_grouped(below, "_"))
    if above is not None:
        sign = core_of(above).text or ""
        if sign in RAISED:
            scripts.append(_with_signs(above))
        else:
            scripts.append(_between("^", above) if sign and sign in BARE else _grouped(above, "^"))
    return scripts


def _lines(table: Element) -> list[Element]:
    is_aligned = table.get("columnspacing", "").startswith("0em")
    made = []
    for line in table:
        cells = [element("mtd", element("mrow", *_row(list(cell))), **cell.attrib) for cell in line]
        for cell in [] if is_aligned else cells[:-1]:
            cell.append(_sign(", "))
        if line is not table[-1]:
            cells[-1].append(_sign("; "))
        made.append(element(line.tag, *cells, **line.attrib))
    return made


def _row(children: list[Element]) -> list[Element]:
    made: list[Element] = []
    before = ""
    for index, child in enumerate(children):
        part = _with_signs(child)
        inner = core_of(child)
        if inner.tag == "mfrac" and inner.get("linethickness") != "0" and not stands_free(children, index):
            part = _between("(", part, ")")
        text = "".join(part.itertext())
        is_word = len(text) > 1 and inner.tag == "mi"
        if inner.tag != "mover" and before[-1:].isalnum() and (text[:1].isdigit() or (is_word and text[0].isalpha())):
            made.append(_sign("\N{NO-BREAK SPACE}"))
        made.append(part)
        before = text or before
    return made
