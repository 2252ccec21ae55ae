"""What the checks share: perfect play told by leads, comparison of exact answers, and the judgement of played games."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import sqrt

import numpy as np

from site_builder.contract import Check

_GAMES = (4000, 16000)  # the second number only when the first games lie outside the bound
_RARE = Fraction(1, 50)  # hits, or slips, that are rarer than this need more games than these
_SEED = 20_260_529


def is_rare(chance: Fraction) -> bool:
    """Whether so few games have a hit, or a slip, that their mean says little."""
    return 0 < chance < _RARE or 0 < 1 - chance < _RARE


def perfect_leads(values: Sequence[Fraction]) -> Callable[[int, int], Fraction]:
    """The mover's lead on every stretch when both play perfectly, by recursion."""

    @cache
    def lead(i: int, j: int) -> Fraction:
        return Fraction(0) if i > j else max(values[i] - lead(i + 1, j), values[j] - lead(i, j - 1))

    return lead


def perfect_aims(values: Sequence[Fraction]) -> np.ndarray:
    """0 left, 1 right, 2 equal for each stretch, by the mover's leads; shape (n, n)."""
    lead, n = perfect_leads(values), len(values)
    aims = np.full((n, n), 2)
    for i in range(n):
        for j in range(i + 1, n):
            left, right = values[i] - lead(i + 1, j), values[j] - lead(i, j - 1)
            aims[i, j] = 2 if left == right else int(right > left)
    return aims


def decimals(total: Fraction) -> int:
    """So many decimals that floats are compared to: the last is about a billionth of the total."""
    return 9 - len(str(int(total)))


def floats(values: Sequence[Fraction]) -> np.ndarray:
    """The values as an array."""
    return np.array([float(value) for value in values])


def simulated(name: str, play: Callable[[int, np.random.Generator], np.ndarray], found: float, total: float) -> Check:
    """Whether the mean of the games lies within four standard errors of what was found.

    One honest sample in 16,000 does not, so that a second, larger one decides before anything is called wrong.
    """
    for games in _GAMES:
        won = play(games, np.random.default_rng(_SEED + games))
        mean, error = float(won.mean()), float(won.std(ddof=1)) / sqrt(games)
        passed = abs(mean - found) <= 4 * error + 1e-9 * total
        if passed:
            break
    away = f"{abs(mean - found) / error:.1f}" if error else "no"
    detail = f"{games} games, seed {_SEED + games}; {away} standard errors of {error:.4f} apart, at most 4"
    return Check(name, "simulation", round(mean, 4), round(found, 4), passed, detail)
