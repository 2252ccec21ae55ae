"""YAML with exact decimals and line numbers."""

from decimal import Decimal

import pytest

from site_builder.errors import SiteError
from site_builder.project.yaml_reader import read_scalar, read_yaml


def test_a_decimal_stays_as_it_was_written():
    assert read_yaml("p: 0.1000000000000000055511151231257827", "x").data["p"] == Decimal(
        "0.1000000000000000055511151231257827"
    )


def test_a_clock_time_and_a_number_that_begins_with_a_zero_are_text():
    assert read_yaml("at: 12:30", "x").data == {"at": "12:30"}
    assert read_yaml("tags: [007, 0, 0x1F, -1_000]", "x").data == {"tags": ["007", 0, 31, -1000]}


def test_every_key_knows_its_line_in_the_file():
    reading = read_yaml("a: 1\nb:\n  c: [1,\n    2]\n  d: 3\n", "x", first_line=10)

    lines = [reading.place(*path).line for path in [("a",), ("b", "c"), ("b", "c", 1), ("b", "d"), ("b", "none", "x")]]

    assert lines == [10, 12, 13, 14, 11]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: [1, 2\n", 3, "not YAML"),
        ("a: 1\nb: c: d\n", 2, "mapping values"),
        ("a: 1\nb: {{ results.main.x }}\n", 2, "a value that begins with a brace"),
        ("a: 1\nb: {{ results.main.x | percent }} of it\nc: 1\n", 2, "a value that begins with a brace"),
        ("a: 1\nb: {% if x %}1{% endif %}\n", 2, "a value that begins with a brace"),
        ("a: 1\na: 2\n", 2, "'a' is set twice"),
        ("a:\n\t- 1\n", 2, "cannot start any token"),
        ("a: !!python/object:os.system x\n", 1, "tag"),
        ("- 1\n", 1, "list of settings"),
        ("a: 2026-13-40\n", 1, "is not a date"),
        ("a: &x [1]\nb: 'open\n", 3, "not YAML"),
        ("a: 1\nb: " + "[" * 60 + "]" * 60, 2, "nested more than 50 levels deep"),
        ("a: 1\nb: &x [*x]\n", 2, "nested more than 50 levels deep"),
        ("a: 1\nb: " + "9" * 5000, 2, "a number of 5,000 digits"),
        ("a: 1\nb: 0x" + "f" * 3990, 2, "a number of 3,992 digits"),
        ('a: 1\nb: "x\\0y"\n', 2, "the character U.0000"),
        ('a: 1\nb: "x\\uFDD0y"\n', 2, "the character U.FDD0"),
    ],
)
def test_a_fault_is_reported_at_its_line(text, line, words):
    with pytest.raises(SiteError, match=words) as caught:
        read_yaml(text, "content/posts/x.md", 1)

    assert caught.value.place.line == line


def test_aliases_that_explode_are_refused():
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]

    with pytest.raises(SiteError, match="more than"):
        read_yaml("\n".join(lines), "x")


@pytest.mark.parametrize(
    ("text", "value"), [("0.6", Decimal("0.6")), ("3/5", "3/5"), ("[2, 4]", [2, 4]), ("rush", "rush"), ("true", True)]
)
def test_a_scalar_of_the_command_line_reads_as_in_yaml(text, value):
    assert read_scalar(text) == value
