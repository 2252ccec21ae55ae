"""Players with different knowledge of an unknown error rate compared."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import Grid
from solvers.notorious_coins.rules import Row
from solvers.notorious_coins.unknown_rate import (
    Plan,
    Slips,
    belief_weights,
    best_at_known_rates,
    best_plan,
    rate_weights,
    winnings_of,
)

RATES = tuple(Fraction(step, 20) for step in range(21))


def compare_players(game: Slips, prior: Row) -> dict[str, Any]:
    """The exact winnings of four players who meet the same slips at an unknown rate.

    naive assumes that nobody slips. known is given the rate. learned starts from the Beta prior and learns. guessed
    expects the guess, which is the prior's mean, throughout and never learns. mean: on average over the prior. by_rate:
    along the rate.
    """
    guess, belief = prior[0] / sum(prior), belief_weights(prior, game.rounds)
    known, plans = best_at_known_rates(game, [*RATES, guess])
    weights = [*(rate_weights(each, game.rounds) for each in RATES), belief]

    def winnings(plan: Plan) -> list[Fraction]:
        by_history = winnings_of(game, plan)
        return [by_history.times(each) for each in weights]

    *learned_by_rate, mean_learned = winnings(best_plan(game, belief))
    *naive_by_rate, mean_naive = winnings({stretch: game.aim(stretch) for stretch in game.stretches()})
    return {
        "guess": guess,
        "mean_naive": mean_naive,
        "mean_learned": mean_learned,
        "mean_guessed": winnings(plans[-1])[-1],
        "naive_by_rate": _by_rate(naive_by_rate),
        "known_by_rate": _by_rate(known[: len(RATES)]),
        "learned_by_rate": _by_rate(learned_by_rate),
    }


def _by_rate(winnings: Sequence[Fraction]) -> Grid:
    return Grid(np.array(winnings, dtype=object), {"rate": RATES})
