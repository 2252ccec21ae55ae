"""Maps and curves that readers explore with pointer, touch and keys, in a browser."""

import csv
import io
import re

import pytest

from tests.browser.test_pages import complaints_of_axe
from tests.conftest import deep
from tests.support.explored import read_script

SQUARE = "the-chance-with-two-loaded-coins"
TWO_COINS, STEPS, ALL = "posts/two-coins-a-hundred-flips/", "posts/steps/", "posts/walk/"


@pytest.fixture
def page(look, blog):
    return unfolded(look(blog.address + TWO_COINS).page, "main-policy")


def unfolded(page, figure):
    """The page with the fold open in which the figure stands."""
    page.locator(f"#{figure}").evaluate("each => { each.closest('details').open = true }")
    return page


def data(site, path, figure):
    """The published data of a figure on the page: what its script has for its first step."""
    address = re.search(rf'id="{figure}" data-explore="([^"]+)"', site.text(path))[1]
    return read_script((site.folder / path / address).read_bytes())[0]


def rows(site, path, figure):
    """The rows of its CSV file, by their coordinates, as text."""
    address = re.search(rf'href="(figures/{figure}\.\w+\.csv)"', site.text(path))[1]
    _, *found = csv.reader(io.StringIO((site.folder / path / address).read_text("utf-8")))
    return {tuple(map(int, row[:2])): row[2:] for row in found}


def place_of(page, figure, facts, at, narrow=False):
    """The pixel of a cell or point of a figure; scrolls there."""
    image = page.locator(f"#{figure} img").first
    image.scroll_into_view_if_needed()
    box, shares = image.bounding_box(), []
    for i, axis in enumerate(facts["axes"]):
        place = axis["words"].index(at[i])
        first, last = facts["spans"][i]
        share = ((axis["at"][place] if "at" in axis else place) - first) / (last - first)
        shares.append(1 - share if i and not facts["down"] else share)
    left, top, width, height = facts["narrow" if narrow else "plot"]
    across, down = shares if len(shares) > 1 else (shares[0], 0.5)
    return box["x"] + box["width"] * (left + width * across), box["y"] + box["height"] * (top + height * down)


def point(page, site, path, figure, *at):
    page.mouse.move(*place_of(page, figure, data(site, path, figure), at))
    page.locator(f"#{figure} .cursor").wait_for()


def line(page, figure):
    return page.locator(f"#{figure} .explored").inner_text().replace("\N{NO-BREAK SPACE}", " ")


def cursor(page, figure):
    """The middle of the cursor on a figure."""
    style = f"getComputedStyle(document.querySelector('#{figure} .cursor'))"
    return [float(page.evaluate(f"{style}.getPropertyValue('{name}')")) for name in ("--across", "--up")]


def test_the_pointer_reads_the_cell_that_it_is_over(page, blog):
    point(page, blog, TWO_COINS, "main-win-probability", "30", "−2")

    share = float(rows(blog, TWO_COINS, "main-win-probability")[30, -2][0])
    assert line(page, "main-win-probability") == (f"flips made 30, score −2: chance of winning {100 * share:.1f}%")


@pytest.mark.deep
def test_figures_with_the_same_axes_move_together(page, blog):
    point(page, blog, TWO_COINS, "main-win-probability", "85", "4")
    page.locator("#main-policy .cursor").wait_for()

    action, share, without, cost = rows(blog, TWO_COINS, "main-policy")[85, 4]
    said = f"{action}; coin B would cost {float(cost):.2f} percentage points"
    assert (action, float(without)) == ("coin A", 0)
    assert line(page, "main-policy") == f"flips made 85, score 4: chance of winning {100 * float(share):.1f}%, {said}"
    assert not page.locator("#ten-policy .cursor").is_visible()  # of ten flips alone
    assert not page.locator("#three-by-hand .cursor").is_visible()

    point(page, blog, TWO_COINS, "main-win-probability", "6", "2")
    page.locator("#ten-policy .cursor").wait_for()
    assert line(page, "ten-policy").startswith("flips made 6, score 2: chance of winning ")

    point(page, blog, TWO_COINS, "main-win-probability", "30", "−2")
    page.locator("#ten-policy .cursor").wait_for(state="hidden")
    assert line(page, "ten-policy") == "Point at a cell or touch it to read it."


def test_beside_the_plot_nothing_is_read(page):
    image = page.locator("#main-policy img")
    image.scroll_into_view_if_needed()
    with page.expect_response(re.compile(r"main-policy\.\w+\.js")):
        image.hover(position={"x": 3, "y": 3})

    assert line(page, "main-policy") == "Point at a cell or touch it to read it."


def test_no_data_is_loaded_before_the_first_touch(read, blog):
    visit = read(blog.address + TWO_COINS)
    visit.page.wait_for_load_state("networkidle")

    assert [url for url, _ in visit.requests if re.search(r"/figures/[^/]+\.js$", url)] == []


def test_arrow_keys_move_the_cursor_along_both_axes(page, blog):
    figure = "main-win-probability"
    facts = data(blog, TWO_COINS, figure)
    across, up = (axis["words"] for axis in facts["axes"])
    words = facts["layers"][0]["words"]
    page.locator(f"#{figure} input").first.focus()
    middle = len(across) // 2, len(up) // 2

    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):  # the first ones before the data is there
        page.keyboard.press(key)
    page.locator(f"#{figure} input[aria-valuetext='{across[middle[0] + 2]}']").wait_for()

    column, row = middle[0] + 2, middle[1] + 1
    assert line(page, figure) == (
        f"flips made {across[column]}, score {up[row]}: chance of winning {words[column * len(up) + row]}"
    )
    focused = page.locator(f"#{figure} input:focus")
    assert focused.get_attribute("aria-valuetext") == up[row]
    assert focused.evaluate("each => each.labels[0].textContent") == "score"
    assert focused.is_visible()
    assert focused.bounding_box()["width"] > 100
    status = page.locator("main > [role=status]", has_text=f"flips made {across[column]}")
    status.wait_for()
    assert status.inner_text().replace("\N{NO-BREAK SPACE}", " ") == line(page, figure)
    page.keyboard.press("Home")
    assert f"score {up[0]}:" in line(page, figure)


def test_a_range_moves_along_its_own_axis(page):
    page.locator("#main-win-probability input").first.focus()
    page.locator("#main-win-probability .cursor").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Home")

    assert line(page, "main-win-probability").startswith("flips made 50, score −41:")


def test_a_range_that_is_focused_before_the_data_is_there_stays_in_the_window(look, sample):
    page = look(sample.address + "posts/ruin/", width=360).page
    page.keyboard.press("Tab")  # a reader with a keyboard
    page.evaluate("""() => {
        window.held = []
        document.head.append = (script) => held.push(script)
        const [, second] = document.querySelectorAll('#fair-map input')
        second.closest('.explore').scrollIntoView({block: 'end', behavior: 'instant'})
        second.focus({preventScroll: true})
    }""")

    page.evaluate("""() => {
        delete document.head.append
        document.head.append(...held)
    }""")
    page.locator(".figure.ranged").wait_for()

    box = page.locator("#fair-map input").nth(1).bounding_box()
    # Windows are scrolled by whole pixels.
    assert (box["y"] >= 0, round(box["y"] + box["height"]) <= 900) == (True, True)


def test_the_cursor_lies_on_the_cell(page, blog):
    unfolded(page, SQUARE)
    point(page, blog, TWO_COINS, SQUARE, "0.25", "0.75")

    box = page.locator(f"#{SQUARE} .cursor").bounding_box()
    across, down = cursor(page, SQUARE)
    facts = data(blog, TWO_COINS, SQUARE)
    wanted = place_of(page, SQUARE, facts, ("0.25", "0.75"))
    assert (box["x"] + across * box["width"], box["y"] + down * box["height"]) == pytest.approx(wanted, abs=0.6)


def test_a_curve_says_the_values_of_its_series_at_the_pointer(page, blog):
    point(page, blog, TWO_COINS, "main-by-flips", "21")

    layers = data(blog, TWO_COINS, "main-by-flips")["layers"]
    assert line(page, "main-by-flips") == f"flips in the game 21: chance of winning {layers[0]['words'][20]}"


def test_the_address_of_a_cell_opens_it_and_a_click_makes_that_address(page, read, blog):
    x, y = place_of(page, "main-policy", data(blog, TWO_COINS, "main-policy"), ("30", "−2"))
    page.mouse.click(x, y)
    page.wait_for_url("**?at=30,-2#main-policy")
    said = line(page, "main-policy")

    again = read(page.url).page
    again.locator("#main-policy .cursor").wait_for()

    assert line(again, "main-policy") == said
    again.locator("#main-win-probability .cursor").wait_for()
    assert line(again, "main-win-probability").startswith("flips made 30, score −2: chance of winning")


def test_the_cursor_stays_where_it_is_after_a_turn(look, blog):
    page = look(f"{blog.address}{TWO_COINS}200/?at=150,-4#main-policy").page

    page.locator("h1", has_text="200 flips").wait_for()
    page.locator("#main-policy .cursor").wait_for()
    assert line(page, "main-policy").startswith("flips made 150, score −4: ")
    page.locator(".turn a", has_text="100 flips").first.click()
    page.locator("h1", has_text="100 flips").wait_for()
    unfolded(page, "main-policy")
    assert line(page, "main-policy") == "Point at a cell or touch it to read it."
    point(page, blog, TWO_COINS, "main-policy", "30", "−2")
    assert line(page, "main-policy").startswith("flips made 30, score −2: ")


def test_a_touch_on_a_phone_reads_a_cell_and_brings_the_ranges(look, blog):
    visit = look(blog.address + TWO_COINS, width=360, has_touch=True)
    figure = "main-win-probability"
    page = unfolded(visit.page, figure)
    assert not page.locator(f"#{figure} input").first.is_visible()

    page.touchscreen.tap(*place_of(page, figure, data(blog, TWO_COINS, figure), ("30", "−2"), narrow=True))
    page.locator(f"#{figure} .cursor").wait_for()

    share = float(rows(blog, TWO_COINS, figure)[30, -2][0])
    assert line(page, figure) == f"flips made 30, score −2: chance of winning {100 * share:.1f}%"
    assert page.locator(f"#{figure} input").last.bounding_box()["width"] > 100
    assert visit.overflow() == 0
    assert visit.complaints == []


@pytest.mark.parametrize("width", [390, deep(1440)])
def test_what_is_read_stands_above_the_picture_and_moves_nothing(look, blog, width):
    page = unfolded(look(blog.address + TWO_COINS, width=width).page, "main-policy")
    figure = page.locator("#main-policy")
    below = "each => each.nextElementSibling.getBoundingClientRect().bottom + scrollY"  # of the menu with the data
    image, caption = figure.locator("img").bounding_box(), figure.locator("figcaption").bounding_box()
    before = figure.evaluate(below)

    page.mouse.move(*place_of(page, "main-policy", data(blog, TWO_COINS, "main-policy"), ("30", "−2"), width < 760))
    figure.locator(".cursor").wait_for()

    assert 0 < caption["y"] - image["y"] - image["height"] < 24
    line, image = figure.locator(".explored").bounding_box(), figure.locator("img").bounding_box()
    assert image["y"] - 45 < line["y"] < line["y"] + line["height"] <= image["y"] + 1
    assert figure.evaluate(below) == before


def test_steps_of_a_figure_have_their_own_values(look, sample):
    page = look(sample.address + STEPS).page
    figure = page.locator("figure.frames").nth(1)
    figure.scroll_into_view_if_needed()
    figure.locator(".explore input").first.focus()
    figure.locator(".cursor").wait_for()
    before = figure.locator(".explored").inner_text()

    figure.get_by_role("button", name="Previous step").click()

    after = figure.locator(".explored").inner_text()
    assert before.partition(":")[0] == after.partition(":")[0]
    assert before != after


@pytest.mark.deep
def test_pages_from_disk_are_explored_too(look, blog):
    page = unfolded(look(f"file://{blog.folder}/{TWO_COINS}index.html").page, "main-policy")

    point(page, blog, TWO_COINS, "main-policy", "30", "−2")

    assert line(page, "main-policy").startswith("flips made 30, score −2: ")


def test_without_scripts_a_figure_is_as_it_was(look, blog):
    page = look(blog.address + TWO_COINS, java_script_enabled=False).page

    assert page.locator(".explore, .cursor, .explored-axes input").count() == 0


def test_nothing_of_it_is_printed(page, blog):
    point(page, blog, TWO_COINS, "main-policy", "30", "−2")
    page.emulate_media(media="print")

    assert not page.locator("#main-policy .explored").is_visible()
    assert not page.locator("#main-policy .cursor").is_visible()


def test_axe_has_nothing_to_say_of_a_page_that_is_explored(page, blog):
    page.locator("#main-policy input").first.focus()
    page.locator("#main-policy .cursor").wait_for()

    assert complaints_of_axe(page, within="#main-policy, #main-win-probability") == []  # test_pages.py has the rest
