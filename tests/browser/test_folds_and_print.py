"""Folds, and posts on paper."""

import io
import re

import pytest
from pypdf import PdfReader

from tests.browser.test_first_screen import POSTS


def on_paper(page, sheets=""):
    """The words of a page as printed, white space folded. sheets: of these alone, such as "1-2"."""
    pdf = PdfReader(io.BytesIO(page.pdf(format="A4", page_ranges=sheets)))
    return re.sub(r"\s+", " ", " ".join(sheet.extract_text() for sheet in pdf.pages))


@pytest.fixture(scope="module")
def printed(chromium, sample):
    """The post with all constructs on paper, as it is when it was just opened."""
    page = chromium.new_page()
    page.goto(sample.address + "posts/constructs/")
    yield on_paper(page)
    page.close()


@pytest.mark.parametrize(
    "words",
    [
        "The solution is short",
        "A fold within a fold",
        "A fold as HTML has it",
        "A note with a link",
        "two paragraphs",
        "lowest_cell",
    ],
)
def test_what_stands_in_folds_and_notes_is_printed(printed, words):
    assert words in printed


def test_nothing_that_leads_around_the_site_is_printed(printed):
    for words in ("Skip to the text", "Archive", "In this post", "come from a program"):
        assert words not in printed


def test_a_post_that_was_not_turned_prints_no_setting_and_a_turned_one_says_which(look, blog):
    page = look(blog.address + "posts/coinball/").page
    page.locator(".turn").wait_for()
    before = on_paper(page, "1")
    page.goto(blog.address + "posts/coinball/10/")
    page.locator(".turned-to").wait_for()

    assert len(before) > 800
    assert "Try it with" not in before
    assert "You see this post with" not in before
    assert re.search(r"You see this post with 10 instead of 100 \(", on_paper(page, "1-2"))


def test_a_game_and_the_evidence_are_not_printed_and_the_address_of_the_post_is(look, blog):
    page = look(blog.address + "posts/coinball/").page
    assert (page.locator(".play").first.is_visible(), page.locator(".on-paper").is_visible()) == (True, False)
    page.emulate_media(media="print")

    assert not page.locator(".play:visible").count()
    assert not page.get_by_text("How this was checked", exact=True).is_visible()
    assert page.locator(".on-paper").inner_text().endswith("/posts/coinball/")


def test_a_note_that_was_in_the_margin_is_printed_below_its_paragraph(look, sample):
    page = look(sample.address + "posts/constructs/", width=1440).page
    page.wait_for_function("document.querySelector('.sidenote').style.marginBlockStart")
    page.set_viewport_size({"width": 700, "height": 900})
    page.emulate_media(media="print")

    boxes = page.evaluate("""[...document.querySelectorAll('.sidenote')].map(note =>
        [note.previousElementSibling.getBoundingClientRect().bottom, note.getBoundingClientRect().top])""")
    assert boxes
    assert all(note > paragraph for paragraph, note in boxes)


def test_the_addresses_of_links_are_printed(printed):
    assert "outer link (https://example.org/a)" in printed


def test_a_post_in_the_dark_is_printed_on_white(look, blog):
    page = look(blog.address + "posts/coinball/", scheme="dark").page

    page.emulate_media(media="print", color_scheme="dark")

    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
    assert page.evaluate("getComputedStyle(document.querySelector('.prose p')).color") == "rgb(0, 0, 0)"


def test_a_link_to_what_stands_in_a_fold_opens_the_fold(look, sample):
    page = look(sample.address + "posts/constructs/#proof").page

    assert page.locator("#proof").is_visible()
    assert page.locator("details:has(#proof)").first.get_attribute("open") is not None


@pytest.mark.parametrize("width", [360, 1440])
def test_a_link_to_a_note_shows_the_note(look, sample, width):
    page = look(sample.address + "posts/constructs/", width=width).page
    link = page.locator(".prose a[href^='#fn']").first
    note = page.get_by_text("A note with")

    link.click()

    assert note.is_visible()
    box = note.bounding_box()
    assert 0 <= box["y"] < 900


@pytest.mark.parametrize("post", POSTS)
def test_a_post_prints_on_at_most_ten_pages(chromium, blog, post):
    page = chromium.new_page()
    page.goto(f"{blog.address}posts/{post}/", wait_until="networkidle")

    sheets = PdfReader(io.BytesIO(page.pdf(format="A4"))).pages

    assert 5 <= len(sheets) <= 10
    page.close()
