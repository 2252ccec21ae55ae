"""Sprague-Grundy values: the size of the Nim pile that each state is worth when games are played side by side."""

import numpy as np


def grundy_values(max_pile: int) -> np.ndarray:
    """The Sprague-Grundy value of every state, shape (max_pile + 1, max_pile + 1), symmetric.

    A state's value is the smallest whole number that none of the states one move away has; losing states have 0.
    For each row and each diagonal one integer keeps the values met so far as bits, so that the smallest number that
    is missing is one step of integer arithmetic. By symmetry a column is the row of the same pile.
    Source: the Sprague-Grundy theorem for impartial games in which the last move wins.
    """
    values = [[0] * (max_pile + 1) for _ in range(max_pile + 1)]
    rows = [0] * (max_pile + 1)
    diagonals = [0] * (max_pile + 1)
    for a in range(max_pile + 1):
        for b in range(a, max_pile + 1):
            seen = rows[a] | rows[b] | diagonals[b - a]
            bit = ~seen & (seen + 1)
            rows[a] |= bit
            rows[b] |= bit
            diagonals[b - a] |= bit
            values[a][b] = values[b][a] = bit.bit_length() - 1
    return np.array(values)
