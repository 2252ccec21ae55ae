"""The pictures: two piles of pennies and what a move may take; the multiples of the golden ratio on a line."""

from collections.abc import Sequence
from math import sqrt

from matplotlib.figure import Figure

from site_builder.contract import Drawing, Look
from solvers.common.canvas import BLUE, RED, Canvas, Place
from solvers.wythoff.rules import State

PHI = (1 + sqrt(5)) / 2
LAST = 10  # whole number on the line of multiples
MOST_DRAWN = 45  # pennies of a pile; a larger one has its number below


def figure_picture(total_min: int, look: Look) -> Drawing:
    """The smallest total, divided into a third and the rest."""
    a = max(total_min // 3, 1)
    b = total_min - a
    return Drawing(
        _piles(a, b, look),
        title="Two piles of pennies",
        data={"pennies": total_min},
        caption=f"{total_min} pennies, divided into {a} and {b}. A move takes any number from one pile, or the same "
        "number from both.",
        alt=f"Two piles of coins, of {a} and of {b}, and the three kinds of moves: from the one "
        "pile, from the other, or the same number from both.",
    )


def figure_marks(golden_states: Sequence[State], look: Look) -> Drawing:
    """The multiples of the golden ratio above a line, and those of its square below."""
    canvas = Canvas(look)
    canvas.lines([(0.6, 4.2), (23.6, 4.2)], *([(_across(n), 4.0), (_across(n), 4.4)] for n in range(LAST + 1)))
    for n in range(LAST + 1):
        canvas.words(_across(n) + _aside(n), 3.4, str(n))
    rows = [[pair[kind] for pair in golden_states[1:] if pair[kind] <= LAST] for kind in (0, 1)]
    _multiples(canvas, PHI, len(rows[0]), (5.3, 6.4), RED)
    _multiples(canvas, PHI**2, len(rows[1]), (2.5, 1.6), BLUE)
    canvas.words(12, 7.5, "multiples of φ")
    canvas.words(9.2, 0.5, "multiples of φ²")
    above, below = (", ".join(map(str, row)) for row in rows)
    return Drawing(
        canvas.figure,
        title="From 1 on, one mark in each gap",
        data={"whole parts of multiples of phi": rows[0], "whole parts of multiples of phi squared": rows[1]},
        caption="Multiples of the golden ratio above the line, and of its square below it, to one decimal.",
        alt=f"A line from 0 to {LAST} with marks: their whole parts are {above} above it, and {below} below it.",
    )


def _across(value: float) -> float:
    return 1.0 + 2.08 * value


def _aside(n: int) -> float:
    """How far the number n stands beside its place, where a pin below the line is too near."""
    pin = round(n / PHI**2) * PHI**2
    return 0 if n == 0 or abs(pin - n) > 0.3 else 0.35 if pin < n else -0.35


def _multiples(canvas: Canvas, step: float, number: int, heights: tuple[float, float], face: str) -> None:
    """Marks of the first multiples of `step`. heights: of the marks and of their numbers."""
    multiples = [k * step for k in range(1, number + 1)]
    places = [(_across(multiple), heights[0]) for multiple in multiples]
    canvas.lines(*([(x, 4.2), (x, y)] for x, y in places), width=0.8, zorder=0)
    canvas.coins(places, 0.4, faces=face)
    for (x, _), multiple in zip(places, multiples, strict=True):
        canvas.words(x, heights[1], f"{multiple:.1f}")


def _piles(left: int, right: int, look: Look) -> Figure:
    """A pile to the left and one to the right, each in rows, with arrows for the moves from their lowest pennies."""
    canvas = Canvas(look)
    for middle, number, outwards in ((5.0, left, -1), (19.0, right, 1)):
        row, radius = _rows(number)
        canvas.coins(_pile(middle, number), 0.94 * radius)
        canvas.words(middle, 0.7, str(number))
        aside, start = (row - 1) * radius, 1.6 + 2 * radius
        canvas.arrow((middle + outwards * aside, start), (12 + outwards * 9.6, 6.4))
        canvas.arrow((middle - outwards * aside, start), (12 + outwards * 1.1, 6.3))
        canvas.words(12 + outwards * 9, 7.2, "from one")
    canvas.words(12, 7.2, "the same from both")
    return canvas.figure


def _pile(middle: float, number: int) -> list[Place]:
    """The places of the pennies of a pile, from the lowest row up."""
    left, (row, radius), places = min(number, MOST_DRAWN), _rows(number), list[Place]()
    y = 1.6 + radius
    while left > 0:
        here = min(row, left)
        places += [(middle + (2 * n - here + 1) * radius, y) for n in range(here)]
        left, row, y = left - here, row - 1, y + 1.74 * radius
    return places


def _rows(number: int) -> tuple[int, float]:
    """The pennies in the lowest row of a pile, and the radius of each."""
    drawn, row = min(number, MOST_DRAWN), 1
    while row * (row + 1) // 2 < drawn:
        row += 1
    return row, min(0.62, 2.5 / row)
