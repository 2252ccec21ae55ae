"""Two coins, one hundred flips: the solver against a dictionary and a recursion, in exact fractions and in floats.

python benchmarks/riddler_flips.py
"""

import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from timing import compare, median_seconds, print_alone

from solvers.riddler_flips import Result, solve

HALF = Fraction(1, 2)


def plain(half: Fraction | float = HALF, n_flips: int = 100) -> Fraction | float:
    """The published game from its rules: a value for each (flips, score), remembered in a dictionary.

    half: one half, in the kind of number that is used throughout.
    """
    known: dict[tuple[int, int], Fraction | float] = {}

    def value(flips: int, score: int) -> Fraction | float:
        if flips == n_flips:
            return 2 * half if score > 0 else 0 * half
        if (flips, score) not in known:
            known[flips, score] = max(
                half * value(flips + 1, score + points) + half * value(flips + 1, score - points) for points in (1, 2)
            )
        return known[flips, score]

    return value(0, 0)


def ten_thousand_flips() -> Result:
    """A hundred times the published number of flips, in floats."""
    return solve(n_flips=10_000, arithmetic="float")


def main() -> None:
    """Print a line for each comparison, and how long ten and a hundred times the size take."""
    print_alone("10,000 flips, floats", ten_thousand_flips)
    if plain() != solve().win_probability:
        raise SystemExit("the two solutions differ")
    print(f"{'':<44} {'ours':>11} {'plain':>11} {'ratio':>9}")
    print(compare("100 flips, exact, the whole result", lambda: solve(), plain))
    print(compare("100 flips, floats", lambda: solve(arithmetic="float"), lambda: plain(0.5)))
    sizes: dict[str, Callable[[], object]] = {
        "1,000 flips, floats": lambda: solve(n_flips=1000, arithmetic="float"),
        "400 flips, exact": lambda: solve(n_flips=400),
    }
    for name, run in sizes.items():
        print(f"{name:<44} {median_seconds(run, rounds=3):9.4f} s")


if __name__ == "__main__":
    main()
