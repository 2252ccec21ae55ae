"""The mathematics of the game: losing states found in three ways, and Sprague-Grundy values.

The value of a state (a, b) does not depend on the order of the piles. (a_k, b_k) is the k-th losing state with
a_k <= b_k, (0, 0) for k = 0; its rank is k.
"""

from math import isqrt

import numpy as np

from solvers.wythoff.rules import State

WORD = 64
ALL_BITS = np.uint64(2**WORD - 1)


def losing_states(max_pile: int) -> tuple[State, ...]:
    """The losing states (a, b) with a <= b <= max_pile, smallest first, found by marking moves backwards.

    Marked are the states from which a losing one is reached; the lowest state of a column without a mark loses. All
    states above it in its column and on its diagonal win, so that one bit marks the column and one the diagonal.
    """
    losing = []
    columns = 0  # bit b: a state (a', b) with a' < a loses
    diagonals = 0  # bit max_pile + b - a: a state further down that diagonal loses
    for a in range(max_pile + 1):
        marked = columns | (diagonals >> (max_pile - a))  # bit b: (a, b) has a move to one of those states
        b = (~marked & (marked + 1)).bit_length() - 1  # the lowest bit that is not set
        if b <= max_pile:
            columns |= 1 << b
            diagonals |= 1 << (max_pile + b - a)
            if a <= b:
                losing.append((a, b))
    return tuple(losing)


def losing_state(k: int) -> State:
    """The k-th losing state, (floor(k phi), floor(k phi) + k) with phi the golden ratio, in exact integers.

    phi = (1 + sqrt 5) / 2; sqrt(5 k^2) may be rounded down before k is added and the sum is halved and rounded down.
    Source: the Rayleigh-Beatty theorem, with 1/phi + 1/phi^2 = 1; argued in content/posts/two-piles-of-pennies.md.
    """
    a = (k + isqrt(5 * k * k)) // 2
    return a, a + k


def is_losing(a: int, b: int) -> bool:
    """True when the player to move loses; exact for piles of any size."""
    return losing_state(abs(b - a)) == (min(a, b), max(a, b))


def fibonacci_numbers(most: int) -> list[int]:
    """1, 2, 3, 5, 8, ... up to the first one that is larger than `most`."""
    numbers = [1, 2]
    while numbers[-1] <= most:
        numbers.append(numbers[-1] + numbers[-2])
    return numbers


def fibonacci_parts(number: int) -> tuple[int, ...]:
    """The Fibonacci numbers, no two of them neighbours, that add up to `number`; the largest first.

    Source: Zeckendorf's theorem: every whole number has exactly one such sum over 1, 2, 3, 5, 8, 13, ...
    """
    parts = []
    for f in reversed(fibonacci_numbers(number)):
        if f <= number:
            parts.append(f)
            number -= f
    return tuple(parts)


def is_losing_total(total: int) -> bool:
    """True when some division of `total` pennies loses: the smallest Fibonacci part is 3, 8, 21, 55, ...

    a_k has an even number of zeros at the end of its Fibonacci digits, b_k is a_k with a zero more, and adding them
    moves every part of a_k up by two places. Source: own derivation, in content/posts/two-piles-of-pennies.md.
    """
    return fibonacci_parts(total)[-1] in fibonacci_numbers(total)[2::2]


def grundy_values(max_pile: int) -> np.ndarray:
    """The Sprague-Grundy value of every state, shape (max_pile + 1, max_pile + 1), symmetric.

    g(a, b) is the smallest whole number that is no g(a', b') of a state one move away; losing states have 0. A move
    takes pennies from the total a + b, so all states of one total, with a <= b, are found at once: no two of them are
    in one row or on one diagonal, and the values used so far there are bits, 64 to a word. A column is the row of the
    same pile. g(a, b) <= a + b: the value is at most the length of the game.
    Source: the Sprague-Grundy theorem for impartial games in which the last move wins.
    """
    rows = np.zeros((max_pile + 1, 2 * max_pile // WORD + 1), dtype=np.uint64)
    diagonals = np.zeros_like(rows)
    values = np.zeros((max_pile + 1, max_pile + 1), dtype=np.int64)
    for total in range(2 * max_pile + 1):
        a = np.arange(max(0, total - max_pile), total // 2 + 1)
        b, words = total - a, slice(total // WORD + 1)
        seen = rows[a, words] | rows[b, words] | diagonals[b - a, words]
        place = (seen != ALL_BITS).argmax(axis=1)  # the first word with a bit that is not set
        word = seen[np.arange(len(a)), place]
        bit = ~word & (word + np.uint64(1))
        for used, lines in ((rows, a), (rows, b), (diagonals, b - a)):
            used[lines, place] |= bit
        values[a, b] = values[b, a] = WORD * place + np.bitwise_count(bit - np.uint64(1))
    return values
