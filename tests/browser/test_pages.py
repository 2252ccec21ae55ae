"""Every kind of page, on a phone or on a desk, in the light or in the dark.

--deep tries all pages, at every width and in both.
"""

import json
from itertools import product
from pathlib import Path

import pytest

from tests.browser.looking import SCHEMES, WHOLE, WIDTHS
from tests.browser.sites import ALIKE, PAGES

AXE = (Path(__file__).parent / "node_modules/axe-core/axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


# Every day a page of each kind is seen once, by turns on a phone in the light and on a desk in the dark.
KINDS = [name for name in PAGES if name not in ALIKE]
EVERY_DAY = [(name, [(360, "light"), (1440, "dark")][place % 2]) for place, name in enumerate(KINDS)]
SEEN = [
    pytest.param(
        (name, *window),
        id=f"{name}, {window[0]} {window[1]}",
        marks=[] if (name, window) in EVERY_DAY else pytest.mark.deep,
    )
    for name in PAGES
    for window in product(WIDTHS, SCHEMES)
]


@pytest.fixture(scope="module", params=SEEN)
def visit(request, look):
    """The page as a whole: folds open, pictures loaded."""
    name, width, scheme = request.param
    site, path = PAGES[name]
    visit = look(request.getfixturevalue(site).address + path, width=width, scheme=scheme)
    visit.page.evaluate(WHOLE)
    return visit


def test_axe_finds_nothing_to_complain_of(visit):
    assert complaints_of_axe(visit.page) == []


def complaints_of_axe(page, within="html"):
    """What axe says against the page, or a part of it: rule and element."""
    page.evaluate(AXE)
    options = f"{{runOnly: {json.dumps(RULES)}, resultTypes: ['violations']}}"
    found = page.evaluate(f"axe.run({'document' if within == 'html' else json.dumps(within)}, {options})")
    assert found["passes"]
    return [f"{each['id']}: {html}" for each in found["violations"] for html in complained_of(each)]


def complained_of(violation):
    """The elements of a violation; axe takes a header for empty that holds nothing but mathematics, which it is not."""
    elements = [node["html"] for node in violation["nodes"]]
    return [html for html in elements if violation["id"] != "empty-table-header" or "<math" not in html]


def test_the_browser_has_nothing_to_complain_of(visit):
    assert visit.complaints == []


def test_every_request_is_answered_by_the_own_host(visit):
    assert visit.requests
    assert visit.failed_requests() == []
    assert visit.foreign_requests() == []


def test_nothing_is_wider_than_the_window(visit):
    size = visit.page.viewport_size

    found = {}
    for width in (size["width"], 768):
        visit.page.set_viewport_size({**size, "width": width})
        found[width] = visit.overflow()
    visit.page.set_viewport_size(size)

    assert found == {size["width"]: 0, 768: 0}


def test_a_redirect_leads_on_by_itself(read, sample):
    page = read(sample.address + "ruin.html").page

    page.wait_for_url(sample.address + "posts/ruin/")

    assert page.url == sample.address + "posts/ruin/"


def test_a_browser_that_does_not_follow_a_redirect_shows_a_page_all_the_same(read, sample):
    html = sample.text("ruin.html").replace('http-equiv="refresh"', 'name="stays"')
    visit = read(sample.address, width=360)
    visit.page.route("**/ruin.html", lambda route: route.fulfill(body=html, content_type="text/html"))
    visit.page.goto(sample.address + "ruin.html")

    assert complaints_of_axe(visit.page) == []
    assert visit.overflow() == 0
    assert visit.complaints == []
    visit.page.get_by_role("link").click()
    assert visit.page.url == sample.address + "posts/ruin/"
