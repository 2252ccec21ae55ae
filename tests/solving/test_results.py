"""Results as posts read them: what is noted, and the names of what was read."""

import subprocess
import sys
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

from site_builder.contract import Check, Curve, Grid, Series
from site_builder.errors import Place
from site_builder.project.config import Limits
from site_builder.solving.catalog import Parameter, SolverDescription
from site_builder.solving.checks.outcomes import judge, raw_check
from site_builder.solving.plan import PlannedRun, Results, Solve
from site_builder.solving.results import ResultDigests, post_results
from site_builder.values.packing import pack
from site_builder.values.records import Record
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
GOAL = Parameter("goal", "a whole number", 20, False, {"ge": 1, "le": 9}, "coins")
DESCRIPTION = SolverDescription("game", "A game.", "solvers/game.py", {"goal": GOAL}, ("chance", "state"))


def run(name="fair", goals=(20,), keep=()):
    """A planned run; with fields to keep, a sweep over its goals."""
    solves = tuple(Solve("game", pack({"goal": goal}), Limits()) for goal in goals)
    axes = {"goal": tuple(goals)} if keep else {}
    place = Place("content/posts/a.md", 4)
    return PlannedRun("a.md", name, "game", place, {"goal": goals[0]}, solves, axes, keep, DESCRIPTION, True)


def solved(result=None, figures=None, planned=None):
    """A run and the answer to it."""
    planned = planned or run()
    key = planned.solves[0].key
    check = raw_check(Check("a half", "by hand", 1, 1, of="chance"), (), Record({"chance": 1}))
    checks = {key: judge(pack(([check], b"")))}
    return [planned], Results(
        {key: pack(result or Result())}, {key: pack({"figures": figures or FIGURES, "reads": ()})}, checks
    )


def swept(goals=(1, 2, 3), chances=(0.1, 0.2, 0.3)):
    planned = run("by_goal", goals, ("chance",))
    rows = {(s.key, planned.keep): pack((chance,)) for s, chance in zip(planned.solves, chances, strict=True)}
    return [planned], Results(rows=rows)


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


NAMES = ("fair.chance", "fair.state", "fair.map", "fair.figures.chance", "fair.figures.state", "fair.parameters")


def changed(one, other):
    """The names behind which two answers differ."""
    before, after = ResultDigests(*one), ResultDigests(*other)
    return {name for name in NAMES if before[name] != after[name]}


def test_equal_results_have_equal_names():
    grid = Grid(np.array([[0.5, 1.0]]), {"a": ("x",), "b": (1, 2)})

    assert changed(solved(Result(map=grid)), solved(Result(map=grid))) == set()
    assert all(ResultDigests(*solved())[name] for name in NAMES)


def test_kept_digests_are_found_again_for_the_same_answers_and_made_anew_for_others():
    kept, made = {}, []

    def cached(key, make):
        if key not in kept:
            made.append(key)
            kept[key] = make()
        return kept[key]

    first, again = (ResultDigests(*solved(), cached)["fair.chance"] for _ in range(2))
    other = ResultDigests(*solved(Result(chance=0.25)), cached)["fair.chance"]

    assert first == again == ResultDigests(*solved())["fair.chance"] != other
    assert len(made) == 2


@pytest.mark.parametrize("other", [Fraction(1, 3), 0.5, "1/2", None, (Fraction(1, 2),), Fraction(2)])
def test_only_the_name_of_the_field_that_changed_is_another(other):
    assert changed(solved(), solved(Result(chance=other))) == {"fair.chance"}


@pytest.mark.parametrize("values", [np.array([1, 2]), np.array([[1.0, 2.0]]), np.array([1.0, 2.5]), (1.0, 2.0)])
def test_arrays_that_differ_in_kind_shape_or_value_have_different_names(values):
    assert changed(solved(Result(map=np.array([1.0, 2.0]))), solved(Result(map=values))) == {"fair.map"}


def test_a_figure_has_a_name_apart_from_the_others_and_from_a_field_of_the_same_name():
    other = {**FIGURES, "state": replace(FIGURES["state"], caption="Another.")}

    assert changed(solved(), solved(figures=other)) == {"fair.figures.state"}
    assert ResultDigests(*solved())["fair.state"] != ResultDigests(*solved())["fair.figures.state"]


def test_a_parameter_changes_the_name_of_the_parameters_alone():
    other = replace(run(), parameters={"goal": 21})

    assert changed(solved(), solved(planned=other)) == {"fair.parameters"}


def test_the_description_of_a_parameter_is_part_of_what_a_post_shows_of_it():
    described = replace(DESCRIPTION, parameters={"goal": replace(GOAL, default=30)})

    assert changed(solved(), solved(planned=replace(run(), description=described))) == {"fair.parameters"}


@pytest.mark.parametrize("name", ["other.chance", "fair.gone", "fair.figures.gone", "fair", "fair.figures", ""])
def test_what_is_not_there_has_an_empty_name_until_it_is(name):
    assert ResultDigests(*solved())[name] == ""


def test_a_field_that_appears_changes_the_name_of_what_was_asked_for():
    figures = {**FIGURES, "new": curve("New")}

    assert ResultDigests(*solved())["fair.figures.new"] == ""
    assert ResultDigests(*solved(figures=figures))["fair.figures.new"] != ""


def test_a_point_more_changes_the_columns_of_a_sweep():
    before, after = ResultDigests(*swept()), ResultDigests(*swept((1, 2, 3, 4), (0.1, 0.2, 0.3, 0.4)))

    assert before["by_goal.goal"] != after["by_goal.goal"]
    assert before["by_goal.chance"] != after["by_goal.chance"]
    assert before["by_goal.figures.chance"] == after["by_goal.figures.chance"] == ""


def test_one_point_that_comes_out_otherwise_changes_its_column_alone():
    before, after = ResultDigests(*swept()), ResultDigests(*swept(chances=(0.1, 0.25, 0.3)))

    assert before["by_goal.goal"] == after["by_goal.goal"]
    assert before["by_goal.chance"] != after["by_goal.chance"]


def test_names_are_the_same_in_every_process():
    code = (
        "from tests.solving.test_results import *;"
        "print([ResultDigests(*solved(Result(names={'b': 1, 'a': (2.5, None)})))[n] for n in (*NAMES, 'fair.names')])"
    )

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
    assert "''" not in found.pop()
