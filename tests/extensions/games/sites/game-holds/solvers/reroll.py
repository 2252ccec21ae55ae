"""How many points does a die give that may be rolled again?"""

from fractions import Fraction

from site_builder.extensions.games.contract import Game, Turn

SIDES = range(1, 7)


def solve(rolls: int = 2):
    """The points with so many rolls left."""
    points = [Fraction(0)]
    for _ in range(rolls):
        points.append(sum(max(side, points[-1]) for side in SIDES) / Fraction(6))
    return {"points": tuple(points)}


def game(points, rolls):
    """A state is the number of rolls left, and the side that was rolled, 0 before that."""
    states = {}
    for left in range(rolls, -1, -1):
        rolled = tuple((Fraction(1, 6), (left - 1, side), 0) for side in SIDES)
        states[left, 0] = Turn(None, {"roll": rolled}) if left else Turn(None, {}, payoff=0)
        for side in SIDES:
            again = {"roll again": ((1, (left, 0), 0),)} if left else {}
            states[left, side] = Turn(0, {"stop": ((1, (0, 0), side),)} | again)
    values = {(left, side): max(side, points[left]) for left, side in states}
    return Game(("you",), (rolls, 0), states, values, of="points")
