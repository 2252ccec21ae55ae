"""Estimates in figures: as numbers, and with the error bars that are drawn."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from site_builder.contract import Estimate, Series
from site_builder.figures.palette import SERIES
from site_builder.figures.series import error_ends, estimate_text
from tests.support.figures import FIGURES, SVG, curve, draw, said

THIN, NO_BREAK = "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"
DOTS = Series("", [1, 2], [Estimate(0.5, 0.125, 10), 0.5], "dots")


def shapes(svg, attribute, colour):
    """The paths that are filled or outlined in a colour, as attributes."""
    return [node.attrib for node in ElementTree.fromstring(svg).iter(f"{SVG}path") if node.get(attribute) == colour]


def heights(path):
    """The upward coordinates of a path of absolute commands, the lowest on the page first."""
    vertical = re.findall(r"[ML]\S+ (\S+?)(?=[MLHVz]|$)|V([-0-9.]+)", path["d"])
    return sorted({float(a or b) for a, b in vertical}, reverse=True)


def test_the_error_bar_of_an_estimate_reaches_two_standard_errors_to_both_sides():
    np.testing.assert_array_equal(error_ends(DOTS.up), [[0.25, 0.75], [np.nan, np.nan]])


@pytest.mark.parametrize(
    ("percent", "text"),
    [(False, f"0.792{NO_BREAK}±{NO_BREAK}0.041"), (True, f"79.2{NO_BREAK}±{NO_BREAK}4.1%")],
)
def test_an_estimate_is_written_with_one_standard_error(percent, text):
    assert estimate_text(Estimate(0.7919, 0.0406, 100), percent) == text


def test_error_bars_have_the_height_of_their_interval_and_the_colour_of_their_dots():
    (bars_of_errors,) = shapes(draw(curve(DOTS, up_range=(0, 1))).svg, "stroke", SERIES[0].light)

    low, high = heights(bars_of_errors)
    # 330 pixels are the range from 0 to 1 of a wide curve
    assert low - high == pytest.approx(165, abs=0.02)
    assert bars_of_errors["d"].count("M") == 3  # one bar with two ends: the second point has none


def test_the_legend_of_estimates_says_how_many_standard_errors_are_drawn():
    assert "± 2 standard errors" in said(draw(FIGURES["curve of estimates"]).svg)


def test_the_axis_has_room_for_error_bars():
    words = said(draw(curve(Series("", range(3), [Estimate(0.5, 0.2, 9)] * 3))).svg)

    assert {"0.2", "0.8"} <= set(words)
