"""Check: the builder compares two answers, within a tolerance."""

import math
from fractions import Fraction

import numpy as np
import pytest

from site_builder.contract import Absolute, AtLeast, AtMost, Check, Exact, Relative, StandardErrors
from site_builder.contract.checks import fields_in, tolerance_error


def compared(expected, found, within=None):
    return Check("it", "by hand", expected, found, of="value", within=within or Exact())


@pytest.mark.parametrize(
    ("expected", "found", "within"),
    [
        (Fraction(1, 2), 0.5, None),
        ("Zara", "Zara", None),
        ((1, ("a", 2)), [1, ["a", 2]], None),
        (np.array([[1, 2], [3, 4]]), ((1, 2), (3, 4)), None),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, None),
        (None, None, Absolute(0.01)),
        (1.0, 1.0 + 1e-10, Absolute(1e-9)),
        ((Fraction(1, 3), 2.0), (0.3333333333, 2.0), Absolute(1e-9)),
        (1e12, 1e12 + 10, Relative(1e-9)),
        (0.51, 0.5, StandardErrors(4, 10_000)),  # four standard errors are 4 sqrt(0.25 / 10,000) = 0.02
        (Fraction(1, 2), Fraction(2, 5), AtMost()),
        (Fraction(1, 2), Fraction(3, 5), AtLeast()),
    ],
)
def test_answers_that_agree_pass(expected, found, within):
    assert compared(expected, found, within).passed


@pytest.mark.parametrize(
    ("expected", "found", "within"),
    [
        (Fraction(1, 3), Fraction(1, 4), None),
        (0.1 + 0.2, 0.3, None),
        ((1, 2), (1, 2, 3), None),
        ((1, 2), 1, None),
        (True, 1, None),
        (math.nan, math.nan, None),
        (math.nan, math.nan, Absolute(0.01)),
        (1.0, 1.0 + 1e-8, Absolute(1e-9)),
        ((1.0, 2.0), (1.0, 2.1), Absolute(1e-9)),
        (0.53, 0.5, StandardErrors(4, 10_000)),
        (Fraction(1, 2), Fraction(3, 5), AtMost()),
        (Fraction(1, 2), Fraction(2, 5), AtLeast()),
        ("no", None, Absolute(0.01)),
    ],
)
def test_answers_that_differ_fail(expected, found, within):
    assert not compared(expected, found, within).passed


@pytest.mark.parametrize(
    "given", [lambda: Check("a", "by hand", 1, 1, True), lambda: Check("a", "by hand", 1, 1, passed=True)]
)
def test_a_verdict_of_the_author_is_refused_with_what_to_write(given):
    with pytest.raises(TypeError, match=r'takes no verdict.*write Check.*of="field"'):
        given()


@pytest.mark.parametrize(
    "within",
    [
        Absolute(math.inf),
        Absolute(-1),
        StandardErrors(4, 0),
        "close",
    ],
)
def test_a_tolerance_that_is_none_is_refused(within):
    assert tolerance_error(compared(0.79, 0.2, within))


def test_fields_are_named_with_the_number_of_their_cells():
    assert fields_in("chance, pair.zara, table[66]") == [("chance", 0), ("pair.zara", 0), ("table", 66)]


@pytest.mark.parametrize("of", ["", "chance,", "chance[0]", "not a field", "chance[x]"])
def test_what_names_no_field_is_refused(of):
    with pytest.raises(ValueError, match="must name fields of the result"):
        fields_in(of)
