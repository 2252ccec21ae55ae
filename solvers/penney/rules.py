"""The rules of the game: the cards that are turned over, and what matters of the cards so far."""

from site_builder.contract import rules

RED, BLACK = "R", "B"


@rules
def cards_left(reds: int, blacks: int, *gone: str) -> tuple[int, int]:
    """Red and black cards left of a deck without these rows of cards; negative where the deck has too few."""
    return reds - "".join(gone).count(RED), blacks - "".join(gone).count(BLACK)


@rules
def is_possible(yvonne: str, zara: str, reds: int, blacks: int) -> bool:
    """True when the sequences differ and can both be taken out of the deck."""
    return yvonne != zara and min(cards_left(reds, blacks, yvonne, zara)) >= 0


@rules
def memory_of(cards: str, yvonne: str, zara: str) -> str:
    """The longest row of cards that ends the cards turned and begins one of the sequences."""
    while not (yvonne.startswith(cards) or zara.startswith(cards)):
        cards = cards[1:]
    return cards
