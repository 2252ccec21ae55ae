"""The pictures above the posts: what they show follows the parameters, in their data and in words."""

from importlib import import_module

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.text import Text

from site_builder.contract import Drawing
from tests.support.solvers_checked import complete, figures

PICTURES = [  # solver, parameters, what the alt text says, what is drawn
    ("riddler_flips", {}, "coin B 2,", "+2 or \N{MINUS SIGN}2"),
    ("riddler_flips", {"v_b": 7, "n_flips": 10, "p_b": 0.25}, "coin B 7,", "heads 25%"),
    ("coinball", {}, "pass, for 2", "100 tosses"),
    ("coinball", {"pass_points": 3, "n_tosses": 1}, "pass, for 3", "1 toss"),
    ("wythoff", {}, "of 6 and of 14", "14"),
    ("wythoff", {"total_min": 5, "total_max": 10}, "of 1 and of 4", "4"),
    ("notorious_coins", {"values": (2, 4, 8, 10)}, "A row of 4 coins, from 2 at the left end to 10", "8"),
    ("notorious_coins", {"n": 20}, "A row of 20 coins", "…"),
    ("penney", {}, "26 red and 26 black", "26 black"),
    ("penney", {"k": 10, "reds": 20}, "20 red and 26 black", "20 red"),
]


def picture_of(solver, parameters, width):
    module = import_module(f"solvers.{solver}")
    result = module.solve(**complete(module, **parameters))
    return figures(module, result, width, **parameters)["picture"]


@pytest.mark.parametrize("width", [680, 320])
@pytest.mark.parametrize(("solver", "parameters", "alt", "drawn"), PICTURES)
def test_a_picture_follows_the_parameters(solver, parameters, alt, drawn, width):
    picture = picture_of(solver, parameters, width)

    assert isinstance(picture, Drawing)
    assert alt in picture.alt
    figure = picture.figure
    texts = figure.findobj(Text)
    assert drawn in [text.get_text() for text in texts]
    assert min(text.get_fontsize() for text in texts if text.get_text()) >= 12
    renderer = FigureCanvasAgg(figure).get_renderer()
    shown = figure.bbox.padded(1)
    boxes = [text.get_window_extent(renderer) for text in texts if text.get_text()]
    assert all(shown.contains(*box.min) and shown.contains(*box.max) for box in boxes)


@pytest.mark.parametrize("values", [(18, 22, 1, 3, 25, 14), (1, 2, 3, 4, 5, 6, 7, 8, 9)])
@pytest.mark.parametrize("width", [680, 320])
def test_coins_are_red_and_blue_by_turns_and_the_first_one_is_gone_below(values, width):
    module = import_module("solvers.notorious_coins")
    result = module.solve(**complete(module, values=values))

    figure = figures(module, result, width, values=values)["colours"].figure

    rows = {}  # the colours of coins by their height
    for each in figure.findobj(PathCollection):
        for (_, y), colour in zip(each.get_offsets().tolist(), each.get_facecolors().tolist(), strict=False):
            rows.setdefault(y, []).append(tuple(colour))
    below, colours = (rows[y] for y in sorted(rows))
    assert len(colours) == len(values)
    assert len({*colours[::2]} | {*colours[1::2]}) == 2
    assert {*colours[::2]}.isdisjoint(colours[1::2])
    assert below == colours[1:]


@pytest.mark.parametrize("width", [680, 320])
def test_lines_join_the_three_coins_of_a_peak_to_the_coin_that_takes_their_place(width):
    module, values = import_module("solvers.notorious_coins"), (2, 9, 1, 8, 20, 3)
    result = module.solve(**complete(module, values=values))

    picture = figures(module, result, width, values=values)["peaks"]

    # By hand: 2 - 9 + 1 and 8 - 20 + 3, a row that falls.
    assert "at the end \N{MINUS SIGN}6, \N{MINUS SIGN}9." in picture.alt
    assert sum(len(lines.get_segments()) for lines in picture.figure.findobj(LineCollection)) == 6
    assert min(text.get_fontsize() for text in picture.figure.findobj(Text)) >= 12


def test_a_row_without_a_peak_has_no_picture_of_peaks():
    module = import_module("solvers.notorious_coins")
    result = module.solve(**complete(module, values=(5, 1, 4)))

    assert figures(module, result, values=(5, 1, 4))["peaks"] is None
