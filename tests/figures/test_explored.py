"""What readers who explore a figure get: where its plot lies, and the words of its cells and points."""

import csv
import io
import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from site_builder.contract import Estimate, Frames, Grid, Series
from site_builder.figures.kinds.registry import data_files, explore_script, kind_of
from site_builder.figures.words import cell_text, column_texts
from tests.support.explored import read_script
from tests.support.figures import FIGURES, SVG, bars, curve, draw, heatmap, policy_map, ramp


def explored(figure):
    (step,) = read_script(explore_script(figure, draw(figure)))
    return step


def sized(svg):
    root = ElementTree.fromstring(svg)
    return root, float(root.get("width")), float(root.get("height"))


def test_the_plot_of_a_heatmap_is_the_box_of_its_cells_in_both_drawings():
    drawn = draw(heatmap(ramp(7, 4)))

    for svg, plot in ((drawn.svg, drawn.plot), (drawn.narrow_svg, drawn.narrow_plot)):
        root, width, height = sized(svg)
        image = next(root.iter(f"{SVG}image"))
        box = [float(image.get(key)) for key in ("x", "y", "width", "height")]
        # 0.02 pixels: the SVG has two decimals
        assert np.multiply(plot, [width, height] * 2) == pytest.approx(box, abs=0.02)
    assert drawn.plot != drawn.narrow_plot
    assert drawn.spans == ((-0.5, 6.5), (-0.5, 3.5))


def test_the_plot_of_a_policy_map_begins_and_ends_at_its_axes():
    drawn = draw(policy_map(np.arange(6).reshape(2, 3) % 2))

    for svg, plot in ((drawn.svg, drawn.plot), (drawn.narrow_svg, drawn.narrow_plot)):
        _, width, height = sized(svg)
        left, top, wide, high = np.multiply(plot, [width, height] * 2)
        found = re.findall(r'd="M([\d.]+) ([\d.]+)V([\d.]+)H([\d.]+)"', svg.decode())
        axes = [left, top, top + high, left + wide]
        assert any(np.allclose([float(each) for each in path], axes, atol=0.02) for path in found)


def test_the_spans_of_a_curve_say_where_its_points_lie():
    drawn = draw(curve(Series("", [3, 5, 11], [1, 2, 4]), across_range=(1, 13)))

    for svg, plot in ((drawn.svg, drawn.plot), (drawn.narrow_svg, drawn.narrow_plot)):
        _, width, _ = sized(svg)
        ((first, last),) = drawn.spans
        pixels = [(plot[0] + plot[2] * (x - first) / (last - first)) * width for x in (3, 5, 11)]
        line = re.search(r'd="M([\d.]+) [\d.]+L([\d.]+) [\d.]+L([\d.]+) [\d.]+" clip', svg.decode())
        assert [float(x) for x in line.groups()] == pytest.approx(pixels, abs=0.02)


@pytest.mark.parametrize("figure", [bars("abc", [1, 2, 3]), FIGURES["diagram"], curve(Series("", [], []))])
def test_other_figures_have_no_plot_and_no_script(figure):
    drawn = draw(figure)

    assert kind_of(figure).axis_names(figure) == ()
    assert explore_script(figure, drawn) == b""


@pytest.mark.parametrize("name", FIGURES)
def test_every_kind_of_figure_has_data_of_which_each_cell_has_its_words(name):
    figure = FIGURES[name]
    script = explore_script(figure, draw(figure))
    if not kind_of(figure).axis_names(figure):
        assert script == b""
        return

    (step,) = read_script(script)

    cells = math.prod(len(axis["words"]) for axis in step["axes"])
    assert len(step["axes"]) == len(step["spans"]) == len(kind_of(figure).axis_names(figure))
    assert {len(layer.get("words", layer.get("cells"))) for layer in step["layers"]} == {cells}
    for axis, (first, last) in zip(step["axes"], step["spans"], strict=True):
        assert len(axis.get("at", axis["words"])) == len(axis["words"])
        assert "across_range" in vars(figure) or first < min(axis.get("at", [0])) <= max(axis.get("at", [0])) < last
    assert all(0 <= share <= 1 for share in (*step["plot"], *step["narrow"]))


def test_the_words_of_a_map_are_those_of_its_published_data():
    figure = heatmap(ramp(5, 3), labels={"x": "flips made", "y": "score (points)"}, percent=True)
    _, *rows = csv.reader(io.StringIO(data_files(figure)["csv"].decode()))

    step = explored(figure)

    assert kind_of(figure).axis_names(figure) == ("flips made", "score")
    assert [axis["words"] for axis in step["axes"]] == [["0", "1", "2", "3", "4"], ["0", "1", "2"]]
    assert step["layers"] == [{"label": "value", "words": [f"{100 * float(value):.1f}%" for *_, value in rows]}]


def test_cells_are_listed_column_by_column_whichever_way_the_grid_lies():
    figure = heatmap([[1, 2, 3], [4, 5, 6]])
    across = replace(figure, across="y", downward=True)

    assert explored(figure)["layers"][0]["words"] == ["1", "2", "3", "4", "5", "6"]
    assert explored(across)["layers"][0]["words"] == ["1", "4", "2", "5", "3", "6"]
    assert [explored(each)["down"] for each in (figure, across)] == [False, True]


def test_cells_that_are_not_drawn_have_no_words():
    values, drawn = np.array([[1.0, math.nan], [3.0, 4.0]]), np.array([[True, True], [False, True]])

    step = explored(heatmap(values, drawn=drawn))

    assert step["layers"] == [{"label": "value", "words": ["1", "", "", "4"]}]


def test_a_policy_map_has_the_names_of_its_actions():
    step = explored(policy_map([[0, -1], [2, 1]]))

    assert step["layers"] == [{"names": ["coin A", "coin B", "either coin"], "cells": [0, -1, 2, 1]}]


def test_words_have_typographic_quotes():
    step = explored(curve(Series("Zara's share", [1], [2]), Series("the rest", [1], [3])))

    assert [layer["label"] for layer in step["layers"]] == ["Zara\N{RIGHT SINGLE QUOTATION MARK}s share", "the rest"]


def test_a_policy_map_says_what_the_other_actions_cost():
    costs = {"coin A": [[0.0, math.nan], [1.25, 0.001]], "coin B": [[12.5, 0], [0, 0]]}
    figure = policy_map([[0, -1], [1, 1]])
    figure = replace(figure, costs={name: Grid(np.array(each), figure.grid.axes) for name, each in costs.items()})

    step = explored(replace(figure, cost_unit="points"))

    assert step["unit"] == "points"
    assert step["costs"] == [
        {"name": "coin A", "words": ["", "", "1.25", "less than 0.01"]},
        {"name": "coin B", "words": ["12.50", "", "", ""]},
    ]
    assert "costs" not in explored(replace(figure, costs={}))


def test_a_policy_map_says_what_its_cells_are_worth_if_it_knows():
    figure = policy_map([[0, -1], [1, 1]])
    value = Grid(np.array([[0.5, math.nan], [1, 0.25]]), figure.grid.axes)

    step = explored(replace(figure, value=value, value_label="chance of winning", percent=True))

    assert step["layers"] == [
        {"label": "chance of winning", "words": ["50%", "", "100%", "25%"]},
        {"names": ["coin A", "coin B", "either coin"], "cells": [0, -1, 1, 1]},
    ]


def test_chances_of_a_large_map_have_one_decimal_and_are_never_rounded_to_certainty():
    values = np.full((40, 40), 0.31417)
    values[0, :3] = [0, 1e-6, 1 - 1e-6]

    words = explored(heatmap(values, percent=True))["layers"][0]["words"]

    assert words[:4] == ["0.0%", "< 0.1%", "> 99.9%", "31.4%"]


def test_the_words_of_many_chances_are_those_that_each_has_by_itself():
    ties = [0.0005, 0.0015, 0.31450, 0.9995, 0.99949999, 1e-12, 1 - 1e-12, 0.0, 1.0, math.nan]
    values = np.array([*ties, *np.random.default_rng(3).random(1490), *np.linspace(0, 1, 1000)])

    words = explored(heatmap(values.reshape(50, 50), percent=True))["layers"][0]["words"]

    assert words == column_texts([None if math.isnan(value) else value for value in values.tolist()], True, most=1)


def test_costs_are_written_as_each_is_by_itself():
    values = np.array([0.005, 0.015, 12.345, 99.995, 0.0049, *(20 * np.random.default_rng(3).random(495))])
    figure = policy_map(np.zeros((50, 10), int))
    figure = replace(figure, costs={"coin B": Grid(values.reshape(50, 10), figure.grid.axes)})

    words = explored(figure)["costs"][0]["words"]

    assert words == [cell_text(value, 2) if value >= 0.01 else "less than 0.01" for value in values.tolist()]


def test_a_map_with_more_cells_than_anyone_explores_has_no_script():
    huge, many = heatmap(ramp(900, 90)), tuple((f"step {k}", heatmap(ramp(60, 60))) for k in range(20))

    for figure in (huge, Frames("t", many, alt="alt")):
        assert kind_of(figure).axis_names(figure) == ()
        assert explore_script(figure, draw(figure)) == b""


def test_every_series_of_a_curve_has_its_value_at_each_place():
    figure = curve(Series("one", [1, 3], [0.25, None]), Series("other", [2, 3], [0.5, 1.0]), percent=True)

    step = explored(figure)

    assert kind_of(figure).axis_names(figure) == ("number of flips",)
    assert step["axes"] == [{"words": ["1", "2", "3"], "at": [1.0, 2.0, 3.0]}]
    assert step["layers"] == [
        {"label": "one", "words": ["25%", "", ""]},
        {"label": "other", "words": ["", "50%", "100%"]},
    ]


def test_a_single_series_is_called_as_the_axis_is():
    assert explored(curve(Series("", [1], [2])))["layers"] == [{"label": "chance", "words": ["2"]}]


def test_no_value_is_interpolated():
    step = explored(curve(Series("s", [0, 4], [1, 2], "steps"), Series("l", [0, 2, 5], [1, 2, 3])))

    assert step["axes"][0]["words"] == ["0", "2", "4", "5"]
    assert [layer["words"] for layer in step["layers"]] == [["1", "", "2", ""], ["1", "2", "", "3"]]


def test_standard_errors_stand_beside_their_values():
    estimates = curve(Series("", [1], [Estimate(0.5, 0.01, 100)]))

    assert explored(estimates)["layers"] == [
        {"label": "chance", "words": ["0.5"]},
        {"label": "chance, standard error", "words": ["0.01"]},
    ]


def test_a_point_without_a_place_is_left_out():
    step = explored(curve(Series("", [3, None, 1, math.inf], [1, 2, 3, 4])))

    assert step["axes"] == [{"words": ["1", "3"], "at": [1.0, 3.0]}]
    assert step["layers"][0]["words"] == ["3", "1"]


def test_a_curve_with_several_points_at_one_place_is_not_explored():
    assert kind_of(twice := curve(Series("", [1, 1], [2, 3], "dots"))).axis_names(twice) == ()


def test_frames_have_data_for_each_step_and_none_for_one_that_cannot_be_explored():
    figure = Frames("t", (("a", heatmap([[1.0]])), ("b", bars("a", [1])), ("c", heatmap([[2.0]]))), alt="alt")

    steps = read_script(explore_script(figure, draw(figure)))

    assert kind_of(figure).axis_names(figure) == ("x", "y")
    assert [step and step["layers"][0]["words"] for step in steps] == [["1"], None, ["2"]]


def test_the_script_is_classic_and_names_itself_by_its_address():
    script = explore_script(heatmap([[1.0]]), draw(heatmap([[1.0]]))).decode()

    assert script.startswith("(window.explored ??= {})[document.currentScript.src] = [{")
    assert script.endswith("}];\n")
