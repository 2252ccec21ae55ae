"""The table of contents beside a long page, as a reader goes through it."""

import pytest
from playwright.sync_api import expect

from tests.browser.sample import HEADINGS


@pytest.mark.parametrize("words", HEADINGS)
def test_the_contents_mark_the_section_in_view_whatever_its_anchor(look, sample, words):
    visit = look(sample.address + "posts/long/", reduced_motion="reduce")  # and so no slow scrolling

    visit.page.get_by_role("heading", name=words).evaluate("each => each.scrollIntoView()")

    expect(visit.page.locator(".contents a[aria-current]")).to_have_text(words)
    assert visit.complaints == []
