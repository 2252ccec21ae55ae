"""The same probabilities by enumeration, linear equations and simulation.

Only `checks` uses these functions. They share no code with the solution.
"""

from fractions import Fraction
from itertools import product

import numpy as np

HALF = Fraction(1, 2)


def best_by_enumeration(k: int, reds: int, blacks: int) -> Fraction:
    """Yvonne's probability under best play, from every pair of sequences and every order of the cards left."""
    sequences = ["".join(cards) for cards in product("RB", repeat=k)]
    turned = reds + blacks - 2 * k
    rows = (np.arange(1 << turned)[:, np.newaxis] >> np.arange(turned)) % 2 == 1
    reds_in_rows = rows.sum(axis=1)
    places = {sequence: _first_places(rows, sequence) for sequence in sequences}
    worth = []
    for yvonne in sequences:
        against = []
        for zara in sequences:
            orders = reds_in_rows == reds - (yvonne + zara).count("R")
            if yvonne != zara and orders.any():
                leads = np.sign(places[zara] - places[yvonne])[orders]
                against.append(HALF + Fraction(int(leads.sum()), 2 * len(leads)))
        if against:
            worth.append(min(against))
    return max(worth)


def chance_by_elimination(yvonne: str, zara: str, red: Fraction) -> Fraction:
    """Yvonne's probability without a deck limit, where every card is red with probability `red`.

    It solves chance(memory) = red * chance(after red) + (1 - red) * chance(after black) by Gaussian elimination: each
    memory, from the longest on, is expressed by shorter memories and complete sequences. The empty memory comes last.
    """
    memories = sorted({sequence[:i] for sequence in (yvonne, zara) for i in range(len(sequence))}, key=len)
    equations: dict[str, dict[str, Fraction]] = {memory: {} for memory in memories}
    for memory, weights in equations.items():
        for card, chance in (("R", red), ("B", 1 - red)):
            after = memory + card
            while after not in (yvonne, zara) and after not in memories:
                after = after[1:]
            weights[after] = weights.get(after, Fraction(0)) + chance
    for memory in reversed(memories):
        weights = equations.pop(memory)
        returns = 1 - weights.pop(memory, Fraction(0))
        for other in equations.values():
            weight = other.pop(memory, Fraction(0)) / returns
            for after, share in weights.items():
                other[after] = other.get(after, Fraction(0)) + weight * share
    return weights.get(yvonne, Fraction(0)) / returns


def simulated_scores(yvonne: str, zara: str, reds: int, blacks: int, games: int, seed: int) -> np.ndarray:
    """Yvonne's score in each game with so many cards left to turn: 1, 0, or 1/2 without a winner. Shape (games,)."""
    cards = np.tile(np.arange(reds + blacks) < reds, (games, 1))
    rows = np.random.default_rng(seed).permuted(cards, axis=1)
    scores: np.ndarray = (1 + np.sign(_first_places(rows, zara) - _first_places(rows, yvonne))) / 2
    return scores


def _first_places(rows: np.ndarray, sequence: str) -> np.ndarray:
    """Where the sequence begins in each row of cards, True for red; past the end where it does not appear."""
    windows = max(0, rows.shape[1] - len(sequence) + 1)
    appears = np.ones((len(rows), windows + 1), dtype=bool)
    for offset, card in enumerate(sequence):
        appears[:, :windows] &= rows[:, offset : offset + windows] == (card == "R")
    places: np.ndarray = appears.argmax(axis=1)
    return places
