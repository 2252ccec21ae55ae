"""Checks of the unknown error rate: by the rules of the game, over every history of hits and misses."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from site_builder.contract import Grid, close
from solvers.notorious_coins.rules import HIT, MISS, NEITHER, Row, Slipper, Stretch, outcomes

_RATES = [Fraction(step, 20) for step in range(21)]
_SURE, _BELIEF = 20, -1  # places of the rate 1 in _RATES, and of the belief in a list of chances
_ROUNDING = 1e-11  # of the total, within which values in floats count as equal

Value = Callable[[Stretch], tuple[np.ndarray, np.ndarray]]


def _values(row: Row, ends: Grid, slipper: Slipper, prior: Row, rates: Sequence[Fraction], decide: int | None) -> Value:
    """Your winnings from a stretch on, shape (hits, misses, chances), and your end: 0, 1, or 2 for each half the time.

    The chances of a hit are the known rates, and last the mean of the belief after these hits and misses. decide: the
    place of the chance that you reckon with; None: at each known rate you reckon with that one.
    """
    seen = np.arange((len(row) + 1) // 2 + 1)
    hits, misses, (a, b) = *np.meshgrid(seen, seen, indexing="ij"), map(float, prior)
    known = np.broadcast_to(np.array(rates, dtype=float), (*hits.shape, len(rates)))
    hit = np.concatenate([known, ((a + hits) / (a + b + hits + misses))[..., np.newaxis]], axis=2)
    chances, tolerance = {HIT: hit, MISS: 1 - hit, NEITHER: np.ones(1)}, _ROUNDING * float(sum(row))

    def aim(stretch: Stretch) -> int:
        return int(ends.at(first=stretch[0], last=stretch[1]))

    def aimed(stretch: Stretch, end: int) -> np.ndarray:
        total = np.zeros_like(hit)
        for verdict, halves, coin, left in outcomes(stretch, end, aim, slipper):
            # What comes in at the other side belongs to histories that are longer than the game.
            later = np.roll(value(left)[0], (-verdict[0], -verdict[1]), axis=(0, 1))
            total += halves / 2 * chances[verdict] * (float(row[coin - 1]) + later)
        return total

    @cache
    def value(stretch: Stretch) -> tuple[np.ndarray, np.ndarray]:
        if stretch[0] > stretch[1]:
            return np.zeros_like(hit), np.full(hits.shape, 2)
        left, right = aimed(stretch, 0), aimed(stretch, 1)
        if decide is None:
            return np.maximum(left, right), np.full(hits.shape, 2)
        gain = right[..., decide] - left[..., decide]
        end = np.where(abs(gain) <= tolerance, 2, gain > 0)
        share = (np.array([0, 1, 0.5])[end])[..., np.newaxis]
        return (1 - share) * left + share * right, end

    return value


def _players(row: Row, ends: Grid, slipper: Slipper, prior: Row) -> Mapping[str, Any]:
    """What the players win who know the rate, learn it, assume no slips, and keep to a guess."""
    guess = prior[0] / (prior[0] + prior[1])
    plans = (None, _BELIEF, _SURE, len(_RATES))
    values = [_values(row, ends, slipper, prior, [*_RATES, guess], decide) for decide in plans]
    known, learned, naive, guessed = (value((1, len(row)))[0][0, 0].tolist() for value in values)
    curves = {"known_by_rate": known, "learned_by_rate": learned, "naive_by_rate": naive}
    return {
        "guess": guess,
        **{"mean_learned": learned[_BELIEF], "mean_naive": naive[_BELIEF], "mean_guessed": guessed[_BELIEF]},
        **{name: dict(zip(_RATES, curve, strict=False)) for name, curve in curves.items()},
    }


def check_learning(row: Row, best_ends: Grid, prior: Row) -> Mapping[str, Any]:
    """Every history of hits and misses of the opponent, by recursion."""
    return {"learning": _players(row, best_ends, "opponent", prior)}


def check_slipping(row: Row, best_ends: Grid, prior: Row) -> Mapping[str, Any]:
    """Every history of hits and misses of your hand, by recursion."""
    return {"slipping": _players(row, best_ends, "hand", prior)}


def check_watching(row: Row, best_ends: Grid, prior: Row) -> Mapping[str, Any]:
    """The better end of each history, by recursion, against one end for each stretch."""
    guess = [prior[0] / (prior[0] + prior[1])]
    values = [_values(row, best_ends, "opponent", prior, guess, decide) for decide in (_BELIEF, 0)]
    learned, guessed = (float(value((1, len(row)))[0][0, 0, _BELIEF]) for value in values)
    return {"watching": close((learned - guessed) / float(sum(row)), absolute=1e-9)}
