"""What single drawings show: cells, areas, bars, curves and labels in the right place, colour and words."""

import math
import re
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from site_builder.contract import Action, Column, Grid, PolicyMap, Reference, Series, Table
from site_builder.figures.palette import AXIS, DARK_COLOURS, FILLS, HUES, INK, MUTED, PAPER, SERIES, fill
from tests.support.figures import (
    FIGURES,
    RANDOM,
    SVG,
    bars,
    contrast,
    curve,
    draw,
    heatmap,
    lightness,
    pixels_of,
    png_of,
    ramp,
    said,
    texts,
)

ROOT = Path(__file__).resolve().parents[2]


def test_a_cell_is_coloured_by_its_value_and_stands_where_its_coordinates_say():
    values = np.array([[0.0, 0.2, 0.4], [0.6, 0.8, 1.0]])  # two columns, three rows upwards

    cells = pixels_of(draw(heatmap(values)).svg)
    downward = pixels_of(draw(heatmap(values, downward=True)).svg)

    assert cells.shape == (3, 2, 4)
    # viridis grows lighter all the way (Smith and van der Walt, 2015): lightness orders as the values do.
    order = [[lightness(cell) for cell in row] for row in cells]
    assert np.argsort(np.ravel(order)).tolist() == [4, 2, 0, 5, 3, 1]
    np.testing.assert_array_equal(downward, cells[::-1])


def test_the_png_shows_the_cells_of_the_svg_in_the_same_places():
    drawing = draw(heatmap([[0.0, 0.5], [0.75, 1.0]]))
    image = next(ElementTree.fromstring(drawing.svg).iter(f"{SVG}image"))
    left, top, width, height = (float(image.get(key)) for key in ("x", "y", "width", "height"))

    png = png_of(drawing)
    middles = [
        [png[round(2 * (top + height * r)), round(2 * (left + width * c))] for c in (0.25, 0.75)] for r in (0.25, 0.75)
    ]

    np.testing.assert_array_equal(middles, pixels_of(drawing.svg)[:, :, :3])


def test_cells_that_are_not_drawn_are_clear_and_faded_ones_shine_through():
    drawn = np.array([[True, False], [True, True]])
    faded = np.array([[False, False], [False, True]])

    cells = pixels_of(draw(heatmap([[0.1, 0.2], [math.nan, 0.4]], drawn=drawn, faded=faded, downward=True)).svg)

    assert cells[:, :, 3][0].tolist() == [255, 0]
    assert cells[1, 0, 3] == 0
    assert 0 < cells[1, 1, 3] < 255


def test_a_diverging_scale_is_neutral_at_its_centre_and_reaches_as_far_on_both_sides():
    cells = pixels_of(draw(heatmap([[0.2, 0.5, 0.6]], scale="diverging", centre=0.5)).svg)[::-1, 0, :3].astype(int)

    assert np.ptp(cells[1]) < 15  # grey
    assert cells[0][0] > cells[0][2] + 80  # the farthest: deep orange
    assert 10 < cells[2][2] - cells[2][0] < 120  # a third as far: pale blue


def test_numbers_in_cells_are_written_as_the_form_says():
    words = said(draw(FIGURES["heatmap of fractions"]).svg)

    assert words.count("1/3") == 4
    assert {"0", "2/3", "1"} <= set(words)


def test_numbers_that_do_not_fit_into_their_cells_are_left_out_on_a_phone():
    drawing = draw(heatmap(np.full((9, 3), Fraction(355, 1131), dtype=object), cell_text="number(5)"))

    assert said(drawing.svg).count("0.31388") == 27
    assert said(drawing.narrow_svg).count("0.31388") == 0


def test_words_on_cells_can_be_read():
    drawing = draw(heatmap(ramp(8, 8), cell_text="number(2)"))
    root = ElementTree.fromstring(drawing.svg)
    image = next(root.iter(f"{SVG}image"))
    left, top, width, height = (float(image.get(key)) for key in ("x", "y", "width", "height"))
    cells = pixels_of(drawing.svg)
    inside = [node for node in root.iter(f"{SVG}text") if node.get("fill") in ("#010101", "#ffffff")]

    def under(node):
        row = int((float(node.get("y")) - 4 - top) / height * 8)
        return cells[row, int((float(node.get("x")) - left) / width * 8)]

    contrasts = [contrast(node.get("fill"), under(node)) for node in inside]

    assert len(inside) == 64
    assert min(contrasts) >= 4.5  # WCAG 2.2, success criterion 1.4.3


def test_actions_differ_in_pattern_as_well_as_colour():
    root = ElementTree.fromstring(draw(FIGURES["policy map with letters"]).svg)

    patterns = [ElementTree.tostring(node.find(f"{SVG}path")).split(b'd="')[1] for node in root.iter(f"{SVG}pattern")]
    grounds = {node.find(f"{SVG}rect").get("fill") for node in root.iter(f"{SVG}pattern")}

    assert len({fill(hue)[1] for hue in HUES}) == 8
    assert len(set(patterns)) == len(grounds) == 2  # the first of the three actions is plain
    assert not grounds & {FILLS[0].light}


def test_areas_of_different_actions_have_a_border_between_them():
    root = ElementTree.fromstring(draw(FIGURES["policy map"]).svg)

    (border,) = [node.get("d") for node in root.iter(f"{SVG}path") if node.get("stroke") == INK.light]

    assert border.count("V") == 2 + 59  # on both sides, and a staircase of the cells on the diagonal


def test_the_cells_of_a_heatmap_are_set_apart_from_the_page():
    drawn = np.tri(4, dtype=bool)
    root = ElementTree.fromstring(draw(heatmap(ramp(4, 4), drawn=drawn)).svg)

    outlines = [node.get("d") for node in root.iter(f"{SVG}path") if node.get("stroke") == AXIS.light]

    assert max(outline.count("V") for outline in outlines) == 5  # a staircase of four cells, and its back


def test_letters_stand_in_each_cell_where_they_fit():
    many, none = said(draw(FIGURES["policy map with letters"]).svg), said(draw(FIGURES["policy map"]).svg)

    assert many.count("A") == 16 + 1  # codes -1, 0, 1, 2 in turn over 63 cells, and the legend
    assert "A" not in none


@pytest.mark.parametrize(("name", "count"), [("scattered policy map", 3), ("woven policy map", 2)])
def test_actions_that_are_finely_mixed_become_an_image_of_the_cells(name, count):
    codes, drawing = FIGURES[name].grid.values, draw(FIGURES[name])

    cells = pixels_of(drawing.svg)

    assert cells.shape == (*codes.T.shape, 4)
    colours = [{tuple(cell) for cell in cells[codes.T[::-1] == code]} for code in range(count)]
    assert [len(found) for found in colours] == [1] * count
    assert len(set.union(*colours)) == count
    assert {"coin A", "coin B"} <= set(said(drawing.svg))


def test_every_bar_has_its_name_and_its_number():
    drawing = draw(FIGURES["bars"])

    for picture in (drawing.svg, drawing.narrow_svg):
        words = " ".join(said(picture))
        assert all(part in words for part in ("0.602", "0.558", "0.490", "rushes", "passes", "best"))


def test_a_bar_is_as_long_as_its_value():
    root = ElementTree.fromstring(draw(bars("ab", [1, 3], value_text="integer")).svg)

    path = next(node for node in root.iter(f"{SVG}path") if node.get("fill") == SERIES[0].light).get("d")
    corners = [re.findall(r"M([\d.]+) |H([\d.]+)", outline) for outline in path.split("z") if outline]
    lengths = [np.ptp([float(start or next_) for start, next_ in outline]) for outline in corners]

    assert len(lengths) == 2
    assert lengths[1] == pytest.approx(3 * lengths[0], abs=0.05)


def test_a_curve_goes_through_its_points():
    root = ElementTree.fromstring(draw(curve(Series("", [0, 1, 2], [0, 10, 5]), up_range=(0, 10))).svg)
    path = next(node for node in root.iter(f"{SVG}path") if node.get("stroke") == SERIES[0].light)
    xs, ys = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", path.get("d")), dtype=float).T

    assert len(xs) == 3
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.05)
    assert ys[0] - ys[1] == pytest.approx(2 * (ys[0] - ys[2]), abs=0.05)


def test_the_numbers_of_an_axis_stand_where_the_data_has_these_values():
    root = ElementTree.fromstring(draw(curve(Series("", [0, 1, 2], [0, 10, 5]), up_range=(0, 12))).svg)
    path = next(node for node in root.iter(f"{SVG}path") if node.get("stroke") == SERIES[0].light)
    (x0, y0), (x1, y1), (x2, _) = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", path.get("d")), dtype=float)
    up = {text[0]: (text[2] + text[4]) / 2 for text in texts(root) if text[3] < x0}
    across = {text[0]: (text[1] + text[3]) / 2 for text in texts(root) if text[2] > y0}

    assert (up["0"], up["10"]) == pytest.approx((y0, y1), abs=2)
    assert (across["0"], across["1"], across["2"]) == pytest.approx((x0, x1, x2), abs=1)


def test_a_point_between_two_gaps_is_shown_as_a_dot():
    root = ElementTree.fromstring(draw(FIGURES["curve with gaps"]).svg)

    dots = [node.get("d") for node in root.iter(f"{SVG}path") if node.get("fill") == SERIES[0].light]

    assert [path.count("M") for path in dots] == [1]


def test_a_reference_without_a_free_place_is_labelled_on_paper():
    dots = Series("", np.linspace(0, 1, 3000), RANDOM.random(3000), "dots")
    root = ElementTree.fromstring(draw(curve(dots, references=(Reference(0.5, "even"),))).svg)

    papers = [node.get("d") for node in root.iter(f"{SVG}path") if node.get("fill") == PAPER.light]
    left, top, right, bottom, _ = map(float, re.findall(r"[\d.]+", papers[0]))

    (word,) = (text for text in texts(root) if text[0] == "even")
    assert left < word[1] < word[3] < right
    assert top < word[2] < word[4] < bottom


@pytest.mark.parametrize(
    ("label", "written"),
    [
        ("cost in $", "cost in $"),
        (r"from \$5 to \$10", "from $5 to $10"),
        ("$5 and $6", "$5 and $6"),
        ("chance $p_1$", "chance p₁"),
        ("$n = 10$ flips", "n\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}10 flips"),
        ("a < b & c", "a < b & c"),
        (r"broken $\frac{1$", r"broken \frac{1"),
        ("a \x00\x1f bell", "a bell"),
    ],
)
def test_labels_read_as_they_are_meant(label, written):
    words = said(draw(curve(Series("", [0, 1], [0, 1]), across_label=label)).svg)

    assert written in [re.sub(" +", " ", word) for word in words]


def test_a_variable_is_italic_and_a_fraction_stands_in_one_line():
    simple = ElementTree.fromstring(draw(curve(Series("", [0, 1], [0, 1]), across_label="flips $n$")).svg)
    harder = draw(curve(Series("", [0, 1], [0, 1]), across_label=r"ratio $\frac{a}{b}$")).svg

    assert [span.text for span in simple.iter(f"{SVG}tspan") if span.get("font-style") == "italic"] == ["n"]
    assert "ratio a/b" in said(harder)


def test_a_mark_outside_the_picture_is_left_out():
    words = said(draw(FIGURES["curve beyond its range"]).svg)

    assert "here" in words
    assert "far away" not in words


def test_a_table_is_not_drawn():
    with pytest.raises(TypeError, match="a Table is not drawn"):
        draw(Table("title", (Column("k", (1, 2)),), "caption"))


def test_a_number_that_cannot_be_written_as_asked_is_an_error():
    with pytest.raises(ValueError, match="no exact fraction"):
        draw(heatmap([[0.1]], cell_text="fraction"))


def test_the_inks_are_made_for_the_pages_of_the_theme():
    style = (ROOT / "templates/assets/style.css").read_text("utf-8")

    assert f"--paper: light-dark({PAPER.light}, {PAPER.dark});" in style


def test_words_stand_out_from_light_and_dark_pages():
    for ink in (INK, MUTED):
        assert contrast(ink.light, PAPER.light) >= 4.5
        assert contrast(ink.light, "#ffffff") >= 4.5
        assert contrast(ink.dark, PAPER.dark) >= 4.5
    for ink in (AXIS, *SERIES):  # WCAG 2.2, success criterion 1.4.11
        assert contrast(ink.light, "#ffffff") >= 3
        assert contrast(ink.dark, PAPER.dark) >= 3
    for ink in FILLS:  # under letters, and beside the borders between areas
        assert contrast(INK.light, ink.light) >= 4.5
        assert contrast(INK.dark, ink.dark) >= 4.5
    assert len(DARK_COLOURS) == len({INK, MUTED, *SERIES, *FILLS}) + 4


def test_a_map_whose_only_coordinate_is_an_empty_word_is_drawn():
    assert pixels_of(draw(heatmap([[0.5]], across=[""])).svg).shape == (1, 1, 4)


def test_a_curve_over_a_logarithmic_axis_is_straight_where_its_ratios_are_equal():
    figure = curve(Series("", [1, 2, 3], [1e-6, 1e-3, 1]), up_range=(1e-6, 1), log="up")
    root = ElementTree.fromstring(draw(figure).svg)
    path = next(node for node in root.iter(f"{SVG}path") if node.get("stroke") == SERIES[0].light)
    ys = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", path.get("d")), dtype=float)[:, 1]
    up = {text[0]: (text[2] + text[4]) / 2 for text in texts(root)}

    assert ys[0] - ys[1] == pytest.approx(ys[1] - ys[2], abs=0.05)
    assert up["0.001"] == pytest.approx(ys[1], abs=2)


@pytest.mark.parametrize("ups", [[1e-305, 1, 1e305], [5e-324, 1.7e308], [1, 1.7e308]])
def test_a_logarithmic_axis_may_reach_over_all_that_floats_hold(ups):
    root = ElementTree.fromstring(draw(curve(Series("", range(len(ups)), ups), log="up")).svg)
    path = next(node for node in root.iter(f"{SVG}path") if node.get("stroke") == SERIES[0].light)
    ys = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", path.get("d")), dtype=float)[:, 1]

    places = (ys - ys[0]) / (ys[-1] - ys[0])
    assert places == pytest.approx(
        (np.log10(ups) - np.log10(ups[0])) / (np.log10(ups[-1]) - np.log10(ups[0])), abs=1e-3
    )
    assert len([text for text in texts(root) if text[0].startswith("10")]) >= (2 if ups[0] < 1 else 0)


def test_a_curve_without_values_says_that_there_is_nothing_to_show():
    assert "nothing to show: no values" in said(draw(FIGURES["curve without points"]).svg)
    assert "nothing to show: no values" in said(draw(curve(Series("", [1, 2], [math.nan, None]))).narrow_svg)
    assert "nothing to show: no values" not in said(draw(FIGURES["curve with gaps"]).svg)


@pytest.mark.parametrize(
    ("value", "form", "written"),
    [(0.00001, "number(3)", "0.00001"), (0.0002, "percent(1)", "< 0.1%"), (0, "number(1)", "0.0")],
)
def test_the_number_at_a_bar_is_zero_for_zero_alone(value, form, written):
    figure = bars(["a"], [value], value_text=form, value_range=(0, 1))

    assert said(draw(figure).svg).count(written) >= 1
    assert "0.000" not in said(draw(figure).svg)


def test_long_categories_with_the_same_start_and_end_stay_different():
    names = [f"The strategy of always taking the {name} coin that is left on the table" for name in ("first", "second")]
    drawing = draw(heatmap(ramp(2, 2), names, names))

    for picture in (drawing.svg, drawing.narrow_svg):
        words = " ".join(said(picture)).split()
        assert words.count("first") == words.count("second") == 2


@pytest.mark.parametrize("names", [["a", "b"], ["always rushes ahead of others", "always passes to the other side"]])
def test_bars_say_what_their_categories_are(names):
    drawing = draw(bars(names, [0.2, 0.4], category_label="strategy"))

    for picture in (drawing.svg, drawing.narrow_svg):
        assert said(picture).count("strategy") == said(picture).count("chance") == 1


def test_the_label_of_the_categories_stands_over_the_bars_and_that_of_the_values_below_them():
    drawing = draw(bars(["rushes ahead", "passes"], [1, 2], category_label="strategy"))
    places = {text[0]: text[2] for text in texts(ElementTree.fromstring(drawing.narrow_svg))}

    assert places["strategy"] < places["rushes ahead"] < places["passes"] < places["chance"]


def test_an_action_with_a_colour_of_its_own_is_drawn_in_it():
    grid = Grid(np.array([[0, 0], [1, 1]]), {"x": range(2), "y": range(2)})

    actions = Action("red", colour="red"), Action("black", colour="grey")
    svg = draw(PolicyMap("t", grid, "x", actions, "c")).svg.decode()

    # Those of Okabe and Ito are 0 to 7 in the palette: vermilion is the seventh, grey the third.
    assert {FILLS[6].light, FILLS[2].light} <= set(re.findall("#[0-9a-f]{6}", svg))
    assert not {FILLS[0].light, FILLS[1].light} & set(re.findall("#[0-9a-f]{6}", svg))
