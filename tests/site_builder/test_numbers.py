"""Numbers as text; expected strings were rounded by hand from the values named."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from site_builder import numbers

THIN = "\N{NARROW NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (Fraction(2, 3), "number(4)", "0.6667"),
        (Fraction(1, 8), "number(2)", "0.12"),  # ties to even: 0.125 lies half-way
        (0.64031, "number(2)", "0.64"),
        (-1, "number(1)", "−1.0"),
        (Fraction(-1, 1000), "number(2)", "0.00"),
        (np.float64(2.5), "number(1)", "2.5"),
        (Fraction(1, 3), "number(0)", "0"),
        (Fraction(123456, 10**9), "significant(3)", "0.000123"),
        (Fraction(9996, 10000), "significant(3)", "1.00"),
        (1234567, "significant(3)", f"1{THIN}230{THIN}000"),
        (0, "significant(3)", "0"),
        (Fraction(64031, 100000), "percent", f"64{THIN}%"),
        (Fraction(64031, 100000), "percent(2)", f"64.03{THIN}%"),
        (1, "percent(1)", f"100.0{THIN}%"),
        (Fraction(3, 5), "fraction", "3/5"),
        (Fraction(-3, 5), "fraction", "−3/5"),
        (Fraction(4, 2), "fraction", "2"),
        (Fraction(1, 7), "decimal(30)", "0.142857142857142857142857142857"),
        (Fraction(2, 3), "odds", "2 to 1"),
        (Fraction(1001, 2001), "odds", "about 1.00 to 1"),
        (Fraction(1, 1000), "odds", "about 1 to 999.00"),
        (1, "odds", "certain"),
        (Fraction(1, 37), "one_in", "1 in 37"),
        (Fraction(2, 5), "one_in", "1 in 2.5"),
        (Fraction(1, 2), "one_in", "1 in 2"),
        (0, "one_in", "never"),
        (1048576, "integer", f"1{THIN}048{THIN}576"),
        (9999, "integer", "9999"),
        (1, "ordinal", "1st"),
        (12, "ordinal", "12th"),
        (113, "ordinal", "113th"),
        (22, "ordinal", "22nd"),
        ([20, 22, 23], "sentence", "20, 22 and 23"),
        ([20], "sentence", "20"),
        ([], "sentence", ""),
        ([(1, 2), (3, 5)], "sentence", "(1,\N{NO-BREAK SPACE}2) and (3,\N{NO-BREAK SPACE}5)"),
        (Fraction(3, 5), "", "3/5"),
        ("text", "", "text"),
    ],
)
def test_a_form_writes_a_number_as_a_reader_expects(value, form, text):
    assert numbers.write(value, form) == text


@pytest.mark.parametrize(
    ("value", "form", "words"),
    [
        (0.1, "fraction", "no exact fraction"),
        (0.1, "", "say how many digits"),
        (0.1, "number(16)", "a float has 15 digits"),
        (123.456, "number(13)", "a float has 15 digits"),
        (0.1, "percent(14)", "a float has 15 digits"),
        (0.1, "significant(16)", "a float has 15 digits"),
        (float("nan"), "number(2)", "not a finite number"),
        (True, "number(2)", "not a number"),
        ("0.5", "percent", "not a number"),
        (Fraction(1, 2), "integer", "not an exact whole number"),
        (2.0, "integer", "not an exact whole number"),
        (Fraction(3, 2), "odds", "not a probability"),
        (1, "number(1.5)", "no form"),
        (1, "roman", "there is: number"),
        pytest.param(10**100_000, "integer", "about 100,000 digits, too many to print", id="huge"),
        # 10,000 log10(3) = 4771.2
        pytest.param(Fraction(1, 3**10_000), "fraction", "about 4,771 digits, too many to print", id="long fraction"),
        (Fraction(1, 3), "number(5000)", "5000 is not a number of digits"),
        ("a\ufdd0", "", r"holds the character U\+FDD0"),
        (True, "", "say it in words"),
    ],
)
def test_what_cannot_be_written_honestly_is_refused_in_words(value, form, words):
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        numbers.write(value, form)


@given(some.fractions(), some.integers(0, 30))
def test_a_printed_decimal_is_within_half_a_unit_of_its_last_digit(value, digits):
    text = numbers.decimal(value, digits).replace("−", "-").replace(THIN, "")

    assert abs(Fraction(text) - value) <= Fraction(1, 2 * 10**digits)


@given(some.fractions().filter(bool), some.integers(1, 12))
def test_significant_digits_are_right_to_half_a_unit_of_the_last(value, digits):
    text = numbers.significant(value, digits).replace("−", "-").replace(THIN, "")

    assert abs(Fraction(text) / value - 1) <= Fraction(1, 2 * 10 ** (digits - 1))
