"""Figures whose parts do not fit each other."""

import math
from dataclasses import replace

import numpy as np
import pytest

from site_builder.contract import (
    Action,
    Bars,
    BarSeries,
    Column,
    Curve,
    Diagram,
    Edge,
    Estimate,
    Grid,
    Heatmap,
    Mark,
    Node,
    PolicyMap,
    Reference,
    Series,
    Table,
)
from tests.support.figures import curve, figure_error

GRID = Grid(np.array([[0, 1, 0], [1, -1, 0]]), {"up": (1, 2), "across": (1, 2, 3)})
CUBE = Grid(np.zeros((1, 1, 1)), {"up": (1,), "across": (1,), "deep": (1,)})
ACTIONS = (Action("stay"), Action("go"))
HEATMAP = Heatmap("T", GRID, "across", "v", "C", drawn=np.ones((2, 3), bool))
POLICY = PolicyMap("T", GRID, "across", ACTIONS, "C")
CURVE = Curve("T", (Series("s", (1, 2), (3, 4)),), "a", "u", "C")
BARS = Bars("T", ("a", "b"), (BarSeries("s", (1, 2)),), "v", "C")
DIAGRAM = Diagram("T", (Node("a", (0, 0), "k"), Node("b", (1, 0), "k")), (Edge("a", "b"),), {"k": "K"}, "C")
TABLE = Table("T", (Column("a", (1, 2)), Column("b", (3, 4), "percent(1)")), "C")
ESTIMATE = Estimate(3, 0.5, 10)
ESTIMATES = Grid(np.full((2, 3), ESTIMATE, dtype=object), GRID.axes)
SOUND = [HEATMAP, POLICY, CURVE, BARS, DIAGRAM, TABLE]


def test_a_series_may_have_estimates_beside_other_numbers():
    assert figure_error(replace(CURVE, series=(Series("s", (1, 2), (ESTIMATE, 4)),))) == ""


@pytest.mark.parametrize("figure", SOUND, ids=lambda figure: type(figure).__name__)
def test_a_figure_whose_parts_fit_has_no_fault(figure):
    assert figure_error(figure) == ""


@pytest.mark.parametrize("figure", SOUND, ids=lambda figure: type(figure).__name__)
def test_words_that_are_none_are_named(figure):
    assert figure_error(replace(figure, title=None)) == "its title is None; write a text"


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        (replace(HEATMAP, across="nope"), "its grid has no axis 'nope'; it has: up, across"),
        (replace(HEATMAP, grid=CUBE), "its grid has 3 axes; a map has two"),
        (replace(HEATMAP, drawn=np.ones((3, 2))), "its drawn has the shape (3, 2), its grid (2, 3)"),
        (replace(HEATMAP, faded=np.ones(6)), "its faded has the shape (6,), its grid (2, 3)"),
        (
            replace(POLICY, actions=(Action("a", colour="rd"), Action("b"))),
            "'a' has the colour 'rd'; colours are blue, orange, grey, green, pink, yellow, red, violet",
        ),
        (replace(POLICY, actions=ACTIONS[:1]), "a cell has the action 1; there are 1, counted from 0"),
        (replace(HEATMAP, cell_text="roman"), "'roman' is no form for a number"),
        (replace(CURVE, marks=(Mark((1, 1), 5),)), "its label is 5; write a text"),
        (replace(POLICY, actions=()), "a cell has the action 0; there are 0"),
        (replace(POLICY, grid=Grid(GRID.values + 0.5, GRID.axes)), "a cell has the action -0.5"),
        (replace(POLICY, grid=Grid(np.full((2, 3), math.nan), GRID.axes)), "a cell has the action nan; there are 2"),
        (replace(POLICY, grid=Grid(np.full((2, 3), math.inf), GRID.axes)), "a cell has the action inf; there are 2"),
        (replace(POLICY, value=CUBE, value_label="v"), "its value must have the axes of its grid, in the same order"),
        (replace(POLICY, costs={"run": GRID}), "its costs name the action 'run'; its actions are: stay, go"),
        (
            replace(POLICY, costs={"go": Grid(GRID.values.T, {"across": (1, 2, 3), "up": (1, 2)})}),
            "its costs of 'go' must have the axes of its grid, in the same order",
        ),
        (
            replace(POLICY, costs={"go": GRID}),
            "its costs of 'go' are -1 in a cell; a cost is what an action gives away, 0 or more",
        ),
        (replace(CURVE, series=(Series("s", (1, 2), (3,)),)), "'s' has 2 places across and 1 values"),
        (replace(CURVE, series=(Series("s", 1, 3),)), "it is not made as the contract says"),
        (replace(HEATMAP, grid=ESTIMATES), "its grid holds Estimates, whose errors no map shows"),
        (replace(BARS, series=(BarSeries("s", (1,)),)), "'s' has 1 values for 2 categories"),
        (replace(BARS, value_text="percent(x)"), "'percent(x)' is no form for a number"),
        (replace(DIAGRAM, kinds={"other": "O"}), "the node 'a' is of the kind 'k'; its kinds are: other"),
        (replace(DIAGRAM, edges=(Edge("a", "c"),)), "an edge leads to 'c', which is no node"),
        (replace(DIAGRAM, nodes=DIAGRAM.nodes * 2), "two nodes have the name 'a'"),
        (replace(TABLE, columns=(Column("a", (1,)), Column("b", ()))), "its columns differ in length (a: 1, b: 0)"),
        (replace(TABLE, columns=(Column("a", (1,), "roman"),)), "'roman' is no form for a number"),
    ],
)
def test_parts_that_do_not_fit_are_named(figure, words):
    assert words in figure_error(figure)


@pytest.mark.parametrize("value", [3, (1,), ("x", 1), (0, math.inf)])
def test_a_range_that_is_not_two_numbers_is_named_with_an_example(value):
    error = figure_error(replace(CURVE, up_range=value))

    assert error == f"its up_range is {value!r}; write two numbers, such as (0, 1)"


@pytest.mark.parametrize(
    ("figure", "error"),
    [
        (replace(CURVE, percent="no"), "its percent is 'no'; write True or False"),
        (replace(CURVE, references=(Reference("x", "x"),)), "its at is 'x'; write a number"),
        (replace(CURVE, marks=(1,)), "its marks is (1,); write a tuple of Mark(...)"),
        (replace(CURVE, marks=1), "its marks is 1; write a tuple of Mark(...)"),
        (replace(HEATMAP, scale="even"), "its scale is 'even'; write one of 'sequential', 'diverging'"),
        (replace(HEATMAP, centre="x"), "its centre is 'x'; write a number"),
        (
            replace(HEATMAP, labels={"up": 1}),
            'its labels is {\'up\': 1}; write a mapping of names to texts, such as {"a name": "a text"}',
        ),
    ],
)
def test_parts_of_another_type_than_the_contract_has_are_named(figure, error):
    assert figure_error(figure) == error


def test_a_grid_refuses_a_coordinate_that_stands_twice():
    with pytest.raises(ValueError, match="axis 'coins' of a grid has the coordinate 3 twice"):
        Grid(np.zeros(3), {"coins": (3, 4, 3)})


def test_an_invalid_figure_of_a_post_is_an_error_at_its_line(project):
    project.post("text\n\n{{ figure(bars(['a'], [1], title='t', value_label='v', value_text='roman')) }}")

    ran = project.build(status=1)

    assert "content/posts/ruin.md:9: in this figure 'roman' is no form for a number" in ran.err


def test_an_invalid_figure_of_a_solver_is_an_error_at_the_solvers_line(project):
    source = (project.root / "solvers/gamblers_ruin.py").read_text("utf-8")
    project.write(
        "solvers/gamblers_ruin.py", source.replace("range(len(chance)), chance),)", "range(len(chance)), (1,)),)")
    )
    project.post("{{ figure(results.fair.figures.chance) }}")

    ran = project.build(status=1)

    line = source.split("\n").index("def figure_chance(chance):") + 1
    assert f"solvers/gamblers_ruin.py:{line}: in the figure 'chance' the series '' has 21 places" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("figure", "message"),
    [
        (curve(Series("a", [1, 2], [1, 0]), log="up"), "the series 'a' has 0 up, and a logarithmic axis"),
        (curve(Series("a", [-1, 2], [1, 2]), log="both"), "the series 'a' has -1 across"),
        (curve(Series("a", ["x", "y"], [1, 2]), log="across"), "the series 'a' has 'x' across, which is no number"),
        (curve(Series("a", [1, 2], [1, 2]), log="y"), "its log is 'y'; write one of '', 'across', 'up', 'both'"),
        (curve(Series("a", [0, 2], [1, None]), log="up"), ""),
    ],
)
def test_a_logarithmic_axis_needs_numbers_above_zero(figure, message):
    error = figure_error(figure)

    assert error.startswith(message)
    assert bool(error) == bool(message)
