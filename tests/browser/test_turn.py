"""Posts that readers turn to other settings, in a browser."""

import re

import pytest

from site_builder.site.turn_script import CONTAINERS, apply
from tests.browser.test_pages import complaints_of_axe

ADDRESS = "posts/two-coins-a-hundred-flips/"
CONTROL = re.compile(r'<div class="turn".*?</div>', re.DOTALL)

# The blocks of the article by container, as the page has them and as their HTML is read; without what scripts add.
SHOWN = """expected => {
    const article = document.querySelector('article')
    const [header, prose] = ['header', '.prose'].map(name => article.querySelector(`:scope > ${name}`))
    const places = {article, header, prose}
    const read = html => Object.assign(document.createElement('template'), {innerHTML: html}).content.children[0]
    const added = ['tabindex', 'loading', 'aria-current', 'style', 'hidden', 'open', 'aria-disabled', 'aria-valuetext']
    const plain = each => {
        const copy = each.cloneNode(true)
        for (const node of [copy, ...copy.querySelectorAll('*')]) {
            added.forEach(name => node.removeAttribute(name))
            node.classList.remove('just-turned', 'stepped', 'shown', 'ranged')
            if (!node.getAttribute('class')) node.removeAttribute('class')
        }
        copy.querySelectorAll('.copy-tex, .explore, .cursor').forEach(added => added.remove())
        copy.querySelectorAll('.shown-step').forEach(said => { said.textContent = '' })
        return copy.outerHTML
    }
    const found = {}
    for (const [name, place] of Object.entries(places)) {
        const own = [...place.children].filter(each => !each.matches('.turn, .copy-tex'))
        found[name] = own.map(each => each === header ? '<header>' : each === prose ? '<prose>' : plain(each))
        expected[name] = expected[name].map(each => ['<header>', '<prose>'].includes(each) ? each : plain(read(each)))
    }
    return [found, expected]
}"""


@pytest.fixture
def page(look, blog):
    return look(blog.address + ADDRESS).page


def turn(page, key):
    page.locator(f'.turn input[value="{key}"]').check()
    page.wait_for_url(f"**?turn={key}")


def script(blog, key):
    return next((blog.folder / ADDRESS / "turn").glob(f"{key}.??????????.js")).read_bytes()


DEEP_TURNS = [["10"], ["200", "coin-a-wins-60"]]


@pytest.mark.parametrize(
    "keys",
    [["10", "200"], ["coin-a-wins-60", "50"], *(pytest.param(keys, marks=pytest.mark.deep) for keys in DEEP_TURNS)],
    ids=", ".join,
)
def test_after_turns_the_page_has_the_blocks_of_that_setting(page, blog, keys):
    for key in keys:
        turn(page, key)

    expected = apply(script(blog, keys[-1]), CONTROL.sub("", blog.text(ADDRESS)))
    found, as_read = page.evaluate(SHOWN, dict(expected))
    assert {name: found[name] for name in CONTAINERS} == {name: as_read[name] for name in CONTAINERS}


@pytest.mark.parametrize(
    "post",
    [
        "penneys-game-with-one-deck",
        pytest.param("two-coins-a-hundred-flips", marks=pytest.mark.deep),
        pytest.param("a-row-of-coins", marks=pytest.mark.deep),
    ],
)
def test_on_a_phone_the_choices_are_one_row_in_which_the_chosen_one_can_be_seen(look, blog, post):
    page = look(f"{blog.address}posts/{post}/", width=360).page
    last = page.locator(".turn input").last
    last.check()
    page.wait_for_url("**?turn=*")
    page.reload()
    page.locator(".turn output:not(:empty)").wait_for()

    row, chosen = page.locator(".turn fieldset").bounding_box(), last.bounding_box()
    assert page.locator(".turn").bounding_box()["height"] < 105
    assert row["x"] <= chosen["x"] < row["x"] + row["width"] - 40


def test_a_turn_changes_title_and_status_and_back_restores_the_published_page(page, blog):
    before = page.locator("article").inner_text()
    turn(page, "10")

    assert page.title() == "Two coins, 10 flips · Backward Induction"
    assert re.fullmatch(r"10: \d+ places changed\.", page.locator(".turn output").inner_text())
    assert page.locator("h1").inner_text() == "Two coins, 10 flips"

    page.go_back()
    page.wait_for_url(f"**/{ADDRESS}")
    assert page.title() == "Two coins, 100 flips · Backward Induction"
    assert page.locator("h1").inner_text() == "Two coins, 100 flips"
    assert page.locator(".turn input:checked").get_attribute("value") == "100-flips"
    turn(page, "10")
    page.get_by_role("button", name="As published").click()
    page.wait_for_url(f"**/{ADDRESS}")
    assert page.locator(".turn output").inner_text() == "100 flips: as published."
    page.locator(".turn output").evaluate("each => { each.textContent = '' }")
    assert page.locator("article").inner_text().split() == before.split()


def test_the_address_of_a_setting_opens_it(look, blog):
    page = look(f"{blog.address}{ADDRESS}?turn=200").page

    page.locator("h1", has_text="200 flips").wait_for()
    assert page.locator(".turn input:checked").get_attribute("value") == "200"


def test_what_is_read_stays_where_it_is(page):
    heading = page.locator("#which-coin-where")
    heading.evaluate("each => scrollTo({top: each.getBoundingClientRect().top - 200, behavior: 'instant'})")
    before = heading.bounding_box()["y"]

    page.locator('.turn input[value="10"]').evaluate("each => each.click()")
    page.wait_for_url("**?turn=10")

    assert abs(heading.bounding_box()["y"] - before) < 40


def test_pages_from_disk_turn_too(look, blog):
    page = look(f"file://{blog.folder}/{ADDRESS}index.html").page

    page.locator('.turn input[value="10"]').check()

    page.locator("h1", has_text="10 flips").wait_for()


def test_without_scripts_there_is_no_control(look, blog):
    page = look(blog.address + ADDRESS, java_script_enabled=False).page

    assert not page.locator(".turn").is_visible()


def test_axe_has_nothing_to_say_of_a_turned_page(look, blog):
    page = look(f"{blog.address}posts/a-row-of-coins/").page
    turn(page, "rising")
    page.emulate_media(reduced_motion="reduce")

    assert complaints_of_axe(page) == []
