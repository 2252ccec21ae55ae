"""The post on two coins says what is true, for the published game and for others."""

import re
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np
import pytest

from tests.blog.conftest import claims_in_the_fold, claims_on, deep, first_three

SLUG = "two-coins-a-hundred-flips"
SHORT = ("riddler_flips.n_flips=4",)
STANDING = ("riddler_flips.v_a=0",)
EQUAL = ("riddler_flips.v_a=3", "riddler_flips.v_b=3", "riddler_flips.n_flips=11")
LOADED = ("riddler_flips.p_a=3/5", "riddler_flips.n_flips=12", "riddler_flips.target=2")
HOPELESS = ("riddler_flips.target=300",)
CAREFUL = ("riddler_flips.v_a=0", "riddler_flips.n_flips=3", "riddler_flips.target=-2")
NEARLY_SURE = ("riddler_flips.p_a=9/10",)
NEARLY_LOST = ("riddler_flips.p_a=1/50", "riddler_flips.p_b=1/100")
ONE_FLIP = ("riddler_flips.n_flips=1", "riddler_flips.target=0")
ALL = ((), EQUAL, SHORT, STANDING, LOADED, HOPELESS, CAREFUL, NEARLY_SURE, NEARLY_LOST, ONE_FLIP)


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


def best_play_in_a_long_game(flips: int) -> float:
    """The same for two fair coins and the target 1 in floats, all scores at once."""
    value = (np.arange(-2 * flips, 2 * flips + 1) >= 1).astype(float)
    for _ in range(flips):
        value = np.maximum(value[3:-1] + value[1:-3], value[4:] + value[:-4]) / 2
    return float(value[0])


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
    assert f"With one coin all the way you would win {percent(heads_at_least(51, 100))}." in page.text
    assert "worth 18.0 percentage points, or 39.1% more wins" in page.text


def test_the_rule_of_the_published_game_is_given_and_proved(text: Any) -> None:
    # Every score from -2t to 2t but zero after one flip: 1 + 5 + 9 + ... - 1.
    states = sum(4 * flips + 1 for flips in range(100)) - 1

    assert "Take coin A while the score would win as it stands, coin B while it would not." in text()
    assert f"in all {states:,} states that can occur" in text()


def test_published_figures_stand_beside_the_computed_ones(text: Any) -> None:
    # Quotations from the writeup, and the same by closed forms.
    assert "With one flip left and a score of zero it is 0.5, as published." in text()
    assert "0.46086, from 100,000 simulated games" in text()
    assert f"The exact chance, of at least 51 heads in 100, is {float(heads_at_least(51, 100)):.5f};" in text()
    decimals = round(best_play(100, 0, Fraction(1, 2), 1) * 10**30)
    assert f"The published answer is 0.6403174472759772. To thirty decimals ours is 0.{decimals}:" in text()
    assert "we would rather say 18 percentage points, or 39% more wins" in text()


def test_every_published_figure_is_a_claim_with_its_source(read_post: Any) -> None:
    # The writeup of 2020-02-21. "Nearly 20%" is 18 percentage points, so it is loose.
    page = read_post(SLUG)

    figures = ["0.5", "200", "0.6403174472759772", "about 0.46", "0.46086", "nearly 20%"]
    assert claims_on(page) == figures
    writeup = "a writeup of the FiveThirtyEight “Riddler Classic” with two coins, 2020-02-21"
    assert claims_in_the_fold(page) == [
        f"{writeup}: 0.5 agrees to 1 decimal (one flip left at a score of zero)",
        f"{writeup}: 200 agrees exactly (the highest score)",
        f"{writeup}: 0.6403174472759772 agrees to 15 decimals",
        f"{writeup}: about 0.46 agrees loosely, to 2 significant digits (coin A alone); compared loosely: the writeup "
        "gives two digits, and more of them later",
        f"{writeup}: 0.46086 agrees within 4 standard errors (coin A alone)",
        f"{writeup}: nearly 20% agrees loosely, to 1 significant digit (the gain); compared loosely: the writeup says "
        "nearly, and rounds to the nearest ten",
    ]


def test_the_last_published_decimal_is_said_to_be_off(text: Any) -> None:
    # The exact fraction rounds to ...771 at the sixteenth decimal; the nearest float, a hair above, to ...772.
    exact = best_play(100, 0, Fraction(1, 2), 1)

    assert round(exact * 10**16) == 6403174472759771
    assert round(Fraction(float(exact)) * 10**16) == 6403174472759772
    assert float(exact) > exact
    assert "the published one is right in all of its decimals but the last" in text()
    assert "The nearest one lies a hair above the fraction" in text()


def test_a_published_figure_that_is_changed_stops_the_build(faults_of_a_changed_post: Any) -> None:
    # Coin A alone: 0.4602053813...; 0.4660 is 3.7 standard errors of 100,000 games away, 0.4668 is 4.2.
    line, fault = faults_of_a_changed_post(SLUG, '"0.46086"', '"0.46680"')

    assert fault.startswith(
        f"content/posts/{SLUG}.md:{line}: the claim 0.46680 disagrees with fair.coin_a_alone, which is 0.46020538…;"
        " they are 4.2 standard errors apart, and 4 is the most"
    )
    assert "mend: look at the solver, or at where the figure comes from" in fault


def test_what_confirmed_the_published_game_is_shown(read_post: Any) -> None:
    page = read_post(SLUG)

    assert page.html.count('<div class="checks">') == 1
    assert "For the published game they found this: Confirmed by other methods" in page.text


def test_a_state_halfway_and_loaded_coins_have_their_chances_by_the_rules(text: Any) -> None:
    half, two_fifths, never = Fraction(1, 2), Fraction(2, 5), Fraction(0)
    halfway = percent(best_play(70, -10, half, 1), 1)
    hopeless = percent(best_play(100, 0, never, 1), 1)
    loaded = percent(best_play(100, 0, two_fifths, 1, two_fifths), 1)

    assert f"a game that stands at −10 after 30 flips is still won {halfway} of the time" in text()
    assert f"With p=0 coin A always costs you a point, and yet you win {hopeless}, more than" in text()
    assert f"the {percent(heads_at_least(51, 100), 1)} of a fair coin B alone" in text()
    assert f"with it you win {percent(best_play(100, 0, half, 1, never), 1)}, as with coin A alone" in text()
    assert f"the best play wins {loaded}, one coin alone {percent(heads_at_least(51, 100, two_fifths), 1)}" in text()


def test_a_short_game_follows_every_play(read_post: Any) -> None:
    page = read_post(SLUG, *SHORT)

    # By hand: 9/16 with four flips; with one coin, three or four heads win.
    assert best_play(4, 0, Fraction(1, 2), 1) == Fraction(9, 16)
    assert page.title == "Two coins, 4 flips"
    assert "you have 4 flips" in page.text
    assert "Played well, you win 56.25% of all games." in page.text
    assert f"you would win {percent(heads_at_least(3, 4))}" in page.text
    assert "Up to 4 flips a longer game is never a worse one." in page.text


@pytest.mark.deep
def test_standing_still_doubles_the_chance(text: Any) -> None:
    # The reflection principle: a walk of 100 steps is ever above zero twice as often as it ends above zero.
    twice = 2 * heads_at_least(51, 100)

    assert f"Played well, you win {percent(twice)} of all games." in text(*STANDING)
    assert "Coin A is worth 0 points" in text(*STANDING)
    assert "with the better one, coin B. The freedom to change coins is worth 46.0 percentage points" in text(*STANDING)
    assert "you can stand still as soon as you are ahead" in text(*STANDING)


def test_with_equal_coins_there_is_nothing_to_choose(text: Any) -> None:
    page = text(*EQUAL)

    # An odd number of fair flips has no tie.
    assert "Played well, you win 50.00% of all games. One coin all the way does just as well here." in page
    assert "There is no art in it: from every score the two coins are equally good." in page
    assert "The coins are worth the same, so in the long run half of all games end ahead." in page
    assert "When you are behind and time runs out" not in page


@pytest.mark.deep
def test_a_loaded_coin_has_no_simple_rule(text: Any) -> None:
    p_a, page = Fraction(3, 5), text(*LOADED)

    assert "Coin A shows heads with probability 3/5, coin B with probability 1/2." in page
    assert "You win if it ends at 2 or more." in page
    assert f"Played well, you win {percent(best_play(12, 0, p_a, 2))} of all games." in page
    # Two points ahead after twelve flips: at least seven heads.
    assert f"only coin A {percent(heads_at_least(7, 12, p_a))}" in page
    assert "No simple rule does it." in page
    assert "And you need no computer" not in page
    assert "With fair coins we can say where this leads" not in page


@pytest.mark.deep
def test_the_only_open_state_need_not_be_the_start(text: Any) -> None:
    page = text(*CAREFUL)

    # By hand: a coin worth nothing keeps every score from -2 on; open is only a score of -4 with one flip left.
    assert "Played well, you win every game." in page
    assert "Only one state is open, and it needs coin B." in page
    assert "In the one state that some play can reach and that is not decided, coin B is needed." in page


@pytest.mark.deep
def test_what_is_nearly_certain_is_not_rounded_to_certainty(text: Any) -> None:
    sure, lost = text(*NEARLY_SURE), text(*NEARLY_LOST)

    assert 1 > best_play(100, 0, Fraction(9, 10), 1) > Fraction(99995, 100000)
    assert "You win more than 99.99% of the games" in sure
    assert "Played well, you win more than 99.99% of all games. So you do with one coin all the way, coin A:" in sure
    assert 0 < best_play(100, 0, Fraction(1, 50), 1, Fraction(1, 100)) < Fraction(5, 100000)
    assert "You win less than 0.01% of the games" in lost
    assert "you win less than 0.01% of all games. With one coin all the way you would win more rarely still." in lost


@pytest.mark.deep
def test_a_single_flip_is_spoken_of_in_the_singular(text: Any) -> None:
    page = text(*ONE_FLIP)

    assert "Without a flip you would have won already; the only flip can spoil it." in page
    assert "Only one state is open, the start itself, and both coins are equally good there." in page


@pytest.mark.deep
def test_a_game_that_cannot_be_won_is_not_praised(text: Any) -> None:
    page = text(*HOPELESS)

    # A hundred flips of two points at most.
    assert "Played well, you win no game at all." in page
    assert "In this game no state is open." in page


@pytest.mark.parametrize(
    ("settings", "heading"),
    [
        ((), "Most of the time it does not matter"),
        deep(LOADED, "Where it matters, and where not"),
        (EQUAL, "Where either coin will do"),
        deep(HOPELESS, "Nothing left to chance"),
    ],
    ids=str,
)
def test_a_heading_says_how_much_the_choice_matters(read_post: Any, settings: tuple[str, ...], heading: str) -> None:
    headings = re.findall(r"<h2[^>]*>(.*?)<", read_post(SLUG, *settings).html)

    assert heading in headings


def test_the_hint_is_folded_away_as_a_whole(read_post: Any) -> None:
    fold = re.search(r"<details class=\"hint\".*?</details>", read_post(SLUG).html, re.DOTALL)

    assert fold
    assert "Then of the last but one." in " ".join(fold[0].split())


@pytest.mark.parametrize("settings", first_three(ALL), ids=" ".join)
def test_what_is_said_of_the_published_game_stays(text: Any, settings: tuple[str, ...]) -> None:
    page, thousand = text(*settings), best_play_in_a_long_game(1000)

    assert (
        f"The published game with a thousand flips is won {100 * thousand:.2f}% of the time, on its way to 2/3." in page
    )
    assert "so its 100 flips need −200 to 200" in page
    assert "calls the gain nearly 20%. That is printed loosely, to the nearest ten" in page
    assert "0.46086, from 100,000 simulated games" in page


@pytest.mark.parametrize("settings", first_three(ALL), ids=" ".join)
def test_the_prose_has_no_seams(text: Any, settings: tuple[str, ...]) -> None:
    page = text(*settings)

    for seam in (" ,", " .", "..", "None", "{%", "{{", "Fraction", " 1 flips", " 1 points"):
        assert seam not in page.split("The rules as code")[0], seam


def test_the_feeds_that_the_post_is_in_keep_their_rules(read_post):
    assert read_post(SLUG).feed_faults == []
