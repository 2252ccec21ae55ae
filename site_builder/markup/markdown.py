"""Markdown -> HTML, with everything in docs/post-language.md; placeholders pass through as words."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import count
from typing import TYPE_CHECKING, Any

import markdown

from site_builder.errors import CuredError
from site_builder.extension import MarkdownExtension
from site_builder.markup.block_lines import with_lists
from site_builder.markup.placeholders import Heading, fill_parts
from site_builder.markup.raw_html import with_signs
from site_builder.markup.segments import segments
from site_builder.values.characters import with_signs_spelled
from site_builder.values.language import current

if TYPE_CHECKING:
    from site_builder.markup.side_notes import LooseNote, SideNotes

_TOC, _TOC_EXTENSION = "[TOC]", "markdown.extensions.toc"
_BLOCK = '<div class="highlight">'
_PARAGRAPH, _CODE = re.compile(r"<p>[^<]*(?:<(?!/p>)[^<]*)*</p>"), re.compile(rf"\s*({_BLOCK}.*?</div>)\s*", re.DOTALL)
_TABLE = re.compile(r"<table(?: [^>]*)?>.*?</table>", re.DOTALL)
_HEADER = re.compile(r"<th(?= align=|>)")
_HEADING = re.compile(  # as of Python-Markdown, but for an end such as that of C#: only signs behind a space close it
    r"(?:^|\n)(?P<level>#{1,6})(?P<header>(?:\\.|[^\\\n])*?)(?:[ \t]+#+[ \t]*)?(?:\n|$)"
)
# The sign of a name before an attribute list, as in ## C# {#name}, and not one that closes a heading.
_SIGN_OF_NAME = re.compile(r"(?<=[^\s#\\])#+(?=[ ]+\{[^{}\n]*\}[ ]*$)", re.MULTILINE)
_SIDE = re.compile(r'(<t(?:h scope="col"|d)) align="(\w+)"(?=>)')
_OF_TEMPLATES = frozenset({"main", "contents-title", "corrections-title", "related-title"})  # ids of every page
_UNNAMED = "section"  # a heading that has no words of its own

EXTENSIONS = (
    *(f"markdown.extensions.{name}" for name in ("abbr", "admonition", "attr_list", "def_list", "md_in_html")),
    *(f"markdown.extensions.{name}" for name in ("sane_lists", "tables")),
    _TOC_EXTENSION,
    *(f"pymdownx.{name}" for name in ("bracketspan", "details", "quotes", "superfences", "tabbed", "tasklist")),
)
"""The extensions of Python-Markdown and pymdown-extensions that convert every text."""

_OPEN_MARK, _CLOSED_MARK = re.compile(r"(?:==|~|\^)\S"), re.compile(r"\S(?:==|~|\^)")  # not n == 0, as in code
_MARKS = ("pymdownx.tilde", "pymdownx.caret", "pymdownx.mark")
_BARE_ADDRESS = re.compile(r'(?<!\]\()(?<!=")(?:(?:ht|f)tps?://|www\.)|[-+\w]@[-\w]', re.IGNORECASE)
_EMOJI = "pymdownx.emoji"
_NAME_OF_EMOJI = re.compile(  # without a letter, as :100: and :+1:, it stands between spaces, and is no part of a ratio
    "(:(?:(?<![\\w:/\ufdd1]:)(?=[0-9_+-]*[a-z])[a-z0-9][a-z0-9_+-]*:(?![\\w:/\ufdd0])"
    r"|(?<!\S:)[+-]?[0-9]+:(?=[.,;!?)]?(?:\s|\Z))))"
)
_CONFIGS: dict[str, dict[str, Any]] = {
    "markdown.extensions.tables": {"use_align_attribute": True},  # a style would be refused by the page's policy
    "pymdownx.quotes": {"callouts": True},
    "pymdownx.caret": {"insert": False},
    "pymdownx.mark": {"smart_mark": True},
}

_BOX = '<div class="scroll" role="region" tabindex="0" aria-label="{}">'


@dataclass(frozen=True)
class HtmlText:
    """A text as HTML, its headings as a tree, and notes without references or references without notes."""

    html: str
    headings: tuple[Heading, ...]
    loose_notes: "tuple[LooseNote, ...]" = ()


def convert(text: str, added: tuple[MarkdownExtension, ...] = ()) -> HtmlText:
    """Convert a text to HTML. added: by extensions of the project.

    Raises CuredError for a text whose blocks or elements are nested too deeply.
    """
    converter, notes = _converter(_rare_extensions(text), added, tuple(current().quotes))
    converter.reset()
    toc: Any = converter.treeprocessors["toc"]
    toc.marker = _TOC if _TOC in text else ""  # a marker is searched in all elements
    toc.permalink_title = current().word("Link to this section")
    try:
        html = _scrollable(converter.convert(with_lists(with_signs(_with_signs_of_names(text)))))
    except RecursionError as error:
        _converter.cache_clear()  # this one is in the middle of a text
        raise CuredError("the text is nested too deeply", "bring lists, folds, quotes or elements up") from error
    except BaseException:
        _converter.cache_clear()
        raise
    return HtmlText(html, _headings(getattr(converter, "toc_tokens", [])), tuple(notes.loose))


def all_headings(headings: Sequence[Heading]) -> Iterator[Heading]:
    """Yield every heading of a tree, in the order of the text."""
    for heading in headings:
        yield heading
        yield from all_headings(heading.children)


def anchor_of(title: str, separator: str = "-") -> str:
    """Return a heading's anchor: its letters and digits, without results and formulas in it."""
    plain = unicodedata.normalize("NFKC", with_signs_spelled(fill_parts(title, lambda _: ""))).lower()
    anchor = re.sub(r"[^\w]+", separator, plain).strip("-_") or _UNNAMED
    return f"{anchor}-section" if anchor in _OF_TEMPLATES else anchor


def _with_signs_of_names(text: str) -> str:
    """The text with such signs escaped, which attr_list would remove as those that close a heading."""
    if not _SIGN_OF_NAME.search(text):
        return text
    return "".join(
        _SIGN_OF_NAME.sub(lambda sign: "\\#" * len(sign[0]), each.text) if each.kind == "text" else each.text
        for each in segments(text, jinja=False)
    )


def _scrollable(html: str) -> str:
    """Make tables and code that are too wide scrollable by keyboard: tables in a box of their own."""
    numbers, name = count(1), current().word("Table %(number)s in the text")

    def boxed(table: re.Match[str]) -> str:
        return f"{_BOX.format(escape(name % {'number': next(numbers)}))}{_table(table[0])}</div>"

    html = _TABLE.sub(boxed, _with_blocks_alone(html))
    return html.replace("<pre>", '<pre tabindex="0">')


def _with_blocks_alone(html: str) -> str:
    """The HTML with code out of the paragraph in which it stands, as a fence right below a line of text does."""

    def apart(paragraph: re.Match[str]) -> str:
        if _BLOCK not in paragraph[0]:
            return paragraph[0]
        return _CODE.sub(r"</p>\n\1\n<p>", paragraph[0]).replace("<p></p>", "")

    return _PARAGRAPH.sub(apart, html) if _BLOCK in html else html


def _table(html: str) -> str:
    """A table with the scope of its headers; alignment as classes, since HTML has no attribute for it any more."""
    head, end, rows = html.partition("</thead>")
    return _SIDE.sub(r'\1 class="align-\2"', _HEADER.sub('<th scope="col"', head) + end + rows)


def _rare_extensions(text: str) -> tuple[str, ...]:
    """The extensions for what few texts have: `~~x~~`, bare addresses, `:smile:`. Each takes 20 ms or more to load."""
    has_marks = _OPEN_MARK.search(text) and _CLOSED_MARK.search(text)
    addresses = ("pymdownx.magiclink",) if _BARE_ADDRESS.search(text) else ()
    return (*(_MARKS if has_marks else ()), *addresses, *((_EMOJI,) if _NAME_OF_EMOJI.search(text) else ()))


@lru_cache(maxsize=8)
def _converter(
    rare: tuple[str, ...], added: tuple[MarkdownExtension, ...], quotes: tuple[str, ...]
) -> "tuple[markdown.Markdown, SideNotes]":
    """Markdown with its extensions, made once, and the one that knows the notes. quotes: see Language."""
    from markdown.inlinepatterns import SubstituteTagInlineProcessor  # in builds that convert a text

    from site_builder.markup.block_extensions import OwnBlocks
    from site_builder.markup.side_notes import SideNotes
    from site_builder.markup.triggered_markdown import CodeHighlighting, Quotes, add_triggers

    notes, typographic = SideNotes(), Quotes(quotes)
    code = CodeHighlighting(guess_lang=False, css_class="highlight", linenums_style="pymdownx-inline")
    ours = (OwnBlocks(), code, notes, typographic)
    contents = {"slugify": anchor_of, "permalink": "#", "toc_depth": "1-6"}
    own = {each.extension: dict(each.settings) for each in added if isinstance(each.extension, str)}
    if _EMOJI in rare:
        from pymdownx.emoji import gemoji, to_alt  # type: ignore[import-untyped]

        own.setdefault(_EMOJI, {"emoji_index": gemoji, "emoji_generator": to_alt})
    made = markdown.Markdown(
        extensions=[*EXTENSIONS, *rare, *ours, *(each.extension for each in added)],
        extension_configs=_CONFIGS | {_TOC_EXTENSION: contents} | own,
        output_format="html",
    )
    headings: Any = made.parser.blockprocessors["hashheader"]
    headings.RE = _HEADING
    made.inlinePatterns.register(SubstituteTagInlineProcessor("\\\\\n", "br"), "backslash_break", 179)
    made.ESCAPED_CHARS = [*(set(made.ESCAPED_CHARS) - {" "}), *"@~^=:"]  # \@ is no reference, \~ no mark, \: no emoji
    if _EMOJI in own:
        made.inlinePatterns["emoji"].compiled_re = _NAME_OF_EMOJI  # that of pymdown-extensions takes 1:100:1 for one
    add_triggers(made, typographic)
    notes.parser = made.parser  # which is another one now
    return made, notes


def _headings(tokens: Sequence[dict[str, Any]]) -> tuple[Heading, ...]:
    return tuple(
        Heading(token["level"], token["id"], token.get("html") or token["name"], _headings(token["children"]))
        for token in tokens
    )
