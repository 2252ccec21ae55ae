"""The annotated types of dataclasses in a result are enforced."""

from dataclasses import make_dataclass
from fractions import Fraction
from typing import Annotated, Literal

import numpy as np
import pytest

from site_builder.contract import Bounds, Grid
from site_builder.contract.bounds import AnnotationError
from site_builder.solving.tasks.solved_result import refuse_wrong_values
from tests.solving.tasks.test_finiteness import refusal

GRID = Grid(np.zeros(2), {"a": (0, 1)})


def record(kind, value):
    made = make_dataclass("Result", [("x", kind)], namespace={"__module__": "solvers.dice"})
    return made(value)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (int, 3),
        (int, np.int64(3)),
        (float, 3),
        (float, np.float64(0.5)),
        (Fraction, Fraction(1, 2)),
        (Fraction, 1),
        (int | None, None),
        (tuple[Fraction, ...], [Fraction(1, 2), 1]),
        (list[int], (1, 2)),
        (tuple[int, str], (1, "a")),
        (dict[str, int], {"a": 1}),
        (Annotated[float, Bounds(0, 1)], 0.5),
        (Literal["A", "B"], "A"),
        (Grid, GRID),
        (np.ndarray, np.zeros(2)),
    ],
)
def test_values_of_the_annotated_type_are_right(kind, value):
    assert refusal(record(kind, value)) == ""


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (int, 1.5),
        (int, True),
        (bool, 1),
        (Fraction, 0.5),
        (str, 3),
        (int, None),
        (tuple[Fraction, ...], [0.5]),
        (tuple[int, str], (1, "a", 2)),
        (Literal["A", "B"], "C"),
        (Grid, np.zeros(2)),
        (dict[str, int], {"a": "b"}),
    ],
)
def test_a_value_of_another_type_is_found_with_its_field(kind, value):
    with pytest.raises(AnnotationError, match=r"in the result, x is .*, and its type is "):
        refuse_wrong_values({"inside": [record(kind, value)]})


def test_a_field_that_a_sweep_does_not_keep_has_its_type_too():
    result = {"kept": 1, "other": record(int, 1.5)}

    with pytest.raises(AnnotationError, match=r"x is 1\.5, and its type is int"):
        refuse_wrong_values(result, ["kept"])
