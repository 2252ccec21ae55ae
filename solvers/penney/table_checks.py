"""The table of all pairs of short sequences, and the memories of one pair, confirmed without the solution."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product

import numpy as np

from site_builder.contract import Check
from solvers.common.agreeing import counted, same
from solvers.penney.another_way import cards_to_come, chance_by_turning, growing
from solvers.penney.automaton import Pair
from solvers.penney.puzzle import Result

ANOTHER = "another algorithm"
SEED = 20
MOST_CELLS = 60
"""A table of so many pairs is confirmed cell by cell; of a larger one, twelve cells drawn with a seed."""


def memory_checks(pair: Pair) -> Iterator[Check]:
    """What must be remembered of the cards, and where each card leads."""
    sequences = (pair.yvonne, pair.zara)
    memories = {word[:length] for word in sequences for length in range(len(word) + 1)}
    moves = {
        f"{memory} {card}": growing(memory + card, *sequences)
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
        here, how = growing(pair.cards, *sequences), "the longest end of the cards turned that begins a sequence"
        yield same(f"what to remember of {pair.cards}", ANOTHER, here, pair.memory, how)


def table_checks(result: Result) -> Iterator[Check]:
    """The table cell by cell or in cells drawn, and what is said about it."""
    small = result.small
    pairs = [
        (yvonne, zara)
        for yvonne, zara in product(small.words, repeat=2)
        if yvonne != zara and min(cards_to_come(result, yvonne, zara)) >= 0
    ]
    shown = {pair: float(small.chance.at(yvonne=pair[0], zara=pair[1])) for pair in pairs}
    probed, how = pairs, "every cell"
    if len(pairs) > MOST_CELLS:
        drawn = np.random.default_rng(SEED).integers(0, len(pairs), size=12)
        probed, how = [pairs[place] for place in drawn.tolist()], f"cells drawn with seed {SEED}"
    right = sum(abs(float(_turned(result, *pair)) - shown[pair]) <= 1e-12 for pair in probed)
    how += ", carried forward card by card; agreement within $10^{-12}$"
    yield counted(f"cells of the table for $k = {small.k}$", ANOTHER, len(probed), right, how)
    empty = small.chance.values.size - len(pairs)
    told, how = (small.pairs, int(np.isnan(small.chance.values).sum())), "the cards of both sequences, pair by pair"
    yield same("pairs in the table that the deck allows, and others", "brute force", (len(pairs), empty), told, how)
    if shown:
        yield _answers(result, shown)
        yield _best(result, shown)
        yield _cycle(result)
    if small.k == result.k:
        worth, how = 1 - min(small.zara_chance.values()), "the largest of the least chances in a row"
        yield same("the best of all pairs", ANOTHER, worth, result.chance, how)


def _turned(result: Result, yvonne: str, zara: str) -> Fraction:
    return chance_by_turning(yvonne, zara, *cards_to_come(result, yvonne, zara))[0]


def _answers(result: Result, shown: dict[tuple[str, str], float]) -> Check:
    """Zara's best answers are the least in their rows, and her chance is what they leave Yvonne."""
    small, right = result.small, 0
    rows = {yvonne for yvonne, _ in shown}
    for yvonne in rows & set(small.answers):
        least = min(chance for (first, _), chance in shown.items() if first == yvonne)
        answer = shown.get((yvonne, small.answers[yvonne]), 2.0)
        right += abs(answer - least) <= 1e-12 and abs(1 - float(small.zara_chance[yvonne]) - least) <= 1e-12
    right -= len(set(small.answers) - rows)
    how = "no cell of the row is less than that of the answer, and Zara's chance is what it leaves Yvonne"
    return counted("best answers in the table", ANOTHER, len(rows), right, how)


def _best(result: Result, shown: dict[tuple[str, str], float]) -> Check:
    worst: dict[str, float] = {}
    for (yvonne, _), chance in shown.items():
        worst[yvonne] = min(chance, worst.get(yvonne, 1.0))
    best = sorted(word for word, chance in worst.items() if chance > max(worst.values()) - 1e-12)
    beaten = sum(chance < 0.5 - 1e-12 for chance in worst.values())
    expected, found = (*best, beaten), (*sorted(result.small.best), result.small.beaten)
    how = "the least chance in each row of the table"
    return same("the best in the table, and how many can be beaten", ANOTHER, expected, found, how)


def _cycle(result: Result) -> Check:
    """Each sequence of the cycle is the answer to the one before it, and the first to the last."""
    cycle, small = result.small.cycle, result.small
    closed = all(small.answers[first] == second for first, second in pairwise((*cycle, cycle[0])))
    chances = tuple(1 - _turned(result, first, small.answers[first]) for first in cycle)
    agree = closed and len(set(cycle)) == len(cycle) and chances == small.cycle_chance
    how = f"{', '.join(cycle)}: the chance of the answer to each, carried forward card by card"
    return Check("a cycle of best answers", ANOTHER, chances, small.cycle_chance, agree, how)
