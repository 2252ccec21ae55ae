"""The data of a figure: whole as CSV and JSON, read back by other readers; thinned as a table for its page."""

import csv
import json
import math
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from types import SimpleNamespace

import numpy as np
import pytest

from site_builder.contract import (
    Action,
    Bars,
    BarSeries,
    Estimate,
    Grid,
    Heatmap,
    PolicyMap,
    Reference,
    Series,
)
from site_builder.figures.kinds.registry import data_files
from tests.support.figures import FIGURES, bars, curve, heatmap, policy_map

THIN = "\N{NARROW NO-BREAK SPACE}"
# Pascal's triangle: C(n, k) / 2^n is the chance of k heads in n flips, and nothing where k > n.
PASCAL = [[1, 0, 0], [Fraction(1, 2), Fraction(1, 2), 0], [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]]


def rows_of_csv(figure):
    data = data_files(figure)["csv"].decode()
    return list(csv.reader(StringIO(data, newline=""), strict=True))


def page_table(figure):
    table = json.loads(data_files(figure)["table"], object_hook=lambda fields: SimpleNamespace(**fields))
    table.rows = tuple(map(tuple, table.rows))
    return table


def heads(figure):
    return [head.label for head in page_table(figure).heads]


def pascal(**more):
    values = np.array(PASCAL, dtype=object)
    grid = Grid(values, {"flips": range(3), "heads": range(3)})
    reached = np.tril(np.ones((3, 3), bool))
    labels = {"flips": "flips made", "heads": "heads so far (coins)"}
    return Heatmap("$n$ flips", grid, "flips", "chance", "All chances.", labels=labels, drawn=reached, **more)


def test_a_heatmap_is_a_row_for_each_cell_exact_values_beside_their_decimals():
    head, *rows = rows_of_csv(pascal())

    assert head == ["flips made", "heads so far (coins)", "chance", "chance, exact"]
    assert rows == [
        ["0", "0", "1", "1"],
        ["0", "1", "", ""],
        ["0", "2", "", ""],
        ["1", "0", "0.5", "1/2"],
        ["1", "1", "0.5", "1/2"],
        ["1", "2", "", ""],
        ["2", "0", "0.25", "1/4"],
        ["2", "1", "0.5", "1/2"],
        ["2", "2", "0.25", "1/4"],
    ]


def test_the_data_of_a_grid_do_not_depend_on_the_order_of_its_axes():
    values = np.arange(6.0).reshape(2, 3)
    one = Heatmap("", Grid(values, {"x": range(2), "y": range(3)}), "x", "value", "")
    other = Heatmap("", Grid(values.T, {"y": range(3), "x": range(2)}), "x", "value", "")

    assert data_files(one) == data_files(other)
    assert [float(row[2]) for row in rows_of_csv(one)[1:]] == [0, 1, 2, 3, 4, 5]


def test_every_float_comes_back_as_it_was():
    values = np.random.default_rng(1).random((40, 30)) * 10.0 ** np.arange(-15, 15)

    assert [float(row[2]) for row in rows_of_csv(heatmap(values))[1:]] == values.ravel().tolist()


def test_a_policy_map_names_the_action_of_each_cell():
    figure = policy_map([[0, -1], [2, 1]])

    assert rows_of_csv(figure) == [
        ["x", "y", "action"],
        ["0", "0", "coin A"],
        ["0", "1", ""],
        ["1", "0", "either coin"],
        ["1", "1", "coin B"],
    ]


def test_a_curve_is_a_column_for_each_series_over_all_their_places():
    figure = curve(
        Series("squares", [1, 2, 3], [1, 4, 9]),
        Series("halves", [2, 4], [Fraction(1), Fraction(1, 3)]),
        references=(Reference(4.5, "between"),),
    )

    assert rows_of_csv(figure) == [
        ["number of flips", "squares", "halves", "halves, exact"],
        ["1", "1", "", ""],
        ["2", "4", "1.0", "1"],
        ["3", "9", "", ""],
        ["4", "", repr(1 / 3), "1/3"],
    ]


def test_a_curve_that_comes_to_a_place_twice_has_a_row_for_each_time():
    figure = curve(Series("", [1, 1, 2], [5, 6, 7]))
    two = curve(Series("a", [1, 1], [5, 6]), Series("b", [1], [9]))

    assert rows_of_csv(figure)[1:] == [["1", "5"], ["1", "6"], ["2", "7"]]
    assert rows_of_csv(two) == [["number of flips", "a", "b"], ["1", "5", "9"], ["1", "6", ""]]


def test_bars_are_a_row_for_each_name():
    figure = bars(["ends, both", 'the "middle"'], [0.1, None], [Fraction(1, 3), 2])

    assert rows_of_csv(figure) == [
        ["bar", "series 1", "series 2", "series 2, exact"],
        ["ends, both", "0.1", repr(1 / 3), "1/3"],
        ['the "middle"', "", "2", "2"],
    ]


def test_a_diagram_is_a_row_for_each_move_and_for_each_state_that_none_leaves():
    rows = rows_of_csv(FIGURES["diagram"])

    assert rows[:3] == [
        ["state", "kind", "leads to", "by"],
        ["state a", "the player to move wins", "state b", "take one"],
        ["state a", "the player to move wins", "state d", ""],
    ]
    assert rows[-1] == ["state h", "the player to move loses", "", ""]


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_has_as_many_cells_in_a_row_as_heads(name):
    head, *rows = rows_of_csv(FIGURES[name])

    assert len(set(head)) == len(head)
    assert {len(row) for row in rows} <= {len(head)}


def test_lines_end_as_rfc_4180_says_and_words_are_utf_8():
    data = data_files(bars(["Größe\nin cm"], [1]))["csv"]

    assert data == "bar,chance\r\nGröße in cm,1\r\n".encode()


def test_numbers_beyond_floats_and_beyond_what_python_prints_are_written_whole():
    large = 10**400
    rows = rows_of_csv(bars("ab", [10**5000, Fraction(large, 3)]))

    assert rows[1][1:] == ["1" + "0" * 5000] * 2
    assert rows[2][2] == f"{large}/3"
    assert [row[1] for row in rows_of_csv(bars("ab", [2**60, math.inf]))[1:]] == ["1152921504606846976", "inf"]


@pytest.mark.parametrize(("rows", "count"), [(60, 60), (61, 0)])
def test_a_page_has_a_table_of_data_that_are_short(rows, count):
    assert len(page_table(curve(Series("", range(rows), range(rows)))).rows) == count
    assert len(page_table(heatmap(np.zeros((2, rows)))).rows) == count


def test_a_map_with_more_columns_than_a_page_has_room_for_has_no_table():
    assert len(page_table(heatmap(np.zeros((12, 2)))).heads) == 13
    assert page_table(heatmap(np.zeros((13, 2)))).heads == []


@pytest.mark.parametrize("name", FIGURES)
def test_no_table_is_larger_than_a_page_bears(name):
    table = page_table(FIGURES[name])

    assert len(table.rows) <= 60
    assert len(table.heads) <= 13
    assert {len(row) for row in table.rows} <= {len(table.heads)}


def test_exact_coordinates_do_not_push_the_values_out_of_the_table():
    thirds = (Fraction(0), Fraction(1, 3))
    table = page_table(heatmap([[0.5, 0.25], [0.125, 1.0]], thirds, thirds))

    assert table.rows == (("0.3333", "0.250", "1.000"), ("0.0000", "0.500", "0.125"))


def test_numbers_of_a_column_have_the_same_decimals():
    table = page_table(curve(Series("", [0.05, 0.1, 1], [2 / 3, 123.456789, 1e-9])))

    assert table.rows == (("0.05", "0.67"), ("0.10", "123.46"), ("1.00", "1.00·10⁻⁹"))


def test_a_percentage_that_is_not_all_or_nothing_does_not_read_so():
    table = page_table(bars("abcd", [1e-9, 1 - 1e-9, 2 / 3, 1], percent=True))

    assert [row[1] for row in table.rows] == [f"{text}%" for text in ("< 0.01", "> 99.99", "66.67", "100.00")]


def test_actions_stand_in_the_table_by_name():
    table = page_table(policy_map([[0, 1], [2, -1]]))

    assert table.rows == (("1", "coin B", ""), ("0", "coin A", "either coin"))


def test_numbers_that_are_called_actions_are_numbers():
    grid = Grid(np.array([[0.5], [0.25]]), {"x": range(2), "y": range(1)})

    assert page_table(Heatmap("", grid, "x", "action", "")).rows == (("0", "0.50", "0.25"),)


def test_equal_labels_get_a_number():
    figure = Bars("", ("a",), (BarSeries("x", [1]), BarSeries("x", [2])), "", "")

    assert rows_of_csv(figure)[0] == ["bar", "x", "x (2)"]


def test_equal_labels_of_the_axes_of_a_map_get_a_number():
    grid = Grid(np.zeros((1, 1), int), {"a": [0], "b": [0]})

    assert rows_of_csv(PolicyMap("", grid, "a", (Action("go"),), "", labels={"a": "coins", "b": "coins"}))[0] == [
        "coins",
        "coins (2)",
        "action",
    ]


def test_what_a_policy_map_does_not_draw_is_in_its_files_and_not_in_its_table():
    figure = policy_map([[0, 1]])
    figure = replace(figure, costs={"coin B": Grid(np.array([[0.5, np.nan]]), figure.grid.axes)}, cost_unit="points")
    figure = replace(figure, value=Grid(np.array([[0.25, 0.75]]), figure.grid.axes), value_label="chance")

    assert rows_of_csv(figure) == [
        ["x", "y", "action", "chance", "cost of coin B (points)"],
        ["0", "0", "coin A", "0.25", "0.5"],
        ["0", "1", "coin B", "0.75", ""],
    ]
    assert all("0.5" not in cell for row in page_table(figure).rows for cell in row)


def test_a_map_with_very_many_cells_has_no_files():
    assert rows_of_csv(heatmap(np.zeros((500, 400))))[200_000] == ["499", "399", "0.0"]
    assert data_files(heatmap(np.zeros((501, 400))))["csv"] == b""


def test_standard_errors_are_one_more_column_of_their_series():
    estimates = Series("a", (1, 2), (Estimate(0.5, 0.125, 10), 0.6))
    figure = curve(estimates, Series("b", (2, 3), (Fraction(1, 2), 0.1)))

    assert rows_of_csv(figure) == [
        ["number of flips", "a", "a, standard error", "b", "b, exact"],
        ["1", "0.5", "0.125", "", ""],
        ["2", "0.6", "", "0.5", "1/2"],
        ["3", "", "", "0.1", ""],
    ]


def test_the_data_of_bars_of_estimates_have_their_standard_errors():
    figure = bars("a", [Estimate(0.5, 0.125, 10)])

    assert rows_of_csv(figure) == [["bar", "chance", "chance, standard error"], ["a", "0.5", "0.125"]]
    assert page_table(figure).rows == (("a", "0.5", "0.125"),)


def test_points_that_repeat_a_coordinate_keep_their_standard_errors():
    twice = Series("a", (1, 1), (Estimate(2, 0.5, 10), Estimate(3, 0.25, 10)), "dots")

    assert rows_of_csv(curve(twice, Series("b", (1,), (5,), "dots"))) == [
        ["number of flips", "a", "a, standard error", "b"],
        ["1", "2", "0.5", "5"],
        ["1", "3", "0.25", ""],
    ]
