"""A filter after arithmetic without brackets is an error, since Jinja applies it to the last operand alone."""

import pytest
from jinja2 import Environment

from site_builder.markup.jinja_text import loose_filter


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{{ 36 * p | round }}", "round"),
        ("{% set a = 2 * b | f %}", "f"),
        ("{{ x[1] - y | f }}", "f"),
        ("{{ g(1 - x | f) }}", "f"),
        ("{{ 2 ** n | f }}", "f"),
    ],
)
def test_a_filter_after_bare_arithmetic_is_found(text, name):
    found = loose_filter(Environment(), f"\n{text}", "a.md")

    assert str(found.place) == "a.md:2"
    assert found.message.startswith(f"the filter {name} stands after arithmetic")


@pytest.mark.parametrize(
    "text",
    [
        "{{ (36 * p) | round }}",
        "{{ 36 * (p | round) }}",
        "{{ -p | abs }}",
        "{{ a ~ b | c }}",
        "{{ g(a * b, c | d) }}",
        "{{ a * b if c | d else 2 }}",
        "{{ x | f + 1 }}",
        "{{ g(1 - x) | f }}",
        "{{ a * b < c | d }}",
    ],
)
def test_a_filter_whose_operand_is_plain_is_none(text):
    assert loose_filter(Environment(), text, "a.md") is None


def test_the_error_says_where_and_what_to_write(project):
    project.post("A line.\n\n{{ 36 * results.fair.half | round }}")

    said = project.build(status=1).err

    assert "content/posts/ruin.md:9: the filter round stands after arithmetic without brackets" in said
    assert "write brackets around what it filters: (36 * p) | round" in said


@pytest.mark.parametrize("factors", ["100 * results.fair.half / 100 * 100", "results.fair.chance[1] * 100"])
def test_a_share_that_is_multiplied_by_100_is_not_written_in_percent(project, factors):
    project.post(f"A line.\n\n{{{{ ({factors}) | percent }}}}")

    said = project.build(status=1).err

    assert "content/posts/ruin.md:9: percent is given a number that is multiplied by 100" in said
    assert "leave out the factor 100" in said


def test_a_value_of_many_times_100_percent_is_none(project):
    project.post("{% set share = 100 * results.fair.half %}{{ share | percent }}")

    said = project.build(status=1).err

    assert "the filter percent cannot write this value: 50 is written as 5,000%" in said
    assert "leave out the factor 100" in said
