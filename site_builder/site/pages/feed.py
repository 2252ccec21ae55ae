"""The feeds with the full text of posts, one of all posts and one for each tag: Atom (RFC 4287) and JSON Feed 1.1.

Their readers have no stylesheet and no scripts of the site: nh3 lets through its usual elements and attributes, and
those listed here.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

from site_builder.posts.texts.tags import SCHEMES
from site_builder.project.config import Settings
from site_builder.site.entries import Entry
from site_builder.site.layout import FEED, Layout, json_feed_path
from site_builder.site.model import Inputs, Page
from site_builder.site.structured_data import stamp, without_gaps
from site_builder.values.digest import digest

if TYPE_CHECKING:
    import nh3

_CACHED = 1000  # items in memory, so that the feeds of most blogs make each item once
_ATOM = "http://www.w3.org/2005/Atom"
_EMPTY = datetime(2000, 1, 1, tzinfo=UTC)  # the clock is never read, so a feed without entries has a date of its own
_TEXT = "address audio big main picture section source tfoot track video"
_FORMULAS = """
    annotation math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms
    mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics
"""
_DRAWINGS = """
    circle clipPath defs ellipse g line linearGradient marker mask path pattern polygon polyline radialGradient rect
    stop svg text tspan
"""
_OF_FORMULAS = """
    accent accentunder alttext columnalign columnlines columnspacing columnspan depth display displaystyle encoding
    fence form frame height largeop linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize
    minsize movablelimits notation rowalign rowlines rowspacing rowspan rspace scriptlevel separator stretchy
    symmetric voffset width
"""
_OF_DRAWINGS = """
    clip-path clip-rule clipPathUnits cx cy d dominant-baseline dx dy fill fill-opacity fill-rule font-family
    font-size font-style font-weight fx fy gradientTransform gradientUnits height marker-end marker-mid marker-start
    markerHeight markerUnits markerWidth mask offset opacity orient patternTransform patternUnits points
    preserveAspectRatio r refX refY rotate rx ry spreadMethod stop-color stop-opacity stroke stroke-dasharray
    stroke-linecap stroke-linejoin stroke-opacity stroke-width text-anchor transform viewBox width x x1 x2 y y1 y2
"""
_WITH_CONTENT = "button iframe noembed noframes script select style template title"  # which goes with them
_RECORDINGS = "controls height loop muted poster preload src width"
_ATTRIBUTES = {
    "*": "align dir hidden id lang title",
    **dict.fromkeys(_FORMULAS.split(), _OF_FORMULAS),
    **dict.fromkeys(_DRAWINGS.split(), _OF_DRAWINGS),
    **dict.fromkeys(("td", "th"), "abbr scope valign"),
    **dict.fromkeys(("audio", "video"), _RECORDINGS),
    "a": "download rel",
    "data": "value",
    "details": "open",
    "img": "sizes srcset",
    "li": "value",
    "ol": "reversed type",
    "source": "height media sizes src srcset type width",
    "time": "datetime",
    "track": "default kind label src srclang",
}
_OF_PAGES = re.compile(r'<a class="headerlink".*?</a>|</?noscript\b[^>]*>', re.DOTALL | re.IGNORECASE)
_COLOURED = re.compile(r'<span class="[^"]*">([^<]*)</span>')  # nearly all tags of a listing
_BOX = re.compile(r'<input type="checkbox"[^<>]*?( checked)?/>')
_TAB = re.compile(r'<label for="__tabbed_[^>]*>(.*?)</label>', re.DOTALL)
_FRAME = re.compile(r'<iframe\b[^<>]*?\ssrc="([^"]*)"', re.IGNORECASE)


@dataclass(frozen=True)
class Item:
    """A post as feeds have it, in the two forms of each feed that it is in. changed: when it was last changed."""

    changed: datetime
    atom: bytes
    json: bytes


@dataclass(frozen=True)
class Feed:
    """A feed and its subject. tag: empty for all posts; path: its own; page: the path of the page that it goes with."""

    tag: str
    path: str
    page: str


class FeedPages:
    """The feeds of a site."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.settings = layout.settings
        self._items: dict[str, Item] = {}

    def pages(self) -> Iterator[Page]:
        """Every feed in both of its forms."""
        yield from self._both("", FEED, "", self.layout.entries)
        for tag in self.layout.tags:
            yield from self._both(tag.name, tag.feed_path, tag.path, self.layout.by_tag[tag.path])

    def _both(self, tag: str, path: str, page: str, entries: Sequence[Entry]) -> Iterator[Page]:
        newest = entries[: self.settings.posts_in_feed]
        yield self._feed(atom, Feed(tag, path, page), newest, [])
        cards = [self.layout.card_path(entry.post) for entry in newest]
        yield self._feed(json_feed, Feed(tag, json_feed_path(path), page), newest, cards)

    def _feed(self, write: Callable[..., bytes], about: Feed, entries: Sequence[Entry], cards: Sequence[str]) -> Page:
        def inputs() -> Inputs:
            texts = [(entry.digest, self.layout.texts[entry.post.source]) for entry in entries]
            own = {"the feed": digest(about), "the posts in it": digest(texts, cards)}
            return self.layout.inputs(own)

        return Page(about.path, lambda: write(self.settings, about, [self._item(each) for each in entries]), inputs)

    def _item(self, entry: Entry) -> Item:
        if entry.path not in self._items:
            with self.layout.writing_in(entry.language):
                html = for_readers(self.layout.filler.for_feed(entry.post, self.layout.site.body(entry.post)))
            as_json = json_item(self.settings, entry, html, self.layout.card_path(entry.post))
            self._items[entry.path] = Item(entry.changed, atom_entry(self.settings, entry, html), as_json)
            if len(self._items) > _CACHED:
                del self._items[next(iter(self._items))]
        return self._items[entry.path]


def atom(settings: Settings, about: Feed, items: Sequence[Item]) -> bytes:
    """The items as Atom."""
    path, page = about.path, about.page
    feed = ElementTree.Element("feed", {"xmlns": _ATOM, "xml:lang": settings.language})
    _add(feed, "id", settings.base_url + quote(path))
    _add(feed, "title", _title(settings, about))
    if settings.description:
        _add(feed, "subtitle", settings.description)
    _add(feed, "link", rel="self", type="application/atom+xml", href=settings.base_url + quote(path))
    _add(feed, "link", rel="alternate", type="text/html", href=settings.base_url + quote(page))
    _add(feed, "updated", stamp(max((item.changed for item in items), default=_EMPTY)))
    _add(_add(feed, "author"), "name", settings.author or settings.title)
    ElementTree.indent(feed)
    text: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    end = b"\n</feed>"
    return b"".join([text.removesuffix(end), *(b"\n  " + item.atom for item in items), end, b"\n"])


def json_feed(settings: Settings, about: Feed, items: Sequence[Item]) -> bytes:
    """The items as JSON Feed, under the same names as in Atom."""
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": _title(settings, about),
        "home_page_url": settings.base_url + quote(about.page),
        "feed_url": settings.base_url + quote(about.path),
        "description": settings.description,
        "language": settings.language,
        "authors": [{"name": settings.author or settings.title}],
        "items": [],
    }
    text, end = _json(without_gaps(feed, "items")), b"]\n}"
    listed = b"\n  " + b",\n  ".join(item.json for item in items) + b"\n " if items else b""
    return b"".join([text.removesuffix(end), listed, end, b"\n"])


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass")


def _title(settings: Settings, about: Feed) -> str:
    return f"{settings.title}: {about.tag}" if about.tag else settings.title


def json_item(settings: Settings, entry: Entry, html: str, card: str) -> bytes:
    """An item of a JSON Feed, indented for its place there. html: its text; card: the path of its share card."""
    item = {
        "id": _entry_id(settings.base_url, entry),
        "url": settings.base_url + quote(entry.path),
        "title": entry.plain_title,
        "content_html": html,
        "summary": entry.plain_summary,
        "image": settings.base_url + quote(card),
        "date_published": stamp(entry.date),
        "date_modified": stamp(entry.changed),
        "authors": [{"name": name} for name in entry.authors],
        "tags": [tag.name for tag in entry.tags],
        "language": entry.language,
    }
    return _json(without_gaps(item, "content_html")).replace(b"\n", b"\n  ")


def _entry_id(base_url: str, entry: Entry) -> str:
    """An id that stays when the title, text or numbers of the post change."""
    return f"tag:{urlsplit(base_url).hostname},{entry.date:%Y-%m-%d}:/{quote(entry.path)}"


def atom_entry(settings: Settings, entry: Entry, html: str) -> bytes:
    """An entry of an Atom feed, indented for its place there. html: its text."""
    other = {"xml:lang": entry.language} if entry.language != settings.language else {}
    node = ElementTree.Element("entry", other)
    _add(node, "id", _entry_id(settings.base_url, entry))
    _add(node, "title", entry.plain_title)
    _add(node, "link", rel="alternate", type="text/html", href=settings.base_url + quote(entry.path))
    _add(node, "published", stamp(entry.date))
    _add(node, "updated", stamp(entry.changed))
    for name in entry.authors:
        _add(_add(node, "author"), "name", name)
    for tag in entry.tags:
        _add(node, "category", term=tag.name)
    if entry.plain_summary:
        _add(node, "summary", entry.plain_summary)
    _add(node, "content", html, type="html")
    ElementTree.indent(node, level=1)
    text: bytes = ElementTree.tostring(node, encoding="utf-8")
    return text


def _add(parent: ElementTree.Element, name: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
    node = ElementTree.SubElement(parent, name, attributes)
    node.text = text
    return node


def for_readers(html: str) -> str:
    """Return the HTML without what has no meaning in a feed, a link in place of each frame; formulas stay."""
    plain = "".join(_COLOURED.split(_OF_PAGES.sub("", html)))  # the texts outside and inside of the tags, in order
    if "<input" in plain:
        plain = _BOX.sub(lambda box: "☑" if box[1] else "☐", plain)
        plain = _TAB.sub(r"<p><strong>\1</strong></p>", plain)
    return _cleaner().clean(_FRAME.sub(r'<a href="\1">\1</a>\g<0>', plain))


@cache
def _cleaner() -> "nh3.Cleaner":
    import nh3  # paid for by builds that make an item of a feed

    known = nh3.ALLOWED_ATTRIBUTES
    return nh3.Cleaner(
        tags=nh3.ALLOWED_TAGS.union(f"{_TEXT} {_FORMULAS} {_DRAWINGS}".split()),
        clean_content_tags=set(_WITH_CONTENT.split()),
        attributes={
            name: known.get(name, set()).union(_ATTRIBUTES.get(name, "").split()) for name in known | _ATTRIBUTES
        },
        link_rel=None,
        url_schemes={*SCHEMES, "data"},  # pictures may hold their data; a link that does is an error of its post
    )
