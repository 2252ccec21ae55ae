"""The figures of the puzzle: the answers, the calls and chances over (toss, lead), games of other lengths."""

from fractions import Fraction

import numpy as np

from site_builder.contract import (
    Action,
    Bars,
    BarSeries,
    Column,
    Curve,
    Figure,
    Grid,
    Heatmap,
    PolicyMap,
    Reference,
    Series,
    Table,
)
from solvers.coinball.puzzle import OPPONENTS, Result
from solvers.common.score_maps import hardly_open, part, scores_in_play
from solvers.common.wording import percent, whole

CALLS = (Action("rush", "R"), Action("pass", "P"), Action("either call", "="), Action("decided", "·"))
CALLER_LABELS = {"toss": "tosses made", "lead": "lead of the caller (points)"}
YOUR_LABELS = {"toss": "tosses made", "lead": "your lead (points)"}
MOST_ROWS = 40
OPPONENT_NAMES = {"rush": "always rushes", "pass": "always passes", "optimal": "plays best"}


def figures(result: Result) -> dict[str, Figure]:
    """answers, policy, last_policy, win_probability, by_tosses and the table indifferent, for every result."""
    return {
        "answers": _answers(result),
        "policy": _policy(result),
        "last_policy": _last_policy(result),
        "win_probability": _win_probability(result),
        "by_tosses": _by_tosses(result),
        "indifferent": _indifferent(result),
    }


def _answers(result: Result) -> Bars:
    series = tuple(
        BarSeries(name, tuple(float(chances[opponent]) for opponent in OPPONENTS))
        for name, chances in (("you call first", result.going_first), ("you call second", result.going_second))
    )
    caption = (
        f"Your chance of winning {_game(result)} if you play best against an opponent who always rushes, always passes "
        f"or plays best as well. Calling first: {_percents(result.going_first)}; calling second: "
        f"{_percents(result.going_second)}. A draw counts half a win."
    )
    return Bars(
        "Your chance against an opponent who …",
        tuple(OPPONENT_NAMES[opponent] for opponent in OPPONENTS),
        series,
        "chance of winning",
        caption,
        value_text="percent(1)",
        value_range=(0.0, 1.0),
        references=(Reference(0.5, "even"),),
        percent=True,
    )


def _policy(result: Result) -> PolicyMap:
    caption = (
        f"The best call for every lead, seen by the caller of each toss; {_sides(result)}. {_how_many_are_free(result)}"
        + _thinned(result)
    )
    return PolicyMap("What to call", _in_play(result.policy, result), "toss", CALLS, caption, CALLER_LABELS)


def _last_policy(result: Result) -> PolicyMap:
    tosses = len(result.last_policy.axes["toss"])
    when = "the only toss" if result.n_tosses == 1 else f"each of the last {tosses} tosses"
    caption = (
        f"The best call before {when}, seen by its caller; {_sides(result)}. "
        "Decided: won or lost for certain, if the right calls are made."
    )
    return PolicyMap("What to call near the end", result.last_policy, "toss", CALLS, caption, CALLER_LABELS)


def _win_probability(result: Result) -> Heatmap:
    value = _in_play(result.win_probability_by_state, result)
    caption = (
        f"Your chance of winning against an opponent who {OPPONENT_NAMES[result.opponent]}, by your lead, a draw "
        f"counting half: {percent(result.win_probability)} before the first toss, which "
        f"{'you call' if result.first == 'you' else 'the opponent calls'}. "
        "Pale states are all but decided, under 1\N{NARROW NO-BREAK SPACE}% or over 99\N{NARROW NO-BREAK SPACE}%."
        + _thinned(result)
    )
    return Heatmap(
        "Your chance from every lead",
        value,
        "toss",
        "chance of winning",
        caption,
        YOUR_LABELS,
        drawn=~np.isnan(value.values),
        faded=hardly_open(value),
        value_range=(0.0, 1.0),
        percent=True,
        scale="diverging",
        centre=0.5,
    )


def _by_tosses(result: Result) -> Curve:
    chances, numbers = result.first_caller_by_tosses, np.arange(len(result.first_caller_by_tosses))
    halves = [
        ("odd: the first caller calls last as well", numbers[1::2]),
        ("even: the second caller calls last", numbers[2::2]),
    ]
    caption = (
        f"The chance of the player who calls first, both playing best, in games of "
        f"{'one toss' if result.n_tosses == 1 else f'1 to {result.n_tosses} tosses'}."
    )
    if result.last_caller_never_behind:
        caption += " In none of them is the player with the last call behind."
    return Curve(
        "The first caller in games of other lengths",
        tuple(Series(name, tosses, chances[tosses], "dots") for name, tosses in halves if len(tosses)),
        "tosses in the game",
        "chance of the first caller",
        caption,
        references=(Reference(0.5, "even"),),
        percent=True,
    )


def _indifferent(result: Result) -> Table:
    rows = list(result.indifferent_leads.items())[:MOST_ROWS]
    shown = sum(len(leads) for _, leads in rows)
    caption = _how_many_are_free(result)
    if shown < result.indifferent_states:
        caption += f" The first {whole(shown)} of them are shown."
    columns = (
        Column("tosses made", tuple(int(toss) for toss, _ in rows), "integer"),
        Column("lead of the caller", tuple(", ".join(whole(lead) for lead in leads) for _, leads in rows)),
    )
    return Table("Where both calls are equally good", columns, caption)


def _in_play(grid: Grid, result: Result) -> Grid:
    """The part of a grid over (toss, lead) with leads, to either side, at which the game is still open."""
    value = result.win_probability_by_state
    open_leads = scores_in_play(value)
    leads = open_leads | open_leads[::-1]
    return part(grid, [True] * len(grid.axes["toss"]), leads & ~_never(value))


def _never(value: Grid) -> np.ndarray:
    """The leads that neither player can have."""
    missing = np.isnan(value.values).all(axis=0)
    return np.asarray(missing & missing[::-1])


def _game(result: Result) -> str:
    return "a game of one toss" if result.n_tosses == 1 else f"a game of {result.n_tosses} tosses"


def _percents(chances: dict[str, Fraction | float]) -> str:
    return ", ".join(percent(chances[opponent]) for opponent in OPPONENTS)


def _sides(result: Result) -> str:
    yours = "even numbers of tosses made are yours to call"
    theirs = "even numbers of tosses made are the opponent's to call"
    return yours if result.first == "you" else theirs


def _whose(result: Result) -> str:
    return "of both players" if result.opponent == "optimal" else "of yours"


def _how_many_are_free(result: Result) -> str:
    """How many undecided states leave the choice free, as a sentence."""
    undecided, free = result.undecided_states, result.indifferent_states
    if undecided == 0:
        return "No state is undecided." if result.opponent == "optimal" else "You have no call that decides anything."
    good = "" if result.exact else ", to twelve decimals"
    if undecided == 1:
        which = "are" if free else "are not"
        of_yours = "" if result.opponent == "optimal" else " of yours"
        return f"In the only undecided state{of_yours} both calls {which} equally good{good}."
    return (
        f"Both calls are equally good in {whole(free) if free else 'none'} of {whole(undecided)} undecided states "
        f"{_whose(result)}{good}."
    )


def _thinned(result: Result) -> str:
    return "" if result.is_whole else " Of so long a game only some tosses and leads are drawn."
