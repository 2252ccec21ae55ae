"""What readers see of two answers that agree: values that can be read, and not all digits of a long fraction."""

from dataclasses import replace
from fractions import Fraction

import pytest

from site_builder.contract import at_least, at_most, close, one_of, simulated
from site_builder.solving.checks.answers import comparisons
from site_builder.solving.checks.outcomes import judge, read_outcomes
from site_builder.values.packing import pack

LONG = Fraction(1458449069603331510202363385, 3169126500570573503741758013)  # 0.46020538130641...
THIRD = Fraction(1, 3)


def outcome(answer, value):
    (comparison,) = comparisons("chance", answer, value)
    (found,) = read_outcomes(judge(pack(([replace(comparison, check="check_it")], {})), {}))
    return found


@pytest.mark.parametrize(
    ("answer", "value", "shown"),
    [
        (THIRD, THIRD, "1/3"),
        (LONG, LONG, "0.460205381306… as a fraction"),
        ((THIRD, LONG), (THIRD, LONG), "(1/3, 0.460205381306… as a fraction)"),
        (close(THIRD, absolute=1e-9), THIRD, "0.333333333333"),
        (simulated(THIRD, 100), THIRD, "0.333333"),
        (close(("6/4", "6/0", -THIRD), absolute=1e-9), ("6/4", "6/0", -THIRD), "(6/4, 6/0, -0.333333333333)"),
        (tuple(range(7)), tuple(range(7)), "7 values"),
        ({0: 4, 2: 6}, (4, 5, 6), "(4, 6)"),
    ],
)
def test_an_answer_is_shown_as_it_can_be_read(answer, value, shown):
    found = outcome(answer, value)

    assert (found.expected, found.found, found.passed) == (shown, shown, True)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (3, "3"),
        (close(3.0, absolute=0.1), "3.0"),
        (simulated(3.0, 2_000, deviation=1.0), "3.0"),
        (at_most(4), "at most 4"),
        (at_least(2), "at least 2"),
        (one_of(2, 3), "one of several"),
    ],
)
def test_bounds_and_several_values_are_shown_as_such(answer, expected):
    found = outcome(answer, 3)

    assert (found.expected, found.found) == (expected, "3")


@pytest.mark.parametrize(
    ("answer", "value", "difference"),
    [
        (4, 3, "it should be 4, and is 3"),
        (at_most(2), 3, "it should be at most 2, and is 3"),
        (one_of(1, 2), 3, "it should be 1 or 2, and is 3"),
        (one_of((0, 57), (57, 0)), (57, 57), "it should be (0, 57) or (57, 0), and is (57, 57)"),
        (one_of(((0, 1), (2,)), ((3, 4), (5,))), ((0, 1), (5,)), "it should be ((0, 1), (2,)) or ((3, 4), (5,)), and"),
        (one_of(("A", None), ("B", True)), ("A", True), "it should be ('A', None) or ('B', True), and is ('A', True)"),
        ([1, 2, 4], (1, 2, 3), "of 3 values number 3 should be 4, and is 3"),
        ({1: 5}, (1, 2, 3), "it should be 5, and is 2"),
        ({0: 1, 1: 5}, (1, 2, 3), "of 2 values number 2 should be 5, and is 2"),
        ({(0, 1): 7}, [[1, 2]], "it should be 7, and is 2"),
    ],
)
def test_the_first_difference_is_told_with_its_place(answer, value, difference):
    assert outcome(answer, value).difference.startswith(difference)


def test_a_check_that_compares_no_cell_confirms_nothing():
    (comparison,) = comparisons("table", {}, (1, 2, 3))
    data = pack(([replace(comparison, check="check_none")], {}))

    (outcome,) = read_outcomes(judge(data, {}))

    assert (outcome.passed, outcome.agrees) == (True, False)
