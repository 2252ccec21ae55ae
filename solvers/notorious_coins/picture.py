"""The picture of the game: the row of coins, its two ends marked."""

from fractions import Fraction
from typing import Any

import numpy as np

from site_builder.contract import Drawing, Grid, Look
from solvers.common.coins import WIDTH, arrow, board, coin, words
from solvers.notorious_coins.rules import Row

MOST_WIDE, MOST_NARROW = 14, 10  # places of coins; a longer row has a gap in its middle


def figure_picture(row: Row, total: Fraction, look: Look) -> Drawing:
    """The row as it lies on the table."""
    coins = "one coin" if len(row) == 1 else f"{len(row)} coins"
    return Drawing(
        _row([float(value) for value in row], look).figure,
        title="The row of coins",
        data={"value": Grid(np.array(row, dtype=float), {"coin": range(1, len(row) + 1)})},
        caption=f"A row of {coins}, worth {total} together. A turn takes the coin at the left end or at the right.",
        alt=f"A row of {coins}, from {row[0]} at the left end to {row[-1]} at the right; arrows mark both ends.",
    )


def _row(values: list[float], look: Look) -> Any:
    """Coins side by side, an arrow upwards at each end."""
    axes = board(look)
    most = MOST_WIDE if look.width > 500 else MOST_NARROW
    half = (most - 1) // 2
    shown = values if len(values) <= most else [*values[:half], None, *values[-half:]]
    gap = min(3.4, (WIDTH - 0.6) / len(shown))
    left = WIDTH / 2 - gap * (len(shown) - 1) / 2
    for n, value in enumerate(shown):
        if value is None:
            words(axes, look, left + n * gap, 3.3, "…")
        else:
            coin(axes, look, left + n * gap, 3.3, 0.46 * gap, f"{value:g}", 0.24 * gap)
    for x in {left, left + gap * (len(shown) - 1)}:
        arrow(axes, look, (x, 3.6 + 0.46 * gap), (x, 5.8 + 0.46 * gap))
    words(axes, look, WIDTH / 2, 0.7, "left end or right end?" if len(shown) > 1 else "a single coin")
    return axes
