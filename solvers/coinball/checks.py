"""The answers by other methods: points kept apart, whole rows of leads, the published description."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from site_builder.contract import Grid, close, one_of
from solvers.coinball.puzzle import OPPONENTS, Opponent, Seat, coinball, their_tosses, without_last_call
from solvers.common.score_checks import chances_at_start, limit_of_long_games, maps_by_rows, marked, scores_of
from solvers.common.score_game import EITHER, UNREACHED, ScoreGame, halves

Answer = dict[str, Any]
CALLS = "rush", "pass"

LARGEST_DIVISOR = 8
"""Of the solver's rules; written again here, so that a wrong one there is found."""

MOST_POINTS = 240
"""Points are kept apart in games in which no player can win more."""


def check_published_description(
    n_tosses: int, rush_points: int, pass_points: int, opponent: Opponent, first: Seat
) -> Answer:
    """The calls described in the writeup of 2017-10-13 are best ones in every state"""
    if (n_tosses, rush_points, pass_points, opponent) != (100, 1, 2, "optimal"):
        return {}
    game = coinball(n_tosses, rush_points, pass_points, opponent, first)
    described = np.array([[_described(toss, lead) for lead in scores_of(game)] for toss in range(n_tosses)])
    described[~marked(game)[:-1]] = UNREACHED  # with a lead its negative can occur
    return {"best_call": one_of(described, np.where(described == UNREACHED, UNREACHED, EITHER))}


def _described(toss: int, lead: int) -> int:
    """What the writeup says to call after so many of 100 tosses: 0 rush, 1 pass, 2 either."""
    if lead:
        return 1 if lead < 0 else 0
    if toss % 4 == 0:
        return 1
    first_called = toss % 2 == 0
    return 2 if (toss > 92 and first_called) or toss == 99 else 0


def check_points_apart(n_tosses: int, rush_points: int, pass_points: int, opponent: Opponent, first: Seat) -> Answer:
    """The points of both players kept apart: all pairs with the same lead have the same chance"""
    game = coinball(n_tosses, rush_points, pass_points, opponent, first)
    if n_tosses * max(rush_points, pass_points) > MOST_POINTS:
        return {}
    chances, leads = np.full((n_tosses + 1, len(scores_of(game))), np.nan), len(scores_of(game)) // 2
    for toss, chance in _by_points(game):
        assert np.abs(chance[1:, 1:] - chance[:-1, :-1]).max(initial=0) < 1e-12  # both have one point more
        chances[toss, leads : leads + len(chance)] = chance[:, 0]
        chances[toss, leads - len(chance) + 1 : leads + 1] = chance[0, ::-1]
    chances[~marked(game)] = np.nan
    return {
        "win_probability": close(chances[0, leads], absolute=1e-12),
        "win_probability_by_state": close(chances, absolute=1e-12),
    }


def _by_points(game: ScoreGame) -> Iterator[tuple[int, np.ndarray]]:
    """From the last toss to the first your chance for each (your points, the opponent's), arrays of floats."""
    points = [call.points for call in game.lotteries]
    size = len(game.movers) * max(points) + 1
    chance = halves(game, np.subtract.outer(np.arange(size), np.arange(size))) / 2
    yield len(game.movers), chance
    for toss, mover in reversed(list(enumerate(game.movers))):
        size = toss * max(points) + 1
        calls = [(chance[won : size + won, :size] + chance[:size, won : size + won]) / 2 for won in points]
        chance = (
            calls[mover] if isinstance(mover, int) else {"highest": np.maximum, "lowest": np.minimum}[mover](*calls)
        )
        yield toss, chance


def check_exact_rows(n_tosses: int, rush_points: int, pass_points: int, opponent: Opponent, first: Seat) -> Answer:
    """Whole rows of leads in whole numbers, with the calls that are best in each state"""
    game, theirs = coinball(n_tosses, rush_points, pass_points, opponent, first), their_tosses(n_tosses, first)
    maps = maps_by_rows(game, theirs)
    free = [toss for toss, other in enumerate(theirs) if opponent == "optimal" or not other]
    ties = np.argwhere(maps["policy"][free] == EITHER)
    return {
        "win_probability": maps["start"],
        "win_probability_by_state": maps["value"],
        "best_call": maps["best"],
        "policy": maps["policy"],
        "cost": maps["cost"],
        "indifferent": tuple((free[row], int(scores_of(game)[column])) for row, column in ties),
    }


def check_ways_to_each_lead(best_call: Grid, n_tosses: int, rush_points: int, pass_points: int, first: Seat) -> Answer:
    """The ways to each lead counted from toss to toss, exact"""
    middle = best_call.values.shape[1] // 2
    if middle > MOST_POINTS:
        return {}
    ways = {0: 1}
    for calls, theirs in zip(best_call.values.tolist(), their_tosses(n_tosses, first), strict=True):
        before, ways = ways, defaultdict(int)
        for lead, count in before.items():
            points = pass_points if calls[middle + (-lead if theirs else lead)] == 1 else rush_points
            ways[lead + points] += count
            ways[lead - points] += count
    assert sum(lead * count for lead, count in ways.items()) == 0, "no call gains a point on average"
    won, lost = ({abs(lead): n for lead, n in ways.items() if lead * sign > 0} for sign in (1, -1))
    means = [sum(lead * n for lead, n in some.items()) / (sum(some.values()) or 1) for some in (won, lost)]
    return {
        "final_leads": close([ways.get(lead, 0) / 2**n_tosses for lead in range(-middle, middle + 1)], absolute=1e-12),
        "margins": close(dict(zip(("won", "lost"), means, strict=True)), relative=1e-9),
    }


def check_whole_rows(n_tosses: int, rush_points: int, pass_points: int, opponent: Opponent, first: Seat) -> Answer:
    """Whole rows of leads in floats against each opponent, whoever calls first"""
    seats: dict[Seat, Answer] = {"you": {}, "opponent": {}}
    for seat, chances in seats.items():
        for each in OPPONENTS:
            chances[each] = chances_at_start(coinball(n_tosses, rush_points, pass_points, each, seat))[-1]
    rushed = without_last_call(coinball(n_tosses, rush_points, pass_points, "optimal", "you"))
    return {
        "without_last_call": close(chances_at_start(rushed)[-1], absolute=1e-12),
        "win_probability": close(seats[first][opponent], absolute=1e-12),
        "going_first": close(seats["you"], absolute=1e-11),
        "going_second": close(seats["opponent"], absolute=1e-11),
    }


def check_callers_side(n_tosses: int, rush_points: int, pass_points: int) -> Answer:
    """Games of every length seen by the caller of each toss, who is the other one next"""
    points, chances = (rush_points, pass_points), []
    far = max(points) * (n_tosses + 1)
    caller = (np.sign(np.arange(-far, far + 1)) + 1) / 2
    for _ in range(n_tosses + 1):
        chances.append(float(caller[far]))
        after = np.pad(1 - caller[::-1], max(points), constant_values=(0, 1))
        moves = [(after[max(points) + move :], after[max(points) - move :]) for move in points]
        caller = np.maximum(*((won[: len(caller)] + lost[: len(caller)]) / 2 for won, lost in moves))
    last = [chance if tosses % 2 else 1 - chance for tosses, chance in enumerate(chances)]
    return {
        "first_caller_by_tosses": close(chances, absolute=1e-11),
        "last_caller_ahead": all(chance > 0.5 + 1e-12 for chance in last[2:]),
    }


def check_limits(rush_points: int, pass_points: int) -> Answer:
    """Twice the chance with 256 tosses less that with 64"""
    if not 0 < min(rush_points, pass_points) <= max(rush_points, pass_points) <= 4:
        return {}
    game = partial(coinball, rush_points=rush_points, pass_points=pass_points, first="you")
    limits = {each: limit_of_long_games(partial(game, opponent=each), 64) for each in OPPONENTS}
    return {"limits": close(limits, absolute=5e-3)}


def check_every_rule(best_call: Grid, n_tosses: int, opponent: Opponent, first: Seat) -> Answer:
    """Every rule of the family, its mistakes counted in the map of best calls"""
    free = [n for n, theirs in enumerate(their_tosses(n_tosses, first)) if opponent == "optimal" or not theirs]
    best, middle = best_call.values[free], best_call.values.shape[1] // 2
    parts = {"losing": best[:, :middle], "tied": best[:, middle : middle + 1], "winning": best[:, middle + 1 :]}
    family = list(_rules([n_tosses - toss for toss in free]))
    rules = {sign: _best_rules(part, family) for sign, part in parts.items()}
    mistakes, states = (sum(rule[name] for rule in rules.values()) for name in ("mistakes", "states"))
    return {"summary": {**rules, "mistakes": mistakes, "states": states, "fits": mistakes == 0}}


Rules = tuple[int, list[str], np.ndarray]
"""Rules of the family: their number of clauses, their words, their calls with so many tosses left each."""


def _best_rules(best: np.ndarray, family: Sequence[Rules]) -> Answer:
    """The fewest mistakes of a rule, and the words of all rules that make them with the fewest clauses.

    best: shape (tosses, leads), 0 or 1 where only that call is best.
    """
    wrong_rush, wrong_pass = ((best == 1 - call).sum(axis=1) for call in (0, 1))
    least, fitting = (0, -1), ["either call"]
    if wrong_rush.any() or wrong_pass.any():
        least, fitting = (best.size + 1, 0), []
        for clauses, names, calls in family:
            mistakes = wrong_rush.sum() + calls @ (wrong_pass - wrong_rush)
            if (fewest := (int(mistakes.min(initial=best.size + 1)), clauses)) < least:
                least, fitting = fewest, []
            if fewest == least:
                fitting += [words for words, count in zip(names, mistakes, strict=True) if count == fewest[0]]
    return {
        "in_words": one_of(*dict.fromkeys(fitting)),
        "mistakes": least[0],
        "states": int((best >= 0).sum()),
        "fits": least[0] == 0,
    }


def _rules(tosses: Sequence[int]) -> Iterator[Rules]:
    """The whole family. tosses: those left before each call."""
    left = np.array(tosses)
    for divisor in range(1, LARGEST_DIVISOR + 1):
        for remainder, call in product(range(divisor), (0, 1)):
            words, calls = CALLS[call], np.where(left % divisor == remainder, call, 1 - call)
            if divisor > 1:
                words += f" if the number of tosses left {_which(divisor, remainder)}, else {CALLS[1 - call]}"
            yield int(divisor > 1), [words], calls[np.newaxis]
            turns, comma = left[divisor == 1 :], "," if divisor > 1 else ""
            for after in (0, 1):
                names = [f"{words}{comma} until the number left is {until}, then {CALLS[after]}" for until in turns]
                yield 1 + (divisor > 1), names, np.where(left > turns[:, np.newaxis], calls, after)


def _which(divisor: int, remainder: int) -> str:
    if divisor == 2:
        return "is odd" if remainder else "is even"
    return f"leaves the remainder {remainder} when divided by {divisor}" if remainder else f"is divisible by {divisor}"
