"""Perfect play: the value of every stretch of the row, the end to take, a game, and the greedy player.

Values are kept as `best[length][start]`: the value of the stretch of that length whose first coin is number `start`,
counted from 0. Shape (n - length + 1,), Fractions.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import Grid
from solvers.notorious_coins.rules import EITHER, LEFT, RIGHT, Aim, Row, moves_of, without

ByLength = list[np.ndarray]


def best_play(coins: np.ndarray) -> ByLength:
    """What the player to move collects, as best[length][start].

    f(i, j) = max(v_i + min(f(i+2, j), f(i+1, j-1)),
                  v_j + min(f(i+1, j-1), f(i, j-2))).
    """
    n = len(coins)
    best = [np.zeros(n + 1, dtype=coins.dtype), coins]
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


def better_end(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """LEFT or RIGHT where that end has the larger value, EITHER where both have the same."""
    return np.where(left > right, LEFT, np.where(left < right, RIGHT, EITHER)).astype(np.int8)


def greedy_play(row: Row) -> Fraction:
    """What always taking the larger end (the first of two equal ones) collects from the whole row.

    The opponent replies as well as possible.
    """
    coins, n = np.array(row, dtype=object), len(row)
    shorter, greedy = np.zeros(n + 1, dtype=object), coins
    for length in range(2, n + 1):
        reply = np.minimum(shorter[1:], shorter[:-1])
        first, last = coins[: n - length + 1], coins[length - 1 :]
        shorter, greedy = greedy, np.where(first >= last, first + reply[1:], last + reply[:-1])
    return Fraction(greedy[0])


def name_of_end(ends: ByLength) -> str:
    """The end to take first: left, right or either; only for a single coin."""
    return "only" if len(ends) == 2 else ("left", "right", "either")[ends[-1][0]]


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
    greedy = tuple(map(greedy_play, rows))
    best = tuple(best_play(np.array(row, dtype=object))[4][0] for row in rows)
    return {
        "v": v,
        "rows": rows,
        "greedy": greedy,
        "best": best,
        "ratio": tuple(b / g for g, b in zip(greedy, best, strict=True)),
        "claim_holds": all(g == x and b == 5 * x / 4 - 1 for x, g, b in zip(v, greedy, best, strict=True)),
    }


def grid_of_stretches(by_length: ByLength, nothing: int = 0) -> Grid:
    """The entries by first and last coin, counted from 1; `nothing` where first > last."""
    n = len(by_length) - 1
    table = np.full((n, n), nothing, dtype=by_length[n].dtype)
    for length in range(1, n + 1):
        first = np.arange(n - length + 1)
        table[first, first + length - 1] = by_length[length]
    return Grid(table, {"first": range(1, n + 1), "last": range(1, n + 1)})
