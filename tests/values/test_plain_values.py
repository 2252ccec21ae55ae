"""Values as plain text and JSON: the same for what a solver made and for what the builder reads of it."""

import json
import math
import subprocess
import sys
from collections import namedtuple
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from hypothesis.extra.numpy import array_shapes, arrays

from site_builder.contract import Column, Grid, Table
from site_builder.values.packing import Record, pack, unpack
from site_builder.values.plain_values import fields_of_any, plain_json, report, text_of
from tests.conftest import ROOT

texts = some.text(some.characters(exclude_categories=["Cc", "Cs", "Cn"]), max_size=20)
scalars = (
    some.none()
    | some.booleans()
    | some.integers()
    | some.floats()
    | texts
    | some.fractions()
    | some.binary(max_size=40)
)
values = some.recursive(
    scalars | arrays(np.float64, array_shapes()) | arrays(np.int16, array_shapes()),
    lambda inner: some.lists(inner, max_size=40) | some.dictionaries(texts | some.integers(), inner),
    max_leaves=40,
)
Pair = namedtuple("Pair", "left right")


class Call(StrEnum):
    RUSH = "rush"


class Word(str, Enum):  # noqa: UP042 - its words are other ones than a StrEnum's
    PASS = "pass"


class Coin(IntEnum):
    HEADS = 1


@dataclass(frozen=True)
class Small:
    points: int


@dataclass(frozen=True)
class Nothing:
    pass


@dataclass(frozen=True, eq=False)
class Odd:
    """Fields with the names of what arrays and grids have."""

    item: int
    shape: tuple[int, ...]
    values: tuple[int, ...]
    axes: str
    tolist: int
    found: int = field(init=False, default=7)


def travelled(value):
    """The value as the builder reads it from a solver's bytes."""
    return unpack(pack(value))


@given(values)
def test_a_value_has_the_same_text_before_and_after_packing(value):
    assert text_of(travelled(value)) == text_of(value)


@pytest.mark.parametrize(
    "value",
    [
        Small(3),
        Nothing(),
        Odd(1, (2,), (3, 4), "x", 5),
        (Small(1), Small(2)),
        {"a": Small(1)},
        Pair(1, Small(2)),
        Call.RUSH,
        Word.PASS,
        Coin.HEADS,
        np.float64(0.1),
        np.bool_(True),
        np.int8(3),
        np.array(3),
        np.array([[Fraction(1, 3), 2]], dtype=object),
        np.array(["ab", "c"]),
        np.array([], float),
        np.zeros((0, 3)),
        np.arange(3, dtype=">i4"),
        Grid(np.zeros((2, 3)), {"flips": range(2), "coin": ("A", "B", "C")}),
        Grid(np.array([Fraction(1, 2), 1], dtype=object), {"p": (0.5, Fraction(1, 3))}),
        Table("Chances", (Column("coins", (1, 2)),), "All."),
        range(30),
        Decimal("0.10"),
        date(2020, 2, 21),
        2**60000,
        Fraction(1, 3**30000),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_a_solver_made_reads_the_same_as_what_stands_for_it_in_the_builder(value):
    assert text_of(travelled(value)) == text_of(value)
    assert report(travelled(Holding(value))) == report(Holding(value))


@dataclass(frozen=True, eq=False)
class Holding:
    held: object


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 3), "1/3"),
        (Fraction(4, 2), "2"),
        (0.1, "0.1"),
        (-0.0, "0.0"),
        (2.0, "2.0"),
        (math.inf, "inf"),
        (True, "True"),
        (None, "None"),
        ("tie", "tie"),
        ("two\nlines\u2028and more", "two\\nlines\\u2028and more"),
        ((1, "a"), "(1, a)"),
        ({"a": Fraction(1, 2)}, "{a: 1/2}"),
        (Small(3), "(points=3)"),
        (Nothing(), "()"),
        (b"\x01\xff", "01ff"),
        (np.array([1, 2]), "[1, 2]"),
        (np.array([[1, 2], [3, 4]]), "2 x 2 array [1, 2, 3, 4]"),
        (Grid(np.zeros(2), {"n": (1, 2)}), "[0.0, 0.0] over n 1, 2"),
    ],
    ids=str,
)
def test_a_value_is_written_as_people_write_it(value, text):
    assert text_of(value) == text


def test_what_is_long_is_cut_to_its_beginning_and_its_size():
    assert text_of(range(101)).startswith("(0, 1, 2, 3, 4, 5, ... 101 in all, digest ")
    assert text_of(np.zeros((30, 2))).startswith("30 x 2 array [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, ... 60 in all, digest ")
    assert text_of(b"x" * 25).startswith("25 bytes, digest ")
    assert text_of("x" * 1001).startswith("xxx")
    assert len(text_of("x" * 10**6)) < 200
    assert text_of(-(2**20000)).startswith("-0x1000")
    assert len(text_of(Fraction(2**50000, 3**50000))) < 200
    assert "over n 0 to 100 (101)" in text_of(Grid(np.zeros(101), {"n": range(101)}))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (tuple(range(101)), (*range(50), 0, *range(51, 101))),
        (np.arange(101), np.where(np.arange(101) == 70, 0, np.arange(101))),
        (2**20000, 2**20000 + 1),
        ("x" * 1001, "x" * 1000 + "y"),
        (b"x" * 25, b"x" * 24 + b"y"),
        ({n: n for n in range(99)}, {n: n if n != 60 else 0 for n in range(99)}),
        (Grid(np.zeros(5), {"n": (1, 2, 3, 4, 9)}), Grid(np.zeros(5), {"n": (1, 2, 3, 5, 9)})),
        (Grid(np.zeros(5), {"n": (1, 2, 3, 4, 5)}), Grid(np.zeros(5), {"m": (1, 2, 3, 4, 5)})),
    ],
    ids=["tuple", "array", "whole number", "text", "bytes", "mapping", "axis", "name of an axis"],
)
def test_a_change_deep_inside_changes_the_text(one, other):
    assert text_of(one) != text_of(other)


def test_a_report_has_a_line_for_each_field_and_floats_with_the_digits_that_are_sure():
    @dataclass(frozen=True)
    class Result:
        chance: Fraction
        rounded: float
        word: str

    assert report(Result(Fraction(1, 3), 0.1 + 0.2, "a\nb")) == "chance = 1/3\nrounded = 0.3\nword = a\\nb\n"
    assert text_of(0.1 + 0.2) == "0.30000000000000004"


def test_the_last_digits_of_floats_may_differ_in_a_report_also_deep_inside():
    one, other = np.full(100, 0.1 + 0.2), np.full(100, 0.3)

    assert report(Holding(one)) == report(Holding(other))
    assert text_of(one) != text_of(other)
    assert text_of(one * 0) == text_of(one * -0.0)


def test_writing_a_record_asks_for_its_own_fields_alone():
    asked = []
    record = Record({"points": 3}, "solvers.a:Small", asked.append)

    assert text_of(record) == "(points=3)"
    assert asked == []


def test_the_fields_of_anything_else_are_none():
    assert fields_of_any(3) == fields_of_any({"a": 1}) == fields_of_any(Pair(1, 2)) == {}


def test_it_needs_the_standard_library_alone():
    code = "import sys; sys.path.append(sys.argv[1]); import site_builder.values.plain_values; print(*sys.modules)"

    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(ROOT)], capture_output=True, text=True, check=True
    )

    tops = {name.partition(".")[0] for name in ran.stdout.split()}
    assert tops - sys.stdlib_module_names <= {"__main__", "site_builder", "_sysconfigdata__linux_x86_64-linux-gnu"}
    assert [name for name in ran.stdout.split() if name.startswith("site_builder.")] == [
        "site_builder.values",
        "site_builder.values.plain_values",
    ]


@dataclass(frozen=True)
class Rule:
    below: str
    share: Fraction


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (Fraction(3, 5), {"exact": "3/5", "float": 0.6}),
        (Fraction(2), {"exact": "2", "float": 2.0}),
        (Decimal("0.1"), {"exact": "0.1", "float": 0.1}),
        (2**53 - 1, 9007199254740991),
        (2**53, {"exact": "9007199254740992", "float": 9007199254740992.0}),
        (10**400, {"exact": "1" + "0" * 400, "float": None}),
        (16**5000, {"exact": "0x1" + "0" * 5000, "float": None}),
        (0.1, 0.1),
        (float("inf"), "inf"),
        (float("-inf"), "-inf"),
        (np.float64("nan"), "nan"),
        (Decimal("NaN"), "nan"),
        (Decimal("-sNaN"), "nan"),
        (Decimal("Infinity"), "inf"),
        (Decimal("-Infinity"), "-inf"),
        ({1: 2, "1": 3}, {"1": 2, "'1'": 3}),
        (True, True),
        (None, None),
        ("ä", "ä"),
        (date(2026, 1, 2), "2026-01-02"),
        (b"\x01\xff", "01ff"),
        ((1, (2, "x")), [1, [2, "x"]]),
        ({"a": Fraction(1, 2), 3: 4}, {"a": {"exact": "1/2", "float": 0.5}, "3": 4}),
        (np.array([[1.5, np.nan]]), {"shape": [1, 2], "values": [[1.5, "nan"]]}),
        (Grid(np.array([1, 2]), {"t": ("a", "b")}), {"axes": {"t": ["a", "b"]}, "values": [1, 2]}),
        (Rule("A", Fraction(1, 2)), {"below": "A", "share": {"exact": "1/2", "float": 0.5}}),
        (Record({"x": 1}), {"x": 1}),
    ],
    ids=lambda value: "" if isinstance(value, int) else None,
)
def test_each_kind_of_value_has_its_form_in_json(value, data):
    assert plain_json(value) == data
    assert json.loads(json.dumps(plain_json(value), allow_nan=False)) == data


@given(some.fractions() | some.integers())
def test_nothing_exact_is_lost_in_json(value):
    data = plain_json(value)

    assert Fraction(data["exact"] if isinstance(data, dict) else data) == value
