"""The table of all answers, in the hands of a reader."""

import pytest

ROWS = "[...document.querySelectorAll('table tbody tr')].map(row => row.cells[4].textContent.trim())"


@pytest.fixture
def page(look, blog):
    return look(blog.address + "answers/").page


def numbers(page):
    """The numbers of checks in the order of the rows, without those rows that have none."""
    return [int(text.replace("\u202f", "")) for text in page.evaluate(ROWS) if text]


def test_a_click_on_the_head_of_a_column_sorts_by_it_and_another_turns_the_order(page):
    head = page.get_by_role("columnheader", name="Checks")

    head.get_by_role("button").click()
    first, first_said = numbers(page), head.get_attribute("aria-sort")
    head.get_by_role("button").click()
    second, second_said = numbers(page), head.get_attribute("aria-sort")

    assert len(first) > 2
    assert first == sorted(first, reverse=True)
    assert second == sorted(first)
    assert (first_said, second_said) == ("descending", "ascending")


def test_words_are_sorted_by_the_keyboard_too(page):
    page.get_by_role("columnheader", name="Puzzle").get_by_role("button").focus()

    page.keyboard.press("Enter")

    titles = page.evaluate("[...document.querySelectorAll('tbody th a')].map(each => each.innerText.toLowerCase())")
    assert len(titles) == 5
    assert titles == sorted(titles)


def test_without_scripts_the_table_is_there_and_shows_no_buttons(look, blog):
    visit = look(blog.address + "answers/", java_script_enabled=False)

    assert visit.page.locator("tbody tr").count() == 5
    assert visit.controls() == []
