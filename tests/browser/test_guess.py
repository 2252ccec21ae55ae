"""Readers guess the answer of a post before they see it, in a browser."""

import re

import pytest

from tests.conftest import deep

ADDRESS = "posts/two-coins-a-hundred-flips/"


@pytest.fixture
def page(look, blog):
    return look(blog.address + ADDRESS).page


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


def test_the_page_of_a_setting_hides_its_answer_until_it_is_guessed(page):
    page.locator(".turn a", has_text=re.compile("^10$")).click()
    page.locator(".turn a[aria-current]", has_text=re.compile("^10$")).wait_for()

    assert not page.locator(".answer-text").is_visible()
    assert guess(page, ["Home"]) == "You said 0%; it is 59.18%."


def turn(page, label):
    page.locator(".turn a", has_text=re.compile(f"^{label}$")).click()
    page.locator(".turn a[aria-current]", has_text=re.compile(f"^{label}$")).wait_for()


def test_a_guess_is_back_with_the_slider_when_its_setting_is_shown_again(page):
    guess(page, ["Home", "ArrowRight"])
    page.evaluate("location.hash = 'puzzle'")
    turn(page, "10")
    assert page.locator(".guess-with [role=status]").inner_text() == ""
    assert page.locator(".answer-text").is_visible()

    turn(page, "100 flips")

    assert page.locator(".guess-with [role=status]").inner_text() == "You said 1%; it is 64.03%."
    assert page.locator(".guess-with input").input_value() == "1"
    assert page.locator(".guess-with span").inner_text() == "1%"


@pytest.fixture
def choices(look, sample):
    return look(sample.address + "posts/choices/").page


def choose(page, *keys):
    """What the page says after these keys on the first choice, and a press of the button."""
    page.locator(".guess-with input").first.focus()
    for key in (*keys, "Tab", "Enter"):
        page.keyboard.press(key)
    return page.locator(".guess-with [role=status]").inner_text()


def test_a_choice_by_keyboard_is_right_or_wrong_and_shows_the_answer(choices):
    assert not choices.locator(".answer-text").is_visible()

    assert choose(choices, "ArrowDown") == "You said the house; it is neither."
    assert choices.locator(".answer-text").is_visible()
    choices.locator(".guess-with input").nth(1).focus()
    choices.keyboard.press("ArrowDown")
    choices.locator(".guess-with button").click()
    assert choices.locator(".guess-with [role=status]").inner_text() == "You said neither, and so it is."


def test_without_a_choice_nothing_is_shown(choices):
    choices.locator(".guess-with button").click()

    assert choices.locator(".guess-with [role=status]").inner_text() == "Choose one."
    assert not choices.locator(".answer-text").is_visible()


def test_choices_can_be_made_anew_at_another_setting(choices):
    choose(choices, "Space")
    choices.locator(".turn a", has_text="goal 4").click()
    choices.locator(".turn a[aria-current]", has_text="goal 4").wait_for()

    assert choices.locator(".guess-with [role=status]").inner_text() == ""
    assert choose(choices, "Space") == "You said the player’s side, and so it is."


@pytest.mark.parametrize("width", [360, deep(1440)])
def test_choices_can_be_touched_and_fit(look, sample, width):
    visit = look(sample.address + "posts/choices/", width=width)

    heights = [each.bounding_box()["height"] for each in visit.page.locator(".guess-with label").all()]
    assert (len(heights), min(heights) >= 44, visit.overflow()) == (3, True, 0)


def test_choices_without_scripts_are_a_fold(look, sample):
    page = look(sample.address + "posts/choices/", java_script_enabled=False).page

    assert not page.locator(".guess-with").is_visible()
    page.locator(".guess summary").click()
    assert page.locator(".answer-text").is_visible()
