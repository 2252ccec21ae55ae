"""The totals, the losing states and the Sprague-Grundy values confirmed by methods that share no code with `solve`."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import isqrt

import numpy as np

from site_builder.contract import Check
from solvers.wythoff.move_checks import BRUTE_PILE, PROBES, SEED, WRITEUP, move_checks, probes
from solvers.wythoff.rule import losing_in_both_orders, losing_pairs, states_after, wins
from solvers.wythoff.solution import Parameters, Result

NIM_PILE = 4
PUBLISHED_WINNING_TOTALS = (20, 22, 23, 25, 26, 27, 28, 30)
PUBLISHED_LOSING_STATES = (
    (0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13), (9, 15), (11, 18), (12, 20), (14, 23),
    (16, 26), (17, 28), (19, 31), (21, 34), (22, 36), (24, 39), (25, 41), (27, 44), (29, 47), (30, 49),
)  # fmt: skip


def checks(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Confirmations of all answers, and the published totals when the parameters are the published ones."""
    if (parameters.total_min, parameters.total_max) == (20, 30):
        yield Check(
            "winning totals",
            "published value",
            PUBLISHED_WINNING_TOTALS,
            result.winning_totals,
            of="winning_totals",
            detail=WRITEUP,
        )
    yield from _totals(parameters, result)
    yield from _counts(parameters, result)
    yield from _losing_states(parameters, result)
    yield from _golden_ratio(parameters, result)
    yield from _far_state(result)
    yield from _fibonacci(parameters, result)
    yield from _grundy(result)
    yield from move_checks(result)


def _shifted(number: int, places: int) -> int:
    """The sum of the number's Fibonacci parts, each replaced by the Fibonacci number one or two places up."""
    fibonacci = [1, 2, 3]
    while fibonacci[-1 - places] <= number:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    total = 0
    for place in reversed(range(len(fibonacci) - places)):
        if fibonacci[place] <= number:
            number -= fibonacci[place]
            total += fibonacci[place + places]
    return total


def _totals(parameters: Parameters, result: Result) -> Iterator[Check]:
    """The k-th losing total is a_k with its Fibonacci parts two places up; a_k is k - 1 one place up, and one more."""
    totals = range(parameters.total_min, parameters.total_max + 1)
    lows = [_shifted(k - 1, 1) + 1 for k in range(1, totals.stop)]
    splits = [(low, _shifted(low, 2) - low) for low in lows if _shifted(low, 2) in totals]
    losing = [sum(split) for split in splits]
    how = "the whole numbers from 1 on with their Fibonacci parts shifted"
    yield Check("losing totals", "another algorithm", losing, result.losing_totals, of="losing_totals", detail=how)
    yield Check(
        "the divisions that lose", "another algorithm", splits, result.losing_splits, of="losing_splits", detail=how
    )
    others = [t for t in totals if t not in losing]
    yield Check(
        "all other totals win", "another algorithm", others, result.winning_totals, of="winning_totals", detail=how
    )


def _counts(parameters: Parameters, result: Result) -> Iterator[Check]:
    """All totals to T have floor(T^2 / 4) divisions; of the states of up to T pennies only (0, T) cannot occur.

    No division of T has an empty pile, and no move adds a penny.
    """
    divisions = parameters.total_max**2 // 4 - (parameters.total_min - 1) ** 2 // 4
    how = r"all totals to $T$ together have $\lfloor T^2 / 4 \rfloor$ divisions; the difference at both ends"
    yield Check("divisions", "closed form", divisions, result.n_divisions, of="n_divisions", detail=how)
    states = (parameters.total_max + 2) ** 2 // 4 - 1
    how = r"$\lfloor (T + 2)^2 / 4 \rfloor$ states have up to $T$ pennies; all of them can occur but $(0, T)$"
    yield Check("states that can occur", "closed form", states, result.n_states, of="n_states", detail=how)


def _losing_states(parameters: Parameters, result: Result) -> Iterator[Check]:
    published = tuple(state for state in PUBLISHED_LOSING_STATES if state[1] <= parameters.max_pile)
    found = result.losing_states[: len(published)]
    yield Check("losing states", "published value", published, found, of=f"losing_states[{len(found)}]", detail=WRITEUP)
    size = min(BRUTE_PILE, result.map_size)
    pairs = [(a, b) for a in range(size + 1) for b in range(a, size + 1)]
    right = [
        (result.value.at(a=a, b=b) == (1 if wins(a, b) else -1)) and ((a, b) in result.losing_states) != wins(a, b)
        for a, b in pairs
    ]
    how = f"every line of play from every state with piles to {size}"
    yield Check(
        "winning and losing states",
        "brute force",
        len(pairs),
        sum(right),
        of=f"value[{len(pairs)}], losing_states",
        detail=how,
    )
    expected = losing_pairs(parameters.max_pile)
    how = f"each the smallest unused number beside one that is further away by one more; piles to {parameters.max_pile}"
    yield Check(
        "all losing states", "another algorithm", expected, result.losing_states, of="losing_states", detail=how
    )
    small = tuple((a, b) for a in range(9) for b in range(a, 9) if not wins(a, b))
    how = "every line of play from every state with piles to 8"
    of = "small_losing_states"
    yield Check("the smallest losing states", "brute force", small, result.small_losing_states, of=of, detail=how)
    name, of = "what the moves from (1, 2) leave", "first_trap_leaves"
    yield Check(name, "brute force", tuple(states_after(1, 2)), result.first_trap_leaves, of=of, detail="every move")
    largest, how = len(result.value.axes["a"]) - 1, "piles of the map of winners, counted from 0"
    yield Check("the largest pile of the maps", "by hand", largest, result.map_size, of="map_size", detail=how)


def _golden_ratio(parameters: Parameters, result: Result) -> Iterator[Check]:
    """a < k phi < a + 1 by the equation of the golden ratio: x^2 - k x - k^2 changes its sign at x = k phi."""
    states = {**dict(enumerate(result.losing_states)), result.far_index: result.far_state}
    right = sum(
        b - a == k and a * a - a * k - k * k <= 0 < (a + 1) ** 2 - (a + 1) * k - k * k for k, (a, b) in states.items()
    )
    how = r"losing states $(a, a + k)$ with $a < k \varphi < a + 1$, because $x^2 - kx - k^2$ changes its sign there"
    yield Check("the golden ratio", "closed form", len(states), right, of="losing_states, far_state", detail=how)
    pairs = losing_pairs(parameters.max_pile)
    expected = (len(pairs), Fraction(pairs[-1][1], pairs[-1][0]), True)
    found = (result.n_closed_form, result.ratio, result.closed_form_agrees)
    how = "states in the table, larger pile over smaller pile in the last, and what comes of the golden ratio"
    yield Check(
        "the table of losing states",
        "another algorithm",
        expected,
        found,
        of="n_closed_form, ratio, closed_form_agrees",
        detail=how,
    )


def _far_state(result: Result) -> Iterator[Check]:
    """The state with a far index, in exact numbers and in floats.

    Of the numbers 1 to a_k exactly k are smaller piles, so a_k - k are larger ones: b_j < a_k < b_(j+1), j = a_k - k.
    """
    k, (a, b) = result.far_index, result.far_state
    low = _shifted(k - 1, 1) + 1
    how = f"$k = {k}$, by Fibonacci parts shifted one place"
    yield Check("a far losing state", "another algorithm", (low, _shifted(low, 1)), (a, b), of="far_state", detail=how)
    below, above = (_shifted(_shifted(j - 1, 1) + 1, 1) for j in (a - k, a - k + 1))
    name, how = "every number lies in one sequence", f"$k = {k}$: $b_j < a_k < b_{{j+1}}$ with $j = a_k - k$"
    yield Check(name, "closed form", (True, k), (below < a < above, b - a), of="far_state, far_index", detail=how)
    nearest = Fraction((isqrt(5 << 106) + (1 << 53) + 1) // 2, 1 << 53)  # phi to 53 bits behind the point
    rounded = int(float(Fraction(float(nearest)) * k))
    how = "the double nearest to the golden ratio, multiplied exactly and rounded to a double"
    yield Check(
        "its smaller pile in floats", "another algorithm", rounded, result.far_float, of="far_float", detail=how
    )


def _fibonacci_sums(most: int) -> dict[int, tuple[int, ...]]:
    """Every sum, to `most`, of different Fibonacci numbers no two of which are neighbours: sum -> parts, largest first.

    All sums are written down; no two are the same number.
    """
    sums: dict[int, tuple[int, ...]] = {0: ()}
    previous, number = 1, 1
    while number <= most:
        sums |= {total + number: (number, *parts) for total, parts in sums.items() if max(parts, default=0) < previous}
        previous, number = number, previous + number
    return {total: parts for total, parts in sorted(sums.items()) if 0 < total <= most}


def _fibonacci(parameters: Parameters, result: Result) -> Iterator[Check]:
    """A total loses when its smallest Fibonacci part is 3, 8, 21, 55, ...: every second Fibonacci number."""
    most = max(parameters.max_pile, parameters.total_max)
    sums = _fibonacci_sums(most)
    totals = range(parameters.total_min, parameters.total_max + 1)
    right = sum(sums[t] == parts for t, parts in zip(totals, result.fibonacci_parts, strict=False))
    right -= abs(len(totals) - len(result.fibonacci_parts))
    how = "every sum of Fibonacci numbers, no two of them neighbours, written down once"
    yield Check(
        "totals as sums of Fibonacci numbers", "brute force", len(totals), right, of="fibonacci_parts", detail=how
    )
    losing = {sum(pair) for pair in losing_pairs(most)}
    every_second = [total for total, parts in sums.items() if len(parts) == 1][2::2]
    right = sum((parts[-1] in every_second) == (total in losing) for total, parts in sums.items())
    found = (result.fibonacci_rule_holds, result.fibonacci_limit)
    name = "the smallest Fibonacci part tells losing totals, to"
    how = "every total as the one sum of Fibonacci numbers that are not neighbours; 3, 8, 21, 55, ..."
    of = "fibonacci_rule_holds, fibonacci_limit"
    yield Check(name, "brute force", (right == most, most), found, of=of, detail=how)
    alone = tuple(total for total, parts in sums.items() if len(parts) == 1 and total in losing)
    how = f"totals to {most} from the table of losing states that are Fibonacci numbers themselves"
    yield Check(
        "Fibonacci numbers that lose",
        "another algorithm",
        alone,
        result.losing_fibonacci,
        of="losing_fibonacci",
        detail=how,
    )


@cache
def _wins_beside_nim(a: int, b: int, heap: int) -> bool:
    """Whether the player to move wins the two piles and a Nim heap, played side by side, by every line of play."""
    moved = any(not _wins_beside_nim(*state, heap) for state in states_after(a, b))
    return moved or any(not _wins_beside_nim(a, b, h) for h in range(heap))


def _grundy(result: Result) -> Iterator[Check]:
    """A value is missing among the values one move away, and no smaller one is; it is 0 where the state loses.

    It is also the size of the one Nim heap beside which the state loses.
    """
    values = result.grundy.values
    size = len(values) - 1
    right = 0
    for a, b in probes(size):
        options = {int(values[state]) for state in states_after(a, b)}
        right += values[a, b] not in options and all(g in options for g in range(values[a, b]))
    right += {(int(a), int(b)) for a, b in np.argwhere(values == 0)} == losing_in_both_orders(size)
    every = min(size, BRUTE_PILE)
    how = f"the smallest number missing among the options: piles to {every}, {PROBES} more (seed {SEED}); all zeros"
    yield Check("Sprague-Grundy values", "brute force", len(probes(size)) + 1, right, of="grundy", detail=how)
    pairs = [(a, b) for a in range(NIM_PILE + 1) for b in range(a, NIM_PILE + 1)]
    heaps = tuple(next(h for h in range(3 * NIM_PILE) if not _wins_beside_nim(a, b, h)) for a, b in pairs)
    beside = tuple(int(result.grundy.at(a=a, b=b)) for a, b in pairs)
    how = f"every line of play of both games together, piles $a \\le b \\le {NIM_PILE}$"
    yield Check(
        "the Nim heap that makes a state lose", "brute force", heaps, beside, of=f"grundy[{len(pairs)}]", detail=how
    )
    tops = [max(line.tolist()) for line in values]
    row, most = tops.index(max(tops)), max(tops)
    largest = (most, row, values[row].tolist().index(most))
    found = (result.grundy_largest, *result.grundy_largest_at)
    how = f"all {values.size:,} values of the map, one by one"
    yield Check(
        "the largest Sprague-Grundy value, and where",
        "brute force",
        largest,
        found,
        of="grundy_largest, grundy_largest_at",
        detail=how,
    )
