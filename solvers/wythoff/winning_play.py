"""How long a game lasts that the winner cannot lose: is the winning move that takes the most pennies the fastest?

The player who is losing resists in one of two ways: `stubborn` makes the game as long as possible, `random` takes
any legal move with equal chance. The winner answers by the `quickest` winning move (the fewest moves to come against
that resistance), the `largest` (most pennies) or the `smallest`. Lengths count the moves of both players.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from solvers.wythoff.game import State

Length = int | Fraction
States = tuple[np.ndarray, ...]  # the piles a and the piles b of many states
Reply = Callable[["WinningMoves", States, Sequence[Length]], np.ndarray]
Resistance = Callable[[np.ndarray, Sequence[Length]], Length]


@dataclass(frozen=True, eq=False)
class WinningMoves:
    """The winning moves of every state of a table with piles to n - 1, by kind: from a, from b, from both.

    pennies: shape (3, n, n), the pennies that the move takes altogether, 0 where there is no winning move of the kind.
    rank: shape (3, n, n), which losing state it leaves (0 for (0, 0), 1 for the next, ...); 0 where there is none.
    """

    pennies: np.ndarray
    rank: np.ndarray

    @property
    def largest(self) -> np.ndarray:
        """The kind of the winning move that takes the most pennies, the first of equals; shape (n, n)."""
        return np.asarray(self.pennies.argmax(axis=0))

    def of(self, states: States) -> tuple[np.ndarray, np.ndarray]:
        """The pennies and the ranks of the moves of n states; both of shape (3, n)."""
        a, b = states
        return self.pennies[:, a, b], self.rank[:, a, b]


def winning_moves_table(losing: Sequence[State], max_pile: int) -> WinningMoves:
    """The winning moves of all states with piles to `max_pile`, from the losing states with piles to `max_pile`."""
    beside = np.full(max_pile + 1, max_pile + 1)  # the other pile of the losing state; out of reach where unknown
    lower = np.full(max_pile + 1, max_pile + 1)  # the smaller pile of the losing state with a given difference
    rank_by_pile = np.zeros(max_pile + 1, dtype=int)
    rank_by_difference = np.zeros(max_pile + 1, dtype=int)
    for k, (x, y) in enumerate(losing):
        beside[x], beside[y], lower[y - x] = y, x, x
        rank_by_pile[[x, y]] = rank_by_difference[y - x] = k
    a, b = np.indices((max_pile + 1, max_pile + 1))
    pennies = np.stack([a - beside[b], b - beside[a], 2 * (np.minimum(a, b) - lower[abs(b - a)])])
    rank = np.stack([rank_by_pile[b], rank_by_pile[a], rank_by_difference[abs(b - a)]])
    return WinningMoves(np.maximum(pennies, 0), np.where(pennies > 0, rank, 0))


def quickest(moves: WinningMoves, states: States, lengths: Sequence[Length]) -> np.ndarray:
    """The rank that the winning move with the fewest moves to come leaves, for each of the states."""
    place = np.empty(len(lengths) + 1, dtype=int)
    place[sorted(range(len(lengths)), key=lengths.__getitem__)] = np.arange(len(lengths))
    place[-1] = len(lengths)  # stands for "no such move"
    pennies, rank = moves.of(states)
    kind = place[np.where(pennies > 0, rank, -1)].argmin(axis=0)
    return _chosen(rank, kind)


def largest(moves: WinningMoves, states: States, lengths: Sequence[Length] = ()) -> np.ndarray:
    """The rank that the winning move with the most pennies leaves, for each of the states."""
    _, rank = moves.of(states)
    return _chosen(rank, moves.largest[states])


def smallest(moves: WinningMoves, states: States, lengths: Sequence[Length] = ()) -> np.ndarray:
    """The rank that the winning move with the fewest pennies leaves, for each of the states."""
    pennies, rank = moves.of(states)
    kind = np.where(pennies > 0, pennies, pennies.max() + 1).argmin(axis=0)
    return _chosen(rank, kind)


def _chosen(rank: np.ndarray, kind: np.ndarray) -> np.ndarray:
    return np.asarray(np.take_along_axis(rank, kind[np.newaxis], axis=0)[0])


def stubborn(left: np.ndarray, lengths: Sequence[Length]) -> Length:
    """The longest game among the replies that may follow."""
    ranks: list[int] = np.unique(left).tolist()
    return max(lengths[rank] for rank in ranks)


def random(left: np.ndarray, lengths: Sequence[Length]) -> Length:
    """The mean length when each of the moves, and so each reply, is equally likely; exact."""
    ranks, counts = np.unique(left, return_counts=True)
    terms = (int(n) * Fraction(lengths[r]) for r, n in zip(ranks, counts, strict=True))
    return sum(terms, Fraction(0)) / len(left)


def game_lengths(
    moves: WinningMoves, losing: Sequence[State], reply: Reply, resistance: Resistance
) -> tuple[Length, ...]:
    """Moves to the end of the game from each losing state, by rank, its first move being the losing player's."""
    lengths: list[Length] = [0]
    for a, b in losing[1:]:
        left = reply(moves, _one_move_away(a, b), lengths)
        lengths.append(2 + resistance(left, lengths))
    return tuple(lengths)


def _one_move_away(a: int, b: int) -> States:
    """The states that the moves from (a, b), a <= b, lead to: from a, from b, from both."""
    to_a, to_b = np.arange(a), np.arange(b)
    return (
        np.concatenate([to_a, np.full(b, a), to_a]),
        np.concatenate([np.full(a, b), to_b, to_a + (b - a)]),
    )


@dataclass(frozen=True)
class Speed:
    """Games against one kind of resistance, over a table of states (a, b) with a <= b.

    largest_lengths: moves to the end from each losing state, by rank, when the winner always takes the most pennies.
    smallest_lengths: the same when the winner always takes the fewest.
    slower_states: how many states there are, winning and losing, from which a winner who takes the most needs longer
    than the quickest winner.
    largest_is_quickest: whether there are none.
    """

    largest_lengths: tuple[Length, ...]
    smallest_lengths: tuple[Length, ...]
    slower_states: int
    largest_is_quickest: bool


def measure(moves: WinningMoves, losing: Sequence[State], resistance: Resistance) -> Speed:
    """The lengths of games against this resistance, and where taking the most pennies is not the quickest way."""
    best = game_lengths(moves, losing, quickest, resistance)
    most = game_lengths(moves, losing, largest, resistance)
    winning = np.nonzero(np.triu(moves.pennies.max(axis=0)))
    replies = Counter(zip(largest(moves, winning, most), quickest(moves, winning, best), strict=True))
    slower = sum(states for (m, q), states in replies.items() if most[m] > best[q])
    slower += sum(m > q for m, q in zip(most, best, strict=True))
    return Speed(most, game_lengths(moves, losing, smallest, resistance), slower, slower == 0)
