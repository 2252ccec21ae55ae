"""The puzzle and its solution: the three answers, the calls that are best, and what they amount to in words."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import hypot
from typing import Annotated, Any, Literal

import numpy as np

from site_builder.contract import Grid, NotFinite
from solvers.coinball.parameters import Parameters
from solvers.coinball.summary import Summary, shortest_summary
from solvers.common.lattice import TOLERANCE, Lattice, Lottery, Mover, ScoreGame, backward, best_choices, reachable
from solvers.common.score_maps import window

RUSH, PASS, EITHER, DECIDED = range(4)
"""Codes of a policy; -1 where a state does not occur."""

Opponent = Literal["rush", "pass", "optimal"]
OPPONENTS: tuple[Opponent, ...] = ("rush", "pass", "optimal")
Chances = dict[str, Fraction | float]
HALF = Fraction(1, 2)

EXACT_SECONDS = 0.25
"""With `arithmetic: auto` an exact lattice that would take longer than about this gives way to floats."""

SMALL = 6
"""Up to so many tosses the answers are kept as exact fractions for each length of the game."""

MOST_NAMED = 500
"""So many indifferent states are named one by one."""


@dataclass(frozen=True, eq=False)
class Result:
    """All that is known about one game. Probabilities are Fractions when `exact`, else floats; a draw counts half.

    win_probability: yours, under the best play, against the chosen opponent. answers: the same against each opponent
    ("rush", "pass", "optimal") with the same player calling first; going_first, going_second: with you first, second.
    limits: what the answers tend to as the tosses grow in number.
    win_probability_by_state: axes toss (tosses made), lead (yours); NaN where no play leads. policy: the best call at
    (toss, lead of the caller) as a code: 0 rush, 1 pass, 2 either, 3 decided (the value is 0 or 1), -1 no play leads
    there; best_call: the same, but also where the game is decided, where a wrong call may still throw a sure win away.
    Of a very long game only some tosses and leads are kept (`is_whole` is False). last_policy: the last tosses only.
    first_caller_by_tosses: shape (n_tosses + 1,), floats: the chance of the player who calls first in a game of so
    many tosses, if both play best. last_caller_never_behind: whether the player with the last call is never below one
    half, for any number of tosses up to n_tosses.
    small_tosses, small_answers: 1, 2, ... tosses, and for each opponent the exact answers with you calling first.
    n_states: states (tosses made, lead) that some play against the chosen opponent leads to, well or badly chosen;
    decided ones, the start and the final leads included.
    indifferent: toss and caller's lead of all undecided states in which both calls are equally good, at most 500 of
    them; indifferent_leads: the same as toss -> leads; indifferent_states: how many there are, undecided_states: among
    how many. Only your calls count when the opponent's are fixed.
    summary: the shortest rule of a family that fits the best play; None in floats, which cannot prove one.
    """

    n_tosses: int
    rush_points: int
    pass_points: int
    opponent: str
    first: str
    exact: bool
    win_probability: Fraction | float
    answers: dict[str, Fraction | float]
    going_first: dict[str, Fraction | float]
    going_second: dict[str, Fraction | float]
    limits: dict[str, float]
    win_probability_by_state: Annotated[Grid, NotFinite("no play leads to this state")]
    policy: Grid
    best_call: Grid
    is_whole: bool
    last_policy: Grid
    first_caller_by_tosses: np.ndarray
    last_caller_never_behind: bool
    small_tosses: tuple[int, ...]
    small_answers: dict[str, tuple[Fraction, ...]]
    n_states: int
    indifferent: tuple[tuple[int, int], ...]
    indifferent_leads: dict[str, tuple[int, ...]]
    indifferent_states: int
    undecided_states: int
    summary: Summary | None


def solve(parameters: Parameters) -> Result:
    """The answers for all three opponents, and everything about the game against the chosen one."""
    game = coinball(parameters)
    exact = _is_exact(parameters, game)
    lattice = backward(game, exact)
    yours = _as_number(lattice)
    going_first, going_second = _answers(parameters, exact, yours)
    seen = reachable(game)
    best = _for_the_caller(best_choices(lattice, seen), parameters)
    decided = _for_the_caller(lattice.decided[:-1], parameters)
    policy = np.where(decided & (best >= 0), np.int8(DECIDED), best)
    kept = window(game, lattice.value, seen, symmetric=True)
    return Result(
        **_rules_of_the_game(parameters),
        exact=exact,
        win_probability=yours,
        answers=going_first if parameters.first == "you" else going_second,
        going_first=going_first,
        going_second=going_second,
        limits=_limits(parameters),
        win_probability_by_state=kept.grid(np.where(seen, lattice.value, np.nan), "toss", "lead"),
        policy=kept.grid(policy, "toss", "lead"),
        best_call=kept.grid(best, "toss", "lead"),
        is_whole=kept.is_whole,
        last_policy=_last_policy(policy, game),
        **_shorter_games(parameters),
        n_states=int(seen.sum()),
        **_indifferent(policy, game, _free(parameters)),
        summary=shortest_summary(best[_free(parameters)], np.flatnonzero(_free(parameters))) if exact else None,
    )


def coinball(parameters: Parameters) -> ScoreGame:
    """The puzzle as a walk of your lead: a call moves it up or down by its points, whoever made the call."""
    calls = tuple(
        Lottery((points, -points), (HALF, HALF)) for points in (parameters.rush_points, parameters.pass_points)
    )
    plays: dict[str, Mover] = {"rush": RUSH, "pass": PASS, "optimal": "lowest"}
    theirs = plays[parameters.opponent]
    movers: list[Mover] = ["highest" if yours else theirs for yours in _your_calls(parameters)]
    return ScoreGame(calls, tuple(movers), first=0, middle=(HALF,))


def _your_calls(parameters: Parameters) -> np.ndarray:
    """For each toss whether you call it."""
    return np.asarray(np.arange(parameters.n_tosses) % 2 == (0 if parameters.first == "you" else 1))


def _free(parameters: Parameters) -> np.ndarray:
    """For each toss whether its caller has a choice."""
    return np.asarray(_your_calls(parameters) | (parameters.opponent == "optimal"))


def _rules_of_the_game(parameters: Parameters) -> dict[str, Any]:
    names = ("n_tosses", "rush_points", "pass_points", "opponent", "first")
    return {name: getattr(parameters, name) for name in names}


def _is_exact(parameters: Parameters, game: ScoreGame) -> bool:
    if parameters.arithmetic == "auto":
        return game.exact_seconds() < EXACT_SECONDS
    return parameters.arithmetic == "exact"


def _as_number(lattice: Lattice) -> Fraction | float:
    """The value before the first toss."""
    value = lattice.centre[0, 0]
    return value if isinstance(value, Fraction) else float(value)


def _answers(parameters: Parameters, exact: bool, known: Fraction | float) -> tuple[Chances, Chances]:
    """Your chance against each opponent when you call first, and when you call second; one of them is known."""

    def chance(opponent: Opponent, first: Literal["you", "opponent"]) -> Fraction | float:
        if (opponent, first) == (parameters.opponent, parameters.first):
            return known
        return _as_number(backward(coinball(replace(parameters, opponent=opponent, first=first)), exact))

    going_first: Chances = {opponent: chance(opponent, "you") for opponent in OPPONENTS}
    going_second: Chances = {opponent: chance(opponent, "opponent") for opponent in ("rush", "pass")}
    return going_first, going_second | {"optimal": 1 - going_first["optimal"]}


def _for_the_caller(states: np.ndarray, parameters: Parameters) -> np.ndarray:
    """States over (toss, your lead) turned to (toss, the caller's lead): the opponent's tosses are mirrored."""
    yours = _your_calls(parameters)[:, np.newaxis]
    return np.where(yours, states, states[:, ::-1])


def _limits(parameters: Parameters) -> dict[str, float]:
    """What the answers tend to in longer and longer games.

    Your lead is a fair game whose spread depends on who is ahead: behind, you take the larger points in your calls and
    the smaller ones ahead. If it moves like s points a toss when you are behind and like t when you are ahead, you end
    ahead with probability s / (s + t), because what you win ahead must balance what you lose behind. Against best
    play the opponent does the same, so that s = t.
    """
    small, large = sorted((parameters.rush_points, parameters.pass_points))
    limits = {"optimal": 0.5}
    for opponent, points in (("rush", parameters.rush_points), ("pass", parameters.pass_points)):
        behind, ahead = hypot(large, points), hypot(small, points)
        limits[opponent] = behind / (behind + ahead)
    return limits


def _shorter_games(parameters: Parameters) -> dict[str, Any]:
    """The same puzzle with fewer tosses: the chance of the first caller, and exact answers for very few tosses."""
    best = replace(parameters, opponent="optimal", first="you", arithmetic="float")
    lattice = backward(coinball(best), exact=False)
    yours = lattice.value[:, lattice.game.highest]
    first_caller = np.where(np.arange(len(yours)) % 2 == 0, yours, 1 - yours)[::-1].copy()
    last_caller = np.where(np.arange(len(yours)) % 2 == 1, first_caller, 1 - first_caller)
    tosses = range(1, min(SMALL, parameters.n_tosses) + 1)
    return {
        "first_caller_by_tosses": first_caller,
        "last_caller_never_behind": bool((last_caller >= 0.5 - TOLERANCE).all()),
        "small_tosses": tuple(tosses),
        "small_answers": {o: tuple(_small_answer(parameters, o, n) for n in tosses) for o in OPPONENTS},
    }


def _small_answer(parameters: Parameters, opponent: Opponent, n_tosses: int) -> Fraction:
    game = coinball(replace(parameters, opponent=opponent, first="you", n_tosses=n_tosses))
    return Fraction(backward(game).centre[0, 0])


def _indifferent(policy: np.ndarray, game: ScoreGame, free: np.ndarray) -> dict[str, Any]:
    """The undecided states in which both calls are best, in order; only the first of a very long list are named."""
    either = (policy == EITHER) & free[:, np.newaxis]
    places = [(int(toss), int(column) - game.highest) for toss, column in np.argwhere(either)[:MOST_NAMED]]
    leads: dict[str, tuple[int, ...]] = {}
    for toss, lead in places:
        leads[str(toss)] = (*leads.get(str(toss), ()), lead)
    undecided = ((policy >= 0) & (policy != DECIDED))[free]
    return {
        "indifferent": tuple(places),
        "indifferent_leads": leads,
        "indifferent_states": int(either.sum()),
        "undecided_states": int(undecided.sum()),
    }


def _last_policy(policy: np.ndarray, game: ScoreGame, most_tosses: int = 20) -> Grid:
    """The policy of the last tosses, at leads within six of the larger points."""
    tosses = range(max(0, game.horizon - most_tosses), game.horizon)
    edge = min(game.highest, 24, 6 * game.reach)
    values = policy[tosses.start :, game.highest - edge : game.highest + edge + 1]
    return Grid(np.ascontiguousarray(values), {"toss": tosses, "lead": range(-edge, edge + 1)})
