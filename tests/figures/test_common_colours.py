"""A name has one colour in all figures of a post, that of `colours:` first; errors there have their line."""

import re

import numpy as np
import pytest

from site_builder.contract import Action, Bars, BarSeries, Curve, Diagram, Edge, Frames, Grid, Node, PolicyMap, Series
from site_builder.figures.kinds.registry import CommonColours
from tests.support.content import errors_in_text, written
from tests.support.figures import draw

RED = "#a8112c", "#ff8086"  # of lines on light and on dark pages, as the palette lists them
BLUE = "#00589a", "#58b0ee"


def curve(*names):
    return Curve("T", tuple(Series(name, (1, 2), (1, place)) for place, name in enumerate(names)), "a", "b", "C")


def policy(*actions):
    grid = Grid(np.arange(len(actions)).reshape(1, -1), {"a": (1,), "b": range(len(actions))})
    return PolicyMap("T", grid, "b", actions, "C")


def bars(*names, categories=("x", "y")):
    return Bars("T", categories, tuple(BarSeries(name, (1,) * len(categories)) for name in names), "v", "C")


def test_the_front_matter_goes_before_a_figure_and_a_figure_before_the_order():
    found = CommonColours({"Yvonne": "red"}).coloured(
        policy(Action("Zara"), Action("Yvonne", colour="pink"), Action("nobody", colour="grey"))
    )

    assert found.colours == {"Zara": "blue", "Yvonne": "red", "nobody": "grey"}


def test_a_name_keeps_its_colour_in_every_kind_of_figure():
    colours = CommonColours({"Zara": "blue"})
    nodes = Node("1", (0, 0), "Yvonne"), Node("2", (1, 0), "Zara")
    kinds = {"Yvonne": "Yvonne has won", "Zara": "Zara has won"}

    figures = [
        colours.coloured(each)
        for each in (
            curve("Yvonne", "Zara"),
            bars("Zara", "Yvonne"),
            policy(Action("Zara"), Action("Yvonne")),
            Diagram("T", nodes, (Edge("1", "2"),), kinds, "C"),
            Frames("T", [("1", curve("Zara", "Yvonne")), ("2", curve("Yvonne", "Zara"))], alt="a"),
        )
    ]

    steps = [step for _, step in figures.pop().frames]
    assert [each.colours for each in [*figures, *steps]] == [{"Yvonne": "orange", "Zara": "blue"}] * 6


def test_what_stands_for_nothing_yet_is_taken_first_and_by_the_figure_that_comes_first():
    colours = CommonColours({})

    assert colours.coloured(curve("a", "b")).colours == {"a": "blue", "b": "orange"}
    assert colours.coloured(curve("c", "a")).colours == {"c": "green", "a": "blue"}
    assert colours.coloured(curve("alone")).colours == {"alone": "blue"}  # which has no legend
    six = colours.coloured(policy(*map(Action, "defghi"))).colours
    assert {*six.values()} == {"grey", "pink", "yellow", "red", "violet", "blue"}  # of eight, five were left


def test_a_line_alone_takes_no_colour_that_the_front_matter_gives():
    assert CommonColours({"Zara": "blue"}).coloured(curve("alone")).colours == {"alone": "orange"}


def test_the_bars_of_categories_have_their_colours():
    made = CommonColours({"Yvonne": "red", "Zara": "blue"}).coloured(bars("", categories=("Zara", "Yvonne", "nobody")))
    svg = draw(made).svg.decode()

    filled = re.findall(r'fill="(#[0-9a-f]{6})"', svg)
    assert {RED[0], BLUE[0], "#c8500a"} <= set(filled)  # the one without a colour takes the first free one, orange


def test_a_drawing_has_the_shade_of_each_scheme():
    svg = draw(CommonColours({"Yvonne": "red", "Zara": "blue"}).coloured(curve("Yvonne", "Zara"))).svg.decode()

    for light, dark in (RED, BLUE):
        assert f'stroke="{light}"' in svg
        assert f"light-dark({light},{dark})" in svg


def test_pages_are_given_the_colours_of_the_front_matter_alone():
    colours = CommonColours({"Zara": "red"})
    colours.coloured(curve("a", "b"))

    assert colours.in_pages("Zara") == f"light-dark({RED[0]}, {RED[1]})"
    assert colours.in_pages("a") == ""


CURVES = """\
{{ figure(curve([1, 2], {"Yvonne": [1, 2], "Zara": [2, 1]}, "Both", "a", "b")) }}

{{ figure(curve([1, 2], {"one": [1, 2], "other": [2, 1]}, "Others", "a", "b")) }}
"""


def keys(front, text=CURVES):
    """The keys of the figures of a post in their order."""
    return [key for kind, key in written(text, front).entries if kind == "figure"]


def test_a_change_of_colours_draws_anew_the_figures_with_these_names_alone():
    before, after = keys("colours: {Yvonne: red}\n"), keys("colours: {Yvonne: violet}\n")

    assert before[0] != after[0]
    assert before[1] == after[1]


def test_a_figure_behind_others_leaves_these_as_they_are():
    longer = CURVES + '\n{{ figure(curve([1, 2], {"third": [1, 2], "one": [2, 1]}, "More", "a", "b")) }}\n'

    assert keys("", longer)[:2] == keys("")


@pytest.mark.parametrize(
    ("front", "body", "place", "message", "cure"),
    [
        ("  Yvone: red", CURVES, 5, "no figure or board of this post has the name 'Yvone'", "did you mean 'Yvonne'?"),
        ("  Zara: blue\n  Yvonne: rde", CURVES, 6, "'rde' is no colour of figures", "did you mean 'red'?"),
        ("  Zara: red", "Words.\n", 5, "no figure or board of this post has the name 'Zara'", "there is none"),
    ],
)
def test_what_does_not_exist_is_refused_at_its_line(front, body, place, message, cure):
    (error,) = errors_in_text(body, front=f"colours:\n{front}\n")

    assert (str(error.place), error.message, error.cure) == (f"content/posts/a.md:{place}", message, cure)
