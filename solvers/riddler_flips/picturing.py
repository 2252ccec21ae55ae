"""The figures of the puzzle: chances and coins over (flips, score), the last flips by hand, longer and longer games."""

import numpy as np

from site_builder.contract import Action, Curve, Figure, Grid, Heatmap, PolicyMap, Reference, Series
from solvers.common.score_maps import hardly_open, part, scores_in_play
from solvers.common.wording import percent, whole
from solvers.riddler_flips.puzzle import Result

COINS = (Action("coin A", "A"), Action("coin B", "B"), Action("either coin", "="), Action("decided", "·"))
LABELS = {"flips": "flips made", "score": "score (points)", "flips_left": "flips left"}


def figures(result: Result) -> dict[str, Figure]:
    """win_probability, policy, last_policy, endgame and by_flips, for every result."""
    return {
        "win_probability": _win_probability(result),
        "policy": _policy(result),
        "last_policy": _last_policy(result),
        "endgame": _endgame(result),
        "by_flips": _by_flips(result),
    }


def _win_probability(result: Result) -> Heatmap:
    value = _in_play(result.win_probability_by_state, result)
    caption = (
        f"The chance that the final score is {_target(result)}, for every score that some play can reach: "
        f"{percent(result.win_probability)} before the first of {_flips(result.n_flips)}. "
        "Pale states are all but decided, under 1\N{NARROW NO-BREAK SPACE}% or over 99\N{NARROW NO-BREAK SPACE}%."
        + _thinned(result)
    )
    return Heatmap(
        "Chance of winning from every score",
        value,
        "flips",
        "chance of winning",
        caption,
        LABELS,
        drawn=~np.isnan(value.values),
        faded=hardly_open(value),
        value_range=(0.0, 1.0),
        percent=True,
    )


def _policy(result: Result) -> PolicyMap:
    caption = f"The best coin for every score. {_needs(result)}{_thinned(result)}"
    return PolicyMap("Which coin to flip", _in_play(result.policy, result), "flips", COINS, caption, LABELS)


def _needs(result: Result) -> str:
    """How many open states need which coin, as a sentence."""
    if result.open_states == 0:
        return "Every state that some play can reach is decided."
    how = "in exact arithmetic" if result.exact else "to twelve decimals"
    if result.open_states == 1:
        coin = "A" if result.a_states else "B"
        need = f"both coins are equally good, {how}" if result.either_states else f"coin {coin} is needed"
        return f"In the one state that some play can reach and that is not decided, {need}."
    return (
        f"Of {whole(result.open_states)} states that some play can reach and that are not decided, "
        f"{_need(result.a_states)} coin A and {_need(result.b_states)} coin B; in {whole(result.either_states)} "
        f"both coins are equally good, {how}."
    )


def _need(states: int) -> str:
    return f"{whole(states)} {'needs' if states == 1 else 'need'}"


def _last_policy(result: Result) -> PolicyMap:
    flips = len(result.last_policy.axes["flips"])
    caption = (
        f"The best coin before {'the only flip' if result.n_flips == 1 else f'each of the last {flips} flips'}, near "
        f"the target of {whole(result.target)}. Decided: won or lost for certain, if the right coins are flipped."
    )
    return PolicyMap("Which coin to flip near the end", result.last_policy, "flips", COINS, caption, LABELS)


def _endgame(result: Result) -> Heatmap:
    flips = result.endgame.axes["flips_left"][-1]
    caption = (
        f"Exact chances of winning with up to {_flips(int(flips))} left and a score near the target of "
        f"{whole(result.target)}."
    )
    return Heatmap(
        "The last few flips, exactly",
        result.endgame,
        "score",
        "chance of winning",
        caption,
        LABELS,
        value_range=(0.0, 1.0),
        percent=True,
        cell_text="fraction",
    )


def _by_flips(result: Result) -> Curve:
    chances = result.win_probability_by_flips
    numbers = np.arange(len(chances))
    halves = [("an odd number of flips", numbers[1::2]), ("an even number of flips", numbers[2::2])]
    series = tuple(Series(name, part, chances[part], "dots") for name, part in halves if len(part))
    caption = (
        f"The chance of winning a game of {'one flip' if result.n_flips == 1 else f'1 to {result.n_flips} flips'}."
    )
    references: tuple[Reference, ...] = ()
    if result.limit is not None:
        references = (Reference(float(result.limit), f"limit {result.limit}"),)
        caption += f" With more and more flips it tends to {result.limit}."
    return Curve(
        "Games of every length",
        series,
        "flips in the game",
        "chance of winning",
        caption,
        references,
        percent=True,
    )


def _in_play(grid: Grid, result: Result) -> Grid:
    """The flips of a grid over (flips, score) and the scores near which the game is open and that a play can reach."""
    value = result.win_probability_by_state
    reached = ~np.isnan(value.values).all(axis=0)
    return part(grid, [True] * len(grid.axes["flips"]), scores_in_play(value) & reached)


def _target(result: Result) -> str:
    return f"at least {whole(result.target)}"


def _flips(number: int) -> str:
    return "1 flip" if number == 1 else f"{number} flips"


def _thinned(result: Result) -> str:
    return "" if result.is_whole else " Of so long a game only some flips and scores are drawn."
