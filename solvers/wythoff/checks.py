"""The answers confirmed by methods that share no code with the solution.

The methods stand in `brute`; here and in `game_checks` their answers are held against the results.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import isqrt
from random import Random

from site_builder.contract import Check
from solvers.common.agreeing import counted, listed, same
from solvers.wythoff.brute import (
    by_exclusion,
    fibonacci_sums,
    reached,
    shifted,
    wins,
    wins_beside_nim,
)
from solvers.wythoff.game_checks import game_checks
from solvers.wythoff.solution import Parameters, Result

BRUTE_PILE = 21  # every state with piles to this is played through by brute force
NIM_PILE = 4
PROBES = 200
SEED = 20
WRITEUP = "FiveThirtyEight Riddler Classic, writeup dated 2020-01-24"
PUBLISHED_WINNING_TOTALS = (20, 22, 23, 25, 26, 27, 28, 30)
PUBLISHED_LOSING_STATES = (
    (0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13), (9, 15), (11, 18), (12, 20), (14, 23),
    (16, 26), (17, 28), (19, 31), (21, 34), (22, 36), (24, 39), (25, 41), (27, 44), (29, 47), (30, 49),
)  # fmt: skip


def checks(parameters: Parameters, result: Result) -> Iterable[Check]:
    """Confirmations of all answers, and the published totals when the parameters are the published ones."""
    if (parameters.total_min, parameters.total_max) == (20, 30):
        yield same("winning totals", "published value", PUBLISHED_WINNING_TOTALS, result.winning_totals, WRITEUP)
    yield from _totals_by_shifting(parameters, result)
    yield _divisions(parameters, result)
    yield _states(parameters, result)
    yield _published_states(parameters, result)
    yield _states_by_play(result)
    yield _states_by_exclusion(parameters, result)
    yield _small_states(result)
    yield _states_by_inequality(result)
    yield _golden_table(parameters, result)
    yield _far_state(result)
    yield _far_complement(result)
    yield _far_float(result)
    yield _fibonacci_sums(parameters, result)
    yield from _fibonacci_rule(parameters, result)
    yield _grundy_definition(result)
    yield _grundy_beside_nim(result)
    yield _grundy_largest(result)
    yield from game_checks(result)


def _states_by_play(result: Result) -> Check:
    size = min(BRUTE_PILE, result.map_size)
    pairs = [(a, b) for a in range(size + 1) for b in range(a, size + 1)]
    right = [
        (result.value.at(a=a, b=b) == (1 if wins(a, b) else -1)) and ((a, b) in result.losing_states) != wins(a, b)
        for a, b in pairs
    ]
    how = f"every line of play from every state with piles to {size}"
    return counted("winning and losing states", "brute force", len(pairs), sum(right), how)


def _states_by_exclusion(parameters: Parameters, result: Result) -> Check:
    """The losing states one after another: the smallest unused pile, beside one that differs by one more each time."""
    beside = by_exclusion(parameters.max_pile)
    expected = tuple((a, b) for a, b in sorted(beside.items()) if a <= b)
    how = f"each the smallest unused number beside one that is further away by one more; piles to {parameters.max_pile}"
    return listed("all losing states", "another algorithm", expected, result.losing_states, how)


def _small_states(result: Result) -> Check:
    expected = tuple((a, b) for a in range(9) for b in range(a, 9) if not wins(a, b))
    how = "every line of play from every state with piles to 8"
    return same("the smallest losing states", "brute force", expected, result.small_losing_states, how)


def _states_by_inequality(result: Result) -> Check:
    """a < k phi < a + 1 by the equation of the golden ratio: x^2 - k x - k^2 changes its sign at x = k phi."""
    states = {**dict(enumerate(result.losing_states)), result.far_index: result.far_state}
    right = sum(
        b - a == k and a * a - a * k - k * k <= 0 < (a + 1) ** 2 - (a + 1) * k - k * k for k, (a, b) in states.items()
    )
    how = r"losing states $(a, a + k)$ with $a < k \varphi < a + 1$, because $x^2 - kx - k^2$ changes its sign there"
    return counted("the golden ratio", "closed form", len(states), right, how)


def _golden_table(parameters: Parameters, result: Result) -> Check:
    """How far the table was compared with the golden ratio, and how near to it the last pair comes."""
    last = max((b, a) for a, b in by_exclusion(parameters.max_pile).items() if a <= b)
    states = len(by_exclusion(parameters.max_pile)) // 2 + 1  # (0, 0) has one pile, every other state has two
    found = (result.n_closed_form, result.ratio, "agrees" if result.closed_form_agrees else "disagrees")
    how = "states in the table, larger pile over smaller pile in the last, and what comes of the golden ratio"
    return same("the table of losing states", "another algorithm", (states, Fraction(*last), "agrees"), found, how)


def _totals_by_shifting(parameters: Parameters, result: Result) -> Iterator[Check]:
    """The k-th losing total is a_k with its Fibonacci parts two places up; a_k is k - 1 one place up, and one more."""
    expected, splits = [], []
    k = total = 1
    while total <= parameters.total_max:
        low = shifted(k - 1, 1) + 1
        total = shifted(low, 2)
        if parameters.total_min <= total <= parameters.total_max:
            expected.append(total)
            splits.append((low, total - low))
        k += 1
    how = "the whole numbers from 1 on with their Fibonacci parts shifted"
    yield listed("losing totals", "another algorithm", expected, result.losing_totals, how)
    yield listed("the divisions that lose", "another algorithm", splits, result.losing_splits, how)
    others = [t for t in range(parameters.total_min, parameters.total_max + 1) if t not in expected]
    yield listed("all other totals win", "another algorithm", others, result.winning_totals, how)


def _divisions(parameters: Parameters, result: Result) -> Check:
    """All totals to T have floor(T^2 / 4) divisions into two piles, none of them empty."""
    expected = parameters.total_max**2 // 4 - (parameters.total_min - 1) ** 2 // 4
    how = r"all totals to $T$ together have $\lfloor T^2 / 4 \rfloor$ divisions; the difference at both ends"
    return same("divisions", "closed form", expected, result.n_divisions, how)


def _states(parameters: Parameters, result: Result) -> Check:
    """All states of up to T pennies but (0, T): no division of T has an empty pile, and no move adds a penny."""
    expected = (parameters.total_max + 2) ** 2 // 4 - 1
    how = r"$\lfloor (T + 2)^2 / 4 \rfloor$ states have up to $T$ pennies; all of them can occur but $(0, T)$"
    return same("states that can occur", "closed form", expected, result.n_states, how)


def _far_state(result: Result) -> Check:
    low = shifted(result.far_index - 1, 1) + 1
    how = f"$k = {result.far_index}$, by Fibonacci parts shifted one place"
    return same("a far losing state", "another algorithm", (low, shifted(low, 1)), result.far_state, how)


def _far_complement(result: Result) -> Check:
    """Of the numbers 1 to a_k exactly k are smaller piles, so a_k - k are larger ones: b_j < a_k < b_(j+1)."""
    a, b = result.far_state
    j = a - result.far_index
    around = [shifted(shifted(i - 1, 1) + 1, 1) for i in (j, j + 1)]
    return Check(
        "every number lies in one sequence",
        "closed form",
        f"between {around[0]} and {around[1]}",
        str(a),
        around[0] < a < around[1] and b - a == result.far_index,
        f"$k = {result.far_index}$: $b_j < a_k < b_{{j+1}}$ with $j = a_k - k$",
    )


def _far_float(result: Result) -> Check:
    """The double nearest to the golden ratio in whole numbers, times k, rounded once more as floats are."""
    nearest = Fraction((isqrt(5 << 106) + (1 << 53) + 1) // 2, 1 << 53)  # phi to 53 bits behind the point
    product = Fraction(float(nearest)) * result.far_index
    how = "the double nearest to the golden ratio, multiplied exactly and rounded to a double"
    return same("its smaller pile in floats", "another algorithm", int(float(product)), result.far_float, how)


def _fibonacci_sums(parameters: Parameters, result: Result) -> Check:
    sums = fibonacci_sums(parameters.total_max)
    totals = range(parameters.total_min, parameters.total_max + 1)
    right = sum(sums[t] == parts for t, parts in zip(totals, result.fibonacci_parts, strict=False))
    right -= abs(len(totals) - len(result.fibonacci_parts))
    how = "every sum of Fibonacci numbers, no two of them neighbours, written down once"
    return counted("totals as sums of Fibonacci numbers", "brute force", len(totals), right, how)


def _fibonacci_rule(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Every second Fibonacci number from 3 on as the smallest part makes a losing total."""
    most = max(parameters.max_pile, parameters.total_max)
    losing = {a + b for a, b in by_exclusion(2 * most).items()} - {0}
    sums = fibonacci_sums(most)
    every_second = [3, 8]
    while every_second[-1] < most:
        every_second.append(3 * every_second[-1] - every_second[-2])
    right = sum((parts[-1] in every_second) == (total in losing) for total, parts in sums.items())
    holds = "holds" if result.fibonacci_rule_holds and result.fibonacci_limit == most else "fails"
    how = f"totals to {most}, each as the one sum of Fibonacci numbers that are not neighbours; 3, 8, 21, 55, ..."
    rule = "holds" if right == most else "fails"
    yield same("the smallest Fibonacci part tells losing totals", "brute force", rule, holds, how)
    alone = tuple(total for total in sorted(sums) if len(sums[total]) == 1 and total in losing)
    how = f"totals to {most} from the table of losing states that are Fibonacci numbers themselves"
    yield same("Fibonacci numbers that lose", "another algorithm", alone, result.losing_fibonacci, how)


def _published_states(parameters: Parameters, result: Result) -> Check:
    """As many of the published losing states as the table holds."""
    expected = tuple(state for state in PUBLISHED_LOSING_STATES if state[1] <= parameters.max_pile)
    return listed("losing states", "published value", expected, result.losing_states[: len(expected)], WRITEUP)


def _grundy_definition(result: Result) -> Check:
    """Each probed value is missing among its options' values, and no smaller one is; zeros are the losing states."""
    size, values = result.map_size, result.grundy.values.tolist()
    chance = Random(SEED)
    every = min(size, BRUTE_PILE)
    pairs = [(a, b) for a in range(every + 1) for b in range(every + 1)]
    pairs += [(chance.randint(0, size), chance.randint(0, size)) for _ in range(PROBES)]
    right = 0
    for a, b in pairs:
        options = {values[c][d] for c, d in reached(a, b)}
        right += values[a][b] not in options and all(g in options for g in range(values[a][b]))
    zeros = {(a, b) for a, row in enumerate(values) for b, g in enumerate(row) if g == 0}
    right += zeros == set(by_exclusion(size).items())
    how = f"the smallest number missing among the options: piles to {every}, {PROBES} more (seed {SEED}); all zeros"
    return counted("Sprague-Grundy values", "brute force", len(pairs) + 1, right, how)


def _grundy_beside_nim(result: Result) -> Check:
    """The one Nim heap beside which a state loses is its Sprague-Grundy value."""
    pairs = [(a, b) for a in range(NIM_PILE + 1) for b in range(a, NIM_PILE + 1)]
    heaps = tuple(next(h for h in range(3 * NIM_PILE) if not wins_beside_nim(a, b, h)) for a, b in pairs)
    found = tuple(int(result.grundy.at(a=a, b=b)) for a, b in pairs)
    how = f"every line of play of both games together, piles $a \\le b \\le {NIM_PILE}$"
    return same("the Nim heap that makes a state lose", "brute force", heaps, found, how)


def _grundy_largest(result: Result) -> Check:
    cells = [(g, a, b) for a, row in enumerate(result.grundy.values.tolist()) for b, g in enumerate(row)]
    largest = max(g for g, _, _ in cells)
    a, b = next((a, b) for g, a, b in cells if g == largest)
    how = f"all {len(cells):,} values of the map, one by one"
    found = (result.grundy_largest, *result.grundy_largest_at)
    return same("the largest Sprague-Grundy value, and where", "brute force", (largest, a, b), found, how)
