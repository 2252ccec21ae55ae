"""Is it worth watching an opponent whose error rate is unknown? Exact, by stretch and by hits and misses seen.

The opponent aims for the end of perfect play and hits it with an unknown constant chance x, of which you have a
Beta(a, b) belief. With w(h, m) the chance of one sequence of h hits and m misses, W = w V turns the equation of the
package's docstring into one without division: taking a coin v leads to

    w(h, m) v + W(left by a hit, h+1, m) + W(left by a miss, h, m+1).

Arrays are indexed [hits, misses]. All their numbers are whole: w is multiplied by a common denominator, and values by 4
for each round to come, because of the ends that both players take half of the time.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from solvers.notorious_coins.rules import EITHER, HIT, LEFT, MISS, NEITHER, RIGHT, Aim, Row, Stretch, replies, without

Plan = Mapping[Stretch, int]  # the end to take on each stretch, whatever was seen


def compare_players(row: Row, aim: Aim, prior: Row) -> dict[str, Fraction]:
    """What three players collect on average over the belief.

    learned: by the best plan, which learns from each move of the opponent. guessed: by the plan that is best if x is
    the guess, the mean of the prior, and that never learns. naive: by perfect play, as if x were 1.
    """
    guess = prior[0] / sum(prior)
    plans = {"learned": None, "guessed": plan_for(row, aim, guess), "naive": plan_for(row, aim, Fraction(1))}
    return {"guess": guess, **{name: mean_winnings(row, aim, prior, plan) for name, plan in plans.items()}}


def my_stretches(row: Row) -> list[Stretch]:
    """The stretches that your moves may find, the short ones first."""
    n = len(row)
    return [(first, first + k - 1) for k in range(2 - n % 2, n + 1, 2) for first in range(1, n - k + 2)]


def plan_for(row: Row, aim: Aim, hit: Fraction) -> Plan:
    """The best ends against a known chance of a hit."""
    value, plan = dict[Stretch, Fraction](), dict[Stretch, int]()
    chances = {HIT: hit, MISS: 1 - hit, NEITHER: Fraction(1)}
    for stretch in my_stretches(row):
        left, right = (
            row[stretch[end] - 1]
            + sum(
                chances[verdict] * halves * value.get(rest, Fraction(0)) / 2
                for verdict, halves, rest in replies(without(stretch, end), aim)
            )
            for end in (LEFT, RIGHT)
        )
        plan[stretch], value[stretch] = EITHER if left == right else int(right > left), max(left, right)
    return plan


def mean_winnings(row: Row, aim: Aim, prior: Row, plan: Plan | None) -> Fraction:
    """The winnings on average over the belief; of equally good ends a plan takes each half of the time. None: learn."""
    scale, rounds = lcm(*(coin.denominator for coin in row)), (len(row) + 1) // 2
    weights, unit = belief_weights(prior, rounds)
    value, nothing = dict[Stretch, np.ndarray](), np.zeros_like(weights)
    for stretch in my_stretches(row):
        later, ends = (stretch[1] - stretch[0]) // 2, list[np.ndarray]()
        seen = rounds - later  # histories of less than so many hits and misses
        for end in (LEFT, RIGHT):
            total = 4 ** (later + 1) * int(row[stretch[end] - 1] * scale) * weights[:seen, :seen]
            for (hit, miss), halves, rest in replies(without(stretch, end), aim):
                total = total + 2 * halves * value.get(rest, nothing)[hit : hit + seen, miss : miss + seen]
            ends.append(total)
        value[stretch] = _chosen(ends, None if plan is None else plan[stretch])
    return Fraction(int(value[1, len(row)][0, 0]), 4**rounds * scale * unit)


def _chosen(ends: list[np.ndarray], end: int | None) -> np.ndarray:
    """The values of one end, of each half of the time, or of the better one after each history."""
    left, right = ends
    if end is None:
        better: np.ndarray = np.maximum(left, right)
        return better
    half: np.ndarray = (left + right) // 2
    return half if end == EITHER else ends[end]


def belief_weights(prior: Row, rounds: int) -> tuple[Any, int]:
    """The chance of one sequence of h hits and m misses under a Beta(a, b) belief, and its unit; 0 if h + m > rounds.

    w(h, m) = a (a+1) ... (a+h-1) b (b+1) ... (b+m-1) / ((a+b) (a+b+1) ... (a+b+h+m-1)).
    """
    a, b = prior
    scale, seen = lcm(a.denominator, b.denominator), np.add.outer(np.arange(rounds + 1), np.arange(rounds + 1))
    factors = ([1, *(int(scale * (x + k)) for k in range(rounds))] for x in (a, b, a + b))
    hit, miss, both = (np.multiply.accumulate(np.array(row, dtype=object)) for row in factors)
    rest = (both[rounds] // both)[np.minimum(seen, rounds)]
    return np.where(seen <= rounds, np.multiply.outer(hit, miss) * rest, 0), both[rounds]
