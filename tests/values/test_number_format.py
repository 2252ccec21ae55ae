"""Numbers as text; expected strings were rounded by hand from the values named."""

import math
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from site_builder.contract import Estimate
from site_builder.values import number_format
from site_builder.values.known_float import KnownFloat

TINY = 1e-60  # an error beyond all digits of a float
THIN = "\N{NARROW NO-BREAK SPACE}"
LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [
        (Fraction(2, 3), "number(4)", "0.6667"),
        (Fraction(1, 8), "number(2)", "0.12"),  # ties to even: 0.125 lies half-way
        (0.64031, "number(2)", "0.64"),
        (-1, "number(1)", "−1.0"),
        (Fraction(-1, 1000), "number(2)", "−0.001"),
        (np.float64(2.5), "number(1)", "2.5"),
        (Fraction(1, 3), "number(0)", "0.333"),
        (Fraction(123456, 10**9), "significant(3)", "0.000123"),
        (Fraction(9996, 10000), "significant(3)", "1.00"),
        (1234567, "significant(3)", "1,230,000"),
        (0, "significant(3)", "0"),
        (Fraction(64031, 100000), "percent", "64%"),
        (Fraction(64031, 100000), "percent(2)", "64.03%"),
        (1, "percent(1)", "100.0%"),
        (Fraction(3, 5), "fraction", "3/5"),
        (Fraction(-3, 5), "fraction", "−3/5"),
        (Fraction(4, 2), "fraction", "2"),
        # 1/61 has the period 60, the longest that is written; 60 twos give 60 decimals, of which 5**60 are the last 42
        (-0.0, "number(2)", "0.00"),
        (-0.0, "percent", "0%"),
        (-0.0, "significant(3)", "0"),
        (-0.0, "one_in", "never"),
        (-0.0004, "number(3)", "−0.0004"),
        (0.1, "one_in", "1 in 10"),  # the float lies a little above one tenth
        (Fraction(1000, 9999), "one_in", "1 in 10"),
        (Decimal("1e400"), "significant(1)", "1·10⁴⁰⁰"),
        (1.5e300, "significant(3)", "1.50·10³⁰⁰"),
        (1.25e-12, "number(4)", "1.25·10⁻¹²"),
        (-1.25e-12, "percent(2)", "−1.25·10⁻¹⁰%"),
        (Fraction(99996, 10**11), "number(4)", "1.00·10⁻⁶"),  # rounding makes it 10.0·10⁻⁷
        (KnownFloat(1e-12, 1e-9), "number(4)", "0.0000"),  # its error is larger than it
        (0.004, "percent", "0.4%"),
        (0.9996, "percent", "99.96%"),
        (Fraction(9999996, 10**7), "percent(2)", "99.99996%"),
        (0.9999996, "percent(2)", "> 99.99%"),  # of which six digits are known
        (1 - Fraction(1, 10**20), "percent", "> 99%"),
        (1 - 2**-52, "percent(1)", "100.0%"),  # 1 but for rounding
        (Fraction(1, 7), "number(30)", "0.142857142857142857142857142857"),
        (Fraction(1, 37), "one_in", "1 in 37"),
        (Fraction(2, 5), "one_in", "1 in 2.5"),
        (Fraction(1, 2), "one_in", "1 in 2"),
        (0, "one_in", "never"),
        (1048576, "integer", "1,048,576"),
        (9999, "integer", "9999"),
        ([20, 22, 23], "sentence", "20, 22 and 23"),
        ([20], "sentence", "20"),
        ([(1, 2), (3, 5)], "sentence", "(1,\N{NO-BREAK SPACE}2) and (3,\N{NO-BREAK SPACE}5)"),
        (Fraction(3, 5), "", "3/5"),
        ("text", "", "text"),
    ],
)
def test_a_form_writes_a_number_as_a_reader_expects(value, form, text):
    assert number_format.write(value, form) == text


@pytest.mark.parametrize(
    ("value", "form", "words"),
    [
        (0.1, "fraction", "no exact fraction"),
        ([], "sentence", "a list without entries makes no sentence"),
        (0.1, "", "say how many digits"),
        (KnownFloat(0.1, TINY), "number(16)", "a float has 15 digits"),
        (KnownFloat(123.456, TINY), "number(13)", "a float has 15 digits"),
        (KnownFloat(0.1, TINY), "percent(14)", "a float has 15 digits"),
        (KnownFloat(0.1, TINY), "significant(16)", "a float has 15 digits"),
        (
            0.1,
            "number(7)",
            "0.1 is a float without an ErrorBound, of which 6 digits are printed at most; show fewer, or mark",
        ),
        ((1e8 + 1e-8) - 1e8, "number(15)", "without an ErrorBound"),
        (123.456, "number(4)", "of which 6 digits are printed at most"),
        (0.1, "percent(5)", "of which 6 digits are printed at most"),
        (0.1, "significant(7)", "of which 6 digits are printed at most"),
        (1e-7, "one_in", "of which 6 digits are printed at most"),
        (KnownFloat(0.1, 1e-9), "number(9)", "its ErrorBound of 1e-09 leaves 8 digits; show fewer, or let the solver"),
        (KnownFloat(123.4, 1e-3), "number(3)", "leaves 5 digits"),
        (KnownFloat(0.1, 1.0), "number(1)", "leaves 0 digits"),
        (float("nan"), "number(2)", "not a finite number"),
        (True, "number(2)", "not a number"),
        ("0.5", "percent", "not a number"),
        (Fraction(1, 2), "integer", "not an exact whole number"),
        (2.0, "integer", "not an exact whole number"),
        (Decimal("NaN"), "number(2)", "NaN is not a finite number"),
        (Decimal("sNaN"), "number(2)", "sNaN is not a finite number"),
        (Decimal("-Infinity"), "number(2)", "-Infinity is not a finite number"),
        (float("inf"), "integer", "inf is not a finite number"),
        (KnownFloat(1e-20, TINY), "one_in", "a float has 15 digits"),
        pytest.param(
            Fraction(10**5000, 3), "one_in", "a Fraction too long to print is not a probability", id="long one in"
        ),
        (Fraction(3, 2), "one_in", "not a probability"),
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
    with pytest.raises(ValueError, match=words.replace("(", r"\(").replace(")", r"\)")):
        number_format.write(value, form)


@given(some.fractions().filter(bool), some.integers(1, 12))
def test_significant_digits_are_right_to_half_a_unit_of_the_last(value, digits):
    text = bare(number_format.significant(value, digits))

    assert abs(Fraction(text) / value - 1) <= Fraction(1, 2 * 10 ** (digits - 1))


def honestly(value, form):
    """The number as the form writes it; None where it is refused."""
    try:
        return number_format.write(value, form)
    except ValueError:
        return None


def bare(text):
    """A number as Python reads it: without groups, and with a power of ten as in 1.25e-12."""
    text = text.replace("−", "-").replace(",", "").rstrip("%")
    return re.sub("·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda power: "e" + power[1].translate(LOWERED), text)


@given(some.integers(10**400, 10**420), some.integers(10**400, 10**420), some.integers(0, 600))
def test_fractions_of_huge_size_keep_every_digit(above, below, digits):
    # Long division: so many decimals are the whole quotient of above * 10**digits, and half to even decides the last.
    whole, left = divmod(above * 10**digits, below)
    nearest = whole + (2 * left > below or (2 * left == below and whole % 2))

    if nearest:  # what would be 0 has other digits
        assert int(bare(number_format.number(Fraction(above, below), digits)).replace(".", "")) == nearest
    assert Fraction(number_format.fraction(Fraction(above, below))) == Fraction(above, below)


@given(some.floats(-1e15, 1e15), some.integers(0, 20))
def test_a_float_is_written_as_pythons_own_rounding_has_it_or_not_at_all(value, digits):
    if (text := honestly(value, f"number({digits})")) is None:
        return
    rounded = f"{value:.{digits}f}"  # half to even of the exact value

    if value and not float(rounded):  # it is written with the digits that it has, never as 0
        assert float(bare(text)) == pytest.approx(value, rel=0.005)
    else:
        assert bare(text) == rounded.lstrip("-" if value == 0 else "")


def digits_of(text):
    """The significant digits that a number shows; zeros at the end of a whole number only give its size."""
    number = max(re.findall(r"[\d.]+", bare(text)), key=len).lstrip("0.")
    return len(number.replace(".", "") if "." in number else number.rstrip("0"))


@given(
    some.floats(allow_nan=False, allow_infinity=False) | some.floats(0, 1),
    some.sampled_from(["number", "significant", "percent"]),
    some.integers(1, 25),
)
def test_a_float_shows_no_digit_that_it_does_not_have(value, form, digits):
    if (text := honestly(value, f"{form}({digits})")) is None:
        return

    # 15 digits of a float are its own; when they are all nines, rounding gives a one before 15 zeros.
    assert digits_of(text) <= 15 + bool(re.fullmatch(r"-?0?\.?0*10*\.?0*", bare(text)))


def size(text):
    """The number after "in"."""
    found = [Fraction(number) for number in re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", bare(text))]
    return max(found) / min(found)


@given(some.floats(1e-300, 1, exclude_max=True))
def test_a_chance_as_a_float_shows_no_digit_that_it_does_not_have(chance):
    text, other = honestly(chance, "one_in"), honestly(math.nextafter(chance, 0), "one_in")
    if text is None or other is None:
        return

    assert digits_of(text) <= 15
    assert abs(size(text) - size(other)) <= 1  # a neighbour tips the last digit at most


@pytest.mark.parametrize(
    ("value", "arguments", "text"),
    [
        (1, ("flip",), "1 flip"),
        (100, ("flip",), "100 flips"),
        (0, ("flip",), "0 flips"),
        (20_000, ("flip",), "20,000 flips"),
        (2, ("penny", "pennies"), "2 pennies"),
        (1, ("penny", "pennies"), "1 penny"),
        (3, ("coin", "", False), "coins"),
        (Fraction(1), ("coin", "", False), "coin"),
    ],
)
def test_a_count_agrees_with_its_noun(value, arguments, text):
    assert number_format.plural(value, *arguments) == text


@pytest.mark.parametrize(
    ("value", "error", "digits", "text"),
    [  # a share p of n games has the standard error sqrt(p (1 - p) / n): 0.00406 for 0.7919 and 10,000
        (0.7919, 0.00406, 2, "0.7919 ± 0.0041"),
        (0.7919, 0.00406, 1, "0.792 ± 0.004"),
        (12345.678, 12.3, 2, "12,346 ± 12"),
        (12345.678, 123.4, 2, "12,346 ± 123"),
        (0.5, 0.0, 2, "0.5000 ± 0.0000"),
        (12345.6789, 0.0012, 2, "12,345.6789 ± 0.0012"),  # more digits than of a float without an error
    ],
)
def test_an_estimate_shows_no_digit_beyond_its_error(value, error, digits, text):
    written = number_format.estimate(Estimate(value, error, 10_000), digits)

    assert written.replace(number_format.NO_BREAK, " ") == text


def test_an_estimate_shows_no_more_digits_than_a_float_has():
    with pytest.raises(number_format.FormatError, match="a float has 15 digits"):
        number_format.estimate(Estimate(0.7919, 1e-17, 10_000))


def test_an_estimate_is_written_with_its_error_and_not_without():
    estimate = Estimate(0.7919, 0.00406, 10_000)

    assert number_format.plain(estimate) == number_format.estimate(estimate)
    with pytest.raises(number_format.FormatError, match="an Estimate is written with its standard error; write est"):
        number_format.number(estimate, 4)
    with pytest.raises(number_format.FormatError, match=r"0\.7919 is no Estimate"):
        number_format.estimate(0.7919)
