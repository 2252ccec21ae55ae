"""The exact answer that the source of each puzzle gives, or asks for, is on the page of its post."""

import re
from fractions import Fraction

import pytest

from tests.blog.conftest import claims_on
from tests.blog.test_penneys_game_with_one_deck import share_and_decided

# Published by the sources of the puzzles; a claim is compared with the computed value as well.
PUBLISHED = {
    "two-coins-a-hundred-flips": ["0.6403174472759772", "0.46086"],
    "coinball": ["0.601766458853", "0.558341814467", "0.489818590457"],
    "two-piles-of-pennies": ["20, 22, 23, 25 to 28 and 30", "(8, 13), (9, 15), (11, 18)"],
    "a-row-of-coins": ["14", "22", "11", "40", "49"],
    "penneys-game-with-one-deck": ["1 and 2", "3 to 16", "17 to 26"],
}


@pytest.mark.parametrize("slug", PUBLISHED)
def test_the_published_answer_is_on_the_page(read_post, slug):
    claims = claims_on(read_post(slug))

    assert [each for each in PUBLISHED[slug] if each not in claims] == []


def test_the_chance_that_penneys_contest_asks_for_is_on_the_page_as_a_reduced_fraction(read_post):
    # The pairs are those of the table of best play; each is counted here, with 26 red and 26 black cards.
    text = read_post("penneys-game-with-one-deck").text
    found = re.findall(r" (\d+) ([RB]{3,16}) ([RB]{3,16})(?= )", text)
    pairs = {int(k): pair for k, *pair in found if len(pair[0]) == int(k)}  # in another table a row is a deck

    assert list(pairs) == list(range(3, 17))
    rows = {
        k: f" {k} {' '.join(pair)} {float(100 * yvonne_wins(*pair)):.3f}% {yvonne_wins(*pair)} "
        for k, pair in pairs.items()
    }
    assert [k for k, row in rows.items() if row not in text] == []


def yvonne_wins(yvonne: str, zara: str) -> Fraction:
    """Half of the games that the cards do not decide are hers."""
    share, decided = share_and_decided(yvonne, zara)
    return decided * (1 - share) + (1 - decided) / 2
