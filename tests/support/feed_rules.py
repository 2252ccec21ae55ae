"""What the standards ask of feeds, as functions that say in which ways a feed falls short of them."""

import re
from collections import Counter
from datetime import datetime
from urllib.parse import urlsplit
from xml.etree import ElementTree

from tests.support.blog import addresses_in
from tests.support.html import Html

ATOM = "{http://www.w3.org/2005/Atom}"
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
FEED_ONCE, ENTRY_ONCE = ("id", "title", "updated"), ("id", "title", "updated")  # RFC 4287, 4.1.1 and 4.1.2
AT_MOST_ONCE = ("content", "published", "rights", "source", "summary", "subtitle", "generator", "icon", "logo")
RAW = ("script", "style", "iframe", "form")  # what readers take away, or should


def atom_faults(data):
    """In which ways a feed is not what RFC 4287 asks for."""
    feed = ElementTree.fromstring(data)
    if feed.tag != f"{ATOM}feed":
        return [f"the root is {feed.tag}"]
    errors = [*_counts(feed, "feed", FEED_ONCE), *_dates(feed, "feed"), *_links(feed, "feed")]
    own = [link.get("href") for link in feed.findall(f"{ATOM}link") if link.get("rel") == "self"]
    errors += [] if len(own) == 1 else [f"the feed has {len(own)} links to itself"]
    entries = feed.findall(f"{ATOM}entry")
    if feed.find(f"{ATOM}author") is None and any(entry.find(f"{ATOM}author") is None for entry in entries):
        errors.append("an entry has no author, and neither has the feed")
    errors += [f"an author of the feed has no name: {each}" for each in feed.iter(f"{ATOM}author") if not _name(each)]
    errors += _repeated([_text(entry, "id") for entry in entries])
    for entry in entries:
        errors += _entry_faults(entry)
    return errors


def _entry_faults(entry):
    name = f"the entry {_text(entry, 'id')}"
    yield from _counts(entry, name, ENTRY_ONCE)
    yield from _dates(entry, name)
    yield from _links(entry, name)
    published, updated = _text(entry, "published"), _text(entry, "updated")
    if published and updated and datetime.fromisoformat(updated) < datetime.fromisoformat(published):
        yield f"{name} was changed before it was published"
    content = entry.find(f"{ATOM}content")
    if content is None:
        if not [link for link in entry.findall(f"{ATOM}link") if link.get("rel", "alternate") == "alternate"]:
            yield f"{name} has neither content nor an alternate link"
    elif content.get("type") != "html" or len(content):
        yield f"{name} has content that is no text of HTML"
    else:
        yield from html_faults(content.text or "", name)


def html_faults(html, name):
    """What no feed should have in its texts."""
    text = Html(html)  # itself refuses elements that are not closed
    yield from (f"{name} has a <{tag}>" for tag in RAW if text.all(tag))
    for element, attribute, address in addresses_in(text):
        if not urlsplit(address).scheme:
            yield f"{name} has the relative address {address!r} in {attribute} of <{element.name}>"
    for element in text.elements:
        yield from (f"{name} has {a!r} on <{element.name}>" for a in element.attributes if a[:2] == "on")


def _counts(node, name, once):
    for child, low, high in [*((each, 1, 1) for each in once), *((each, 0, 1) for each in AT_MOST_ONCE)]:
        found = node.findall(f"{ATOM}{child}")
        if not low <= len(found) <= high:
            yield f"{name} has {len(found)} elements {child}"
    if not _is_iri(_text(node, "id")):
        yield f"{name} has the id {_text(node, 'id')!r}, which is no address"


def _dates(node, name):
    for child in ("updated", "published"):
        for each in node.findall(f"{ATOM}{child}"):
            if not RFC3339.fullmatch(each.text or ""):
                yield f"{name} is {child} {each.text!r}"


def _links(node, name):
    alternates = Counter()
    for link in node.findall(f"{ATOM}link"):
        if not _is_iri(link.get("href", "")):
            yield f"{name} has a link to {link.get('href')!r}"
        if link.get("rel", "alternate") == "alternate":
            alternates[link.get("type"), link.get("hreflang")] += 1
    yield from (f"{name} has {n} alternate links of type {kind}" for kind, n in alternates.items() if n > 1)


def _repeated(ids):
    return [f"{n} entries are named {each}" for each, n in Counter(ids).items() if n > 1]


def _name(author):
    return (author.findtext(f"{ATOM}name") or "").strip()


def _text(node, child):
    return (node.findtext(f"{ATOM}{child}") or "").strip()


def _is_iri(text):
    return bool(urlsplit(text).scheme) and not re.search(r"\s", text)
