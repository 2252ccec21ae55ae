"""The game by its rules: what can happen on a stretch of the row. `solve`, the checks and `game` share them."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from site_builder.contract import rules

LEFT, RIGHT, EITHER = 0, 1, 2  # ends of a stretch; EITHER where both are equally good
HIT, MISS, NEITHER = (1, 0), (0, 1), (0, 0)  # what a move adds to the hits and misses that were seen

Row = tuple[Fraction, ...]
Stretch = tuple[int, int]  # first and last coin, counted from 1; empty where first > last
Verdict = tuple[int, int]  # HIT, MISS or NEITHER
Aim = Callable[[Stretch], int]  # the end of perfect play, which the opponent aims for


@rules
def without(stretch: Stretch, end: int) -> Stretch:
    """What is left of a stretch when the coin at that end is gone."""
    first, last = stretch
    return (first, last - 1) if end == RIGHT else (first + 1, last)


@rules
def greedy_end(row: Row, stretch: Stretch, looks_ahead: int) -> int:
    """The end that a greedy player takes: the one with the larger coin, the left of two equal ones.

    looks_ahead: 1 for a player who compares each coin less the larger one that it lays open, else 0.
    """

    def gain(end: int) -> Fraction:
        first, last = without(stretch, end)
        opened = max(row[first - 1], row[last - 1]) if first <= last else Fraction(0)
        return row[stretch[end] - 1] - looks_ahead * opened

    return RIGHT if gain(RIGHT) > gain(LEFT) else LEFT


@rules
def replies(stretch: Stretch, aim: Aim) -> list[tuple[Verdict, int, Stretch]]:
    """What an opponent who hits or misses the end aimed at may leave: verdict, how often out of 2 after it, stretch.

    Of two equally good ends each is taken half of the time, which tells you nothing.
    """
    if stretch[0] > stretch[1]:
        return [(NEITHER, 2, stretch)]
    if (end := aim(stretch)) == EITHER:
        return [(NEITHER, 1, without(stretch, LEFT)), (NEITHER, 1, without(stretch, RIGHT))]
    return [(HIT, 2, without(stretch, end)), (MISS, 2, without(stretch, 1 - end))]


@rules
def moves_of(row: Row, ends: Sequence[int]) -> list[dict[str, Any]]:
    """The moves of a game in which these ends are taken in turn; you move first.

    Of each: the coin and its end (left, right, or only for a single coin), the coins at both ends before the move, and
    what you and the opponent hold after it.
    """
    moves: list[dict[str, Any]] = []
    left, held = (1, len(row)), [Fraction(0), Fraction(0)]
    for turn, end in enumerate(ends):
        first, last = (row[number - 1] for number in left)
        held[turn % 2] += (coin := last if end == RIGHT else first)
        name = "only" if left[0] == left[1] else ("left", "right")[end]
        coins = {"end": name, "coin": coin, "first_coin": first, "last_coin": last}
        moves.append(coins | {"my_total": held[0], "their_total": held[1]})
        left = without(left, end)
    return moves
