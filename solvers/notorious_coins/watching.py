"""Is it worth watching a player whose error rate is unknown? By stretch and by hits and misses seen.

One player slips, the opponent or your own hand, never both. An opponent who slips aims for the end of perfect play and
hits it with an unknown constant chance x. A hand that slips hits the end that you aim for with chance x; the opponent
then plays perfectly. You have a Beta(a, b) belief of x. With w(h, m) the chance of one sequence of h hits and m misses,
W = w V turns the equation of the package's docstring into one without division: an end is worth the sum of

    w(h', m') v + W(what is left, h', m')

over all that can happen until your next move, where h' and m' are the hits and misses after it.

Arrays are indexed [history, x known or believed]; histories of h hits and m misses are in the order of h + m, then m,
so that those of the first moves come first. Values are multiplied by 4 for each round to come, because of
the ends that a player takes half of the time; so those of a belief are whole numbers, with w in a common unit.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from math import lcm
from typing import Any

import numpy as np

from site_builder.contract import Grid
from solvers.notorious_coins.play import better_end
from solvers.notorious_coins.rules import HIT, LEFT, MISS, NEITHER, RIGHT, Aim, Row, Slipper, Stretch, Verdict, outcomes

RATES = tuple(Fraction(step, 20) for step in range(21))  # along which players are compared

Outcomes = Callable[[Stretch, int], list[tuple[Verdict, int, int, Stretch]]]
Plan = Mapping[Stretch, Any]
"""The end to aim for by stretch: LEFT, RIGHT or EITHER (each half of the time), or an array of these."""


def compare_players(row: Row, aim: Aim, slipper: Slipper, prior: Row) -> dict[str, Any]:
    """What four players collect who know more or less of x: means over the belief, and by_rate along x, in floats.

    learned: by the best plan from the belief on, which learns from each move. guessed: by the plan that is best if x is
    the guess, the mean of the prior, and that never learns. naive: by perfect play, as if x were 1. known: by the plan
    that is best at x.
    """
    guess, rounds, scale = prior[0] / sum(prior), (len(row) + 1) // 2, lcm(*(coin.denominator for coin in row))
    whole, rough = [int(coin * scale) for coin in row], [float(coin) for coin in row]
    (belief, unit), game = belief_weights(prior, rounds), partial(outcomes, aim=aim, slipper=slipper)
    rates, habits = np.array(RATES, dtype=float), ("guessed", "naive")
    (learned,), learning = follow(whole, game, belief)
    _, guessing = at_rates(row, game, np.array([guess], dtype=object))
    fixed = {stretch: np.append(end, aim(stretch)) for stretch, end in guessing.items()}  # by habit
    means, _ = follow(whole, game, np.repeat(belief, len(habits), axis=1), fixed)
    plans = {name: {stretch: ends[place] for stretch, ends in fixed.items()} for place, name in enumerate(habits)}
    along = {"known": at_rates(rough, game, rates)[0]}
    for name, plan in {"learned": learning, **plans}.items():
        along[name] = follow(rough, game, rate_weights(rates, rounds), plan)[0] / 4**rounds
    total = 4**rounds * scale * unit
    return {
        "guess": guess,
        "learned": Fraction(int(learned), total),
        **{name: Fraction(int(mean), total) for name, mean in zip(habits, means, strict=True)},
        "by_rate": {name: Grid(values, {"rate": RATES}) for name, values in along.items()},
    }


def my_stretches(row: Sequence[Any]) -> list[Stretch]:
    """The stretches that your moves may find, the short ones first."""
    n = len(row)
    return [(first, first + k - 1) for k in range(2 - n % 2, n + 1, 2) for first in range(1, n - k + 2)]


def follow(
    row: Sequence[Any], game: Outcomes, weights: np.ndarray, plan: Plan | None = None
) -> tuple[np.ndarray, Plan]:
    """4^rounds times what a plan collects, by known or believed x, and the plan; None: the best one.

    weights: w(h, m), shape (histories of a game, number of x).
    """
    value, nothing, followed = dict[Stretch, np.ndarray](), np.zeros_like(weights), dict[Stretch, Any]()
    rounds, (hits, misses) = (len(row) + 1) // 2, histories((len(row) + 1) // 2)
    longer = np.arange(len(hits)) + hits + misses + 1  # the place of a history with one hit more

    @cache
    def after(later: int) -> dict[Verdict, tuple[Any, np.ndarray]]:
        """The histories after a move with so many rounds to come, and their weights in the unit of this move."""
        seen = (rounds - later) * (rounds - later + 1) // 2  # histories of fewer moves than there were
        places = {NEITHER: slice(seen), HIT: longer[:seen], MISS: longer[:seen] + 1}
        return {verdict: (then, 4**later * weights[then]) for verdict, then in places.items()}

    for stretch in my_stretches(row):
        ends: list[Any] = [0, 0]
        for end in (LEFT, RIGHT):
            if plan is not None and np.all(plan[stretch] == 1 - end):
                continue  # which nobody aims for
            for verdict, halves, coin, rest in game(stretch, end):
                then, shares = after((stretch[1] - stretch[0]) // 2)[verdict]
                ends[end] = ends[end] + halves * (row[coin - 1] * shares + value.get(rest, nothing)[then])
        followed[stretch] = better_end(*ends) if plan is None else plan[stretch]
        rights = np.array([0, 2, 1])[followed[stretch]]  # how often out of 2 you aim for the right end
        value[stretch] = (2 - rights) * ends[LEFT] + rights * ends[RIGHT]
    return value[1, len(row)][0], followed


def at_rates(row: Sequence[Any], game: Outcomes, hit: np.ndarray) -> tuple[np.ndarray, Plan]:
    """What the best plan collects, by the known chance of a hit, and the plan, for which histories do not matter.

    row: floats or Fractions, as the chances are.
    """
    chances = {HIT: hit, MISS: 1 - hit, NEITHER: np.ones_like(hit)}
    value, plan = dict[Stretch, Any](), dict[Stretch, Any]()
    for stretch in my_stretches(row):
        ends = [np.zeros_like(hit)] * 2
        for end in (LEFT, RIGHT):
            for verdict, halves, coin, rest in game(stretch, end):
                ends[end] = ends[end] + halves * chances[verdict] * (row[coin - 1] + value.get(rest, 0))
        plan[stretch] = better_end(*ends)
        value[stretch] = np.maximum(*ends) / 2
    return value[1, len(row)], plan


def histories(rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """The hits and the misses of each history of at most so many moves, in their order."""
    moves = np.repeat(np.arange(rounds + 1), np.arange(1, rounds + 2))
    misses = np.arange(len(moves)) - moves * (moves + 1) // 2
    return moves - misses, misses


def belief_weights(prior: Row, rounds: int) -> tuple[np.ndarray, int]:
    """The chance of one sequence of h hits and m misses under a Beta(a, b) belief, and its unit.

    w(h, m) = a (a+1) ... (a+h-1) b (b+1) ... (b+m-1) / ((a+b) (a+b+1) ... (a+b+h+m-1)).
    """
    a, b = prior
    (hits, misses), scale = histories(rounds), lcm(a.denominator, b.denominator)
    factors = ([1, *(int(scale * (x + k)) for k in range(rounds))] for x in (a, b, a + b))
    hit, miss, both = (np.multiply.accumulate(np.array(row, dtype=object)) for row in factors)
    weights = hit[hits] * miss[misses] * (both[rounds] // both)[hits + misses]
    return weights[:, np.newaxis], both[rounds]


def rate_weights(rates: np.ndarray, rounds: int) -> np.ndarray:
    """The chance x^h (1 - x)^m of one sequence at known rates x."""
    hits, misses = (each[:, np.newaxis] for each in histories(rounds))
    weights: np.ndarray = rates**hits * (1 - rates) ** misses
    return weights
