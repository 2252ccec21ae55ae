"""The pictures of the game: the row of coins with its two ends marked, and the row in two colours."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, cycle, islice
from typing import Any

import numpy as np

from site_builder.contract import Drawing, Grid, Look
from solvers.common.canvas import BLUE, FACE, RED, WIDTH, Canvas
from solvers.notorious_coins.rules import Row

FEWEST_COLOURED = 6  # coins; the colours of a shorter row are seen without a picture
MOST_WIDE, MOST_NARROW = 14, 12  # places of coins; a longer row has a gap in its middle
SILVER = "#cfc8b4"  # of an unchanged coin; dark pages would turn a pure grey dark
_STOREY = 2.7  # from one row of a picture to the next

Entry = tuple[int, int, Fraction]  # the last coin and the number of those that it stands for, and its worth


def figure_picture(row: Row, total: Fraction, look: Look) -> Drawing:
    """The row as it lies on the table."""
    coins = "one coin" if len(row) == 1 else f"{len(row)} coins"
    canvas = Canvas(look)
    places, top = _coins(canvas, 3.3, row, [FACE] * len(row))
    for x in {places[0], places[-1]}:
        canvas.arrow((x, top + 0.3), (x, top + 2.5))
    canvas.words(WIDTH / 2, 0.7, "left end or right end?" if len(row) > 1 else "a single coin")
    return Drawing(
        canvas.figure,
        title="The row of coins",
        data={"value": Grid(np.array(row, dtype=float), {"coin": range(1, len(row) + 1)})},
        caption=f"A row of {coins}, worth {total} together. A turn takes the coin at the left end or at the right.",
        alt=f"A row of {coins}, from {row[0]} at the left end to {row[-1]} at the right; arrows mark both ends.",
    )


def figure_colours(row: Row, odd_coins: Fraction, even_coins: Fraction, look: Look) -> Drawing | None:
    """The row in two colours, and what is left of it after a red end is taken: both ends are blue."""
    if len(row) < FEWEST_COLOURED:
        return None
    colours = list(islice(cycle((RED, BLUE)), len(row)))
    canvas = Canvas(look)
    _coins(canvas, 6.2, row, colours)
    places, top = _coins(canvas, 3.1, row, ["", *colours[1:]])
    for x in places[1], places[-1]:
        canvas.arrow((x, 0.9), (x, 6.2 - top))
    canvas.words(WIDTH / 2, 0.7, "now both ends are blue")
    return Drawing(
        canvas.figure,
        title="Red or blue",
        data={"value": Grid(np.array([odd_coins, even_coins], dtype=float), {"colour": ["red", "blue"]})},
        caption=f"By turns red and blue: {odd_coins} on red, {even_coins} on blue. Below, the red end is gone.",
        alt=f"The row of coins, red and blue by turns; below it what is left without the red {row[0]} at the left end. "
        "Arrows mark its two ends, both of them blue.",
    )


def figure_peaks(peaks: Mapping[str, Any], look: Look) -> Drawing | None:
    """The row as its peaks are taken out, round by round."""
    rounds = [
        list(zip(accumulate(each["coins"]), each["coins"], each["worth"], strict=True)) for each in peaks["rounds"]
    ]
    last = [_number(worth) for worth in peaks["rounds"][-1]["worth"]]
    if len(rounds) == 1 or len(rounds[0]) > MOST_WIDE:
        return None
    canvas, gap = Canvas(look, _STOREY * len(rounds)), (WIDTH - 0.6) / len(rounds[0])
    for number, entries in enumerate(rounds):
        _storey(canvas, gap, _STOREY * (len(rounds) - number - 0.5), entries, rounds[number - 1] if number else [])
    return Drawing(
        canvas.figure,
        title="The peaks of the row, taken out",
        data={
            f"row {number}": Grid(np.array(each["worth"], dtype=float), {"coin": range(1, len(each["worth"]) + 1)})
            for number, each in enumerate(peaks["rounds"], start=1)
        },
        caption="Lines join the three coins of a peak to the one coin, blue, that takes their place. Silver coins are "
        "unchanged.",
        alt=f"The row of {len(rounds[0])} coins; below it, step by step, what is left when each peak has "
        f"become one coin; at the end {', '.join(last)}.",
    )


def _storey(canvas: Canvas, gap: float, y: float, entries: Sequence[Entry], above: Sequence[Entry]) -> None:
    """The coins of a round, with lines to those above that each has replaced."""
    coins = dict[float, list[tuple[float, str, str]]]()  # by radius
    for end, n, worth in entries:
        x, replaced = 0.3 + gap * (end - n / 2), [(e, m) for e, m, _ in above if end - n < e <= end and m < n]
        if replaced:
            canvas.lines(*([(0.3 + gap * (e - m / 2), y + _STOREY), (x, y)] for e, m in replaced), width=1, zorder=0)
        face = BLUE if replaced else SILVER if above else FACE
        coins.setdefault((0.55 if n > 1 else 0.44) * gap, []).append((x, _number(worth), face))
    for radius, some in coins.items():
        across, texts, faces = zip(*some, strict=True)
        canvas.coins([(x, y) for x in across], radius, texts, 0.24 * gap, faces)


def _number(worth: Fraction) -> str:
    return f"{float(worth):g}".replace("-", "\N{MINUS SIGN}")


def _coins(canvas: Canvas, y: float, row: Row, faces: Sequence[str]) -> tuple[list[float], float]:
    """Draw coins side by side in these colours, none where the colour is empty; of a long row without its middle.

    Returns the place of each, and how high coins reach.
    """
    most = MOST_WIDE if canvas.look.width > 500 else MOST_NARROW
    half = (most - 1) // 2
    shown = range(len(row)) if len(row) <= most else [*range(half), None, *range(len(row) - half, len(row))]
    gap = min(3.4, (WIDTH - 0.6) / len(shown))
    places = [WIDTH / 2 + gap * (place - (len(shown) - 1) / 2) for place in range(len(shown))]
    drawn = [(x, number) for x, number in zip(places, shown, strict=True) if number is not None and faces[number]]
    texts, colours = [f"{float(row[number]):g}" for _, number in drawn], [faces[number] for _, number in drawn]
    canvas.coins([(x, y) for x, _ in drawn], 0.46 * gap, texts, 0.24 * gap, colours)
    if len(row) > most:
        canvas.words(places[half], y, "…")
    return places, y + 0.46 * gap
