"""Pages in the hands of a reader who has no mouse."""

import pytest

from tests.browser.sites import PAGES
from tests.conftest import deep

WALKED = [
    *("archive", "404", "two coins", "post with everything", "post with all constructs", "home, page 2"),
    pytest.param("home", marks=pytest.mark.deep),  # has more of the same as page 2
]

# The page's script has found out which boxes scroll.
ARRANGED = "() => new Promise(done => setTimeout(() => requestAnimationFrame(done)))"

# All that the Tab key has to reach, in the order of the page.
STOPS = """() => {
    const able = 'a[href], button, summary, input, select, textarea, [tabindex]'
    const seen = {contentVisibilityAuto: true, visibilityProperty: true}
    const boxes = [...document.querySelectorAll('main *')].filter(each => {
        const scrolls = ['auto', 'scroll'].includes(getComputedStyle(each).overflowX)
        return scrolls && each.scrollWidth > each.clientWidth && !each.querySelector(able)
    })
    const others = '[type=radio]:not(:checked)' // of a group, one is a stop
    window.stops = [...document.querySelectorAll('*')].filter(each =>
        (each.matches(able) && each.tabIndex >= 0 || boxes.includes(each)) &&
        !each.matches(others) && each.checkVisibility(seen))
    return window.stops.map(each => each.outerHTML.slice(0, 80))
}"""

# Where the reader is: which stop, whether a ring is drawn around it, and whether it is within the window.
HERE = """() => {
    const at = document.activeElement, style = getComputedStyle(at), box = at.getBoundingClientRect()
    return {
        stop: window.stops.indexOf(at),
        ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
        inside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    }
}"""


@pytest.fixture(params=[360, pytest.param(1440, marks=pytest.mark.deep)])
def width(request):
    return request.param


@pytest.mark.parametrize("name", WALKED)
def test_tab_reaches_all_that_can_be_used_in_order_and_shows_where_it_is(look, request, name, width):
    site, path = PAGES[name]
    page = look(request.getfixturevalue(site).address + path, width=width, reduced_motion="reduce").page
    page.evaluate(ARRANGED)
    stops = page.evaluate(STOPS)

    walk = []
    for _ in stops:
        page.keyboard.press("Tab")
        walk.append(page.evaluate(HERE))

    assert [stops[step["stop"]] for step in walk] == stops
    assert [stops[step["stop"]] for step in walk if not step["ring"]] == []
    assert [stops[step["stop"]] for step in walk if not step["inside"]] == []


def test_shift_and_tab_lead_back_to_the_top(look, blog):
    page = look(blog.address + "about/").page
    stops = page.evaluate(STOPS)
    for _ in stops:
        page.keyboard.press("Tab")

    for _ in stops[1:]:
        page.keyboard.press("Shift+Tab")

    assert page.evaluate(HERE)["stop"] == 0


def test_the_first_stop_skips_to_the_text(look, blog):
    page = look(blog.address + "posts/coinball/").page

    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")

    assert page.url.endswith("#main")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")


@pytest.mark.parametrize("key", ["Enter", deep("Space")])
def test_a_fold_opens_and_closes_by_a_key(look, sample, key):
    page = look(sample.address + "posts/constructs/").page
    fold = page.locator("details.solution").first
    fold.locator("> summary").focus()

    page.keyboard.press(key)
    opened = fold.get_attribute("open")
    page.keyboard.press(key)

    assert opened is not None
    assert fold.get_attribute("open") is None
