"""The same chances by other means: enumeration, turning card by card, linear equations, play.

Used by the checks alone; shares no code with the solution.
"""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Protocol

import numpy as np

HALF = Fraction(1, 2)


class HasCards(Protocol):
    """What has so many red and so many black cards."""

    @property
    def reds(self) -> int: ...

    @property
    def blacks(self) -> int: ...


def best_by_enumeration(k: int, reds: int, blacks: int) -> Fraction:
    """Yvonne's chance under best play, from where each sequence first appears in every order of every deck."""
    words = ["".join(word) for word in product("RB", repeat=k)]
    decks = {red: _orders(red, reds + blacks - 2 * k - red) for red in range(reds + blacks - 2 * k + 1)}
    firsts = {red: {word: _firsts(orders, word) for word in words} for red, orders in decks.items()}
    worth = []
    for yvonne in words:
        against = []
        for zara in words:
            red = reds - (yvonne + zara).count("R")
            if yvonne != zara and red in decks:
                mine, hers = firsts[red][yvonne], firsts[red][zara]
                against.append(HALF + Fraction(int((mine < hers).sum()) - int((hers < mine).sum()), 2 * len(mine)))
        if against:
            worth.append(min(against))
    return max(worth)


def _orders(reds: int, blacks: int) -> list[str]:
    places = range(reds + blacks)
    return ["".join("R" if i in chosen else "B" for i in places) for chosen in map(set, combinations(places, reds))]


def _firsts(orders: list[str], word: str) -> np.ndarray:
    """Where the word begins in each order; past the end where it does not appear."""
    places = [order.find(word) for order in orders]
    return np.array([place if place >= 0 else len(orders[0]) for place in places])


def cards_to_come(deck: HasCards, *gone: str) -> tuple[int, int]:
    """Red and black cards that are left of a deck when some rows of cards are gone."""
    return deck.reds - "".join(gone).count("R"), deck.blacks - "".join(gone).count("B")


def chance_by_turning(yvonne: str, zara: str, reds: int, blacks: int, cards: str = "") -> tuple[Fraction, Fraction]:
    """Yvonne's chance, and the chance that a sequence appears at all.

    reds, blacks: cards still to come; cards: those turned before. Counts orders by (reds come, what may still grow into
    a sequence), one card at a time.
    """
    level = {(0, growing(cards, yvonne, zara)): 1}
    won = {yvonne: 0, zara: 0}
    for turned in range(1, reds + blacks + 1):
        after: defaultdict[tuple[int, str], int] = defaultdict(int)
        for (red, rest), ways in level.items():
            for card in "RB":
                now, row = red + (card == "R"), rest + card
                if now > reds or turned - now > blacks:
                    continue
                if row in won:
                    won[row] += ways * comb(reds + blacks - turned, reds - now)
                else:
                    after[now, growing(row, yvonne, zara)] += ways
        level = after
    orders = comb(reds + blacks, reds)
    return HALF + Fraction(won[yvonne] - won[zara], 2 * orders), Fraction(won[yvonne] + won[zara], orders)


def situations(yvonne: str, zara: str, reds: int, blacks: int) -> int:
    """How many (reds come, blacks come, what may still grow into a sequence) there are.

    Found card by card, each written down once, those with a complete sequence too.
    """
    here = {(0, 0, "")}
    seen = set(here)
    while here:
        here = {
            (red + (card == "R"), black + (card == "B"), growing(row + card, yvonne, zara))
            for red, black, row in here
            if row not in (yvonne, zara)
            for card in "RB"
            if (red < reds if card == "R" else black < blacks)
        }
        seen |= here
    return len(seen)


def growing(row: str, yvonne: str, zara: str) -> str:
    """What of the cards turned may still grow into one of the sequences."""
    while not (yvonne.startswith(row) or zara.startswith(row)):
        row = row[1:]
    return row


def chance_by_elimination(yvonne: str, zara: str, red: Fraction) -> Fraction:
    """Yvonne's chance as the solution of chance(memory) = red * chance(after red) + (1 - red) * chance(after black)."""
    memories = sorted({word[:i] for word in (yvonne, zara) for i in range(len(word))}, key=len)
    rows = []
    for memory in memories:
        row = {memory: Fraction(1)}
        for card, chance in (("R", red), ("B", 1 - red)):
            after = memory + card
            while after not in (yvonne, zara) and after not in memories:
                after = after[1:]
            row[after] = row.get(after, Fraction(0)) - chance
        rows.append(row)
    for place, memory in reversed(list(enumerate(memories))):
        pivot = rows[place]
        scale = pivot.pop(memory)
        pivot = {after: -weight / scale for after, weight in pivot.items()}
        for other in rows[:place]:
            if weight := other.pop(memory, Fraction(0)):
                for after, share in pivot.items():
                    other[after] = other.get(after, Fraction(0)) + weight * share
        rows[place] = pivot
    return rows[0].get(yvonne, Fraction(0))


def played_scores(yvonne: str, zara: str, reds: int, blacks: int, games: int, seed: int) -> np.ndarray:
    """Yvonne's score in each game: 1, 0, or 1/2 when the deck runs out. Shape (games,)."""
    deck = np.arange(reds + blacks) < reds
    decks = np.random.default_rng(seed).permuted(np.tile(deck, (games, 1)), axis=1)
    mine, hers = (_where(decks, word) for word in (yvonne, zara))
    scores: np.ndarray = (1 + np.sign(hers - mine)) / 2
    return scores


def _where(decks: np.ndarray, word: str) -> np.ndarray:
    """Where the word begins in each deck; past the end where it does not appear."""
    windows = decks.shape[1] - len(word) + 1
    here = np.ones((len(decks), windows + 1), dtype=bool)
    for offset, card in enumerate(word):
        here[:, :windows] &= decks[:, offset : offset + windows] == (card == "R")
    where: np.ndarray = here.argmax(axis=1)
    return where
