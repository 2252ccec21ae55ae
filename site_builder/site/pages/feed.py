"""The feeds with the full text of posts, one of all posts and one for each tag, in Atom (RFC 4287).

Their readers have no stylesheet and no scripts of the site: nh3 lets through its usual elements and attributes, and
those listed here.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

from site_builder.markup.placeholders import strip_tags
from site_builder.posts.texts.tags import SCHEMES
from site_builder.project.config import Settings
from site_builder.site.entries import Entry
from site_builder.site.layout import FEED, Layout
from site_builder.site.model import Inputs, Page
from site_builder.values.digest import digest

if TYPE_CHECKING:
    import nh3

_CACHED = 1000  # items in memory, so that the feeds of most blogs make each item once
_ATOM = "http://www.w3.org/2005/Atom"
_EMPTY = datetime(2000, 1, 1, tzinfo=UTC)  # the clock is never read, so a feed without entries has a date of its own
_TEXT = "address audio big main picture section source tfoot track video"
_WITH_CONTENT = "button iframe noembed noframes script select style svg template title"  # which goes with them
_ATTRIBUTES = (  # beside those that nh3 lets through; where one means nothing, it does nothing
    "abbr align controls datetime default dir download height hidden id kind label lang loop media muted open preload "
    "rel reversed scope sizes src srclang srcset title type valign value width"
)
_OF_PAGES = re.compile(r'<a class="headerlink".*?</a>|</?noscript\b[^>]*>', re.DOTALL | re.IGNORECASE)
_COLOURED = re.compile(r'<span class="[^"]*">([^<]*)</span>')  # nearly all tags of a listing
# One in TeX is plain text already.
_TYPED_FORMULA = re.compile(r"(<math\b.*?)(?:<annotation\b.*?)?</math>", re.DOTALL | re.IGNORECASE)
_BOX = re.compile(r'<input type="checkbox"[^<>]*?( checked)?/>')
_TAB = re.compile(r'<label for="__tabbed_[^>]*>(.*?)</label>', re.DOTALL)
_FRAME = re.compile(r'<iframe\b[^<>]*?\ssrc="([^"]*)"', re.IGNORECASE)


def feed_pages(layout: Layout) -> Iterator[Page]:
    """Every feed."""
    title, item = layout.settings.title, lru_cache(_CACHED)(partial(_item, layout))
    yield _feed(layout, item, title, FEED, "", layout.entries)
    for tag, entries in layout.by_tag.items():
        yield _feed(layout, item, f"{title}: {tag.name}", tag.feed_path, tag.path, entries)


def _feed(
    layout: Layout, item: Callable[[Entry], bytes], title: str, path: str, page: str, entries: Sequence[Entry]
) -> Page:
    """A feed with this title, beside the page of a list. item: gives that of a post."""
    newest = entries[: layout.settings.posts_in_feed]

    def inputs() -> Inputs:
        texts = [(entry.digest, layout.texts[entry.post.source]) for entry in newest]
        return layout.inputs({"the feed": digest(title, path), "the posts in it": digest(texts)})

    def render() -> bytes:
        changed = max((entry.changed for entry in newest), default=_EMPTY)
        return atom(layout.settings, title, path, page, changed, [item(entry) for entry in newest])

    return Page(path, render, inputs)


def _item(layout: Layout, entry: Entry) -> bytes:
    with layout.writing_in(entry.post.language):
        html = for_readers(layout.filler.for_feed(entry.post, layout.site.body(entry.post)))
    return atom_entry(layout.settings, entry, html)


def atom(settings: Settings, title: str, path: str, page: str, changed: datetime, entries: Sequence[bytes]) -> bytes:
    """A feed at a path with this title and these entries. page: the path of the page that it goes with."""
    feed = ElementTree.Element("feed", {"xmlns": _ATOM, "xml:lang": settings.language})
    _add(feed, "id", settings.base_url + quote(path))
    _add(feed, "title", title)
    if settings.description:
        _add(feed, "subtitle", settings.description)
    _add(feed, "link", rel="self", type="application/atom+xml", href=settings.base_url + quote(path))
    _add(feed, "link", rel="alternate", type="text/html", href=settings.base_url + quote(page))
    _add(feed, "updated", _stamp(changed))
    _add(_add(feed, "author"), "name", settings.author or settings.title)
    ElementTree.indent(feed)
    text: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    end = b"\n</feed>"
    return b"".join([text.removesuffix(end), *(b"\n  " + entry for entry in entries), end, b"\n"])


def atom_entry(settings: Settings, entry: Entry, html: str) -> bytes:
    """A post as an entry of a feed, indented for its place there. html: its text.

    Its id stays when the title, text or numbers of the post change.
    """
    post, url = entry.post, settings.base_url + quote(entry.post.path)
    node = ElementTree.Element("entry", {"xml:lang": post.language} if post.language != settings.language else {})
    _add(node, "id", f"tag:{urlsplit(url).hostname},{entry.date:%Y-%m-%d}:/{quote(post.path)}")
    _add(node, "title", post.title.text)
    _add(node, "link", rel="alternate", type="text/html", href=url)
    _add(node, "published", _stamp(entry.date))
    _add(node, "updated", _stamp(entry.changed))
    for name in entry.authors:
        _add(_add(node, "author"), "name", name)
    for tag in entry.tags:
        _add(node, "category", term=tag.name)
    if post.summary.text:
        _add(node, "summary", post.summary.text)
    _add(node, "content", html, type="html")
    ElementTree.indent(node, level=1)
    text: bytes = ElementTree.tostring(node, encoding="utf-8")
    return text


def _stamp(moment: datetime) -> str:
    """A moment as RFC 3339 has it."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _add(parent: ElementTree.Element, name: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
    node = ElementTree.SubElement(parent, name, attributes)
    node.text = text
    return node


def for_readers(html: str) -> str:
    """Return the HTML without what has no meaning in a feed, a link in place of each frame."""
    plain = "".join(_COLOURED.split(_OF_PAGES.sub("", html)))  # the texts outside and inside of the tags, in order
    if "<input" in plain:
        plain = _BOX.sub(lambda box: "☑" if box[1] else "☐", plain)
        plain = _TAB.sub(r"<p><strong>\1</strong></p>", plain)
    plain = _TYPED_FORMULA.sub(lambda formula: strip_tags(formula[1]), plain)
    return _cleaner().clean(_FRAME.sub(r'<a href="\1">\1</a>\g<0>', plain))


@cache
def _cleaner() -> "nh3.Cleaner":
    import nh3  # paid for by builds that make an item of a feed

    return nh3.Cleaner(
        tags=nh3.ALLOWED_TAGS.union(_TEXT.split()),
        clean_content_tags=set(_WITH_CONTENT.split()),
        attributes={**nh3.ALLOWED_ATTRIBUTES, "*": set(_ATTRIBUTES.split()), "video": {"poster"}},
        link_rel=None,
        url_schemes={*SCHEMES, "data"},  # pictures may hold their data; a link that does is an error of its post
    )
