"""Every pair of short sequences: who beats whom, and the circle that the best answers run in."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np

from site_builder.contract import Grid, NotFinite
from solvers.penney.deck import Deck
from solvers.penney.kinds import classes_of_pairs, kinds_of_words
from solvers.penney.search import Game
from solvers.penney.words import every_word, spell


@dataclass(frozen=True, eq=False)
class AllPairs:
    """All pairs of sequences of length k from one deck.

    words: every sequence, RR...R first. chance: Yvonne's chance over axes "yvonne" and "zara"; NaN where the deck does
    not allow the pair. answers: each of Yvonne's sequences that leaves Zara a choice -> Zara's best answer;
    zara_chance: Zara's chance then. best: Yvonne's best sequences, all of them. beaten: how many sequences have an
    answer that is ahead. cycle: best answers to one another, the last of which is answered best by the first;
    cycle_chance: the chance of each next one against it. pairs, classes: how many pairs the deck allows, and how many
    counts were needed for them.
    """

    k: int
    words: tuple[str, ...]
    chance: Annotated[Grid, NotFinite("the deck does not allow this pair")]
    answers: Mapping[str, str]
    zara_chance: Mapping[str, Fraction]
    best: tuple[str, ...]
    beaten: int
    cycle: tuple[str, ...]
    cycle_chance: tuple[Fraction, ...]
    pairs: int
    classes: int


def all_pairs(deck: Deck) -> AllPairs:
    """Every pair counted exactly, one count for each class; meant for k <= 5."""
    words = every_word(deck.k)[::-1]
    yvonne, zara = np.repeat(words, len(words)), np.tile(words, len(words))
    allowed = deck.allows(yvonne, zara)
    yvonne, zara = yvonne[allowed], zara[allowed]
    representatives, classes = classes_of_pairs(kinds_of_words(deck), yvonne, zara)
    edges = Game.of(deck).exact_edges(yvonne[representatives], zara[representatives])
    chances: dict[str, dict[str, Fraction]] = {}
    for first, second, number in zip(yvonne.tolist(), zara.tolist(), classes.tolist(), strict=True):
        chances.setdefault(spell(first, deck.k), {})[spell(second, deck.k)] = (1 - edges[number]) / 2
    return _told(deck.k, tuple(spell(word, deck.k) for word in words.tolist()), chances, len(representatives))


def _told(k: int, words: tuple[str, ...], chances: Mapping[str, Mapping[str, Fraction]], classes: int) -> AllPairs:
    """What there is to say about Zara's chances, chances[yvonne][zara]."""
    answers = {first: max(against, key=against.__getitem__) for first, against in chances.items()}
    worst = {first: chances[first][answer] for first, answer in answers.items()}
    best = tuple(first for first in worst if worst[first] == min(worst.values()))
    cycle = _cycle(answers, best[0])
    grid = [[float(1 - chances.get(first, {}).get(second, np.nan)) for second in words] for first in words]
    return AllPairs(
        k,
        words,
        Grid(np.array(grid), {"yvonne": words, "zara": words}),
        answers,
        worst,
        best,
        sum(chance > Fraction(1, 2) for chance in worst.values()),
        cycle,
        tuple(worst[first] for first in cycle),
        sum(map(len, chances.values())),
        classes,
    )


def _cycle(answers: Mapping[str, str], first: str) -> tuple[str, ...]:
    """Where following the answers from `first` ends: a cycle, in order, from its member with the earliest reds."""
    trail: list[str] = []
    while first not in trail:
        trail.append(first)
        first = answers[first]
    cycle = trail[trail.index(first) :]
    start = cycle.index(max(cycle))
    return tuple(cycle[start:] + cycle[:start])
