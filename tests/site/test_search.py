"""What pages tell the search index beside their templates."""

from types import SimpleNamespace

import pytest

from site_builder.markup.placeholders import CLOSE, OPEN, Inline
from site_builder.markup.tex.mathml import convert
from site_builder.posts.blocks import Body, FigureBlock
from site_builder.site.pages.all import offered_words
from site_builder.site.pages.post_pages import with_plain_texts
from tests.support.html import Html
from tests.support.sites import brief


def attributes(html):
    """The attributes of formulas and pictures that are indexed."""
    page = Html(with_plain_texts(html.encode()).decode())
    marked = [*page.all("math"), *page.all("img")]
    return [each.attributes.get("data-pagefind-index-attrs") for each in marked]


@pytest.mark.parametrize("is_displayed", [False, True])
def test_a_formula_is_indexed_by_its_plain_text(is_displayed):
    formula = convert(r"P = \frac{3}{5}", is_displayed).mathml

    assert attributes(f"<p>{formula}</p>") == ["alttext"]


@pytest.mark.parametrize("tex", ["x", "52", "0.6403"])
def test_a_formula_of_one_sign_is_indexed_as_it_is(tex):
    assert attributes(f"<p>{convert(tex, False).mathml}</p>") == [None]


def test_pictures_are_indexed_by_their_alternative_texts():
    assert attributes('<p><img alt="Two piles" src="x.png"> <img src="y.svg" alt="z"></p>') == ["alt", "alt"]


def test_code_about_formulas_and_pictures_stays_as_it_is():
    html = "<pre>&lt;math alttext=\"a = b\"&gt; &lt;img alt='x'&gt;</pre>"

    assert with_plain_texts(html.encode()).decode() == html


def offered(html, *parts, **told):
    site = SimpleNamespace(recall=lambda key, make: make(), body=lambda text: Body(html, parts, ()))
    return offered_words(site, [brief("a", **told)]).decode().split("\n")


def test_words_of_four_letters_or_more_are_offered_for_misspelt_ones():
    html = f"<p>The Fibonacci <i>numbers</i>, {convert(r'best = 12', True).mathml} of Fibonacci.</p>"

    assert offered(html, title=Inline("Exact", "Exact")) == ["exact", "fibonacci", "numbers"]


def test_words_of_captions_are_offered():
    figure = FigureBlock("key", "map", Inline("Wins", "Wins"), Inline("Where", "Where"), "")

    assert offered(f"{OPEN}0{CLOSE}", figure, title=Inline("", "")) == ["where", "wins"]
