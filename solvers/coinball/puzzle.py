"""The game by its rules, and its solution: the three answers, the best calls, and where both calls are as good."""

from dataclasses import dataclass
from fractions import Fraction
from math import hypot
from typing import Annotated, Any, Literal

import numpy as np

from site_builder.contract import ErrorBound, Field, Grid, NotFinite, rules
from solvers.coinball.summary import Summary, shortest_summary
from solvers.common.lattice import TOLERANCE, Chance, backward, depths, last_steps, takes_at_most
from solvers.common.score_game import EITHER, FIRST, SECOND, Lottery, Mover, ScoreGame, is_whole
from solvers.common.score_maps import state_maps

Opponent = Literal["rush", "pass", "optimal"]
Seat = Literal["you", "opponent"]
Chances = Annotated[dict[str, Fraction | float], ErrorBound(1e-11)]
OPPONENTS: tuple[Opponent, ...] = ("rush", "pass", "optimal")
HALF = Fraction(1, 2)

MOST_WORK, MOST_STATES = 4_000_000, 40_000_000

EXACT_SECONDS = 0.25
"""With `arithmetic: auto` an exact lattice that would take longer than about this gives way to floats."""

SMALL = 6
"""Up to so many tosses the answers are kept as exact fractions for each length of the game."""

LAST_TOSSES, NEAR = 4, 8
"""The table of exact values: so many tosses left, and so many points to each side of a tie."""

MOST_NAMED = 500
"""So many indifferent states are named one by one."""


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


@dataclass(frozen=True, eq=False)
class Result:
    """The answers for one game. Your chances are Fractions when `exact`, else floats; a draw counts half.

    Codes of calls: 0 rush, 1 pass, 2 either, -1 no play leads to the state; of a policy also 3 and 4 where the caller
    has won and lost for certain. Maps of calls are over (toss, lead of the caller). Of a very long game the maps have
    only some tosses and leads. Opponents are "rush", "pass", "optimal".
    """

    exact: bool
    win_probability: Chance  # against the chosen opponent
    going_first: Chances  # against each opponent, with you calling first
    going_second: Chances
    limits: dict[str, float]  # what these tend to as the number of tosses grows
    win_probability_by_state: Annotated[Grid, NotFinite("no play leads to this state")]  # axes toss, lead (yours)
    best_call: Grid
    policy: Grid
    last_policy: Grid  # the policy of the last tosses
    cost: Annotated[Grid | None, NotFinite("no play leads there, or without a choice")]  # chance given away by a call
    first_caller_by_tosses: np.ndarray  # the first caller's chance in a game of 0, 1, ... tosses, both playing best
    last_caller_never_behind: bool  # in any of these games
    small_tosses: tuple[int, ...]  # 1, 2, ...
    small_answers: dict[str, tuple[Fraction, ...]]  # exact, for so many tosses, with you calling first
    endgame: Grid  # exact, over (tosses_left, your lead), whether a play leads there or not
    n_states: int  # that some play leads to, well or badly chosen, the start and the final leads included
    indifferent: tuple[tuple[int, int], ...]  # toss and caller's lead where a free choice is not decided, and a tie
    indifferent_states: int  # how many there are; the first 500 are named
    undecided_states: int  # with a free choice that is not decided
    summary: Summary | None  # the shortest rules that fit; None in floats and where some states are not kept


def solve(
    n_tosses: Annotated[int, Field(ge=1, le=5000, description="how many tosses are called, in turn")] = 100,
    rush_points: Annotated[int, Field(ge=0, le=1000, description="points at stake when the caller rushes")] = 1,
    pass_points: Annotated[int, Field(ge=0, le=1000, description="points at stake when the caller passes")] = 2,
    opponent: Annotated[Opponent, Field(description="how the opponent plays: one call always, or best")] = "optimal",
    first: Annotated[Seat, Field(description="who calls the first toss")] = "you",
    arithmetic: Annotated[
        Literal["auto", "exact", "float"],
        Field(description="exact fractions, floats, or whatever takes about a second at most"),
    ] = "auto",
    seed: Annotated[int, Field(ge=0, description="where the games of the simulated check start")] = 2017,
) -> Result:
    """Solve the game against the chosen opponent in every state, and the start of the game against the others."""
    game = coinball(n_tosses, rush_points, pass_points, opponent, first)
    exact = arithmetic == "exact" or (arithmetic == "auto" and takes_at_most(game, EXACT_SECONDS))
    lattice = backward(game, exact)
    theirs = np.array(their_tosses(n_tosses, first))
    maps = state_maps(game, lattice, ("toss", "lead"), ("rush", "pass"), middle=0, mirrored=theirs)
    is_free = ~theirs | (opponent == "optimal")

    def start(opponent: Opponent, first: Seat) -> Fraction | float:
        other = coinball(n_tosses, rush_points, pass_points, opponent, first)
        return lattice.start if other == game else backward(other, exact).start

    going_first: Chances = {opponent: start(opponent, "you") for opponent in OPPONENTS}
    going_second: Chances = {opponent: start(opponent, "opponent") for opponent in ("rush", "pass")}
    both_best = coinball(n_tosses, rush_points, pass_points, "optimal", "you")
    by_tosses = _by_tosses(lattice.value if both_best == game else backward(both_best, exact=False).value)
    last_caller = np.where(np.arange(n_tosses + 1) % 2 == 1, by_tosses, 1 - by_tosses)
    indifferent = (maps.states == EITHER) & is_free[:, np.newaxis]
    named = np.argwhere(indifferent)[:MOST_NAMED]
    return Result(
        exact=exact,
        win_probability=lattice.start,
        going_first=going_first,
        going_second=going_second | {"optimal": 1 - going_first["optimal"]},
        limits=_limits(rush_points, pass_points),
        win_probability_by_state=maps.value,
        best_call=maps.best,
        policy=maps.policy,
        last_policy=maps.last_policy,
        cost=maps.cost,
        first_caller_by_tosses=by_tosses,
        last_caller_never_behind=bool((last_caller >= 0.5 - TOLERANCE).all()),
        **_small_games(n_tosses, rush_points, pass_points),
        endgame=last_steps(game, LAST_TOSSES, range(-NEAR, NEAR + 1), ("tosses_left", "lead")),
        n_states=lattice.n_reached,
        indifferent=tuple((int(toss), int(lattice.scores[column])) for toss, column in named),
        indifferent_states=int(indifferent.sum()),
        undecided_states=int(np.isin(maps.states[is_free], (FIRST, SECOND, EITHER)).sum()),
        summary=shortest_summary(maps.best.values, is_free) if exact and is_whole(game) else None,
    )


def validate(n_tosses: int, rush_points: int, pass_points: int, arithmetic: str) -> None:
    """Refuse worthless calls, and games that would take too long.

    Beyond MOST_WORK only floats are fast enough, for leads near a draw: at most MOST_STATES.
    """
    if rush_points == pass_points == 0:
        raise ValueError("rush_points and pass_points are both 0; at least one call must be worth something")
    if n_tosses**2 * max(rush_points, pass_points) <= MOST_WORK:
        return
    if arithmetic == "exact":
        raise ValueError(
            f"in exact fractions n_tosses times n_tosses times the larger number of points must be at most {MOST_WORK}"
        )
    states = 2 * n_tosses * depths((Lottery(rush_points, HALF), Lottery(pass_points, HALF)), n_tosses)[-1]
    if states > MOST_STATES:
        raise ValueError(
            f"so many tosses for so many points have {states} states that matter; at most {MOST_STATES} can be "
            "solved: take fewer tosses, or fewer points"
        )


def _by_tosses(value: np.ndarray) -> np.ndarray:
    """The chance of the first caller by the number of tosses, from the values of the longest game, you calling first.

    You call after an even number of tosses, so you are the first caller of the game that is left then.
    """
    yours = value[:, value.shape[1] // 2]
    return np.where(np.arange(len(yours)) % 2 == 0, yours, 1 - yours)[::-1].copy()


def _small_games(n_tosses: int, rush_points: int, pass_points: int) -> dict[str, Any]:
    tosses = tuple(range(1, min(SMALL, n_tosses) + 1))
    answers = {
        opponent: tuple(
            backward(coinball(n, rush_points, pass_points, opponent, "you"), exact=True).start for n in tosses
        )
        for opponent in OPPONENTS
    }
    return {"small_tosses": tosses, "small_answers": answers}


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
