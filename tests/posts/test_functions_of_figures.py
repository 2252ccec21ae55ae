"""Figures that posts make of results, and the arguments that are refused."""

import numpy as np
import pytest

from site_builder.contract import Grid
from site_builder.errors import PostError
from site_builder.posts.functions import curve, heatmap, histogram

SQUARE = Grid(np.array([[0, 1, -1], [1, 1, 0]]), {"a": (1, 2), "b": (1, 2, 3)})
CUBE = Grid(np.arange(8).reshape(2, 2, 2), {"a": (1, 2), "b": (1, 2), "k": (0.5, 1)})


@pytest.mark.parametrize("style", ["line", "dots", "line with dots", "steps"])
def test_a_curve_is_drawn_in_the_style_that_it_names(style):
    assert [series.style for series in curve([1], {"a": [1], "b": [2]}, "t", "a", "b", style=style).series] == [
        style
    ] * 2


def test_a_style_that_there_is_not_is_refused_with_those_that_there_are():
    with pytest.raises(PostError, match=r"style='dotted' is no style of curve") as refused:
        curve([1], [1], "t", "a", "b", style="dotted")

    assert refused.value.cure == "write one of: line, dots, line with dots, steps"


@pytest.mark.parametrize(("grid", "across"), [(np.zeros((2, 2)), "a"), (SQUARE.along(a=1), "b"), (CUBE, "a")])
def test_a_heatmap_of_no_grid_with_two_axes_is_refused_with_a_cure(grid, across):
    with pytest.raises(PostError, match="needs a grid with two axes") as raised:
        heatmap(grid, "t", across, "v")

    assert raised.value.cure.startswith("a sweep over two names gives one")


def test_a_function_of_figures_takes_what_its_kind_takes():
    assert curve([1], [1], "t", "a", "b", up_range=(0, 2), references=[(1, "all")]).up_range == (0, 2)

    with pytest.raises(PostError, match=r"curve\(\.\.\.\) has no argument 'up_rang'") as caught:
        curve([1], [1], "t", "a", "b", up_rang=(0, 2))
    assert caught.value.cure == "did you mean 'up_range'?"


def test_what_a_function_of_figures_makes_itself_is_no_argument():
    with pytest.raises(PostError, match=r"curve\(\.\.\.\) has no argument 'series'"):
        curve([1], [1], "t", "a", "b", series=())


def test_lines_and_marks_over_a_figure_are_given_as_tuples():
    chart = curve([1], [1], "t", "a", "b", marks=[((1, 1), "here")])
    map_ = heatmap(SQUARE, "t", "a", "v", lines=[((1, 1), (2, 3), "even")])

    assert [(mark.at, mark.label) for mark in chart.marks] == [((1, 1), "here")]
    assert [(line.start, line.end, line.label) for line in map_.lines] == [((1, 1), (2, 3), "even")]
    assert [line.upright for line in histogram([1], "t", "a", references=[(1, "mean")]).references] == [True]


@pytest.mark.parametrize(
    ("given", "message", "cure"),
    [
        ({"references": [1]}, "references=[1] is no list of references", 'references=[(0.5, "one half")]'),
        ({"references": 3}, "references=3 is no list of references", 'references=[(0.5, "one half")]'),
        ({"marks": [(1, 1, "here")]}, "marks=[(1, 1, 'here')] is no list of marks", 'marks=[((3, 0.5), "here")]'),
    ],
)
def test_lines_and_marks_of_another_form_are_refused_with_an_example(given, message, cure):
    with pytest.raises(PostError) as caught:
        curve([1], [1], "t", "a", "b", **given)

    assert (str(caught.value.args[0]), caught.value.cure) == (message, f"write for example {cure}")
