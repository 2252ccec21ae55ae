"""Two dice: how often is the sum at least a target? The solver is wrong: at the target itself it counts a loss."""

import random
from fractions import Fraction

from site_builder.contract import simulated


def solve(target: int = 8):
    return {"chance": Fraction(sum(a + b > target for a in range(1, 7) for b in range(1, 7)), 36)}


def check_games(target):
    """Games that are played, too few"""
    drawn = random.Random(17)  # a seed of many with which the wrong chance passes
    won = sum(drawn.randint(1, 6) + drawn.randint(1, 6) >= target for _ in range(100))
    return {"chance": simulated(won / 100, 100)}
