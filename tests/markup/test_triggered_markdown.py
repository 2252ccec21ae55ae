"""Markdown whose processors are tried at their triggers gives what plain Python-Markdown gives, to the byte."""

from dataclasses import replace
from pathlib import Path
from unittest import mock

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown.blockparser import BlockParser
from markdown.treeprocessors import InlineProcessor
from pymdownx.highlight import HighlightExtension

from site_builder.markup import triggered_markdown
from site_builder.markup.markdown import _MARKS, _converter, convert
from site_builder.values.language import ENGLISH

with mock.patch.multiple(triggered_markdown, VERSION="another", CodeHighlighting=HighlightExtension):
    PLAIN = _converter.__wrapped__((*_MARKS, "pymdownx.magiclink", "pymdownx.emoji"), (), tuple(ENGLISH.quotes))

ROOT = Path(__file__).resolve().parents[2]

# Every feature of docs/post-language.md, and what is easily mistaken for one: a name after @, then the text.
FILE = (Path(__file__).parent / "markdown_samples.txt").read_text("utf-8")
SAMPLES = dict(sample.rstrip("\n").split("\n", 1) for sample in FILE.removeprefix("@ ").split("\n@ ")) | {
    "tokens": (
        '\ufdd01\ufdd1 *\ufdd02\ufdd1* "\ufdd03\ufdd1" \ufdd04\ufdd1\'s\n\n\ufdd05\ufdd1\n\n'
        "## A \ufdd06\ufdd1 b\n\n| a |\n|---|\n| \ufdd07\ufdd1 |"
    ),
    "control characters": "a\x02b\x03 \x02klzzwxh:0000\x03 \x02wzxhzdk:0\x03 \x0242\x03 *x*",
    "a tab": "text\n\n\tcode\n\n-\titem",
    "nothing": "  \n\n",
}


def converted(text, plain=False):
    """The conversion with its loose notes in a fixed order: errors about them are sorted by their lines."""
    with mock.patch("site_builder.markup.markdown._converter", (lambda *_: PLAIN) if plain else _converter):
        made = convert(text)
    return replace(made, loose_notes=sorted(made.loose_notes))


def test_the_loops_are_those_of_the_version_that_the_project_is_tested_with():
    wanted = (ROOT / "constraints.txt").read_text("utf-8").splitlines()

    assert f"Markdown=={triggered_markdown.VERSION}" in wanted
    assert markdown.__version__ == triggered_markdown.VERSION
    made, notes = _converter((), (), tuple(ENGLISH.quotes))
    assert type(made.parser) is not BlockParser
    assert notes.parser is made.parser
    assert InlineProcessor not in {type(made.treeprocessors[name]) for name in ("inline", "smarty")}


def test_with_another_version_the_loops_of_the_library_run():
    plain, _ = PLAIN

    assert type(plain.parser) is BlockParser
    assert {type(plain.treeprocessors[name]) for name in ("inline", "smarty")} == {InlineProcessor}


def posts():
    return sorted((ROOT / "content").rglob("*.md"))


@pytest.mark.parametrize("text", SAMPLES.values(), ids=SAMPLES.keys())
def test_every_feature_is_converted_as_by_plain_markdown(text):
    assert converted(text) == converted(text, plain=True)


@pytest.mark.parametrize("path", posts(), ids=lambda path: path.stem)
def test_the_posts_are_converted_as_by_plain_markdown(path):
    text = path.read_text("utf-8")

    assert converted(text) == converted(text, plain=True)


def test_a_text_comes_out_the_same_whatever_was_converted_before():
    alone = {name: convert(text) for name, text in SAMPLES.items()}

    again = {name: convert(text) for name, text in reversed(SAMPLES.items())}

    assert again == alone


PIECES = [line for text in SAMPLES.values() for line in text.split("\n")]
SIGNS = st.text(st.sampled_from("*_`[]()!<>&\\\"'-.|#:{}=+?~^\n    ab1@w\x02\x03\ufdd0\ufdd1"), max_size=60)


@given(st.lists(st.one_of(st.sampled_from(PIECES), SIGNS), max_size=12).map("\n".join))
def test_any_mix_of_lines_is_converted_as_by_plain_markdown(text):
    assert converted(text) == converted(text, plain=True)


@given(st.lists(st.sampled_from(list(SAMPLES.values())), max_size=4).map("\n\n".join))
def test_any_mix_of_features_is_converted_as_by_plain_markdown(text):
    assert converted(text) == converted(text, plain=True)
