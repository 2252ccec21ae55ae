"""Estimates that can be none are refused."""

import pytest

from site_builder.contract import Estimate


@pytest.mark.parametrize(
    ("value", "error", "n", "message"),
    [
        (float("nan"), 0.1, 10, "value=nan, standard_error=0.1, n=10.: a mean and its standard error are finite"),
        (0.5, -0.1, 10, "standard_error=-0.1, n=10.: a mean and its standard error are finite"),
        (0.5, 0.1, 1, "n=1.: .* and need 2 values at least"),
    ],
)
def test_an_estimate_without_a_meaning_is_refused(value, error, n, message):
    with pytest.raises(ValueError, match=message):
        Estimate(value, error, n)
