"""The row without its peaks: three neighbours a <= b >= c are worth as much as one coin of a - b + c.

At an end of the row, one player takes a, the other takes b, and the first takes c. That brings the first player
a - b + c, and the other one is to move, as after taking a single coin of that value. That no other moves are better is
proved in content/posts/a-row-of-coins.md. A row without peaks falls and then rises, so the largest coin is at an end,
and both players take the larger end: the coins in order, by turns.
"""

from fractions import Fraction
from typing import Any

from solvers.notorious_coins.rules import Row

Block = tuple[int, Fraction]  # how many coins of the row it stands for, and what it is worth


def without_peaks(row: Row) -> dict[str, Any]:
    """The row as its peaks are taken out, and the lead of the player to move.

    rounds: the rows, from the whole one to the one without peaks. Of each: coins, how many coins each entry stands for,
    and worth. in_order: the last row, from the largest entry down; lead: its first entry less the second plus the third
    and so on. end: the larger end of the last row, which is an end that is best in the whole row.
    """
    rounds = [[(1, coin) for coin in row]]
    while len(shorter := _merged(rounds[-1])) < len(rounds[-1]):
        rounds.append(shorter)
    last = [worth for _, worth in rounds[-1]]
    in_order = sorted(last, reverse=True)
    return {
        "rounds": [{"coins": [n for n, _ in each], "worth": [worth for _, worth in each]} for each in rounds],
        "in_order": in_order,
        "lead": sum(in_order[::2]) - sum(in_order[1::2]),
        "end": "either" if last[0] == last[-1] else "left" if last[0] > last[-1] else "right",
    }


def _merged(blocks: list[Block]) -> list[Block]:
    """Each peak as one block, from left to right; peaks that share a block wait for the next round."""
    after, place = list[Block](), 0
    while place < len(blocks):
        coins, worth = zip(*blocks[place : place + 3], strict=True)
        is_peak = len(worth) == 3 and worth[0] <= worth[1] >= worth[2]
        after.append((sum(coins), worth[0] - worth[1] + worth[2]) if is_peak else blocks[place])
        place += 3 if is_peak else 1
    return after
