"""The example of a game on its page: values in words, and pictures of each step."""

import pytest

from site_builder.extensions.games.example import example_steps, value_words

ROW = {"kind": "pieces", "title": "The row", "labels": ["8", "3", "5"], "first": "first", "last": "last"}
ROW |= {"facts": ["first", "last"], "take": ""}
PILE = {"kind": "pieces", "title": "A pile", "labels": ["", "", ""], "first": 1, "last": "last", "facts": ["last"]}
PILE |= {"take": "{n} from a"}
WALK = {
    "kind": "walk",
    "title": "Score",
    "across": "n",
    "up": "s",
    "length": 2,
    "low": -2,
    "high": 2,
    "facts": ["n", "s"],
}
CARDS = {"kind": "cards", "title": "Zara", "cards": "zara", "facts": ["zara"]}
WALK |= {"goal": 1, "goal_label": "1 wins"}
CHANCE = {"worth": "chance"}


def board(**more):
    return {"title": "Coins", "goal": "Take them.", "pictures": [], **CHANCE, **more}


def steps_of(pictures, *facts):
    steps = [{"before": "", "text": "a state", "value": 0.5, "gained": 0, "facts": each} for each in facts]
    return [step["pictures"] for step in example_steps(board(pictures=pictures), steps)]


@pytest.mark.parametrize(
    ("facts", "value", "words"),
    [
        ({}, 0.6403, "chance to win 64.0"),
        ({}, 0.64049, "chance to win 64.0"),  # rounded twice it would be 64.1
        ({}, 0.0625, "chance to win 6.2"),  # a tie goes to the even digit, as in posts
        ({}, 0.6555, "chance to win 65.6"),
        ({}, 1, "chance to win 100"),
        ({}, 0.9999, "chance to win above 99.9"),
        ({}, 5e-324, "chance to win below 0.1"),
        ({}, 0, "chance to win 0"),
        ({"worth": "outcome", "outcomes": {"-1": "you are lost"}}, -1, "you are lost"),
        ({"worth": "gain", "unit": " points"}, 12.5, "3 points so far, 12.50 to come"),
        ({"worth": "gain", "unit": ""}, -12, "3 so far, \N{MINUS SIGN}12 to come"),
    ],
)
def test_a_value_is_said_as_what_the_reader_can_expect(facts, value, words):
    found = value_words(board(**facts), {"value": value, "gained": 3.0})

    assert found.removesuffix("%").strip() == words


def test_coins_that_are_taken_stay_in_a_row_and_go_from_a_pile():
    _, (row, pile) = steps_of([ROW, PILE], {"first": 1, "last": 3}, {"first": 2, "last": 2})

    assert row["pieces"] == [("8", True), ("3", False), ("5", True)]
    assert pile["pieces"] == [("", False), ("", False)]


def test_coins_that_a_game_begins_without_are_not_shown():
    ((row,), (later,)) = steps_of([ROW], {"first": 1, "last": 2}, {"first": 2, "last": 2})

    assert row["pieces"] == [("8", False), ("3", False)]
    assert later["pieces"] == [("8", True), ("3", False)]


def test_a_walk_is_the_line_of_all_steps_so_far_within_its_drawing():
    first, second = steps_of([WALK], {"n": 0, "s": 0}, {"n": 1, "s": 9})

    assert first[0]["line"] == "10,80"
    assert second[0]["line"] == "10,80 200,10"  # above the highest place it goes along the edge
    assert second[0]["at"] == (200, 10)
    assert second[0]["goal"] == 45


def test_a_picture_without_its_facts_is_left_out():
    assert steps_of([WALK, CARDS], {"zara": "RB"}) == [[{"kind": "cards", "title": "Zara", "cards": "RB"}]]


def test_the_end_of_a_game_is_said_without_a_chance():
    steps = [{"before": "", "text": text, "value": 1, "gained": 0, "facts": {}} for text in ("flip 1", "you win")]

    assert [step["value"] for step in example_steps(board(), steps)] == ["chance to win 100%", ""]
    assert [step["value"] for step in example_steps(board(worth="gain", unit=""), steps)][1] == "0 so far, 1 to come"
