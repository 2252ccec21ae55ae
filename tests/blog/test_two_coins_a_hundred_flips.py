"""The post on two coins says what is true, for the published game and for others."""

import re
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import pytest

from tests.blog.conftest import claims_in_the_fold, claims_on, first_two

SLUG = "two-coins-a-hundred-flips"
SHORT = ("riddler_flips.n_flips=6",)
EQUAL = ("riddler_flips.v_a=3", "riddler_flips.v_b=3", "riddler_flips.n_flips=11")
LOADED = ("riddler_flips.p_a=3/5", "riddler_flips.n_flips=12")
LARGE = tuple(f"riddler_flips.{each}" for each in ("n_flips=40", "p_a=9/10", "p_b=1/10", "v_b=100", "target=200"))
HOPELESS = ("riddler_flips.target=300",)
ALL = ((), SHORT, LARGE, LOADED, EQUAL, HOPELESS)


def heads_at_least(fewest: int, flips: int, heads: Fraction = Fraction(1, 2)) -> Fraction:
    """The tail of the binomial distribution."""
    return sum(
        (comb(flips, h) * heads**h * (1 - heads) ** (flips - h) for h in range(fewest, flips + 1)), start=Fraction(0)
    )


@cache
def best_play(flips: int, score: int, p_a: Fraction, target: int, p_b: Fraction = Fraction(1, 2)) -> Fraction:
    """The value from the rules: coin A of 1 point and chance p_a, coin B of 2 points and chance p_b."""
    if flips == 0:
        return Fraction(score >= target)
    after = {move: best_play(flips - 1, score + move, p_a, target, p_b) for move in (1, -1, 2, -2)}
    return max(p_a * after[1] + (1 - p_a) * after[-1], p_b * after[2] + (1 - p_b) * after[-2])


def percent(chance: Fraction, digits: int = 2) -> str:
    return f"{float(100 * chance):.{digits}f}%"


@pytest.fixture
def text(read_post: Any) -> Any:
    return lambda *settings: read_post(SLUG, *settings).text


def test_the_published_answer_is_up_front(read_post: Any) -> None:
    # The writeup of 2020-02-21: 0.6403174472759772; coin A alone by its closed form.
    page = read_post(SLUG)

    assert page.title == "Two coins, 100 flips"
    assert "Played well, you win 64.03% of all games." in page.text
    alone = percent(heads_at_least(51, 100))
    assert f"With either coin alone you would win {alone}: two losing bets make a winning one. So bet." in page.text


def test_the_rule_of_the_published_game_is_given_and_proved(text: Any) -> None:
    assert "Take coin A while you are ahead, and coin B otherwise." in text()
    assert "There is no situation in which this is the worse choice." in text()


def test_published_figures_stand_beside_the_computed_ones(text: Any) -> None:
    # Quotations from the writeup, and the same by closed forms.
    assert "With one flip left and a score of zero it is 0.5." in text()
    assert "0.46086 from 100,000 simulated games" in text()
    assert f"the chance of at least 51 heads in 100, {float(heads_at_least(51, 100)):.5f}." in text()
    assert "The gain of nearly 20% is 18 percentage points, or 39% more wins." in text()


def test_every_published_figure_is_a_claim_with_its_source(read_post: Any) -> None:
    # The writeup of 2020-02-21. "Nearly 20%" is 18 percentage points, so it is loose.
    page = read_post(SLUG)

    figures = ["0.6403174472759772", "0.5", "about 0.46", "0.46086", "nearly 20%", "200"]
    assert claims_on(page) == figures
    writeup = "a writeup of the FiveThirtyEight “Riddler Classic” with two coins, 2020-02-21"
    assert claims_in_the_fold(page) == [
        f"{writeup}: 0.6403174472759772 agrees loosely, to 15 significant digits; compared loosely: its last "
        "decimal is a rounding error",
        f"{writeup}: 0.5 agrees to 1 decimal (one flip left at a score of zero)",
        f"{writeup}: about 0.46 agrees loosely, to 2 significant digits (coin A alone); compared loosely: the writeup "
        "gives two digits, and more of them later",
        f"{writeup}: 0.46086 agrees within 4 standard errors (coin A alone)",
        f"{writeup}: nearly 20% agrees loosely, to 1 significant digit (the gain); compared loosely: the writeup says "
        "nearly, and rounds to the nearest ten",
        f"{writeup}: 200 agrees exactly (the highest score)",
    ]


def test_the_last_published_decimal_is_said_to_be_off(text: Any) -> None:
    # The exact fraction rounds to ...771 at the sixteenth decimal; the nearest float, a hair above, to ...772.
    exact = best_play(100, 0, Fraction(1, 2), 1)

    assert round(exact * 10**16) == 6403174472759771
    assert round(Fraction(float(exact)) * 10**16) == 6403174472759772
    assert float(exact) > exact
    assert "which is right in all decimals but the last" in text()


def test_a_published_figure_that_is_changed_stops_the_build(faults_of_a_changed_post: Any) -> None:
    # Coin A alone: 0.4602053813...; 0.4660 is 3.7 standard errors of 100,000 games away, 0.4668 is 4.2.
    line, message = faults_of_a_changed_post(SLUG, '"0.46086"', '"0.46680"')

    assert message.startswith(
        f"content/posts/{SLUG}.md:{line}: the claim 0.46680 disagrees with results.fair.coin_a_alone, which is"
        " 0.46020538…; they are 4.2 standard errors apart, and 4 is the most"
    )
    assert "mend: look at the solver, or at where the figure comes from" in message


def test_what_confirmed_the_published_game_is_shown(read_post: Any) -> None:
    page = read_post(SLUG)

    assert page.html.count('<div class="checks">') == 1
    assert "other methods found this: Confirmed by other methods" in page.text


@pytest.mark.deep
def test_a_state_halfway_and_loaded_coins_have_their_chances_by_the_rules(text: Any) -> None:
    half, never = Fraction(1, 2), Fraction(0)
    halfway = percent(best_play(70, -10, half, 1), 1)
    hopeless = percent(best_play(100, 0, never, 1), 1)

    assert f"a score of −10 after 30 of a hundred flips, with fair coins, you still win {halfway} of the time" in text()
    alone = percent(heads_at_least(51, 100), 1)
    assert f"even that coin lifts you from {alone}, with coin B alone, to {hopeless}." in text()
    assert f"you are left with the {percent(best_play(100, 0, half, 1, never), 1)} of coin A alone" in text()


def test_a_short_game_follows_every_play(read_post: Any) -> None:
    page = read_post(SLUG, *SHORT)

    # With one coin, four to six heads of six win.
    assert page.title == "Two coins, 6 flips"
    assert "“6 flips,” he says." in page.text
    assert f"Played well, you win {percent(best_play(6, 0, Fraction(1, 2), 1))} of all games." in page.text
    assert f"With either coin alone you would win {percent(heads_at_least(4, 6))}: two losing bets" in page.text
    assert "from 4 on, each even number of flips is better than the odd one after it." in page.text


def test_four_flips_are_worked_out_by_hand(text: Any) -> None:
    four, alone = best_play(4, 0, Fraction(1, 2), 1), heads_at_least(3, 4)
    assert (four, alone) == (Fraction(9, 16), Fraction(5, 16))
    assert f"With four flips you win {four} of all games, with one coin alone only {alone}." in text()
    assert "From 0, coin A leads to 1 or −1, worth (5/8 + 1/2) / 2 = 9/16; coin B leads to 2 or −2" in text()


def test_an_odd_number_of_flips_is_said_to_lose_half_of_what_was_gained(text: Any) -> None:
    # By the rules: 1/2, 9/16 and 17/32 with three, four and five flips.
    three, four, five = (100 * float(best_play(flips, 0, Fraction(1, 2), 1)) for flips in (3, 4, 5))

    said = f"From 3 to 4 flips the chance rises by {four - three:.2f} percentage points, from 4 to 5 it falls by"
    assert f"{said} {four - five:.3f}." in text()


def test_the_steps_that_the_text_compares_are_worth_what_the_rules_say(text: Any) -> None:
    def cases(left: int, score: int) -> int:
        wins = (best_play(left, each, Fraction(1, 2), 1) for each in (score, score - 1))
        return int((next(wins) - next(wins)) * 2**left)

    # Ahead, the steps to s and to s + 3 are equal or the lower one is worth more, by turns.
    for left in range(1, 12):
        ahead = [(s, cases(left, s), cases(left, s + 3)) for s in range(1, left + 2)]
        assert all((low == high) if (s + left) % 2 == 0 else (low > high) for s, low, high in ahead)
    assert "every second such pair above zero is equal; in the others the left number is larger" in text()
    for left in range(3, 12):
        above, below = cases(left, 1), cases(left, 0)
        assert above > below if left % 2 else above < below
    assert [cases(3, 1), cases(3, 0), cases(4, 1), cases(4, 0)] == [1, 0, 2, 3]  # 1/8, 0, 1/8 and 3/16
    assert "heads gains 1/8, and tails costs nothing. So a fourth flip helps." in text()
    assert "With four left, the step up to 1 gains 1/8, but that down to −1 costs 3/16: a fifth does harm." in text()
    assert [cases(3, 1), cases(3, 4), cases(3, 2), cases(3, 5)] == [1, 1, 2, 0]  # the side bets at 2 and at 3
    assert "So coin B stakes the step from 0 to 1 to win the step from 3 to 4." in text()
    assert "the first is worth 5/8 − 1/2 = 1/8 to you. So is the second: with 3 you have 7/8" in text()
    assert "At 3 the stake is the step from 1 to 2, worth 1/4, and the prize, from 4 to 5, is worth nothing" in text()


def test_wins_by_the_rule_are_small_and_losses_large(text: Any) -> None:
    chances = {0: Fraction(1)}
    for _ in range(100):
        after: dict[int, Fraction] = {}
        for score, chance in chances.items():
            move = 1 if score > 0 else 2
            for end in (score + move, score - move):
                after[end] = after.get(end, Fraction(0)) + chance / 2
        chances = after
    sides = [[(s, c) for s, c in chances.items() if is_won == (s > 0)] for is_won in (True, False)]
    won, lost = (float(sum(s * c for s, c in side) / sum(c for _, c in side)) for side in sides)

    assert (f"{won:.1f}", f"{-lost:.1f}") == ("8.8", "15.7")
    assert (
        "an average win is by 8.8 points, an average loss by 15.7 (a zero counts as a loss by 0), and you win 64%."
        in text()
    )


def test_two_thirds_less_what_two_points_are_worth_is_the_chance_of_winning(text: Any) -> None:
    for flips in range(12):
        chances = [best_play(flips, score, Fraction(1, 2), 1) for score in (0, 1, 2)]
        first, second = chances[1] - chances[0], chances[2] - chances[1]
        assert chances[0] == Fraction(2, 3) - (2 * first + second) / 3
    assert "You win two thirds in the long run, and never more." in text()


def test_a_coin_of_three_points_wins_three_quarters_in_the_long_run(text: Any) -> None:
    # By the rules alone, with 100 flips.
    row = {score: float(score >= 1) for score in range(-600, 601)}
    for left in range(99, -1, -1):
        row = {s: max(row[s + 1] + row[s - 1], row[s + 3] + row[s - 3]) / 2 for s in range(-3 * left, 3 * left + 1)}

    said = "3/4 of the time: behind, your score spreads three times as far as ahead."
    assert f"{said} With 100 flips it is {100 * row[0]:.1f}%." in text()


@pytest.mark.deep
def test_a_loaded_coin_has_no_simple_rule(text: Any) -> None:
    p_a, page = Fraction(3, 5), text(*LOADED)

    assert "Coin A shows heads with probability 3/5, coin B with probability 1/2." in page
    assert f"Played well, you win {percent(best_play(12, 0, p_a, 1))} of all games." in page
    # Ahead after twelve flips: at least seven heads.
    assert f"With one coin all the way you would win {percent(heads_at_least(7, 12, p_a))} at most." in page
    assert "you lose more often than you win" not in page
    assert "but with these coins it picks the worse one in" in page
    assert "And you need no computer" not in page
    assert "But you always know" not in page
    assert "two losing bets" not in page
    assert "you may toss a third coin" not in page


@pytest.mark.deep
@pytest.mark.parametrize("settings", [LARGE, EQUAL, HOPELESS], ids=" ".join)
def test_what_does_not_hold_for_other_games_is_not_said_of_them(text: Any, settings: tuple[str, ...]) -> None:
    page = text(*settings)

    assert "more wins" not in page.split("How this was checked")[0]
    assert "And you need no computer" not in page


def test_the_hint_is_folded_away_as_a_whole(read_post: Any) -> None:
    fold = re.search(r"<details class=\"hint\".*?</details>", read_post(SLUG).html, re.DOTALL)

    assert fold
    assert "Then think of the last flip but one." in " ".join(fold[0].split())


@pytest.mark.parametrize("settings", first_two(ALL), ids=" ".join)
def test_what_is_said_of_the_published_game_stays(text: Any, settings: tuple[str, ...]) -> None:
    page = text(*settings)

    assert "in the long run they are 2/3 of all (" in page
    assert "100 flips need −200 to 200" in page
    assert "The gain of nearly 20% is 18 percentage points" in page
    assert "0.46086 from 100,000 simulated games" in page


@pytest.mark.parametrize("settings", first_two(ALL), ids=" ".join)
def test_the_prose_has_no_seams(text: Any, settings: tuple[str, ...]) -> None:
    page = text(*settings)

    for seam in (" ,", " .", "..", "None", "{%", "{{", "Fraction", " 1 flips", " 1 points"):
        assert seam not in page.split("How this was checked")[0], seam


def test_the_feeds_that_the_post_is_in_keep_their_rules(read_post):
    assert read_post(SLUG).feed_faults == []
