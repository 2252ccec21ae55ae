"""Where a match may begin, and with which characters."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexers import get_lexer_by_name

from site_builder.markup.regex_first_chars import ASCII, beginnings, begins_a_line

LANGUAGES = ["python", "js", "bash", "html", "c", "rust", "haskell", "css", "sql", "tex", "toml", "r", "julia"]
PATTERNS = sorted(
    {
        (rule[0].__self__.pattern, rule[0].__self__.flags)
        for language in LANGUAGES
        for rules in get_lexer_by_name(language)._tokens.values()
        for rule in rules
    }
)


@pytest.mark.parametrize(
    ("pattern", "characters"),
    [
        ("abc", "aA"),
        ("a?b", "aAbB"),
        ("(?:a|bc|)d", "aAbBdD"),
        ("[0-3_]+x", "0123_"),
        (r"^\b(?=x)1", "1"),
        (r"\d", "0123456789"),
        (r"(?i)(a|[b])\1", "aAbB"),
        (r"\s+", " \t\n\r\f\v\x1c\x1d\x1e\x1f"),
    ],
)
def test_the_characters_are_those_that_stand_first(pattern, characters):
    assert beginnings(re.compile(pattern)) == set(characters)


@pytest.mark.parametrize("pattern", ["a*", "", "(?=x)", r"(a)?\1x", ".", "(?:a|)"])
def test_a_match_that_may_be_empty_or_anything_begins_with_any_character(pattern):
    assert beginnings(re.compile(pattern)) == ASCII


@pytest.mark.parametrize(("pattern", "text"), [("ſ", "s"), ("K", "k"), ("[Ā-ſ]", "S"), ("ı", "i"), ("[^a]", "A")])
def test_letters_that_are_equal_cases_apart_may_begin_a_match(pattern, text):
    ignoring_case = re.compile(pattern, re.IGNORECASE)

    assert text in beginnings(ignoring_case) or not ignoring_case.match(text)


@given(st.text(st.sampled_from("abeifrxRB019_ \n\t'\"`#$%{}[]()<>=!\\/&|*-+.:;,@^~ſé"), min_size=1, max_size=8))
def test_no_match_of_a_rule_begins_otherwise(text):
    matching = [rule for rule in PATTERNS if re.compile(*rule).match(text)]

    assert all(text[0] in beginnings(re.compile(*rule)) for rule in matching if text[0] in ASCII)


@pytest.mark.parametrize(
    ("pattern", "does"),
    [
        ("^a", True),
        (r"\Aa", True),
        ("(?m)(^[ ]*)(a)", True),
        ("a", False),
        ("^a|b", False),
        ("(?:^)?a", False),
        ("", False),
    ],
)
def test_a_pattern_begins_a_line_when_all_of_its_matches_do(pattern, does):
    assert begins_a_line(re.compile(pattern)) is does


@given(st.text(st.sampled_from("abeifrxRB019_ \t'\"`#$%{}[]()<>=!\\/&|*-+.:;,@^~ſé"), min_size=1, max_size=8))
def test_no_rule_that_begins_a_line_matches_within_one(text):
    beginning = [rule for rule in PATTERNS if begins_a_line(re.compile(*rule))]

    assert beginning
    assert not [rule for rule in beginning for at in range(1, len(text)) if re.compile(*rule).match(text, at)]
