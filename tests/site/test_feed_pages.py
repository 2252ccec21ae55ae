"""Feeds of whole sites, held against their standards and read by a feed reader's own parser."""

import json
import re
from urllib.parse import quote
from xml.etree import ElementTree

import feedparser
import pytest

from tests.support.blog import BASE, file_at
from tests.support.feed_rules import ATOM, atom_faults, json_feed_faults

GOOD_ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><id>https://a.example/</id><title>A</title>
<updated>2026-01-02T00:00:00Z</updated><link rel="self" href="https://a.example/feed.xml"/><author><name>A</name></author>
<entry><id>tag:a.example,2026:/x</id><title>X</title><published>2026-01-01T00:00:00Z</published>
<updated>2026-01-02T00:00:00Z</updated><link href="https://a.example/x"/>
<content type="html">&lt;p&gt;&lt;a href="https://a.example/y"&gt;Y&lt;/a&gt;&lt;/p&gt;</content></entry></feed>"""
GOOD_JSON = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "A",
    "items": [{"id": "x", "content_html": "<p>X</p>", "date_published": "2026-01-01T00:00:00Z", "tags": ["t"]}],
}


def atoms(site):
    return {name: data for name, data in site.built.items() if name.endswith("feed.xml")}


def json_feeds(site):
    return {name: json.loads(data) for name, data in site.built.items() if name.endswith("feed.json")}


# The rules themselves


def test_the_rules_find_nothing_wrong_with_what_the_standards_allow():
    assert atom_faults(GOOD_ATOM) == []
    assert json_feed_faults(json.dumps(GOOD_JSON)) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("<title>A</title>", "", "0 elements title"),
        ("<id>https://a.example/</id>", "<id>a</id>", "no address"),
        ('rel="self"', 'rel="related"', "0 links to itself"),
        ("<author><name>A</name></author>", "", "no author"),
        ("<name>A</name>", "<name> </name>", "has no name"),
        ("2026-01-02T00:00:00Z</updated><link rel", "2026-01-02</updated><link rel", "'2026-01-02'"),
        ("<published>2026-01-01", "<published>2026-01-03", "before it was published"),
        ('"https://a.example/y"', '"/y"', "relative address '/y'"),
        ("&lt;p&gt;", "&lt;p onclick='x'&gt;", "onclick"),
        ("&lt;p&gt;", "&lt;p&gt;&lt;script&gt;&lt;/script&gt;", "<script>"),
        ('type="html"', 'type="xhtml"', "no text of HTML"),
        ("<published>2026-01-01T00:00:00Z</published>", "<published/><published/>", "2 elements published"),
        ("<title>X</title>", '<title>X</title><link href="https://a.example/z"/>', "2 alternate links"),
    ],
)
def test_the_rules_find_what_is_wrong_with_an_atom_feed(old, new, fault):
    assert old in GOOD_ATOM

    assert any(fault in each for each in atom_faults(GOOD_ATOM.replace(old, new, 1)))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"version": "1"}, "version"),
        ({"title": None}, "no title"),
        ({"items": [{"id": "x", "content_html": ""}] * 2}, "named x"),
        ({"items": [{"content_html": ""}]}, "no id"),
        ({"items": [{"id": "x"}]}, "no content"),
        ({"items": [{"id": "x", "content_html": '<img src="y.png">'}]}, "relative"),
        ({"items": [{"id": "x", "content_html": "", "date_published": "2026-01-01"}]}, "date_published"),
        ({"items": [{"id": "x", "content_html": "", "url": "/x/"}]}, "url"),
        ({"items": [{"id": "x", "content_html": "", "tags": [1]}]}, "tag"),
        ({"author": {"name": "A"}}, "took away"),
        ({"authors": [{"url": "https://a.example/"}]}, "without a name"),
    ],
)
def test_the_rules_find_what_is_wrong_with_a_json_feed(change, fault):
    feed = {name: value for name, value in (GOOD_JSON | change).items() if value is not None}

    assert any(fault in each for each in json_feed_faults(json.dumps(feed)))


# The feeds of a blog


def test_every_feed_of_a_blog_keeps_the_rules(blog):
    found = {name: atom_faults(data) for name, data in atoms(blog).items()}
    found |= {name: json_feed_faults(blog.built[name]) for name in json_feeds(blog)}

    assert len(found) >= 10
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_a_feed_readers_parser_finds_every_entry_and_nothing_amiss(blog):
    for name, data in atoms(blog).items():
        read = feedparser.parse(data)

        assert not read.bozo, name
        assert len(read.entries) == len(ElementTree.fromstring(data).findall(f"{ATOM}entry"))
        assert all(entry.published_parsed and entry.content[0].value for entry in read.entries)


def test_both_kinds_of_feed_tell_the_same_of_the_same_posts(blog):
    for name, found in json_feeds(blog).items():
        entries = ElementTree.fromstring(blog.built[name.replace(".json", ".xml")]).findall(f"{ATOM}entry")

        assert [item["id"] for item in found["items"]] == [entry.findtext(f"{ATOM}id") for entry in entries]
        assert [item["date_modified"] for item in found["items"]] == [e.findtext(f"{ATOM}updated") for e in entries]
        assert [item["content_html"] for item in found["items"]] == [e.findtext(f"{ATOM}content") for e in entries]


def test_a_json_feed_knows_its_place_and_its_page(blog):
    for name, found in json_feeds(blog).items():
        assert found["feed_url"] == BASE + quote(name)
        assert file_at(found["home_page_url"], blog.built) in blog.html
        assert found["authors"] == [{"name": "An author"}]


def test_an_item_has_the_facts_of_its_post(blog):
    item = json_feeds(blog)["tags/dynamic-programming/feed.json"]["items"][0]

    assert item["title"].startswith("Coins & <dice>: 50\u202f% for p")
    assert item["url"] == f"{BASE}posts/rich/"
    assert item["date_published"] == "2026-03-02T10:00:00+02:00"
    assert item["date_modified"] == "2026-04-05T00:00:00Z"
    assert item["authors"] == [{"name": "Somebody Else"}]
    assert item["summary"] == "Half is 1/2, or 1/2."
    assert item["tags"] == ["Coins", "dynamic programming", "C++", "games"]
    assert item["language"] == "en"
    assert file_at(item["image"], blog.built) in blog.built


def test_every_page_tells_readers_of_both_kinds_of_feed(blog):
    for page in blog.html.values():
        if page.all("link", rel="alternate"):
            kinds = {e.attributes["type"]: e.attributes["href"] for e in page.all("link", rel="alternate")}
            assert set(kinds) == {"application/atom+xml", "application/feed+json"}
            assert [re.sub(r".*/", "", href) for href in kinds.values()] == ["feed.xml", "feed.json"]
    tag = blog.html["tags/games/index.html"]
    assert {e.attributes["title"] for e in tag.all("link", rel="alternate")} == {"A blog: games"}


def test_the_texts_of_a_feed_lean_on_no_style_sheet(blog):
    item = json_feeds(blog)["tags/dynamic-programming/feed.json"]["items"][0]

    assert not re.search(r'\s(class|style|tabindex|role|aria-\w+)="', item["content_html"])
    assert "headerlink" not in item["content_html"]
    assert 'encoding="application/x-tex"' not in item["content_html"]


def test_a_feed_without_entries_keeps_the_rules(project):
    project.build()

    assert json_feed_faults(project.page("feed.json")) == []
    assert json.loads(project.page("feed.json"))["items"] == []
    assert atom_faults(project.page("feed.xml")) == []
