"""Coinball: the solver against a dictionary over (tosses made, your points, the opponent's), in fractions and floats.

python benchmarks/coinball.py
"""

import sys
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from timing import compare, median_seconds

from solvers.coinball import solve

HALF = Fraction(1, 2)


def plain(opponent: str, half: Fraction | float, n_tosses: int = 100) -> Fraction | float:
    """Your chance when you call first, from the rules: filled in from the last toss to the first.

    half: one half, in the kind of number that is used throughout.
    """
    value = {
        (n_tosses, mine, theirs): 2 * half if mine > theirs else 0 * half if mine < theirs else half
        for mine in range(2 * n_tosses + 1)
        for theirs in range(2 * n_tosses + 1 - mine)
    }
    for toss in reversed(range(n_tosses)):
        for mine in range(2 * toss + 1):
            for theirs in range(max(0, toss - mine), 2 * toss + 1 - mine):
                rush, pass_ = (
                    half * (value[toss + 1, mine + points, theirs] + value[toss + 1, mine, theirs + points])
                    for points in (1, 2)
                )
                if toss % 2 == 0:
                    chosen = max(rush, pass_)
                else:
                    chosen = rush if opponent == "rush" else pass_ if opponent == "pass" else min(rush, pass_)
                value[toss, mine, theirs] = chosen
    return value[0, 0, 0]


def three_questions(half: Fraction | float = HALF) -> dict[str, Fraction | float]:
    """The answers against an opponent who always rushes, always passes, plays best."""
    return {opponent: plain(opponent, half) for opponent in ("rush", "pass", "optimal")}


def main() -> None:
    """Print a line for each comparison, and how long a larger game takes."""
    if three_questions() != solve().going_first:
        raise SystemExit("the two solutions differ")
    print(f"{'':<44} {'ours':>11} {'plain':>11} {'ratio':>9}")
    print(compare("100 tosses, exact, three questions", lambda: solve(), three_questions, rounds=1))
    print(f"{'400 tosses':<44} {median_seconds(lambda: solve(n_tosses=400), rounds=3):9.4f} s")


if __name__ == "__main__":
    main()
