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
    coins: Sequence[Fraction],
    perfect_ends: np.ndarray,
    slipper: str,
    hit_chance: HitChance,
    choose: Choice | None = None,
    number: type = Fraction,
) -> tuple[Value, Value]:
    """The game in which one player, the slipper, hits the end aimed at with an unknown chance and misses it otherwise.

    The opponent aims for the end of perfect play and takes each of two equally good ones half of the time, which is
    neither hit nor miss. You aim for the end of `choose`, by default the best.

    Args:
        perfect_ends: the end of perfect play for coins i to j, shape (n, n): 0 left, 1 right, 2 either.
        slipper: "opponent" or "hand", which is yours.
        hit_chance: a function of the hits and misses so far, or a number, and then they are not counted and stay 0.
        number: what to compute with, Fraction or float.

    Returns:
        Two functions of first coin, last coin, hits and misses: your expected winnings, and the pair of your expected
        winnings if you aim for the left end now, or for the right end.
    """
    row, half, theirs = [number(coin) for coin in coins], number(HALF), perfect_ends.tolist()
    hand_slips, opponent_slips = slipper == "hand", slipper == "opponent"
    counted = 1 if callable(hit_chance) else 0

    @cache
    def value(i: int, j: int, hits: int, misses: int) -> Any:
        left, right = aims(i, j, hits, misses)
        if choose is None:
            return max(left, right)
        end = choose(i, j, hits, misses)
        return half * (left + right) if end == 2 else right if end else left

    def aims(i: int, j: int, hits: int, misses: int) -> tuple[Any, Any]:
        if i == j:
            return row[i], row[i]
        if not hand_slips:
            return take(i, j, 0, hits, misses), take(i, j, 1, hits, misses)
        hit, miss = chances(hits, misses)
        after_hit = [take(i, j, end, hits + counted, misses) for end in (0, 1)]
        after_miss = [take(i, j, 1 - end, hits, misses + counted) for end in (0, 1)]
        left, right = (hit * one + miss * other for one, other in zip(after_hit, after_miss, strict=True))
        return left, right

    def take(i: int, j: int, end: int, hits: int, misses: int) -> Any:
        """Your coin at the end that you take, and what you win after the opponent's reply."""
        coin, i, j = (row[j], i, j - 1) if end else (row[i], i + 1, j)
        if i == j:
            return coin
        aim = theirs[i][j]
        if aim == 2:
            return coin + half * (value(i + 1, j, hits, misses) + value(i, j - 1, hits, misses))
        at_aim, other = ((i, j - 1), (i + 1, j)) if aim else ((i + 1, j), (i, j - 1))
        if not opponent_slips:
            return coin + value(*at_aim, hits, misses)
        hit, miss = chances(hits, misses)
        return coin + hit * value(*at_aim, hits + counted, misses) + miss * value(*other, hits, misses + counted)

    @cache
    def chances(hits: int, misses: int) -> tuple[Any, Any]:
        """Of a hit and of a miss."""
        hit = hit_chance(hits, misses) if callable(hit_chance) else hit_chance
        return number(hit), number(1 - hit)

    return value, aims
