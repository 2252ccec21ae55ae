"""A project in a notebook: what its cells call."""

from fractions import Fraction
from typing import get_args
from xml.etree import ElementTree

import pytest

import site_builder
from site_builder.contract import Figure, Table
from site_builder.errors import SiteError, UsageError
from site_builder.values.records import fields_of
from tests.conftest import RUIN
from tests.everything import WALK, write

SVG = "{http://www.w3.org/2000/svg}svg"
PNG = b"\x89PNG\r\n\x1a\n"  # Portable Network Graphics, second edition, section 5.2

LINE = """def figure_own(mean):
    import matplotlib.pyplot as plt

    plt.plot([0, 1], [0, mean])
    return Drawing(plt.gcf(), title="Own", alt="A line that rises to the right.", data={"mean": mean})
"""


@pytest.fixture
def loaded(project):
    return site_builder.load(project.root)


def test_a_result_has_its_fields_parameters_checks_and_figures(loaded):
    result = loaded.solve("gamblers_ruin", goal=4, win="2/3")

    assert loaded.solvers == ("gamblers_ruin",)
    assert result.half == Fraction(4, 5)  # by Feller's (2.4), see tests/cli/test_solve.py
    assert result.map.at(outcome="goal", coins=2) == 0.8
    assert (result.parameters.goal, result.parameters.win) == (4, Fraction(2, 3))
    assert [check.passed for check in result.checks] == [True] * len(result.checks)
    assert "chance" in dir(result.figures)


@pytest.mark.parametrize(
    "win", [0.75, "3/4", *(pytest.param(win, marks=pytest.mark.deep) for win in ("0.75", Fraction(3, 4)))]
)
def test_a_parameter_is_exact_however_it_is_written(loaded, win):
    assert loaded.solve("gamblers_ruin", goal=2, win=win).parameters.win == Fraction(3, 4)


def test_a_result_is_that_of_the_command_and_comes_from_the_same_cache(project, loaded):
    project.write("solvers/gamblers_ruin.py", RUIN.replace("    ratio = ", '    print("solving")\n    ratio = '))
    loaded.solve("gamblers_ruin", goal=4)

    cached, new = (project.run("solve", "gamblers_ruin", "--set", f"goal={goal}").err for goal in (4, 5))
    assert ("solver: solving" in cached, "solver: solving" in new) == (False, True)


def test_every_kind_of_figure_shows_itself(project, loaded):
    write(project, ["solvers/walk.csv", "solvers/common/steps.py"])
    bars = '"Bars", ("a", "b"), (BarSeries("", ({}, 2)),), "value", "c"'
    steps = ", ".join(f'("step {n}", Bars({bars.format(n)}))' for n in (1, 3))
    frames = f'Frames("Steps", ({steps}), alt="The first bar grows from 1 to 3.")'
    spread = 'Histogram("Spread", value.values, "value", "Values.")'
    walk = WALK.replace("import Action, ", "import Action, Drawing, Frames, Histogram, ")
    more = f"def figure_steps():\n    return {frames}\n\n\ndef figure_spread(value):\n    return {spread}\n"
    project.write("solvers/random_walk.py", f"{walk}\n\n{LINE}\n\n{more}")

    figures = fields_of(loaded.solve("random_walk").figures).values()

    assert {type(each.figure) for each in figures} == set(get_args(Figure))
    for each in figures:
        if isinstance(each.figure, Table):
            assert (each._repr_svg_(), each._repr_png_()) == (None, None)
            assert repr(each).startswith("Table: ")
        else:
            assert ElementTree.fromstring(each._repr_svg_()).tag == SVG
            assert each._repr_png_().startswith(PNG)


def test_an_edited_solver_counts_at_once(project, loaded):
    assert loaded.solve("gamblers_ruin", goal=4).names["a_b"] == 1

    project.write("solvers/gamblers_ruin.py", RUIN.replace('"a_b": 1', '"a_b": 7'))

    assert loaded.solve("gamblers_ruin", goal=4).names["a_b"] == 7


def test_the_project_is_found_from_a_folder_inside_it(project, monkeypatch):
    monkeypatch.chdir(project.root / "content" / "posts")

    assert site_builder.load().root == project.root.resolve()


@pytest.mark.parametrize(
    ("call", "said", "cure"),
    [
        (lambda p: p.solve("gambler_ruin"), "no solver is named 'gambler_ruin'", "did you mean 'gamblers_ruin'?"),
        (lambda p: p.solve("gamblers_ruin", gaol=3), "gaol=3: 'gaol' is not known here", "did you mean 'goal'?"),
        (lambda p: p.solve("gamblers_ruin", goal=0), "goal=0: goal is 0; it must lie between 1 and 1000", "goal: "),
        (lambda p: site_builder.load("/"), "load: / is no project", 'load("path/to/blog")'),
    ],
)
def test_what_cannot_be_so_is_refused_with_a_cure_in_python(project, loaded, call, said, cure):
    project.post("Words.\n")

    with pytest.raises(UsageError) as caught:
        call(loaded)

    assert said in str(caught.value)
    assert cure in str(caught.value)
    assert "--set" not in str(caught.value)


def test_a_parameter_without_a_default_is_an_error_of_the_solver(project, loaded):
    project.write("solvers/gamblers_ruin.py", RUIN.replace("] = 20,\n", "],\n"))

    with pytest.raises(SiteError, match="the parameter goal of solve has no default"):
        loaded.solve("gamblers_ruin", goal=4)


def test_a_result_whose_check_fails_is_refused(project, loaded):
    wrong = RUIN.replace("{0: 0, goal: 1}", "{goal: 2}")
    project.write("solvers/gamblers_ruin.py", wrong)

    with pytest.raises(SiteError, match="failed check_both_ends"):
        loaded.solve("gamblers_ruin")
