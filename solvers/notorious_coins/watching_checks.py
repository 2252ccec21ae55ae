"""Checks of the unknown error rate: by the rules of the game in floats, over every history of hits and misses."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from site_builder.contract import Grid, close
from solvers.notorious_coins.rules import HIT, MISS, NEITHER, Row, Slipper, Stretch, outcomes

_ROUNDING = 1e-11  # of the total, within which values in floats count as equal
_RATES = [Fraction(step, 20) for step in range(21)]
_BELIEF, _SURE, _GUESS = -1, -2, -3  # places behind the known rates of the belief, of x = 1 and of the guess


def _collected(row: Row, ends: Grid, slipper: Slipper, prior: Row, decide: int | None) -> np.ndarray:
    """Your winnings at each known rate, at the guess, at x = 1, and on average over the belief.

    decide: the place of the chance that you reckon with; None: at each rate you reckon with that one.
    """
    seen = np.arange((len(row) + 1) // 2 + 1)
    hits, misses, (a, b) = *np.meshgrid(seen, seen, indexing="ij"), map(float, prior)
    known = [*map(float, _RATES), a / (a + b), 1.0]
    hit = np.stack([*(np.full(hits.shape, x) for x in known), (a + hits) / (a + b + hits + misses)], axis=2)
    chances, tolerance = {HIT: hit, MISS: 1 - hit, NEITHER: np.ones(1)}, _ROUNDING * float(sum(row))

    def aim(stretch: Stretch) -> int:
        return int(ends.at(first=stretch[0], last=stretch[1]))

    def aimed(stretch: Stretch, end: int) -> np.ndarray:
        total, shares = np.zeros_like(hit), np.zeros_like(hit)
        for verdict, halves, coin, left in outcomes(stretch, end, aim, slipper):
            # What comes in at the other side belongs to histories that are longer than the game.
            later = np.roll(value(left), (-verdict[0], -verdict[1]), axis=(0, 1))
            total += halves / 2 * chances[verdict] * (float(row[coin - 1]) + later)
            shares += halves / 2 * chances[verdict]
        assert np.allclose(shares, 1, rtol=0, atol=1e-12), "the chances of all outcomes add up to 1"
        return total

    @cache
    def value(stretch: Stretch) -> np.ndarray:
        if stretch[0] > stretch[1]:
            return np.zeros_like(hit)
        left, right = aimed(stretch, 0), aimed(stretch, 1)
        gain = right - left if decide is None else (right - left)[..., [decide]]
        share = np.where(abs(gain) <= tolerance, 0.5, gain > 0)
        mixed: np.ndarray = (1 - share) * left + share * right
        return mixed

    whole_game: np.ndarray = value((1, len(row)))[0, 0]
    return whole_game


def _players(row: Row, ends: Grid, slipper: Slipper, prior: Row) -> Mapping[str, Any]:
    """What the players collect who know the rate, learn it, keep to a guess, and assume no slips."""
    places = {"known": None, "learned": _BELIEF, "guessed": _GUESS, "naive": _SURE}
    found = {name: _collected(row, ends, slipper, prior, place) for name, place in places.items()}
    return {
        "guess": prior[0] / (prior[0] + prior[1]),
        **{name: found[name][_BELIEF] for name in ("learned", "guessed", "naive")},
        "by_rate": {name: dict(zip(_RATES, each.tolist(), strict=False)) for name, each in found.items()},
    }


def check_learning(row: Row, best_ends: Grid, prior: Row) -> Mapping[str, Any]:
    """Every history of hits and misses of the opponent, by recursion."""
    learning = _players(row, best_ends, "opponent", prior)
    watching = close((learning["learned"] - learning["guessed"]) / float(sum(row)), absolute=1e-9)
    return {"learning": learning, "watching": watching}


def check_slipping(row: Row, best_ends: Grid, prior: Row) -> Mapping[str, Any]:
    """Every history of hits and misses of your hand, by recursion."""
    return {"slipping": _players(row, best_ends, "hand", prior)}
