"""The answer confirmed by enumeration, by turning card by card, by linear equations, by play, by what is known."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any

import numpy as np

from site_builder.contract import Check
from solvers.penney.another_way import best_by_enumeration, chance_by_elimination, chance_by_turning, played_scores
from solvers.penney.deck import Deck
from solvers.penney.parameters import Parameters
from solvers.penney.puzzle import Result
from solvers.penney.search import best_play

HALF = Fraction(1, 2)
GAMES = 20_000
SEED = 20
MOST_TURNED = 120
SMALL_DECKS = ((2, 5, 5), (2, 2, 7), (3, 7, 7), (3, 5, 9), (3, 8, 2), (4, 8, 7), (5, 9, 10))
ANOTHER = "another algorithm"


def checks(parameters: Parameters, result: Result) -> Iterable[Check]:
    """Those of the confirmations that apply to the parameters, all within about a second."""
    yield from _small_decks(parameters)
    yield from _known(result)
    yield from _endless(result)
    if result.turned <= MOST_TURNED:
        yield from _turning(result)
        yield from _other_answers(result)
        yield from _short_sequences(result)
        yield from _played(result)


def _agree(name: str, method: str, expected: Any, found: Any, detail: str) -> Check:
    return Check(name, method, expected, found, expected == found, detail)


def _small_decks(parameters: Parameters) -> Iterator[Check]:
    """Best play on decks so small that every order can be looked at for every pair; one of them like the reader's."""
    k, reds, blacks = min(parameters.k, 5), min(parameters.reds, 8), min(parameters.blacks, 8)
    like = ((k, reds, blacks),) if reds + blacks >= 2 * k else ()
    for k, reds, blacks in dict.fromkeys((*SMALL_DECKS, *like)):
        yield _agree(
            f"best play for k = {k} on a deck of {reds} + {blacks} cards",
            "brute force",
            best_by_enumeration(k, reds, blacks),
            best_play(Deck(k, reds, blacks)).chance,
            f"every pair of sequences and every order of {reds} red and {blacks} black cards less the two sequences",
        )


def _known(result: Result) -> Iterator[Check]:
    """What is known without counting: the opposite ties on an even deck, and short decks leave all to the coin."""
    if result.reds == result.blacks:
        mirror = "with as many reds as blacks Zara can take the opposite of each colour, a mirror image"
        yield Check("Yvonne is not ahead", "closed form", HALF, result.chance, result.chance <= HALF, mirror)
    if 3 * result.k > result.reds + result.blacks:
        few = f"{result.turned} cards are turned, fewer than k = {result.k}"
        yield _agree("a tie when no sequence can appear", "closed form", HALF, result.chance, few)
    if (result.reds, result.blacks) == (26, 26):
        published = "ties for k = 1, 2 and for k from 17 to 26, Zara ahead from 3 to 16"
        who = "Zara" if 3 <= result.k <= 16 else "nobody"
        yield _agree("who is ahead", "published value", who, result.ahead, published)


def _endless(result: Result) -> Iterator[Check]:
    """The game without a deck limit: published odds, and the chain of memories solved by elimination."""
    if result.endless is None or result.endless_yvonne is None or result.endless_zara is None:
        return
    red = Fraction(result.reds, result.reds + result.blacks)
    best = result.endless_yvonne, result.endless_zara, result.endless
    for yvonne, zara, found in dict.fromkeys((best, (result.pair.yvonne, result.pair.zara, result.pair.endless))):
        expected = chance_by_elimination(yvonne, zara, red)
        name = f"{yvonne} against {zara} without a deck limit"
        yield _agree(name, ANOTHER, expected, found, "linear equations over the memories, exact")
    if result.reds == result.blacks and result.k >= 3:
        zara_wins, yvonne_wins = (2, 1) if result.k == 3 else (2 ** (result.k - 1) + 1, 2 ** (result.k - 2) + 1)
        expected = Fraction(yvonne_wins, yvonne_wins + zara_wins)
        odds = "odds for Zara of 2 to 1 at k = 3, of 2^(k-1) + 1 to 2^(k-2) + 1 from k = 4 on"
        yield _agree("best play without a deck limit", "published value", expected, result.endless, odds)


def _turning(result: Result) -> Iterator[Check]:
    """The chances of the best pair, of the pair that is followed, and of that pair after the cards turned."""
    pair, how = result.pair, "every situation carried forward card by card, exact"
    best = result.yvonne, result.zara, result.chance
    for yvonne, zara, found in dict.fromkeys((best, (pair.yvonne, pair.zara, pair.chance))):
        expected = chance_by_turning(yvonne, zara, *_cards_to_come(result, yvonne, zara))[0]
        yield _agree(f"{yvonne} against {zara}", ANOTHER, expected, found, how)
    if pair.cards:
        left = _cards_to_come(result, pair.yvonne, pair.zara, pair.cards)
        expected = chance_by_turning(pair.yvonne, pair.zara, *left, pair.cards)[0]
        yield _agree(f"{pair.yvonne} against {pair.zara} after {pair.cards}", ANOTHER, expected, pair.chance_now, how)


def _cards_to_come(result: Result, *gone: str) -> tuple[int, int]:
    """Red and black cards that are left when some rows of cards are gone."""
    return result.reds - "".join(gone).count("R"), result.blacks - "".join(gone).count("B")


def _other_answers(result: Result) -> Iterator[Check]:
    """No answer out of a sample does better against Yvonne's best sequence than the one that was found."""
    answers = _sample(result) if result.can_appear else []
    chances = [
        chance_by_turning(result.yvonne, zara, *_cards_to_come(result, result.yvonne, zara))[0] for zara in answers
    ]
    if chances:
        yield Check(
            f"no better answer to {result.yvonne}",
            ANOTHER,
            min(chances),
            result.chance,
            min(chances) >= result.chance,
            f"Yvonne's chance against the strongest of {len(answers)} other answers is not below the one found",
        )


def _sample(result: Result) -> list[str]:
    """The answers that lead into Yvonne's sequence with up to three cards, and a few drawn; fewer for a long deck."""
    k, yvonne = result.k, result.yvonne
    most, number = (3, 12) if result.turned <= 60 else (1, 2)
    leading = {"".join(head) + yvonne[: k - n] for n in range(1, min(k, most) + 1) for head in product("RB", repeat=n)}
    drawn = np.random.default_rng(SEED).integers(0, 2, size=(number, k))
    answers = leading | {"".join("BR"[card] for card in row) for row in drawn}
    return [word for word in sorted(answers - {yvonne, result.zara}) if min(_cards_to_come(result, yvonne, word)) >= 0]


def _short_sequences(result: Result) -> Iterator[Check]:
    """The table of all pairs, in cells drawn with a seed; the best of it where it is about the same k."""
    small = result.small
    drawn = np.random.default_rng(SEED).integers(0, len(small.words), size=(12, 2))
    differences = [
        abs(float(chance_by_turning(yvonne, zara, *to_come)[0]) - small.chance.at(yvonne=yvonne, zara=zara))
        for yvonne, zara in ((small.words[a], small.words[b]) for a, b in drawn.tolist())
        if yvonne != zara and min(to_come := _cards_to_come(result, yvonne, zara)) >= 0
    ]
    if differences:
        name = f"{len(differences)} cells of the table of all pairs"
        largest = max(differences)
        detail = f"the largest difference, at most 1e-12; cells drawn with seed {SEED}"
        yield Check(name, ANOTHER, 0.0, largest, largest <= 1e-12, detail)
    if small.k == result.k:
        worth = 1 - min(small.zara_chance.values())
        yield _agree("the best of all pairs", ANOTHER, worth, result.chance, "the largest of all row minima")


def _played(result: Result) -> Iterator[Check]:
    """Shuffled decks played with the pair; only where sequences appear often enough for a fair test."""
    pair = result.pair
    to_come = _cards_to_come(result, pair.yvonne, pair.zara)
    chance, appears = map(float, chance_by_turning(pair.yvonne, pair.zara, *to_come))
    if appears * GAMES < 400:
        return
    mean = float(played_scores(pair.yvonne, pair.zara, *to_come, GAMES, SEED).mean())
    error = sqrt(max(chance - (1 - appears) / 4 - chance**2, 0.0) / GAMES)
    found = float(pair.chance)
    yield Check(
        f"{pair.yvonne} against {pair.zara}, played",
        "simulation",
        round(mean, 6),
        round(found, 6),
        abs(mean - found) <= 4 * error + 1e-12,
        f"{GAMES} shuffled decks, seed {SEED}, within four standard errors of {error:.5f}",
    )
