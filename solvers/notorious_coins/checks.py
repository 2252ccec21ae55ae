"""Checks of perfect play and of play with slips: by leads, by the rule, by games, closed forms and publications.

The lead d is what the player to move collects more than the other, who together collect all coins. With perfect play
d(i, j) = max(v_i - d(i+1, j), v_j - d(i, j-1)). With slips there are two leads, one for each player to move, and each
is an average of such terms.
"""

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from site_builder.contract import Grid, close, one_of
from solvers.notorious_coins.parameters import Rate, hit_chances
from solvers.notorious_coins.rules import Row, moves_of

_BY_RULE = 10  # coins of a row whose courses are all walked
_ROUNDING = 1e-11  # of the total, by which leads in floats may be wrong
_PUBLISHED: dict[tuple[Fraction | int, ...], int] = {(2, 4, 8, 10): 14, (8, 20, 3, 2): 22, (19, 19, 30, 21): 49}
_PUBLISHED_GREED: dict[tuple[Fraction | int, ...], int] = {(8, 20, 3, 2): 11, (19, 19, 30, 21): 40}

Answer = Mapping[str, Any]
Chance = Any  # a number or an array of numbers, or a tuple of numbers for each k


def check_row(values: Row, n: int, seed: int) -> Answer:
    """The coins as given, or drawn again with the seed."""
    drawn = random.Random(seed)
    row = [drawn.randint(1, 100) for _ in range(n)] if n else values
    return {"row": row, "n_coins": len(row)}


def check_sums(row: Row) -> Answer:
    """Added up coin by coin; two of the n + 1 gaps beside coins are the ends of a stretch."""
    total = sum(row, Fraction(0))
    odd = sum((coin for place, coin in enumerate(row, start=1) if place % 2), Fraction(0))
    return {
        "total": total,
        "half": total * Fraction(1, 2),
        "odd_coins": odd,
        "even_coins": total - odd,
        "secure": max(odd, total - odd),
        "is_even": len(row) % 2 == 0,
        "entries": sum(1 for first in range(len(row)) for last in range(first, len(row))),
    }


def check_share(best: Fraction, total: Fraction) -> Answer:
    """The rest of the coins, the difference and the quotient."""
    return {"opponent": total - best, "lead": best - (total - best), "share": best / total}


def check_published(row: Row) -> Answer:
    """The published account, Notorious Coins."""
    if row in _PUBLISHED_GREED:
        return {"best": _PUBLISHED[row], "greedy": _PUBLISHED_GREED[row]}
    return {"best": _PUBLISHED[row]} if row in _PUBLISHED else {}


def check_family(family_max: Fraction) -> Answer:
    """The closed forms of the published family: greed collects v, the best play 5v/4 - 1."""
    v = [Fraction(k, 2) for k in range(9, int(2 * family_max) + 1)]
    return {
        "family": {
            "v": v,
            "rows": [(x / 2 - 1, x / 2 - 1, x * 3 / 4, x / 2 + 1) for x in v],
            "greedy": v,
            "best": [5 * x / 4 - 1 for x in v],
            "ratio": [Fraction(5, 4) - 1 / x for x in v],
            "claim_holds": True,
        }
    }


# By leads


def leads(coins: np.ndarray, p: Chance, q: Chance) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """For k = 1, 2, ... coins: your lead on each stretch if you take the left coin, the right coin, and with slips.

    p, q: chances of the better end with k coins left. Shape (n - k + 1, ...), by first coin.
    """
    n, number = len(coins), coins.dtype.type
    p, q = (list(map(number, x)) if isinstance(x, tuple) else [x] * (n + 1) for x in (p, q))
    mine = theirs = coins
    yield coins, coins, coins
    for k in range(2, n + 1):
        first, last = coins[: n - k + 1], coins[k - 1 :]
        left, right = first - theirs[1:], last - theirs[:-1]
        mine, theirs = _average(left, right, q[k]), _average(first - mine[1:], last - mine[:-1], p[k])
        yield left, right, mine


def _average(left: np.ndarray, right: np.ndarray, hit: Any) -> np.ndarray:
    better: np.ndarray = np.maximum(left, right)
    return better if np.ndim(hit) == 0 and hit == 1 else hit * better + (1 - hit) * np.minimum(left, right)


def stretches(row: Row, p: Chance, q: Chance) -> tuple[np.ndarray, np.ndarray]:
    """Your expected winnings and the better end for the stretch from coin i to coin j, shape (n, n).

    Ends: 0 left, 1 right, 2 either, -1 where there is no stretch.
    """
    coins, n = np.array(row, dtype=object), len(row)
    sums = np.append([0], coins.cumsum())
    value, gain = np.zeros((2, n, n), dtype=object)
    for k, (left, right, lead) in enumerate(leads(coins, p, q), start=1):
        i = np.arange(n - k + 1)
        value[i, i + k - 1], gain[i, i + k - 1] = (sums[k:] - sums[:-k] + lead) / Fraction(2), left - right
    ends = np.where(gain > 0, 0, np.where(gain < 0, 1, 2))
    return value, np.where(np.tri(n, k=-1, dtype=bool), -1, ends)


def _chances(row: Row, p: Rate, q: Rate) -> tuple[Row, Row]:
    """p_k and q_k by the coins left, as far as the whole row, where it is your move."""
    return (*hit_chances(p, "p", len(row) - 1), Fraction(1)), hit_chances(q, "q", len(row))


def _name_of_end(ends: np.ndarray) -> str:
    """The end to take first."""
    return "only" if ends.size == 1 else ("left", "right", "either")[ends[0, -1]]


def check_stretches(row: Row) -> Answer:
    """The mover's lead on every stretch, and the end that it asks for."""
    value, ends = stretches(row, 1, 1)
    return {"best": value[0, -1], "best_table": value, "best_ends": ends, "first_move": _name_of_end(ends)}


def check_stretches_with_slips(row: Row, p: Rate, q: Rate) -> Answer:
    """The leads of both players on every stretch, with their slips."""
    value, ends = stretches(row, *_chances(row, p, q))
    erring = {"expected": value[0, -1], "first_move": _name_of_end(ends)}
    return {"erring_table": value, "erring_ends": ends, "erring": erring}


def check_constant_chances(row: Row, q: Rate) -> Answer:
    """The leads of both players at each constant chance."""
    steps = [Fraction(step, 40) for step in range(41)]
    coins, p = np.outer(np.array(row, dtype=float), np.ones(len(steps))), np.array(steps, dtype=float)
    *_, (left, right, lead) = leads(coins, p, hit_chances(q, "q", len(row)))
    found = {"by_p": lead[0], "by_first": np.array([left[0], right[0]])}
    rounding = _ROUNDING * float(sum(row))
    return {"erring": {name: close((coins.sum(axis=0) + each) / 2, absolute=rounding) for name, each in found.items()}}


def check_peaks(row: Row) -> Answer:
    """The mover's lead on every stretch, and the peaks taken out of the row by recursion."""
    *_, (left, right, lead) = leads(np.array(row, dtype=object), 1, 1)
    rounds = [tuple((1, coin) for coin in row)]
    while (shorter := _once_without_peaks(rounds[-1])) != rounds[-1]:
        rounds.append(shorter)
    columns = [tuple(zip(*entries, strict=True)) for entries in rounds]
    best = {"left"} if left[0] > right[0] else {"right"} if left[0] < right[0] else {"left", "right", "either"}
    return {
        "peaks": {
            "rounds": [{"coins": coins, "worth": worth} for coins, worth in columns],
            "in_order": sorted(columns[-1][1])[::-1],
            "lead": lead[0],
            "end": one_of(*best),
        }
    }


def _once_without_peaks(entries: tuple[tuple[int, Any], ...]) -> tuple[tuple[int, Any], ...]:
    match entries:
        case (m, a), (n, b), (k, c), *rest if max(a, c) <= b:
            return (m + n + k, a - b + c), *_once_without_peaks(tuple(rest))
        case first, *rest:
            return first, *_once_without_peaks(tuple(rest))
    return ()


# By the rule


def expected_winnings(row: Row, p: Row, q: Row, my_turn: bool = True) -> Fraction:
    """Your expected winnings from a row on which you, or else the opponent, are to move: every course is walked.

    p[k] and q[k]: chances that the opponent and you take the better end with k coins left; 1 is perfect play.
    """
    if not row:
        return Fraction(0)
    left = (row[0] if my_turn else 0) + expected_winnings(row[1:], p, q, not my_turn)
    right = (row[-1] if my_turn else 0) + expected_winnings(row[:-1], p, q, not my_turn)
    if my_turn:
        return q[len(row)] * max(left, right) + (1 - q[len(row)]) * min(left, right)
    return p[len(row)] * min(left, right) + (1 - p[len(row)]) * max(left, right)


def check_short_row(row: Row, p: Rate, q: Rate) -> Answer:
    """Every course of the game on the first ten coins."""
    first, sure = row[:_BY_RULE], (Fraction(1),) * (len(row) + 1)
    perfect, erring = expected_winnings(first, sure, sure), expected_winnings(first, *_chances(row, p, q))
    return {"best_table": {(1, len(first)): perfect}, "erring_table": {(1, len(first)): erring}}


def check_greed(row: Row) -> Answer:
    """Every reply to the player who takes the larger end."""

    @cache
    def greed(i: int, j: int) -> Fraction:
        if i > j:
            return Fraction(0)
        coin, i, j = (row[i], i + 1, j) if row[i] >= row[j] else (row[j], i, j - 1)
        return coin + min(greed(i + 1, j), greed(i, j - 1))

    return {"greedy": greed(0, len(row) - 1)}


def check_greedy_opponents(row: Row) -> Answer:
    """Each of your choices on the first ten coins, against both greedy opponents."""

    def worth(coins: Row, ahead: int) -> Fraction:
        return max(coins[0] + left_by_greed(coins[1:], ahead), coins[-1] + left_by_greed(coins[:-1], ahead))

    def left_by_greed(coins: Row, ahead: int) -> Fraction:
        if len(coins) < 2:
            return Fraction(0)
        first, last = coins[0] - ahead * max(coins[1], coins[-1]), coins[-1] - ahead * max(coins[0], coins[-2])
        return worth(coins[1:] if first >= last else coins[:-1], ahead)

    begin = row[:_BY_RULE]
    return {"greed_table": {(ahead, 1, len(begin)): worth(begin, ahead) for ahead in (0, 1)}}


def check_game(row: Row, best_ends: Grid) -> Answer:
    """The row played coin by coin, by the better end of each stretch, or by the larger coin."""
    first, last, ends, ties = 1, len(row), [], []
    for left in range(len(row), 0, -1):
        end = best_ends.at(first=first, last=last)
        ties.append(left > 1 and end == 2)
        ends.append(int(row[first - 1] < row[last - 1] if end == 2 else end))
        first, last = first + 1 - ends[-1], last - ends[-1]
    return {"perfect_game": {"moves": moves_of(row, ends), "ties": ties}}


def check_colours(best: Fraction, secure: Fraction, is_even: bool) -> None:
    """On an even row the first player can have all coins in odd, or all in even positions."""
    assert not is_even or best >= secure
