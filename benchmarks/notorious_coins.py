"""A row of coins against a plain solution with a dictionary and recursion. Run: python benchmarks/notorious_coins.py"""

import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from timing import compare, median_seconds

from solvers.notorious_coins import solve
from solvers.notorious_coins.parameters import ROW, row_of_coins
from solvers.notorious_coins.play import best_play


def plain_worths(values: Sequence[float], p: float, q: float) -> dict[tuple[int, int], float]:
    """What every stretch is worth to you, when the opponent takes the better end with chance p and you with q."""
    known: dict[tuple[int, int], float] = {}

    def worth(i: int, j: int) -> float:
        if i > j:
            return 0
        if i == j:
            return values[i]
        if (i, j) not in known:
            middle = worth(i + 1, j - 1)
            inner, outer = worth(i + 2, j), worth(i, j - 2)
            left = values[i] + p * min(inner, middle) + (1 - p) * max(inner, middle)
            right = values[j] + p * min(middle, outer) + (1 - p) * max(middle, outer)
            known[i, j] = q * max(left, right) + (1 - q) * min(left, right)
        return known[i, j]

    for length in range(2, len(values) + 1):
        for i in range(len(values) - length + 1):
            worth(i, i + length - 1)
    return known


def quick_slips(values: Sequence[Fraction], p: Fraction, q: Fraction) -> Fraction:
    """The whole row, in exact fractions."""
    n = len(values)
    return Fraction(best_play(np.array(values, dtype=object), [p] * n, [q] * (n + 1))[0][n][0])


def main() -> None:
    """Compare and print."""
    p, q = Fraction(3, 4), Fraction(9, 10)
    row = row_of_coins(ROW, n=40, seed=7)
    numbers = [float(value) for value in row]
    assert abs(float(quick_slips(row, p, q)) - plain_worths(numbers, 0.75, 0.9)[0, 39]) < 1e-9

    print(compare("slips, 40 coins", lambda: quick_slips(row, p, q), lambda: plain_worths(numbers, 0.75, 0.9)))
    for name, n in (("the default row", 0), ("40 coins", 40)):
        print(f"the whole answer, {name:<26} {median_seconds(lambda n=n: solve(n=n), 3):9.4f} s")  # type: ignore[misc]


if __name__ == "__main__":
    main()
