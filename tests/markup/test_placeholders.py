"""Placeholders whose form on a page has links: alone, and within a link, which holds no other."""

import pytest

from site_builder.markup.placeholders import FormattedText, Placeholders

CLAIM = '<a class="claim" href="https://example.org">0.64</a>'
MARKED = f'<mark class="unconfirmed" title="x">{CLAIM}</mark>'
OF_EXTENSION = '<a href="a.csv">data</a> and <b>more</b>'


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        (CLAIM, "0.64"),
        (MARKED, '<mark class="unconfirmed" title="x">0.64</mark>'),
        (OF_EXTENSION, "data and <b>more</b>"),
        ("<abbr>0.64</abbr>", "\ufdd00\ufdd1"),
    ],
)
def test_within_a_link_the_tags_of_other_links_are_left_out_and_nothing_else(html, shown):
    text = '<a href="b">see \ufdd00\ufdd1</a> \ufdd00\ufdd1'

    found = _holding(html).without_links_in_links(text)

    assert found == f'<a href="b">see {shown}</a> \ufdd00\ufdd1'


@pytest.mark.parametrize(
    ("html", "is_link"),
    [(CLAIM, True), (MARKED, True), (OF_EXTENSION, False), (f"{CLAIM}, {CLAIM}", False), ("5", False)],
)
def test_what_is_a_link_and_nothing_else_is_one(html, is_link):
    assert _holding(html).is_link("\ufdd00\ufdd1") == is_link


def _holding(html):
    """The placeholders of a text with a single one, whose form on a page is this HTML."""
    placeholders = Placeholders()
    placeholders.put(FormattedText("x", html))
    return placeholders
