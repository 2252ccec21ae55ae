"""Drawings: sizes, words, colours, places, bytes. Pictures are read back from their SVG and PNG."""

import base64
import io
import math
import os
import re
import subprocess
import sys
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib import get_data_path
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path
from PIL import Image

from site_builder.contract import (
    Action,
    Bars,
    BarSeries,
    Column,
    Curve,
    Diagram,
    Edge,
    Grid,
    Heatmap,
    Line,
    Mark,
    Node,
    PolicyMap,
    Reference,
    Series,
    Table,
)
from site_builder.drawing import draw
from site_builder.drawing.ink import FILLS, INK, MUTED, PAPER, SERIES, TWINS, fill

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
COINS = (Action("coin A", "A"), Action("coin B", "B"), Action("either coin", "="))
LONG = "a label that goes on and on, " * 12


def heatmap(values, across=None, up=None, **more):
    values = np.asarray(values)
    axes = {"x": across or range(values.shape[0]), "y": up or range(values.shape[1])}
    return Heatmap("title", Grid(values, axes), "x", "value", "caption", **more)


def policy_map(codes, **more):
    codes = np.asarray(codes)
    actions = more.pop("actions", COINS)
    axes = {"x": range(codes.shape[0]), "y": range(codes.shape[1])}
    return PolicyMap("title", Grid(codes, axes), "x", actions, "caption", **more)


def curve(*series, **more):
    return Curve("title", series, more.pop("across_label", "number of flips"), "chance", "caption", **more)


def bars(categories, *values, **more):
    series = tuple(BarSeries(f"series {i}", one) for i, one in enumerate(values, 1))
    return Bars("title", tuple(categories), series, "chance", "caption", **more)


def ramp(columns, rows):
    return np.add.outer(np.arange(columns), np.arange(rows)) / (columns + rows)


RANDOM = np.random.default_rng(7)
NAMES = ["RRR", "RRB", "RBR", "RBB", "BRR", "BRB", "BBR", "BBB"]
THIRDS = np.array([[Fraction(i, 3) for i in range(4)] for _ in range(4)], dtype=object)
HALVES = (np.add.outer(np.arange(60), np.arange(60)) > 59).astype(int)
SQUARE = {name: (i % 4, i // 4) for i, name in enumerate("abcdefgh")}
NODES = tuple(Node(name, at, "won" if name < "e" else "lost", f"state {name}") for name, at in SQUARE.items())

FIGURES = {
    "heatmap": heatmap(ramp(30, 20), labels={"x": "flips made", "y": "score (points)"}, percent=True),
    "heatmap of many cells": heatmap(
        ramp(100, 200), drawn=ramp(100, 200) < 0.9, faded=ramp(100, 200) > 0.7, lines=(Line((0, 0), (99, 199), "half"),)
    ),
    "heatmap of words": heatmap(
        RANDOM.random((8, 8)), NAMES, NAMES, cell_text="percent(0)", scale="diverging", centre=0.5, downward=True
    ),
    "heatmap of long words": heatmap(ramp(3, 3), [LONG, LONG + "b", LONG + "c"], ["first " * 9, "second", "third"]),
    "heatmap of fractions": heatmap(THIRDS, tuple(THIRDS[0]), tuple(THIRDS[0]), cell_text="fraction"),
    "heatmap of one cell": heatmap([[0.5]], marks=(Mark((0, 0), "here"),)),
    "heatmap of one row": heatmap(ramp(300, 1)),
    "heatmap without cells": heatmap(np.full((5, 5), math.nan)),
    "heatmap of one value": heatmap(np.full((5, 5), 0.25), percent=True),
    "heatmap with a policy": heatmap(
        ramp(12, 9), cell_text="number(2)", policy=(ramp(12, 9) > 0.5).astype(int), actions=COINS
    ),
    "heatmap with areas": heatmap(ramp(60, 60), policy=HALVES, actions=COINS),
    "heatmap of four hundred coordinates": heatmap(ramp(400, 3), [f"state {i}" for i in range(400)]),
    "policy map": policy_map(HALVES, marks=(Mark((30, 29), "where the two meet"),), labels={"x": LONG}),
    "policy map with letters": policy_map(np.arange(63).reshape(9, 7) % 4 - 1),
    "policy map without cells": policy_map(np.full((4, 4), -1)),
    "policy map of one cell": policy_map([[1]]),
    "scattered policy map": policy_map(RANDOM.integers(0, 3, (160, 120))),
    "woven policy map": policy_map(np.indices((100, 90)).sum(axis=0) % 2),
    "curve": curve(
        Series("win", np.linspace(0, 1, 101), np.linspace(0, 1, 101) ** 2),
        references=(Reference(0.5, "a fair game"), Reference(0.25, "a quarter", upright=True)),
        marks=(Mark((0.5, 0.25), "both coins fair"),),
        percent=True,
        across_label="chance $p$ of heads",
    ),
    "curves": curve(
        Series("one deck", range(1, 27), [Fraction(1, 2) - Fraction(1, k + 3) for k in range(1, 27)], "line with dots"),
        Series("no end of cards", range(1, 11), [0.3] * 10, "dots"),
        Series("steps", range(1, 27), [0.4 + 0.01 * (k % 3) for k in range(26)], "steps"),
    ),
    "curve of one point": curve(Series("", [3], [0.5])),
    "curve of one value": curve(Series("", range(9), [0.5] * 9)),
    "curve with gaps": curve(Series("", range(9), [0.1, None, math.nan, 0.4, 0.5, math.inf, 0.7, 0.8, 0.9])),
    "curve without points": curve(Series("", [], [])),
    "curve over words": curve(Series("", NAMES, range(8), "dots")),
    "curve of many points": curve(Series("", range(20_000), np.sin(np.arange(20_000) / 900))),
    "curve of many dots": curve(Series("", range(3_000), RANDOM.random(3_000), "dots")),
    "curve with long names": curve(Series(LONG, [0, 1], [0, 1]), Series("b", [0, 1], [1, 0]), across_label=LONG),
    "bars": bars(["always rushes", "always passes", "plays best"], [0.6018, 0.5583, 0.4898]),
    "bars side by side": bars("abc", [0.1, -0.2, None], [Fraction(1, 3), 0.25, 0.5], value_text="percent(1)"),
    "bars with long names": bars([LONG, "short", "x" * 80], [1, 2, 3], value_text="integer"),
    "many bars": bars(map(str, range(26)), np.linspace(0.1, 0.5, 26), references=(Reference(0.5, "a tie"),)),
    "hundreds of bars": bars(map(str, range(300)), range(300), value_text="integer"),
    "bar without value": bars(["a"], [math.nan]),
    "diagram": Diagram(
        "title",
        NODES,
        (Edge("a", "b", "take one"), Edge("b", "a"), Edge("c", "h", bend=0.2), Edge("d", "d", "stay"), Edge("a", "d")),
        {"won": "the player to move wins", "lost": "the player to move loses"},
        "caption",
    ),
    "diagram in one row": Diagram(
        "title",
        tuple(Node(f"n{i}", (i, 0), "state", f"state {i}") for i in range(12)),
        tuple(Edge(f"n{i}", f"n{i + 1}") for i in range(11)),
        {"state": "a state"},
        "caption",
    ),
    "diagram of one node": Diagram("title", (Node("a", (0, 0), "k"),), (), {"k": "a state"}, "caption"),
    "diagram without nodes": Diagram("title", (), (), {}, "caption"),
}  # fmt: skip
KINDS = ["heatmap with a policy", "policy map", "curve", "bars side by side", "diagram"]
MADE = {}


def drawing_of(name):
    if name not in MADE:
        MADE[name] = draw(FIGURES[name])
    return MADE[name]


@pytest.fixture(params=list(FIGURES))
def name(request):
    return request.param


@pytest.fixture(params=["wide", "narrow"])
def svg(request, name):
    drawing = drawing_of(name)
    return ElementTree.fromstring(drawing.svg if request.param == "wide" else drawing.narrow_svg)


def texts(root):
    """What each text says and its box, measured here in DejaVu Sans: (words, left, top, right, bottom)."""
    fonts = Path(get_data_path()) / "fonts" / "ttf"
    found = []
    for node in root.iter(f"{SVG}text"):
        words = "".join(node.itertext())
        size = float(node.get("font-size"))
        font = "DejaVuSans-Bold.ttf" if node.get("font-weight") else "DejaVuSans.ttf"
        width = text_to_path.get_text_width_height_descent(words, FontProperties(fname=fonts / font, size=size), False)[
            0
        ]
        x, y = float(node.get("x")), float(node.get("y"))
        shift = {"middle": 0.5, "end": 1}.get(node.get("text-anchor"), 0) * width
        if node.get("transform", "").startswith("rotate(-90"):
            found.append((words, x - 0.73 * size, y + shift - width, x + 0.2 * size, y + shift))
        else:
            found.append((words, x - shift, y - 0.73 * size, x - shift + width, y + 0.2 * size))
    return found


def said(drawing_svg):
    return ["".join(node.itertext()) for node in ElementTree.fromstring(drawing_svg).iter(f"{SVG}text")]


def pixels_of(drawing_svg):
    """The first embedded image, as RGBA."""
    href = next(ElementTree.fromstring(drawing_svg).iter(f"{SVG}image")).get("href")
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(href.partition(",")[2]))).convert("RGBA"))


def png_of(drawing):
    return np.asarray(Image.open(io.BytesIO(drawing.png)))


def lightness(colour):
    """Relative luminance of `#rrggbb` or RGB bytes. Source: WCAG 2.2, definition of relative luminance."""
    rgb = [int(colour[i : i + 2], 16) for i in (1, 3, 5)] if isinstance(colour, str) else colour[:3]
    linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((lightness(one), lightness(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_svg_has_the_size_that_the_drawing_tells(name):
    drawing = drawing_of(name)

    for picture, width, height in (
        (drawing.svg, drawing.width, drawing.height),
        (drawing.narrow_svg, drawing.narrow_width, drawing.narrow_height),
    ):
        root = ElementTree.fromstring(picture)
        assert (root.get("width"), root.get("height")) == (str(width), str(height))
        assert root.get("viewBox") == f"0 0 {width} {height}"
    assert (drawing.width, drawing.narrow_width) == (680, 328)


def test_no_letter_is_smaller_than_twelve_pixels(svg):
    sizes = [float(node.get("font-size")) for node in svg.iter(f"{SVG}text")]

    assert all(size >= 12 for size in sizes)
    assert not [node for node in svg.iter(f"{SVG}tspan") if node.get("font-size")]


def test_all_words_are_inside_the_picture(svg):
    width, height = float(svg.get("width")), float(svg.get("height"))

    outside = [text for text in texts(svg) if text[1] < 0 or text[2] < 0 or text[3] > width or text[4] > height]

    assert outside == []


def test_no_words_cover_others(svg):
    boxes = texts(svg)

    covered = [
        (a[0], b[0])
        for a, b in combinations(boxes, 2)
        if a[1] < b[3] - 0.5 and b[1] < a[3] - 0.5 and a[2] < b[4] - 0.5 and b[2] < a[4] - 0.5
    ]

    assert covered == []


def test_every_colour_follows_the_scheme_or_can_be_seen_in_both(svg):
    style = svg.find(f"{SVG}style").text
    used = {(part, node.get(part), node.tag) for node in svg.iter() for part in ("fill", "stroke")}
    coloured = {entry for entry in used if (entry[1] or "").startswith("#")}
    twins = dict(re.findall(r"light-dark\((#[0-9a-f]{6}),(#[0-9a-f]{6})\)", style))

    bare = {entry for entry in coloured if f'[{entry[0]}="{entry[1]}"]{{{entry[0]}:light-dark({entry[1]},' not in style}

    assert style.startswith(":root{color-scheme:light dark}")
    assert all(light != dark for light, dark in twins.items())
    for _, colour, tag in bare:
        if tag == f"{SVG}text":
            assert colour in ("#101214", "#fcfcfd")  # words on the cells of an image, which is the same in both
            assert svg.find(f".//{SVG}image") is not None
        else:
            assert min(contrast(colour, "#ffffff"), contrast(colour, "#16191d")) > 2


def test_the_picture_loads_nothing_from_elsewhere(svg):
    text = ElementTree.tostring(svg, encoding="unicode").replace("http://www.w3.org/2000/svg", "")

    assert all(node.get("href").startswith("data:image/png;base64,") for node in svg.iter(f"{SVG}image"))
    assert "://" not in text
    assert "@import" not in text


def test_a_picture_is_small_and_of_few_parts(name, svg):
    size = len(ElementTree.tostring(svg))

    assert len(list(svg.iter(f"{SVG}path"))) < 120
    assert size < (130_000 if name == "curve of many dots" else 60_000)


def test_nothing_is_told_about_the_program_or_the_day(svg):
    assert svg.find(f".//{SVG}metadata") is None
    assert "atplotlib" not in ElementTree.tostring(svg, encoding="unicode")


def test_the_png_is_the_wide_picture_at_twice_its_size_on_white(name):
    drawing = drawing_of(name)

    image = png_of(drawing)

    assert image.shape == (2 * drawing.height, 2 * drawing.width, 3)
    assert (image[0, -1] == 255).all()
    assert (image[-1, 0] == 255).all()


def hashes_in_a_new_process(order, environment):
    code = (
        "import sys, hashlib; sys.path[:0] = sys.argv[1:3]\n"
        "import test_drawing as t\n"
        "made = {n: t.draw(t.FIGURES[n]) for n in sys.argv[3:]}\n"
        "print({n: [hashlib.sha256(b).hexdigest() for b in (d.svg, d.narrow_svg, d.png)]"
        " for n, d in sorted(made.items())})"
    )
    command = [sys.executable, "-c", code, str(ROOT), str(Path(__file__).parent), *order]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | environment)
    return run.stdout


def test_the_bytes_are_the_same_in_every_process_in_any_order_whatever_the_machine_prefers(tmp_path):
    (tmp_path / "matplotlibrc").write_text(
        "svg.fonttype: path\nfont.size: 30\nhatch.linewidth: 5\npath.simplify: False\nmathtext.fontset: cm\n"
        "text.usetex: True\nsavefig.dpi: 20\nsvg.image_inline: False\n"
    )
    preferring = {"MPLCONFIGDIR": str(tmp_path), "PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": "1"}

    first = hashes_in_a_new_process(KINDS, {"PYTHONHASHSEED": "2"})
    second = hashes_in_a_new_process(KINDS[::-1], preferring)

    assert first.count("'") == 2 * len(KINDS) + 6 * len(KINDS)
    assert first == second


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
    assert cells[0][2] > cells[0][0] + 80  # the farthest: deep blue
    assert 10 < cells[2][0] - cells[2][2] < 120  # a third as far: pale red


def test_numbers_in_cells_are_written_as_the_form_says():
    words = said(draw(FIGURES["heatmap of fractions"]).svg)

    assert words.count("1/3") == 4 + 2  # four cells, two ticks
    assert {"0", "2/3", "1"} <= set(words)


def test_numbers_that_do_not_fit_into_their_cells_are_left_out_on_a_phone():
    drawing = draw(heatmap(np.full((9, 3), Fraction(355, 1131), dtype=object), cell_text="number(4)"))

    assert said(drawing.svg).count("0.3139") == 27
    assert said(drawing.narrow_svg).count("0.3139") == 0


def test_words_on_cells_can_be_read():
    drawing = draw(heatmap(ramp(8, 8), cell_text="number(2)"))
    root = ElementTree.fromstring(drawing.svg)
    image = next(root.iter(f"{SVG}image"))
    left, top, width, height = (float(image.get(key)) for key in ("x", "y", "width", "height"))
    cells = pixels_of(drawing.svg)
    inside = [node for node in root.iter(f"{SVG}text") if node.get("fill") in ("#101214", "#fcfcfd")]

    def under(node):
        row = int((float(node.get("y")) - 4 - top) / height * 8)
        return cells[row, int((float(node.get("x")) - left) / width * 8)]

    contrasts = [contrast(node.get("fill"), under(node)) for node in inside]

    assert len(inside) == 64
    assert min(contrasts) >= 4.5  # WCAG 2.2, success criterion 1.4.3


def test_a_policy_over_a_heatmap_is_told_by_letters_and_its_legend():
    words = said(draw(FIGURES["heatmap with a policy"]).svg)

    assert words.count("A") == int((ramp(12, 9) <= 0.5).sum()) + 1
    assert words.count("B") == int((ramp(12, 9) > 0.5).sum()) + 1
    assert {"coin A", "coin B"} <= set(words)
    assert "either coin" not in words


def test_actions_differ_in_pattern_as_well_as_colour():
    root = ElementTree.fromstring(draw(FIGURES["policy map with letters"]).svg)

    patterns = [ElementTree.tostring(node.find(f"{SVG}path")).split(b'd="')[1] for node in root.iter(f"{SVG}pattern")]
    grounds = {node.find(f"{SVG}rect").get("fill") for node in root.iter(f"{SVG}pattern")}

    assert len({fill(place)[1] for place in range(8)}) == 8
    assert len(set(patterns)) == len(grounds) == 2  # the first of the three actions is plain
    assert not grounds & {FILLS[0].light}


def test_letters_stand_in_each_cell_or_in_the_midst_of_an_area():
    many, few = said(draw(FIGURES["policy map with letters"]).svg), said(draw(FIGURES["policy map"]).svg)

    assert many.count("A") == 16 + 1  # codes -1, 0, 1, 2 in turn over 63 cells, and the legend
    assert 2 <= few.count("A") <= 5


def test_two_actions_that_alternate_from_cell_to_cell_are_drawn_as_stripes_of_both():
    words = said(draw(FIGURES["woven policy map"]).svg)

    assert "A/B: coin A and coin B by turns, cell by cell" in words
    assert "A/B" in words


def test_actions_scattered_without_order_become_an_image_of_the_cells():
    codes = FIGURES["scattered policy map"].grid.values

    cells = pixels_of(draw(FIGURES["scattered policy map"]).svg)

    assert cells.shape == (120, 160, 4)
    colours = [{tuple(cell) for cell in cells[codes.T[::-1] == code]} for code in range(3)]
    assert [len(found) for found in colours] == [1, 1, 1]
    assert len(set.union(*colours)) == 3


def test_every_bar_has_its_name_and_its_number():
    for picture in (drawing_of("bars").svg, drawing_of("bars").narrow_svg):
        words = " ".join(said(picture))
        assert all(part in words for part in ("0.602", "0.558", "0.490", "rushes", "passes", "best"))


def test_a_bar_is_as_high_as_its_value():
    root = ElementTree.fromstring(draw(bars("ab", [1, 3], value_text="integer")).svg)

    path = next(node for node in root.iter(f"{SVG}path") if node.get("fill") == SERIES[0].light).get("d")
    corners = [re.findall(r"M[\d.]+ ([\d.]+)|V([\d.]+)", outline) for outline in path.split("z") if outline]
    heights = [np.ptp([float(start or next_) for start, next_ in outline]) for outline in corners]

    assert len(heights) == 2
    assert heights[1] == pytest.approx(3 * heights[0], abs=0.05)


def test_a_curve_goes_through_its_points():
    root = ElementTree.fromstring(draw(curve(Series("", [0, 1, 2], [0, 10, 5]), up_range=(0, 10))).svg)
    path = next(node for node in root.iter(f"{SVG}path") if node.get("stroke") == SERIES[0].light)
    xs, ys = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", path.get("d")), dtype=float).T

    assert len(xs) == 3
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.05)
    assert ys[0] - ys[1] == pytest.approx(2 * (ys[0] - ys[2]), abs=0.05)


def test_a_reference_without_a_free_place_is_named_in_the_legend():
    crowded = curve(
        Series("", np.linspace(0, 1, 3000), RANDOM.random(3000), "dots"), references=(Reference(0.5, "even"),)
    )

    words = [text for text in texts(ElementTree.fromstring(draw(crowded).svg)) if text[0] == "even"]
    axis = next(text for text in texts(ElementTree.fromstring(draw(crowded).svg)) if text[0] == "number of flips")

    assert len(words) == 1
    assert words[0][2] > axis[4]


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


def test_a_variable_is_italic_text_and_a_fraction_a_shape():
    simple = ElementTree.fromstring(draw(curve(Series("", [0, 1], [0, 1]), across_label="flips $n$")).svg)
    harder = draw(curve(Series("", [0, 1], [0, 1]), across_label=r"ratio $\frac{a}{b}$")).svg

    assert [span.text for span in simple.iter(f"{SVG}tspan") if span.get("font-style") == "italic"] == ["n"]
    assert not [words for words in said(harder) if "ratio" in words]
    assert len(harder) > 3000


def test_a_table_is_not_drawn():
    with pytest.raises(TypeError, match="a Table is not drawn"):
        draw(Table("title", (Column("k", (1, 2)),), "caption"))


def test_a_number_that_cannot_be_written_as_asked_is_an_error():
    with pytest.raises(ValueError, match="no exact fraction"):
        draw(heatmap([[0.1]], cell_text="fraction"))


def test_words_stand_out_from_light_and_dark_pages():
    for ink in (INK, MUTED):
        assert contrast(ink.light, "#ffffff") >= 4.5
        assert contrast(ink.dark, PAPER.dark) >= 4.5
    for ink in SERIES:  # WCAG 2.2, success criterion 1.4.11
        assert contrast(ink.light, "#ffffff") >= 3
        assert contrast(ink.dark, PAPER.dark) >= 3
    for ink in FILLS:
        assert contrast(INK.light, ink.light) >= 4.5
        assert contrast(INK.dark, ink.dark) >= 4.5
    assert len(TWINS) == len({INK, MUTED, *SERIES, *FILLS}) + 4
