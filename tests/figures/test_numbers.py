"""Numbers of figures as short text."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.figures.words import short_number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-3, "−3"),
        (123456, "123,456"),
        (0.64031747, "0.64"),
        (Fraction(-2, 3), "−0.667"),
        (1234.5, "1230"),
        (10**12, "1.00·10¹²"),
        (Fraction(1, 2**100), "7.89·10⁻³¹"),  # 2^-100 = 7.8886...e-31
        (2**2000, "1.15·10⁶⁰²"),  # 2^2000 = 1.1481...e602
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        ("RRB", "RRB"),
        (np.float64(0.25), "0.25"),
    ],
)
def test_numbers_have_three_digits_or_are_whole(value, text):
    assert short_number(value) == text


@given(st.fractions(min_value=Fraction(1, 10**4), max_value=10**6))
def test_a_short_number_is_off_by_half_of_its_third_digit_at_most(value):
    text = Fraction(short_number(value).replace(",", ""))

    assert abs(text - value) <= value * Fraction(1, 200)
