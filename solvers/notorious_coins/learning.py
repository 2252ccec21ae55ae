"""Learning an unknown error rate while playing, by dynamic programming over stretch, hits and misses.

Two players may slip, never both. A slipping opponent aims for the end that is best under perfect play and hits it with
an unknown constant chance; ends that are equally good are taken half each and teach nothing. A slipping hand of your
own hits the end that you aim for with an unknown constant chance, against a perfect opponent. What is known of the
chance is a Beta(a, b) belief: after h hits and m misses the next aim is a hit with chance (a + h) / (a + b + h + m).

Whole numbers throughout: a value is kept times a `unit` that the number of rounds left and of moves seen determines.
Round t finds n - 2t coins left, whose first is coin number 0..2t; arrays are indexed [start, hits, misses].
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Literal

import numpy as np

from solvers.notorious_coins.rows import EITHER, LEFT, RIGHT, Diagonals, compared

Slipping = Literal["opponent", "hand"]
HIT, MISS = 0, 1


@dataclass(frozen=True, eq=False)
class Round:
    """What can happen from your move number t to the next one.

    reward[action, outcome, start]: the coin you get. steps[action, outcome, taken, start]: how often, out of 2, the
    next stretch starts `taken` coins further on. tells[action, start]: whether the outcome teaches anything; where it
    does not, the row of HIT holds for both.
    """

    reward: np.ndarray
    steps: np.ndarray
    tells: np.ndarray


class Polynomial:
    """Expected winnings of a fixed policy as a polynomial: the sum of c[h, m] x^h (1 - x)^m, exact.

    c[h, m] sums the coins of all courses of the game with h hits and m misses.
    """

    def __init__(self, numerators: np.ndarray, denominator: int) -> None:
        self.numerators, self.denominator = numerators, denominator

    @cached_property
    def terms(self) -> tuple[tuple[int, int, int], ...]:
        """(hits, misses, numerator) of every term that is not zero."""
        return tuple((int(h), int(m), int(self.numerators[h, m])) for h, m in np.argwhere(self.numerators != 0))

    def at(self, rate: Fraction) -> Fraction:
        """The expected winnings when the true rate is `rate`."""
        hit, whole, degree = rate.numerator, rate.denominator, len(self.numerators) - 1
        powers = sum(c * hit**h * (whole - hit) ** m * whole ** (degree - h - m) for h, m, c in self.terms)
        return Fraction(powers, self.denominator * whole**degree)

    def mean(self, a: Fraction, b: Fraction) -> Fraction:
        """The expected winnings when the true rate is drawn from Beta(a, b)."""
        total = Fraction(0)
        for h, m, c in self.terms:
            total += c * _rising(a, h) * _rising(b, m) / _rising(a + b, h + m)
        return total / self.denominator


def _rising(x: Fraction, count: int) -> Fraction:
    product = Fraction(1)
    for step in range(count):
        product *= x + step
    return product


def rounds(coins: np.ndarray, ends: Diagonals, slipping: Slipping) -> list[Round]:
    """The rounds of a game on this row, first to last. ends: those of perfect play, laid out as in rows.py."""
    make = _opponent_round if slipping == "opponent" else _hand_round
    return [make(coins, ends, length) for length in range(len(coins), 0, -2)]


def _opponent_round(coins: np.ndarray, ends: Diagonals, length: int) -> Round:
    starts = len(coins) - length + 1
    reward, steps = _empty(starts)
    tells = np.zeros((2, starts), dtype=bool)
    for action in (LEFT, RIGHT):
        coin, base, first = _after_taking(coins, ends, length, action)
        reward[action] = coin
        steps[action, HIT, base + 1], steps[action, HIT, base] = first, 2 - first
        steps[action, MISS, base + 1], steps[action, MISS, base] = 2 - first, first
        tells[action] = first != 1
    return Round(reward, steps, tells)


def _hand_round(coins: np.ndarray, ends: Diagonals, length: int) -> Round:
    starts = len(coins) - length + 1
    reward, steps = _empty(starts)
    for end in (LEFT, RIGHT):
        coin, base, first = _after_taking(coins, ends, length, end)
        for action, outcome in ((end, HIT), (1 - end, MISS)):
            reward[action, outcome] = coin
            steps[action, outcome, base + 1], steps[action, outcome, base] = first, 2 - first
    return Round(reward, steps, np.full((2, starts), length > 1))


def _empty(starts: int) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((2, 2, starts), dtype=object), np.zeros((2, 2, 3, starts), dtype=object)


def _after_taking(coins: np.ndarray, ends: Diagonals, length: int, end: int) -> tuple[np.ndarray, int, np.ndarray]:
    """The coin at that end, how many first coins that takes, and how often of 2 a perfect reply takes the first."""
    starts = len(coins) - length + 1
    coin = coins[:starts] if end == LEFT else coins[length - 1 :]
    theirs = ends[length - 1][1:] if end == LEFT else ends[length - 1][:-1]
    first = np.select([theirs == LEFT, theirs == EITHER], [2, 1], 0).astype(object)
    return coin.astype(object), 1 - end, first


@dataclass(frozen=True, eq=False)
class _Outlook:
    """Weights of hit and miss, the units of the next values, and the next values after each outcome."""

    hit: Any
    miss: Any
    told_unit: Any
    after_hit: np.ndarray
    after_miss: np.ndarray
    whole: Any
    silent_unit: Any
    after_silence: np.ndarray


def _worth(now: Round, action: int, outlook: _Outlook) -> np.ndarray:
    """What an action is worth in each state, when the next values are those of the outlook."""
    extra = (slice(None), *(np.newaxis,) * (outlook.after_hit.ndim - 1))

    def following(outcome: int, unit: Any, after: np.ndarray) -> Any:
        steps, starts = now.steps[action, outcome], now.steps.shape[-1]
        moved = sum(steps[taken][extra] * after[taken : taken + starts] for taken in range(3))
        return 2 * now.reward[action, outcome][extra] * unit + moved

    told = outlook.hit * following(HIT, outlook.told_unit, outlook.after_hit)
    told = told + outlook.miss * following(MISS, outlook.told_unit, outlook.after_miss)
    silent = outlook.whole * following(HIT, outlook.silent_unit, outlook.after_silence)
    worth: np.ndarray = np.where(now.tells[action][extra], told, silent)
    return worth


def learn(game: Sequence[Round], a: Fraction, b: Fraction) -> tuple[Fraction, list[np.ndarray]]:
    """The Bayes-adaptive optimum for the prior Beta(a, b), in units of the coins, and the best end in every state.

    The policy of round t has shape (2t + 1, t + 1, t + 1): LEFT, RIGHT or EITHER by start, hits and misses.
    V(row, h, m) = max over ends of [x (v + V(row', h + 1, m)) + (1 - x) (v' + V(row'', h, m + 1))] with
    x = (a + h) / (a + b + h + m).
    """
    shared = lcm(a.denominator, b.denominator)
    first, second = int(a * shared), int(b * shared)
    count = len(game)
    value = np.zeros((2 * count + 1, count + 1, count + 1), dtype=object)
    policy: list[np.ndarray] = []
    for t in reversed(range(count)):
        hits, misses = np.arange(t + 1).astype(object)[:, np.newaxis], np.arange(t + 1).astype(object)
        seen = hits + misses
        later = count - t - 1
        outlook = _Outlook(
            hit=first + hits * shared,
            miss=second + misses * shared,
            told_unit=_belief_unit(first + second, shared, seen + 1, later),
            after_hit=value[:, 1:, :-1],
            after_miss=value[:, :-1, 1:],
            whole=first + second + (seen + later) * shared,
            silent_unit=_belief_unit(first + second, shared, seen, later),
            after_silence=value[:, :-1, :-1],
        )
        left, right = _worth(game[t], LEFT, outlook), _worth(game[t], RIGHT, outlook)
        value = np.maximum(left, right)
        policy.append(compared(left, right))
    unit = _belief_unit(first + second, shared, np.array([0], dtype=object), count)[0]
    return Fraction(int(value[0, 0, 0]), int(unit)), policy[::-1]


def _belief_unit(total: int, shared: int, seen: np.ndarray, later: int) -> np.ndarray:
    """The product over u = seen .. seen + later - 1 of 2 (a + b + u) times the shared denominator."""
    unit = np.ones(seen.shape, dtype=object)
    for step in range(later):
        unit = unit * (2 * (total + (seen + step) * shared))
    return unit


def knowing(game: Sequence[Round], rates: Sequence[Fraction]) -> list[Fraction]:
    """The best expected winnings when the true rate is known, in units of the coins, for each of the rates."""
    *_, (left, right) = _at_known_rates(game, rates)
    units = ((2 * rate.denominator) ** len(game) for rate in rates)
    return [Fraction(int(v), unit) for v, unit in zip(np.maximum(left, right)[0], units, strict=True)]


def _at_known_rates(game: Sequence[Round], rates: Sequence[Fraction]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """What the left and the right end are worth at each known rate, shape (2t + 1, rates), from the last round back.

    Values are kept times (2 times the rate's denominator) for this round and each that follows.
    """
    hit = np.array([rate.numerator for rate in rates], dtype=object)
    whole = np.array([rate.denominator for rate in rates], dtype=object)
    value = np.zeros((2 * len(game) + 1, len(rates)), dtype=object)
    for later, now in enumerate(reversed(game)):
        unit = (2 * whole) ** later
        outlook = _Outlook(hit, whole - hit, unit, value, value, whole, unit, value)
        left, right = _worth(now, LEFT, outlook), _worth(now, RIGHT, outlook)
        yield left, right
        value = np.maximum(left, right)


def expecting(game: Sequence[Round], rate: Fraction) -> list[np.ndarray]:
    """The policy that is best if the rate is `rate`, laid out as that of `learn`: it never looks at hits and misses."""
    ends = [compared(left[:, 0], right[:, 0]) for left, right in _at_known_rates(game, [rate])][::-1]
    return [_heedless(end, t) for t, end in enumerate(ends)]


def assuming_no_slips(game: Sequence[Round], ends: Diagonals) -> list[np.ndarray]:
    """The policy of perfect play, laid out as that of `learn`: it never looks at hits and misses."""
    return [_heedless(ends[len(ends) - 1 - 2 * t], t) for t in range(len(game))]


def _heedless(ends: np.ndarray, t: int) -> np.ndarray:
    """The ends of round t, whatever the hits and misses."""
    return np.broadcast_to(ends[:, np.newaxis, np.newaxis], (2 * t + 1, t + 1, t + 1))


def winnings_of(game: Sequence[Round], policy: Sequence[np.ndarray]) -> Polynomial:
    """What a policy wins, as a polynomial in the true rate. Of equally good ends it takes each half of the time."""
    count = len(game)
    total = np.zeros((count + 1, count + 1), dtype=object)
    weight = np.ones((1, 1, 1), dtype=object)  # of the courses that lead to a state, out of 4 ** t
    for t, (now, choice) in enumerate(zip(game, policy, strict=True)):
        total = 4 * total
        following = np.zeros((2 * t + 3, t + 2, t + 2), dtype=object)
        for action in (LEFT, RIGHT):
            share = np.select([choice == action, choice == EITHER], [2, 1], 0) * weight
            _play_on(now, action, share, total, following)
        weight = following
    return Polynomial(total, 2 * 4 ** (count - 1))


def _play_on(now: Round, action: int, share: np.ndarray, total: np.ndarray, following: np.ndarray) -> None:
    """Add to `total` what an action gains in this round, and to `following` where it leads."""
    starts, size, _ = share.shape
    told = share * now.tells[action][:, np.newaxis, np.newaxis]
    for moved, outcome, h, m in ((told, HIT, 1, 0), (told, MISS, 0, 1), (share - told, HIT, 0, 0)):
        reward = now.reward[action, outcome][:, np.newaxis, np.newaxis]
        total[h : h + size, m : m + size] += (reward * moved).sum(axis=0)
        for taken in range(3):
            steps = now.steps[action, outcome, taken][:, np.newaxis, np.newaxis]
            following[taken : taken + starts, h : h + size, m : m + size] += steps * moved
