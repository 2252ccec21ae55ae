"""The puzzle as a game of states and moves: for the builder to verify in every state, for readers to play."""

from collections.abc import Mapping

import numpy as np

from site_builder.contract import Grid
from site_builder.extensions.games.contract import Board, Game, Number, States, Walk
from solvers.coinball.puzzle import Opponent, Seat, coinball, their_tosses
from solvers.common.score_checks import maps_by_rows, marked
from solvers.common.score_game import EITHER, ScoreGame, turns

Which = tuple[Seat, Opponent]  # who calls first, how the opponent plays
State = tuple[int, int, Seat, Opponent]  # tosses made, your lead, and which game
CALLS = "rush", "pass"
STARTS: dict[Which, str] = {
    ("you", "rush"): "rival always rushes",
    ("you", "pass"): "rival always passes",
    ("you", "optimal"): "perfect rival",
    ("opponent", "optimal"): "perfect rival, who calls first",
}
MOST_PLAYED = 30
"""Longer games have no board: nobody plays them."""


def game(
    win_probability_by_state: Grid,
    best_call: Grid,
    n_tosses: int,
    rush_points: int,
    pass_points: int,
    opponent: Opponent,
    first: Seat,
) -> Game | None:
    """The equation of V in every state that can be reached, against one opponent or several.

    None for games that are too long to play. An opponent who always makes the same call moves like chance. If the
    opponent of the result is perfect, either player may be the first, and readers may play against the others too.
    """
    if n_tosses > MOST_PLAYED:
        return None
    played = (first, opponent)
    games = STARTS if opponent == "optimal" else {played: f"rival always {opponent}es"}
    rules = {each: coinball(n_tosses, rush_points, pass_points, each[1], each[0]) for each in games}
    places, farthest = (
        {each: np.argwhere(marked(rules[each])) for each in games},
        max(rush_points, pass_points) * n_tosses,
    )
    states = [(int(toss), int(column) - farthest, *each) for each in games for toss, column in places[each]]
    turn_of = {each: turns(rules[each], CALLS, *each) for each in games}
    theirs = {each: their_tosses(n_tosses, each[0]) for each in games}
    maps = {each: _maps(rules[each], each, played, win_probability_by_state, best_call) for each in games}

    def value(state: State) -> Number:
        toss, lead, *_ = state
        return float(maps[state[2:]][0][toss, lead + farthest])

    def best(state: State) -> tuple[str, ...]:
        toss, lead, *_ = state
        which = state[2:]
        code = maps[which][1][toss, farthest + (-lead if theirs[which][toss] else lead)]
        return CALLS if code == EITHER else (CALLS[code],)

    cells = len(places[played])
    return Game(
        ("you", "your rival"),
        (0, 0, *played),
        States(dict.fromkeys(states), lambda state: turn_of[state[2:]](state)),
        States(dict.fromkeys(states), value),
        board(n_tosses, rush_points, pass_points, {label: (0, 0, *each) for each, label in games.items()}),
        best=States(dict.fromkeys(state for state in states if state[0] < n_tosses), best),
        of=f"win_probability_by_state[{cells}], best_call[{cells}]",
        within=1e-15,
    )


def _maps(rules: ScoreGame, which: Which, played: Which, value: Grid, best: Grid) -> tuple[np.ndarray, np.ndarray]:
    """Your chances over (toss, your lead) and the best calls over (toss, lead of the caller).

    They are those of the result for the game that it is about, and for that with the seats exchanged: there your chance
    is 1 less that of a player with the opposite lead. An opponent with a habit has maps by rows.
    """
    seat, opponent = which
    if opponent != played[1]:
        maps = maps_by_rows(rules, their_tosses(len(rules.movers), seat))
        return maps["value"], maps["best"]
    return value.values if seat == played[0] else 1 - value.values[:, ::-1], best.values


def board(n_tosses: int, rush_points: int, pass_points: int, starts: Mapping[str, State]) -> Board:
    """The lead after each toss as a walk. starts: by the names of the games."""

    def says(state: State) -> str:
        toss, lead, *_ = state
        where = "you lead by {points}" if lead > 0 else "you trail by {points}" if lead < 0 else "the score is level"
        if toss < n_tosses:
            return f"{{left}} toss{'es' if n_tosses - toss > 1 else ''} left, {where}"
        if lead == 0:
            return "a draw, which is half a win"
        return "you win by {points}" if lead > 0 else "you lose by {points}"

    def facts(state: State) -> dict[str, int]:
        toss, lead, *_ = state
        return {"tosses": toss, "left": n_tosses - toss, "lead": lead, "points": abs(lead)}

    def event(before: State, call: str, now: State) -> str:
        gain, is_theirs = now[1] - before[1], their_tosses(n_tosses, before[2])[before[0]]
        face = "tails" if (gain > 0) == is_theirs else "heads"
        points = "1 point" if abs(gain) == 1 else f"{abs(gain)} points"
        does = f"your rival {call}es" if is_theirs else f"you {call}"
        return f"{does}: {face}, {points} for {'you' if gain > 0 else 'your rival'}"

    return Board(
        title=f"Coinball with {n_tosses} toss{'es' if n_tosses > 1 else ''}",
        goal=f"Call each of your tosses: rush for {rush_points}, pass for {pass_points}. Every caller says heads: the "
        "points are the caller's on heads, and the other player's on tails.",
        facts=facts,
        says=says,
        event=event,
        starts=starts,
        pictures=(Walk("Your lead, toss by toss; the dashed line is level", "tosses", "lead", n_tosses, 0),),
    )
