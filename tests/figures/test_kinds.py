"""A kind of figure is one class: a kind of our own, drawn with the axes of matplotlib, is drawn, described and read."""

import csv
import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np
import pytest

from site_builder.figures.canvas.axes import draw_plot, up_range
from site_builder.figures.canvas.scales import Scale, Tick
from site_builder.figures.columns import DataColumn
from site_builder.figures.kinds.kind import Kind
from site_builder.figures.kinds.registry import KINDS, data_files, describe
from site_builder.figures.palette import FILLS, SERIES
from tests.support.figures import SVG, draw, figure_error, said


@dataclass(frozen=True, eq=False)
class Violin:
    title: str
    values: dict[str, list[float]]
    label: str
    caption: str = ""
    alt: str = ""


class ViolinKind(Kind[Violin]):
    """How the values of each of a few groups are spread."""

    figure = Violin

    def errors(self, figure: Violin) -> Iterator[str]:
        yield from (f"the group {name!r} has no values" for name, each in figure.values.items() if not each)

    def draw(self, figure, canvas):
        every = np.concatenate([*figure.values.values()])
        ticks = tuple(Tick(place, name) for place, name in enumerate(figure.values))
        across, up = Scale(-0.5, len(ticks) - 0.5, ticks=ticks), up_range(every.min(), every.max(), canvas.sizes)
        plot = draw_plot(canvas, across, up, "", figure.label)
        parts = plot.axes().violinplot([*figure.values.values()], range(len(figure.values)), showextrema=False)
        for body in parts["bodies"]:
            body.set(facecolor=FILLS[0].light, edgecolor=SERIES[0].light, alpha=1)
        plot.finish()

    def describe(self, figure: Violin) -> str:
        return f"Violins of {figure.label}: {', '.join(figure.values)}."

    def columns(self, figure: Violin) -> list[DataColumn]:
        pairs = [(name, value) for name, each in figure.values.items() for value in each]
        return [DataColumn("group", [name for name, _ in pairs]), DataColumn(figure.label, [each for _, each in pairs])]


RANDOM = np.random.default_rng(3)
VIOLIN = Violin("t", {"rush": RANDOM.normal(2, 1, 200).tolist(), "pass": [1.0, 2.0, 4.0]}, "turns")


@pytest.fixture(autouse=True)
def _violins(monkeypatch):
    monkeypatch.setitem(KINDS, Violin, ViolinKind())


def test_a_kind_of_ones_own_is_drawn_in_the_colours_of_all_figures():
    drawing = draw(VIOLIN)

    for picture, width in ((drawing.svg, 680), (drawing.narrow_svg, 320)):
        root = ElementTree.fromstring(picture)
        filled = [node for node in root.iter() if node.get("fill") == FILLS[0].light]
        assert root.get("width") == str(width)
        assert len(filled) == 2
        assert f'[fill="{FILLS[0].light}"]{{fill:light-dark(' in root.find(f"{SVG}style").text
        assert {"rush", "pass", "turns"} <= set(said(picture))
    assert draw(VIOLIN) == drawing


def test_it_has_words_data_and_errors():
    files = data_files(VIOLIN)
    heads, *rows = csv.reader(io.StringIO(files["csv"].decode()))

    assert describe(VIOLIN) == "Violins of turns: rush, pass."
    assert (heads, len(rows), rows[-1]) == (["group", "turns"], 203, ["pass", "4.0"])
    assert figure_error(VIOLIN) == ""
    assert figure_error(Violin("t", {"a": []}, "x")) == "the group 'a' has no values"
    assert figure_error(Violin(1, {"a": [math.pi]}, "x")) == "its title is 1; write a text"
