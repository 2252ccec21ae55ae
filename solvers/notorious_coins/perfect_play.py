"""Perfect play: the value of every stretch of the row, the end to take, a game, and the greedy player.

Values are kept as `best[length][start]`: the value of the stretch of that length whose first coin is number `start`,
counted from 0. Shape (n - length + 1, ...); further axes of `coins` are separate rows. Coins are whole numbers: the
caller multiplies fractions by their common denominator.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, lcm
from typing import Any

import numpy as np

from site_builder.contract import Grid
from solvers.notorious_coins.rules import EITHER, LEFT, RIGHT, Aim, Row, moves_of, without

ByLength = list[np.ndarray]

_WIDEST = 200  # positions along each axis of a table


def whole_numbers(values: Sequence[Fraction]) -> tuple[np.ndarray, int]:
    """The values times their common denominator, and that denominator: int64 if all sums fit, else Python integers."""
    scale = lcm(*(value.denominator for value in values))
    coins = [int(value * scale) for value in values]
    return np.array(coins, dtype=np.int64 if sum(coins) < 2**62 else object), scale


def best_play(coins: np.ndarray) -> ByLength:
    """What the player to move collects, as best[length][start].

    f(i, j) = max(v_i + min(f(i+2, j), f(i+1, j-1)),
                  v_j + min(f(i+1, j-1), f(i, j-2))).
    """
    n = len(coins)
    best = [np.zeros((n + 1, *coins.shape[1:]), dtype=coins.dtype), coins]
    for length in range(2, n + 1):
        shorter = best[length - 2]
        # The opponent leaves the poorer of two stretches.
        reply = np.minimum(shorter[1:], shorter[:-1])
        take_left = coins[: n - length + 1] + reply[1:]
        take_right = coins[length - 1 :] + reply[:-1]
        best.append(np.maximum(take_left, take_right))
    return best


def best_ends(best: ByLength) -> ByLength:
    """Which end a perfect player takes from every stretch: LEFT, RIGHT or EITHER, arranged as `best`.

    As the sum of a stretch is fixed, the better end is the one that leaves the other player the smaller value.
    """
    ends = [np.full(len(best[0]), EITHER), np.full(len(best[1]), EITHER)]
    return ends + [better_end(-shorter[1:], -shorter[:-1]) for shorter in best[1:-1]]


def better_end(left: np.ndarray, right: np.ndarray, tolerance: float = 0.0) -> np.ndarray:
    """LEFT or RIGHT where that end has the larger value, EITHER where the two differ by at most `tolerance`."""
    difference = left - right
    return np.where(difference > tolerance, LEFT, np.where(difference < -tolerance, RIGHT, EITHER)).astype(np.int8)


def greedy_play(coins: np.ndarray) -> np.ndarray:
    """What always taking the larger end (the first of two equal ones) collects from the whole row.

    The opponent replies as well as possible.
    """
    n = len(coins)
    shorter, greedy = np.zeros((n + 1, *coins.shape[1:]), dtype=coins.dtype), coins
    for length in range(2, n + 1):
        reply = np.minimum(shorter[1:], shorter[:-1])
        first, last = coins[: n - length + 1], coins[length - 1 :]
        shorter, greedy = greedy, np.where(first >= last, first + reply[1:], last + reply[:-1])
    return np.asarray(greedy[0])


def name_of_end(end: int, coins_left: int) -> str:
    """left, right or either; only for a single coin."""
    return "only" if coins_left == 1 else ("left", "right", "either")[int(end)]


def aim_of(ends: ByLength) -> Aim:
    """The better end by first and last coin, counted from 1."""
    return lambda stretch: int(ends[stretch[1] - stretch[0] + 1][stretch[0] - 1])


def perfect_game(row: Row, aim: Aim) -> Mapping[str, Any]:
    """The moves of a game between two perfect players, who take the left coin of equally good ones; ties: where so."""
    left, ends, ties = (1, len(row)), [], []
    while left[0] <= left[1]:
        best = aim(left)
        ties.append(best == EITHER and left[0] < left[1])
        ends.append(LEFT if best == EITHER else best)
        left = without(left, ends[-1])
    return {"moves": moves_of(row, ends), "ties": ties}


def published_family(largest: Fraction) -> Mapping[str, Any]:
    """The published rows [v/2 - 1, v/2 - 1, 3v/4, v/2 + 1] for v = 9/2, 5, ... up to `largest`.

    By v: what greed and the best play collect, and the ratio of the two. claim_holds: greed collects v and best play
    5v/4 - 1 at every v.
    """
    v = tuple(Fraction(k, 2) for k in range(9, int(2 * largest) + 1))
    rows = tuple((x / 2 - 1, x / 2 - 1, 3 * x / 4, x / 2 + 1) for x in v)
    scale = 8  # the coins are eighths
    coins = np.array([[int(scale * coin) for coin in row] for row in rows]).T
    greedy, best = (
        tuple(Fraction(int(value), scale) for value in found) for found in (greedy_play(coins), best_play(coins)[4][0])
    )
    return {
        "v": v,
        "rows": rows,
        "greedy": greedy,
        "best": best,
        "ratio": tuple(b / g for g, b in zip(greedy, best, strict=True)),
        "claim_holds": all(g == x and b == 5 * x / 4 - 1 for x, g, b in zip(v, greedy, best, strict=True)),
    }


def grid_of_stretches(by_length: ByLength, nothing: int = 0) -> Grid:
    """The entries by first and last coin, counted from 1; `nothing` where first > last.

    Of a row above 200 coins every third, fifth, ... position is kept: odd steps, so that tables have stretches of odd
    and of even length.
    """
    n = len(by_length) - 1
    stride = ceil(n / _WIDEST) | 1
    firsts = np.arange(0, n, stride)
    lasts = np.arange(n - 1, -1, -stride)[::-1]
    kind = np.int64 if np.issubdtype(by_length[n].dtype, np.integer) else float
    table = np.full((len(firsts), len(lasts)), nothing, dtype=kind)
    for i, first in enumerate(firsts):
        for j in np.flatnonzero(lasts >= first):
            table[i, j] = by_length[lasts[j] - first + 1][first]
    return Grid(table, {"first": (firsts + 1).tolist(), "last": (lasts + 1).tolist()})
