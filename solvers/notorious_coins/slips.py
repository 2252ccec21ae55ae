"""Play with slips: with k coins left the opponent takes the better end with chance p_k, you with chance q_k.

The better end is the one that is better against the slips still to come, which need not be the end of perfect play.
Chances are given as weights, a pair (hit, miss) for each k: whole numbers in exact arithmetic, where the chance is
hit / (hit + miss), or floats that add up to 1.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import Grid
from solvers.notorious_coins.perfect_play import ByLength, better_end, whole_numbers
from solvers.notorious_coins.rules import EITHER

Weights = Sequence[tuple[Any, Any]]
Layer = tuple[int, Any, np.ndarray, np.ndarray, np.ndarray]

_EXACT_WORK = 2 * 10**8  # stretches times bits of the largest denominator, up to which arithmetic is exact
_TOLERANCE = 1e-12  # of the total, within which floats count as equal


def layers(coins: np.ndarray, p: Weights, q: Weights, parity: int) -> Iterator[Layer]:
    """All stretches of odd (parity 1) or even (parity 0) length, layer by layer from length 1 or 2 up to len(coins).

    f(i, j) = q_k max(L, R) + (1 - q_k) min(L, R) with k coins left, where
    L = v_i + p_(k-1) min(f(i+2, j), f(i+1, j-1)) + (1 - p_(k-1)) max(...), and R likewise from the other end.

    A layer is (length, unit, L, R, f). Its arrays, of shape (n - length + 1, ...), are multiplied by unit, so that
    whole numbers stay whole. `coins` may have further axes, along which the weights vary.
    """
    n = len(coins)
    unit: Any = 1
    value = coins if parity else np.zeros((n + 1, *coins.shape[1:]), dtype=coins.dtype)
    if parity:
        yield 1, unit, coins, coins, coins
    for k in range(2 + parity, n + 1, 2):
        (their_hit, their_miss), (my_hit, my_miss) = p[k - 1], q[k]
        low, high = np.minimum(value[1:], value[:-1]), np.maximum(value[1:], value[:-1])
        reply = their_hit * low + their_miss * high
        coin_unit = unit * (their_hit + their_miss)
        left = coin_unit * coins[: n - k + 1] + reply[1:]
        right = coin_unit * coins[k - 1 :] + reply[:-1]
        value = my_hit * np.maximum(left, right) + my_miss * np.minimum(left, right)
        unit = coin_unit * (my_hit + my_miss)
        yield k, unit, left * (my_hit + my_miss), right * (my_hit + my_miss), value


def weights_of(chances: Sequence[Fraction], exact: bool) -> Weights:
    """(hit, miss) for each k: whole numbers if exact, else floats."""
    if exact:
        return [(chance.numerator, chance.denominator - chance.numerator) for chance in chances]
    return [(float(chance), float(1 - chance)) for chance in chances]


def all_stretches(
    row: Sequence[Fraction], p: Sequence[Fraction], q: Sequence[Fraction]
) -> tuple[ByLength, ByLength, Fraction | float]:
    """Values (floats) and better ends of every stretch by length, and the value of the whole row.

    p, q: the chances by coins left. The value of the row is exact, but for rows so long that it would take too long.
    """
    n, exact = len(row), _is_affordable(p, q, len(row))
    coins, scale = whole_numbers(row)
    units, denominator = (coins.astype(object), scale) if exact else (coins / scale, 1)
    tolerance = 0.0 if exact else _TOLERANCE * float(sum(row))
    table: ByLength = [np.zeros(n + 1)] * (n + 1)
    ends: ByLength = [np.full(n + 1, EITHER, dtype=np.int8)] * (n + 1)
    expected: Fraction | float = 0.0
    for parity in (1 - n % 2, n % 2):  # the whole row comes last
        for k, unit, left, right, value in layers(units, weights_of(p, exact), weights_of(q, exact), parity):
            table[k] = (value / (unit * denominator)).astype(float)
            ends[k] = better_end(left, right, tolerance)
            expected = Fraction(value[0], unit * denominator) if exact else float(value[0])
    return table, ends, expected


def _is_affordable(p: Sequence[Fraction], q: Sequence[Fraction], n: int) -> bool:
    """True where exact arithmetic on this row stays within _EXACT_WORK."""
    bits = [p[k - 1].denominator.bit_length() + q[k].denominator.bit_length() for k in range(2, n + 1)]
    return n * n / 2 * max(sum(bits[::2]), sum(bits[1::2]), 64) <= _EXACT_WORK


def winnings_by_p(row: np.ndarray, q: Sequence[Fraction]) -> Grid:
    """Expected winnings along a constant p. q: your chances by coins left."""
    count = 40 if len(row) <= 400 else 10
    steps = [Fraction(step, count) for step in range(count + 1)]
    return Grid(_winnings(row, np.array(steps, dtype=float), q), {"p": steps})


def break_even(row: np.ndarray) -> float | None:
    """The smallest constant q that collects half or more of the row against a perfect opponent; None for no q.

    Expected winnings never fall as q grows, so that three grids of chances, each within a step of the last, find it.
    """
    half, low, high = row.sum() / 2, 0.0, 1.0
    for _ in range(3):
        q = np.linspace(low, high, 101 if len(row) <= 400 else 21)
        enough = np.flatnonzero(_winnings(row, np.ones_like(q), q) >= half * (1 - _TOLERANCE))
        if not len(enough):
            return None
        low, high = float(q[max(enough[0] - 1, 0)]), float(q[enough[0]])
    return high


def _winnings(row: np.ndarray, p: np.ndarray, q: np.ndarray | Sequence[Fraction]) -> np.ndarray:
    """Expected winnings on the whole row, floats. p: constants; q: a constant for each, or a chance for each k."""
    most = len(row) + 1
    mine = [(q, 1 - q)] * most if isinstance(q, np.ndarray) else weights_of(q, exact=False)
    *_, (*_, value) = layers(np.outer(row, np.ones(len(p))), [(p, 1 - p)] * most, mine, len(row) % 2)
    winnings: np.ndarray = value[0]
    return winnings
