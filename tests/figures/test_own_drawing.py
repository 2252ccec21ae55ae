"""Pictures that functions of solvers draw: their files, and what is refused."""

import re
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from site_builder.contract import Drawing, Grid
from site_builder.errors import CuredError
from site_builder.figures.charts.own_drawing import draw_pictures
from site_builder.figures.kinds.data import data_files
from site_builder.figures.kinds.draw import draw
from site_builder.figures.kinds.registry import figure_error

DATA = {"turns": 3, "chance": Grid(np.array([0.25, 0.75]), {"coins": (1, 2)})}


def drawing(function, **more):
    given = {"aspect": 2.0, "alt": "Dots.", **more}
    return Drawing("title", given.pop("data", DATA), function, "caption", **given)


def dots(figure, data, look):
    axes = figure.subplots()
    axes.scatter([1, 2], data["chance"].values, color=look.series[1], marker="D")
    axes.set_title("$x_1$ of chance")


def pictures(function, data=DATA):
    return draw_pictures(function, lambda: data, 2.0)


def test_a_drawing_has_both_widths_both_schemes_and_pictures_of_pixels():
    figure = drawing("solvers.a.dots", pictures=pictures(dots))

    made = draw(figure)

    assert (made.width, made.height, made.narrow_width, made.narrow_height) == (680, 340, 320, 160)
    for svg in (made.svg.decode(), made.narrow_svg.decode()):
        assert "light-dark(#c8500a,#ff9a56)" in svg
        assert "light-dark(#23211d,#e6e2d9)" in svg  # of the words, by default
        assert 'href="#i' in svg
        assert all(f'id="{each}"' in svg for each in re.findall(r'(?:href="#|url\(#)(\w+)', svg))
        assert re.search(r"<tspan[^>]*>x</tspan>", svg)
    assert Image.open(BytesIO(made.png)).size == (1360, 680)


def test_the_same_data_give_the_same_bytes():
    assert pictures(dots) == pictures(dots)


def test_numbers_and_grids_become_the_data_of_the_figure():
    csv = data_files(drawing("solvers.a.dots"))["csv"].decode().splitlines()

    assert csv == ["data,of,value", "turns,,3", "chance,coins = 1,0.25", "chance,coins = 2,0.75"]


def by_chance(figure, data, look):
    figure.subplots().plot(np.random.default_rng().random(3))


def in_a_window(figure, data, look):
    from matplotlib import pyplot

    pyplot.figure()


def by_a_side_door(figure, data, look):
    from matplotlib import pyplot

    pyplot.gca().plot([1, 2])


def showing(figure, data, look):
    from matplotlib import pyplot

    pyplot.show()


def small_on_phones(figure, data, look):
    figure.text(0.5, 0.5, "tiny", fontsize=12 if look.width > 400 else 9)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (by_chance, "draws another picture when it is called again"),
        (in_a_window, "a figure of its own with pyplot"),
        (by_a_side_door, "a figure of its own with pyplot"),
        (showing, "opens a window"),
        (small_on_phones, "writes 'tiny' 9 px high on a picture 320 px wide"),
    ],
)
def test_a_function_that_may_not_be_shown_is_refused(function, message):
    with pytest.raises(CuredError, match=message) as caught:
        pictures(function)

    assert caught.value.cure


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"alt": " "}, "its alt is empty"),
        ({"aspect": 0}, "its aspect is 0"),
        ({"data": {}}, "its data is empty"),
        ({"data": {"names": "abc"}}, "its data 'names' is a str"),
        ({}, ""),
    ],
)
def test_the_parts_of_a_drawing_are_checked(changed, message):
    error = figure_error(drawing(dots, **changed))

    assert error.startswith(message)
    assert bool(error) == bool(message)
