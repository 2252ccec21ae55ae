"""Penney's game with one deck: what was published, what enumeration of decks shows, and laws that must hold."""

import dataclasses
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations, product
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as some

from site_builder.contract import Diagram, Frames, Heatmap
from site_builder.figures.house_style import WIDE, look_of
from site_builder.solving.tasks.solver import read_solver
from solvers import penney
from solvers.penney.by_card import (
    answers_by_enumeration,
    count_states,
    endless_chances,
    turn_over,
    words_of,
)
from solvers.penney.counting import chances, chances_by_class, denominator, kinds_of_rows, leads
from solvers.penney.deck import Deck, letters, number
from solvers.penney.rules import is_possible
from solvers.penney.search import best_answer, best_play
from tests.solvers.by_name import call, outcomes_of, values_of

HALF = Fraction(1, 2)


@lru_cache
def values(**settings: object) -> dict[str, object]:
    return values_of(penney, **settings)


def solved(**settings: object) -> SimpleNamespace:
    """The result, with the sequences of the pair that is followed as fields."""
    result = values(**settings)["result"]
    return SimpleNamespace(**{**result, "pair": SimpleNamespace(**result["pair"] or {})})


def figure(name: str, **settings: object) -> object:
    return call(getattr(penney, f"figure_{name}"), {**values(**settings), "look": look_of(WIDE)})


def win_probability(*pair_and_deck: object) -> Fraction:
    return turn_over(*pair_and_deck).chance


# What the tests compute by themselves: counts over every order of the cards.


def chances_by_enumeration(yvonne: str, zara: str, reds: int, blacks: int, turned: str = "") -> tuple[Fraction, ...]:
    """Yvonne's probability to win after the cards turned, and that of a sequence to appear: every order looked at."""
    reds -= (yvonne + zara + turned).count("R")
    blacks -= (yvonne + zara + turned).count("B")
    score = appeared = orders = 0
    for chosen in combinations(range(reds + blacks), reds):
        cards = turned + "".join("R" if place in chosen else "B" for place in range(reds + blacks)) + "."
        mine, hers = cards.find(yvonne) % len(cards), cards.find(zara) % len(cards)
        score += (mine < hers) - (mine > hers)
        appeared += mine != hers
        orders += 1
    return HALF + Fraction(score, 2 * orders), Fraction(appeared, orders)


def two_of_them(k: int) -> some.SearchStrategy[tuple[str, str]]:
    word = some.text("RB", min_size=k, max_size=k)
    return some.tuples(word, word).filter(lambda pair: pair[0] != pair[1])


# Published.


@pytest.mark.parametrize("k", range(1, 27))
def test_the_same_player_is_ahead_as_was_published(k):
    # PUZZLES.md, section 5: ties for k = 1, 2 and for every k >= 17; Zara is ahead for 3 <= k <= 16.
    expected = "Zara" if 3 <= k <= 16 else "nobody"

    assert solved(k=k).ahead == expected


def test_the_states_of_the_best_pair_are_counted_with_the_ends():
    result = solved(k=2, reds=3, blacks=3)

    assert {result.best_yvonne, result.best_zara} == {"RB", "BR"}
    assert result.n_states == 5  # one card of each colour: nothing, R, RB, and nothing, B, BR


@pytest.mark.parametrize("deck", [(1, 2, 2), (2, 4, 5), (2, 7, 3), (3, 6, 6), (3, 9, 5), (4, 5, 5)])
def test_the_states_that_every_order_of_the_cards_meets_are_counted(deck):
    result = solved(**dict(zip(("k", "reds", "blacks"), deck, strict=True)))

    pair = result.best_yvonne, result.best_zara
    reds, left = deck[1] - "".join(pair).count("R"), deck[1] + deck[2] - 2 * deck[0]
    met = set()
    for chosen in combinations(range(left), reds):
        cards = "".join("R" if place in chosen else "B" for place in range(left))
        for turned in range(left + 1):
            row = cards[:turned]
            ends = [row[start:] for start in range(turned + 1)]
            met.add((row.count("R"), turned, next(end for end in ends if any(s.startswith(end) for s in pair))))
            if row.endswith(pair):
                break
    assert result.n_states == count_states(*pair, *deck[1:]) == len(met)


def test_nine_reds_and_eight_blacks_tie_for_seventeen_cards():
    # Published as one optimal choice of Yvonne for k = 17.
    result = solved(k=17, yvonne="R" * 9 + "B" * 8)

    assert result.pair.chance == HALF
    assert result.best_yvonne == "RRRRRRRRRBBBBBBBB"


@pytest.mark.parametrize("k", range(18, 27))
def test_from_eighteen_cards_on_no_sequence_fits_into_what_is_turned(k):
    # Published: for k >= 18 too few cards remain for either sequence; 52 - 2 k < k.
    result = solved(k=k)

    assert not result.can_appear
    assert result.decided == 0


def test_the_published_example_on_an_uneven_deck_is_22_of_91():
    # Published: RRB against BBR with 8 red and 12 black cards.
    result = solved(reds=8, blacks=12, yvonne="RRB", zara="BBR")

    assert result.pair.chance == Fraction(22, 91)


def test_after_rrrbbrb_the_two_last_cards_are_what_matters():
    # Published example: sequences RBRB and BBRR, cards so far RRRBBRB: what matters is RB.
    result = solved(k=4, yvonne="RBRB", zara="BBRR", cards="RRRBBRB")

    assert result.memories["now"] == "RB"
    assert result.memories["n_memories"] == 2 * 4 + 1
    assert result.memories["n_windows"] == 1 + 2 + 4 + 8 + 16


def test_without_a_deck_limit_zara_wins_two_games_of_three_with_three_cards():
    # Published (Conway's algorithm).
    assert solved(k=3).endless == Fraction(1, 3)
    assert solved(k=11).endless is None  # not computed beyond 10 cards
    assert solved(k=1, reds=2, blacks=1).endless is None  # without a limit both colours are equally likely


@pytest.mark.parametrize("k", range(4, 11))
def test_without_a_deck_limit_the_odds_are_those_of_the_literature(k):
    # Published: 2^(k-1) + 1 to 2^(k-2) + 1 for Zara, k >= 4.
    zara, yvonne = 2 ** (k - 1) + 1, 2 ** (k - 2) + 1

    assert solved(k=k).endless == Fraction(yvonne, yvonne + zara)


@pytest.mark.parametrize(
    ("yvonne", "zara", "odds"),
    [("HHH", "THH", (7, 1)), ("HHT", "THH", (3, 1)), ("HTH", "HHT", (2, 1)), ("HTT", "HHT", (2, 1))],
)
def test_the_classic_table_of_the_coin_game_comes_out(yvonne, zara, odds):
    # The well known table for k = 3: odds of the second player's best answers.
    first, second = (int(word.replace("T", "1").replace("H", "0"), 2) for word in (yvonne, zara))

    assert endless_chances(3)[first, second] == pytest.approx(odds[1] / sum(odds), abs=1e-14)


# Brute force.


@pytest.mark.parametrize(
    ("k", "reds", "blacks"),
    [
        (1, 3, 4),
        (2, 4, 4),
        (2, 3, 6),
        (3, 7, 7),
        (3, 4, 9),
        (4, 9, 9),
        (5, 11, 11),
        (5, 8, 14),
        (6, 12, 12),
        (7, 13, 13),
    ],
)
def test_best_play_is_what_all_orders_of_a_small_deck_say(k, reds, blacks):
    worth = [answers_by_enumeration(letters(word, k), reds, blacks) for word in range(1 << k)]

    assert best_play(Deck(k, reds, blacks)).chance == max(least for least, answers in worth if answers)


@pytest.mark.parametrize("k", [16, 17])
def test_no_answer_on_the_full_deck_is_better_than_the_one_found(k):
    result = solved(k=k)

    assert result.chance == answers_by_enumeration(result.best_yvonne, 26, 26)[0]


@pytest.mark.parametrize(("k", "reds", "blacks"), [(2, 3, 5), (2, 1, 5), (3, 6, 6), (3, 8, 4), (4, 7, 8)])
def test_all_orders_at_once_give_the_best_answers_that_one_order_after_the_other_gives(k, reds, blacks):
    for first in words_of(k):
        possible = [second for second in words_of(k) if is_possible(first, second, reds, blacks)]
        chance = {second: chances_by_enumeration(first, second, reds, blacks)[0] for second in possible}

        least, answers = answers_by_enumeration(first, reds, blacks)

        assert set(answers) == {second for second in possible if chance[second] == min(chance.values())}
        assert not possible or least == min(chance.values())


def test_best_play_with_three_cards_is_what_recursion_over_the_full_deck_says():
    words = ["".join(word) for word in product("RB", repeat=3)]
    worth = [
        min(win_probability(yvonne, zara, 26, 26) for zara in words if zara != yvonne)
        for yvonne in words[:4]  # the other half is the same with the colours swapped
    ]

    assert solved(k=3).chance == max(worth)
    assert dict(zip(words[:4], worth, strict=True)).get(solved(k=3).best_yvonne) == max(worth)


@pytest.mark.parametrize("k", [5, 8, 10])
def test_the_chance_of_the_best_pair_is_what_recursion_says(k):
    result = solved(k=k)

    assert win_probability(result.best_yvonne, result.best_zara, 26, 26) == result.chance


@given(some.data(), some.integers(1, 4))
def test_every_pair_wins_as_many_orders_as_enumeration_finds(data, k):
    yvonne, zara = data.draw(two_of_them(k))
    reds = (yvonne + zara).count("R") + data.draw(some.integers(0, 5))
    blacks = (yvonne + zara).count("B") + data.draw(some.integers(0, 5))

    result = follow_only(k, reds, blacks, yvonne, zara)

    assert result == chances_by_enumeration(yvonne, zara, reds, blacks)[0]


@given(some.data(), some.integers(1, 4))
def test_the_rule_card_by_card_gives_the_chances_that_enumeration_finds(data, k):
    yvonne, zara = data.draw(two_of_them(k))
    cards = data.draw(some.text("RB", max_size=6).filter(lambda row: yvonne not in row and zara not in row))
    reds = (yvonne + zara + cards).count("R") + data.draw(some.integers(0, 5))
    blacks = (yvonne + zara + cards).count("B") + data.draw(some.integers(0, 5))

    found = turn_over(yvonne, zara, reds, blacks, cards)

    assert (found.chance, found.decided) == chances_by_enumeration(yvonne, zara, reds, blacks, cards)


def follow_only(k: int, reds: int, blacks: int, yvonne: str, zara: str) -> Fraction:
    deck = Deck(k, reds, blacks)
    (numerator,) = chances(deck, np.array([number(yvonne)]), np.array([number(zara)]))
    return Fraction(numerator, denominator(deck))


def test_counts_beyond_64_bits_stay_exact():
    assert follow_only(3, 40, 40, "RRB", "BRR") == win_probability("RRB", "BRR", 40, 40)


@given(some.data())
def test_a_pair_followed_card_by_card_has_the_chance_that_overlaps_give(data):
    k = data.draw(some.integers(1, 8))
    yvonne, zara = data.draw(two_of_them(k))
    reds, blacks = data.draw(some.integers(2 * k, 26)), data.draw(some.integers(2 * k, 26))

    pair = penney.solve(k=k, reds=reds, blacks=blacks, yvonne=yvonne, zara=zara)["pair"]

    assert pair["chance"] == follow_only(k, reds, blacks, yvonne, zara)


# Laws.


@pytest.mark.parametrize(("k", "reds", "blacks"), [(4, 26, 26), (4, 9, 13), (5, 12, 12), (6, 10, 10), (7, 12, 12)])
def test_pairs_of_one_class_have_the_same_count(k, reds, blacks):
    deck = Deck(k, reds, blacks)
    words = np.arange(1 << k)
    yvonne, zara = np.repeat(words, len(words)), np.tile(words, len(words))
    allowed = deck.allows(yvonne, zara)
    yvonne, zara = yvonne[allowed], zara[allowed]

    _, representatives, classes = chances_by_class(kinds_of_rows(deck), yvonne, zara)

    each = leads(deck, yvonne, zara)
    np.testing.assert_array_equal(each[representatives][classes], each)
    assert len(representatives) < len(yvonne)


@given(some.data())
def test_the_second_seat_has_what_the_first_leaves(data):
    k = data.draw(some.integers(1, 6))
    yvonne, zara = data.draw(two_of_them(k))

    assert follow_only(k, 20, 24, yvonne, zara) + follow_only(k, 20, 24, zara, yvonne) == 1


@given(some.data())
def test_with_the_colours_of_cards_and_deck_swapped_nothing_changes(data):
    k = data.draw(some.integers(1, 6))
    yvonne, zara = data.draw(two_of_them(k))
    swapped = [word.translate(str.maketrans("RB", "BR")) for word in (yvonne, zara)]

    assert follow_only(k, 20, 24, yvonne, zara) == follow_only(k, 24, 20, *swapped)


@given(some.integers(1, 6), some.integers(0, 63))
def test_the_opposite_colours_tie_on_an_even_deck(k, drawn):
    word = letters(drawn % (1 << k), k)

    assert follow_only(k, 26, 26, word, word.translate(str.maketrans("RB", "BR"))) == HALF


@given(some.integers(1, 7), some.integers(7, 26))
def test_yvonne_is_never_ahead_on_an_even_deck(k, cards):
    assert best_play(Deck(k, cards, cards)).chance <= HALF


@given(some.data())
def test_no_answer_beats_the_best_answer(data):
    k = data.draw(some.integers(2, 9))
    yvonne, zara = data.draw(two_of_them(k))
    deck = Deck(k, 26, 26)

    best = follow_only(k, 26, 26, yvonne, best_answer(deck, yvonne))

    assert best <= follow_only(k, 26, 26, yvonne, zara)


@given(some.data())
def test_no_sequence_of_yvonnes_is_worth_more_than_the_best(data):
    k = data.draw(some.integers(2, 8))
    reds, blacks = data.draw(some.sampled_from([(26, 26), (20, 32), (33, 19)]))
    yvonne = data.draw(some.text("RB", min_size=k, max_size=k))

    worth = follow_only(k, reds, blacks, yvonne, best_answer(Deck(k, reds, blacks), yvonne))

    assert worth <= best_play(Deck(k, reds, blacks)).chance


@pytest.mark.parametrize("cards", ["", "R", "B", "RB", "BBB", "RBBBB", "BBBBBBBR", "BBRBBRBBB"])
def test_the_chance_now_is_the_mean_over_the_next_card(cards):
    pair = {"k": 3, "yvonne": "RBR", "zara": "RRR"}
    now = solved(**pair, cards=cards).pair
    red = Fraction(26 - 5 - cards.count("R"), 46 - len(cards))

    after = [Fraction(1)] if (cards + "R").endswith("RBR") else [solved(**pair, cards=cards + "R").pair.chance_now]
    after.append(solved(**pair, cards=cards + "B").pair.chance_now)

    assert now.chance_now == red * after[0] + (1 - red) * after[1]


def test_a_deck_of_one_colour_but_one_card_is_won_by_that_colour():
    # With 1 red and 51 blacks, BBB appears at once unless the red card has gone to Zara: then at the very first cards.
    result = solved(reds=1, blacks=51)

    assert result.best_yvonne == "BBB"
    assert result.chance == 1
    assert result.ahead == "Yvonne"


# What a result says about itself.


@pytest.mark.parametrize(("reds", "blacks"), [(26, 26), (20, 32), (9, 9)])
@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_the_table_of_all_pairs_and_the_search_agree(k, reds, blacks):
    result = solved(k=k, reds=reds, blacks=blacks)
    small = result.small

    lowest = np.nanmin(small.chance.values, axis=1)
    assert lowest.max() == pytest.approx(float(result.chance), abs=1e-14)
    assert result.best_yvonne in small.best
    for first, answer in small.answers.items():
        assert small.chance.at(yvonne=first, zara=answer) == pytest.approx(1 - float(small.zara_chance[first]))
        assert float(1 - small.zara_chance[first]) == pytest.approx(np.nanmin(small.chance.along(yvonne=first).values))


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_each_of_the_circle_is_the_best_answer_to_the_one_before(k):
    small = solved(k=k).small

    assert len(set(small.cycle)) == len(small.cycle) >= 2
    for place, word in enumerate(small.cycle):
        assert small.answers[word] == small.cycle[(place + 1) % len(small.cycle)]


def test_the_circle_of_three_cards_beats_its_way_round():
    # The well known circle of the coin game, HHT < THH < TTH < HTT < HHT, stands in the deck as well.
    small = solved(k=3).small

    assert set(small.cycle) == {"RRB", "BRR", "BBR", "RBB"}
    assert all(chance > HALF for chance in small.cycle_chance)


def test_a_long_sequence_shows_all_pairs_of_three_cards_instead():
    assert solved(k=8).small.k == 3
    assert solved(k=5).small.k == 5


def test_a_sequence_of_the_readers_is_answered_as_well_as_can_be():
    result = solved(k=3, yvonne="RRR")

    against = {
        answer: win_probability("RRR", answer, 26, 26)
        for answer in ("".join(word) for word in product("RB", repeat=3))
        if answer != "RRR"
    }
    assert result.pair.zara == min(against, key=against.__getitem__)
    assert result.pair.chance == min(against.values())
    assert result.chance == solved(k=3).chance


# Refused.


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"k": 0}, "greater than or equal to 1"),
        ({"k": 27}, "two sequences of 27 cards need 54 cards; the deck has 52"),
        ({"k": 21, "reds": 33, "blacks": 33}, "k must be at most 20, or at least 23"),
        ({"k": 12, "reds": 52, "blacks": 52}, "take a smaller k"),
        ({"yvonne": "RXR"}, "pattern"),
        ({"yvonne": "RR"}, "yvonne is RR, 2 cards; it must have k = 3"),
        ({"zara": "RRB"}, "give yvonne as well"),
        ({"yvonne": "RRB", "zara": "RRB"}, "are equal"),
        ({"yvonne": "RRB", "zara": "RRR", "reds": 4}, "need more cards than the deck has"),
        ({"yvonne": "RRR", "reds": 2}, "leaves the deck no other sequence"),
        ({"cards": "RR"}, "give yvonne and zara as well"),
        ({"yvonne": "RRB", "zara": "BRR", "cards": "B" * 25}, "more than the two sequences leave"),
        ({"yvonne": "RRB", "zara": "BBR", "cards": "RBBR"}, "in which BBR has already appeared"),
        ({"reds": "26"}, "integer"),
    ],
)
def test_impossible_parameters_are_refused_with_a_reason(settings, message):
    with pytest.raises(ValueError, match=message.replace("+", r"\+")):
        read_solver(penney).completed(settings)


@given(some.integers(1, 12), some.integers(1, 12), some.integers(1, 12))
def test_whatever_is_not_refused_is_solved(k, reds, blacks):
    assume(2 * k <= reds + blacks)
    result = solved(k=k, reds=reds, blacks=blacks)

    assert 0 <= result.chance <= 1
    assert result.chance == win_probability(result.best_yvonne, result.best_zara, reds, blacks)


# Figures and checks.

ODD_SETTINGS = [
    {},
    {"k": 1},
    {"k": 2, "reds": 1, "blacks": 3},
    {"k": 4, "yvonne": "RBRB", "zara": "BBRR", "cards": "RRRBBRB"},
    {"k": 5},
    {"k": 5, "reds": 5, "blacks": 9},
    {"k": 7, "reds": 10, "blacks": 42},
    {"k": 12},
    {"k": 26},
    {"k": 1, "reds": 1, "blacks": 1},
    {"k": 30, "reds": 70, "blacks": 15},
    {"k": 3, "reds": 40, "blacks": 40, "yvonne": "BBB"},
]


@pytest.mark.parametrize("settings", ODD_SETTINGS, ids=str)
def test_every_figure_is_whole(settings):
    drawn = [figure(name, **settings) for name in ("picture", "pairs", "circle")]
    drawn += [figure("memories", **settings)] if "yvonne" in settings else []
    assert figure("orders", **settings) is None

    for shown in drawn:
        assert shown.title
        assert shown.caption.endswith(".")
        if isinstance(shown, Diagram):
            names = [node.name for node in shown.nodes]
            assert len(set(names)) == len(names)
            assert {node.kind for node in shown.nodes} == set(shown.kinds)
            assert {name for edge in shown.edges for name in (edge.start, edge.end)} <= set(names)
            places = {node.at for node in shown.nodes}
            assert len(places) == len(names)
        if isinstance(shown, Heatmap):
            assert np.isfinite(shown.grid.values).any()


def test_the_worked_example_is_that_of_the_trick_alone():
    worked = figure("worked", k=2, yvonne="RR", zara="BR")

    assert isinstance(worked, Frames)
    assert [len(step.nodes) for _, step in worked.frames] == [5, 5, 5, 5]  # nothing, R, B, RR, BR
    # The shape of a kind is that of its place among the kinds, and has to be the same in each step.
    assert [tuple(step.kinds) for _, step in worked.frames] == [("open", "Yvonne", "Zara")] + 3 * [
        ("open", "Yvonne", "Zara", "now")
    ]
    assert figure("worked") is None


def test_the_orders_with_a_winner_are_those_that_trying_all_orders_finds():
    # The argument of the post for 17 cards of 52, with the 10 cards of a small deck: 3 are turned over, or 4.
    shown = figure("orders", k=3, reds=5, blacks=5, yvonne="RRB", zara="BBR")

    drawn = {"".join("RB"[code] for code in order) for order in shown.grid.values}
    assert shown.grid.axes["order"] == (
        "Yvonne at once",
        "Yvonne later",
        "Zara at once",
        "Zara later",
    )
    assert drawn == {cards for cards in map("".join, permutations("RRBB")) if "RRB" in cards or "BBR" in cards}


def test_the_heatmap_of_pairs_shows_zaras_chance():
    heatmap = figure("pairs", k=3)

    words = ["".join(word) for word in product("RB", repeat=3)]
    chance = {(y, z): 1 - win_probability(y, z, 26, 26) for y, z in permutations(words, 2)}
    assert isinstance(heatmap, Heatmap)
    assert heatmap.grid.at(yvonne="RBR", zara="RRB") == pytest.approx(float(chance["RBR", "RRB"]), abs=1e-15)
    assert np.isnan(heatmap.grid.at(yvonne="RBR", zara="RBR"))
    assert all(heatmap.grid.at(yvonne=y, zara=z) == pytest.approx(float(chance[y, z]), abs=1e-15) for y, z in chance)
    assert heatmap.faded is None
    assert heatmap.centre == 0.5
    framed = {(words[round(line.start[1] + 0.5)], words[round(line.start[0] + 0.5)]) for line in heatmap.lines[::4]}
    assert framed == {(y, z) for y, z in chance if chance[y, z] == max(chance[y, each] for each in words if each != y)}


def test_the_order_of_zaras_cards_that_is_drawn_is_said_in_words():
    shown = figure("orders", k=3, reds=5, blacks=5, yvonne="RRB", zara="BBR")

    assert "Drawn for Zara's 2 black cards and then 1 red card;" in shown.caption


def test_the_diagram_of_memories_moves_as_the_cards_do():
    diagram = figure("memories", k=4, yvonne="RBRB", zara="BBRR")

    assert isinstance(diagram, Diagram)
    moves = {(edge.start, edge.label): edge.end for edge in diagram.edges}
    for (start, card), end in moves.items():
        row = start.replace("nothing", "") + card
        prefixes = [word[:n] for word in ("RBRB", "BBRR") for n in range(5)]
        assert end.replace("nothing", "") == max((p for p in prefixes if row.endswith(p)), key=len)
    assert len(moves) == 2 * (9 - 2)


@pytest.mark.parametrize("settings", ODD_SETTINGS, ids=str)
def test_every_check_passes(settings):
    done = outcomes_of(penney, values(**settings))

    assert [each for each in done if not each.passed] == []


@pytest.mark.parametrize("settings", [{}, {"k": 4, "yvonne": "RBRB", "zara": "BBRR", "cards": "RRRBBRB"}])
def test_every_field_is_confirmed(settings):
    given = values(**settings)

    confirmed = {each.field.partition(".")[0] for each in outcomes_of(penney, given) if each.confirms}

    assert confirmed == set(given["result"])


def test_the_answer_to_a_sequence_of_seventeen_cards_is_confirmed():
    given = values(k=17, yvonne="R" * 9 + "B" * 8)

    confirmed = {each.field for each in outcomes_of(penney, given) if each.confirms}

    assert {"pair.zara", "pair.chance"} <= confirmed


EXAMPLE = {"k": 4, "yvonne": "RBRB", "zara": "BBRR", "cards": "RRRBBRB"}


def other_end(cards):
    """The row with its last card of the other colour."""
    return f"{cards}"[:-1] + ("B" if f"{cards}"[-1:] == "R" else "R")


def wrong_values() -> dict[str, object]:
    """For each field of the result of the example a wrong value; "pair.chance" for a part of a field."""
    result = values(**EXAMPLE)["result"]
    fractions = [name for name, value in result.items() if isinstance(value, Fraction)]
    numbers = [name for name, value in result.items() if type(value) is int]
    wrong = {name: result[name] + Fraction(1, 1000) for name in fractions} | {
        name: result[name] + 1 for name in numbers
    }
    wrong |= {"ahead": "Yvonne", "can_appear": False, "best_yvonne": "RRRR", "best_zara": "RRRR"}
    for name in ("pair", "memories"):
        for part, value in result[name].items():
            changed = (
                value + 1 if isinstance(value, (int, Fraction)) else value[1:] if part == "all" else other_end(value)
            )
            wrong[f"{name}.{part}"] = {**result[name], part: dict.fromkeys(value, "") if part == "moves" else changed}
    for part in (each.name for each in dataclasses.fields(result["small"]) if each.name not in ("k", "chance")):
        value = getattr(result["small"], part)
        changed = (
            value[1:] if isinstance(value, tuple) else value + 1 if isinstance(value, int) else value | {"RRRR": ""}
        )
        wrong[f"small.{part}"] = dataclasses.replace(result["small"], **{part: changed})
    return wrong


@pytest.mark.parametrize(("name", "wrong"), wrong_values().items())
def test_a_wrong_answer_fails_a_check(name, wrong):
    field = name.partition(".")[0]

    done = outcomes_of(penney, values(**EXAMPLE), **{field: wrong})

    assert any(not each.passed for each in done if each.field.startswith(field))


def test_a_wrong_cell_of_the_table_fails_a_check():
    small = values()["small"]
    cells = small.chance.values.copy()
    cells[2, 5] += 1e-6
    wrong = dataclasses.replace(small, chance=dataclasses.replace(small.chance, values=cells))

    done = outcomes_of(penney, values(), small=wrong)

    assert [each.field for each in done if not each.passed] == ["small.chance"]


def test_a_wrong_chance_of_a_given_pair_fails_two_kinds_of_check():
    given = values(yvonne="RRB", zara="BRR")

    done = outcomes_of(penney, given, pair={**given["pair"], "chance": Fraction(1, 3)})

    assert {each.check for each in done if not each.passed} == {"check_given_pair", "check_games"}


def orders_with(row, card):
    """The orders in which a row appears when one card more is turned over."""
    return {card + row, row + card}


def test_nine_reds_and_then_eight_blacks_are_ahead_of_one_answer_and_level_with_all_others():
    # Of 26 and 26 cards 9 and 9 are left, 18 in all: a row of 17 appears before or behind the one card that it lacks.
    yvonne, balance = "R" * 9 + "B" * 8, Counter()
    for blacks in combinations(range(17), 9):
        zara = "".join("B" if place in blacks else "R" for place in range(17))
        orders = orders_with(yvonne, "B") | orders_with(zara, "R")
        first = [order.find(yvonne) % 99 < order.find(zara) % 99 for order in orders]
        balance[sum(first) - (len(first) - sum(first))] += 1

    assert balance == {0: comb(17, 8) - 1, 1: 1}
