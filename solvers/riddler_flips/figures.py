"""The figures: chances and coins over (flips, score), the last flips exactly, games of every length."""

from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from site_builder.contract import Action, Curve, Figure, Frames, Grid, Heatmap, PolicyMap, Reference, Series
from solvers.common.captions import PALE, percent, thinned, whole
from solvers.common.lattice import Lottery
from solvers.common.score_maps import (
    DECIDED_STATES,
    chance_style,
    costs_of_choices,
    part_in_play,
    same_part,
    won_and_lost,
)
from solvers.riddler_flips.picture import picture
from solvers.riddler_flips.puzzle import Result, value

COINS = (Action("coin A", "A"), Action("coin B", "B"), Action("either coin", "="), *DECIDED_STATES)
BY_HAND, BESIDE = 3, 4
"""The worked example: so many flips left, and so many scores to each side of the one below the target, at most."""

POINTS, APART = 4, 7
"""The map of what a point is worth: so many flips left, and so many scores to each side of the one below the target."""

LABELS = {"flips": "flips made", "score": "score (points)", "flips_left": "flips left"}


def figures(result: Result) -> dict[str, Figure]:
    """Every figure by its name."""
    return {
        "picture": picture(result),
        "win_probability": _win_probability(result),
        "policy": _policy(result),
        "last_policy": _last_policy(result),
        "endgame": _endgame(result),
        "by_hand": _by_hand(result),
        "point": _point(result),
        "by_flips": _by_flips(result),
    }


def _win_probability(result: Result) -> Heatmap:
    value = part_in_play(result.win_probability_by_state, result.win_probability_by_state)
    caption = (
        f"The chance that the final score is at least {whole(result.target)}, for every score that some play can "
        f"reach: {percent(result.win_probability)} before the first of {_flips(result.n_flips)}. {PALE}"
        + thinned(result.is_whole, "flips and scores")
    )
    title = "Chance of winning from every score"
    return Heatmap(title, value, "flips", "chance of winning", caption, LABELS, **chance_style(value))


def _policy(result: Result) -> PolicyMap:
    policy = part_in_play(result.policy, result.win_probability_by_state)
    caption = f"The best coin for every score. {_needs(result)}" + thinned(result.is_whole, "flips and scores")
    told = _told(result, policy)
    return PolicyMap("Which coin to flip", won_and_lost(policy, told), "flips", COINS, caption, LABELS, **told)


def _told(result: Result, policy: Grid) -> dict[str, Any]:
    """The chance of winning in each state of a map, and what the wrong coin costs.

    Nothing of a game of which only some states are kept.
    """
    if not result.is_whole:
        return {}
    coins = Lottery(result.v_a, result.p_a), Lottery(result.v_b, result.p_b)
    nobody = np.zeros(result.n_flips, dtype=bool)
    value = result.win_probability_by_state
    costs = costs_of_choices(value, result.best_coin, coins, lowest=nobody)
    named = zip(COINS, costs, strict=False)
    return {
        "costs": {coin.name: same_part(cost, result.best_coin, policy) for coin, cost in named},
        "cost_unit": "percentage points",
        "value": same_part(value.values[:-1], result.best_coin, policy),
        "value_label": "chance of winning",
        "percent": True,
    }


def _needs(result: Result) -> str:
    """How many open states need which coin, as a sentence."""
    if result.open_states == 0:
        return "Every state that some play can reach is decided."
    how = "in exact arithmetic" if result.exact else "to twelve decimals"
    if result.open_states == 1:
        coin = "A" if result.a_states else "B"
        need = f"both coins are equally good, {how}" if result.either_states else f"coin {coin} is needed"
        return f"In the one state that some play can reach and that is not decided, {need}."
    needs_a, needs_b = (
        f"{whole(states)} {'needs' if states == 1 else 'need'}" for states in (result.a_states, result.b_states)
    )
    return (
        f"Of {whole(result.open_states)} states that some play can reach and that are not decided, {needs_a} coin A "
        f"and {needs_b} coin B; in {whole(result.either_states)} both coins are equally good, {how}."
    )


def _last_policy(result: Result) -> PolicyMap:
    flips = len(result.last_policy.axes["flips"])
    caption = (
        f"The best coin before {'the only flip' if result.n_flips == 1 else f'each of the last {flips} flips'}, near "
        f"the target of {whole(result.target)}. Won and lost: for certain, if the right coins are flipped."
    )
    told = _told(result, result.last_policy)
    policy = won_and_lost(result.last_policy, told)
    return PolicyMap("Which coin to flip near the end", policy, "flips", COINS, caption, LABELS, **told)


def _endgame(result: Result) -> Heatmap:
    flips = _flips(int(result.endgame.axes["flips_left"][-1]))
    return Heatmap(
        "The last few flips, exactly",
        result.endgame,
        "score",
        "chance of winning",
        f"Exact chances of winning with up to {flips} left and a score near the target of {whole(result.target)}.",
        LABELS,
        value_range=(0.0, 1.0),
        percent=True,
        cell_text="fraction",
    )


def _by_hand(result: Result) -> Frames:
    """The last flips worked out one by one, each step with the choice at one or two scores."""
    most, middle = min(result.n_flips, BY_HAND), result.target - 1
    scores = range(middle - BESIDE, middle + BESIDE + 1)
    rows = [[_chance(result, left, score) for score in scores] for left in range(most + 1)]
    grid = Grid(np.array(rows), {"flips_left": range(most + 1), "score": scores})
    known = np.arange(most + 1)[:, np.newaxis] + np.zeros(len(scores))
    labels = [f"After the last flip a score of {whole(result.target)} or more has won; a lower one has lost."]
    for left in range(1, most + 1):
        examined = (middle - 1, middle + 2) if left == 1 else (middle,)
        labels.append(" ".join([f"{_flips(left)} left.", *(_choice(result, left, score) for score in examined)]))
    steps = [
        Heatmap(
            *(f"{_flips(left)} left", grid, "score", "chance of winning", "", LABELS),
            drawn=known <= left,
            value_range=(0.0, 1.0),
            cell_text="fraction",
        )
        for left in range(most + 1)
    ]
    game = "The last flip" if most == 1 else f"The last {most} flips"
    caption = "Each row follows from the row below it."
    said = f"The chances of winning after the last flip, then before it, and so on to {_flips(most)} before the end."
    return Frames(f"{game}, one at a time", list(zip(labels, steps, strict=True)), caption=caption, alt=said)


def _choice(result: Result, left: int, score: int) -> str:
    """Where each coin leads from a score, what it is worth, and which one is better."""
    coins = ("A", result.v_a, result.p_a), ("B", result.v_b, result.p_b)
    worth, told = [], []
    for name, points, heads in coins:
        up, down = (_chance(result, left - 1, score + move) for move in (points, -points))
        worth.append(heads * up + (1 - heads) * down)
        mean = f"({up} + {down}) / 2 = {worth[-1]}" if 2 * heads == 1 else f"{worth[-1]}"
        told.append(f"coin {name} leads to {whole(score + points)} or {whole(score - points)}, worth {mean}")
    verdict = "The coins are equally good" if worth[0] == worth[1] else f"Coin {'BA'[worth[0] > worth[1]]} is better"
    return f"From {whole(score)}, {told[0]}; {told[1]}. {verdict}."


def _chance(result: Result, left: int, score: int) -> Fraction:
    """The chance of winning with a few flips left, by the rules."""
    whole_cases = lcm(result.p_a.denominator, result.p_b.denominator)
    return Fraction(_cases(result, left, score), whole_cases**left)


def _cases(result: Result, left: int, score: int) -> int:
    """The chance of winning with a few flips left, in equally likely cases."""
    whole_cases = lcm(result.p_a.denominator, result.p_b.denominator)
    sides = (result.v_a, result.p_a), (result.v_b, result.p_b)
    coins = [(points, int(heads * whole_cases), int((1 - heads) * whole_cases)) for points, heads in sides]
    return value(left, score, coins, result.target)


def _point(result: Result) -> Heatmap:
    """In how many cases the last point of a score makes the difference between winning and losing."""
    most, middle = min(result.n_flips, POINTS), result.target - 1
    scores = range(middle - APART, middle + APART + 1)
    won = np.array(
        [[_cases(result, left, score) for score in range(scores[0] - 1, scores[-1] + 1)] for left in range(most + 1)]
    )
    worth = np.diff(won, axis=1)
    whole_cases = lcm(result.p_a.denominator, result.p_b.denominator)
    return Heatmap(
        "What the last point of a score is worth",
        Grid(worth, {"flips_left": range(most + 1), "score": scores}),
        "score",
        "additional cases that win",
        f"Of the equally likely cases ({whole_cases} with one flip left, {whole_cases**2} with two, and so on), how "
        "many more win with this score than with one point less.",
        LABELS,
        drawn=worth > 0,
        cell_text="integer",
    )


def _by_flips(result: Result) -> Curve:
    chances = result.win_probability_by_flips
    numbers = np.arange(len(chances))
    halves = [("an odd number of flips", numbers[1::2]), ("an even number of flips", numbers[2::2])]
    series = tuple(Series(name, part, chances[part], "dots") for name, part in halves if len(part))
    game = "one flip" if result.n_flips == 1 else f"1 to {result.n_flips} flips"
    caption, references = f"The chance of winning a game of {game}.", []
    if result.limit is not None:
        references = [Reference(float(result.limit), f"limit {result.limit}")]
        caption += f" With more and more flips it tends to {result.limit}."
    labels = "flips in the game", "chance of winning"
    return Curve("Games of every length", series, *labels, caption, tuple(references), percent=True)


def _flips(number: int) -> str:
    return "1 flip" if number == 1 else f"{number} flips"
