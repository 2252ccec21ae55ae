"""Numbers outside of the bounds of their field, at any depth of a result."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
import pytest

from site_builder.contract import Bounds, Grid
from site_builder.contract.bounds import AnnotationError
from site_builder.solving.tasks.solved_result import refuse_wrong_values
from site_builder.values.plain_values import text_of
from tests.conftest import RUIN


@dataclass(frozen=True, eq=False)
class Result:
    chance: Annotated[Any, Bounds(0, 1)]
    free: Any = None
    rows: "tuple[Annotated[Any, Bounds(None, 3)], ...] | None" = None


@dataclass(frozen=True, eq=False)
class Around:
    pairs: Any


def found(result, fields=None):
    """The words of the field and of the number that is refused; None where none is."""
    try:
        return refuse_wrong_values(result, fields)
    except AnnotationError as error:
        return str(error).removeprefix("in the result, ").removesuffix(", outside of its bounds")


@pytest.mark.parametrize(
    "value",
    [
        *(0, 1, 0.5, Fraction(1, 3), 1 + 1e-12, -1e-12, True, None, "2"),
        *((0, (1, 0.5)), {"a": 1}, np.array([0.0, 1.0]), np.array([Fraction(1, 2)])),
        Grid(np.array([0.0, 1.0]), {"n": (1, 7)}),
    ],
)
def test_numbers_within_the_bounds_and_what_is_no_number_are_taken(value):
    assert found(Result(value, free=7)) is None


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (Fraction(10**400 + 1, 10**400), Fraction(10**400 + 1, 10**400)),
        (10**400, 10**400),
        (-0.001, -0.001),
        ((0, (1, 1.5)), 1.5),
        ({"a": 0, "b": [2]}, 2),
        (np.array([[0.0, 1.0], [1.25, 0.0]]), 1.25),
        (np.array([Fraction(3, 2)]), Fraction(3, 2)),
        (Grid(np.array([0.0, -1.0]), {"n": (1, 7)}), -1.0),
    ],
)
def test_the_first_number_outside_is_found_at_any_depth(value, number):
    assert found(Result(value)) == f"chance holds {text_of(number)}"


@dataclass(frozen=True, eq=False)
class Counts:
    ways: Annotated[Any, Bounds(0, None)]
    below: Annotated[Any, Bounds(None, 2**60)] = 0
    half: Annotated[Any, Bounds(Fraction(1, 2), None)] = 1


def test_a_sum_in_an_array_that_exceeds_64_bits_breaks_the_bounds_of_counts():
    ways = np.array([2**62, 2**62 - 1])

    assert found(Counts(ways)) is None
    assert found(Counts(ways + ways)) == f"ways holds {-(2**63)}"  # numpy wraps the first sum without a warning


def test_whole_numbers_in_arrays_are_compared_exactly():
    assert found(Counts(0, below=np.array([2**60]))) is None
    assert found(Counts(0, below=np.array([2**60 + 1]))) == f"below holds {2**60 + 1}"
    assert found(Counts(0, half=np.array([1, 0]))) == "half holds 0"


def test_a_bound_may_be_left_open_and_stand_inside_a_type():
    assert found(Result(0, rows=(-(10**9), 3))) is None
    assert found(Result(0, rows=(1, 4))) == "rows holds 4"


def test_records_inside_a_result_have_bounds_of_their_own():
    assert found(Around({"a": (Result(1), Result(2))})) == "chance holds 2"


def test_fields_that_a_sweep_does_not_keep_are_left_alone():
    assert found(Result(2, free=1), ["free"]) is None


def test_a_build_stops_at_the_class_with_the_field_whose_bounds_are_broken(project):
    solver = RUIN.replace("import Column", "import Bounds, Column")
    project.write(
        "solvers/gamblers_ruin.py", solver.replace("half: Fraction", "half: Annotated[Fraction, Bounds(0, 1/4)]")
    )
    project.post("{{ results.fair.half }}")

    line = solver.splitlines().index("@dataclass(frozen=True, eq=False)") + 1
    said = project.build(status=1).err
    assert f"solvers/gamblers_ruin.py:{line}: in the result, half holds 1/2, outside of its bounds" in said
    assert "mend: correct solve, or the mark Bounds(0, 0.25) of half" in said


def test_a_build_stops_at_an_annotation_whose_bounds_cannot_be_read(project):
    solver = RUIN.replace("from dataclasses import dataclass", "from __future__ import annotations").replace(
        "@dataclass", "@dataclasses.dataclass"
    )
    solver = solver.replace("from fractions import Fraction\nfrom typing import Annotated", UNDER_TYPE_CHECKING)
    solver = solver.replace("import Column", "import Bounds, Column")
    solver = solver.replace("Fraction(s, goal)", "s / goal").replace("= Fraction(1, 2)", "= 0.5")
    solver = solver.replace("win: Annotated[Fraction", "win: Annotated[float")
    solver = solver.replace("half: Fraction", "half: Annotated[Fraction, Bounds(0, 1/4)]")
    project.write("solvers/gamblers_ruin.py", solver)
    project.post("{{ results.fair.half }}")

    line = solver.splitlines().index("@dataclasses.dataclass(frozen=True, eq=False)") + 1
    said = project.build(status=1).err
    assert f"solvers/gamblers_ruin.py:{line}: an annotation of Result cannot be read" in said
    assert "name 'Fraction' is not defined" in said
    assert "import it where the solver runs, too, and not under `if TYPE_CHECKING:` alone" in said


UNDER_TYPE_CHECKING = """\
import dataclasses
from typing import TYPE_CHECKING, Annotated

if TYPE_CHECKING:
    from fractions import Fraction
"""
