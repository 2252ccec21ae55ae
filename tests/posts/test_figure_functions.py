"""Figures that posts make of results, and the arguments that are refused."""

import re

import numpy as np
import pytest

from site_builder.contract import Grid
from site_builder.errors import Place, PostError
from site_builder.figures.kinds.registry import figure_error
from site_builder.posts.figure_functions import bars, curve, heatmap, policy_map
from site_builder.posts.functions import PostFunctions

CODES = Grid(np.array([[0, 1, -1], [1, 1, 0]]), {"a": (1, 2), "b": (1, 2, 3)})
WORDS = Grid(np.array([["hold", "roll", None], ["roll", "roll", "hold"]], dtype=object), CODES.axes)


@pytest.mark.parametrize(
    ("up", "given", "words"),
    [
        ([1], {"low": [0]}, "has low and no high"),
        ([1], {"low": [2], "high": [3]}, "has the value 1 at index 0, and low 2 to high 3 does not contain it"),
        ([1], {"interval": "all"}, "names an interval and has no low and high"),
        ({"a": [1], "b": [2]}, {"low": [0], "high": [3]}, "low is one column, and there are 2 columns of values"),
        ({"a": [1], "b": [2]}, {"low": {"c": [0]}}, "low has a column 'c', and the values have none"),
    ],
)
def test_intervals_that_do_not_fit_are_refused(up, given, words):
    functions = PostFunctions(Place("a.md", 1), {}, {}, None)

    with pytest.raises(PostError, match=re.escape(words)):
        functions.figure(curve([1], up, "t", "a", "b", **given))
    with pytest.raises(PostError, match=re.escape(words)):
        functions.figure(bars(["x"], up, "t", "b", **given))


def test_columns_by_name_have_their_own_intervals():
    one, other = curve([1], {"a": [1], "b": [2]}, "t", "a", "b", low={"b": [0]}, high={"b": [3]}, interval="i").series

    assert (one.low, one.high, one.interval) == (None, None, "")
    assert (other.low, other.high, other.interval) == ((0,), (3,), "i")


@pytest.mark.parametrize("style", ["line", "dots", "line with dots", "steps"])
def test_a_curve_is_drawn_in_the_style_that_it_names(style):
    assert [series.style for series in curve([1], {"a": [1], "b": [2]}, "t", "a", "b", style=style).series] == [
        style
    ] * 2


def test_a_style_that_there_is_not_is_refused_with_those_that_there_are():
    with pytest.raises(PostError, match=r"style='dotted' is no style of curve") as refused:
        curve([1], [1], "t", "a", "b", style="dotted")

    assert refused.value.cure == "write one of: line, dots, line with dots, steps"


def test_a_policy_map_takes_what_the_contracts_takes():
    made = policy_map(CODES, "t", "b", [("hold", "H"), "roll"], "c", {"a": "A"}, "x")

    assert (made.title, made.across, made.caption, made.labels, made.alt) == ("t", "b", "c", {"a": "A"}, "x")
    assert [(each.name, each.letter) for each in made.actions] == [("hold", "H"), ("roll", "")]
    assert made.grid.values.tolist() == CODES.values.tolist()
    assert figure_error(made) == ""


def test_cells_may_name_their_actions():
    made = policy_map(WORDS, "t", "a", ["hold", "roll"])

    assert made.grid.values.tolist() == [[0, 1, -1], [1, 1, 0]]
    assert figure_error(made) == ""


@pytest.mark.parametrize(
    ("grid", "across", "more", "words"),
    [
        (np.zeros((2, 2)), "a", {}, "policy_map(...) needs a grid with two axes"),
        (CODES.along(a=1), "b", {}, "policy_map(...) needs a grid with two axes"),
        (CODES, "c", {}, "the grid has no axis 'c'"),
        (WORDS, "a", {"actions": ["hold", "rol"]}, "a cell has the action 'roll', which is not among the actions"),
    ],
)
def test_a_policy_map_that_cannot_be_is_refused(grid, across, more, words):
    with pytest.raises(PostError, match=re.escape(words)):
        policy_map(grid, "t", across, **{"actions": ["hold", "roll"], **more})


def test_a_cell_between_two_actions_is_refused_and_not_rounded():
    halves = Grid(np.array([[0.5, "hold"]], dtype=object), {"a": (1,), "b": (1, 2)})

    assert figure_error(policy_map(halves, "t", "a", ["hold", "roll"])) == (
        "a cell has the action 0.5; there are 2, counted from 0, and -1 for none"
    )


CUBE = Grid(np.arange(8).reshape(2, 2, 2), {"a": (1, 2), "b": (1, 2), "k": (0.5, 1)})


def test_a_heatmap_over_a_third_axis_has_a_step_for_each_of_its_coordinates():
    made = heatmap(CUBE, "t", "a", "v", "c", {"k": "speed"}, over="k")

    assert [label for label, _ in made.frames] == ["speed = 0.5", "speed = 1"]
    assert [step.grid.values.tolist() for _, step in made.frames] == [[[0, 2], [4, 6]], [[1, 3], [5, 7]]]
    assert (made.title, made.caption, made.alt) == ("t", "c", "t: 2 steps, speed from 0.5 to 1.")
    assert figure_error(made) == ""


def test_a_policy_map_over_a_third_axis_keeps_its_actions_in_each_step():
    actions = Grid(
        np.array([[["hold", "roll"]], [["roll", "roll"]]], dtype=object), {"a": (1, 2), "b": (1,), "k": (1, 2)}
    )

    made = policy_map(actions, "t", "a", ["hold", "roll"], over="k", alt="It grows.")

    assert [step.grid.values.tolist() for _, step in made.frames] == [[[0], [1]], [[1], [1]]]
    assert (made.alt, made.frames[0][1].alt, figure_error(made)) == ("It grows.", "", "")


def test_some_coordinates_of_the_third_axis_can_be_chosen():
    many = Grid(np.zeros((2, 2, 100)), {"a": (1, 2), "b": (1, 2), "k": range(100)})

    made = heatmap(many, "t", "a", "v", over={"k": [0, 50, 99]})

    assert [label for label, _ in made.frames] == ["k = 0", "k = 50", "k = 99"]


@pytest.mark.parametrize(
    ("grid", "over", "words", "cure"),
    [
        (np.zeros((2, 2, 2)), "k", "over=... needs a grid with three axes", "a sweep over three names gives one"),
        (CUBE, "c", "over='c' is no axis of the grid", "a, b, k"),
        (CODES, "a", "over='a' needs a grid with three axes; it has: a, b", "leave over out"),
        (CUBE, "", "heatmap(...) needs a grid with two axes", 'over="b"'),
        (
            Grid(np.zeros((1, 1, 61)), {"a": (1,), "b": (1,), "k": range(61)}),
            "k",
            "the axis 'k' has 61 coordinates, and a figure at most 60 steps",
            'over={"k": [0, 60]}',
        ),
        (
            Grid(np.zeros((1, 1, 2, 1)), {"a": (1,), "b": (1,), "k": (1, 2), "m": (1,)}),
            "k",
            "over='k' needs a grid with three axes; it has: a, b, k, m",
            "grid.along(name=...)",
        ),
    ],
)
def test_steps_along_an_axis_that_cannot_be_are_refused_with_a_cure(grid, over, words, cure):
    with pytest.raises(PostError, match=re.escape(words)) as raised:
        heatmap(grid, "t", "a", "v", over=over)

    assert cure in raised.value.cure


def test_a_coordinate_that_the_third_axis_does_not_have_is_refused():
    with pytest.raises(LookupError, match="axis 'k' has no coordinate 7"):
        heatmap(CUBE, "t", "a", "v", over={"k": [0.5, 7]})
