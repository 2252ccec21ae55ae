"""Yvonne's probability to win for many pairs of sequences at once, with one count for each class of pairs.

Counts: let f_s(i, j) count the rows of i + k cards at whose end the sequence s appears, with i cards, j of them red,
before it, and in which neither sequence is complete any earlier. Let u(i, j) count the rows of i cards, j red, in which
neither sequence appears. Put s behind such a row: a sequence is complete for the first time either at the very end, or
already d cards before it. In the second case that sequence is a v whose last k - d cards are the first k - d of s (an
overlap with shift d). Hence, with sums over the two sequences s and over all overlaps (v, d) with s,

    u(i, j) = f_s(i, j) + sum of f_v(i - d, j - reds in the first d cards of v),
    u(i, j) = u(i - 1, j) + u(i - 1, j - 1) - sum of f_s(i - k, j - reds in s).

The orders in which s wins are the f_s(i, j), each times the orders of the cards after s.

Classes: so the count of a pair depends only on the reds of both sequences, and on the lengths and reds of all overlaps.
The shorter overlaps are the borders of the longest one, that is, the rows that both begin and end it. Let the kind of a
row be its length, its reds and the kind of its longest border. Pairs are of one class if they have the same four kinds:
those of both sequences, and of the longest overlap in either direction.
Source: own derivation, compared with enumeration of all orders in the tests.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, lcm

import numpy as np

from solvers.penney.deck import Deck, count_reds


def denominator(deck: Deck) -> int:
    """A common denominator of the probabilities of all pairs."""
    return 2 * lcm(*(comb(deck.turned, reds) for reds in range(deck.turned + 1)))


def chances(deck: Deck, yvonne: np.ndarray, zara: np.ndarray) -> np.ndarray:
    """Yvonne's probability to win for each pair that the deck allows, exact: numerators over `denominator`.

    yvonne, zara: sequences as numbers, shape (N,).
    """
    half = denominator(deck) // 2
    weights = np.array([half // comb(deck.turned, reds) for reds in range(deck.turned + 1)], dtype=object)
    numerators: np.ndarray = half + leads(deck, yvonne, zara) * weights[deck.reds_left(yvonne, zara)]
    return numerators


def leads(deck: Deck, yvonne: np.ndarray, zara: np.ndarray) -> np.ndarray:
    """The orders that Yvonne wins less those that Zara wins, exact, for each pair that the deck allows.

    Shape (N,), like the two arrays of sequences. f_s(i, j) for all j are the digits of one whole number, from the
    lowest on, so that one more red card shifts it; no count has more bits than a digit.
    """
    pairs, bits = np.concatenate([yvonne, zara]), deck.turned + 1
    own_bits = (bits * count_reds(pairs)).astype(object)
    orders: np.ndarray = np.zeros(len(pairs), dtype=object)
    for appears in _first_appearances(deck, pairs, own_bits):
        orders += (orders << bits) + appears  # one more card after the sequence, black or red
    reds_around = (bits * np.tile(deck.reds_left(yvonne, zara), 2)).astype(object) - own_bits
    won = np.where(reds_around < 0, 0, orders >> np.maximum(reds_around, 0) & (1 << bits) - 1)
    difference: np.ndarray = won[: len(yvonne)] - won[len(yvonne) :]
    return difference


def _overlaps(deck: Deck, pairs: np.ndarray) -> list[tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
    """Every overlap for which the deck has enough cards, of a sequence with itself or the other: by shift.

    Rows 0..N-1 are Yvonne's sequences, rows N..2N-1 Zara's. Each entry is (shift, source, target, bits): the sequence
    of row `target` begins `shift` cards after that of row `source`, and the red ones of these cards shift a whole
    number of digits by `bits`. No row is twice in `target`.
    """
    rows, found = np.arange(len(pairs)), []
    for shift in range(1, min(deck.slack, deck.k - 1) + 1):
        tails, heads = pairs & (1 << deck.k - shift) - 1, pairs >> shift
        for before in (rows, np.roll(rows, len(pairs) // 2)):
            target = np.flatnonzero(tails[before] == heads)
            if len(target):
                source = before[target]
                bits = (deck.turned + 1) * count_reds(pairs[source] >> deck.k - shift)
                found.append((shift, source, target, bits.astype(object)))
    return found


def _first_appearances(deck: Deck, pairs: np.ndarray, own_bits: np.ndarray) -> Iterator[np.ndarray]:
    """f_s(i, j) for i = 0, 1, ..., the digits j of whole numbers of shape (2 N,), rows as in `_overlaps`."""
    half, bits, overlaps = len(pairs) // 2, deck.turned + 1, _overlaps(deck, pairs)
    unfinished: np.ndarray = np.ones(half, dtype=object)  # u(i, j), digits j
    past: list[np.ndarray] = []
    for i in range(deck.slack + 1):
        if i:
            unfinished = unfinished + (unfinished << bits)  # one more card, black or red
        if i >= deck.k:
            ended = past[i - deck.k] << own_bits
            unfinished = unfinished - ended[:half] - ended[half:]
        appears = np.concatenate([unfinished] * 2)
        for shift, source, target, reds in overlaps:
            if shift <= i:
                appears[target] -= past[i - shift][source] << reds
        past.append(appears)
        yield appears


@dataclass(frozen=True, eq=False)
class Kinds:
    """The kinds of all rows of up to k cards.

    of: for each length, shape (2**length,): the kind of each row; 0 is the row without cards. count: how many kinds
    there are.
    lengths: the lengths of overlaps that count, the shortest first; for shorter ones the deck has too few cards.
    """

    deck: Deck
    of: list[np.ndarray]
    lengths: range
    count: int


def kinds_of_rows(deck: Deck) -> Kinds:
    """The kinds of all rows of up to k cards, numbered without gaps."""
    shortest = max(1, deck.k - deck.slack)
    of = [np.zeros(1 << length, dtype=np.int64) for length in range(min(shortest, deck.k + 1))]
    count = 1
    for length in range(shortest, deck.k + 1):
        rows = np.arange(1 << length)
        borders = _overlap_kinds(of, range(shortest, length), length, rows, rows)
        found, places = np.unique(borders * (length + 1) + count_reds(rows), return_inverse=True)
        of.append(count + places)
        count += len(found)
    return Kinds(deck, of, range(shortest, deck.k), count)


def _overlap_kinds(of: list[np.ndarray], lengths: range, k: int, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The kind of the longest row, of one of the lengths, that ends the first and begins the second of two k cards."""
    found = np.zeros(len(first), dtype=np.int64)
    for length in lengths:
        ends = first & (1 << length) - 1
        matches = np.flatnonzero(ends == second >> k - length)
        found[matches] = of[length][ends[matches]]
    return found


def chances_by_class(kinds: Kinds, yvonne: np.ndarray, zara: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Yvonne's probability to win for one pair of each class, as from `chances`.

    Beside it the place of that pair in the arrays, by class, and the class of every pair.
    """
    of, k = kinds.of, kinds.deck.k
    overlaps = [_overlap_kinds(of, kinds.lengths, k, *pair) for pair in ((yvonne, zara), (zara, yvonne))]
    key = of[k][yvonne]
    for kind in (of[k][zara], *overlaps):
        key = key * kinds.count + kind  # stays below 2**63: for k <= 20 there are fewer than 10,000 kinds
    _, places, classes = np.unique(key, return_index=True, return_inverse=True)
    return chances(kinds.deck, yvonne[places], zara[places]), places, classes
