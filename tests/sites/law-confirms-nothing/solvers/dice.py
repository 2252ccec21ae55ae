"""Two dice: how often is the sum at least a target? The solver is wrong: at the target itself it counts a loss."""

from dataclasses import dataclass
from fractions import Fraction

from site_builder.contract import Check, parameters


@parameters
class Parameters:
    target: int = 8


@dataclass(frozen=True)
class Result:
    chance: Fraction


DATA = ()


def solve(parameters):
    return Result(Fraction(sum(a + b > parameters.target for a in range(1, 7) for b in range(1, 7)), 36))


def figures(result):
    return {}


def checks(parameters, result):
    yield Check("is a probability", "closed form", True, 0 <= result.chance <= 1, of="chance")
