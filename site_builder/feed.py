"""Posts -> an Atom feed with their full text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

from site_builder.config import Settings
from site_builder.entries import Entry

_ATOM = "http://www.w3.org/2005/Atom"
_EMPTY = datetime(2000, 1, 1, tzinfo=UTC)  # the clock is never read, so a feed without entries has a date of its own


@dataclass(frozen=True)
class FeedEntry:
    """An entry with its text as HTML, every address in it absolute."""

    entry: Entry
    html: str


def atom(settings: Settings, title: str, path: str, page: str, entries: Sequence[FeedEntry]) -> bytes:
    """The feed at `path` that goes with the page at `page`."""
    feed = ElementTree.Element("feed", {"xmlns": _ATOM, "xml:lang": settings.language})
    _add(feed, "id", settings.base_url + quote(path))
    _add(feed, "title", title)
    if settings.description:
        _add(feed, "subtitle", settings.description)
    _add(feed, "link", rel="self", type="application/atom+xml", href=settings.base_url + quote(path))
    _add(feed, "link", rel="alternate", type="text/html", href=settings.base_url + quote(page))
    _add(feed, "updated", _stamp(max((_changed(each.entry) for each in entries), default=_EMPTY)))
    _add(_add(feed, "author"), "name", settings.author or settings.title)
    for each in entries:
        _add_entry(feed, settings, each)
    ElementTree.indent(feed)
    text: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def entry_id(base_url: str, entry: Entry) -> str:
    """A name for the entry that stays when its title, text or numbers change."""
    return f"tag:{urlsplit(base_url).hostname},{entry.date:%Y-%m-%d}:/{quote(entry.path)}"


def _add_entry(feed: ElementTree.Element, settings: Settings, each: FeedEntry) -> None:
    entry = each.entry
    node = _add(feed, "entry")
    _add(node, "id", entry_id(settings.base_url, entry))
    _add(node, "title", entry.plain_title)
    _add(node, "link", rel="alternate", type="text/html", href=settings.base_url + quote(entry.path))
    _add(node, "published", _stamp(entry.date))
    _add(node, "updated", _stamp(_changed(entry)))
    if entry.author:
        _add(_add(node, "author"), "name", entry.author)
    for tag in entry.tags:
        _add(node, "category", term=tag.name)
    if entry.plain_summary:
        _add(node, "summary", entry.plain_summary)
    _add(node, "content", each.html, type="html")


def _add(parent: ElementTree.Element, name: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
    node = ElementTree.SubElement(parent, name, attributes)
    node.text = text
    return node


def _changed(entry: Entry) -> datetime:
    return max(entry.updated or entry.date, entry.date)


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
