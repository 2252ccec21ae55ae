"""Packing values as bytes, and unpacking them."""

import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from site_builder.contract import Action, ErrorBound, Estimate, Grid, PolicyMap
from site_builder.errors import CuredError
from site_builder.values.known_float import KnownFloat
from site_builder.values.packing import Record, fields_of, pack, unpack

# What every page can show: no control characters, surrogates or noncharacters.
texts = some.text(some.characters(exclude_categories=["Cc", "Cs", "Cn"]))
scalars = (
    some.none()
    | some.booleans()
    | some.integers()
    | some.floats(allow_nan=False)
    | texts
    | some.fractions()
    | some.binary()
)
values = some.recursive(
    scalars,
    lambda inner: some.lists(inner).map(tuple) | some.dictionaries(texts | some.integers(), inner),
    max_leaves=12,
)


@dataclass(frozen=True, eq=False)
class Result:
    chance: Fraction
    table: np.ndarray
    steps: tuple[int, ...]


@given(values)
def test_every_plain_value_comes_back_equal_and_of_its_kind(value):
    back = unpack(pack(value))

    assert back == value
    assert _kinds(back) == _kinds(value)


def _kinds(value):
    if isinstance(value, tuple):
        return tuple(_kinds(entry) for entry in value)
    if isinstance(value, dict):
        return [(_kinds(k), _kinds(v)) for k, v in value.items()]
    return type(value)


@pytest.mark.parametrize(
    "array", [np.arange(6).reshape(2, 3), np.array([1.5, np.nan]), np.array([], bool), np.array("ab")]
)
def test_an_array_comes_back_with_its_type_and_shape(array):
    back = unpack(pack(array))

    assert back.dtype == array.dtype
    assert back.shape == array.shape
    np.testing.assert_array_equal(back, array)


def test_a_grid_of_exact_fractions_stays_exact_and_can_be_asked_by_coordinates():
    values = np.array([[Fraction(1, 3), 0], [Fraction(2**70, 3), 1]], dtype=object)

    back = unpack(pack(Grid(values, {"toss": [0, 1], "call": ["rush", "pass"]})))

    assert back.at(toss=1, call="rush") == Fraction(2**70, 3)


def test_a_solvers_result_comes_back_as_a_record_with_its_fields():
    record = unpack(pack(Result(Fraction(1, 2), np.arange(3), (1, 2))))

    assert isinstance(record, Record)
    assert record.chance == Fraction(1, 2)
    assert list(fields_of(record)) == ["chance", "table", "steps"]
    with pytest.raises(AttributeError, match="there is: chance, table, steps"):
        _ = record.chances


def test_packing_a_record_gives_the_bytes_of_the_result_it_stands_for():
    packed = pack(Result(Fraction(1, 2), np.arange(3), (1, 2)))

    assert pack(unpack(packed)) == packed


def test_a_figure_comes_back_as_the_same_kind_of_figure():
    grid = Grid(np.zeros((2, 2), int), {"a": range(2), "b": range(2)})

    back = unpack(pack(PolicyMap("Map", grid, "b", (Action("left", "L"),), "A map.")))

    assert isinstance(back, PolicyMap)
    assert back.actions[0].letter == "L"
    assert back.grid.axes == {"a": (0, 1), "b": (0, 1)}


def test_a_kind_that_cannot_be_packed_is_refused_by_the_name_of_its_field():
    with pytest.raises(ValueError, match=r"result\['found'\]\[1\] is a set"):
        pack({"found": (1, {2, 3})})


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.float32(0.1), "float32, which is right to 6 digits"),
        (np.zeros(2, "f2"), "float16, which is right to 3 digits"),
    ],
)
def test_floats_of_few_digits_are_refused(value, message):
    with pytest.raises(ValueError, match=rf"^result\['x'\] is of {message} and would be printed with more; use float$"):
        pack({"x": value})


def test_a_list_that_holds_itself_is_refused_by_the_name_of_its_field():
    value = []
    value.append(value)

    with pytest.raises(CuredError, match="table holds itself, or lists within lists too deep to be written") as error:
        pack({"a": value}, "table")
    assert error.value.cure.startswith("return numbers, texts, None, lists")


@pytest.mark.parametrize("value", [np.ma.masked_array([1.0, 2.0], mask=[0, 1]), np.ma.masked])
def test_a_masked_array_is_refused_since_its_numbers_would_show(value):
    with pytest.raises(ValueError, match="result is a masked array, which no result may hold"):
        pack(value)


@dataclass(frozen=True)
class Marked:
    chance: Annotated[Any, ErrorBound(1e-9)]
    other: float = 0.5


def test_a_marked_float_comes_back_with_its_error_and_others_without():
    found = unpack(pack(Marked((0.25, {"a": np.float64(0.75), "b": Fraction(1, 3)}))))

    first, more = found.chance
    assert (first, more) == (0.25, {"a": 0.75, "b": Fraction(1, 3)})
    assert (first.error, more["a"].error) == (1e-9, 1e-9)
    assert type(found.other) is float
    assert pack(found) == pack(Marked((0.25, {"a": 0.75, "b": Fraction(1, 3)})))


def test_what_is_computed_from_a_marked_float_has_no_mark():
    assert type(2 * KnownFloat(0.25, 1e-9)) is float


@pytest.mark.parametrize("value", [np.zeros(2), Grid(np.zeros(1), {"step": [0]})])
def test_a_marked_array_is_refused_by_the_name_of_its_field(value):
    with pytest.raises(ValueError, match=r"chance is a (ndarray|Grid); ErrorBound marks floats, tuples and mappings"):
        pack(Marked(value))


def test_an_estimate_comes_back_as_one():
    assert unpack(pack(Estimate(0.79, 0.004, 100))) == Estimate(0.79, 0.004, 100)


def test_bytes_are_the_same_in_another_process():
    value = {"a": (Fraction(1, 3), 2**80), "b": np.linspace(0, 1, 5)}
    code = (
        "import sys, numpy as np; from fractions import Fraction; from site_builder.values.packing import pack;"
        "sys.stdout.buffer.write(pack({'a': (Fraction(1, 3), 2**80), 'b': np.linspace(0, 1, 5)}))"
    )

    elsewhere = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout

    assert elsewhere == pack(value)


@given(some.binary() | some.text().map(str.encode) | values.map(pack).map(lambda b: b[:-3]))
def test_other_bytes_give_a_value_or_a_value_error(data):
    try:
        unpack(data)
    except ValueError:
        return
    assert data


@pytest.mark.parametrize("text", ["a\x00b", "\ud800", "\ufdd00\ufdd1", "\uffff"])
@pytest.mark.parametrize("wrap", [str, lambda text: {text: 1}, lambda text: np.array([text])])
def test_a_text_that_no_page_can_show_is_not_packed(text, wrap):
    with pytest.raises(ValueError, match=r"holds the character U\+[0-9A-F]{4}, which no page can show"):
        pack((wrap(text),))
