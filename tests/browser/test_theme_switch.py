"""Light and dark: as the system has it, until a reader presses the switch."""

import io

import pytest
from PIL import Image, ImageStat

SCHEME = "getComputedStyle(document.documentElement).colorScheme"
# Notes when the reader's choice was put on the page, which must be before the browser paints for the first time.
WATCH = """
window.chosen = null
new MutationObserver(() => { if (document.documentElement?.dataset.theme) window.chosen ??= performance.now() })
    .observe(document, {attributes: true, childList: true, subtree: true})
"""
PAINTED = """new Promise(done => {
    const ask = () => performance.getEntriesByName('first-paint').length
        ? done(performance.getEntriesByName('first-paint')[0].startTime) : setTimeout(ask, 20)
    ask()
})"""


def brightness(shown):
    """How bright a part of the page is, or of a page what the window shows; from 0 to 255."""
    return ImageStat.Stat(Image.open(io.BytesIO(shown.screenshot())).convert("L")).mean[0]


@pytest.fixture
def switched(read, blog):
    """A post whose reader has a light system and has pressed the switch."""
    visit = read(blog.address + "posts/coinball/")
    visit.page.locator(".theme-switch").click()
    return visit


def test_the_switch_turns_a_light_page_dark_and_back(read, blog):
    page = read(blog.address).page
    page.evaluate("Promise.all([...document.images].map(each => { each.loading = 'eager'; return each.decode() }))")
    switch = page.locator(".theme-switch")
    light = brightness(page)

    switch.click()
    dark, pressed = brightness(page), switch.get_attribute("aria-pressed")
    switch.click()

    assert dark < 80 < 200 < light
    assert pressed == "true"
    assert brightness(page) == pytest.approx(light, abs=1)


@pytest.mark.deep
def test_the_switch_turns_a_dark_page_light(read, blog):
    page = read(blog.address, scheme="dark").page

    page.locator(".theme-switch").click()

    assert brightness(page) > 200


def test_the_choice_holds_after_loading_again_and_on_other_pages(switched, blog):
    page = switched.page

    page.reload()
    again = page.evaluate(SCHEME)
    page.goto(blog.address + "archive/")

    assert again == "dark"
    assert page.evaluate(SCHEME) == "dark"


def test_the_switch_works_on_a_page_that_replaces_the_policy(read, blog):
    visit = read(blog.address + "search/")  # which allows 'wasm-unsafe-eval'

    visit.page.locator(".theme-switch").click()

    assert visit.page.evaluate(SCHEME) == "dark"
    assert visit.complaints == []


def test_figures_follow_the_choice(read, blog):
    page = read(blog.address + "posts/coinball/").page
    figure = page.locator("figure.figure img:visible").first
    figure.scroll_into_view_if_needed()
    light = brightness(figure)

    page.locator(".theme-switch").click()

    for _ in range(600):  # a minute, which ends only what hangs
        if (dark := brightness(figure)) < 0.7 * light:
            break
        page.wait_for_timeout(100)
    assert dark < 0.7 * light


def test_a_chosen_scheme_is_there_before_anything_is_painted(switched, blog):
    page = switched.page
    page.add_init_script(WATCH)

    page.goto(blog.address + "posts/two-piles-of-pennies/")
    painted = page.evaluate(PAINTED)

    assert 0 < page.evaluate("window.chosen") < painted


@pytest.mark.deep
def test_where_nothing_can_be_remembered_the_switch_works_all_the_same(read, blog):
    visit = read(blog.address)
    visit.page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('no') }})")
    visit.page.reload()

    visit.page.locator(".theme-switch").click()

    assert visit.page.evaluate(SCHEME) == "dark"
    assert visit.complaints == []
