"""The parameters that a text is written for: ranges and lists of values."""

from fractions import Fraction

import pytest

from site_builder.project.written_for import allows, value_at, words_of
from tests.support.content import HEAD, message, post


def values(tmp_path, written):
    return post(tmp_path, f"{HEAD}\nwritten_for: {{ruin.win: {written}}}").front.written_for["ruin.win"]


@pytest.mark.parametrize(
    ("written", "inside", "outside"),
    [
        ("[10, 400]", [10, 57, 400, Fraction(21, 2)], [9, 401, "57", True, None, (20,)]),
        ("{start: 0.3, stop: 7/10}", [Fraction(3, 10), 0.5, Fraction(7, 10)], [Fraction(2, 10), float("nan")]),
        ("[rush, pass]", ["rush", "pass"], ["optimal", 1]),
        ("[1, 3, 7]", [1, Fraction(3), 7.0], [2, "1", True]),
        ("[0.25, 1/3]", [Fraction(1, 4), 0.25, Fraction(1, 3)], [Fraction(1, 2)]),
        ("[true]", [True], [1, False]),
        ("[[1, 3, 1], [2, 1/2], []]", [(1, 3, 1), (2, Fraction(1, 2)), ()], [(1, 3), 1, (1, 3, 2)]),
    ],
)
def test_two_whole_numbers_and_ends_are_a_range_and_other_lists_are_values(tmp_path, written, inside, outside):
    found = values(tmp_path, written)

    assert [value for value in inside if not allows(found, value)] == []
    assert [value for value in outside if allows(found, value)] == []


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("[400, 10]", "written_for.ruin.win: start is 400, and stop 10; write the smaller one first"),
        ("[]", "written_for.ruin.win: [] is neither [10, 400] nor like {start: 0.3, stop: 0.7} nor a list of values"),
        ("7", "written_for.ruin.win: 7 is neither [10, 400] nor like {start: 0.3, stop: 0.7} nor a list of values"),
        ("{start: 1}", "written_for.ruin.win has no stop"),
    ],
)
def test_what_is_no_range_is_refused_at_its_line(tmp_path, written, words):
    found = message(tmp_path, f"{HEAD}written_for: {{ruin.win: {written}}}")

    assert words in found


def test_a_name_without_its_solver_is_refused(tmp_path):
    found = message(tmp_path, f"{HEAD}written_for: {{win: [1, 2]}}")

    assert "'win' is no parameter of a solver; write e.g. coin_game.flips" in found


@pytest.mark.parametrize(
    ("written", "is_whole", "expected"),
    [
        ("[10, 400]", True, [10, 108, 205, 400]),
        ("{start: 0.5, stop: 3.5}", True, [1, 1, 2, 3]),
        ("{start: 0.3, stop: 0.7}", False, [Fraction(3, 10), Fraction(2, 5), Fraction(1, 2), Fraction(7, 10)]),
        ("[0, 1]", False, [0, Fraction(1, 4), Fraction(1, 2), 1]),
        ("[rush, pass, best]", False, ["rush", "rush", "pass", "best"]),
    ],
)
def test_the_values_at_shares_of_the_way_are_among_them_ends_included(tmp_path, written, is_whole, expected):
    found = values(tmp_path, written)

    assert [value_at(found, share, is_whole) for share in (0, 0.25, 0.5, 1)] == expected
    assert all(allows(found, value) for value in expected)


def test_the_values_are_named_in_words(tmp_path):
    assert words_of(values(tmp_path, "[10, 400]")) == "from 10 to 400"
    assert words_of(values(tmp_path, "[rush, 3]")) == "one of rush, 3"
