"""Histograms: which bin a value lies in, how high the bars are, and their words and data."""

import csv
import io
import itertools
import re
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from site_builder.contract import Frames, Grid, Histogram, Reference
from site_builder.figures.kinds.histogram import bins_of
from site_builder.figures.kinds.registry import data_files, describe, kind_of
from site_builder.figures.palette import FILLS
from site_builder.posts.functions import histogram
from tests.support.figures import SVG, draw, figure_error, said, texts

SUMS = [a + b for a, b in itertools.product(range(1, 7), repeat=2)]  # of two dice, all 36 throws


def made(values, **more):
    return Histogram("title", values, more.pop("across_label", "sum of two dice"), "caption", **more)


def shared(frames):
    return kind_of(frames).with_shared_scales(frames)


def rows(figure):
    return list(csv.reader(io.StringIO(data_files(figure)["csv"].decode())))


def test_whole_numbers_have_a_bin_each_where_they_are_few():
    heads, *cells = rows(made(SUMS))

    assert heads == ["sum of two dice", "number of values"]
    assert cells == [[str(k), str(6 - abs(k - 7))] for k in range(2, 13)]


def test_counts_say_how_often_each_value_occurs():
    counted = made(range(2, 13), counts=[6 - abs(k - 7) for k in range(2, 13)])
    chances = made(range(2, 13), counts=[Fraction(6 - abs(k - 7), 36) for k in range(2, 13)], percent=True)

    assert rows(counted) == rows(made(SUMS))
    np.testing.assert_allclose(bins_of(chances).amounts, bins_of(counted).amounts / 36)


def test_a_bin_holds_its_lower_edge_and_the_last_one_both():
    figure = made([0.1, 0.2, 0.3, 0.4, 0.4, None], bins=[0, 0.1, 0.3, 0.4])

    assert bins_of(figure).amounts.tolist() == [0, 2, 3]
    assert rows(figure)[0][:2] == ["sum of two dice, from", "sum of two dice, to"]


@given(st.lists(st.integers(-500, 500), min_size=1, max_size=60), st.none() | st.integers(1, 30))
@example([-401, 200], 1)
@example([-499, 499], 2)
def test_every_whole_number_lies_in_one_bin_between_whole_ends(values, wanted):
    bins = bins_of(made(values, bins=wanted))

    lows, highs = bins.ends
    counted = [sum(low <= value <= high for value in values) for low, high in zip(lows, highs, strict=True)]
    assert bins.amounts.tolist() == counted
    assert sum(counted) == len(values)
    assert len(counted) <= (wanted or 40) + 3  # about as many as wanted, at round numbers


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), st.none() | st.integers(1, 30))
def test_every_number_lies_in_a_bin(values, wanted):
    bins = bins_of(made(values, bins=wanted))

    assert bins.amounts.sum() == len(values)
    assert (np.diff(bins.edges) > 0).all()


def test_chosen_edges_are_round_and_as_fine_as_the_number_of_values_asks_for():
    values = np.linspace(0.003, 0.997, 1000)

    edges = bins_of(made(values)).edges

    # The rule of Rice: 2 n^(1/3) bins, here 20, and 0.05 is round.
    assert edges.tolist() == pytest.approx([k / 20 for k in range(21)])


def test_bars_are_as_high_as_their_counts():
    root = ElementTree.fromstring(draw(made([1, 2, 2, 3, 3, 3])).svg)
    path = next(node for node in root.iter(f"{SVG}path") if node.get("fill") == FILLS[0].light).get("d")
    levels = [float(y) for y in re.findall(r"V([\d.]+)", path)]
    foot = float(re.match(r"M[\d.]+ ([\d.]+)", path)[1])

    heights = [foot - level for level in levels[:3]]
    assert heights == pytest.approx([heights[0], 2 * heights[0], 3 * heights[0]], abs=0.05)


def test_a_reference_line_stands_at_its_value_and_its_label_over_no_bar():
    figure = made(SUMS, references=(Reference(7, "the mean"),), percent=True)
    root = ElementTree.fromstring(draw(figure).svg)
    (dashed,) = [node.get("d") for node in root.iter(f"{SVG}path") if node.get("stroke-dasharray")]
    middle = {text[0]: (text[1] + text[3]) / 2 for text in texts(root)}
    label = next(text for text in texts(root) if text[0] == "the mean")
    level = next(text for text in texts(root) if text[0] == "15%")

    assert float(re.match(r"M([\d.]+)", dashed)[1]) == pytest.approx((middle["6"] + middle["8"]) / 2, abs=1)
    assert label[4] < level[4]


def test_the_alt_text_has_number_range_and_mean():
    figure = made(SUMS, percent=True, references=(Reference(7, "the mean"),))

    assert describe(figure) == ("Histogram of sum of two dice: 36 values from 2 to 12, mean 7. Marked: the mean (7).")
    assert describe(made([1, 2, 2])) == "Histogram of sum of two dice: 3 values from 1 to 2, mean 1.67."
    assert describe(made([])) == "Histogram of sum of two dice: no values."


@pytest.mark.parametrize(
    ("figure", "message"),
    [
        (made([1, float("inf")]), "a value is infinite; leave it out"),
        (made([1, 2], counts=[1]), "it has 2 values and 1 counts"),
        (made([1, 2], counts=[1, -1]), "a count is -1"),
        (made([1, 2], bins=0), "bins is 0; write a number from 1 to 500"),
        (made([1, 2], bins=[0, 0]), "its bins are no edges"),
        (made([1, 2, 9], bins=[0, 5]), "1 of its values, such as 9, lie outside of its bins, which reach from 0 to 5"),
        (made(["a"]), "it is not made as the contract says"),
        (made([]), ""),
    ],
)
def test_what_does_not_fit_is_refused_with_a_cure(figure, message):
    error = figure_error(figure)

    assert error.startswith(message)
    assert bool(error) == bool(message)


def test_a_histogram_without_values_says_so():
    assert "nothing to show: no values" in said(draw(made([])).svg)


def test_the_steps_of_frames_share_both_axes():
    steps = (("few", made([1, 2, 2])), ("many", made([5] * 10)))

    first, second = (step for _, step in shared(Frames("t", steps, alt="a")).frames)

    assert first.across_range == second.across_range == (0.5, 5.5)
    assert first.up_range == second.up_range
    assert first.up_range[1] >= 10


def test_posts_make_histograms_of_columns_and_grids():
    grid = Grid(np.array([[1, 2], [2, 3]]), {"a": (0, 1), "b": (0, 1)})

    figure = histogram(grid, title="t", across_label="x", bins=3, percent=True, references=[(2, "middle")])

    assert figure_error(figure) == ""
    assert bins_of(figure).amounts.tolist() == [1, 2, 1]
    assert (figure.caption, figure.references[0].at, figure.references[0].label) == ("t", 2, "middle")


def test_a_value_that_is_a_hair_above_a_round_number_is_not_lost():
    bins = bins_of(made([0.1, 0.15, 0.2, 0.25, 0.1 + 0.2], bins=None))

    assert bins.amounts.sum() == 5
    assert bins.edges[0] == 0.1


def test_a_reference_line_beyond_all_values_is_shown():
    words = said(draw(made(SUMS, references=(Reference(20, "never"),))).svg)

    assert "never" in words
    assert "20" in words


def test_huge_values_have_bins_too():
    assert bins_of(made([1e300, 2e300, 3e17])).amounts.sum() == 3
