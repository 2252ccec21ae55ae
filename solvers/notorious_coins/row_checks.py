"""Every stretch of the row, what follows from them, and the learner's game, confirmed without the solution."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from site_builder.contract import Check
from solvers.common.agreeing import counted, same
from solvers.notorious_coins.confirming import perfect_aims, perfect_leads
from solvers.notorious_coins.model import Exchange, Learning, Result

LONGEST = 60  # coins of a row whose stretches are all confirmed
EXACT = 30  # coins of a row whose stretches are confirmed in fractions
_ENDS = ("left", "right", "either")
_NAMES = {"left": 0, "right": 1}


def row_checks(result: Result, p: Sequence[Fraction], q: Sequence[Fraction]) -> Iterator[Check]:
    """Every stretch of rows that are not too long; what the row adds up to."""
    yield from _sums(result)
    if result.n <= LONGEST:
        yield _perfect_stretches(result)
        yield from _slipping_stretches(result, p, q)


def _sums(result: Result) -> Iterator[Check]:
    values, best = result.values, result.best
    total = sum(values, Fraction(0))
    odd = sum((value for place, value in enumerate(values, 1) if place % 2), Fraction(0))
    expected = (total, total - best, best - (total - best), best / total)
    found = (result.total, result.opponent, result.lead, result.share)
    how = "the coins added up, the rest of them, the difference, the quotient"
    yield same("all coins, the opponent's, your lead, your share", "closed form", expected, found, how)
    sides = (odd, total - odd, max(odd, total - odd))
    how = "added up coin by coin; the larger of the two"
    told = (result.odd_coins, result.even_coins, result.secure)
    yield same("coins in odd and in even positions", "closed form", sides, told, how)
    stretches = sum(1 for first in range(result.n) for last in range(first, result.n))
    yield same("stretches of the row", "brute force", stretches, result.entries, "every first and last coin")
    how = r"a row has two different ones of the $n + 1$ gaps beside coins as its ends: $\binom{n + 1}{2}$, and no coin"
    yield same("states that can occur", "closed form", comb(result.n + 1, 2) + 1, result.n_states, how)
    larger = "only" if result.n == 1 else "left" if values[0] >= values[-1] else "right"
    how = "the larger of the two ends, the left one of equals"
    yield same("the first coin of greed", "closed form", larger, result.greedy_first, how)


def _perfect_stretches(result: Result) -> Check:
    """The worth and the better end of every stretch, by leads; the total is split by the lead."""
    lead, aims, right = perfect_leads(result.values), perfect_aims(result.values), 0
    sums = [Fraction(0)]
    for value in result.values:
        sums.append(sums[-1] + value)
    for i in range(result.n):
        for j in range(result.n):
            worth, end = result.best_table.at(first=i + 1, last=j + 1), result.best_ends.at(first=i + 1, last=j + 1)
            if j < i:
                right += worth == 0 and end == -1
            else:
                expected = (sums[j + 1] - sums[i] + lead(i, j)) / 2
                right += abs(float(worth) - float(expected)) <= 1e-12 * float(result.total) and end == aims[i, j]
    right -= result.first_move != ("only" if result.n == 1 else _ENDS[aims[0, -1]])
    how = "the mover's lead on every stretch, and the end that it asks for"
    return counted("cells of the table of perfect play", "another algorithm", result.n**2, right, how)


def _slipping_stretches(result: Result, p: Sequence[Fraction], q: Sequence[Fraction]) -> Iterator[Check]:
    """The expected winnings and the better end of every stretch with slips, by the leads of both players.

    In fractions where the solution is exact and the row short; in floats nobody can tell which of two close ends wins.
    """
    n, erring, slack = result.n, result.erring, 1e-9 * float(result.total)
    exact = erring.exact and n <= EXACT
    number: Callable[[Fraction], Any] = Fraction if exact else float
    coins, aims = [number(value) for value in result.values], perfect_aims(result.values)
    mine = {(i, i): coins[i] for i in range(n)}
    theirs = dict(mine)  # the lead of whoever moves, when that is you and when it is the opponent
    right = changed = best = 0
    unsure = False
    for k in range(2, n + 1):
        for i in range(n - k + 1):
            j = i + k - 1
            left, last = coins[i] - theirs[i + 1, j], coins[j] - theirs[i, j - 1]
            other = coins[i] - mine[i + 1, j], coins[j] - mine[i, j - 1]
            hit, my_hit = number(p[min(k, len(p) - 1)]), number(q[k])
            mine[i, j] = my_hit * max(left, last) + (1 - my_hit) * min(left, last)
            theirs[i, j] = hit * max(other) + (1 - hit) * min(other)
            worth = float(sum(coins[i : j + 1]) + mine[i, j]) / 2
            best = 2 if left == last else int(last > left)
            close = not exact and abs(left - last) < slack
            unsure |= close
            good = close or erring.ends.at(first=i + 1, last=j + 1) == best
            right += good and abs(worth - erring.table.at(first=i + 1, last=j + 1)) <= slack
            changed += {best, int(aims[i, j])} == {0, 1}
    cells = n * (n - 1) // 2
    how = "the leads of both players on every stretch of two coins or more; agreement within $10^{-9}$ of the total"
    yield counted("stretches with slips", "another algorithm", cells, right, how)
    if not unsure:
        first = "only" if n == 1 else _ENDS[best]
        told = (erring.decisions, erring.changed, erring.first_move)
        how = "the same leads: choices in all, those in which slips ask for another end, the end to take first"
        yield same("where slips change the best end", "another algorithm", (cells, changed, first), told, how)


def curve_check(result: Result, q: Sequence[Fraction], winnings: Callable[..., float]) -> Check:
    """Every point of both curves and of the square. winnings: with constant p and a chance q for each k."""
    erring, right, points = result.erring, 0, 0
    slack, many = 1e-9 * float(result.total), result.n + 1
    for rate in erring.by_p.axes["p"]:
        right += abs(erring.by_p.at(p=rate) - winnings(rate, q)) <= slack
        right += abs(erring.by_p_steady.at(p=rate) - winnings(rate, [Fraction(1)] * many)) <= slack
        points += 2
    for rate in erring.square.axes["p"]:
        for own in erring.square.axes["q"]:
            right += abs(erring.square.at(p=rate, q=own) - winnings(rate, [own] * many)) <= slack
            points += 1
    how = "both players' leads at each pair of constant chances, to 1e-9 of the total"
    return counted("points of the curves and of the square", "another algorithm", points, right, how)


def told_checks(result: Result, side: Learning, slipping: str) -> Iterator[Check]:
    """What is said about the learner beside the winnings: gains along the rate, and where perfect play is left."""
    rates = side.learned_by_rate.axes["rate"]
    gains = {rate: side.learned_by_rate.at(rate=rate) - side.naive_by_rate.at(rate=rate) for rate in rates}
    largest = max(gains.values())
    expected = (largest, min(rate for rate in rates if gains[rate] == largest))
    how = "the curves subtracted, point by point"
    name = f"the most that learning gains, and where: the {slipping} slips"
    yield same(name, "closed form", expected, (side.largest_gain, side.gain_rate), how)
    ahead = sum(gain > 0 for gain in gains.values()), sum(gain < 0 for gain in gains.values())
    in_order = all(gains[rate] > 0 for rate in side.learned_ahead) and all(gains[r] < 0 for r in side.naive_ahead)
    found = (len(side.learned_ahead), len(side.naive_ahead)) if in_order else "others"
    name = f"rates at which the learner is ahead, and behind: the {slipping} slips"
    yield same(name, "closed form", ahead, found, how)
    aims, states, changed = perfect_aims(result.values), 0, 0
    for t, choice in enumerate(side.policy):
        for i in range(2 * t + 1):
            aim = aims[i, result.n - 1 - 2 * t + i]
            ends = [int(choice[i, h, m]) for h in range(t + 1) for m in range(t + 1 - h)]
            states += len(ends)
            changed += sum(end != 2 and aim != 2 and end != aim for end in ends)
    name = f"states of the learner, and those that leave perfect play: the {slipping} slips"
    how = "every stretch with every number of hits and misses, one by one"
    yield same(name, "brute force", (states, int(changed)), (side.states, side.changed), how)


def rate_check(result: Result, side: Learning, slipping: str, constant: Fraction | None) -> Check:
    """The guess is the mean of the belief, and the true rate the constant chance where there is one."""
    a, b = result.prior
    guess = a / (a + b)
    expected = (guess, guess if constant is None else constant)
    name = f"the guess and the true rate: the {slipping} slips"
    how = "the mean $a / (a + b)$ of the belief; the chance in the parameters, or else the guess"
    return same(name, "closed form", expected, (side.guess, side.true_rate), how)


def lesson_check(result: Result, learning: Learning, lesson: Sequence[Exchange]) -> Check:
    """The learner's game on the row: ends that the policy allows, coins that lie there, verdicts, belief, totals."""
    row, first, right = list(result.values), 0, 0
    aims, mine, theirs, hits, misses = perfect_aims(result.values), Fraction(0), Fraction(0), 0, 0
    a, b = result.prior
    for t, turn in enumerate(lesson):
        good = turn.number == t + 1 and turn.coins_left == len(row)
        choice = int(learning.policy[t][first, hits, misses])
        good &= turn.my_end == ("only" if len(row) == 1 else turn.my_end) and _allowed(turn.my_end, choice)
        first += turn.my_end == "left"
        mine += (coin := row.pop(-1 if turn.my_end == "right" else 0))
        good &= coin == turn.my_coin
        if row:
            aim, end = int(aims[first, first + len(row) - 1]), turn.their_end
            verdict = "nothing" if aim == 2 else "hit" if _NAMES.get(end, 0) == aim else "miss"
            first += end == "left"
            theirs += (coin := row.pop(-1 if end == "right" else 0))
            good &= coin == turn.their_coin and verdict == turn.verdict
            hits, misses = hits + (verdict == "hit"), misses + (verdict == "miss")
        good &= (turn.my_total, turn.their_total) == (mine, theirs)
        right += good and turn.belief == (a + hits) / (a + b + hits + misses)
    how = "replayed on the row: allowed ends, coins, hits and misses, belief and totals; none is left"
    return counted("rounds of the learner's game", "brute force", len(lesson), right - len(row), how)


def _allowed(end: str, choice: int) -> bool:
    return end == "only" or choice == 2 or _NAMES[end] == choice
