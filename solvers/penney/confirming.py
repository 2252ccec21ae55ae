"""The answer confirmed by enumeration, by turning card by card, by linear equations, by play, by what is known."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import comb, sqrt

import numpy as np

from site_builder.contract import Check
from solvers.common.agreeing import same
from solvers.penney.another_way import (
    best_by_enumeration,
    cards_to_come,
    chance_by_elimination,
    chance_by_turning,
    played_scores,
    situations,
)
from solvers.penney.deck import Deck
from solvers.penney.parameters import Parameters
from solvers.penney.puzzle import Result
from solvers.penney.search import best_play
from solvers.penney.table_checks import memory_checks, table_checks

HALF = Fraction(1, 2)
GAMES = 20_000
SEED = 20
MOST_TURNED = 120
SMALL_DECKS = ((2, 5, 5), (2, 2, 7), (3, 7, 7), (3, 5, 9), (3, 8, 2), (4, 8, 7), (5, 9, 10))
ANOTHER = "another algorithm"


def checks(parameters: Parameters, result: Result) -> Iterable[Check]:
    """Those of the confirmations that apply to the parameters, all within about a second."""
    yield _small_decks(parameters)
    yield from _known(result)
    yield from _counts(result)
    yield from _endless(result)
    yield from memory_checks(result.pair)
    if result.turned <= MOST_TURNED:
        yield from _turning(result)
        yield _states(result)
        yield from _outcomes(result)
        yield from _pair(result)
        yield from _other_answers(result)
        yield from table_checks(result)
        yield from _played(result)


def _small_decks(parameters: Parameters) -> Check:
    """Best play on decks so small that every order can be looked at for every pair; one of them like the reader's."""
    k, reds, blacks = min(parameters.k, 5), min(parameters.reds, 8), min(parameters.blacks, 8)
    like = ((k, reds, blacks),) if reds + blacks >= 2 * k else ()
    decks = tuple(dict.fromkeys((*SMALL_DECKS, *like)))
    return same(
        f"best play with {len(decks)} small decks",
        "brute force",
        tuple(best_by_enumeration(*deck) for deck in decks),
        tuple(best_play(Deck(*deck)).chance for deck in decks),
        "every pair and every order, for (cards in a sequence, red, black) " + ", ".join(map(str, decks)),
    )


def _known(result: Result) -> Iterator[Check]:
    """What is known without counting: the opposite ties on an even deck, and short decks leave all to the coin."""
    if result.reds == result.blacks:
        mirror = "with as many reds as blacks Zara can take the opposite of each colour, a mirror image"
        most, found = f"at most {HALF}", str(result.chance)
        yield Check("Yvonne is not ahead", "closed form", most, found, result.chance <= HALF, mirror)
    if 3 * result.k > result.reds + result.blacks:
        few = f"{result.turned} cards are turned, fewer than $k = {result.k}$"
        yield same("a tie when no sequence can appear", "closed form", HALF, result.chance, few)
    if (result.reds, result.blacks) == (26, 26):
        published = "52 cards: ties for $k = 1, 2$ and for $k$ from 17 to 26, Zara ahead from 3 to 16"
        who = "Zara" if 3 <= result.k <= 16 else "nobody"
        yield same("who is ahead", "published value", who, result.ahead, published)


def _counts(result: Result) -> Iterator[Check]:
    """Pairs by their reds together, of which there are comb(2 k, reds), less the sequences taken twice."""
    k, pairs = result.k, 0
    for reds in range(2 * k + 1):
        if reds <= result.reds and 2 * k - reds <= result.blacks:
            pairs += comb(2 * k, reds) - (comb(k, reds // 2) if reds % 2 == 0 else 0)
    expected = (result.reds + result.blacks - 2 * k, 1 << k, pairs)
    found = (result.turned, result.n_sequences, result.n_pairs)
    how = "cards turned; sequences; pairs, counted by the red cards in both together"
    yield same("cards, sequences and pairs", "closed form", expected, found, how)
    words = {True: "yes", False: "no"}
    fits, how = result.reds + result.blacks >= 3 * k, f"{result.turned} cards are turned, and a sequence has {k}"
    yield same("whether a sequence can appear", "closed form", words[fits], words[result.can_appear], how)


def _endless(result: Result) -> Iterator[Check]:
    """The game without a deck limit: published odds, and the chain of memories solved by elimination."""
    if result.endless is None or result.endless_yvonne is None or result.endless_zara is None:
        return
    red = Fraction(result.reds, result.reds + result.blacks)
    best = result.endless_yvonne, result.endless_zara, result.endless
    for yvonne, zara, found in dict.fromkeys((best, (result.pair.yvonne, result.pair.zara, result.pair.endless))):
        expected = chance_by_elimination(yvonne, zara, red)
        name = f"{yvonne} against {zara} without a deck limit"
        yield same(name, ANOTHER, expected, found, "linear equations over the memories, exact")
    if result.reds == result.blacks and result.k >= 3:
        zara_wins, yvonne_wins = (2, 1) if result.k == 3 else (2 ** (result.k - 1) + 1, 2 ** (result.k - 2) + 1)
        expected = Fraction(yvonne_wins, yvonne_wins + zara_wins)
        odds = "odds for Zara of 2 to 1 at $k = 3$, of $2^{k-1} + 1$ to $2^{k-2} + 1$ from $k = 4$ on"
        yield same("best play without a deck limit", "published value", expected, result.endless, odds)


def _turning(result: Result) -> Iterator[Check]:
    """The chance of the best pair."""
    best = result.yvonne, result.zara
    expected = chance_by_turning(*best, *cards_to_come(result, *best))[0]
    how = "every situation carried forward card by card, exact"
    yield same(f"best play: {best[0]} against {best[1]}", ANOTHER, expected, result.chance, how)


def _states(result: Result) -> Check:
    """The states that can occur when the best pair is played."""
    best = result.yvonne, result.zara
    how = "the best pair, card by card: the cards that have come, and what may still grow into a sequence, each once"
    expected = situations(*best, *cards_to_come(result, *best))
    return same("states that can occur", "brute force", expected, result.n_states, how)


def _outcomes(result: Result) -> Iterator[Check]:
    """How the best play ends, and how many answers are as good as the best, both by turning card by card."""
    best = result.yvonne, result.zara
    chance, appears = chance_by_turning(*best, *cards_to_come(result, *best))
    share = (1 - chance - (1 - appears) / 2) / appears if appears else None
    how = "every situation carried forward card by card, exact"
    name = "Zara's chance, that the cards decide, her share of these"
    found = (result.zara_chance, result.decided, result.zara_share)
    yield same(name, ANOTHER, (1 - chance, appears, share), found, how)
    words = {True: "a tie", False: "no tie"}
    expected = f"{_leader(chance)}, {words[chance == HALF]}"
    yield same("who leads the best play", ANOTHER, expected, f"{result.ahead}, {words[result.is_tie]}", how)
    if result.k <= 4 and result.can_appear:
        words_of_k = ["".join(cards) for cards in product("RB", repeat=result.k)]
        possible = [word for word in words_of_k if word != result.yvonne]
        possible = [word for word in possible if min(cards_to_come(result, result.yvonne, word)) >= 0]
        against = [
            chance_by_turning(result.yvonne, word, *cards_to_come(result, result.yvonne, word))[0] for word in possible
        ]
        count, how = against.count(min(against)), f"all {len(possible)} answers to {result.yvonne}, each by turning"
        told = (result.chance, result.ties)
        yield same("the best answer, and how many are as good", ANOTHER, (min(against), count), told, how)


def _pair(result: Result) -> Iterator[Check]:
    """The outcomes of the pair that is followed, before any card and after those that were turned."""
    pair, how = result.pair, "every situation carried forward card by card, exact"
    names = f"{pair.yvonne} against {pair.zara}"
    situations = {"": (pair.chance, pair.zara_chance, pair.nobody)}
    if pair.cards:
        situations[pair.cards] = (pair.chance_now, pair.zara_now, pair.nobody_now)
    for cards, found in situations.items():
        to_come = cards_to_come(result, pair.yvonne, pair.zara, cards)
        chance, appears = chance_by_turning(pair.yvonne, pair.zara, *to_come, cards)
        name = f"Yvonne, Zara, nobody: {names}{' after ' if cards else ''}{cards}"
        yield same(name, ANOTHER, (chance, 1 - chance, 1 - appears), found, how)
        if not cards:
            yield same(f"who is ahead: {names}", ANOTHER, _leader(chance), pair.ahead, how)
    left, gone = sum(to_come), "the deck less all cards that are gone"
    yield same(f"cards to come: {names}", "closed form", left, pair.cards_left, gone)


def _leader(chance: Fraction) -> str:
    return "nobody" if chance == HALF else "Yvonne" if chance > HALF else "Zara"


def _other_answers(result: Result) -> Iterator[Check]:
    """No answer out of a sample does better against Yvonne's best sequence than the one that was found."""
    answers = _sample(result) if result.can_appear else []
    chances = [
        chance_by_turning(result.yvonne, zara, *cards_to_come(result, result.yvonne, zara))[0] for zara in answers
    ]
    if chances:
        least, how = min(chances), f"Yvonne's chance against the strongest of {len(answers)} others, card by card"
        name = f"no better answer to {result.yvonne}"
        yield Check(name, ANOTHER, f"at most {least}", str(result.chance), result.chance <= least, how)


def _sample(result: Result) -> list[str]:
    """The answers that lead into Yvonne's sequence with up to three cards, and a few drawn; fewer for a long deck."""
    k, yvonne = result.k, result.yvonne
    most, number = (3, 12) if result.turned <= 60 else (1, 2)
    leading = {"".join(head) + yvonne[: k - n] for n in range(1, min(k, most) + 1) for head in product("RB", repeat=n)}
    drawn = np.random.default_rng(SEED).integers(0, 2, size=(number, k))
    answers = leading | {"".join("BR"[card] for card in row) for row in drawn}
    return [word for word in sorted(answers - {yvonne, result.zara}) if min(cards_to_come(result, yvonne, word)) >= 0]


def _played(result: Result) -> Iterator[Check]:
    """Shuffled decks played with the pair; only where sequences appear often enough for a fair test."""
    pair = result.pair
    to_come = cards_to_come(result, pair.yvonne, pair.zara)
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
