"""A few plain words of a text, for lists of posts that have no summary."""

import re
from html import escape

from site_builder.markup import markdown
from site_builder.markup.placeholders import Placeholders, fill, strip_tags
from site_builder.markup.segments import segments

_REFERENCE = re.compile(r"^ {0,3}\[\^[^\]]*\]:|(?<!\\)\[\^[^\]]*\]", re.MULTILINE)
_MORE = re.compile(r"<!--\s*more\s*-->")
_PARAGRAPH = re.compile(r"<p\b[^>]*>(.*?)</p>", re.DOTALL)


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
    words = strip_tags(fill(text, placeholders.found, lambda each: escape(each.inline.text, quote=False)))
    return words if len(words) <= 300 else words[:300].rsplit(" ", 1)[0] + " …"


def cut(text: str) -> tuple[str, str, str]:
    """The text before the mark <!--more-->, the mark, and the text after; with no mark all is before."""
    for segment in segments(text, jinja=False):
        if segment.kind == "comment" and _MORE.fullmatch(segment.text):
            return text[: segment.start], segment.text, text[segment.end :]
    return text, "", ""
