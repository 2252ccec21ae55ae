"""The solution put together: perfect play, slips, and learning."""

import random
from collections.abc import Sequence
from fractions import Fraction
from math import ceil

import numpy as np

from site_builder.contract import Grid
from solvers.notorious_coins.erring import (
    Layer,
    Weights,
    exact_weights,
    float_weights,
    is_affordable,
    layers,
    winnings_along_p,
    winnings_at,
)
from solvers.notorious_coins.learning import Slipping, assuming_no_slips, expecting, knowing, learn, rounds, winnings_of
from solvers.notorious_coins.lesson import learner_at_work
from solvers.notorious_coins.model import LONGEST_LEARNING, Erring, Learning, Parameters, Result
from solvers.notorious_coins.rates import Rate, chances, text_of
from solvers.notorious_coins.rows import (
    EITHER,
    LEFT,
    RIGHT,
    Diagonals,
    best_ends,
    best_play,
    compared,
    greedy_play,
    greedy_traps,
    perfect_game,
    whole,
)

_WIDEST = 200  # positions along each axis of a table
_ENDS = {LEFT: "left", RIGHT: "right", EITHER: "either"}


def solve(parameters: Parameters) -> Result:
    """The row's worth under perfect play, with slips, and with an error rate to be learned."""
    values = the_row(parameters)
    coins, scale = whole(values)
    best = best_play(coins)
    ends = best_ends(best)
    n, total = len(values), sum(values, Fraction(0))
    worth = Fraction(int(best[n][0]), scale)
    odd, even = sum(values[::2], Fraction(0)), sum(values[1::2], Fraction(0))
    stride = ceil(n / _WIDEST) | 1  # odd, so that stretches of odd and of even length are seen
    learning = _learning(parameters, values, ends, "opponent")
    return Result(
        values=values,
        n=n,
        is_even=n % 2 == 0,
        whole_coins=scale == 1,
        total=total,
        best=worth,
        opponent=total - worth,
        lead=2 * worth - total,
        share=worth / total,
        first_move=_first_move(ends[n][0], n),
        greedy=Fraction(int(greedy_play(coins)[n][0]), scale),
        greedy_first="only" if n == 1 else "left" if values[0] >= values[-1] else "right",
        odd_coins=odd,
        even_coins=even,
        secure=max(odd, even),
        entries=n * (n + 1) // 2,
        n_states=1 + sum(map(len, best[1:])),
        stride=stride,
        best_table=_table(best if scale == 1 else [layer / scale for layer in best], stride, scale == 1),
        best_ends=_table(ends, stride, True, nothing=-1),
        game=perfect_game(values, ends),
        family=greedy_traps(Fraction(parameters.family_max)),
        erring=_erring(parameters, values, ends, worth, stride),
        prior=(Fraction(parameters.prior[0]), Fraction(parameters.prior[1])),
        learning=learning,
        slipping=_learning(parameters, values, ends, "hand"),
        lesson=learner_at_work(parameters, values, ends, learning) if learning else None,
    )


def the_row(parameters: Parameters) -> tuple[Fraction, ...]:
    """The coins: as given, or `n` whole numbers from 1 to 100 drawn with the seed."""
    if not parameters.n:
        return tuple(Fraction(value) for value in parameters.values)
    drawn = random.Random(parameters.seed)
    return tuple(Fraction(drawn.randint(1, 100)) for _ in range(parameters.n))


def _first_move(end: int, n: int) -> str:
    return "only" if n == 1 else _ENDS[int(end)]


def _table(diagonals: Sequence[np.ndarray], stride: int, is_whole: bool, nothing: int = 0) -> Grid:
    """Values by first and last coin, every stride-th position of both, counted from 1."""
    n = len(diagonals) - 1
    firsts = np.arange(0, n, stride)
    lasts = np.arange(n - 1, -1, -stride)[::-1]
    fits = is_whole and (n == 0 or diagonals[n].dtype != object)
    table = np.full((len(firsts), len(lasts)), nothing, dtype=np.int64 if fits else float)
    for i, first in enumerate(firsts):
        for j in np.flatnonzero(lasts >= first):
            table[i, j] = diagonals[lasts[j] - first + 1][first]
    return Grid(table, {"first": (firsts + 1).tolist(), "last": (lasts + 1).tolist()})


def _erring(parameters: Parameters, values: Sequence[Fraction], ends: Diagonals, best: Fraction, stride: int) -> Erring:
    n = len(values)
    p, q = chances(parameters.p, "p", max(n - 1, 1)), chances(parameters.q, "q", n)
    exact = is_affordable(p, q, n)
    table, slipping_ends, expected = _play_with_slips(values, p, q, exact)
    pairs = zip(slipping_ends[2:], ends[2:], strict=True)
    rates, steady = _steps(40 if n <= 400 else 10), (Fraction(1),) * (n + 1)
    row = np.array([float(value) for value in values])
    return Erring(
        p=text_of(parameters.p),
        q=text_of(parameters.q),
        p_constant=_constant(parameters.p),
        q_constant=_constant(parameters.q),
        exact=exact,
        expected=expected,
        gain=expected - best if isinstance(expected, Fraction) else expected - float(best),
        first_move=_first_move(slipping_ends[n][0], n),
        decisions=n * (n - 1) // 2,
        changed=sum(int((here + there == LEFT + RIGHT).sum()) for here, there in pairs),
        table=_table(table, stride, False),
        ends=_table(slipping_ends, stride, True, nothing=-1),
        by_p=Grid(winnings_along_p(row, rates, q), {"p": rates}),
        by_p_steady=Grid(winnings_along_p(row, rates, steady), {"p": rates}),
        square=_square(row),
        break_even=_break_even(row),
    )


def _play_with_slips(
    values: Sequence[Fraction], p: Sequence[Fraction], q: Sequence[Fraction], exact: bool
) -> tuple[Diagonals, Diagonals, Fraction | float]:
    """Values (floats) and better ends of every stretch by length, and the value of the whole row."""
    n = len(values)
    coins, scale = whole(values)
    row = coins.astype(object) if exact else coins / scale
    weights = exact_weights if exact else float_weights
    slack = 0.0 if exact else 1e-12 * float(sum(values))
    table: Diagonals = [np.zeros(n + 1)] * (n + 1)
    ends: Diagonals = [np.full(n + 1, EITHER, dtype=np.int8)] * (n + 1)
    expected: Fraction | float = 0.0
    for layer in _all_layers(row, weights(p), weights(q)):
        table[layer.length] = (layer.value / (layer.unit * (scale if exact else 1))).astype(float)
        ends[layer.length] = compared(layer.left, layer.right, slack)
        if layer.length == n:
            top = layer.value[0]
            expected = Fraction(int(top), int(layer.unit) * scale) if exact else float(top)
    return table, ends, expected


def _all_layers(row: np.ndarray, p: Weights, q: Weights) -> list[Layer]:
    return [layer for parity in (0, 1) for layer in layers(row, p, q, parity)]


def _constant(rate: Rate) -> Fraction | None:
    """The rate where it is one number."""
    return None if isinstance(rate, (str, tuple)) else Fraction(rate)


def _steps(count: int) -> list[Fraction]:
    """0, 1/count, ..., 1."""
    return [Fraction(step, count) for step in range(count + 1)]


def _square(row: np.ndarray) -> Grid:
    """Expected winnings when both rates are constants, coarser for longer rows."""
    rates = _steps(20 if len(row) <= 100 else 10 if len(row) <= 500 else 5)
    p, q = np.meshgrid(*[np.array([float(rate) for rate in rates])] * 2, indexing="ij")
    return Grid(winnings_at(row, p.ravel(), q.ravel()).reshape(p.shape), {"p": rates, "q": rates})


def _break_even(row: np.ndarray) -> float | None:
    """The smallest constant q that collects half or more against a perfect opponent: more care never costs coins."""
    half, low, high = row.sum() / 2, 0.0, 1.0
    for _ in range(3):
        q = np.linspace(low, high, 101 if len(row) <= 400 else 21)
        enough = np.flatnonzero(winnings_at(row, np.ones_like(q), q) >= half * (1 - 1e-12))
        if not len(enough):
            return None
        low, high = float(q[max(enough[0] - 1, 0)]), float(q[enough[0]])
    return high


def _learning(
    parameters: Parameters, values: Sequence[Fraction], ends: Diagonals, slipping: Slipping
) -> Learning | None:
    n = len(values)
    if n > LONGEST_LEARNING:
        return None
    a, b = Fraction(parameters.prior[0]), Fraction(parameters.prior[1])
    constant = _constant(parameters.p if slipping == "opponent" else parameters.q)
    coins, scale = whole(values)
    game = rounds(coins, ends, slipping)
    mean, policy = learn(game, a, b)
    learned, naive = winnings_of(game, policy), winnings_of(game, assuming_no_slips(game, ends))
    guess = a / (a + b)
    guessed = winnings_of(game, expecting(game, guess))
    true_rate = guess if constant is None else constant
    rates = _steps(20)
    known = [value / scale for value in knowing(game, [*rates, true_rate])]
    columns = [[polynomial.at(rate) / scale for rate in rates] for polynomial in (naive, learned)]
    gains = [mine - theirs for theirs, mine in zip(*columns, strict=True)]
    states, changed = _compared_policies(policy, ends)
    return Learning(
        true_rate=true_rate,
        naive=naive.at(true_rate) / scale,
        known=known[-1],
        learned=learned.at(true_rate) / scale,
        guess=guess,
        guessed=guessed.at(true_rate) / scale,
        mean_naive=naive.mean(a, b) / scale,
        mean_learned=mean / scale,
        mean_guessed=guessed.mean(a, b) / scale,
        naive_by_rate=_by_rate(rates, columns[0]),
        known_by_rate=_by_rate(rates, known[:-1]),
        learned_by_rate=_by_rate(rates, columns[1]),
        largest_gain=max(gains),
        gain_rate=rates[gains.index(max(gains))],
        naive_ahead=tuple(rate for rate, gain in zip(rates, gains, strict=True) if gain < 0),
        learned_ahead=tuple(rate for rate, gain in zip(rates, gains, strict=True) if gain > 0),
        states=states,
        changed=changed,
        policy=tuple(policy),
    )


def _by_rate(rates: Sequence[Fraction], column: Sequence[Fraction]) -> Grid:
    return Grid(np.array(column, dtype=object), {"rate": rates})


def _compared_policies(policy: Sequence[np.ndarray], ends: Diagonals) -> tuple[int, int]:
    """How many (stretch, hits, misses) can be asked about, and in how many the learner leaves perfect play."""
    n, states, changed = len(ends) - 1, 0, 0
    for t, choice in enumerate(policy):
        seen = np.add.outer(np.arange(t + 1), np.arange(t + 1)) <= t
        perfect = ends[n - 2 * t][:, np.newaxis, np.newaxis]
        states += len(choice) * int(seen.sum())
        changed += int(((choice + perfect == LEFT + RIGHT) & seen).sum())
    return states, changed
