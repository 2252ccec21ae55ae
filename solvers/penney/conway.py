"""Penney's game without a deck limit: every card is red with the same chance, whatever has come before.

With V*W the sum, over all words that end V and begin W, of 1 / (the chance of that word), the odds that Y appears
before Z are (Z*Z - Z*Y) to (Y*Y - Y*Z). Source: Conway's algorithm, where red and black have chance 1/2 each; any other
chance takes the place of 1/2 word by word. The checks and tests confirm it by solving the chain of memories instead.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from solvers.penney.words import RED, every_word, reds_in, spell

# Chances as floats are right to 1e-12 at least; what lies closer together than this is compared as fractions.
MARGIN = 1e-10


@dataclass(frozen=True)
class Endless:
    """Best play without a deck limit: both sequences, and Yvonne's chance."""

    yvonne: str
    zara: str
    chance: Fraction


def endless_chance(yvonne: str, zara: str, red: Fraction) -> Fraction:
    """The chance that the first of two different sequences of equal length appears before the second."""
    for_yvonne = _star(zara, zara, red) - _star(zara, yvonne, red)
    for_zara = _star(yvonne, yvonne, red) - _star(yvonne, zara, red)
    return for_yvonne / (for_yvonne + for_zara)


def endless_play(k: int, red: Fraction) -> Endless:
    """The best of all 2**k sequences when the answer is the best of all others; 0 < red < 1 is the chance of red."""
    chances = _all_chances(k, float(red))
    worth = chances.min(axis=1)
    best: Endless | None = None
    for first in np.flatnonzero(worth >= worth.max() - MARGIN)[::-1]:
        yvonne = spell(int(first), k)
        near = np.flatnonzero(chances[first] <= worth[first] + MARGIN)[::-1]
        answers = [spell(int(answer), k) for answer in near]
        found = min((Endless(yvonne, zara, endless_chance(yvonne, zara, red)) for zara in answers), key=_chance)
        best = found if best is None else max(best, found, key=_chance)
    assert best is not None
    return best


def _chance(play: Endless) -> Fraction:
    return play.chance


def _star(ending: str, beginning: str, red: Fraction) -> Fraction:
    """V*W, exact."""
    total = Fraction(0)
    for length in range(1, len(ending) + 1):
        word = beginning[:length]
        if ending.endswith(word):
            total += 1 / (red ** word.count(RED) * (1 - red) ** (length - word.count(RED)))
    return total


def _all_chances(k: int, red: float) -> np.ndarray:
    """Chance that Y appears before Z, as floats, shape (2**k, 2**k) over Y and Z; infinite for Z = Y."""
    star = np.zeros((1 << k, 1 << k))
    for length in range(1, k + 1):
        words = every_word(length)
        reds = reds_in(words)
        weights = red**-reds * (1 - red) ** -(length - reds)
        rest = 1 << k - length
        # Rows that end in a word, columns that begin with it: the diagonal of the two middle axes.
        blocks = np.einsum("arrc->arc", star.reshape(rest, 1 << length, 1 << length, rest))
        blocks += weights[:, np.newaxis]
    own = np.diag(star)
    for_yvonne = own[np.newaxis, :] - star.T
    for_zara = own[:, np.newaxis] - star
    np.fill_diagonal(for_yvonne, 1.0)  # not a pair; set apart below
    chances: np.ndarray = 1 / (1 + for_zara / for_yvonne)
    np.fill_diagonal(chances, np.inf)
    return chances
