"""Posts -> feeds with their full text: Atom (RFC 4287) and JSON Feed 1.1."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

from site_builder.project.config import Settings
from site_builder.site.entries import Entry
from site_builder.site.structured_data import stamp

_ATOM = "http://www.w3.org/2005/Atom"
_EMPTY = datetime(2000, 1, 1, tzinfo=UTC)  # the clock is never read, so a feed without entries has a date of its own


@dataclass(frozen=True)
class FeedEntry:
    """An entry with its text as HTML, every address in it absolute. card: the path of its share card."""

    entry: Entry
    html: str
    card: str


@dataclass(frozen=True)
class Feed:
    """What a feed is about. path: its own; page: the path of the page that it goes with."""

    title: str
    path: str
    page: str


def atom(settings: Settings, about: Feed, entries: Sequence[FeedEntry]) -> bytes:
    """The entries as Atom."""
    path, page = about.path, about.page
    feed = ElementTree.Element("feed", {"xmlns": _ATOM, "xml:lang": settings.language})
    _add(feed, "id", settings.base_url + quote(path))
    _add(feed, "title", about.title)
    if settings.description:
        _add(feed, "subtitle", settings.description)
    _add(feed, "link", rel="self", type="application/atom+xml", href=settings.base_url + quote(path))
    _add(feed, "link", rel="alternate", type="text/html", href=settings.base_url + quote(page))
    _add(feed, "updated", stamp(max((each.entry.changed for each in entries), default=_EMPTY)))
    _add(_add(feed, "author"), "name", settings.author or settings.title)
    for each in entries:
        _add_entry(feed, settings, each)
    ElementTree.indent(feed)
    text: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def json_feed(settings: Settings, about: Feed, entries: Sequence[FeedEntry]) -> bytes:
    """The entries as JSON Feed, under the same names as in Atom."""
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": about.title,
        "home_page_url": settings.base_url + quote(about.page),
        "feed_url": settings.base_url + quote(about.path),
        "description": settings.description,
        "language": settings.language,
        "authors": [{"name": settings.author or settings.title}],
        "items": [_item(settings, each) for each in entries],
    }
    return (json.dumps(_said(feed), ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogatepass")


def _item(settings: Settings, each: FeedEntry) -> dict[str, Any]:
    entry = each.entry
    item = {
        "id": entry_id(settings.base_url, entry),
        "url": settings.base_url + quote(entry.path),
        "title": entry.plain_title,
        "content_html": each.html,
        "summary": entry.plain_summary,
        "image": settings.base_url + quote(each.card),
        "date_published": stamp(entry.date),
        "date_modified": stamp(entry.changed),
        "authors": [{"name": entry.author}] if entry.author else [],
        "tags": [tag.name for tag in entry.tags],
        "language": settings.language,
    }
    return _said(item)


def _said(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that say something; a feed has its items even where there are none, and an item its text."""
    return {name: value for name, value in facts.items() if value or name in ("items", "content_html")}


def entry_id(base_url: str, entry: Entry) -> str:
    """A name for the entry that stays when its title, text or numbers change."""
    return f"tag:{urlsplit(base_url).hostname},{entry.date:%Y-%m-%d}:/{quote(entry.path)}"


def _add_entry(feed: ElementTree.Element, settings: Settings, each: FeedEntry) -> None:
    entry = each.entry
    node = _add(feed, "entry")
    _add(node, "id", entry_id(settings.base_url, entry))
    _add(node, "title", entry.plain_title)
    _add(node, "link", rel="alternate", type="text/html", href=settings.base_url + quote(entry.path))
    _add(node, "published", stamp(entry.date))
    _add(node, "updated", stamp(entry.changed))
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
