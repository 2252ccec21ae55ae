"""Readers guess the answer of a post before they see it, in a browser."""

import re

import pytest

ADDRESS = "posts/two-coins-a-hundred-flips/"


@pytest.fixture
def page(read, blog):
    return read(blog.address + ADDRESS).page


def guess(page, keys):
    page.locator(".guess-with input").focus()
    for key in keys:
        page.keyboard.press(key)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    return page.locator(".guess-with [role=status]").inner_text()


def test_the_answer_is_hidden_until_a_reader_has_guessed_by_keyboard(page):
    assert not page.locator(".answer-text").is_visible()

    assert guess(page, ["Home", "ArrowRight"]) == "You said 1%; it is 64.03%."
    assert page.locator(".answer-text").is_visible()


def test_the_choice_is_shown_beside_the_slider_and_read_aloud(page):
    page.locator(".guess-with input").press("End")

    assert page.locator(".guess-with span").inner_text() == "100%"
    assert page.locator(".guess-with input").get_attribute("aria-valuetext") == "100%"


def test_after_a_turn_the_new_answer_is_hidden_and_can_be_guessed(page):
    guess(page, ["Home"])
    page.locator('.turn input[value="10"]').check()
    page.wait_for_url("**?turn=10")

    assert not page.locator(".answer-text").is_visible()
    assert re.fullmatch(r"10\. \d+ places changed\.", page.locator(".turn output").inner_text())
    assert guess(page, ["Home"]) == "You said 0%; it is 59.18%."
