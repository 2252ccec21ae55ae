"""Solving in this process: what stops it, whatever the solver made of it."""

import pytest

from site_builder.solving.tasks.solver_tasks import _solved
from site_builder.values.packing import pack
from tests.support.short_solvers import solver_of


@pytest.fixture
def powers(tmp_path):
    """Solves a solver of which solve returns this power."""

    def solved(expression, base):
        solver = solver_of(tmp_path, f"import numpy as np\n\n\ndef solve(base=3):\n    {expression}\n")
        return _solved(solver, pack({"base": base}))["power"]

    return solved


def test_a_whole_number_of_numpy_that_exceeds_64_bits_stops_the_solver(powers):
    body = "return {'power': int(np.int64(base) * np.int64(2**40))}"

    assert powers(body, 3) == 3 * 2**40
    with pytest.raises(RuntimeWarning, match="overflow encountered in scalar multiply"):
        powers(body, 2**40)


def test_an_overflow_that_is_meant_goes_on(powers):
    body = "with np.errstate(over='ignore'):\n        return {'power': int(1 / (1 + np.float64(1e308) * base))}"

    assert powers(body, 10) == 0
