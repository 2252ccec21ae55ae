"""What checks return: tolerances are checked where they are written."""

import math

import pytest

from site_builder.contract import close, rules, simulated


@pytest.mark.parametrize("tolerance", [{}, {"absolute": -1e-9}, {"relative": math.nan}, {"absolute": math.inf}])
def test_close_needs_a_tolerance_that_can_be_missed(tolerance):
    with pytest.raises(ValueError, match=r"write close\(x, absolute=1e-12\)"):
        close(0.5, **tolerance)


@pytest.mark.parametrize(("n", "deviation"), [(0, None), (100, -1.0), (100, math.inf)])
def test_simulated_needs_games_and_a_finite_deviation(n, deviation):
    with pytest.raises(ValueError, match="simulated"):
        simulated(0.5, n, deviation=deviation)


def test_rules_leave_a_function_as_it_is():
    @rules
    def moves(coins):
        return range(1, coins + 1)

    assert list(moves(2)) == [1, 2]
