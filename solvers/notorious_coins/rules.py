"""The game by its rules: what can happen on a stretch of the row. `solve`, the checks and `game` share them."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Literal

from site_builder.contract import rules

LEFT, RIGHT, EITHER = 0, 1, 2  # ends of a stretch; EITHER where both are equally good
HIT, MISS, NEITHER = (1, 0), (0, 1), (0, 0)  # what a move adds to the hits and misses that were seen

Row = tuple[Fraction, ...]
Stretch = tuple[int, int]  # first and last coin, counted from 1; empty where first > last
Verdict = tuple[int, int]  # HIT, MISS or NEITHER
Aim = Callable[[Stretch], int]  # the end of perfect play, which the opponent aims for
Slipper = Literal["opponent", "hand"]  # the player who slips; the hand is yours


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
def outcomes(stretch: Stretch, end: int, aim: Aim, slipper: Slipper) -> list[tuple[Verdict, int, int, Stretch]]:
    """All that can happen from your move to the next one, when you aim for that end.

    Each is a verdict, how often it happens out of 2 after that verdict, the coin that you get, and what is left. One
    player slips, never both: your hand or the opponent, who hits the end aimed at or misses it.
    """
    sure = slipper == "opponent" or stretch[0] == stretch[1]
    return [
        (theirs if sure else mine, halves, stretch[taken], left)
        for mine, taken in ([(NEITHER, end)] if sure else [(HIT, end), (MISS, 1 - end)])
        for theirs, halves, left in _replies(without(stretch, taken), aim, slipper == "opponent")
    ]


def _replies(stretch: Stretch, aim: Aim, slips: bool) -> list[tuple[Verdict, int, Stretch]]:
    """What the opponent may leave: of two equally good ends each is taken half of the time, and tells nothing."""
    if stretch[0] > stretch[1]:
        return [(NEITHER, 2, stretch)]
    if (end := aim(stretch)) == EITHER:
        return [(NEITHER, 1, without(stretch, LEFT)), (NEITHER, 1, without(stretch, RIGHT))]
    if slips:
        return [(HIT, 2, without(stretch, end)), (MISS, 2, without(stretch, 1 - end))]
    return [(NEITHER, 2, without(stretch, end))]


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
