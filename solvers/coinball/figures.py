"""The figures: calls and chances over (toss, lead), the last tosses by hand, games of other lengths."""

from fractions import Fraction
from itertools import groupby

import numpy as np

from site_builder.contract import Action, Column, Curve, Frames, Grid, Heatmap, PolicyMap, Reference, Series, Table
from solvers.coinball.puzzle import Opponent, Seat, their_tosses
from solvers.common.captions import PALE, percent, whole
from solvers.common.score_maps import (
    DECIDED,
    chance_style,
    costs_and_values,
    last_part,
    part,
    scores_in_play,
    steps_by_hand,
)

CALLS = (Action("rush", "R"), Action("pass", "P"), Action("either call", "="), *DECIDED)
CALLER_LABELS = {"toss": "tosses made", "lead": "lead of the caller (points)"}
YOUR_LABELS = {"toss": "tosses made", "lead": "your lead (points)", "tosses_left": "tosses left"}
OPPONENT_NAMES = {"rush": "always rushes", "pass": "always passes", "optimal": "plays best"}
MOST_ROWS = 40

BESIDE = 4
"""The worked example: so many leads to each side of a tie."""


def figure_policy(
    policy: Grid,
    win_probability_by_state: Grid,
    cost: Grid,
    n_tosses: int,
    first: Seat,
    indifferent_states: int,
    undecided_states: int,
) -> PolicyMap:
    """The best calls over (toss, lead of the caller), with what the other call costs."""
    shown = part(policy, policy.axes["toss"], scores_in_play(win_probability_by_state, symmetric=True))
    caption = (
        f"The best call for every lead, seen by the caller of each toss; {_sides(first)}. "
        f"{_how_many_are_free(indifferent_states, undecided_states)}"
    )
    value = _for_the_caller(win_probability_by_state, n_tosses, first)
    hints = costs_and_values(shown, value, cost, "chance of the caller")
    return PolicyMap("What to call", shown, "toss", CALLS, caption, CALLER_LABELS, **hints)


def _for_the_caller(value: Grid, n_tosses: int, first: Seat) -> Grid:
    """The chance of the caller of each toss, over the caller's lead."""
    theirs = np.array(their_tosses(n_tosses, first))[:, np.newaxis]
    before = value.values[:-1]
    return Grid(
        np.where(theirs, 1 - before[:, ::-1], before), {"toss": value.axes["toss"][:-1], "lead": value.axes["lead"]}
    )


def figure_last_policy(
    policy: Grid,
    win_probability_by_state: Grid,
    cost: Grid,
    n_tosses: int,
    rush_points: int,
    pass_points: int,
    first: Seat,
) -> PolicyMap:
    """The best calls before the last tosses."""
    last = last_part(policy, 0, max(rush_points, pass_points))
    when = "the only toss" if n_tosses == 1 else f"each of the last {len(last.axes['toss'])} tosses"
    caption = (
        f"The best call before {when}, seen by its caller; {_sides(first)}. "
        "Won and lost: for certain, if the right calls are made."
    )
    value = _for_the_caller(win_probability_by_state, n_tosses, first)
    hints = costs_and_values(last, value, cost, "chance of the caller")
    return PolicyMap("What to call near the end", last, "toss", CALLS, caption, CALLER_LABELS, **hints)


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
    endgame: Grid, n_tosses: int, rush_points: int, pass_points: int, opponent: Opponent, first: Seat
) -> Frames | None:
    """The last tosses worked out one by one, each step with the choice at one or two leads."""
    if max(rush_points, pass_points) + 1 > len(endgame.axes["lead"]) // 2:
        return None
    most, theirs = len(endgame.values) - 1, their_tosses(n_tosses, first)
    table = part(endgame, range(most + 1), range(-BESIDE, BESIDE + 1))
    labels = ["After the last toss a lead has won, a tie is half a win, and the rest is lost."]
    for left in range(1, most + 1):
        caller = "the opponent" if theirs[-left] else "you"
        habit = opponent if theirs[-left] and opponent != "optimal" else ""
        choices = [
            _choice(endgame, left, lead, (rush_points, pass_points), caller, habit)
            for lead in ((1, -1) if left == 1 else (0,))
        ]
        calls = "the opponent calls" if theirs[-left] else "you call"
        labels.append(" ".join([f"{_tosses(left)} left: {calls}.", *choices]))
    names = [_tosses(left) for left in range(most + 1)]
    steps = steps_by_hand(table, names, "your chance", YOUR_LABELS, scale="diverging", centre=0.5)
    return Frames(
        f"The last {_tosses(most)}" if most > 1 else "The only toss",
        list(zip(labels, steps, strict=True)),
        caption="Your chance of winning from each of your leads. Each row follows from the row below it.",
        alt=f"Your chances after the last toss, then before it, and so on to {_tosses(most)} before the end.",
    )


def _choice(endgame: Grid, left: int, lead: int, points: tuple[int, int], caller: str, habit: str) -> str:
    """Where each call leads from a lead of yours, what it is worth to you, and which one is best for its caller.

    habit: the call that this caller always makes, if any.
    """
    worth, leads = [], []
    for name, won in zip(("rush", "pass"), points, strict=True):
        up, down = (endgame.at(tosses_left=left - 1, lead=lead + move) for move in (won, -won))
        worth.append((up + down) / 2)
        leads.append(f"a {name} leads to {whole(lead + won)} or {whole(lead - won)}, ({up} + {down}) / 2 = {worth[-1]}")
    better = "rush" if (worth[0] > worth[1]) == (caller == "you") else "pass"
    verdict = f"So {caller} should {better}." if worth[0] != worth[1] else "Both calls are equally good."
    if habit:
        verdict = f"This opponent always calls {habit}."
    start = "From a tie" if lead == 0 else f"From your lead of {whole(lead)}"
    return f"{start}, {leads[0]}; {leads[1]}. {verdict}"


def figure_by_tosses(first_caller_by_tosses: np.ndarray, last_caller_never_behind: bool, n_tosses: int) -> Curve:
    """Games of every length, odd and even ones apart."""
    numbers = np.arange(n_tosses + 1)
    odd, even = "odd: the first caller calls last as well", "even: the second caller calls last"
    halves = [(odd, numbers[1::2]), (even, numbers[2::2])]
    game = "one toss" if n_tosses == 1 else f"1 to {n_tosses} tosses"
    caption = f"The chance of the player who calls first, both playing best, in games of {game}."
    if last_caller_never_behind:
        caption += " In none of them is the player with the last call behind."
    return Curve(
        "The first caller in games of other lengths",
        tuple(Series(name, part, first_caller_by_tosses[part], "dots") for name, part in halves if len(part)),
        "tosses in the game",
        "chance of the first caller",
        caption,
        references=(Reference(0.5, "even"),),
        percent=True,
    )


def figure_indifferent(
    indifferent: tuple[tuple[int, int], ...],
    indifferent_states: int,
    undecided_states: int,
) -> Table:
    """The undecided states in which both calls are equally good, toss by toss."""
    by_toss = [(toss, [lead for _, lead in some]) for toss, some in groupby(indifferent, lambda state: state[0])]
    rows = by_toss[:MOST_ROWS]
    shown = sum(len(leads) for _, leads in rows)
    caption = _how_many_are_free(indifferent_states, undecided_states)
    if shown < indifferent_states:
        caption += f" The first {whole(shown)} of them are shown."
    columns = (
        Column("tosses made", tuple(toss for toss, _ in rows), "integer"),
        Column("lead of the caller", tuple(", ".join(map(whole, leads)) for _, leads in rows)),
    )
    return Table("Where both calls are equally good", columns, caption)


def _tosses(number: int) -> str:
    return "1 toss" if number == 1 else f"{number} tosses"


def _sides(first: Seat) -> str:
    whose = "yours" if first == "you" else "the opponent's"
    return f"even numbers of tosses made are {whose} to call"


def _how_many_are_free(free: int, undecided: int) -> str:
    return f"Both calls are equally good in {whole(free)} of {whole(undecided)} undecided states with a choice."
