"""Play with slips: with k coins left the opponent takes the better end with chance p_k, you with chance q_k.

`better` means better against the very slips that are still to come. Chances come as weights: a pair (hit, miss) for
each k, whole numbers in exact work (the chance is hit / (hit + miss)) or floats that add up to 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

Weights = Sequence[tuple[Any, Any]]

EXACT_WORK = 2 * 10**8  # stretches times bits of the largest denominator that are worth exact arithmetic


@dataclass(frozen=True, eq=False)
class Layer:
    """All stretches of one length. Values are `unit` times what is meant, so that whole numbers stay whole.

    left, right: value of taking the first or the last coin; value: with your own slips; shape (n - length + 1, ...).
    """

    length: int
    unit: Any
    left: np.ndarray
    right: np.ndarray
    value: np.ndarray


def layers(coins: np.ndarray, p: Weights, q: Weights, parity: int) -> Iterator[Layer]:
    """The layers of odd (parity 1) or even (parity 0) length, shortest first, from length 1 or 2 up to len(coins).

    f(i, j) = q_k max(L, R) + (1 - q_k) min(L, R) with k coins left, where
    L = v_i + p_(k-1) min(f(i+2, j), f(i+1, j-1)) + (1 - p_(k-1)) max(...), and R likewise from the other end.
    `coins` may have further axes, along which the weights vary.
    """
    n = len(coins)
    unit: Any = 1
    value = coins if parity else np.zeros((n + 1, *coins.shape[1:]), dtype=coins.dtype)
    if parity:
        yield Layer(1, unit, coins, coins, coins)
    for k in range(2 + parity, n + 1, 2):
        (their_hit, their_miss), (my_hit, my_miss) = p[k - 1], q[k]
        low, high = np.minimum(value[1:], value[:-1]), np.maximum(value[1:], value[:-1])
        reply = their_hit * low + their_miss * high
        coin_unit = unit * (their_hit + their_miss)
        left = coin_unit * coins[: n - k + 1] + reply[1:]
        right = coin_unit * coins[k - 1 :] + reply[:-1]
        value = my_hit * np.maximum(left, right) + my_miss * np.minimum(left, right)
        unit = coin_unit * (my_hit + my_miss)
        yield Layer(k, unit, left * (my_hit + my_miss), right * (my_hit + my_miss), value)


def exact_weights(chances: Sequence[Fraction]) -> Weights:
    """(hit, miss) for each k as whole numbers."""
    return [(chance.numerator, chance.denominator - chance.numerator) for chance in chances]


def float_weights(chances: Sequence[Fraction]) -> Weights:
    """(hit, miss) for each k as floats."""
    return [(float(chance), float(1 - chance)) for chance in chances]


def constant_weights(rates: np.ndarray, most: int) -> Weights:
    """The same (hit, miss) for every k up to `most`, one column for each of the rates."""
    return [(rates, 1 - rates)] * (most + 1)


def is_affordable(p: Sequence[Fraction], q: Sequence[Fraction], n: int) -> bool:
    """Whether exact arithmetic on this row stays within EXACT_WORK."""
    bits = 0.0
    for parity in (0, 1):
        lengths = range(2 + parity, n + 1, 2)
        bits = max(bits, float(sum(p[k - 1].denominator.bit_length() + q[k].denominator.bit_length() for k in lengths)))
    return n * n / 2 * max(bits, 64) <= EXACT_WORK


def winnings_at(coins: np.ndarray, p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Expected winnings on the whole row when p and q are constants, for each pair p[x], q[x]; floats, shape of p."""
    n, row = len(coins), coins.astype(float)[:, np.newaxis] * np.ones(len(p))
    return _top(layers(row, constant_weights(p, n), constant_weights(q, n), n % 2))


def winnings_along_p(coins: np.ndarray, rates: Sequence[Fraction], q: Sequence[Fraction]) -> np.ndarray:
    """Expected winnings on the whole row for each constant p of `rates`, with q_k as given; floats."""
    p = np.array([float(rate) for rate in rates])
    row = coins.astype(float)[:, np.newaxis] * np.ones(len(p))
    return _top(layers(row, constant_weights(p, len(coins)), float_weights(q), len(coins) % 2))


def _top(found: Iterator[Layer]) -> np.ndarray:
    *_, top = found
    value: np.ndarray = top.value[0]
    return value
