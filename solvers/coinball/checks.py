"""The answers by other methods: all sequences, points kept apart, whole rows of leads, games played, publications."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import numpy as np

from site_builder.contract import Absolute, Check
from solvers.coinball.parameters import Parameters
from solvers.coinball.puzzle import Result, value
from solvers.common.score_checks import (
    LONG,
    CheckedGame,
    MapsCompared,
    form_check,
    games_played,
    limit_of_long_games,
    states_check,
)
from solvers.common.whole_rows import Coin

PUBLISHED = {"rush": 0.601766458853, "pass": 0.558341814467, "optimal": 0.489818590457}
"""The writeup of 2017-10-13, to twelve digits, for the first of two players in 100 tosses for 1 or 2 points."""

SMALL = 6
"""Games of up to so many tosses have answers of their own."""

LARGEST_DIVISOR = 8
"""A rule in words may name the remainder of the tosses made by a divisor up to this."""

MOST_POINTS = 240
"""Points are kept apart in games in which no player can win more."""

_RULE = re.compile(
    r"(rush|pass)(?: if the number of tosses made (?:is (even|odd)|is divisible by (\d+)|"
    r"leaves the remainder (\d+) when divided by (\d+)), else (rush|pass))?"
    r"(?:,? until (\d+) tosses are made, then (rush|pass))?"
)

HABITS = {"rush": "who always rushes", "pass": "who always passes", "optimal": "who plays best"}


def checks(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Nine to twenty-one checks that share no code with the solution."""
    game = _game(parameters, parameters.first, parameters.opponent, parameters.n_tosses)
    if (parameters.n_tosses, parameters.rush_points, parameters.pass_points) == (100, 1, 2):
        yield _published(result)
        if parameters.opponent == "optimal" and result.is_whole:
            yield _published_description(result)
    farthest = parameters.n_tosses * max(parameters.rush_points, parameters.pass_points)
    found = (result.exact, result.is_whole)
    yield form_check(result.win_probability, result.best_call, parameters.n_tosses, farthest, found)
    yield from _small_games(parameters, result)
    yield _points_apart(parameters, result, game)
    yield states_check(game, result.n_states, "tosses", "lead")
    yield from _every_state(game, result)
    yield from _answers(parameters, result)
    yield from _by_tosses(parameters, result)
    if parameters.rush_points == parameters.pass_points:
        how, of = "both calls move the lead alike, so the game is symmetric", "win_probability"
        yield Check(
            "equal calls", "closed form", 0.5, result.win_probability, of=of, within=Absolute(1e-12), detail=how
        )
    if result.is_whole:
        best, chance, draws = result.best_call, result.win_probability, ", draws as halves"
        of = "best_call, win_probability"
        yield games_played(game, best, chance, of, parameters.seed, spare=2, draws=draws)
    if result.summary is not None and result.is_whole:
        yield from _summary(result, game)
    if max(parameters.rush_points, parameters.pass_points) <= 4 and parameters.rush_points and parameters.pass_points:
        yield _limits(parameters, result)


def _game(parameters: Parameters, first: str, opponent: str, n_tosses: int) -> CheckedGame:
    """The game of your lead, with another first caller, opponent or number of tosses."""
    calls = Coin(parameters.rush_points, Fraction(1, 2)), Coin(parameters.pass_points, Fraction(1, 2))
    turns = [1 if (toss % 2 == 0) == (first == "you") else -1 for toss in range(n_tosses)]
    fixed = {"rush": 0, "pass": 1, "optimal": -1}[opponent]
    return CheckedGame(calls, lambda leads: np.sign(leads) + 1, turns, [-1 if turn > 0 else fixed for turn in turns])


def _published(result: Result) -> Check:
    expected, found = tuple(PUBLISHED.values()), tuple(result.going_first[opponent] for opponent in PUBLISHED)
    how = "writeup of 2017-10-13, to 12 decimals; you call first, against rush, pass, optimal"
    name, within = "the three answers as published", Absolute(5.1e-13)
    return Check(name, "published value", expected, found, of="going_first", within=within, detail=how)


def _published_description(result: Result) -> Check:
    """All published calls are best ones in every state: losing pass, winning rush, and the rules when tied."""
    tosses, leads = (list(map(int, coordinates)) for coordinates in result.best_call.axes.values())
    allowed = [[_described(toss, lead) for lead in leads] for toss in tosses]
    best = result.best_call.values
    states, right = int((best >= 0).sum()), int(((best == 2) | (best == allowed)).sum())
    name, of = "the published description of best play", f"best_call[{states}]"
    how = "states in which the calls described in the writeup of 2017-10-13 are best ones"
    return Check(name, "published value", states, right, of=of, detail=how)


def _described(toss: int, lead: int) -> int:
    """What the writeup says to call after so many of 100 tosses: 0 rush, 1 pass, 2 either."""
    if lead:
        return 1 if lead < 0 else 0
    if toss % 4 == 0:
        return 1
    first_called = toss % 2 == 0
    return 2 if (toss > 92 and first_called) or toss == 99 else 0


def _small_games(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Games of a few tosses by their rules, against each opponent, with you calling first; exact."""
    for opponent, found in result.small_answers.items():
        players: dict[str, Any] = {"opponent": opponent, "first": "you"}
        games = [replace(parameters, n_tosses=n_tosses, **players) for n_tosses in result.small_tosses]
        expected = tuple(Fraction(value(game, 0, 0, 0)) for game in games)
        tosses = f"1 to {len(expected)} tosses" if len(expected) > 1 else "1 toss"
        name, how = (
            f"{tosses} against one {HABITS[opponent]}",
            "all sequences of calls and results; you call first; exact",
        )
        of = f"small_answers[{len(found)}], small_tosses"
        yield Check(name, "brute force", expected, found, of=of, detail=how)
    lengths, how = tuple(range(1, min(SMALL, parameters.n_tosses) + 1)), f"up to {SMALL} tosses"
    yield Check(
        "numbers of tosses of small games", "by hand", lengths, result.small_tosses, of="small_tosses", detail=how
    )


def _points_apart(parameters: Parameters, result: Result, game: CheckedGame) -> Check:
    """The state (tosses, your points, the opponent's): the same chances as (tosses, lead), state by state.

    Of a game too long for that only the start, with fewer tosses, you calling first and both playing best.
    """
    most = max(1, MOST_POINTS // max(parameters.rush_points, parameters.pass_points))
    if not result.is_whole or most < parameters.n_tosses:
        n_tosses = min(most, parameters.n_tosses)
        *_, (_, chance) = _by_points(_game(parameters, "you", "optimal", n_tosses))
        name = f"points kept apart, in a game of {n_tosses} toss{'' if n_tosses == 1 else 'es'}"
        how, found = "states (tosses, your points, the opponent's), both playing best", result.first_caller_by_tosses
        of, expected, within = "first_caller_by_tosses[1]", float(chance[0, 0]), Absolute(1e-11)
        return Check(name, "another algorithm", expected, found[n_tosses], of=of, within=within, detail=how)
    worst, states = 0.0, 0
    grid, middle = result.win_probability_by_state.values, len(result.win_probability_by_state.axes["lead"]) // 2
    for toss, chance in _by_points(game):
        mine, theirs = np.indices(chance.shape)
        difference = np.abs(grid[toss, np.clip(mine - theirs + middle, 0, 2 * middle)] - chance)
        known = ~np.isnan(difference)
        worst, states = max(worst, float(difference[known].max(initial=0.0))), states + int(known.sum())
        start = float(chance[0, 0])
    how = f"all {states:,} states (tosses, your points, the opponent's) have the chance of their lead"
    name, of = "points kept apart: the start, the largest difference", "win_probability, win_probability_by_state"
    both = (result.win_probability, worst)
    return Check(name, "another algorithm", (start, 0.0), both, of=of, within=Absolute(1e-12), detail=how)


def _by_points(game: CheckedGame) -> Iterator[tuple[int, np.ndarray]]:
    """From the last toss to the first your chance for each (your points, the opponent's), arrays of floats."""
    points = [call.points for call in game.coins]
    size = len(game.turns) * max(points) + 1
    chance = (np.sign(np.subtract.outer(np.arange(size), np.arange(size))) + 1) / 2
    for toss, pick in reversed(list(enumerate(game.picks))):
        size = toss * max(points) + 1
        calls = [(chance[won : size + won, :size] + chance[:size, won : size + won]) / 2 for won in points]
        chance = pick(*calls)
        yield toss, chance


def _every_state(game: CheckedGame, result: Result) -> Iterator[Check]:
    """Every state of the chosen game, and the undecided ones in which both calls are best: which, how many, by toss."""
    last = result.last_policy if result.is_whole else None
    maps = MapsCompared(game, result.win_probability_by_state, result.best_call, result.policy, last)
    for row in game.rows(result.exact):
        maps.compare(row)
    if row.exact == result.exact:
        yield from maps.checks("win_probability_by_state", "best_call", "policy", "last_policy", middle=0)
    if not (row.exact and result.is_whole):
        return
    either = sorted(maps.either)
    named = tuple(either[: len(result.indifferent)])
    how = "toss and caller's lead, by whole rows of leads; the first 500 are named"
    complete = len(result.indifferent) == min(500, len(either))
    listed = result.indifferent if complete else (*result.indifferent, "and more")
    name, of = "states in which both calls are best", "indifferent"
    yield Check(name, "another algorithm", named, listed, of=of, detail=how)
    of = "indifferent_states, undecided_states"
    expected, found = (int(maps.needs[2]), int(maps.needs.sum())), (result.indifferent_states, result.undecided_states)
    how = "free calls in states that can occur and are not decided, by whole rows of leads"
    yield Check("how many these are, and of how many", "another algorithm", expected, found, of=of, detail=how)
    by_toss = {str(toss): tuple(lead for at, lead in named if at == toss) for toss, _ in named}
    name, how, of = "tosses with such states", "the same states, toss by toss", "indifferent_leads"
    yield Check(name, "another algorithm", by_toss, dict(result.indifferent_leads), of=of, detail=how)


def _answers(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Your chances in all six games."""
    how = "whole rows of leads, by tosses left"
    for first, found in (("you", result.going_first), ("opponent", result.going_second)):
        games = {opponent: _game(parameters, first, opponent, parameters.n_tosses) for opponent in found}
        chances = {opponent: game.chance() for opponent, game in games.items()}
        name = f"{'you call' if first == 'you' else 'the opponent calls'} first, against {', '.join(found)}"
        of, within = "going_first" if first == "you" else "going_second", Absolute(1e-11)
        yield Check(name, "another algorithm", chances, dict(found), of=of, within=within, detail=how)
        if first == parameters.first:
            name, of = "your chance, and the three answers", "win_probability, answers"
            expected = (chances[parameters.opponent], *chances.values())
            answers = (result.win_probability, *(result.answers[opponent] for opponent in chances))
            yield Check(name, "another algorithm", expected, answers, of=of, within=within, detail=how)


def _by_tosses(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Both play best: the caller's chance by tosses left, always from the caller's side, who is the other one next."""
    points, chances = (parameters.rush_points, parameters.pass_points), []
    far = max(points) * (parameters.n_tosses + 1)
    caller = (np.sign(np.arange(-far, far + 1)) + 1) / 2
    for _ in range(parameters.n_tosses + 1):
        chances.append(float(caller[far]))
        after = np.pad(1 - caller[::-1], max(points), constant_values=(0, 1))
        moves = [(after[max(points) + move :], after[max(points) - move :]) for move in points]
        caller = np.maximum(*((won[: len(caller)] + lost[: len(caller)]) / 2 for won, lost in moves))
    name, how = "the first caller in games of every length", f"0 to {parameters.n_tosses} tosses, seen by the caller"
    found, of = result.first_caller_by_tosses, "first_caller_by_tosses"
    yield Check(name, "another algorithm", chances, found, of=of, within=Absolute(1e-11), detail=how)
    last = [chance if tosses % 2 else 1 - chance for tosses, chance in enumerate(chances)]
    never = min(last) >= 0.5 - 1e-12
    how = f"every number of tosses up to {parameters.n_tosses}, always seen by the caller"
    name, of = "whether whoever calls last is never behind", "last_caller_never_behind"
    yield Check(name, "another algorithm", never, result.last_caller_never_behind, of=of, detail=how)


def _limits(parameters: Parameters, result: Result) -> Check:
    limits = [_limit(parameters.rush_points, parameters.pass_points, opponent) for opponent in result.limits]
    name = f"the limits of long games: {', '.join(result.limits)}"
    how = f"twice the chance with {4 * LONG} tosses less that with {LONG}"
    found, within = tuple(result.limits.values()), Absolute(1e-3)
    return Check(name, "another algorithm", limits, found, of="limits", within=within, detail=how)


@lru_cache(maxsize=64)
def _limit(rush_points: int, pass_points: int, opponent: str) -> float:
    """Your chance in long games against an opponent, you calling first."""
    parameters = Parameters(rush_points=rush_points, pass_points=pass_points)
    return limit_of_long_games(partial(_game, parameters, "you", opponent))


def _summary(result: Result, game: CheckedGame) -> Iterator[Check]:
    """The rules followed as a strategy in every free call, and the states in which their call is not best."""
    summary, best = result.summary, result.best_call
    assert summary is not None
    calls = [
        [("rush", "pass").index(call) for call in rule.calls]
        for rule in (summary.tied, summary.winning, summary.losing)
    ]

    def call(toss: int, lead: int) -> int:
        return calls[int(np.sign(lead))][toss] if game.always[toss] < 0 else game.always[toss]

    if summary.fits:
        how = "the distribution of the lead under the rules, toss by toss"
        name, chance, of = "the summary in words, followed", result.win_probability, "win_probability"
        yield Check(name, "another algorithm", game.followed(call), chance, of=of, within=Absolute(1e-10), detail=how)
    free = [toss for toss, only in enumerate(game.always) if only < 0]
    rows = best.values[free]
    called = np.array(calls)[np.sign(np.array(best.axes["lead"]))][:, free].T
    mistakes = rows == 1 - called
    middle = rows.shape[1] // 2
    how_found = "every rule of the family, counted clause by clause: mistakes, clauses"
    parts = {"losing": slice(0, middle), "tied": slice(middle, middle + 1), "winning": slice(middle + 1, None)}
    how = "the calls that the rules make, looked up in the map of best calls"
    for sign, leads in parts.items():
        rule, of = getattr(summary, sign), f"summary.{sign}.mistakes, summary.{sign}.states, summary.{sign}.fits"
        wrong, states = int(mistakes[:, leads].sum()), int((rows[:, leads] >= 0).sum())
        expected, found = (wrong, states, wrong == 0), (rule.mistakes, rule.states, rule.fits)
        name = f"{sign}: mistakes of the rule, states, whether it fits"
        yield Check(name, "brute force", expected, found, of=f"{of}, summary.{sign}.calls", detail=how)
        least, of = _fewest_mistakes(rows[:, leads], free), f"summary.{sign}.mistakes, summary.{sign}.in_words"
        name, own = f"{sign}: no better or shorter rule", (rule.mistakes, _clauses(rule.in_words))
        yield Check(name, "brute force", least, own, of=of, detail=how_found)
        words, said = rule.in_words, _calls_said(rule.in_words, len(rule.calls))
        of, how_said = f"summary.{sign}.in_words, summary.{sign}.calls", f"each call read from the words: {words}"
        yield Check(f"{sign}: the rule in words", "another algorithm", said, rule.calls, of=of, detail=how_said)
    wrong, of = int(mistakes.sum()), "summary.mistakes, summary.states, summary.fits"
    expected, found = (wrong, int((rows >= 0).sum()), wrong == 0), (summary.mistakes, summary.states, summary.fits)
    yield Check("mistakes of the summary, states, whether it fits", "brute force", expected, found, of=of, detail=how)


def _clauses(words: str) -> int:
    """Conditions of a rule in words; -1 where it says that every call will do."""
    return -1 if words == "either call" else ("if" in words.split()) + ("until" in words.split())


def _fewest_mistakes(best: np.ndarray, tosses: Sequence[int]) -> tuple[int, int]:
    """The fewest mistakes that a rule of the family makes, and the fewest conditions of such a rule.

    best: shape (tosses, leads), 0 or 1 where only that call is best. tosses: those made before each row.
    """
    wrong = [(best == 1 - call).sum(axis=1) for call in (0, 1)]  # in each row, for either call
    if not best.size or not (wrong[0].any() or wrong[1].any()):
        return 0, -1
    left = [np.append(row[::-1].cumsum()[::-1], 0) for row in wrong]  # in this row and those below it
    found = []
    for divisor in range(1, LARGEST_DIVISOR + 1):
        for remainder in range(divisor):
            fits = np.array([toss % divisor == remainder for toss in tosses])
            for call in (0, 1):
                rule = np.append(0, np.where(fits, wrong[call], wrong[1 - call]).cumsum())  # in the rows above
                conditions = int(divisor > 1)
                found.append((int(rule[-1]), conditions))
                for last in (0, 1):
                    until = (rule + left[last])[int(divisor == 1) : -1]
                    found += [(mistakes, conditions + 1) for mistakes in until.tolist()]
    return min(found)


def _calls_said(words: str, tosses: int) -> tuple[str, ...]:
    """The call for each toss, read from a rule in words."""
    if words == "either call":
        return ("rush",) * tosses
    match = _RULE.fullmatch(words)
    if match is None:
        return ()
    call, parity, factor, remainder, divisor, otherwise, until, last = match.groups()
    by = 2 if parity else int(factor or divisor or 1)
    left = int(remainder or (parity == "odd"))
    calls = [call if toss % by == left % by else otherwise for toss in range(tosses)]
    return tuple(calls if until is None else [*calls[: int(until)], *[last] * (tosses - int(until))])
