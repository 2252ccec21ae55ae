"""The confirmations of a result: by the rule card by card, enumeration, linear equations, simulation, known answers."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, product
from math import comb, sqrt

import numpy as np

from site_builder.contract import Absolute, AtMost, Check, StandardErrors
from solvers.penney.automaton import Pair
from solvers.penney.game import appearance_probability, cards_left, count_states, memory_of, win_probability
from solvers.penney.other_methods import best_by_enumeration, chance_by_elimination, simulated_scores
from solvers.penney.solution import Parameters, Result

HALF = Fraction(1, 2)
GAMES = 20_000
SEED = 20
MOST_TURNED = 120
"""Longer decks are not turned card by card, which would take too long."""
MOST_CELLS = 60
"""All cells of a table of at most so many pairs are confirmed; of a larger one, twelve cells drawn with a seed."""
ANOTHER = "another algorithm"
ENDLESS = "endless, endless_yvonne, endless_zara"
BY_CARD = "every situation carried forward card by card, exact"


def checks(parameters: Parameters, result: Result, fields: frozenset[str] | None = None) -> Iterator[Check]:
    """The confirmations that apply to the parameters; they take about a second together.

    fields: those that a sweep keeps; confirmations of other fields that take long are left out.
    """
    yield from _known_answers(result)
    yield from _counts(result)
    yield from _endless_game(result, fields)
    if fields is None or "pair" in fields:
        yield from _memories(result.pair)
    if result.turned <= MOST_TURNED:
        yield from _best_pair(result)
        yield from _other_answers(result, result.yvonne, result.zara, result.chance, "zara, chance")
        if fields is None or "pair" in fields:
            yield from _followed_pair(parameters, result)
            yield from _simulation(result)
        if fields is None or "small" in fields:
            yield from _table(result)


def _known_answers(result: Result) -> Iterator[Check]:
    """Answers known without a count: for an even deck, for a deck that is too short, and the published ones."""
    if result.reds == result.blacks:
        mirror = "with as many reds as blacks Zara can take the opposite of each colour, a mirror image"
        of, name = "chance", "Yvonne is not ahead"
        yield Check(name, "closed form", HALF, result.chance, of=of, within=AtMost(), detail=mirror)
    if 3 * result.k > result.reds + result.blacks:
        few = f"{result.turned} cards are turned, fewer than $k = {result.k}$"
        name, of, found = "a tie when no sequence can appear", "chance, is_tie", (result.chance, result.is_tie)
        yield Check(name, "closed form", (HALF, True), found, of=of, detail=few)
    if (result.reds, result.blacks) == (26, 26):
        published = "52 cards: ties for $k = 1, 2$ and for $k$ from 17 to 26, Zara ahead from 3 to 16"
        leader = "Zara" if 3 <= result.k <= 16 else "nobody"
        yield Check("who is ahead", "published value", leader, result.ahead, of="ahead", detail=published)


def _counts(result: Result) -> Iterator[Check]:
    """Cards, sequences and pairs: comb(2 k, reds) pairs have so many reds together, less the pairs of equals."""
    k, pairs = result.k, 0
    for reds in range(2 * k + 1):
        if reds <= result.reds and 2 * k - reds <= result.blacks:
            pairs += comb(2 * k, reds) - (comb(k, reds // 2) if reds % 2 == 0 else 0)
    expected = (result.reds + result.blacks - 2 * k, 1 << k, pairs)
    found = (result.turned, result.n_sequences, result.n_pairs)
    how = "cards turned; sequences; pairs, counted by the red cards in both together"
    of = "turned, n_sequences, n_pairs"
    yield Check("cards, sequences and pairs", "closed form", expected, found, of=of, detail=how)
    fits, how = result.reds + result.blacks >= 3 * k, f"{result.turned} cards are turned, and a sequence has {k}"
    name, of = "whether a sequence can appear", "can_appear"
    yield Check(name, "closed form", fits, result.can_appear, of=of, detail=how)


def _endless_game(result: Result, fields: frozenset[str] | None) -> Iterator[Check]:
    """The game without a deck limit: linear equations over the memories, and the published odds."""
    red, how = Fraction(result.reds, result.reds + result.blacks), "linear equations over the memories, exact"
    if result.endless_yvonne and result.endless_zara:
        expected = chance_by_elimination(result.endless_yvonne, result.endless_zara, red)
        name, of = f"{result.endless_yvonne} against {result.endless_zara} without a deck limit", ENDLESS
        yield Check(name, ANOTHER, expected, result.endless, of=of, detail=how)
        name, gain, of = "what the deck is worth to Yvonne", result.chance - expected, "deck_gain"
        yield Check(name, ANOTHER, gain, result.deck_gain, of=of, detail="her chance less that of these equations")
    if fields is None or "pair" in fields:
        pair, name = result.pair, f"{result.pair.yvonne} against {result.pair.zara}, followed without a deck limit"
        expected = chance_by_elimination(pair.yvonne, pair.zara, red)
        yield Check(name, ANOTHER, expected, pair.endless, of="pair.endless", detail=how)
    if result.endless is not None and result.reds == result.blacks and result.k >= 3:
        zara_wins, yvonne_wins = (2, 1) if result.k == 3 else (2 ** (result.k - 1) + 1, 2 ** (result.k - 2) + 1)
        expected = Fraction(yvonne_wins, yvonne_wins + zara_wins)
        odds = "odds for Zara of 2 to 1 at $k = 3$, of $2^{k-1} + 1$ to $2^{k-2} + 1$ from $k = 4$ on"
        name, of = "best play without a deck limit", "endless"
        yield Check(name, "published value", expected, result.endless, of=of, detail=odds)


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
    how = "the beginnings of both sequences, and what may still grow into one of them after one more card"
    name, of = f"moves between memories of {pair.yvonne} and {pair.zara}", "pair.moves, pair.memories"
    found = (dict(pair.moves), tuple(sorted(pair.memories)))
    yield Check(name, ANOTHER, (moves, tuple(sorted(memories))), found, of=of, detail=how)
    windows = sum(2**length for length in range(len(pair.yvonne) + 1))
    expected = (len(memories), windows, Fraction(windows, len(memories)))
    found_counts = (pair.n_memories, pair.n_windows, pair.saved)
    name, of = "memories, rows of cards, and what is saved", "pair.n_memories, pair.n_windows, pair.saved"
    how = "beginnings of the sequences; rows of up to as many cards; how many times as many"
    yield Check(name, "closed form", expected, found_counts, of=of, detail=how)
    memory, how = memory_of(pair.cards, *sequences), "the longest end of the cards turned that begins a sequence"
    name, method = f"what to remember of {pair.cards or 'no cards'}", ANOTHER if pair.cards else "by hand"
    yield Check(name, method, memory, pair.memory, of="pair.memory", detail=how)


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
    name, of = f"best play: {yvonne} against {zara}", "chance, yvonne, zara"
    yield Check(name, ANOTHER, chance, result.chance, of=of, detail=BY_CARD)
    how = "the best pair, card by card: the cards that have come, and what may still grow into a sequence, each once"
    states = count_states(yvonne, zara, result.reds, result.blacks)
    yield Check("states that can occur", "brute force", states, result.n_states, of="n_states", detail=how)
    share = (1 - chance - (1 - appears) / 2) / appears if appears else None
    name, of = "Zara's chance, that the cards decide, her share of these", "zara_chance, decided, zara_share"
    found = (result.zara_chance, result.decided, result.zara_share)
    yield Check(name, ANOTHER, (1 - chance, appears, share), found, of=of, detail=BY_CARD)
    leader, found_leader = (_leader(chance), chance == HALF), (result.ahead, result.is_tie)
    yield Check(
        "who leads the best play, whether it is a tie",
        ANOTHER,
        leader,
        found_leader,
        of="ahead, is_tie",
        detail=BY_CARD,
    )
    if result.k <= 5 and max(result.reds, result.blacks) <= 8 and result.can_appear:
        best_of_all = best_by_enumeration(result.k, result.reds, result.blacks)
        name, of = "the best of all pairs, in every order of the deck", "chance"
        yield Check(name, "brute force", best_of_all, result.chance, of=of, detail="every pair and every order")
    if result.k <= 4 and result.can_appear:
        sequences = ["".join(cards) for cards in product("RB", repeat=result.k)]
        against = [_chance(result, yvonne, answer) for answer in sequences if _is_possible(result, yvonne, answer)]
        best = (min(against), against.count(min(against)))
        how = f"all {len(against)} answers to {yvonne}, each by turning"
        name, found_best, of = (
            "the best answer, and how many are as good",
            (result.chance, result.ties),
            "zara, ties",
        )
        yield Check(name, ANOTHER, best, found_best, of=of, detail=how)


def _followed_pair(parameters: Parameters, result: Result) -> Iterator[Check]:
    """The probabilities of the pair that is followed, before the first card and after the cards turned."""
    pair = result.pair
    names = f"{pair.yvonne} against {pair.zara}"
    given = (parameters.yvonne or result.yvonne, parameters.cards)
    name, of, how = "the pair that is followed, and the cards", "pair.yvonne, pair.cards", "the best, if not given"
    yield Check(name, "by hand", given, (pair.yvonne, pair.cards), of=of, detail=how)
    if parameters.yvonne and not parameters.zara:
        yield from _other_answers(result, pair.yvonne, pair.zara, pair.chance, "pair.zara, pair.chance")
    else:
        expected, how = parameters.zara or result.zara, "as given, or of the best pair"
        yield Check("the answer that is followed", "by hand", expected, pair.zara, of="pair.zara", detail=how)
    start, now = ("chance", "zara_chance", "nobody"), ("chance_now", "zara_now", "nobody_now")
    for cards, probabilities in (("", start), (pair.cards, now)):
        chance = win_probability(pair.yvonne, pair.zara, result.reds, result.blacks, cards)
        appears = appearance_probability(pair.yvonne, pair.zara, result.reds, result.blacks, cards)
        name = f"Yvonne, Zara, nobody: {names}" + (f" after {cards or 'no cards'}" if probabilities is now else "")
        found, of = (
            tuple(getattr(pair, each) for each in probabilities),
            ", ".join(f"pair.{each}" for each in probabilities),
        )
        yield Check(name, ANOTHER, (chance, 1 - chance, 1 - appears), found, of=of, detail=BY_CARD)
        if probabilities is start:
            name, leader = f"who is ahead: {names}", _leader(chance)
            yield Check(name, ANOTHER, leader, pair.ahead, of="pair.ahead", detail=BY_CARD)
    left = sum(cards_left(result.reds, result.blacks, pair.yvonne, pair.zara, pair.cards))
    name, how = f"cards to come: {names}", "the deck less all cards that are gone"
    yield Check(name, "closed form", left, pair.cards_left, of="pair.cards_left", detail=how)


def _other_answers(result: Result, yvonne: str, zara: str, found: Fraction, of: str) -> Iterator[Check]:
    """No answer of a sample is better: some put up to three cards before the sequence, others are drawn with a seed.

    The sample is smaller for a long deck.
    """
    if not result.can_appear:
        return
    k = result.k
    most, number = (3, 12) if result.turned <= 60 else (1, 2)
    leading = {"".join(head) + yvonne[: k - n] for n in range(1, min(k, most) + 1) for head in product("RB", repeat=n)}
    drawn = np.random.default_rng(SEED).integers(0, 2, size=(number, k))
    answers = (leading | {"".join("BR"[card] for card in row) for row in drawn}) - {zara}
    against = [_chance(result, yvonne, answer) for answer in answers if _is_possible(result, yvonne, answer)]
    if against:
        least, how = min(against), f"Yvonne's chance against the strongest of {len(against)} others, card by card"
        name = f"no better answer to {yvonne}{', which is followed' if 'pair' in of else ''}"
        yield Check(name, ANOTHER, least, found, of=of, within=AtMost(), detail=how)


def _simulation(result: Result) -> Iterator[Check]:
    """The pair that is followed, simulated; only where sequences appear often enough for a fair test."""
    pair = result.pair
    chance = float(_chance(result, pair.yvonne, pair.zara))
    appears = float(appearance_probability(pair.yvonne, pair.zara, result.reds, result.blacks))
    if appears * GAMES < 400:
        return
    left = cards_left(result.reds, result.blacks, pair.yvonne, pair.zara)
    mean = float(simulated_scores(pair.yvonne, pair.zara, *left, GAMES, SEED).mean())
    within = StandardErrors(4, GAMES, deviation=sqrt(max(chance - (1 - appears) / 4 - chance**2, 0.0)))
    name, how = f"{pair.yvonne} against {pair.zara}, played", f"{GAMES} shuffled decks, seed {SEED}"
    yield Check(name, "simulation", mean, float(pair.chance), of="pair.chance", within=within, detail=how)


def _table(result: Result) -> Iterator[Check]:
    """The table of all pairs: its cells, or some drawn with a seed, and everything that is derived from them."""
    small = result.small
    pairs = [pair for pair in product(small.words, small.words) if _is_possible(result, *pair)]
    cells = {(yvonne, zara): float(small.chance.at(yvonne=yvonne, zara=zara)) for yvonne, zara in pairs}
    sample, how, of = pairs, "every cell", "small.chance, small.words"
    if len(pairs) > MOST_CELLS:
        drawn = np.random.default_rng(SEED).integers(0, len(pairs), size=12)
        sample, how = [pairs[place] for place in drawn.tolist()], f"cells drawn with seed {SEED}"
        of = f"small.chance[{len(set(sample))}], small.words"
    expected, found = [float(_chance(result, *pair)) for pair in sample], [cells[pair] for pair in sample]
    name, how, within = (
        f"cells of the table for $k = {small.k}$",
        f"{how}, carried forward card by card",
        Absolute(1e-12),
    )
    yield Check(name, ANOTHER, expected, found, of=of, within=within, detail=how)
    empty = small.chance.values.size - len(pairs)
    counts = (small.pairs, int(np.isnan(small.chance.values).sum()), small.k)
    name, how = "pairs in the table that the deck allows, others, cards", "the cards of both sequences, pair by pair"
    right = (len(pairs), empty, max(map(len, small.words)))
    yield Check(name, "brute force", right, counts, of="small.pairs, small.k", detail=how)
    if cells:
        rows = {yvonne: [cells[pair] for pair in pairs if pair[0] == yvonne] for yvonne in small.words}
        least = {yvonne: min(row) for yvonne, row in rows.items() if row}
        yield _best_answers(result, cells, least)
        yield _best_sequences(result, least)
        yield _cycle(result)
    if small.k == result.k and cells:
        worth, how = max(least.values()), "the largest of the least chances in a row"
        of, within = "chance", Absolute(1e-12)
        yield Check("the best of all pairs", ANOTHER, worth, result.chance, of=of, within=within, detail=how)


def _best_answers(result: Result, cells: Mapping[tuple[str, str], float], least: Mapping[str, float]) -> Check:
    """Zara's best answers are the least cells of their rows, and her probability is what they leave Yvonne."""
    small = result.small
    right = sum(
        abs(cells.get((yvonne, answer), 2.0) - least.get(yvonne, 3.0)) <= 1e-12
        and abs(1 - float(small.zara_chance[yvonne]) - least[yvonne]) <= 1e-12
        for yvonne, answer in small.answers.items()
    ) - len(small.answers.keys() - least.keys())
    how = "no cell of the row is less than that of the answer, and Zara's chance is what it leaves Yvonne"
    of = "small.answers, small.zara_chance"
    return Check("best answers in the table", ANOTHER, len(least), right, of=of, detail=how)


def _best_sequences(result: Result, least: Mapping[str, float]) -> Check:
    """Yvonne's best sequences are those with the largest least cell."""
    best = sorted(yvonne for yvonne, chance in least.items() if chance > max(least.values()) - 1e-12)
    beaten = sum(chance < 0.5 - 1e-12 for chance in least.values())
    expected, found = (*best, beaten), (*sorted(result.small.best), result.small.beaten)
    how = "the least chance in each row of the table"
    name, of = "the best in the table, and how many can be beaten", "small.best, small.beaten"
    return Check(name, ANOTHER, expected, found, of=of, detail=how)


def _cycle(result: Result) -> Check:
    """Each sequence of the cycle is the best answer to the one before it, and the alphabetically last to the last."""
    cycle, small = result.small.cycle, result.small
    closed = all(small.answers[first] == second for first, second in pairwise((*cycle, cycle[0])))
    chances = tuple(1 - _chance(result, first, small.answers[first]) for first in cycle)
    is_cycle = closed and len(set(cycle)) == len(cycle) and cycle[0] == max(cycle)
    of = "small.cycle, small.cycle_chance"
    how = (
        f"{', '.join(cycle)}: whether it is one, the alphabetically last sequence first; the chance of the answer to "
        "each, carried forward card by card"
    )
    name, found = "a cycle of best answers", (is_cycle, *small.cycle_chance)
    return Check(name, ANOTHER, (True, *chances), found, of=of, detail=how)
