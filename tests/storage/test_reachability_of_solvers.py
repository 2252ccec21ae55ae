"""The five solvers: every function of the project that really runs while solving is in what was said to be reached."""

import json
import subprocess
import sys

import pytest

from site_builder.storage.code_fingerprints import solver_entries
from site_builder.storage.code_graph.project_modules import Code
from site_builder.storage.code_graph.reachability import reach
from tests.conftest import ROOT, of_the_five

pytestmark = of_the_five
SMALL = {
    "coinball": [{"n_tosses": 6}, {"n_tosses": 5, "arithmetic": "float", "opponent": "rush", "first": "opponent"}],
    "notorious_coins": [{}, {"n": 6}],
    "penney": [{"k": 2, "reds": 4, "blacks": 4}, {"yvonne": "RBR", "zara": "BRB", "cards": "RB"}],
    "riddler_flips": [{"n_flips": 6}, {"n_flips": 5, "arithmetic": "float", "target": 3}],
    "wythoff": [{"max_pile": 20}],
}

# Runs in a process of its own, where nothing of the project has been imported yet.
WATCH = """
import importlib, json, sys
name, function, given = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
called = set()
def watch(frame, event, argument):
    if event == "call" and frame.f_code.co_filename[0] != "<":  # dataclasses write functions of their own
        called.add((frame.f_globals.get("__name__", ""), frame.f_code.co_qualname))
sys.setprofile(watch)
solver = importlib.import_module(f"solvers.{name}")
result = solver.solve(solver.Parameters(**given))
if function == "figures":
    solver.figures(result)
sys.setprofile(None)
modules = [m for m in sys.modules if m.partition(".")[0] in ("solvers", "site_builder")]
print(json.dumps([sorted(called), modules, sorted({m.partition(".")[0] for m in sys.modules})]))
"""


def watched(solver, function, given):
    words = [sys.executable, "-c", WATCH, solver, function, json.dumps(given)]
    said = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    called, modules, imported = json.loads(said)
    ours = {
        (module, qualified) for module, qualified in called if module.partition(".")[0] in ("solvers", "site_builder")
    }
    return ours, set(modules), set(imported)


CASES = [(solver, given) for solver, wishes in SMALL.items() for given in wishes]


@pytest.mark.parametrize(
    ("solver", "given"),
    [
        pytest.param(
            solver,
            given,
            id=f"{solver} {given}",
            # Every day the last parameters of each solver, which are the least usual.
            marks=pytest.mark.deep if solver in [later for later, _ in CASES[place + 1 :]] else [],
        )
        for place, (solver, given) in enumerate(CASES)
    ],
)
def test_every_function_that_runs_while_solving_is_reached(solver, given):
    called, modules, imported = watched(solver, "solve", given)
    code = Code(ROOT)

    reached = reach(code, solver_entries(solver, "solve"))

    assert len(called) > 10
    assert not_reached(called, code, reached) == set()
    assert modules <= reached.modules
    assert {"numpy", "pydantic"} <= imported & set(reached.ingredients)


@pytest.mark.parametrize("solver", SMALL)
def test_every_function_that_runs_for_solving_and_figures_is_reached_from_both(solver):
    called, modules, _ = watched(solver, "figures", {})
    code = Code(ROOT)

    reached = reach(code, [*solver_entries(solver, "solve"), *solver_entries(solver, "figures")])

    assert not_reached(called, code, reached) == set()
    assert modules <= reached.modules


@pytest.mark.parametrize("solver", SMALL)
def test_figures_and_checks_are_not_reached_from_solve(solver):
    ingredients = reach(Code(ROOT), solver_entries(solver, "solve")).ingredients

    functions = {name.split("(")[1] for name in ingredients if name.startswith("solvers/")}

    assert "function solve)" in functions
    assert not {"function figures)", "function checks)"} & functions
    assert not [name for name in ingredients if "(whole" in name or "(order" in name or "(text" in name]


def not_reached(called, code, reached):
    """Functions that ran, less those whose definition is an ingredient.

    A module's own lines and the bodies of its classes run when it is imported; they need no more than do nothing else.
    """
    definitions = {(module, qualified.partition(".")[0], "." in qualified) for module, qualified in called}
    return {
        (module, name)
        for module, name, has_inner in definitions
        if (kind := code.find(module).parts[name].kind if name in code.find(module).parts else "")
        and (kind == "function" or has_inner)
        and f"{code.find(module).shown} ({kind} {name})" not in reached.ingredients
    }
