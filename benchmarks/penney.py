"""Penney's game with one deck against a plain search with a dictionary and recursion.

Run: python benchmarks/penney.py
"""

import multiprocessing
import resource
import sys
import time
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import comb, lcm
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from timing import compare, median_seconds, print_alone

from solvers.penney import solve
from solvers.penney.deck import Deck
from solvers.penney.rules import memory_of
from solvers.penney.search import best_play

CARDS = 26
PROCESSES = 2
SECONDS, MEGABYTES, TIMES = 8, 1000, 20


def plain_best_play(k: int, reds: int, blacks: int) -> Fraction:
    """Yvonne's chance under best play: every pair of sequences, each by recursion over what the last k cards were."""
    words = ["".join(word) for word in product("RB", repeat=k)]
    return max(min(plain_chance(yvonne, zara, reds, blacks) for zara in words if zara != yvonne) for yvonne in words)


def plain_chance(yvonne: str, zara: str, reds: int, blacks: int) -> Fraction:
    """Yvonne's chance with one pair that the deck allows."""
    known: dict[tuple[int, int, str], int] = {}
    reds -= (yvonne + zara).count("R")
    blacks -= (yvonne + zara).count("B")

    def lead(red: int, black: int, last: str) -> int:
        if last in (yvonne, zara):
            return comb(red + black, red) * (1 if last == yvonne else -1)
        state = red, black, last
        if state not in known:
            after = last[1:] if len(last) == len(yvonne) else last
            known[state] = (lead(red - 1, black, after + "R") if red else 0) + (
                lead(red, black - 1, after + "B") if black else 0
            )
        return known[state]

    return (1 + Fraction(lead(reds, blacks, ""), comb(reds + blacks, reds))) / 2


def some_decks() -> dict[tuple[int, int], Fraction]:
    """The same by the solver's search, deck by deck, for every 40th deck of up to 52 reds and 52 blacks."""
    decks = [(reds, blacks) for reds in range(1, 53) for blacks in range(max(1, 6 - reds), 53)]
    return {deck: best_play(Deck(3, *deck)).chance for deck in decks[::40]}


def table_row(k: int) -> tuple[int, Fraction, int]:
    """k, Yvonne's chance, and the largest memory this process has held, in MB."""
    chance = solve(k=k, reds=CARDS, blacks=CARDS)["chance"]
    return k, chance, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def whole_table() -> tuple[dict[int, Fraction], float, int]:
    """The table for every k, by processes that each take the next k: the rows, seconds, and MB of all processes."""
    start = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        rows = list(pool.imap_unordered(table_row, range(1, CARDS + 1)))
    seconds = time.perf_counter() - start
    return {k: chance for k, chance, _ in rows}, seconds, PROCESSES * max(memory for *_, memory in rows)


def all_decks(k: int, most: int) -> dict[tuple[int, int], Fraction]:
    """Yvonne's chance under best play by (reds, blacks), for all decks of up to `most` cards of each colour.

    The orders that a pair of sequences wins depend only on the cards left to turn and on the memory of the cards
    before. So one recursion to `most` cards of each colour has them for every deck. With lead(r, b, m) the orders that
    Yvonne wins less those that Zara wins, mR and mB as in solvers/penney/__init__.py, m in {y, z} being ends,

        lead(r, b, m) = lead(r - 1, b, mR) + lead(r, b - 1, mB),  lead(r, b, y) = C(r + b, r) = -lead(r, b, z).

    Swapping the colours shows that a deck has the chance of the deck with as many blacks as it has reds.
    """
    words = ["".join(word) for word in product("RB", repeat=k)]
    pairs = list(combinations(words, 2))
    states = [(y, z, m) for y, z in pairs for m in sorted({s[:i] for s in (y, z) for i in range(k + 1)})]
    place = {state: i for i, state in enumerate(states)}
    after = {
        card: np.array([place[y, z, m if m in (y, z) else memory_of(m + card, y, z)] for y, z, m in states])
        for card in "RB"
    }
    start = np.array([place[y, z, ""] for y, z in pairs])
    ends = np.array([1 if m == y else -1 if m == z else 0 for y, z, m in states], dtype=object)
    is_end = ends != 0
    leads: dict[tuple[int, int], list[int]] = {}
    before: list[np.ndarray] = []
    for r in range(most + 1):
        row: list[np.ndarray] = []
        for b in range(most + 1):
            lead = np.zeros(len(states), dtype=object)
            if r:
                lead += before[b][after["R"]]
            if b:
                lead += row[b - 1][after["B"]]
            lead[is_end] = ends[is_end] * comb(r + b, r)
            row.append(lead)
            leads[r, b] = lead[start].tolist()
        before = row
    gone = [(y + z).count("R") for y, z in pairs]
    chances = {}
    for reds in range(1, most + 1):
        for blacks in range(max(1, 2 * k - reds), reds + 1):
            chance = _best(pairs, gone, leads, reds, blacks)
            chances[reds, blacks] = chances[blacks, reds] = chance
    return chances


def _best(
    pairs: list[tuple[str, str]], gone: list[int], leads: dict[tuple[int, int], list[int]], reds: int, blacks: int
) -> Fraction:
    """The largest over Yvonne's sequences of the least chance that an answer leaves her, with one deck."""
    k = len(pairs[0][0])
    left = {red: (reds - red, blacks - 2 * k + red) for red in set(gone)}
    orders = {red: comb(r + b, r) for red, (r, b) in left.items() if min(r, b) >= 0}
    denominator = lcm(*orders.values())
    least: dict[str, int] = {}
    for i, ((y, z), red) in enumerate(zip(pairs, gone, strict=True)):
        if red in orders:
            lead = leads[left[red]][i] * (denominator // orders[red])
            least[y], least[z] = min(least.get(y, denominator), lead), min(least.get(z, denominator), -lead)
    return Fraction(denominator + max(least.values()), 2 * denominator)


def main() -> None:
    """Compare, print, and fail when a promise is not kept."""
    # First of all: a new process would count the memory that this one has taken by then as its own.
    print_alone("k = 3, all decks to 52 + 52 at once", partial(all_decks, 3, 52))
    print_alone("k = 3, every 40th of them by the solver", some_decks, rounds=1)
    chances, seconds, memory = whole_table()
    assert {k for k, chance in chances.items() if chance < Fraction(1, 2)} == set(range(3, 17))

    every = all_decks(3, 52)
    assert some_decks().items() <= every.items()
    assert len(every) == 2694
    assert plain_best_play(3, CARDS, CARDS) == chances[3]
    assert plain_best_play(4, 9, 13) == best_play(Deck(4, 9, 13)).chance
    search = compare(
        "best play, k = 4, 26 + 26 cards",
        lambda: best_play(Deck(4, CARDS, CARDS)),
        lambda: plain_best_play(4, CARDS, CARDS),
        rounds=3,
    )
    print(f"{'':<44} {'solver':>11} {'plain':>11} {'ratio':>9}")
    print(search)
    print(f"{'the table for k = 1 to 26, two processes':<44} {seconds:9.4f} s {memory:9} MB together at most")
    for k in (3, 9, 12, 16):
        print(f"{f'solve, k = {k}':<44} {median_seconds(partial(solve, k=k), rounds=3):9.4f} s")
    for name, task in {
        "solve, uneven deck, k = 12, 20 + 32 cards": partial(solve, k=12, reds=20, blacks=32),
        "solve, k = 20, 33 + 33 cards": partial(solve, k=20, reds=33, blacks=33),
    }.items():
        print(f"{name:<44} {median_seconds(task, rounds=3):9.4f} s")

    if seconds > SECONDS or memory > MEGABYTES or search.ratio < TIMES:
        sys.exit(
            f"a promise is not kept: the table in less than {SECONDS} s and {MEGABYTES} MB, "
            f"best play at k = 4 at least {TIMES} times as fast as by recursion"
        )


if __name__ == "__main__":
    main()
