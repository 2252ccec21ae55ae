"""Placeholders: what Jinja wrote, replaced while Markdown works, and filled in again in the form that a medium needs.

In a text a placeholder is its number between two noncharacters, which no author can type; Markdown treats it as a word.
A link has one too, since its address depends on the page that shows it.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from html import escape, unescape
from typing import Any

from site_builder.values import number_format
from site_builder.values.language import current

OPEN, CLOSE = "\ufdd0", "\ufdd1"
LINK_OPEN, LINK_CLOSE = "\ufdd2", "\ufdd3"
_PLACEHOLDER = re.compile(f"{OPEN}(\\d+){CLOSE}")
_LINK = re.compile(f"{LINK_OPEN}([^{LINK_CLOSE}?#]*)([?#][^{LINK_CLOSE}]*)?{LINK_CLOSE}")
_TAG = re.compile(r"<[^>]*>")
_LINK_TAGS = re.compile(r"</?a\b[^>]*>")
_LINK_ELEMENT = re.compile(r"<a\b[^>]*>.*?</a>", re.DOTALL)
_ONE_LINK = re.compile(r"(<mark\b[^>]*>)?<a\b[^>]*>(?:(?!</a>).)*</a>(?(1)</mark>)", re.DOTALL)
_FOLD = re.compile(r"<(/?)details\b[^>]*>")
_TEX_SIGNS = {number_format.MINUS: "-", number_format.THIN: r"\,", number_format.NO_BREAK: " ", "%": r"\%"}
_NUMERIC = set("0123456789.,()/ +-") | set(_TEX_SIGNS)
_TEX_ESCAPES = str.maketrans({c: f"\\{c}" for c in "{}$&#_%"} | {"\\": r"\backslash ", "^": r"\^{}", "~": r"\~{}"})
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


class FormattedText(str):
    """Text that is formatted, with its forms on a page and inside TeX.

    is_html: whether its form on a page may have links and ids of its own.
    """

    html: str
    tex: str
    is_html: bool

    def __new__(cls, text: str, html: str = "", tex: str = "", is_html: bool = False) -> "FormattedText":
        written = super().__new__(cls, text)
        written.is_html = is_html
        written.html = html or escape(text, quote=False)
        written.tex = tex or tex_of(text)
        return written


def tex_of(text: str) -> str:
    """Return plain text as TeX: a number as a number, words as words."""
    if set(text) <= _NUMERIC:
        comma = r"(?<=\d),(?=\d)" if current().decimal == "," else r"(?<=\d),(?=\d{3})"
        text = re.sub(comma, "{,}", text)  # TeX would put a space after it
        return "".join(_TEX_SIGNS.get(character, character) for character in text)
    return rf"\text{{{text.translate(_TEX_ESCAPES)}}}"


def reference(anchor: str, shown: Inline, attributes: str = "") -> FormattedText:
    """Return a link to an anchor of the same text. attributes: of the link, each behind a space."""
    html = f'<a href="#{escape(anchor)}"{attributes}>{shown.html}</a>'
    return FormattedText(shown.text, html, rf"\text{{{shown.text}}}", is_html=True)


class Placeholders:
    """The placeholders of one text.

    found: text, or a block on a line of its own that is rendered by the template of its kind. printed: the values that
    filters have written. open_fields: of results, which nothing confirms and whose values are marked.
    """

    def __init__(self, open_fields: Collection[str] = (), printed: list[Any] | None = None) -> None:
        self.found: list[Any] = []
        self.printed: list[Any] = [] if printed is None else printed
        self.open_fields = frozenset(open_fields)

    def put(self, content: Any) -> str:
        """Add a text or a block; return its placeholder."""
        self.found.append(content)
        return f"{OPEN}{len(self.found) - 1}{CLOSE}"

    def fill(self, text: str, form: Callable[[FormattedText], str]) -> str:
        """Return the text with each placeholder in the given form, and without those of blocks."""

        def shown(number: int) -> str:
            content = self.found[number]
            return form(content) if isinstance(content, FormattedText) else ""

        return fill_parts(text, shown)

    def html(self, text: str) -> str:
        """Return the text with each placeholder in its form on a page."""
        return self.fill(text, lambda each: each.html)

    @property
    def blocks(self) -> dict[int, Any]:
        """The blocks, by number."""
        return {number: each for number, each in enumerate(self.found) if not isinstance(each, FormattedText)}

    def is_link(self, text: str) -> bool:
        """Whether the form of a text on a page is a link and nothing else, also a marked one, as of a claim."""
        return _ONE_LINK.fullmatch(self.html(text)) is not None

    def without_links_in_links(self, html: str) -> str:
        """Return the HTML without the links in placeholders that stand within a link, which holds no other."""

        def form(found: re.Match[str]) -> str:
            html = self.html(found[0])
            return words if (words := without_links(html)) != html else found[0]

        return _LINK_ELEMENT.sub(lambda link: _PLACEHOLDER.sub(form, link[0]), html)


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
