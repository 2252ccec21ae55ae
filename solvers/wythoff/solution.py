"""The parameters of the puzzle, and `solve`, which finds all answers."""

from typing import Annotated, Any

import numpy as np

from site_builder.contract import Field, Grid
from solvers.wythoff import theory, winning_play
from solvers.wythoff.rules import states_after

LARGEST_MAP = 300
LARGEST_GRUNDY = 2000
FAR_INDEX = 10**15
EXAMPLE_STATES = ((75, 90), (8, 14), (9, 10), (2, 3))
EXAMPLE_GAME = (3, 7)


def validate(total_min: int, total_max: int) -> None:
    """Refuse a range of totals without any."""
    if total_max < total_min:
        raise ValueError(
            f"total_max is {total_max} and total_min is {total_min}; the largest total must not be below the smallest"
        )


def solve(
    total_min: Annotated[int, Field(ge=2, le=2000, description="the smallest total that may be divided")] = 20,
    total_max: Annotated[int, Field(ge=2, le=2000, description="the largest total that may be divided")] = 30,
    max_pile: Annotated[
        int, Field(ge=8, le=3000, description="the largest pile of the tables; maps show piles to 300 at most")
    ] = 150,
) -> dict[str, Any]:
    """Find the losing states by marking moves backwards; all other answers follow from them. Everything is exact.

    losing_splits: the division that loses, for each losing total. n_divisions: divisions into two piles, none of them
    empty, of all totals together.
    losing_states: (a, b) with a <= b <= max_pile; golden_states: as many by the golden ratio.
    fibonacci_rule_holds: for all totals to max_pile and total_max. value: +1 or -1 over (a, b); best_move: codes of
    `best_move_codes`; both with piles to map_size. longest_games: moves to the end from each losing state of the map,
    if the winner always takes the most pennies and the loser makes the game last; slower_states: in how many states
    another way to win is quicker.
    """
    map_size = min(max_pile, LARGEST_MAP)
    most = max(max_pile, total_max)
    splits = {a + b: (a, b) for a, b in theory.losing_states(most)}
    totals = range(total_min, total_max + 1)
    losing = theory.losing_states(max_pile)
    mapped = tuple((a, b) for a, b in losing if b <= map_size)
    ranks = winning_play.winning_ranks(mapped, map_size)
    lengths = winning_play.longest_games(ranks, mapped)
    return {
        "winning_totals": tuple(t for t in totals if t not in splits),
        "losing_totals": tuple(t for t in totals if t in splits),
        "losing_splits": tuple(splits[t] for t in totals if t in splits),
        "n_divisions": sum(t // 2 for t in totals),
        "losing_states": losing,
        "first_trap_leaves": tuple(states_after(*losing[1])),
        "golden_states": tuple(map(theory.losing_state, range(len(losing)))),
        "far_index": FAR_INDEX,
        "far_state": theory.losing_state(FAR_INDEX),
        "fibonacci_parts": tuple(map(theory.fibonacci_parts, totals)),
        "losing_fibonacci": tuple(t for t in splits if t <= most and len(theory.fibonacci_parts(t)) == 1),
        "fibonacci_rule_holds": all(theory.is_losing_total(t) == (t in splits) for t in range(1, most + 1)),
        "map_size": map_size,
        "value": _grid(np.where(ranks.min(axis=0) < len(mapped), 1, -1)),
        "best_move": _grid(winning_play.best_move_codes(ranks, len(mapped))),
        "grundy": _grid(theory.grundy_values(min(max_pile, LARGEST_GRUNDY))),
        "examples": tuple(winning_play.example(*state) for state in EXAMPLE_STATES),
        "example_game": winning_play.play_out(EXAMPLE_GAME),
        "longest_games": lengths,
        "slower_states": winning_play.slower_states(ranks, lengths),
    }


def _grid(values: np.ndarray) -> Grid:
    piles = range(len(values))
    return Grid(values, {"a": piles, "b": piles})
