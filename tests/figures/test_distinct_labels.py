"""Labels that are cut stay different from one another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.figures.canvas.text import text_line, truncate_all, wrap_all

ORDINALS = ("first", "second", "third", "fourth")
BOTH_ENDS_ALIKE = [f"The strategy of always taking the {name} coin that is left on the table" for name in ORDINALS]
TAILS_DIFFER = [f"Quarter results of the year 2024, number {n}" for n in range(1, 9)]


def words(lines):
    return [line.text for line in lines]


def test_labels_that_fit_are_left_as_they_are():
    assert words(truncate_all(["a", "b", "a"], 200)) == ["a", "b", "a"]


def test_labels_that_end_differently_lose_their_middle():
    short = words(truncate_all(TAILS_DIFFER, 120))

    assert all(text.startswith("Quarter") and text.endswith(f"{n}") for n, text in enumerate(short, 1))
    assert all(text_line(text).width <= 120 for text in short)


def test_labels_that_differ_in_their_middle_show_it():
    short = words(truncate_all(BOTH_ENDS_ALIKE, 150))
    shorter = words(truncate_all(BOTH_ENDS_ALIKE, 60))

    assert [text.split("…")[1].split()[0] for text in short] == list(ORDINALS)
    assert [text[:2] for text in shorter] == ["…f", "…s", "…t", "…f"]
    assert len(set(shorter)) == len(ORDINALS)


def test_labels_of_several_lines_stay_different_too():
    blocks = wrap_all(BOTH_ENDS_ALIKE, 70, at_most=3)

    assert len({tuple(words(block)) for block in blocks}) == len(ORDINALS)
    assert all(len(block) <= 3 and line.width <= 70.01 for block in blocks for line in block)


@pytest.mark.parametrize("width", [60, 96, 204])
@given(st.lists(st.text("ab ", min_size=30, max_size=60).map(str.strip), min_size=2, max_size=5))
def test_no_label_is_wider_than_its_room(width, texts):
    assert all(line.width <= width + 0.01 for line in truncate_all(texts, width))
