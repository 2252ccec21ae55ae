"""Bodies as bytes and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.markup.placeholders import Heading, Inline
from site_builder.posts.blocks import (
    Body,
    ColumnHead,
    FigureBlock,
    HtmlBlock,
    ParameterRow,
    ParametersBlock,
    TableBlock,
)
from site_builder.values.json_records import from_json, to_json

TEXTS = st.text() | st.sampled_from(["", "\U0001f600", "\n\n", "\x00", '"\\', "\ufeff", "\ufdd00\ufdd1"])
INLINES = st.builds(Inline, TEXTS, TEXTS)
ROWS = st.lists(st.lists(INLINES, max_size=3).map(tuple), max_size=3).map(tuple)
HEADS = st.lists(st.builds(ColumnHead, INLINES, st.booleans()), max_size=3).map(tuple)
PARAMETERS = st.builds(ParameterRow, TEXTS, INLINES, INLINES, st.booleans(), INLINES, TEXTS)
PARTS = st.lists(
    st.builds(FigureBlock, TEXTS, TEXTS, INLINES, INLINES, TEXTS)
    | st.builds(TableBlock, TEXTS, INLINES, INLINES, HEADS, ROWS, st.booleans())
    | st.builds(ParametersBlock, st.lists(PARAMETERS, max_size=3).map(tuple)),
    max_size=4,
).map(tuple)
HEADINGS = st.recursive(
    st.just(()),
    lambda inner: st.lists(st.builds(Heading, st.integers(1, 6), TEXTS, TEXTS, inner), max_size=3).map(tuple),
    max_leaves=8,
)
BODIES = st.builds(Body, TEXTS, PARTS, HEADINGS)


@given(BODIES)
def test_a_body_comes_back_as_it_was_written(written):
    found = from_json(Body, to_json(written))

    assert found == written
    assert repr(found) == repr(written)  # the same kinds too


@given(BODIES, BODIES)
def test_two_bodies_have_the_same_bytes_only_if_they_are_equal(one, other):
    assert (to_json(one) == to_json(other)) == (one == other)


WHOLE = to_json(Body("x", (HtmlBlock("path", "f"),), ()))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"\xff",
        WHOLE[:-1],
        WHOLE.replace(b'"kind":"html"', b'"kind":"gone"'),
        WHOLE.replace(b'"feed"', b'"file"'),
    ],
    ids=[
        "nothing",
        "null",
        "a list",
        "no fields",
        "no text",
        "cut short",
        "a kind that is gone",
        "a field that is gone",
    ],
)
def test_what_another_version_wrote_is_refused(data):
    with pytest.raises(ValueError):  # noqa: PT011 - in pydantic's words
        from_json(Body, data)
