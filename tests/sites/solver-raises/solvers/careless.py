"""A solver that divides without looking."""

from fractions import Fraction


def solve(divisor: int = 1):
    return {"quotient": Fraction(1, divisor)}
