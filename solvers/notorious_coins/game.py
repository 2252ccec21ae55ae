"""The games by their rules: plain recursion over every course of a game.

`solve` calls none of these functions: it finds the same values by dynamic programming on arrays. The checks compare
the two on short rows.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

HALF = Fraction(1, 2)

Row = tuple[Fraction, ...]
HitChance = Fraction | Callable[[int, int], Fraction]
Choice = Callable[[int, int, int, int], int]  # 0 left, 1 right, 2 half each, by first coin, last coin, hits, misses
Value = Callable[[int, int, int, int], Any]


def expected_winnings(row: Row, p: Sequence[Fraction], q: Sequence[Fraction], my_turn: bool = True) -> Fraction:
    """Your expected winnings from a row on which you, or else the opponent, are to move.

    p[k] and q[k]: chances that the opponent and you take the better end with k coins left; 1 is perfect play.
    """
    if not row:
        return Fraction(0)
    left = (row[0] if my_turn else 0) + expected_winnings(row[1:], p, q, not my_turn)
    right = (row[-1] if my_turn else 0) + expected_winnings(row[:-1], p, q, not my_turn)
    if my_turn:
        return q[len(row)] * max(left, right) + (1 - q[len(row)]) * min(left, right)
    return p[len(row)] * min(left, right) + (1 - p[len(row)]) * max(left, right)


def greedy_winnings(row: Row) -> Fraction:
    """What always taking the larger end (the first of two equal ones) collects against the best replies."""
    if not row:
        return Fraction(0)
    coin, rest = (row[0], row[1:]) if row[0] >= row[-1] else (row[-1], row[:-1])
    return coin + min(greedy_winnings(rest[1:]), greedy_winnings(rest[:-1]))


def values_at_unknown_rate(
    coins: Sequence[Any], perfect_ends: np.ndarray, slipper: str, hit_chance: HitChance, choose: Choice | None = None
) -> tuple[Value, Value]:
    """The game in which one player, the slipper, hits the end aimed at with an unknown chance and misses it otherwise.

    The opponent aims for the end of perfect play and takes each of two equally good ones half of the time, which is
    neither hit nor miss. You aim for the end of `choose`, by default the best.

    Args:
        coins: Fractions, or floats.
        perfect_ends: the end of perfect play for coins i to j, shape (n, n): 0 left, 1 right, 2 either.
        slipper: "opponent" or "hand", which is yours.
        hit_chance: a function of the hits and misses so far, or a number, and then they are not counted and stay 0.

    Returns:
        Two functions of first coin, last coin, hits and misses: your expected winnings, and the pair of your expected
        winnings if you aim for the left end now, or for the right end.
    """

    def value(i: int, j: int, hits: int, misses: int) -> Any:
        if i > j:
            return 0
        left, right = aims(i, j, hits, misses)
        if choose is None:
            return max(left, right)
        return (left, right, HALF * (left + right))[choose(i, j, hits, misses)]

    @cache
    def aims(i: int, j: int, hits: int, misses: int) -> tuple[Any, Any]:
        after = outcomes(slipper == "hand" and i < j, hits, misses)
        left, right = (sum(x * take(i, j, end ^ miss, *seen) for x, miss, seen in after) for end in (0, 1))
        return left, right

    def take(i: int, j: int, end: int, hits: int, misses: int) -> Any:
        coin = coins[j if end else i]
        i, j = (i, j - 1) if end else (i + 1, j)
        if i > j:
            return coin
        rows, aim = ((i + 1, j), (i, j - 1)), perfect_ends[i, j]
        if aim == 2:
            return coin + HALF * sum(value(*row, hits, misses) for row in rows)
        after = outcomes(slipper == "opponent", hits, misses)
        return coin + sum(x * value(*rows[aim ^ miss], *seen) for x, miss, seen in after)

    @cache
    def outcomes(slips: bool, hits: int, misses: int) -> tuple[tuple[Any, int, tuple[int, int]], ...]:
        """Each with its chance, whether it is a miss, and the hits and misses after it."""
        if not slips:
            return ((1, 0, (hits, misses)),)
        if not callable(hit_chance):
            return (hit_chance, 0, (0, 0)), (1 - hit_chance, 1, (0, 0))
        x = hit_chance(hits, misses)
        return (x, 0, (hits + 1, misses)), (1 - x, 1, (hits, misses + 1))

    return value, aims
