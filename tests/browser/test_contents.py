"""The table of contents beside a long page, as a reader goes through it."""

import pytest
from playwright.sync_api import expect

from tests.browser.serving import served
from tests.conftest import Project

HEADINGS = {"First of all": "", "All of it": " {: #100% }", "Größe und Maß": "", "Last": ""}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A long post with headings of all kinds."""
    project = Project(tmp_path_factory.mktemp("contents"))
    text = "\n\n".join(f"## {words}{anchor}\n\n{'Much to read. ' * 500}" for words, anchor in HEADINGS.items())
    project.write("content/posts/long.md", f"---\ntitle: Long\ndate: 2026-01-01\n---\n{text}\n")
    project.build()
    with served(project.root / "_site") as found:
        yield f"{found}posts/long/"


@pytest.mark.parametrize("words", HEADINGS)
def test_the_contents_mark_the_section_in_view_whatever_its_anchor(look, address, words):
    visit = look(address)

    visit.page.get_by_role("heading", name=words).evaluate("each => each.scrollIntoView()")

    expect(visit.page.locator(".contents a[aria-current]")).to_have_text(words)
    assert visit.complaints == []
