"""What holds for every drawing: sizes, words, colours, bytes."""

import os
import re
import subprocess
import sys
from functools import cache
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.figures import FIGURES, SVG, contrast, draw, png_of, texts

ROOT = Path(__file__).resolve().parents[2]
KINDS = ["heatmap of words", "policy map", "curve", "bars side by side", "diagram"]


@cache
def drawing_of(name):
    return draw(FIGURES[name])


@cache
def parsed(name, width):
    drawing = drawing_of(name)
    return ElementTree.fromstring(drawing.svg if width == "wide" else drawing.narrow_svg)


@pytest.fixture(params=list(FIGURES))
def name(request):
    return request.param


@pytest.fixture(params=["wide", "narrow"])
def svg(request, name):
    return parsed(name, request.param)


def test_the_svg_has_the_size_of_the_drawing(name):
    drawing = drawing_of(name)

    for picture, width, height in (
        (drawing.svg, *drawing.sizes[:2]),
        (drawing.narrow_svg, *drawing.sizes[2:]),
    ):
        root = ElementTree.fromstring(picture)
        assert (root.get("width"), root.get("height")) == (str(width), str(height))
        assert root.get("viewBox") == f"0 0 {width} {height}"
    assert drawing.sizes[::2] == (680, 320)


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
            assert colour in ("#010101", "#ffffff")  # words on the cells of an image, which is the same in both
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


def test_the_svg_does_not_name_the_program_or_the_day(svg):
    assert svg.find(f".//{SVG}metadata") is None
    assert "atplotlib" not in ElementTree.tostring(svg, encoding="unicode")


def test_the_png_is_the_wide_picture_at_twice_its_size_on_white(name):
    drawing = drawing_of(name)

    image = png_of(drawing)

    assert image.shape == (2 * drawing.sizes[1], 2 * drawing.sizes[0], 3)
    assert (image[0, -1] == 255).all()
    assert (image[-1, 0] == 255).all()


def hashes_in_a_new_process(order, environment):
    code = (
        "import sys, hashlib; sys.path.insert(0, sys.argv[1])\n"
        "from tests.support.figures import FIGURES, draw\n"
        "made = {n: draw(FIGURES[n]) for n in sys.argv[2:]}\n"
        "print({n: [hashlib.sha256(b).hexdigest() for b in (d.svg, d.narrow_svg, d.png)]"
        " for n, d in sorted(made.items())})"
    )
    command = [sys.executable, "-c", code, str(ROOT), *order]
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
