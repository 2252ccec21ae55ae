"""Best play with an unknown error rate: dynamic programming over stretch, hits and misses, in exact arithmetic.

One player slips, the opponent or your own hand, never both. An opponent who slips aims for the end of perfect play and
hits it with an unknown constant chance x. A hand that slips hits the end that you aim for with chance x; the opponent
then plays perfectly. You have a Beta(a, b) belief of x.

With w(h, m) the chance of one sequence of h hits and m misses, W = w V turns the equation of the package's docstring
into one without division:

    W(i, j, h, m) = max over both ends of w(h+1, m) v + W(h+1, m) + w(h, m+1) v' + W'(h, m+1)

An end that leads to neither a hit nor a miss counts w(h, m) v + W(h, m) instead.

Arrays are indexed [hits, misses], each from 0 to the number of rounds. All their numbers are whole: w is multiplied by
a common denominator, and values by 2 for each round to come, because of the ends taken half of the time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from site_builder.contract import Grid
from solvers.notorious_coins.play import better_end
from solvers.notorious_coins.rules import (
    EITHER,
    HIT,
    LEFT,
    MISS,
    NEITHER,
    RIGHT,
    Aim,
    Row,
    Slipper,
    Stretch,
    Verdict,
    outcomes,
)

RATES = tuple(Fraction(step, 20) for step in range(21))  # along which players are compared

Plan = Mapping[Stretch, Any]
"""The end to aim for by stretch: LEFT, RIGHT or EITHER, or an array of these by hits and misses."""


@dataclass(frozen=True, eq=False)
class ByHistory:
    """Exact numbers by hits and misses: `numbers[hits, misses] / unit`, with whole numbers."""

    numbers: np.ndarray
    unit: int

    def times(self, other: "ByHistory") -> Fraction:
        """The sum of the products, entry by entry."""
        return Fraction(int((self.numbers * other.numbers).sum()), self.unit * other.unit)


@dataclass(frozen=True, eq=False)
class Slips:
    """The game in which one player slips. coins: whole numbers, the values of the row times `scale`."""

    coins: tuple[int, ...]
    scale: int
    aim: Aim
    slipper: Slipper

    @property
    def rounds(self) -> int:
        """The number of your moves."""
        return (len(self.coins) + 1) // 2

    def stretches(self) -> list[Stretch]:
        """The stretches that your moves may find, the short ones first."""
        n = len(self.coins)
        return [(first, first + k - 1) for k in range(2 - n % 2, n + 1, 2) for first in range(1, n - k + 2)]

    def outcomes(self, stretch: Stretch, end: int) -> list[tuple[Verdict, int, int, Stretch]]:
        """All that can happen from your move to the next one: verdict, how often out of 2, your gain, what is left."""
        found = outcomes(stretch, end, self.aim, self.slipper)
        return [(verdict, halves, self.coins[coin - 1], left) for verdict, halves, coin, left in found]


def slips_of(row: Row, aim: Aim, slipper: Slipper) -> Slips:
    """The game on a row. aim: the ends of perfect play."""
    scale = lcm(*(coin.denominator for coin in row))
    return Slips(tuple(int(coin * scale) for coin in row), scale, aim, slipper)


def belief_weights(prior: Row, rounds: int) -> ByHistory:
    """The chance of one sequence of h hits and m misses under a Beta(a, b) belief, for h + m up to `rounds`, else 0.

    w(h, m) = a (a+1) ... (a+h-1) b (b+1) ... (b+m-1) / ((a+b) (a+b+1) ... (a+b+h+m-1)).
    """
    a, b = prior
    scale, seen = lcm(a.denominator, b.denominator), np.add.outer(np.arange(rounds + 1), np.arange(rounds + 1))
    factors = ([1, *(int(scale * (x + k)) for k in range(rounds))] for x in (a, b, a + b))
    hit, miss, both = (np.multiply.accumulate(np.array(row, dtype=object)) for row in factors)
    rest = (both[rounds] // both)[np.minimum(seen, rounds)]
    return ByHistory(np.where(seen <= rounds, np.multiply.outer(hit, miss) * rest, 0), both[rounds])


def rate_weights(rate: Fraction, rounds: int) -> ByHistory:
    """The chance x^h (1 - x)^m of one sequence of h hits and m misses at a known rate, likewise."""
    powers, whole = np.arange(rounds + 1).astype(object), rate.denominator
    seen = np.add.outer(powers, powers)
    chances = np.multiply.outer(rate.numerator**powers, (whole - rate.numerator) ** powers)
    return ByHistory(np.where(seen <= rounds, chances * whole ** np.maximum(rounds - seen, 0), 0), whole**rounds)


def best_plan(game: Slips, weights: ByHistory) -> Plan:
    """The plan of the Bayes-adaptive optimum. weights: those of the belief."""
    value: dict[Stretch, np.ndarray] = {}
    plan, nothing = {}, np.zeros_like(weights.numbers)
    for stretch in game.stretches():
        later = (stretch[1] - stretch[0]) // 2
        seen, sums = game.rounds - later, []
        for end in (LEFT, RIGHT):
            total = np.zeros((seen, seen), dtype=object)
            for verdict, halves, coin, left in game.outcomes(stretch, end):
                then = _histories(verdict, seen)
                total += halves * (2**later * coin * weights.numbers[then] + value.get(left, nothing)[then])
            sums.append(total)
        plan[stretch], value[stretch] = better_end(*sums), np.maximum(*sums)
    return plan


def _histories(verdict: Verdict, seen: int) -> tuple[slice, slice]:
    """What the histories of less than `seen` hits and misses become with one more verdict."""
    hit, miss = verdict
    return slice(hit, hit + seen), slice(miss, miss + seen)


def best_at_known_rates(game: Slips, rates: Sequence[Fraction]) -> tuple[list[Fraction], list[Plan]]:
    """The best expected winnings, and the best plan, when the rate is known, for each of the rates."""
    hit, whole = (
        np.array(numbers, dtype=object) for numbers in zip(*(r.as_integer_ratio() for r in rates), strict=True)
    )
    chance, value = {HIT: hit, MISS: whole - hit, NEITHER: whole}, dict[Stretch, np.ndarray]()
    plans: dict[Stretch, np.ndarray] = {}
    for stretch in game.stretches():
        unit = (2 * whole) ** ((stretch[1] - stretch[0]) // 2)
        left, right = (
            sum(
                halves * chance[verdict] * (unit * coin + value.get(rest, 0))
                for verdict, halves, coin, rest in game.outcomes(stretch, end)
            )
            for end in (LEFT, RIGHT)
        )
        plans[stretch], value[stretch] = better_end(left, right), np.maximum(left, right)
    units = game.scale * (2 * whole) ** game.rounds
    best = [Fraction(each, unit) for each, unit in zip(value[1, len(game.coins)], units, strict=True)]
    return best, [{stretch: ends[place] for stretch, ends in plans.items()} for place in range(len(rates))]


def winnings_of(game: Slips, plan: Plan) -> ByHistory:
    """The coins that a plan collects in all courses of the game, by the history when it takes them.

    Its expected winnings are their product with the weights of a belief or a rate. Of equally good ends it takes each
    half of the time. Counts are 64-bit integers where all of them fit: of the 2^rounds sequences of hits and misses
    each has a weight of 4^rounds at most.
    """
    kind = np.int64 if 8**game.rounds * sum(game.coins) < 2**62 else object
    total = np.zeros((game.rounds + 1, game.rounds + 1), dtype=kind)
    courses = {(1, len(game.coins)): np.ones((1, 1), dtype=kind)}
    for seen in range(1, game.rounds + 1):
        total, after = 4 * total, dict[Stretch, np.ndarray]()
        for stretch, count in courses.items():
            choice = np.broadcast_to(plan[stretch], (seen, seen))
            for end in (LEFT, RIGHT):
                share = (2 * (choice == end) + (choice == EITHER)) * count
                for verdict, halves, coin, left in game.outcomes(stretch, end) if share.any() else ():
                    then = _histories(verdict, seen)
                    total[then] += halves * coin * share
                    after.setdefault(left, np.zeros((seen + 1, seen + 1), dtype=kind))[then] += halves * share
        courses = after
    return ByHistory(total.astype(object), 4**game.rounds * game.scale)


# Players with different knowledge of the rate


def compare_players(game: Slips, prior: Row) -> dict[str, Any]:
    """The exact winnings of four players who meet the same slips at an unknown rate.

    naive assumes that nobody slips. known is given the rate. learned starts from the Beta prior and learns. guessed
    expects the guess, which is the prior's mean, throughout and never learns. mean: on average over the prior. by_rate:
    along the rate.
    """
    guess, belief = prior[0] / sum(prior), belief_weights(prior, game.rounds)
    known, plans = best_at_known_rates(game, [*RATES, guess])
    weights = [*(rate_weights(each, game.rounds) for each in RATES), belief]

    def winnings(plan: Plan) -> list[Fraction]:
        by_history = winnings_of(game, plan)
        return [by_history.times(each) for each in weights]

    *learned_by_rate, mean_learned = winnings(best_plan(game, belief))
    *naive_by_rate, mean_naive = winnings({stretch: game.aim(stretch) for stretch in game.stretches()})
    return {
        "guess": guess,
        "mean_naive": mean_naive,
        "mean_learned": mean_learned,
        "mean_guessed": winnings(plans[-1])[-1],
        "naive_by_rate": _by_rate(naive_by_rate),
        "known_by_rate": _by_rate(known[: len(RATES)]),
        "learned_by_rate": _by_rate(learned_by_rate),
    }


def _by_rate(winnings: Sequence[Fraction]) -> Grid:
    return Grid(np.array(winnings, dtype=object), {"rate": RATES})
