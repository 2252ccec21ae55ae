"""The example of a game on its page: values in words, and pictures of each step."""

import json

import pytest

from site_builder.posts.blocks import PlayBlock
from site_builder.site.boards import played, value_words

ROW = {"kind": "pieces", "title": "The row", "labels": ["8", "3", "5"], "first": "first", "last": "last"}
PILE = {"kind": "pieces", "title": "A pile", "labels": ["", "", ""], "first": 1, "last": "last"}
WALK = {"kind": "walk", "title": "Score", "across": "n", "up": "s", "length": 2, "low": -2, "high": 2}
WALK |= {"goal": 1, "goal_label": "1 wins"}
CHANCE = {"worth": "chance", "reader": 0, "scale": 10_000}


def board(**more):
    return {"title": "Coins", "goal": "Take them.", "pictures": [], **CHANCE, **more}


def steps_of(pictures, *facts):
    steps = [{"before": "", "text": "a state", "value": 5000, "gained": 0, "facts": each} for each in facts]
    part = PlayBlock("coins", json.dumps(board(pictures=pictures)), json.dumps(steps))
    return [step["pictures"] for step in played(part)["steps"]]


@pytest.mark.parametrize(
    ("facts", "value", "words"),
    [
        ({}, 6403, "chance to win 64.0"),
        ({"reader": 1}, 2500, "chance to win 75.0"),
        ({}, 10_000, "chance to win 100"),
        ({}, 9_999, "chance to win above 99.9"),
        ({}, 1, "chance to win below 0.1"),
        ({}, 0, "chance to win 0"),
        ({"worth": "outcome", "outcomes": {"-1": "you are lost"}}, -1, "you are lost"),
        ({"worth": "gain", "unit": "points", "scale": 4}, 50, "3 points so far, 12.50 to come"),
        ({"worth": "gain", "unit": "", "scale": 1}, 12, "3 so far, 12 to come"),
        (
            {"worth": "gain", "unit": "", "scale": 1, "reader": 1},
            12,
            "\N{MINUS SIGN}3 so far, \N{MINUS SIGN}12 to come",
        ),
    ],
)
def test_a_value_is_said_as_what_the_reader_can_expect(facts, value, words):
    found = value_words(board(**facts), {"value": value, "gained": 3.0})

    assert found.removesuffix("%").strip() == words


def test_coins_that_are_taken_stay_in_a_row_and_go_from_a_pile():
    ((row, pile),) = steps_of([ROW, PILE], {"first": 2, "last": 2})

    assert row["pieces"] == [("8", True), ("3", False), ("5", True)]
    assert pile["pieces"] == [("", False), ("", False)]


def test_a_walk_is_the_line_of_all_steps_so_far_within_its_drawing():
    first, second = steps_of([WALK], {"n": 0, "s": 0}, {"n": 1, "s": 9})

    assert first[0]["line"] == "10,80"
    assert second[0]["line"] == "10,80 200,10"  # above the highest place it goes along the edge
    assert second[0]["at"] == (200, 10)
    assert second[0]["goal"] == 45


def test_a_picture_without_its_facts_is_left_out():
    assert steps_of([WALK, {"kind": "cards", "title": "Zara", "cards": "zara"}], {"zara": "RB"}) == [
        [{"kind": "cards", "title": "Zara", "cards": "RB"}]
    ]
