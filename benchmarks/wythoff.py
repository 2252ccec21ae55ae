"""Wythoff's game against a plain solution with a dictionary and recursion. Run: python benchmarks/wythoff.py"""

import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from timing import compare, median_seconds, print_alone

from solvers.wythoff import solve
from solvers.wythoff.theory import grundy_values, losing_states

State = tuple[int, int]


def plain_losing_states(max_pile: int) -> tuple[State, ...]:
    """The losing states (a, b), a <= b <= max_pile, by asking of every state whether some move leaves a losing one."""
    known: dict[State, bool] = {}

    def wins(a: int, b: int) -> bool:
        if a > b:
            a, b = b, a
        if (a, b) not in known:
            known[a, b] = (
                any(not wins(x, b) for x in range(a))
                or any(not wins(a, y) for y in range(b))
                or any(not wins(a - z, b - z) for z in range(1, a + 1))
            )
        return known[a, b]

    return tuple((a, b) for a in range(max_pile + 1) for b in range(a, max_pile + 1) if not wins(a, b))


def plain_grundy_values(max_pile: int) -> dict[State, int]:
    """Sprague-Grundy values by collecting the values of all options in a set."""
    values: dict[State, int] = {}
    for a in range(max_pile + 1):
        for b in range(max_pile + 1):
            seen = {values[x, b] for x in range(a)} | {values[a, y] for y in range(b)}
            seen |= {values[a - z, b - z] for z in range(1, min(a, b) + 1)}
            values[a, b] = next(g for g in range(len(seen) + 1) if g not in seen)
    return values


def main() -> None:
    """Compare, print, and fail when a promise is not kept."""
    print_alone("Sprague-Grundy values, piles to 2000", partial(grundy_values, 2000))
    print_alone("solve, piles to 2000", partial(solve, max_pile=2000))
    sys.setrecursionlimit(10_000)
    assert losing_states(100) == plain_losing_states(100)
    plain = plain_grundy_values(40)
    assert all(plain[a, b] == g for a, row in enumerate(grundy_values(40).tolist()) for b, g in enumerate(row))

    marking = compare("losing states, piles to 100", lambda: losing_states(100), lambda: plain_losing_states(100))
    grundy = compare(
        "Sprague-Grundy values, piles to 150", lambda: grundy_values(150), lambda: plain_grundy_values(150)
    )
    print(f"{'':<44} {'solver':>11} {'plain':>11} {'ratio':>9}")
    print(marking, grundy, sep="\n")

    far = median_seconds(lambda: losing_states(3000))
    print(f"{'losing states, piles to 3000':<44} {far:9.4f} s")
    for name, task in {
        "solve, published parameters": solve,
        "solve, everything at its largest": partial(solve, total_min=2, total_max=2000, max_pile=3000),
    }.items():
        print(f"{name:<44} {median_seconds(task):9.4f} s")

    if marking.ratio < 100 or far > 2:
        sys.exit("a promise is not kept: marking to 100 at least 100 times as fast, piles to 3000 in less than 2 s")


if __name__ == "__main__":
    main()
