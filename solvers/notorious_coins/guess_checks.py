"""The player who guesses the rate and never learns, confirmed: fixed ends, and chances that follow the history."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from statistics import fmean

import numpy as np

from site_builder.contract import Check
from solvers.notorious_coins.confirming import perfect_aims
from solvers.notorious_coins.model import Learning, Result

Ends = Callable[[int, int], tuple[int, ...]]  # the ends that are taken, equally often, by first and last


def guess_check(result: Result, side: Learning, slipping: str) -> Check:
    """The winnings with the guess, on average over the belief and at the true rate.

    The chance of the next hit is looked up after each history, where the solution integrates polynomials.
    """
    a, b = map(float, result.prior)
    aims = perfect_aims(result.values)
    ends = _ends_at(result, aims, slipping, side.guess)
    expected = (
        _winnings(result, aims, slipping, ends, lambda hits, misses: (a + hits) / (a + b + hits + misses)),
        _winnings(result, aims, slipping, ends, lambda hits, misses: float(side.true_rate)),
    )
    found = (float(side.mean_guessed), float(side.guessed))
    passed = all(abs(e - f) <= 1e-9 * float(result.total) for e, f in zip(expected, found, strict=True))
    detail = "from history to history, on average over the belief and at the true rate, to 1e-9 of the total"
    return Check(f"guessing how often the {slipping} slips", "another algorithm", expected, found, passed, detail)


def _ends_at(result: Result, aims: np.ndarray, slipping: str, rate: Fraction) -> Ends:
    """The better end of each stretch at a known rate, both where they are equal; by recursion in fractions."""

    def taken(i: int, j: int, end: int) -> Fraction:
        coin = result.values[j if end else i]
        i, j = (i, j - 1) if end else (i + 1, j)
        if i > j:
            return coin
        ways = (worth(i + 1, j), worth(i, j - 1))
        hit = Fraction(1, 2) if aims[i, j] == 2 else rate if slipping == "opponent" else Fraction(1)
        return coin + hit * ways[aims[i, j] % 2] + (1 - hit) * ways[1 - aims[i, j] % 2]

    @cache
    def both(i: int, j: int) -> tuple[Fraction, Fraction]:
        left, right = taken(i, j, 0), taken(i, j, 1)
        if slipping == "opponent" or i == j:
            return left, right
        return rate * left + (1 - rate) * right, rate * right + (1 - rate) * left

    def worth(i: int, j: int) -> Fraction:
        return max(both(i, j)) if i <= j else Fraction(0)

    def ends(i: int, j: int) -> tuple[int, ...]:
        return tuple(end for end in (0, 1) if both(i, j)[end] == worth(i, j))

    return ends


def _winnings(
    result: Result, aims: np.ndarray, slipping: str, ends: Ends, chance: Callable[[int, int], float]
) -> float:
    @cache
    def mine(i: int, j: int, hits: int, misses: int) -> float:
        return fmean(aimed(i, j, end, hits, misses) for end in ends(i, j)) if i <= j else 0.0

    def aimed(i: int, j: int, end: int, hits: int, misses: int) -> float:
        if slipping == "opponent" or i == j:
            return taken(i, j, end, hits, misses)
        hit = chance(hits, misses)
        return hit * taken(i, j, end, hits + 1, misses) + (1 - hit) * taken(i, j, 1 - end, hits, misses + 1)

    def taken(i: int, j: int, end: int, hits: int, misses: int) -> float:
        coin = float(result.values[j if end else i])
        i, j = (i, j - 1) if end else (i + 1, j)
        if i > j:
            return coin
        ways, aim = ((i + 1, j), (i, j - 1)), int(aims[i, j])
        if aim == 2:
            return coin + fmean(mine(*way, hits, misses) for way in ways)
        if slipping == "hand":
            return coin + mine(*ways[aim], hits, misses)
        hit = chance(hits, misses)
        return coin + hit * mine(*ways[aim], hits + 1, misses) + (1 - hit) * mine(*ways[1 - aim], hits, misses + 1)

    return mine(0, result.n - 1, 0, 0)
