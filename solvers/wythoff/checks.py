"""The answers confirmed by methods that share no code with the solution.

The methods stand in `brute`; here their answers are held against the results.
"""

from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev

from site_builder.contract import Check
from solvers.wythoff.brute import (
    Pair,
    by_exclusion,
    largest_wins,
    longest,
    mean_length,
    ranks_in_reach,
    reached,
    shifted,
    wins,
    wins_beside_nim,
)
from solvers.wythoff.solution import Parameters, Result

BRUTE_PILE = 21  # every state with piles to this is played through by brute force
LENGTH_PILE = 13
NIM_PILE = 4
LISTED = 12
PROBES = 200
GAMES = 1500
SEED = 20
PUBLISHED_WINNING_TOTALS = (20, 22, 23, 25, 26, 27, 28, 30)
PUBLISHED_LOSING_STATES = (
    (0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13), (9, 15), (11, 18), (12, 20), (14, 23),
    (16, 26), (17, 28), (19, 31), (21, 34), (22, 36), (24, 39), (25, 41), (27, 44), (29, 47), (30, 49),
)  # fmt: skip
PUBLISHED_BEST_MOVES = {(75, 90): (51, 51), (8, 14): (0, 1), (9, 10): (8, 8)}


def checks(parameters: Parameters, result: Result) -> Iterable[Check]:
    """Confirmations of all answers, and the published totals when the parameters are the published ones."""
    yield _totals_by_shifting(parameters, result)
    if (parameters.total_min, parameters.total_max) == (20, 30):
        yield _compare(
            "winning totals",
            "published value",
            PUBLISHED_WINNING_TOTALS,
            result.winning_totals,
            "FiveThirtyEight Riddler Classic, writeup dated 2020-01-24",
        )
    yield _divisions(parameters, result)
    yield _published_states(parameters, result)
    yield _published_moves(result)
    yield _states_by_play(result)
    yield _states_by_exclusion(parameters, result)
    yield _states_by_inequality(result)
    yield _far_state(result)
    yield _far_complement(result)
    yield _best_moves(result)
    yield _choices(result)
    yield _quickest(result)
    yield _ties(result)
    yield _grundy_definition(result)
    yield _grundy_beside_nim(result)
    yield _stubborn_lengths(result)
    yield _random_length(result)
    yield _simulated_length(result)


def _compare(name: str, method: str, expected: object, found: object, detail: str) -> Check:
    return Check(name, method, expected, found, expected == found, detail)


def _states_by_play(result: Result) -> Check:
    size = min(BRUTE_PILE, result.map_size)
    pairs = [(a, b) for a in range(size + 1) for b in range(a, size + 1)]
    wrong = [(a, b) for a, b in pairs if (result.value.at(a=a, b=b) > 0) != wins(a, b)]
    wrong += [(a, b) for a, b in pairs if ((a, b) in result.losing_states) == wins(a, b)]
    return _compare(
        "winning and losing states", "brute force", 0, len(wrong), f"every line of play, piles to {size}; wrong states"
    )


def _states_by_exclusion(parameters: Parameters, result: Result) -> Check:
    """The losing states one after another: the smallest unused pile, beside one that differs by one more each time."""
    beside = by_exclusion(parameters.max_pile)
    expected = tuple((a, b) for a, b in sorted(beside.items()) if a <= b)
    return Check(
        "all losing states",
        "another algorithm",
        _in_short(expected),
        _in_short(result.losing_states),
        expected == result.losing_states,
        f"each the smallest unused number beside one that is further away by one more; piles to {parameters.max_pile}",
    )


def _in_short(found: Sequence[object]) -> str:
    words = ", ".join(map(str, found))
    return words if len(found) <= LISTED else f"{len(found)}, from {found[0]} to {found[-1]}"


def _states_by_inequality(result: Result) -> Check:
    """a < k phi < a + 1 by the equation of the golden ratio: x^2 - k x - k^2 changes its sign at x = k phi."""
    states = {**dict(enumerate(result.losing_states)), result.far_index: result.far_state}
    wrong = sum(
        b - a != k or not a * a - a * k - k * k <= 0 < (a + 1) ** 2 - (a + 1) * k - k * k
        for k, (a, b) in states.items()
    )
    return _compare(
        "the golden ratio",
        "closed form",
        0,
        wrong,
        f"{len(states)} states (a, b) have b - a = k and a the whole number below k phi; wrong states",
    )


def _totals_by_shifting(parameters: Parameters, result: Result) -> Check:
    """The k-th losing total is a_k with its Fibonacci parts two places up; a_k is k - 1 one place up, and one more."""
    expected = []
    k = total = 1
    while total <= parameters.total_max:
        total = shifted(shifted(k - 1, 1) + 1, 2)
        expected += [total] if parameters.total_min <= total <= parameters.total_max else []
        k += 1
    found = tuple(t for t in range(parameters.total_min, parameters.total_max + 1) if t not in result.winning_totals)
    splits = tuple(sum(split) for split in result.losing_splits)
    agree = tuple(expected) == found == result.losing_totals == splits
    return Check(
        "losing totals",
        "another algorithm",
        _in_short(expected) or "none",
        _in_short(found) or "none",
        agree,
        "the whole numbers from 1 on with their Fibonacci parts shifted",
    )


def _divisions(parameters: Parameters, result: Result) -> Check:
    """All totals to T have floor(T^2 / 4) divisions into two piles, none of them empty."""
    expected = parameters.total_max**2 // 4 - (parameters.total_min - 1) ** 2 // 4
    return _compare("divisions", "closed form", expected, result.n_divisions, "the quarter-squares of both ends")


def _far_state(result: Result) -> Check:
    low = shifted(result.far_index - 1, 1) + 1
    expected = (low, shifted(low, 1))
    return _compare(
        "a far losing state",
        "another algorithm",
        expected,
        result.far_state,
        f"k = {result.far_index}, by Fibonacci parts shifted one place",
    )


def _far_complement(result: Result) -> Check:
    """Of the numbers 1 to a_k exactly k are smaller piles, so a_k - k are larger ones: b_j < a_k < b_(j+1)."""
    a, b = result.far_state
    j = a - result.far_index
    around = [shifted(shifted(i - 1, 1) + 1, 1) for i in (j, j + 1)]
    inside = around[0] < a < around[1] and b - a == result.far_index
    return Check(
        "every number lies in one sequence",
        "closed form",
        f"between {around[0]} and {around[1]}",
        str(a),
        inside,
        f"k = {result.far_index}: the larger piles j and j + 1, j = a - k, stand on either side of the smaller pile k",
    )


def _published_states(parameters: Parameters, result: Result) -> Check:
    """As many of the published losing states as the table holds."""
    expected = tuple(state for state in PUBLISHED_LOSING_STATES if state[1] <= parameters.max_pile)
    found = result.losing_states[: len(expected)]
    return Check(
        "losing states",
        "published value",
        _in_short(expected),
        _in_short(found),
        expected == found,
        "FiveThirtyEight Riddler Classic, writeup dated 2020-01-24",
    )


def _published_moves(result: Result) -> Check:
    found = {(e.a, e.b): e.taken for e in result.examples if (e.a, e.b) in PUBLISHED_BEST_MOVES}
    game = tuple(turn.left for turn in result.example_game[:3])
    agree = found == PUBLISHED_BEST_MOVES and game == ((3, 5), (3, 4), (1, 2))
    return Check(
        "best moves and the first moves of a game",
        "published value",
        str(PUBLISHED_BEST_MOVES),
        str(found),
        agree,
        "FiveThirtyEight Riddler Classic, writeup dated 2020-01-24; from (3, 7) through (3, 5) and (3, 4) to (1, 2)",
    )


def _code(a: int, b: int, beside: dict[int, int]) -> int:
    best = largest_wins(a, b, beside)
    if len(best) != 1:
        return 4 if best else 0
    x, y = best[0][1]
    if x and y:
        return 3
    return 1 if (x > 0) == (a < b) else 2


def _best_moves(result: Result) -> Check:
    size = min(BRUTE_PILE, result.map_size)
    beside = by_exclusion(result.map_size)
    chance = Random(SEED)
    pairs = [(a, b) for a in range(size + 1) for b in range(size + 1)]
    pairs += [(chance.randint(0, result.map_size), chance.randint(0, result.map_size)) for _ in range(PROBES)]
    wrong = sum(result.best_move.at(a=a, b=b) != _code(a, b, beside) for a, b in pairs)
    return _compare(
        "best moves",
        "brute force",
        0,
        wrong,
        f"every legal move from piles to {size} and from {PROBES} more states (seed {SEED}); wrong states",
    )


def _choices(result: Result) -> Check:
    """How many states have a choice, and how much the right one saves: 2 moves for each losing state passed by."""
    ranks = ranks_in_reach(result.map_size).values()
    expected = (len(ranks), sum(len(r) > 1 for r in ranks), max(2 * (max(r) - min(r)) for r in ranks))
    choice = result.choice
    found = (choice.winning_states, choice.several, choice.length_fewest - choice.length_most)
    return _compare(
        "winning states, those with a choice, the most moves that it saves",
        "another algorithm",
        expected,
        found,
        f"pennies put back onto every losing state, piles to {result.map_size}",
    )


def _quickest(result: Result) -> Check:
    """Taking the most pennies leaves the first losing state in reach; is the game from there the shortest?"""
    reach = list(ranks_in_reach(result.map_size).values())
    places = []
    for lengths in (result.stubborn.largest_lengths, result.random.largest_lengths):
        place = {length: i for i, length in enumerate(sorted(set(lengths)))}
        places.append([place[length] for length in lengths])
    expected = tuple(sum(any(place[k] < place[min(r)] for k in r) for r in reach) for place in places)
    return _compare(
        "states from which taking the most is not quickest",
        "another algorithm",
        expected,
        (result.stubborn.slower_states, result.random.slower_states),
        f"a stubborn and a random loser; every losing state in reach of each of {len(reach)} states",
    )


def _ties(result: Result) -> Check:
    pairs = ((b, b + b - a) for a, b in by_exclusion(result.map_size).items() if a < b)
    expected = tuple(sorted(pair for pair in pairs if pair[1] <= result.map_size))
    return Check(
        "states with two best moves",
        "closed form",
        _in_short(expected),
        _in_short(result.choice.ties),
        expected == result.choice.ties,
        "the states (b, b + k), where b is the larger pile of the k-th losing state",
    )


def _grundy_definition(result: Result) -> Check:
    """Each probed value is missing among its options' values, and no smaller one is; zeros are the losing states."""
    size, values = result.map_size, result.grundy.values.tolist()
    chance = Random(SEED)
    every = min(size, BRUTE_PILE)
    pairs = [(a, b) for a in range(every + 1) for b in range(every + 1)]
    pairs += [(chance.randint(0, size), chance.randint(0, size)) for _ in range(PROBES)]
    wrong = 0
    for a, b in pairs:
        options = {values[c][d] for c, d in reached(a, b)}
        wrong += values[a][b] in options or any(g not in options for g in range(values[a][b]))
    zeros = {(a, b) for a, row in enumerate(values) for b, g in enumerate(row) if g == 0}
    wrong += zeros != set(by_exclusion(size).items())
    return _compare(
        "Sprague-Grundy values",
        "brute force",
        0,
        wrong,
        f"smallest value missing among all options: piles to {every}, {PROBES} more states (seed {SEED}); wrong states",
    )


def _grundy_beside_nim(result: Result) -> Check:
    """The one Nim heap beside which a state loses is its Sprague-Grundy value."""
    pairs = [(a, b) for a in range(NIM_PILE + 1) for b in range(a, NIM_PILE + 1)]
    heaps = tuple(next(h for h in range(3 * NIM_PILE) if not wins_beside_nim(a, b, h)) for a, b in pairs)
    found = tuple(int(result.grundy.at(a=a, b=b)) for a, b in pairs)
    return _compare(
        "Sprague-Grundy values beside Nim",
        "brute force",
        heaps,
        found,
        f"every line of play of both games together, piles to {NIM_PILE}",
    )


def _stubborn_lengths(result: Result) -> Check:
    pile = min(LENGTH_PILE, result.map_size)
    states = [state for state in result.losing_states if state[1] <= pile]
    expected = tuple(longest(*state) for state in states)
    found = tuple(result.stubborn.largest_lengths[: len(states)])
    return _compare(
        "length against a stubborn loser",
        "brute force",
        expected,
        found,
        f"every line of play, losing states with piles to {pile}, the winner hurrying in every way there is",
    )


def _random_length(result: Result) -> Check:
    pile = min(LENGTH_PILE, result.map_size)
    rank = max(k for k, state in enumerate(result.losing_states) if state[1] <= pile)
    a, b = result.losing_states[rank]
    return _compare(
        "mean length against a random loser",
        "brute force",
        (mean_length(a, b), mean_length(a, b, fewest=True)),
        (result.random.largest_lengths[rank], result.random.smallest_lengths[rank]),
        f"every line of play from ({a}, {b}), the winner hurrying in every way there is, or taking the fewest pennies",
    )


def _simulated_length(result: Result) -> Check:
    """Games from a losing state against a player who always takes the most that wins."""
    rank = min(12, len(result.random.largest_lengths) - 1)
    start = result.losing_states[rank]
    beside = by_exclusion(2 * start[1])
    chance = Random(SEED)
    played = [_play(start, beside, chance) for _ in range(GAMES)]
    expected, mean = result.random.largest_lengths[rank], fmean(played)
    errors = abs(mean - float(expected)) / (stdev(played) / sqrt(GAMES))
    return Check(
        "mean length, played out",
        "simulation",
        float(expected),
        mean,
        errors < 4 and all(played),
        f"{GAMES} games from {start}, seed {SEED}; the first player lost all; {errors:.1f} standard errors apart",
    )


def _play(state: Pair, beside: dict[int, int], chance: Random) -> int:
    """Moves in one game whose first player moves at random and must lose; 0 if that player could have won."""
    moves = 0
    while state != (0, 0):
        replies = largest_wins(*chance.choice(list(reached(*state))), beside)
        if not replies:
            return 0
        state = replies[0][2]
        moves += 2
    return moves
