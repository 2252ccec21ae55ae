"""One pair of sequences followed card by card: its memories, its states, and the probabilities at every moment.

The memories and the moves between them are the automaton of Aho and Corasick for two sequences: at most 2 k + 1
memories, two of which are complete sequences, where the game ends. A state is (reds left, blacks left, memory).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from solvers.penney.deck import BLACK, RED, Chance, Deck
from solvers.penney.endless import endless_chance


@dataclass(frozen=True)
class Pair:
    """One sequence for each player, and what happens to them with the deck.

    chance, zara_chance: each player's probability to win; both include half of `nobody`, the probability that the deck
    runs out and the coin decides. ahead: "Yvonne", "Zara" or "nobody". endless: Yvonne's probability without a deck
    limit.
    memories: all memories, the shortest first, which is empty. moves: "memory card" -> the next memory.
    n_windows: how many rows of up to k cards there are, which is what remembering the last k cards takes; saved:
    n_windows / n_memories.
    cards: the cards turned so far; memory: the memory after them; cards_left: how many cards are left to turn;
    chance_now, zara_now, nobody_now: the probabilities after these cards.
    """

    yvonne: str
    zara: str
    chance: Chance
    zara_chance: Chance
    nobody: Chance
    ahead: str
    endless: Chance
    memories: tuple[str, ...]
    moves: Mapping[str, str]
    n_memories: int
    n_windows: int
    saved: Fraction
    cards: str
    memory: str
    cards_left: int
    chance_now: Chance
    zara_now: Chance
    nobody_now: Chance


def follow(deck: Deck, yvonne: str, zara: str, cards: str = "") -> Pair:
    """The pair with that deck; `cards` have been turned so far and complete neither sequence."""
    memories, after = _automaton(yvonne, zara)
    reds, blacks = _cards_to_turn(deck, yvonne, zara)
    reds_now, blacks_now = reds - cards.count(RED), blacks - cards.count(BLACK)
    memory = _memory_of(cards, memories)
    won = _orders_won(after, [memories.index(yvonne), memories.index(zara)], reds, blacks, deck.number_type)
    chance, zara_chance, nobody = _chances(won, reds, blacks, place=0)
    chance_now, zara_now, nobody_now = _chances(won, reds_now, blacks_now, memories.index(memory))
    n_windows = 2 ** (deck.k + 1) - 1
    return Pair(
        yvonne=yvonne,
        zara=zara,
        chance=chance,
        zara_chance=zara_chance,
        nobody=nobody,
        ahead=ahead(chance),
        endless=endless_chance(yvonne, zara, Fraction(deck.reds, deck.reds + deck.blacks)),
        memories=memories,
        moves={
            f"{before} {card}": memories[after[card][place]]
            for place, before in enumerate(memories)
            if before not in (yvonne, zara)
            for card in (RED, BLACK)
        },
        n_memories=len(memories),
        n_windows=n_windows,
        saved=Fraction(n_windows, len(memories)),
        cards=cards,
        memory=memory,
        cards_left=reds_now + blacks_now,
        chance_now=chance_now,
        zara_now=zara_now,
        nobody_now=nobody_now,
    )


def ahead(chance: Fraction) -> str:
    """Who is ahead when Yvonne wins with that probability: "Yvonne", "Zara" or "nobody"."""
    half = Fraction(1, 2)
    return "nobody" if chance == half else "Yvonne" if chance > half else "Zara"


def count_states(deck: Deck, yvonne: str, zara: str) -> int:
    """How many states can occur when the pair is played with the deck.

    The start and all ends are included: a complete sequence, and a deck that has run out.
    """
    memories, after = _automaton(yvonne, zara)
    goes_on = np.array([memory not in (yvonne, zara) for memory in memories])
    reds, blacks = _cards_to_turn(deck, yvonne, zara)
    occurs = np.zeros((reds + 2, blacks + 2, len(memories)), dtype=bool)  # the last row and column stay empty
    occurs[reds, blacks, 0] = True
    for red in reversed(range(reds + 1)):
        for black in reversed(range(blacks + 1)):
            occurs[red, black, after[RED][occurs[red + 1, black] & goes_on]] = True
            occurs[red, black, after[BLACK][occurs[red, black + 1] & goes_on]] = True
    return int(occurs.sum())


def _automaton(yvonne: str, zara: str) -> tuple[tuple[str, ...], dict[str, np.ndarray]]:
    """The memories, and for each card the place of the next memory; a complete sequence stays as it is."""
    prefixes = {sequence[:length] for sequence in (yvonne, zara) for length in range(len(sequence) + 1)}
    red_first = str.maketrans(RED + BLACK, "01")
    memories = tuple(sorted(prefixes, key=lambda memory: (len(memory), memory.translate(red_first))))
    after = {
        card: [memory if memory in (yvonne, zara) else _memory_of(memory + card, memories) for memory in memories]
        for card in (RED, BLACK)
    }
    return memories, {card: np.array([memories.index(memory) for memory in after[card]]) for card in after}


def _memory_of(cards: str, memories: tuple[str, ...]) -> str:
    """The longest of the memories that ends the cards."""
    return next(cards[start:] for start in range(len(cards) + 1) if cards[start:] in memories)


def _cards_to_turn(deck: Deck, yvonne: str, zara: str) -> tuple[int, int]:
    """Red and black cards that are turned over: those left without both sequences."""
    both = yvonne + zara
    return deck.reds - both.count(RED), deck.blacks - both.count(BLACK)


def _orders_won(after: dict[str, np.ndarray], ends: list[int], reds: int, blacks: int, number_type: type) -> np.ndarray:
    """Orders of the cards left that each player wins: shape (reds + 1, blacks + 1, 2, memories), exact.

    ends: the places of the complete sequences. Backwards from the end of the deck, for all memories at once.
    """
    won: np.ndarray = np.zeros((reds + 1, blacks + 1, 2, len(after[RED])), dtype=number_type)
    for red in range(reds + 1):
        for black in range(blacks + 1):
            here = won[red, black]
            if red:
                here += won[red - 1, black][:, after[RED]]
            if black:
                here += won[red, black - 1][:, after[BLACK]]
            here[:, ends] = np.eye(2, dtype=number_type) * comb(red + black, red)
    return won


def _chances(won: np.ndarray, red: int, black: int, place: int) -> tuple[Fraction, Fraction, Fraction]:
    """Each player's probability, half of the orders without a winner included, and the probability of such an order."""
    orders, mine, hers = comb(red + black, red), *map(int, won[red, black, :, place])
    nobody = Fraction(orders - mine - hers, orders)
    return Fraction(mine, orders) + nobody / 2, Fraction(hers, orders) + nobody / 2, nobody
