"""Players with different knowledge of an unknown error rate compared, and a game of the one who learns it."""

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import Grid
from solvers.notorious_coins.rules import EITHER, LEFT, RIGHT, Aim, Row, moves_of, without
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


def learn(game: Slips, prior: Row) -> Plan:
    """The plan of the learner, who starts from the Beta prior."""
    return best_plan(game, belief_weights(prior, game.rounds))


def compare_players(game: Slips, plan: Plan, prior: Row, rate: Fraction | None) -> dict[str, Any]:
    """The exact winnings of four players who meet the same slips at an unknown rate.

    naive assumes that nobody slips. known is given the true rate. learned starts from the Beta prior and learns; plan
    is its plan. guessed expects the guess, which is the prior's mean, throughout and never learns. The winnings are at
    the true rate: `rate`, or the guess where that is None. mean: on average over the prior. by_rate: along the rate.
    """
    guess = prior[0] / sum(prior)
    true_rate = guess if rate is None else rate
    known, plans = best_at_known_rates(game, [*RATES, true_rate, guess])
    weights = [*(rate_weights(each, game.rounds) for each in (*RATES, true_rate)), belief_weights(prior, game.rounds)]

    def winnings(plan: Plan) -> list[Fraction]:
        by_history = winnings_of(game, plan)
        return [by_history.times(each) for each in weights]

    *learned_by_rate, learned, mean_learned = winnings(plan)
    *naive_by_rate, naive, mean_naive = winnings({stretch: game.aim(stretch) for stretch in game.stretches()})
    return {
        "true_rate": true_rate,
        "guess": guess,
        "naive": naive,
        "known": known[len(RATES)],
        "learned": learned,
        "mean_naive": mean_naive,
        "mean_learned": mean_learned,
        "mean_guessed": winnings(plans[-1])[-1],
        "naive_by_rate": _by_rate(naive_by_rate),
        "known_by_rate": _by_rate(known[: len(RATES)]),
        "learned_by_rate": _by_rate(learned_by_rate),
    }


def _by_rate(winnings: Sequence[Fraction]) -> Grid:
    return Grid(np.array(winnings, dtype=object), {"rate": RATES})


def game_of_learner(row: Row, aim: Aim, plan: Plan, p: Row, prior: Row, seed: int) -> dict[str, Any]:
    """One game drawn with the seed; with k coins left the opponent hits the end of perfect play with chance p[k].

    verdicts: of each round, hit, miss, or nothing where the ends were equally good or no choice was left; beliefs: the
    mean of the belief after it.
    """
    drawn, left = random.Random(seed), (1, len(row))
    taken: list[int] = []
    verdicts: list[str] = []
    while left[0] <= left[1]:
        taken.append(_settle(int(plan[left][verdicts.count("hit"), verdicts.count("miss")]), drawn))
        left, verdict = without(left, taken[-1]), "nothing"
        if left[0] <= left[1]:
            end = _settle(aim(left), drawn)
            if aim(left) != EITHER:
                verdict = "hit" if drawn.random() < p[left[1] - left[0] + 1] else "miss"
            taken.append(1 - end if verdict == "miss" else end)
            left = without(left, taken[-1])
        verdicts.append(verdict)
    return {"moves": moves_of(row, taken), "verdicts": verdicts, "beliefs": _beliefs(verdicts, prior)}


def _beliefs(verdicts: Sequence[str], prior: Row) -> list[Fraction]:
    """The mean (a + h) / (a + b + h + m) of the belief after each round."""
    a, b = prior
    beliefs = []
    for verdict in verdicts:
        a, b = a + (verdict == "hit"), b + (verdict == "miss")
        beliefs.append(a / (a + b))
    return beliefs


def _settle(end: int, drawn: random.Random) -> int:
    """The end, or one drawn with equal chances where both are equally good."""
    return drawn.choice((LEFT, RIGHT)) if end == EITHER else end
