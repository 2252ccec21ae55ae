"""Intervals of series and Estimates: as numbers, and as they are drawn."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from site_builder.contract import Estimate, Series
from site_builder.figures.kinds.registry import draw_figure as draw
from site_builder.figures.palette import INK, SERIES
from site_builder.figures.series import estimate_text, with_intervals
from tests.support.figures import ESTIMATES, FIGURES, SVG, bars, curve, said

THIN, NO_BREAK = "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"
BAND = Series("", range(5), [0.5] * 5, "line", [0.25] * 5, [0.75] * 5, "half of all games")


def shapes(svg, attribute, colour):
    """The paths that are filled or outlined in a colour, as attributes."""
    return [node.attrib for node in ElementTree.fromstring(svg).iter(f"{SVG}path") if node.get(attribute) == colour]


def heights(path):
    """The upward coordinates of a path of absolute commands, the lowest on the page first."""
    vertical = re.findall(r"[ML]\S+ (\S+?)(?=[MLHVz]|$)|V([-0-9.]+)", path["d"])
    return sorted({float(a or b) for a, b in vertical}, reverse=True)


def test_the_interval_of_an_estimate_reaches_two_standard_errors_to_both_sides():
    series = with_intervals(curve(Series("", (1, 2), (Estimate(0.5, 0.125, 10), 0.75)))).series[0]

    assert (series.up, series.low[0], series.high[0]) == ((0.5, 0.75), 0.25, 0.75)
    assert np.isnan([series.low[1], series.high[1]]).all()
    assert (series.interval, series.style) == ("± 2 standard errors", "line with dots")


def test_a_line_through_many_estimates_has_a_band():
    many = curve(Series("", range(61), [Estimate(0.5, 0.1, 10)] * 61))

    assert with_intervals(many).series[0].style == "line"
    assert any(
        "fill-opacity" in shape or "opacity" in shape for shape in shapes(draw(many).svg, "fill", SERIES[0].light)
    )


def test_a_figure_without_estimates_stays_as_it_is():
    figure = curve(BAND)

    assert with_intervals(figure) is figure


@pytest.mark.parametrize(
    ("percent", "text"),
    [(False, f"0.792{NO_BREAK}±{NO_BREAK}0.041"), (True, f"79.2{NO_BREAK}±{NO_BREAK}4.1%")],
)
def test_an_estimate_is_written_with_one_standard_error(percent, text):
    assert estimate_text(Estimate(0.7919, 0.0406, 100), percent) == text


def test_a_band_reaches_from_low_to_high():
    drawing = draw(curve(BAND, up_range=(0, 1)))
    (band,) = (shape for shape in shapes(drawing.svg, "fill", SERIES[0].light) if "stroke" not in shape)
    (line,) = shapes(drawing.svg, "stroke", SERIES[0].light)
    (middle,) = heights(line)

    low, high = heights(band)

    # 330 pixels are the range from 0 to 1 of a wide curve, so that a quarter is 82.5
    assert (low - middle, middle - high) == pytest.approx((82.5, 82.5), abs=0.02)
    assert "half of all games" in said(drawing.svg)


def test_error_bars_reach_from_low_to_high_and_have_the_colour_of_their_dots():
    dots = Series("", [1, 2], [0.5, 0.5], "dots", [0.25, None], [0.75, 0.9])

    (bars_of_errors,) = shapes(draw(curve(dots, up_range=(0, 1))).svg, "stroke", SERIES[0].light)

    low, high = heights(bars_of_errors)
    assert low - high == pytest.approx(165, abs=0.02)
    assert bars_of_errors["d"].count("M") == 3  # one bar with two ends: the second point has none


def test_the_legend_of_estimates_says_how_many_standard_errors_are_drawn():
    for name in ("curve of estimates", "bars of estimates"):
        assert "± 2 standard errors" in said(draw(FIGURES[name]).svg)


def test_the_axis_has_room_for_intervals():
    words = said(draw(curve(Series("", range(3), [0.5] * 3, "line", [0.1] * 3, [0.9] * 3))).svg)

    assert {"0.2", "0.8"} <= set(words)


def test_bars_of_estimates_have_error_bars_and_their_numbers_stand_beyond_them():
    drawing = draw(bars("a", [Estimate(0.5, 0.1, 10)], value_range=(0, 1)))
    errors = [shape for shape in shapes(drawing.svg, "stroke", INK.light) if shape.get("fill") == "none"]
    text = next(
        node for node in ElementTree.fromstring(drawing.svg).iter(f"{SVG}text") if "±" in "".join(node.itertext())
    )

    assert f"0.50{NO_BREAK}±{NO_BREAK}0.10" == "".join(text.itertext())
    assert float(text.get("x")) > max(float(end) for end in re.findall(r"H([\d.]+)", errors[0]["d"]))


def test_each_series_of_estimates_keeps_its_numbers():
    assert [each.value for each in ESTIMATES] == list(with_intervals(FIGURES["curve of estimates"]).series[0].up)
