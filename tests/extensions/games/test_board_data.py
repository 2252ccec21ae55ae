"""The data of a game to play: it says the same as the game, and a board that does not fit is refused."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate

import pytest

from site_builder.extensions.games.board_data import board_data
from site_builder.extensions.games.contract import Board, Cards, Deal, Game, Pieces, Turn, Walk
from site_builder.extensions.games.verification import GameError, game_proof

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

# Two tosses at most: stop with what you have, or toss on. By hand: (1, 1) stops at 2/3 against 1/2, the start tosses.
STATES = {
    (0, 0): Turn(0, {"stop": ((1, "lost", 0),), "toss": ((HALF, (1, 1), 0), (HALF, (1, -1), 0))}),
    (1, 1): Turn(
        0,
        {
            "stop": ((Fraction(2, 3), "won", 0), (THIRD, "lost", 0)),
            "toss": ((HALF, "won", 0), (HALF, "lost", 0)),
        },
    ),
    (1, -1): Turn(0, {"stop": ((HALF, "won", 0), (HALF, "lost", 0)), "toss": ((HALF, "won", 0), (HALF, "lost", 0))}),
    "won": Turn(None, {}, payoff=1),
    "lost": Turn(None, {}, payoff=0),
}
VALUES = {(0, 0): Fraction(7, 12), (1, 1): Fraction(2, 3), (1, -1): HALF, "won": 1, "lost": 0}


def facts(state):
    return {"toss": state[0], "score": state[1]} if isinstance(state, tuple) else {"end": state}


def says(state):
    return "toss {toss}, score {score}" if isinstance(state, tuple) else "you have {end}"


BOARD = Board(
    title="Two tosses",
    goal="Win.",
    facts=facts,
    says=says,
    pictures=(Walk("Score", "toss", "score", 2, 0),),
    starts={"ahead": (1, 1)},
)
GAME = Game(("you",), (0, 0), STATES, VALUES, BOARD, of="value")


def data_of(game):
    return json.loads(board_data(game_proof(game)[1]))


def column(differences):
    """The cells of a column, from its differences."""
    return list(accumulate(differences))


def moves_of(board, number):
    """The moves of a state by name: the outcomes (chance, state, reward)."""
    _, *flat = board["shapes"][column(board["shape"])[number]]
    found = {}
    for name, to in zip(flat[::2], flat[1::2], strict=True):
        cells = [(1, number + to, 0)] if isinstance(to, int) else []
        for chance, after, reward in zip(to[::4], to[1::4], to[2::4], strict=True) if not cells else ():
            cells.append((board["chances"][chance], number + after, board["rewards"][reward]))
        found[board["names"][name]] = cells
    return found


def test_a_note_stands_with_the_start_of_its_game():
    board = replace(BOARD, notes={"ahead": "You have won a toss."})

    assert data_of(replace(GAME, board=board))["starts"] == [["ahead", 1, "You have won a toss."]]


def test_a_sure_move_says_what_it_has_brought_if_the_board_has_words_for_it():
    def brought(words):
        data = data_of(replace(GAME, board=replace(BOARD, event=lambda before, move, after: words)))
        _, _stop, to, *_ = data["shapes"][column(data["shape"])[list(STATES).index((0, 0))]]
        return to if isinstance(to, int) else data["names"][to[3]]

    assert [brought("you stop"), brought("")] == ["you stop", list(STATES).index("lost")]


def test_a_move_of_chance_says_what_it_has_brought():
    board = replace(BOARD, event=lambda before, move, after: f"{move} from {before}: {after}" if move == "toss" else "")
    data = data_of(replace(GAME, board=board))
    _, *flat = data["shapes"][column(data["shape"])[list(STATES).index((0, 0))]]
    of_chance = [to for to in flat[1::2] if not isinstance(to, int)]

    assert [data["names"][each] for (to,) in [of_chance] for each in to[3::4]] == [
        "toss from (0, 0): (1, 1)",
        "toss from (0, 0): (1, -1)",
    ]


def test_the_data_says_all_moves_chances_and_values_of_the_game():
    board, states = data_of(GAME), list(STATES)

    for number, state in enumerate(states):
        expected = {
            name: [(float(chance), states.index(after), float(reward)) for chance, after, reward in outcomes]
            for name, outcomes in STATES[state].moves.items()
        }
        assert moves_of(board, number) == expected
    assert board["values"] == [7 / 12, 2 / 3, 0.5, 1, 0]
    assert board["starts"] == [["ahead", 1, ""]]


def test_best_moves_are_bits_and_0_says_that_every_move_is_best():
    best = column(data_of(GAME)["best"])

    assert best == [2, 1, 0, 0, 0]  # toss; stop; both as good


def test_texts_are_written_once_and_facts_as_columns():
    board = data_of(GAME)

    assert board["texts"] == ["toss {toss}, score {score}", "you have {end}"]
    assert board["facts"]["end"] == [None, None, None, "won", "lost"]
    assert board["facts"]["score"] == [0, 1, -2, None, None]


def test_in_a_game_without_players_the_reader_starts_each_move_of_chance():
    states = {"a": Turn(None, {"toss": ((HALF, "won", 0), (HALF, "lost", 0))})} | {
        each: STATES[each] for each in ("won", "lost")
    }
    board = replace(BOARD, facts=lambda state: {}, says=lambda state: "a state", pictures=(), starts={})
    game = Game((), "a", states, {"a": HALF, "won": 1, "lost": 0}, board, of="value")

    def mover(players):
        data = data_of(replace(game, players=players))
        return data["shapes"][data["shape"][0]][0]

    assert [mover(()), mover(("you",))] == [0, -1]


def test_a_walk_has_a_length_and_a_height_where_all_states_are_at_one_place():
    flat = replace(BOARD, facts=lambda state: {"toss": 0, "score": 4}, says=lambda state: "", starts={})
    board = replace(flat, pictures=(Walk("Score", "toss", "score", 0),))
    (walk,) = data_of(replace(GAME, board=board))["pictures"]

    assert (walk["facts"], walk["length"], walk["low"], walk["high"]) == (["toss", "score"], 1, 4, 5)


def test_a_walk_is_drawn_as_high_as_the_game_is_open():
    sure = Fraction(9999, 10_000)
    toss = {"toss": ((HALF, (1, 1), 0), (HALF, (1, 50), 0))}
    nearly = {"toss": ((sure, "won", 0), (1 - sure, "lost", 0))}
    states = {**STATES, (0, 0): Turn(None, toss), (1, 50): Turn(None, nearly)}
    values = {**VALUES, (1, 50): sure, (0, 0): (sure + VALUES[1, 1]) / 2}

    (walk,) = data_of(replace(GAME, states=states, values=values))["pictures"]

    assert (walk["low"], walk["high"]) == (-1, 1)  # (1, -1) is a state of the game


@pytest.mark.parametrize(
    ("take", "alternate", "look"),
    [
        ("", False, ""),
        ("{n}", False, "stack"),
        ("", True, "alternate"),
        ("{n}", True, "stack alternate"),
    ],
)
def test_pieces_that_a_click_takes_are_a_stack_and_may_be_red_and_blue_by_turns(take, alternate, look):
    pieces = Pieces("Row", ["1", "2"], last=2, take=take, alternate=alternate)
    (found,) = data_of(replace(GAME, board=replace(BOARD, pictures=(pieces,))))["pictures"]

    assert found["look"] == look


def test_a_chance_that_is_not_sure_is_never_written_as_sure():
    tiny = Fraction(1, 10**9)
    states = {"a": Turn(None, {"draw": ((tiny, "won", 0), (1 - tiny, "lost", 0))})} | {
        each: STATES[each] for each in ("won", "lost")
    }
    board = replace(BOARD, facts=lambda state: {}, says=lambda state: "a state", pictures=(), starts={})

    game = Game(("other", "you"), "a", states, {"a": tiny, "won": 1, "lost": 0}, board, of="value")
    for reader in (0, 1):
        values = data_of(replace(game, board=replace(board, reader=reader)))["values"]
        assert 0 < values[0] < 1
        assert values[1:] == [1 - reader, reader]


def test_the_choices_are_the_moves_of_the_reader_each_once():
    states = {**STATES, (0, 0): Turn(1, {"wait": ((1, (1, 1), 0),), "rush": ((1, (1, -1), 0),)})}
    values = {**VALUES, (0, 0): HALF}

    def choices(reader):
        game = Game(("you", "other"), (0, 0), states, values, replace(BOARD, reader=reader), of="value")
        return data_of(game)["choices"]

    assert [choices(0), choices(1)] == [["stop", "toss"], ["wait", "rush"]]


def test_values_outcomes_and_gains_are_those_of_the_reader():
    states = {"a": Turn(None, {"draw": ((HALF, "end", 3), (HALF, "end", 4))}), "end": Turn(None, {}, payoff=0)}
    board = replace(BOARD, facts=lambda state: {}, says=lambda state: "x", pictures=(), starts={}, reader=1)
    game = Game(
        ("other", "you"), "a", states, {"a": Fraction(7, 2), "end": 0}, replace(board, worth="gain"), of="value"
    )
    lost = {"a": Turn(None, {"draw": ((1, "end", 0),)}), "end": Turn(None, {}, payoff=1)}
    words = replace(board, worth="outcome", outcomes={1: "you are lost", -1: "you can win"})

    found = data_of(game)
    assert (found["values"], found["rewards"]) == ([-3.5, 0], [-3, -4])
    said = data_of(replace(game, states=lost, values={"a": 1, "end": 1}, board=words))
    assert (said["values"], said["outcomes"]) == ([-1, -1], {"-1": "you are lost", "1": "you can win"})


@pytest.mark.parametrize(
    ("change", "message", "cure"),
    [
        ({"facts": lambda state: {"toss": 0.5}}, "the fact 'toss' is 0.5", "numbers or words"),
        ({"says": lambda state: "it is {turn}"}, "names {turn}, which is no fact of its state", "{toss}, {score}"),
        ({"says": lambda state: "score {score:+}"}, "names {score}", "write one of"),
        ({"reader": 1}, "the reader is 1", "players=('you',)"),
        ({"worth": "luck"}, "worth is 'luck'", "chance, gain, outcome"),
        ({"worth": "outcome"}, "outcomes has no words for the value", "write words for each value"),
        ({"starts": {"far": (9, 9)}}, "the start 'far' is (9, 9), which is no state", "one of its states"),
        ({"notes": {"far": "It is far."}}, "there is a note for 'far', which is no start", "write one of ahead"),
        ({"pictures": ("a walk",)}, "a picture is 'a walk'", "write Pieces, Walk, Cards or Deal"),
        ({"pictures": (Walk("Walk", "toss", "points", 2),)}, "shows the fact 'points'", "end, score, toss"),
        ({"pictures": (Pieces("Row", ["1"], last="n"),)}, "shows the fact 'n'", "end, score, toss"),
        ({"pictures": (Cards("Zara", "zara"),)}, "shows the fact 'zara'", "end, score, toss"),
        ({"pictures": (Deal("Deck", 2, 2, ("yvonne", "zara")),)}, "shows the fact 'yvonne'", "end, score, toss"),
    ],
)
def test_a_board_that_does_not_fit_its_game_is_refused(change, message, cure):
    with pytest.raises(GameError) as raised:
        data_of(replace(GAME, board=replace(BOARD, **change)))

    assert message in str(raised.value)
    assert cure in raised.value.cure


def test_texts_without_names_of_facts_are_refused_when_they_are_many():
    states = {n: Turn(0, {"down": ((1, n - 1, 1),)}) if n else Turn(None, {}, payoff=0) for n in range(60)}
    board = replace(BOARD, facts=lambda n: {"n": n}, says=lambda n: f"{n} left", pictures=(), starts={}, worth="gain")

    with pytest.raises(GameError, match="says gives 60 different texts"):
        data_of(Game(("you",), 59, states, {n: n for n in range(60)}, board, of="value"))


def test_what_is_no_board_and_values_that_are_no_chances_are_refused():
    with pytest.raises(GameError, match="the board is a str"):
        data_of(replace(GAME, board="a board"))
    doubled = {state: 2 * value for state, value in VALUES.items()}
    ends = {"won": Turn(None, {}, payoff=2)}
    with pytest.raises(GameError, match="a value is no chance"):
        data_of(replace(GAME, values=doubled, states={**STATES, **ends}))
