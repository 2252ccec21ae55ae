"""The parameters of the puzzle, and all that a reader may want to quote about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Annotated

import numpy as np

from site_builder.contract import Field, Grid, parameters
from solvers.wythoff.fibonacci import fibonacci_parts, is_losing_total
from solvers.wythoff.game import (
    Move,
    State,
    after,
    best_moves,
    legal_moves,
    losing_partners,
    losing_state,
    losing_states,
    states_met,
    winning_moves,
)
from solvers.wythoff.grundy import grundy_values
from solvers.wythoff.speed import (
    Speed,
    WinningMoves,
    largest,
    measure,
    random,
    smallest,
    stubborn,
    winning_moves_table,
)

LARGEST_MAP = 300
SMALL_PILE = 8
FAR_INDEX = 10**15
EXAMPLE_STATES = ((75, 90), (8, 14), (9, 10), (2, 3))
EXAMPLE_GAME = (3, 7)
SEVERAL = 4  # the code of a state in which two winning moves take the most pennies


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


@dataclass(frozen=True)
class Example:
    """A winning state and the best move from it; `others`: further moves that take as many pennies."""

    a: int
    b: int
    taken: Move
    left: State
    others: tuple[Move, ...]


@dataclass(frozen=True)
class Turn:
    """One move of a game: the piles before it, who moves, what is taken and what is left."""

    before: State
    player: str
    taken: Move
    left: State


@dataclass(frozen=True)
class Choice:
    """How often the winner has a choice, over the states (a, b) with a <= b <= map_size.

    winning_states: those from which the player to move wins. several: those with winning moves to two or three
    different states. ties: those in which two winning moves take the most pennies, and ties_leave_the_same: whether
    both then always leave the same piles. smaller_pile_best: those in which a move from the smaller pile alone takes as
    many pennies as any winning move. The rest is the state in which taking the most saves most moves against a
    stubborn loser: its piles, the moves that take the most and the fewest pennies, and how many moves the game then
    lasts, this first one counted.
    """

    winning_states: int
    several: int
    ties: tuple[State, ...]
    ties_leave_the_same: bool
    smaller_pile_best: int
    widest: State
    most: Move
    fewest: Move
    length_most: int
    length_fewest: int


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
    ratio: Fraction  # b / a of the largest losing state of the table
    far_index: int
    far_state: State  # the losing state with that index, by the golden ratio in exact integers
    far_float: int  # its smaller pile in floating-point arithmetic
    fibonacci_parts: tuple[tuple[int, ...], ...]  # for each total, the Fibonacci numbers that add up to it
    losing_fibonacci: tuple[int, ...]  # the Fibonacci numbers that are losing totals themselves, to fibonacci_limit
    fibonacci_limit: int  # the rule by Fibonacci numbers was compared for totals to this
    fibonacci_rule_holds: bool
    value: Grid  # +1 or -1 over (a, b), piles to map_size
    best_move: Grid  # 0 losing, 1 from the smaller pile, 2 from the larger, 3 from both, 4 two moves equally good
    grundy: Grid  # Sprague-Grundy values over (a, b)
    grundy_largest: int
    grundy_largest_at: State  # the first state with that value
    examples: tuple[Example, ...]  # best moves from (75, 90), (8, 14), (9, 10) and (2, 3)
    example_game: tuple[Turn, ...]  # from (3, 7); the opponent always takes one penny from the larger pile
    choice: Choice
    stubborn: Speed  # lengths of games against a loser who resists as long as possible
    random: Speed  # mean lengths against a loser who takes any legal move with equal chance
    stubborn_visits_all: bool  # whether a stubborn loser passes through every smaller losing state in turn


def solve(parameters: Parameters) -> Result:
    """The losing states by marking moves backwards, and what follows from them."""
    map_size = min(parameters.max_pile, LARGEST_MAP)
    reach = max(parameters.max_pile, parameters.total_max)
    partner = losing_partners(reach)
    losing = losing_states(partner)
    listed = _within(losing, parameters.max_pile)
    mapped = _within(losing, map_size)
    moves = winning_moves_table(mapped, map_size)
    grundy = grundy_values(map_size)
    resisting = measure(moves, mapped, stubborn)
    splits = {a + b: (a, b) for a, b in losing}
    totals = range(parameters.total_min, parameters.total_max + 1)
    return Result(
        total_min=parameters.total_min,
        total_max=parameters.total_max,
        max_pile=parameters.max_pile,
        map_size=map_size,
        winning_totals=tuple(t for t in totals if t not in splits),
        losing_totals=tuple(t for t in totals if t in splits),
        losing_splits=tuple(splits[t] for t in totals if t in splits),
        n_divisions=sum(t // 2 for t in totals),
        n_states=states_met(parameters.total_min, parameters.total_max),
        losing_states=listed,
        small_losing_states=_within(losing, SMALL_PILE),
        first_trap_leaves=tuple(after(*losing[1], move) for move in legal_moves(*losing[1])),
        n_closed_form=len(listed),
        closed_form_agrees=listed == tuple(map(losing_state, range(len(listed)))),
        ratio=Fraction(listed[-1][1], listed[-1][0]),
        far_index=FAR_INDEX,
        far_state=losing_state(FAR_INDEX),
        far_float=int(FAR_INDEX * ((1 + sqrt(5)) / 2)),
        fibonacci_parts=tuple(map(fibonacci_parts, totals)),
        losing_fibonacci=tuple(t for t in splits if t <= reach and len(fibonacci_parts(t)) == 1),
        fibonacci_limit=reach,
        fibonacci_rule_holds=all(is_losing_total(t) == (t in splits) for t in range(1, reach + 1)),
        value=_grid(np.where(moves.pennies.any(axis=0), 1, -1)),
        best_move=_grid(_best_move_codes(moves)),
        grundy=_grid(grundy),
        grundy_largest=int(grundy.max()),
        grundy_largest_at=_first(grundy == grundy.max()),
        examples=tuple(map(_example, EXAMPLE_STATES)),
        example_game=_play_out(EXAMPLE_GAME),
        choice=_choice(moves, resisting),
        stubborn=resisting,
        random=measure(moves, mapped, random),
        stubborn_visits_all=all(length == 2 * rank for rank, length in enumerate(resisting.largest_lengths)),
    )


def _within(states: Sequence[State], pile: int) -> tuple[State, ...]:
    return tuple(state for state in states if max(state) <= pile)


def _grid(values: np.ndarray) -> Grid:
    piles = range(len(values))
    return Grid(values, {"a": piles, "b": piles})


def _first(where: np.ndarray) -> State:
    a, b = np.argwhere(where)[0].tolist()
    return a, b


def _best_move_codes(moves: WinningMoves) -> np.ndarray:
    """0 losing, 1 from the smaller pile, 2 from the larger, 3 from both, `SEVERAL` for a tie; shape (n, n)."""
    below = np.tri(moves.pennies.shape[1], k=-1, dtype=bool)  # where b < a, so that b is the smaller pile
    kind = moves.largest
    code = np.where(kind == 2, 3, np.where(below, 2 - kind, 1 + kind))
    code = np.where(_is_tie(moves), SEVERAL, code)
    return np.where(moves.pennies.any(axis=0), code, 0)


def _is_tie(moves: WinningMoves) -> np.ndarray:
    most = moves.pennies.max(axis=0)
    return np.asarray(((moves.pennies == most).sum(axis=0) > 1) & (most > 0))


def _example(state: State) -> Example:
    taken, *others = best_moves(*state)
    return Example(*state, taken=taken, left=after(*state, taken), others=tuple(others))


def _play_out(state: State) -> tuple[Turn, ...]:
    """The game from a winning state, move by move, against one penny at a time from the larger pile."""
    turns: list[Turn] = []
    while state != (0, 0):
        yours = len(turns) % 2 == 0
        taken = best_moves(*state)[0] if yours else ((1, 0) if state[0] > state[1] else (0, 1))
        turns.append(Turn(state, "you" if yours else "the opponent", taken, after(*state, taken)))
        state = turns[-1].left
    return tuple(turns)


def _choice(moves: WinningMoves, speed: Speed) -> Choice:
    winning = np.nonzero(np.triu(moves.pennies.any(axis=0)))
    most, fewest = largest(moves, winning), smallest(moves, winning)
    length = np.array(speed.largest_lengths)
    widest = int((length[fewest] - length[most]).argmax())
    a, b = int(winning[0][widest]), int(winning[1][widest])
    by_pennies = sorted(winning_moves(a, b), key=sum)
    tied = np.nonzero(np.triu(_is_tie(moves)))
    pennies, rank = moves.of(tied)
    smaller = np.triu(moves.pennies[0], k=1)
    return Choice(
        winning_states=len(most),
        several=int((most != fewest).sum()),
        ties=tuple(zip(*(x.tolist() for x in tied), strict=True)),
        ties_leave_the_same=bool((rank == largest(moves, tied))[pennies == pennies.max(axis=0)].all()),
        smaller_pile_best=int(((smaller > 0) & (smaller == moves.pennies.max(axis=0))).sum()),
        widest=(a, b),
        most=by_pennies[-1],
        fewest=by_pennies[0],
        length_most=1 + int(length[most[widest]]),
        length_fewest=1 + int(length[fewest[widest]]),
    )
