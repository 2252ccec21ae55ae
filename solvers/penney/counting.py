"""How many orders of the cards let each of two sequences appear first.

Let f_W(i, j) count the rows of i + k cards at whose end the sequence W appears, with i cards, j of them red, before its
first card, and neither sequence complete any earlier. Let S(i, j) count the rows of i cards, j red, in which neither
sequence has appeared. Put W behind such a row. Something is complete at the end, or s cards before it was the sequence
V whose last k - s cards are the first k - s of W (an overlap), so

    S(i, j) = f_W(i, j) + sum over overlaps (V, s) of f_V(i - s, j - reds in the first s cards of V),
    S(i, j) = S(i - 1, j) + S(i - 1, j - 1) - sum over W of f_W(i - k, j - reds in W).

Every f is then weighed with the orders of the cards that follow. Source: own derivation,
checked against enumeration of all orders in the tests.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from math import comb

import numpy as np

from solvers.penney.deck import Deck
from solvers.penney.words import reds_in


@dataclass(frozen=True, eq=False)
class Overlap:
    """All overlaps of one shift behind one of the sequences, over a batch of N pairs.

    Rows 0..N-1 belong to Yvonne's sequences, N..2N-1 to Zara's. The sequence of row `source` comes first, and `shift`
    cards later, `reds` of them red, the one of row `target` has begun.
    """

    shift: int
    source: np.ndarray
    target: np.ndarray
    reds: np.ndarray


def leads(deck: Deck, yvonne: np.ndarray, zara: np.ndarray) -> np.ndarray:
    """Orders in which Yvonne's sequence comes first less those in which Zara's does, exact, pair by pair.

    Shape (N,), like the two arrays of words, which must be pairs that the deck allows. Counts are 64-bit integers
    where every count in between fits, else Python's.
    """
    pairs = np.concatenate([yvonne, zara])
    red_counts = reds_in(pairs)
    reds_left = np.tile(deck.reds_left(yvonne, zara), 2) - red_counts
    groups = [(int(reds), np.flatnonzero(reds_left == reds)) for reds in np.unique(reds_left)]
    total: np.ndarray = np.zeros(len(pairs), dtype=_number_type(deck))
    for appears, orders in zip(_first_appearances(deck, pairs, red_counts), _orders_after(deck), strict=True):
        for reds, rows in groups:
            total[rows] += appears[rows] @ orders(reds, appears.shape[1])
    difference: np.ndarray = total[: len(yvonne)] - total[len(yvonne) :]
    return difference


def number_type(turned: int, before: int) -> type:
    """The type of numbers in which no count can overflow: of orders of `turned` cards, of rows of `before` cards."""
    return np.int64 if before <= 61 and comb(turned, turned // 2) < 1 << 62 else object


def _first_appearances(deck: Deck, pairs: np.ndarray, red_counts: np.ndarray) -> Iterator[np.ndarray]:
    """f_W(i, j) for i = 0, 1, ..., each of shape (2 N, i + 1): rows as in `Overlap`, columns j."""
    half = len(pairs) // 2
    overlaps = _overlaps(deck, pairs)
    unfinished: np.ndarray = np.ones((half, 1), dtype=_number_type(deck))
    past: list[np.ndarray] = []
    for i in range(deck.slack + 1):
        if i:
            unfinished = _one_more_card(unfinished)
        if i >= deck.k:
            ended, columns = past[i - deck.k], np.arange(i - deck.k + 1)
            for rows in (slice(0, half), slice(half, None)):
                unfinished[np.arange(half)[:, None], red_counts[rows, None] + columns] -= ended[rows]
        appears = np.concatenate([unfinished, unfinished])
        for overlap in overlaps:
            if overlap.shift <= i:
                columns = overlap.reds[:, None] + np.arange(i - overlap.shift + 1)
                appears[overlap.target[:, None], columns] -= past[i - overlap.shift][overlap.source]
        past.append(appears)
        yield appears


def _number_type(deck: Deck) -> type:
    return number_type(deck.turned, deck.slack)


def _one_more_card(rows: np.ndarray) -> np.ndarray:
    """Counts by the number of reds after one more card of either colour."""
    longer = np.zeros((rows.shape[0], rows.shape[1] + 1), dtype=rows.dtype)
    longer[:, :-1] = rows
    longer[:, 1:] += rows
    return longer


def _overlaps(deck: Deck, pairs: np.ndarray) -> list[Overlap]:
    """Every overlap that fits into the deck; within one of them no target stands twice."""
    half = len(pairs) // 2
    found = []
    for shift in range(1, min(deck.slack, deck.k - 1) + 1):
        tails, heads = pairs & (1 << deck.k - shift) - 1, pairs >> shift
        for source in (np.arange(half), np.arange(half, 2 * half)):
            both = np.concatenate([source, source])
            target = np.flatnonzero(tails[both] == heads)
            if len(target):
                before = pairs[both[target]] >> deck.k - shift
                found.append(Overlap(shift, both[target], target, reds_in(before)))
    return found


@lru_cache(maxsize=8)
def _orders_after(deck: Deck) -> tuple[Callable[[int, int], np.ndarray], ...]:
    """For i = 0, 1, ... cards before a sequence: in how many orders the cards after it can lie.

    Each is a function of the reds outside of the sequence and a number of columns; column j, with j reds before the
    sequence, has the orders of the slack - i cards after it of which reds - j are red.
    """
    zeros = [0] * (deck.turned + deck.k + 1)
    return tuple(
        partial(_row_of_orders, np.array([*zeros, *row, *zeros], dtype=_number_type(deck)), len(zeros) + len(row) - 1)
        for row in ([comb(n, reds) for reds in range(n + 1)] for n in range(deck.slack, -1, -1))
    )


def _row_of_orders(padded: np.ndarray, end: int, reds: int, columns: int) -> np.ndarray:
    """comb(n, reds - j) = comb(n, n - reds + j) for each column j, out of the row of all comb(n, .) which ends at n."""
    return padded[end - reds : end - reds + columns]
