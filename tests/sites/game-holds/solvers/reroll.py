"""How many points does a die give that may be rolled again?"""

from dataclasses import dataclass
from fractions import Fraction

from site_builder.contract import Check, Game, Turn, parameters

SIDES = range(1, 7)


@parameters
class Parameters:
    rolls: int = 2


@dataclass(frozen=True)
class Result:
    points: tuple[Fraction, ...]  # with so many rolls left


DATA = ()


def solve(parameters):
    points = [Fraction(0)]
    for _ in range(parameters.rolls):
        points.append(sum(max(side, points[-1]) for side in SIDES) / Fraction(6))
    return Result(tuple(points))


def figures(result):
    return {}


def checks(parameters, result):
    yield Check("without a roll", "by hand", 0, result.points[0], of="points[1]")


def game(parameters, result):
    """A state is the number of rolls left, and the side that was rolled, 0 before that."""
    states = {}
    for left in range(parameters.rolls, -1, -1):
        rolls = tuple((Fraction(1, 6), (left - 1, side), 0) for side in SIDES)
        states[left, 0] = Turn(None, {"roll": rolls}) if left else Turn(None, {}, payoff=0)
        for side in SIDES:
            again = {"roll again": ((1, (left, 0), 0),)} if left else {}
            states[left, side] = Turn(0, {"stop": ((1, (0, 0), side),)} | again)
    values = {(left, side): max(side, result.points[left]) for left, side in states}
    return Game(("you",), (parameters.rolls, 0), states, values, of="points")
