"""Figures with steps: what is refused, their common scales, their drawings and their data."""

import csv
import json
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest

from site_builder.contract import Column, Estimate, Frames, Series, Table
from site_builder.figures.kinds.registry import data_files, describe, kind_of
from site_builder.figures.rendered import FigureFiles
from site_builder.values.json_records import from_json, to_json
from site_builder.values.packing import pack, unpack
from tests.support.figures import bars, curve, draw, figure_error, heatmap, policy_map, said

LOW, HIGH = heatmap([[0.0, 0.25], [0.5, 0.5]]), heatmap([[0.5, 0.75], [1.0, 0.5]])
MAPS = Frames("title", (("first", LOW), ("second", HIGH)), alt="It rises.")
TABLE = Table("t", (Column("a", (1,)),), "c")


def shared(figure):
    return kind_of(figure).with_shared_scales(figure)


def frames(*steps):
    return Frames("title", tuple((f"step {number}", step) for number, step in enumerate(steps)), alt="alt")


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        (replace(MAPS, alt=" "), "its alt is empty; it says in words what changes from step to step"),
        (frames(LOW), "there are 1 steps; a figure has 2 to 60"),
        (frames(*[LOW] * 61), "there are 61 steps; a figure has 2 to 60"),
        (replace(MAPS, frames=(("a", LOW), ("a", HIGH))), "two steps have the label 'a'"),
        (replace(MAPS, frames=(("a", LOW), ("", HIGH))), "a step has the label '', which is no text"),
        (frames(LOW, TABLE), "the step 'step 1' shows a Table; steps show any other kind of figure"),
        (frames(LOW, MAPS), "the step 'step 1' shows a Frames"),
        (frames(LOW, 5), "the step 'step 1' shows a int"),
        (frames(LOW, replace(HIGH, across="z")), "in the step 'step 1' its grid has no axis 'z'; it has: x, y"),
        (replace(MAPS, frames=(LOW, HIGH)), "it is not made as the contract says"),
    ],
)
def test_steps_that_cannot_be_are_named(figure, words):
    assert words in figure_error(figure)


def test_sound_steps_of_different_kinds_have_no_error():
    assert figure_error(frames(LOW, curve(Series("", [1], [1])), bars("a", [1]), policy_map([[1]]))) == ""


def test_heatmaps_curves_and_bars_without_a_range_get_a_common_one():
    estimates = Series("", [1, 4], [Estimate(0.75, 0.125, 9), Estimate(2, 0.5, 9)])
    one, other = curve(Series("", [1, 2], [0.5, 0.9])), curve(estimates)

    assert [step.value_range for _, step in shared(MAPS).frames] == [(0, 1)] * 2
    assert [step.up_range for _, step in shared(frames(one, other)).frames] == [(0, 3.125)] * 2
    assert [step.across_range for _, step in shared(frames(one, other)).frames] == [(1, 4)] * 2
    assert [step.value_range for _, step in shared(frames(bars("a", [1]), bars("a", [4]))).frames] == [(0, 4)] * 2


@pytest.mark.parametrize(
    "figure",
    [
        frames(LOW, replace(HIGH, value_label="another")),
        frames(LOW, replace(HIGH, percent=True)),
        frames(LOW, replace(HIGH, value_range=(0, 5))),
        frames(LOW, bars("a", [1])),
        frames(policy_map([[1]]), policy_map([[0]])),
        frames(heatmap([[np.nan]]), heatmap([[np.nan]])),
    ],
    ids=["units", "percent", "a range", "kinds", "no numbers", "no cells"],
)
def test_steps_that_cannot_be_compared_or_set_a_range_keep_their_scales(figure):
    assert shared(figure) is figure


def test_one_range_of_curves_may_be_set_and_the_other_one_is_common():
    steps = curve(Series("", [1, 2], [1, 2]), across_range=(0, 9)), curve(Series("", [1, 3], [1, 5]))

    made = shared(frames(*steps)).frames

    assert [step.across_range for _, step in made] == [(0, 9), None]
    assert len({step.up_range for _, step in made}) == 1


def test_a_curve_fills_the_range_across_that_it_is_given():
    assert {"0", "10", "20"} <= set(said(draw(curve(Series("", [5, 6], [1, 2]), across_range=(0, 20))).svg))


def test_each_step_is_drawn_in_both_widths_on_the_common_scale():
    drawn = draw(MAPS)

    (second,) = drawn.frames
    assert drawn.svg == draw(replace(LOW, value_range=(0, 1))).svg
    assert second.narrow_svg == draw(replace(HIGH, value_range=(0, 1))).narrow_svg
    assert {"0.0", "1.0"} <= set(said(drawn.svg))
    assert drawn.png == draw(replace(HIGH, value_range=(0, 1))).png
    assert not second.png


def test_the_data_hold_all_steps_by_their_labels():
    figure = frames(curve(Series("", [1, 2], [0.5, 0.75])), bars("a", [1]))
    files = data_files(figure)

    assert list(csv.reader(StringIO(files["csv"].decode(), newline=""))) == [
        ["step", "number of flips", "chance", "bar"],
        ["step 0", "1", "0.5", ""],
        ["step 0", "2", "0.75", ""],
        ["step 1", "", "1", "a"],
    ]
    assert [head["label"] for head in json.loads(files["table"])["heads"]] == [
        "step",
        "number of flips",
        "chance",
        "bar",
    ]


def test_large_maps_in_steps_have_no_files_together():
    many = heatmap(np.zeros((300, 300)))

    assert data_files(frames(many, many))["csv"].count(b"\n") == 180_001
    assert data_files(frames(many, many, many))["csv"] == b""


def test_the_words_are_the_authors():
    assert describe(MAPS) == "It rises."


def test_steps_stay_themselves_in_the_cache():
    again = unpack(pack(MAPS))

    assert isinstance(again, Frames)
    assert pack(again) == pack(MAPS)


def test_the_files_of_all_steps_come_back_from_the_cache_and_a_style_changes_their_svgs_alone():
    kinds = "svg", "narrow_svg", "png", "csv", "table", "svg 2", "narrow_svg 2"
    files = FigureFiles({kind: kind.upper() for kind in kinds}, ((1, 2, 3, 4), (5, 6, 7, 8)))

    assert from_json(FigureFiles, to_json(files)) == files
    styled = files.with_style("x").digests
    assert [kind for kind in styled if styled[kind] != files.digests[kind]] == [
        "svg",
        "narrow_svg",
        "svg 2",
        "narrow_svg 2",
    ]
