"""The answers confirmed by other methods: points kept apart, whole trees, games played, the published description."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from site_builder.contract import Check
from solvers.coinball.parameters import Parameters
from solvers.coinball.puzzle import Result
from solvers.common.played_games import games_played

PUBLISHED = {"rush": 0.601766458853, "pass": 0.558341814467, "optimal": 0.489818590457}
"""The writeup of 2017-10-13, to twelve digits, for the first of two players in 100 tosses for 1 or 2 points."""

MOST_POINTS = 240
Pick = Callable[[np.ndarray, np.ndarray], np.ndarray]


def checks(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Three to seven confirmations that share no code with the solution."""
    if _is_published(parameters):
        yield _published(result)
        if parameters.opponent == "optimal" and result.is_whole:
            yield _published_description(result)
    yield _trees(parameters, result)
    yield _points_apart(parameters, result)
    if parameters.rush_points == parameters.pass_points:
        yield _equal_calls(result)
    if result.is_whole:
        yield _played_games(parameters, result)
    if result.summary is not None and result.summary.fits:
        yield _summary_followed(parameters, result)


def _is_published(parameters: Parameters) -> bool:
    return (parameters.n_tosses, parameters.rush_points, parameters.pass_points) == (100, 1, 2)


def _published(result: Result) -> Check:
    found = {opponent: float(result.going_first[opponent]) for opponent in PUBLISHED}
    return Check(
        "the three answers as published",
        "published value",
        tuple(PUBLISHED.values()),
        tuple(found.values()),
        all(abs(found[opponent] - PUBLISHED[opponent]) < 6e-13 for opponent in PUBLISHED),
        "the writeup of 2017-10-13, rounded to 12 digits; agreement within half a unit of the last one",
    )


def _published_description(result: Result) -> Check:
    """All published calls are best ones in every state: losing pass, winning rush, and the rules when tied."""
    wrong = states = 0
    for toss, row in zip(result.best_call.axes["toss"], result.best_call.values, strict=True):
        for lead, best in zip(result.best_call.axes["lead"], row, strict=True):
            if best >= 0:
                states += 1
                allowed = _described(int(toss), int(lead))
                wrong += int(best != 2 and allowed != {int(best)})
    return Check(
        "the published description of best play",
        "published value",
        0,
        wrong,
        wrong == 0,
        f"how many of {states} states contradict the calls in the writeup of 2017-10-13",
    )


def _described(toss: int, lead: int) -> set[int]:
    """The calls that the writeup allows after so many of 100 tosses: 0 to rush, 1 to pass."""
    if lead:
        return {1} if lead < 0 else {0}
    if toss % 4 == 0:
        return {1}
    first_called = toss % 2 == 0
    return {0, 1} if (toss > 92 and first_called) or toss == 99 else {0}


def _picks(parameters: Parameters, opponent: str, n_tosses: int) -> list[Pick]:
    """For each toss how the value of a rush and that of a pass make one."""
    theirs: dict[str, Pick] = {"rush": lambda r, p: r, "pass": lambda r, p: p, "optimal": np.minimum}
    return [
        np.maximum if (toss % 2 == 0) == (parameters.first == "you") else theirs[opponent] for toss in range(n_tosses)
    ]


def _trees(parameters: Parameters, result: Result) -> Check:
    """Every game of a few tosses as a whole tree, against all three opponents, with you calling first."""
    opponents = [*result.small_answers, "optimal"]
    expected = tuple(_tree(parameters, opponent, n) for opponent in opponents for n in result.small_tosses)
    rows = [*result.small_answers.values(), result.first_caller_by_tosses[1 : len(result.small_tosses) + 1]]
    found = tuple(float(chance) for row in rows for chance in row)
    return Check(
        f"games of up to {result.small_tosses[-1]} tosses",
        "brute force",
        expected,
        found,
        bool(np.allclose(found, expected, rtol=0, atol=1e-12)),
        "all sequences of calls and results, for each opponent and for the curve over tosses; within $10^{-12}$",
    )


def _tree(parameters: Parameters, opponent: str, n_tosses: int) -> float:
    """The value by its definition: all final leads, then the mean over each toss and the pick of each call."""
    leads = np.array([0])
    for _ in range(n_tosses):
        r, p = parameters.rush_points, parameters.pass_points
        leads = leads[..., np.newaxis, np.newaxis] + np.array([[r, -r], [p, -p]])
    value = (np.sign(leads) + 1) / 2
    theirs: dict[str, Pick] = {"rush": lambda r, p: r, "pass": lambda r, p: p, "optimal": np.minimum}
    for toss in reversed(range(n_tosses)):
        value = value.mean(axis=-1)
        value = (np.maximum if toss % 2 == 0 else theirs[opponent])(value[..., 0], value[..., 1])
    return float(value[0])


def _points_apart(parameters: Parameters, result: Result) -> Check:
    """The state (tosses, your points, the opponent's): the same chances as (tosses, lead), state by state."""
    most = max(1, MOST_POINTS // max(parameters.rush_points, parameters.pass_points))
    if not result.is_whole or most < parameters.n_tosses:
        return _points_apart_of_a_shorter_game(parameters, result, min(most, parameters.n_tosses))
    worst, states = 0.0, 0
    grid, middle = result.win_probability_by_state.values, len(result.win_probability_by_state.axes["lead"]) // 2
    for toss, value in _by_points(parameters, parameters.opponent, parameters.n_tosses):
        mine, theirs = np.indices(value.shape)
        difference = np.abs(grid[toss, np.clip(mine - theirs + middle, 0, 2 * middle)] - value)
        known = ~np.isnan(difference)
        worst, states = max(worst, float(difference[known].max(initial=0.0))), states + int(known.sum())
        start = float(value[0, 0])
    return Check(
        "points kept apart",
        "another algorithm",
        start,
        float(result.win_probability),
        worst < 1e-12,
        f"{states} states (tosses, your points, the opponent's) have the chance of their lead; within $10^{{-12}}$",
    )


def _points_apart_of_a_shorter_game(parameters: Parameters, result: Result, n_tosses: int) -> Check:
    *_, (_, value) = _by_points(replace(parameters, first="you"), "optimal", n_tosses)
    expected, found = float(value[0, 0]), float(result.first_caller_by_tosses[n_tosses])
    return Check(
        f"points kept apart, in a game of {n_tosses} tosses",
        "another algorithm",
        expected,
        found,
        abs(found - expected) < 1e-11,
        "states (tosses, your points, the opponent's), both playing best; agreement within $10^{-11}$",
    )


def _by_points(parameters: Parameters, opponent: str, n_tosses: int) -> Iterator[tuple[int, np.ndarray]]:
    """From the last toss to the first your chance for each (your points, the opponent's), arrays of floats."""
    largest = max(parameters.rush_points, parameters.pass_points)
    size = n_tosses * largest + 1
    value = (np.sign(np.subtract.outer(np.arange(size), np.arange(size))) + 1) / 2
    for toss, pick in reversed(list(enumerate(_picks(parameters, opponent, n_tosses)))):
        size = toss * largest + 1
        calls = [
            (value[points : size + points, :size] + value[:size, points : size + points]) / 2
            for points in (parameters.rush_points, parameters.pass_points)
        ]
        value = pick(*calls)
        yield toss, value


def _equal_calls(result: Result) -> Check:
    return Check(
        "equal calls",
        "closed form",
        0.5,
        float(result.win_probability),
        result.win_probability == 0.5,
        "both calls move the lead alike, so the game is symmetric",
    )


def _played_games(parameters: Parameters, result: Result) -> Check:
    """Seeded games in which both callers look up their calls; four standard errors, and two games for rare wins."""
    games = max(1000, min(20_000, 4_000_000 // parameters.n_tosses))
    random = np.random.default_rng(parameters.seed)
    points = np.array([parameters.rush_points, parameters.pass_points])
    middle = len(result.best_call.axes["lead"]) // 2
    leads = np.zeros(games, dtype=np.int64)
    for toss in range(parameters.n_tosses):
        caller = 1 if (toss % 2 == 0) == (parameters.first == "you") else -1
        best = result.best_call.values[toss, caller * leads + middle]
        call = np.where(best == 2, toss // 2 % 2, best)
        leads += caller * np.where(random.random(games) < 0.5, 1, -1) * points[call]
    won = float(((np.sign(leads) + 1) / 2).sum())
    return games_played(won, games, result.win_probability, parameters.seed, spare=2, draws=", draws as halves")


def _summary_followed(parameters: Parameters, result: Result) -> Check:
    """The rules in words as a strategy: the distribution of your lead when every free call is made by them."""
    summary = result.summary
    assert summary is not None
    stakes = {"rush": parameters.rush_points, "pass": parameters.pass_points}
    chances = {0: 1.0}
    for toss in range(parameters.n_tosses):
        yours = (toss % 2 == 0) == (parameters.first == "you")
        after: dict[int, float] = {}
        for lead, chance in chances.items():
            caller = lead if yours else -lead
            rule = summary.losing if caller < 0 else summary.winning if caller > 0 else summary.tied
            call = rule.calls[toss] if yours or parameters.opponent == "optimal" else parameters.opponent
            for change in (stakes[call], -stakes[call]):
                after[lead + change] = after.get(lead + change, 0.0) + chance / 2
        chances = after
    expected = float(sum(chance * (np.sign(lead) + 1) / 2 for lead, chance in chances.items()))
    found = float(result.win_probability)
    return Check(
        "the summary in words, followed",
        "another algorithm",
        expected,
        found,
        abs(found - expected) < 1e-9,
        "the distribution of the lead under the rules, in floats; agreement within $10^{-9}$",
    )
