"""Two sequences followed card by card: what must be remembered, and the chances at every moment.

State: (reds left, blacks left, memory). The memory is the longest row that ends the cards turned so far and begins one
of the sequences; nothing else of the past matters. The memories and the moves between them are the automaton of Aho and
Corasick for two words: at most 2 k + 1 memories, two of them complete sequences, where the game ends.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from solvers.penney.conway import endless_chance
from solvers.penney.counting import number_type
from solvers.penney.deck import Deck
from solvers.penney.words import BLACK, RED


@dataclass(frozen=True)
class Pair:
    """One sequence for each player, and what the deck then does.

    chance, zara_chance: chances to win, with half of `nobody`, the chance that the cards run out and a coin decides.
    ahead: "Yvonne", "Zara" or "nobody". endless: Yvonne's chance without a deck limit.
    memories: every memory, the shortest first, which is the empty one; moves: "memory card" -> the next memory.
    n_windows: how many rows of up to k cards there are, all told apart by who remembers the last k cards; saved: how
    many times as many as memories that is.
    cards: cards turned so far; memory: what of them matters; cards_left: how many are still to come;
    chance_now, zara_now, nobody_now: the chances from there.
    """

    yvonne: str
    zara: str
    chance: Fraction
    zara_chance: Fraction
    nobody: Fraction
    ahead: str
    endless: Fraction
    memories: tuple[str, ...]
    moves: Mapping[str, str]
    n_memories: int
    n_windows: int
    saved: Fraction
    cards: str
    memory: str
    cards_left: int
    chance_now: Fraction
    zara_now: Fraction
    nobody_now: Fraction


@dataclass(frozen=True)
class Automaton:
    """The memories of two sequences and where each card leads; a complete sequence leads nowhere."""

    memories: tuple[str, ...]
    moves: Mapping[tuple[str, str], str]


def automaton(yvonne: str, zara: str) -> Automaton:
    """The automaton of two different sequences of equal length, as letters."""
    sequences = (yvonne, zara)
    prefixes = {sequence[:length] for sequence in sequences for length in range(len(sequence) + 1)}
    memories = tuple(sorted(prefixes, key=lambda memory: (len(memory), memory.translate(_RED_FIRST))))
    moves = {
        (memory, card): remembered(memory + card, prefixes)
        for memory in memories
        if memory not in sequences
        for card in (RED, BLACK)
    }
    return Automaton(memories, moves)


_RED_FIRST = str.maketrans(RED + BLACK, "01")


def remembered(cards: str, prefixes: set[str]) -> str:
    """The longest end of a row of cards that is one of the prefixes, the empty one being among them."""
    return next(cards[start:] for start in range(len(cards) + 1) if cards[start:] in prefixes)


def follow(deck: Deck, yvonne: str, zara: str, cards: str = "") -> Pair:
    """The two sequences played with the deck; `cards` have been turned so far and decide nothing yet."""
    states = automaton(yvonne, zara)
    reds, blacks = _to_come(deck, yvonne, zara)
    reds_now, blacks_now = reds - cards.count(RED), blacks - cards.count(BLACK)
    memory = remembered(cards, set(states.memories))
    won = _orders_won(states, (yvonne, zara), reds, blacks)
    start, now = (0, states.memories.index(memory))
    chance, zara_chance, nobody = _chances(won[reds, blacks, :, start], comb(reds + blacks, reds))
    n_windows = 2 ** (deck.k + 1) - 1
    return Pair(
        yvonne,
        zara,
        chance,
        zara_chance,
        nobody,
        ahead(chance),
        endless_chance(yvonne, zara, Fraction(deck.reds, deck.reds + deck.blacks)),
        states.memories,
        {f"{before} {card}": after for (before, card), after in states.moves.items()},
        len(states.memories),
        n_windows,
        Fraction(n_windows, len(states.memories)),
        cards,
        memory,
        reds_now + blacks_now,
        *_chances(won[reds_now, blacks_now, :, now], comb(reds_now + blacks_now, reds_now)),
    )


def states_met(deck: Deck, yvonne: str, zara: str) -> int:
    """How many states (reds left, blacks left, memory) can occur when the two sequences are played with the deck.

    The start and all ends are included: a complete sequence, and a deck that has run out.
    """
    states = automaton(yvonne, zara)
    reds, blacks = _to_come(deck, yvonne, zara)
    place = {memory: index for index, memory in enumerate(states.memories)}
    moves = {card: np.zeros((len(place), len(place)), dtype=bool) for card in (RED, BLACK)}
    for (memory, card), after in states.moves.items():
        moves[card][place[memory], place[after]] = True
    met = np.zeros((reds + 1, blacks + 1, len(place)), dtype=bool)
    met[reds, blacks, 0] = True
    for red in reversed(range(reds + 1)):
        for black in reversed(range(blacks + 1)):
            here = met[red, black]
            if red < reds:
                here |= met[red + 1, black] @ moves[RED]
            if black < blacks:
                here |= met[red, black + 1] @ moves[BLACK]
    return int(met.sum())


def _to_come(deck: Deck, yvonne: str, zara: str) -> tuple[int, int]:
    """Red and black cards that are turned over once both sequences are out."""
    both = yvonne + zara
    return deck.reds - both.count(RED), deck.blacks - both.count(BLACK)


def ahead(chance: Fraction) -> str:
    """Who is ahead when Yvonne wins with that chance: "Yvonne", "Zara" or "nobody"."""
    half = Fraction(1, 2)
    return "nobody" if chance == half else "Yvonne" if chance > half else "Zara"


def _chances(won: np.ndarray, orders: int) -> tuple[Fraction, Fraction, Fraction]:
    """Both players' chances with half of the undecided orders each, and the chance of an undecided order."""
    nobody = Fraction(orders - int(won.sum()), orders)
    return Fraction(int(won[0]), orders) + nobody / 2, Fraction(int(won[1]), orders) + nobody / 2, nobody


def _orders_won(states: Automaton, sequences: tuple[str, str], reds: int, blacks: int) -> np.ndarray:
    """Orders of the cards left that each player wins: shape (reds + 1, blacks + 1, 2, memories), exact.

    Counted backwards from the end of the deck, for all memories at once.
    """
    place = {memory: index for index, memory in enumerate(states.memories)}
    after = {card: [place[states.moves.get((name, card), name)] for name in states.memories] for card in (RED, BLACK)}
    won: np.ndarray = np.zeros((reds + 1, blacks + 1, 2, len(place)), dtype=number_type(reds + blacks, reds + blacks))
    for red in range(reds + 1):
        for black in range(blacks + 1):
            here = won[red, black]
            if red:
                here += won[red - 1, black][:, after[RED]]
            if black:
                here += won[red, black - 1][:, after[BLACK]]
            for player, sequence in enumerate(sequences):
                here[:, place[sequence]] = 0
                here[player, place[sequence]] = comb(red + black, red)
    return won
