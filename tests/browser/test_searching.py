"""What a reader of a small site types into the search page, and what is shown."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.serving import served
from tests.conftest import Project, deep

POSTS = 12
ODD = """---
title: "Coins & dice"
date: 2026-03-01
tags: [Games, chance]
---
Nothing to see.

## Twice the bread

A zwieback wins 64.03 % of the time, and $P = 0.6403$.
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A small site below the root of an address, of which its config.yaml knows nothing."""
    project = Project(tmp_path_factory.mktemp("search"))
    project.write("content/posts/odd.md", ODD)
    for number in range(1, POSTS):
        front = f"title: Post {number}\ndate: 2025-01-{number:02d}\ntags: [chance]"
        project.write(f"content/posts/post-{number}.md", f"---\n{front}\n---\nWords about pennies.\n")
    project.build()
    root = tmp_path_factory.mktemp("root")
    (root / "deep").mkdir()
    (root / "deep" / "blog").symlink_to(project.root / "_site")
    with served(root) as found:
        yield f"{found}deep/blog/"


@pytest.fixture
def search(address, look):
    """The search page, opened with what stands after its address, once it has said what it found."""

    def opened(query=""):
        visit = look(f"{address}search/{query}")
        if query:
            said(visit.page)
        return visit

    return opened


def said(page):
    """What the page tells of its search, as soon as it tells something."""
    status = page.get_by_role("status")
    expect(status).not_to_be_empty()
    return status.inner_text()


def found(page):
    return page.locator(".search-result").all()


def test_a_word_of_one_post_finds_it_and_the_section_that_has_it(search, address):
    page = search().page

    page.get_by_label("Words or numbers").fill("zwieback")

    assert said(page) == "1 page was found for “zwieback”."
    (result,) = found(page)
    assert [mark.inner_text() for mark in result.locator("mark").all()] == ["zwieback"]
    links = [link.get_attribute("href") for link in result.get_by_role("link").all()]
    assert links == [f"{address}posts/odd/", f"{address}posts/odd/#twice-the-bread"]


def test_a_result_leads_to_its_section(search):
    page = search("?q=zwieback").page

    page.get_by_role("link", name="Twice the bread").click()

    expect(page).to_have_url(re.compile(r"/deep/blog/posts/odd/#twice-the-bread$"))
    assert page.locator("h1").inner_text() == "Coins & dice"


@pytest.mark.parametrize("number", ["64.03", *map(deep, ("0.6403", "64.03 %"))])
def test_numbers_are_found(search, number):
    page = search().page

    page.get_by_label("Words or numbers").fill(number)

    assert said(page).startswith("1 page was found")


@pytest.mark.deep
def test_the_address_keeps_what_was_looked_for_and_shows_it_again(search, read):
    page = search().page
    page.get_by_label("Words or numbers").fill("pennies")
    said(page)
    page.get_by_label("Tag").select_option("chance")
    expect(page).to_have_url(re.compile(r"/search/\?q=pennies&tag=chance$"))

    again = read(page.url).page

    assert said(again) == f"{POSTS - 1} pages were found for “pennies” under “chance”."
    assert again.get_by_label("Words or numbers").input_value() == "pennies"
    assert again.get_by_label("Tag").input_value() == "chance"


@pytest.mark.deep
def test_a_tag_alone_shows_all_its_posts(search):
    page = search("?tag=games").page

    assert said(page) == "1 page was found under “Games”."


def test_results_beyond_the_first_ten_are_shown_when_asked_for_and_reached_by_keyboard(search):
    page = search("?q=pennies").page
    first = len(found(page))

    page.get_by_role("button", name="Show more").press("Enter")
    expect(page.locator(".search-result")).to_have_count(POSTS - 1)

    assert first == 10
    assert page.evaluate("document.activeElement.closest('li').matches(':nth-child(11)')")
    assert not page.get_by_role("button", name="Show more").is_visible()


def test_where_nothing_is_found_the_page_leads_to_the_archive(search):
    page = search("?q=qqxyzzy").page

    assert said(page).startswith("Nothing was found for “qqxyzzy”.")
    assert found(page) == []
    assert page.locator("main").get_by_role("link", name="archive").is_visible()


@pytest.mark.deep
def test_an_emptied_field_shows_nothing(search):
    page = search("?q=zwieback").page

    page.get_by_label("Words or numbers").fill("")
    expect(page).to_have_url(re.compile(r"/search/$"))

    assert found(page) == []
    assert page.get_by_role("status").inner_text() == ""


@pytest.mark.deep
def test_no_single_key_does_anything_outside_of_the_field(search):
    page = search().page

    page.keyboard.press("/")

    assert page.evaluate("document.activeElement === document.body")


def test_a_search_asks_nobody_else_and_the_browser_has_nothing_to_complain_of(search):
    visit = search("?q=zwieback")

    assert (visit.complaints, visit.failed_requests(), visit.foreign_requests()) == ([], [], [])
    assert not [url for url, _ in visit.requests if "/pagefind/" in url and "/deep/blog/pagefind/" not in url]


def test_nothing_of_the_index_is_loaded_before_it_is_needed(search):
    visit = search()

    assert not [url for url, _ in visit.requests if "/pagefind/" in url]


@pytest.mark.deep
def test_what_stands_below_the_field_stays_in_its_place_while_results_arrive(search):
    page = search("?q=pennies").page

    moved = page.evaluate(
        """() => new Promise((tell) => {
          const seen = new PerformanceObserver(() => {});
          seen.observe({ type: "layout-shift", buffered: true });
          setTimeout(() => tell(seen.takeRecords().reduce((sum, each) => sum + each.value, 0)), 100);
        })"""
    )

    assert moved < 0.02


def test_where_the_index_is_gone_the_page_says_so(read, address):
    visit = read(f"{address}search/")
    visit.page.route("**/pagefind/**", lambda route: route.abort())

    visit.page.get_by_label("Words or numbers").fill("zwieback")

    assert said(visit.page) == "The search index could not be loaded: try again later."


@pytest.mark.deep
def test_without_scripts_there_is_no_field_but_the_way_to_the_archive(look, address):
    page = look(f"{address}search/", java_script_enabled=False).page

    assert not page.locator("form").is_visible()
    assert "Searching needs JavaScript" in page.locator("main").inner_text()
    assert page.locator("main").get_by_role("link", name="archive").is_visible()
