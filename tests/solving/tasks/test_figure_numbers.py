"""The numbers of a figure are those of the fields that it takes, or made of them in the ways of the contract."""

from fractions import Fraction

import numpy as np
import pytest

from site_builder.contract import (
    Bars,
    BarSeries,
    Column,
    Curve,
    Drawing,
    Estimate,
    Frames,
    Grid,
    Heatmap,
    Reference,
    Series,
    Table,
)
from site_builder.solving.tasks.figure_numbers import foreign_numbers

CHANCE = Fraction(15, 36)
ROW = (0.1, 0.3, 0.6)
GRID = Grid(np.array([[0.1, 0.2], [0.3, 0.7]]), {"a": (0, 1), "b": (0, 1)})


def bars(*values):
    return Bars("Bars", tuple("abcdef"[: len(values)]), (BarSeries("x", values),), "chance", "")


@pytest.mark.parametrize(
    ("figure", "values"),
    [
        (bars(CHANCE), [CHANCE]),
        (bars(1 - CHANCE, 100 * CHANCE, 100 - 100 * CHANCE), [CHANCE]),
        (bars(0.2, 0.3), [ROW]),  # differences along the row
        (bars(1.0, 0.4), [ROW]),  # sums along it
        (bars(1, 2, 3), [ROW]),  # indices
        (bars(Estimate(0.41, 0.01, 100)), [Estimate(0.41, 0.01, 100)]),
        (Curve("C", (Series("", (0.01, 0.77), ROW[:2]),), "x", "y", ""), [ROW]),  # coordinates are the author's
        (Heatmap("H", GRID, "a", "v", ""), [GRID]),
        (Drawing(None, data={"chance": Grid(np.array(ROW[:2]), {"n": (17, 18)})}), [ROW]),
        (Table("T", (Column("k", (17, 18)), Column("p", ROW[:2])), ""), [ROW]),
    ],
)
def test_values_of_its_fields_may_be_shown_in_many_ways(figure, values):
    assert foreign_numbers(figure, values) == []


@pytest.mark.parametrize(
    ("figure", "foreign"),
    [
        (bars(CHANCE, 0.6389), [0.6389]),
        (Curve("C", (Series("", (0, 1), (0.1, 0.31)),), "x", "y", "", (Reference(0.55, "limit"),)), [0.31, 0.55]),
        (Heatmap("H", Grid(GRID.values + 0.015, GRID.axes), "a", "v", ""), [0.115, 0.215, 0.315, 0.715]),
        (Table("T", (Column("k", ("x", "y")), Column("p", (0.1, 0.62))), ""), [0.62]),
        (Frames("F", [("one", bars(0.1)), ("two", bars(0.6389))], alt="two steps"), [0.6389]),
    ],
)
def test_numbers_of_its_own_are_named(figure, foreign):
    assert foreign_numbers(figure, [CHANCE, ROW]) == pytest.approx(foreign)


def test_cells_that_are_not_drawn_are_not_looked_at():
    figure = Heatmap("H", GRID, "a", "v", "", drawn=np.array([[True, False], [False, False]]))

    assert foreign_numbers(figure, [0.1]) == []
