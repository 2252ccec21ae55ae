"""Infinity and NaN in results: found wherever they stand, and allowed where a field says that they are meant."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from site_builder.contract import Grid, NotFinite
from site_builder.contract.bounds import AnnotationError
from site_builder.solving.tasks.solved_result import refuse_wrong_values
from site_builder.solving.tasks.solver import load_solver
from tests.conftest import ROOT

NAN, INFINITY = float("nan"), float("inf")
Meant = Annotated[Any, NotFinite("a test")]


def refusal(result):
    """The error about values of a result, empty for none."""
    try:
        refuse_wrong_values(result)
    except AnnotationError as error:
        return str(error)
    return ""


@dataclass(frozen=True, eq=False)
class Holding:
    value: Any


@dataclass(frozen=True, eq=False)
class Pair:
    plain: Any
    meant: "Annotated[Any, NotFinite('no play leads there')]"


@dataclass(frozen=True, eq=False)
class Marked:
    value: Annotated[Any, NotFinite("all of it")]


@dataclass(frozen=True, eq=False)
class MarkedInside:
    row: tuple[Annotated[float, NotFinite("lost")], ...] | None
    by_name: Mapping[str, Meant]


@dataclass(frozen=True, eq=False)
class Unreadable:
    value: "Annotated[Missing, NotFinite('a name that nothing has')]"  # noqa: F821
    other: float


@dataclass(frozen=True, eq=False)
class Derived(Pair):
    more: float = 0.0


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (NAN, "nan"),
        (-INFINITY, "-inf"),
        (np.float32("inf"), "inf"),
        (Decimal("NaN"), "NaN"),
        (Decimal("sNaN"), "sNaN"),
        ((1, (2.0, NAN)), "nan"),
        ([INFINITY], "inf"),
        ({"a": 1.0, "b": (NAN,)}, "nan"),
        (MappingProxyType({"a": NAN}), "nan"),
        (np.array(NAN), "nan"),
        (np.array([[1, 2, 3], [4, INFINITY, NAN]]), "inf"),
        (np.array([1, NAN], dtype=np.float16), "nan"),
        (np.array([Fraction(1, 2), (1, NAN)], dtype=object), "nan"),
        (Grid(np.array([[0, 1], [NAN, 2]]), {"toss": (0, 5), "lead": ("a", "b")}), "nan"),
    ],
)
def test_a_number_that_is_not_finite_is_found_wherever_it_stands(value, number):
    with pytest.raises(AnnotationError, match=f"in the result, value holds {number}, and no field says") as caught:
        refuse_wrong_values(Holding(value))

    assert caught.value.record == Holding


@given(
    some.recursive(
        some.none()
        | some.booleans()
        | some.integers()
        | some.fractions()
        | some.text()
        | some.binary()
        | some.floats(allow_nan=False, allow_infinity=False)
        | some.decimals(allow_nan=False, allow_infinity=False),
        lambda inner: some.lists(inner).map(tuple) | some.dictionaries(some.text(), inner) | inner.map(Holding),
    )
)
def test_what_is_finite_throughout_is_left_alone(value):
    assert refusal(Holding(value)) == ""


def test_the_largest_and_smallest_floats_are_finite():
    limits = np.finfo(float)

    assert refusal(Holding(np.array([limits.max, limits.min, limits.smallest_subnormal, -0.0]))) == ""


@pytest.mark.parametrize(
    "result",
    [
        Marked(NAN),
        Pair(0.0, np.array([NAN])),
        Holding((Pair(1, NAN), {"a": Pair(2, INFINITY)})),
        MarkedInside((1.0, NAN), {"a": NAN}),
        Derived(0.0, NAN),
    ],
)
def test_a_field_that_is_marked_may_hold_them(result):
    assert refusal(result) == ""


def test_the_field_to_be_marked_is_that_of_the_innermost_record():
    with pytest.raises(AnnotationError, match="plain holds nan") as caught:
        refuse_wrong_values(Marked({"a": (Pair(NAN, 0),)}))

    assert caught.value.record == Pair


def test_a_marker_says_nothing_of_the_fields_beside_it():
    with pytest.raises(AnnotationError, match="plain holds nan"):
        refuse_wrong_values(Pair(NAN, NAN))


def test_only_the_fields_that_are_asked_for_are_looked_at():
    result = Pair(NAN, 0)

    refuse_wrong_values(result, ["meant"])
    with pytest.raises(AnnotationError, match="plain holds nan"):
        refuse_wrong_values(result, ["meant", "plain"])


@pytest.mark.parametrize("result", [Unreadable(NAN, 0.0), Unreadable(0.0, NAN)])
def test_an_annotation_that_cannot_be_read_is_an_error_of_its_class(result):
    said = r"an annotation of Unreadable cannot be read: name 'Missing' is not defined"
    with pytest.raises(AnnotationError, match=said):
        refuse_wrong_values(result)


@pytest.mark.parametrize("words", ["np.Missing", "Annotated[float, NotFinite(5 +)]", "NotFinite('why') | 3"])
def test_an_annotation_that_fails_otherwise_is_an_error_of_its_class_too(words):
    kind = dataclass(type("Unreadable", (), {"__annotations__": {"value": words}, "__module__": __name__}))

    with pytest.raises(AnnotationError, match="an annotation of Unreadable cannot be read: "):
        refuse_wrong_values(kind(0.0))


SOLVERS = sorted(path.parent.name for path in (ROOT / "solvers").glob("*/__init__.py") if path.parent.name != "common")


@pytest.mark.parametrize("name", SOLVERS)
def test_the_solvers_mark_what_is_meant_and_hold_nothing_else(name):
    solver = load_solver(name)

    assert refusal(solver.solve(solver.completed({}))) == ""


# On the way from a solver to the author

PIECES = '''
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from site_builder.contract import Grid, NotFinite


@dataclass(frozen=True, eq=False)
class Way:
    """A way through the game.

    length: how long it is.
    """

    steps: tuple[str, ...]
    length: float
    by_state: Annotated[Grid, NotFinite("no play leads there")]


def way(length):
    grid = Grid(np.array([0.5, np.nan]), {"state": ("start", "nowhere")})
    return Way(("one",), length, grid)
'''
SOLVER = '''"""A game in two files."""

from typing import Annotated

from site_builder.contract import Field
from solvers.walk.pieces import way


def solve(
    steps: Annotated[int, Field(ge=0, le=9, description="steps")] = 1,
    slope: Annotated[float, Field(ge=0, description="how steep it is")] = 1.0,
    patience: Annotated[float, Field(ge=1)] = 9.0,
):
    lost = float("inf") if steps == 3 else 1.0
    return {"ways": {"short": way(LENGTH)}, "pace": lost, "chance": 0.25}
'''


@pytest.fixture
def walk(project):
    """A project with a solver in two files, whose results hold what `length` says."""

    def made(length="1.0"):
        project.write("solvers/walk/pieces.py", PIECES)
        project.write("solvers/walk/__init__.py", SOLVER.replace("LENGTH", length))
        return project

    return made


def test_the_fault_is_at_the_class_in_the_file_that_declares_it(walk):
    project = walk("float('-inf')")
    project.post("Text.\n", front="runs:\n  mine: {solver: walk}\n")

    told = project.build(status=1).err

    line = PIECES.splitlines().index("@dataclass(frozen=True, eq=False)") + 1
    assert (
        f"solver 'walk' failed in run 'mine': solvers/walk/pieces.py:{line}: "
        "in the result, length holds -inf, and no field says that this is meant"
    ) in told
    assert 'correct solve, or say why it is meant: length: Annotated[..., NotFinite("what it stands for")]' in told


def test_what_a_field_says_is_meant_builds(walk):
    project = walk()
    project.post("It is {{ results.mine.chance | number(2) }}.\n", front="runs:\n  mine: {solver: walk}\n")

    project.build()

    assert "It is 0.25." in project.page("posts/ruin/index.html")


def test_the_kept_fields_of_every_point_of_a_sweep_are_looked_at(walk):
    project = walk()
    project.post("Text.\n", "fine", front="runs:\n  by: {solver: walk, sweep: {steps: [2, 3]}, keep: chance}\n")
    project.post("Text.\n", "lost", front="runs:\n  by: {solver: walk, sweep: {steps: [2, 3]}, keep: pace}\n")

    told = project.build(status=1).err

    assert "content/posts/fine.md" not in told
    assert "content/posts/lost.md" in told
    assert "in the result, pace holds inf, and no field says that this is meant" in told
    assert "parameters: steps=3, " in told


def test_a_parameter_is_finite(walk):
    project = walk()
    project.post("Text.\n", "steep", front="runs:\n  mine:\n    solver: walk\n    parameters:\n      slope: .inf\n")
    project.post("Text.\n", "nowhere", front="runs:\n  mine:\n    solver: walk\n    parameters:\n      slope: .nan\n")

    told = project.build(status=1).err

    assert "content/posts/steep.md:8: slope is inf; it must be a finite number" in told
    assert "content/posts/nowhere.md:8: slope is nan; it must be a finite number" in told


def test_a_default_is_finite(walk):
    project = walk()
    project.write("solvers/walk/__init__.py", SOLVER.replace("LENGTH", "1.0").replace("9.0", 'float("inf")'))
    project.post("Text.\n", front="runs:\n  mine: {solver: walk}\n")

    told = project.build(status=1).err

    assert "solvers/walk/__init__.py:9: solver 'walk': in the defaults patience is inf; it must be a finite" in told
