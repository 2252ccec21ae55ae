"""Values and best ends of every stretch of the row, with and without slips; a perfect game, and the greedy player.

Values are kept as `best[length][start]`: the value of the stretch of that length whose first coin is number `start`,
counted from 0. Shape (n - length + 1,), Fractions. With slips the better end is the one that is better against the
slips still to come, which need not be the end of perfect play.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import Grid
from solvers.notorious_coins.rules import EITHER, LEFT, RIGHT, Aim, Row, greedy_end, moves_of, without

ByLength = list[np.ndarray]
SURE = (1,) * 41  # by coins left, the chances of a player who never slips
_STEPS = 40  # of a constant chance along a curve


def best_play(coins: np.ndarray, p: Sequence[Any], q: Sequence[Any]) -> tuple[ByLength, ByLength]:
    """What you expect when it is your move, and the end to take: LEFT, RIGHT or EITHER.

    f(i, j) = q_k max(L, R) + (1 - q_k) min(L, R) with k coins left, where
    L = v_i + p_(k-1) min(f(i+2, j), f(i+1, j-1)) + (1 - p_(k-1)) max(...), and R likewise from the other end.

    p, q: chances by coins left, `SURE` for players who never slip. `coins` may have a further axis, along which the
    chances vary.
    """

    def replies(k: int, shorter: np.ndarray) -> np.ndarray:
        return _mixed(p[k], np.minimum(shorter[1:], shorter[:-1]), np.maximum(shorter[1:], shorter[:-1]))

    return _from_short_to_long(coins, replies, q)


def play_against_greed(row: Row, looks_ahead: int) -> tuple[ByLength, ByLength]:
    """What you expect when it is your move, and the end to take, against an opponent who takes the `greedy_end`."""
    n = len(row)

    def replies(k: int, shorter: np.ndarray) -> np.ndarray:
        ends = [greedy_end(row, (first, first + k - 1), looks_ahead) for first in range(1, n - k + 2)]
        return np.where(np.array(ends) == LEFT, shorter[1:], shorter[:-1])

    return _from_short_to_long(np.array(row, dtype=object), replies, SURE)


def _from_short_to_long(
    coins: np.ndarray, replies: Callable[[int, np.ndarray], np.ndarray], q: Sequence[Any]
) -> tuple[ByLength, ByLength]:
    """Values and ends of all stretches.

    replies: from k and the values of the stretches of k - 1 coins, what the opponent leaves of each stretch of k.
    """
    n = len(coins)
    values, ends = [np.zeros((n + 1, *coins.shape[1:]), dtype=coins.dtype), coins], [np.full(n + 1, EITHER)] * 2
    ends[1] = np.full(n, EITHER)
    for k in range(2, n + 1):
        reply = replies(k - 1, values[k - 2])
        left, right = coins[: n - k + 1] + reply[1:], coins[k - 1 :] + reply[:-1]
        values.append(_mixed(q[k], np.maximum(left, right), np.minimum(left, right)))
        ends.append(better_end(left, right))
    return values, ends


def _mixed(hit: Any, better: np.ndarray, other: np.ndarray) -> np.ndarray:
    mixed: np.ndarray = hit * better + (1 - hit) * other
    return mixed


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
    """The moves of a game between two perfect players; ties: where both ends are equally good.

    There they take the larger coin, the left of two equal ones.
    """
    left, ends, ties = (1, len(row)), [], []
    while left[0] <= left[1]:
        best = aim(left)
        ties.append(best == EITHER and left[0] < left[1])
        ends.append(greedy_end(row, left, 0) if best == EITHER else best)
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
    best = tuple(best_play(np.array(row, dtype=object), SURE, SURE)[0][4][0] for row in rows)
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


def winnings_by_p(row: Row, q: Sequence[Any]) -> dict[str, Grid]:
    """Expected winnings along a constant p, in floats: by_p, and by_first, where you begin with the left or right coin.

    q: your chances by coins left.
    """
    steps = [Fraction(step, _STEPS) for step in range(_STEPS + 1)]
    p, coins = np.array(steps, dtype=float), np.outer(np.array(row, dtype=float), np.ones(len(steps)))
    values, _ = best_play(coins, [p] * (len(row) + 1), list(map(float, q)))
    first = np.array([coins[0], coins[-1]])
    if len(row) > 2:
        after_right, middle, after_left = values[len(row) - 2]
        left = [_mixed(p, np.minimum(middle, each), np.maximum(middle, each)) for each in (after_left, after_right)]
        first = first + left
    return {"by_p": Grid(values[-1][0], {"p": steps}), "by_first": Grid(first, {"coin": ("left", "right"), "p": steps})}
