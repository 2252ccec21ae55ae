"""The mathematics of the game: losing states found in three ways, winning moves, Sprague-Grundy values.

The value of a state (a, b) does not depend on the order of the piles. (a_k, b_k) is the k-th losing state with
a_k <= b_k, (0, 0) for k = 0; its rank is k.
"""

from math import isqrt

import numpy as np

from solvers.wythoff.rule import Move, State

LARGEST_ONE_BY_ONE = 400
"""Up to here Sprague-Grundy values are computed one after the other, which is faster for small piles."""

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


def partner_of(pile: int) -> int:
    """The pile that, beside `pile`, loses for the player to move; exact for piles of any size.

    k smaller piles floor(j phi), j >= 1, are at most `pile`. Every positive number is exactly one of a_j and
    b_j = a_j + j, so `pile` is either a_k, beside b_k, or a number b_j, and then j = pile - k and a_j = b_j - j = k.
    """
    k = (isqrt(5 * (pile + 1) ** 2) - (pile + 1)) // 2
    a, b = losing_state(k)
    return b if a == pile else k


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
    """Whether some division of `total` pennies loses: the smallest Fibonacci part is 3, 8, 21, 55, ...

    a_k has an even number of zeros at the end of its Fibonacci digits, b_k is a_k with a zero more, and adding them
    moves every part of a_k up by two places. Source: own derivation; compared with the marked table by `solve`.
    """
    return fibonacci_parts(total)[-1] in fibonacci_numbers(total)[2::2]


def count_reachable_states(total_max: int) -> int:
    """How many states can occur when at most `total_max` pennies are divided into two piles, none of them empty.

    Piles in the other order are the same state. (a, b) can occur when some division has piles of at least a and b,
    that is, when max(a, 1) + max(b, 1) <= total_max. The divisions and the end, (0, 0), are included.
    """
    divided = np.maximum(np.arange(total_max + 1), 1)  # the smallest pile of a division that leads to each pile
    return int(np.triu(np.add.outer(divided, divided) <= total_max).sum())


def after(a: int, b: int, move: Move) -> State:
    """The piles that a move leaves.

    Raises ValueError when the move is illegal: it takes nothing, more than there is, less than nothing, or two
    different numbers of pennies from the two piles.
    """
    x, y = move
    if min(x, y) < 0 or (x, y) == (0, 0):
        raise ValueError(f"taking {x} and {y} is no move: a move takes at least one penny and puts none back")
    if x and y and x != y:
        raise ValueError(f"taking {x} and {y} is illegal: from both piles only the same number may be taken")
    if x > a or y > b:
        raise ValueError(f"taking {x} and {y} is illegal: the piles are {a} and {b}")
    return a - x, b - y


def legal_moves(a: int, b: int) -> tuple[Move, ...]:
    """All moves from (a, b): from a, from b, from both, the fewest pennies first."""
    from_a = [(x, 0) for x in range(1, a + 1)]
    from_b = [(0, y) for y in range(1, b + 1)]
    return (*from_a, *from_b, *((x, x) for x in range(1, min(a, b) + 1)))


def winning_moves(a: int, b: int) -> tuple[Move, ...]:
    """The moves from (a, b) that leave a losing state: from a, from b, from both; () when (a, b) loses itself.

    There is at most one of each kind, because no two losing states share a pile or a difference.
    Raises ValueError for a negative pile.
    """
    if min(a, b) < 0:
        raise ValueError(f"piles of {a} and {b} pennies do not exist: a pile holds no less than nothing")
    from_a = a - partner_of(b)
    from_b = b - partner_of(a)
    from_both = min(a, b) - losing_state(abs(b - a))[0]
    moves = ((from_a, 0), (0, from_b), (from_both, from_both))
    return tuple(move for move in moves if max(move) > 0) if from_both else ()


def best_moves(a: int, b: int) -> tuple[Move, ...]:
    """The winning moves that take the most pennies; where there are two, from a before from b before from both.

    Raises ValueError when there is none (the game is over or (a, b) loses), and for a negative pile.
    """
    moves = winning_moves(a, b)
    if not moves:
        reason = "the game is over" if (a, b) == (0, 0) else f"the player to move loses from ({a}, {b})"
        raise ValueError(f"there is no winning move: {reason}")
    most = max(map(sum, moves))
    return tuple(move for move in moves if sum(move) == most)


def grundy_values(max_pile: int) -> np.ndarray:
    """The Sprague-Grundy value of every state, shape (max_pile + 1, max_pile + 1), symmetric.

    g(a, b) is the smallest whole number that is no g(a', b') of a state one move away; losing states have 0. Beside a
    Nim pile of that size the state loses. One integer for each row and each diagonal has the values used so far as
    bits, so that the smallest missing one is a step of integer arithmetic; a column is the row of the same pile.
    Source: the Sprague-Grundy theorem for impartial games in which the last move wins.
    """
    if max_pile > LARGEST_ONE_BY_ONE:
        return grundy_values_by_total(max_pile)
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


def grundy_values_by_total(max_pile: int) -> np.ndarray:
    """The same values, those of all states with one total a + b at once; faster for large piles.

    A move takes pennies from the total, so the values of one total depend on those of smaller totals only, and no two
    of its states with a <= b are in one row or on one diagonal. Here 64 bits of a row or diagonal are one number.
    g(a, b) <= a + b: with t pennies a game lasts at most t moves, and the value is at most the length of the game.
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
