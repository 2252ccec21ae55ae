"""Bodies as bytes and back."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.markup.placeholders import Heading, Inline
from site_builder.posts.blocks import ColumnHead, FigureBlock, ParameterRow, ParametersBlock, SourceBlock, TableBlock
from site_builder.posts.body import Body, read_body, write_body

TEXTS = st.text() | st.sampled_from(["", "\ud800", "\ud83d\ude00", "\n\n", "\x00", '"\\', "\ufeff", "\ufdd00\ufdd1"])
INLINES = st.builds(Inline, TEXTS, TEXTS)
ROWS = st.lists(st.lists(INLINES, max_size=3).map(tuple), max_size=3).map(tuple)
HEADS = st.lists(st.builds(ColumnHead, INLINES, st.booleans()), max_size=3).map(tuple)
PARAMETERS = st.builds(ParameterRow, TEXTS, INLINES, INLINES, st.booleans(), INLINES, TEXTS)
PARTS = st.lists(
    st.builds(FigureBlock, TEXTS, TEXTS, INLINES, INLINES, TEXTS)
    | st.builds(TableBlock, TEXTS, INLINES, INLINES, HEADS, ROWS, st.booleans(), st.integers(0, 99), TEXTS)
    | st.builds(SourceBlock, TEXTS, TEXTS, st.integers(), TEXTS)
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
    found = read_body(write_body(written))

    assert found == written
    assert repr(found) == repr(written)  # the same kinds too


@given(BODIES, BODIES)
def test_two_bodies_have_the_same_bytes_only_if_they_are_equal(one, other):
    assert (write_body(one) == write_body(other)) == (one == other)


FOREIGN = [
    b"",
    b"\n",
    b"null\n",
    b"[]\n",
    b"[[],[],[]]\n",
    b"{}\n",
    b"\xff\n",
    b'[{"":"Body"},[]]\n',
    b'[[{"":"FigureBlock"}],[]]\n',
    b'[[{"":["FigureBlock"]}],[]]\n',
    b'[[{"":{}}],[]]\n',
    b'[[{"html":"x"}],[]]\n',
    b'[[{"":"Inline","html":"x","text":"y","more":1}],[]]\n',
    b"[" * 100_000 + b"\n",
    b'[[],[],"',
]


@pytest.mark.parametrize("data", FOREIGN, ids=lambda data: repr(data[:20]))
def test_foreign_bytes_are_no_body(data):
    with pytest.raises(ValueError):  # noqa: PT011 - whichever words
        read_body(data)


@given(st.binary())
def test_bytes_without_any_order_are_a_body_or_refused(data):
    with contextlib.suppress(ValueError):
        read_body(data)


@given(BODIES, st.data())
def test_a_body_that_is_cut_short_is_read_as_another_or_refused(written, data):
    whole = write_body(written)
    size = data.draw(st.integers(0, len(whole) - 1))

    try:
        found = read_body(whole[:size])
    except ValueError:
        return

    assert found != written


def test_a_kind_of_parts_that_is_not_known_any_more_is_refused():
    data = write_body(Body("x", (SourceBlock("a.py", "f", 1, "code"),), ()))

    with pytest.raises(ValueError, match="this is no body"):
        read_body(data.replace(b"SourceBlock", b"OtherPart"))
    assert json.loads(data.partition(b"\n")[0])[0][0][""] == "SourceBlock"


def test_an_empty_text_that_has_lost_its_last_sign_is_refused():
    whole = write_body(Body("", (), ()))

    with pytest.raises(ValueError, match="cut short"):
        read_body(whole[:-1])
