"""What checks return beside the result: field by field of a record, cell by cell of a table."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from site_builder.contract import Estimate, Grid, at_most, close, one_of, simulated
from site_builder.errors import CuredError
from site_builder.solving.checks.answers import cells_in, comparisons, leaves_of
from site_builder.values.records import Record


@dataclass(frozen=True)
class Rule:
    threshold: int
    name: str


TABLE = np.arange(6).reshape(2, 3)
GRID = Grid(TABLE, {"toss": (10, 20), "lead": (-1, 0, 1)})


def compared(answer, found, leaf="x"):
    """What is compared: the leaf, the kind of tolerance, expected and found values, cells of all."""
    made = []
    for each in comparisons(leaf, answer, found):
        for tolerance, expected, own in each.parts:
            plain = [value.tolist() if hasattr(value, "tolist") else value for value in own]
            made.append((each.field, tolerance.kind, expected, plain))
    return made


def looked_at(answer, found):
    """How many cells of all are compared."""
    (each,) = comparisons("x", answer, found)
    return each.cells, each.total


def test_a_plain_value_is_compared_as_it_is():
    assert compared(Fraction(1, 2), 0.5) == [("x", "equal", [Fraction(1, 2)], [0.5])]


@pytest.mark.parametrize(
    ("mark", "kind"),
    [(close(1, absolute=0.1), "close"), (simulated(1, 100), "games"), (at_most(1), "at most")],
)
def test_a_mark_says_how_it_is_compared(mark, kind):
    assert compared(mark, 2) == [("x", kind, [1], [2])]


def test_one_of_several_values_is_compared_with_all_of_them():
    assert compared(one_of("a", "b"), "b") == [("x", "one of", [("a", "b")], ["b"])]


def test_moves_of_which_several_are_right_are_compared_whole():
    assert compared(one_of((0, 57), (57, 0)), (57, 0)) == [("x", "one of", [("(0, 57)", "(57, 0)")], ["(57, 0)"])]
    assert looked_at(one_of((0, 57), (57, 0)), (57, 0)) == (2, 2)


# Records


@pytest.mark.parametrize("found", [Rule(3, "a"), {"threshold": 3, "name": "a"}, Record({"threshold": 3, "name": "a"})])
def test_a_record_is_compared_field_by_field(found):
    assert compared({"threshold": 4, "name": "a"}, found) == [
        ("x.threshold", "equal", [4], [3]),
        ("x.name", "equal", ["a"], ["a"]),
    ]
    assert [each[0] for each in compared({"name": "a"}, found)] == ["x.name"]


def test_a_mark_around_a_record_is_one_around_each_field_but_those_with_a_mark_of_their_own():
    answer = close({"low": 1.0, "high": at_most(2.0)}, absolute=0.1)

    assert [each[:2] for each in compared(answer, {"low": 1.0, "high": 2.0})] == [
        ("x.low", "close"),
        ("x.high", "at most"),
    ]


def test_an_estimate_is_confirmed_part_by_part():
    found = Estimate(0.5, 0.01, 2500)

    assert [each[0] for each in compared(close(0.5, absolute=0.02), found)] == ["x.value"]
    assert [each[0] for each in compared({"standard_error": 0.01}, found)] == ["x.standard_error"]
    assert [each[0] for each in compared(found, found)] == ["x.value", "x.standard_error", "x.n"]


def test_a_mapping_with_other_keys_than_names_is_a_table():
    assert compared({1: 2}, {1: 3, 4: 5}) == [("x", "equal", [2], [3])]


def test_the_leaves_of_a_result_are_the_fields_of_its_records():
    leaves = leaves_of({"chance": 1, "rule": Rule(3, "a"), "table": {1: 2}, "inner": {"rule": Rule(4, "b")}})

    assert list(leaves) == ["chance", "rule.threshold", "rule.name", "table", "inner.rule.threshold", "inner.rule.name"]


# Cells


@pytest.mark.parametrize(
    ("answer", "found", "cells"),
    [
        ({(1, 2): 5}, TABLE, [5]),
        ({1: np.array([3, 4, 5])}, TABLE, [[3, 4, 5]]),
        ({-1: 7}, [5, 6, 7], [7]),
        ({(0, 1): 2}, [[1, 2], [3, 4]], [2]),
        ({(20, -1): 3}, GRID, [3]),
        ({"b": 2}, {"a": 1, "b": 2, (1, 2): 3}, [2]),
        ({10: {0: 1}}, {10: [1, 2]}, [1]),
    ],
)
def test_cells_are_given_by_index_coordinates_or_key(answer, found, cells):
    ((_, _, _, own),) = compared(answer, found)

    assert own == cells


@pytest.mark.parametrize(
    ("answer", "found", "counted"),
    [
        (5, 5, (1, 1)),
        ({(1, 2): 5}, TABLE, (1, 6)),
        ({(1, 2): 5, (0, 0): 0}, TABLE, (2, 6)),
        ({1: TABLE[1]}, TABLE, (3, 6)),
        (TABLE, TABLE, (6, 6)),
        (GRID, GRID, (6, 6)),
        ([1, 2], (1, 2), (2, 2)),
    ],
)
def test_it_is_known_how_many_cells_of_all_are_compared(answer, found, counted):
    assert looked_at(answer, found) == counted


def test_a_mark_around_cells_is_one_around_each_of_them():
    assert compared(simulated({0: 0.5, 1: 0.25}, 100), [0.4, 0.3]) == [("x", "games", [0.5, 0.25], [0.4, 0.3])]


def test_entries_of_a_list_may_have_marks_of_their_own():
    assert compared([1, at_most(3), at_most(4)], (1, 2, 3)) == [
        ("x", "equal", [1], [1]),
        ("x", "at most", [3, 4], [2, 3]),
    ]


def test_cells_of_values_of_all_kinds_are_counted():
    assert [cells_in(each) for each in (3, "abc", None, [1, [2, 3]], {"a": (1, 2), "b": 3}, TABLE, GRID)] == [
        *(1, 1, 1, 3, 3, 6, 6)
    ]


# Errors


@pytest.mark.parametrize(
    ("answer", "found", "message", "cure"),
    [
        ({"treshold": 1}, Rule(3, "a"), "x has no 'treshold'", "did you mean 'threshold'?"),
        (
            one_of(Rule(3, "a")),
            Rule(3, "a"),
            "x is a record, and the answer is one of several",
            "return a mapping of its",
        ),
        (
            close(GRID, absolute=1),
            Grid(TABLE, {"toss": (1, 2), "lead": (0, 1, 2)}),
            "the axes of x are others",
            "return",
        ),
        (3, Rule(3, "a"), "x is a record, and the answer is 3", "return a mapping of its fields: threshold, name"),
        ({5: 1}, [1, 2], "x has nothing at 5", "there is: 0 to 1"),
        ({(30, 0): 1}, GRID, "x has nothing at (30, 0)", "there is: toss 10 to 20, lead -1 to 1"),
        ({10: 1}, GRID, "x has nothing at 10", "there is: toss 10 to 20, lead -1 to 1"),
        ({(9, 9): 1}, TABLE, "x has nothing at (9, 9)", "there is: (0 to 1, 0 to 2)"),
        ({"z": 1}, {"a": 1, 5: 2}, "x has nothing at z", "there is: a, 5"),
        ({0: {9: 1}}, [[1, 2]], "x[0] has nothing at 9", "there is: 0 to 1"),
        ({0: 1}, 7, "x has nothing at 0", "there is: a single value"),
        ([at_most(1)], (1, 2), "x has not the 1 entries of the answer", "return as many as it has"),
        ([at_most(1)], np.array(1), "x has not the 1 entries of the answer", "return as many as it has"),
        ([at_most("a")], "a", "x has not the 1 entries of the answer", "return as many as it has"),
    ],
)
def test_an_answer_that_does_not_fit_says_what_to_write(answer, found, message, cure):
    with pytest.raises(CuredError) as caught:
        list(comparisons("x", answer, found))

    assert str(caught.value).startswith(message)
    assert caught.value.cure.startswith(cure)
