"""The game by its rules, and its solution: the three answers, the best calls, and where both calls are as good."""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import hypot
from typing import Annotated, Literal

import numpy as np

from site_builder.contract import Field, Grid, NotFinite, rules
from solvers.coinball.summary import Summary, shortest_summary
from solvers.common.lattice import backward, by_steps_left, start, state_maps
from solvers.common.score_game import EITHER, FIRST, SECOND, Lottery, Mover, ScoreGame

Opponent = Literal["rush", "pass", "optimal"]
Seat = Literal["you", "opponent"]
OPPONENTS: tuple[Opponent, ...] = ("rush", "pass", "optimal")
HALF = Fraction(1, 2)
MOST_WORK = 400_000


@rules
def coinball(n_tosses: int, rush_points: int, pass_points: int, opponent: Opponent, first: Seat) -> ScoreGame:
    """The puzzle as a walk of your lead: a call moves it up or down by its points, whoever made the call."""
    calls = Lottery(rush_points, HALF), Lottery(pass_points, HALF)
    plays: dict[str, Mover] = {"rush": FIRST, "pass": SECOND, "optimal": "lowest"}
    movers: list[Mover] = [plays[opponent] if theirs else "highest" for theirs in their_tosses(n_tosses, first)]
    return ScoreGame(calls, tuple(movers), win_from=1, draws=1)


@rules
def their_tosses(n_tosses: int, first: Seat) -> list[bool]:
    """For each toss True where the opponent calls it."""
    return [(toss % 2 == 0) == (first == "opponent") for toss in range(n_tosses)]


@rules
def without_last_call(game: ScoreGame) -> ScoreGame:
    """The same game, but the last toss is always a rush."""
    return replace(game, movers=(*game.movers[:-1], FIRST))


@dataclass(frozen=True, eq=False)
class Result:
    """The answers for one game, all exact; a draw counts half a win.

    Codes of calls: 0 rush, 1 pass, 2 either, -1 no play leads to the state; of a policy also 3 and 4 where the caller
    has won and lost for certain. Maps of calls are over (toss, lead of the caller). Opponents are "rush", "pass",
    "optimal".
    """

    win_probability: Fraction  # against the chosen opponent
    going_first: dict[str, Fraction]  # against each opponent, with you calling first
    going_second: dict[str, Fraction]
    limits: dict[str, float]  # what these tend to as the number of tosses grows
    win_probability_by_state: Annotated[Grid, NotFinite("no play leads to this state")]  # axes toss, lead (yours)
    best_call: Grid
    policy: Grid
    cost: Annotated[Grid, NotFinite("no play leads there, or without a choice")]  # chance given away by a call
    final_leads: Grid  # the chance of each lead of yours at the end of best play, rushing where both calls are as good
    margins: dict[str, float]  # the mean points by which you have won, and lost, then; 0 where that cannot be
    first_caller_by_tosses: np.ndarray  # the first caller's chance in a game of 0, 1, ... tosses, both playing best
    last_caller_ahead: bool  # in each of these games with two tosses or more
    without_last_call: Fraction  # the first caller's chance, both playing best, where the last toss is always a rush
    indifferent: tuple[tuple[int, int], ...]  # toss and caller's lead where a free choice is not decided, and a tie
    summary: Summary  # the shortest rules that fit


def solve(
    n_tosses: Annotated[int, Field(ge=1, le=400, description="how many tosses are called, in turn")] = 100,
    rush_points: Annotated[int, Field(ge=0, le=1000, description="points at stake when the caller rushes")] = 1,
    pass_points: Annotated[int, Field(ge=0, le=1000, description="points at stake when the caller passes")] = 2,
    opponent: Annotated[Opponent, Field(description="how the opponent plays: one call always, or best")] = "optimal",
    first: Annotated[Seat, Field(description="who calls the first toss")] = "you",
) -> Result:
    """Solve the game against the chosen opponent in every state, and the start of the game against the others."""
    game, theirs = coinball(n_tosses, rush_points, pass_points, opponent, first), their_tosses(n_tosses, first)
    maps = state_maps(game, ("toss", "lead"), ("rush", "pass"), theirs)
    by_tosses = _first_caller(n_tosses, rush_points, pass_points)
    last_caller = np.where(np.arange(n_tosses + 1) % 2 == 1, by_tosses, 1 - by_tosses)
    is_free = np.array([opponent == "optimal" or not other for other in theirs])
    tied = np.argwhere((maps["policy"].values == EITHER) & is_free[:, np.newaxis])
    middle = maps["policy"].values.shape[1] // 2
    ends = _final_leads(maps["best"], theirs, (rush_points, pass_points))
    return Result(
        win_probability=maps["start"],
        going_first=_by_opponent(n_tosses, rush_points, pass_points, "you"),
        going_second=_by_opponent(n_tosses, rush_points, pass_points, "opponent"),
        limits=_limits(rush_points, pass_points),
        win_probability_by_state=maps["value"],
        best_call=maps["best"],
        policy=maps["policy"],
        cost=maps["cost"],
        final_leads=ends,
        margins={name: _mean_margin(ends, sign) for name, sign in (("won", 1), ("lost", -1))},
        first_caller_by_tosses=by_tosses,
        last_caller_ahead=bool((last_caller[2:] > 0.5 + 1e-12).all()),
        without_last_call=start(without_last_call(coinball(n_tosses, rush_points, pass_points, "optimal", "you"))),
        indifferent=tuple((int(toss), int(column) - middle) for toss, column in tied),
        summary=shortest_summary(maps["best"].values, is_free),
    )


def validate(n_tosses: int, rush_points: int, pass_points: int) -> None:
    """Refuse worthless calls, and games that would take too long."""
    if rush_points == pass_points == 0:
        raise ValueError("rush_points and pass_points are both 0; at least one call must be worth something")
    if n_tosses**2 * max(rush_points, pass_points) > MOST_WORK:
        raise ValueError(
            f"n_tosses times n_tosses times the larger number of points must be at most {MOST_WORK}: "
            "take fewer tosses, or fewer points"
        )


def _first_caller(n_tosses: int, rush_points: int, pass_points: int) -> np.ndarray:
    """The chance of the first caller in games of 0, 1, ... tosses, both playing best.

    If you call first in a game of n tosses, you are the first caller of its last k tosses if n - k is even.
    """
    yours = by_steps_left(backward(coinball(n_tosses, rush_points, pass_points, "optimal", "you"), exact=False))
    return np.where((n_tosses - np.arange(n_tosses + 1)) % 2 == 0, yours, 1 - yours)


def _by_opponent(n_tosses: int, rush_points: int, pass_points: int, first: Seat) -> dict[str, Fraction]:
    """Your exact chance against each opponent."""
    return {each: start(coinball(n_tosses, rush_points, pass_points, each, first)) for each in OPPONENTS}


def _final_leads(best: Grid, theirs: list[bool], points: tuple[int, int]) -> Grid:
    """The chance of each lead of yours at the end, carried forward from toss to toss. best: over the caller's lead."""
    chance = (np.array(best.axes["lead"]) == 0).astype(float)
    for is_theirs, calls in zip(theirs, best.values, strict=True):
        passes = (calls[::-1] if is_theirs else calls) == SECOND
        shares = np.where(passes, 0, chance) / 2, np.where(passes, chance, 0) / 2
        chance = sum(np.roll(share, move) for share, won in zip(shares, points, strict=True) for move in (won, -won))
    return Grid(chance, {"lead": best.axes["lead"]})


def _mean_margin(final_leads: Grid, sign: int) -> float:
    """The mean lead at the end among those of this sign, without its sign."""
    leads = sign * np.array(final_leads.axes["lead"])
    chance = np.where(leads > 0, final_leads.values, 0)
    return float(chance @ leads / chance.sum()) if chance.any() else 0.0


def _limits(rush_points: int, pass_points: int) -> dict[str, float]:
    """What the answers tend to in longer and longer games.

    Your lead is a fair game whose spread depends on its sign: behind, you take the larger points in your calls, and
    ahead the smaller ones. If it spreads like s points a toss behind and like t ahead, you end ahead with probability
    s / (s + t), because the points won ahead must balance those lost behind. An opponent who plays best does the same,
    so that s = t.
    """
    small, large = sorted((rush_points, pass_points))
    limits = {"optimal": 0.5}
    for opponent, points in (("rush", rush_points), ("pass", pass_points)):
        behind, ahead = hypot(large, points), hypot(small, points)
        limits[opponent] = behind / (behind + ahead)
    return limits
