"""The puzzle as a game of states and moves: for the builder to verify in every state, for readers to play."""

from collections.abc import Collection
from fractions import Fraction

import numpy as np

from site_builder.contract import Grid
from site_builder.extensions.games.contract import Board, Game, States, Walk
from solvers.common.score_checks import marked
from solvers.common.score_game import MOST_PLAYED, turns
from solvers.riddler_flips.puzzle import flips_game

State = tuple[int, int]  # flips made, score

STRANGERS = 100, Fraction(1, 2), Fraction(1, 2), 1, 2
"""Flips, chances of heads and points of the puzzle itself, which readers can play although it is long."""


def game(
    win_probability_by_state: Grid | None,
    best_coin: Grid | None,
    n_flips: int,
    p_a: Fraction,
    p_b: Fraction,
    v_a: int,
    v_b: int,
    target: int,
) -> Game | None:
    """The equation of V in every state that some flips lead to.

    None for games that are too long to play.
    """
    is_long = n_flips > MOST_PLAYED and (n_flips, p_a, p_b, v_a, v_b) != STRANGERS
    if is_long or win_probability_by_state is None or best_coin is None:
        return None
    rules = flips_game(n_flips, p_a, p_b, v_a, v_b, target)
    coins = _button("A", v_a), _button("B", v_b)
    farthest, codes = max(v_a, v_b) * n_flips, best_coin.values
    states = [(int(flips), int(column) - farthest) for flips, column in np.argwhere(marked(rules))]

    def best(state: State) -> tuple[str, ...]:
        code = codes[state[0], state[1] + farthest]
        return coins if code == 2 else (coins[code],)

    return Game(
        ("you",),
        (0, 0),
        States(dict.fromkeys(states), turns(rules, coins)),
        win_probability_by_state,
        board(n_flips, target, set(states)),
        best=States(dict.fromkeys(state for state in states if state[0] < n_flips), best),
        of="win_probability_by_state, best_coin",
        within=1e-15,
    )


def _button(name: str, points: int) -> str:
    return f"coin {name} (±{points})"


def board(n_flips: int, target: int, states: Collection[State]) -> Board:
    """The flips so far as a walk; the score is won from the target on. Readers may begin near the end."""

    def says(state: State) -> str:
        flips, score = state
        if flips < n_flips:
            return f"{{left}} flip{'s' if n_flips - flips > 1 else ''} left, score {{score}}"
        return "you win with the score {score}" if score >= target else "you lose with the score {score}"

    def facts(state: State) -> dict[str, int]:
        flips, score = state
        return {"flips": flips, "left": n_flips - flips, "score": score}

    def event(before: State, coin: str, now: State) -> str:
        return f"{coin.partition(' (')[0]} shows {'heads' if now[1] > before[1] else 'tails'}"

    ends = {
        f"{left} flips to go, score {score}".replace("-", "\N{MINUS SIGN}"): (n_flips - left, score)
        for left, score in ((10, 0), (5, -1), (2, -2))
    }
    late = {words: state for words, state in ends.items() if state in states and state[0] > 0}
    return Board(
        title=f"{n_flips} flips",
        goal="Choose the coin of each flip: heads adds its points to your score, tails takes them away. You win with a "
        f"score of {target} or more.",
        facts=facts,
        says=says,
        event=event,
        starts={f"{n_flips} flips": (0, 0), **late} if late else {},
        pictures=(
            Walk("Your score, flip by flip; from the dashed line up you win", "flips", "score", n_flips, target),
        ),
    )
