"""The first screens of the five posts: the puzzle, a picture of the game and a question."""

import itertools
import re
import time

import pytest

from tests.conftest import deep

POSTS = (
    "two-coins-a-hundred-flips",
    "coinball",
    "two-piles-of-pennies",
    "a-row-of-coins",
    "penneys-game-with-one-deck",
)


WINDOWS = ((390, 844), (1440, 900))


# Every day each post is seen once, by turns on a phone and on a desk.
@pytest.mark.parametrize(
    ("post", "width", "height"),
    [
        (deep if (place + turn) % 2 else pytest.param)(post, *window)
        for place, post in enumerate(POSTS)
        for turn, window in enumerate(WINDOWS)
    ],
)
def test_the_puzzle_begins_in_the_first_half_of_the_first_screen_and_the_question_follows_it(
    look, blog, post, width, height
):
    page = look(f"{blog.address}posts/{post}/", width=width).page

    tops = [
        page.locator(part).first.bounding_box()["y"]
        for part in (".prose > p", ".facts", ".picture-of-post img", ".guess summary", ".prose h2", ".turn")
    ]
    assert tops == sorted(tops)
    assert tops[0] < height / 2


ROWS = {360: 2, 390: 2, 1440: 1}  # of the header, by the width of the window


@pytest.mark.parametrize(
    ("path", "width", "rows"),
    [
        pytest.param(path, width, rows, marks=[] if path == "about/" else pytest.mark.deep)
        for path in ("", "posts/coinball/", "about/")
        for width, rows in ROWS.items()
    ],
)
def test_the_header_has_the_name_of_the_site_in_one_row_or_on_phones_in_two(look, blog, path, width, rows):
    visit = look(f"{blog.address}{path}", width=width)
    links = visit.page.locator(".site-header :is(.brand, .site-nav a, .theme-switch)").all()

    boxes = [link.bounding_box() for link in links]

    assert len(boxes) == 7
    assert visit.page.locator(".brand span").bounding_box()["width"] > 100
    middles = sorted(box["y"] + box["height"] / 2 for box in boxes)
    assert 1 + sum(after - before > 10 for before, after in itertools.pairwise(middles)) <= rows
    assert visit.overflow() <= 0
    assert all(box["width"] >= 24 and box["height"] >= 24 for box in boxes)  # WCAG 2.2, criterion 2.5.8


@pytest.fixture(scope="module")
def entries(look, blog):
    """What the home page shows of each post."""
    page = look(blog.address).page
    return {post: page.locator(".entry", has=page.locator(f'a[href$="{post}/"]')).inner_text() for post in POSTS}


@pytest.mark.parametrize("post", [post for post in POSTS if post != "two-piles-of-pennies"])  # which has a choice
def test_what_is_to_be_guessed_stands_in_no_list(entries, blog, post):
    answer = float(re.search(r'data-answer="([\d.]+)"', blog.text(f"posts/{post}/"))[1])

    seen = entries[post]
    assert len(seen) > 100
    assert not [number for number in re.findall(r"\d+(?:\.\d+)?", seen) if abs(float(number) - answer) < 0.5]


@pytest.mark.parametrize("post", POSTS)
def test_the_words_of_the_puzzle_wait_for_one_stylesheet(blog, post):
    head, _, body = blog.text(f"posts/{post}/").partition("</head>")

    def sheets(html):
        return re.findall(r'<link rel="stylesheet" href="../../assets/(\w+)\.', html)

    puzzle, _, rest = body.partition('<div class="before-solution">')
    words, _, behind = puzzle.rpartition("</p>")
    assert sheets(head) == ["pages"]
    assert sheets(words) == []
    assert sheets(behind) == ["bundles", "games"]
    assert sheets(rest) == []


def test_nothing_to_guess_with_is_printed(look, blog):
    page = look(f"{blog.address}posts/{POSTS[0]}/").page
    assert page.locator(".guess-with").is_visible()
    page.emulate_media(media="print")

    assert not page.locator(".guess-with").is_visible()


SHIFTS = """window.shifts = 0
new PerformanceObserver(list => list.getEntries().forEach(each => { window.shifts += each.value }))
    .observe({type: 'layout-shift', buffered: true})"""


# All posts have the same kinds of pictures and controls: one is looked at every day.
@pytest.mark.parametrize("post", [POSTS[0], *(pytest.param(post, marks=pytest.mark.deep) for post in POSTS[1:])])
def test_pictures_controls_and_fonts_that_come_late_move_nothing(chromium, blog, post):
    context = chromium.new_context(viewport={"width": 360, "height": 740})
    context.add_init_script(SHIFTS)
    page = context.new_page()

    def late(route):
        time.sleep(0.1)  # the page is painted without them first
        route.continue_()

    for late_files in ("**/*.svg", "**/assets/*.js", "**/*.woff2"):
        page.route(late_files, late)
    page.goto(f"{blog.address}posts/{post}/")
    page.locator(".turn").wait_for()
    page.evaluate("document.fonts.ready")

    assert font_of(page, ".prose > p") == "STIX Two Text"
    assert page.evaluate("window.shifts") < 0.02
    page.unroute_all(behavior="ignoreErrors")
    context.close()


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("post", POSTS)
def test_a_post_makes_at_most_20_requests_before_it_is_scrolled(chromium, blog, post, width):
    page, requests = chromium.new_page(viewport={"width": width, "height": 900}), []
    page.on("request", lambda request: requests.append(request.url))

    page.goto(f"{blog.address}posts/{post}/", wait_until="networkidle")

    assert len(requests) <= 20, requests
    page.close()


@pytest.mark.parametrize("post", POSTS)
def test_a_board_stands_between_the_guess_and_the_answer_on_the_second_screen_and_once_more_below(chromium, blog, post):
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{blog.address}posts/{post}/")
    top = "elements => elements.map(each => each.getBoundingClientRect().top)"

    guess, (board, again), answer = (
        page.locator(selector).evaluate_all(top) for selector in (".before-solution .answer", ".play", ".prose h2")
    )
    assert guess[0] < board < answer[0] < again
    assert board < 2 * 844
    page.close()


def font_of(page, selector):
    """The font in which the browser shows most of the first element."""
    wire = page.context.new_cdp_session(page)
    wire.send("DOM.enable")
    wire.send("CSS.enable")
    root = wire.send("DOM.getDocument")["root"]["nodeId"]
    node = wire.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    fonts = wire.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return max(fonts, key=lambda font: font["glyphCount"])["familyName"]
