"""The first screen of the five posts: a picture of the game and a question."""

import time

import pytest

POSTS = (
    "two-coins-a-hundred-flips",
    "coinball",
    "two-piles-of-pennies",
    "a-row-of-coins",
    "penneys-game-with-one-deck",
)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (360, 740)])
@pytest.mark.parametrize("post", POSTS)
def test_the_picture_and_the_question_lie_in_the_first_screen(read, blog, post, width, height):
    page = read(f"{blog.address}posts/{post}/", width=width).page

    for part in (".picture-of-post img", ".guess summary", ".guess-with button"):
        box = page.locator(part).bounding_box()
        assert box["height"] > 20
        assert box["y"] + box["height"] <= height


SHIFTS = """window.shifts = 0
new PerformanceObserver(list => list.getEntries().forEach(each => { window.shifts += each.value }))
    .observe({type: 'layout-shift', buffered: true})"""


@pytest.mark.parametrize("post", POSTS)
def test_pictures_and_controls_that_come_late_move_nothing(chromium, blog, post):
    context = chromium.new_context(viewport={"width": 360, "height": 740})
    context.add_init_script(SHIFTS)
    page = context.new_page()

    def late(route):
        time.sleep(0.1)  # the page is painted without them first
        route.continue_()

    page.route("**/*.svg", late)
    page.route("**/assets/*.js", lambda route: route.continue_() if "/theme." in route.request.url else late(route))
    page.goto(f"{blog.address}posts/{post}/")
    page.locator(".turn").wait_for()

    assert page.evaluate("window.shifts") < 0.02
    page.unroute_all(behavior="ignoreErrors")
    context.close()
