"""Play with slips: with k coins left the opponent takes the better end with chance p_k, you with chance q_k.

The better end is the one that is better against the slips still to come, which need not be the end of perfect play.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import Grid
from solvers.notorious_coins.perfect_play import ByLength, better_end
from solvers.notorious_coins.rules import EITHER, Row

_STEPS = 40  # of a constant chance along a curve


def slipping_play(coins: np.ndarray, p: Sequence[Any], q: Sequence[Any]) -> tuple[ByLength, ByLength]:
    """What you expect when it is your move, and the better end, by length and start as in `best_play`.

    f(i, j) = q_k max(L, R) + (1 - q_k) min(L, R) with k coins left, where
    L = v_i + p_(k-1) min(f(i+2, j), f(i+1, j-1)) + (1 - p_(k-1)) max(...), and R likewise from the other end.

    p, q: chances by coins left. `coins` may have a further axis, along which the chances vary.
    """
    n = len(coins)
    values, ends = [np.zeros((n + 1, *coins.shape[1:]), dtype=coins.dtype), coins], [np.full(n + 1, EITHER)] * 2
    ends[1] = np.full(n, EITHER)
    for k in range(2, n + 1):
        shorter = values[k - 2]
        reply = _mixed(p[k - 1], np.minimum(shorter[1:], shorter[:-1]), np.maximum(shorter[1:], shorter[:-1]))
        left, right = coins[: n - k + 1] + reply[1:], coins[k - 1 :] + reply[:-1]
        values.append(_mixed(q[k], np.maximum(left, right), np.minimum(left, right)))
        ends.append(better_end(left, right))
    return values, ends


def _mixed(hit: Any, better: np.ndarray, other: np.ndarray) -> np.ndarray:
    mixed: np.ndarray = hit * better + (1 - hit) * other
    return mixed


def winnings_by_p(row: Row, q: Sequence[Fraction]) -> Grid:
    """Expected winnings along a constant p, in floats. q: your chances by coins left."""
    steps = [Fraction(step, _STEPS) for step in range(_STEPS + 1)]
    return Grid(_winnings(row, np.array(steps, dtype=float), list(map(float, q))), {"p": steps})


def break_even(row: Row) -> float | None:
    """The smallest constant q that collects half or more of the row against a perfect opponent; None for no q.

    Expected winnings never fall as q grows, so that three grids of chances, each within a step of the last, find it.
    """
    enough, low, high = float(sum(row)) / 2 * (1 - 1e-12), 0.0, 1.0
    for _ in range(3):
        q = np.linspace(low, high, 101)
        found = np.flatnonzero(_winnings(row, np.ones_like(q), [q] * (len(row) + 1)) >= enough)
        if not len(found):
            return None
        low, high = float(q[max(found[0] - 1, 0)]), float(q[found[0]])
    return high


def _winnings(row: Row, p: np.ndarray, q: Sequence[Any]) -> np.ndarray:
    """Expected winnings on the whole row in floats. p: constants; q: by coins left, each a number or one for each p."""
    coins = np.outer(np.array(row, dtype=float), np.ones(len(p)))
    winnings: np.ndarray = slipping_play(coins, [p] * (len(row) + 1), q)[0][-1][0]
    return winnings
