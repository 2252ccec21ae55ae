"""The figures: the three answers, calls and chances over (toss, lead), games of other lengths."""

from fractions import Fraction
from typing import Any, Literal

import numpy as np

from site_builder.contract import (
    Action,
    Bars,
    BarSeries,
    Column,
    Curve,
    Figure,
    Frames,
    Grid,
    Heatmap,
    PolicyMap,
    Reference,
    Series,
    Table,
)
from solvers.coinball.parameters import Parameters
from solvers.coinball.picture import picture
from solvers.coinball.puzzle import OPPONENTS, Result, value
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

CALLS = (Action("rush", "R"), Action("pass", "P"), Action("either call", "="), *DECIDED_STATES)
CALLER_LABELS = {"toss": "tosses made", "lead": "lead of the caller (points)"}
YOUR_LABELS = {"toss": "tosses made", "lead": "your lead (points)", "tosses_left": "tosses left"}
MOST_ROWS = 40

BY_HAND, BESIDE = 4, 4
"""The worked example: so many tosses left, and so many leads to each side of a tie, at most."""

OPPONENT_NAMES = {"rush": "always rushes", "pass": "always passes", "optimal": "plays best"}


def figures(result: Result) -> dict[str, Figure]:
    """Every figure by its name; `indifferent` is a table."""
    return {
        "picture": picture(result),
        "answers": _answers(result),
        "policy": _policy(result),
        "last_policy": _last_policy(result),
        "win_probability": _win_probability(result),
        "by_hand": _by_hand(result),
        "by_tosses": _by_tosses(result),
        "indifferent": _indifferent(result),
    }


def _answers(result: Result) -> Bars:
    going = {"you call first": result.going_first, "you call second": result.going_second}
    series = [BarSeries(name, tuple(float(chances[o]) for o in OPPONENTS)) for name, chances in going.items()]
    first, second = (", ".join(percent(chances[opponent]) for opponent in OPPONENTS) for chances in going.values())
    caption = (
        f"Your chance of winning a game of {'one toss' if result.n_tosses == 1 else f'{result.n_tosses} tosses'} if "
        "you play best against an opponent who always rushes, always passes or plays best as well. Calling first: "
        f"{first}; calling second: {second}. A draw counts half a win."
    )
    return Bars(
        "Your chance against an opponent who …",
        tuple(OPPONENT_NAMES[opponent] for opponent in OPPONENTS),
        tuple(series),
        "chance of winning",
        caption,
        value_text="percent(1)",
        value_range=(0.0, 1.0),
        references=(Reference(0.5, "even"),),
        percent=True,
    )


def _policy(result: Result) -> PolicyMap:
    policy = part_in_play(result.policy, result.win_probability_by_state, symmetric=True)
    caption = (
        f"The best call for every lead, seen by the caller of each toss; {_sides(result)}. {_how_many_are_free(result)}"
        + thinned(result.is_whole, "tosses and leads")
    )
    told = _told(result, policy)
    return PolicyMap("What to call", won_and_lost(policy, told), "toss", CALLS, caption, CALLER_LABELS, **told)


def _told(result: Result, policy: Grid) -> dict[str, Any]:
    """The caller's chance in each state of a map, and what the wrong call costs; nothing where some states are missing.

    Both are those over your lead, mirrored in the opponent's tosses; the calls of an opponent who plays a fixed one
    cost nothing.
    """
    if not result.is_whole:
        return {}
    half = Fraction(1, 2)
    calls = Lottery(result.rush_points, half), Lottery(result.pass_points, half)
    yours = np.arange(result.n_tosses) % 2 == (0 if result.first == "you" else 1)
    mirror = yours[:, np.newaxis]
    best, value = result.best_call.values, result.win_probability_by_state
    over_your_lead = Grid(np.where(mirror, best, best[:, ::-1]), result.best_call.axes)
    costs = costs_of_choices(value, over_your_lead, calls, lowest=~yours)
    costs = np.where(mirror, costs, costs[:, :, ::-1])
    if result.opponent != "optimal":
        costs[:, ~yours] = np.nan
    before = value.values[:-1]
    callers = np.where(mirror, before, 1 - before[:, ::-1])
    named = zip(CALLS, costs, strict=False)
    return {
        "costs": {call.name: same_part(cost, result.best_call, policy) for call, cost in named},
        "cost_unit": "percentage points",
        "value": same_part(callers, result.best_call, policy),
        "value_label": "chance of the caller",
        "percent": True,
    }


def _last_policy(result: Result) -> PolicyMap:
    tosses = len(result.last_policy.axes["toss"])
    when = "the only toss" if result.n_tosses == 1 else f"each of the last {tosses} tosses"
    caption = (
        f"The best call before {when}, seen by its caller; {_sides(result)}. "
        "Won and lost: for certain, if the right calls are made."
    )
    told = _told(result, result.last_policy)
    policy = won_and_lost(result.last_policy, told)
    return PolicyMap("What to call near the end", policy, "toss", CALLS, caption, CALLER_LABELS, **told)


def _win_probability(result: Result) -> Heatmap:
    value = part_in_play(result.win_probability_by_state, result.win_probability_by_state, symmetric=True)
    caption = (
        f"Your chance of winning against an opponent who {OPPONENT_NAMES[result.opponent]}, by your lead, a draw "
        f"counting half: {percent(result.win_probability)} before the first toss, which "
        f"{'you call' if result.first == 'you' else 'the opponent calls'}. {PALE}"
        + thinned(result.is_whole, "tosses and leads")
    )
    style = {**chance_style(value), "scale": "diverging", "centre": 0.5}
    return Heatmap("Your chance from every lead", value, "toss", "chance of winning", caption, YOUR_LABELS, **style)


def _by_hand(result: Result) -> Frames:
    """The last tosses worked out one by one, each step with the choice at one or two leads."""
    most = min(result.n_tosses, BY_HAND)
    last = _last_tosses(result, most)
    leads = range(-BESIDE, BESIDE + 1)
    rows = [[_chance(last, left, lead) for lead in leads] for left in range(most + 1)]
    grid = Grid(np.array(rows), {"tosses_left": range(most + 1), "lead": leads})
    labels = ["After the last toss a lead has won, a tie is half a win, and the rest is lost."]
    for left in range(1, most + 1):
        examined = (1, -1) if left == 1 else (0,)
        caller = "you call" if _yours(last, left) else "the opponent calls"
        said = [f"{_tosses(left)} left: {caller}.", *(_choice(last, left, lead) for lead in examined)]
        labels.append(" ".join(said))
    known = np.arange(most + 1)[:, np.newaxis] + np.zeros(len(leads))
    steps = [
        Heatmap(
            *(f"{_tosses(left)} left", grid, "lead", "your chance", "", YOUR_LABELS),
            drawn=known <= left,
            value_range=(0.0, 1.0),
            scale="diverging",
            centre=0.5,
            cell_text="fraction",
        )
        for left in range(most + 1)
    ]
    return Frames(
        f"The last {_tosses(most)}" if most > 1 else "The only toss",
        list(zip(labels, steps, strict=True)),
        caption="Your chance of winning from each of your leads. Each row follows from the row below it.",
        alt=f"Your chances after the last toss, then before it, and so on to {_tosses(most)} before the end.",
    )


def _last_tosses(result: Result, most: int) -> Parameters:
    """The parameters of a game that is the end of this one."""
    swapped = (result.n_tosses - most) % 2 == 1
    first: Literal["you", "opponent"] = "you" if (result.first == "you") != swapped else "opponent"
    opponent = next(name for name in OPPONENTS if name == result.opponent)
    return Parameters(most, result.rush_points, result.pass_points, opponent, first)


def _yours(game: Parameters, left: int) -> bool:
    return (game.n_tosses - left) % 2 == (0 if game.first == "you" else 1)


def _chance(game: Parameters, left: int, lead: int) -> Fraction:
    """Your chance with a few tosses left, by the rules; exact, since floats hold halves of halves."""
    return Fraction(value(game, game.n_tosses - left, max(lead, 0), max(-lead, 0)))


def _choice(game: Parameters, left: int, lead: int) -> str:
    """Where each call leads from a lead of yours, what it is worth to you, and which one is best for its caller."""
    worth, told = [], []
    for name, points in (("rush", game.rush_points), ("pass", game.pass_points)):
        up, down = (_chance(game, left - 1, lead + move) for move in (points, -points))
        worth.append((up + down) / 2)
        told.append(
            f"a {name} leads to {whole(lead + points)} or {whole(lead - points)}, ({up} + {down}) / 2 = {worth[-1]}"
        )
    better = "rush" if (worth[0] > worth[1]) == _yours(game, left) else "pass"
    caller = "you" if _yours(game, left) else "the opponent"
    verdict = f"So {caller} should {better}." if worth[0] != worth[1] else "Both calls are equally good."
    if game.opponent != "optimal" and not _yours(game, left):
        verdict = f"This opponent always calls {game.opponent}."
    start = "From a tie" if lead == 0 else f"From your lead of {whole(lead)}"
    return f"{start}, {told[0]}; {told[1]}. {verdict}"


def _tosses(number: int) -> str:
    return "1 toss" if number == 1 else f"{number} tosses"


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


def _sides(result: Result) -> str:
    whose = "yours" if result.first == "you" else "the opponent's"
    return f"even numbers of tosses made are {whose} to call"


def _how_many_are_free(result: Result) -> str:
    """How many undecided states leave the choice free, as a sentence."""
    undecided, free = result.undecided_states, result.indifferent_states
    if undecided == 0:
        return "No state is undecided." if result.opponent == "optimal" else "You have no call that decides anything."
    both, good = result.opponent == "optimal", "" if result.exact else ", to twelve decimals"
    if undecided == 1:
        return (
            f"In the only undecided state{'' if both else ' of yours'} both calls {'are' if free else 'are not'} "
            f"equally good{good}."
        )
    return (
        f"Both calls are equally good in {whole(free) if free else 'none'} of {whole(undecided)} undecided states "
        f"{'of both players' if both else 'of yours'}{good}."
    )
