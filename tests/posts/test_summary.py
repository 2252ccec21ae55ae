"""Briefs as bytes and back."""

import json
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.errors import Place
from site_builder.markup.placeholders import Inline
from site_builder.posts.links import Link
from site_builder.posts.summary import PostSummary, json_values
from site_builder.project.front_matter import PuzzleCredit
from site_builder.project.yaml_reader import read_yaml
from site_builder.values.json_records import from_json, to_json
from tests.support.sites import brief

TEXTS = st.text() | st.sampled_from(["", "größe", "\U0001f600", "\u2028", "\x00", '"\\', "\n"])
ZONES = st.none() | st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.builds(
    lambda moment, zone: moment.replace(tzinfo=zone, fold=0),
    st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29)),
    ZONES,
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**4000), 10**4000)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=12)
WORDS = st.lists(TEXTS, max_size=3).map(tuple)
LINKS = st.builds(Link, TEXTS, TEXTS, TEXTS, st.booleans(), st.lists(st.integers(1, 99), max_size=2).map(tuple))
BRIEFS = st.builds(
    brief,
    TEXTS,
    path=TEXTS,
    is_page=st.booleans(),
    is_draft=st.booleans(),
    date=st.none() | MOMENTS,
    updated=st.none() | MOMENTS,
    title=st.builds(Inline, TEXTS, TEXTS),
    puzzle=st.none() | st.builds(PuzzleCredit, name=TEXTS, source=TEXTS, published=st.none() | MOMENTS),
    tags=WORDS,
    aliases=WORDS,
    toc=st.none() | st.booleans(),
    extra=st.dictionaries(TEXTS, VALUES, max_size=3),
    lines=st.dictionaries(TEXTS, st.integers(1, 99), max_size=3),
    anchors=WORDS,
    links=st.lists(LINKS, max_size=3).map(tuple),
    solvers=st.dictionaries(TEXTS, st.booleans(), max_size=2),
    figures=st.lists(st.tuples(TEXTS, TEXTS), max_size=2).map(tuple),
)


def told(value):
    """A value with the kind of everything in it: True is not 1, and 1.0 is not 1.00."""
    return repr(value)


@given(BRIEFS)
def test_a_brief_comes_back_as_it_was_written(written):
    found = from_json(PostSummary, to_json(written))

    assert found == written
    assert told(found.extra) == told(written.extra)


@given(BRIEFS)
def test_a_brief_is_one_line(written):
    assert b"\n" not in to_json(written)


# What templates are given for each way of writing a value under `extra:`.
WRITTEN = {
    "12": 12,
    "0x1F": 31,
    "1.10": 1.1,
    "yes": True,
    "~": None,
    "2026-03-01": "2026-03-01",
    "2026-03-01T10:00:00Z": "2026-03-01 10:00:00+00:00",
    "[1, [a, {b: 2.0}]]": [1, ["a", {"b": 2.0}]],
    "{1: x}": {"1": "x"},
    "9" * 3000: 10**3000 - 1,
}


@pytest.mark.parametrize("text", WRITTEN, ids=lambda text: text[:30])
def test_templates_are_given_values_of_json(text):
    extra = read_yaml(f"x: {text}", "a.md").data

    found = from_json(PostSummary, to_json(brief(extra=json_values(extra)))).extra

    assert told(found) == told({"x": WRITTEN[text]})


OTHERS = {
    "no JSON": b"\xff\xfe",
    "cut short": to_json(brief())[:-9],
    "nothing": b"null",
    "without fields": b"[]",
    "a field more": json.dumps([*json.loads(to_json(brief())), 1]).encode(),
    "a number for a text": to_json(brief("new")).replace(b'"posts/new/"', b"7"),
}


@pytest.mark.parametrize("data", OTHERS.values(), ids=OTHERS)
def test_what_another_version_wrote_is_refused(data):
    with pytest.raises(ValueError):  # noqa: PT011 - in pydantic's words, or our own
        from_json(PostSummary, data)


def test_a_brief_tells_the_lines_of_its_addresses():
    found = brief("new", aliases=("old/",))._replace(lines={"address": 3, "old/": 5})

    assert found.addresses() == [
        ("posts/new/", Place("content/posts/new.md", 3)),
        ("old/", Place("content/posts/new.md", 5)),
    ]


def test_what_has_no_line_is_told_at_the_head_of_the_file():
    assert brief("new").place("tags") == Place("content/posts/new.md", 1)
