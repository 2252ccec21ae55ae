"""TeX -> MathML and plain text, at build time, and no formula that is not understood.

A browser shows the MathML without a script, but knows no alignment, lines or boxes in it: the site's stylesheet carries
rules for them, and strikes through <menclose> as its `notation` says.

Many feed readers keep the text of elements that they do not know and drop the rest: 1 over 2 becomes 12. Feeds have the
plain text.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from xml.etree.ElementTree import Element

from site_builder.markup.tex.atoms import as_row, element, leaf
from site_builder.markup.tex.commands import HANDLERS
from site_builder.markup.tex.environments import lines
from site_builder.markup.tex.parser import Parser, TexError
from site_builder.markup.tex.plain_text import reading

__all__ = ["Formula", "TexError", "convert", "with_plain_formulas"]

_FORMULA = re.compile(r'<math(?: tabindex="0")?(?: display="block")? alttext="([^">]*)">.*?</math>', re.DOTALL)


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


def with_plain_formulas(html: str) -> str:
    """The HTML with each formula as its plain text; one that an author typed as MathML stays."""
    return _FORMULA.sub(r"\1", html)
