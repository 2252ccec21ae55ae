"""The rules of the game, the losing states by marking and by the golden ratio, and the moves that win.

A state is a pair of piles (a, b); the value does not depend on their order. A move is a pair (pennies taken from a,
pennies taken from b).
"""

from math import isqrt

import numpy as np

State = tuple[int, int]
Move = tuple[int, int]


def losing_partners(max_pile: int) -> np.ndarray:
    """The pile that, beside a pile of each size, loses for the player to move, found by marking moves backwards.

    Shape (max_pile + 1,), in pennies; -1 where that pile would be larger than max_pile. A state from which no move
    leads to a losing state loses itself, and then everything above it in its column or along its diagonal wins, so
    one mark for a column or a diagonal stands for all of its states.
    """
    partner = np.full(max_pile + 1, -1)
    columns = 0  # bit b: a state (a', b) with a' < a loses
    diagonals = 0  # bit max_pile + b - a: a state further down that diagonal loses
    for a in range(max_pile + 1):
        marked = columns | (diagonals >> (max_pile - a))  # bit b: (a, b) has a move to one of those states
        b = (~marked & (marked + 1)).bit_length() - 1  # the lowest bit that is not set
        if b <= max_pile:
            partner[a] = b
            columns |= 1 << b
            diagonals |= 1 << (max_pile + b - a)
    return partner


def states_met(total_min: int, total_max: int) -> int:
    """How many states some play leads to from a division of one of these totals into two piles, none of them empty.

    Piles in the other order are the same state. The divisions and the end, where no penny is left, are included.
    """
    piles = np.arange(total_max, -1, -1)
    total = np.add.outer(piles, piles)
    met = (total >= total_min) & (total <= total_max) & (np.minimum.outer(piles, piles) > 0)
    for axis in (0, 1):  # a move from both piles leads nowhere that two moves, one from each, do not lead
        met = np.logical_or.accumulate(met, axis=axis)
    return int(np.triu(met).sum())


def losing_states(partner: np.ndarray) -> tuple[State, ...]:
    """The losing states (a, b) with a <= b in a table of `losing_partners`, smallest first."""
    return tuple((a, b) for a, b in enumerate(partner.tolist()) if b >= a)


def losing_state(k: int) -> State:
    """The k-th losing state, (floor(k phi), floor(k phi) + k) with phi the golden ratio, in exact integers.

    phi = (1 + sqrt 5) / 2, and halving and rounding down may be done after sqrt(5 k^2) has been rounded down.
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


def after(a: int, b: int, move: Move) -> State:
    """The piles that a move leaves.

    Raises ValueError when the move is illegal: it takes nothing, more than there is, less than nothing, or two
    different numbers of pennies from the two piles.
    """
    _require_piles(a, b)
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
    Raises ValueError for a pile of less than nothing.
    """
    _require_piles(a, b)
    from_a = a - partner_of(b)
    from_b = b - partner_of(a)
    from_both = min(a, b) - losing_state(abs(b - a))[0]
    moves = ((from_a, 0), (0, from_b), (from_both, from_both))
    return tuple(move for move in moves if max(move) > 0) if from_both else ()


def best_moves(a: int, b: int) -> tuple[Move, ...]:
    """The winning moves that take the most pennies; where there are two, from a before from b before from both.

    Raises ValueError when there is none: the game is over or (a, b) loses, and for a pile of less than nothing.
    """
    moves = winning_moves(a, b)
    if not moves:
        fault = "the game is over" if (a, b) == (0, 0) else f"the player to move loses from ({a}, {b})"
        raise ValueError(f"there is no winning move: {fault}")
    most = max(map(sum, moves))
    return tuple(move for move in moves if sum(move) == most)


def _require_piles(a: int, b: int) -> None:
    if min(a, b) < 0:
        raise ValueError(f"piles of {a} and {b} pennies do not exist: a pile holds no less than nothing")
