"""The answers confirmed by other methods: points kept apart, trees, whole rows of leads, games played, publications."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from site_builder.contract import Check
from solvers.coinball.parameters import Parameters
from solvers.coinball.puzzle import Result
from solvers.common.agreeing import close, counted, listed, same
from solvers.common.occurring import states_check
from solvers.common.played_games import games_played
from solvers.common.state_checks import StatesCompared
from solvers.common.whole_rows import Coin, Pick, Row, scores_that_occur, whole_rows

PUBLISHED = {"rush": 0.601766458853, "pass": 0.558341814467, "optimal": 0.489818590457}
"""The writeup of 2017-10-13, to twelve digits, for the first of two players in 100 tosses for 1 or 2 points."""

MOST_POINTS = 240
LONG = 400
"""The limits are told from games of so many tosses and of four times as many."""

PICKS: dict[str, Pick] = {"rush": lambda r, p: r, "pass": lambda r, p: p, "optimal": np.minimum}
"""How an opponent makes one value of that of a rush and that of a pass."""

HABITS = {"rush": "who always rushes", "pass": "who always passes", "optimal": "who plays best"}


def checks(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Nine to twenty confirmations that share no code with the solution."""
    if _is_published(parameters):
        yield _published(result)
        if parameters.opponent == "optimal" and result.is_whole:
            yield _published_description(result)
    yield from _trees(parameters, result)
    yield _points_apart(parameters, result)
    yield _states_that_occur(parameters, result)
    yield from _by_whole_rows(parameters, result)
    yield from _by_tosses(parameters, result)
    if parameters.rush_points == parameters.pass_points:
        how = "both calls move the lead alike, so the game is symmetric"
        yield close("equal calls", "closed form", 0.5, result.win_probability, 12, how)
    if result.is_whole:
        yield _played_games(parameters, result)
    if result.summary is not None and result.is_whole:
        if result.summary.fits:
            yield _summary_followed(parameters, result)
        yield _summary_in_every_state(parameters, result)
    if max(parameters.rush_points, parameters.pass_points) <= 4 and parameters.rush_points and parameters.pass_points:
        yield _limits(parameters, result)


def _is_published(parameters: Parameters) -> bool:
    return (parameters.n_tosses, parameters.rush_points, parameters.pass_points) == (100, 1, 2)


def _published(result: Result) -> Check:
    found = tuple(round(float(result.going_first[opponent]), 12) for opponent in PUBLISHED)
    how = "writeup of 2017-10-13, rounded to 12 decimals as there; you call first, against rush, pass, optimal"
    return same("the three answers as published", "published value", tuple(PUBLISHED.values()), found, how)


def _published_description(result: Result) -> Check:
    """All published calls are best ones in every state: losing pass, winning rush, and the rules when tied."""
    wrong = states = 0
    for toss, row in zip(result.best_call.axes["toss"], result.best_call.values, strict=True):
        for lead, best in zip(result.best_call.axes["lead"], row, strict=True):
            if best >= 0:
                states += 1
                allowed = _described(int(toss), int(lead))
                wrong += int(best != 2 and allowed != {int(best)})
    how = "states in which the calls described in the writeup of 2017-10-13 are best ones"
    return counted("the published description of best play", "published value", states, states - wrong, how)


def _described(toss: int, lead: int) -> set[int]:
    """The calls that the writeup allows after so many of 100 tosses: 0 to rush, 1 to pass."""
    if lead:
        return {1} if lead < 0 else {0}
    if toss % 4 == 0:
        return {1}
    first_called = toss % 2 == 0
    return {0, 1} if (toss > 92 and first_called) or toss == 99 else {0}


def _picks(first: str, opponent: str, n_tosses: int) -> list[Pick]:
    """For each toss how the value of a rush and that of a pass make one."""
    yours = 0 if first == "you" else 1
    return [np.maximum if toss % 2 == yours else PICKS[opponent] for toss in range(n_tosses)]


def _trees(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Every game of a few tosses as a whole tree, against each opponent, with you calling first; exact."""
    for opponent, found in result.small_answers.items():
        expected = tuple(_tree(parameters, opponent, n) for n in result.small_tosses)
        tosses = f"1 to {len(expected)} tosses" if len(expected) > 1 else "1 toss"
        how = "all sequences of calls and results; you call first; exact"
        yield same(f"{tosses} against one {HABITS[opponent]}", "brute force", expected, found, how)


def _tree(parameters: Parameters, opponent: str, n_tosses: int) -> Fraction:
    """The value by its definition: all final leads, then the mean over each toss and the pick of each call."""
    leads = np.array([0])
    for _ in range(n_tosses):
        r, p = parameters.rush_points, parameters.pass_points
        leads = leads[..., np.newaxis, np.newaxis] + np.array([[r, -r], [p, -p]])
    value = (np.sign(leads) + 1) / 2  # halves of halves are exact in floats
    for toss in reversed(range(n_tosses)):
        value = value.mean(axis=-1)
        value = (np.maximum if toss % 2 == 0 else PICKS[opponent])(value[..., 0], value[..., 1])
    return Fraction(float(value[0]))


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
    how = f"all {states:,} states (tosses, your points, the opponent's) have the chance of their lead"
    confirmed = close("points kept apart", "another algorithm", start, result.win_probability, 12, how)
    return replace(confirmed, passed=confirmed.passed and worst < 1e-12)


def _points_apart_of_a_shorter_game(parameters: Parameters, result: Result, n_tosses: int) -> Check:
    *_, (_, value) = _by_points(replace(parameters, first="you"), "optimal", n_tosses)
    name = f"points kept apart, in a game of {n_tosses} toss{'' if n_tosses == 1 else 'es'}"
    how = "states (tosses, your points, the opponent's), both playing best"
    return close(name, "another algorithm", float(value[0, 0]), float(result.first_caller_by_tosses[n_tosses]), 11, how)


def _by_points(parameters: Parameters, opponent: str, n_tosses: int) -> Iterator[tuple[int, np.ndarray]]:
    """From the last toss to the first your chance for each (your points, the opponent's), arrays of floats."""
    largest = max(parameters.rush_points, parameters.pass_points)
    size = n_tosses * largest + 1
    value = (np.sign(np.subtract.outer(np.arange(size), np.arange(size))) + 1) / 2
    for toss, pick in reversed(list(enumerate(_picks(parameters.first, opponent, n_tosses)))):
        size = toss * largest + 1
        calls = [
            (value[points : size + points, :size] + value[:size, points : size + points]) / 2
            for points in (parameters.rush_points, parameters.pass_points)
        ]
        value = pick(*calls)
        yield toss, value


def _calls(parameters: Parameters) -> tuple[Coin, Coin]:
    half = Fraction(1, 2)
    return Coin(parameters.rush_points, half), Coin(parameters.pass_points, half)


def _states_that_occur(parameters: Parameters, result: Result) -> Check:
    """The states that can occur, from the calls that whoever has the toss may make."""
    stakes = {"rush": parameters.rush_points, "pass": parameters.pass_points}
    free = {sign * points for points in stakes.values() for sign in (1, -1)}
    theirs = free if parameters.opponent == "optimal" else {sign * stakes[parameters.opponent] for sign in (1, -1)}
    yours = 0 if parameters.first == "you" else 1
    moves = [free if toss % 2 == yours else theirs for toss in range(parameters.n_tosses)]
    return states_check(moves, result.n_states, "tosses", "lead")


def _pays(leads: np.ndarray) -> np.ndarray:
    return np.asarray(np.sign(leads) + 1)


def _by_whole_rows(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Your chances in all six games, and every state of the one that the result tells of."""
    calls, n_tosses, start = _calls(parameters), parameters.n_tosses, np.array([0])
    for first, found in (("you", result.going_first), ("opponent", result.going_second)):
        chances = []
        for opponent in found:
            states = _States(parameters, result)
            shown = (first, opponent) == (parameters.first, parameters.opponent)
            for row in whole_rows(calls, _picks(first, opponent, n_tosses), _pays, shown and result.exact):
                if shown:
                    states.compare(row)
            chances.append(float(row.chances(start)[0]))
            if shown and row.exact == result.exact:
                yield from states.checks()
        name = f"{'you call' if first == 'you' else 'the opponent calls'} first, against {', '.join(found)}"
        how = "whole rows of leads, by tosses left"
        yield close(name, "another algorithm", tuple(chances), tuple(found.values()), 11, how)
        if first == parameters.first:
            answers, alone = tuple(result.answers.values()), result.win_probability
            expected = (chances[list(found).index(parameters.opponent)], *chances)
            yield close("your chance, and the three answers", "another algorithm", expected, (alone, *answers), 11, how)


class _States:
    """Every state that a result keeps, against whole rows of leads."""

    def __init__(self, parameters: Parameters, result: Result) -> None:
        calls = _calls(parameters)
        self._result = result
        self._yours = [(toss % 2 == 0) == (parameters.first == "you") for toss in range(parameters.n_tosses)]
        fixed = {"rush": 0, "pass": 1, "optimal": -1}[parameters.opponent]
        self._always = [-1 if yours else fixed for yours in self._yours]
        taken = [calls if only < 0 else calls[only : only + 1] for only in self._always]
        occurring = list(scores_that_occur(taken)) if result.is_whole else None
        self._states = StatesCompared([int(lead) for lead in result.best_call.axes["lead"]], occurring)
        self._either: list[tuple[int, int]] = []

    def compare(self, row: Row) -> None:
        """Compare the states before a toss. The result tells of calls by the caller's lead, of chances by yours."""
        toss, result = row.step, self._result
        if not row.coins or toss not in result.best_call.axes["toss"]:
            return
        turn = 1 if self._yours[toss] else -1
        best, policy = (grid.along(toss=toss).values[::turn] for grid in (result.best_call, result.policy))
        chance = result.win_probability_by_state.along(toss=toss).values
        right = self._states.compare(row, best, policy, chance, self._always[toss])
        shown = {turn * lead: call for lead, call in right.items()}
        if result.is_whole and toss in result.last_policy.axes["toss"]:
            self._states.compare_last(result.last_policy.along(toss=toss), shown)
        if self._always[toss] < 0:
            self._either += [(toss, lead) for lead, call in shown.items() if call == 2]

    def checks(self) -> Iterator[Check]:
        """What came of it."""
        yield from self._states.checks()
        result = self._result
        if result.is_whole and result.exact:
            either, needs = sorted(self._either), self._states.needs
            named = tuple(either[: len(result.indifferent)])
            how = "toss and caller's lead, by whole rows of leads; the first 500 are named"
            complete = len(result.indifferent) == min(500, len(either))
            told = result.indifferent if complete else (*result.indifferent, "and more")
            yield listed("states in which both calls are best", "another algorithm", named, told, how)
            found = (result.indifferent_states, result.undecided_states)
            how = "free calls in states that can occur and are not decided, by whole rows of leads"
            expected = (int(needs[2]), int(needs.sum()))
            yield same("how many these are, and of how many", "another algorithm", expected, found, how)
            by_toss = {toss: tuple(lead for at, lead in named if str(at) == toss) for toss in result.indifferent_leads}
            agreeing = sum(by_toss[toss] == leads for toss, leads in result.indifferent_leads.items())
            tosses, how = len({toss for toss, _ in named}), "the same states, toss by toss"
            yield counted("tosses with such states", "another algorithm", tosses, agreeing, how)


def _by_tosses(parameters: Parameters, result: Result) -> Iterator[Check]:
    """Both play best: the caller's chance by tosses left, always from the caller's side, who is the other one next."""
    most, chances = max(parameters.rush_points, parameters.pass_points), []
    far = most * (parameters.n_tosses + 1)
    caller = (np.sign(np.arange(-far, far + 1)) + 1) / 2
    for _ in range(parameters.n_tosses + 1):
        chances.append(float(caller[far]))
        after = np.concatenate([np.zeros(most), 1 - caller[::-1], np.ones(most)])
        calls = [
            (after[most + points : most + points + len(caller)] + after[most - points : most - points + len(caller)])
            / 2
            for points in (parameters.rush_points, parameters.pass_points)
        ]
        caller = np.maximum(*calls)
    near = sum(abs(one - other) < 1e-11 for one, other in zip(chances, result.first_caller_by_tosses, strict=True))
    how = f"0 to {parameters.n_tosses} tosses, always seen by the caller; agreement within $10^{{-11}}$"
    yield counted("the first caller in games of every length", "another algorithm", len(chances), near, how)
    last = [chance if tosses % 2 else 1 - chance for tosses, chance in enumerate(chances)]
    never = "never" if min(last) >= 0.5 - 1e-12 else "sometimes"
    how = f"every number of tosses up to {parameters.n_tosses}, always seen by the caller"
    found = "never" if result.last_caller_never_behind else "sometimes"
    yield same("whoever calls last is behind", "another algorithm", never, found, how)


def _limits(parameters: Parameters, result: Result) -> Check:
    """What is lacking halves when the tosses are four times as many, so that two games tell each limit."""
    opponents, limits = list(result.limits), []
    for opponent in opponents:
        chances = []
        for n_tosses in (LONG, 4 * LONG):
            for row in whole_rows(_calls(parameters), _picks("you", opponent, n_tosses), _pays):
                start = float(row.chances(np.array([0]))[0])
            chances.append(start)
        limits.append(2 * chances[1] - chances[0])
    name = f"the limits of long games: {', '.join(opponents)}"
    how = f"twice the chance with {4 * LONG} tosses less that with {LONG}"
    return close(name, "another algorithm", tuple(limits), tuple(result.limits.values()), 3, how)


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
    how = "the distribution of the lead under the rules, toss by toss"
    return close("the summary in words, followed", "another algorithm", expected, result.win_probability, 10, how)


def _summary_in_every_state(parameters: Parameters, result: Result) -> Check:
    """The states in which the rules make a call that is not best."""
    summary, best = result.summary, result.best_call
    assert summary is not None
    leads = np.array(best.axes["lead"])
    mistakes = states = 0
    for toss in range(parameters.n_tosses):
        yours = (toss % 2 == 0) == (parameters.first == "you")
        if not yours and parameters.opponent != "optimal":
            continue
        rules = (summary.losing, summary.tied, summary.winning)
        calls = [("rush", "pass").index(rule.calls[toss]) for rule in rules]
        row = best.along(toss=toss).values
        mistakes += int((row == 1 - np.choose(np.sign(leads) + 1, calls)).sum())
        states += int((row >= 0).sum())
    how = "the calls that the rules make, looked up in the map of best calls"
    found = (summary.mistakes, summary.states)
    return same("mistakes of the summary, and states", "brute force", (mistakes, states), found, how)
