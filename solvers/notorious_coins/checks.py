"""The checks of perfect play and of slips: by the rule, by leads, by seeded games, by closed forms and publications.

Nothing here calls a function that `solve` uses.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, lcm

import numpy as np

from site_builder.contract import Absolute, AtLeast, Check
from solvers.notorious_coins import second_methods as second
from solvers.notorious_coins.game import expected_winnings, greedy_winnings
from solvers.notorious_coins.learning_checks import learning_checks
from solvers.notorious_coins.parameters import Parameters
from solvers.notorious_coins.solution import Result

_BY_RULE = 10  # coins of a row whose courses are all walked
_BY_STRETCH = 60  # coins of a row whose stretches are all checked
_EXACT = 30  # coins of a row whose slips are checked in fractions
_PUBLISHED: dict[tuple[Fraction | int, ...], int] = {(2, 4, 8, 10): 14, (8, 20, 3, 2): 22, (19, 19, 30, 21): 49}
_PUBLISHED_GREED: dict[tuple[Fraction | int, ...], int] = {(8, 20, 3, 2): 11, (19, 19, 30, 21): 40}

Chances = tuple[Fraction, ...]


def checks(parameters: Parameters, result: Result, fields: frozenset[str] | None = None) -> Iterator[Check]:
    """Every check that applies to the row.

    fields: those that a sweep keeps; confirmations of other fields that take long are left out.
    """
    n = result.n
    p = (*second.read_chances(parameters.p, n - 1), Fraction(1))  # with n coins left it is your move
    q = second.read_chances(parameters.q, n)
    yield _perfect_play(result)
    yield _as_given(parameters, result)
    yield from _expected_winnings(result, p, q)
    yield from _sums(result)
    if n <= _BY_STRETCH:
        yield from _stretches(result, p, q)
    yield from _constant_chances(result, q)
    yield _break_even(result)
    yield _family(parameters, result)
    yield _game(result)
    yield from _published(result)
    if result.is_even:
        yield _parity(result)
    if result.stride == 1:
        yield _by_rule(result, p, q)
        if not any(second.is_rare(chance) for chance in (*p, *q)):
            yield _played(result, p, q)
    if n <= 2 * _BY_RULE:
        how = "every course of replies to it"
        yield Check(
            "what greed collects",
            "brute force",
            greedy_winnings(result.values),
            result.greedy,
            of="greedy",
            detail=how,
        )
    if result.learning and result.slipping:
        yield from learning_checks(parameters, result, result.learning, result.slipping, fields)


def _as_given(parameters: Parameters, result: Result) -> Check:
    """What repeats the parameters, and how much of them the maps and the exact numbers keep."""
    erring, kept = result.erring, len(result.best_table.axes["first"])
    rates = tuple(None if isinstance(rate, (str, tuple)) else Fraction(rate) for rate in (parameters.p, parameters.q))
    expected = (result.n % 2 == 0, -(-result.n // result.stride), isinstance(erring.expected, Fraction), *rates)
    found = (result.is_even, kept, erring.exact, erring.p_constant, erring.q_constant)
    words = tuple("a list" if isinstance(rate, tuple) else str(rate).strip() for rate in (parameters.p, parameters.q))
    halves = range(9, int(2 * parameters.family_max) + 1)
    of = "is_even, stride, erring.exact, erring.p_constant, erring.q_constant, erring.p, erring.q, family.v"
    how = "an even row; the size of the maps; exact numbers; the chances; the values of the family, from 9/2 on"
    every, found_all = (*expected, *words, *halves), (*found, erring.p, erring.q, *(2 * v for v in result.family.v))
    return Check("what the row and the chances say of themselves", "by hand", every, found_all, of=of, detail=how)


def _perfect_play(result: Result) -> Check:
    scale = lcm(*(value.denominator for value in result.values))
    *_, (_, _, lead) = second.leads(np.array([int(value * scale) for value in result.values], dtype=object), 1, 1)
    expected = (result.total + Fraction(int(lead[0]), scale)) / 2
    how = "the mover's leads, exact"
    return Check(
        "worth of the row under perfect play", "another algorithm", expected, result.best, of="best", detail=how
    )


def _expected_winnings(result: Result, p: Chances, q: Chances) -> Iterator[Check]:
    """Exact where the solution is exact and the row short."""
    name, method, found = "expected winnings with slips", "another algorithm", result.erring.expected
    if result.n <= _EXACT and result.erring.exact:
        expected = second.winnings(np.array(result.values, dtype=object), p, q)
        of, how = "erring.expected", "both players' leads, exact"
        yield Check(name, method, expected, found, of=of, detail=how)
        name, how = "what the slips add to perfect play", "the difference of two confirmed answers"
        of = "erring.gain"
        yield Check(name, "closed form", expected - result.best, result.erring.gain, of=of, detail=how)
    else:
        expected = second.winnings(np.array(result.values, dtype=float), p, q)
        within, how = second.rounding(result.total), "both players' leads"
        gain, of = expected - float(result.best), "erring.expected, erring.gain"
        found_both = (found, result.erring.gain)
        yield Check(
            f"{name}, and what they add", method, (expected, gain), found_both, of=of, within=within, detail=how
        )


def _sums(result: Result) -> Iterator[Check]:
    values, best = result.values, result.best
    total = sum(values, Fraction(0))
    odd = sum((value for place, value in enumerate(values, 1) if place % 2), Fraction(0))
    expected = (total, total - best, best - (total - best), best / total)
    found = (result.total, result.opponent, result.lead, result.share)
    how = "the coins added up, the rest of them, the difference, the quotient"
    yield Check(
        "all coins, the opponent's, your lead, your share",
        "closed form",
        expected,
        found,
        of="total, opponent, lead, share",
        detail=how,
    )
    sides = (odd, total - odd, max(odd, total - odd))
    how = "added up coin by coin; the larger of the two"
    found_sides = (result.odd_coins, result.even_coins, result.secure)
    yield Check(
        "coins in odd and in even positions",
        "closed form",
        sides,
        found_sides,
        of="odd_coins, even_coins, secure",
        detail=how,
    )
    pairs = sum(1 for first in range(result.n) for last in range(first, result.n))
    yield Check(
        "stretches of the row",
        "brute force",
        pairs,
        result.entries,
        of="entries",
        detail="every first and last coin",
    )
    how = r"a row has two different ones of the $n + 1$ gaps beside coins as its ends: $\binom{n + 1}{2}$, and no coin"
    yield Check(
        "states that can occur", "closed form", comb(result.n + 1, 2) + 1, result.n_states, of="n_states", detail=how
    )
    larger = "only" if result.n == 1 else "left" if values[0] >= values[-1] else "right"
    how = "the larger of the two ends, the left one of equals"
    yield Check("the first coin of greed", "closed form", larger, result.greedy_first, of="greedy_first", detail=how)


def _stretches(result: Result, p: Chances, q: Chances) -> Iterator[Check]:
    """Value and better end of every stretch.

    With slips in fractions where the solution is exact and the row short; in floats close ends count as unsure.
    """
    n, erring, total = result.n, result.erring, float(result.total)
    coins = np.array(result.values, dtype=object)
    value, gain = second.stretches(coins, 1, 1)
    perfect = second.ends(gain)
    agree = np.abs(result.best_table.values - value.astype(float)) <= 1e-12 * total
    agree &= result.best_ends.values == np.where(np.tri(n, k=-1), -1, perfect)
    right = int(agree.sum()) - (result.first_move != _name_of_end(perfect, n))
    how = "the mover's lead on every stretch, and the end that it asks for"
    yield Check(
        "cells of the table of perfect play",
        "another algorithm",
        n**2,
        right,
        of="best_table, best_ends, first_move",
        detail=how,
    )
    exact = erring.exact and n <= _EXACT
    value, gain = second.stretches(coins if exact else coins.astype(float), p, q)
    best, choices = second.ends(gain), np.tri(n, k=-1, dtype=bool).T
    unsure = choices & (np.abs(gain).astype(float) < 1e-9 * total) & (not exact)
    agree = np.abs(erring.table.values - value.astype(float)) <= 1e-9 * total
    agree &= unsure | (erring.ends.values == best)
    how = "the leads of both players on every stretch of two coins or more; agreement within $10^{-9}$ of the total"
    yield Check(
        "stretches with slips",
        "another algorithm",
        int(choices.sum()),
        int(agree[choices].sum()),
        of="erring.table, erring.ends",
        detail=how,
    )
    if not unsure.any():
        expected = (int(choices.sum()), int((best + perfect == 1)[choices].sum()), _name_of_end(best, n))
        found = (erring.decisions, erring.changed, erring.first_move)
        how = "the same leads: choices in all, those in which slips ask for another end, the end to take first"
        yield Check(
            "where slips change the best end",
            "another algorithm",
            expected,
            found,
            of="erring.decisions, erring.changed, erring.first_move",
            detail=how,
        )


def _name_of_end(ends: np.ndarray, n: int) -> str:
    return "only" if n == 1 else ("left", "right", "either")[ends[0, -1]]


def _constant_chances(result: Result, q: Chances) -> Iterator[Check]:
    """Three points of both curves and of the square; all of them for rows that are not too long."""
    erring, n, total = result.erring, result.n, float(result.total)
    row = np.array(result.values, dtype=float)
    expected = tuple(float(second.winnings(row, *chances)) for chances in ((0.5, q), (0.2, 1), (0.8, 0.2)))
    half, fifth = Fraction(1, 2), Fraction(1, 5)
    found = (erring.by_p.at(p=half), erring.by_p_steady.at(p=fifth), erring.square.at(p=4 * fifth, q=fifth))
    name, how = "winnings at constant chances", "$p = 1/2$ with your $q$; $p = 1/5$, $q = 1$; $p = 4/5$, $q = 1/5$"
    of, within = "erring.by_p[1], erring.by_p_steady[1], erring.square[1]", second.rounding(result.total)
    yield Check(name, "another algorithm", expected, found, of=of, within=within, detail=how)
    if n > _BY_STRETCH:
        return
    p = np.array(erring.by_p.axes["p"], dtype=float)
    pairs = np.array(list(product(*erring.square.axes.values())), dtype=float).T
    points = right = 0
    for grid, chances in ((erring.by_p, (p, q)), (erring.by_p_steady, (p, 1)), (erring.square, pairs)):
        values = second.winnings(np.outer(row, np.ones(grid.values.size)), *chances)
        right += int((np.abs(grid.values.ravel() - values) <= 1e-9 * total).sum())
        points += grid.values.size
    how = "both players' leads at each pair of constant chances, to 1e-9 of the total"
    yield Check(
        "points of the curves and of the square",
        "another algorithm",
        points,
        right,
        of="erring.by_p, erring.by_p_steady, erring.square",
        detail=how,
    )


def _break_even(result: Result) -> Check:
    """By halving an interval: expected winnings never fall as q grows."""
    row, half = np.array(result.values, dtype=float), float(result.total) / 2
    steps, within = (30, 2e-6) if result.n <= 400 else (14, 2e-4)

    def is_enough(q: float) -> bool:
        return bool(second.winnings(row, 1, q) >= half * (1 - 1e-12))

    low, high = 0.0, 1.0
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    even: float | None = 0.0 if is_enough(0.0) else high if is_enough(1.0) else None
    found = result.erring.break_even
    how = f"your constant chance that wins half of the row, by halving {steps} times"
    name, of = "where you break even", "erring.break_even"
    return Check(name, "another algorithm", even, found, of=of, within=Absolute(within), detail=how)


def _family(parameters: Parameters, result: Result) -> Check:
    family, v = result.family, Fraction(int(2 * parameters.family_max), 2)
    expected = (v / 2 - 1, v / 2 - 1, v * 3 / 4, v / 2 + 1, v, 5 * v / 4 - 1, Fraction(5, 4) - 1 / v, True)
    found = (*family.rows[-1], family.greedy[-1], family.best[-1], family.worst_ratio, family.claim_holds)
    detail = f"the row, greed $v$, best play $5v/4 - 1$, the largest ratio $5/4 - 1/v$; shown for $v = {v}$"
    of = "family.rows[1], family.greedy[1], family.best[1], family.worst_ratio, family.claim_holds"
    return Check("the published family of four coins", "closed form", expected, found, of=of, detail=detail)


def _game(result: Result) -> Check:
    """The game replayed: every coin is taken from an end of the row, and the totals are those of perfect play."""
    row, totals, start = list(result.values), [Fraction(0), Fraction(0)], 0
    expected_moves, found_moves = [], []
    perfect = second.perfect_ends(result.values) if result.n <= _BY_STRETCH else None
    for turn, move in enumerate(result.game):
        first, last, left = row[0], row[-1], len(row)
        tie = move.tie if perfect is None else bool(left > 1 and perfect[start, start + left - 1] == 2)
        totals[turn % 2] += (coin := row.pop(-1 if move.end == "right" else 0))
        start += move.end != "right"
        expected_moves.append((turn % 2 == 0, first, last, left, coin, *totals, tie))
        found_move = (move.mine, move.first_coin, move.last_coin, move.coins_left, move.coin)
        found_moves.append((*found_move, move.my_total, move.their_total, move.tie))
    expected, found = (
        (*totals, result.n, *expected_moves),
        (result.best, result.opponent, len(found_moves), *found_moves),
    )
    how = "replayed on the row: every coin lies at its end; what you and the opponent hold at last"
    return Check("the game, move by move", "brute force", expected, found, of="game, best, opponent, n", detail=how)


def _published(result: Result) -> Iterator[Check]:
    for name, published, found, of in (
        ("the published answer", _PUBLISHED, result.best, "best"),
        ("what greed collects, as published", _PUBLISHED_GREED, result.greedy, "greedy"),
    ):
        if result.values in published:
            expected = Fraction(published[result.values])
            yield Check(name, "published value", expected, found, of=of, detail="Notorious Coins")


def _parity(result: Result) -> Check:
    secure = max(sum(result.values[::2], Fraction(0)), sum(result.values[1::2], Fraction(0)))
    detail = "on an even row the first player can have all coins in odd, or all in even positions"
    name, of = "a bound by colouring", "best"
    return Check(name, "closed form", secure, result.best, of=of, within=AtLeast(), detail=detail)


def _by_rule(result: Result, p: Chances, q: Chances) -> Check:
    """All courses of the game on the first few coins."""
    row, sure = result.values[:_BY_RULE], [Fraction(1)] * (result.n + 1)
    expected = (expected_winnings(row, sure, sure), expected_winnings(row, p, q))
    found = (result.best_table.at(first=1, last=len(row)), result.erring.table.at(first=1, last=len(row)))
    coins = f"{len(row)} coin{'s' if len(row) > 1 else ''}"
    how = f"every course of the game on the first {coins}: perfect play, with slips"
    return Check(
        "worth of a short row",
        "brute force",
        expected,
        found,
        of="best_table[1], erring.table[1]",
        within=second.rounding(result.total),
        detail=how,
    )


def _played(result: Result, p: Chances, q: Chances) -> Check:
    """You aim for the end in the table, the opponent for the end that leaves you the smaller value in the table."""
    ends, value = result.erring.ends.values, np.pad(result.erring.table.values, ((0, 1), (0, 1)))

    def players(games: int, drawn: np.random.Generator) -> tuple[second.End, second.End]:
        def hits(aims_right: np.ndarray, chance: Fraction) -> np.ndarray:
            end: np.ndarray = (aims_right == (drawn.random(games) < float(chance))).astype(int)
            return end

        def my_end(k: int, first: np.ndarray, last: np.ndarray) -> np.ndarray:
            return hits(ends[first, last] == 1, q[k])

        def their_end(k: int, first: np.ndarray, last: np.ndarray) -> np.ndarray:
            return hits(value[first + 1, last] > value[first, last - 1], p[k])

        return my_end, their_end

    of, found = "erring.expected", float(result.erring.expected)
    return second.simulated("winnings with slips, played", result.values, players, found, of)
