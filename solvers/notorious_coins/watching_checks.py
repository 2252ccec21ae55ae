"""Checks of the unknown error rate: by the rules of the game in floats, over every history of hits and misses."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from site_builder.contract import Grid, close
from solvers.notorious_coins.rules import HIT, MISS, NEITHER, Row, Stretch, replies, without

_ROUNDING = 1e-11  # of the total, within which values in floats count as equal


def _collected(row: Row, ends: Grid, prior: Row, reckoned: Fraction | None) -> float:
    """Your winnings on average over the belief, if you reckon with this chance of a hit; None: with what was seen."""
    seen = np.arange((len(row) + 1) // 2 + 1)
    hits, misses, (a, b) = *np.meshgrid(seen, seen, indexing="ij"), map(float, prior)
    true = (a + hits) / (a + b + hits + misses)
    # In the first entry by the belief, in the second by what you reckon with, which decides.
    hit = np.stack([true, true if reckoned is None else np.full_like(true, float(reckoned))])
    chances, tolerance = {HIT: hit, MISS: 1 - hit, NEITHER: np.ones(1)}, _ROUNDING * float(sum(row))

    def aim(stretch: Stretch) -> int:
        return int(ends.at(first=stretch[0], last=stretch[1]))

    def taken(stretch: Stretch, end: int) -> np.ndarray:
        total = np.full_like(hit, float(row[stretch[end] - 1]))
        for verdict, halves, left in replies(without(stretch, end), aim):
            # What comes in at the other side belongs to histories that are longer than the game.
            later = np.roll(value(left), (-verdict[0], -verdict[1]), axis=(1, 2))
            total += halves / 2 * chances[verdict] * later
        return total

    @cache
    def value(stretch: Stretch) -> np.ndarray:
        if stretch[0] > stretch[1]:
            return np.zeros_like(hit)
        left, right = taken(stretch, 0), taken(stretch, 1)
        gain = right[1] - left[1]
        share = np.where(abs(gain) <= tolerance, 0.5, gain > 0)
        mixed: np.ndarray = (1 - share) * left + share * right
        return mixed

    return float(value((1, len(row)))[0, 0, 0])


def check_learning(row: Row, best_ends: Grid, prior: Row) -> Mapping[str, Any]:
    """Every history of hits and misses of the opponent, by recursion."""
    guess = prior[0] / (prior[0] + prior[1])
    learned, guessed, naive = (_collected(row, best_ends, prior, each) for each in (None, guess, Fraction(1)))
    watching = close((learned - guessed) / float(sum(row)), absolute=1e-9)
    learning = {"guess": guess, "learned": learned, "guessed": guessed, "naive": naive}
    return {"learning": learning, "watching": watching}
