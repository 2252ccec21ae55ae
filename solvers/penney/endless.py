"""Penney's game without a deck limit: every card is red with the same probability, whatever came before.

For sequences v and w let v*w be the sum of 1 / (probability of the row) over all rows of cards that end v and begin w.
The odds that y appears before z are (z*z - z*y) to (y*y - y*z).
Source: Conway's algorithm, in which red and black have probability 1/2 each. For other probabilities the checks and
tests compare it with the solution of linear equations over the memories.
"""

from fractions import Fraction

import numpy as np

from solvers.penney.deck import RED, count_reds, letters

MARGIN = 1e-10
"""Probabilities as floats are right to 1e-12; those that differ by less than this margin are compared as fractions."""


def endless_chance(yvonne: str, zara: str, red: Fraction) -> Fraction:
    """The probability that the first of two different sequences of equal length appears before the second."""
    for_yvonne = _star(zara, zara, red) - _star(zara, yvonne, red)
    for_zara = _star(yvonne, yvonne, red) - _star(yvonne, zara, red)
    return for_yvonne / (for_yvonne + for_zara)


def best_endless_play(k: int, red: Fraction) -> tuple[str, str, Fraction]:
    """A best sequence of k cards, a best answer to it, and Yvonne's probability to win; 0 < red < 1."""
    chances = _all_chances(k, float(red))
    worth = chances.min(axis=1)
    plays = []
    for first in np.flatnonzero(worth >= worth.max() - MARGIN)[::-1]:
        yvonne = letters(int(first), k)
        near = np.flatnonzero(chances[first] <= worth[first] + MARGIN)[::-1]
        answers = [letters(int(answer), k) for answer in near]
        found = [(yvonne, zara, endless_chance(yvonne, zara, red)) for zara in answers]
        plays.append(min(found, key=lambda play: play[2]))
    return max(plays, key=lambda play: play[2])


def _star(ending: str, beginning: str, red: Fraction) -> Fraction:
    """v*w for v = ending and w = beginning, exact."""
    total = Fraction(0)
    for length in range(1, len(ending) + 1):
        row = beginning[:length]
        if ending.endswith(row):
            total += 1 / (red ** row.count(RED) * (1 - red) ** (length - row.count(RED)))
    return total


def _all_chances(k: int, red: float) -> np.ndarray:
    """The probability that y appears before z, as floats, shape (2**k, 2**k) over y and z; infinite for z = y."""
    star = np.zeros((1 << k, 1 << k))
    for length in range(1, k + 1):
        reds = count_reds(np.arange(1 << length))
        weights = red**-reds * (1 - red) ** -(length - reds)
        rest = 1 << k - length
        # Sequences that end in a row by sequences that begin with it: the diagonal of the two middle axes.
        blocks = np.einsum("arrc->arc", star.reshape(rest, 1 << length, 1 << length, rest))
        blocks += weights[:, np.newaxis]
    own = np.diag(star)
    for_yvonne = own[np.newaxis, :] - star.T
    for_zara = own[:, np.newaxis] - star
    np.fill_diagonal(for_yvonne, 1.0)  # no pair; replaced below
    chances: np.ndarray = 1 / (1 + for_zara / for_yvonne)
    np.fill_diagonal(chances, np.inf)
    return chances
