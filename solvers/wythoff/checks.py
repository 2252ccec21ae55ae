"""The answers by methods that share only the rules with `solve`."""

from collections import defaultdict
from collections.abc import Collection
from functools import cache
from typing import Any

import numpy as np

from solvers.wythoff.rules import Move, State, after, legal_moves, states_after

BRUTE_PILE = 21  # brute force plays through every state with piles to this
LARGEST_MAP = 300
PROBES = 200
SEED = 20
EXAMPLES = ((75, 90), (8, 14), (9, 10), (2, 3))

RankByMove = dict[Move, int]
"""The winning moves of a state, and the rank of the losing state that each leaves: 0 for (0, 0), 1 for the next, ..."""


@cache
def wins(a: int, b: int) -> bool:
    """True when some move leaves a state in which the opponent, now to move, loses: Bellman's equation as it stands."""
    return any(not wins(*state) for state in states_after(a, b))


def check_every_line_of_play(max_pile: int) -> dict[str, Any]:
    """Every line of play from every state with small piles"""
    piles = range(min(BRUTE_PILE, max_pile) + 1)
    value = {(a, b): 1 if wins(a, b) else -1 for a in piles for b in piles}
    return {"value": value, "first_trap_leaves": states_after(1, 2)}


def losing_pairs(largest: int) -> list[State]:
    """The losing states (a, b) with a <= b <= largest, the k-th with the smallest unused number a and b = a + k."""
    pairs: list[State] = []
    used: set[int] = set()
    low = 0
    while low + len(pairs) <= largest:
        pairs.append((low, low + len(pairs)))
        used.update(pairs[-1])
        while low in used:
            low += 1
    return pairs


def check_smallest_unused(max_pile: int) -> dict[str, Any]:
    """Each losing state is the smallest unused number beside one that is further away by one more"""
    return {"losing_states": losing_pairs(max_pile)}


def check_golden_ratio(max_pile: int) -> dict[str, Any]:
    """x^2 - k x - k^2 changes its sign at x = k phi, by the equation of the golden ratio"""
    states, a = [], 0
    for k in range(len(losing_pairs(max_pile))):
        while (a + 1) ** 2 - (a + 1) * k - k * k <= 0:
            a += 1
        states.append((a, a + k))
    return {"golden_states": states}


def shifted(number: int, places: int) -> int:
    """The sum of the number's Fibonacci parts, each replaced by the Fibonacci number one or two places up."""
    fibonacci = [1, 2, 3]
    while fibonacci[-1 - places] <= number:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    total = 0
    for place in reversed(range(len(fibonacci) - places)):
        if fibonacci[place] <= number:
            number -= fibonacci[place]
            total += fibonacci[place + places]
    return total


def check_shifted_fibonacci(total_min: int, total_max: int) -> dict[str, Any]:
    """Totals by Fibonacci parts shifted: a_k is k - 1 one place up and one more; a_k + b_k is a_k two places up"""
    totals = range(total_min, total_max + 1)
    lows = [shifted(k - 1, 1) + 1 for k in range(1, totals.stop)]
    splits = {shifted(low, 2): (low, shifted(low, 2) - low) for low in lows}
    return {
        "losing_totals": tuple(t for t in splits if t in totals),
        "losing_splits": tuple(split for t, split in splits.items() if t in totals),
        "winning_totals": tuple(t for t in totals if t not in splits),
    }


def check_far_state() -> dict[str, Any]:
    """Fibonacci parts shifted one place, for k = 10^15"""
    k = 10**15
    low = shifted(k - 1, 1) + 1
    return {"far_index": k, "far_state": (low, shifted(low, 1))}


def check_counts(total_min: int, total_max: int) -> dict[str, Any]:
    """All totals to T together have floor(T^2 / 4) divisions"""
    return {"n_divisions": total_max**2 // 4 - (total_min - 1) ** 2 // 4}


def fibonacci_sums(most: int) -> dict[int, tuple[int, ...]]:
    """Every sum, to `most`, of different Fibonacci numbers no two of which are neighbours: sum -> parts, largest first.

    All sums are written down; no two are the same number.
    """
    sums: dict[int, tuple[int, ...]] = {0: ()}
    previous, number = 1, 1
    while number <= most:
        sums |= {total + number: (number, *parts) for total, parts in sums.items() if max(parts, default=0) < previous}
        previous, number = number, previous + number
    return {total: parts for total, parts in sorted(sums.items()) if 0 < total <= most}


def check_fibonacci_sums(total_min: int, total_max: int, max_pile: int) -> dict[str, Any]:
    """Every sum of Fibonacci numbers, no two of them neighbours, written down once"""
    most = max(max_pile, total_max)
    sums = fibonacci_sums(most)
    losing = {sum(pair) for pair in losing_pairs(most)}
    every_second = [total for total, parts in sums.items() if len(parts) == 1][2::2]
    return {
        "fibonacci_parts": [sums[total] for total in range(total_min, total_max + 1)],
        "losing_fibonacci": [total for total, parts in sums.items() if len(parts) == 1 and total in losing],
        "fibonacci_rule_holds": all((parts[-1] in every_second) == (t in losing) for t, parts in sums.items()),
    }


def check_grundy_values(max_pile: int) -> dict[str, Any]:
    """State after state the smallest number missing in the row, the column and the diagonal"""
    size = min(max_pile, LARGEST_MAP)
    values = np.zeros((size + 1, size + 1), dtype=int)
    lines, diagonals = [0] * (size + 1), [0] * (size + 1)  # bits: the values of each row or column, of each diagonal
    for a in range(size + 1):
        for b in range(a, size + 1):
            seen = lines[a] | lines[b] | diagonals[b - a]
            bit = ~seen & (seen + 1)
            values[a, b] = values[b, a] = bit.bit_length() - 1
            lines[a] |= bit
            lines[b] |= bit
            diagonals[b - a] |= bit
    drawn = np.random.default_rng(SEED).integers(0, size + 1, size=(PROBES, 2)).tolist()
    return {"grundy": values if size == max_pile else {(a, b): values[a, b] for a, b in drawn}}


def best_by_trial(a: int, b: int) -> list[Move]:
    """The winning moves that take the most pennies, by trying every legal move."""
    pairs = losing_pairs(max(a, b))
    winning = [move for move in legal_moves(a, b) if tuple(sorted(after(a, b, move))) in pairs]
    return [move for move in winning if sum(move) == max(map(sum, winning))]


def check_examples() -> dict[str, Any]:
    """Every legal move tried in each state; in the game the opponent takes one penny from the larger pile"""
    examples, turns, state = [], list[dict[str, Any]](), (3, 7)
    for a, b in EXAMPLES:
        taken, *others = best_by_trial(a, b)
        examples.append({"a": a, "b": b, "taken": taken, "left": after(a, b, taken), "others": tuple(others)})
    while state != (0, 0):
        (a, b), yours = state, len(turns) % 2 == 0
        taken = best_by_trial(a, b)[0] if yours else (int(a > b), int(a <= b))
        turns.append({"before": state, "player": "you" if yours else "the opponent", "taken": taken})
        turns[-1]["left"] = state = after(a, b, taken)
    return {"examples": examples, "example_game": turns}


@cache
def moves_backwards(size: int) -> dict[State, RankByMove]:
    """The winning moves from each state a <= b with piles to `size`, by pennies put back onto every losing state."""
    moves: dict[State, RankByMove] = defaultdict(dict)
    for rank, pair in enumerate(losing_pairs(size)):
        for a, b in {pair, pair[::-1]}:
            for n in range(1, size + 1 - min(a, b)):
                for x, y in ((n, 0), (0, n), (n, n)):
                    if a + x <= b + y <= size:
                        moves[a + x, b + y][x, y] = rank
    return moves


def best_of(winning: RankByMove) -> list[Move]:
    """The winning moves that take the most pennies."""
    most = max(map(sum, winning))
    return [move for move in winning if sum(move) == most]


def code_of(best: Collection[Move]) -> int:
    """1 from the smaller pile, which is a, 2 from the larger, 3 from both, 4 several."""
    if len(best) > 1:
        return 4
    ((x, y),) = best
    return 3 if x and y else 1 if x else 2


def check_pennies_put_back(max_pile: int) -> dict[str, Any]:
    """Pennies put back onto every losing state"""
    size = min(max_pile, LARGEST_MAP)
    values, codes = np.full((size + 1, size + 1), -1), np.zeros((size + 1, size + 1), dtype=int)
    for (a, b), winning in moves_backwards(size).items():
        values[a, b] = values[b, a] = 1
        codes[a, b] = codes[b, a] = code_of(best_of(winning))
    return {"map_size": len(values) - 1, "value": values, "best_move": codes}


def check_quickest(max_pile: int) -> dict[str, Any]:
    """Every move of the loser from every losing state, answered in the quickest of all ways to win"""
    size = min(max_pile, LARGEST_MAP)
    moves, lengths = moves_backwards(size), [0]
    for pair in losing_pairs(size)[1:]:
        replies = {frozenset(moves[min(left), max(left)].values()) for left in states_after(*pair)}
        lengths.append(2 + max(min(lengths[rank] for rank in ranks) for ranks in replies))
    slower = 0
    for winning in moves.values():
        most = max(winning, key=sum)
        slower += any(lengths[rank] < lengths[winning[most]] for rank in winning.values())
    return {"longest_games": lengths, "slower_states": slower}
