"""Solving in this process: what stops it, whatever the solver made of it."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from site_builder.solving.solver_tasks import _solved
from site_builder.values.packing import pack


@dataclass(frozen=True)
class Parameters:
    base: int


@dataclass(frozen=True)
class Result:
    power: int


def solve_with(solve):
    return SimpleNamespace(Parameters=Parameters, Result=Result, solve=lambda given: Result(solve(given)))


def test_a_whole_number_of_numpy_that_exceeds_64_bits_stops_the_solver():
    module = solve_with(lambda given: int(np.int64(given.base) * np.int64(2**40)))

    assert _solved(module, pack({"base": 3})).power == 3 * 2**40
    with pytest.raises(RuntimeWarning, match="overflow encountered in scalar multiply"):
        _solved(module, pack({"base": 2**40}))


def test_an_overflow_that_is_meant_goes_on():
    def solve(given):
        with np.errstate(over="ignore"):
            return int(1 / (1 + np.float64(1e308) * given.base))

    assert _solved(solve_with(solve), pack({"base": 10})).power == 0
