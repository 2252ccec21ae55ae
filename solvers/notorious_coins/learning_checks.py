"""The answers about an unknown rate confirmed: identities, trees of all histories, games drawn by chance."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from math import prod

import numpy as np

from site_builder.contract import Check
from solvers.common.agreeing import counted, same
from solvers.notorious_coins.confirming import floats, is_rare, perfect_aims, simulated
from solvers.notorious_coins.guess_checks import guess_checks
from solvers.notorious_coins.model import Learning, Parameters, Result
from solvers.notorious_coins.row_checks import lesson_check, rate_check, told_checks

_HISTORIES = 12  # coins of a row whose histories are all walked through

Chance = Callable[[int, int], Fraction]  # of so many hits and misses, in one order
Choice = Callable[[int, int, int, int], int]  # 0 left, 1 right, 2 half each, by first, last, hits, misses


def learning_checks(parameters: Parameters, result: Result, learning: Learning, slipping: Learning) -> Iterator[Check]:
    """Every check that applies to rows of up to 40 coins."""
    yield _meeting_points(result, learning, slipping)
    yield _mirrored(slipping)
    if result.lesson is not None:
        yield lesson_check(result, learning, result.lesson)
    for side, name in ((learning, "opponent"), (slipping, "hand")):
        rate = parameters.p if name == "opponent" else parameters.q
        yield rate_check(result, side, name, None if isinstance(rate, (str, tuple)) else Fraction(rate))
        yield from guess_checks(result, side, name)
        yield from told_checks(result, side, name)
        if result.n <= _HISTORIES:
            yield _histories(result, side, name)
        else:
            yield from _drawn_checks(result, side, name)


def _meeting_points(result: Result, learning: Learning, slipping: Learning) -> Check:
    """Where the models meet: sure hits are perfect play, and at p = 1/2 it does not matter where the opponent aims."""
    sure = tuple(grid.at(rate=1) for side in (learning, slipping) for grid in (side.known_by_rate, side.naive_by_rate))
    blind, aimless = learning.known_by_rate.at(rate=Fraction(1, 2)), result.erring.by_p_steady.at(p=Fraction(1, 2))
    expected, found = (result.best, round(aimless, 6)), (sure[0], round(float(blind), 6))
    passed = sure == (result.best,) * 4 and abs(aimless - float(blind)) <= 1e-9 * float(result.total)
    detail = "at a rate of 1 all players collect the same; at $p = 1/2$ both kinds of slipping opponent are one"
    return Check("where the models meet", "closed form", expected, found, passed, detail)


def _mirrored(slipping: Learning) -> Check:
    """Whoever knows that the hand always misses aims for the other end."""
    rates = slipping.known_by_rate.axes["rate"]
    known = [slipping.known_by_rate.at(rate=rate) for rate in rates]
    alike = sum(one == other for one, other in zip(known, known[::-1], strict=True))
    detail = "winnings at a known $q$ and at $1 - q$ are the same; exact"
    return counted("rates at which a hand is as good as its mirror image", "closed form", len(known), alike, detail)


def _histories(result: Result, learning: Learning, slipping: str) -> Check:
    """The averages over the belief and the winnings at the true rate, over all histories of hits and misses."""
    a, b = result.prior
    aims, rate = perfect_aims(result.values), learning.true_rate

    @cache
    def believed(hits: int, misses: int) -> Fraction:
        """The mean of x^hits (1 - x)^misses under the Beta belief: a ratio of rising factorials."""
        told = prod([a + i for i in range(hits)] + [b + i for i in range(misses)], start=Fraction(1))
        return told / prod((a + b + i for i in range(hits + misses)), start=Fraction(1))

    def true(hits: int, misses: int) -> Fraction:
        return rate**hits * (1 - rate) ** misses

    def naive(i: int, j: int, hits: int, misses: int) -> int:
        return int(aims[i, j])

    def learned(i: int, j: int, hits: int, misses: int) -> int:
        return int(learning.policy[(result.n - 1 - j + i) // 2][i, hits, misses])

    cases: tuple[tuple[Chance, Choice | None], ...] = (
        (believed, None),
        (believed, naive),
        (true, learned),
        (true, naive),
    )
    expected = tuple(_tree_worth(result, aims, slipping, chance, choice) for chance, choice in cases)
    found = (learning.mean_learned, learning.mean_naive, learning.learned, learning.naive)
    detail = (
        "every history of hits and misses; on average over the belief, then at the true rate; the learner, then one who"
        " expects no slips"
    )
    return same(f"learning how often the {slipping} slips", "brute force", expected, found, detail)


def _tree_worth(result: Result, aims: np.ndarray, slipping: str, chance: Chance, choice: Choice | None) -> Fraction:
    """The winnings over all histories, each with its chance; without a choice, those of the best plan."""

    def plan(i: int, j: int, hits: int, misses: int, share: Fraction) -> Fraction:
        if i > j:
            return Fraction(0)
        if choice is None:
            return max(aimed(i, j, end, hits, misses, share) for end in (0, 1))
        end = choice(i, j, hits, misses)
        ends = (0, 1) if end == 2 else (end,)
        return sum((aimed(i, j, e, hits, misses, share / len(ends)) for e in ends), Fraction(0))

    def aimed(i: int, j: int, end: int, hits: int, misses: int, share: Fraction) -> Fraction:
        if slipping == "opponent" or i == j:
            return taken(i, j, end, hits, misses, share)
        return taken(i, j, end, hits + 1, misses, share) + taken(i, j, 1 - end, hits, misses + 1, share)

    def taken(i: int, j: int, end: int, hits: int, misses: int, share: Fraction) -> Fraction:
        gain = chance(hits, misses) * share * result.values[j if end else i]
        i, j = (i, j - 1) if end else (i + 1, j)
        if i > j:
            return gain
        ways = ((i, j - 1), (i + 1, j)) if aims[i, j] == 1 else ((i + 1, j), (i, j - 1))
        if aims[i, j] == 2:
            return gain + sum(plan(*way, hits, misses, share / 2) for way in ways)
        if slipping == "opponent":
            return gain + plan(*ways[0], hits + 1, misses, share) + plan(*ways[1], hits, misses + 1, share)
        return gain + plan(*ways[0], hits, misses, share)

    return plan(0, result.n - 1, 0, 0, Fraction(1))


def _drawn_checks(result: Result, learning: Learning, slipping: str) -> Iterator[Check]:
    """Games with rates drawn from the belief, and games at the true rate."""
    a, b = map(float, result.prior)

    def believed(games: int, drawn: np.random.Generator) -> np.ndarray:
        return drawn.beta(a, b, size=games)

    def true(games: int, drawn: np.random.Generator) -> np.ndarray:
        return np.full(games, float(learning.true_rate))

    if not is_rare(result.prior[0] / sum(result.prior)):
        yield _drawn(result, learning, slipping, learning.mean_learned, believed, "on average")
    if not is_rare(learning.true_rate):
        yield _drawn(result, learning, slipping, learning.learned, true, "at the true rate")


def _drawn(
    result: Result,
    learning: Learning,
    slipping: str,
    expected: Fraction,
    rates: Callable[[int, np.random.Generator], np.ndarray],
    how: str,
) -> Check:
    """Games of the learner, each with a rate of its own."""
    coins, aims = floats(result.values), perfect_aims(result.values)

    def play(games: int, drawn: np.random.Generator) -> np.ndarray:
        rate = rates(games, drawn)
        start, stop, won = np.zeros(games, dtype=int), np.full(games, result.n - 1), np.zeros(games)
        hits, misses = np.zeros(games, dtype=int), np.zeros(games, dtype=int)
        for policy in learning.policy:
            end, hit = _settled(policy[start, hits, misses], drawn), drawn.random(games) < rate
            if slipping == "hand":
                end, telling = np.where(hit, end, 1 - end), stop > start
            won += np.where(end == 1, coins[stop], coins[start])
            start, stop = start + (end == 0), stop - (end == 1)
            aim = np.where(start <= stop, aims[np.minimum(start, result.n - 1), np.maximum(stop, 0)], 2)
            reply = _settled(aim, drawn)
            if slipping == "opponent":
                telling = aim != 2
                reply = np.where(telling & ~hit, 1 - reply, reply)
            hits, misses = hits + (hit & telling), misses + (~hit & telling)
            start, stop = start + (reply == 0), stop - (reply == 1)
        return won

    return simulated(f"learning how often the {slipping} slips, {how}", play, float(expected), float(result.total))


def _settled(end: np.ndarray, drawn: np.random.Generator) -> np.ndarray:
    """Equal ends are taken half each."""
    return np.where(end == 2, drawn.integers(0, 2, len(end)), end)
