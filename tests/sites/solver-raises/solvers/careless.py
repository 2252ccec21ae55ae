"""A solver that divides without looking."""

from dataclasses import dataclass
from fractions import Fraction

from site_builder.contract import parameters


@parameters
class Parameters:
    divisor: int = 1


@dataclass(frozen=True, eq=False)
class Result:
    quotient: Fraction


DATA = ()


def solve(parameters):
    return Result(Fraction(1, parameters.divisor))


def figures(result):
    return {}


def checks(parameters, result):
    return []
