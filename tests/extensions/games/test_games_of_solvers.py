"""The games of the five solvers: they hold, and a wrong value, policy, chance or result is refused."""

import gzip
import importlib
import json
import random
import shutil
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from site_builder.contract import Grid
from site_builder.extensions.games.board_data import board_data
from site_builder.extensions.games.solver_games import games_in
from site_builder.extensions.games.verification import GameError, game_proof
from site_builder.solving.tasks.solved_result import fields_of_result
from site_builder.solving.tasks.solver import read_solver
from tests.conftest import ROOT
from tests.support.short_solvers import GAMES

# Small games, and how many states they have.
RUNS = {
    # After t tosses 4 t + 1 leads, but 4 after the first; against one who rushes 3 t + 1 + t % 2, but 4 after the
    # first; against one who passes 4 t + 1, but 4 after the first and 7 after the second.
    "coinball": ({"n_tosses": 9}, lambda values: 2 * 189 + 149 + 187),
    "notorious_coins": ({"values": [3, 9, 1, 2, 7, 4]}, lambda values: 4 * values["entries"] + 1),  # opponents
    "penney": ({}, lambda values: 3 + 8 + 8 * 7),
    "riddler_flips": ({"n_flips": 8, "p_a": "0.6"}, lambda values: 2 * 8**2 + 3 * 8),  # 4 t + 1, but 4 after the first
    "wythoff": ({"max_pile": 30}, lambda values: 1 + 14 + 2 * 2 * 255),  # totals, opponents, (30 + 2)^2 / 4 - 1 pairs
}
LARGE = {
    "coinball": {"n_tosses": 41},
    "penney": {"k": 4},
    "riddler_flips": {"n_flips": 41},
    "wythoff": {"total_max": 61},
}
POLICIES = {"coinball": "best_call", "notorious_coins": "best_ends", "riddler_flips": "best_coin"}


def values_of(name, settings):
    """A solver, with its parameters and the fields of its result by name."""
    solver = read_solver(importlib.import_module(f"solvers.{name}"), GAMES)
    parameters = solver.completed({key: tuple(v) if isinstance(v, list) else v for key, v in settings.items()})
    return solver, {**parameters, **fields_of_result(solver.solve(parameters))}


@cache
def solved(name):
    return values_of(name, RUNS[name][0])


def proofs_of(name, **wrong):
    """The proofs of the games of the small run of a solver, with other values of some fields."""
    solver, values = solved(name)
    return [game_proof(game)[1] for game in games_in(solver.added[0].call({**values, **wrong}))]


def game_of(name):
    return proofs_of(name)[0].game


def values_by_state(game):
    """The values of a game, which may be those of a grid over the coordinates of a state."""
    if not isinstance(game.values, Grid):
        return game.values
    return {state: game.values.at(**dict(zip(game.values.axes, state, strict=True))) for state in game.states}


@pytest.mark.parametrize("solver", RUNS)
def test_every_state_satisfies_the_equation(solver):
    proof = proofs_of(solver)[-1]

    assert proof.is_whole
    assert len(proof.values) == RUNS[solver][1](solved(solver)[1])


@pytest.mark.parametrize("solver", RUNS)
def test_a_wrong_value_is_refused_in_whichever_state_it_is(solver):
    game = game_of(solver)
    values = values_by_state(game)
    for state in random.Random(1).sample(list(game.states), 20):
        wrong = {**values, state: values[state] + Fraction(1, 1000)}
        with pytest.raises(GameError, match=r"the equation of optimality fails|and the payoff is"):
            game_proof(replace(game, values=wrong))


@pytest.mark.parametrize("solver", RUNS)
def test_a_policy_that_is_no_best_move_is_refused(solver):
    game, best = game_of(solver), {}
    values = values_by_state(game)
    for state in game.best:
        turn = game.states[state]
        totals = {
            name: sum(chance * (values[after] + reward) for chance, after, reward in outcomes if chance)
            for name, outcomes in turn.moves.items()
        }
        choose = max if turn.player == 1 else min
        worst = choose(totals, key=totals.__getitem__)
        if turn.player is not None and abs(totals[worst] - values[state]) > 1e-9:
            best[state] = [worst]
    for state in random.Random(1).sample(list(best), min(5, len(best))):
        with pytest.raises(GameError, match="is no best one"):
            game_proof(replace(game, best={state: best[state]}))


@pytest.mark.parametrize("solver", RUNS)
def test_chances_that_do_not_add_up_are_refused(solver):
    game = game_of(solver)
    state = next(each for each in game.states if game.states[each].moves)
    turn = game.states[state]
    (name, ((chance, after, reward), *others)) = next(iter(turn.moves.items()))
    wrong = replace(turn, moves={**turn.moves, name: ((chance * Fraction(1, 2), after, reward), *others)})

    with pytest.raises(GameError, match="add up to"):
        game_proof(replace(game, states={**game.states, state: wrong}))


@pytest.mark.parametrize(("solver", "field"), POLICIES.items())
def test_a_wrong_cell_of_the_policy_of_a_result_is_refused(solver, field):
    grid = solved(solver)[1][field]
    for cell in np.argwhere((grid.values == 0) | (grid.values == 1))[:20]:
        values = grid.values.copy()
        values[tuple(cell)] = 1 - values[tuple(cell)]
        with pytest.raises(GameError, match="is no best one"):
            proofs_of(solver, **{field: Grid(values, grid.axes)})


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("winning_totals", lambda totals: (*totals, 21)),
        ("losing_splits", lambda splits: ((7, 14), *splits[1:])),
        ("losing_states", lambda states: (*states, (4, 8))),
    ],
)
def test_wrong_totals_splits_and_losing_states_are_refused(field, change):
    right = solved("wythoff")[1][field]

    with pytest.raises(GameError, match=r"equation of optimality fails|is no best one"):
        proofs_of("wythoff", **{field: change(right)})


@pytest.mark.parametrize("total", [31, 19])
def test_a_winning_total_that_the_opponent_may_not_pick_is_refused(total):
    totals = (*solved("wythoff")[1]["winning_totals"], total)

    with pytest.raises(GameError, match=rf"in the state \({total},\) of the game there is neither a move nor a payoff"):
        proofs_of("wythoff", winning_totals=totals)


@pytest.mark.parametrize("axis", ["first", "last"])
@pytest.mark.parametrize("shift", [-2, 1])
@pytest.mark.parametrize(
    "field", ["best_table", "best_ends", "greed_table", "greed_ends", "erring_table", "erring_ends"]
)
def test_a_table_of_another_row_of_coins_is_refused(field, axis, shift):
    grid = solved("notorious_coins")[1][field]
    moved = Grid(grid.values, {**grid.axes, axis: [number + shift for number in grid.axes[axis]]})

    with pytest.raises(GameError, match=r"has no coordinate|equation of optimality|no best one|best has"):
        proofs_of("notorious_coins", **{field: moved})


@pytest.mark.parametrize(("solver", "settings"), [*LARGE.items(), ("riddler_flips", {"v_b": 3})])
def test_a_game_that_is_too_large_is_left_out(solver, settings):
    read, values = values_of(solver, settings)

    assert read.added[0].call(values) is None


def test_the_row_against_slips_has_its_own_values_and_a_wrong_end_of_it_is_refused():
    (found,) = proofs_of("notorious_coins")  # the opponent hits with chance 3/4

    assert found.values[1, 6, 0, 3] == expected_against_slips((3, 9, 1, 2, 7, 4), Fraction(3, 4))
    assert found.values[found.game.start] == solved("notorious_coins")[1]["best"]
    right = solved("notorious_coins")[1]["erring_ends"]
    ends = right.values.copy()
    ends[0, 5] = 1 - ends[0, 5]
    with pytest.raises(GameError, match="is no best one"):
        proofs_of("notorious_coins", erring_ends=Grid(ends, right.axes))


@pytest.mark.parametrize("looks_ahead", [0, 1])
def test_the_row_against_greed_is_worth_what_every_course_of_it_brings(looks_ahead):
    coins = (3, 9, 1, 2, 7, 4)

    expected = expected_against_greed(coins, looks_ahead)
    assert solved("notorious_coins")[1]["greed_table"].at(looks_ahead=looks_ahead, first=1, last=6) == expected
    assert proofs_of("notorious_coins")[-1].values[1, 6, 0, 1 + looks_ahead] == expected


def expected_against_greed(coins, looks_ahead):
    """What the first player gets at most, by trying every move, from an opponent who takes the larger coin.

    looks_ahead: whether the opponent takes from each coin the larger one that is at an end then.
    """

    def replied(rest):
        if not rest:
            return 0
        gains = [
            coin - looks_ahead * max((after[0], after[-1]) if after else (0,))
            for coin, after in ((rest[0], rest[1:]), (rest[-1], rest[:-1]))
        ]
        return expected_against_greed(rest[1:] if gains[0] >= gains[1] else rest[:-1], looks_ahead)

    return max(coins[0] + replied(coins[1:]), coins[-1] + replied(coins[:-1])) if coins else 0


def expected_against_slips(coins, hit):
    """What the first player expects, by trying every move: the opponent leaves the smaller value with chance `hit`."""
    if not coins:
        return Fraction(0)

    def replied(rest):
        after = sorted(expected_against_slips(each, hit) for each in (rest[1:], rest[:-1])) if rest else [0, 0]
        return hit * after[0] + (1 - hit) * after[1]

    return max(coins[0] + replied(coins[1:]), coins[-1] + replied(coins[:-1]))


# Of 120 seeded faults: how many change a field that the game takes, and how many of these it refuses. The others change
# the type of a number, cells that are no state, a rule that both share, or take away the map and the game with it.
FOUND_ALONE = {
    "coinball": (15, 12),
    "notorious_coins": (12, 8),
    "penney": (31, 31),
    "riddler_flips": (21, 14),
    "wythoff": (9, 9),
}


@pytest.mark.deep
@pytest.mark.parametrize("solver", RUNS)
def test_games_alone_find_the_faults_that_change_what_they_verify(tmp_path, solver):
    shutil.copytree(ROOT / "solvers", tmp_path / "solvers", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "tests.support.game_faults", tmp_path, solver, json.dumps(RUNS[solver][0]), "120"]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)

    found = json.loads(done.stdout)
    assert (found["changed"], found["changed"] - len(found["held"])) == FOUND_ALONE[solver], found["held"]


@pytest.mark.parametrize("solver", RUNS)
def test_the_board_of_a_game_has_words_for_every_state_and_a_small_size(solver):
    data = json.loads(board_data(proofs_of(solver)[-1]))

    assert len(data["texts"]) <= 12
    assert len(gzip.compress(json.dumps(data).encode())) < 30_000


@pytest.mark.parametrize("opponent", ["rush", "pass"])
def test_an_opponent_with_a_habit_has_no_choice(opponent):
    solver, values = values_of("coinball", {"n_tosses": 6, "opponent": opponent, "first": "opponent"})

    (game,) = games_in(solver.added[0].call(values))

    assert list(game.states[0, 0, "opponent", opponent].moves) == [opponent]
