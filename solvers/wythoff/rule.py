"""The rule of Wythoff's game as a recursion, for the checks; `solve` has the faster ways of `theory`.

A state is a pair of piles (a, b), a move a pair (pennies taken from a, pennies taken from b).
"""

from collections.abc import Iterator
from functools import cache

State = tuple[int, int]
Move = tuple[int, int]


def states_after(a: int, b: int) -> Iterator[State]:
    """The states that the legal moves from (a, b) lead to: from a, from b, from both, the fewest pennies first."""
    yield from ((a - x, b) for x in range(1, a + 1))
    yield from ((a, b - y) for y in range(1, b + 1))
    yield from ((a - z, b - z) for z in range(1, min(a, b) + 1))


@cache
def wins(a: int, b: int) -> bool:
    """Whether the player to move wins: whether some move leaves a state in which the opponent, now to move, loses."""
    return any(not wins(*state) for state in states_after(a, b))


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


def losing_in_both_orders(largest: int) -> set[State]:
    """The losing states with piles to `largest`, (b, a) beside (a, b)."""
    pairs = losing_pairs(largest)
    return {*pairs, *((b, a) for a, b in pairs)}
