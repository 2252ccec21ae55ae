"""The post on Coinball says what is true, for the published game and for others."""

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from tests.blog.conftest import claims_in_the_fold, claims_on, first_two, methods_in_panels

SLUG = "coinball"
HABIT = ("coinball.opponent=rush", "coinball.n_tosses=9", "coinball.first=opponent")
DEAR = ("coinball.pass_points=3", "coinball.n_tosses=12")
WORTHLESS = ("coinball.n_tosses=3", "coinball.rush_points=0", "coinball.pass_points=5")
CLOSE = ("coinball.n_tosses=12", "coinball.rush_points=2", "coinball.pass_points=3")
ONE = ("coinball.n_tosses=1",)
ALL = ((), HABIT, WORTHLESS, CLOSE, DEAR, ONE)


HALF = Fraction(1, 2)


@cache
def chance(tosses: int, lead: int, yours: bool, opponent: str, calls: tuple[int, int]) -> Fraction:
    """Your chance with so many tosses left, from the rules; a draw counts half."""
    if tosses == 0:
        return Fraction((lead > 0) - (lead < 0) + 1, 2)
    rush, pass_ = (
        (
            chance(tosses - 1, lead + points, not yours, opponent, calls)
            + chance(tosses - 1, lead - points, not yours, opponent, calls)
        )
        / 2
        for points in calls
    )
    if yours:
        return max(rush, pass_)
    return {"rush": rush, "pass": pass_, "optimal": min(rush, pass_)}[opponent]


def first_and_second(tosses: int, opponent: str, calls: tuple[int, int]) -> list[str]:
    return [percent(chance(tosses, 0, yours, opponent, calls)) for yours in (True, False)]


def percent(value: Fraction) -> str:
    return f"{float(100 * value):.2f}%"


@pytest.fixture
def text(read_post: Any) -> Any:
    return lambda *settings: read_post(SLUG, *settings).text


def test_title_and_summary_ask_and_do_not_tell(read_post: Any) -> None:
    page = read_post(SLUG)
    description = re.search(r'<meta name="description" content="(.*?)"', page.html)

    assert page.title == "Coinball: would you rather call first?"
    assert description
    assert description[1].endswith("“You may call first,” your rival offers. Do you take the bet?")


def test_the_answer_is_a_sentence_before_it_is_a_table(text: Any) -> None:
    # The writeup of 2017-10-13: 0.601766458853, 0.558341814467, 0.489818590457.
    page = text()

    sentence = page.index(
        "No. Offer to call second instead: between two perfect players, whoever calls first wins only 48.98% of"
    )
    assert "Coinball with 10 tosses" in page
    for opponent, answer in (("always rushes", "60.18%"), ("always passes", "55.83%"), ("plays perfectly", "48.98%")):
        assert sentence < page.index(f"{opponent} {answer}")


def test_every_published_figure_is_a_claim_with_its_source(read_post: Any) -> None:
    # The writeup of 2017-10-13: three answers to twelve digits, and what to call when losing and when winning.
    page = read_post(SLUG)

    assert claims_on(page) == ["0.601766458853", "0.558341814467", "0.489818590457", "pass", "rush"]
    assert claims_in_the_fold(page) == [
        "a writeup of Coinball, 2017-10-13: 0.601766458853 agrees to 12 decimals (the opponent always rushes)",
        "a writeup of Coinball, 2017-10-13: 0.558341814467 agrees to 12 decimals (the opponent always passes)",
        "a writeup of Coinball, 2017-10-13: 0.489818590457 agrees to 12 decimals (the opponent plays best)",
        "a writeup of Coinball, 2017-10-13: pass agrees word for word (when losing)",
        "a writeup of Coinball, 2017-10-13: rush agrees word for word (when winning)",
    ]


@pytest.mark.deep
def test_a_published_figure_that_is_changed_stops_the_build(faults_of_a_changed_post: Any) -> None:
    # Against one who always rushes: 0.601766458853 as published, 0.601766458853184... by the rules.
    assert str(round(chance(100, 0, True, "rush", (1, 2)) * 10**15)) == "601766458853184"
    line, message = faults_of_a_changed_post(SLUG, '"0.601766458853"', '"0.601766458854"')

    value = "results.main.going_first.rush"
    assert message == (
        f"content/posts/{SLUG}.md:{line}: the claim 0.601766458854 disagrees with {value}, which is"
        " 0.601766458853184…; they differ by 1e-12\n"
        f'    mend: write claim("0.601766458853", {value}) if the published figure is misprinted here, or look at the'
        " solver"
    )


def test_the_published_description_is_confirmed_in_a_panel(read_post: Any) -> None:
    page = read_post(SLUG)

    assert page.html.count('<div class="checks">') == 1
    told = "The calls described in the writeup of 2017-10-13 are best ones in every state"
    assert told in methods_in_panels(page)


def test_thirty_decimals_of_each_answer_are_right(text: Any) -> None:
    # The rules in exact fractions, a hundred tosses deep, rounded at the thirtieth decimal.
    for opponent, name in (("rush", "always rushes"), ("pass", "always passes"), ("optimal", "plays perfectly")):
        decimals = round(chance(100, 0, True, opponent, (1, 2)) * 10**30)
        assert f"{name} 0.{decimals}" in text()


def test_the_ties_in_which_both_calls_are_equally_good_are_named(text: Any) -> None:
    # A tie is worth the same to its caller whichever call is made; by the rules, for 1 to 20 tosses left.
    def worth(left: int, points: int) -> Fraction:
        return sum(chance(left - 1, lead, False, "optimal", (1, 2)) for lead in (points, -points)) / 2

    assert [left for left in range(1, 21) if worth(left, 1) == worth(left, 2)] == [1, 2, 4, 6, 8]
    assert "With 2, 4, 6 or 8 left both calls are equally good." in text()


def test_the_last_call_is_worth_a_quarter_of_a_win_one_or_two_points_from_a_tie(text: Any) -> None:
    def after(lead: int, points: int) -> Fraction:
        return sum(Fraction((end > 0) - (end < 0) + 1, 2) for end in (lead + points, lead - points)) / 2

    def worth(lead: int, points: int) -> Fraction:
        """After a call with two tosses left, before the rival's."""
        return sum(chance(1, lead + move, False, "optimal", (1, 2)) for move in (points, -points)) / 2

    gains = {lead: after(lead, 2) - after(lead, 1) for lead in range(-5, 6)}
    assert gains == {**dict.fromkeys(range(-5, 6), 0), -1: 0.25, -2: 0.25, 1: -0.25, 2: -0.25}
    assert (
        "last call matters at four leads only: one or two behind, where you pass, and one or two ahead, where you rush."
        in text()
    )
    before = {lead: worth(lead, 2) - worth(lead, 1) for lead in range(-7, 8)}
    eighth = Fraction(1, 8)
    assert {lead: gain for lead, gain in before.items() if gain} == {-3: eighth, -2: eighth, 3: -eighth, 4: -eighth}
    said = "Your rival's last call, one toss earlier, also matters at only four leads, and there only an eighth"
    assert said.replace("'", "’") in text()
    first = chance(100, 0, True, "optimal", (1, 2))
    assert f"that costs you about {float(100 * (1 - 2 * first)):.0f} dollars each time." in text()
    edges = {left: abs(chance(left, 0, True, "optimal", (1, 2)) - Fraction(1, 2)) for left in (25, 100)}
    assert edges[25] / edges[100] == pytest.approx(2, abs=0.01)
    twenty_five, hundred = (f"{100 * float(Fraction(1, 2) + edge):.2f}%" for edge in edges.values())
    assert f"With 25 tosses the last caller wins {twenty_five}, with 100 tosses {hundred}." in text()


def test_without_a_last_call_the_edge_changes_sides(text: Any) -> None:
    # The rules in floats over leads, from the end: the last toss is a rush, whoever calls it.
    leads = range(-210, 211)
    worth = {lead: ((lead > 0) - (lead < 0) + 1) / 2 for lead in range(-215, 216)}
    for left in range(1, 101):
        rush, passing = ({lead: (worth[lead + p] + worth[lead - p]) / 2 for lead in leads} for p in (1, 2))
        best = max if left % 2 == 0 else min
        worth = worth | {lead: rush[lead] if left == 1 else best(rush[lead], passing[lead]) for lead in leads}
    assert "Or take the last call away, and let the last toss always be a rush: the edge changes sides." in text()
    assert f"The first caller, who now makes the last free call, wins {100 * worth[0]:.2f}%." in text()


def test_whoever_calls_the_opposite_has_one_half_and_more_with_a_good_last_call(text: Any) -> None:
    assert "Whatever your rival calls, call the other" in text()
    assert Counter(one + 2 * two for one, two in product((1, -1), repeat=2)) == {3: 1, 1: 1, -1: 1, -3: 1}

    @cache
    def answered(left: int, lead: int, is_mended: bool) -> Fraction:
        """The chance of the player who answers, against the best calls of the other; left: tosses."""
        if left == 0:
            return Fraction((lead > 0) - (lead < 0) + 1, 2)

        def reply(lead: int, points: int) -> Fraction:
            return sum(answered(left - 2, lead + move, is_mended) for move in (points, -points)) / 2

        def call(points: int) -> Fraction:
            ends = [lead + move for move in (points, -points)]
            if is_mended and left == 2:
                return sum(max(reply(end, 1), reply(end, 2)) for end in ends) / 2
            return sum(reply(end, 3 - points) for end in ends) / 2

        return min(call(1), call(2))

    assert [answered(left, 0, False) for left in (2, 4, 10, 100)] == [HALF] * 4
    assert all(answered(left, 0, True) > HALF for left in range(2, 101, 2))
    for tosses in (3, 5, 25):  # the first caller rushes once, and answers from then on
        assert sum(answered(tosses - 1, lead, True) for lead in (1, -1)) / 2 > HALF
    assert "With an odd number of tosses, from three on, the first caller rushes once" in text()


def both(left: int, points: int) -> Fraction:
    """Twice the chance of the caller of a tie after such a call, by the rules."""
    return sum((chance(left - 1, lead, False, "optimal", (1, 2)) for lead in (points, -points)), Fraction(0))


def test_a_pass_at_a_tie_gains_with_multiples_of_four_left_and_loses_more_between_them(text: Any) -> None:
    # Twice the difference of both calls' chances, by the rules; the post draws it for 10 to 38 tosses left, and says
    # of all even numbers to 100 that the difference is less than a twentieth of a percentage point.
    def gain(left: int) -> Fraction:
        worth = [
            sum(chance(left - 1, lead, False, "optimal", (1, 2)) for lead in (points, -points)) for points in (1, 2)
        ]
        return worth[1] - worth[0]

    assert all(gain(left) < 0 for left in range(3, 40, 2))
    assert all(gain(left) > 0 > gain(left + 2) for left in range(12, 38, 4))
    assert all(-gain(left - 2) > gain(left) < -gain(left + 2) for left in range(12, 38, 4))
    assert all(abs(gain(left)) / 2 < Fraction(1, 2000) for left in range(2, 101, 2))
    assert "an even number of tosses left, a wrong call at a tie costs less than a twentieth of a percentage" in text()
    # The largest difference with an odd number left, by the rules, is the one with three left.
    assert max(-gain(left) / 2 for left in range(1, 100, 2)) == -gain(3) / 2 == Fraction(1, 16)
    assert "with three left a pass costs 6.25 percentage points, since a rush" in text()
    after = {lead: chance(2, lead, False, "optimal", (1, 2)) for lead in (-2, -1, 1, 2)}
    assert after == {1: 0.75, -1: 0.375, 2: 0.75, -2: 0.25}
    assert "a rush leads to 3/4 or 3/8, a pass to 3/4 or only 1/4." in text()


def test_long_games_come_to_what_the_spreads_say(text: Any) -> None:
    # s / (s + t) for steps of 2 behind and 1 ahead beside 1 or 2: s, t = sqrt(5), sqrt(2) and sqrt(8), sqrt(5).
    rush, passing = 5**0.5 / (5**0.5 + 2**0.5), 8**0.5 / (8**0.5 + 5**0.5)

    rusher, passer = f"{100 * rush:.1f}% of the time against one who always rushes", f"{100 * passing:.1f}% against one"
    said = f"In long games of 1 and 2 points you win close to {rusher}, and close to {passer} who always passes."
    assert said in text()


def test_large_losses_and_small_wins_against_one_who_always_rushes(text: Any) -> None:
    # Carried forward by the rules, with the better call of the recursion above, a rush where both are as good.
    leads = {0: Fraction(1)}
    for left in range(100, 0, -1):
        after: Counter[int] = Counter()
        for lead, share in leads.items():
            worth = {
                points: sum(chance(left - 1, lead + move, False, "rush", (1, 2)) for move in (points, -points))
                for points in ((1, 2) if left % 2 == 0 else (1,))
            }
            points = max(worth, key=lambda each: (worth[each], -each))
            for move in (points, -points):
                after[lead + move] += share / 2
        leads = after
    won, lost = (
        sum(share * abs(lead) for lead, share in leads.items() if lead * sign > 0)
        / sum(share for lead, share in leads.items() if lead * sign > 0)
        for sign in (1, -1)
    )
    means = f"your losses average about {float(lost):.0f} points, and your wins about {float(won):.1f}."
    assert f"Over 100 tosses {means}" in text()
    shares = [100 * float(sum(share for lead, share in leads.items() if lead * sign > 0)) for sign in (1, -1)]
    assert shares[0] * won == pytest.approx(500, abs=1)
    assert shares[1] * lost == pytest.approx(500, abs=1)
    counts = f"{10 * shares[0]:.0f} wins and {10 * shares[1]:.0f} losses come to about 5,000 points each way."
    assert f"In 1,000 games of the picture, {counts} The other {1000 - 10 * sum(shares):.0f} are draws" in text()
    made = float(100 * chance(100, 0, True, "rush", (1, 2)))
    assert shares[0] + (100 - sum(shares)) / 2 == pytest.approx(made)
    assert f"that makes the {made:.1f}% of the first table." in text()


def test_the_derived_summary_and_the_exact_set_are_given(text: Any) -> None:
    # The writeup of 2017-10-13.
    page = text()

    assert "Losing: pass. Winning: rush. Tied: pass if the number of tosses left is divisible by 4, else rush." in page
    assert "Against a perfect rival they are right in every situation that can come up." in page
    assert "tosses made lead of the caller 91 −1 92 0 93 −1 94 0 95 −1 96 0, 1" in page


def test_two_and_three_tosses_tell_the_last_call_from_the_second_seat(text: Any) -> None:
    # Two tosses, the second caller an equal: after a rush of the first the second ties or wins half the time, 3/8 left.
    assert chance(2, 0, True, "optimal", (1, 2)) == Fraction(3, 8)
    assert chance(3, 0, True, "optimal", (1, 2)) == Fraction(9, 16)
    assert "with three tosses the first caller wins 56.25% of the games." in text()
    assert "Show that you win 3/8 of the time, whatever you call." in text()


def test_three_tosses_are_worked_out_by_hand(text: Any) -> None:
    # By hand, from the end: 9/16 for the first caller, who also has the last call.
    assert chance(3, 0, True, "optimal", (1, 2)) == Fraction(9, 16)
    assert [chance(1, lead, True, "optimal", (1, 2)) for lead in (3, 1, 4, 0)] == [1, Fraction(3, 4), 1, HALF]
    assert "If your rival rushes, you come to 3 or 1, worth 1 and 3/4, on average 7/8." in text()
    assert "If your rival passes, you come to 4 or 0, worth 1 and 1/2, on average 3/4. So your rival passes." in text()
    assert "a rush is worth the average of 3/4 and 3/8, which is 9/16; a pass, of 3/4 and 1/4, only 1/2." in text()
    assert "3 tosses left, your call. At a tie, a rush gives you (3/4 + 3/8) / 2 = 9/16," in text()


def test_the_page_follows_the_opponent_and_the_order(text: Any) -> None:
    page = text(*HABIT)
    first, second = first_and_second(9, "rush", (1, 2))

    assert f"always rushes {first} {second}" in page
    assert "This is your chance against an opponent who always rushes, when the opponent called first:" in page
    # An odd number of tosses: the first caller has the last word.
    best = chance(9, 0, True, "optimal", (1, 2))
    assert best > Fraction(1, 2)
    assert f"Yes. Between two perfect players, whoever calls first wins {percent(best)} of the games." in page


@pytest.mark.deep
def test_a_pass_worth_three_has_no_simple_rule(text: Any) -> None:
    page = text(*DEAR)

    assert "On the next map the lead is that of the caller" in page
    assert "On the next map the lead is that of the caller" not in text()
    for opponent, name in (("rush", "always rushes"), ("pass", "always passes"), ("optimal", "plays perfectly")):
        assert " ".join((name, *first_and_second(12, opponent, (1, 3)))) in page
    assert "or “pass”, for 3 points" in page
    assert "Here are 12 tosses for 1 or 3 points" in page
    assert "for 1 or 3 points no short rules fit the best calls. The nearest are these: Losing: " in page


def test_with_two_tosses_the_first_call_does_not_matter(text: Any) -> None:
    def after(points: int) -> list[Fraction]:
        return [chance(1, lead, False, "optimal", (1, 2)) for lead in (points, -points)]

    assert after(1) == [Fraction(1, 2), Fraction(1, 4)]
    assert after(2) == [Fraction(3, 4), Fraction(0)]
    assert "Show that you win 3/8 of the time, whatever you call." in text()


def test_behind_the_second_point_up_gains_more_than_the_second_down_costs(text: Any) -> None:
    # At the leads that the post draws: after your call, with nine tosses left and the rival to call.
    worth = [chance(9, lead, False, "optimal", (1, 2)) for lead in range(-14, 15)]

    seconds = [(worth[at + 2] - worth[at + 1], worth[at - 1] - worth[at - 2]) for at in range(2, 27)]
    assert all(up > down for up, down in seconds[:12])
    assert all(up < down for up, down in seconds[13:])
    up, down = (float(100 * each) for each in seconds[12 - 4])
    chances = {lead: f"{100 * float(worth[lead + 14]):.0f}%" for lead in (-6, -5, -3, -2)}
    won = f"the pass leaves you {up:.0f} percentage points better off: {chances[-2]} against {chances[-3]}."
    lost = f"you are only {down:.0f} worse off: {chances[-6]} against {chances[-5]}."
    assert f"If you win the toss, {won} If you lose it, {lost}" in text()


@pytest.mark.deep
@pytest.mark.parametrize("settings", [WORTHLESS, CLOSE], ids=" ".join)
def test_what_is_false_of_other_stakes_is_not_said_of_them(text: Any, settings: tuple[str, ...]) -> None:
    # By hand: at 0 and 5 points the last call is worth nothing in three tosses; at 2 and 3, three tosses are even.
    assert chance(3, 0, True, "optimal", (0, 5)) == chance(3, 0, True, "optimal", (2, 3)) == Fraction(1, 2)
    page = text(*settings)

    assert "It is the last call that helps" not in page


@pytest.mark.parametrize("settings", first_two(ALL), ids=" ".join)
def test_what_is_said_of_one_and_two_points_stays(text: Any, settings: tuple[str, ...]) -> None:
    page = text(*settings)

    assert "They are 0.601766458853 against somebody who always rushes" in page
    assert "It takes four tosses to bring an even lead back to an even lead" in page


@pytest.mark.parametrize("settings", first_two(ALL), ids=" ".join)
def test_the_prose_has_no_seams(text: Any, settings: tuple[str, ...]) -> None:
    page = text(*settings).split("The parameters of this page")[0]

    for seam in (
        " ,",
        " .",
        "..",
        "None",
        "{%",
        "{{",
        "Fraction",
        " 1 points",
        " 1 tosses",
        "##",
        " all 0 ",
        " 1 of 1 ",
    ):
        assert seam not in page, seam


def test_the_feeds_that_the_post_is_in_keep_their_rules(read_post):
    assert read_post(SLUG).feed_faults == []
