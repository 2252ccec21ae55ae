"""Posts at other settings, in a browser: links exchange the article in place."""

import re

import pytest

from tests.browser.test_pages import complaints_of_axe
from tests.conftest import deep

ADDRESS = "posts/two-coins-a-hundred-flips/"

# The article of the page as it is shown, without what scripts add.
SHOWN = """() => {
    const added = ['tabindex', 'loading', 'aria-current', 'style', 'hidden', 'open', 'aria-disabled', 'aria-valuetext']
    const copy = document.querySelector('article').cloneNode(true)
    copy.querySelectorAll('.copy-tex, .explore, .cursor, .turn button').forEach(each => each.remove())
    copy.querySelectorAll('.shown-step').forEach(said => { said.textContent = '' })
    for (const node of copy.querySelectorAll('*')) {
        for (const name of ['href', 'src', 'srcset']) {
            const own = node.getAttribute(name)
            if (own) node.setAttribute(name, new URL(own, location).href)
        }
        added.forEach(name => node.removeAttribute(name))
        node.classList.remove('just-turned', 'stepped', 'shown', 'ranged')
        if (!node.getAttribute('class')) node.removeAttribute('class')
    }
    return copy.outerHTML
}"""


@pytest.fixture
def page(look, blog):
    return look(blog.address + ADDRESS).page


def turn(page, label, key):
    page.locator(".turn a", has_text=re.compile(f"^{re.escape(label)}$")).click()
    page.wait_for_url(f"**/{ADDRESS}{key}")
    page.locator(".turn a[aria-current]", has_text=label).wait_for()


@pytest.mark.parametrize("labels", [["coin A shows heads 60% of the time", "50"], deep(["10", "200"])], ids=", ".join)
def test_the_exchanged_article_is_that_of_the_page_of_the_setting(page, look, blog, labels):
    page.evaluate("window.isTheSamePage = true")
    for label in labels:
        turn(page, label, label.lower().replace("%", "").replace(" ", "-") + "/")

    assert page.evaluate("window.isTheSamePage")
    opened = look(page.url).page
    assert page.evaluate(SHOWN) == opened.evaluate(SHOWN)
    assert page.title() == opened.title()


def test_back_and_forward_exchange_the_article_again(page):
    turn(page, "10", "10/")
    assert page.locator("h1").inner_text() == "Two coins, 10 flips"

    page.go_back()
    page.locator("h1", has_text="100 flips").wait_for()
    assert page.title() == "Two coins, 100 flips · Backward Induction"
    page.go_forward()
    page.locator("h1", has_text="Two coins, 10 flips").wait_for()
    assert page.locator(".turned-to").inner_text().startswith("You see this post with 10 instead of ")


def test_links_outside_of_the_article_lead_where_they_led_before(page):
    links = "[...document.querySelectorAll('header a, footer a')].filter(a => !a.closest('article')).map(a => a.href)"
    before = page.evaluate(links)
    turn(page, "10", "10/")

    assert page.evaluate(links) == before


def test_what_is_read_stays_where_it_is(page):
    heading = "#which-coin-where"
    page.locator(heading).evaluate("each => scrollTo({top: each.offsetTop - 200, behavior: 'instant'})")
    before = page.locator(heading).bounding_box()["y"]

    page.locator(".turn a", has_text=re.compile("^10$")).evaluate("each => each.click()")
    page.locator("h1", has_text="Two coins, 10 flips").wait_for()

    assert abs(page.locator(heading).bounding_box()["y"] - before) < 40


def test_what_has_changed_is_marked_and_what_has_not_is_not(page):
    turn(page, "200", "200/")

    assert page.locator("h1.just-turned").inner_text() == "Two coins, 200 flips"
    assert page.locator(".just-turned").count() > 3
    fixed = "#\\32 0-flips, #four-by-hand, #ten-policy, #one-loaded-coin, .figure-data"  # at each setting
    assert page.locator(fixed).count() == 9
    assert page.locator(f":is({fixed}).just-turned").count() == 0


def test_the_row_can_be_pinned_and_stays_so(page):
    page.get_by_role("button", name="Keep in view").click()
    turn(page, "10", "10/")
    page.evaluate("scrollTo({top: 2000, behavior: 'instant'})")

    assert page.locator(".turn").bounding_box()["y"] == 0


def test_a_guess_is_kept_for_the_setting_it_was_made_at_and_opens_the_answers_of_the_others(page):
    guess = page.locator(".guess-with")
    guess.get_by_role("button").click()
    said = guess.get_by_role("status").inner_text()
    turn(page, "10", "10/")

    assert guess.get_by_role("status").inner_text() == ""
    assert page.locator(".answer-text").is_visible()
    page.go_back()
    page.locator("h1", has_text="100 flips").wait_for()
    assert guess.get_by_role("status").inner_text() == said
    assert said.startswith("You said ")


@pytest.mark.parametrize("is_from_disk", [deep(False), True], ids=["without scripts", "from disk"])
def test_the_links_lead_to_pages_where_the_script_cannot_exchange_them(look, blog, is_from_disk):
    address = f"file://{blog.folder}/{ADDRESS}index.html" if is_from_disk else blog.address + ADDRESS
    page = look(address, java_script_enabled=is_from_disk).page

    page.locator(".turn a", has_text=re.compile("^10$")).click()

    page.locator("h1", has_text="Two coins, 10 flips").wait_for()
    assert page.url.endswith("/10/index.html" if is_from_disk else "/10/")


@pytest.mark.parametrize("width", [360, deep(1440)])
def test_the_row_fits_the_page(look, blog, width):
    page = look(f"{blog.address}posts/penneys-game-with-one-deck/", width=width).page

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".turn").bounding_box()["height"] < 160


def test_axe_has_nothing_to_say_of_a_turned_page(look, blog):
    page = look(f"{blog.address}posts/a-row-of-coins/rising/").page
    page.emulate_media(reduced_motion="reduce")

    assert complaints_of_axe(page) == []
