"""The answers confirmed by other means: leads instead of totals, game trees, played games, identities, publications.

Nothing here calls the solution; the chances p_k and q_k are read by rates.py.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import lcm, prod, sqrt

import numpy as np

from site_builder.contract import Check
from solvers.notorious_coins.model import Learning, Parameters, Result
from solvers.notorious_coins.rates import chances

_TREE = 10  # coins of a game tree that is walked whole
_HISTORIES = 12  # coins of a tree of hits and misses
_GAMES = (4000, 16000)  # the second number only when the first games lie outside the bound
_RARE = Fraction(1, 50)  # slips, or hits, that are rarer than this need more games than these
_SEED = 20_260_529
_PUBLISHED: dict[tuple[Fraction | int, ...], int] = {(2, 4, 8, 10): 14, (8, 20, 3, 2): 22, (19, 19, 30, 21): 49}
_PUBLISHED_GREED: dict[tuple[Fraction | int, ...], int] = {(8, 20, 3, 2): 11, (19, 19, 30, 21): 40}


def checks(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Every check that applies to the row."""
    p = chances(parameters.p, "p", max(result.n - 1, 1))
    q = chances(parameters.q, "q", result.n)
    yield _perfect_by_leads(result)
    yield _slips_by_leads(result, p, q)
    yield _family_formula(result)
    yield from _published(result)
    if result.is_even:
        yield _parity(result)
    if result.stride == 1:
        yield _tree(result, p, q)
        if not any(_is_rare(chance) for chance in (*p, *q)):
            yield _played(result, p, q)
    if result.n <= 2 * _TREE:
        yield _greedy_replies(result)
    if result.learning and result.slipping:
        yield _meeting_points(result, result.learning, result.slipping)
        yield _mirrored(result.slipping)
        yield from _learned(result, result.learning, "opponent")
        yield from _learned(result, result.slipping, "hand")


def _is_rare(chance: Fraction) -> bool:
    return 0 < chance < _RARE or 0 < 1 - chance < _RARE


def _learned(result: Result, learning: Learning, slipping: str) -> Iterator[Check]:
    a, b = result.prior
    if result.n <= _HISTORIES:
        yield _histories(result, learning, slipping)
    elif not _is_rare(a / (a + b)):
        yield _drawn(result, learning, slipping)


def _perfect_by_leads(result: Result) -> Check:
    """d(i, j) = max(v_i - d(i+1, j), v_j - d(i, j-1)) is the mover's lead; the total is then split by it."""
    scale = lcm(*(value.denominator for value in result.values))
    coins = np.array([int(value * scale) for value in result.values], dtype=object)
    lead = coins
    for length in range(2, result.n + 1):
        lead = np.maximum(coins[: result.n - length + 1] - lead[1:], coins[length - 1 :] - lead[:-1])
    expected = (result.total + Fraction(int(lead[0]), scale)) / 2
    return _equal("worth of the row under perfect play", "another algorithm", expected, result.best, "mover's leads")


def _slips_by_leads(result: Result, p: Sequence[Fraction], q: Sequence[Fraction]) -> Check:
    """The same with slips, one move at a time: the lead of whoever moves, for both players in turn."""
    exact = result.n <= 30
    kind = (lambda x: x) if exact else float
    coins = np.array([kind(value) for value in result.values], dtype=object if exact else float)
    mine = theirs = coins  # the mover's lead when it is your move, or the opponent's
    for k in range(2, result.n + 1):
        first, last = coins[: result.n - k + 1], coins[k - 1 :]
        my_pair = first - theirs[1:], last - theirs[:-1]
        their_pair = first - mine[1:], last - mine[:-1]
        mine, theirs = _mixed(my_pair, kind(q[k])), _mixed(their_pair, kind(p[min(k, len(p) - 1)]))
    expected = (kind(result.total) + mine[0]) / 2
    close = abs(float(expected) - float(result.erring.expected)) <= 1e-9 * float(result.total)
    passed = expected == result.erring.expected if exact and result.erring.exact else close
    detail = "both players' leads, " + ("exact" if exact and result.erring.exact else "to 1e-9 of the total")
    return Check("expected winnings with slips", "another algorithm", expected, result.erring.expected, passed, detail)


def _mixed(pair: tuple[np.ndarray, np.ndarray], hit: Fraction | float) -> np.ndarray:
    mixed: np.ndarray = hit * np.maximum(*pair) + (1 - hit) * np.minimum(*pair)
    return mixed


def _family_formula(result: Result) -> Check:
    family = result.family
    expected = tuple(x for v in (family.v[1], family.v[-1]) for x in (v, 5 * v / 4 - 1))
    found = (family.greedy[1], family.best[1], family.greedy[-1], family.best[-1])
    passed = expected == found and family.claim_holds
    detail = f"greedy v and best 5v/4 - 1, shown for v = {family.v[1]} and {family.v[-1]}"
    return Check("the published family of four coins", "closed form", expected, found, passed, detail)


def _published(result: Result) -> Iterator[Check]:
    if (best := _PUBLISHED.get(result.values)) is not None:
        yield _equal("the published answer", "published value", Fraction(best), result.best, "Notorious Coins")
    if (greedy := _PUBLISHED_GREED.get(result.values)) is not None:
        yield _equal("what greed collects", "published value", Fraction(greedy), result.greedy, "Notorious Coins")


def _parity(result: Result) -> Check:
    """On an even row the first player can take all coins in odd, or all in even positions."""
    secure = max(sum(result.values[::2], Fraction(0)), sum(result.values[1::2], Fraction(0)))
    detail = "the worth is at least the larger of the coins in odd and in even positions"
    return Check("a bound by colouring", "closed form", secure, result.best, result.best >= secure, detail)


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
    passed = all(abs(float(a) - float(b)) <= 1e-9 * float(sum(row)) for a, b in zip(expected, found, strict=True))
    detail = f"every course of the game on the first {len(row)} coins: perfect play, and with slips"
    return Check("worth of a short row", "brute force", tuple(map(float, expected)), found, passed, detail)


def _played(result: Result, p: Sequence[Fraction], q: Sequence[Fraction]) -> Check:
    """Games with slips: your aim is the tabled end, the opponent's the end that leaves you the poorer stretch."""
    coins, table, ends = _floats(result.values), result.erring.table.values, result.erring.ends.values

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

    return _simulated("winnings with slips, played", play, float(result.erring.expected), float(result.total))


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
    return _equal("what greed collects", "brute force", expected, result.greedy, "every course of replies")


def _meeting_points(result: Result, learning: Learning, slipping: Learning) -> Check:
    """Where the models meet: sure hits are perfect play, and at p = 1/2 it does not matter where the opponent aims."""
    sure = tuple(grid.at(rate=1) for side in (learning, slipping) for grid in (side.known_by_rate, side.naive_by_rate))
    blind, aimless = learning.known_by_rate.at(rate=Fraction(1, 2)), result.erring.by_p_steady.at(p=Fraction(1, 2))
    expected, found = ((result.best,) * 4, round(aimless, 6)), (sure, round(float(blind), 6))
    passed = expected[0] == sure and abs(aimless - float(blind)) <= 1e-9 * float(result.total)
    detail = "at a rate of 1 all players collect the same; at p = 1/2 both kinds of slipping opponent are one"
    return Check("where the models meet", "closed form", expected, found, passed, detail)


def _mirrored(slipping: Learning) -> Check:
    """Whoever knows that the hand always misses aims for the other end."""
    rates = slipping.known_by_rate.axes["rate"]
    known = [slipping.known_by_rate.at(rate=rate) for rate in rates]
    expected, found = tuple(known[: len(known) // 2]), tuple(known[::-1][: len(known) // 2])
    detail = "winnings at a known q and at 1 - q are the same"
    return Check("a hand that always slips", "closed form", expected, found, expected == found, detail)


def _histories(result: Result, learning: Learning, slipping: str) -> Check:
    """The best plan over all histories, each weighted by its chance under the prior; no table, no belief updates."""
    a, b = result.prior
    lead = _leads(result.values)

    @cache
    def chance(hits: int, misses: int) -> Fraction:
        """The mean of x^hits (1 - x)^misses under the Beta prior: a ratio of rising factorials."""
        top = [a + i for i in range(hits)] + [b + i for i in range(misses)]
        return prod(top, start=Fraction(1)) / prod((a + b + i for i in range(hits + misses)), start=Fraction(1))

    def plan(i: int, j: int, hits: int, misses: int, halves: Fraction) -> Fraction:
        if i > j:
            return Fraction(0)
        return max(worth(i, j, end, hits, misses, halves) for end in (0, 1))

    def worth(i: int, j: int, end: int, hits: int, misses: int, halves: Fraction) -> Fraction:
        if slipping == "opponent":
            return taken(i, j, end, hits, misses, halves)
        if i == j:
            return chance(hits, misses) * halves * result.values[i]
        return taken(i, j, end, hits + 1, misses, halves) + taken(i, j, 1 - end, hits, misses + 1, halves)

    def taken(i: int, j: int, end: int, hits: int, misses: int, halves: Fraction) -> Fraction:
        gain = chance(hits, misses) * halves * result.values[j if end else i]
        i, j = (i, j - 1) if end else (i + 1, j)
        if i > j:
            return gain
        left, right = result.values[i] - lead(i + 1, j), result.values[j] - lead(i, j - 1)
        ways = ((i + 1, j), (i, j - 1)) if left > right else ((i, j - 1), (i + 1, j))
        if left == right:
            return gain + sum(plan(*way, hits, misses, halves / 2) for way in ways)
        if slipping == "opponent":
            return gain + plan(*ways[0], hits + 1, misses, halves) + plan(*ways[1], hits, misses + 1, halves)
        return gain + plan(*ways[0], hits, misses, halves)

    expected = plan(0, result.n - 1, 0, 0, Fraction(1))
    name = f"learning how often the {slipping} slips"
    return _equal(name, "brute force", expected, learning.mean_learned, "every history of hits and misses")


def _drawn(result: Result, learning: Learning, slipping: str) -> Check:
    """Games of the learner, each with a rate drawn from the prior."""
    coins, aims = _floats(result.values), _perfect_aims(result.values)
    a, b = map(float, result.prior)

    def play(games: int, drawn: np.random.Generator) -> np.ndarray:
        rate = drawn.beta(a, b, size=games)
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

    name = f"learning how often the {slipping} slips, played"
    return _simulated(name, play, float(learning.mean_learned), float(result.total))


def _settled(end: np.ndarray, drawn: np.random.Generator) -> np.ndarray:
    """Equal ends are taken half each."""
    return np.where(end == 2, drawn.integers(0, 2, len(end)), end)


def _perfect_aims(values: Sequence[Fraction]) -> np.ndarray:
    """0 left, 1 right, 2 equal for each stretch, by the mover's leads."""
    lead, n = _leads(values), len(values)
    aims = np.full((n, n), 2)
    for i in range(n):
        for j in range(i + 1, n):
            left, right = values[i] - lead(i + 1, j), values[j] - lead(i, j - 1)
            aims[i, j] = 2 if left == right else int(right > left)
    return aims


def _leads(values: Sequence[Fraction]) -> Callable[[int, int], Fraction]:
    """The mover's lead on every stretch when both play perfectly, longer stretches by recursion."""

    @cache
    def lead(i: int, j: int) -> Fraction:
        return Fraction(0) if i > j else max(values[i] - lead(i + 1, j), values[j] - lead(i, j - 1))

    return lead


def _floats(values: Sequence[Fraction]) -> np.ndarray:
    return np.array([float(value) for value in values])


def _simulated(
    name: str, play: Callable[[int, np.random.Generator], np.ndarray], expected: float, total: float
) -> Check:
    """Whether the mean of the games lies within four standard errors of what is expected.

    One honest sample in 16,000 does not, so that a second, larger one decides before anything is called wrong.
    """
    for games in _GAMES:
        won = play(games, np.random.default_rng(_SEED + games))
        mean, error = float(won.mean()), float(won.std(ddof=1)) / sqrt(games)
        passed = abs(mean - expected) <= 4 * error + 1e-9 * total
        if passed:
            break
    detail = f"{games} games, to four standard errors of {error:.4f}"
    return Check(name, "simulation", round(expected, 4), round(mean, 4), passed, detail)


def _equal(name: str, method: str, expected: Fraction, found: Fraction, detail: str) -> Check:
    return Check(name, method, expected, found, expected == found, detail)
