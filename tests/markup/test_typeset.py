"""Titles, captions and cells: TeX and code in one line of text, as HTML and as plain text."""

import pytest

from site_builder.errors import Place, SiteError
from site_builder.markup.placeholders import FormattedText, tex_of
from site_builder.markup.typeset import spoken, typeset, written

PLACE = Place("content/posts/ruin.md", 7)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (r"half is $\frac{1}{2}$", "half is 1/2"),
        ("call `solve` again", "call solve again"),
        (r"$x$ and `y`", "x and y"),
        (r"5 \$ and no more", "5 $ and no more"),
        ("two\n  lines", "two lines"),
        (r"$\broken{$", r"\broken{"),
        ("plain", "plain"),
    ],
)
def test_a_text_is_spoken_in_plain_letters(text, plain):
    assert spoken(text) == plain


@pytest.mark.parametrize(
    ("text", "html", "plain"),
    [
        ("a `<b>` c", "a <code>&lt;b&gt;</code> c", "a <b> c"),
        ('say "so"', "say “so”", "say “so”"),
        ("it's", "it\u2019s", "it\u2019s"),
        ("1 < 2", "1 &lt; 2", "1 < 2"),
    ],
)
def test_a_text_is_set_as_html_and_as_plain_text(text, html, plain):
    found = typeset(text, PLACE)

    assert (found.html, found.text) == (html, plain)


def test_a_formula_is_mathematics_in_html_and_letters_in_plain_text():
    found = typeset(r"$p = \frac{1}{3}$", PLACE)

    assert "<mfrac>" in found.html
    assert found.text == "p = 1/3"


def test_a_broken_formula_is_an_error_at_its_place():
    with pytest.raises(SiteError, match=r"content/posts/ruin\.md:7"):
        typeset(r"so $\frac{1$", PLACE)


@pytest.mark.parametrize(("text", "tex"), [("0.5", "0.5"), ("50 %", r"50 \%"), ("a_b", r"\text{a\_b}")])
def test_a_number_is_tex_as_it_is_and_words_are_text(text, tex):
    assert tex_of(text) == tex


def test_what_a_filter_wrote_is_not_written_again():
    once = FormattedText("x", "<i>x</i>")

    assert written(once, "percent") is once


def test_a_grouped_number_in_a_formula_has_no_space_after_its_comma():
    assert tex_of("19,899") == "19{,}899"
    assert tex_of("(1, 2)") == "(1, 2)"
