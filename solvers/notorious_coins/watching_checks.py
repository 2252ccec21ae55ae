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
_RECKONS_WITH = {"known": None, "learned": _BELIEF, "guessed": _GUESS, "naive": _SURE}
"""The place of the chance that a player reckons with; None: at each rate with that one."""


def _collected(row: Row, ends: Grid, slipper: Slipper, prior: Row) -> np.ndarray:
    """The winnings of each player at each known rate, at the guess, at x = 1, and on average over the belief."""
    seen = np.arange((len(row) + 1) // 2 + 1)
    hits, misses, (a, b) = *np.meshgrid(seen, seen, indexing="ij"), map(float, prior)
    known = [*map(float, _RATES), a / (a + b), 1.0]
    hit = np.stack([*(np.full(hits.shape, x) for x in known), (a + hits) / (a + b + hits + misses)])
    chances, tolerance = {HIT: hit, MISS: 1 - hit, NEITHER: np.ones_like(hit)}, _ROUNDING * float(sum(row))
    players, rates = np.arange(len(_RECKONS_WITH))[:, np.newaxis], np.arange(len(hit))
    reckoned = np.stack([rates if place is None else np.full(len(hit), place) for place in _RECKONS_WITH.values()])

    def aim(stretch: Stretch) -> int:
        return int(ends.at(first=stretch[0], last=stretch[1]))

    def aimed(stretch: Stretch, end: int) -> np.ndarray:
        size = (len(row) - 1 - stretch[1] + stretch[0]) // 2 + 1  # no more hits or misses than moves before
        total, shares = np.zeros((len(players), len(hit), size, size)), np.zeros((len(hit), size, size))
        for (hits, misses), halves, coin, left in outcomes(stretch, end, aim, slipper):
            chance, later = halves / 2 * chances[hits, misses][:, :size, :size], value(left)
            total += chance * (float(row[coin - 1]) + later[..., hits : hits + size, misses : misses + size])
            shares += chance
        assert abs(shares - 1).max() < 1e-12, "the chances of all outcomes add up to 1"
        return total

    @cache
    def value(stretch: Stretch) -> np.ndarray:
        if stretch[0] > stretch[1]:
            return np.zeros((len(players), *hit.shape))
        left, right = aimed(stretch, 0), aimed(stretch, 1)
        gain = (right - left)[players, reckoned]
        share = np.where(abs(gain) <= tolerance, 0.5, gain > 0)
        mixed: np.ndarray = (1 - share) * left + share * right
        return mixed

    whole_game: np.ndarray = value((1, len(row)))[..., 0, 0]
    return whole_game


def _players(row: Row, ends: Grid, slipper: Slipper, prior: Row) -> Mapping[str, Any]:
    """What the players collect who know the rate, learn it, keep to a guess, and assume no slips."""
    found = dict(zip(_RECKONS_WITH, _collected(row, ends, slipper, prior), strict=True))
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
