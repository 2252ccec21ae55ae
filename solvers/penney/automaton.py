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
    won = _orders_won(after, [memories.index(yvonne), memories.index(zara)], reds + blacks, deck.number_type)
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
    moves = {card: np.arange(len(memories)) == places[goes_on, np.newaxis] for card, places in after.items()}
    occurs: np.ndarray = np.zeros((reds + 1, len(memories)), dtype=bool)  # by red cards turned
    occurs[0, 0] = True
    states = 1
    for turned in range(1, reds + blacks + 1):
        before = occurs[:, goes_on]
        occurs = before @ moves[BLACK]
        occurs[1:] |= before[:-1] @ moves[RED]
        occurs[: max(0, turned - blacks)] = False
        states += int(occurs.sum())
    return states


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


def _orders_won(after: dict[str, np.ndarray], ends: list[int], cards: int, number_type: type) -> list[np.ndarray]:
    """Orders of the cards left that each player wins, for 0 to `cards` cards left, exact.

    Entry n has shape (n + 1, 2, memories), by the red ones of n cards left. ends: the places of the complete sequences.
    Backwards from the end of the deck, for all memories at once.
    """
    won: list[np.ndarray] = []
    for left in range(cards + 1):
        here: np.ndarray = np.zeros((left + 1, 2, len(after[RED])), dtype=number_type)
        if left:
            here[1:] += won[-1][:, :, after[RED]]
            here[:-1] += won[-1][:, :, after[BLACK]]
        orders: np.ndarray = np.array([comb(left, red) for red in range(left + 1)], dtype=number_type)
        here[:, :, ends] = np.eye(2, dtype=number_type) * orders[:, np.newaxis, np.newaxis]
        won.append(here)
    return won


def _chances(won: list[np.ndarray], red: int, black: int, place: int) -> tuple[Fraction, Fraction, Fraction]:
    """Each player's probability, half of the orders without a winner included, and the probability of such an order."""
    orders, mine, hers = comb(red + black, red), *map(int, won[red + black][red, :, place])
    nobody = Fraction(orders - mine - hers, orders)
    return Fraction(mine, orders) + nobody / 2, Fraction(hers, orders) + nobody / 2, nobody
