"""The picture of the game: a sequence of cards for each player, and the deck."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from site_builder.contract import Drawing, Grid, Look
from solvers.common.coins import board, words

MOST_CARDS = 6  # of a sequence; a longer one goes on with dots
RED, BLACK = "#c23b2e", "#20243a"  # of cards, on light and on dark pages, where a grey would turn pale


def figure_picture(best_yvonne: str, best_zara: str, reds: int, blacks: int, look: Look) -> Drawing:
    """A best pair of sequences, and the deck as it is at the start."""
    codes = [[int(card == "R") for card in sequence] for sequence in (best_yvonne, best_zara)]
    cards = [f"card {n}" for n in range(1, len(best_yvonne) + 1)]
    return Drawing(
        _cards(codes, reds, blacks, look).figure,
        title="Two sequences and a deck",
        data={
            "red": Grid(np.array(codes), {"player": ["Yvonne", "Zara"], "card": cards}),
            "red cards": reds,
            "black cards": blacks,
        },
        caption=f"Yvonne's sequence and Zara's answer, with best play on both sides; the deck has {reds} red and "
        f"{blacks} black cards.",
        alt=f"Two rows of cards, {_named(best_yvonne)} for Yvonne and {_named(best_zara)} for Zara, beside a deck "
        f"of {reds} red and {blacks} black cards.",
    )


def _named(sequence: str) -> str:
    return ", ".join({"R": "red", "B": "black"}[card] for card in sequence)


def _cards(sequences: Sequence[Sequence[int]], reds: int, blacks: int, look: Look) -> Any:
    """Yvonne's cards above Zara's, the deck to the right with its numbers of cards below."""
    axes = board(look)
    for y, name, cards in zip((4.5, 0.7), ("Yvonne", "Zara"), sequences, strict=True):
        axes.text(0.3, y + 1.4, name, color=look.ink, va="center", fontsize=max(12, look.width / 40))
        step = min(2.3, 10.5 / min(len(cards), MOST_CARDS))
        for n, is_red in enumerate(cards[:MOST_CARDS]):
            _card(axes, look, 4.8 + step * n, y, RED if is_red else BLACK)
        if len(cards) > MOST_CARDS:
            words(axes, look, 4.8 + step * MOST_CARDS + 0.9, y + 1.4, "…")
    for n in range(5):
        _card(axes, look, 19 + 0.18 * n, 3.9 + 0.14 * n, look.accent)
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
