"""Perfect play: the value of every stretch of the row, the end to take, a game, and the greedy player.

Values are kept as `best[length][start]`: the value of the stretch of that length whose first coin is number `start`,
counted from 0. Shape (n - length + 1, ...); further axes of `coins` are separate rows. Coins are whole numbers: the
caller multiplies fractions by their common denominator.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from site_builder.contract import Grid

LEFT, RIGHT, EITHER = 0, 1, 2
ByLength = list[np.ndarray]


@dataclass(frozen=True)
class Move:
    """One move of a game. `end` is the end that the coin was taken from: left, right, or only (a single coin).

    tie: the other end would have been as good. my_total, their_total: what you and the opponent hold after the move.
    """

    mine: bool
    end: str
    coin: Fraction
    first_coin: Fraction
    last_coin: Fraction
    coins_left: int
    tie: bool
    my_total: Fraction
    their_total: Fraction


@dataclass(frozen=True)
class Family:
    """The published four-coin rows [v/2 - 1, v/2 - 1, 3v/4, v/2 + 1]: what greed and the best play collect, by v.

    claim_holds: greed collects v and best play 5v/4 - 1 at every v. worst_ratio: the largest best / greedy.
    """

    v: tuple[Fraction, ...]
    rows: tuple[tuple[Fraction, ...], ...]
    greedy: tuple[Fraction, ...]
    best: tuple[Fraction, ...]
    claim_holds: bool
    worst_ratio: Fraction


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


def greedy_play(coins: np.ndarray) -> ByLength:
    """What always taking the larger end (the first of two equal ones) collects against the best replies."""
    n = len(coins)
    greedy = [np.zeros((n + 1, *coins.shape[1:]), dtype=coins.dtype), coins]
    for length in range(2, n + 1):
        reply = np.minimum(greedy[length - 2][1:], greedy[length - 2][:-1])
        first, last = coins[: n - length + 1], coins[length - 1 :]
        greedy.append(np.where(first >= last, first + reply[1:], last + reply[:-1]))
    return greedy


def name_of_end(end: int, coins_left: int) -> str:
    """left, right or either; only for a single coin."""
    return "only" if coins_left == 1 else ("left", "right", "either")[int(end)]


def take(stretch: tuple[int, int], end: int) -> tuple[int, tuple[int, int]]:
    """The number of the coin at that end of the stretch (start, stop), and the stretch that is left."""
    start, stop = stretch
    return (stop - 1, (start, stop - 1)) if end == RIGHT else (start, (start + 1, stop))


def perfect_game(values: Sequence[Fraction], ends: ByLength) -> tuple[Move, ...]:
    """A game between two perfect players, who take the left coin where both ends are equally good."""
    moves: list[Move] = []
    stretch, totals = (0, len(values)), [Fraction(0), Fraction(0)]
    for length in range(len(values), 0, -1):
        first, last = values[stretch[0]], values[stretch[1] - 1]
        end = int(ends[length][stretch[0]])
        number, stretch = take(stretch, end)
        mover = len(moves) % 2
        totals[mover] += values[number]
        moves.append(
            Move(
                mine=mover == 0,
                end=name_of_end(LEFT if end == EITHER else end, length),
                coin=values[number],
                first_coin=first,
                last_coin=last,
                coins_left=length,
                tie=end == EITHER and length > 1,
                my_total=totals[0],
                their_total=totals[1],
            )
        )
    return tuple(moves)


def published_family(largest: Fraction) -> Family:
    """The published rows for v = 9/2, 5, ... up to `largest`, in exact fractions; the source has v > 4."""
    v = tuple(Fraction(k, 2) for k in range(9, int(2 * largest) + 1))
    rows = tuple((x / 2 - 1, x / 2 - 1, 3 * x / 4, x / 2 + 1) for x in v)
    scale = 8  # the coins are eighths
    coins = np.array([[int(scale * coin) for coin in row] for row in rows]).T
    greedy = tuple(Fraction(int(value), scale) for value in greedy_play(coins)[4][0])
    best = tuple(Fraction(int(value), scale) for value in best_play(coins)[4][0])
    holds = all(g == x and b == 5 * x / 4 - 1 for x, g, b in zip(v, greedy, best, strict=True))
    return Family(v, rows, greedy, best, holds, max(b / g for g, b in zip(greedy, best, strict=True)))


def grid_of_stretches(by_length: ByLength, stride: int, nothing: int = 0) -> Grid:
    """The entries by first and last coin, counted from 1, at every stride-th position; `nothing` where first > last."""
    n = len(by_length) - 1
    firsts = np.arange(0, n, stride)
    lasts = np.arange(n - 1, -1, -stride)[::-1]
    kind = np.int64 if np.issubdtype(by_length[n].dtype, np.integer) else float
    table = np.full((len(firsts), len(lasts)), nothing, dtype=kind)
    for i, first in enumerate(firsts):
        for j in np.flatnonzero(lasts >= first):
            table[i, j] = by_length[lasts[j] - first + 1][first]
    return Grid(table, {"first": (firsts + 1).tolist(), "last": (lasts + 1).tolist()})
