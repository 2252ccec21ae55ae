"""Best play with an unknown error rate: dynamic programming over stretch, hits and misses, in exact arithmetic.

One player slips, the opponent or your own hand, never both. An opponent who slips aims for the end of perfect play and
hits it with an unknown constant chance x. A hand that slips hits the end that you aim for with chance x; the opponent
then plays perfectly. Of two equally good ends the opponent takes each half of the time, which is neither hit nor miss.
You have a Beta(a, b) belief of x.

With w(h, m) the chance of one sequence of h hits and m misses, W = w V turns the equation of the package's docstring
into one without division:

    W(i, j, h, m) = max over both ends of w(h+1, m) v + W(h+1, m) + w(h, m+1) v' + W'(h, m+1)

An end that leads to neither a hit nor a miss counts w(h, m) v + W(h, m) instead.

All numbers are whole: w is multiplied by a common denominator, and values by 2 for each round to come, because of the
ends taken half of the time. Round t begins with n - 2t coins, the first of which is coin number 0..2t. Arrays are
indexed [start, hits, misses]. A policy holds LEFT, RIGHT or EITHER for each round, shape (2t + 1, t + 1, t + 1), or
(2t + 1, 1, 1) if hits and misses do not matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Literal

import numpy as np

from solvers.notorious_coins.perfect_play import EITHER, LEFT, RIGHT, ByLength, better_end

Slipper = Literal["opponent", "hand"]
Policy = list[np.ndarray]
HIT, MISS = 0, 1


@dataclass(frozen=True, eq=False)
class Round:
    """What can happen from your move number t to the next one, by the end that you aim for (action) and the outcome.

    reward[action, outcome, start]: the coin that you get. taken[action, outcome]: 1 if that is the first coin, else 0.
    replies[action, outcome, start]: how often, out of 2, the opponent takes the first coin. is_seen[action, start]:
    whether the outcome is a hit or a miss; where it is neither, the entries of HIT hold.
    """

    reward: np.ndarray
    taken: np.ndarray
    replies: np.ndarray
    is_seen: np.ndarray


@dataclass(frozen=True, eq=False)
class ByHistory:
    """Exact numbers by hits and misses: `numbers[h, m] / unit`, with whole numbers."""

    numbers: np.ndarray
    unit: int

    def times(self, other: "ByHistory") -> Fraction:
        """The sum of the products, entry by entry."""
        return Fraction(int((self.numbers * other.numbers).sum()), self.unit * other.unit)


def round_of(coins: np.ndarray, ends: ByLength, slipper: Slipper, length: int) -> Round:
    """The round in which your move finds `length` coins. ends: those of perfect play, by length and start."""
    coin = np.array([coins[: len(coins) - length + 1], coins[length - 1 :]], dtype=object)  # by your end and start
    theirs = np.array([ends[length - 1][1:], ends[length - 1][:-1]])
    replies = np.select([theirs == LEFT, theirs == EITHER], [2, 1], 0).astype(object)
    if slipper == "opponent":
        missed, taken, is_seen = (coin, 2 - replies), [[1, 1], [0, 0]], replies != 1
    else:
        missed, taken, is_seen = (coin[::-1], replies[::-1]), [[1, 0], [0, 1]], np.full(coin.shape, length > 1)
    reward, replies = (np.stack(pair, axis=1) for pair in zip((coin, replies), missed, strict=True))
    return Round(reward, np.array(taken), replies, is_seen)


def belief_weights(a: Fraction, b: Fraction, count: int) -> ByHistory:
    """The chance of one sequence of h hits and m misses under a Beta(a, b) belief, h and m up to `count`.

    w(h, m) = a (a+1) ... (a+h-1) b (b+1) ... (b+m-1) / ((a+b) (a+b+1) ... (a+b+h+m-1)).
    """
    scale = lcm(a.denominator, b.denominator)
    factors = ([1, *(int(scale * (x + k)) for k in range(2 * count))] for x in (a, b, a + b))
    hits, misses, both = (np.multiply.accumulate(np.array(row, dtype=object)) for row in factors)
    seen = np.add.outer(np.arange(count + 1), np.arange(count + 1))
    unit = both[2 * count]
    return ByHistory(np.multiply.outer(hits[: count + 1], misses[: count + 1]) * (unit // both)[seen], unit)


def rate_weights(rate: Fraction, count: int) -> ByHistory:
    """The chance x^h (1 - x)^m of one sequence of h hits and m misses at a known rate, h and m up to `count`."""
    powers = np.arange(count + 1).astype(object)
    hit, miss, whole = rate.numerator, rate.denominator - rate.numerator, rate.denominator
    rest = whole ** (2 * count - np.add.outer(powers, powers))
    return ByHistory(np.multiply.outer(hit**powers, miss**powers) * rest, whole ** (2 * count))


def best_plan(game: Sequence[Round], weights: ByHistory) -> tuple[Fraction, Policy]:
    """The Bayes-adaptive optimum, in units of the coins, and its policy. weights: those of the belief."""
    count = len(game)
    value = np.zeros((2 * count + 1, count + 1, count + 1), dtype=object)
    policy: Policy = []
    for t in reversed(range(count)):
        weight = weights.numbers[: t + 2, : t + 2] * 2 ** (count - t - 1)
        after_hit = weight[1:, :-1], value[:, 1:, :-1]
        after_miss = weight[:-1, 1:], value[:, :-1, 1:]
        after_neither = weight[:-1, :-1], value[:, :-1, :-1]
        left, right = (_values(game[t], action, after_hit, after_miss, after_neither) for action in (LEFT, RIGHT))
        value = np.maximum(left, right)
        policy.append(better_end(left, right))
    return Fraction(int(value[0, 0, 0]), weights.unit * 2**count), policy[::-1]


def best_at_known_rates(game: Sequence[Round], rates: Sequence[Fraction]) -> tuple[list[Fraction], list[np.ndarray]]:
    """The best expected winnings when the rate is known, in units of the coins, for each of the rates.

    Also the ends to aim for in each round, shape (2t + 1, rates).
    """
    hit = np.array([rate.numerator for rate in rates], dtype=object)
    whole = np.array([rate.denominator for rate in rates], dtype=object)
    value = np.zeros((2 * len(game) + 1, len(rates)), dtype=object)
    ends: list[np.ndarray] = []
    for later, now in enumerate(reversed(game)):
        unit = (2 * whole) ** later
        outcomes = [(chance * unit, chance * value) for chance in (hit, whole - hit, whole)]
        left, right = (_values(now, action, *outcomes) for action in (LEFT, RIGHT))
        value = np.maximum(left, right)
        ends.append(better_end(left, right))
    units = (2 * whole) ** len(game)
    return [Fraction(v, unit) for v, unit in zip(value[0], units, strict=True)], ends[::-1]


Outcome = tuple[np.ndarray, np.ndarray]  # weight of the coin, and the weighted values of the next round


def _values(now: Round, action: int, hit: Outcome, miss: Outcome, neither: Outcome) -> np.ndarray:
    """The value of aiming for an end in each state, twice the unit of the next values."""
    starts, unseen = np.arange(now.reward.shape[-1]), np.flatnonzero(~now.is_seen[action])
    extra = (slice(None), *(np.newaxis,) * (hit[1].ndim - 1))

    def outcome(number: int, starts: np.ndarray, weight: np.ndarray, following: np.ndarray) -> np.ndarray:
        first, replies = starts + now.taken[action, number], now.replies[action, number][starts]
        moved = following[first + (replies > 0)] + following[first + (replies > 1)]
        return np.asarray(2 * now.reward[action, number][starts][extra] * weight + moved)

    values: np.ndarray = outcome(HIT, starts, *hit) + outcome(MISS, starts, *miss)
    if len(unseen):
        values[unseen] = outcome(HIT, unseen, *neither)
    return values


def winnings_of(game: Sequence[Round], policy: Policy) -> ByHistory:
    """The coins that a policy collects in all courses of the game, by the hits and misses when it takes them.

    Its expected winnings are their product with the weights of a belief or a rate. Of equally good ends it takes each
    half of the time. Counts are 64-bit integers where all of them fit.
    """
    count = len(game)
    most = 4 ** (count + 1) * (1 + sum(int(now.reward.max()) for now in game))
    number = np.int64 if most < 2**63 else object
    total = np.zeros((count + 1, count + 1), dtype=number)
    courses = np.ones((1, 1, 1), dtype=number)  # that lead to a state, times 4 ** t
    for t, (now, choice) in enumerate(zip(game, policy, strict=True)):
        total = 4 * total
        following = np.zeros((2 * t + 3, t + 2, t + 2), dtype=number)
        for action in (LEFT, RIGHT):
            share = np.select([choice == action, choice == EITHER], [2, 1], 0) * courses
            _play_on(now, action, share, total, following)
        courses = following
    return ByHistory(total.astype(object), 2 * 4 ** (count - 1))


def _play_on(now: Round, action: int, share: np.ndarray, total: np.ndarray, following: np.ndarray) -> None:
    """Add to `total` what an action gains in this round, and to `following` where it leads."""
    starts, size, _ = share.shape
    seen = share * now.is_seen[action][:, np.newaxis, np.newaxis]
    for moved, outcome, h, m in ((seen, HIT, 1, 0), (seen, MISS, 0, 1), (share - seen, HIT, 0, 0)):
        first = now.taken[action, outcome]
        by_start = (x[action, outcome].astype(share.dtype) for x in (now.reward, now.replies))
        reward, replies = (x[:, np.newaxis, np.newaxis] for x in by_start)
        total[h : h + size, m : m + size] += (reward * moved).sum(axis=0)
        following[first + 1 : first + 1 + starts, h : h + size, m : m + size] += replies * moved
        following[first : first + starts, h : h + size, m : m + size] += (2 - replies) * moved
