"""How closely checks confirm a field, and which of them confirm nothing.

Two standard errors of n games won with chance p are 2 sqrt(p (1 - p) / n): Feller, vol. I, ch. VI, sect. 4.
"""

from fractions import Fraction

import numpy as np
import pytest

from site_builder.contract import Absolute, AtLeast, AtMost, Check, Exact, Grid, Relative, StandardErrors
from site_builder.solving.checks.outcomes import judge, raw_check, read_outcomes
from site_builder.values.packing import pack
from site_builder.values.records import Record

CHANCE = Fraction(5, 18)  # what the solver of two dice finds where 15/36 is right
PAIR = {"first": 0.25, "second": 3}


def outcomes(*checks, shared=((), ()), is_game=False, **fields):
    record = Record(fields or {"chance": CHANCE})
    raw = [raw_check(check, own, record, is_game) for check, own in zip(checks, shared, strict=False)]
    return read_outcomes(judge(pack((raw, b""))))


def closeness(expected, found, within=None, of="chance", **fields):
    (outcome,) = outcomes(Check("it", "by hand", expected, found, of=of, within=within or Exact()), **fields)
    assert outcome.passed
    return outcome.of[0].closeness


def bounds(low, high, **more):
    checks = (
        Check("low", "closed form", low, CHANCE, of="chance", within=AtLeast()),
        Check("high", "closed form", high, CHANCE, of="chance", within=AtMost()),
    )
    return [each.of[0].closeness for each in outcomes(*checks, **more)]


@pytest.mark.parametrize(
    ("expected", "within", "text"),
    [
        (CHANCE, None, "exactly"),
        (float(CHANCE), Absolute(1e-9), "to ±1e-09"),
        (float(CHANCE), Relative(0.01), "to 0.01 of the value"),
        (
            0.279,
            StandardErrors(4, 20_000),
            "to ±0.6 points by 20,000 games",
        ),  # 2 sqrt(0.2778 * 0.7222 / 20,000) = 0.0063
        (0.279, StandardErrors(4, 2_100), "to ±2 points by 2,100 games"),  # 0.0195
    ],
)
def test_a_close_comparison_confirms_and_says_how_closely(expected, within, text):
    found = closeness(expected, CHANCE, within)

    assert (found.confirms, found.text) == (True, text)


@pytest.mark.parametrize(
    ("expected", "within", "text", "cure"),
    [
        # 2 sqrt(0.2778 * 0.7222 / 100) = 0.0896; for 0.02 it takes 4 * 0.2778 * 0.7222 / 0.0004 = 2,006.2 games
        (0.29, StandardErrors(4, 100), "to ±9 points by 100 games", "play 2,007 games or more, for ±2 points"),
        (0.39, StandardErrors(4, 100), "to ±11.2 points by 100 games", "play 2,007 games or more, for ±2 points"),
        (0.41, StandardErrors(1000, 10**6), "to ±13.2 points by 1,000,000 games", "play 2,000,000 games or more, "),
        (0.41, Absolute(0.2), "to ±0.2", "compare it to ±0.02 or closer"),
        (0.41, Relative(0.4), "to 0.4 of the value", "compare it to ±0.02 or closer"),
        (0.41, AtMost(), "on one side only", "bound it on the other side, too"),
        (0.2, AtLeast(), "on one side only", "bound it on the other side, too"),
    ],
)
def test_a_loose_comparison_confirms_nothing_and_says_what_would(expected, within, text, cure):
    found = closeness(expected, CHANCE, within)

    assert (found.confirms, found.text) == (False, text)
    assert found.cure.startswith(cure)


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        (True, 0 <= CHANCE <= 1),
        (np.True_, np.bool_(CHANCE < 1)),
        ((True, True), (CHANCE >= 0, CHANCE <= 1)),
        (1, int(0 <= CHANCE <= 1)),
        ("below 1/2", "below 1/2" if 2 * CHANCE < 1 else "above"),
        (0.3, round(float(CHANCE), 1)),
    ],
)
def test_a_law_that_other_values_obey_too_confirms_no_number(expected, found):
    law = closeness(expected, found)

    assert (law.confirms, law.text) == (False, "without comparing its value")


def test_a_law_confirms_no_table_and_no_text():
    law = {"expected": True, "found": True, "of": "it"}

    assert not closeness(**law, it=(0.25, 0.75)).confirms
    assert not closeness(**law, it=Grid(np.array([0.25]), {"s": (1,)})).confirms
    assert not closeness(**law, it="A").confirms


@pytest.mark.parametrize("value", [True, (1, True), np.array([True, False]), {"rule": False}])
def test_booleans_confirm_a_field_of_booleans(value):
    assert closeness(True, True, of="it", it=value).confirms


def test_a_number_is_compared_among_others_as_a_float_and_in_a_mapping():
    assert closeness((1, CHANCE), (1, CHANCE)).confirms
    assert closeness({"a": float(CHANCE)}, {"a": float(CHANCE)}).confirms
    assert closeness((0.25, 3), (0.25, 3), of="pair", pair=Record(PAIR)).confirms


def test_an_empty_list_is_compared_with_an_empty_one():
    assert closeness((), (), of="totals", totals=()).confirms


def test_a_tolerance_is_measured_by_the_smallest_of_the_numbers_compared():
    # 1 is within 2 % of 100, and not of a chance.
    assert closeness(100, 100.5, Absolute(1), of="flips", flips=100.5).confirms
    assert not closeness((100, 0.41), (100.5, CHANCE), Absolute(1)).confirms


def test_games_that_are_always_won_leave_a_chance_of_three_in_all_games():
    # With no loss in n games, the chance of one is below 3 / n with 95 %: the rule of three.
    assert closeness(1.0, 1.0, StandardErrors(4, 1_000), chance=1.0).text == "to ±0.3 points by 1,000 games"
    assert not closeness(1.0, 1.0, StandardErrors(4, 100), chance=1.0).confirms


def test_the_mean_of_games_with_a_deviation_of_their_own_is_no_chance():
    # 2 * 5 / sqrt(10,000) = 0.1; at 2 it would be as much as 5 %
    within = StandardErrors(4, 10_000, deviation=5)

    assert closeness(12.05, 12.0, within, chance=12.0).text == "to ±0.1 by 10,000 games"
    assert not closeness(2.05, 2.0, within, chance=2.0).confirms


def test_two_bounds_of_one_value_confirm_it_to_half_of_their_gap():
    assert [(each.confirms, each.text) for each in bounds(0.27, 0.29)] == [(True, "to ±0.01")] * 2
    assert [each.confirms for each in bounds(CHANCE, CHANCE)] == [True, True]


@pytest.mark.parametrize(
    ("low", "high", "more"),
    [(0, 1, {}), (0.2, 0.3, {}), (0.28, 0.29, {}), (0.27, 0.29, {"shared": ((), ("solve",))})],
)
def test_bounds_that_are_far_apart_or_fail_or_share_code_confirm_nothing(low, high, more):
    assert not bounds(low, high, **more)[1 if low == 0.28 else 0].confirms


def test_a_game_confirms_its_fields_whatever_it_counts():
    (outcome,) = outcomes(Check("game", "by hand", 7, 7, of="chance"), is_game=True)

    assert [each.field for each in outcome.confirmed] == ["chance"]


def test_a_check_that_fails_or_shares_code_confirms_nothing():
    right, wrong = (Check("it", "by hand", expected, CHANCE, of="chance") for expected in (CHANCE, 0))

    assert not outcomes(wrong)[0].confirmed
    assert not outcomes(right, shared=(("solve",),))[0].confirmed
