"""The pictures of cards: the game before it begins, and the orders in which its last cards can come."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from site_builder.contract import Drawing, Grid, Look
from solvers.common.canvas import Canvas, Place
from solvers.penney.rules import cards_left

CARD, EDGE = (1.9, 2.8), "#8d8d92"  # width and height of a card, and the colour of its edge
MOST_CARDS = 6  # of a sequence; a longer one goes on with dots
FACE, SUITS = "#fbf7e6", {"R": ("♦", "#b3261e"), "B": ("♠", "#1a1a2e")}  # cards are white on light and on dark pages


def figure_picture(best_yvonne: str, reds: int, blacks: int, look: Look) -> Drawing:
    """A best sequence of Yvonne's, Zara's still to be named, and the deck as it is at the start."""
    codes = [int(card == "R") for card in best_yvonne]
    named = ", ".join("red" if is_red else "black" for is_red in codes)
    return Drawing(
        _cards(codes, reds, blacks, look),
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
    canvas = Canvas(look)
    canvas.words(2.9, 7.4, "turned over")
    canvas.words(8.9, 7.4, "still to come")
    ends = [_order(canvas, y, order, pair) for y, order in zip((4.8, 2.5, 0.2), orders, strict=True)]
    codes = np.array([[int(card == "R") for card in pair["cards"] + order] for order in orders])
    return Drawing(
        canvas.figure,
        title="The last cards",
        data={"red": Grid(codes, {"order": orders, "card": range(1, codes.shape[1] + 1)})},
        caption=f"{pair['yvonne']} against {pair['zara']}: the three orders of the cards that are left, and who wins.",
        alt=f"After {pair['cards']} three orders can follow. "
        + " ".join(f"With {order}: {end}." for order, end in zip(orders, ends, strict=True)),
    )


def _order(canvas: Canvas, y: float, order: str, pair: Mapping[str, Any]) -> str:
    """A row of cards, those turned over first, with a frame around the sequence that wins; who wins, in words."""
    row, turned = pair["cards"] + order, len(pair["cards"])
    x = [0.4 + 1.7 * n + 0.9 * (n >= turned) for n in range(len(row) + 1)]
    _faces(canvas, [(each, y) for each in x[:-1]], row, 0.7)
    found = [(row.find(pair[name]), name) for name in ("yvonne", "zara") if pair[name] in row]
    end = f"{min(found)[1].capitalize()} wins" if found else "the coin decides"
    if found:
        first, last = min(found)[0], min(found)[0] + len(pair["yvonne"]) - 1
        left, right, low, high = x[first] - 0.1, x[last] + 1.43, y - 0.1, y + 2.06
        frame = [(left, low), (right, low), (right, high), (left, high), (left, low), (right, low)]
        canvas.lines(frame, colour=canvas.look.accent, width=2.5)
    canvas.words(x[-1] + 0.6, y + 1, end, ha="left")
    return end


def _cards(yvonne: Sequence[int], reds: int, blacks: int, look: Look) -> Figure:
    """Yvonne's cards above Zara's, the deck to the right with its numbers of cards below."""
    canvas, shown = Canvas(look), yvonne[:MOST_CARDS]
    step = min(2.3, 10.5 / len(shown))
    x = [4.8 + step * n for n in range(len(shown) + 1)]
    for y, name, colour in ((4.5, "Yvonne", look.colours["orange"]), (0.7, "Zara", look.colours["blue"])):
        canvas.words(0.3, y + 1.4, name, 0.6, colour, ha="left", fontweight="bold")
        if len(yvonne) > MOST_CARDS:
            canvas.words(x[-1] + 0.9, y + 1.4, "…")
    _faces(canvas, [(each, 4.5) for each in x[:-1]], ["R" if is_red else "B" for is_red in shown])
    canvas.boxes([(each, 0.7) for each in x[:-1]], *CARD, facecolors=look.colours["blue"], edgecolors=EDGE)
    for each in x[:-1]:
        canvas.words(each + 0.95, 2.1, "?", 1.2, look.paper)
    deck = [(19 + 0.18 * n, 3.9 + 0.14 * n) for n in range(5)]
    canvas.boxes(deck, *CARD, facecolors=look.colours["grey"], edgecolors=EDGE)
    canvas.words(20.3, 2.3, f"{reds} red")
    canvas.words(20.3, 1.1, f"{blacks} black")
    return canvas.figure


def _faces(canvas: Canvas, corners: Sequence[Place], cards: Sequence[str], size: float = 1.0) -> None:
    """Cards with their suits."""
    canvas.boxes(corners, CARD[0] * size, CARD[1] * size, facecolors=FACE, edgecolors=EDGE)
    for (x, y), card in zip(corners, cards, strict=True):
        suit, colour = SUITS[card]
        canvas.words(x + 0.95 * size, y + 1.4 * size, suit, 1.4 * size, colour)
