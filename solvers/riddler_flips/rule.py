"""Rules of thumb: one coin always, or one coin below a threshold and the other from there on."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from solvers.common.lattice import Chance
from solvers.common.score_game import FIRST, SECOND, ScoreGame, halves


@dataclass(frozen=True)
class Rule:
    """A threshold rule, and how it compares with the best play.

    below, above: "A" or "B", the coin at scores below the threshold and from the threshold on. A rule that always takes
    the same coin has no threshold; with "either" no state needs a coin. mistakes: how many of the `states` that can
    occur need the other coin. proved: whether there are none, so that the rule is a best play from every state.
    win_probability: of a player who follows the rule, exact when it is proved.
    """

    below: str
    above: str
    threshold: int | None
    mistakes: int
    states: int
    proved: bool
    win_probability: Chance


def nearest_rule(game: ScoreGame, best: np.ndarray, win_probability: Fraction | float) -> Rule:
    """The rule with the fewest mistakes; among equals one coin always, then the threshold nearest to the target.

    best: the codes of the best coins, shape (flips, scores), the middle column is the score 0. win_probability: of the
    best play.
    """
    highest = best.shape[1] // 2
    needs_a, needs_b = ((best == code).sum(axis=0) for code in (FIRST, SECOND))
    wrong = {("B", "A"): _mistakes(needs_a, needs_b), ("A", "B"): _mistakes(needs_b, needs_a)}
    mistakes, is_split, _, threshold, (below, above) = min(
        (int(row[place]), -highest < threshold <= highest, abs(threshold - game.win_from), threshold, pair)
        for pair, row in wrong.items()
        for place, threshold in enumerate(range(-highest, highest + 2))
    )
    chance = win_probability if mistakes == 0 else _win_probability(game, below, above, threshold)
    if not is_split:
        below = above = below if threshold > highest else above
    if not needs_a.any() and not needs_b.any():
        below = above = "either"
    states = int((best >= 0).sum())
    return Rule(below, above, threshold if is_split else None, mistakes, states, mistakes == 0, chance)


def _mistakes(needs_above: np.ndarray, needs_below: np.ndarray) -> np.ndarray:
    """For each threshold how many states need the coin of the other side: shape (scores + 1,).

    needs_above, needs_below: for each score how many states need the coin of that side.
    """
    too_low, too_high = (np.concatenate([[0], needs.cumsum()]) for needs in (needs_above, needs_below))
    return np.asarray(too_low + too_high[-1] - too_high)


def _win_probability(game: ScoreGame, below: str, above: str, threshold: int) -> float:
    """The probability of winning by a threshold rule, in floats: the equation of V with the coin of the rule."""
    reach = max(coin.points for coin in game.lotteries)
    highest = len(game.movers) * reach
    scores = np.arange(-highest, highest + 1)
    takes_a = np.where(scores < threshold, below == "A", above == "A")
    value = halves(game, scores) / 2
    for _ in game.movers:
        padded = np.pad(value, reach)  # an edge is never reached from a score of 0
        with_a, with_b = (
            float(coin.chance) * padded[reach + coin.points : reach + coin.points + len(value)]
            + float(1 - coin.chance) * padded[reach - coin.points : reach - coin.points + len(value)]
            for coin in game.lotteries
        )
        value = np.where(takes_a, with_a, with_b)
    return float(value[highest])
