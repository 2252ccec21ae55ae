"""The confirmations of a result: by the rule card by card, enumeration, linear equations, simulation, known answers."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, product
from math import comb, sqrt

import numpy as np

from site_builder.contract import Check
from solvers.common.agreeing import counted, same
from solvers.penney.automaton import Pair
from solvers.penney.deck import Deck
from solvers.penney.game import appearance_probability, cards_left, count_states, memory_of, win_probability
from solvers.penney.other_methods import best_by_enumeration, chance_by_elimination, simulated_scores
from solvers.penney.search import best_play
from solvers.penney.solution import Parameters, Result

HALF = Fraction(1, 2)
GAMES = 20_000
SEED = 20
MOST_TURNED = 120
"""Longer decks are not turned card by card, which would take too long."""
MOST_CELLS = 60
"""All cells of a table of at most so many pairs are confirmed; of a larger one, twelve cells drawn with a seed."""
SMALL_DECKS = ((2, 5, 5), (2, 2, 7), (3, 7, 7), (3, 5, 9), (3, 8, 2), (4, 8, 7), (5, 9, 10))
ANOTHER = "another algorithm"
BY_CARD = "every situation carried forward card by card, exact"


def checks(parameters: Parameters, result: Result) -> Iterable[Check]:
    """The confirmations that apply to the parameters; they take about a second together."""
    yield _small_decks(parameters)
    yield from _known_answers(result)
    yield from _counts(result)
    yield from _endless_game(result)
    yield from _memories(result.pair)
    if result.turned <= MOST_TURNED:
        yield from _best_pair(result)
        yield from _followed_pair(result)
        yield from _other_answers(result)
        yield from _table(result)
        yield from _simulation(result)


def _small_decks(parameters: Parameters) -> Check:
    """Best play with decks small enough for every pair and every order; one of them resembles the parameters'."""
    k, reds, blacks = min(parameters.k, 5), min(parameters.reds, 8), min(parameters.blacks, 8)
    similar = ((k, reds, blacks),) if reds + blacks >= 2 * k else ()
    decks = tuple(dict.fromkeys((*SMALL_DECKS, *similar)))
    return same(
        f"best play with {len(decks)} small decks",
        "brute force",
        tuple(best_by_enumeration(*deck) for deck in decks),
        tuple(best_play(Deck(*deck)).chance for deck in decks),
        "every pair and every order, for (cards in a sequence, red, black) " + ", ".join(map(str, decks)),
    )


def _known_answers(result: Result) -> Iterator[Check]:
    """Answers known without a count: for an even deck, for a deck that is too short, and the published ones."""
    if result.reds == result.blacks:
        mirror = "with as many reds as blacks Zara can take the opposite of each colour, a mirror image"
        most, found = f"at most {HALF}", str(result.chance)
        yield Check("Yvonne is not ahead", "closed form", most, found, result.chance <= HALF, mirror)
    if 3 * result.k > result.reds + result.blacks:
        few = f"{result.turned} cards are turned, fewer than $k = {result.k}$"
        yield same("a tie when no sequence can appear", "closed form", HALF, result.chance, few)
    if (result.reds, result.blacks) == (26, 26):
        published = "52 cards: ties for $k = 1, 2$ and for $k$ from 17 to 26, Zara ahead from 3 to 16"
        leader = "Zara" if 3 <= result.k <= 16 else "nobody"
        yield same("who is ahead", "published value", leader, result.ahead, published)


def _counts(result: Result) -> Iterator[Check]:
    """Cards, sequences and pairs: comb(2 k, reds) pairs have so many reds together, less the pairs of equals."""
    k, pairs = result.k, 0
    for reds in range(2 * k + 1):
        if reds <= result.reds and 2 * k - reds <= result.blacks:
            pairs += comb(2 * k, reds) - (comb(k, reds // 2) if reds % 2 == 0 else 0)
    expected = (result.reds + result.blacks - 2 * k, 1 << k, pairs)
    found = (result.turned, result.n_sequences, result.n_pairs)
    how = "cards turned; sequences; pairs, counted by the red cards in both together"
    yield same("cards, sequences and pairs", "closed form", expected, found, how)
    yes = {True: "yes", False: "no"}
    fits, how = result.reds + result.blacks >= 3 * k, f"{result.turned} cards are turned, and a sequence has {k}"
    yield same("whether a sequence can appear", "closed form", yes[fits], yes[result.can_appear], how)


def _endless_game(result: Result) -> Iterator[Check]:
    """The game without a deck limit: linear equations over the memories, and the published odds."""
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


def _memories(pair: Pair) -> Iterator[Check]:
    """The memories of the pair, and where each card leads."""
    sequences = (pair.yvonne, pair.zara)
    memories = {sequence[:length] for sequence in sequences for length in range(len(sequence) + 1)}
    moves = {
        f"{memory} {card}": memory_of(memory + card, *sequences)
        for memory in memories
        if memory not in sequences
        for card in "RB"
    }
    right = sum(pair.moves.get(move) == after for move, after in moves.items()) - len(set(pair.moves) - set(moves))
    how = "the beginnings of both sequences, and what may still grow into one of them after one more card"
    yield counted(f"moves between memories of {pair.yvonne} and {pair.zara}", ANOTHER, len(moves), right, how)
    windows = sum(2**length for length in range(len(pair.yvonne) + 1))
    expected = (len(memories), windows, Fraction(windows, len(memories)))
    found = (pair.n_memories, pair.n_windows, pair.saved)
    how = "beginnings of the sequences; rows of up to as many cards; how many times as many"
    agree = expected == found and memories == set(pair.memories)
    yield Check("memories, rows of cards, and what is saved", "closed form", expected, found, agree, how)
    if pair.cards:
        memory, how = memory_of(pair.cards, *sequences), "the longest end of the cards turned that begins a sequence"
        yield same(f"what to remember of {pair.cards}", ANOTHER, memory, pair.memory, how)


def _is_possible(result: Result, yvonne: str, zara: str) -> bool:
    """Whether the sequences differ and can both be taken out of the deck."""
    return yvonne != zara and min(cards_left(result.reds, result.blacks, yvonne, zara)) >= 0


def _chance(result: Result, yvonne: str, zara: str) -> Fraction:
    """Yvonne's probability with the deck of the result, by the rule card by card."""
    return win_probability(yvonne, zara, result.reds, result.blacks)


def _leader(chance: Fraction) -> str:
    return "nobody" if chance == HALF else "Yvonne" if chance > HALF else "Zara"


def _best_pair(result: Result) -> Iterator[Check]:
    """Best play: its probabilities, its states, who is ahead, and for k <= 4 how many answers are as good."""
    yvonne, zara = result.yvonne, result.zara
    chance = _chance(result, yvonne, zara)
    appears = appearance_probability(yvonne, zara, result.reds, result.blacks)
    yield same(f"best play: {yvonne} against {zara}", ANOTHER, chance, result.chance, BY_CARD)
    how = "the best pair, card by card: the cards that have come, and what may still grow into a sequence, each once"
    states = count_states(yvonne, zara, result.reds, result.blacks)
    yield same("states that can occur", "brute force", states, result.n_states, how)
    share = (1 - chance - (1 - appears) / 2) / appears if appears else None
    name = "Zara's chance, that the cards decide, her share of these"
    found = (result.zara_chance, result.decided, result.zara_share)
    yield same(name, ANOTHER, (1 - chance, appears, share), found, BY_CARD)
    tie = {True: "a tie", False: "no tie"}
    leader, found_leader = f"{_leader(chance)}, {tie[chance == HALF]}", f"{result.ahead}, {tie[result.is_tie]}"
    yield same("who leads the best play", ANOTHER, leader, found_leader, BY_CARD)
    if result.k <= 4 and result.can_appear:
        sequences = ["".join(cards) for cards in product("RB", repeat=result.k)]
        against = [_chance(result, yvonne, answer) for answer in sequences if _is_possible(result, yvonne, answer)]
        best = (min(against), against.count(min(against)))
        how = f"all {len(against)} answers to {yvonne}, each by turning"
        yield same("the best answer, and how many are as good", ANOTHER, best, (result.chance, result.ties), how)


def _followed_pair(result: Result) -> Iterator[Check]:
    """The probabilities of the pair that is followed, before the first card and after the cards turned."""
    pair = result.pair
    names = f"{pair.yvonne} against {pair.zara}"
    moments = {"": (pair.chance, pair.zara_chance, pair.nobody)}
    if pair.cards:
        moments[pair.cards] = (pair.chance_now, pair.zara_now, pair.nobody_now)
    for cards, found in moments.items():
        chance = win_probability(pair.yvonne, pair.zara, result.reds, result.blacks, cards)
        appears = appearance_probability(pair.yvonne, pair.zara, result.reds, result.blacks, cards)
        name = f"Yvonne, Zara, nobody: {names}{' after ' if cards else ''}{cards}"
        yield same(name, ANOTHER, (chance, 1 - chance, 1 - appears), found, BY_CARD)
        if not cards:
            yield same(f"who is ahead: {names}", ANOTHER, _leader(chance), pair.ahead, BY_CARD)
    left = sum(cards_left(result.reds, result.blacks, pair.yvonne, pair.zara, pair.cards))
    yield same(f"cards to come: {names}", "closed form", left, pair.cards_left, "the deck less all cards that are gone")


def _other_answers(result: Result) -> Iterator[Check]:
    """No answer of a sample is better: some put up to three cards before the sequence, others are drawn with a seed.

    The sample is smaller for a long deck.
    """
    if not result.can_appear:
        return
    k, yvonne = result.k, result.yvonne
    most, number = (3, 12) if result.turned <= 60 else (1, 2)
    leading = {"".join(head) + yvonne[: k - n] for n in range(1, min(k, most) + 1) for head in product("RB", repeat=n)}
    drawn = np.random.default_rng(SEED).integers(0, 2, size=(number, k))
    answers = (leading | {"".join("BR"[card] for card in row) for row in drawn}) - {result.zara}
    against = [_chance(result, yvonne, answer) for answer in answers if _is_possible(result, yvonne, answer)]
    if against:
        least, how = min(against), f"Yvonne's chance against the strongest of {len(against)} others, card by card"
        name = f"no better answer to {yvonne}"
        yield Check(name, ANOTHER, f"at most {least}", str(result.chance), result.chance <= least, how)


def _simulation(result: Result) -> Iterator[Check]:
    """The pair that is followed, simulated; only where sequences appear often enough for a fair test."""
    pair = result.pair
    chance = float(_chance(result, pair.yvonne, pair.zara))
    appears = float(appearance_probability(pair.yvonne, pair.zara, result.reds, result.blacks))
    if appears * GAMES < 400:
        return
    left = cards_left(result.reds, result.blacks, pair.yvonne, pair.zara)
    mean = float(simulated_scores(pair.yvonne, pair.zara, *left, GAMES, SEED).mean())
    error = sqrt(max(chance - (1 - appears) / 4 - chance**2, 0.0) / GAMES)
    found, how = float(pair.chance), f"{GAMES} shuffled decks, seed {SEED}, within four standard errors of {error:.5f}"
    name, agree = f"{pair.yvonne} against {pair.zara}, played", abs(mean - found) <= 4 * error + 1e-12
    yield Check(name, "simulation", round(mean, 6), round(found, 6), agree, how)


def _table(result: Result) -> Iterator[Check]:
    """The table of all pairs: its cells, or some drawn with a seed, and everything that is derived from them."""
    small = result.small
    pairs = [pair for pair in product(small.words, small.words) if _is_possible(result, *pair)]
    cells = {(yvonne, zara): float(small.chance.at(yvonne=yvonne, zara=zara)) for yvonne, zara in pairs}
    sample, how = pairs, "every cell"
    if len(pairs) > MOST_CELLS:
        drawn = np.random.default_rng(SEED).integers(0, len(pairs), size=12)
        sample, how = [pairs[place] for place in drawn.tolist()], f"cells drawn with seed {SEED}"
    right = sum(abs(float(_chance(result, *pair)) - cells[pair]) <= 1e-12 for pair in sample)
    how += ", carried forward card by card; agreement within $10^{-12}$"
    yield counted(f"cells of the table for $k = {small.k}$", ANOTHER, len(sample), right, how)
    empty = small.chance.values.size - len(pairs)
    found, how = (small.pairs, int(np.isnan(small.chance.values).sum())), "the cards of both sequences, pair by pair"
    yield same("pairs in the table that the deck allows, and others", "brute force", (len(pairs), empty), found, how)
    if cells:
        rows = {yvonne: [cells[pair] for pair in pairs if pair[0] == yvonne] for yvonne in small.words}
        least = {yvonne: min(row) for yvonne, row in rows.items() if row}
        yield _best_answers(result, cells, least)
        yield _best_sequences(result, least)
        yield _cycle(result)
    if small.k == result.k:
        worth, how = 1 - min(small.zara_chance.values()), "the largest of the least chances in a row"
        yield same("the best of all pairs", ANOTHER, worth, result.chance, how)


def _best_answers(result: Result, cells: Mapping[tuple[str, str], float], least: Mapping[str, float]) -> Check:
    """Zara's best answers are the least cells of their rows, and her probability is what they leave Yvonne."""
    small = result.small
    right = sum(
        abs(cells.get((yvonne, answer), 2.0) - least.get(yvonne, 3.0)) <= 1e-12
        and abs(1 - float(small.zara_chance[yvonne]) - least[yvonne]) <= 1e-12
        for yvonne, answer in small.answers.items()
    ) - len(small.answers.keys() - least.keys())
    how = "no cell of the row is less than that of the answer, and Zara's chance is what it leaves Yvonne"
    return counted("best answers in the table", ANOTHER, len(least), right, how)


def _best_sequences(result: Result, least: Mapping[str, float]) -> Check:
    """Yvonne's best sequences are those with the largest least cell."""
    best = sorted(yvonne for yvonne, chance in least.items() if chance > max(least.values()) - 1e-12)
    beaten = sum(chance < 0.5 - 1e-12 for chance in least.values())
    expected, found = (*best, beaten), (*sorted(result.small.best), result.small.beaten)
    how = "the least chance in each row of the table"
    return same("the best in the table, and how many can be beaten", ANOTHER, expected, found, how)


def _cycle(result: Result) -> Check:
    """Each sequence of the cycle is the best answer to the one before it, and the first to the last."""
    cycle, small = result.small.cycle, result.small
    closed = all(small.answers[first] == second for first, second in pairwise((*cycle, cycle[0])))
    chances = tuple(1 - _chance(result, first, small.answers[first]) for first in cycle)
    agree = closed and len(set(cycle)) == len(cycle) and chances == small.cycle_chance
    how = f"{', '.join(cycle)}: the chance of the answer to each, carried forward card by card"
    return Check("a cycle of best answers", ANOTHER, chances, small.cycle_chance, agree, how)
