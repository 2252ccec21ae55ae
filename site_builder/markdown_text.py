"""Markdown -> HTML, with everything that docs/post-language.md promises; tokens pass through as words."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

import markdown

from site_builder.tokens import without_tokens

_EXTENSIONS = [
    "abbr",
    "admonition",
    "attr_list",
    "def_list",
    "footnotes",
    "md_in_html",
    "sane_lists",
    "smarty",
    "tables",
    "toc",
    "pymdownx.details",
    "pymdownx.highlight",
    "pymdownx.superfences",
]

_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_BLOCK_IN_PARAGRAPH = re.compile(
    r'<p>((?:(?!</?p>).)*?)\s*(<div class="highlight">.*?</div>)\s*((?:(?!</?p>).)*?)</p>', re.DOTALL
)
_BOX = '<div class="scroll" role="region" tabindex="0" aria-label="Table {} in the text">'


@dataclass(frozen=True)
class Heading:
    """A heading with its anchor; title is HTML with tokens in it."""

    level: int
    anchor: str
    title: str
    children: "tuple[Heading, ...]"


@dataclass(frozen=True)
class Converted:
    """A text as HTML, and its headings as a tree."""

    html: str
    headings: tuple[Heading, ...]


def convert(text: str) -> Converted:
    """The text as HTML."""
    converter = _converter()
    converter.reset()
    html = _scrollable(converter.convert(text))
    return Converted(html, _headings(getattr(converter, "toc_tokens", [])))


def all_headings(headings: Sequence[Heading]) -> Iterator[Heading]:
    """Every heading of a tree, in the order of the text."""
    for heading in headings:
        yield heading
        yield from all_headings(heading.children)


def anchor_of(title: str, separator: str = "-") -> str:
    """A heading's anchor: its letters and digits, without what a result or formula wrote into it."""
    plain = unicodedata.normalize("NFKC", without_tokens(title)).lower()
    return re.sub(r"[^\w]+", separator, plain).strip("-_") or "section"


def _scrollable(html: str) -> str:
    """The HTML with its wide things in reach of a keyboard: tables in a box of their own, code as it is."""
    numbers = count(1)
    while _BLOCK_IN_PARAGRAPH.search(html):  # a fence right below a line of text
        html = _BLOCK_IN_PARAGRAPH.sub(r"<p>\1</p>\n\2\n<p>\3</p>", html).replace("<p></p>", "")
    html = _TABLE.sub(lambda match: f"{_BOX.format(next(numbers))}{match[0]}</div>", html)
    return html.replace("<pre>", '<pre tabindex="0">')


@cache
def _converter() -> markdown.Markdown:
    settings: dict[str, dict[str, Any]] = {
        "toc": {"slugify": anchor_of, "permalink": "#", "permalink_title": "Link to this section", "toc_depth": "1-6"},
        "footnotes": {"BACKLINK_TITLE": "Back to the text, note {}"},
        "tables": {"use_align_attribute": True},  # a style would be refused by the page's policy
        "pymdownx.highlight": {"guess_lang": False, "css_class": "highlight"},
    }
    return markdown.Markdown(extensions=_EXTENSIONS, extension_configs=settings, output_format="html")


def _headings(tokens: Sequence[dict[str, Any]]) -> tuple[Heading, ...]:
    return tuple(
        Heading(token["level"], token["id"], token.get("html") or token["name"], _headings(token["children"]))
        for token in tokens
    )
