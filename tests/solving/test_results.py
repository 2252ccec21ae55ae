"""Results as posts read them: what is noted, and the names of what was read."""

import subprocess
import sys
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

from site_builder.contract import Curve, Grid, Series
from site_builder.errors import Place
from site_builder.solving.catalog import Parameter, SolverDescription
from site_builder.solving.checks.answers import comparisons
from site_builder.solving.checks.outcomes import judge
from site_builder.solving.plan import PlannedRun, Results, Solve
from site_builder.solving.results import post_results, run_digest
from site_builder.values.packing import pack
from tests.conftest import ROOT


@dataclass(frozen=True, eq=False)
class Result:
    chance: object = Fraction(1, 2)
    state: object = 3
    map: object = None
    names: object = None


def curve(title):
    return Curve(title, (Series("", (0, 1), (0, 1)),), "x", "y", "Caption.")


FIGURES = {"chance": curve("Chance"), "state": curve("State")}
GOAL = Parameter("goal", 20, {"ge": 1, "le": 9}, "coins")
DESCRIPTION = SolverDescription("game", "A game.", "solvers/game.py", {"goal": GOAL}, {"chance": "", "state": ""})


def run(name="fair", goals=(20,), keep=()):
    """A planned run; with fields to keep, a sweep over its goals."""
    solves = tuple(Solve("game", pack({"goal": goal})) for goal in goals)
    axes = {"goal": tuple(goals)} if keep else {}
    place = Place("content/posts/a.md", 4)
    return PlannedRun("a.md", name, "game", place, {"goal": goals[0]}, solves, axes, keep, DESCRIPTION, True)


def solved(result=None, figures=None, planned=None):
    """A run and the answer to it."""
    planned = planned or run()
    key = planned.points[0]
    (check,) = (replace(each, check="check_half") for each in comparisons("chance", 1, 1))
    checks = {key: judge(pack(([check], {})), {})}
    return [planned], Results(
        {key: pack(result or Result())}, {key: pack({"figures": figures or FIGURES, "takes": {}})}, checks
    )


def swept(goals=(1, 2, 3), chances=(0.1, 0.2, 0.3)):
    planned = run("by_goal", goals, ("chance",))
    rows = {(s.key, planned.keep): pack((chance,)) for s, chance in zip(planned.solves, chances, strict=True)}
    return [planned], Results(rows)


def noted(runs, answers, read):
    names: list[str] = []
    read(post_results(runs, answers, names.append))
    return names


def test_a_field_that_is_read_is_noted_and_nothing_else():
    assert noted(*solved(), lambda results: results["fair"].chance) == ["fair.chance"]
    assert noted(*solved(), lambda results: results["fair"]) == []


def test_a_figure_is_noted_by_its_own_name():
    assert noted(*solved(), lambda results: results["fair"].figures.state) == ["fair.figures.state"]
    assert noted(*solved(), lambda results: results["fair"].figures) == []


def test_the_parameters_of_a_run_are_noted_as_one():
    assert noted(*solved(), lambda results: results["fair"].parameters.goal) == ["fair.parameters"]


@pytest.mark.parametrize("read", [lambda r: r["fair"].gone, lambda r: r["fair"].figures.gone])
def test_what_is_asked_for_and_not_there_is_noted(read):
    names: list[str] = []

    with pytest.raises(AttributeError, match="there is no 'gone'"):
        read(post_results(*solved(), names.append))

    assert names in (["fair.gone"], ["fair.figures.gone"])


def test_the_columns_of_a_sweep_are_noted():
    assert noted(*swept(), lambda results: (results["by_goal"].goal, results["by_goal"].chance)) == [
        "by_goal.goal",
        "by_goal.chance",
    ]
    assert post_results(*swept())["by_goal"].chance == (0.1, 0.2, 0.3)


# Digests


def digest_of(answer):
    runs, answers = answer
    return run_digest(runs[0], answers)


def test_equal_results_have_equal_digests():
    grid = Grid(np.array([[0.5, 1.0]]), {"a": ("x",), "b": (1, 2)})

    assert digest_of(solved(Result(map=grid))) == digest_of(solved(Result(map=grid)))


@pytest.mark.parametrize("other", [Fraction(1, 3), 0.5, "1/2", None, (Fraction(1, 2),), Fraction(2)])
def test_another_value_of_a_field_gives_another_digest(other):
    assert digest_of(solved()) != digest_of(solved(Result(chance=other)))


@pytest.mark.parametrize("values", [np.array([1, 2]), np.array([[1.0, 2.0]]), np.array([1.0, 2.5]), (1.0, 2.0)])
def test_arrays_that_differ_in_kind_shape_or_value_give_other_digests(values):
    assert digest_of(solved(Result(map=np.array([1.0, 2.0])))) != digest_of(solved(Result(map=values)))


def test_another_caption_of_a_figure_gives_another_digest():
    other = {**FIGURES, "state": replace(FIGURES["state"], caption="Another.")}

    assert digest_of(solved()) != digest_of(solved(figures=other))


@pytest.mark.parametrize(
    "planned",
    [
        replace(run(), parameters={"goal": 21}),
        replace(run(), turned=("goal",)),
        replace(run(), unchecked={"chance": "nobody knows another method"}),
        replace(run(), description=replace(DESCRIPTION, parameters={"goal": replace(GOAL, default=30)})),
    ],
)
def test_what_a_post_can_show_of_a_run_beside_its_result_gives_another_digest(planned):
    assert digest_of(solved()) != digest_of(solved(planned=planned))


def test_another_point_of_a_sweep_or_another_value_there_gives_another_digest():
    more = swept((1, 2, 3, 4), (0.1, 0.2, 0.3, 0.4))

    assert len({digest_of(each) for each in (swept(), more, swept(chances=(0.1, 0.25, 0.3)))}) == 3


def test_digests_are_the_same_in_every_process():
    code = "from tests.solving.test_results import *;print(digest_of(solved(Result(names={'b': 1, 'a': (2.5, None)}))))"

    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(found) == 1
