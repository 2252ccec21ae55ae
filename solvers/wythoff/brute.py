"""Wythoff's game by its rules alone: every line of play, plain counting, and sums of Fibonacci numbers.

Shares nothing with the solution: no table of marks, no square root, no bit masks. Slow, so for small cases.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

Pair = tuple[int, int]


def reached(a: int, b: int) -> Iterator[Pair]:
    """The states that the legal moves from (a, b) lead to."""
    for x in range(1, a + 1):
        yield a - x, b
    for y in range(1, b + 1):
        yield a, b - y
    for z in range(1, min(a, b) + 1):
        yield a - z, b - z


@cache
def wins(a: int, b: int) -> bool:
    """Whether the player to move wins, by trying every line of play."""
    return any(not wins(*sorted(state)) for state in reached(a, b))


def by_exclusion(largest: int) -> dict[int, int]:
    """The other pile of the losing state that each pile belongs to, for losing states with piles to `largest`.

    Each losing state is the smallest number not yet used and the one that is k larger, for k = 0, 1, 2, ...
    """
    beside: dict[int, int] = {}
    low = difference = 0
    while low + difference <= largest:
        beside[low], beside[low + difference] = low + difference, low
        difference += 1
        while low in beside:
            low += 1
    return beside


def shifted(number: int, places: int) -> int:
    """Every Fibonacci part of the number moved up by so many places."""
    f, g, total = 1, 2, 0
    while g <= number:
        f, g = g, f + g
    while number:
        if f <= number:
            number -= f
            up, after = f, g
            for _ in range(places):
                up, after = after, up + after
            total += up
        f, g = g - f, f
    return total


def largest_wins(a: int, b: int, beside: dict[int, int]) -> list[tuple[int, Pair, Pair]]:
    """The winning moves that take the most: pennies, what is taken and what is left, by trying every legal move."""
    left = [(c, d) for c, d in reached(a, b) if beside.get(c) == d]
    moves = [(a - c + b - d, (a - c, b - d), (c, d)) for c, d in left]
    return [move for move in moves if move[0] == max(moves)[0]]


def ranks_in_reach(size: int) -> dict[Pair, set[int]]:
    """The losing states that one move reaches from each state (a, b), a <= b, by putting pennies back onto them."""
    ranks: dict[Pair, set[int]] = defaultdict(set)
    losing = sorted((a, b) for a, b in by_exclusion(size).items() if a <= b)
    for k, (a, b) in enumerate(losing):
        more = range(1, size + 1)
        states = [(a + x, b) for x in more] + [(a, b + y) for y in more] + [(a + z, b + z) for z in more]
        for x, y in states:
            if max(x, y) <= size:
                ranks[min(x, y), max(x, y)].add(k)
    return ranks


@cache
def wins_beside_nim(a: int, b: int, heap: int) -> bool:
    """Whether the player to move wins the two piles and a Nim heap, played side by side, by every line of play."""
    moved = any(not wins_beside_nim(*sorted(state), heap) for state in reached(a, b))
    return moved or any(not wins_beside_nim(a, b, h) for h in range(heap))


@cache
def longest(a: int, b: int) -> int:
    """Moves to the end when a loser drags the game out and a winner hurries, both as well as possible."""
    options = [tuple(sorted(state)) for state in reached(a, b)]
    if not options:
        return 0
    if wins(a, b):
        return 1 + min(longest(*state) for state in options if not wins(*state))
    return 1 + max(longest(*state) for state in options)


@cache
def mean_length(a: int, b: int, fewest: bool = False) -> Fraction:
    """Mean moves to the end against a loser who moves at random, by the winner's best choice in every state.

    With `fewest` the winner always takes as few pennies as still wins.
    """
    options = [tuple(sorted(state)) for state in reached(a, b)]
    if not wins(a, b):
        return 1 + sum((mean_length(*s, fewest) for s in options), Fraction(0)) / len(options) if b else Fraction(0)
    won = [state for state in options if not wins(*state)]
    if fewest:
        return 1 + mean_length(*max(won, key=sum), fewest)
    return 1 + min(mean_length(*state) for state in won)
