"""The HTML of a text after Markdown: named headings, parts as placeholders, punctuation at formulas, the excerpt."""

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

from site_builder.errors import Place
from site_builder.markup import markdown
from site_builder.markup.cross_references import CrossReferences, bibliography
from site_builder.markup.placeholders import CLOSE, OPEN, Heading, Placeholder, Placeholders, strip_tags
from site_builder.markup.segments import segments
from site_builder.posts.blocks import Body

_LAZY = re.compile(r"<(?:img|iframe)(?=[\s>/])", re.IGNORECASE)
_WITH_PUNCTUATION = re.compile("\ufdd0(\\d+)\ufdd1([.,;:!?)\\]’”…]*)")
_OPENING_SIGNS = "([“‘"
_ENDS_IN_HEADING = re.compile(r"</h[2-6]>\s*\Z")
_REFERENCE = re.compile(r"^ {0,3}\[\^[^\]]*\]:|(?<!\\)\[\^[^\]]*\]", re.MULTILINE)
_MORE = re.compile(r"<!--\s*more\s*-->")
_PARAGRAPH = re.compile(r"<p\b[^>]*>(.*?)</p>", re.DOTALL)


def html_of_extension(placeholders: Placeholders, number: int) -> str:
    """The HTML that a function of an extension wrote; any other placeholder as it stands in the text."""
    found = placeholders.found[number]
    return found.inline.html if found.is_html else f"{OPEN}{number}{CLOSE}"


def body_of(html: str, headings: Sequence[Heading], placeholders: Placeholders) -> Body:
    """The body with inline placeholders filled in; blocks and links stay placeholders."""
    parts: list[Any] = []

    def form(each: Placeholder) -> str:
        if each.part is None:
            return each.inline.html
        parts.append(each.part)
        return f"{OPEN}{len(parts) - 1}{CLOSE}"

    filled = placeholders.fill(html, form)
    return Body(filled, tuple(parts), _filled(headings, placeholders))


def _filled(headings: Sequence[Heading], placeholders: Placeholders) -> tuple[Heading, ...]:
    return tuple(
        replace(
            heading,
            title=placeholders.fill(heading.title, lambda each: each.inline.html),
            children=_filled(heading.children, placeholders),
        )
        for heading in headings
    )


def in_attribute(placeholders: Placeholders, tag: str) -> str:
    """The tag with its placeholders as plain text, such as in the alt text of an image; pictures load when needed."""
    tag = placeholders.fill(tag, lambda each: escape(each.inline.text))
    if not (lazy := _LAZY.match(tag)) or "loading=" in tag:
        return tag
    decoding = ' decoding="async"' if lazy[0].lower() == "<img" and "decoding=" not in tag else ""
    return f'{lazy[0]} loading="lazy"{decoding}{tag[lazy.end() :]}'


def join_punctuation(html: str, placeholders: Placeholders) -> str:
    """The HTML with each formula and the punctuation beside it in one element, which no line break splits."""
    pieces: list[str] = []
    done = 0
    for match in _WITH_PUNCTUATION.finditer(html):
        if not placeholders.found[int(match[1])].inline.html.startswith("<math alttext="):
            continue
        before = html[done : match.start()]
        text = before.rstrip(_OPENING_SIGNS)
        signs = before[len(text) :]
        joined = signs + match[0]
        pieces += (text, f'<span class="joined">{joined}</span>' if signs or match[2] else joined)
        done = match.end()
    return "".join([*pieces, html[done:]])


def part_anchors(placeholders: Sequence[Placeholder]) -> frozenset[str]:
    parts = [each.part for each in placeholders if each.part is not None and hasattr(each.part, "name")]
    return frozenset(getattr(part, "label", "") or part.name for part in parts)


def with_bibliography(converted: markdown.HtmlText, references: CrossReferences, place: Place) -> markdown.HtmlText:
    """The text with the list of its references, below a heading with which it ends or one of its own."""
    cited, sources = list(references.cited), references.sources
    if _ENDS_IN_HEADING.search(converted.html):
        return replace(converted, html=converted.html + bibliography(cited, sources, place, ""))
    taken = {each.anchor for each in markdown.all_headings(converted.headings)}
    anchor = next(each for each in ("references", "list-of-references", "cited-sources") if each not in taken)
    heading = f'<h2 id="{anchor}">References</h2>\n'
    headings = (*converted.headings, Heading(2, anchor, "References", ()))
    return replace(converted, html=converted.html + bibliography(cited, sources, place, heading), headings=headings)


def _without_references(text: str) -> str:
    """The text without references to notes, and so, when it is converted, without notes."""
    return "".join(
        _REFERENCE.sub(lambda found: found[0] if found[0].endswith(":") else "", segment.text)
        if segment.kind == "text"
        else segment.text
        for segment in segments(text, jinja=False)
    )


def excerpt_of(before: str, is_cut: bool, html: str, placeholders: Placeholders) -> str:
    """A few plain words for a post without a summary: up to <!--more-->, or the first paragraph of its HTML."""
    if is_cut:
        text = " ".join(_PARAGRAPH.findall(markdown.convert(_without_references(before)).html))
    else:
        text = first[1] if (first := _PARAGRAPH.search(html)) else ""
    words = strip_tags(placeholders.fill(text, lambda each: escape(each.inline.text, quote=False)))
    return words if len(words) <= 300 else words[:300].rsplit(" ", 1)[0] + " …"


def cut(text: str) -> tuple[str, str, str]:
    """The text before the mark <!--more-->, the mark, and the text after; with no mark all is before."""
    for segment in segments(text, jinja=False):
        if segment.kind == "comment" and _MORE.fullmatch(segment.text):
            return text[: segment.start], segment.text, text[segment.end :]
    return text, "", ""
