"""The picture of the game: two piles of pennies, and what a move may take."""

from typing import Any

from site_builder.contract import Drawing, Look
from solvers.common.coins import arrow, board, coin, words

MOST_DRAWN = 45  # pennies of a pile; a larger one has its number below


def figure_picture(total_min: int, look: Look) -> Drawing:
    """The smallest total, divided into a third and the rest."""
    a = max(total_min // 3, 1)
    b = total_min - a
    return Drawing(
        _piles(a, b, look).figure,
        title="Two piles of pennies",
        data={"pennies": total_min},
        caption=f"{total_min} pennies, divided into {a} and {b}. A move takes any number from one pile, or the same "
        "number from both.",
        alt=f"Two piles of coins, of {a} and of {b}, and the three kinds of moves: from the one "
        "pile, from the other, or the same number from both.",
    )


def _piles(left: int, right: int, look: Look) -> Any:
    """A pile to the left and one to the right, each in rows, with arrows for the moves between and beside them."""
    axes = board(look)
    for middle, number in ((5.0, left), (19.0, right)):
        _pile(axes, look, middle, number)
        words(axes, look, middle, 0.7, str(number))
    for x in (2.0, 22.0):
        arrow(axes, look, (x, 4.0), (x, 6.4))
        words(axes, look, 3.0 if x < 12 else 21.0, 7.2, "from one")
    arrow(axes, look, (8.9, 4.0), (10.9, 6.3))
    arrow(axes, look, (15.1, 4.0), (13.1, 6.3))
    words(axes, look, 12, 7.2, "the same from both")
    return axes


def _pile(axes: Any, look: Look, middle: float, number: int) -> None:
    drawn, row = min(number, MOST_DRAWN), 1
    while row * (row + 1) // 2 < drawn:
        row += 1
    radius = min(0.62, 2.5 / row)
    y = 1.6 + radius
    while drawn > 0:
        here = min(row, drawn)
        for n in range(here):
            coin(axes, look, middle + (2 * n - here + 1) * radius, y, 0.94 * radius)
        drawn, row, y = drawn - here, row - 1, y + 1.74 * radius
