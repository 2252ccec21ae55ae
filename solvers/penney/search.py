"""The best sequence of Yvonne's and Zara's best answer to it, without trying all 4**k pairs.

Every answer that Zara has bounds what a sequence is worth to Yvonne. Each sequence of hers is kept with the lowest
bound that an actual answer has shown. The one with the highest bound is then tried against every answer, class by
class; what it turns out to be worth excludes all sequences whose bound is no higher. The answer found is tried on all
that are left, as it stands and with its end fitted to the sequence it answers: what beats one sequence beats most of
its like. When none is left, the best is proven.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from solvers.penney.counting import leads
from solvers.penney.deck import Deck
from solvers.penney.kinds import Kinds, answers_by_class, classes_of_pairs, kinds_of_words
from solvers.penney.words import every_word, read, spell

# Edges as floats are right to 1e-14; what lies closer together than this is compared as fractions.
MARGIN = 1e-12


@dataclass(frozen=True)
class Answer:
    """Zara's best answer to one sequence.

    edge: Yvonne's chance less Zara's. ties: how many answers are as good. classes: how many classes were counted.
    """

    word: int
    edge: Fraction
    ties: int
    classes: int


@dataclass(frozen=True)
class Best:
    """Best play for both: a best sequence, a best answer to it as in `Answer`, and Yvonne's chance.

    scans: how many sequences were tried against every answer. classes: how many classes of pairs were counted in all.
    """

    yvonne: str
    zara: str
    chance: Fraction
    ties: int
    scans: int
    classes: int


@dataclass(frozen=True, eq=False)
class Game:
    """A deck and the kinds of its words."""

    deck: Deck
    kinds: Kinds

    @classmethod
    def of(cls, deck: Deck) -> "Game":
        """The game with that deck, in which a sequence must be able to appear (slack >= 0)."""
        return cls(deck, kinds_of_words(deck))

    def best_answer(self, yvonne: int) -> Answer:
        """Zara's best answer out of every sequence that the deck allows, by exact comparison.

        Where the best is a tie, it is the opposite of Yvonne's sequence if that ties as well.
        """
        words = every_word(self.deck.k)
        first = np.full(len(words), yvonne)
        answers, sizes = answers_by_class(self.kinds, yvonne, self.deck.allows(first, words))
        first = first[: len(answers)]
        counts = leads(self.deck, first, answers)
        edges = self._edges(counts, first, answers)
        near = np.flatnonzero(edges <= edges.min() + MARGIN)
        exact = self._exact(counts[near], first[near], answers[near])
        best = min(exact)
        ties = [place for place, edge in zip(near, exact, strict=True) if edge == best]
        opposite = self._tying_opposite(yvonne) if best == 0 else None
        word = int(answers[ties].max()) if opposite is None else opposite
        return Answer(word, best, int(sizes[ties].sum()), len(answers))

    def _tying_opposite(self, yvonne: int) -> int | None:
        pair = np.array([yvonne]), np.array([(1 << self.deck.k) - 1 - yvonne])
        return int(pair[1][0]) if self.deck.allows(*pair)[0] and self.exact_edges(*pair)[0] == 0 else None

    def edges(self, yvonne: np.ndarray, zara: np.ndarray) -> np.ndarray:
        """Yvonne's chance less Zara's for each pair, as floats; every pair is counted and must be allowed."""
        return self._edges(leads(self.deck, yvonne, zara), yvonne, zara)

    def exact_edges(self, yvonne: np.ndarray, zara: np.ndarray) -> list[Fraction]:
        """The same as fractions."""
        return self._exact(leads(self.deck, yvonne, zara), yvonne, zara)

    def _edges(self, counts: np.ndarray, yvonne: np.ndarray, zara: np.ndarray) -> np.ndarray:
        orders = np.array([float(number) for number in self.deck.orders])
        edges: np.ndarray = counts.astype(float) / orders[self.deck.reds_left(yvonne, zara)]
        return edges

    def _exact(self, counts: np.ndarray, yvonne: np.ndarray, zara: np.ndarray) -> list[Fraction]:
        orders, reds = self.deck.orders, self.deck.reds_left(yvonne, zara)
        return [Fraction(int(count), orders[red]) for count, red in zip(counts, reds, strict=True)]


@dataclass(frozen=True, eq=False)
class Bounds:
    """The sequences that may still be the best, each with the lowest edge that an answer has shown, and that answer.

    edges: infinite where no answer has been tried. classes: how many classes of pairs were counted on the way.
    """

    words: np.ndarray
    edges: np.ndarray
    answers: np.ndarray
    classes: int = 0

    def lowered(self, game: Game, answers: np.ndarray) -> "Bounds":
        """After one more answer to each sequence, where the deck allows it."""
        allowed = np.flatnonzero(game.deck.allows(self.words, answers))
        yvonne, zara = self.words[allowed], answers[allowed]
        representatives, classes = classes_of_pairs(game.kinds, yvonne, zara)
        found = np.full(len(self.words), np.inf)
        found[allowed] = game.edges(yvonne[representatives], zara[representatives])[classes]
        lower = found < self.edges
        return Bounds(
            self.words,
            np.where(lower, found, self.edges),
            np.where(lower, answers, self.answers),
            self.classes + len(representatives),
        )

    def above(self, game: Game, best: Fraction) -> "Bounds":
        """Only the sequences whose bound exceeds `best`, by exact comparison."""
        close = np.flatnonzero(np.abs(self.edges - float(best)) <= MARGIN)
        keep = self.edges > float(best)
        if len(close):
            yvonne, zara = self.words[close], self.answers[close]
            representatives, classes = classes_of_pairs(game.kinds, yvonne, zara)
            exact = game.exact_edges(yvonne[representatives], zara[representatives])
            keep[close] = np.array([edge > best for edge in exact])[classes]
        return Bounds(self.words[keep], self.edges[keep], self.answers[keep], self.classes)


def best_play(deck: Deck) -> Best:
    """A best sequence for Yvonne when Zara answers as well as can be."""
    if deck.slack < 0:
        return _coin_decides(deck)
    game = Game.of(deck)
    bounds = _first_bounds(game)
    word = _first_candidate(game, bounds)
    tries: list[Try] = []
    while True:
        tries.append(Try(word, game.best_answer(word)))
        best = max(tries, key=Try.edge)
        bounds = _learned(game, bounds, tries[-1], best.edge())
        if not len(bounds.words):
            return _told(deck, best, tries, bounds)
        word = int(bounds.words[bounds.edges.argmax()])


@dataclass(frozen=True)
class Try:
    """A sequence tried against every answer."""

    word: int
    answer: Answer

    def edge(self) -> Fraction:
        """What the sequence is worth: Yvonne's chance less Zara's."""
        return self.answer.edge


def _told(deck: Deck, best: Try, tries: list[Try], bounds: Bounds) -> Best:
    sequences = spell(best.word, deck.k), spell(best.answer.word, deck.k)
    classes = bounds.classes + sum(each.answer.classes for each in tries)
    return Best(*sequences, (1 + best.edge()) / 2, best.answer.ties, len(tries), classes)


def _first_candidate(game: Game, bounds: Bounds) -> int:
    """Reds and then blacks, in the most even mixture that is possible."""
    return next(block for block in map(read, game.deck.blocks()) if block in bounds.words)


def answer_to(deck: Deck, yvonne: str) -> str:
    """A best answer of Zara's to a sequence that leaves her a choice."""
    if deck.slack >= 0:
        return spell(Game.of(deck).best_answer(read(yvonne)).word, deck.k)
    answer = deck.some_answer(yvonne)
    assert answer is not None
    return answer


def _coin_decides(deck: Deck) -> Best:
    """So few cards are turned that no sequence can appear: all choices are as good."""
    yvonne = next(block for block in deck.blocks() if deck.some_answer(block))
    return Best(yvonne, answer_to(deck, yvonne), Fraction(1, 2), deck.count_answers(yvonne), 0, 0)


def _first_bounds(game: Game) -> Bounds:
    """What the usual answers show: the opposite colours, and one card put before the sequence's own beginning."""
    k = game.deck.k
    words = game.deck.first_choices()
    if game.deck.is_even:
        words = words[words >> k - 1 == 1]  # those that begin with black are the same with the colours swapped
    bounds = Bounds(words, np.full(len(words), np.inf), np.zeros(len(words), dtype=np.int64))
    for answers in ((1 << k) - 1 - words, words >> 1, words >> 1 | 1 << k - 1):
        bounds = bounds.lowered(game, answers)
    return bounds


def _learned(game: Game, bounds: Bounds, tried: Try, best: Fraction) -> Bounds:
    """What is left above `best` once the answer to one sequence has been tried on every other."""
    k, answer = game.deck.k, tried.answer.word
    shift = next(shift for shift in range(1, k + 1) if answer & (1 << k - shift) - 1 == tried.word >> shift)
    others = bounds.words != tried.word
    bounds = Bounds(bounds.words[others], bounds.edges[others], bounds.answers[others], bounds.classes)
    bounds = bounds.above(game, best)
    bounds = bounds.lowered(game, np.full(len(bounds.words), answer)).above(game, best)
    fitted = answer >> k - shift << k - shift | bounds.words >> shift
    return bounds.lowered(game, fitted).above(game, best)
