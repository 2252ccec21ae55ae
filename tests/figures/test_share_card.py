"""Share cards: what stands on them, and that all of it fits."""

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from site_builder.contract import Curve, Grid, Heatmap, Series
from site_builder.figures.share_card import CardColours, _font, draw_card, wrapped
from tests.support.figures import draw

PAPER = (253, 252, 249)
LONG = "The unreasonably long story of a gambler who tossed a coin for every step on the way home from the tavern " * 2
FIGURE = draw(Curve("x", (Series("y", [0, 1, 2], [0, 1, 4]),), "x", "y", "A caption.")).png
FACE = _font(40)


def pixels(data):
    image = Image.open(BytesIO(data))
    assert image.format == "PNG"
    return np.asarray(image.convert("RGB"))


def is_paper(area):
    return bool((np.abs(area.astype(int) - PAPER).max(axis=-1) <= 3).all())


def test_a_card_has_the_size_that_other_sites_ask_for():
    # 1200 x 630: the size that the documentation of link previews of Facebook, LinkedIn and X names
    assert pixels(draw_card("A blog", "A title", CardColours())).shape == (630, 1200, 3)


def test_the_same_card_has_the_same_bytes():
    first, second = (draw_card("A blog", "A title", CardColours(), FIGURE) for _ in range(2))

    assert first == second


@pytest.mark.parametrize("change", [{"site": "B"}, {"title": "B"}])
def test_all_that_a_card_says_is_to_be_seen(change):
    facts = {"site": "A", "title": "A", "colours": CardColours()}

    assert draw_card(**facts) != draw_card(**facts | change)


def test_a_figure_stands_on_white_beside_the_title():
    with_figure, without = (pixels(draw_card("A blog", "A title", CardColours(), f)) for f in (FIGURE, b""))

    assert is_paper(without[60:560, 640:1120])
    assert (with_figure[60, 620:640] == 255).all()
    assert not (with_figure[60:560, 640:1120] == 255).all()


@pytest.mark.parametrize("figure", [b"", FIGURE], ids=["alone", "beside a figure"])
@pytest.mark.parametrize("title", [LONG, LONG * 9, "Rindfleischetikettierung" * 2, "A"])
def test_words_keep_to_their_place_however_many_there_are(title, figure):
    made = pixels(draw_card("A blog", title, CardColours(), figure))

    right = 556 if figure else 1200
    assert is_paper(made[:, 20:62])
    assert is_paper(made[576:, 20:right])
    assert is_paper(made[:, right - 20 : right])
    assert not is_paper(made[160:560, 62 : right - 20])


def test_a_card_is_a_small_file():
    field = np.add.outer(np.sin(np.arange(200) / 9), np.cos(np.arange(200) / 7))
    colourful = Heatmap("x", Grid(field, {"a": range(200), "b": range(200)}), "a", "v", "A caption.")

    made = draw_card("A blog", LONG, CardColours(), draw(colourful).png)

    assert len(made) < 120_000  # much more than any of real posts has


@given(words=st.lists(st.text("abcdefghi", min_size=1, max_size=9), min_size=1, max_size=30))
def test_lines_are_broken_between_words_and_fit(words):
    lines = wrapped(" ".join(words), FACE, 300)

    assert " ".join(lines).split() == words
    assert all(FACE.getlength(line) <= 300 for line in lines if " " in line)


def test_a_letter_that_the_font_lacks_takes_no_room():
    with_die, without = (draw_card("A blog", title, CardColours()) for title in ("a\U0001f3b2b", "ab"))

    assert with_die == without


def test_a_card_has_the_colours_of_the_theme():
    colours = CardColours("#102030", "#ffffff", "#ffcc00")

    made = pixels(draw_card("A blog", "A title", colours))

    assert tuple(made[0, 100]) == (0x10, 0x20, 0x30)
    assert tuple(made[0, 0]) == (0xFF, 0xCC, 0x00)
