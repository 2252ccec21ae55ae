"""The post on two piles of pennies says what is true, at the published totals and at others."""

import re
from functools import cache
from itertools import pairwise
from math import isqrt

import pytest

from tests.blog.conftest import claims_in_the_fold, claims_on, first_two
from tests.conftest import deep

SLUG = "two-piles-of-pennies"
MANY = ("wythoff.total_min=2", "wythoff.total_max=60", "wythoff.max_pile=60")
ONE = ("wythoff.total_min=21", "wythoff.total_max=21", "wythoff.max_pile=8")
NONE = ("wythoff.total_min=22", "wythoff.total_max=23", "wythoff.max_pile=1000")
EXCEPTION = ("wythoff.total_min=25", "wythoff.total_max=38", "wythoff.max_pile=20")
ALL = ((), EXCEPTION, ONE, MANY, NONE)


@cache
def wins(a, b):
    """Whether the player to move wins, by every line of play."""
    moves = [(x, b) for x in range(a)] + [(a, y) for y in range(b)] + [(a - z, b - z) for z in range(1, min(a, b) + 1)]
    return any(not wins(*sorted(state)) for state in moves)


@cache
def longest(a, b):
    """Moves to the end when the loser delays and the winner hurries, by every line of play."""
    moves = [(x, b) for x in range(a)] + [(a, y) for y in range(b)] + [(a - z, b - z) for z in range(1, min(a, b) + 1)]
    states = [tuple(sorted(state)) for state in moves]
    if not wins(a, b):
        return 1 + max(longest(*state) for state in states) if states else 0
    return 1 + min(longest(*state) for state in states if not wins(*state))


def losing_totals(first, last):
    """The totals with a losing division, by every line of play of every division."""
    return [t for t in range(first, last + 1) if any(not wins(a, t - a) for a in range(1, t // 2 + 1))]


def lower(k):
    """floor(k phi), the smaller pile of the k-th losing state."""
    return (k + isqrt(5 * k * k)) // 2


def digits_joined(text):
    """The text with grouped digits put together again: 1,000,000 is 1000000."""
    return re.sub(r"(?<=\d)[,\u202f\u00a0\u2009 ](?=\d{3}(?!\d))", "", text)


@pytest.fixture
def page_text(read_post):
    def read(settings):
        return digits_joined(read_post(SLUG, *settings).text)

    return read


def test_the_published_totals_are_the_answer(page_text):
    text = page_text(())

    # FiveThirtyEight "Riddler Classic", writeup dated 2020-01-24.
    assert "Accept 20, 22, 23, 25, 26, 27, 28 and 30 pennies." in text
    assert "Say no to 21, 24 and 29: each of them has one bad division, (8, 13), (9, 15) and (11, 18)." in text


@pytest.mark.deep
def test_the_question_names_the_totals_to_choose_from(page_text):
    assert "A friend counts between 20 and 30 pennies onto the table." in page_text(())
    assert "A friend counts between 25 and 38 pennies onto the table." in page_text(EXCEPTION)


def test_the_divisions_that_work_are_counted(page_text):
    # Totals t have t // 2 divisions: 10 + 10 + 11 + 11 + 12 + 12 + 13 + 13 + 14 + 14 + 15 = 135.
    assert "So you are safe in 132 of 135 divisions, but it is your friend who divides." in page_text(())


@pytest.mark.deep
def test_many_totals_are_counted_and_not_listed(page_text):
    bad = losing_totals(2, 60)

    text = page_text(MANY)

    # 60^2 / 4 = 900 divisions of all totals to 60, by pairing each t with t + 1.
    assert f"Of the 900 ways to divide the pennies, {len(bad)} beat you." in text
    assert f"You are safe with {59 - len(bad)} of the 59 totals." in text
    assert "The first is (1, 2) and the last (22, 36)." in text


@pytest.mark.deep
def test_totals_that_are_all_dangerous_are_said_to_be_lost(page_text):
    assert "You lose if your friend divides the pennies well, as (8, 13)." in page_text(ONE)


@pytest.mark.deep
def test_totals_without_danger_are_said_to_be_won(page_text):
    text = page_text(NONE)

    assert "You always win. No division of any total from 22 to 23 can beat you." in text


def test_safe_totals_are_listed_beside_two_exceptions(page_text):
    safe = [t for t in range(25, 39) if t not in losing_totals(25, 38)]

    text = page_text(EXCEPTION)

    assert f"Accept {', '.join(map(str, safe[:-1]))} and {safe[-1]} pennies." in text
    assert "each of them has one bad division, (11, 18), (12, 20) and (14, 23)." in text


def test_the_summary_and_title_follow_the_totals(read_post):
    assert read_post(SLUG).title == "Two piles of pennies and the golden ratio"
    assert "A friend counts 25 to 38 pennies onto the table" in " ".join(read_post(SLUG, *EXCEPTION).html.split())


@pytest.mark.parametrize(
    ("settings", "max_pile"), [((), 150), deep(MANY, 60), deep(ONE, 8), deep(NONE, 1000), (EXCEPTION, 20)]
)
def test_the_formula_is_compared_on_all_losing_pairs_of_the_table(page_text, settings, max_pile):
    pairs = sum(lower(k) + k <= max_pile for k in range(max_pile + 1))

    said = (
        f"The formula and the crossing out give the same {pairs} losing pairs, as far as {max_pile} pennies in a pile."
    )
    assert said in page_text(settings)


def test_best_moves_leave_piles_with_the_smaller_one_first_and_losing_states_have_none_in_either_order(page_text):
    text = page_text(())

    assert "from (2, 3) you may take 2 from the larger pile or 1 from both." in text
    assert "(24, 39) none (1, 2), in either order none" in text
    assert "(2, 1)" not in text


def test_the_smallest_states_are_won_and_lost_as_by_hand(page_text):
    text = page_text(())

    # One by one, from (1, 2): 1 from a, 1 or 2 from b, 1 from each.
    assert (
        "You win from (0, 1), (0, 2), (1, 1), (0, 3) and lose from (1, 2), whose moves lead to (0, 2), (1, 1)," in text
    )
    assert "(1, 0), which is printed as (0, 1) with a star, and (0, 1)." in text
    # The same writeup: losing states with piles up to 8.
    assert "With up to 8 pennies in a pile you lose from (0, 0), (1, 2), (3, 5) and (4, 7)." in text


def test_the_published_losing_states_are_found(page_text):
    # The same writeup: the losing states with piles to 50.
    published = "0 0, 1 2, 3 5, 4 7, 6 10, 8 13, 9 15, 11 18, 12 20, 14 23, 16 26, 17 28, 19 31, 21 34, 22 36, 24 39, "
    published += "25 41, 27 44, 29 47, 30 49"
    rows = [pair.split() for pair in published.split(", ")]

    text = page_text(())

    assert ", ".join(f"({a}, {b})" for a, b in rows) in text
    shown = " ".join(f"{k} {a} {b}" for k, (a, b) in enumerate(rows[:10]))
    assert f"difference k smaller pile larger pile {shown}" in text


@pytest.mark.parametrize(("settings", "numbers"), [((), "3, 8, 21, 55 or 144"), (EXCEPTION, "3, 8 or 21")])
def test_the_rule_by_fibonacci_numbers_is_stated(page_text, settings, numbers):
    # 3 = 1 + 2, 8 = 3 + 5, 21 = 8 + 13, 55 = 21 + 34 and 144 = 55 + 89 are neighbours in the losing states.
    text = page_text(settings)

    assert f"You can be beaten exactly when the smallest number in the sum is {numbers}" in text


def test_the_published_best_moves_are_in_the_table(page_text):
    text = page_text(())

    # FiveThirtyEight "Riddler Classic", writeup dated 2020-01-24.
    assert "(75, 90) (51, 51) (24, 39)" in text
    assert "(8, 14) (0, 1) (8, 13)" in text
    assert "(9, 10) (8, 8) (1, 2)" in text


# FiveThirtyEight "Riddler Classic", writeup dated 2020-01-24.
PUBLISHED = {
    "losing with piles to 8": ["(0, 0), (1, 2), (3, 5) and (4, 7)"],
    "the safe totals": ["20, 22, 23, 25 to 28 and 30"],
    "the losing divisions": ["(8, 13), (9, 15), (11, 18)"],
    "the losing totals": ["21, 24, 29"],
    "won by hand": ["(0, 1), (0, 2), (1, 1), (0, 3)"],
    "lost by hand": ["(1, 2)"],
    "the moves from (1, 2)": ["(0, 2), (1, 1)", "(0, 1)"],
    "losing pairs": [
        "(0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13), (9, 15), (11, 18), (12, 20), (14, 23), (16, 26), (17, 28), "
        "(19, 31), (21, 34), (22, 36), (24, 39), (25, 41), (27, 44), (29, 47), (30, 49)"
    ],
    "from (75, 90)": ["(51, 51)", "(24, 39)"],
    "from (8, 14)": ["(0, 1)"],
    "from (9, 10)": ["(8, 8)"],
    "without a best move": ["(24, 39)", "(1, 2)"],
    "the piles of the game": ["(3, 5), (3, 4), (1, 2)"],
    "the first move": ["(0, 2)"],
    "the second move": ["(0, 1)"],
    "the third move": ["(2, 2)"],
}


def test_every_published_figure_is_a_claim_with_its_source(read_post):
    page = read_post(SLUG)

    assert claims_on(page) == [figure for figures in PUBLISHED.values() for figure in figures]
    assert claims_in_the_fold(page) == [
        f"a writeup of the FiveThirtyEight “Riddler Classic” with two piles of pennies, 2020-01-24: {figure} agrees "
        f"exactly ({what})"
        for what, figures in PUBLISHED.items()
        for figure in figures
    ]


@pytest.mark.parametrize("settings", first_two(ALL))
def test_the_published_figures_stand_whatever_is_turned(read_post, settings):
    assert claims_on(read_post(SLUG, *settings)) == claims_on(read_post(SLUG))


@pytest.mark.deep
def test_a_published_figure_that_is_changed_stops_the_build(faults_of_a_changed_post):
    line, message = faults_of_a_changed_post(SLUG, '(8, 13), (9, 15), (11, 18)",', '(8, 13), (9, 15), (11, 19)",')

    assert wins(11, 19)
    assert message == (
        f"content/posts/{SLUG}.md:{line}: the claim (8, 13), (9, 15), (11, 19) disagrees with"
        " results.main.losing_splits, which is (8, 13), (9, 15), (11, 18); they differ first in entry 6, 19 for 18\n"
        '    mend: write claim("(8, 13), (9, 15), (11, 18)", results.main.losing_splits) if the published figure is'
        " misprinted here, or look at the solver"
    )


def test_what_confirmed_the_published_game_is_folded_away(read_post):
    fold = re.search(r"<details[^>]*>\s*<summary>How this was checked.*?</details>", read_post(SLUG).html, re.DOTALL)

    assert fold
    assert fold[0].count('<div class="checks">') == 1
    assert read_post(SLUG).html.count('<div class="checks">') == 1


@pytest.mark.parametrize("settings", first_two(ALL))
def test_the_claim_that_the_most_pennies_win_fastest_is_confirmed(page_text, settings):
    assert "we checked: yes, even if the loser makes the game last as long as possible." in page_text(settings)
    # From (7, 7): 3 pennies from one pile leave (4, 7).
    assert f"the game may last {1 + longest(4, 7)} moves" in page_text(settings)


def test_the_piles_are_read_off_the_fibonacci_sum_of_a_losing_total(page_text):
    text = page_text(())

    fibonacci = [1, 2, 3, 5, 8, 13, 21]
    steps = re.findall(r"(\d+) \+ (\d+) = (\d+) the", text)
    (total, larger, smaller) = [[*map(int, step)] for step in steps]
    for before, after in ((total, larger), (larger, smaller)):
        assert [fibonacci.index(part) - 1 for part in before[:2]] == [fibonacci.index(part) for part in after[:2]]
    assert all(sum(step[:2]) == step[2] for step in (total, larger, smaller))
    assert not wins(smaller[2], larger[2])
    assert f"So your friend divides them into {smaller[2]} and {larger[2]}." in text


def test_the_partner_of_a_pile_is_read_off_its_fibonacci_sum(page_text):
    # The rule as the post has it, compared with every line of play.
    fibonacci = [1, 2, 3, 5, 8, 13, 21, 34]

    def partner(number):
        parts = []
        for place in reversed(range(len(fibonacci))):
            if fibonacci[place] <= number:
                parts.append(place)
                number -= fibonacci[place]
        step = 1 if parts[-1] % 2 == 0 else -1
        return sum(fibonacci[place + step] for place in parts)

    for a in range(1, 25):
        for b in range(a, 40):
            assert (partner(a) == b) == (not wins(a, b))
        assert not wins(*sorted((a, partner(a))))
    assert partner(11) == 18
    assert partner(10) == 6
    assert "11 = 8 + 3 has the partner 13 + 5 = 18." in page_text(())
    assert "10 = 8 + 2 has 5 + 1 = 6." in page_text(())

    assert "write the smaller pile as a Fibonacci sum" in page_text(())
    for difference in range(1, 12):  # the smaller pile of the pair with this difference
        smaller = int(difference * 1.618)
        assert not wins(smaller, smaller + difference)
    assert "from 8 and 11 the difference is 3, and 3 times 1.618 is 4.8…. Leave 4 and 7." in page_text(())


def test_the_partner_of_the_smaller_pile_says_which_move_to_make(page_text):
    # The rule as the post has it, in every line of play with 30 pennies.
    pairs = [(a, b) for a in range(24) for b in range(a, 24) if not wins(a, b)]
    partner = {pile: other for a, b in pairs for pile, other in ((a, b), (b, a))}
    for a in range(1, 16):
        for b in range(a, 31 - a):
            if partner[a] < b:
                assert not wins(*sorted((a, partner[a])))
            elif partner[a] > b:
                left = lower(b - a)
                assert 0 <= left < a
                assert not wins(left, left + b - a)
    text = page_text(())

    assert "from 8 and 22, take 9, and leave 8 and 13." in text
    assert not wins(8, 22 - 9)
    assert "from 8 and 11 the difference is 3" in text
    assert lower(3) == 4


def test_the_totals_that_lose_are_three_or_five_apart(page_text):
    totals = losing_totals(3, 60)

    assert {after - before for before, after in pairwise(totals)} == {3, 5}
    assert "grows by 1 or 2, and the total by 2 + 1 = 3 or 4 + 1 = 5." in page_text(())


def test_later_pairs_come_nearer_to_the_golden_ratio(page_text):
    assert (lower(7), lower(7) + 7, lower(100), lower(100) + 100) == (11, 18, 161, 261)
    assert (f"{18 / 11:.4f}"[:5], f"{261 / 161:.4f}"[:5]) == ("1.636", "1.621")
    assert (
        "18/11 is 1.636…, and for pair number 100, (161, 261), it is 1.621…; in the long run it comes to"
        in page_text(())
    )


def test_a_pair_near_the_golden_ratio_is_not_enough(page_text):
    golden = (1 + 5**0.5) / 2

    assert abs(8 / 5 - golden) < abs(7 / 4 - golden)
    assert wins(5, 8)
    assert not wins(5 - 1, 8 - 1)
    assert (
        "Leave 5 and 8, which come nearer to it than 4 and 7, and your friend takes one penny from each."
        in page_text(())
    )


@pytest.mark.parametrize("settings", first_two(ALL))
def test_captions_name_the_tables_that_they_show(page_text, settings):
    size = {(): 150, MANY: 60, ONE: 8, NONE: 300, EXCEPTION: 20}[settings]

    assert f"Sprague-Grundy values With up to {size} pennies in pile a" in page_text(settings)
    assert f"with up to {min(size, 50)} pennies in pile a and {7 * min(size, 50) // 10} in pile b." in page_text(
        settings
    )


def test_the_feeds_that_the_post_is_in_keep_their_rules(read_post):
    assert read_post(SLUG).feed_faults == []
