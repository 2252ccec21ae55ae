"""A best sequence of Yvonne's and a best answer of Zara's, without trying all 4**k pairs.

Every answer of Zara's gives an upper bound on Yvonne's probability with a sequence. For each sequence the lowest bound
found so far is kept. The sequence with the highest bound is compared with every answer, class by class, which gives its
true probability; all sequences with a bound that is no higher are excluded. The answer found is then tried on all
sequences left, first as it is, then with its end fitted to the sequence: an answer that beats one sequence beats most
sequences that resemble it. Once no sequence is left, the best one is proven.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from solvers.penney.counting import Kinds, chances_by_class, denominator, kinds_of_rows
from solvers.penney.deck import Deck, count_reds, letters, number
from solvers.penney.rules import RED


@dataclass(frozen=True)
class Play:
    """A sequence of Yvonne's, a best answer of Zara's to it, and Yvonne's probability to win."""

    yvonne: str
    zara: str
    chance: Fraction


@dataclass(frozen=True, eq=False)
class Candidates:
    """The sequences that may still be the best, each with its lowest bound: a numerator over `denominator`."""

    sequences: np.ndarray
    bounds: np.ndarray

    def above(self, bound: int) -> "Candidates":
        """The candidates with a higher bound."""
        keep = self.bounds > bound
        return Candidates(self.sequences[keep], self.bounds[keep])


def best_play(deck: Deck) -> Play:
    """A best sequence of Yvonne's, with a best answer of Zara's to it."""
    if deck.slack < 0:
        yvonne = next(blocks for blocks in deck.two_blocks() if deck.count_answers(blocks.count(RED)))
        return Play(yvonne, deck.some_answer(yvonne), Fraction(1, 2))  # so few cards are turned that none appears
    kinds = kinds_of_rows(deck)
    candidates = _first_bounds(kinds)
    yvonne = next(blocks for blocks in deck.two_blocks() if number(blocks) in candidates.sequences)
    plays = [_answered(kinds, yvonne)]
    candidates = _exclude(kinds, candidates, plays)
    while len(candidates.sequences):
        highest = int(candidates.sequences[candidates.bounds.argmax()])
        plays.append(_answered(kinds, letters(highest, deck.k)))
        candidates = _exclude(kinds, candidates, plays)
    return max(plays, key=lambda play: play.chance)


def best_answer(deck: Deck, yvonne: str) -> str:
    """A best answer of Zara's to a sequence that leaves her at least one."""
    return _answered(kinds_of_rows(deck), yvonne).zara if deck.slack >= 0 else deck.some_answer(yvonne)


def _answered(kinds: Kinds, yvonne: str) -> Play:
    """The sequence with Zara's best answer among all that the deck allows.

    If the best answers tie the game, and so does the opposite of Yvonne's sequence, that is the answer.
    """
    deck, first = kinds.deck, number(yvonne)
    answers = np.arange(1 << deck.k)
    answers = answers[deck.allows(first, answers)]
    chances, places, classes = chances_by_class(kinds, np.full(len(answers), first), answers)
    best, whole = min(chances), denominator(deck)
    zara, opposite = int(answers[places[chances == best]].max()), (1 << deck.k) - 1 - first
    if 2 * best == whole and opposite in answers[chances[classes] == best]:
        zara = opposite
    return Play(yvonne, letters(zara, deck.k), Fraction(best, whole))


def _first_bounds(kinds: Kinds) -> Candidates:
    """The bounds from the usual answers: the opposite colours, and one card before the beginning of the sequence."""
    deck, sequences = kinds.deck, np.arange(1 << kinds.deck.k)
    answered = [reds for reds in range(deck.k + 1) if deck.count_answers(reds)]
    sequences = sequences[np.isin(count_reds(sequences), answered)]
    if deck.reds == deck.blacks:
        sequences = sequences[sequences >> deck.k - 1 == 1]  # the others are the same with the colours swapped
    candidates = Candidates(sequences, np.full(len(sequences), denominator(deck) + 1, dtype=object))
    return _lower(kinds, candidates, (1 << deck.k) - 1 - sequences, sequences >> 1, sequences >> 1 | 1 << deck.k - 1)


def _exclude(kinds: Kinds, candidates: Candidates, plays: list[Play]) -> Candidates:
    """The bounds above the best of the plays, after the last play's answer has been tried on all other sequences."""
    k, scanned, answer = kinds.deck.k, number(plays[-1].yvonne), number(plays[-1].zara)
    best = int(max(play.chance for play in plays) * denominator(kinds.deck))
    others = candidates.sequences != scanned
    candidates = Candidates(candidates.sequences[others], candidates.bounds[others]).above(best)
    candidates = _lower(kinds, candidates, np.full(len(candidates.sequences), answer)).above(best)
    shift = next(shift for shift in range(1, k + 1) if answer & (1 << k - shift) - 1 == scanned >> shift)
    fitted = answer >> k - shift << k - shift | candidates.sequences >> shift
    return _lower(kinds, candidates, fitted).above(best)


def _lower(kinds: Kinds, candidates: Candidates, *answers: np.ndarray) -> Candidates:
    """The bounds after one more answer to each sequence, or several, where the deck allows it."""
    yvonne, zara = np.tile(candidates.sequences, len(answers)), np.concatenate(answers)
    bounds, allowed = np.tile(candidates.bounds, len(answers)), kinds.deck.allows(yvonne, zara)
    if not allowed.any():
        return candidates
    chances, _, classes = chances_by_class(kinds, yvonne[allowed], zara[allowed])
    bounds[allowed] = np.minimum(bounds[allowed], chances[classes])
    return Candidates(candidates.sequences, bounds.reshape(len(answers), -1).min(axis=0))
