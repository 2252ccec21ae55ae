"""Placeholders: what Jinja wrote, replaced while Markdown works, and filled in again in the form that a medium needs.

In a text a placeholder is its number between two noncharacters, which no author can type; Markdown treats it as a word.
A link has one too, since its address depends on the page that shows it.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from html import escape, unescape
from typing import Any

OPEN, CLOSE = "\ufdd0", "\ufdd1"
LINK_OPEN, LINK_CLOSE = "\ufdd2", "\ufdd3"
_PLACEHOLDER = re.compile(f"{OPEN}(\\d+){CLOSE}")
_LINK = re.compile(f"{LINK_OPEN}([^{LINK_CLOSE}?#]*)([?#][^{LINK_CLOSE}]*)?{LINK_CLOSE}")
_TAG = re.compile(r"<[^>]*>")
_LINK_TAGS = re.compile(r"</?a\b[^>]*>")
_LINK_ELEMENT = re.compile(r"<a\b[^>]*>.*?</a>", re.DOTALL)
_ONE_LINK = re.compile(r"(<mark\b[^>]*>)?<a\b[^>]*>(?:(?!</a>).)*</a>(?(1)</mark>)", re.DOTALL)
_FOLD = re.compile(r"<(/?)details\b[^>]*>")
_TAG_IN_LINE = re.compile(r"</?(?:a|abbr|b|cite|code|del|em|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u)\b[^>]*>")


@dataclass(frozen=True)
class Inline:
    """A run of text in both of its forms: HTML for pages, and plain text."""

    html: str
    text: str


@dataclass(frozen=True)
class Heading:
    """A heading of a text: its anchor, its title as HTML, and the headings below it."""

    level: int
    anchor: str
    title: str
    children: "tuple[Heading, ...]"


@dataclass(frozen=True)
class Placeholder:
    """The content for which a placeholder stands in a text. inline: as part of a line; tex: inside TeX.

    part: instead, a block on a line of its own that is rendered by the template of its kind.

    is_html: whether its form on a page may have links and ids of its own.
    """

    inline: Inline
    tex: str = ""
    part: Any = None
    is_html: bool = False

    @property
    def is_link(self) -> bool:
        """Whether its form on a page is a link and nothing else, also a marked one, as of a claim."""
        return _ONE_LINK.fullmatch(self.inline.html) is not None


def reference(anchor: str, shown: Inline, attributes: str = "") -> Placeholder:
    """Return a link to an anchor of the same text. attributes: of the link, each behind a space."""
    html = f'<a href="#{escape(anchor)}"{attributes}>{shown.html}</a>'
    return Placeholder(Inline(html, shown.text), rf"\text{{{shown.text}}}", is_html=True)


class Placeholders:
    """The placeholders of one text. printed: the values that its filters have written.

    open_fields: of results, which nothing confirms and whose values are marked.
    """

    def __init__(self, open_fields: Collection[str] = (), printed: list[Any] | None = None) -> None:
        self.found: list[Placeholder] = []
        self.printed: list[Any] = [] if printed is None else printed
        self.open_fields = frozenset(open_fields)

    def put(self, placeholder: Placeholder) -> str:
        """Add a placeholder; return it as it stands in the text."""
        self.found.append(placeholder)
        return f"{OPEN}{len(self.found) - 1}{CLOSE}"

    def fill(self, text: str, form: Callable[[Placeholder], str]) -> str:
        """Return the text with each placeholder in the given form."""
        return fill_parts(text, lambda number: form(self.found[number]))


def without_links_in_links(html: str, placeholders: Sequence[Placeholder]) -> str:
    """Return the HTML without the links in placeholders that stand within a link, which holds no other."""

    def form(number: int) -> str:
        html = placeholders[number].inline.html
        return words if (words := without_links(html)) != html else f"{OPEN}{number}{CLOSE}"

    return _LINK_ELEMENT.sub(lambda link: fill_parts(link[0], form), html)


def without_links(html: str) -> str:
    """Return the HTML with the words of its links alone."""
    return _LINK_TAGS.sub("", html)


def fill_parts(html: str, form: Callable[[int], str]) -> str:
    """Return the HTML with each placeholder in the form for its number."""
    return _PLACEHOLDER.sub(lambda match: form(int(match[1])), html) if OPEN in html else html


def fill_links(html: str, address: Callable[[str, str], str]) -> str:
    """Return the HTML with the address of each link, made of its path in the site and the rest, such as `?a=1#part`."""
    if LINK_OPEN not in html:
        return html
    return _LINK.sub(lambda match: escape(address(match[1], unescape(match[2] or ""))), html)


def link(path: str, rest: str = "") -> str:
    """Return the placeholder of a link to a path in the site. rest: its query and fragment."""
    return f"{LINK_OPEN}{path}{rest}{LINK_CLOSE}"


def without_placeholders(text: str) -> str:
    """Return the text without its placeholders."""
    return _PLACEHOLDER.sub("", text)


def parts_in(html: str) -> list[int]:
    """Return the numbers of the placeholders in a text, in their order."""
    return [int(number) for number in _PLACEHOLDER.findall(html)]


def without_folds_of(html: str, numbers: Collection[int]) -> str:
    """Return the HTML without the folds that hold a placeholder with one of these numbers."""
    pieces, done, start, depth = [], 0, 0, 0
    for tag in _FOLD.finditer(html) if numbers else ():
        start = start if depth else tag.start()
        depth += -1 if tag[1] else 1
        if not depth and not set(numbers).isdisjoint(parts_in(html[start : tag.end()])):
            pieces.append(html[done:start])
            done = tag.end()
    return "".join([*pieces, html[done:]])


def strip_tags(html: str) -> str:
    """Return HTML as words: without tags, white space folded. Characters stay escaped."""
    return " ".join(_TAG.sub(" ", _TAG_IN_LINE.sub("", html)).split())


def words_in(html: str) -> int:
    """Return the number of words in some HTML."""
    return len(_TAG.sub(" ", html).split())
