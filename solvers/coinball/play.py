"""The puzzle as a game of states and moves: for the builder to verify in every state, for readers to play."""

from collections.abc import Sequence

import numpy as np

from site_builder.contract import Grid
from site_builder.extensions.games.contract import Board, Game, Number, States, Turn, Walk
from solvers.coinball.puzzle import Opponent, Seat, coinball, their_tosses
from solvers.common.score_checks import marked
from solvers.common.score_game import MOST_PLAYED, turn

State = tuple[int, int, Seat]  # tosses made, your lead, who calls first
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
    """The equation of V in every state that can be reached, for either player as the first where both are perfect.

    None for games that are too long to play. An opponent who always makes the same call moves like chance.
    """
    if n_tosses > MOST_PLAYED:
        return None
    seats: tuple[Seat, ...] = ("you", "opponent") if opponent == "optimal" else (first,)
    rules = {seat: coinball(n_tosses, rush_points, pass_points, opponent, seat) for seat in seats}
    farthest, places = max(rush_points, pass_points) * n_tosses, np.argwhere(marked(rules[first]))
    states = [(int(toss), int(column) - farthest, seat) for seat in seats for toss, column in places]

    def turn_of(state: State) -> Turn:
        plain = turn(rules[state[2]], state[:2], CALLS)
        moves = {
            call: tuple((chance, (*after, state[2]), reward) for chance, after, reward in outcomes)
            for call, outcomes in plain.moves.items()
        }
        return Turn(plain.player, moves, plain.payoff)

    def value(state: State) -> Number:
        """Your chance; where the other player calls first, 1 less that of a player with the opposite lead."""
        toss, lead, seat = state
        if seat == first:
            return win_probability_by_state.at(toss=toss, lead=lead)  # type: ignore[no-any-return]
        return 1 - win_probability_by_state.at(toss=toss, lead=-lead)  # type: ignore[no-any-return]

    def best(state: State) -> tuple[str, ...]:
        toss, lead, seat = state
        code = best_call.at(toss=toss, lead=-lead if their_tosses(n_tosses, seat)[toss] else lead)
        return CALLS if code == 2 else (CALLS[code],)

    return Game(
        ("you", "opponent"),
        (0, 0, first),
        States(dict.fromkeys(states), turn_of),
        States(dict.fromkeys(states), value),
        board(n_tosses, rush_points, pass_points, seats),
        best=States(dict.fromkeys(state for state in states if state[0] < n_tosses), best),
        of=f"win_probability_by_state[{len(places)}], best_call[{len(places)}]",
        within=1e-15,
    )


def board(n_tosses: int, rush_points: int, pass_points: int, seats: Sequence[Seat]) -> Board:
    """The lead after each toss as a walk. seats: who may call first."""

    def says(state: State) -> str:
        toss, lead, _ = state
        where = "you lead by {points}" if lead > 0 else "you trail by {points}" if lead < 0 else "the score is level"
        if toss < n_tosses:
            return f"toss {{toss}} of {n_tosses}, {where}"
        if lead == 0:
            return "a draw, which is half a win"
        return "you win by {points}" if lead > 0 else "you lose by {points}"

    def facts(state: State) -> dict[str, int]:
        toss, lead, _ = state
        return {"tosses": toss, "lead": lead, "points": abs(lead)} | ({"toss": toss + 1} if toss < n_tosses else {})

    def event(before: State, call: str, now: State) -> str:
        gain, is_theirs = now[1] - before[1], their_tosses(n_tosses, before[2])[before[0]]
        face = "tails" if (gain > 0) == is_theirs else "heads"
        points = "1 point" if abs(gain) == 1 else f"{abs(gain)} points"
        does = f"the opponent {call}es" if is_theirs else f"you {call}"
        return f"{does}: {face}, {points} for {'you' if gain > 0 else 'the opponent'}"

    return Board(
        title=f"Coinball with {n_tosses} tosses",
        goal=f"Call each of your tosses: rush for {rush_points}, pass for {pass_points}. Every caller says heads: the "
        "points are the caller's on heads, and the other player's on tails.",
        facts=facts,
        says=says,
        event=event,
        starts={f"{'you call' if seat == 'you' else 'the opponent calls'} first": (0, 0, seat) for seat in seats},
        pictures=(Walk("Your lead, toss by toss", "tosses", "lead", n_tosses, 0, "level"),),
    )
