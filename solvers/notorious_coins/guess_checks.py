"""The player who guesses the rate and never learns, confirmed: fixed ends, and chances that follow the history."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from statistics import fmean

import numpy as np

from site_builder.contract import Check
from solvers.common.agreeing import close, counted
from solvers.notorious_coins.confirming import decimals, perfect_aims
from solvers.notorious_coins.model import Learning, Result

Ends = Callable[[int, int, int, int], tuple[int, ...]]  # those taken, equally often, by first, last, hits, misses
Chance = Callable[[int, int], float]  # of the next hit after so many hits and misses
LONGEST_CURVES = 12


def guess_checks(result: Result, side: Learning, slipping: str) -> Iterator[Check]:
    """The winnings of all players whose chances follow the history, where the solution integrates polynomials.

    The chance of the next hit is looked up after each history.
    """
    a, b = map(float, result.prior)
    aims, slack = perfect_aims(result.values), 1e-9 * float(result.total)
    ends = _heedless(_ends_at(result, aims, slipping, side.guess))

    def believed(hits: int, misses: int) -> float:
        return (a + hits) / (a + b + hits + misses)

    def at(rate: Fraction) -> Chance:
        return lambda hits, misses: float(rate)

    expected = (
        _winnings(result, aims, slipping, ends, believed),
        _winnings(result, aims, slipping, ends, at(side.true_rate)),
    )
    how = "from history to history; on average over the belief, and at the true rate"
    found = (side.mean_guessed, side.guessed)
    name = f"guessing how often the {slipping} slips"
    yield close(name, "another algorithm", expected, found, decimals(result.total), how)
    known = _heedless(_ends_at(result, aims, slipping, side.true_rate))
    best = _winnings(result, aims, slipping, known, at(side.true_rate))
    name, how = (
        f"knowing how often the {slipping} slips",
        "the better end of each stretch at the true rate, by recursion",
    )
    yield close(name, "another algorithm", best, side.known, decimals(result.total), how)
    if result.n > LONGEST_CURVES:
        return

    def learner(i: int, j: int, hits: int, misses: int) -> tuple[int, ...]:
        end = int(side.policy[(result.n - 1 - j + i) // 2][i, hits, misses])
        return (0, 1) if end == 2 else (end,)

    def naive(i: int, j: int, hits: int, misses: int) -> tuple[int, ...]:
        return (0, 1) if aims[i, j] == 2 else (int(aims[i, j]),)

    right, rates = 0, side.known_by_rate.axes["rate"]
    for rate in (Fraction(rate) for rate in rates):
        told = _heedless(_ends_at(result, aims, slipping, rate))
        for curve, player in ((side.known_by_rate, told), (side.learned_by_rate, learner), (side.naive_by_rate, naive)):
            right += abs(_winnings(result, aims, slipping, player, at(rate)) - float(curve.at(rate=rate))) <= slack
    name, how = (
        f"points of the curves: the {slipping} slips",
        "who knows, who learns, who expects no slips; every rate",
    )
    yield counted(name, "another algorithm", 3 * len(rates), right, how)


def _heedless(ends: Callable[[int, int], tuple[int, ...]]) -> Ends:
    return lambda i, j, hits, misses: ends(i, j)


def _ends_at(result: Result, aims: np.ndarray, slipping: str, rate: Fraction) -> Callable[[int, int], tuple[int, ...]]:
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


def _winnings(result: Result, aims: np.ndarray, slipping: str, ends: Ends, chance: Chance) -> float:
    @cache
    def mine(i: int, j: int, hits: int, misses: int) -> float:
        return fmean(aimed(i, j, end, hits, misses) for end in ends(i, j, hits, misses)) if i <= j else 0.0

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
