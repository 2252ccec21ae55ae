"""Best play with an unknown error rate: dynamic programming over stretch, hits and misses, in exact arithmetic.

One player slips, the opponent or your own hand, never both. An opponent who slips aims for the end of perfect play and
hits it with an unknown constant chance x. A hand that slips hits the end that you aim for with chance x; the opponent
then plays perfectly. You have a Beta(a, b) belief of x.

With w(h, m) the chance of one sequence of h hits and m misses, W = w V turns the equation of the package's docstring
into one without division:

    W(i, j, h, m) = max over both ends of w(h+1, m) v + W(h+1, m) + w(h, m+1) v' + W'(h, m+1)

An end that leads to neither a hit nor a miss counts w(h, m) v + W(h, m) instead.

All numbers are whole: w is multiplied by a common denominator, and values by 2 for each round to come, because of the
ends taken half of the time. Round t begins with n - 2t coins, the first of which is coin number 0..2t. Arrays are
indexed [start, history]; the history of h hits and m misses has the number s (s + 1) / 2 + h, s = h + m. A policy holds
LEFT, RIGHT or EITHER for each round, shape (2t + 1, histories of at most t), or (2t + 1, 1) if they do not matter.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from solvers.notorious_coins.perfect_play import better_end
from solvers.notorious_coins.rules import EITHER, HIT, MISS, NEITHER, Aim, Row, Slipper, Verdict, outcomes

Policy = list[np.ndarray]


@dataclass(frozen=True, eq=False)
class Transition:
    """One way from a move of yours to the next, from each of some starts to start + step.

    halves: how often it happens out of 2 after that verdict; coins: those that you get; both for each start.
    """

    verdict: Verdict
    step: int
    starts: np.ndarray
    halves: np.ndarray
    coins: np.ndarray


Round = tuple[list[Transition], list[Transition]]  # by the end that you aim for


@dataclass(frozen=True, eq=False)
class ByHistory:
    """Exact numbers by history: `numbers[history] / unit`, with whole numbers."""

    numbers: np.ndarray
    unit: int

    def times(self, other: "ByHistory") -> Fraction:
        """The sum of the products, entry by entry."""
        return Fraction(int((self.numbers * other.numbers).sum()), self.unit * other.unit)


def history(hits: Any, misses: Any) -> Any:
    """The number of a history."""
    return (hits + misses) * (hits + misses + 1) // 2 + hits


def histories(most: int) -> tuple[np.ndarray, np.ndarray]:
    """Hits and misses of all histories of at most so many, by their number."""
    seen = np.repeat(np.arange(most + 1), np.arange(1, most + 2))
    hits = np.arange(len(seen)) - history(0, seen)
    return hits, seen - hits


def histories_after(most: int) -> dict[Verdict, np.ndarray]:
    """By verdict, what the histories of at most so many hits and misses become with one more verdict."""
    hits, misses = histories(most)
    return {(hit, miss): history(hits + hit, misses + miss) for hit, miss in (HIT, MISS, NEITHER)}


def round_of(coins: np.ndarray, aim: Aim, slipper: Slipper, length: int) -> Round:
    """The round in which your move finds `length` coins. coins: whole numbers."""
    return _transitions(coins, aim, slipper, length, 0), _transitions(coins, aim, slipper, length, 1)


def _transitions(coins: np.ndarray, aim: Aim, slipper: Slipper, length: int, end: int) -> list[Transition]:
    found = defaultdict(list)
    for start in range(len(coins) - length + 1):
        for verdict, halves, coin, (first, _) in outcomes((start + 1, start + length), end, aim, slipper):
            found[verdict, first - 1 - start].append((start, halves, int(coins[coin - 1])))
    made = []
    for (verdict, step), entries in found.items():
        made.append(Transition(verdict, step, *np.array(entries).T))
    return made


def belief_weights(prior: Row, count: int) -> ByHistory:
    """The chance of one sequence of h hits and m misses under a Beta(a, b) belief, h + m up to `count`.

    w(h, m) = a (a+1) ... (a+h-1) b (b+1) ... (b+m-1) / ((a+b) (a+b+1) ... (a+b+h+m-1)).
    """
    (a, b), (hits, misses) = prior, histories(count)
    scale = lcm(a.denominator, b.denominator)
    factors = ([1, *(int(scale * (x + k)) for k in range(count))] for x in (a, b, a + b))
    hit, miss, both = (np.multiply.accumulate(np.array(row, dtype=object)) for row in factors)
    return ByHistory(hit[hits] * miss[misses] * (both[count] // both)[hits + misses], both[count])


def rate_weights(rate: Fraction, count: int) -> ByHistory:
    """The chance x^h (1 - x)^m of one sequence of h hits and m misses at a known rate, h + m up to `count`."""
    hits, misses = (each.astype(object) for each in histories(count))
    hit, miss, whole = rate.numerator, rate.denominator - rate.numerator, rate.denominator
    return ByHistory(hit**hits * miss**misses * whole ** (count - hits - misses), whole**count)


def best_plan(game: Sequence[Round], weights: ByHistory) -> Policy:
    """The policy of the Bayes-adaptive optimum. weights: those of the belief."""
    count = len(game)
    value = np.zeros((2 * count + 1, len(weights.numbers)), dtype=object)
    policy: Policy = []
    for t in reversed(range(count)):
        coin_unit = 2 ** (count - t - 1)
        after = {each: (coin_unit * weights.numbers[h], value[:, h]) for each, h in histories_after(t).items()}
        left, right = (_values(transitions, 2 * t + 1, after) for transitions in game[t])
        value = np.maximum(left, right)
        policy.append(better_end(left, right))
    return policy[::-1]


def best_at_known_rates(game: Sequence[Round], rates: Sequence[Fraction]) -> tuple[list[Fraction], list[np.ndarray]]:
    """The best expected winnings when the rate is known, in units of the coins, for each of the rates.

    Also the ends to aim for in each round, shape (2t + 1, rates).
    """
    hit = np.array([rate.numerator for rate in rates], dtype=object)
    whole = np.array([rate.denominator for rate in rates], dtype=object)
    value = np.zeros((2 * len(game) + 1, len(rates)), dtype=object)
    ends: list[np.ndarray] = []
    for later, now in enumerate(reversed(game)):
        unit, chances = (2 * whole) ** later, {HIT: hit, MISS: whole - hit, NEITHER: whole}
        after = {verdict: (chance * unit, chance * value) for verdict, chance in chances.items()}
        left, right = (_values(transitions, 2 * (len(game) - later) - 1, after) for transitions in now)
        value = np.maximum(left, right)
        ends.append(better_end(left, right))
    units = (2 * whole) ** len(game)
    return [Fraction(v, unit) for v, unit in zip(value[0], units, strict=True)], ends[::-1]


def _values(
    transitions: Iterable[Transition], starts: int, after: Mapping[Verdict, tuple[np.ndarray, np.ndarray]]
) -> np.ndarray:
    """The value of aiming for an end from each start, twice the unit of the next values.

    after: by verdict the weight of the coin, and the weighted values of the next round.
    """
    total = np.zeros((starts, len(after[NEITHER][0])), dtype=object)
    for each in transitions:
        weight, following = after[each.verdict]
        gains = np.multiply.outer(each.coins, weight) + following[each.starts + each.step]
        total[each.starts] += each.halves[:, np.newaxis] * gains
    return total


def winnings_of(game: Sequence[Round], policy: Policy) -> ByHistory:
    """The coins that a policy collects in all courses of the game, by the history when it takes them.

    Its expected winnings are their product with the weights of a belief or a rate. Of equally good ends it takes each
    half of the time. Counts are 64-bit integers as long as all of them fit.
    """
    count = len(game)
    largest = max(int(each.coins.max()) for now in game for transitions in now for each in transitions)
    total = np.zeros(len(histories(count)[0]), dtype=np.int64)
    courses, unit = np.ones((1, 1), dtype=np.int64), 1  # that lead to a state, times the unit
    for t, (now, choice) in enumerate(zip(game, policy, strict=True)):
        mine = 2 if (choice == EITHER).any() else 1
        theirs = 2 if any((each.halves == 1).any() for transitions in now for each in transitions) else 1
        unit *= mine * theirs
        if unit * 2 ** (t + 1) * largest >= 2**63:  # a course has a weight of at most 1 for each hit or miss
            total, courses = total.astype(object), courses.astype(object)
        total *= mine * theirs
        after = histories_after(t)
        following = np.zeros((2 * t + 3, 1 + int(after[HIT][-1])), dtype=total.dtype)
        for end, transitions in enumerate(now):
            share = (mine * (choice == end) + (choice == EITHER)) * courses
            for each in transitions:
                known = after[each.verdict]
                moved = (each.halves * theirs // 2)[:, np.newaxis] * share[each.starts]
                total[known] += each.coins @ moved
                following[(each.starts + each.step)[:, np.newaxis], known] += moved
        courses = following
    return ByHistory(total.astype(object), unit)
