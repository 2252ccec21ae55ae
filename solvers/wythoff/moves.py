"""The puzzle as a game of states and moves, for the builder to verify in every state."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from typing import Any

from site_builder.contract import Grid
from site_builder.extensions.games.contract import Board, Game, Pieces, States, Turn
from solvers.wythoff.rules import Move, State, after, legal_moves

LARGEST_TOTAL = 60
"""Larger totals have too many moves to try them all."""

LARGEST_PLAYED = 30
"""Larger totals have too many moves for a page."""

SMALL = (5, 10, 15)
"""Smaller totals to begin with; the opponent cannot divide any of them so that you lose."""

OPPONENTS = PERFECT, BEGINNER = 0, 1
KNOWN_TO_BEGINNER = frozenset({(0, 0), (1, 2), (3, 5)})  # by heart, and not from the solution
"""A beginner leaves one of the first three losing states, or else takes a penny from the larger pile."""

Position = tuple[int, ...]


def game(
    total_min: int,
    total_max: int,
    winning_totals: tuple[int, ...],
    losing_totals: tuple[int, ...],
    losing_splits: tuple[State, ...],
    losing_states: tuple[State, ...],
    value: Grid,
) -> Game | None:
    """The opponent picks a total and divides it; then you and the opponent take pennies.

    State: () before there is a total, (total,) before it is divided, then (a, b, player to move, opponent) with
    a <= b. None where a total is larger than 60 or than the map of the values. Every total that the result answers is a
    state; one that the opponent may not pick has no moves, which is refused. Readers may begin with smaller totals, and
    against a beginner from a losing division.
    """
    if total_max > min(len(value.values) - 1, LARGEST_TOTAL):
        return None
    totals, smaller = range(total_min, total_max + 1), [total for total in SMALL if total < total_min]
    listed = {(a, b) for a, b in losing_states if a + b < total_max}
    splits = dict(zip(losing_totals, losing_splits, strict=True))
    piles = [
        (a, b) for b in range(total_max, -1, -1) for a in range(min(b, total_max - b), -1, -1) if a or b < total_max
    ]
    won: dict[Position, int] = {(): -1 if losing_totals else 1}
    for total in (*smaller, *totals, *winning_totals, *losing_totals):
        won[total,] = 1 if total in (*winning_totals, *smaller) else -1
    states = [*won, *((a, b, mover, opponent) for opponent in OPPONENTS for a, b in piles for mover in (0, 1))]
    has_best = [
        each
        for each in states
        if (len(each) == 4 and each[1] and not each[3]) or (len(each) == 1 and each[0] in splits)
    ]
    turn = cache(partial(_turn, totals=totals, smaller=smaller))
    return Game(
        ("you", "opponent"),
        (),
        States(dict.fromkeys(states), turn),
        States(dict.fromkeys(states), partial(_worth, won=won, value=value)),
        _board([*smaller, *totals], losing_splits, {*listed, *losing_splits}) if total_max <= LARGEST_PLAYED else None,
        best=States(dict.fromkeys(has_best), partial(_best, turn=turn, splits=splits, losing=listed)),
        of=f"winning_totals, losing_totals, losing_splits, value[{len(piles)}], losing_states[{len(listed)}]",
    )


def _worth(state: Position, won: Mapping[Position, int], value: Grid) -> int:
    """The value of a state. won: of those in which there are no piles yet."""
    if len(state) < 4:
        return won[state]
    a, b, player, opponent = state
    if opponent == BEGINNER:
        return _against_beginner(a, b, player)
    return int(value.values[a, b]) * (1 if player == 0 else -1)


def _best(
    state: Position, turn: Callable[[Position], Turn], splits: Mapping[int, State], losing: Collection[State]
) -> list[str]:
    """The division that loses for you; every move to a losing state that the result lists."""
    if len(state) == 1:
        return ["{} and {}".format(*splits[state[0]])]
    return [name for name, ((_, left, _),) in turn(state).moves.items() if left[:2] in losing]


def _turn(state: Position, totals: range, smaller: Sequence[int]) -> Turn:
    """smaller: totals that the opponent may divide, but does not pick."""
    if not state:
        return Turn(1, {f"{total} pennies": ((1, (total,), 0),) for total in totals})
    if len(state) == 1:
        (total,) = state
        piles = range(1, total // 2 + 1) if total in totals or total in smaller else ()
        return Turn(1, {f"{a} and {total - a}": ((1, (a, total - a, 0, PERFECT), 0),) for a in piles})
    a, b, player, opponent = state
    if b == 0:  # the other player has taken the last penny
        return Turn(None, {}, payoff=-1 if player == 0 else 1)
    moves = {}
    for x, y in [_habit(a, b)] if player and opponent == BEGINNER else legal_moves(a, b):
        pile = "both" if x and y else "a" if x else "b"
        moves[f"{max(x, y)} from {pile}"] = ((1, (*sorted(after(a, b, (x, y))), 1 - player, opponent), 0),)
    return Turn(player, moves)


@cache
def _habit(a: int, b: int) -> Move:
    """The move of a beginner from a <= b."""
    good = (move for move in legal_moves(a, b) if tuple(sorted(after(a, b, move))) in KNOWN_TO_BEGINNER)
    return next(good, (0, 1))


@cache
def _against_beginner(a: int, b: int, player: int) -> int:
    """1 if you win against a beginner from a <= b, else -1. player: who is to move."""
    if b == 0:
        return -1 if player == 0 else 1
    moves = [_habit(a, b)] if player else legal_moves(a, b)
    return max(_against_beginner(*sorted(after(a, b, move)), 1 - player) for move in moves)


def _board(totals: Sequence[int], losing_splits: tuple[State, ...], losing: Collection[State]) -> Board:
    """Two rows of pennies; readers choose a total, or a losing division against a beginner who can be beaten.

    totals: of which every fifth is offered.
    """
    lost = {
        "{} and {}, against a beginner".format(*split): split
        for split in losing_splits
        if _against_beginner(*split, 0) > 0
    }
    habit = "The beginner knows only the pairs (1, 2) and (3, 5), and otherwise takes one penny from the larger pile."
    pile = [""] * totals[-1]
    return Board(
        title="Two piles of pennies",
        goal="Take pennies from one pile, or equally many from both. Whoever takes the last penny wins.",
        facts=lambda state: dict(zip(("total",) if len(state) == 1 else ("a", "b"), state, strict=False)),
        says=lambda state: _says(state, losing),
        event=_event,
        worth="outcome",
        outcomes={1: "you can win from here", -1: "you cannot win from here"},
        pictures=(
            Pieces("Pile a", pile, last="a", take="{n} from a"),
            Pieces("Pile b", pile, last="b", take="{n} from b"),
        ),
        starts={
            **{f"{total} pennies": (total,) for total in totals if total % 5 == 0},
            "as many as the opponent likes": (),
            **{label: (*split, 0, BEGINNER) for label, split in lost.items()},
        },
        notes=dict.fromkeys(lost, habit),
    )


def _event(before: Position, move: str, after: Position) -> str:
    """What the opponent has done."""
    if len(before) == 4:
        return f"the opponent takes {move}" if before[2] else ""
    return f"the opponent {'divides them into' if before else 'chooses'} {move}"


def _says(state: Any, losing: Collection[State]) -> str:
    if len(state) < 2:
        return "the opponent divides {total} pennies" if state else "the opponent chooses the number of pennies"
    a, b, player, opponent = state
    if b == 0:
        return "you lose: the last penny is the opponent's" if player == 0 else "you win: the last penny is yours"
    is_unknown = opponent == BEGINNER and (a, b) in losing and (a, b) not in KNOWN_TO_BEGINNER
    words = ", a losing pair that the beginner does not know" if is_unknown and player == 0 else ""
    return ("{a} and {b} pennies" if a else "one pile of {b}") + words
