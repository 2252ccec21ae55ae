"""The equation of optimality in every state of a game, and what is said of the first that violates it."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from site_builder.contract import Grid
from site_builder.extensions.games import solver_games
from site_builder.extensions.games.contract import Game, States, Turn
from site_builder.extensions.games.verification import GameError, game_proof
from site_builder.solving.tasks.checking import certificates
from site_builder.solving.tasks.solver import ContractError
from tests.support.short_solvers import GAMES, solver_of

HALF = Fraction(1, 2)
STATES = {
    "start": Turn(0, {"safe": ((1, "safe", 1),), "toss": ((HALF, "won", 0), (HALF, "lost", 0))}),
    "safe": Turn(1, {"give": ((1, "won", 0),), "keep": ((1, "lost", Fraction(1, 4)),)}),
    "won": Turn(None, {}, payoff=4),
    "lost": Turn(None, {}, payoff=0),
}
VALUES = {"start": 2, "safe": Fraction(1, 4), "won": 4, "lost": 0}
GAME = Game(("you", "rival"), "start", STATES, VALUES, best={"start": ["toss"], "safe": "keep"}, of="value")


def with_turn(state, turn):
    return replace(GAME, states={**STATES, state: turn})


def test_a_game_that_holds_is_a_check_that_says_how_many_states_it_looked_at():
    words, proof = game_proof(GAME)

    assert words == "every one of 4 states satisfies the equation of optimality; best moves attain it in 2 states"
    assert (len(proof.values), proof.is_whole) == (4, True)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (
            replace(GAME, values=VALUES | {"start": Fraction(9, 4)}),
            "in the state 'start' of the game the equation of optimality fails: the value is 9/4, the largest of the "
            "moves is 2 (safe: 5/4, toss: 2)",
        ),
        (
            replace(GAME, values=VALUES | {"safe": 4, "start": 5}),
            "the smallest of the moves is 1/4 (give: 4, keep: 1/4)",
        ),
        (replace(GAME, values=VALUES | {"won": 3}), "'won' of the game, an end, the value is 3 and the payoff is 4"),
        (replace(GAME, values={"start": 2}), "values has nothing"),
        (replace(GAME, values=VALUES | {"lost": float("nan")}), "'lost' of the game the value is nan"),
        (replace(GAME, best={"start": ["toss", "safe"]}), "the stated move safe is no best one: it gives 5/4, toss 2"),
        (replace(GAME, best={"safe": "give"}), "the stated move give is no best one: it gives 4, keep 1/4"),
        (replace(GAME, best={"start": ["wait"]}), "best has 'wait', which is no move"),
        (
            replace(GAME, best=States({"start": None}, {}.__getitem__)),
            "in the state 'start' of the game best has nothing: KeyError 'start'",
        ),
        (
            with_turn("start", Turn(0, {"toss": ((HALF, "won", 0), (Fraction(1, 3), "lost", 0))})),
            "the chances of the move toss add up to 5/6",
        ),
        (with_turn("start", Turn(0, {"toss": ((0.5, "won", 0), (0.5, "lost", 0))})), "has the chance 0.5"),
        (with_turn("start", Turn(0, {"toss": ((2, "won", 0), (-1, "lost", 0))})), "has the chance -1"),
        (with_turn("start", Turn(0, {"go": ((1, "moon", 0),)})), "the move go leads to 'moon', which is no state"),
        (with_turn("start", Turn(2, STATES["start"].moves)), "the player is 2"),
        (with_turn("start", Turn(None, STATES["start"].moves)), "chance has 2 moves"),
        (with_turn("start", Turn(0, STATES["start"].moves, payoff=1)), "there are moves and a payoff"),
        (with_turn("won", Turn(None, {})), "there is neither a move nor a payoff"),
        (with_turn("won", 4), "states has a int"),
        (with_turn("start", Turn(0, {"go": (1, "won", 0)})), "the move go is (1, 'won', 0)"),
        (with_turn("start", Turn(0, {"go": ((1, "won", "4"),)})), "the reward of go is '4'"),
        (with_turn("won", Turn(None, {}, payoff="4")), "the payoff is '4'"),
        (replace(GAME, states=[1]), "states is a list"),
        (replace(GAME, values=Grid(np.zeros((2, 2)), {"a": range(2), "b": range(2)})), "the Grid has 2 axes"),
        (replace(GAME, start="begin"), "the game starts at 'begin', which is none of its states"),
        (replace(GAME, players=("a", "b", "c")), "the game has 3 players"),
        (replace(GAME, within=0.001), "the game has within=0.001"),
        (replace(GAME, within="exact"), "the game has within='exact'"),
    ],
)
def test_a_violation_is_refused(game, message):
    with pytest.raises(GameError) as raised:
        game_proof(game)

    assert message in str(raised.value)
    assert raised.value.cure


def test_a_wrong_value_that_satisfies_its_equation_because_play_may_go_on_for_ever_is_refused():
    # Waiting costs nothing, so that the equation holds for every value from 1 on.
    states = {"a": Turn(0, {"wait": ((1, "a", 0),), "stop": ((1, "b", 0),)}), "b": Turn(None, {}, payoff=1)}

    with pytest.raises(GameError, match="in the state 'a' of the game play may go on for ever"):
        game_proof(Game(("you",), "a", states, {"a": 7, "b": 1}, of="value"))


def test_a_game_that_returns_to_a_state_is_verified_when_it_ends_with_probability_one():
    step = {s: Turn(None, {"round": ((HALF, s + 1, 0), (HALF, s - 1, 0))}) for s in (1, 2)}
    ruin = {0: Turn(None, {}, payoff=0), **step, 3: Turn(None, {}, payoff=1)}
    chances = tuple(Fraction(s, 3) for s in range(4))

    assert game_proof(Game((), 1, ruin, chances, of="value"))[1].is_whole
    with pytest.raises(GameError, match=r"the value is 2/3, the expected reward and next value is 3/4"):
        game_proof(Game((), 1, ruin, (0, HALF, Fraction(2, 3), 1), of="value"))


def test_floats_agree_within_the_stated_error_and_no_further():
    third = Fraction(1, 3)
    states = {
        (0,): Turn(None, {"toss": ((third, (1,), 0), (1 - third, (2,), 0))}),
        (1,): Turn(None, {}, payoff=1),
        (2,): Turn(None, {}, payoff=0),
    }
    grid = Grid(np.array([1 / 3, 1.0, 0.0]), {"s": range(3)})

    assert game_proof(Game((), (0,), states, grid, of="value", within=1e-15))[1].is_whole
    with pytest.raises(GameError, match="equation of optimality fails"):
        game_proof(Game((), (0,), states, grid, of="value"))
    off = Grid(np.array([1 / 3 + 1e-12, 1.0, 0.0]), {"s": range(3)})
    with pytest.raises(GameError, match="they differ by more than 1e-15"):
        game_proof(Game((), (0,), states, off, of="value", within=1e-15))


def test_a_reward_in_floats_is_taken_as_it_is_where_values_are_exact():
    states = {"a": Turn(None, {"gain": ((1, "b", 0.1),)}), "b": Turn(None, {}, payoff=0)}

    with pytest.raises(GameError, match="equation of optimality fails"):
        game_proof(Game((), "a", states, {"a": Fraction(1, 10), "b": 0}, of="value"))


def counting(n, wrong=None):
    """A walk down from n to 0, a point a step."""

    def turn(s):
        return Turn(0, {"down": ((1, s - 1, 1),)}) if s else Turn(None, {}, payoff=0)

    values = States(range(n + 1), lambda s: s + (s == wrong))
    return Game(("you",), n, States(range(n + 1), turn), values, of="value")


def test_of_a_large_game_a_sample_is_verified_and_the_check_says_so():
    words, proof = game_proof(counting(999), most=100)

    assert (len(proof.values), proof.is_whole) == (100, False)
    assert words == "each of 100 of 1,000 states satisfies the equation of optimality; the states are drawn with seed 1"
    with pytest.raises(GameError, match="in the state 999 "):  # the start is always among them
        game_proof(counting(999, wrong=999), most=100)


HEAD = """
from site_builder.extensions.games.contract import Game, States, Turn


def solve(n: int = 3):
    return {"steps": tuple(range(n + 1)), "last": n}


def turn_of(s):
    return Turn(0, {"down": ((1, s - 1, 1),)}) if s else Turn(None, {}, payoff=0)
"""
GIVEN = """

def game(steps, n):
    return Game(("you",), n, States(range(n + 1), turn_of), steps, of="steps")
"""


@pytest.fixture
def verified(tmp_path):
    """What the games of a solver with this code confirm, as a worker packs it. kept: the fields of a sweep."""

    def run(code, kept=None, steps=(0, 1, 2, 3)):
        solver = solver_of(tmp_path, HEAD + code, GAMES)
        return certificates(solver, {"n": 3, "steps": steps, "last": 3}, kept)[0]

    return run


def test_a_game_confirms_the_field_that_its_values_are_taken_from(verified):
    (found,) = verified(GIVEN)

    assert (found.kind, found.field, found.cells, found.total) == ("certificate", "steps", 4, 4)
    with pytest.raises(ContractError, match="equation of optimality fails"):
        verified(GIVEN, steps=(0, 1, 2, 4))


def test_a_game_confirms_no_more_cells_than_it_has_states(verified, monkeypatch):
    monkeypatch.setattr(solver_games, "MOST_STATES", 2)

    assert verified(GIVEN)[0].cells == 2


def test_a_game_says_how_many_cells_of_a_larger_field_it_takes(verified):
    assert verified(GIVEN.replace('of="steps"', 'of="steps[3]"'))[0].cells == 3


def test_of_a_sweep_only_the_game_of_a_kept_field_is_verified(verified):
    assert verified(GIVEN, frozenset({"last"})) == []
    assert len(verified(GIVEN, frozenset({"steps"}))) == 1


def test_at_a_point_of_a_sweep_a_smaller_sample_is_verified(verified, monkeypatch):
    monkeypatch.setattr(solver_games, "MOST_OF_A_POINT", 3)

    assert verified(GIVEN, frozenset({"steps"}))[0].cells == 3
    assert verified(GIVEN)[0].cells == 4


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("\n\ndef game(n): return n\n", "game gave a int"),
        (GIVEN.replace(" steps, of", " (0, 1, 2, 3), of"), "confirms 'steps' and reads nothing of it"),
        (GIVEN.replace('of="steps"', 'of="walk"'), "confirms 'walk', which it does not take"),
        (GIVEN.replace('of="steps"', 'of="last"'), "confirms 'last', which it does not take"),
        (GIVEN.replace('of="steps"', 'of="2"'), "of='2' must name fields of the result"),
    ],
)
def test_a_game_that_confirms_nothing_is_refused(verified, code, message):
    with pytest.raises(ContractError) as raised:
        verified(code)

    assert message in str(raised.value)


def test_a_solver_may_have_no_game_for_its_parameters_or_none_at_all(verified):
    assert verified("\n\ndef game(n): return None\n") == []
    assert verified("\nimport fractions as game\n") == []
