"""The post on a row of coins says what is true, at the row as it stands and at others."""

import re
from fractions import Fraction
from functools import cache
from math import factorial
from statistics import mean

import numpy as np
import pytest

from tests.blog.conftest import claims_in_the_fold, claims_on, first_two, methods_in_panels

SLUG = "a-row-of-coins"
STORY = (18, 22, 1, 3, 25, 14, 26, 7, 12, 19, 6, 4)
ODD = ("notorious_coins.values=[1, 3, 1]", "notorious_coins.q=9/10")
SHORT = ("notorious_coins.values=[8, 20, 3, 2]", "notorious_coins.p=1 - 1/k", "notorious_coins.prior=[2, 1]")
LONG = ("notorious_coins.n=40", "notorious_coins.seed=4")
BELIEVED = (
    "notorious_coins.values=[3, 1, 4, 1, 5, 9, 2, 6]",
    "notorious_coins.p=1/10",
    "notorious_coins.prior=[1, 20]",
)
MANY = ("notorious_coins.n=35",)
SLIPPING = ("notorious_coins.p=1/2",)
ALL = ((), SLIPPING, ODD, SHORT, LONG, BELIEVED, MANY)


@cache
def won(row, p=1, q=1, mine=True):
    """What you expect of a row when p and q are the chances of the better end, by plain recursion."""
    if len(row) <= 1:
        return Fraction(sum(row) if mine else 0)
    left = (row[0] if mine else 0) + won(row[1:], p, q, not mine)
    right = (row[-1] if mine else 0) + won(row[:-1], p, q, not mine)
    better, worse = (max(left, right), min(left, right)) if mine else (min(left, right), max(left, right))
    hit = q if mine else p
    return hit * better + (1 - hit) * worse


@cache
def followed(row):
    """What you may collect, her turn first, if you always take the end that she has just laid open."""
    if len(row) <= 1:
        return {0}
    return {row[1] + rest for rest in followed(row[2:])} | {row[-2] + rest for rest in followed(row[:-2])}


@cache
def greedy(row):
    """What always taking the larger end collects against the best reply."""
    if not row:
        return 0
    coin, rest = (row[0], row[1:]) if row[0] >= row[-1] else (row[-1], row[:-1])
    return coin + min(greedy(rest[1:]), greedy(rest[:-1]))


def shown(value, digits=2):
    return f"{float(value):.{digits}f}"


@pytest.mark.parametrize("settings", first_two(ALL), ids=str)
def test_the_published_rows_are_told_whatever_is_turned(read_post, settings):
    text = read_post(SLUG, *settings).text

    # Published in Notorious Coins: 14; 22 and, for greed, 11; v = 40 gives 40 and 49.
    assert "says that the row 2, 4, 8, 10 is worth 14 to the first player" in text
    assert (
        "So you take the 2, the smallest coin of all, and collect 22. Greed would take the 8, and collect 11." in text
    )
    assert "At v=40 the row is 19, 19, 30, 21, and the two collect 40 and 49." in text
    # By hand: 20 and 2 of 20, 3, 2; a small coin at each end of 8, 20, 3.
    assert "20, 3, 2: take the 20, the other player takes the 3, and you collect 22." in text
    assert "8, 20, 3: whichever end you take, the 20 goes to the other player. You collect 11." in text
    assert "your aunt finds 20, 3, 2. She collects 22, and leaves you 11." in text
    assert "Take the 2, and she finds 8, 20, 3. She collects 11, and leaves you 22." in text
    # By hand: whoever leaves the 1000 at an end gives it away; 1 - (2 - 1000 + 1) is 998.
    assert (greedy((2, 1000, 1, 1)), won((2, 1000, 1, 1))) == (3, 1001)
    assert "You are, by 998. 2 − 1000 + 1 = −997 leaves −997, 1: you take the 1, and your aunt the −997." in text
    assert "Begin at the right, and you end with 1001; greed ends with 3." in text
    assert "a bonus problem in a final exam of CS561, Data Structures and Algorithms, at UNM" in text


@pytest.mark.parametrize("settings", first_two(ALL), ids=str)
def test_every_published_figure_was_held_against_the_computed_one_whatever_is_turned(read_post, settings):
    page = read_post(SLUG, *settings)

    assert claims_on(page) == ["22", "11", "14", "19, 19, 30, 21", "40", "49"]
    assert claims_in_the_fold(page) == [
        "Notorious Coins: 22 agrees exactly (the row 8, 20, 3, 2)",
        "Notorious Coins: 11 agrees exactly (greed on the row 8, 20, 3, 2)",
        "Notorious Coins: 14 agrees exactly (the row 2, 4, 8, 10)",
        "Notorious Coins: 19, 19, 30, 21 agrees exactly (the family’s row at v = 40)",
        "Notorious Coins: 40 agrees exactly (greed at v = 40)",
        "Notorious Coins: 49 agrees exactly (good play at v = 40)",
    ]


@pytest.mark.deep
def test_a_wrong_figure_is_refused_at_its_line(faults_of_a_changed_post):
    line, message = faults_of_a_changed_post(SLUG, 'claim("49"', 'claim("48"')

    said = "the claim 48 disagrees with results.trap.best, which is 49"
    assert message.startswith(f"content/posts/{SLUG}.md:{line}: {said}")
    assert 'mend: write claim("49", results.trap.best)' in message


@pytest.mark.parametrize("settings", first_two(ALL), ids=str)
def test_the_published_row_is_confirmed_in_view_of_the_reader_whatever_is_turned(read_post, settings):
    page = read_post(SLUG, *settings)

    methods = methods_in_panels(page)
    assert "The published account, Notorious Coins" in methods
    assert "The leads of both players on every stretch, with their slips" in methods
    assert "Every course of the game on the first ten coins" in methods
    assert "The closed forms of the published family" in page.text


@pytest.mark.parametrize("settings", first_two(ALL), ids=str)
def test_no_formula_or_template_is_left_over(read_post, settings):
    page = read_post(SLUG, *settings)

    assert "$" not in page.text
    assert not re.search(r"\{\{|\}\}|\{%|%\}", page.text)
    assert not re.search(r" [.,;]( |$)", page.text)
    assert page.title == "A row of coins and the lure of the larger end"


def test_the_story_begins_with_the_smaller_end(read_post):
    text = read_post(SLUG).text

    best = won(STORY)
    assert f"You can be sure of {best} out of 157" in text
    assert f"or {shown(100 * best / 157, 1)}%, and your aunt of {157 - best}" in text.replace("\N{NO-BREAK SPACE}", " ")
    assert 4 + won(STORY[:-1], mine=False) > 18 + won(STORY[1:], mine=False)
    assert "you have to begin with the smaller end: take the 4, and leave the 18 where it is" in text
    assert (
        f"But take the larger end at every turn, and she can hold you to {greedy(STORY)} "
        f"and keep {157 - greedy(STORY)} herself. That is why she smiled." in text
    )
    assert greedy(STORY) < Fraction(157, 2)
    after_18, after_4 = won(STORY[1:]), won(STORY[:-1])
    assert after_18 > after_4  # what the aunt can be sure of
    assert "both ends are traps for your aunt: behind the 18 lies the 22, behind the 6 the 19." in text
    assert "begin with the 18, and then always take the end that your aunt has just laid open." in text
    assert followed(STORY[1:]) == {88 - 18}
    assert "Here the two colours hold 88 and 69, so 88 is yours" in text
    assert best == 88 + 5
    assert "Perfect play finds 5 more, by changing colour on the way." in text
    assert f"costs little: after the 18, perfect play still collects {18 + won(STORY[1:], mine=False)}." in text


def test_slips_change_the_first_move_of_the_story(read_post):
    text = read_post(SLUG).text

    p = Fraction(3, 4)
    assert 18 + won(STORY[1:], p, mine=False) > 4 + won(STORY[:-1], p, mine=False)
    expected = shown(won(STORY, p))
    assert "Say that at every turn she takes the better end with chance p=3/4, and you always do." in text
    assert "The first move changes: now you begin with the 18, since a slip of hers may leave you the 22." in text
    after_22, after_4 = won(STORY[2:], p), won(STORY[1:-1], p)
    assert after_22 < after_4  # what is left to you: the 22 is her better end
    with_4 = (
        4 + p * min(won(STORY[1:-1], p), won(STORY[:-2], p)) + (1 - p) * max(won(STORY[1:-1], p), won(STORY[:-2], p))
    )
    assert f"That brings {expected} on average, the 4 only {shown(with_4)}." in text


def test_from_a_certain_chance_on_the_first_move_of_the_story_changes_back(read_post):
    def gain_of_18(p):
        return 18 + won(STORY[1:], p, mine=False) - 4 - won(STORY[:-1], p, mine=False)

    assert "From about p=0.78 on, begin with the 4 again." in read_post(SLUG).text
    assert gain_of_18(Fraction(775, 1000)) > 0 > gain_of_18(Fraction(785, 1000))


def test_a_reader_who_lets_her_slip_half_of_the_time_is_told_in_the_answer(read_post):
    text = read_post(SLUG, *SLIPPING).text

    assert f"Then you begin with the 18 instead, and can expect {shown(won(STORY, Fraction(1, 2)))}." in text
    assert "And if she slips" not in read_post(SLUG).text


@cache
def best_for_uniform(row, hits=0, misses=0):
    """The most on average over a uniform rate of the opponent's hits, each history weighed by its integral."""
    if not row:
        return Fraction(0)
    weight = Fraction(factorial(hits) * factorial(misses), factorial(hits + misses + 1))
    totals = []
    for coin, rest in ((row[0], row[1:]), (row[-1], row[:-1])):
        ways = (rest[1:], rest[:-1])
        if len(rest) < 2:
            after = Fraction(0)
        elif won(ways[0]) == won(ways[1]):
            after = sum(best_for_uniform(way, hits, misses) for way in ways) / 2
        else:
            aimed, other = ways if won(ways[0]) < won(ways[1]) else ways[::-1]
            after = best_for_uniform(aimed, hits + 1, misses) + best_for_uniform(other, hits, misses + 1)
        totals.append(coin * weight + after)
    return max(totals)


@cache
def planned(row, belief, truth):
    """What you expect, and what you get, if you take `belief` for the chance that she hits her better end.

    You toss a coin between ends that look equal to you, and she between equal ones.
    """
    if not row:
        return Fraction(0), 0
    ends = []
    for coin, rest in ((row[0], row[1:]), (row[-1], row[:-1])):
        better, worse = sorted((rest[1:], rest[:-1]), key=won)
        chances = (Fraction(1, 2),) * 2 if won(better) == won(worse) else (belief, truth)
        ways = zip(chances, planned(better, belief, truth), planned(worse, belief, truth), strict=True)
        ends.append(tuple(coin + hit * one + (1 - hit) * other for hit, one, other in ways))
    expected = max(end[0] for end in ends)
    return expected, mean([end[1] for end in ends if end[0] == expected])


def test_on_the_story_row_watching_gains_nothing(read_post):
    text = read_post(SLUG).text

    def collected(belief):
        """The mean over all chances of hers; she has six turns, and four points are exact to degree 7."""
        points = zip(*np.polynomial.legendre.leggauss(4), strict=True)
        return sum(weight / 2 * planned(STORY, belief, (1 + place) / 2)[1] for place, weight in points)

    best = shown(best_for_uniform(STORY))
    assert shown(collected(Fraction(1, 2))) == best
    assert "On this row that gains nothing: play as if she took either end with equal chance" in text
    perfect = shown(collected(Fraction(1)))
    assert (
        f"and you collect {best} on average, as much as the best learner. Take her for perfect, and it is {perfect}."
        in text
    )


@pytest.mark.deep
def test_a_reader_who_turns_the_belief_is_told_of_it(read_post):
    text = read_post(SLUG, *BELIEVED).text

    assert "believe of it as if you had seen 1 hit and 20 misses." in text
    assert "On this row the best learner collects" in text
    assert "whoever goes by the first guess, a hit with chance 1/21, all game" in text


def test_the_peaks_of_the_story_row_are_taken_out_as_by_hand(read_post):
    text = read_post(SLUG).text

    # By hand: 18 - 22 + 1, 3 - 25 + 14, 12 - 19 + 6, and then -8 - 26 + 7, twice with a minus before the middle coin.
    assert (18 - 22 + 1, 3 - 25 + 14, -8 - 26 + 7, 12 - 19 + 6) == (-3, -8, -27, -1)
    assert (
        "Our row flattens to −3, −27, −1, 4. You take the 4, she the −1, you the −3, she the −27. You have 1, she has "
        "−28: you are 29 ahead." in text
    )
    assert (
        "So in the real row you end 29 ahead. Together you hold 157, so you have (157 + 29) / 2 = 93, and she has 64."
        in text
    )
    assert (4 + -3, -1 + -27) == (1, -28)
    assert "For 18, 22, 1 that is 18 − 22 + 1 = −3: a coin that costs its owner 3." in text
    assert 2 * won(STORY) - sum(STORY) == 4 - -1 + -3 - -27 == 29
    # By play without the table: the row that she leaves, and that of its flattened coins, have the same lead and end.
    left = STORY[:-2]
    assert 2 * won(left) - sum(left) == 19 - 12 + -3 - -27
    assert 19 + sum(left[:-1]) - won(left[:-1]) == won(left)
    assert "if she takes the 6, the ten coins left become −3, −27, 12, 19, so you take the 19." in text


@pytest.mark.deep
def test_half_of_a_row_is_told_as_it_is(read_post):
    page = read_post(SLUG, *MANY)

    (total,) = {Fraction(each) for each in re.findall(r"You can be sure of \d+ out of (\d+)", page.text)}
    assert f"half of the row ({float(total / 2):g})" in page.html


def test_watching_the_opponent_gains_nothing_on_four_coins_and_little_on_thirty(read_post):
    text = read_post(SLUG).text.replace("\N{NO-BREAK SPACE}", " ")

    gains = re.search(r"On three random rows of 30 coins it gains ([\d.]+)% to ([\d.]+)% of the row", text)
    assert "It says too that learning pays only when there are many coins. With four it never does" in text
    assert all(0 < float(gain) < 1 for gain in gains.groups())


def test_no_row_of_the_post_is_called_published_that_is_not(read_post):
    # The default row is the post's own; the source has 2 4 8 10, 8 20 3 2 and 19 19 30 21.
    assert "the published row" not in read_post(SLUG).text


def test_an_opponent_who_is_worse_with_more_coins_changes_the_first_move(read_post):
    @cache
    def against(row, mine=True):
        if len(row) <= 1:
            return Fraction(sum(row) if mine else 0)
        left, right = (
            (row[0] if mine else 0) + against(row[1:], not mine),
            (row[-1] if mine else 0) + against(row[:-1], not mine),
        )
        hit = 1 - Fraction(len(row), 24)
        return max(left, right) if mine else hit * min(left, right) + (1 - hit) * max(left, right)

    text = read_post(SLUG).text

    assert 18 + against(STORY[1:], False) > 4 + against(STORY[:-1], False)
    assert f"with probability 1−k/24, you can expect {shown(against(STORY))}, and again you begin with the 18." in text


@pytest.mark.parametrize("v", [Fraction(4), Fraction(9, 2), Fraction(40)])
def test_from_four_on_greed_leaves_you_as_far_behind_as_good_play_puts_you_ahead(v):
    row = (v / 2 - 1, v / 2 - 1, 3 * v / 4, v / 2 + 1)

    assert (2 * greedy(row) - sum(row), 2 * won(row) - sum(row)) == (1 - v / 4, v / 4 - 1)


@pytest.mark.parametrize("v", [Fraction(2), Fraction(3), Fraction(7, 2), Fraction(4)])
def test_below_four_greed_collects_more_than_the_formula_of_the_family(v):
    row = (v / 2 - 1, v / 2 - 1, 3 * v / 4, v / 2 + 1)

    assert won(row) == greedy(row) == v >= 5 * v / 4 - 1


def test_a_row_of_the_family_can_be_scaled_to_any_size():
    row = tuple(Fraction(x) for x in (199, 199, 300, 201))  # v = 400
    small = tuple(coin / 400 for coin in row)

    assert (greedy(small), won(small)) == (1, Fraction(5, 4) - Fraction(1, 400))


@pytest.mark.deep
def test_an_odd_row_tells_that_the_second_player_is_ahead(read_post):
    text = read_post(SLUG, *ODD).text.replace("\N{NO-BREAK SPACE}", " ")

    # By hand: a 1, then the opponent takes the 3, then the other 1.
    assert "You can be sure of 2 out of 5, only 40.0%: your aunt, who moves second, gets 3." in text
    assert "It does not matter with which end you begin." in text
    assert "all the red coins" not in text
    assert "Why the 4?" not in text  # that is of the post's own row
    assert "On this row greed does no harm" in text
    # Whatever you do on 1, 3, 1, you hold a 1 and then find two coins or one: the opponent takes 3 with chance 3/4.
    expected = won((1, 3, 1), Fraction(3, 4), Fraction(9, 10))
    assert f"You can expect {shown(expected)}." in text


@pytest.mark.deep
def test_a_short_row_with_an_expression_and_another_belief(read_post):
    text = read_post(SLUG, *SHORT).text

    assert "Your aunt lays a row of coins on the table: 8, 20, 3, 2." in text
    assert "You can be sure of 22 out of 33" in text
    assert "take the 2, and leave the 8 where it is" in text
    # Take 2; with three coins left the opponent may take either: 20 is yours, and nothing depends on the slips.
    assert "believe of it as if you had seen 2 hits and 1 miss." in text


@pytest.mark.deep
def test_a_long_row_is_told_by_its_ends(read_post):
    text = read_post(SLUG, *LONG).text

    assert "Your aunt lays a row of 40 coins on the table, from" in text


def test_the_feeds_that_the_post_is_in_keep_their_rules(read_post):
    assert read_post(SLUG).feed_faults == []
