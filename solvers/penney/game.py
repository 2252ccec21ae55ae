"""The rule of the game as a recursion over the cards left: the clearest statement of the game, and a slow one.

`checks` and the tests compare the solution with these functions; `solve` uses none of them. All comb(r + b, r) orders
of the cards left are equally likely, so the payoffs of all orders are added up, and the equation for W in the package's
docstring loses its fractions: the total is T(r, b, m) = T(r - 1, b, mR) + T(r, b - 1, mB).
"""

from fractions import Fraction
from functools import cache, lru_cache
from math import comb


@lru_cache(maxsize=256)
def expected_payoff(
    yvonne: str, zara: str, reds: int, blacks: int, cards: str = "", payoffs: tuple[int, int] = (1, -1)
) -> Fraction:
    """The expected payoff with a deck of so many red and black cards; the payoff is 0 when no sequence appears.

    cards: turned so far, without a complete sequence. payoffs: when Yvonne's sequence appears first, and when Zara's.
    """

    @cache
    def total(red: int, black: int, memory: str) -> int:
        if memory in (yvonne, zara):
            return payoffs[memory == zara] * comb(red + black, red)
        after_red = total(red - 1, black, memory_of(memory + "R", yvonne, zara)) if red else 0
        after_black = total(red, black - 1, memory_of(memory + "B", yvonne, zara)) if black else 0
        return after_red + after_black

    red, black = cards_left(reds, blacks, yvonne, zara, cards)
    return Fraction(total(red, black, memory_of(cards, yvonne, zara)), comb(red + black, red))


def memory_of(cards: str, yvonne: str, zara: str) -> str:
    """The longest row of cards that ends the cards turned and begins one of the sequences."""
    while not (yvonne.startswith(cards) or zara.startswith(cards)):
        cards = cards[1:]
    return cards


def cards_left(reds: int, blacks: int, *gone: str) -> tuple[int, int]:
    """Red and black cards left of a deck without these rows of cards; negative where the deck has too few."""
    return reds - "".join(gone).count("R"), blacks - "".join(gone).count("B")


def win_probability(yvonne: str, zara: str, reds: int, blacks: int, cards: str = "") -> Fraction:
    """Yvonne's probability to win, W; the payoffs 1, -1 and 0 have the mean W - (1 - W) = 2 W - 1."""
    return (1 + expected_payoff(yvonne, zara, reds, blacks, cards)) / 2


def appearance_probability(yvonne: str, zara: str, reds: int, blacks: int, cards: str = "") -> Fraction:
    """The probability that a sequence appears, so that the coin does not decide."""
    return expected_payoff(yvonne, zara, reds, blacks, cards, payoffs=(1, 1))


def count_states(yvonne: str, zara: str, reds: int, blacks: int) -> int:
    """How many states (red cards left, black cards left, memory) can occur; the start and all ends included."""
    states = set()

    def visit(red: int, black: int, memory: str) -> None:
        if min(red, black) < 0 or (red, black, memory) in states:
            return
        states.add((red, black, memory))
        if memory not in (yvonne, zara):
            visit(red - 1, black, memory_of(memory + "R", yvonne, zara))
            visit(red, black - 1, memory_of(memory + "B", yvonne, zara))

    visit(*cards_left(reds, blacks, yvonne, zara), "")
    return len(states)
