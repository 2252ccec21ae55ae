"""Winning play: the best move of every state, examples, and whether taking the most pennies wins fastest.

A winning move leaves a losing state. The k-th losing state has more pennies than those before it, so the winning move
that takes the most pennies leaves the one of the lowest rank, and two moves that take equally many leave the same one.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from solvers.wythoff.rules import Move, State, after, legal_moves
from solvers.wythoff.theory import is_losing

SEVERAL = 4  # the code of a state in which two winning moves take the most pennies


def best_moves(a: int, b: int) -> list[Move]:
    """The winning moves that take the most pennies; where there are two, from a before from b before from both.

    Raises ValueError when there is none: the game is over, or (a, b) loses.
    """
    moves = [move for move in legal_moves(a, b) if is_losing(*after(a, b, move))]
    if not moves:
        reason = "the game is over" if (a, b) == (0, 0) else f"the player to move loses from ({a}, {b})"
        raise ValueError(f"there is no winning move: {reason}")
    return [move for move in moves if sum(move) == max(map(sum, moves))]


def example(a: int, b: int) -> dict[str, Any]:
    """The best move from a winning state, and further moves that take as many pennies."""
    taken, *others = best_moves(a, b)
    return {"a": a, "b": b, "taken": taken, "left": after(a, b, taken), "others": tuple(others)}


def play_out(state: State) -> tuple[dict[str, Any], ...]:
    """The game from a winning state, move by move, against one penny at a time from the larger pile."""
    turns: list[dict[str, Any]] = []
    while state != (0, 0):
        yours = len(turns) % 2 == 0
        taken = best_moves(*state)[0] if yours else ((1, 0) if state[0] > state[1] else (0, 1))
        left = after(*state, taken)
        turns.append({"before": state, "player": "you" if yours else "the opponent", "taken": taken, "left": left})
        state = left
    return tuple(turns)


def winning_ranks(losing: Sequence[State], max_pile: int) -> np.ndarray:
    """The ranks of the losing states that winning moves leave: from a, from b, from both.

    Shape (3, max_pile + 1, max_pile + 1); len(losing) where there is no winning move of that kind. losing: the losing
    states with piles to `max_pile`; the k-th of them has the difference k.
    """
    far = max_pile + 1
    beside = np.full(far, far)  # the other pile of the losing state; out of reach where unknown
    lower = np.full(far, far)  # the smaller pile of the losing state with a given difference
    for x, y in losing:
        beside[x], beside[y], lower[y - x] = y, x, x
    a, b = np.indices((far, far))
    is_move = np.stack([beside[b] < a, beside[a] < b, lower[abs(b - a)] < np.minimum(a, b)])
    return np.where(is_move, abs(np.stack([beside[b] - b, beside[a] - a, b - a])), len(losing))


def best_move_codes(ranks: np.ndarray, n_losing: int) -> np.ndarray:
    """0 losing, 1 from the smaller pile, 2 from the larger, 3 from both, `SEVERAL` for a tie; shape (n, n)."""
    kind = ranks.argmin(axis=0)
    is_b_smaller = np.tri(len(kind), k=-1, dtype=bool)
    code = np.where(kind == 2, 3, np.where(is_b_smaller, 2 - kind, 1 + kind))
    lowest = ranks.min(axis=0)
    code = np.where((ranks == lowest).sum(axis=0) > 1, SEVERAL, code)
    return np.where(lowest < n_losing, code, 0)


def longest_games(ranks: np.ndarray, losing: Sequence[State]) -> tuple[int, ...]:
    """L(k), the moves of both players to the end from the k-th losing state, the loser's first.

    L(0) = 0 and L(k) = 2 + the maximum over the loser's moves of L(j), where the winner's reply takes the most pennies
    and leaves the j-th losing state.
    """
    reply = ranks.min(axis=0)
    lengths = [0]
    for a, b in losing[1:]:
        low = np.arange(a)  # the loser takes from a, from b, from both
        left = np.concatenate([reply[low, b], reply[a, :b], reply[low, low + b - a]])
        lengths.append(2 + max(lengths[rank] for rank in np.unique(left).tolist()))
    return tuple(lengths)


def slower_states(ranks: np.ndarray, lengths: Sequence[int]) -> int:
    """How many winning states (a, b), a <= b, have a winning move to a losing state with a shorter game.

    Without any, Bellman's equation holds for the lengths, and no way to win is quicker than taking the most pennies.
    """
    length = np.array([*lengths, np.iinfo(int).max])
    return int(np.triu(length[ranks].min(axis=0) < length[ranks.min(axis=0)]).sum())
