"""What is told of figures to readers who do not see them; expected sentences are worked out from the data by hand."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from site_builder.figures.kinds.registry import describe
from site_builder.markup.typeset import spoken

COINS = (Action("coin A", "A"), Action("coin B", "B"), Action("either coin", "="))


def heatmap(values, **more):
    values = np.asarray(values)
    grid = Grid(values, {"flips": range(values.shape[0]), "score": range(-1, values.shape[1] - 1)})
    return Heatmap("t", grid, "flips", "chance of winning", "c", **more)


def curve(*series, **more):
    return Curve("t", series, "chance $p$ of heads", "chance of winning", "c", **more)


def bars(categories, *series, **more):
    return Bars("t", tuple(categories), tuple(BarSeries(n, v) for n, v in series), "chance", "c", **more)


def test_the_authors_own_words_come_first():
    figure = heatmap([[0.5]], alt="All is even: $p = \\frac{1}{2}$.")

    assert describe(figure) == "All is even: p = 1/2."


def test_a_heatmap_has_its_axes_and_its_lowest_and_highest_value():
    figure = heatmap([[0.25, 0.5, 0.125], [1.0, 0.75, 0.5]], labels={"flips": "flips made", "score": "score (points)"})

    assert describe(figure) == (
        "Heatmap of chance of winning by flips made from 0 to 1 and score (points) from −1 to 1: "
        "values from 0.125 to 1.000."
    )


def test_a_heatmap_leaves_out_what_is_not_drawn():
    drawn = np.array([[True, False], [True, True]])

    told = describe(heatmap([[0.3, 0.1], [math.nan, 0.6]], drawn=drawn, percent=True))

    assert told.endswith("values from 30% to 60%.")


def test_a_heatmap_without_cells_says_so():
    assert describe(heatmap([[math.nan, math.nan]])).endswith("no values.")


def test_exact_values_are_written_like_others():
    values = np.array([[Fraction(1, 3), Fraction(22, 91)]], dtype=object)

    # 1/3 = 0.3333..., 22/91 = 0.24175...
    assert describe(heatmap(values)).endswith("values from 0.2418 to 0.3333.")


def test_of_a_policy_map_the_cells_of_each_action_are_counted():
    codes = np.array([[0, 0, 0, 1], [0, 0, 2, -1]])
    figure = PolicyMap("t", Grid(codes, {"x": range(2), "y": range(4)}), "x", COINS, "c")

    assert describe(figure) == (
        "Map of the actions by x from 0 to 1 and y from 0 to 3: "
        "coin A in 5 cells, coin B in 1 cell, either coin in 1 cell."
    )


def test_a_policy_map_without_actions_says_so():
    grid = Grid(np.full((2, 2), -1), {"x": range(2), "y": range(2)})

    assert describe(PolicyMap("t", grid, "x", COINS, "c")).endswith("no cell has an action.")


def test_a_curve_has_its_ends_and_its_extremes_in_order():
    told = describe(curve(Series("", [0, 1, 2], [0.5, 0.125, 1.0]), references=(Reference(0.5, "an even game"),)))

    assert told == (
        "Curve of chance of winning against chance p of heads. 0.500 at 0, 0.125 at 1, 1.000 at 2. "
        "Marked: an even game (0.5)."
    )


def test_a_reference_line_is_given_in_full():
    told = describe(curve(Series("", [0, 1], [1000.0, 1300.0]), references=(Reference(1206.5, "half of the row"),)))

    assert "Marked: half of the row (1206.5)." in told  # not 1210


def test_several_curves_are_named():
    figure = curve(
        Series("rising", [0, 1], [Fraction(1, 4), Fraction(3, 4)]),
        Series("level", [0, 1], [0.5, 0.5]),
        Series("one", [3], [0.5]),
        Series("none", [0, 1], [None, math.nan]),
        percent=True,
    )

    assert describe(figure) == (
        "4 curves of chance of winning against chance p of heads. "
        "rising: 25% at 0, 75% at 1; level: 50% at 0, 50% at 1; one: 50% at 3; none: no points."
    )


def test_marks_are_listed_with_their_places():
    told = describe(curve(Series("", [0, 1], [0, 1]), marks=(Mark((0.5, 0.25), "$p = 1/2$"),), percent=True))

    assert told.endswith("Marked: p = 1/2 (25% at 0.5).")


def test_missing_points_at_the_ends_are_passed_over():
    told = describe(curve(Series("", ["RRR", "RRB", "RBR", "RBB"], [math.nan, 0.5, 0.25, None])))

    assert told.endswith("0.50 at RRB, 0.25 at RBR.")


def test_the_first_bars_are_listed_and_the_others_counted():
    few = bars(["rush", "pass"], ("", [0.6018, 0.5]))
    many = bars([str(k) for k in range(9)], ("", [k / 10 for k in range(9)]), percent=True)

    assert describe(few) == "Bars of chance. rush 0.6018, pass 0.5000."
    assert describe(many) == "Bars of chance. 0 0%, 1 10%, 2 20%, 3 30%, 4 40%, 5 50%, and 3 more."


def test_bars_of_several_series_are_listed_by_series():
    figure = bars("ab", ("first", [0.5, None]), ("second", [0.25, 1]), ("third", [None, math.nan]))

    assert describe(figure) == "Bars of chance. first: a 0.5; second: a 0.25, b 1.00; third: no values."


def test_a_diagram_has_its_kinds_and_their_numbers():
    nodes = (Node("a", (0, 0), "lost", "(0, 0)"), Node("b", (1, 0), "won"), Node("c", (1, 1), "won"))
    kinds = {"lost": "the player to move loses", "won": "the player to move wins", "none": "never met"}
    figure = Diagram("t", nodes, (Edge("b", "a"), Edge("c", "a")), kinds, "c")

    assert describe(figure) == (
        "Diagram of 3 states and 2 moves: the player to move loses (1), the player to move wins (2)."
    )


def test_a_table_has_its_size_and_its_columns():
    figure = Table("t", (Column("length $k$", (1, 2)), Column("Zara wins", (0.5, 0.5))), "c")

    assert describe(figure) == "Table of 2 rows and 2 columns: length k, Zara wins."


@given(st.integers(0, 10**9))
def test_a_share_is_written_as_nothing_or_all_only_when_it_is(billionths):
    share = billionths / 10**9

    told = describe(heatmap([[share]], percent=True))

    assert (" 0%" in told or " 0.00%" in told) == (share == 0)
    assert (" 100%" in told or " 100.00%" in told) == (share == 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("chance $p_A \\le 1$", "chance p_A ≤ 1"),
        ("$\\lfloor k\\varphi \\rfloor$ pennies", "⌊kφ⌋ pennies"),
        ("costs \\$5", "costs $5"),
        ("costs $5", "costs $5"),
        ("$\\frac{1$", "\\frac{1"),
        ("two\n lines", "two lines"),
        ("1,000", "1,000"),
    ],
)
def test_labels_are_written_without_their_tex(text, told):
    assert spoken(text) == told


@given(st.text())
def test_any_label_can_be_described(text):
    told = spoken(text)

    assert told == told.strip()
    assert "\n" not in told


def test_it_is_said_what_error_bars_are():
    assert describe(curve(Series("", [1], [Estimate(0.5, 0.125, 10)]))).endswith("Error bars: ± 2 standard errors.")


def test_a_logarithmic_scale_is_mentioned():
    told = describe(curve(Series("", [1, 2], [0.1, 0.2]), log="up"))

    assert told.startswith("Curve of chance of winning against chance p of heads (logarithmic scale up). ")


def test_bars_are_named_by_what_their_categories_are():
    told = describe(bars(["rush", "pass"], ("", [0.5, 0.25]), category_label="strategy"))

    assert told == "Bars of chance by strategy. rush 0.50, pass 0.25."
