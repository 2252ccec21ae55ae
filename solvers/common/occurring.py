"""How many states (steps made, score) can occur, counted for the checks: by a formula, or by marking each.

Shares no code with `lattice`.
"""

from collections.abc import Collection, Sequence
from math import gcd

import numpy as np

from site_builder.contract import Check
from solvers.common.agreeing import same

NAME = "states that can occur"


def states_check(moves: Sequence[Collection[int]], found: int, steps: str, score: str) -> Check:
    """Whether so many states can occur, the start and the ends among them.

    moves: for each step by how much it can change the score. steps, score: what these are called.
    """
    larger = sorted({abs(move) for step_moves in moves for move in step_moves})
    if len(larger) == 2 and all(len(set(step_moves)) == 4 for step_moves in moves):
        up, across = _same_score(*larger)
        twice = f"{_less(up)} {_less(across)}"
        how = (
            f"after $t$ {steps} $(t + 1)^2$ {score}s, from $t = {across}$ on less ${twice}$ that equal others; "
            f"added up for $t = 0$ to {len(moves)}"
        )
        return same(NAME, "closed form", _by_formula(len(moves), up, across), found, how)
    how = f"every {score} that can follow is marked, from the start through all {steps} to the ends"
    return same(NAME, "brute force", _by_marks(moves), found, how)


def _same_score(small: int, large: int) -> tuple[int, int]:
    """The nearest two pairs (u, w) with the same score, apart by so much in u and in w.

    Steps of +-small and +-large are two choices of 0 or 1 each, so that after t steps the score tells
    (small + large) u + (small - large) w, where u and w are any of 0, 1, ..., t.
    """
    total, difference = small + large, large - small
    common = gcd(total, difference)
    return difference // common, total // common


def _by_formula(steps: int, up: int, across: int) -> int:
    """The pairs (u, w) after t = 0, 1, ..., steps, less those that have another one of the same score beyond them."""
    return sum((t + 1) ** 2 - max(0, t + 1 - up) * max(0, t + 1 - across) for t in range(steps + 1))


def _less(places: int) -> str:
    """t + 1 - places, as TeX."""
    return "t" if places == 1 else f"(t - {places - 1})"


def _by_marks(moves: Sequence[Collection[int]]) -> int:
    far = sum(max(map(abs, step_moves)) for step_moves in moves)
    row = np.zeros(2 * far + 1, dtype=bool)
    row[far] = True
    states = 1
    for step_moves in moves:
        row = np.logical_or.reduce([np.roll(row, move) for move in step_moves])
        states += int(row.sum())
    return states
