"""What a solver may say: exact parameters, and grids that are asked by coordinates."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from pydantic import ValidationError

from site_builder.contract import Grid
from tests.support.short_solvers import solver_of

PARAMETERS = """
from fractions import Fraction
from typing import Annotated

from site_builder.contract import Field


def solve(
    flips: Annotated[int, Field(ge=1, le=10)] = 5,
    chance: Annotated[Fraction, Field(ge=0, le=1)] = Fraction(1, 2),
    values: tuple[Fraction, ...] = (),
    steepness: float = 1.0,
    several: tuple[float, ...] = (),
):
    return {}
"""


@pytest.fixture(scope="module")
def completed(tmp_path_factory):
    """The parameters of a solver, of which these are given."""
    solver = solver_of(tmp_path_factory.mktemp("solver"), PARAMETERS)
    return lambda **given_values: solver.completed(given_values)


@pytest.mark.parametrize("written", [0.6, "0.6", "3/5", " 6/10 ", Decimal("0.6"), Fraction(3, 5)])
def test_a_rational_is_exactly_what_was_written(completed, written):
    assert completed(chance=written)["chance"] == Fraction(3, 5)


@pytest.mark.parametrize("written", ["three", "1/0", True, None, float("nan"), float("inf"), "1e99999", [1], "1/2/3"])
def test_what_is_no_rational_is_refused(completed, written):
    with pytest.raises(ValidationError, match=r"a number such as 0.6|between|less than"):
        completed(chance=written)


@given(some.decimals(0, 1, allow_nan=False, places=12))
def test_every_decimal_is_taken_exactly(completed, number):
    assert completed(chance=number)["chance"] == Fraction(number)
    assert completed(chance=str(number))["chance"] == Fraction(number)


@pytest.mark.parametrize(
    "given_values",
    [{"flips": 0}, {"flips": 2.0}, {"flips": "2"}, {"flips": True}, {"flip": 2}, {"chance": 2}, {"values": [1]}],
)
def test_parameters_are_strict(completed, given_values):
    with pytest.raises(ValidationError):
        completed(**given_values)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("field", ["steepness", "several"])
def test_a_parameter_is_finite(completed, field, number):
    with pytest.raises(ValidationError, match="finite number"):
        completed(**{field: number if field == "steepness" else (1.0, number)})


def test_a_grid_is_asked_by_the_coordinates_of_its_axes():
    grid = Grid(np.arange(6).reshape(2, 3), {"toss": range(2), "lead": np.array([-1, 0, 1])})

    assert grid.at(toss=1, lead=-1) == 3
    assert type(grid.at(toss=1, lead=-1)) is int
    assert grid.along(toss=1).axes == {"lead": (-1, 0, 1)}
    assert list(grid.along(toss=1).values) == [3, 4, 5]


@pytest.mark.parametrize(
    ("coordinates", "words"),
    [
        ({"toss": 0}, "needs a coordinate for lead"),
        ({"toss": 0, "lead": 9}, "axis 'lead' has no coordinate 9; it runs from -1 to 1"),
        ({"toss": 0, "led": 0, "lead": 0}, "no axis 'led'; it has: toss, lead"),
    ],
)
def test_a_coordinate_that_does_not_exist_is_named(coordinates, words):
    grid = Grid(np.zeros((2, 3)), {"toss": range(2), "lead": range(-1, 2)})

    with pytest.raises(LookupError, match=words):
        grid.at(**coordinates)


def test_a_grid_whose_shape_and_axes_disagree_is_refused():
    with pytest.raises(ValueError, match="axes of lengths"):
        Grid(np.zeros((2, 2)), {"a": range(2), "b": range(3)})
