"""The search page, and sites that are built without its index."""

import json

import pytest

from site_builder.site.model import Search
from site_builder.site.pages.all import make_pages
from tests.support.html import Html
from tests.support.sites import brief, load_theme, make_site, write_theme

PAGE = "search/index.html"


def page_of(files):
    return Html(files[PAGE].decode())


def of_search(files):
    return {path for path in files if path.startswith("pagefind/")}


@pytest.fixture
def coins(project):
    """A project with one post in which a word stands that no other text has."""
    project.write("content/posts/coins.md", "---\ntitle: Coins\ndate: 2026-03-01\ntags: [Games]\n---\nA zwieback.\n")
    project.write("content/pages/about.md", "---\ntitle: About\n---\nNothing.\n")
    return project


def test_the_page_finds_its_index_from_where_it_stands(blog):
    (form,) = page_of(blog.built).all("form")

    assert (form.attributes["data-root"], form.attributes["data-indexes"]) == ("../", "../pagefind/")
    assert {"pagefind/pagefind.js", "pagefind/pagefind-entry.json"} <= of_search(blog.built)


def test_the_field_has_a_label_and_waits_for_its_script(blog):
    page = page_of(blog.built)
    (field,) = page.all("input", type="search")

    assert page.all("form", role="search")
    assert [label.text for label in page.all("label")] == ["Words or numbers to look for", "Tag"]
    assert {label.attributes["for"] for label in page.all("label")} == {
        each.attributes["id"] for each in (field, *page.all("select"))
    }
    assert "disabled" in field.attributes


def test_tags_are_offered_with_their_counts(blog):
    offered = {(each.attributes["value"], each.text) for each in page_of(blog.built).all("option")}

    assert {("", "any"), ("coins", "Coins (9)")} <= offered


def test_only_the_search_page_may_run_webassembly_and_ask_its_host(blog):
    policies = {
        name: policy.attributes["content"]
        for name, page in blog.html.items()
        for policy in page.all("meta", **{"http-equiv": "Content-Security-Policy"})
    }
    allowed = {name for name, policy in policies.items() if "wasm" in policy or "connect-src" in policy}

    assert allowed == {PAGE}
    assert "script-src 'self' 'wasm-unsafe-eval'; connect-src 'self';" in policies[PAGE]


def test_the_page_leads_to_the_archive_and_the_tags(blog):
    links = {link.attributes["href"] for link in page_of(blog.built).all("a") if "main" in link.parents}

    assert {"../archive/", "../tags/"} <= links


def test_the_index_of_a_part_is_named_beside_the_first(tmp_path):
    search = Search(("pagefind/", "pagefind/2/"), {"pagefind/2/x": "name"}, lambda path: f"bytes of {path}".encode())
    write_theme(tmp_path, {"search.html": "{% for folder in indexes %}{{ url(folder) }} {% endfor %}"})
    pages = {page.path: page for page in make_pages(make_site(load_theme(tmp_path), [brief()], search=search))}

    assert pages[PAGE].render() == b"../pagefind/ ../pagefind/2/ "
    assert (pages["pagefind/2/x"].key, pages["pagefind/2/x"].render()) == ("name", b"bytes of pagefind/2/x")


def test_without_an_index_the_page_says_so_and_nothing_is_left_of_an_older_one(coins):
    coins.build()
    assert of_search(coins.files())

    coins.build("--no-search")

    files = coins.files()
    assert of_search(files) == set()
    page = page_of(files)
    assert "This copy of the site has no search." in " ".join(page.all("main")[0].text.split())
    assert not page.all("form")
    assert not page.all("script", src="../assets/search.js")
    assert "../archive/" in {link.attributes["href"] for link in page.all("a")}


def test_a_build_with_search_after_one_without_makes_the_index(coins):
    coins.build("--no-search")
    first = coins.build()
    again = coins.build()

    assert "Indexing: 1" in first.err
    assert "pagefind/pagefind.js" in coins.files()
    assert again.out.startswith("Nothing has changed")


def test_a_build_without_search_has_nothing_to_do_when_nothing_has_changed(coins):
    coins.build("--no-search")

    assert coins.build("--no-search").out.startswith("Nothing has changed")


def test_the_index_is_told_with_the_site_where_a_build_explains(coins):
    first = coins.build("--explain").out
    second = coins.build("--explain").out
    coins.write("content/posts/coins.md", "---\ntitle: Coins\ndate: 2026-03-01\n---\nOther words.\n")
    third = coins.build("--explain").out

    told = [[line.strip() for line in out.splitlines() if "search index" in line] for out in (first, second, third)]
    assert told == [
        ["search index 1: made, for the first time"],
        ["search index 1: reused"],
        ["search index 1: made, posts/coins/ changed"],
    ]


def test_an_index_tells_that_the_language_has_changed(coins):
    coins.build()
    config = coins.root / "config.yaml"
    config.write_text(config.read_text() + "language: de\n")

    assert "search index 1: made, language changed en -> de\n" in coins.build("--explain").out


def test_an_edited_template_leaves_the_index_as_it_is(coins):
    coins.build()
    before = {path: data for path, data in coins.files().items() if path in of_search(coins.files())}
    (coins.root / "config.yaml").write_text((coins.root / "config.yaml").read_text().replace("A blog", "Another"))

    out = coins.build("--explain").out

    assert "search index 1: reused" in out
    assert {path: data for path, data in coins.files().items() if path in of_search(coins.files())} == before


def test_links_to_the_search_page_are_known(coins):
    coins.write("content/pages/more.md", "---\ntitle: More\n---\n[Find](/search/?q=coins) [gone](/searching/)\n")

    ran = coins.build(status=1)

    assert "searching" in ran.err
    assert "1 fault" in ran.err


def test_the_entry_names_how_many_pages_were_indexed(coins):
    coins.build("--no-search", "--output", "elsewhere")
    coins.build()

    entry = json.loads(coins.files()["pagefind/pagefind-entry.json"])

    assert entry["languages"]["en"]["page_count"] == 2
