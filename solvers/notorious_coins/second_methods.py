"""Second methods for the checks: leads in place of winnings, seeded games, and another reader of expressions in k.

The lead d is what the player to move collects more than the other, who together collect all coins. With perfect play
d(i, j) = max(v_i - d(i+1, j), v_j - d(i, j-1)). With slips there are two leads, one for each player to move, and each
is an average of such terms.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from operator import add, mul, pow, sub, truediv
from typing import Any

import numpy as np

from site_builder.contract import Absolute, Check, StandardErrors
from solvers.notorious_coins.parameters import Operator, Rate

Chance = Any  # a number or an array of numbers, or a tuple of numbers for each k
End = Callable[[int, np.ndarray, np.ndarray], np.ndarray]  # 0 left, 1 right, by coins left, first and last coins
Players = Callable[[int, np.random.Generator], tuple[End, End]]  # the ends that you and the opponent take in the games

_GAMES = (4000, 16000)
_SEED = 20_260_529
_TOKENS = re.compile(r"\d+\.?\d*|\.\d+|k|\*\*|[-+*/()]")
_OPERATORS: dict[str, Operator] = {"+": add, "-": sub, "*": mul, "/": truediv, "**": pow}
_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "sign": 3, "**": 4}


def leads(coins: np.ndarray, p: Chance, q: Chance) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """For k = 1, 2, ... coins: your lead on each stretch if you take the left coin, the right coin, and with slips.

    p, q: chances of the better end with k coins left. Shape (n - k + 1, ...), by first coin.
    """
    n, number = len(coins), coins.dtype.type
    p, q = (list(map(number, x)) if isinstance(x, tuple) else [x] * (n + 1) for x in (p, q))
    mine = theirs = coins
    yield coins, coins, coins
    for k in range(2, n + 1):
        first, last = coins[: n - k + 1], coins[k - 1 :]
        left, right = first - theirs[1:], last - theirs[:-1]
        mine, theirs = _average(left, right, q[k]), _average(first - mine[1:], last - mine[:-1], p[k])
        yield left, right, mine


def _average(left: np.ndarray, right: np.ndarray, hit: Any) -> np.ndarray:
    better: np.ndarray = np.maximum(left, right)
    return better if np.ndim(hit) == 0 and hit == 1 else hit * better + (1 - hit) * np.minimum(left, right)


def winnings(coins: np.ndarray, p: Chance, q: Chance) -> Any:
    """Your expected winnings on the whole row, by leads."""
    *_, (_, _, lead) = leads(coins, p, q)
    return (coins.sum(axis=0) + lead[0]) / 2


def stretches(coins: np.ndarray, p: Chance, q: Chance) -> tuple[np.ndarray, np.ndarray]:
    """By leads, shape (n, n), for the stretch from coin i to coin j, 0 where there is none.

    Your expected winnings, and by how much your lead is larger if you take the left coin.
    """
    n, sums = len(coins), np.append([0], coins.cumsum())
    value, gain = np.zeros((2, n, n), dtype=coins.dtype)
    for k, (left, right, lead) in enumerate(leads(coins, p, q), start=1):
        i = np.arange(n - k + 1)
        value[i, i + k - 1], gain[i, i + k - 1] = (sums[k:] - sums[:-k] + lead) / 2, left - right
    return value, gain


def ends(gain: np.ndarray) -> np.ndarray:
    """0 where the left coin gains, 1 where the right one does, else 2."""
    return np.where(gain > 0, 0, np.where(gain < 0, 1, 2))


def perfect_ends(values: Sequence[Fraction]) -> np.ndarray:
    """The end of perfect play for the stretch from coin i to coin j: 0 left, 1 right, 2 either or no coin."""
    return ends(stretches(np.array(values, dtype=object), 1, 1)[1])


def rounding(total: Fraction) -> Absolute:
    """How closely floats must agree: to about a billionth of the total."""
    return Absolute(10.0 ** (len(str(int(total))) - 9))


def is_rare(chance: Fraction) -> bool:
    """Whether hits or slips are too rare for the mean of so few games."""
    return 0 < min(chance, 1 - chance) < Fraction(1, 50)


def simulated(name: str, values: Sequence[Fraction], players: Players, found: float, of: str) -> Check:
    """Whether your mean winnings in seeded games lie within four standard errors of `found`.

    The first games fail one correct answer in 16,000, so that then more games decide.
    """
    coins = np.array(values, dtype=float)
    for games in _GAMES:
        won = _play(coins, games, *players(games, np.random.default_rng(_SEED + games)))
        within = StandardErrors(4, games, float(won.std(ddof=1)), spare=1e-9 * float(coins.sum()) * games)
        detail = f"{games} games, seed {_SEED + games}"
        check = Check(name, "simulation", float(won.mean()), found, of=of, within=within, detail=detail)
        if check.passed:
            break
    return check


def _play(coins: np.ndarray, games: int, my_end: End, their_end: End) -> np.ndarray:
    """What you win in each game."""
    n = len(coins)
    first, last, won = np.zeros(games, dtype=int), np.full(games, n - 1), np.zeros(games)
    for k in range(n, 0, -1):
        is_mine = (n - k) % 2 == 0
        end = (my_end if is_mine else their_end)(k, first, last)
        won += np.where(end == 0, coins[first], coins[last]) * is_mine
        first, last = first + (end == 0), last - (end == 1)
    return won


def read_chances(rate: Rate, most: int) -> tuple[Fraction, ...]:
    """Entry k is the chance with k coins left, k = 0..most, of a valid parameter; 1 where there is no choice."""

    def chance(k: int) -> Fraction:
        if isinstance(rate, str):
            return _evaluate(_TOKENS.findall(rate)[::-1], Fraction(k))
        return Fraction(rate[k - 1] if isinstance(rate, tuple) else rate)

    return (Fraction(1), Fraction(1), *map(chance, range(2, most + 1)))[: most + 1]


def _evaluate(tokens: list[str], k: Fraction, least: int = 0) -> Fraction:
    """Evaluate tokens, the next one last, up to an operator of lower precedence than `least`: precedence climbing."""
    token = tokens.pop()
    if token in ("+", "-"):
        value = _evaluate(tokens, k, _PRECEDENCE["sign"]) * (-1 if token == "-" else 1)
    elif token == "(":
        value = _evaluate(tokens, k)
        tokens.pop()  # the closing bracket
    else:
        value = k if token == "k" else Fraction(token)
    while tokens and _PRECEDENCE.get(tokens[-1], -1) >= least:
        operator = tokens.pop()
        right = _evaluate(tokens, k, _PRECEDENCE[operator] + (operator != "**"))
        value = _OPERATORS[operator](value, right)
    return value
