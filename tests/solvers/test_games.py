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
from site_builder.solving.checks.board_data import board_data
from site_builder.solving.checks.games import GameError, game_check, traced_games
from tests.conftest import ROOT
from tests.solvers.test_checks import parameters_of

# Small games, and how many states they have.
RUNS = {
    "coinball": ({"n_tosses": 9}, lambda result: result.n_states),
    "notorious_coins": ({"values": [3, 9, 1, 2, 7, 4]}, lambda result: 2 * result.entries + 1),
    "penney": ({}, lambda result: 3 + 8 + result.small.pairs),
    "riddler_flips": ({"n_flips": 8, "p_a": "0.6"}, lambda result: result.n_states),
    "wythoff": ({"max_pile": 30}, lambda result: 1 + 11 + 2 * result.n_states),
}
LARGE = {
    "coinball": {"n_tosses": 1000, "arithmetic": "float"},
    "notorious_coins": {"n": 300},
    "penney": {"k": 4},
    "riddler_flips": {"n_flips": 1000, "arithmetic": "float"},
    "wythoff": {"total_max": 61},
}
POLICIES = {"coinball": "best_call", "notorious_coins": "best_ends", "riddler_flips": "best_coin"}


@cache
def solved(solver):
    module = importlib.import_module(f"solvers.{solver}")
    parameters = parameters_of(module, RUNS[solver][0])
    return module, parameters, module.solve(parameters)


@cache
def game_of(solver):
    module, parameters, result = solved(solver)
    game = module.game(parameters, result)
    return game[0] if isinstance(game, tuple) else game


@pytest.mark.parametrize("solver", RUNS)
def test_every_state_satisfies_the_equation_and_no_function_of_solve_runs(solver):
    ((check, shared), _), *_ = traced_games(*solved(solver))

    assert check.found == RUNS[solver][1](solved(solver)[2])
    assert shared == ()


@pytest.mark.parametrize("solver", RUNS)
def test_a_wrong_value_is_refused_in_whichever_state_it_is(solver):
    game = game_of(solver)
    for state in random.Random(1).sample(list(game.states), 20):
        wrong = {**game.values, state: game.values[state] + Fraction(1, 1000)}
        with pytest.raises(GameError, match=r"the equation of optimality fails|and the payoff is"):
            game_check(replace(game, values=wrong))


@pytest.mark.parametrize("solver", RUNS)
def test_a_policy_that_is_no_best_move_is_refused(solver):
    game, best = game_of(solver), {}
    for state in game.best:
        turn = game.states[state]
        totals = {
            name: sum(chance * (game.values[after] + reward) for chance, after, reward in outcomes if chance)
            for name, outcomes in turn.moves.items()
        }
        choose = max if turn.player == 1 else min
        worst = choose(totals, key=totals.__getitem__)
        if turn.player is not None and abs(totals[worst] - game.values[state]) > 1e-9:
            best[state] = [worst]
    for state in random.Random(1).sample(list(best), min(5, len(best))):
        with pytest.raises(GameError, match="is no best one"):
            game_check(replace(game, best={state: best[state]}))


@pytest.mark.parametrize("solver", RUNS)
def test_chances_that_do_not_add_up_are_refused(solver):
    game = game_of(solver)
    state = next(each for each in game.states if game.states[each].moves)
    turn = game.states[state]
    (name, ((chance, after, reward), *others)) = next(iter(turn.moves.items()))
    wrong = replace(turn, moves={**turn.moves, name: ((chance * Fraction(1, 2), after, reward), *others)})

    with pytest.raises(GameError, match="add up to"):
        game_check(replace(game, states={**game.states, state: wrong}))


@pytest.mark.parametrize(("solver", "field"), POLICIES.items())
def test_a_wrong_cell_of_the_policy_of_a_result_is_refused(solver, field):
    module, parameters, result = solved(solver)
    grid = getattr(result, field)
    for cell in np.argwhere((grid.values == 0) | (grid.values == 1))[:20]:
        values = grid.values.copy()
        values[tuple(cell)] = 1 - values[tuple(cell)]
        with pytest.raises(GameError, match="is no best one"):
            traced_games(module, parameters, replace(result, **{field: Grid(values, grid.axes)}))


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("winning_totals", lambda totals: (*totals, 21)),
        ("losing_splits", lambda splits: ((7, 14), *splits[1:])),
        ("losing_states", lambda states: (*states, (4, 8))),
    ],
)
def test_wrong_totals_splits_and_losing_states_are_refused(field, change):
    module, parameters, result = solved("wythoff")

    with pytest.raises(GameError, match=r"equation of optimality fails|is no best one"):
        traced_games(module, parameters, replace(result, **{field: change(getattr(result, field))}))


@pytest.mark.parametrize("total", [31, 19])
def test_a_winning_total_that_the_opponent_may_not_pick_is_refused(total):
    module, parameters, result = solved("wythoff")

    with pytest.raises(GameError, match=rf"in the state \({total},\) of the game there is neither a move nor a payoff"):
        traced_games(module, parameters, replace(result, winning_totals=(*result.winning_totals, total)))


@pytest.mark.parametrize("axis", ["first", "last"])
@pytest.mark.parametrize("shift", [-2, 1])
@pytest.mark.parametrize("field", ["best_table", "best_ends", "erring.table", "erring.ends"])
def test_a_table_of_another_row_of_coins_is_refused(field, axis, shift):
    module, parameters, result = solved("notorious_coins")
    record, name = (result.erring, field.removeprefix("erring.")) if "." in field else (result, field)
    grid = getattr(record, name)
    moved = Grid(grid.values, {**grid.axes, axis: [number + shift for number in grid.axes[axis]]})
    wrong = replace(record, **{name: moved})

    with pytest.raises(GameError, match=f"the axis '{axis}' of the table is not that of 6 coins"):
        traced_games(module, parameters, wrong if record is result else replace(result, erring=wrong))


@pytest.mark.parametrize("solver", LARGE)
def test_a_game_that_is_too_large_is_left_out(solver):
    module = importlib.import_module(f"solvers.{solver}")
    parameters = parameters_of(module, LARGE[solver])

    assert traced_games(module, parameters, module.solve(parameters)) == []


def test_the_row_against_slips_is_a_game_of_its_own_and_a_wrong_end_of_it_is_refused():
    module = importlib.import_module("solvers.notorious_coins")
    parameters = module.Parameters(values=(3, 9, 1, 2, 7, 4), p="3/4")
    result = module.solve(parameters)
    perfect, slips = module.game(parameters, result)

    assert slips.values[slips.start] == expected_against_slips((3, 9, 1, 2, 7, 4), Fraction(3, 4))
    assert perfect.values[perfect.start] == result.best
    ends = result.erring.ends.values.copy()
    ends[0, 5] = 1 - ends[0, 5]
    wrong = replace(result, erring=replace(result.erring, ends=Grid(ends, result.erring.ends.axes)))
    with pytest.raises(GameError, match="is no best one"):
        traced_games(module, parameters, wrong)


def expected_against_slips(coins, hit):
    """What the first player expects, by trying every move: the opponent leaves the smaller value with chance `hit`."""
    if not coins:
        return Fraction(0)

    def replied(rest):
        after = sorted(expected_against_slips(each, hit) for each in (rest[1:], rest[:-1])) if rest else [0, 0]
        return hit * after[0] + (1 - hit) * after[1]

    return max(coins[0] + replied(coins[1:]), coins[-1] + replied(coins[:-1]))


# Of 120 seeded faults: how many change a field that the game takes, and how many of these it refuses. The others change
# the type of a number, cells that are no state, or take away the map and the game with it.
FOUND_ALONE = {
    "coinball": (20, 17),
    "notorious_coins": (11, 9),
    "penney": (16, 15),
    "riddler_flips": (19, 16),
    "wythoff": (5, 5),
}


@pytest.mark.deep
@pytest.mark.parametrize("solver", RUNS)
def test_games_alone_find_the_faults_that_change_what_they_verify(tmp_path, solver):
    shutil.copytree(ROOT / "solvers", tmp_path / "solvers", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "tests.support.game_faults", tmp_path, solver, json.dumps(RUNS[solver][0]), "120"]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)

    found = json.loads(done.stdout)
    assert (found["changed"], found["changed"] - len(found["held"])) == FOUND_ALONE[solver], found["held"]


def test_the_documentation_says_how_many_faults_games_find():
    text = " ".join((ROOT / "docs/checks-and-claims.md").read_text("utf-8").split())
    changed, found = map(sum, zip(*FOUND_ALONE.values(), strict=True))

    assert f"of {120 * len(FOUND_ALONE)} faults seeded in the five solvers {changed} change a field" in text
    assert f"the game alone refuses {found} of these" in text


@pytest.mark.parametrize("solver", RUNS)
def test_the_board_of_a_game_has_words_for_every_state_and_a_game_from_start_to_end(solver):
    _, found = traced_games(*solved(solver))[-1]
    data = json.loads(board_data(found))

    steps = data["example"]
    assert len(steps) > 2
    assert len(data["board"]["texts"]) <= 12
    assert len(gzip.compress(json.dumps(data["board"]).encode())) < 30_000


@pytest.mark.parametrize("opponent", ["rush", "pass"])
def test_an_opponent_with_a_habit_has_no_choice(opponent):
    module = importlib.import_module("solvers.coinball")
    parameters = module.Parameters(n_tosses=6, opponent=opponent, first="opponent")
    result = module.solve(parameters)

    assert traced_games(module, parameters, result)[0][0].check.passed
    assert list(module.game(parameters, result).states[0, 0].moves) == [opponent]
