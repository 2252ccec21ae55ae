"""A row of coins against a plain solution with a dictionary and recursion. Run: python benchmarks/notorious_coins.py"""

import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from timing import compare, median_seconds

from solvers.notorious_coins import solve
from solvers.notorious_coins.parameters import ROW, row_of_coins
from solvers.notorious_coins.perfect_play import best_play, whole_numbers
from solvers.notorious_coins.slips import layers, weights_of

SECONDS_FOR_A_THOUSAND = 2.0


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


def quick_perfect(values: Sequence[Fraction]) -> int:
    """Perfect play in int64."""
    return int(best_play(whole_numbers(values)[0])[len(values)][0])


def quick_slips(values: Sequence[Fraction], p: Fraction, q: Fraction) -> float:
    """All stretches of both parities in floats."""
    n = len(values)
    coins, scale = whole_numbers(values)
    chances = [weights_of([rate] * (n + 1), exact=False) for rate in (p, q)]
    tops = {k: value[0] for parity in (0, 1) for k, *_, value in layers(coins / scale, *chances, parity)}
    return float(tops[n])


def main() -> None:
    """Compare, print, and fail when a promise is not kept."""
    sys.setrecursionlimit(10_000)
    p, q = Fraction(3, 4), Fraction(9, 10)
    row = row_of_coins(ROW, n=80, seed=7)
    numbers = [int(value) for value in row]
    assert quick_perfect(row) == plain_worths(numbers, 1, 1)[0, 79]
    assert abs(quick_slips(row, p, q) - plain_worths(numbers, 0.75, 0.9)[0, 79]) < 1e-9

    print(compare("perfect play, 80 coins", lambda: quick_perfect(row), lambda: plain_worths(numbers, 1, 1)))
    print(compare("slips, 80 coins", lambda: quick_slips(row, p, q), lambda: plain_worths(numbers, 0.75, 0.9)))

    long = row_of_coins(ROW, n=1000, seed=7)
    for name, seconds in (
        ("1,000 coins, perfect play in int64", median_seconds(lambda: quick_perfect(long), 3)),
        ("1,000 coins, slips in floats", median_seconds(lambda: quick_slips(long, p, q), 3)),
    ):
        print(f"{name:<44} {seconds:9.4f} s")
        assert seconds < SECONDS_FOR_A_THOUSAND, f"{name}: {seconds:.2f} s, the bound is {SECONDS_FOR_A_THOUSAND} s"

    for name, n in (("the default row", 0), ("40 coins", 40), ("1,000 coins", 1000)):
        print(f"the whole answer, {name:<26} {median_seconds(lambda n=n: solve(n=n), 3):9.4f} s")  # type: ignore[misc]


if __name__ == "__main__":
    main()
