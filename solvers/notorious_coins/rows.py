"""Perfect play on a row of coins: what each stretch of the row is worth, which end to take, and a game.

A stretch is named by its first and last coin. `best[length][start]` is the value of the stretch of that length whose
first coin is number `start`, counted from 0; shape (n - length + 1, ...), where further axes of `coins` are rows of
their own. Coins are whole numbers here: the caller multiplies fractions by their common denominator.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

LEFT, RIGHT, EITHER = 0, 1, 2
Diagonals = list[np.ndarray]


@dataclass(frozen=True)
class Move:
    """One move of a game. `end` is the end that the coin was taken from: left, right, or only (a single coin).

    `tie`: the other end would have done as well. mine, theirs: what both hold after the move.
    """

    number: int
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
    """The published four-coin rows [v/2 - 1, v/2 - 1, 3v/4, v/2 + 1]: what greed and the best play collect, by v."""

    v: tuple[Fraction, ...]
    rows: tuple[tuple[Fraction, ...], ...]
    greedy: tuple[Fraction, ...]
    best: tuple[Fraction, ...]
    claim_holds: bool  # greedy is v and best is 5v/4 - 1 at every v above 4
    worst_ratio: Fraction  # the largest best / greedy of the range


def whole(values: Sequence[Fraction]) -> tuple[np.ndarray, int]:
    """The values times their common denominator, and that denominator: int64 if all sums fit, else Python integers."""
    scale = common_denominator(values)
    coins = [int(value * scale) for value in values]
    return np.array(coins, dtype=np.int64 if sum(coins) < 2**62 else object), scale


def common_denominator(values: Sequence[Fraction]) -> int:
    """The smallest positive integer that makes every value whole."""
    return int(np.lcm.reduce(np.array([value.denominator for value in values], dtype=object)))


def best_play(coins: np.ndarray) -> Diagonals:
    """What the player to move collects, as best[length][start].

    f(i, j) = max(v_i + min(f(i+2, j), f(i+1, j-1)),
                  v_j + min(f(i+1, j-1), f(i, j-2))).
    """
    n = len(coins)
    nothing = np.zeros((n + 1, *coins.shape[1:]), dtype=coins.dtype)
    best = [nothing, coins]
    for length in range(2, n + 1):
        shorter = best[length - 2]
        # The opponent leaves the poorer of two stretches.
        reply = np.minimum(shorter[1:], shorter[:-1])
        take_left = coins[: n - length + 1] + reply[1:]
        take_right = coins[length - 1 :] + reply[:-1]
        best.append(np.maximum(take_left, take_right))
    return best


def best_ends(best: Diagonals) -> Diagonals:
    """Which end a perfect player takes from every stretch: LEFT, RIGHT or EITHER, laid out as `best`.

    Of a fixed total the mover keeps most by leaving the stretch from which the other collects least.
    """
    ends = [np.full(len(best[0]), EITHER), np.full(len(best[1]), EITHER)]
    return ends + [compared(-shorter[1:], -shorter[:-1]) for shorter in best[1:-1]]


def compared(left: np.ndarray, right: np.ndarray, slack: float = 0.0) -> np.ndarray:
    """LEFT or RIGHT where that end is worth more, EITHER where the two differ by at most slack."""
    difference = left - right
    return np.where(difference > slack, LEFT, np.where(difference < -slack, RIGHT, EITHER)).astype(np.int8)


def greedy_play(coins: np.ndarray) -> Diagonals:
    """What always taking the larger end (the first of two equal ones) collects against the best reply to it."""
    n = len(coins)
    greedy = [np.zeros((n + 1, *coins.shape[1:]), dtype=coins.dtype), coins]
    for length in range(2, n + 1):
        reply = np.minimum(greedy[length - 2][1:], greedy[length - 2][:-1])
        first, last = coins[: n - length + 1], coins[length - 1 :]
        greedy.append(np.where(first >= last, first + reply[1:], last + reply[:-1]))
    return greedy


def take(stretch: tuple[int, int], end: int) -> tuple[int, tuple[int, int]]:
    """The number of the coin at that end of the stretch (first, behind the last), and the stretch that is left."""
    start, stop = stretch
    return (stop - 1, (start, stop - 1)) if end == RIGHT else (start, (start + 1, stop))


def perfect_game(values: Sequence[Fraction], ends: Diagonals) -> tuple[Move, ...]:
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
                number=len(moves) + 1,
                mine=mover == 0,
                end="only" if length == 1 else "right" if end == RIGHT else "left",
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


def greedy_trap(v: Fraction) -> tuple[Fraction, ...]:
    """The published row of four on which greed collects v."""
    return (v / 2 - 1, v / 2 - 1, 3 * v / 4, v / 2 + 1)


def greedy_traps(largest: Fraction) -> Family:
    """The published family, which begins above v = 4, for v = 9/2, 5, ... up to `largest`, in exact rationals."""
    v = tuple(Fraction(k, 2) for k in range(9, int(2 * largest) + 1))
    scale = 8  # the coins are eighths
    rows = tuple(greedy_trap(x) for x in v)
    coins = np.array([[int(scale * coin) for coin in row] for row in rows]).T
    greedy = tuple(Fraction(int(value), scale) for value in greedy_play(coins)[4][0])
    best = tuple(Fraction(int(value), scale) for value in best_play(coins)[4][0])
    holds = all(g == x and b == 5 * x / 4 - 1 for x, g, b in zip(v, greedy, best, strict=True))
    ratio = max(b / g for g, b in zip(greedy, best, strict=True))
    return Family(v, rows, greedy, best, holds, ratio)
