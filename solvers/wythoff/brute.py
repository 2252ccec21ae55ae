"""Wythoff's game by its rules alone: every line of play, plain counting, and sums of Fibonacci numbers.

Shares nothing with the solution: no table of marks, no square root, no bit masks. Slow, so for small cases.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Winning:
    """A winning move: pennies in all, what is taken from a and from b, and the rank of the losing state it leaves."""

    pennies: int
    taken: Pair
    rank: int


def winning_in_reach(size: int) -> dict[Pair, list[Winning]]:
    """The winning moves from each state with piles to `size`, by putting pennies back onto every losing state."""
    moves: dict[Pair, list[Winning]] = defaultdict(list)
    losing = sorted((a, b) for a, b in by_exclusion(size).items() if a <= b)
    for rank, state in enumerate(losing):
        for a, b in {state, state[::-1]}:
            for n in range(1, size + 1):
                for x, y in ((n, 0), (0, n), (n, n)):
                    if max(a + x, b + y) <= size:
                        moves[a + x, b + y].append(Winning(x + y, (x, y), rank))
    return moves


def lengths_of_games(moves: dict[Pair, list[Winning]], size: int) -> dict[str, list[Fraction]]:
    """Moves to the end of the game from each losing state with piles to `size`, by who resists and how one replies.

    "stubborn" and "random" losers; the winner takes "most" or "fewest" pennies. By trying every move of the loser.
    """
    losing = sorted((a, b) for a, b in by_exclusion(size).items() if a <= b)
    lengths: dict[str, list[Fraction]] = {name: [] for name in ("stubborn most", "stubborn fewest", "random most")}
    lengths["random fewest"] = []
    for state in losing:
        replies = [moves[left] for left in reached(*state)]
        for name, known in lengths.items():
            pick = max if name.endswith("most") else min
            after = Counter(pick(reply, key=lambda move: move.pennies).rank for reply in replies)
            if name.startswith("stubborn"):
                known.append(max((2 + known[rank] for rank in after), default=Fraction(0)))
            else:
                mean = sum((known[rank] * n for rank, n in after.items()), Fraction(0)) / max(len(replies), 1)
                known.append(mean + 2 if replies else Fraction(0))
    return lengths


def fibonacci_sums(most: int) -> dict[int, tuple[int, ...]]:
    """Every sum, to `most`, of different Fibonacci numbers no two of which are neighbours: sum -> parts, largest first.

    All sums are written down; no two are the same number.
    """
    numbers = [1, 2]
    while numbers[-1] <= most:
        numbers.append(numbers[-1] + numbers[-2])
    sums: list[tuple[tuple[int, ...], int]] = [((), -2)]  # parts, and the place of the largest
    for place, number in enumerate(numbers):
        sums += [((number, *parts), place) for parts, last in sums if last < place - 1]
    return {sum(parts): parts for parts, _ in sums if 0 < sum(parts) <= most}


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
