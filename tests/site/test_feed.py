"""Feeds, sitemap and robots.txt, checked against their standards and by the parser of a feed reader."""

import re
from datetime import datetime
from urllib.parse import quote, urldefrag, urlsplit
from xml.etree import ElementTree

import feedparser
import pytest

from tests.support.blog import BASE, address_of, addresses_in, file_at, pages
from tests.support.feed_rules import ATOM, atom_faults
from tests.support.html import Html

SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)")  # RFC 4287, section 3.3


def feeds(blog):
    return {name: ElementTree.fromstring(data) for name, data in blog.built.items() if name.endswith("feed.xml")}


def test_every_feed_has_what_the_standard_requires(blog):
    # RFC 4287, section 4.1.1: exactly one id, title and updated; an author; a link to itself
    for name, feed in feeds(blog).items():
        assert feed.tag == f"{ATOM}feed"
        for required in ("id", "title", "updated"):
            assert len(feed.findall(f"{ATOM}{required}")) == 1
            assert feed.find(f"{ATOM}{required}").text
        assert RFC3339.fullmatch(feed.find(f"{ATOM}updated").text)
        assert feed.find(f"{ATOM}author/{ATOM}name").text == "An author"
        links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
        assert links["self"] == BASE + quote(name)
        assert file_at(links["alternate"], blog.built) in blog.html


def test_every_entry_of_a_feed_has_what_the_standard_requires(blog):
    # RFC 4287, section 4.1.2: exactly one id, title and updated; at most one content, published and summary
    for feed in feeds(blog).values():
        entries = feed.findall(f"{ATOM}entry")
        assert entries
        for entry in entries:
            for required in ("id", "title", "updated", "content", "published"):
                assert len(entry.findall(f"{ATOM}{required}")) == 1
                assert entry.find(f"{ATOM}{required}").text
            assert RFC3339.fullmatch(entry.find(f"{ATOM}updated").text)
            assert urlsplit(entry.find(f"{ATOM}id").text).scheme
            assert file_at(entry.find(f"{ATOM}link").get("href"), blog.built) in blog.html
        ids = [entry.find(f"{ATOM}id").text for entry in entries]
        assert len(set(ids)) == len(ids)


def test_a_feed_is_newest_first_and_of_bounded_length(blog):
    main = feeds(blog)["feed.xml"]

    dates = [datetime.fromisoformat(each.text) for each in main.findall(f"{ATOM}entry/{ATOM}published")]

    assert len(dates) == 20  # posts_in_feed without a setting
    assert dates == sorted(dates, reverse=True)


def test_a_feed_is_as_new_as_its_newest_entry(blog):
    for feed in feeds(blog).values():
        entries = [datetime.fromisoformat(each.text) for each in feed.findall(f"{ATOM}entry/{ATOM}updated")]
        assert datetime.fromisoformat(feed.find(f"{ATOM}updated").text) == max(entries)


def test_an_entry_has_the_facts_of_its_post(blog):
    entry = feeds(blog)["tags/dynamic-programming/feed.xml"].find(f"{ATOM}entry")

    assert entry.find(f"{ATOM}title").text.startswith("Coins & <dice>: 50% for p")
    assert entry.find(f"{ATOM}published").text == "2026-03-02T10:00:00+02:00"
    assert entry.find(f"{ATOM}updated").text == "2026-04-05T00:00:00Z"
    assert entry.find(f"{ATOM}author/{ATOM}name").text == "Somebody Else"
    assert entry.find(f"{ATOM}summary").text == "Half is 1/2, or 1/2."
    assert [each.get("term") for each in entry.findall(f"{ATOM}category")] == [
        *("Coins", "dynamic programming", "C++", "games")
    ]


def test_the_text_of_an_entry_is_whole_html_with_absolute_addresses(blog):
    for feed in feeds(blog).values():
        for content in feed.findall(f"{ATOM}entry/{ATOM}content"):
            assert content.get("type") == "html"
            text = Html(content.text)
            for element, attribute, address in addresses_in(text):
                assert urlsplit(address).scheme, address
                file = file_at(urldefrag(address).url, blog.built)
                assert file in blog.built or (element.name == "a" and attribute == "href" and file is None)
    rich = feeds(blog)["tags/dynamic-programming/feed.xml"].find(f"{ATOM}entry/{ATOM}content").text
    assert "The note." in rich
    assert [image for image in Html(rich).all("img") if image.attributes["src"].endswith(".png")]


def test_feeds_are_indented_as_if_each_were_written_at_once(blog):
    ElementTree.register_namespace("", ATOM.strip("{}"))

    for name, data in blog.built.items():
        if name.endswith("feed.xml"):
            feed = ElementTree.fromstring(data)
            ElementTree.indent(feed)
            assert data == ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True) + b"\n"


def test_a_tag_feed_has_the_posts_of_its_tag_under_the_same_names(blog):
    found = feeds(blog)

    names = {
        feed: {each.text for each in found[feed].findall(f"{ATOM}entry/{ATOM}id")}
        for feed in ("feed.xml", "tags/games/feed.xml", "tags/dynamic-programming/feed.xml")
    }

    assert len(names["tags/games/feed.xml"]) == 9
    assert names["tags/dynamic-programming/feed.xml"] < names["feed.xml"]


def test_the_sitemap_lists_exactly_the_pages(blog):
    urls = [each.text for each in ElementTree.fromstring(blog.built["sitemap.xml"]).iter(f"{SITEMAP}loc")]

    assert sorted(urls) == sorted(address_of(name) for name in pages(blog))


def test_the_sitemap_tells_when_posts_changed(blog):
    changed = {
        each.find(f"{SITEMAP}loc").text: each.find(f"{SITEMAP}lastmod").text
        for each in ElementTree.fromstring(blog.built["sitemap.xml"])
        if each.find(f"{SITEMAP}lastmod") is not None
    }

    assert changed[f"{BASE}posts/rich/"] == "2026-04-05"
    assert changed[f"{BASE}posts/post-07/"] == "2023-01-07"


def test_everything_tells_the_same_last_change(project):
    note = "corrections: [{date: 2026-05-01, text: It was less.}]\n"
    project.write("content/posts/early.md", "---\ntitle: A\ndate: 2026-03-01\nupdated: 2026-02-01\n---\nText.\n")
    project.write("content/posts/mended.md", f"---\ntitle: B\ndate: 2026-03-02\n{note}---\nText.\n")
    project.write("content/pages/mended.md", f"---\ntitle: C\nupdated: 2026-04-01\n{note}---\nText.\n")
    project.write("content/pages/renewed.md", "---\ntitle: D\nupdated: 2026-04-01\n---\nText.\n")
    project.write("content/pages/silent.md", "---\ntitle: E\n---\nText.\n")
    project.build()

    mapped = {
        each.findtext(f"{SITEMAP}loc"): each.findtext(f"{SITEMAP}lastmod")
        for each in ElementTree.fromstring(project.page("sitemap.xml"))
    }
    assert mapped[f"{BASE}posts/early/"] == "2026-03-01"
    assert mapped[f"{BASE}posts/mended/"] == mapped[f"{BASE}mended/"] == "2026-05-01"
    assert mapped[f"{BASE}renewed/"] == "2026-04-01"
    assert mapped[f"{BASE}silent/"] is None
    for name, moment in [("early", "2026-03-01T00:00:00"), ("mended", "2026-05-01T00:00:00")]:
        assert f'"article:modified_time" content="{moment}+00:00"' in project.page(f"posts/{name}/index.html")
        assert f"<updated>{moment}Z</updated>" in project.page("feed.xml")


def test_robots_may_read_all_and_find_the_sitemap(blog):
    lines = blog.built["robots.txt"].decode().splitlines()

    assert lines == ["User-agent: *", "Allow: /", f"Sitemap: {BASE}sitemap.xml"]


def ids_in(project):
    feed = ElementTree.fromstring(project.page("feed.xml"))
    return [each.text for each in feed.findall(f"{ATOM}entry/{ATOM}id")]


def test_the_name_of_an_entry_stays_when_its_title_numbers_and_text_change(project):
    front = "runs:\n  mine: {solver: gamblers_ruin}\nsummary: One.\n"
    project.post("{{ results.mine.half | number }}\n", front=front, title='"{{ results.mine.half | number }}"')
    project.build()
    before = ids_in(project)

    project.post("Other words.\n", front=front.replace("One", "Two"), title="Another title")
    project.build("--set", "gamblers_ruin.win=0.7")

    assert ids_in(project) == before
    assert len(before) == 1


def test_a_feed_without_entries_has_what_the_standard_requires(project):
    project.build()

    feed = ElementTree.fromstring(project.page("feed.xml"))

    assert RFC3339.fullmatch(feed.find(f"{ATOM}updated").text)
    assert feed.find(f"{ATOM}id").text == f"{BASE}feed.xml"
    assert feed.findall(f"{ATOM}entry") == []


GOOD_ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><id>https://a.example/</id><title>A</title>
<updated>2026-01-02T00:00:00Z</updated><link rel="self" href="https://a.example/feed.xml"/><author><name>A</name></author>
<entry><id>tag:a.example,2026:/x</id><title>X</title><published>2026-01-01T00:00:00Z</published>
<updated>2026-01-02T00:00:00Z</updated><link href="https://a.example/x"/>
<content type="html">&lt;p&gt;&lt;a href="https://a.example/y"&gt;Y&lt;/a&gt;&lt;/p&gt;</content></entry></feed>"""


def atoms(site):
    return {name: data for name, data in site.built.items() if name.endswith("feed.xml")}


# The rules themselves


def test_the_rules_find_nothing_wrong_with_what_the_standards_allow():
    assert atom_faults(GOOD_ATOM) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
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
def test_the_rules_find_what_is_wrong_with_an_atom_feed(old, new, message):
    assert old in GOOD_ATOM

    assert any(message in each for each in atom_faults(GOOD_ATOM.replace(old, new, 1)))


# The feeds of a blog


def test_every_feed_of_a_blog_keeps_the_rules(blog):
    found = {name: atom_faults(data) for name, data in atoms(blog).items()}

    assert len(found) >= 5
    assert {name: errors for name, errors in found.items() if errors} == {}


def test_a_feed_readers_parser_finds_every_entry_and_nothing_amiss(blog):
    for name, data in atoms(blog).items():
        read = feedparser.parse(data)

        assert not read.bozo, name
        assert len(read.entries) == len(ElementTree.fromstring(data).findall(f"{ATOM}entry"))
        assert all(entry.published_parsed and entry.content[0].value for entry in read.entries)


def test_every_page_names_its_feed(blog):
    for page in blog.html.values():
        if page.all("link", rel="alternate"):
            (feed,) = page.all("link", rel="alternate")
            assert feed.attributes["type"] == "application/atom+xml"
            assert re.sub(r".*/", "", feed.attributes["href"]) == "feed.xml"
    tag = blog.html["tags/games/index.html"]
    assert {e.attributes["title"] for e in tag.all("link", rel="alternate")} == {"A blog: games"}


def test_the_texts_of_a_feed_lean_on_no_style_sheet(blog):
    text = feeds(blog)["tags/dynamic-programming/feed.xml"].findtext(f"{ATOM}entry/{ATOM}content")

    assert not re.search(r'\s(class|style|tabindex|role|aria-\w+)="', text)
    assert "headerlink" not in text
    assert 'encoding="application/x-tex"' not in text


def test_a_feed_without_entries_keeps_the_rules(project):
    project.build()

    assert atom_faults(project.page("feed.xml")) == []
