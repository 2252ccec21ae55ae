"""What `solve` returned as a result: its fields, and what no result may be."""

from dataclasses import dataclass

import pytest

from site_builder.contract.bounds import AnnotationError
from site_builder.solving.processes.failure import TaskError
from site_builder.solving.tasks.solved_result import as_record, read_result, refuse_wrong_names, refuse_wrong_values
from site_builder.values.packing import pack
from tests.support.short_solvers import solver_of


@pytest.fixture
def solver(tmp_path):
    return solver_of(tmp_path, '"""A game."""\n\n\ndef solve(n=3):\n    return {}\n')


def refusal(solver, returned):
    """The error about the names of a result for n=3, empty for none."""
    try:
        refuse_wrong_names(solver, {"n": 3}, returned)
    except TaskError as error:
        return str(error)
    return ""


@dataclass(frozen=True)
class Found:
    chance: float
    values: int


@pytest.mark.parametrize("returned", [{"chance": 0.5, "values": 2}, Found(0.5, 2), {"n": 3, "chance": 1}])
def test_a_mapping_and_a_dataclass_are_results_and_may_repeat_a_parameter_with_its_value(solver, returned):
    assert refusal(solver, returned) == ""


def test_a_packed_mapping_is_read_as_it_was_returned():
    whole, fields = read_result(pack(as_record({"chance": 0.5, "values": 2})))

    assert whole == fields == {"chance": 0.5, "values": 2}


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
        refuse_wrong_names(solver, {"n": 3}, returned)

    assert (caught.value.failure.message, caught.value.failure.line) == (message, 4)


def test_a_number_that_is_not_finite_is_refused_in_a_mapping():
    result = {"chance": (0.5, float("nan")), "other": 1}

    refuse_wrong_values(result, ["other"])  # the fields that a sweep keeps
    with pytest.raises(AnnotationError) as caught:
        refuse_wrong_values(result)

    assert str(caught.value) == "in the result, chance holds nan, and no field says that this is meant"
    assert caught.value.cure.startswith("correct solve, or return a dataclass in which it is meant")
