"""Estimates that can be none are refused."""

import pytest

from site_builder.contract import Estimate


@pytest.mark.parametrize(
    ("value", "error", "n", "message"),
    [
        (float("nan"), 0.1, 10, "an Estimate of nan with a standard error of 0.1"),
        (0.5, -0.1, 10, "an Estimate of 0.5 with a standard error of -0.1"),
        (0.5, 0.1, 1, "an Estimate from n = 1; a standard error needs 2 values at least"),
    ],
)
def test_an_estimate_without_a_meaning_is_refused(value, error, n, message):
    with pytest.raises(ValueError, match=message):
        Estimate(value, error, n)
