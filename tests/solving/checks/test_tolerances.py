"""How closely the answers of two methods must agree.

The standard error of n games won with chance p is sqrt(p (1 - p) / n): Feller, vol. I, ch. VI, sect. 4.
"""

from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest

from site_builder.contract import Grid
from site_builder.contract.answers import Tolerance
from site_builder.solving.checks.tolerances import EQUAL, compared, entries
from site_builder.values.records import Record

HALF = Fraction(1, 2)
GRID = Grid(np.array([1, 2]), {"n": (0, 1)})


def differ(expected, found, tolerance=EQUAL):
    return [entry for entry in entries(expected, found, tolerance) if not compared(tolerance, *entry[1:])[0]]


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        (HALF, HALF),
        (0.5, HALF),
        (1, 1.0),
        (0.1 + 0.2, 0.3),
        (1e12, 1e12 + 1),  # one part in 10^12
        ("a", "a"),
        (None, None),
        ([1, 2], (1, 2)),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ([0, 1], np.array([0, 1])),
        (np.array([0.5, nan]), np.array([0.5, nan])),
        (nan, nan),
        ([nan, {"a": nan}], (nan, Record({"a": nan}))),
        ([GRID], [Grid(np.array([1, 2]), {"n": (0, 1)})]),
        (np.array([inf, 0.5]), (inf, 0.5)),
        (range(3), (0, 1, 2)),
    ],
)
def test_equal_values_agree_and_floats_to_one_part_in_a_billion(expected, found):
    assert differ(expected, found) == []


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        (HALF, Fraction(10**12, 2 * 10**12 + 1)),  # exact numbers are compared exactly
        (0.5, 0.500000001),
        (1, True),
        (False, 0),
        ("1", 1),
        ([1, 2], (1, 2, 3)),
        ({"a": 1}, {"b": 1}),
        (None, 0),
        (inf, 0.5),
        (-inf, inf),
        (np.array([inf]), np.array([0.5])),
        (nan, 0.5),
        (0.5, np.array([nan])),
        ([GRID], [Grid(np.array([1, 2]), {"n": (0, 2)})]),
        ({1: 2}, {True: 2}),
    ],
)
def test_other_values_do_not(expected, found):
    assert len(differ(expected, found)) == 1


def test_the_entries_that_differ_are_told_with_their_indices():
    assert differ([[1, 2], [3, 4]], ((1, 2), (3, 5))) == [((1, 1), 4, 5)]
    assert differ(np.array([[1, 2], [3, 4]]), np.array([[1, 0], [3, 4]])) == [((0, 1), 2, 0)]
    assert differ(np.array([1.0, 2.0]), np.array([1.0, 2.1])) == [((1,), 2.0, 2.1)]


def test_whole_numbers_of_python_find_a_sum_in_an_array_that_exceeded_64_bits():
    ways = np.array([2**62, 2**61])

    assert differ((2**63, 2**62), ways + ways) == [((0,), 2**63, -(2**63))]  # numpy wraps the first without a warning


@pytest.mark.parametrize(
    ("tolerance", "near", "far"),
    [
        (Tolerance("close", absolute=0.01), 0.509, 0.511),
        (Tolerance("close", relative=0.01), 0.504, 0.506),
        (Tolerance("close", absolute=0.001, relative=0.01), 0.504, 0.506),  # the wider of the two
        (Tolerance("at most"), 0.5, 0.51),
        (Tolerance("at least"), 0.5, 0.49),
        (Tolerance("games", n=10_000), 0.519, 0.521),  # 4 sqrt(0.25 / 10,000) = 0.02
        (Tolerance("games", n=100, deviation=2.0), 1.2, 1.4),  # 4 * 2 / sqrt(100) = 0.8
    ],
)
@pytest.mark.parametrize("made", [float, lambda value: np.array([0.5, value]), lambda value: (0.5, Fraction(value))])
def test_numbers_agree_within_a_tolerance_and_no_further(tolerance, near, far, made):
    expected = made(0.5)

    assert differ(expected, made(near), tolerance) == []
    assert len(differ(expected, made(far), tolerance)) == 1


def test_some_wins_at_a_tiny_chance_agree():
    # The chance 10^-7 is won once in 1,000 games by luck: 1 / n bounds the variance from below.
    tolerance = Tolerance("games", n=1_000)

    assert differ(1 / 1_000, 1e-7, tolerance) == []
    assert len(differ(5 / 1_000, 1e-7, tolerance)) == 1


def test_a_tolerance_is_for_numbers_alone():
    assert len(differ("a", "b", Tolerance("close", absolute=10))) == 1
    assert len(differ(True, False, Tolerance("close", absolute=10))) == 1


def test_one_of_several_is_right_cell_by_cell():
    one_of = Tolerance("one of")

    assert differ(("left", "right"), "right", one_of) == []
    assert differ(("left", "right"), "stay", one_of) == [((), ("left", "right"), "stay")]
    assert differ(([1, 2], [3, 4]), (3, 2), one_of) == []
    assert differ(([1, 2], [3, 4]), (3, 1), one_of) == [((1,), (2, 4), 1)]
    assert differ((np.array([1, 2]), np.array([3, 4])), np.array([1, 4]), one_of) == []


def test_a_record_of_which_several_are_right_is_compared_whole():
    one_of, rules = Tolerance("one of"), [[Record({"a": 1, "b": 2})], [Record({"a": 3, "b": 4})]]

    assert differ(rules, [Record({"a": 3, "b": 4})], one_of) == []
    assert len(differ(rules, [Record({"a": 1, "b": 4})], one_of)) == 1


def test_of_right_values_of_different_lengths_those_of_the_length_found_count():
    one_of = Tolerance("one of")

    assert differ(([1, 2], [1, 2, 3]), (1, 2, 3), one_of) == []
    assert differ(([1, 2], [1, 2, 3]), (1, 2, 9), one_of) == [((2,), (3,), 9)]
    assert differ(([1, 2], [1, 2, 3]), (1,), one_of) == [((), ((1, 2), (1, 2, 3)), (1,))]
