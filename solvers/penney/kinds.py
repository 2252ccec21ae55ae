"""Which pairs of sequences share one count: kinds of words and classes of pairs.

In how many orders of the cards a sequence comes first depends on the two colour counts and on the *overlaps*: the
words that end one sequence and begin the other (or the same one again), and of these only on their lengths and colours.
Of two sequences, the longest overlap tells all shorter ones, because they are the *borders* of it: the words with which
it both begins and ends. So a word is described by its length, its reds and its longest border, which is described in
the same way: that is its kind. A pair's class is four kinds: of both sequences and of both overlaps.
"""

from dataclasses import dataclass

import numpy as np

from solvers.penney.deck import Deck
from solvers.penney.words import every_word, reds_in

EMPTY = 0


@dataclass(frozen=True, eq=False)
class Kinds:
    """The kind of every word that matters for a deck.

    of: for each length, shape (2**length,): the kind of each word of that length; the empty word is of kind 0.
    shortest: overlaps below this length are left out: the deck ends before both sequences could be turned over so.
    count: how many kinds there are.
    """

    deck: Deck
    of: tuple[np.ndarray, ...]
    shortest: int
    count: int

    @property
    def lengths(self) -> range:
        """The lengths an overlap can have, shortest first."""
        return range(self.shortest, self.deck.k)


def kinds_of_words(deck: Deck) -> Kinds:
    """Kinds of all words of up to k cards, numbered without gaps."""
    shortest = max(1, deck.k - deck.slack)
    table: list[np.ndarray] = []
    count = 1
    for length in range(deck.k + 1):
        if length < shortest:
            table.append(np.zeros(1 << length, dtype=np.int64))
            continue
        words = every_word(length)
        keys = _border_kinds(table, words, length, shortest) * (length + 1) + reds_in(words)
        found, places = np.unique(keys, return_inverse=True)
        table.append(count + places)
        count += len(found)
    return Kinds(deck, tuple(table), shortest, count)


def _border_kinds(table: list[np.ndarray], words: np.ndarray, length: int, shortest: int) -> np.ndarray:
    """The kind of each word's longest border, where one of at least the shortest length exists."""
    found = np.full(len(words), EMPTY)
    for border in range(shortest, length):
        ends = words & (1 << border) - 1
        matches = np.flatnonzero(ends == words >> length - border)
        found[matches] = table[border][ends[matches]]
    return found


def overlap_kinds(kinds: Kinds, ending: np.ndarray, beginning: np.ndarray) -> np.ndarray:
    """The kind of the longest word that ends the one sequence and begins the other, pair by pair."""
    found = np.full(len(ending), EMPTY)
    for length in kinds.lengths:
        ends = ending & (1 << length) - 1
        matches = np.flatnonzero(ends == beginning >> kinds.deck.k - length)
        found[matches] = kinds.of[length][ends[matches]]
    return found


def classes_of_pairs(kinds: Kinds, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One representative (its place) for each class of pairs, and the class of every pair."""
    whole = kinds.of[kinds.deck.k]
    key = whole[first] * kinds.count + whole[second]
    for ending, beginning in ((first, second), (second, first)):
        if kinds.count**4 >= 1 << 62:
            key = np.unique(key, return_inverse=True)[1]
        key = key * kinds.count + overlap_kinds(kinds, ending, beginning)
    _, representatives, classes = np.unique(key, return_index=True, return_inverse=True)
    return representatives, classes


def answers_by_class(kinds: Kinds, first: int, answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One answer for each class of pairs with the same first sequence, and how many answers share the class.

    answers: which of all 2**k words are to be taken in, shape (2**k,), True or False. The longest overlaps are written
    over the shorter ones: the words that begin with something are a slice, those that end with it every so many.
    """
    k = kinds.deck.k
    ended = np.full(1 << k, EMPTY)
    begun = np.full(1 << k, EMPTY)
    for length in kinds.lengths:
        tail, head = first & (1 << length) - 1, first >> k - length
        begun[tail << k - length : tail + 1 << k - length] = length
        ended[head :: 1 << length] = length
    keys = ((kinds.of[k] * k + begun) * k + ended)[answers]
    _, representatives, sizes = np.unique(keys, return_index=True, return_counts=True)
    return np.flatnonzero(answers)[representatives], sizes
