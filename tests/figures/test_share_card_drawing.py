"""Share cards: what stands on them, and that all of it fits."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from site_builder.contract import Curve, Grid, Heatmap, Series
from site_builder.figures.charts.draw import draw_small
from site_builder.figures.share_card import CardLook, ShareCard
from site_builder.figures.share_card_drawing import FontStack, draw_card

LOOK = CardLook(icon=(Path(__file__).resolve().parents[2] / "templates/assets/icon.png").read_bytes())
PAPER = (253, 252, 249)
LONG = "The unreasonably long story of a gambler who tossed a coin for every step on the way home from the tavern " * 2
FIGURE = draw_small(Curve("x", (Series("y", [0, 1, 2], [0, 1, 4]),), "x", "y", "A caption."))
FACE = FontStack((), "DejaVuSerif")


def pixels(data):
    image = Image.open(BytesIO(data))
    assert image.format == "PNG"
    return np.asarray(image.convert("RGB"))


def is_paper(area):
    return bool((np.abs(area.astype(int) - PAPER).max(axis=-1) <= 3).all())


def test_a_card_has_the_size_that_other_sites_ask_for():
    # 1200 x 630: the size that the documentation of link previews of Facebook, LinkedIn and X names
    assert pixels(draw_card(ShareCard("A blog", "A title"), LOOK)).shape == (630, 1200, 3)


def test_the_same_card_has_the_same_bytes():
    card = ShareCard("A blog", "A title", "1/2", "Answer")

    assert draw_card(card, LOOK, FIGURE) == draw_card(card, LOOK, FIGURE)


@pytest.mark.parametrize("change", [{"site": "B"}, {"title": "B"}, {"text": "B"}, {"label": "B"}])
def test_all_that_a_card_says_is_to_be_seen(change):
    facts = {"site": "A", "title": "A", "text": "A", "label": "A"}

    assert draw_card(ShareCard(**facts), LOOK) != draw_card(ShareCard(**facts | change), LOOK)


def test_the_icon_stands_before_the_name_of_the_site():
    with_icon, without = (pixels(draw_card(ShareCard("A blog", "A title"), look)) for look in (LOOK, CardLook()))

    ground = (13, 79, 90)  # that of icon.svg
    assert (np.abs(with_icon[80:90, 66:68].astype(int) - ground).max(axis=-1) <= 8).all()
    assert not (np.abs(without.astype(int) - ground).max(axis=-1) <= 3).any()


def test_a_figure_stands_on_white_beside_the_words():
    with_figure, without = (
        pixels(draw_card(ShareCard("A blog", "A title", "1/2", "Answer"), LOOK, f)) for f in (FIGURE, b"")
    )

    assert is_paper(without[60:560, 640:1120])
    assert (with_figure[60, 620:640] == 255).all()
    assert not (with_figure[60:560, 640:1120] == 255).all()


@pytest.mark.parametrize("figure", [b"", FIGURE], ids=["alone", "beside a figure"])
@pytest.mark.parametrize(
    ("title", "text"),
    [
        (LONG, "1/2"),
        ("Short", LONG),
        (LONG, LONG),
        (LONG * 9, LONG * 9),
        ("Rindfleischetikettierung" * 2, "1"),
        ("A", ""),
    ],
)
def test_words_keep_to_their_place_however_many_there_are(title, text, figure):
    made = pixels(draw_card(ShareCard("A blog", title, text, "Answer"), LOOK, figure))

    right = 600 if figure else 1200
    assert is_paper(made[:, :62])
    assert is_paper(made[576:, :right])
    assert is_paper(made[:, right - 40 : right])
    assert not is_paper(made[160:560, 62 : right - 40])


def colourful():
    field = np.add.outer(np.sin(np.arange(200) / 9), np.cos(np.arange(200) / 7))
    return draw_small(Heatmap("x", Grid(field, {"a": range(200), "b": range(200)}), "a", "v", "A caption."))


def test_the_words_keep_their_colours_beside_a_colourful_figure():
    made = pixels(draw_card(ShareCard("A blog", "A title", "1/2", "Answer"), CardLook(), colourful()))

    for ink in [(35, 33, 29), (143, 74, 12), (95, 90, 81)]:  # --ink, --warm and --soft of style.css
        assert (np.abs(made[:, :600].astype(int) - ink).max(axis=-1) <= 4).any(), ink


def test_a_card_is_a_small_file():
    assert (
        len(draw_card(ShareCard("A blog", LONG, LONG, "Answer"), LOOK, colourful())) < 80_000
    )  # much more than any of real posts has


@given(words=st.lists(st.text("abcdefghi", min_size=1, max_size=9), min_size=1, max_size=30), size=st.integers(8, 60))
def test_lines_are_broken_between_words_and_fit(words, size):
    lines = FACE.wrap(" ".join(words), size, 400)

    if lines is None:
        assert max(FACE.width(word, size) for word in words) > 390
    else:
        assert " ".join(lines).split() == words
        assert all(FACE.width(line, size) <= 400 for line in lines)


def test_a_letter_that_no_font_has_takes_no_room():
    assert FACE.width("a\U0001f3b2b", 20) == FACE.width("ab", 20)


def test_a_font_before_the_spare_one_gives_the_letters_that_it_has():
    sans = FontStack((), "DejaVuSans")._fonts[0]
    mixed = FontStack((sans,), "DejaVuSerif")

    assert mixed.width("Hill", 20) == FontStack((), "DejaVuSans").width("Hill", 20) != FACE.width("Hill", 20)


def test_a_card_has_the_colours_of_its_look():
    look = CardLook(colours=("#102030", "#ffffff", "#cccccc", "#555555", "#ffcc00"))

    made = pixels(draw_card(ShareCard("A blog", "A title", "1/2", "Answer"), look))

    assert tuple(made[0, 0][:3]) == (0x10, 0x20, 0x30)
