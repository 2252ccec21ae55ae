"""Winning play: the best move of every state, examples, and whether taking the most pennies wins fastest.

A winner with several winning moves makes the `quickest` (fewest moves to come), the `largest` (most pennies) or the
`smallest`. The loser is `stubborn` and makes the game as long as possible, or `random` and makes every legal move with
equal chance. L(k) counts the moves of both players to the end from the k-th losing state, the loser's first:

    L(0) = 0,    L(k) = 2 + (maximum or mean over the loser's moves) L(j),

where the winner's reply leaves the j-th losing state.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from solvers.wythoff.rule import Move, State
from solvers.wythoff.theory import after, best_moves, winning_moves

SEVERAL = 4  # the code of a state in which two winning moves take the most pennies
Length = int | Fraction


@dataclass(frozen=True, eq=False)
class WinningMoves:
    """The winning moves of many states, by kind along the first axis: from a, from b, from both.

    pennies: shape (3, ...), the pennies that the move takes altogether; 0 where there is no winning move of the kind.
    rank: the same shape, which losing state it leaves (0 for (0, 0), 1 for the next, ...); 0 where there is no move.
    """

    pennies: np.ndarray
    rank: np.ndarray

    def of(self, a: np.ndarray, b: np.ndarray) -> "WinningMoves":
        """The moves of n states (a, b) of a table over all piles a and b; arrays of shape (3, n)."""
        return WinningMoves(self.pennies[:, a, b], self.rank[:, a, b])


def winning_moves_table(losing: Sequence[State], max_pile: int) -> WinningMoves:
    """The winning moves of all states with piles to `max_pile`, shape (3, max_pile + 1, max_pile + 1).

    losing: the losing states with piles to `max_pile`; the k-th of them has the difference k.
    """
    beside = np.full(max_pile + 1, max_pile + 1)  # the other pile of the losing state; out of reach where unknown
    lower = np.full(max_pile + 1, max_pile + 1)  # the smaller pile of the losing state with a given difference
    for x, y in losing:
        beside[x], beside[y], lower[y - x] = y, x, x
    a, b = np.indices((max_pile + 1, max_pile + 1))
    pennies = np.stack([a - beside[b], b - beside[a], 2 * (np.minimum(a, b) - lower[abs(b - a)])])
    rank = abs(np.stack([beside[b] - b, beside[a] - a, b - a]))
    return WinningMoves(np.maximum(pennies, 0), np.where(pennies > 0, rank, 0))


def best_move_codes(moves: WinningMoves) -> np.ndarray:
    """0 losing, 1 from the smaller pile, 2 from the larger, 3 from both, `SEVERAL` for a tie; shape (n, n)."""
    below = np.tri(moves.pennies.shape[1], k=-1, dtype=bool)  # where b < a, so that b is the smaller pile
    kind = moves.pennies.argmax(axis=0)
    code = np.where(kind == 2, 3, np.where(below, 2 - kind, 1 + kind))
    code = np.where(_is_tie(moves), SEVERAL, code)
    return np.where(moves.pennies.any(axis=0), code, 0)


def _is_tie(moves: WinningMoves) -> np.ndarray:
    most = moves.pennies.max(axis=0)
    return np.asarray(((moves.pennies == most).sum(axis=0) > 1) & (most > 0))


@dataclass(frozen=True)
class Example:
    """A winning state and the best move from it; `others`: further moves that take as many pennies."""

    a: int
    b: int
    taken: Move
    left: State
    others: tuple[Move, ...]


def example(state: State) -> Example:
    """The best move from a winning state."""
    taken, *others = best_moves(*state)
    return Example(*state, taken=taken, left=after(*state, taken), others=tuple(others))


@dataclass(frozen=True)
class Turn:
    """One move of a game: the piles before it, who moves, what is taken and what is left."""

    before: State
    player: str
    taken: Move
    left: State


def play_out(state: State) -> tuple[Turn, ...]:
    """The game from a winning state, move by move, against one penny at a time from the larger pile."""
    turns: list[Turn] = []
    while state != (0, 0):
        yours = len(turns) % 2 == 0
        taken = best_moves(*state)[0] if yours else ((1, 0) if state[0] > state[1] else (0, 1))
        turns.append(Turn(state, "you" if yours else "the opponent", taken, after(*state, taken)))
        state = turns[-1].left
    return tuple(turns)


Reply = Callable[[WinningMoves, Sequence[Length]], np.ndarray]
"""The rank of the losing state that the winner leaves, for each of n states; given their moves and lengths by rank."""


def quickest(moves: WinningMoves, lengths: Sequence[Length]) -> np.ndarray:
    """The ranks that the winning moves with the fewest moves to come leave."""
    place = np.empty(len(lengths) + 1, dtype=int)  # compares exact lengths as integers: their places when sorted
    place[sorted(range(len(lengths)), key=lengths.__getitem__)] = np.arange(len(lengths))
    place[-1] = len(lengths)  # stands for "no such move"
    return _ranks(moves, place[np.where(moves.pennies > 0, moves.rank, -1)].argmin(axis=0))


def largest(moves: WinningMoves, lengths: Sequence[Length] = ()) -> np.ndarray:
    """The ranks that the winning moves with the most pennies leave."""
    return _ranks(moves, moves.pennies.argmax(axis=0))


def smallest(moves: WinningMoves, lengths: Sequence[Length] = ()) -> np.ndarray:
    """The ranks that the winning moves with the fewest pennies leave."""
    return _ranks(moves, np.where(moves.pennies > 0, moves.pennies, moves.pennies.max() + 1).argmin(axis=0))


def _ranks(moves: WinningMoves, kind: np.ndarray) -> np.ndarray:
    return np.asarray(np.take_along_axis(moves.rank, kind[np.newaxis], axis=0)[0])


Resistance = Callable[[np.ndarray, Sequence[Length]], Length]
"""The length of the rest of the game, from the ranks that the replies to all moves of the loser leave."""


def stubborn(left: np.ndarray, lengths: Sequence[Length]) -> Length:
    """The longest of the games that may follow."""
    ranks: list[int] = np.unique(left).tolist()
    return max(lengths[rank] for rank in ranks)


def random(left: np.ndarray, lengths: Sequence[Length]) -> Length:
    """The exact mean length when each of the moves, and so each reply, is equally likely."""
    ranks, counts = np.unique(left, return_counts=True)
    terms = (int(n) * Fraction(lengths[r]) for r, n in zip(ranks, counts, strict=True))
    return sum(terms, Fraction(0)) / len(left)


def game_lengths(
    moves: WinningMoves, losing: Sequence[State], reply: Reply, resistance: Resistance
) -> tuple[Length, ...]:
    """L(k) for each losing state (a, b) of the table, a <= b."""
    lengths: list[Length] = [0]
    for a, b in losing[1:]:
        to_a, to_b = np.arange(a), np.arange(b)  # the loser takes from a, from b, from both
        left_a = np.concatenate([to_a, np.full(b, a), to_a])
        left_b = np.concatenate([np.full(a, b), to_b, to_a + (b - a)])
        lengths.append(2 + resistance(reply(moves.of(left_a, left_b), lengths), lengths))
    return tuple(lengths)


@dataclass(frozen=True)
class Speed:
    """Games against one kind of resistance, over a table of states (a, b) with a <= b.

    largest_lengths: L(k) of each losing state when the winner always takes the most pennies; smallest_lengths: the
    fewest. slower_states: how many states there are, winning and losing, from which a winner who takes the most needs
    longer than the quickest winner; largest_is_quickest: whether there are none.
    """

    largest_lengths: tuple[Length, ...]
    smallest_lengths: tuple[Length, ...]
    slower_states: int
    largest_is_quickest: bool


def measure_speed(moves: WinningMoves, losing: Sequence[State], resistance: Resistance) -> Speed:
    """The lengths of games against this resistance, and where taking the most pennies is not the quickest way."""
    best = game_lengths(moves, losing, quickest, resistance)
    most = game_lengths(moves, losing, largest, resistance)
    winning = moves.of(*np.nonzero(np.triu(moves.pennies.max(axis=0))))
    replies = Counter(zip(largest(winning), quickest(winning, best), strict=True))
    slower = sum(states for (m, q), states in replies.items() if most[m] > best[q])
    slower += sum(m > q for m, q in zip(most, best, strict=True))
    return Speed(most, game_lengths(moves, losing, smallest, resistance), slower, slower == 0)


@dataclass(frozen=True)
class Choice:
    """How often the winner has a choice, over the states (a, b) with a <= b of the table.

    winning_states: those from which the player to move wins. several: those with winning moves to two or three
    different states. ties: those in which two winning moves take the most pennies; ties_leave_the_same: whether both
    then always leave the same piles. smaller_pile_best: those in which a move from the smaller pile alone takes as
    many pennies as any winning move.

    widest: the state in which taking the most saves most moves against a stubborn loser. most, fewest: its winning
    moves by pennies; length_most, length_fewest: the moves until the game then ends, this first one included.
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


def measure_choice(moves: WinningMoves, against_stubborn: Speed) -> Choice:
    """How often the winner has a choice, and where it matters most against a stubborn loser."""
    a, b = np.nonzero(np.triu(moves.pennies.any(axis=0)))
    most, fewest = largest(moves.of(a, b)), smallest(moves.of(a, b))
    length = np.array(against_stubborn.largest_lengths)
    at = int((length[fewest] - length[most]).argmax())
    widest = int(a[at]), int(b[at])
    by_pennies = sorted(winning_moves(*widest), key=sum)
    tied = np.nonzero(np.triu(_is_tie(moves)))
    tie = moves.of(*tied)
    smaller = np.triu(moves.pennies[0], k=1)
    return Choice(
        winning_states=len(most),
        several=int((most != fewest).sum()),
        ties=tuple(zip(*(x.tolist() for x in tied), strict=True)),
        ties_leave_the_same=bool((tie.rank == largest(tie))[tie.pennies == tie.pennies.max(axis=0)].all()),
        smaller_pile_best=int(((smaller > 0) & (smaller == moves.pennies.max(axis=0))).sum()),
        widest=widest,
        most=by_pennies[-1],
        fewest=by_pennies[0],
        length_most=1 + int(length[most[at]]),
        length_fewest=1 + int(length[fewest[at]]),
    )
