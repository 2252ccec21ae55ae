"""Tables of a result: totals, the smallest states by hand, losing states by formula, best moves and a game."""

from collections.abc import Mapping, Sequence
from typing import Any

from site_builder.contract import Column, Table
from solvers.common.captions import whole
from solvers.wythoff.rules import Move, State, after, legal_moves

TOTALS_SHOWN = 40
ROWS = 20  # as many losing states as the source lists
HAND_STATES = ((0, 1), (0, 2), (1, 1), (0, 3), (1, 2))


def count(number: int, one: str) -> str:
    """A number and its noun: 1 division, 20,380 divisions."""
    return f"{whole(number)} {one}{'' if number == 1 else 's'}"


def state_text(state: State) -> str:
    """A state as text that is not broken across lines."""
    a, b = state
    return f"({a},\N{NO-BREAK SPACE}{b})"


def move_text(move: Move) -> str:
    """A move as text that is not broken across lines: 2 from b, 8 from each."""
    x, y = move
    pile = "each" if x and y else "a" if x else "b"
    return f"{max(move)} from {pile}".replace(" ", "\N{NO-BREAK SPACE}")


def figure_totals(
    total_min: int, total_max: int, losing_totals: Sequence[int], losing_splits: Sequence[State], fibonacci_parts: Any
) -> Table:
    """Each total, the division that beats the player to move, and its Fibonacci parts."""
    shown = range(total_min, total_max + 1)[:TOTALS_SHOWN]
    split = dict(zip(losing_totals, map(state_text, losing_splits), strict=True))
    losing = sum(t in split for t in shown)
    return Table(
        title="Totals and their Fibonacci parts",
        columns=(
            Column("total", tuple(shown)),
            Column("Fibonacci sum", tuple(" + ".join(map(str, parts)) for parts in fibonacci_parts[: len(shown)])),
            Column("you lose from", tuple(split.get(t, "") for t in shown)),
        ),
        caption=f"{count(len(shown), 'total')} as sums of Fibonacci numbers that are not neighbours, smallest last. "
        f"{losing or 'None'} of them can be divided so that the player to move loses.",
    )


def figure_by_hand(losing_states: Sequence[State]) -> Table:
    """The smallest states: a winning move where there is one, else every move."""
    rows = []
    for state in HAND_STATES:
        moves = legal_moves(*state)
        winning = [move for move in moves if tuple(sorted(after(*state, move))) in losing_states]
        rows += [(state, move, "you" if winning else "they") for move in winning[:1] or moves]
    lost = [state for state, _, winner in rows if winner == "they"]
    return Table(
        title="The smallest piles, by hand",
        columns=(
            Column("you have", tuple(state_text(state) for state, _, _ in rows)),
            Column("you take", tuple(move_text(move) for _, move, _ in rows)),
            Column("you leave", tuple(state_text(after(*state, move)) for state, move, _ in rows)),
            Column("who wins", tuple(winner for _, _, winner in rows)),
        ),
        caption="A winning move from each of the smallest states, and every move from "
        f"{state_text(lost[0])}, where none wins.",
    )


def figure_golden_ratio(losing_states: Sequence[State], golden_states: Sequence[State], max_pile: int) -> Table:
    """The first losing states from marking beside those of the golden ratio."""
    formula = golden_states[:ROWS]
    agrees = "They agree" if losing_states == golden_states else "They do not agree"
    return Table(
        title="Losing states, marked and by formula",
        columns=(
            Column("k", tuple(range(len(formula)))),
            Column("marked", tuple(map(state_text, losing_states[:ROWS]))),
            Column(r"$\lfloor k\varphi \rfloor$", tuple(a for a, _ in formula)),
            Column(r"$\lfloor k\varphi \rfloor + k$", tuple(b for _, b in formula)),
        ),
        caption=f"The first {len(formula)} losing states, found by marking and by the golden ratio. "
        f"{agrees} on all {len(losing_states)} with piles to {max_pile}.",
    )


def figure_game(example_game: Sequence[Mapping[str, Any]]) -> Table:
    """A game played to its end."""
    start = state_text(example_game[0]["before"])
    return Table(
        title="A game",
        columns=(
            Column("piles", tuple(state_text(turn["before"]) for turn in example_game)),
            Column("to move", tuple("you" if turn["player"] == "you" else "they" for turn in example_game)),
            Column("takes", tuple(move_text(turn["taken"]) for turn in example_game)),
            Column("leaves", tuple(state_text(turn["left"]) for turn in example_game)),
        ),
        caption=f"A game from {start} in {count(len(example_game), 'move')}: you take as many as a "
        "winning move can, the opponent takes one penny from the larger pile.",
        row_heads=False,
    )
