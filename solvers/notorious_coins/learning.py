"""Players with different knowledge of an unknown error rate compared, and a game of the one who learns it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np

from site_builder.contract import Bounds, Grid
from solvers.notorious_coins import unknown_rate
from solvers.notorious_coins.parameters import Parameters, constant, hit_chances
from solvers.notorious_coins.perfect_play import EITHER, LEFT, RIGHT, ByLength, name_of_end, take, whole_numbers

LONGEST = 40  # coins of a row; for longer ones nothing is computed


@dataclass(frozen=True, eq=False)
class Learning:
    """Winnings when the error rate of one player, the slipper, is unknown; exact. Four players meet the same slips.

    naive assumes that nobody slips. known is given the true rate. learned starts from the Beta prior and learns.
    guessed expects the guess, which is the prior's mean, throughout and never learns.
    The winnings are at true_rate (the constant p or q, else the prior's mean); mean_learned (the Bayes-adaptive
    optimum), mean_naive and mean_guessed are averages over the prior. by_rate Grids: the same along the true rate.
    largest_gain: of learned over naive, at gain_rate. naive_ahead, learned_ahead: the rates of the grid at which that
    player wins more than the other.
    states: stretches, hits and misses that can arise; changed: those where no end of perfect play is best.
    policy: for your move t = 0, 1, ...: best end by start, hits and misses, shape (2t + 1, t + 1, t + 1).
    """

    true_rate: Annotated[Fraction, Bounds(0, 1)]
    naive: Fraction
    known: Fraction
    learned: Fraction
    guess: Annotated[Fraction, Bounds(0, 1)]
    guessed: Fraction
    mean_naive: Fraction
    mean_learned: Fraction
    mean_guessed: Fraction
    naive_by_rate: Grid
    known_by_rate: Grid
    learned_by_rate: Grid
    largest_gain: Fraction
    gain_rate: Annotated[Fraction, Bounds(0, 1)]
    naive_ahead: tuple[Fraction, ...]
    learned_ahead: tuple[Fraction, ...]
    states: int
    changed: int
    policy: tuple[np.ndarray, ...]


@dataclass(frozen=True)
class LearnerRound:
    """One round of a game between the learner and an opponent who slips: both moves, and the belief after them.

    verdict: hit, miss, or nothing (the ends were equally good, or no choice was left). belief: the mean of the Beta.
    """

    my_end: str
    my_coin: Fraction
    their_end: str
    their_coin: Fraction | None
    verdict: str
    belief: Fraction
    my_total: Fraction
    their_total: Fraction


def compare_players(
    parameters: Parameters, values: Sequence[Fraction], ends: ByLength, slipper: unknown_rate.Slipper
) -> Learning | None:
    """The winnings of all four players; None for rows of more than LONGEST coins. ends: those of perfect play."""
    if len(values) > LONGEST:
        return None
    (coins, scale), lengths = whole_numbers(values), range(len(values), 0, -2)
    game = [unknown_rate.round_of(coins, ends, slipper, length) for length in lengths]
    prior = unknown_rate.belief_weights(*parameters.prior, len(game))
    mean_learned, policy = unknown_rate.best_plan(game, prior)
    guess = Fraction(parameters.prior[0] / sum(parameters.prior))
    chance = constant(parameters.p if slipper == "opponent" else parameters.q)
    true_rate = guess if chance is None else chance
    perfect = [ends[length][:, np.newaxis, np.newaxis] for length in lengths]
    learned, naive = unknown_rate.winnings_of(game, policy), unknown_rate.winnings_of(game, perfect)
    rates = [Fraction(step, 20) for step in range(21)]
    known, plans = unknown_rate.best_at_known_rates(game, [*rates, true_rate, guess])
    guessed = unknown_rate.winnings_of(game, [ends[:, -1:, np.newaxis] for ends in plans])
    weights = [unknown_rate.rate_weights(rate, len(game)) for rate in rates]
    known_by_rate = [value / scale for value in known[: len(rates)]]
    learned_by_rate = [learned.times(weight) / scale for weight in weights]
    naive_by_rate = [naive.times(weight) / scale for weight in weights]
    gains = [mine - theirs for mine, theirs in zip(learned_by_rate, naive_by_rate, strict=True)]
    at_true_rate = unknown_rate.rate_weights(true_rate, len(game))
    states, changed = _count_states(policy, perfect)
    return Learning(
        true_rate=true_rate,
        naive=naive.times(at_true_rate) / scale,
        known=known[len(rates)] / scale,
        learned=learned.times(at_true_rate) / scale,
        guess=guess,
        guessed=guessed.times(at_true_rate) / scale,
        mean_naive=naive.times(prior) / scale,
        mean_learned=mean_learned / scale,
        mean_guessed=guessed.times(prior) / scale,
        naive_by_rate=Grid(np.array(naive_by_rate, dtype=object), {"rate": rates}),
        known_by_rate=Grid(np.array(known_by_rate, dtype=object), {"rate": rates}),
        learned_by_rate=Grid(np.array(learned_by_rate, dtype=object), {"rate": rates}),
        largest_gain=max(gains),
        gain_rate=rates[gains.index(max(gains))],
        naive_ahead=tuple(rate for rate, gain in zip(rates, gains, strict=True) if gain < 0),
        learned_ahead=tuple(rate for rate, gain in zip(rates, gains, strict=True) if gain > 0),
        states=states,
        changed=changed,
        policy=tuple(policy),
    )


def _count_states(policy: unknown_rate.Policy, perfect: unknown_rate.Policy) -> tuple[int, int]:
    """The number of states (stretch, hits, misses), and of those in which the policy departs from perfect play."""
    states = changed = 0
    for t, (choice, end) in enumerate(zip(policy, perfect, strict=True)):
        possible = np.add.outer(np.arange(t + 1), np.arange(t + 1)) <= t
        states += len(choice) * int(possible.sum())
        changed += int(((choice + end == LEFT + RIGHT) & possible).sum())
    return states, changed


def game_of_learner(
    parameters: Parameters, values: Sequence[Fraction], ends: ByLength, policy: Sequence[np.ndarray]
) -> tuple[LearnerRound, ...]:
    """One game drawn with the seed; with k coins left the opponent hits the end of perfect play with chance p_k."""
    drawn, n = random.Random(parameters.seed), len(values)
    p = hit_chances(parameters.p, "p", max(n - 1, 1))
    a, b = parameters.prior
    stretch, hits, misses, mine, theirs = (0, n), 0, 0, Fraction(0), Fraction(0)
    played: list[LearnerRound] = []
    for length in range(n, 0, -2):
        my_end = _settle(int(policy[len(played)][stretch[0], hits, misses]), drawn)
        number, stretch = take(stretch, my_end)
        mine += (my_coin := values[number])
        their_end, their_coin, verdict = "none", None, "nothing"
        if length > 1:
            end = _settle(aim := int(ends[length - 1][stretch[0]]), drawn)
            if aim != EITHER:
                verdict = "hit" if drawn.random() < p[length - 1] else "miss"
                end = aim if verdict == "hit" else 1 - aim
            number, stretch = take(stretch, end)
            theirs += (their_coin := values[number])
            their_end = name_of_end(end, length - 1)
        hits, misses = hits + (verdict == "hit"), misses + (verdict == "miss")
        played.append(
            LearnerRound(
                my_end=name_of_end(my_end, length),
                my_coin=my_coin,
                their_end=their_end,
                their_coin=their_coin,
                verdict=verdict,
                belief=(a + hits) / (a + b + hits + misses),
                my_total=mine,
                their_total=theirs,
            )
        )
    return tuple(played)


def _settle(end: int, drawn: random.Random) -> int:
    """The end, or one drawn with equal chances where both are equally good."""
    return drawn.choice((LEFT, RIGHT)) if end == EITHER else end
