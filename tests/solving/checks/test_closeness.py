"""How closely checks confirm a field, and which of them confirm nothing.

Two standard errors of n games won with chance p are 2 sqrt(p (1 - p) / n): Feller, vol. I, ch. VI, sect. 4.
"""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import inf

import numpy as np
import pytest

from site_builder.contract import Grid, at_least, at_most, close, one_of, simulated
from site_builder.solving.checks.answers import comparisons
from site_builder.solving.checks.description import CheckDescription
from site_builder.solving.checks.outcomes import judge, read_outcomes
from site_builder.values.packing import pack

CHANCE = Fraction(5, 18)  # what the solver of two dice finds where 15/36 is right


def outcomes(*answers, found=CHANCE, shared=()):
    """The outcomes of checks that return these answers for one field."""
    raw = [
        replace(each, check=f"check_{number}")
        for number, answer in enumerate(answers)
        for each in comparisons("chance", answer, found)
    ]
    return read_outcomes(judge(pack((raw, {})), {name: CheckDescription(name, shared=("solve",)) for name in shared}))


def closeness(answer, found=CHANCE):
    (outcome,) = outcomes(answer, found=found)
    assert outcome.passed, outcome.difference
    return outcome.closeness


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (CHANCE, "exactly"),
        (float(CHANCE), "to 1e-09 of the value"),
        (close(float(CHANCE), absolute=1e-9), "to ±1e-09"),
        (close(float(CHANCE), relative=0.01), "to 0.01 of the value"),
        (simulated(0.279, 20_000), "to ±0.6 points by 20,000 games"),  # 2 sqrt(0.2778 * 0.7222 / 20,000) = 0.0063
        (simulated(0.279, 2_100), "to ±2 points by 2,100 games"),  # 0.0195
        (one_of(CHANCE, Fraction(29, 100)), "to ±0.012"),  # 0.29 - 5/18 = 0.0122
        (one_of(CHANCE, CHANCE), "exactly"),
    ],
)
def test_a_close_comparison_confirms_and_says_how_closely(answer, text):
    found = closeness(answer)

    assert (found.confirms, found.text) == (True, text)


@pytest.mark.parametrize(
    ("answer", "text", "cure"),
    [
        # 2 sqrt(0.2778 * 0.7222 / 100) = 0.0896; for 0.02 it takes 4 * 0.2778 * 0.7222 / 0.0004 = 2,006.2 games
        (simulated(0.29, 100), "to ±9 points by 100 games", "play 2,007 games or more, for ±2 points"),
        (simulated(0.39, 100), "to ±11.2 points by 100 games", "play 2,007 games or more, for ±2 points"),
        (close(0.41, absolute=0.2), "to ±0.2", "compare it to ±0.02 or closer"),
        (close(0.41, relative=0.4), "to 0.4 of the value", "compare it to 0.02 of the value or closer"),
        (one_of(CHANCE, 0), "to ±0.28", "compare it to ±0.02 or closer"),
        (at_most(0.41), "on one side only", "bound it on the other side, too"),
        (at_least(0.2), "on one side only", "bound it on the other side, too"),
    ],
)
def test_a_loose_comparison_confirms_nothing_and_says_what_would(answer, text, cure):
    found = closeness(answer)

    assert (found.confirms, found.text) == (False, text)
    assert found.cure.startswith(cure)


@pytest.mark.parametrize("value", [True, (1, True), np.array([True, False]), "A", None, ()])
def test_values_that_are_no_numbers_are_confirmed_exactly(value):
    assert closeness(value, value).text == "exactly"


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (one_of("HTT", "THH"), "HTT"),
        (one_of((0, 57), (57, 0)), (57, 0)),
        (one_of([0, 1, 2, 3], [1, 1, 2, 2]), [0, 1, 2, 3]),  # two of four moves in two states
        (one_of(np.array([-1, 0, 1, 2]), np.array([-1, 2, 2, 0])), np.array([-1, 0, 1, 2])),
    ],
)
def test_labels_of_which_several_are_right_are_confirmed_exactly(answer, found):
    assert closeness(answer, found).text == "exactly"


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (one_of(True, False), True),
        (one_of(*range(100)), 41),
        (one_of(*range(100)), Fraction(41)),
        (one_of([0, 0, 0], [1, 1, 1]), [0, 1, 0]),
        (one_of(["rush"] * 3, ["pass"] * 3), ["rush", "pass", "pass"]),
        (one_of([x / 10 for x in range(9)], [1.0] * 9), [x / 10 for x in range(9)]),
        (one_of(range(30), [1] * 30), range(30)),  # counts, of which too many differ for labels
    ],
)
def test_several_right_values_that_most_values_are_confirm_nothing(answer, found):
    assert not closeness(answer, found).confirms


def test_a_cell_of_a_policy_may_have_several_right_moves_of_those_that_occur():
    policy = np.array([[0, 1], [2, 3]])

    assert closeness({(0, 1): one_of(1, 2)}, policy).text == "exactly"
    assert not closeness({(0, 1): one_of(1, 2, 3)}, policy).confirms


def test_the_coordinates_of_a_policy_are_no_moves_of_which_some_are_right():
    def policy(*moves):
        return Grid(np.array(moves), {"lead": range(len(moves))})

    two_of_four = one_of(policy(*[0] * 20, 2, 3), policy(*[1] * 20, 2, 3))

    assert not closeness(one_of(policy(0, 0, 0), policy(1, 1, 1)), policy(0, 1, 1)).confirms
    assert closeness(two_of_four, policy(*[0, 1] * 10, 2, 3)).text == "exactly"


def test_the_loosest_entry_counts():
    assert closeness([1, close(CHANCE, absolute=1e-6)], (1, CHANCE)).text == "to ±1e-06"
    assert not closeness(close([100, 0.41], absolute=1), (100.5, CHANCE)).confirms  # 1 is within 2 % of 100 alone
    assert closeness(close(100, absolute=1), 100.5).confirms


def test_the_loosest_entry_of_an_array_is_a_finite_one():
    assert closeness(close(np.array([np.inf, 0.41]), absolute=1e-6), np.array([np.inf, 0.41])).text == "to ±1e-06"
    assert not closeness(close(np.array([np.inf, 0.41]), absolute=0.2), np.array([np.inf, 0.41])).confirms


def test_games_that_are_always_won_leave_a_chance_of_three_in_all_games():
    # With no loss in n games, the chance of one is below 3 / n with 95 %: the rule of three.
    assert closeness(simulated(1.0, 1_000), 1.0).text == "to ±0.3 points by 1,000 games"
    assert not closeness(simulated(1.0, 100), 1.0).confirms


def test_the_mean_of_games_with_a_deviation_of_their_own_is_no_chance():
    # 2 * 5 / sqrt(10,000) = 0.1; at 2 it would be as much as 5 %
    assert closeness(simulated(12.05, 10_000, deviation=5), 12.0).text == "to ±0.1 by 10,000 games"
    assert not closeness(simulated(2.05, 10_000, deviation=5), 2.0).confirms


def test_two_bounds_of_one_value_confirm_it_to_half_of_their_gap():
    def texts(low, high):
        return [each.closeness.text for each in outcomes(at_least(low), at_most(high)) if each.confirms]

    assert texts(0.27, 0.29) == ["to ±0.01"] * 2
    assert texts(CHANCE, CHANCE) == ["exactly"] * 2
    assert [each.confirms for each in outcomes(at_least(inf), at_most(inf), found=inf)] == [True] * 2


@pytest.mark.parametrize(
    ("low", "high", "shared"),
    [(0, 1, ()), (0.2, 0.3, ()), (0.28, 0.29, ()), (0.27, 0.29, ("check_1",))],
    ids=["far apart", "not close", "one fails", "one shares code"],
)
def test_bounds_that_are_far_apart_or_fail_or_share_code_confirm_nothing(low, high, shared):
    assert not any(each.confirms for each in outcomes(at_least(low), at_most(high), shared=shared))


def test_bounds_of_other_cells_are_no_pair():
    pair = outcomes(at_least({0: 0.24}), at_most({1: 0.76}), found=(0.25, 0.75))

    assert not any(each.confirms for each in pair)


def test_bounds_of_other_cells_with_the_same_value_are_no_pair():
    pair = outcomes(at_least({0: 0.25}), at_most({1: 0.25}), found=(0.25, 0.25))

    assert not any(each.confirms for each in pair)
    assert all(each.confirms for each in outcomes(at_least({1: 0.25}), at_most({1: 0.25}), found=(0.25, 0.25)))


def test_bounds_stand_on_the_fields_that_the_check_on_the_other_side_took():
    raw = [
        replace(each, check=f"check_{side}")
        for side, answer in (("low", at_least(0.27)), ("high", at_most(0.28)), ("higher", at_most(0.29)))
        for each in comparisons("chance", answer, CHANCE)
    ]
    about = {"check_high": CheckDescription("high", takes=("policy",))}

    given = {each.check: (each.given, each.closeness.text) for each in read_outcomes(judge(pack((raw[:2], {})), about))}
    assert given == {"check_low": (("policy",), "to ±0.005"), "check_high": (("policy",), "to ±0.005")}
    found = {each.check: (each.given, each.closeness.text) for each in read_outcomes(judge(pack((raw, {})), about))}
    assert found["check_low"] == ((), "to ±0.01")  # with the bound that stands on nothing


def test_texts_beside_bounded_numbers_are_compared():
    pair = outcomes(at_least([0.24, "A"]), at_most([0.26, "A"]), found=(0.25, "A"))

    assert [each.closeness.text for each in pair] == ["to ±0.01"] * 2
    assert not any(each.passed for each in outcomes(at_least(["A"]), at_most(["A"]), found=("B",)))


@pytest.mark.parametrize("found", [Fraction(6, 10), Fraction(3, 5) - 1])
def test_exact_numbers_that_differ_by_the_tolerance_as_it_is_written_agree(found):
    assert outcomes(close(found + Fraction(3, 10), absolute=0.3), found=found)[0].passed  # float 0.3 is below 3/10
    assert outcomes(close(found / Fraction(7, 10), relative=0.3), found=found)[0].passed


HUGE = 10**400  # beyond all floats


@pytest.mark.parametrize(
    ("answers", "text"),
    [
        ([close(HUGE, absolute=1)], "to ±1"),
        ([close(HUGE + 10**390, relative=1e-9)], "to 1e-09 of the value"),
        ([close(Fraction(3 * HUGE + 1, 3), absolute=0.5)], "to ±0.5"),
        ([one_of(HUGE, HUGE + 1)], "to ±1"),
        ([at_least(HUGE - 1), at_most(HUGE + 1)], "to ±1"),
    ],
)
def test_whole_numbers_beyond_all_floats_are_compared_too(answers, text):
    assert [(each.confirms, each.closeness.text) for each in outcomes(*answers, found=HUGE)] == [(True, text)] * len(
        answers
    )


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (close(HUGE, absolute=1), HUGE + 2),
        (close(HUGE, relative=1e-9), HUGE + 10**392),
        (close(10**17, absolute=0.5), 10**17 + 1),  # the same float
        (close(Decimal("0.5"), absolute=0.1), Fraction(2)),
        (1.5, HUGE),
        (inf, HUGE),
        (HUGE, inf),
        (simulated(HUGE, 100, deviation=1), 10 * HUGE),
    ],
)
def test_such_numbers_that_differ_fail(answer, found):
    assert not any(each.passed for each in outcomes(answer, found=found))


def test_bounds_that_are_one_float_confirm_to_half_of_their_gap():
    pair = outcomes(at_least(10**17), at_most(10**17 + 8), found=10**17 + 4)

    assert [each.closeness.text for each in pair] == ["to ±4"] * 2


def test_a_check_that_fails_or_shares_code_confirms_nothing():
    assert not outcomes(0)[0].confirms
    assert not outcomes(CHANCE, shared=("check_0",))[0].confirms
