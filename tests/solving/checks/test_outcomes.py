"""What readers see of two answers that agree: values that can be read, and not all digits of a long fraction."""

from fractions import Fraction

import numpy as np
import pytest

from site_builder.contract import Absolute, Check, StandardErrors
from site_builder.solving.checks.outcomes import judge, raw_check, read_outcomes
from site_builder.values.packing import pack
from site_builder.values.records import Record

LONG = Fraction(1458449069603331510202363385, 3169126500570573503741758013)  # 0.46020538130641...


def outcome(value, **more):
    check = Check("a chance", "by hand", value, value, of="chance", **more)
    (found,) = read_outcomes(judge(pack(([raw_check(check, (), Record({"chance": value}))], b""))))
    return found


@pytest.mark.parametrize(
    ("value", "more", "shown"),
    [
        (Fraction(1, 3), {}, "1/3"),
        (LONG, {}, "0.460205381306… as a fraction"),
        ((Fraction(1, 3), LONG), {}, "(1/3, 0.460205381306… as a fraction)"),
        (Fraction(1, 3), {"within": Absolute(1e-9)}, "0.333333333333"),
        (Fraction(1, 3), {"within": StandardErrors(4, n=100)}, "0.333333"),
        (tuple(range(7)), {}, "7 values"),
    ],
)
def test_an_answer_is_shown_as_it_can_be_read(value, more, shown):
    assert (outcome(value, **more).expected, outcome(value, **more).found) == (shown, shown)
    assert outcome(value, **more).passed


def test_whole_numbers_of_python_find_a_sum_in_an_array_that_exceeded_64_bits():
    ways = np.array([2**62, 2**61])
    found = ways + ways  # numpy wraps the first sum without a warning
    check = Check("ways", "by hand", (2**63, 2**62), found, of="ways")

    raw = raw_check(check, (), Record({"ways": found}))

    (wrong,) = read_outcomes(judge(pack(([raw], b""))))
    (right,) = read_outcomes(judge(pack(([raw | {"found": [2**63, 2**62]}], b""))))
    assert (wrong.passed, right.passed) == (False, True)
