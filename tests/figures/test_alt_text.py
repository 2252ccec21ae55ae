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

THIN = "\N{NARROW NO-BREAK SPACE}"
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


def test_a_heatmap_has_its_axes_and_the_places_of_its_extremes():
    figure = heatmap([[0.25, 0.5, 0.125], [1.0, 0.75, 0.5]], labels={"flips": "flips made"})

    assert describe(figure) == (
        "Heatmap of chance of winning by flips made (0 to 1) and score (−1 to 1). "
        "Lowest 0.125 (flips made 0, score 1), highest 1 (flips made 1, score −1)."
    )


def test_a_heatmap_names_the_axes_along_which_it_rises_and_falls():
    flips, score = np.meshgrid(np.arange(6), np.arange(5), indexing="ij")
    labels = {"flips": "flips made", "score": "score (points)"}

    told = describe(heatmap(score - 0.01 * flips, labels=labels))

    assert "flips made (0 to 5) and score (points, −1 to 3)." in told
    assert told.endswith("It rises with score and falls with flips made.")
    assert "rises" not in describe(heatmap(np.random.default_rng(1).random((6, 5))))


def test_of_an_extreme_that_many_cells_share_their_number_is_given():
    assert "Lowest 0 (in 8 cells), highest 1 (flips 1, score 0, and 1 cell more)." in describe(
        heatmap([[0] * 5, [0, 1, 1, 0, 0]])
    )


def test_a_heatmap_leaves_out_what_is_not_drawn():
    drawn = np.array([[True, False], [True, True]])

    told = describe(heatmap([[0.3, 0.1], [math.nan, 0.6]], drawn=drawn, percent=True))

    assert "Lowest 30% (flips 0, score −1), highest 60% (flips 1, score 0)." in told


def test_a_heatmap_without_cells_and_one_of_one_value_say_so():
    assert describe(heatmap([[math.nan, math.nan]])).endswith("No cell has a value.")
    assert describe(heatmap([[0.5, 0.5]])).endswith("Every cell is 0.5.")


def test_exact_values_are_written_like_others():
    values = np.array([[Fraction(1, 3), Fraction(22, 91)]], dtype=object)

    # 1/3 = 0.3333..., 22/91 = 0.24175...
    assert describe(heatmap(values)).endswith("Lowest 0.242 (flips 0, score 0), highest 0.333 (flips 0, score −1).")


def test_the_shares_of_the_actions_are_given():
    codes = np.array([[0, 0, 0, 1], [0, 0, 2, -1]])
    figure = PolicyMap("t", Grid(codes, {"x": range(2), "y": range(4)}), "x", COINS, "c")

    # five of seven cells, one of seven, one of seven
    assert describe(figure) == (
        "Map of the actions by x (0 to 1) and y (0 to 3): coin A 71%, coin B 14%, either coin 14% of 7 cells."
    )


def test_a_small_share_is_not_rounded_to_nothing_nor_a_large_one_to_all():
    codes = np.zeros((20, 20), dtype=int)
    codes[3, 4] = 1
    grid = Grid(codes, {"x": range(20), "y": range(20)})

    told = describe(PolicyMap("t", grid, "x", COINS, "c"))

    assert "coin A over 99%, coin B under 1% of 400 cells" in told


def test_a_policy_map_without_actions_says_so():
    grid = Grid(np.full((2, 2), -1), {"x": range(2), "y": range(2)})

    assert describe(PolicyMap("t", grid, "x", COINS, "c")).endswith("No cell has an action.")


def test_the_order_of_actions_in_columns_is_described():
    codes = np.array([[0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, -1], [1, 1, 1, 1]])
    grid = Grid(codes, {"x": range(4), "y": (-2, -1, 0, 1)})

    up = describe(PolicyMap("t", grid, "x", COINS, "c"))
    down = describe(PolicyMap("t", grid, "x", COINS, "c", downward=True))

    # Only B in the last column; in the others B begins at 0, at -1 and at 0.
    assert up.endswith("Up 3 of 4 columns: coin A, then coin B from −1 to 0 on.")
    assert down.endswith("Down 3 of 4 columns: coin A, then coin B from −1 to 0 on.")


def test_the_order_of_actions_does_not_depend_on_the_order_of_the_axes():
    codes = np.array([[0, 0, 1], [0, 1, 1], [0, 1, 1]])
    one = Grid(codes, {"x": range(3), "y": range(3)})
    other = Grid(codes.T, {"y": range(3), "x": range(3)})

    told = [describe(PolicyMap("t", grid, "x", COINS, "c")) for grid in (one, other)]

    assert told[0] == told[1]
    assert told[0].endswith("Up every column: coin A, then coin B from 1 to 2 on.")


def test_a_curve_has_its_ends_and_its_extreme():
    told = describe(curve(Series("", [0, 1, 2], [0.5, 0.125, 1.0]), references=(Reference(0.5, "an even game"),)))

    assert told == (
        "Curve of chance of winning against chance p of heads: from 0.5 at 0 to 1 at 2, lowest 0.125 at 1. "
        "Reference line: an even game at 0.5."
    )


def test_a_reference_line_is_given_in_full():
    told = describe(curve(Series("", [0, 1], [1000.0, 1300.0]), references=(Reference(1206.5, "half of the row"),)))

    assert "Reference line: half of the row at 1206.5." in told  # not 1210


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
        "Rising: from 25% at 0 to 75% at 1; level: 50% throughout, from 0 to 1; "
        "one: one point, 50% at 3; none: no points."
    )


def test_marks_are_listed_with_their_places():
    told = describe(curve(Series("", [0, 1], [0, 1]), marks=(Mark((0.5, 0.25), "$p = 1/2$"),), percent=True))

    assert told.endswith("Marked: p = 1/2 (25% at 0.5).")


def test_missing_points_at_the_ends_are_passed_over():
    told = describe(curve(Series("", ["RRR", "RRB", "RBR", "RBB"], [math.nan, 0.5, 0.25, None])))

    assert "from 0.5 at RRB to 0.25 at RBR." in told


def test_few_bars_are_listed_and_of_many_the_extremes():
    few = bars(["rush", "pass"], ("", [0.6018, 0.5]))
    many = bars([str(k) for k in range(9)], ("", [k / 10 for k in range(9)]), percent=True)

    assert describe(few) == "Bars of chance: rush 0.602, pass 0.5."
    assert describe(many) == "Bars of chance: 9 bars, lowest 0% (0), highest 80% (8)."


def test_bars_of_several_series_are_listed_by_series():
    figure = bars("ab", ("first", [0.5, None]), ("second", [0.25, 1]), ("third", [None, math.nan]))

    assert describe(figure) == "Bars of chance: first: a 0.5; second: a 0.25, b 1; third: no values."


def test_a_diagram_has_its_kinds_and_its_moves():
    nodes = (Node("a", (0, 0), "lost", "(0, 0)"), Node("b", (1, 0), "won"), Node("c", (1, 1), "won"))
    kinds = {"lost": "the player to move loses", "won": "the player to move wins", "none": "never met"}
    figure = Diagram("t", nodes, (Edge("b", "a"), Edge("c", "a")), kinds, "c")

    assert describe(figure) == (
        "Diagram of 3 states and 2 moves: the player to move loses (1), the player to move wins (2). "
        "Moves: b to (0, 0), c to (0, 0)."
    )


def test_moves_have_their_labels_and_of_many_moves_the_targets_are_named():
    nodes = tuple(Node(f"n{i}", (i, 0), "state") for i in range(18))
    one = Diagram("t", nodes[:2], (Edge("n0", "n1", "take 1"),), {"state": "a state"}, "c")
    many = Diagram("t", nodes, tuple(Edge(f"n{i}", f"n{i // 9}") for i in range(18)), {"state": "a state"}, "c")

    assert describe(one).endswith("Moves: n0 to n1 (take 1).")
    assert describe(many).endswith("Most moves lead to n0 (9), n1 (9).")


def test_a_table_has_its_size_and_its_columns():
    figure = Table("t", (Column("length $k$", (1, 2)), Column("Zara wins", (0.5, 0.5))), "c")

    assert describe(figure) == "Table of 2 rows and 2 columns: length k, Zara wins."


@given(st.floats(0, 1))
def test_a_share_is_written_as_nothing_or_all_only_when_it_is(share):
    told = describe(heatmap([[share]], percent=True))

    assert ("is 0%" in told) == (share == 0)
    assert ("is 100%" in told) == (share == 1)


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


def test_intervals_are_told_by_the_widest_one_and_what_they_are():
    band = Series("s", (1, 2), (0.5, 0.5), "line", (0.4, 0.25), (0.6, 0.75), "half of all games")
    estimates = bars("ab", ("s", (Estimate(0.5, 0.125, 10), Estimate(0.5, 0.01, 10))), percent=True)

    assert describe(curve(band)).endswith(
        ": 0.5 throughout, from 1 to 2, widest interval 0.25 to 0.75 at 2. Bands: half of all games."
    )
    assert describe(estimates) == (
        "Bars of chance: a 50%, b 50%, widest interval 25% to 75% at a. Error bars: ± 2 standard errors."
    )


def test_names_that_a_picture_may_cut_are_all_in_the_alt_text():
    names = [f"the strategy of taking {n} coins at once" for n in range(1, 9)]

    told = describe(bars(names, ("", range(8))))

    assert all(name in told for name in names)


def test_a_logarithmic_scale_is_mentioned():
    told = describe(curve(Series("", [1, 2], [0.1, 0.2]), log="up"))

    assert told.startswith("Curve of chance of winning against chance p of heads (logarithmic scale up): from")


def test_bars_are_named_by_what_their_categories_are():
    told = describe(bars(["rush", "pass"], ("", [0.5, 0.25]), category_label="strategy"))

    assert told == "Bars of chance by strategy: rush 0.5, pass 0.25."


def test_values_that_lie_close_together_are_told_apart():
    told = describe(curve(Series("", [1, 2, 3], [0.50000, 0.50001, 0.50003])))

    assert told.endswith("from 0.5 at 1 to 0.50003 at 3.")
    assert describe(bars("ab", ("", [1.00002, 1.00001]))) == "Bars of chance: a 1.00002, b 1.00001."
