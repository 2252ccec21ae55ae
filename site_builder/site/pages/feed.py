"""The feeds with the full text of posts, one of all posts and one for each tag: Atom (RFC 4287) and JSON Feed 1.1.

Their readers have no stylesheet and no scripts of the site: nh3 lets through its usual elements and attributes, and
those listed here.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple
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


class Item(NamedTuple):
    """A post as feeds have it, in the two forms of each feed that it is in. changed: when it was last changed."""

    changed: datetime
    atom: bytes
    json: bytes


class FeedPages:
    """The feeds of a site."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.settings = layout.settings
        self._items: dict[str, Item] = {}

    def pages(self) -> Iterator[Page]:
        """Every feed in both of its forms."""
        title = self.settings.title
        yield from self._both(title, FEED, "", self.layout.entries)
        for tag, entries in self.layout.by_tag.items():
            yield from self._both(f"{title}: {tag.name}", tag.feed_path, tag.path, entries)

    def _both(self, title: str, path: str, page: str, entries: Sequence[Entry]) -> Iterator[Page]:
        """A feed with this title, beside the page of a list."""
        newest = entries[: self.settings.posts_in_feed]

        @cache
        def inputs() -> Inputs:
            texts = [(entry.digest, self.layout.texts[entry.post.source]) for entry in newest]
            cards = [self.layout.card_path(entry.post) for entry in newest]
            return self.layout.inputs({"the feed": digest(title, path), "the posts in it": digest(texts, cards)})

        for write, place in ((atom, path), (json_feed, json_feed_path(path))):
            about = feed_facts(self.settings, title, place, page)
            yield Page(place, partial(self._render, write, about, newest), inputs)

    def _render(self, write: Callable[..., bytes], about: Mapping[str, Any], entries: Sequence[Entry]) -> bytes:
        return write(about, [self._item(entry) for entry in entries])

    def _item(self, entry: Entry) -> Item:
        post = entry.post
        if post.path not in self._items:
            with self.layout.writing_in(post.language):
                html = for_readers(self.layout.filler.for_feed(post, self.layout.site.body(post)))
            facts = item_facts(self.settings.base_url, entry, html, self.layout.card_path(post))
            forms = atom_entry(self.settings.language, facts), json_item(facts)
            self._items[post.path] = Item(entry.changed, *forms)
            if len(self._items) > _CACHED:
                del self._items[next(iter(self._items))]
        return self._items[post.path]


def feed_facts(settings: Settings, title: str, path: str, page: str) -> dict[str, Any]:
    """A feed as JSON Feed has it, without its items. page: the path of the page that it goes with."""
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": title,
        "home_page_url": settings.base_url + quote(page),
        "feed_url": settings.base_url + quote(path),
        "description": settings.description,
        "language": settings.language,
        "authors": [{"name": settings.author or settings.title}],
        "items": [],
    }


def item_facts(base_url: str, entry: Entry, html: str, card: str) -> dict[str, Any]:
    """A post as JSON Feed has it. html: its text; card: the path of its share card.

    Its id stays when the title, text or numbers of the post change.
    """
    post = entry.post
    return {
        "id": f"tag:{urlsplit(base_url).hostname},{entry.date:%Y-%m-%d}:/{quote(post.path)}",
        "url": base_url + quote(post.path),
        "title": post.title.text,
        "content_html": html,
        "summary": post.summary.text,
        "image": base_url + quote(card),
        "date_published": stamp(entry.date),
        "date_modified": stamp(entry.changed),
        "authors": [{"name": name} for name in post.authors],
        "tags": [tag.name for tag in entry.tags],
        "language": post.language,
    }


def atom(about: Mapping[str, Any], items: Sequence[Item]) -> bytes:
    """The items as Atom."""
    feed = ElementTree.Element("feed", {"xmlns": _ATOM, "xml:lang": about["language"]})
    _add(feed, "id", about["feed_url"])
    _add(feed, "title", about["title"])
    if about["description"]:
        _add(feed, "subtitle", about["description"])
    _add(feed, "link", rel="self", type="application/atom+xml", href=about["feed_url"])
    _add(feed, "link", rel="alternate", type="text/html", href=about["home_page_url"])
    _add(feed, "updated", stamp(max((item.changed for item in items), default=_EMPTY)))
    _add(_add(feed, "author"), "name", about["authors"][0]["name"])
    ElementTree.indent(feed)
    text: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    end = b"\n</feed>"
    return b"".join([text.removesuffix(end), *(b"\n  " + item.atom for item in items), end, b"\n"])


def atom_entry(language: str, facts: Mapping[str, Any]) -> bytes:
    """An item as an entry of an Atom feed in this language, indented for its place there."""
    node = ElementTree.Element("entry", {"xml:lang": facts["language"]} if facts["language"] != language else {})
    _add(node, "id", facts["id"])
    _add(node, "title", facts["title"])
    _add(node, "link", rel="alternate", type="text/html", href=facts["url"])
    _add(node, "published", facts["date_published"])
    _add(node, "updated", facts["date_modified"])
    for author in facts["authors"]:
        _add(_add(node, "author"), "name", author["name"])
    for tag in facts["tags"]:
        _add(node, "category", term=tag)
    if facts["summary"]:
        _add(node, "summary", facts["summary"])
    _add(node, "content", facts["content_html"], type="html")
    ElementTree.indent(node, level=1)
    text: bytes = ElementTree.tostring(node, encoding="utf-8")
    return text


def json_feed(about: Mapping[str, Any], items: Sequence[Item]) -> bytes:
    """The items as JSON Feed."""
    text, end = _json(without_gaps(about, "items")), b"]\n}"
    listed = b"\n  " + b",\n  ".join(item.json for item in items) + b"\n " if items else b""
    return b"".join([text.removesuffix(end), listed, end, b"\n"])


def json_item(facts: Mapping[str, Any]) -> bytes:
    """An item of a JSON Feed, indented for its place there."""
    return _json(without_gaps(facts, "content_html")).replace(b"\n", b"\n  ")


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass")


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
