"""Coinball: against the published figures, a plain dictionary over (tosses, points, points), and laws."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.contract import Grid
from solvers import coinball
from solvers.coinball import Result, solve
from solvers.coinball.checks import CALLS, _rules
from solvers.coinball.summary import Summary
from tests.support.solvers_checked import complete, figures, outcomes

HALF = Fraction(1, 2)
Parameters = Mapping[str, Any]
ODD_SETTINGS: tuple[Any, ...] = (  # every day the small ones
    {"n_tosses": 1},
    {"n_tosses": 1, "opponent": "rush", "first": "opponent", "rush_points": 0},
    {"n_tosses": 2, "opponent": "pass"},
    {"rush_points": 7, "pass_points": 4, "n_tosses": 19},
    {"n_tosses": 12, "pass_points": 1000},
    *(
        pytest.param(wish, marks=pytest.mark.deep)
        for wish in (
            {"n_tosses": 99, "first": "opponent"},
            {"opponent": "rush"},
            {"opponent": "pass", "first": "opponent"},
            {"rush_points": 2},
            {"rush_points": 0},
            {"pass_points": 3},
            {"n_tosses": 131, "opponent": "pass"},
        )
    ),
)


class Plain:
    """The puzzle from its rules: a value for each (tosses, your points, the opponent's), in a dictionary."""

    def __init__(self, **parameters: Any) -> None:
        self.parameters = complete(coinball, **parameters)
        self.points = {"rush": self.parameters["rush_points"], "pass": self.parameters["pass_points"]}
        self.known: dict[tuple[int, int, int], tuple[Fraction, dict[str, Fraction]]] = {}
        self.answer = self.value(0, 0, 0)

    def yours(self, toss: int) -> bool:
        return (toss % 2 == 0) == (self.parameters["first"] == "you")

    def value(self, toss: int, mine: int, theirs: int) -> Fraction:
        if toss == self.parameters["n_tosses"]:
            return Fraction(1) if mine > theirs else Fraction(0) if mine < theirs else HALF
        if (toss, mine, theirs) not in self.known:
            calls = {
                call: HALF * (self.value(toss + 1, mine + p, theirs) + self.value(toss + 1, mine, theirs + p))
                for call, p in self.allowed(toss).items()
            }
            pick = max if self.yours(toss) else min
            self.known[toss, mine, theirs] = pick(calls.values()), calls
        return self.known[toss, mine, theirs][0]

    def allowed(self, toss: int) -> dict[str, int]:
        opponent = self.parameters["opponent"]
        if self.yours(toss) or opponent == "optimal":
            return self.points
        return {opponent: self.points[opponent]}

    def best(self) -> Iterator[tuple[int, int, Fraction, set[str]]]:
        """Toss, lead of the caller, your chance and the caller's best calls, for all states that a play can reach."""
        for (toss, mine, theirs), (value, calls) in self.known.items():
            lead = mine - theirs if self.yours(toss) else theirs - mine
            yield toss, lead, value, {call for call, found in calls.items() if found == value}


@cache
def published(opponent: str = "optimal", first: str = "you") -> Result:
    return solve(opponent=opponent, first=first)  # type: ignore[arg-type]


small_games = st.fixed_dictionaries(
    {
        "n_tosses": st.integers(1, 8),
        "rush_points": st.integers(0, 4),
        "pass_points": st.integers(1, 5),
        "opponent": st.sampled_from(["rush", "pass", "optimal"]),
        "first": st.sampled_from(["you", "opponent"]),
    }
)

CODES = {frozenset({"rush"}): 0, frozenset({"pass"}): 1, frozenset({"rush", "pass"}): 2}


@pytest.mark.parametrize(
    ("opponent", "chance"),
    # The writeup of 2017-10-13, to twelve digits, for the first player.
    [("rush", "0.601766458853"), ("pass", "0.558341814467"), ("optimal", "0.489818590457")],
)
def test_the_three_answers_are_the_published_ones(opponent: str, chance: str) -> None:
    for result in (published(), published(opponent)):
        assert f"{float(result.going_first[opponent]):.12f}" == chance
    assert published(opponent).win_probability == published().going_first[opponent]


def test_the_answers_are_exact_over_a_power_of_two() -> None:
    for chance in published().going_first.values():
        assert isinstance(chance, Fraction)
        # A hundred fair tosses, and halves for draws.
        assert 2**101 % chance.denominator == 0


def test_going_second_is_better_against_best_play() -> None:
    result = published()

    assert result.going_first["optimal"] < HALF < result.going_second["optimal"]
    assert published("optimal", "opponent").win_probability == 1 - result.win_probability


def described(toss: int, n_tosses: int, lead: int) -> set[str]:
    """The calls that the writeup of 2017-10-13 allows: the caller's, by tosses made and the caller's lead."""
    if lead:
        return {"pass"} if lead < 0 else {"rush"}
    if toss % 4 == 0:
        return {"pass"}
    if (toss > 92 and toss % 2 == 0) or toss == n_tosses - 1:
        return {"rush", "pass"}
    return {"rush"}


def test_the_published_description_is_among_the_best_calls_in_every_state() -> None:
    best_call = published().best_call
    seen = 0

    for toss, lead in product(range(100), range(-200, 201)):
        code = best_call.at(toss=toss, lead=lead)
        if code >= 0:
            seen += 1
            best = {0: {"rush"}, 1: {"pass"}, 2: {"rush", "pass"}}[code]
            assert described(toss, 100, lead) <= best
    # Every lead from -2t to 2t except 0 after one toss, where each call moves the lead: 1 + sum(4t + 1) - 1.
    assert seen == sum(4 * toss + 1 for toss in range(100)) - 1


def test_the_indifferent_states_are_the_exact_set() -> None:
    # By hand in the end: with one toss left a tie is even under both calls. Known beyond the writeup of 2017-10-13:
    # ties after 92 and 96, and (91, -1). The whole set by a recursion over (tosses left, lead) in whole numbers.
    result = published()
    tied = {toss for toss, lead in result.indifferent if lead == 0}

    assert tied == {92, 94, 96, 98, 99}
    assert (91, -1) in result.indifferent
    assert len(result.indifferent) == len(set(result.indifferent))
    assert set(result.indifferent) == set(free_calls(100))


def free_calls(n_tosses: int) -> Iterator[tuple[int, int]]:
    """Tosses made and the caller's lead where rush (1) and pass (2) are equally good, undecided, and can occur."""
    # The caller's wins in twice as many units as there are sequences of the tosses left; a draw counts one unit.
    wins = {lead: (lead > 0) - (lead < 0) + 1 for lead in range(-2 * n_tosses, 2 * n_tosses + 1)}
    for toss in reversed(range(n_tosses)):
        sure, before, reach = 2 ** (n_tosses - toss + 1), {}, range(-2 * toss, 2 * toss + 1)
        for lead in reach:
            # After the call the next caller is the other player, who sees the lead with its sign turned.
            last = toss == n_tosses - 1
            rush, pass_ = (
                sum(wins[lead + step] if last else sure // 2 - wins[-lead - step] for step in (points, -points))
                for points in (1, 2)
            )
            before[lead] = max(rush, pass_)
            if rush == pass_ and 0 < rush < sure and (toss, lead) != (1, 0):
                yield toss, lead
        wins = before


@given(parameters=small_games)
def test_any_small_game_agrees_with_points_kept_apart(parameters: Parameters) -> None:
    plain = Plain(**parameters)

    result = solve(**parameters)

    assert result.win_probability == plain.answer
    for (toss, mine, theirs), (value, _) in plain.known.items():
        assert result.win_probability_by_state.at(toss=toss, lead=mine - theirs) == float(value)
    for toss, lead, value, best in plain.best():
        won_or_lost = {1: 3, 0: 4} if plain.yours(toss) else {0: 3, 1: 4}
        code = CODES[frozenset(best)]
        assert result.best_call.at(toss=toss, lead=lead) == code
        assert result.policy.at(toss=toss, lead=lead) == won_or_lost.get(value, code)


@given(parameters=small_games)
def test_the_states_of_the_free_calls_are_listed(parameters: Parameters) -> None:
    plain = Plain(**parameters)
    free = [s for s in set(map(freeze, plain.best())) if plain.yours(s[0]) or parameters["opponent"] == "optimal"]
    undecided = [(toss, lead, best) for toss, lead, value, best in free if 0 < value < 1]

    result = solve(**parameters)

    assert set(result.indifferent) == {(toss, lead) for toss, lead, best in undecided if len(best) == 2}


def freeze(state: tuple[int, int, Fraction, set[str]]) -> tuple[int, int, Fraction, frozenset[str]]:
    return (*state[:3], frozenset(state[3]))


@given(parameters=small_games)
def test_all_answers_agree_with_plain_solutions(parameters: Parameters) -> None:
    result = solve(**parameters)

    for opponent in ("rush", "pass", "optimal"):
        first, second = (
            Plain(**{**parameters, "opponent": opponent, "first": who}).answer for who in ("you", "opponent")
        )
        assert (result.going_first[opponent], result.going_second[opponent]) == (first, second)


@given(parameters=small_games)
def test_shorter_games_agree_with_plain_solutions(parameters: Parameters) -> None:
    result = solve(**parameters)

    for n_tosses in range(1, parameters["n_tosses"] + 1):
        shorter = {**parameters, "n_tosses": n_tosses, "first": "you", "opponent": "optimal"}
        assert result.first_caller_by_tosses[n_tosses] == pytest.approx(float(Plain(**shorter).answer), abs=1e-12)


@given(parameters=small_games)
def test_an_opponent_who_plays_best_is_the_hardest(parameters: Parameters) -> None:
    for answers in (solve(**parameters).going_first, solve(**parameters).going_second):
        assert answers["optimal"] <= min(answers["rush"], answers["pass"])


@given(parameters=small_games)
def test_exchanging_the_calls_exchanges_their_names(parameters: Parameters) -> None:
    points = max(1, parameters["rush_points"]), parameters["pass_points"]
    both = [
        {**parameters, "opponent": "optimal", "rush_points": rush, "pass_points": passing}
        for rush, passing in (points, points[::-1])
    ]
    result, swapped = (solve(**each) for each in both)

    assert swapped.win_probability == result.win_probability
    np.testing.assert_array_equal(swapped.best_call.values == 0, result.best_call.values == 1)


def test_equal_calls_make_the_game_even() -> None:
    result = solve(rush_points=3, pass_points=3)

    assert set(result.going_first.values()) | set(result.going_second.values()) == {HALF}
    assert words_of(result.summary) == ["either call", "either call", "either call"]


def test_with_two_tosses_or_more_the_player_with_the_last_call_is_ahead() -> None:
    result = published()
    chances = result.first_caller_by_tosses

    assert result.last_caller_ahead
    assert (chances[3::2] > 0.5).all()
    assert (chances[2::2] < 0.5).all()


@pytest.mark.parametrize("opponent", ["rush", "pass"])
def test_longer_games_come_near_their_limit(opponent: str) -> None:
    short, long = (solve(n_tosses=n) for n in (100, 400))

    # Four times the tosses double the spread, against which a point in hand is worth half as much.
    gaps = [abs(float(r.going_second[opponent]) - r.limits[opponent]) for r in (short, long)]

    assert gaps[1] < 0.6 * gaps[0] < 0.6 * 0.02


@given(parameters=small_games)
def test_a_summary_is_judged_by_every_state(parameters: Parameters) -> None:
    summary = solve(**parameters).summary
    plain = Plain(**parameters)
    n_tosses = parameters["n_tosses"]
    calls = {
        words: [CALLS[each] for each in made]
        for _, names, rows in _rules(range(n_tosses, 0, -1))
        for words, made in zip(names, rows, strict=True)
    }
    calls["either call"] = ["rush"] * n_tosses
    wrong, states = set(), set()

    for toss, lead, _, best in plain.best():
        if plain.yours(toss) or parameters["opponent"] == "optimal":
            states.add((toss, lead))
            rule = summary.losing if lead < 0 else summary.winning if lead > 0 else summary.tied
            if calls[rule.in_words][toss] not in best:
                wrong.add((toss, lead))

    assert (summary.mistakes, summary.states) == (len(wrong), len(states))
    assert summary.fits == (not wrong)


def words_of(summary: Summary) -> list[str]:
    """The rules when losing, winning and tied."""
    return [rule.in_words for rule in (summary.losing, summary.winning, summary.tied)]


def test_the_summary_of_the_published_game_is_derived() -> None:
    summary = published().summary

    assert summary.fits
    assert words_of(summary) == ["pass", "rush", "pass if the number of tosses left is divisible by 4, else rush"]


@pytest.mark.parametrize("n_tosses", [97, 98, 99])
def test_with_other_numbers_of_tosses_the_same_summary_fits(n_tosses: int) -> None:
    # The end of the game rules: what counts when tied are the tosses left, by fours.
    summary = solve(n_tosses=n_tosses).summary

    assert summary.fits
    assert words_of(summary) == words_of(published().summary)


@cache
def last_callers(left: int, lead: int, rush: int = 1, pass_: int = 2) -> int:
    """The wins of the player with the last call, who calls with an odd number left; a draw is one, a win two."""
    if left == 0:
        return (lead > 0) - (lead < 0) + 1
    means = [
        last_callers(left - 1, lead + v, rush, pass_) + last_callers(left - 1, lead - v, rush, pass_)
        for v in (rush, pass_)
    ]
    return max(means) if left % 2 else min(means)


def best_in_a_tie(left: int, rush: int, pass_: int) -> str:
    """R, P or = for the caller of a tie."""
    rushed, passed = (
        last_callers(left - 1, v, rush, pass_) + last_callers(left - 1, -v, rush, pass_) for v in (rush, pass_)
    )
    return "=" if rushed == passed else "R" if (rushed > passed) == (left % 2 == 1) else "P"


@pytest.mark.parametrize("stakes", [(1, 2), (2, 4), (2, 3), (3, 4)])
def test_with_near_stakes_of_different_parity_a_tie_is_passed_by_fours(stakes: tuple[int, int]) -> None:
    # The two reasons of the post, by brute force over leads: parity is stronger.
    calls = "".join(best_in_a_tie(left, *stakes) for left in range(1, 101))

    assert all(call == "RRRP"[(left - 1) % 4] for left, call in enumerate(calls, 1) if left > 16)
    assert all(call in ("RRRP"[(left - 1) % 4], "=") for left, call in enumerate(calls, 1))


@pytest.mark.parametrize("stakes", [(1, 3), (3, 5), (1, 4), (2, 5), (1, 6)])
def test_with_odd_or_far_stakes_a_tie_is_passed_by_twos(stakes: tuple[int, int]) -> None:
    # The two reasons of the post: without parity, or with large steps, the first one is stronger.
    calls = "".join(best_in_a_tie(left, *stakes) for left in range(1, 101))

    assert all(call == "RP"[(left - 1) % 2] for left, call in enumerate(calls, 1) if left > 18)


def test_the_last_caller_is_ahead_in_every_tie_of_two_tosses_or_more() -> None:
    # The first reason of the post.
    assert all(last_callers(left, 0) > 2**left for left in range(2, 101))


def test_with_all_stakes_doubled_the_game_is_the_same() -> None:
    for left in range(30):
        for lead in range(-12, 13):
            assert last_callers(left, 2 * lead, 2, 4) == last_callers(left, lead)


@pytest.mark.parametrize("rushes", range(1, 9))
@pytest.mark.parametrize("passes", range(4))
def test_the_points_that_go_together_are_given_by_the_parity_of_the_rushes(rushes: int, passes: int) -> None:
    # The second reason of the post, by brute force: D(l) is the share of walks from l that end at 0 or 1.
    ends = [sum(steps) for steps in product(*[(-1, 1)] * rushes, *[(-2, 2)] * passes)]
    worth = {lead: sum(lead + end in (0, 1) for end in ends) for lead in (-2, -1, 0, 1, 2, 3)}

    if rushes % 2:
        assert (worth[1], worth[0]) == (worth[2], worth[-1])
    else:
        assert (worth[2], worth[-1]) == (worth[3], worth[-2])


def test_three_tosses_are_worked_out_one_at_a_time() -> None:
    # By hand; both players best, the first one has the last call.
    labels = [label for label, _ in figures(coinball, solve(n_tosses=3), n_tosses=3)["by_hand"].frames]

    assert labels[1:] == [
        "1 toss left, your call. 1 ahead, a rush gives you 3/4, a pass 1/2: rush. 1 behind, a rush gives you 1/4, a "
        "pass 1/2: pass.",
        # No game is tied after its first toss.
        "2 tosses left, the opponent's call. 2 ahead, a rush gives you 7/8, a pass 3/4: pass. 1 ahead, you have 3/4 "
        "either way.",
        "3 tosses left, your call. At a tie, a rush gives you (3/4 + 3/8) / 2 = 9/16, a pass (3/4 + "
        "1/4) / 2 = 1/2: rush.",
    ]


@pytest.mark.parametrize("wish", [{}, {"first": "opponent"}, {"pass_points": 3}], ids=str)
def test_the_steps_by_hand_have_the_chances_of_plain_solutions(wish: dict[str, Any]) -> None:
    wish = {"n_tosses": 4, **wish}
    plain = Plain(**wish)
    last = figures(coinball, solve(**wish), **wish)["by_hand"].frames[-1][1]
    leads: Any = last.grid.axes["lead"]

    seen = set()
    for (toss, mine, theirs), (value, _) in plain.known.items():
        if mine - theirs not in leads:
            continue
        assert last.grid.at(tosses_left=4 - toss, lead=mine - theirs) == value
        assert last.drawn[4 - toss, leads.index(mine - theirs)]
        seen.add((toss, mine - theirs))
    assert last.drawn[1:].sum() == len(seen)


def test_no_summary_of_the_family_fits_when_a_pass_is_worth_three() -> None:
    summary = solve(pass_points=3).summary

    assert not summary.fits
    assert summary.mistakes == summary.losing.mistakes + summary.tied.mistakes + summary.winning.mistakes > 0


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"rush_points": 0, "pass_points": 0}, "at least one call must be worth something"),
        ({"pass_points": 50}, "must be at most 400000"),
        ({"n_tosses": 401}, "less than or equal to 400"),
        ({"n_tosses": 0}, "greater than or equal to 1"),
        ({"rush_points": -1}, "greater than or equal to 0"),
        ({"opponent": "asleep"}, "'rush', 'pass' or 'optimal'"),
        ({"first": "nobody"}, "'you' or 'opponent'"),
    ],
)
def test_impossible_parameters_are_refused(wish: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        complete(coinball, **wish)


@pytest.mark.parametrize("wish", [{}, *ODD_SETTINGS], ids=str)
def test_every_figure_can_be_made_at_odd_parameters(wish: dict[str, Any]) -> None:
    pictures = figures(coinball, solve(**wish), **wish)

    assert set(pictures) == {"picture", "policy", "win_probability", "by_hand", "by_tosses", "indifferent"}
    is_short = wish.get("n_tosses", 100) <= 6
    assert (pictures.pop("by_hand") is None) == (not is_short or "opponent" in wish)
    assert all(picture.title and picture.caption.endswith(".") for picture in pictures.values())
    for name in ("policy", "win_probability"):
        grid = pictures[name].grid  # type: ignore[union-attr]
        assert 1 <= grid.values.size <= 300_000
        leads: Any = grid.axes["lead"]
        assert leads[0] == -leads[-1]
        assert 0 in leads


@pytest.mark.parametrize(
    "wish", [{}, {"first": "opponent"}, {"opponent": "rush"}, {"opponent": "pass", "pass_points": 3}], ids=str
)
def test_the_policy_maps_say_what_the_wrong_call_costs_its_caller(wish: dict[str, Any]) -> None:
    parameters = {"n_tosses": 9, **wish}
    plain = Plain(**parameters)
    pictures = figures(coinball, solve(**parameters), **parameters)
    policy = pictures["policy"]

    seen = 0
    for (toss, mine, theirs), (value, calls) in plain.known.items():
        lead = mine - theirs if plain.yours(toss) else theirs - mine
        if lead not in policy.grid.axes["lead"]:
            continue
        for call, found in calls.items():
            place = {"tosses_left": 9 - toss, "lead": lead}
            cost = policy.costs[call].at(**place)
            callers = value if plain.yours(toss) else 1 - value
            assert policy.value.at(**place) == pytest.approx(float(callers), abs=1e-12)
            if len(calls) == 1:
                assert np.isnan(cost)
                continue
            # 1e-9 points: rounding of floats
            assert cost == pytest.approx(float(100 * abs(value - found)), abs=1e-9)
            assert (cost == 0) == (found == value)
            seen += cost > 0
    assert seen > 30
    assert policy.cost_unit == "percentage points"


def test_captions_follow_the_result() -> None:
    captions = {name: figure.caption for name, figure in figures(coinball, published()).items() if figure}
    second = figures(coinball, published("rush", "opponent"), opponent="rush", first="opponent")

    # Published: 0.4898.
    assert "48.98% before the first toss, which you call" in captions["win_probability"]
    assert "The first column, the third and so on are yours; an empty square cannot occur." in captions["policy"]
    assert "The first column, the third and so on are the opponent's; an empty square" in second["policy"].caption
    assert "an opponent who always rushes" in second["win_probability"].caption
    assert "before the first toss, which the opponent calls" in second["win_probability"].caption


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({}, f"equally good in {len(set(free_calls(100)))} states that are"),
        ({"n_tosses": 1}, "in 1 state that is"),
        ({"n_tosses": 1, "opponent": "rush", "first": "opponent"}, "in 0 states that are"),
    ],
)
def test_a_caption_says_how_many_calls_are_free(wish: dict[str, Any], said: str) -> None:
    pictures = figures(coinball, solve(**wish), **wish)

    assert said in pictures["indifferent"].caption
    assert ("Grey: both calls are equally good." in pictures["policy"].caption) == ("0 states" not in said)


@pytest.mark.parametrize("wish", [{}, pytest.param({"n_tosses": 257}, marks=pytest.mark.deep), *ODD_SETTINGS], ids=str)
def test_every_check_passes_and_the_chance_of_winning_is_confirmed(wish: dict[str, Any]) -> None:
    found = outcomes(coinball, solve(**wish), **wish)

    assert [(each.check, each.difference) for each in found if not each.passed] == []
    assert "win_probability" in {each.field for each in found if each.confirms}


@pytest.mark.parametrize("wish", [{}, {"n_tosses": 7, "opponent": "pass", "pass_points": 3}], ids=str)
def test_every_field_is_confirmed(wish: dict[str, Any]) -> None:
    result = solve(**wish)

    confirmed = {each.field.partition(".")[0] for each in outcomes(coinball, result, **wish) if each.confirms}

    assert confirmed == set(vars(result))


def swapped() -> Result:
    """The published game with a rush for a pass and a pass for a rush."""
    return solve(rush_points=2, pass_points=1)


def only_rush_when_tied_after(toss: int) -> Grid:
    """The best calls of the published game, but for a tie in which the writeup allows both."""
    calls = published().best_call
    changed = calls.values.copy()
    changed[toss, list(calls.axes["lead"]).index(0)] = 0
    return Grid(changed, calls.axes)


@pytest.mark.parametrize(
    ("change", "caught_by"),
    [
        ({"going_first": published().going_first | {"rush": Fraction(6, 10)}}, "check_whole_rows"),
        ({"going_first": published().going_second}, "check_whole_rows"),
        ({"best_call": solve(rush_points=2, pass_points=1).best_call}, "check_published_description"),
        ({"best_call": only_rush_when_tied_after(94)}, "check_published_description"),
        ({"best_call": only_rush_when_tied_after(94)}, "check_exact_rows"),
        ({"win_probability": Fraction(52, 100)}, "check_whole_rows"),
        ({"first_caller_by_tosses": 1 - published().first_caller_by_tosses}, "check_callers_side"),
        ({"last_caller_ahead": False}, "check_callers_side"),
        ({"win_probability_by_state": solve(first="opponent").win_probability_by_state}, "check_points_apart"),
        ({"indifferent": published().indifferent[1:]}, "check_exact_rows"),
        ({"policy": published().best_call}, "check_exact_rows"),
        ({"cost": solve(rush_points=2, pass_points=1).cost}, "check_exact_rows"),
        ({"limits": {"rush": 0.6, "pass": 0.6, "optimal": 0.5}}, "check_limits"),
        ({"summary": swapped().summary}, "check_every_rule"),
    ],
)
def test_a_wrong_result_is_caught(change: dict[str, Any], caught_by: str) -> None:
    # The copy of a result with one answer changed, as a fault in the solution would change it.
    found = outcomes(coinball, replace(published(), **change), only=caught_by)

    assert {each.field.partition(".")[0] for each in found if not each.passed} >= set(change)


# The leads at the end


@pytest.mark.parametrize("opponent", ["rush", "pass", "optimal"])
@pytest.mark.parametrize("first", ["you", "opponent"])
@pytest.mark.parametrize(("rush", "pass_"), [(1, 2), (1, 3), (0, 1), (2, 1)])
def test_the_leads_at_the_end_are_those_of_every_line_of_play(opponent: str, first: str, rush: int, pass_: int) -> None:
    tosses, points = 5, (rush, pass_)
    result = solve(n_tosses=tosses, rush_points=rush, pass_points=pass_, opponent=opponent, first=first)

    def chance(toss: int, lead: int) -> Fraction:
        if toss == tosses:
            return Fraction((lead > 0) - (lead < 0) + 1, 2)
        return worth(toss, lead, call_of(toss, lead))

    def worth(toss: int, lead: int, call: int) -> Fraction:
        return (chance(toss + 1, lead + points[call]) + chance(toss + 1, lead - points[call])) / 2

    def call_of(toss: int, lead: int) -> int:
        """The call that is made: of two that are as good, the rush."""
        is_mine = (toss % 2 == 0) == (first == "you")
        if not is_mine and opponent != "optimal":
            return ("rush", "pass").index(opponent)
        sign = 1 if is_mine else -1
        return int(sign * worth(toss, lead, 1) > sign * worth(toss, lead, 0))

    ends: dict[int, Fraction] = {}
    for coins in product((1, -1), repeat=tosses):
        lead = 0
        for toss, coin in enumerate(coins):
            lead += coin * points[call_of(toss, lead)]
        ends[lead] = ends.get(lead, Fraction(0)) + Fraction(1, 2**tosses)
    found = dict(zip(result.final_leads.axes["lead"], result.final_leads.values, strict=True))
    assert {lead: share for lead, share in found.items() if share} == {lead: float(s) for lead, s in ends.items()}
    for name, sign in (("won", 1), ("lost", -1)):
        some = {sign * lead: share for lead, share in ends.items() if sign * lead > 0}
        mean = sum(lead * share for lead, share in some.items()) / sum(some.values()) if some else 0
        assert result.margins[name] == pytest.approx(float(mean), rel=1e-12)


def test_large_losses_and_small_wins_against_one_who_always_rushes() -> None:
    # A reader's own program, with a rush where both calls are as good: wins by 8.51 on average, losses by 13.03.
    assert solve(opponent="rush").margins == pytest.approx({"won": 8.51, "lost": 13.03}, abs=0.005)
