"""Best moves, choices and lengths of games by methods that share only the rules with `solve`."""

from collections import Counter, defaultdict
from collections.abc import Collection
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from site_builder.contract import one_of
from solvers.wythoff.checks import LARGEST_MAP, losing_in_both_orders, losing_pairs
from solvers.wythoff.rules import Move, State, states_after

EXAMPLES = ((75, 90), (8, 14), (9, 10), (2, 3))

RankByMove = dict[Move, int]
"""The winning moves of a state, and the rank of the losing state that each leaves: 0 for (0, 0), 1 for the next, ..."""


def best_by_trial(a: int, b: int, losing: Collection[State]) -> dict[Move, State]:
    """The winning moves that take the most pennies, and the states they leave, by trying every legal move."""
    left = [state for state in states_after(a, b) if state in losing]
    return {(a - c, b - d): (c, d) for c, d in left if c + d == min(map(sum, left))}


def check_examples() -> dict[str, Any]:
    """Every legal move tried in each state; in the game the opponent takes one penny from the larger pile"""
    losing = losing_in_both_orders(90)
    examples = []
    for a, b in EXAMPLES:
        (taken, left), *others = best_by_trial(a, b, losing).items()
        examples.append({"a": a, "b": b, "taken": taken, "left": left, "others": tuple(move for move, _ in others)})
    turns: list[dict[str, Any]] = []
    state = (3, 7)
    while state != (0, 0):
        (a, b), yours = state, len(turns) % 2 == 0
        one_penny = {(1, 0): (a - 1, b)} if a > b else {(0, 1): (a, b - 1)}
        taken, left = next(iter((best_by_trial(a, b, losing) if yours else one_penny).items()))
        turns.append({"before": state, "player": "you" if yours else "the opponent", "taken": taken, "left": left})
        state = left
    return {"examples": examples, "example_game": turns}


def code_of(a: int, b: int, best: Collection[Move]) -> int:
    """0 losing, 1 from the smaller pile, 2 from the larger, 3 from both, 4 several."""
    if len(best) != 1:
        return 4 if best else 0
    ((x, y),) = best
    return 3 if x and y else 1 if (x > 0) == (a < b) else 2


@cache
def moves_backwards(size: int) -> dict[State, RankByMove]:
    """The winning moves from each state with piles to `size`, by putting pennies back onto every losing state."""
    moves: dict[State, RankByMove] = defaultdict(dict)
    for rank, pair in enumerate(losing_pairs(size)):
        for a, b in {pair, pair[::-1]}:
            for n in range(1, size + 1):
                for x, y in ((n, 0), (0, n), (n, n)):
                    if max(a + x, b + y) <= size:
                        moves[a + x, b + y][x, y] = rank
    return moves


def best_of(winning: RankByMove) -> list[Move]:
    """The winning moves that take the most pennies."""
    return [move for move in winning if sum(move) == max(map(sum, winning))]


def check_pennies_put_back(max_pile: int) -> dict[str, Any]:
    """Pennies put back onto every losing state; a stubborn loser passes through every earlier losing state"""
    size = min(max_pile, LARGEST_MAP)
    moves = moves_backwards(size)
    values, codes = np.full((size + 1, size + 1), -1), np.zeros((size + 1, size + 1), dtype=int)
    for (a, b), winning in moves.items():
        values[a, b], codes[a, b] = 1, code_of(a, b, best_of(winning))
    return {"value": values, "best_move": codes, "choice": choices(size)}


def choices(size: int) -> dict[str, Any]:
    """The record `choice` of the result.

    Two moves are equally good in the states (b, b + k) where b is the larger pile of the k-th losing state. A stubborn
    loser makes 2 moves last for each losing state, so the choice saves twice the span of the ranks.
    """
    moves = {(a, b): winning for (a, b), winning in moves_backwards(size).items() if a <= b}
    spans = {state: max(winning.values()) - min(winning.values()) for state, winning in moves.items()}
    ties = [(b, b + b - a) for a, b in losing_pairs(size)[1:] if b + b - a <= size]
    widest = min(spans, key=lambda state: (-spans[state], state))
    fewest = min(map(sum, moves[widest]))
    return {
        "winning_states": len(moves),
        "several": sum(span > 0 for span in spans.values()),
        "ties": ties,
        "ties_leave_the_same": all(len({moves[state][move] for move in best_of(moves[state])}) == 1 for state in ties),
        "smaller_pile_best": sum(any(x and not y for x, y in best_of(moves[a, b])) for a, b in moves if a < b),
        "widest": widest,
        "most": one_of(*best_of(moves[widest])),
        "fewest": one_of(*(move for move in moves[widest] if sum(move) == fewest)),
        "length_most": 1 + 2 * min(moves[widest].values()),
        "length_fewest": 1 + 2 * max(moves[widest].values()),
    }


def quickest_lengths(size: int, is_random: bool) -> list[Fraction]:
    """Moves to the end from each losing state with piles to `size` when the winner makes the quickest winning move."""
    moves, lengths = moves_backwards(size), [Fraction(0)]
    for pair in losing_pairs(size)[1:]:
        replies = Counter(frozenset(moves[left].values()) for left in states_after(*pair))
        rest = {ranks: 2 + min(lengths[rank] for rank in ranks) for ranks in replies}
        mean = sum((n * rest[ranks] for ranks, n in replies.items()), Fraction(0)) / sum(replies.values())
        lengths.append(mean if is_random else max(rest.values()))
    return lengths


def speed_of_most(size: int, is_random: bool) -> dict[str, Any]:
    """The record of the result, by the quickest way to win; in how many states taking the most pennies is slower."""
    lengths = quickest_lengths(size, is_random)
    slower = 0
    for (a, b), winning in moves_backwards(size).items():
        most = winning[best_of(winning)[0]]
        slower += a <= b and any(lengths[rank] < lengths[most] for rank in winning.values())
    return {"largest_lengths": lengths, "slower_states": slower, "largest_is_quickest": slower == 0}


def check_quickest(max_pile: int) -> dict[str, Any]:
    """Every move of both losers from every losing state, answered in the quickest of all ways to win"""
    size = min(max_pile, LARGEST_MAP)
    stubborn = speed_of_most(size, is_random=False)
    drawn_out = all(length == 2 * rank for rank, length in enumerate(stubborn["largest_lengths"]))
    return {"stubborn": stubborn, "random": speed_of_most(size, is_random=True), "stubborn_visits_all": drawn_out}
