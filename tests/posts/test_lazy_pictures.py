"""Pictures and frames of a text are loaded when a reader comes near them."""

import pytest

from site_builder.markup.placeholders import Placeholders
from site_builder.posts.texts.html_parts import in_attribute


@pytest.mark.parametrize(
    ("tag", "shown"),
    [
        ('<img alt="a" src="b.png">', '<img loading="lazy" decoding="async" alt="a" src="b.png">'),
        ("<iframe src='x'>", "<iframe loading=\"lazy\" src='x'>"),
        ('<img src="b.png" loading="eager">', '<img src="b.png" loading="eager">'),
        ('<image href="b.png">', '<image href="b.png">'),
        ('<a href="b">', '<a href="b">'),
    ],
)
def test_a_picture_and_a_frame_are_lazy_unless_their_author_says_otherwise(tag, shown):
    assert in_attribute(Placeholders(), tag) == shown
