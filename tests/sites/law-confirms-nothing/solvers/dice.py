"""Two dice: how often is the sum at least a target? The solver is wrong: at the target itself it counts a loss."""

from fractions import Fraction


def solve(target: int = 8):
    return {"chance": Fraction(sum(a + b > target for a in range(1, 7) for b in range(1, 7)), 36)}


def check_probability(chance):
    """It is a probability"""
    assert 0 <= chance <= 1
