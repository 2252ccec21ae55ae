"""Posts and pages -> the HTML that search is made of: their words, with headings that can be linked to.

No template and no drawing takes part, so that a new look of the site needs no new index.
"""

import re
from collections.abc import Iterable
from datetime import date
from html import escape
from typing import Any, NamedTuple
from xml.etree import ElementTree

from site_builder.markup.placeholders import fill_links, fill_parts, strip_tags
from site_builder.posts.blocks import ChecksBlock, FigureBlock, ParametersBlock, SourceBlock, TableBlock
from site_builder.posts.body import Body
from site_builder.site.theme import date_words

_MATHEMATICS = re.compile(r"<math\b.*?</math>", re.DOTALL)
_IMAGE = re.compile(r"<img\b[^>]*>")
_ALT = re.compile(r'\balt="([^"]*)"')


class Card(NamedTuple):
    """What search says of a post or page beside its text.

    path: its address in the site; topics: its tags as a reader may choose them, by the names in their addresses;
    around: what else stands before its text, such as the answer.
    """

    path: str
    title: str
    summary: str
    date: date | None
    tags: tuple[str, ...]
    topics: tuple[str, ...]
    around: tuple[str, ...] = ()


def search_html(card: Card, body: Body, language: str) -> str:
    """A page that holds nothing but what a reader may look for."""
    told = f'<p data-pagefind-ignore data-pagefind-meta="date">{date_words(card.date)}</p>' if card.date else ""
    filters = "".join(f'<p data-pagefind-ignore data-pagefind-filter="tag">{escape(name)}</p>' for name in card.topics)
    before = _paragraphs(escape(each) for each in (card.summary, *card.around))
    text = fill_links(fill_parts(body.html, lambda number: _words(body.parts[number])), lambda path, rest: "#")
    return (
        f'<!doctype html>\n<html lang="{escape(language)}"><head><title>{escape(card.title)}</title></head><body>\n'
        f"<h1>{escape(card.title)}</h1>{told}{filters}{before}\n"
        f"{_plain(text)}\n<p>{escape(', '.join(card.tags))}</p>\n</body></html>\n"
    )


def _words(part: Any) -> str:
    """What stands on a line of its own, as words: the code of a solver stays out."""
    if isinstance(part, FigureBlock):
        return _paragraphs([part.title.html, part.caption.html])
    if isinstance(part, TableBlock):
        rows = [" ".join(cell.html for cell in row) for row in part.rows]
        heads = " ".join(column.label.html for column in part.columns)
        return _paragraphs([part.title.html, part.caption.html, heads, *rows])
    if isinstance(part, SourceBlock):
        return _paragraphs([f"{escape(part.path)} {escape(part.name)}"])
    if isinstance(part, ParametersBlock):
        return _paragraphs(f"{escape(row.name)} {row.value.html} {row.description.html}" for row in part.rows)
    if isinstance(part, ChecksBlock):
        return _paragraphs(row.name.html for row in part.rows)
    return ""


def _paragraphs(texts: Iterable[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts if text)


def _plain(html: str) -> str:
    """The HTML with formulas as lines of text, which hold each number once, and pictures as what they show."""
    without = _MATHEMATICS.sub(lambda match: _said(match[0]), html) if "<math" in html else html
    return _IMAGE.sub(lambda match: f" {(_ALT.search(match[0]) or ['', ''])[1]} ", without)


def _said(mathml: str) -> str:
    from site_builder.markup.tex.plain_text import reading  # paid for by builds that index

    try:
        tree = ElementTree.fromstring(mathml)
        while tree.tag in ("math", "semantics") and (len(tree) == 1 or tree.tag == "semantics"):
            tree = tree[0]
        return escape(reading(tree), quote=False)
    except (ElementTree.ParseError, IndexError):  # typed by the author as HTML, which need not be XML
        return strip_tags(mathml)
