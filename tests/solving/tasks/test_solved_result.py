"""What `solve` returned as a result: its fields, and what no result may be."""

from dataclasses import dataclass

import pytest

from site_builder.solving.processes.failure import TaskError
from site_builder.solving.tasks.solved_result import read_result, result_of
from site_builder.values.packing import pack
from tests.support.short_solvers import solver_of


@pytest.fixture
def solver(tmp_path):
    return solver_of(tmp_path, '"""A game."""\n\n\ndef solve(n=3):\n    return {}\n')


@dataclass(frozen=True)
class Found:
    chance: float
    values: int


def test_a_mapping_and_a_dataclass_are_results_with_their_fields(solver):
    assert result_of(solver, {"n": 3}, {"chance": 0.5, "values": 2}).fields == {"chance": 0.5, "values": 2}
    assert result_of(solver, {"n": 3}, Found(0.5, 2)).fields == {"chance": 0.5, "values": 2}


def test_a_packed_mapping_is_read_as_it_was_returned(solver):
    found = result_of(solver, {"n": 3}, {"chance": 0.5, "values": 2})

    whole, fields = read_result(pack(found.whole))

    assert whole == fields == {"chance": 0.5, "values": 2}


def test_a_field_may_repeat_a_parameter_with_its_value(solver):
    assert result_of(solver, {"n": 3}, {"n": 3, "chance": 1}).fields == {"n": 3, "chance": 1}


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "solve returned None"),
        ((1, 2), "solve returned (1, 2)"),
        ({}, "the result is empty"),
        ({1: 2}, "the result has a field 1; a field is named by letters, digits and _"),
        ({"a b": 2}, "the result has a field 'a b'; a field is named by letters, digits and _"),
        ({"_a": 2}, "the result has a field '_a'; a field is named by letters, digits and _"),
        ({"figures": 2}, "the result has a field 'figures', a name that every run has already"),
        ({"result": 2}, "the result has a field 'result', a name that every run has already"),
        ({"look": 2}, "the result has a field 'look', a name that every run has already"),
        ({"n": 4}, "the result has a field 'n', the name of a parameter, with another value"),
    ],
)
def test_what_is_no_result_is_refused_at_solve(solver, returned, message):
    with pytest.raises(TaskError) as caught:
        result_of(solver, {"n": 3}, returned)

    assert (caught.value.failure.message, caught.value.failure.line) == (message, 4)


def test_a_number_that_is_not_finite_is_refused_in_a_mapping(solver):
    found = result_of(solver, {"n": 3}, {"chance": (0.5, float("nan")), "other": 1})

    found.refuse_wrong_numbers(["other"])  # the fields that a sweep keeps
    with pytest.raises(TaskError) as caught:
        found.refuse_wrong_numbers()

    assert caught.value.failure.message == "in the result, chance holds nan, and no field says that this is meant"
    assert caught.value.failure.cure.startswith("correct solve, or return a dataclass in which it is meant")
