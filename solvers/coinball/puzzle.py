"""The game by its rules, and its solution: the three answers, the best calls, and where both calls are as good."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import hypot
from typing import Annotated, Any, Literal

import numpy as np

from site_builder.contract import Bounds, Grid, NotFinite
from solvers.coinball.parameters import Parameters
from solvers.coinball.summary import Summary, shortest_summary
from solvers.common.lattice import (
    DECIDED,
    EITHER,
    FIRST,
    SECOND,
    TOLERANCE,
    Chance,
    Lattice,
    Lottery,
    Mover,
    ScoreGame,
    backward,
)
from solvers.common.score_maps import state_maps

Opponent = Literal["rush", "pass", "optimal"]
OPPONENTS: tuple[Opponent, ...] = ("rush", "pass", "optimal")
Chances = dict[str, Chance]
HALF = Fraction(1, 2)

EXACT_SECONDS = 0.25
"""With `arithmetic: auto` an exact lattice that would take longer than about this gives way to floats."""

SMALL = 6
"""Up to so many tosses the answers are kept as exact fractions for each length of the game."""

MOST_NAMED = 500
"""So many indifferent states are named one by one."""


def value(parameters: Parameters, toss: int, mine: int, theirs: int) -> float:
    """Your chance of winning by the rules alone, through every sequence of calls and results. Not used by `solve`.

    toss: tosses made; mine, theirs: your points and the opponent's. Exact for up to 50 tosses: halves of halves.
    """
    if toss == parameters.n_tosses:
        return ((mine > theirs) + (mine >= theirs)) / 2
    rush, pass_ = (
        (value(parameters, toss + 1, mine + points, theirs) + value(parameters, toss + 1, mine, theirs + points)) / 2
        for points in (parameters.rush_points, parameters.pass_points)
    )
    if (toss % 2 == 0) == (parameters.first == "you"):
        return max(rush, pass_)
    return {"rush": rush, "pass": pass_, "optimal": min(rush, pass_)}[parameters.opponent]


@dataclass(frozen=True, eq=False)
class Result:
    """The answers for one game. Probabilities are Fractions when `exact`, else floats; a draw counts half.

    win_probability: yours, under the best play, against the chosen opponent. answers: the same against each opponent
    ("rush", "pass", "optimal") with the same player calling first; going_first, going_second: with you first, second.
    limits: what the answers tend to as the number of tosses grows.
    win_probability_by_state: axes toss (tosses made), lead (yours); NaN where no play leads. best_call: the best call
    at (toss, lead of the caller) as a code: 0 rush, 1 pass, 2 either, -1 no play leads there. policy: the same, but 3
    where the game is decided, since the value is 0 or 1 (a wrong call may still lose a sure win). Of a very long game
    only some tosses and leads are kept, and `is_whole` is False. last_policy: the policy of the last tosses.
    first_caller_by_tosses: shape (n_tosses + 1,), floats: the chance of the player who calls first in a game of so
    many tosses, if both play best. last_caller_never_behind: whether the player with the last call is never below one
    half, for any number of tosses up to n_tosses.
    small_tosses, small_answers: 1, 2, ... tosses, and for each opponent the exact answers with you calling first.
    n_states: states (tosses made, lead) that some play against the chosen opponent leads to, well or badly chosen, the
    start and the final leads included.
    indifferent: toss and caller's lead of the undecided states in which both calls are equally good, the first 500;
    indifferent_leads: the same as toss -> leads; indifferent_states of undecided_states: how many there are, without
    the opponent's states when those calls are fixed.
    summary: the shortest rule of a family that fits the best play; None in floats, which cannot prove one.
    """

    n_tosses: int
    rush_points: int
    pass_points: int
    opponent: str
    first: str
    exact: bool
    win_probability: Chance
    answers: Chances
    going_first: Chances
    going_second: Chances
    limits: Annotated[dict[str, float], Bounds(0, 1)]
    win_probability_by_state: Annotated[Grid, NotFinite("no play leads to this state"), Bounds(0, 1)]
    policy: Grid
    best_call: Grid
    is_whole: bool
    last_policy: Grid
    first_caller_by_tosses: Annotated[np.ndarray, Bounds(0, 1)]
    last_caller_never_behind: bool
    small_tosses: tuple[int, ...]
    small_answers: Annotated[dict[str, tuple[Fraction, ...]], Bounds(0, 1)]
    n_states: int
    indifferent: tuple[tuple[int, int], ...]
    indifferent_leads: dict[str, tuple[int, ...]]
    indifferent_states: int
    undecided_states: int
    summary: Summary | None


def solve(parameters: Parameters) -> Result:
    """Solve the game against the chosen opponent in every state, and the start of the game against the others."""
    game = coinball(parameters)
    exact = game.is_exact(parameters.arithmetic, EXACT_SECONDS)
    lattice = backward(game, exact)
    both_best = replace(parameters, opponent="optimal", first="you")
    is_known = not exact and parameters == both_best
    shorter_games = lattice if is_known else backward(coinball(both_best), exact=False)
    going_first, going_second = _answers(parameters, exact, lattice.start)
    best, policy = (_for_the_caller(states, parameters) for states in (lattice.best, lattice.policy))
    free = np.array([isinstance(mover, str) for mover in game.movers])
    maps = state_maps(lattice, ("toss", "lead"), symmetric=True)
    names = ("n_tosses", "rush_points", "pass_points", "opponent", "first")
    return Result(
        **{name: getattr(parameters, name) for name in names},
        exact=exact,
        win_probability=lattice.start,
        answers=going_first if parameters.first == "you" else going_second,
        going_first=going_first,
        going_second=going_second,
        limits=_limits(parameters),
        win_probability_by_state=maps.value(),
        policy=maps.grid(policy),
        best_call=maps.grid(best),
        is_whole=maps.is_whole,
        last_policy=maps.last_steps(policy, middle=0),
        **_shorter_games(both_best, shorter_games),
        n_states=game.n_reached,
        **_indifferent(policy, free, lattice.game.scores),
        summary=shortest_summary(best[free], np.flatnonzero(free)) if exact else None,
    )


def coinball(parameters: Parameters) -> ScoreGame:
    """The puzzle as a walk of your lead: a call moves it up or down by its points, whoever made the call."""
    calls = Lottery(parameters.rush_points, HALF), Lottery(parameters.pass_points, HALF)
    plays: dict[str, Mover] = {"rush": FIRST, "pass": SECOND, "optimal": "lowest"}
    theirs = plays[parameters.opponent]
    movers: list[Mover] = ["highest" if yours else theirs for yours in _your_calls(parameters)]
    return ScoreGame(calls, tuple(movers), win_from=1, draws=1)


def _your_calls(parameters: Parameters) -> np.ndarray:
    """For each toss whether you call it."""
    return np.asarray(np.arange(parameters.n_tosses) % 2 == (0 if parameters.first == "you" else 1))


def _for_the_caller(states: np.ndarray, parameters: Parameters) -> np.ndarray:
    """States over (toss, your lead) as states over (toss, the caller's lead): the opponent's tosses are mirrored."""
    return np.where(_your_calls(parameters)[:, np.newaxis], states, states[:, ::-1])


def _answers(parameters: Parameters, exact: bool, known: Fraction | float) -> tuple[Chances, Chances]:
    """Your chance against each opponent when you call first, and when you call second; one of them is known."""

    def chance(opponent: Opponent, first: Literal["you", "opponent"]) -> Fraction | float:
        if (opponent, first) == (parameters.opponent, parameters.first):
            return known
        return backward(coinball(replace(parameters, opponent=opponent, first=first)), exact).start

    going_first: Chances = {opponent: chance(opponent, "you") for opponent in OPPONENTS}
    going_second: Chances = {opponent: chance(opponent, "opponent") for opponent in ("rush", "pass")}
    return going_first, going_second | {"optimal": 1 - going_first["optimal"]}


def _limits(parameters: Parameters) -> dict[str, float]:
    """What the answers tend to in longer and longer games.

    Your lead is a fair game whose spread depends on its sign: behind, you take the larger points in your calls, and
    ahead the smaller ones. If it spreads like s points a toss behind and like t ahead, you end ahead with probability
    s / (s + t), because the points won ahead must balance those lost behind. An opponent who plays best does the same,
    so that s = t.
    """
    small, large = sorted((parameters.rush_points, parameters.pass_points))
    limits = {"optimal": 0.5}
    for opponent, points in (("rush", parameters.rush_points), ("pass", parameters.pass_points)):
        behind, ahead = hypot(large, points), hypot(small, points)
        limits[opponent] = behind / (behind + ahead)
    return limits


def _shorter_games(parameters: Parameters, lattice: Lattice) -> dict[str, Any]:
    """The same puzzle with fewer tosses: the chance of the first caller, and exact answers for very few tosses.

    parameters: those of two players who play best, you first; lattice: their game, in floats.
    """
    yours, toss = lattice.value[:, lattice.game.highest], np.arange(parameters.n_tosses + 1)
    # You call after an even number of tosses, so you are the first caller of the game that is left.
    first_caller = np.where(toss % 2 == 0, yours, 1 - yours)[::-1].copy()
    last_caller = np.where(toss % 2 == 1, first_caller, 1 - first_caller)
    small = range(1, min(SMALL, parameters.n_tosses) + 1)
    return {
        "first_caller_by_tosses": first_caller,
        "last_caller_never_behind": bool((last_caller >= 0.5 - TOLERANCE).all()),
        "small_tosses": tuple(small),
        "small_answers": {
            opponent: tuple(backward(coinball(replace(parameters, opponent=opponent, n_tosses=n))).start for n in small)
            for opponent in OPPONENTS
        },
    }


def _indifferent(policy: np.ndarray, free: np.ndarray, leads: np.ndarray) -> dict[str, Any]:
    """The undecided states in which both calls are best, in order; only the first of a very long list are named.

    free: for each toss whether its caller has a choice. leads: the lead of each column.
    """
    either = (policy == EITHER) & free[:, np.newaxis]
    named = [(int(toss), int(leads[column])) for toss, column in np.argwhere(either)[:MOST_NAMED]]
    by_toss: dict[str, tuple[int, ...]] = {}
    for toss, lead in named:
        by_toss[str(toss)] = (*by_toss.get(str(toss), ()), lead)
    return {
        "indifferent": tuple(named),
        "indifferent_leads": by_toss,
        "indifferent_states": int(either.sum()),
        "undecided_states": int(((policy >= 0) & (policy != DECIDED))[free].sum()),
    }
