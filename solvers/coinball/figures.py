"""The figures: calls and chances over (toss, lead), the last tosses by hand, games of other lengths."""

from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np

from site_builder.contract import Action, Column, Curve, Frames, Grid, Heatmap, PolicyMap, Reference, Series, Table
from solvers.coinball.puzzle import Opponent, Seat, their_tosses
from solvers.common.captions import PALE, percent, whole
from solvers.common.score_maps import (
    DECIDED,
    chance_style,
    costs_and_values,
    part,
    scores_in_play,
)

ACTIONS = (Action("rush", "R"), Action("pass", "P"), Action("either call", "="), *DECIDED)
CALLER_LABELS = {"tosses_left": "tosses left", "lead": "lead of the caller (points)"}
YOUR_LABELS = {"toss": "tosses made", "lead": "your lead (points)", "tosses_left": "tosses left"}
OPPONENT_NAMES = {"rush": "always rushes", "pass": "always passes", "optimal": "plays best"}
MOST_ROWS = 40

LONGEST_BY_HAND, BESIDE = 6, 3
"""Only so long a game is worked out by hand; shown are so many leads to each side of a tie."""


def figure_policy(
    policy: Grid,
    win_probability_by_state: Grid,
    cost: Grid,
    n_tosses: int,
    first: Seat,
    indifferent: tuple[tuple[int, int], ...],
) -> PolicyMap:
    """The best calls over (tosses left, lead of the caller), with what the other call costs."""
    shown = part(policy, policy.axes["toss"], scores_in_play(win_probability_by_state, symmetric=True))
    whose = "yours" if first == "you" else "the opponent's"
    caption = (
        "The best call for every lead, seen by the caller of each toss. The first column, the third and so on are "
        f"{whose}; an empty square cannot occur.{' Grey: both calls are equally good.' if indifferent else ''}"
    )
    value = _for_the_caller(win_probability_by_state, n_tosses, first)
    hints = costs_and_values(shown, value, cost, "chance of the caller")
    hints |= {"costs": {call: _by_tosses_left(each) for call, each in hints["costs"].items()}}
    hints |= {"value": _by_tosses_left(hints["value"])}
    policy_left = _by_tosses_left(shown)
    title = f"What to call in {n_tosses} tosses"
    return PolicyMap(title, policy_left, "tosses_left", ACTIONS, caption, CALLER_LABELS, **hints)


def _by_tosses_left(grid: Grid) -> Grid:
    """A Grid over (toss, lead) as one over (tosses left, lead), in the order of play."""
    tosses, leads = grid.axes.values()
    return Grid(grid.values, {"tosses_left": range(len(tosses), 0, -1), "lead": leads})


def _for_the_caller(value: Grid, n_tosses: int, first: Seat) -> Grid:
    """The chance of the caller of each toss, over the caller's lead."""
    theirs = np.array(their_tosses(n_tosses, first))[:, np.newaxis]
    before = value.values[:-1]
    return Grid(
        np.where(theirs, 1 - before[:, ::-1], before), {"toss": value.axes["toss"][:-1], "lead": value.axes["lead"]}
    )


def figure_win_probability(
    win_probability_by_state: Grid, win_probability: Fraction, opponent: Opponent, first: Seat
) -> Heatmap:
    """Your chances over (toss, your lead), those of open states in full colour."""
    tosses = win_probability_by_state.axes["toss"]
    value = part(win_probability_by_state, tosses, scores_in_play(win_probability_by_state, symmetric=True))
    caption = (
        f"Your chance of winning against an opponent who {OPPONENT_NAMES[opponent]}, by your lead, a draw "
        f"counting half: {percent(win_probability)} before the first toss, which "
        f"{'you call' if first == 'you' else 'the opponent calls'}. {PALE}"
    )
    style = {**chance_style(value), "scale": "diverging", "centre": 0.5}
    return Heatmap("Your chance from every lead", value, "toss", "chance of winning", caption, YOUR_LABELS, **style)


def figure_by_hand(
    win_probability_by_state: Grid, n_tosses: int, rush_points: int, pass_points: int, opponent: Opponent, first: Seat
) -> Frames | None:
    """A short game between perfect players, worked out toss by toss, each step with the choice at one or two leads."""
    if opponent != "optimal" or n_tosses > LONGEST_BY_HAND:
        return None
    chances = win_probability_by_state.values[::-1]  # by the number of tosses left
    exact = np.array([[Fraction(chance) for chance in row] for row in np.nan_to_num(chances)])
    table = Grid(exact, {"tosses_left": range(n_tosses + 1), "lead": win_probability_by_state.axes["lead"]})
    middle = chances.shape[1] // 2
    side = min(BESIDE, middle)
    shown = part(table, range(n_tosses + 1), range(-side, side + 1))
    is_reached, left = ~np.isnan(chances[:, middle - side : middle + side + 1]), np.indices(shown.values.shape)[0]
    style: dict[str, Any] = {"value_range": (0.0, 1.0), "cell_text": "fraction", "scale": "diverging", "centre": 0.5}
    steps = [
        Heatmap("", shown, "lead", "your chance", "", YOUR_LABELS, drawn=is_reached & (left <= row), **style)
        for row in range(n_tosses + 1)
    ]
    labels = ["After the last toss a lead has won, a tie is half a win, and the rest is lost."]
    for row, theirs in enumerate(reversed(their_tosses(n_tosses, first)), 1):
        wanted = (1, -1) if row == 1 else (0,) if is_reached[row, side] else (2, 1)  # never tied after one toss
        leads = [lead for lead in wanted if abs(lead) <= side and is_reached[row, lead + side]]
        whose = "the opponent's" if theirs else "your"
        choices = [_choice(table, row, lead, (rush_points, pass_points), theirs) for lead in leads]
        labels.append(" ".join([f"{_tosses(row)} left, {whose} call.", *choices]))
    return Frames(
        f"A game of {_tosses(n_tosses)}",
        list(zip(labels, steps, strict=True)),
        caption="Your chance of winning from each lead near a tie. Each row follows from the row below it. A square "
        "that stays empty cannot occur.",
        alt=f"Your chances after the last toss, then before it, and so on to the beginning of {_tosses(n_tosses)}.",
    )


def _choice(table: Grid, left: int, lead: int, points: tuple[int, int], is_theirs: bool) -> str:
    """What each call is worth to you at a lead of yours, at a tie with how that is worked out, and the best one."""
    worth, sums = [], []
    for won in points:
        up, down = (table.at(tosses_left=left - 1, lead=lead + move) for move in (won, -won))
        worth.append((up + down) / 2)
        sums.append(f"({up} + {down}) / 2 = {worth[-1]}" if lead == 0 else str(worth[-1]))
    if worth[0] == worth[1]:
        return f"{_place(lead)} you have {sums[0]} either way."
    better = "rush" if (worth[0] > worth[1]) != is_theirs else "pass"
    return f"{_place(lead)} a rush gives you {sums[0]}, a pass {sums[1]}: {better}."


def _place(lead: int) -> str:
    """Your lead in words, with a comma after it."""
    if lead == 0:
        return "At a tie,"
    return f"{whole(abs(lead))} {'ahead' if lead > 0 else 'behind'},"


def figure_by_tosses(first_caller_by_tosses: np.ndarray, last_caller_ahead: bool, n_tosses: int) -> Curve:
    """Games of every length, odd and even ones apart."""
    numbers = np.arange(n_tosses + 1)
    odd, even = "odd: the first caller calls last as well", "even: the second caller calls last"
    halves = [(odd, numbers[1::2]), (even, numbers[2::2])]
    game = "one toss" if n_tosses == 1 else f"1 to {n_tosses} tosses"
    caption = f"The chance of the player who calls first, both playing best, in games of {game}."
    if last_caller_ahead and n_tosses > 1:
        caption += " With two tosses or more the player with the last call is ahead."
    return Curve(
        "The first caller in games of other lengths",
        tuple(Series(name, part, first_caller_by_tosses[part], "dots") for name, part in halves if len(part)),
        "tosses in the game",
        "chance of the first caller",
        caption,
        references=(Reference(0.5, "one half"),),
        percent=True,
    )


def figure_indifferent(indifferent: tuple[tuple[int, int], ...]) -> Table:
    """The undecided states in which both calls are equally good, toss by toss."""
    by_toss = [(toss, [lead for _, lead in some]) for toss, some in groupby(indifferent, lambda state: state[0])]
    rows = by_toss[:MOST_ROWS]
    shown = sum(len(leads) for _, leads in rows)
    caption = _how_many_are_free(indifferent)
    if shown < len(indifferent):
        caption += f" The first {whole(shown)} of them are shown."
    columns = (
        Column("tosses made", tuple(toss for toss, _ in rows), "integer"),
        Column("lead of the caller", tuple(", ".join(map(whole, leads)) for _, leads in rows)),
    )
    return Table("Where both calls are equally good", columns, caption)


def _tosses(number: int) -> str:
    return "1 toss" if number == 1 else f"{number} tosses"


def _how_many_are_free(indifferent: tuple[tuple[int, int], ...]) -> str:
    states = "1 state that is" if len(indifferent) == 1 else f"{whole(len(indifferent))} states that are"
    return f"Both calls are equally good in {states} not decided yet."
