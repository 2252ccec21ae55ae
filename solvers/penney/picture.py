"""The picture of the game: a sequence of cards, one that is still to be named, and the deck."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from site_builder.contract import Drawing, Grid, Look
from solvers.common.coins import board, words

MOST_CARDS = 6  # of a sequence; a longer one goes on with dots
RED, BLACK = "#c23b2e", "#20243a"  # of cards, on light and on dark pages, where a grey would turn pale


def figure_picture(best_yvonne: str, reds: int, blacks: int, look: Look) -> Drawing:
    """A best sequence of Yvonne's, Zara's still to be named, and the deck as it is at the start."""
    codes = [int(card == "R") for card in best_yvonne]
    named = ", ".join("red" if is_red else "black" for is_red in codes)
    return Drawing(
        _cards(codes, reds, blacks, look).figure,
        title="A sequence, a question and a deck",
        data={
            "red": Grid(np.array(codes), {"card": [f"card {n}" for n in range(1, len(codes) + 1)]}),
            "red cards": reds,
            "black cards": blacks,
        },
        caption=f"Yvonne has named a sequence, and Zara has not; the deck has {reds} red and {blacks} black cards.",
        alt=f"A row of cards for Yvonne, {named}, above as many cards with a question mark for Zara, "
        f"beside a deck of {reds} red and {blacks} black cards.",
    )


def _cards(yvonne: Sequence[int], reds: int, blacks: int, look: Look) -> Any:
    """Yvonne's cards above Zara's, the deck to the right with its numbers of cards below."""
    axes = board(look)
    step = min(2.3, 10.5 / min(len(yvonne), MOST_CARDS))
    for y, name in ((4.5, "Yvonne"), (0.7, "Zara")):
        colour = look.colours["blue" if name == "Zara" else "orange"]
        axes.text(0.3, y + 1.4, name, color=colour, va="center", fontsize=max(12, look.width / 40), fontweight="bold")
        for n, is_red in enumerate(yvonne[:MOST_CARDS]):
            _card(axes, look, 4.8 + step * n, y, colour if name == "Zara" else RED if is_red else BLACK)
            if name == "Zara":
                words(axes, look, 4.8 + step * n + 0.95, y + 1.4, "?", 1.2, look.paper)
        if len(yvonne) > MOST_CARDS:
            words(axes, look, 4.8 + step * MOST_CARDS + 0.9, y + 1.4, "…")
    for n in range(5):
        _card(axes, look, 19 + 0.18 * n, 3.9 + 0.14 * n, look.colours["grey"])
    words(axes, look, 20.3, 2.3, f"{reds} red")
    words(axes, look, 20.3, 1.1, f"{blacks} black")
    return axes


def _card(axes: Any, look: Look, x: float, y: float, colour: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    box: dict[str, Any] = {
        "boxstyle": "round,pad=0,rounding_size=0.25",
        "facecolor": colour,
        "edgecolor": "#8d8d92",
        "linewidth": 1.5,
    }
    axes.add_patch(FancyBboxPatch((x, y), 1.9, 2.8, **box))
