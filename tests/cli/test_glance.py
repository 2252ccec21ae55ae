"""Values at a glance."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.cli.solve_output import glance, rows
from site_builder.contract import Grid
from site_builder.values.records import Record


@dataclass(frozen=True)
class Rule:
    below: str
    share: Fraction


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(3, 5), "3/5 = 0.6"),
        (Fraction(-2, 3), "-2/3 ≈ -0.666666666666667"),
        (Fraction(4, 2), "2"),
        (Fraction(1, 10**20), "1/100000000000000000000 = 1e-20"),
        (Fraction(1, 3 * 10**9), "1/3000000000 ≈ 3.33333333333333e-10"),
        (Fraction(10**25 + 1, 10**25), "≈ 1"),
        (Fraction(5, 10**60 + 1), "≈ 5e-60"),
        (Fraction(1, 10**45), "= 1e-45"),
        (7, "7"),
        (10**39, "1" + "0" * 39),
        (-(10**40) - 7, "≈ -1.00000000000000e+40 (41 digits)"),
        (10**5000, "≈ 1.00000000000000e+5000 (5,001 digits)"),  # Python writes none of more than 4,300
        (0.1, "0.1"),
        (float("nan"), "nan"),
        (True, "True"),
        (None, "None"),
        ("", '""'),
        ("two\nlines", "two\\nlines"),
        ((), "()"),
        ((1, Fraction(1, 2)), "(1, 1/2)"),
        (tuple(range(100)), "(0, 1, 2, ... 100 in all, digest cc714c691946)"),
        ({"a": 1, 2: Fraction(1, 2)}, "{a: 1, 2: 1/2}"),
        (np.float64(0.5), "0.5"),
        (np.int64(3), "3"),
        (np.array([1, 2]), "[1, 2]"),
        (np.zeros((2, 3)), "2 x 3 array [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]"),
        (np.full((2, 2), np.nan), "2 x 2 array [nan, nan, nan, nan]"),
        (Rule("A", Fraction(1, 2)), "(below=A, share=1/2)"),
        (
            Grid(np.array([[np.nan, 2.0], [3.0, 4.0]]), {"t": range(2), "who": ("me", "you")}),
            "2 x 2 array [nan, 2.0, 3.0, 4.0] over t 0, 1, who me, you",
        ),
    ],
    ids=lambda value: "" if isinstance(value, (int, tuple)) else None,
)
def test_a_value_is_shown_on_one_line(value, shown):
    assert glance(value) == shown


@given(st.fractions())
def test_an_equals_sign_is_true_and_no_digit_is_wrong(value):
    text = glance(value)

    if " = " in text:
        assert Fraction(text.split(" = ")[1]) == value
    if " ≈ " in text:
        shown = Fraction(text.split(" ≈ ")[1])
        assert shown != value
        assert abs(shown - value) <= abs(value) / 10**14


def test_the_fields_of_a_record_stand_in_rows_of_their_own_as_posts_name_them():
    assert list(rows("rule", Rule("A", Fraction(1, 2)))) == [("rule.below", "A"), ("rule.share", "1/2 = 0.5")]
    assert list(rows("rule", Record({"best": {"a": 1}}))) == [("rule.best.a", "1")]
    assert list(rows("rule", {"a b": 1})) == [("rule", "{a b: 1}")]
