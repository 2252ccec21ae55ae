"""Play with slips: with k coins left the opponent takes the better end with chance p_k, you with chance q_k.

The better end is the one that is better against the slips still to come, which need not be the end of perfect play.
Chances are given as weights, a pair (hit, miss) for each k: whole numbers in exact arithmetic, where the chance is
hit / (hit + miss), or floats that add up to 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from site_builder.contract import Bounds, Grid
from solvers.notorious_coins import perfect_play
from solvers.notorious_coins.parameters import Parameters, Rate, constant, hit_chances
from solvers.notorious_coins.perfect_play import EITHER, LEFT, RIGHT, ByLength, better_end

Weights = Sequence[tuple[Any, Any]]
Layer = tuple[int, Any, np.ndarray, np.ndarray, np.ndarray]

_EXACT_WORK = 2 * 10**8  # stretches times bits of the largest denominator, up to which arithmetic is exact
_TOLERANCE = 1e-12  # of the total, within which floats count as equal


@dataclass(frozen=True, eq=False)
class PlayWithSlips:
    """Play when the opponent takes the better end with chance p_k and you with chance q_k.

    p, q: the number or expression, or "a list". p_constant, q_constant: the chance if it is one number, else None.
    expected: your expected winnings; a Fraction when `exact`, else a float. gain: expected - best.
    first_move: left, right, either, or only (a single coin). decisions: stretches of two coins or more;
    changed: in how many of them no end that is best under perfect play is best here.
    table, ends: over first and last coin, as in Result. by_p: expected winnings when p is constant, q as it is;
    by_p_steady: the same for q = 1. square: when both are constant. break_even: the constant q from which on you
    collect half or more against a perfect opponent; None when even q = 1 collects less.
    """

    p: str
    q: str
    p_constant: Annotated[Fraction | None, Bounds(0, 1)]
    q_constant: Annotated[Fraction | None, Bounds(0, 1)]
    exact: bool
    expected: Fraction | float
    gain: Fraction | float
    first_move: str
    decisions: int
    changed: int
    table: Grid
    ends: Grid
    by_p: Grid
    by_p_steady: Grid
    square: Grid
    break_even: Annotated[float | None, Bounds(0, 1)]


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


def play_with_slips(
    parameters: Parameters, values: Sequence[Fraction], perfect: ByLength, best: Fraction, stride: int
) -> PlayWithSlips:
    """Everything about play with slips. perfect: the ends of perfect play; best: what it collects."""
    n = len(values)
    p, q = hit_chances(parameters.p, "p", max(n - 1, 1)), hit_chances(parameters.q, "q", n)
    exact = _is_affordable(p, q, n)
    table, ends, expected = _all_stretches(values, p, q, exact)
    opposed = (mine + theirs == LEFT + RIGHT for mine, theirs in zip(ends[2:], perfect[2:], strict=True))
    row, (steps, rates) = np.array(values, dtype=float), _steps(40 if n <= 400 else 10)
    return PlayWithSlips(
        p=_text(parameters.p),
        q=_text(parameters.q),
        p_constant=constant(parameters.p),
        q_constant=constant(parameters.q),
        exact=exact,
        expected=expected,
        gain=expected - best if isinstance(expected, Fraction) else expected - float(best),
        first_move=perfect_play.name_of_end(ends[n][0], n),
        decisions=n * (n - 1) // 2,
        changed=sum(int(stretches.sum()) for stretches in opposed),
        table=perfect_play.grid_of_stretches(table, stride),
        ends=perfect_play.grid_of_stretches(ends, stride, nothing=-1),
        by_p=Grid(_winnings(row, rates, q), {"p": steps}),
        by_p_steady=Grid(_winnings(row, rates, (Fraction(1),) * (n + 1)), {"p": steps}),
        square=_winnings_by_p_and_q(row),
        break_even=_break_even(row),
    )


def _is_affordable(p: Sequence[Fraction], q: Sequence[Fraction], n: int) -> bool:
    """Whether exact arithmetic on this row stays within _EXACT_WORK."""
    bits = [p[k - 1].denominator.bit_length() + q[k].denominator.bit_length() for k in range(2, n + 1)]
    return n * n / 2 * max(sum(bits[::2]), sum(bits[1::2]), 64) <= _EXACT_WORK


def _all_stretches(
    values: Sequence[Fraction], p: Sequence[Fraction], q: Sequence[Fraction], exact: bool
) -> tuple[ByLength, ByLength, Fraction | float]:
    """Values (floats) and better ends of every stretch by length, and the value of the whole row."""
    n = len(values)
    coins, scale = perfect_play.whole_numbers(values)
    row, denominator = (coins.astype(object), scale) if exact else (coins / scale, 1)
    tolerance = 0.0 if exact else _TOLERANCE * float(sum(values))
    table: ByLength = [np.zeros(n + 1)] * (n + 1)
    ends: ByLength = [np.full(n + 1, EITHER, dtype=np.int8)] * (n + 1)
    expected: Fraction | float = 0.0
    for parity in (1 - n % 2, n % 2):  # the whole row comes last
        for k, unit, left, right, value in layers(row, weights_of(p, exact), weights_of(q, exact), parity):
            table[k] = (value / (unit * denominator)).astype(float)
            ends[k] = better_end(left, right, tolerance)
            expected = Fraction(value[0], unit * denominator) if exact else float(value[0])
    return table, ends, expected


def _text(rate: Rate) -> str:
    if isinstance(rate, str):
        return rate.strip()
    return "a list" if isinstance(rate, tuple) else str(Fraction(rate))


def _steps(count: int) -> tuple[list[Fraction], np.ndarray]:
    """0, 1/count, ..., 1, exact and as floats."""
    steps = [Fraction(step, count) for step in range(count + 1)]
    return steps, np.array(steps, dtype=float)


def _winnings_by_p_and_q(row: np.ndarray) -> Grid:
    """Expected winnings for pairs of constant p and q; fewer of them for long rows."""
    steps, rates = _steps(20 if len(row) <= 100 else 10 if len(row) <= 500 else 5)
    p, q = np.meshgrid(rates, rates, indexing="ij")
    return Grid(_winnings(row, p.ravel(), q.ravel()).reshape(p.shape), {"p": steps, "q": steps})


def _break_even(row: np.ndarray) -> float | None:
    """The smallest constant q that collects half or more of the row against a perfect opponent.

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
