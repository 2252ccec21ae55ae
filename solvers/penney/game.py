"""The rule of the game, followed card by card through every row of cards that can be turned.

`checks` and the tests compare the solution with these functions; `solve` uses none of them. All comb(r + b, r) orders
of the cards left are equally likely, so a probability W of the package's docstring is a number of orders over all of
them. Cards are turned forward, from the first one on; after a complete sequence they no longer matter.
"""

from fractions import Fraction
from functools import lru_cache
from math import comb


@lru_cache(maxsize=256)
def orders_won(yvonne: str, zara: str, red: int, black: int, cards: str = "") -> tuple[int, int]:
    """In how many orders of so many red and black cards left Yvonne's sequence appears first, and Zara's.

    cards: turned before, without a complete sequence.

    For each memory a whole number holds how many rows of cards lead to it, its digit j those with j red cards. One more
    red card shifts the digits by one place. A digit has as many bits as the largest count can need.
    """
    memories, moves = memories_and_moves(yvonne, zara)
    bits = red + black + 1
    rows = [int(memory == memory_of(cards, yvonne, zara)) for memory in memories]
    for _ in range(red + black):
        following = [0] * len(rows)
        for count, (after_red, after_black) in zip(rows, moves, strict=True):
            following[after_red] += count << bits
            following[after_black] += count
        rows = following
    mine, hers = (rows[memories.index(end)] >> red * bits & (1 << bits) - 1 for end in (yvonne, zara))
    return mine, hers


@lru_cache(maxsize=256)
def memories_and_moves(yvonne: str, zara: str) -> tuple[list[str], list[tuple[int, int]]]:
    """The memories that some cards lead to, and where a red and a black card lead from each; an end stays as it is."""
    memories, moves = [""], []
    for memory in memories:  # it grows
        after = [memory if memory in (yvonne, zara) else memory_of(memory + card, yvonne, zara) for card in "RB"]
        memories += [each for each in after if each not in memories]
        moves.append((memories.index(after[0]), memories.index(after[1])))
    return memories, moves


def memory_of(cards: str, yvonne: str, zara: str) -> str:
    """The longest row of cards that ends the cards turned and begins one of the sequences."""
    while not (yvonne.startswith(cards) or zara.startswith(cards)):
        cards = cards[1:]
    return cards


def cards_left(reds: int, blacks: int, *gone: str) -> tuple[int, int]:
    """Red and black cards left of a deck without these rows of cards; negative where the deck has too few."""
    return reds - "".join(gone).count("R"), blacks - "".join(gone).count("B")


def win_probability(yvonne: str, zara: str, reds: int, blacks: int, cards: str = "") -> Fraction:
    """Yvonne's probability to win, W, with a deck of so many cards; half of the orders without a winner are hers."""
    left = cards_left(reds, blacks, yvonne, zara, cards)
    mine, hers = orders_won(yvonne, zara, *left, cards)
    return (1 + Fraction(mine - hers, comb(sum(left), left[0]))) / 2


def appearance_probability(yvonne: str, zara: str, reds: int, blacks: int, cards: str = "") -> Fraction:
    """The probability that a sequence appears, so that the coin does not decide."""
    left = cards_left(reds, blacks, yvonne, zara, cards)
    return Fraction(sum(orders_won(yvonne, zara, *left, cards)), comb(sum(left), left[0]))


def count_states(yvonne: str, zara: str, reds: int, blacks: int) -> int:
    """How many states (red cards left, black cards left, memory) can occur; the start and all ends included.

    For each memory a whole number has bit j set where j red cards can have been turned.
    """
    red, black = cards_left(reds, blacks, yvonne, zara)
    memories, moves = memories_and_moves(yvonne, zara)
    ends, occurring, states = {yvonne, zara}, [int(not memory) for memory in memories], 1
    for turned in range(1, red + black + 1):
        following, fewest = [0] * len(memories), max(0, turned - black)
        for memory, counts, (after_red, after_black) in zip(memories, occurring, moves, strict=True):
            if memory not in ends:
                following[after_red] |= counts << 1
                following[after_black] |= counts
        occurring = [(counts & (1 << red + 1) - 1) >> fewest << fewest for counts in following]
        states += sum(counts.bit_count() for counts in occurring)
    return states
