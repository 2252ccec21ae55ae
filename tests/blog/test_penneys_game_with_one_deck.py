"""What a reader of the post on Penney's game is told, at its defaults and with other decks, lengths and pairs."""

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import comb, floor

import pytest

from tests.blog.conftest import claims_in_the_fold, claims_on, first_two, methods_in_panels
from tests.conftest import deep

SLUG = "penneys-game-with-one-deck"
CONTEST = "a programming-contest problem in two parts on Penney’s game with one deck"
LITERATURE = "the literature on Penney’s game without a deck limit"
COLOURS = "with R for red and B for black"
UNEVEN = ("penney.reds=8", "penney.blacks=12", "penney.yvonne=RRB", "penney.zara=BBR")
FOLLOWED = ("penney.k=4", "penney.yvonne=RBRB", "penney.zara=BBRR", "penney.cards=RRRBBRB")
NAMED = ("penney.yvonne=RRR",)
SETTINGS = ((), UNEVEN, NAMED, FOLLOWED)


@lru_cache(maxsize=64)  # all pairs of three cards
def lead_of(yvonne: str, zara: str) -> Callable[[int, int, str], int]:
    """Yvonne's lead in orders of so many red and black cards, after some cards: the recurrence of the post."""

    @cache
    def lead(red: int, black: int, last: str) -> int:
        if last in (yvonne, zara):
            return comb(red + black, red) * (1 if last == yvonne else -1)
        after = last[1:] if len(last) == len(yvonne) else last
        return (lead(red - 1, black, after + "R") if red else 0) + (lead(red, black - 1, after + "B") if black else 0)

    return lead


@cache
def chance(yvonne: str, zara: str, reds: int, blacks: int, cards: str = "") -> Fraction:
    """Yvonne's chance with a pair once some cards have been turned."""
    gone = yvonne + zara + cards
    red, black = reds - gone.count("R"), blacks - gone.count("B")
    lead = lead_of(yvonne, zara)(red, black, cards[-len(yvonne) :])
    return Fraction(1, 2) + Fraction(lead, 2 * comb(red + black, red))


def share_and_decided(yvonne: str, zara: str) -> tuple[Fraction, Fraction]:
    """Zara's share of the games that the cards decide, and how many these are, with 26 red and 26 black cards."""
    beginnings = {word[:length] for word in (yvonne, zara) for length in range(len(word) + 1)}

    @cache
    def won(by: str, red: int, black: int, row: str) -> int:
        row = next(row[start:] for start in range(len(row) + 1) if row[start:] in beginnings)
        if row in (yvonne, zara):
            return comb(red + black, red) * (row == by)
        return (won(by, red - 1, black, row + "R") if red else 0) + (won(by, red, black - 1, row + "B") if black else 0)

    red, black = (26 - (yvonne + zara).count(card) for card in "RB")
    hers, decided = won(zara, red, black, ""), won(zara, red, black, "") + won(yvonne, red, black, "")
    return Fraction(hers, decided), Fraction(decided, comb(red + black, red))


@cache
def best_play(k: int, reds: int, blacks: int) -> Fraction:
    """Yvonne's chance when both play as well as they can, out of all pairs."""
    words = ["".join(word) for word in product("RB", repeat=k)]

    def fits(first: str, second: str) -> bool:
        gone = first + second
        return first != second and gone.count("R") <= reds and gone.count("B") <= blacks

    worth = [[chance(first, second, reds, blacks) for second in words if fits(first, second)] for first in words]
    return max(min(chances) for chances in worth if chances)


def percent(value: Fraction, digits: int) -> str:
    return f"{float(round(value * 100, digits)):.{digits}f}%"


def test_the_answer_and_the_title_are_those_of_the_contest_deck(read_post):
    page = read_post(SLUG)

    zara = 1 - best_play(3, 26, 26)
    assert page.title == "Penney’s game with one deck"
    assert (
        f"A safest sequence for Yvonne, one that loses least, is RBR, {COLOURS}. But even then Zara answers RRB, and "
        f"wins {percent(zara, 2)}" in page.text
    )
    assert f"Zara wins {percent(zara, 2)} of the games, if she answers well" in page.text


def test_the_published_table_of_who_is_ahead_is_told(read_post):
    # Published: ties for k = 1, 2 and for every k >= 17; Zara is ahead for 3 <= k <= 16.
    text = read_post(SLUG).text

    assert "With 1 and 2 cards nobody is ahead, with 3 to 16 it is Zara, and with 17 to 26 nobody again." in text
    assert "appear at all: the two on the table take 36 cards, and the 16 that are left are too few." in text  # 52 - 36
    # What Zara names is needed twice: 17 // 2 reds and 18 // 2 blacks at most.
    assert "Let Yvonne name 9 reds and then 8 blacks." in text
    assert "That leaves 17 reds and 18 blacks." in text
    assert "So it has at most 8 reds and 9 blacks, together 17." in text


def test_with_four_cards_another_answer_can_be_better_than_the_trick(read_post):
    # Of all answers to RRBR, and of the two that put one card in front of it and drop its last.
    every = {"".join(zara): 1 - chance("RRBR", "".join(zara), 26, 26) for zara in product("RB", repeat=4)}
    best = max((zara for zara in every if zara != "RRBR"), key=every.__getitem__)

    assert every[best] > max(every["RRRB"], every["BRRB"])
    said = f"Zara’s best answer to a longer sequence may have another form: to RRBR it is {best}, which"
    assert said in read_post(SLUG).text


def test_the_table_gives_best_play_for_each_length(read_post):
    text = read_post(SLUG).text

    for k, yvonne, zara in ((4, "RRBB", "RRRB"), (5, "RRBRB", "BRRBR"), (7, "RRBRRBB", "BRRBRRB")):
        exact = chance(yvonne, zara, 26, 26)
        assert f" {k} {yvonne} {zara} {percent(exact, 3)} " in text


def test_long_sequences_keep_the_cards_from_deciding_and_zara_her_share(read_post):
    text = read_post(SLUG).text

    table = text[: text.index("With 1 and 2 cards nobody is ahead")]
    pairs = re.findall(r" (\d+) ([RB]{3,16}) ([RB]{3,16})(?= )", table)
    found = [share_and_decided(yvonne, zara) for _, yvonne, zara in pairs]
    shares = [share for share, _ in found]
    assert [int(k) for k, _, _ in pairs] == list(range(3, 17))
    assert (
        f"decide, Zara still wins about {percent(min(shares), 0)} to {percent(max(shares), 0)}, at each length from 3 "
        "to 16." in text
    )
    assert f"with 16 cards each, the cards decide only 1 in {round(1 / found[-1][1])} games." in text
    chances = [share * decided + (1 - decided) / 2 for share, decided in found]
    assert chances == sorted(chances, reverse=True)
    # Published for k >= 4 without a deck limit: odds of 2^(k-1) + 1 to 2^(k-2) + 1.
    endless = [Fraction(2 ** (k - 1) + 1, 2 ** (k - 1) + 2 ** (k - 2) + 2) for k in range(4, 11)]
    assert all(abs(chance - Fraction(2, 3)) < Fraction(1, 40) for chance in endless)
    endless_cards = "Suppose that the cards never ran out, each red or black like the toss of a coin. Then Zara wins"
    assert f"{endless_cards} about two games in three, at every length from 3 cards on." in text


def test_the_game_without_a_limit_has_the_published_odds(read_post):
    # Published: 2/3 for Zara at k = 3; odds of 2^(k-1) + 1 to 2^(k-2) + 1 for k >= 4.
    text = read_post(SLUG).text

    assert "There Zara wins 2/3 of the games with three cards" in text
    odds = [f"{2 ** (k - 1) + 1} to {2 ** (k - 2) + 1}" for k in range(4, 11)]
    found = f"{', '.join(odds[:-1])} and {odds[-1]}"
    assert f"With four to ten the odds for her are {found}, as the literature" in text


def test_the_published_example_of_a_memory_is_followed(read_post):
    # Published: sequences RBRB and BBRR, cards so far RRRBBRB: what matters is RB; at most 2 k + 1 states.
    text = read_post(SLUG).text

    assert "If RBRB plays against BBRR, and the cards so far are RRRBBRB, that is RB." in text
    assert (
        "such beginnings, here 9; to remember the last 4 cards in full, you would have to tell 31 rows apart." in text
    )


def test_the_end_of_a_small_game_is_worked_out_by_hand(read_post):
    text = read_post(SLUG).text

    # One red and two blacks are left of 6 and 6: three orders, by brute force.
    assert chance("RBR", "RRB", 6, 6, "BBR") == Fraction(1, 2)
    assert chance("RBR", "RRB", 6, 6, "BBRB") == 1 - Fraction(1, 4)
    assert "one for Yvonne and one for the coin: a quarter for Zara. And 1/3⋅1+2/3⋅1/4 is 1/2 again." in text


def test_the_published_number_of_an_uneven_deck_is_told(read_post):
    # Published: RRB against BBR with 8 red and 12 black cards: 22/91.
    assert "with 8 red and 12 black cards, RRB wins against BBR with the chance 22/91." in read_post(SLUG).text


@pytest.mark.parametrize("settings", first_two(SETTINGS), ids=str)
def test_every_published_figure_was_held_against_the_computed_one_whatever_is_turned(read_post, settings):
    page = read_post(SLUG, *settings)

    # Published for k >= 4 without a deck limit: odds of 2^(k-1) + 1 to 2^(k-2) + 1.
    odds = {k: f"{2 ** (k - 1) + 1} to {2 ** (k - 2) + 1}" for k in range(4, 11)}
    assert claims_on(page) == [
        *("RB", "18", "1 and 2", "3 to 16", "17 to 26", "2/3"),
        *odds.values(),
        *("1/2", "1/2", "1/2"),
        "22/91",
    ]
    assert claims_in_the_fold(page) == [
        f"{CONTEST}: RB agrees word for word (RBRB against BBRR after RRRBBRB)",
        f"{CONTEST}: 18 agrees exactly (from where on no sequence can appear)",
        f"{CONTEST}: 1 and 2 agrees exactly (ties of short sequences)",
        f"{CONTEST}: 3 to 16 agrees exactly (where Zara is ahead)",
        f"{CONTEST}: 17 to 26 agrees exactly (ties of long sequences)",
        f"{CONTEST}: 1/2 agrees exactly (a sequence against its opposite)",
        f"{CONTEST}: 1/2 agrees exactly (the most that Yvonne has)",
        f"{CONTEST}: 1/2 agrees exactly (nine reds and then eight blacks)",
        f"{LITERATURE}: 2/3 agrees exactly (k = 3, by Conway’s algorithm)",
        *(f"{LITERATURE}: {text} agrees exactly (k = {k})" for k, text in odds.items()),
        "our notes on the puzzle from before its solver was written: 22/91 agrees exactly (RRB against BBR with 8 red "
        "and 12 black cards)",
    ]


@pytest.mark.deep
def test_a_wrong_figure_is_refused_at_its_line(faults_of_a_changed_post):
    line, message = faults_of_a_changed_post(SLUG, 'claim("22/91"', 'claim("22/93"')

    assert message.startswith(
        f"content/posts/{SLUG}.md:{line}: the claim 22/93 disagrees with results.uneven.pair.chance"
    )
    assert "which is 22/91" in message
    assert 'mend: write claim("22/91", results.uneven.pair.chance)' in message


@pytest.mark.parametrize("settings", first_two(SETTINGS), ids=str)
def test_the_answers_are_confirmed_in_view_of_the_reader_whatever_is_turned(read_post, settings):
    page = read_post(SLUG, *settings)

    methods = methods_in_panels(page)
    assert "20,000 shuffled decks, turned over until a sequence appears" in methods
    assert "Every pair of sequences, carried forward card by card, exact" in methods
    assert any(method.startswith("Published for 52 cards") for method in methods)


def test_the_circle_of_three_cards_is_called_one(read_post):
    text = read_post(SLUG).text

    weakest = min(1 - chance("RRB", "BRR", 26, 26), 1 - chance("RBB", "RRB", 26, 26))
    assert f"each sequence in it beats the one before, in more than {floor(100 * weakest)}% of the games." in text


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ((), "With 3 cards, Zara is ahead whatever Yvonne names, and her best answer always has"),
        deep(FOLLOWED, "Zara is ahead whatever Yvonne names. Her best answer has this form against 14 of the 16."),
    ],
)
def test_how_often_the_trick_is_best_is_counted(read_post, settings, found):
    k = 4 if settings else 3
    words = ["".join(word) for word in product("RB", repeat=k)]
    best = {y: min((z for z in words if z != y), key=lambda z: chance(y, z, 26, 26)) for y in words}

    assert sum(zara[1:] == yvonne[:-1] for yvonne, zara in best.items()) == (14 if settings else 8)
    assert found in read_post(SLUG, *settings).text


def test_the_decks_with_which_yvonne_is_ahead_are_named(read_post):
    text = read_post(SLUG).text

    chances = {reds: best_play(3, reds, 26) for reds in range(2, 31)}
    assert [reds for reds, chance in chances.items() if chance > Fraction(1, 2)] == [2, 3, 4, 5, 6]
    assert "With 2 to 6 reds Yvonne is ahead. She names BBB, and Zara’s best answer is RBB: the trick again" in text
    for reds in range(2, 7):  # RBB leaves reds - 1 of the cards red, BBB and RBB together take five blacks
        opens = Fraction(21 * 20 * 19, (reds + 20) * (reds + 19) * (reds + 18))
        assert chances[reds] == chance("BBB", "RBB", reds, 26) == pytest.approx(opens, abs=1e-3)
        assert opens > Fraction(1, 2)
    assert f"with 5 reds in {percent(chances[5], 1)} of the games. From 7 on Zara is ahead." in text
    assert all(chances[reds] < Fraction(1, 2) for reds in range(7, 31))


def test_the_kinks_of_the_curve_are_changes_of_mind(read_post):
    text = read_post(SLUG).text

    words = ["".join(word) for word in product("RB", repeat=3)]
    decks = (9, 10, 24, 25, 27, 28, 30)
    worst = {(y, reds): min(chance(y, z, reds, 26) for z in words if z != y) for y in words for reds in decks}
    safest = [max(words, key=lambda y, reds=reds: worst[y, reds]) for reds in decks]
    assert safest == ["BBB", "RBB", "RBB", "RBR", "BRB", "BRR", "BRR"]
    minds = "With up to 9 reds Yvonne names BBB, with 10 to 24 RBB. The low at 18 ends when Zara finds it better"
    assert f"{minds} to answer RBB by RRB than by BRB." in text
    fading, growing = ([chance("RBB", zara, reds, 26) for reds in (18, 19)] for zara in ("BRB", "RRB"))
    assert fading[0] < growing[0]
    assert fading[1] > growing[1]


def test_the_card_to_put_in_front_of_three_is_the_opposite_of_yvonnes_second(read_post):
    text = read_post(SLUG).text

    words = ["".join(word) for word in product("RB", repeat=3)]
    for yvonne in words:
        answer = ("B" if yvonne[1] == "R" else "R") + yvonne[:2]
        others = (chance(yvonne, zara, 26, 26) for zara in words if zara not in (yvonne, answer))
        assert chance(yvonne, answer, 26, 26) < min(others)
    assert chance("RBR", "BRB", 26, 26) == Fraction(1, 2)
    shown = re.search(
        r"Say that she has (\w+)\. (\w+) and (\w+) both end with (\w+), and hers begins with \4: either has the trick"
        r" on her\. But (\w+) begins with (\w+), and hers ends with \6,",
        text,
    )
    hers, best, tied, end, second, start = shown.groups()
    assert (hers, best, tied) == ("RBR", "RRB", second) == ("RBR", "RRB", "BRB")
    assert best[-2:] == tied[-2:] == hers[:2] == end
    assert tied[:2] == hers[-2:] == start
    assert best[:2] != hers[-2:]
    assert f"{best} begins with {best[:2]}, which hers does not end with: only you have the trick." in text
    opening = Fraction(22 * 21, 46 * 45)  # 22 of the 46 cards left are red; RRB wins if the first two are
    assert chance("RRB", "BRR", 26, 26) == pytest.approx(opening, abs=1e-5)
    assert f"So by the cards Yvonne wins only if the first two are red, in {percent(opening, 0)} of the games." in text
    assert [("B" if yvonne[1] == "R" else "R") + yvonne[:2] for yvonne in ("RBR", "RRR")] == ["RRB", "BRR"]
    assert "So RBR is answered by RRB, and RRR by BRR." in text


def test_why_zara_wins_two_thirds_can_be_had_by_hand(read_post):
    def odds(red: float) -> float:
        """For RRB against RBR, when each card is red with this chance: 400 cards, of which the last three count."""
        rows, won = Counter({"": 1.0}), Counter[str]()
        for _ in range(400):
            after = Counter[str]()
            for row, weight in rows.items():
                for card, share in (("R", red), ("B", 1 - red)):
                    new = (row + card)[-3:]
                    (won if new in ("RRB", "RBR") else after)[new] += weight * share
            rows = after
        return won["RRB"] / won["RBR"]

    # A coin has two to one; 52 cards without RBR and RRB are 46, of which 24 are black.
    assert odds(1 / 2) == pytest.approx(2, abs=1e-9)
    assert odds(22 / 46) == pytest.approx(46 / 24, abs=1e-9)
    text = read_post(SLUG).text
    sentence = "for every 46 games that Zara wins, Yvonne wins about 24: that is 46 of 70 for Zara, or "
    sentence += f"{percent(Fraction(46, 46 + 24), 1)}."
    exact = percent(1 - chance("RBR", "RRB", 26, 26), 2)
    assert f"{sentence} The exact count, which follows the cards as they go, has {exact}." in text
    assert "Why about two thirds?" not in read_post(SLUG, *UNEVEN).text


def test_with_a_coin_two_reds_and_a_red_and_a_black_are_even_and_yet_take_six_tosses_and_four(read_post):
    rows = ["".join(row) for row in product("RB", repeat=12)]
    first = Counter(
        min((row.find(each), each) for each in ("RR", "RB") if each in row)[1] for row in rows if "R" in row[:-1]
    )
    assert first["RR"] == first["RB"]
    # The mean wait is the sum of the chances that a pair has not come yet, of which those after 18 tosses are small.
    for pair, wait in (("RR", 6), ("RB", 4)):
        late = [sum(pair not in "".join(row) for row in product("RB", repeat=n)) / 2**n for n in range(18)]
        assert 0 < wait - sum(late) < 0.2
    text = read_post(SLUG).text
    assert "RR against RB is even. And yet you wait six tosses for RR on average, and only four for RB." in text


def test_with_the_wrong_card_in_front_zara_is_ahead_of_nobody(read_post):
    words = map("".join, product("RB", repeat=3))
    wrong = [(yvonne, yvonne[1] + yvonne[:2]) for yvonne in words]

    assert all(chance(yvonne, zara, 26, 26) >= Fraction(1, 2) for yvonne, zara in wrong if zara != yvonne)
    assert "With the wrong card in front you are never ahead, whatever she names." in read_post(SLUG).text


@pytest.mark.parametrize("yvonne", ["RBR", "RRB", "RRR"])
def test_to_answer_with_the_colours_swapped_is_a_tie(read_post, yvonne):
    swapped = yvonne.translate(str.maketrans("RB", "BR"))

    assert chance(yvonne, swapped, 26, 26) == Fraction(1, 2)
    assert "BRB for RBR. Then the game is even: every deck that Yvonne wins has a twin" in read_post(SLUG).text
    assert "sure of a tie" not in read_post(SLUG, *UNEVEN).text


def test_the_worked_pair_is_decided_by_the_first_two_cards(read_post):
    # RR and BR leave 23 red and 25 black cards of 26 and 26; Yvonne needs two reds first.
    text = read_post(SLUG).text

    assert "Of the 48 cards left 23 are red" in text
    assert f"happens in {percent(Fraction(23 * 22, 48 * 47), 1)} of the games. Zara wins all" in text


def test_the_states_that_the_contest_allows_and_those_that_occur_are_counted(read_post):
    text = read_post(SLUG).text

    assert "Far fewer can occur: 1679 for RBR against RRB." in text


@pytest.mark.deep
def test_another_deck_and_pair_change_the_story_and_leave_the_contest_alone(read_post):
    page = read_post(SLUG, *UNEVEN)

    zara = 1 - best_play(3, 8, 12)
    assert "a deck of 8 red and 12 black cards" in page.text
    assert "shuffle the other 14, and turn" in page.text
    assert f"and wins {percent(zara, 2)} of the games." in page.text
    assert f"RRB against BBR, Yvonne wins {percent(Fraction(22, 91), 4)} of the games." in page.text
    assert "with 3 to 16 it is Zara" in page.text


@pytest.mark.deep
def test_a_single_sequence_of_the_readers_is_given_a_best_answer(read_post):
    text = read_post(SLUG, *NAMED).text

    words = ["".join(word) for word in product("RB", repeat=3)]
    worst = min(chance("RRR", zara, 26, 26) for zara in words if zara != "RRR")
    assert f"Of the pair that you named, RRR against BRR, Yvonne wins {percent(worst, 4)} of the games." in text


@pytest.mark.deep
def test_two_cards_are_not_said_to_have_no_best_sequence(read_post):
    # RB against BR is even by symmetry, so the circle of best answers ranks nobody.
    text = read_post(SLUG, "penney.k=2").text

    assert chance("RB", "BR", 26, 26) == Fraction(1, 2)
    assert "No sequence is safe" not in text
    assert "the circle has a step that is no win, so it does not prove" in text


@pytest.mark.parametrize("settings", first_two(SETTINGS), ids=str)
def test_no_settings_leave_a_trace_of_the_template(read_post, settings):
    text = read_post(SLUG, *settings).text

    for trace in ("{{", "{%", "None", "namespace", " .", " ,"):
        assert trace not in text


def test_the_feeds_that_the_post_is_in_keep_their_rules(read_post):
    assert read_post(SLUG).feed_faults == []
