"""Figures of every kind with their edge cases, and eyes to read a drawing back: its words, boxes, cells, colours."""

import base64
import io
import math
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from matplotlib import get_data_path
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path
from PIL import Image

from site_builder.contract import (
    Action,
    Bars,
    BarSeries,
    Curve,
    Diagram,
    Edge,
    Estimate,
    Grid,
    Heatmap,
    Histogram,
    Line,
    Mark,
    Node,
    PolicyMap,
    Reference,
    Series,
)
from site_builder.figures.kinds.registry import kind_of

SVG = "{http://www.w3.org/2000/svg}"
COINS = (Action("coin A", "A"), Action("coin B", "B"), Action("either coin", "="))
LONG = "a label that goes on and on, " * 12


def draw(figure, has_png=True):
    return kind_of(figure).render(figure, has_png)


def figure_error(figure):
    return kind_of(figure).first_error(figure)


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
ESTIMATES = [Estimate(0.3 + 0.02 * k, 0.03 / (k + 1), 1000) for k in range(12)]
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
    "heatmap of one cell": heatmap([[0.5]]),
    "heatmap of one row": heatmap(ramp(300, 1)),
    "heatmap without cells": heatmap(np.full((5, 5), math.nan)),
    "heatmap of one value": heatmap(np.full((5, 5), 0.25), percent=True),
    "heatmap of huge values": heatmap(
        [[1e300, -1e300], [math.inf, 0]], percent=True
    ),
    "heatmap of four hundred coordinates": heatmap(ramp(400, 3), [f"state {i}" for i in range(400)]),
    "policy map": policy_map(HALVES, labels={"x": LONG}),
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
    "curve of estimates": curve(Series("", range(12), ESTIMATES, "line with dots"), references=(Reference(0.3, "a"),)),
    "curve of many estimates": curve(Series("", range(300), [Estimate(0.5, 0.001 * k, 9) for k in range(300)])),
    "curve of one point": curve(Series("", [3], [0.5])),
    "curve of one value": curve(Series("", range(9), [0.5] * 9)),
    "curve with gaps": curve(Series("", range(9), [0.1, None, math.nan, 0.4, 0.5, math.inf, 0.7, 0.8, 0.9])),
    "curve without points": curve(Series("", [], [])),
    "curve beyond its range": curve(
        Series("", [0, 1e6, 2e6, 3e6, 4e6], [0.5, 1e30, -(10**40), Fraction(10**50, 3), 1]),
        Series("", range(0, 4_000_000, 400_000), [0.2] * 10, "dots"),
        up_range=(0, 1),
        marks=(Mark((1e6, 40), "far away"), Mark((2e6, 0.5), "here")),
    ),
    "curve of many points": curve(Series("", range(20_000), np.sin(np.arange(20_000) / 900))),
    "curve of many dots": curve(Series("", range(3_000), RANDOM.random(3_000), "dots")),
    "curve with long names": curve(Series(LONG, [0, 1], [0, 1]), Series("b", [0, 1], [1, 0]), across_label=LONG),
    "bars": bars(["always rushes", "always passes", "plays best"], [0.6018, 0.5583, 0.4898]),
    "bars side by side": bars("abc", [0.1, -0.2, None], [Fraction(1, 3), 0.25, 0.5], value_text="percent(1)"),
    "bars of estimates": bars("abc", ESTIMATES[:3], [0.1, 0.2, -0.2], percent=True),
    "bars with long names": bars([LONG, "short", "x" * 80], [1, 2, 3], value_text="integer"),
    "many bars": bars(map(str, range(26)), np.linspace(0.1, 0.5, 26)),
    "hundreds of bars": bars(map(str, range(200)), range(200), value_text="integer"),
    "bars too many for their names": bars([f"state {i}" for i in range(61)], range(61)),
    "bar without value": bars(["a"], [math.nan]),
    "histogram": Histogram(
        "title", RANDOM.normal(0.5, 0.1, 5000), "share", "caption", references=(Reference(0.5, "fair"),)
    ),
    "histogram of whole numbers": Histogram("title", RANDOM.poisson(4, 500), LONG, "caption", percent=True),
    "histogram of many bins": Histogram("title", RANDOM.random(5000), "share", "caption", bins=300),
    "histogram without values": Histogram("title", [], "share", "caption"),
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
