"""The parameters of the puzzle, the result, and `solve`."""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Annotated

import numpy as np

from site_builder.contract import Bounds, Field, Grid, parameters
from solvers.wythoff import theory, winning_play
from solvers.wythoff.rule import State

LARGEST_MAP = 300
LARGEST_GRUNDY = 2000
SMALL_PILE = 8
FAR_INDEX = 10**15
EXAMPLE_STATES = ((75, 90), (8, 14), (9, 10), (2, 3))
EXAMPLE_GAME = (3, 7)


@parameters
class Parameters:
    """The totals that the opponent may choose from, and how far the tables go."""

    total_min: Annotated[int, Field(ge=2, le=2000, description="the smallest total that may be divided")] = 20
    total_max: Annotated[int, Field(ge=2, le=2000, description="the largest total that may be divided")] = 30
    max_pile: Annotated[
        int, Field(ge=8, le=3000, description="the largest pile of the tables; maps show piles to 300 at most")
    ] = 150

    def __post_init__(self) -> None:
        if self.total_max < self.total_min:
            raise ValueError(
                f"total_max is {self.total_max} and total_min is {self.total_min}; "
                "the largest total must not be below the smallest"
            )


@dataclass(frozen=True, eq=False)
class Result:
    """All answers about two piles of pennies.

    Everything is exact. `far_float` alone is what rounded arithmetic makes of `far_state`, shown because it is wrong.
    """

    total_min: int
    total_max: int
    max_pile: int
    map_size: int  # the largest pile of the maps, at most 300
    winning_totals: tuple[int, ...]  # totals that win for the player to move, however they are divided
    losing_totals: tuple[int, ...]  # totals with a division that loses
    losing_splits: tuple[State, ...]  # that division, for each losing total
    n_divisions: int  # divisions into two piles, none of them empty, of all totals together
    n_states: int  # states that some play leads to from these divisions, the divisions and (0, 0) included
    losing_states: tuple[State, ...]  # (a, b) with a <= b <= max_pile
    small_losing_states: tuple[State, ...]  # the same with b <= 8
    first_trap_leaves: tuple[State, ...]  # what the moves from (1, 2), the first losing state with pennies, leave
    n_closed_form: int  # so many losing states were compared with the golden ratio's
    closed_form_agrees: bool
    ratio: Annotated[Fraction, Bounds(1, 2)]  # b / a of the largest losing state of the table
    far_index: int
    far_state: State  # the losing state with that index, by the golden ratio in exact integers
    far_float: int  # its smaller pile in floating-point arithmetic
    fibonacci_parts: tuple[tuple[int, ...], ...]  # for each total, the Fibonacci numbers that add up to it
    losing_fibonacci: tuple[int, ...]  # the Fibonacci numbers that are losing totals themselves, to fibonacci_limit
    fibonacci_limit: int  # the rule by Fibonacci numbers was compared for totals to this
    fibonacci_rule_holds: bool
    value: Annotated[Grid, Bounds(-1, 1)]  # +1 or -1 over (a, b), piles to map_size
    best_move: Grid  # 0 losing, 1 from the smaller pile, 2 from the larger, 3 from both, 4 two moves equally good
    grundy: Annotated[Grid, Bounds(0, None)]  # Sprague-Grundy values over (a, b), piles to max_pile, at most 2000
    grundy_largest: int
    grundy_largest_at: State  # the first state with that value
    examples: tuple[winning_play.Example, ...]  # best moves from (75, 90), (8, 14), (9, 10) and (2, 3)
    example_game: tuple[winning_play.Turn, ...]  # from (3, 7); the opponent always takes one penny from the larger pile
    choice: winning_play.Choice
    stubborn: winning_play.Speed  # lengths of games against a loser who resists as long as possible
    random: winning_play.Speed  # mean lengths against a loser who takes any legal move with equal chance
    stubborn_visits_all: bool  # whether a stubborn loser passes through every smaller losing state in turn


def solve(parameters: Parameters) -> Result:
    """Find the losing states by marking moves backwards; all other answers follow from them."""
    map_size = min(parameters.max_pile, LARGEST_MAP)
    largest_pile = max(parameters.max_pile, parameters.total_max)
    losing = theory.losing_states(largest_pile)
    listed = theory.losing_states(parameters.max_pile)
    mapped = theory.losing_states(map_size)
    splits = {a + b: (a, b) for a, b in losing}
    totals = range(parameters.total_min, parameters.total_max + 1)
    moves = winning_play.winning_moves_table(mapped, map_size)
    grundy = theory.grundy_values(min(parameters.max_pile, LARGEST_GRUNDY))
    against_stubborn = winning_play.measure_speed(moves, mapped, winning_play.stubborn)
    return Result(
        total_min=parameters.total_min,
        total_max=parameters.total_max,
        max_pile=parameters.max_pile,
        map_size=map_size,
        winning_totals=tuple(t for t in totals if t not in splits),
        losing_totals=tuple(t for t in totals if t in splits),
        losing_splits=tuple(splits[t] for t in totals if t in splits),
        n_divisions=sum(t // 2 for t in totals),
        n_states=theory.count_reachable_states(parameters.total_max),
        losing_states=listed,
        small_losing_states=theory.losing_states(SMALL_PILE),
        first_trap_leaves=tuple(theory.after(*losing[1], move) for move in theory.legal_moves(*losing[1])),
        n_closed_form=len(listed),
        closed_form_agrees=listed == tuple(map(theory.losing_state, range(len(listed)))),
        ratio=Fraction(listed[-1][1], listed[-1][0]),
        far_index=FAR_INDEX,
        far_state=theory.losing_state(FAR_INDEX),
        far_float=int(FAR_INDEX * ((1 + sqrt(5)) / 2)),
        fibonacci_parts=tuple(map(theory.fibonacci_parts, totals)),
        losing_fibonacci=tuple(t for t in splits if t <= largest_pile and len(theory.fibonacci_parts(t)) == 1),
        fibonacci_limit=largest_pile,
        fibonacci_rule_holds=all(theory.is_losing_total(t) == (t in splits) for t in range(1, largest_pile + 1)),
        value=_grid(np.where(moves.pennies.any(axis=0), 1, -1)),
        best_move=_grid(winning_play.best_move_codes(moves)),
        grundy=_grid(grundy),
        grundy_largest=int(grundy.max()),
        grundy_largest_at=divmod(int(grundy.argmax()), len(grundy)),
        examples=tuple(map(winning_play.example, EXAMPLE_STATES)),
        example_game=winning_play.play_out(EXAMPLE_GAME),
        choice=winning_play.measure_choice(moves, against_stubborn),
        stubborn=against_stubborn,
        random=winning_play.measure_speed(moves, mapped, winning_play.random),
        stubborn_visits_all=all(length == 2 * rank for rank, length in enumerate(against_stubborn.largest_lengths)),
    )


def _grid(values: np.ndarray) -> Grid:
    piles = range(len(values))
    return Grid(values, {"a": piles, "b": piles})
