"""Readers who have asked for less motion, colours of their own, larger letters or a smaller window."""

import pytest

from tests.browser.sites import PAGES
from tests.conftest import deep

POSTS = ["two coins", "post with everything", "post with all constructs"]
OTHERS = [
    *("archive", "tag with a long name", "404"),
    *(pytest.param(name, marks=pytest.mark.deep) for name in ("home", "home, page 2", "tags")),
]

MOVING = """() => [...document.querySelectorAll('*')].flatMap(each => [null, '::before', '::after'].map(part => {
    const style = getComputedStyle(each, part)
    return [style.transitionDuration, style.animationDuration].join() + ' ' + style.scrollBehavior
})).filter(each => each !== '0s,0s auto')"""


@pytest.fixture
def address(request):
    def of(name):
        site, path = PAGES[name]
        return request.getfixturevalue(site).address + path

    return of


@pytest.mark.parametrize("name", [POSTS[0], *map(deep, POSTS[1:])])
def test_nothing_moves_where_a_reader_wants_less_motion(look, address, name):
    page = look(address(name), reduced_motion="reduce").page

    assert page.evaluate(MOVING) == []


@pytest.mark.parametrize("name", [POSTS[0], *map(deep, POSTS[1:])])
def test_forced_colours_leave_all_words_pictures_and_rings_there(look, address, name):
    plain = look(address(name)).page
    page = look(address(name), forced_colors="active").page

    page.keyboard.press("Tab")
    page.keyboard.press("Tab")

    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    assert page.locator("body").inner_text() == plain.locator("body").inner_text()
    assert page.evaluate("""[...document.images].every(
        image => image.checkVisibility() || image.closest('details:not([open])'))""")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


SCROLLED = [
    ("two piles", [".table .scroll", ".figure-data .scroll"]),
    ("post with all constructs", [".prose > math[display=block]"]),
]


@pytest.mark.parametrize("media", [{"forced_colors": "active"}, {"media": "print"}], ids=["forced", "print"])
@pytest.mark.parametrize(("name", "boxes"), SCROLLED)
def test_the_shadows_of_boxes_that_scroll_are_left_out_where_their_colours_do_not_hold(
    look, address, name, boxes, media
):
    page = look(address(name)).page
    has_ground = "each => getComputedStyle(document.querySelector(each)).backgroundImage !== 'none'"
    before = page.evaluate(f"{boxes}.map({has_ground})")

    page.emulate_media(**media)
    after = page.evaluate(f"{boxes}.map({has_ground})")
    page.emulate_media(forced_colors="none", media="screen")

    assert all(before)
    assert not any(after)


def test_where_text_runs_from_right_to_left_notes_stand_on_the_left_and_code_runs_on(look, address):
    visit = look(address("post with all constructs"))

    visit.page.evaluate("document.documentElement.dir = 'rtl'")
    visit.page.evaluate("dispatchEvent(new Event('resize'))")

    note, text = (visit.page.locator(each).first.bounding_box() for each in (".prose > .sidenote", ".prose > p"))
    assert note["x"] + note["width"] < text["x"]
    assert visit.page.evaluate("getComputedStyle(document.querySelector('.prose code')).direction") == "ltr"
    assert visit.overflow() == 0


@pytest.mark.parametrize("name", [*POSTS, *OTHERS])
def test_a_window_of_320_pixels_is_wide_enough(look, address, name):
    visit = look(address(name), width=320)

    visit.page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")

    assert visit.overflow() == 0


@pytest.mark.parametrize(
    ("width", "letters"), [(360, "200%"), pytest.param(1440, "225%", marks=pytest.mark.deep)]
)  # part of a size is the window's
@pytest.mark.parametrize("name", [*POSTS[1:], *OTHERS, pytest.param(POSTS[0], marks=pytest.mark.deep)])
def test_letters_of_twice_the_size_find_room(look, address, name, width, letters):
    visit = look(address(name), width=width)
    size = "parseFloat(getComputedStyle(document.querySelector('main')).fontSize)"
    before = visit.page.evaluate(size)

    visit.page.evaluate(f"document.documentElement.style.fontSize = '{letters}'")

    assert visit.page.evaluate(size) >= 1.9 * before
    assert visit.overflow() == 0
