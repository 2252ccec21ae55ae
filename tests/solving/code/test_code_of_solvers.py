"""The five solvers: every function of theirs that really runs is among the code that was found."""

import json
import subprocess
import sys

import pytest

from site_builder.solving.code.code_inputs import ProjectModules, code_inputs
from tests.conftest import ROOT, deep, of_the_five

pytestmark = of_the_five
SMALL = {
    "coinball": {"n_tosses": 5, "opponent": "rush", "first": "opponent"},
    "notorious_coins": {"n": 6},
    "penney": {"yvonne": "RBR", "zara": "BRB", "cards": "RB"},
    "riddler_flips": {"n_flips": 5, "arithmetic": "float", "target": 3},
    "wythoff": {"max_pile": 20},
}

# Runs in a process of its own, where nothing of the project has been imported yet.
WATCH = """
import importlib, inspect, json, sys
from site_builder.contract import Look
name, given = sys.argv[1], json.loads(sys.argv[2])
called, after = set(), []
def watch(frame, event, argument):
    if event == "call" and frame.f_code.co_filename[0] != "<":  # dataclasses write functions of their own
        called.add((frame.f_globals.get("__name__", ""), frame.f_code.co_qualname))
def record():
    after.append([sorted(called), [name for name in sys.modules if name.partition(".")[0] == "solvers"]])
sys.setprofile(watch)
solver = importlib.import_module(f"solvers.{name}")
result = solver.solve(**given)
record()
fields = result if isinstance(result, dict) else vars(result)
named = dict.fromkeys(["blue", "orange", "grey", "green"], "#ff0000")
look = Look("#000000", "#ffffff", "#ff0000", ["#ff0000"] * 6, named, 680, "DejaVu Sans")
parameters = {name: each.default for name, each in inspect.signature(solver.solve).parameters.items()} | given
for name, figure in vars(solver).items():
    if name.startswith("figure_"):
        values = {"result": result, "look": look, **parameters, **fields}
        figure(**{name: values[name] for name in inspect.signature(figure).parameters})
record()
sys.setprofile(None)
print(json.dumps(after))
"""


def watched(solver):
    """The functions of solvers that have run after `solve`, and after `figures`, with the modules then imported."""
    words = [sys.executable, "-c", WATCH, solver, json.dumps(SMALL[solver])]
    printed = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for called, modules in json.loads(printed):
        tops = {(module, name.partition(".")[0]) for module, name in called if module.startswith("solvers.")}
        # The body of a class runs when its module is imported, whether or not anything uses the class.
        yield {(module, name) for module, name in tops if name.lstrip("_")[0].islower()}, set(modules)


def entries(solver, *kinds):
    """The functions of a solver by which these tasks begin."""
    project = ProjectModules(ROOT)
    module = project.find(f"solvers.{solver}")
    stars = [project.find(row.module) for row in module.bound.get("*", ())]
    bound = [*module.definitions, *(name for star in stars for name in star.definitions)]
    return [(f"solvers.{solver}", name) for name in bound if name.startswith(kinds)]


@pytest.mark.parametrize("solver", [deep(each) if each != "notorious_coins" else each for each in SMALL])
def test_every_function_that_runs_is_reached(solver):
    for (called, modules), names in zip(watched(solver), [["solve"], ["solve", "figure_"]], strict=True):
        code = code_inputs(ProjectModules(ROOT), entries(solver, *names))

        assert len(called) > 5
        assert {(code.modules[module], name) for module, name in called} <= code.definitions
        assert modules <= code.modules.keys()
        assert "library numpy" in code.inputs


@pytest.mark.parametrize("solver", SMALL)
def test_figures_and_checks_are_not_reached_from_solve(solver):
    code = code_inputs(ProjectModules(ROOT), entries(solver, "solve"))

    assert "solve" in {name for _, name in code.definitions}
    assert not [name for _, name in code.definitions if name.startswith(("figure_", "check_")) or name == "game"]
    assert [name for name in code.inputs if name.startswith(("statements", "docstrings", "module"))] == [
        f"statements of solvers/{solver}/__init__.py"  # imports of all names
    ]
    assert "library matplotlib" not in code.inputs
