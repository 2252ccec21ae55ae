"""Figures of matplotlib: their words, widths, colours on dark pages, and what is refused."""

import re
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib import rc_context, rcParams
from matplotlib.figure import Figure
from PIL import Image

from site_builder.contract import Bars, BarSeries, Drawing, Frames, Grid
from site_builder.errors import CuredError
from site_builder.figures.house_style import import_matplotlib, letters_without_glyph
from site_builder.figures.kinds.drawing import Words, drawn_figure, words_of
from site_builder.figures.kinds.registry import data_files, describe
from tests.support.figures import draw, figure_error

WORDS = Words("Dots", "Two dots.")


@pytest.fixture(autouse=True)
def _in_house_style():
    with rc_context():
        import_matplotlib()
        yield


def drawn(make, has_look=False):
    return drawn_figure(make, has_look, WORDS)


def dots(look):
    plt.scatter([1, 2], [0.25, 0.75])
    return plt.gcf()


def colours_on(scheme, svg):
    """The colours of marks by their light value, as rules change them; those that no rule meets after "fixed"."""
    rules = {light: dark for light, dark in re.findall(r"light-dark\((#\w{6}),(#\w{6})\)", svg) if scheme == "dark"}
    root = ElementTree.fromstring(svg)
    fixed = [each for group in root.iterfind(".//*[@class='fixed-colours']") for each in group.iter()]
    assert svg.count("]{") == 0 or not fixed  # each rule has :not(.fixed-colours *)
    used = [(each.get(name, ""), each in fixed) for each in root.iter() for name in ("fill", "stroke")]
    marks = {f"fixed {colour}" if stays else colour for colour, stays in used if colour.startswith("#")}
    return {each: rules.get(each, each) for each in marks}


# Words, widths and files


def test_a_figure_of_pyplot_has_words_of_its_docstring_and_one_picture_for_both_widths():
    figure = drawn(dots)
    made = draw(figure)

    assert (figure.title, figure.alt, describe(figure)) == ("Dots", "Two dots.", "Two dots.")
    assert made.sizes == (680, 425, 680, 425)
    assert made.svg == made.narrow_svg
    assert Image.open(BytesIO(made.png)).size == (1360, 850)
    assert not plt.get_fignums()


def test_with_a_look_it_is_drawn_for_both_widths():
    made = draw(drawn(lambda look: plt.figure(figsize=(look.width, look.width / 2)).text(0.5, 0.5, "x"), has_look=True))

    assert made.sizes == (680, 340, 320, 160)


def test_a_figure_that_is_drawn_on_again_is_laid_out_for_each_width():
    def lines(axes):
        axes.plot([1, 2], [1_000_000, 2_000_000])
        axes.set_ylabel("a label beside the numbers")
        return axes.figure

    one = plt.figure()

    def again(look):
        one.clear()
        return lines(one.subplots())

    assert drawn(again, has_look=True).pictures == drawn(lambda look: lines(plt.gca()), has_look=True).pictures


@pytest.mark.parametrize(
    "make",
    [
        lambda look: plt.plot([1, 2])[0].axes,
        lambda look: plt.subplots(2, 2)[0],
        lambda look: Figure().subplots().figure,
        lambda look: Drawing(plt.plot([1, 2])[0].figure),
    ],
)
def test_what_has_a_figure_is_a_figure(make):
    assert draw(drawn(make)).svg.startswith(b"<svg")


def test_own_words_take_the_place_of_those_of_the_docstring():
    figure = drawn(lambda look: Drawing(dots(look), title="Own", caption="Seen.", alt="Own words."))

    assert (figure.title, figure.caption, figure.alt) == ("Own", "Seen.", "Own words.")


@pytest.mark.parametrize(
    ("docstring", "words"),
    [
        ("The wait.\n\nA line that\nfalls.", ("The wait", "A line that falls.")),
        ("The wait.", ("The wait", "")),
        ("", ("By heads", "")),
    ],
)
def test_the_first_line_of_a_docstring_is_the_title_and_the_rest_the_alternative(docstring, words):
    assert words_of(docstring, "by_heads") == words


def test_figures_of_matplotlib_may_be_steps():
    figure = drawn(lambda look: Frames("Steps", [(name, plt.figure().text(0, 0, name)) for name in "ab"], alt="Two."))

    assert [step.title for _, step in figure.frames] == ["a", "b"]
    assert len(draw(figure).frames) == 1
    assert figure_error(figure) == ""


def test_what_reaches_over_the_edge_is_not_cut_off():
    def with_legend_beside(look):
        axes = plt.figure().add_axes((0, 0, 1, 1))
        axes.plot([1, 2], label="a label beside the axes")
        return axes.legend(loc="upper left", bbox_to_anchor=(1, 1))

    assert draw(drawn(with_legend_beside)).sizes[0] > 800


def test_settings_of_one_figure_do_not_reach_the_next():
    plain = drawn(dots).pictures

    def styled(look):
        plt.style.use("ggplot")
        rcParams["svg.hashsalt"] = None  # which would give other ids each time
        return dots(look)

    assert drawn(styled).pictures != plain
    assert drawn(dots).pictures == plain


# Data


def test_numbers_rows_and_grids_become_the_data_of_the_figure():
    data = {"turns": 3, "row": [0.5, 0.25], "chance": Grid(np.array([0.25, 0.75]), {"coins": (1, 2)})}

    csv = data_files(drawn(lambda look: Drawing(dots(look), data=data)))["csv"].decode().splitlines()

    assert csv == [
        *("data,of,value", "turns,,3", "row,index = 0,0.5", "row,index = 1,0.25"),
        *("chance,coins = 1,0.25", "chance,coins = 2,0.75"),
    ]


def test_without_data_there_are_no_data_files():
    files = data_files(drawn(dots))

    assert files["csv"] == b""


def test_data_that_are_no_numbers_are_refused():
    assert "its data 'names' is a str" in figure_error(drawn(lambda look: Drawing(dots(look), data={"names": "abc"})))


# Colours


def test_default_colours_black_white_and_greys_follow_the_scheme_and_others_stay():
    def lines(look):
        for colour in ("C0", "black", "white", "0.5", "teal"):
            plt.plot([1, 2], color=colour)
        return plt.gcf()

    dark = colours_on("dark", draw(drawn(lines)).svg.decode())

    assert dark["#00589a"] == "#58b0ee"  # the first of the palette
    assert dark["#000000"] == "#e6e2d9"  # the ink of dark pages
    assert dark["#ffffff"] == "#15181b"  # their paper
    assert dark["#808080"] == "#7d7d7a"  # half way
    assert dark["#008080"] == "#008080"


def test_colours_that_stand_for_values_and_what_lies_on_them_stay():
    def field(look):
        plt.pcolormesh([[0, 1], [1, 0]], cmap="gray")
        plt.plot([0, 2], [0, 2], color="black")
        plt.text(1, 1, "within", color="white")
        plt.text(2, 3, "beside", color="#333333")
        return plt.gcf()

    svg = draw(drawn(field)).svg.decode()

    assert {"fixed #000000", "fixed #ffffff"} <= set(colours_on("dark", svg))
    assert not {"#000000", "#ffffff"} & set(colours_on("dark", svg))
    assert ".fixed-colours{fill:#000000}" in svg  # black is left out elsewhere, as the default
    assert colours_on("dark", svg)["#333333"] != "#333333"


def test_a_background_of_the_author_is_shown():
    def with_background(look):
        dots(look).set_facecolor("#ffeecc")
        return plt.gcf()

    made = draw(drawn(with_background))

    assert b'fill="#ffeecc"' in made.svg
    assert Image.open(BytesIO(made.png)).convert("RGB").getpixel((0, 0)) == (0xFF, 0xEE, 0xCC)


# Warnings


def test_letters_without_a_glyph_are_found_in_any_figure():
    bars = Bars("T", ("♠ ½ ⚅", "骰 🎲"), (BarSeries("", (1, 2)),), "chance", "c")

    # DejaVu Sans 2.37 has suits, fractions and dice; see its status.txt
    assert letters_without_glyph(draw(bars).svg) == "骰🎲"


# What is refused


def test_a_drawing_of_something_else_is_refused():
    error = figure_error(drawn(lambda look: Drawing("title")))

    assert error == "Drawing(...) begins with a str; it begins with a figure of matplotlib"


def to_nobody(look):
    plt.plot([1, 2])
    plt.show()


def closed(look):
    plt.plot([1, 2])
    plt.close()
    return plt.gcf()


def other_steps(look):
    return Frames("F", [(f"{n}", plt.figure().text(0, 0, "x")) for n in range(look.width // 150)], alt="Steps.")


@pytest.mark.parametrize(
    ("make", "message", "cure"),
    [
        (to_nobody, "draws with pyplot and returns nothing", "return plt.gcf()"),
        (closed, "returns an empty figure", "plt.close() and plt.figure() begin another figure"),
        (other_steps, "has 4 pictures at 680 px and 2 at 320 px", "the same steps"),
    ],
)
def test_what_cannot_be_shown_is_refused(make, message, cure):
    with pytest.raises(CuredError, match=re.escape(message)) as caught:
        drawn(make, has_look=make is other_steps)

    assert cure in caught.value.cure


def test_other_figures_are_made_once_and_left_as_they_are():
    calls = []

    def bars(look):
        calls.append(look.width)
        return Bars("T", ("a",), (BarSeries("", (1,)),), "chance", "c")

    assert isinstance(drawn(bars, has_look=True), Bars)
    assert calls == [680]
