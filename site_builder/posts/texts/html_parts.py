"""The HTML of a text after Markdown: its parts, punctuation at formulas, the excerpt; errors at their lines."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from html import escape, unescape
from itertools import count, islice
from typing import Any

from site_builder.errors import Place, SiteError
from site_builder.markup import markdown
from site_builder.markup.cross_references import BIBLIOGRAPHY
from site_builder.markup.placeholders import (
    CLOSE,
    OPEN,
    FormattedText,
    Heading,
    Inline,
    Placeholders,
    fill_parts,
    parts_in,
    strip_tags,
    without_links,
)
from site_builder.markup.segments import without
from site_builder.markup.typeset import typeset
from site_builder.posts.blocks import Body, FigureBlock, TableBlock
from site_builder.posts.links import Link
from site_builder.posts.texts.tags import TAG, TagProblem
from site_builder.project.front_matter import PublishedSource
from site_builder.project.posts import Post
from site_builder.values.language import current

_LAZY = re.compile(r"<(?:img|iframe)(?=[\s>/])", re.IGNORECASE)
_ENDINGS = ("", "-title", "-label")  # of the ids of figures and tables, as the templates write them
_WITH_PUNCTUATION = re.compile("\ufdd0(\\d+)\ufdd1([.,;:!?)\\]’”…“‘»«]*)")
_OPENING_SIGNS = "([“‘„‚«»"
_ENDS_IN_HEADING = re.compile(  # below it stand at most notes and other definitions, which are elsewhere on the page
    r"^(?:##[^\n]*|\S[^\n]*\n-+[ \t]*)(?:\n(?:\*?\[[^\]\n]+\]:[^\n]*|[ \t]+\S[^\n]*|[ \t]*))*\Z", re.MULTILINE
)
_MORE = re.compile(r"<!--\s*more\s*-->\n?")
_NOTE = re.compile(r'<details class="sidenote">.*?</details>', re.DOTALL)
_PARAGRAPH = re.compile(r"<p\b[^>]*>(.*?)(?:</p>|\Z)", re.DOTALL)

_ON_A_LINE = "put it on a line of its own with an empty line before and after"
_WRITE_ALT = """write it here, figure(..., alt="A line that falls from 0.5 to 0."), or in the solver: as a second
paragraph of the docstring of the function that draws it, or in Drawing(fig, alt="...")"""
_NOTE_LINE = "^[ >]*{0}:"
_LOOSE_NOTES = {  # the pattern, which of its lines, message and cure
    "no note": (
        r"(?<!\\){0}",
        slice(None),
        "there is no note {0}",
        "write it as {0}: and its text on a line of its own, or \\{0} for the signs",
    ),
    "no reference": (
        _NOTE_LINE,
        slice(1),
        "nothing refers to the note {0}",
        "write {0} in the text where it belongs, or delete it",
    ),
    "twice": (_NOTE_LINE, slice(1, 2), "the note {0} is written twice", "give one of them another name"),
}
_AS_SPACES = {ord("\n"): " ", ord("\t"): " "}
_BEFORE_ADDRESS, _AFTER_ADDRESS = re.compile(r"[\w/.#-]"), re.compile(r"[\w/?#-]|\.\w")  # it goes on
_LINE_OF_TEXT = re.compile(r"<(p|h[1-6]|t[dh]|dt)\b[^>]*>.*?</\1>", re.DOTALL)


def body_of(html: str, headings: Sequence[Heading], placeholders: Placeholders) -> Body:
    """The body with inline placeholders filled in; blocks and links stay placeholders."""
    parts: list[Any] = []
    blocks = placeholders.blocks

    def form(number: int) -> str:
        if number not in blocks:
            return str(placeholders.found[number].html)
        parts.append(blocks[number])
        return f"{OPEN}{len(parts) - 1}{CLOSE}"

    return Body(fill_parts(html, form), tuple(parts), _filled(headings, placeholders))


def _filled(headings: Sequence[Heading], placeholders: Placeholders) -> tuple[Heading, ...]:
    return tuple(
        replace(
            heading,
            title=without_links(placeholders.html(heading.title)),
            children=_filled(heading.children, placeholders),
        )
        for heading in headings
    )


def in_attribute(placeholders: Placeholders, tag: str) -> str:
    """The tag with its placeholders as plain text, such as in the alt text of an image; pictures load when needed."""
    tag = placeholders.fill(tag, lambda each: escape(each))
    if not (lazy := _LAZY.match(tag)) or "loading=" in tag:
        return tag
    decoding = ' decoding="async"' if lazy[0].lower() == "<img" and "decoding=" not in tag else ""
    return f'{lazy[0]} loading="lazy"{decoding}{tag[lazy.end() :]}'


def join_punctuation(html: str, placeholders: Placeholders) -> str:
    """The HTML with each formula and the punctuation beside it in one element, which no line break splits."""
    pieces: list[str] = []
    done = 0
    for match in _WITH_PUNCTUATION.finditer(html):
        if not placeholders.html(match[0]).startswith("<math alttext="):
            continue
        before = html[done : match.start()]
        text = before.rstrip(_OPENING_SIGNS)
        signs = before[len(text) :]
        joined = signs + match[0]
        pieces += (text, f'<span class="joined">{joined}</span>' if signs or match[2] else joined)
        done = match.end()
    return "".join([*pieces, html[done:]])


def part_anchors(blocks: Mapping[int, Any]) -> frozenset[str]:
    parts = [each for each in blocks.values() if isinstance(each, FigureBlock | TableBlock)]
    return frozenset(getattr(part, "label", "") or part.name for part in parts)


def keep_apart(placeholders: Placeholders, anchors: Collection[str]) -> None:
    """Give figures and tables an anchor of their own where an element of the text, such as a heading, has theirs."""
    taken = part_anchors(placeholders.blocks) | set(anchors)
    for at, part in placeholders.blocks.items():
        if not isinstance(part, FigureBlock | TableBlock) or (isinstance(part, FigureBlock) and part.label):
            continue
        if any(part.name + ending in anchors for ending in _ENDINGS):
            names = (f"{part.name}-{number}" for number in count(2))
            free = next(name for name in names if taken.isdisjoint(name + ending for ending in _ENDINGS))
            own = replace(part, label=free) if isinstance(part, FigureBlock) else replace(part, name=free)
            placeholders.found[at] = own
            taken |= {free}


def bibliography(text: str, cited: Iterable[str], post: Post, placeholders: Placeholders) -> str:
    """The list of references that ends a text, below the heading with which the text ends or one of its own.

    cited: keys of sources, in the order of their numbers.
    """
    place = Place(post.source, post.body_line)
    entries = "".join(
        f'<li id="{BIBLIOGRAPHY}{escape(key)}">{_entry(post.front.sources[key], place)}</li>\n' for key in cited
    )
    html = f'<section class="references" role="doc-bibliography">\n<ol>\n{entries}</ol>\n</section>'
    heading = "" if _ENDS_IN_HEADING.search(text) else f"\n\n## {current().word('References')}"
    return f"{heading}\n\n{placeholders.put(FormattedText('', html, is_html=True))}\n"


def _entry(source: PublishedSource, place: Place) -> str:
    title = f"<cite>{typeset(source.title, place).html}</cite>"
    if source.url:
        title = f'<a href="{escape(source.url)}">{title}</a>'
    facts = [typeset(source.author, place).html if source.author else "", title]
    facts.append(str(source.date.year) if source.date else "")
    return ". ".join(fact for fact in facts if fact) + "."


def excerpt_of(html: str, placeholders: Placeholders) -> Inline:
    """A few plain words for a post without a summary: the paragraphs before <!--more-->, or the first of its HTML."""
    mark = _MORE.search(html)
    before = _NOTE.sub("", html[: mark.start()] if mark else html)
    paragraphs = islice(_PARAGRAPH.finditer(before), None if mark else 1)
    text = " ".join(each[1] for each in paragraphs)
    words = strip_tags(placeholders.fill(text, lambda each: escape(each, quote=False)))
    words = words if len(words) <= 300 else words[:300].rsplit(" ", 1)[0] + " …"
    return Inline(words, unescape(words))


def without_mark(html: str) -> str:
    """The HTML without <!--more-->."""
    return _MORE.sub("", html, count=1)


# Errors and links, at the lines of the file.


class SourceText:
    """The text of a post as Jinja has written it, and the lines of the file in which something is written.

    What is found nowhere, such as words of an extension, counts as written in the first line.
    """

    def __init__(self, post: Post, text: str, lines: Sequence[int], placeholders: Placeholders) -> None:
        self._source, self._numbers, self._first = post.source, lines, post.body_line
        self._text, self._placeholders = text, placeholders

    def errors(self, pattern: str, message: str, cure: str, which: slice = slice(1)) -> list[SiteError]:
        """An error in each of these lines with a match outside of code and comments. message, cure: as in the text."""
        prose = zip(self._numbers, without(self._text, "code", "html code", "comment").split("\n"), strict=True)
        lines = [number for number, line in prose if re.search(pattern, line)]
        words = [self._placeholders.fill(each, str) for each in (message, cure)]
        return [SiteError(Place(self._source, line), *words) for line in lines[which] or [self._first]]

    def problem_errors(self, problems: Iterable[TagProblem]) -> list[SiteError]:
        """An error for all that is refused, at each of its lines."""
        return [SiteError(Place(self._source, at), *words) for written, *words in problems for at in self._of(written)]

    def placed(self, links: Iterable[Link]) -> tuple[Link, ...]:
        """The links, each with the lines in which it is written."""
        return tuple(link._replace(lines=self._of(link.written)) for link in links)

    def _of(self, written: str) -> tuple[int, ...]:
        """The lines in which an address or the beginning of a tag stands as a whole, else the first of all."""
        text, ends = self._shown
        starts = _starts(text, " ".join(written.split()))
        return tuple(sorted({self._numbers[bisect_right(ends, at)] for at in starts}) or self._numbers[:1])

    @cached_property
    def _shown(self) -> tuple[str, list[int]]:
        """The text in which links may stand, as one line, and the ends of its lines."""
        text = without(self._text, "code", "comment")
        text = unescape(self._placeholders.fill(text, lambda each: each.replace("\n", " ")))
        return text.translate(_AS_SPACES), [found.end() for found in re.finditer("\n", text)]


def _starts(text: str, address: str) -> Iterator[int]:
    """The places of an address in a text, but for those where it is a part of a longer one."""
    at = text.find(address)
    while at >= 0 and address:
        if not ((at and _BEFORE_ADDRESS.match(text, at - 1)) or _AFTER_ADDRESS.match(text, at + len(address))):
            yield at
        at = text.find(address, at + 1)


def heading_errors(headings: Sequence[Heading], text: SourceText) -> list[SiteError]:
    if all(heading.level > 1 for heading in markdown.all_headings(headings)):
        return []
    message = "a heading with one # stands for the title, which the page has"
    return text.errors(r"^[ \t>]*#(?!#)|^=+\s*$", message, "write ##, or \\# for the sign")


def note_errors(loose: Iterable[tuple[str, str]], text: SourceText) -> list[SiteError]:
    """References without a note, notes without a reference, and notes that are written twice."""
    wrong = []
    for kind, label in dict.fromkeys(loose):
        sign = f"[^{label}]"
        pattern, which, message, cure = _LOOSE_NOTES[kind]
        wrong += text.errors(pattern.format(re.escape(sign)), message.format(sign), cure.format(sign), which)
    return wrong


def part_errors(html: str, placeholders: Placeholders, text: SourceText) -> list[SiteError]:
    """The errors of figures, tables and listings: in the middle of a paragraph, or without a text alternative."""
    if not (parts := placeholders.blocks):
        return []
    inside = [match[0] for match in _LINE_OF_TEXT.finditer(html)] + TAG.findall(_LINE_OF_TEXT.sub("", html))
    misplaced = [number for piece in inside for number in parts_in(piece) if number in parts]
    wrong = [(number, "this stands in the middle of a paragraph", _ON_A_LINE) for number in misplaced]
    wrong += [
        (number, f"the figure {str(part.title.text)!r} has no text alternative (alt)", _WRITE_ALT)
        for number in dict.fromkeys(parts_in(html))  # without what {% set %} keeps and nothing shows
        if isinstance(part := parts.get(number), FigureBlock) and not part.alt
    ]
    return [error for number, message, cure in wrong for error in text.errors(f"{OPEN}{number}{CLOSE}", message, cure)]
