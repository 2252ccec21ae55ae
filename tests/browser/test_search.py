"""The search page: it finds what stands in posts, wherever the site is put."""

import re

import pytest
from playwright.sync_api import expect

from tests.conftest import deep

WORDS = {"blog": "Wythoff", "blog_below": "Wythoff", "sample": "unbreakable_words_in_a_table"}
FOUND = {
    "blog": "posts/two-piles-of-pennies/",
    "blog_below": "posts/two-piles-of-pennies/",
    "sample": "posts/constructs/",
}


@pytest.mark.parametrize("name", [deep("blog"), "blog_below", "sample"])
def test_a_word_of_a_post_finds_the_post_and_its_link_leads_there(look, request, name):
    site = request.getfixturevalue(name)
    visit = look(site.address + "search/")

    visit.page.get_by_role("searchbox").fill(WORDS[name])
    visit.page.locator(".search-result a").first.wait_for()
    links = visit.page.locator(".search-result > .search-title a").evaluate_all("all => all.map(each => each.href)")

    assert site.address + FOUND[name] in links
    assert visit.complaints == []
    assert visit.failed_requests() == []
    assert visit.foreign_requests() == []
    visit.page.goto(links[0])
    assert visit.page.locator("article.post").count() == 1


def test_a_search_can_be_linked_to(look, blog):
    page = look(blog.address + "search/?q=Fibonacci").page

    page.locator(".search-result").first.wait_for()

    assert page.get_by_role("searchbox").input_value() == "Fibonacci"


@pytest.mark.deep
def test_what_is_nowhere_is_said_to_be_nowhere(look, blog):
    page = look(blog.address + "search/").page

    page.get_by_role("searchbox").fill("ксилофон")  # of what begins like an English word it shows the nearest

    page.get_by_role("status").get_by_text("Nothing was found").wait_for()
    assert page.locator(".search-result").count() == 0


@pytest.mark.deep
def test_without_scripts_the_search_page_leads_to_the_archive(look, blog):
    visit = look(blog.address + "search/", java_script_enabled=False)

    assert visit.controls() == []
    visit.page.locator("main").get_by_role("link", name="archive").click()
    assert visit.page.url == blog.address + "archive/"


def searched(look, address, query):
    """The search page once it says what it found, and the titles of the results."""
    page = look(f"{address}search/?q={query}").page
    expect(page.get_by_role("status")).not_to_be_empty()
    return page, [title.inner_text() for title in page.locator(".search-title").all()]


@pytest.mark.parametrize(
    "query",
    [
        *("monty hall", "x"),
        *map(deep, ("xyzzy", "qqq", "poker")),
    ],
)
def test_what_no_post_has_as_a_word_finds_nothing(look, blog, query):
    page, titles = searched(look, blog.address, query)

    assert page.get_by_role("status").inner_text().startswith(f"Nothing was found for “{query}”.")
    assert titles == []


@pytest.mark.parametrize("query", ["100,000", *map(deep, ("100000", "100 000"))])
def test_a_number_finds_the_pages_that_print_it_however_it_is_grouped(look, blog, query):
    page, titles = searched(look, blog.address, query)
    links = page.locator(".search-title a").evaluate_all("all => all.map(each => each.href)")
    paths = [link.removeprefix(blog.address).partition("#")[0] for link in links]

    assert len(links) == len(titles) == 1
    assert all(re.search(r"100[\s,]?000", blog.text(path).partition("<main")[2]) for path in paths)


def test_a_misspelt_word_offers_the_nearest_word_of_the_index(look, blog):
    page, titles = searched(look, blog.address, "fibonaci")

    page.get_by_role("status").get_by_role("link", name="fibonacci").click()

    page.locator(".search-result").first.wait_for()
    assert titles == []
    assert page.get_by_role("searchbox").input_value() == "fibonacci"


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("greedy", "posts/a-row-of-coins/"),
        *(
            pytest.param(*each, marks=pytest.mark.deep)
            for each in [("greedily", "posts/a-row-of-coins/"), ("penneys game", "posts/penneys-game-with-one-deck/")]
        ),
    ],
)
def test_another_form_of_a_word_finds_it(look, blog, query, path):
    page, _ = searched(look, blog.address, query)
    links = page.locator(".search-title a").evaluate_all("all => all.map(each => each.href)")

    assert blog.address + path in links


@pytest.mark.deep
def test_a_word_that_only_begins_like_one_of_a_post_is_not_taken_for_it(look, blog):
    _, titles = searched(look, blog.address, "coinage")

    assert titles == []
