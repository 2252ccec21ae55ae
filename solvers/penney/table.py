"""Every pair of short sequences, the best answers, and the cycle in which they run."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np

from site_builder.contract import Grid, NotFinite
from solvers.penney.counting import chances_by_class, denominator, kinds_of_rows
from solvers.penney.deck import Deck, letters


@dataclass(frozen=True, eq=False)
class AllPairs:
    """All pairs of sequences of k cards from one deck.

    chance: Yvonne's probability over the axes "yvonne" and "zara", RR...R first. answers: each of Yvonne's sequences
    that leaves Zara another one -> Zara's best answer, of several the one with the earliest reds; zara_chance: the same
    sequences -> Zara's probability then. best: all of Yvonne's best sequences. beaten: to how many sequences an answer
    is ahead.
    cycle: sequences of which each is the best answer to the one before it, and the first to the last; cycle_chance:
    for each of them, the probability that the next one wins.
    """

    k: int
    chance: Annotated[Grid, NotFinite("the deck does not allow this pair")]
    answers: Mapping[str, str]
    zara_chance: Mapping[str, Fraction]
    best: tuple[str, ...]
    beaten: int
    cycle: tuple[str, ...]
    cycle_chance: tuple[Fraction, ...]


def all_pairs(deck: Deck) -> AllPairs:
    """Every pair, exact, with one count for each class of pairs; for k <= 5."""
    words = tuple(letters(sequence, deck.k) for sequence in reversed(range(1 << deck.k)))
    rows = _chances(deck)
    answers = {first: min(row, key=row.__getitem__) for first, row in rows.items()}
    zara_chance = {first: 1 - rows[first][answer] for first, answer in answers.items()}
    best = tuple(first for first in answers if zara_chance[first] == min(zara_chance.values()))
    cycle = _cycle(answers, best[0])
    grid = [[float(rows.get(first, {}).get(second, np.nan)) for second in words] for first in words]
    return AllPairs(
        k=deck.k,
        chance=Grid(np.array(grid), {"yvonne": words, "zara": words}),
        answers=answers,
        zara_chance=zara_chance,
        best=best,
        beaten=sum(chance > Fraction(1, 2) for chance in zara_chance.values()),
        cycle=cycle,
        cycle_chance=tuple(zara_chance[first] for first in cycle),
    )


def _chances(deck: Deck) -> dict[str, dict[str, Fraction]]:
    """Yvonne's probability for each allowed pair, by her sequence and then by Zara's."""
    sequences = np.arange(1 << deck.k)[::-1]
    yvonne, zara = np.repeat(sequences, len(sequences)), np.tile(sequences, len(sequences))
    allowed = deck.allows(yvonne, zara)
    yvonne, zara = yvonne[allowed], zara[allowed]
    numerators, _, classes = chances_by_class(kinds_of_rows(deck), yvonne, zara)
    whole = denominator(deck)
    shares = [Fraction(numerator, whole) for numerator in numerators]
    words = [letters(sequence, deck.k) for sequence in range(1 << deck.k)]
    rows: dict[str, dict[str, Fraction]] = {}
    for first, second, each in zip(yvonne.tolist(), zara.tolist(), classes.tolist(), strict=True):
        rows.setdefault(words[first], {})[words[second]] = shares[each]
    return rows


def _cycle(answers: Mapping[str, str], first: str) -> tuple[str, ...]:
    """The cycle that the best answers reach from `first`, in order, from its alphabetically last sequence on."""
    trail: list[str] = []
    while first not in trail:
        trail.append(first)
        first = answers[first]
    start = max(trail[trail.index(first) :])
    trail = [start]
    while answers[trail[-1]] != start:
        trail.append(answers[trail[-1]])
    return tuple(trail)
