"""`solve --csv FIELD`: answers as tables."""

import csv
import io
import json
import math
from fractions import Fraction

import numpy as np
import pytest

from site_builder.cli.solve_output import field_columns, write_csv
from site_builder.contract import Grid


def solve(project, *words, status=0):
    return project.run("solve", "gamblers_ruin", *words, status=status)


def rows(text):
    return list(csv.reader(io.StringIO(text)))


# The command. Coins 2 of 4 at 2/3 a round win with 4/5, by Feller's (2.4): see test_solve.py.


def test_a_grid_has_a_column_for_each_axis_and_one_for_the_value(project):
    found = rows(solve(project, "--csv", "map", "--set", "goal=4", "--set", "win=2/3").out)

    assert found[0] == ["outcome", "coins", "map"]
    assert ["goal", "2", "0.8"] in found
    assert len(found) == 1 + 2 * 5


def test_a_sweep_has_a_row_for_each_point(project):
    words = ("--set", "goal=2", "--sweep", "win=1/4:3/4:3", "--csv", "half")

    assert rows(solve(project, *words).out) == [
        ["win", "win_exact", "half", "half_exact"],
        *(["0.25", "1/4", "0.25", "1/4"], ["0.5", "1/2", "0.5", "1/2"], ["0.75", "3/4", "0.75", "3/4"]),
    ]


def test_json_with_the_solver_after_it_is_in_full_as_ever(project):
    ran = project.run("solve", "--json", "gamblers_ruin", "--set", "goal=4")

    assert json.loads(ran.out)["solver"] == "gamblers_ruin"


@pytest.mark.parametrize(
    ("words", "said", "cure"),
    [
        (["--csv", "map", "--json"], "--csv map goes neither with --json nor with --keep", "keep one of them"),
        (["--csv", "mpa"], "--csv mpa: a result of 'gamblers_ruin' has no 'mpa'", "did you mean 'map'?"),
    ],
)
def test_options_that_do_not_go_together_are_refused_with_a_cure(project, words, said, cure):
    err = solve(project, *words, status=2).err

    assert said in err
    assert cure in err


# What has which columns


def test_arrays_and_lists_have_their_places():
    assert field_columns("a", np.array([5, 6])) == {"index": [0, 1], "a": [5, 6]}
    assert field_columns("a", np.array([[5], [7]])) == {"index_0": [0, 1], "index_1": [0, 0], "a": [5, 7]}
    assert field_columns("a", (7,)) == {"index": [0], "a": (7,)}


def test_mappings_have_their_keys():
    assert field_columns("a", {1: "x", 2: "y"}) == {"key": [1, 2], "a": ["x", "y"]}
    assert field_columns("a", 5) == {"a": [5]}


def test_no_two_columns_have_one_name():
    grid = Grid(np.array([1]), {"map": [3]})

    assert field_columns("map", grid) == {"map": [3], "map_value": [1]}
    assert field_columns("index", (7,)) == {"index": [0], "index_value": (7,)}


def written(columns):
    text = io.StringIO()
    write_csv(columns, text)
    return rows(text.getvalue())


def test_a_cell_of_many_values_is_json():
    assert written({"key": [(1, 2)], "b": [{"best": Fraction(1, 2)}]}) == [
        ["key", "b"],
        ["[1, 2]", '{"best": {"exact": "1/2", "float": 0.5}}'],
    ]


def test_csv_has_all_digits_and_an_empty_cell_for_what_is_missing():
    assert written({"a": [0.1 + 0.2, math.nan, math.inf], "b": [True, None, 'say "x", y']}) == [
        ["a", "b"],
        ["0.30000000000000004", "True"],
        ["nan", ""],
        ["inf", 'say "x", y'],
    ]


def test_a_column_of_fractions_has_one_of_their_exact_texts_behind_it():
    assert written({"a": [Fraction(1, 4), 2], "b": [1, None]}) == [
        ["a", "a_exact", "b"],
        ["0.25", "1/4", "1"],
        ["2", "2", ""],
    ]
