"""The pictures of cards: the game before it begins, and the orders in which its last cards can come."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import comb
from typing import Any

import numpy as np

from site_builder.contract import Drawing, Grid, Look
from solvers.common.coins import board, letters, words
from solvers.penney.rules import cards_left

MOST_CARDS = 6  # of a sequence; a longer one goes on with dots
FACE, SUITS = "#fbf7e6", {"R": ("♦", "#b3261e"), "B": ("♠", "#1a1a2e")}  # cards are white on light and on dark pages


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


def figure_last_cards(pair: Mapping[str, Any] | None, reds: int, blacks: int, look: Look) -> Drawing | None:
    """The orders in which the last cards can come, where these are three, and who wins with each."""
    if pair is None or not pair["cards"]:
        return None
    red, black = cards_left(reds, blacks, pair["yvonne"], pair["zara"], pair["cards"])
    if comb(red + black, red) != 3:
        return None
    orders = sorted({"".join(cards) for cards in permutations("R" * red + "B" * black)}, reverse=True)
    axes = board(look)
    words(axes, look, 2.9, 7.4, "turned over")
    words(axes, look, 8.9, 7.4, "still to come")
    ends = [_order(axes, look, y, order, pair) for y, order in zip((4.8, 2.5, 0.2), orders, strict=True)]
    codes = np.array([[int(card == "R") for card in pair["cards"] + order] for order in orders])
    return Drawing(
        axes.figure,
        title="The last cards",
        data={"red": Grid(codes, {"order": orders, "card": range(1, codes.shape[1] + 1)})},
        caption=f"{pair['yvonne']} against {pair['zara']}: the three orders of the cards that are left, and who wins.",
        alt=f"After {pair['cards']} three orders can follow. "
        + " ".join(f"With {order}: {end}." for order, end in zip(orders, ends, strict=True)),
    )


def _order(axes: Any, look: Look, y: float, order: str, pair: Mapping[str, Any]) -> str:
    """A row of cards, those turned over first, with a frame around the sequence that wins; who wins, in words."""
    from matplotlib.patches import Rectangle

    row, turned = pair["cards"] + order, len(pair["cards"])
    x = [0.4 + 1.7 * n + 0.9 * (n >= turned) for n in range(len(row) + 1)]
    for n, card in enumerate(row):
        _face(axes, look, x[n], y, card, 0.7)
    found = [(row.find(pair[name]), name) for name in ("yvonne", "zara") if pair[name] in row]
    end = f"{min(found)[1].capitalize()} wins" if found else "the coin decides"
    if found:
        first, last = min(found)[0], min(found)[0] + len(pair["yvonne"]) - 1
        corner, width = (x[first] - 0.1, y - 0.1), x[last] - x[first] + 1.53
        axes.add_patch(Rectangle(corner, width, 2.16, fill=False, edgecolor=look.accent, linewidth=2.5))
    axes.text(x[-1] + 0.6, y + 1, end, color=look.ink, va="center", fontsize=letters(look))
    return end


def _cards(yvonne: Sequence[int], reds: int, blacks: int, look: Look) -> Any:
    """Yvonne's cards above Zara's, the deck to the right with its numbers of cards below."""
    axes = board(look)
    step = min(2.3, 10.5 / min(len(yvonne), MOST_CARDS))
    for y, name in ((4.5, "Yvonne"), (0.7, "Zara")):
        colour = look.colours["blue" if name == "Zara" else "orange"]
        axes.text(0.3, y + 1.4, name, color=colour, va="center", fontsize=max(12, look.width / 40), fontweight="bold")
        for n, is_red in enumerate(yvonne[:MOST_CARDS]):
            if name == "Yvonne":
                _face(axes, look, 4.8 + step * n, y, "R" if is_red else "B")
            else:
                _card(axes, 4.8 + step * n, y, colour)
                words(axes, look, 4.8 + step * n + 0.95, y + 1.4, "?", 1.2, look.paper)
        if len(yvonne) > MOST_CARDS:
            words(axes, look, 4.8 + step * MOST_CARDS + 0.9, y + 1.4, "…")
    for n in range(5):
        _card(axes, 19 + 0.18 * n, 3.9 + 0.14 * n, look.colours["grey"])
    words(axes, look, 20.3, 2.3, f"{reds} red")
    words(axes, look, 20.3, 1.1, f"{blacks} black")
    return axes


def _face(axes: Any, look: Look, x: float, y: float, card: str, size: float = 1.0) -> None:
    suit, colour = SUITS[card]
    _card(axes, x, y, FACE, size)
    words(axes, look, x + 0.95 * size, y + 1.4 * size, suit, 1.4 * size, colour)


def _card(axes: Any, x: float, y: float, colour: str, size: float = 1.0) -> None:
    from matplotlib.patches import FancyBboxPatch

    box: dict[str, Any] = {
        "boxstyle": "round,pad=0,rounding_size=0.25",
        "facecolor": colour,
        "edgecolor": "#8d8d92",
        "linewidth": 1.5,
    }
    axes.add_patch(FancyBboxPatch((x, y), 1.9 * size, 2.8 * size, **box))
