"""Penney's game without a deck limit: every card is red or black with equal chance, whatever came before.

For sequences v and w let v*w be the sum of 2**length over all rows of cards that end v and begin w. The odds that y
appears before z are (z*z - z*y) to (y*y - y*z). Source: Conway's algorithm.
"""

from fractions import Fraction

import numpy as np


def best_endless_chance(k: int) -> Fraction:
    """Yvonne's probability to win when both choose their k cards as well as they can."""
    star = _stars(k)
    own = np.diag(star)
    for_yvonne, for_zara = own[np.newaxis, :] - star.T, own[:, np.newaxis] - star  # over y and z
    np.fill_diagonal(for_zara, -1)  # no pair: the chance below is larger than 1
    np.fill_diagonal(for_yvonne, 2)
    chances = for_yvonne / (for_yvonne + for_zara)  # exact enough to compare: the odds are whole numbers below 2**k
    yvonne = chances.min(axis=1).argmax()
    zara = chances[yvonne].argmin()
    return Fraction(int(for_yvonne[yvonne, zara]), int(for_yvonne[yvonne, zara] + for_zara[yvonne, zara]))


def _stars(k: int) -> np.ndarray:
    """v*w for all sequences v and w as whole numbers, shape (2**k, 2**k)."""
    star = np.zeros((1 << k, 1 << k), dtype=np.int64)
    for length in range(1, k + 1):
        rest = 1 << k - length
        # Sequences that end in a row by sequences that begin with it: the diagonal of the two middle axes.
        blocks = np.einsum("arrc->arc", star.reshape(rest, 1 << length, 1 << length, rest))
        blocks += 1 << length
    return star
