"""The figures: chances and coins over (flips, score), the last flips exactly, games of every length."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from site_builder.contract import Action, Curve, Frames, Grid, Heatmap, PolicyMap, Reference, Series
from solvers.common.captions import PALE, frame, percent, whole
from solvers.common.score_maps import (
    DECIDED,
    chance_style,
    costs_and_values,
    part,
    scores_in_play,
    steps_by_hand,
)

COINS = (Action("coin A", "A"), Action("coin B", "B"), Action("either coin", "="), *DECIDED)
LABELS = {"flips": "flips made", "score": "score (points)", "flips_left": "flips left"}

BY_HAND = (4, 3)
"""The map of the last flips: so many flips left, and so many scores to each side of the one below the target."""

SELDOM = 1 / 2000
"""The smallest chance of a final score that is shown."""

LENGTHS_SHOWN = 30
"""Longer games differ too little for the eye."""


def figure_win_probability(
    win_probability_by_state: Grid | None, win_probability: Fraction, n_flips: int, target: int
) -> Heatmap | None:
    """The chances over (flips, score), those of open states in full colour."""
    if win_probability_by_state is None:
        return None
    flips = win_probability_by_state.axes["flips"]
    value = part(win_probability_by_state, flips, scores_in_play(win_probability_by_state))
    caption = (
        f"The chance that the final score is at least {whole(target)}, at the scores where the game is open: "
        f"{percent(win_probability)} before the first of {_flips(n_flips)}. {PALE}"
    )
    title = "Chance of winning from every score"
    return Heatmap(title, value, "flips", "chance of winning", caption, LABELS, **chance_style(value))


def figure_policy(policy: Grid | None, win_probability_by_state: Grid, cost: Grid, n_flips: int) -> PolicyMap | None:
    """The best coins over (flips, score), with what the other coin costs."""
    if policy is None:
        return None
    shown = part(policy, policy.axes["flips"], scores_in_play(win_probability_by_state))
    flips = "the only flip" if n_flips == 1 else f"each of {n_flips} flips"
    caption = f"The best coin before {flips}. Won: the right coin cannot lose any more. Lost: no coin can help."
    hints = costs_and_values(shown, win_probability_by_state, cost, "chance of winning")
    return PolicyMap(f"Which coin to flip, {_flips(n_flips)}", shown, "flips", COINS, caption, LABELS, **hints)


def near(table: Grid, target: int, flips: int, beside: int) -> Grid:
    """The part of a table of the last flips with so many flips left, and so many scores to each side of its middle."""
    lefts = table.axes["flips_left"][: flips + 1]
    return part(table, lefts, range(target - 1 - beside, target + beside))


def figure_by_hand(endgame: Grid, p_a: Fraction, p_b: Fraction, v_a: int, v_b: int, target: int) -> Frames | None:
    """The last flips worked out one by one, each step with the choice at one or two scores."""
    if max(v_a, v_b) + 2 > len(endgame.axes["score"]) // 2:
        return None
    table = near(endgame, target, *BY_HAND)
    most = len(table.values) - 1
    coins = ("A", v_a, p_a), ("B", v_b, p_b)
    labels = [f"After the last flip a score of {whole(target)} or more has won; a lower one has lost."]
    for left in range(1, most + 1):
        in_full = left in (2, most)
        choices = (_choice(endgame, left, s, coins, in_full) for s in _examined(left, target))
        labels.append(" ".join([f"{_flips(left)} left.", *choices]))
    steps = [
        replace(step, lines=tuple(line for s in _examined(left, target) for line in frame(s, left)))
        for left, step in enumerate(
            steps_by_hand(table, [_flips(left) for left in range(most + 1)], "chance of winning", LABELS)
        )
    ]
    game = "The last flip" if most == 1 else f"The last {most} flips"
    said = f"The chances of winning after the last flip, then before it, and so on to {_flips(most)} before the end."
    return Frames(
        f"{game}, one at a time",
        list(zip(labels, steps, strict=True)),
        caption="Each row follows from the row below it. Frames show the choices that are written out.",
        alt=said,
    )


def _examined(left: int, target: int) -> tuple[int, ...]:
    """The scores at which a step shows the choice, by the number of flips left."""
    return () if left == 0 else (target - 2, target + 1) if left == 1 else (target - 1,)


def _choice(endgame: Grid, left: int, score: int, coins: tuple[tuple[str, int, Fraction], ...], in_full: bool) -> str:
    """What each coin is worth at a score, and which to take; in full: with the scores that it leads to."""
    worth, leads = [], []
    for name, points, heads in coins:
        up, down = (endgame.at(flips_left=left - 1, score=score + move) for move in (points, -points))
        worth.append(heads * up + (1 - heads) * down)
        mean = f"({up} + {down}) / 2 = {worth[-1]}" if 2 * heads == 1 else f"{worth[-1]}"
        leads.append(f"coin {name} leads to {whole(score + points)} or {whole(score - points)}, worth {mean}")
    short = f"the chance is {worth[0]} with coin A and {worth[1]} with coin B"
    take = "either" if worth[0] == worth[1] else "BA"[worth[0] > worth[1]]
    return f"From {whole(score)}, {'; '.join(leads) if in_full else short}: take {take}."


def figure_final_scores(final_scores: Grid | None, n_flips: int, target: int) -> Curve | None:
    """The chance of each final score by the rule of thumb, those that win and those that lose."""
    if final_scores is None:
        return None
    scores = np.array(final_scores.axes["score"])
    shown = np.flatnonzero(final_scores.values >= SELDOM)
    series = tuple(
        Series(name, scores[places], final_scores.values[places], "dots")
        for name, places in (("you lose", shown[scores[shown] < target]), ("you win", shown[scores[shown] >= target]))
        if len(places)
    )
    caption = (
        f"After {_flips(n_flips)}, with small steps while ahead and large ones while not. "
        f"Scores that come less than once in {1 / SELDOM:,.0f} games are left out."
    )
    return Curve("Small wins, large losses", series, "final score (points)", "chance", caption, percent=True)


def figure_by_flips(win_probability_by_flips: np.ndarray, n_flips: int, limit: Fraction | None) -> Curve:
    """Short games of every length, joined by a line."""
    most = min(n_flips, LENGTHS_SHOWN)
    numbers = np.arange(1, most + 1)
    series = Series("chance of winning", numbers, win_probability_by_flips[numbers], "line with dots")
    game = "one flip" if most == 1 else f"1 to {most} flips"
    caption, references = f"The chance of winning a game of {game}.", []
    if limit is not None:
        references = [Reference(float(limit), f"limit {limit}")]
        caption += f" With more and more flips it tends to {limit}."
    labels = "flips in the game", "chance of winning"
    return Curve("Games of every length", (series,), *labels, caption, tuple(references), percent=True)


def _flips(number: int) -> str:
    return "1 flip" if number == 1 else f"{number} flips"
