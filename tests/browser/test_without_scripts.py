"""Readers whose browser runs no scripts."""

import pytest

from tests.browser.sites import PAGES
from tests.conftest import deep

# Every day: lists, and posts in which scripts do something, each thing once.
EVERY_DAY = ("home", "search", "two coins", "post with everything", "post with all constructs", "post with steps")


@pytest.fixture(
    scope="module",
    params=[name if name in EVERY_DAY else deep(name) for name in PAGES],
)
def pages(request, look):
    """A page without scripts, and the same page with them."""
    site, path = PAGES[request.param]
    address = request.getfixturevalue(site).address + path
    return look(address, java_script_enabled=False), look(address)


def test_a_page_without_scripts_has_all_that_it_has_with_them(pages):
    without, plain = (visit.page for visit in pages)

    for kind in (
        "main p:not(form *):not(noscript *):not([role])",
        "main h2",
        "main table",
        "main figure img",
        "main math",
        "main details",
        "nav a",
    ):
        assert without.locator(kind).count() == plain.locator(kind).count(), kind
    assert without.locator("main").inner_text().strip()


def test_a_page_without_scripts_shows_no_control_that_would_do_nothing(pages):
    assert pages[0].controls() == []


def test_the_browser_has_nothing_to_complain_of_without_scripts(pages):
    assert pages[0].complaints == []
