"""The rule followed card by card through all rows of cards, every pair and every order; only for checks and tests.

All orders of the cards left are equally likely, so a probability W of the package's docstring is a number of orders
over all of them. Cards are turned forward, from the first one on; after a complete sequence they no longer matter.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, lcm
from typing import NamedTuple

import numpy as np

from solvers.penney.rules import cards_left, is_possible, memory_of

HALF = Fraction(1, 2)


class Turned(NamedTuple):
    """What comes of a pair. chance: Yvonne's to win; decided: that a sequence appears; zara_first: that hers does."""

    chance: Fraction
    decided: Fraction
    zara_first: Fraction

    @property
    def zara_share(self) -> Fraction | None:
        """Zara's share of the games that the cards decide."""
        return self.zara_first / self.decided if self.decided else None


@lru_cache(maxsize=4096)
def turn_over(yvonne: str, zara: str, reds: int, blacks: int, cards: str = "") -> Turned:
    """The deck without the sequences turned over. cards: turned before, without a complete sequence.

    For each memory a whole number holds how many rows of cards lead to it, its digit j those with j red cards. One more
    red card shifts the digits by one place. A digit has as many bits as the largest count can need.
    """
    red, black = cards_left(reds, blacks, yvonne, zara, cards)
    memories, moves = memories_and_moves(yvonne, zara)
    bits = red + black + 1
    rows = [int(memory == memory_of(cards, yvonne, zara)) for memory in memories]
    for _ in range(red + black):
        following = [0] * len(rows)
        for count, (after_red, after_black) in zip(rows, moves, strict=True):
            following[after_red] += count << bits
            following[after_black] += count
        rows = following
    mine, hers = (rows[memories.index(end)] >> red * bits & (1 << bits) - 1 for end in (yvonne, zara))
    orders = comb(red + black, red)
    return Turned(HALF + Fraction(mine - hers, 2 * orders), Fraction(mine + hers, orders), Fraction(hers, orders))


@lru_cache(maxsize=256)
def memories_and_moves(yvonne: str, zara: str) -> tuple[list[str], list[tuple[int, int]]]:
    """The memories that some cards lead to, and where a red and a black card lead from each; an end stays as it is."""
    memories, moves = [""], []
    for memory in memories:  # it grows
        after = [memory if memory in (yvonne, zara) else memory_of(memory + card, yvonne, zara) for card in "RB"]
        memories += [each for each in after if each not in memories]
        moves.append((memories.index(after[0]), memories.index(after[1])))
    return memories, moves


def count_states(yvonne: str, zara: str, reds: int, blacks: int) -> int:
    """How many states (red cards left, black cards left, memory) can occur; the start and all ends included.

    The pairs of red cards turned and of the memory are carried forward, each once.
    """
    red, black = cards_left(reds, blacks, yvonne, zara)
    memories, moves = memories_and_moves(yvonne, zara)
    ends = {memories.index(end) for end in (yvonne, zara) if end in memories}
    occurring, states = {(0, 0)}, 1
    for turned in range(1, red + black + 1):
        going_on = [each for each in occurring if each[1] not in ends]
        occurring = {(n + 1, moves[memory][0]) for n, memory in going_on if n < red}
        occurring |= {(n, moves[memory][1]) for n, memory in going_on if turned - n <= black}
        states += len(occurring)
    return states


def words_of(k: int) -> list[str]:
    """All sequences of k cards, RR...R first."""
    return ["".join(cards) for cards in product("RB", repeat=k)]


@lru_cache(maxsize=8)
def all_chances(k: int, reds: int, blacks: int) -> dict[str, dict[str, Fraction]]:
    """Yvonne's chance for every pair that the deck allows, by her sequence and then by Zara's."""
    rows = {}
    for first in words_of(k):
        answers = [second for second in words_of(k) if is_possible(first, second, reds, blacks)]
        if answers:
            rows[first] = {second: turn_over(first, second, reds, blacks).chance for second in answers}
    return rows


def best_pairs(rows: Mapping[str, Mapping[str, Fraction]]) -> tuple[Fraction, list[tuple[str, str]]]:
    """Yvonne's chance under best play, and all pairs of a best sequence and a best answer. rows: of `all_chances`."""
    least = {first: min(row.values()) for first, row in rows.items()}
    best = max(least.values())
    return best, [(y, z) for y, row in rows.items() if least[y] == best for z, chance in row.items() if chance == best]


@lru_cache(maxsize=64)
def best_by_enumeration(k: int, reds: int, blacks: int) -> tuple[Fraction, list[tuple[str, str]]]:
    """The same by every order of the cards left; for small decks in which a sequence can appear."""
    rows = {first: answers_by_enumeration(first, reds, blacks) for first in words_of(k)}
    return best_pairs({first: dict.fromkeys(answers, least) for first, (least, answers) in rows.items() if answers})


def answers_by_enumeration(yvonne: str, reds: int, blacks: int) -> tuple[Fraction, list[str]]:
    """Yvonne's chance against the best answers to her sequence, and these, by all orders of the cards at once.

    A window of k cards that differs from those before it shows when a sequence appears first; it wins where Yvonne's
    has not appeared by then. Without an answer: 1, and none.
    """
    k, turned = len(yvonne), reds + blacks - 2 * len(yvonne)
    orders = np.arange(1 << turned)
    reds_in = np.bitwise_count(orders).astype(int)
    windows = [orders >> turned - k - start & (1 << k) - 1 for start in range(turned - k + 1)]
    mine = int(yvonne.replace("R", "1").replace("B", "0"), 2)
    appears = np.logical_or.reduce([window == mine for window in windows])
    won = np.bincount(reds_in[appears], minlength=turned + 1)
    lost = np.zeros((turned + 1) << k)  # by the red cards of the orders, then by Zara's sequence
    is_open = np.ones(len(orders), dtype=bool)
    for place, window in enumerate(windows):
        is_open &= window != mine
        is_first = is_open & np.logical_and.reduce([window != before for before in windows[:place]] or [is_open])
        lost += np.bincount((reds_in << k | window)[is_first], (1 + appears)[is_first], len(lost))
    answers = np.arange(1 << k)
    red = reds - yvonne.count("R") - np.bitwise_count(answers).astype(int)
    possible = (answers != mine) & (red >= 0) & (red <= turned)
    answers, red = answers[possible], red[possible]
    whole = lcm(*(comb(turned, n) for n in range(turned + 1)))
    weights = np.array([whole // comb(turned, n) for n in range(turned + 1)])
    leads = (won[red] - lost[red << k | answers]).astype(int) * weights[red]
    least = int(leads.min(initial=whole))
    best = [f"{each:0{k}b}".replace("1", "R").replace("0", "B") for each in answers[leads == least]]
    return HALF + Fraction(least, 2 * whole), best


@lru_cache(maxsize=8)
def endless_chances(k: int) -> np.ndarray:
    """Yvonne's probability without a deck limit for all pairs, by her sequence and then by Zara's, RR...R first.

    Every card is red or black with equal chance. For each pair the chance with the last k cards is the mean of those
    after one more card, but 1 and 0 with a sequence; the first k cards may be any. 1 for equal sequences.
    """
    windows = np.arange(1 << k)
    own, each, after = np.eye(len(windows)), np.eye(len(windows)), windows << 1 & len(windows) - 1
    for card in (0, 1):
        each[windows, after | card] -= 0.5
    yvonne, zara = np.nonzero(own == 0)
    equations, pairs = np.tile(each, (len(yvonne), 1, 1)), np.arange(len(yvonne))
    equations[pairs, yvonne], equations[pairs, zara] = own[yvonne], own[zara]
    chances = own.copy()
    chances[yvonne, zara] = np.linalg.solve(equations, own[yvonne][..., np.newaxis]).mean(axis=(1, 2))
    return chances


def best_endless(k: int) -> float:
    """Yvonne's probability under best play without a deck limit, from every pair of sequences."""
    return float(endless_chances(k).min(axis=1).max())


def simulated_scores(yvonne: str, zara: str, reds: int, blacks: int, games: int, seed: int) -> np.ndarray:
    """Yvonne's score in each game with so many cards left to turn: 1, 0, or 1/2 without a winner. Shape (games,)."""
    cards = np.tile(np.arange(reds + blacks) < reds, (games, 1))
    rows = np.random.default_rng(seed).permuted(cards, axis=1)
    windows, first = reds + blacks - len(yvonne) + 1, []
    for sequence in (yvonne, zara):
        as_named = [rows[:, place : place + windows] == (card == "R") for place, card in enumerate(sequence)]
        appears = np.logical_and.reduce(as_named)
        first.append(np.where(appears.any(axis=1), appears.argmax(axis=1), reds + blacks))
    scores: np.ndarray = (1 + np.sign(first[1] - first[0])) / 2
    return scores
