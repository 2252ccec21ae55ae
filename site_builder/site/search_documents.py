"""The documents of the search index: the words of posts and pages, with headings that can be linked to.

They do not depend on templates or drawings, so that a new theme needs no new index.
"""

import re
import unicodedata
from collections.abc import Iterable
from datetime import date
from html import escape
from typing import Any, NamedTuple
from xml.etree import ElementTree

from site_builder.markup.placeholders import fill_links, fill_parts, strip_tags
from site_builder.posts.blocks import Body, ChecksBlock, FigureBlock, ParametersBlock, SourceBlock, TableBlock
from site_builder.site.theme import date_words

_GROUPED = re.compile("(?<![\\d.,])\\d{1,3}(?:[\u2009\u202f\u00a0,]\\d{3})+(?!\\d)")
_LETTERS = re.compile(r"[^\W\d_]{4,24}")
_IGNORED = re.compile(r"<p data-pagefind-ignore .*?</p>")
_MATHEMATICS = re.compile(r"<math\b.*?</math>", re.DOTALL)
_IMAGE = re.compile(r"<img\b[^>]*>")
_ALT = re.compile(r'\balt="([^"]*)"')


class SearchDocument(NamedTuple):
    """A post or page in the search index, without its text.

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


def search_html(document: SearchDocument, body: Body, language: str) -> str:
    """The document of a post or page."""
    date = f'<p data-pagefind-ignore data-pagefind-meta="date">{date_words(document.date)}</p>' if document.date else ""
    filters = "".join(
        f'<p data-pagefind-ignore data-pagefind-filter="tag">{escape(name)}</p>' for name in document.topics
    )
    before = _paragraphs(_plain(escape(each)) for each in (document.summary, *document.around))
    text = fill_links(fill_parts(body.html, lambda number: _words(body.parts[number])), lambda path, rest: "#")
    return (
        f'<!doctype html>\n<html lang="{escape(language)}"><head><title>{escape(document.title)}</title></head><body>\n'
        f"<h1>{escape(document.title)}</h1>{date}{filters}{before}\n"
        f"{_plain(text)}\n<p>{escape(', '.join(document.tags))}</p>\n</body></html>\n"
    )


def _words(part: Any) -> str:
    """The words of a block; of a listing only its name."""
    if isinstance(part, FigureBlock):
        return _paragraphs([part.title.html, part.caption.html, *(frame.label.html for frame in part.frames)])
    if isinstance(part, TableBlock):
        rows = [" ".join(cell.html for cell in row) for row in part.rows]
        heads = " ".join(column.label.html for column in part.columns)
        return _paragraphs([part.title.html, part.caption.html, heads, *rows])
    if isinstance(part, SourceBlock):
        return _paragraphs([f"{escape(part.path)} {escape(part.name)}"])
    if isinstance(part, ParametersBlock):
        return _paragraphs(f"{escape(row.name)} {row.value.html} {row.description.html}" for row in part.rows)
    if isinstance(part, ChecksBlock):
        return _paragraphs(row.title.html for row in part.rows)
    return ""


def _paragraphs(texts: Iterable[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts if text)


def _plain(html: str) -> str:
    """The HTML with formulas as text, which has each number once, and pictures as their alternative text."""
    without = _MATHEMATICS.sub(lambda match: _formula_text(match[0]), html) if "<math" in html else html
    text = _IMAGE.sub(lambda match: f" {(_ALT.search(match[0]) or ['', ''])[1]} ", without)
    return _GROUPED.sub(lambda match: re.sub(r"\D", "", match[0]), text)  # one word, however its digits are grouped


def offered_words(documents: Iterable[str]) -> str:
    """The words of documents that a search may offer for a misspelt one: of four letters or more, one to a line."""
    indexed = (_IGNORED.sub("", html.partition("<body>")[2]) for html in documents)
    plain = (unicodedata.normalize("NFKC", strip_tags(html)).lower() for html in indexed)
    return "\n".join(sorted({word for text in plain for word in _LETTERS.findall(text)}))


def _formula_text(mathml: str) -> str:
    from site_builder.markup.tex.plain_text import reading  # imported by builds that index alone

    try:
        tree = ElementTree.fromstring(mathml)
        while tree.tag in ("math", "semantics") and (len(tree) == 1 or tree.tag == "semantics"):
            tree = tree[0]
        return escape(reading(tree), quote=False)
    except (ElementTree.ParseError, IndexError):  # the author's own HTML, which need not be XML
        return strip_tags(mathml)
