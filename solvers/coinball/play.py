"""The puzzle as a game of states and moves: for the builder to verify in every state, for readers to play."""

from collections.abc import Collection, Sequence

import numpy as np

from site_builder.contract import Grid
from site_builder.extensions.games.contract import Board, Game, States, Walk
from solvers.coinball.puzzle import Opponent, Seat, coinball, their_tosses
from solvers.common.score_checks import marked
from solvers.common.score_game import MOST_PLAYED, turn

State = tuple[int, int]  # tosses made, your lead
CALLS = "rush", "pass"


def game(
    win_probability_by_state: Grid,
    best_call: Grid,
    n_tosses: int,
    rush_points: int,
    pass_points: int,
    opponent: Opponent,
    first: Seat,
) -> Game | None:
    """The equation of V in every state that some calls lead to.

    None for games that are too long to play. An opponent who always makes the same call moves like chance.
    """
    if n_tosses > MOST_PLAYED:
        return None
    rules, theirs = coinball(n_tosses, rush_points, pass_points, opponent, first), their_tosses(n_tosses, first)
    farthest = max(rush_points, pass_points) * n_tosses
    states = [(int(toss), int(column) - farthest) for toss, column in np.argwhere(marked(rules))]

    def best(state: State) -> tuple[str, ...]:
        toss, lead = state
        code = best_call.at(toss=toss, lead=-lead if theirs[toss] else lead)
        return CALLS if code == 2 else (CALLS[code],)

    return Game(
        ("you", "opponent"),
        (0, 0),
        States(dict.fromkeys(states), lambda state: turn(rules, state, CALLS)),
        win_probability_by_state,
        board(n_tosses, rush_points, pass_points, theirs, set(states)),
        best=States(dict.fromkeys(state for state in states if state[0] < n_tosses), best),
        of="win_probability_by_state, best_call",
        within=1e-15,
    )


def board(
    n_tosses: int, rush_points: int, pass_points: int, theirs: Sequence[bool], states: Collection[State]
) -> Board:
    """The lead after each toss as a walk. theirs: for each toss whether the opponent makes it.

    Readers may begin a few tosses later, so that the other player makes the first call.
    """

    def says(state: State) -> str:
        toss, lead = state
        where = "you lead by {points}" if lead > 0 else "you trail by {points}" if lead < 0 else "the score is level"
        if toss < n_tosses:
            return f"toss {{toss}} of {n_tosses}, {where}"
        if lead == 0:
            return "a draw, which is half a win"
        return "you win by {points}" if lead > 0 else "you lose by {points}"

    def facts(state: State) -> dict[str, int]:
        toss, lead = state
        return {"tosses": toss, "lead": lead, "points": abs(lead)} | ({"toss": toss + 1} if toss < n_tosses else {})

    def event(before: State, call: str, now: State) -> str:
        gain = now[1] - before[1]
        calls = f"the opponent calls {call}" if theirs[before[0]] else f"you call {call}"
        points = "1 point" if abs(gain) == 1 else f"{abs(gain)} points"
        return f"{calls}: {points} for {'you' if gain > 0 else 'the opponent'}"

    level = [toss for toss in range(n_tosses) if (toss, 0) in states]
    begin = {theirs[toss]: toss for toss in reversed(level)}  # the first level state in which each player calls
    starts = {
        f"{'the opponent calls' if is_theirs else 'you call'} first, {n_tosses - toss} tosses": (toss, 0)
        for is_theirs, toss in sorted(begin.items())
    }
    return Board(
        title=f"Coinball with {n_tosses} tosses",
        goal=f"Call each of your tosses: rush for {rush_points}, pass for {pass_points}. The points are yours, or the "
        "opponent's.",
        facts=facts,
        says=says,
        event=event,
        starts=starts,
        pictures=(Walk("Your lead, toss by toss", "tosses", "lead", n_tosses, 0, "level"),),
    )
