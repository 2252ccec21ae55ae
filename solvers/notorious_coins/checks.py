"""The answers confirmed by other means: leads instead of totals, game trees, played games, identities, publications.

Nothing here calls the solution; the chances p_k and q_k are read once more by rereading.py.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from site_builder.contract import Check
from solvers.common.agreeing import close, same
from solvers.notorious_coins.confirming import decimals, floats, is_rare, perfect_aims, simulated
from solvers.notorious_coins.learning_checks import learning_checks
from solvers.notorious_coins.model import Parameters, Result
from solvers.notorious_coins.rereading import reread
from solvers.notorious_coins.row_checks import LONGEST, curve_check, row_checks

_TREE = 10  # coins of a game tree that is walked whole
_PUBLISHED: dict[tuple[Fraction | int, ...], int] = {(2, 4, 8, 10): 14, (8, 20, 3, 2): 22, (19, 19, 30, 21): 49}
_PUBLISHED_GREED: dict[tuple[Fraction | int, ...], int] = {(8, 20, 3, 2): 11, (19, 19, 30, 21): 40}


def checks(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Every check that applies to the row."""
    p, q = reread(parameters.p, max(result.n - 1, 1)), reread(parameters.q, result.n)
    yield _perfect_by_leads(result)
    yield from _slips_by_leads(result, p, q)
    yield from row_checks(result, p, q)
    yield from _curves_by_leads(result, q)
    yield _break_even(result)
    yield _family_formula(parameters, result)
    yield _replayed(result)
    yield from _published(result)
    if result.is_even:
        yield _parity(result)
    if result.stride == 1:
        yield _tree(result, p, q)
        if not any(is_rare(chance) for chance in (*p, *q)):
            yield _played(result, p, q)
    if result.n <= 2 * _TREE:
        yield _greedy_replies(result)
    if result.learning and result.slipping:
        yield from learning_checks(parameters, result, result.learning, result.slipping)


def _perfect_by_leads(result: Result) -> Check:
    """d(i, j) = max(v_i - d(i+1, j), v_j - d(i, j-1)) is the mover's lead; the total is then split by it."""
    scale = lcm(*(value.denominator for value in result.values))
    coins = np.array([int(value * scale) for value in result.values], dtype=object)
    lead = coins
    for length in range(2, result.n + 1):
        lead = np.maximum(coins[: result.n - length + 1] - lead[1:], coins[length - 1 :] - lead[:-1])
    expected = (result.total + Fraction(int(lead[0]), scale)) / 2
    return same(
        "worth of the row under perfect play", "another algorithm", expected, result.best, "the mover's leads, exact"
    )


def _slips_by_leads(result: Result, p: Sequence[Fraction], q: Sequence[Fraction]) -> Iterator[Check]:
    """The expected winnings, exact where both sides are, and what the slips gain."""
    name, found, gain = "expected winnings with slips", result.erring.expected, result.erring.gain
    if result.n <= 30 and result.erring.exact:
        expected = _winnings_by_leads(result.values, p, q)
        yield same(name, "another algorithm", expected, found, "both players' leads, exact")
        told, how = "what the slips add to perfect play", "the difference of two confirmed answers"
        yield same(told, "closed form", expected - result.best, gain, how)
    else:
        rough = _winnings_by_leads(floats(result.values), p, q)
        yield close(name, "another algorithm", rough, found, decimals(result.total), "both players' leads")


def _curves_by_leads(result: Result, q: Sequence[Fraction]) -> Iterator[Check]:
    """Points of both curves and of the square."""
    row, erring, many = floats(result.values), result.erring, result.n + 1
    half, fifth = Fraction(1, 2), Fraction(1, 5)

    def winnings(p: Fraction, q: Sequence[Fraction]) -> float:
        return float(_winnings_by_leads(row, [p] * many, q))

    expected = (winnings(half, q), winnings(fifth, [Fraction(1)] * many), winnings(4 * fifth, [fifth] * many))
    found = (erring.by_p.at(p=half), erring.by_p_steady.at(p=fifth), erring.square.at(p=4 * fifth, q=fifth))
    name, how = "winnings at constant chances", "$p = 1/2$ with your $q$; $p = 1/5$, $q = 1$; $p = 4/5$, $q = 1/5$"
    yield close(name, "another algorithm", expected, found, decimals(result.total), how)
    if result.n <= LONGEST:
        yield curve_check(result, q, winnings)


def _break_even(result: Result) -> Check:
    """The chance at which half of the row is won against a perfect opponent, by halving: more care never costs."""
    row, half = floats(result.values), float(result.total) / 2
    steps, within = (30, 2e-6) if result.n <= 400 else (14, 2e-4)

    def is_enough(q: float) -> bool:
        won = float(_winnings_by_leads(row, [1.0] * (result.n + 1), [q] * (result.n + 1)))
        return won >= half * (1 - 1e-12)

    low, high = 0.0, 1.0
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    even: float | None = 0.0 if is_enough(0.0) else high if is_enough(1.0) else None
    found = result.erring.break_even
    agree = even == found if even is None or found is None else abs(even - found) < within
    shown = ["none" if chance is None else round(chance, 6) for chance in (even, found)]
    how = f"your constant chance that wins half of the row, by halving {steps} times; agreement within {within:g}"
    return Check("where you break even", "another algorithm", shown[0], shown[1], agree, how)


def _winnings_by_leads(
    values: Sequence[Fraction] | np.ndarray, p: Sequence[Fraction | float], q: Sequence[Fraction | float]
) -> Fraction | float:
    """Winnings with slips, one move at a time: the lead of whoever moves, for both players in turn."""
    kind = float if isinstance(values, np.ndarray) else Fraction
    coins = np.asarray(values, dtype=float if kind is float else object)
    mine = theirs = coins  # the mover's lead when it is your move, or the opponent's
    for k in range(2, len(coins) + 1):
        first, last = coins[: len(coins) - k + 1], coins[k - 1 :]
        my_pair = first - theirs[1:], last - theirs[:-1]
        their_pair = first - mine[1:], last - mine[:-1]
        mine, theirs = _mixed(my_pair, kind(q[k])), _mixed(their_pair, kind(p[min(k, len(p) - 1)]))
    winnings: Fraction | float = (coins.sum() + mine[0]) / 2
    return winnings


def _mixed(pair: tuple[np.ndarray, np.ndarray], hit: Fraction | float) -> np.ndarray:
    mixed: np.ndarray = hit * np.maximum(*pair) + (1 - hit) * np.minimum(*pair)
    return mixed


def _family_formula(parameters: Parameters, result: Result) -> Check:
    family, v = result.family, Fraction(int(2 * parameters.family_max), 2)
    expected = (v / 2 - 1, v / 2 - 1, v * 3 / 4, v / 2 + 1, v, 5 * v / 4 - 1, Fraction(5, 4) - 1 / v)
    found = (*family.rows[-1], family.greedy[-1], family.best[-1], family.worst_ratio)
    passed = expected == found and family.claim_holds
    detail = f"the row, greed $v$, best play $5v/4 - 1$, the largest ratio $5/4 - 1/v$; shown for $v = {v}$"
    return Check("the published family of four coins", "closed form", expected, found, passed, detail)


def _published(result: Result) -> Iterator[Check]:
    if (best := _PUBLISHED.get(result.values)) is not None:
        yield same("the published answer", "published value", Fraction(best), result.best, "Notorious Coins")
    if (greedy := _PUBLISHED_GREED.get(result.values)) is not None:
        yield same(
            "what greed collects, as published", "published value", Fraction(greedy), result.greedy, "Notorious Coins"
        )


def _replayed(result: Result) -> Check:
    """The game move by move: every coin lies at the end that is named, and the sums are those of perfect play."""
    row, held = list(result.values), [Fraction(0), Fraction(0)]
    honest = len(result.game) == result.n
    aims, first, last = perfect_aims(result.values) if result.n <= LONGEST else None, 0, result.n - 1
    for number, move in enumerate(result.game):
        ends = row[0], row[-1], len(row)
        held[number % 2] += (coin := row.pop(-1 if move.end == "right" else 0))
        told = (move.first_coin, move.last_coin, move.coins_left, move.coin, move.my_total, move.their_total)
        honest = honest and told == (*ends, coin, *held) and move.mine == (number % 2 == 0)
        honest = (
            honest
            and move.number == number + 1
            and (aims is None or move.tie == (len(row) > 0 and aims[first, last] == 2))
        )
        first, last = (first, last - 1) if move.end == "right" else (first + 1, last)
    expected = (result.best, result.total - result.best)
    passed = honest and tuple(held) == expected
    how = "replayed on the row: every coin lies at its end; what you and the opponent hold at last"
    return Check("the game, move by move", "brute force", tuple(held), expected, passed, how)


def _parity(result: Result) -> Check:
    """On an even row the first player can take all coins in odd, or all in even positions."""
    secure = max(sum(result.values[::2], Fraction(0)), sum(result.values[1::2], Fraction(0)))
    detail = "on an even row the first player can have all coins in odd, or all in even positions"
    name, least = "a bound by colouring", f"at least {secure}"
    return Check(name, "closed form", least, str(result.best), result.best >= secure, detail)


def _tree(result: Result, p: Sequence[Fraction], q: Sequence[Fraction]) -> Check:
    """All courses of the game on the first few coins, by plain recursion without a table."""
    row = result.values[: min(_TREE, result.n)]

    def walk(row: tuple[Fraction, ...], mine: bool, slips: bool) -> Fraction:
        if not row:
            return Fraction(0)
        ends = sorted(
            (coin if mine else Fraction(0)) + walk(rest, not mine, slips)
            for coin, rest in ((row[0], row[1:]), (row[-1], row[:-1]))
        )
        hit = (q if mine else p)[len(row)] if slips else Fraction(1)
        worse, better = ends if mine else ends[::-1]
        return hit * better + (1 - hit) * worse

    expected = (walk(row, True, False), walk(row, True, True))
    at = {"first": 1, "last": len(row)}
    found = (result.best_table.at(**at), result.erring.table.at(**at))
    how = (
        f"every course of the game on the first {len(row)} coin{'s' if len(row) > 1 else ''}: perfect play, with slips"
    )
    return close("worth of a short row", "brute force", expected, found, decimals(result.total), how)


def _played(result: Result, p: Sequence[Fraction], q: Sequence[Fraction]) -> Check:
    """Games with slips: your aim is the tabled end, the opponent's the end that leaves you the poorer stretch."""
    coins, table, ends = floats(result.values), result.erring.table.values, result.erring.ends.values

    def play(games: int, drawn: np.random.Generator) -> np.ndarray:
        start, stop, won = np.zeros(games, dtype=int), np.full(games, result.n - 1), np.zeros(games)
        for k in range(result.n, 0, -1):
            mine = (result.n - k) % 2 == 0
            poorer = _stretches(table, start + 1, stop) <= _stretches(table, start, stop - 1)
            aims_left = ends[start, stop] != 1 if mine else poorer
            takes_left = aims_left == (drawn.random(games) < float((q if mine else p)[k]))
            won += np.where(takes_left, coins[start], coins[stop]) * mine
            start, stop = start + takes_left, stop - ~takes_left
        return won

    return simulated("winnings with slips, played", play, float(result.erring.expected), float(result.total))


def _stretches(table: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """The tabled values, 0 for stretches without coins."""
    n = len(table)
    inside = first <= last
    return np.where(inside, table[np.minimum(first, n - 1), np.maximum(last, 0)], 0.0)


def _greedy_replies(result: Result) -> Check:
    """Greed against every possible course of replies."""

    def collected(row: tuple[Fraction, ...]) -> Fraction:
        if not row:
            return Fraction(0)
        coin, rest = (row[0], row[1:]) if row[0] >= row[-1] else (row[-1], row[:-1])
        return coin + min(collected(rest[1:]), collected(rest[:-1]))

    expected = collected(result.values)
    return same("what greed collects", "brute force", expected, result.greedy, "every course of replies to it")
