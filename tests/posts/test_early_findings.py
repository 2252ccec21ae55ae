"""Fields that a post shows and no check returns, and wrong names: known before anything is solved."""

from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from site_builder.errors import Place
from site_builder.posts.findings import early_errors, early_findings
from site_builder.project.posts import read_post
from site_builder.solving.catalog import SolverDescription
from site_builder.solving.checks.description import CheckDescription
from site_builder.solving.plan import PlannedRun, Solve

CHECKS = {"check_a": CheckDescription("A", (), ("a",)), "check_law": CheckDescription("A law", ("b",), ())}
KINDS = dict.fromkeys(("a", "b", "n"), "")
DESCRIPTION = SolverDescription("game", "A game.", "solvers/game.py", {}, KINDS, CHECKS)


def names(body, description=DESCRIPTION, title="A title", **more):
    solves = (Solve("game", b""),)
    run = PlannedRun("a", "main", "game", Place("a", 4), {"n": 3}, solves, {}, (), description, True, **more)
    text = f'---\ntitle: "{title}"\ndate: 2026-03-01\n---\n{body}'
    found = early_findings(read_post(text.encode(), PurePosixPath("posts/a.md"), "content/posts/a.md"), [run])
    assert all(each.line == 4 for each in found)
    return [each.name for each in found]


def test_a_field_that_no_check_returns_is_a_finding():
    body = (
        "{{ results.main.a }} of {{ results.main.n }}, {{ (2 * results.main.b) | number(2) }} {{ results.main.checks }}"
    )

    assert names(body) == ["results.main.b"]
    assert names("{% set main = results.main %}{{ main.b }}") == ["results.main.b"]
    assert names("Text", title="{{ results.main.b }}") == ["results.main.b"]


@pytest.mark.parametrize(
    "body",
    [
        "{% if results.main.a %}{{ results.main.b }}{% endif %}",
        "{{ results.main.b if results.main.a else 0 }}",
        "`{{ '{{' }} results.main.b }}` and {# {{ results.main.b }} #}",
        "{{ results.main.c }}",
        "{{ results.main.b",
    ],
    ids=["a branch", "a condition", "code", "no field", "an error"],
)
def test_what_may_not_be_shown_or_is_another_error_is_none(body):
    assert names(body) == []


def test_nothing_is_known_of_a_check_that_does_not_write_out_its_fields_nor_of_a_game():
    for name in ("check_b", "game"):
        checks = CHECKS | {name: CheckDescription("B", (), None)}
        assert names("{{ results.main.b }}", replace(DESCRIPTION, checks=checks)) == []


def test_a_field_with_a_reason_is_no_finding():
    assert names("{{ results.main.b }}", unchecked={"b.first": "nobody knows"}) == []


def errors(body, description=DESCRIPTION, **more):
    solves = (Solve("game", b""),)
    run = PlannedRun("a", "main", "game", Place("a", 4), {"n": 3}, solves, {}, (), description, True)
    post = read_post(f"---\ntitle: T\ndate: 2026-03-01\n---\n{body}".encode(), PurePosixPath("posts/a.md"), "a.md")
    return [f"{each.place}: {each.message}" for each in early_errors(post, [replace(run, **more)])]


def test_names_that_do_not_exist_are_errors_at_their_lines():
    body = "{{ results.main.a }}\n\n{{ results.mian.a }} {{ results.main.c }} {{ results.main.figures.x }}"

    assert errors(body) == ["a.md:7: there is no run named 'mian'", "a.md:7: result 'main' has no 'c'"]
    assert errors("{{ results.main.b }}", axes={"n": (1, 2)}, keep=("a",)) == ["a.md:5: result 'main' has no 'b'"]
    assert errors("{{ results.main.n }} {{ results.main.a }}", axes={"n": (1, 2)}, keep=("a",)) == []


def test_what_jinja_cannot_read_is_an_error():
    assert errors("A\n\n{% if 1 %}") == ["a.md:7: {% if %} is never closed"]
    assert errors("A\n\n{{ 2 * results.main.a | percent }}")[0].startswith("a.md:7: the filter percent stands after")


@pytest.mark.parametrize(
    "body",
    [
        "{{ results.main.c | default(1) }}",
        "{{ results.main.c if results.main.c is defined else 2 }}",
        "{% if results.main.n > 3 %}{{ results.main.c }}{% endif %}",
        "{{ results.main.a | some_filter_of_an_extension }}",
        "{{ results.main.checks | length }}{{ results.main.parameters.n }}",
    ],
)
def test_a_name_that_need_not_exist_is_none(body):
    assert errors(body) == []


def test_nothing_is_said_of_names_of_a_result_that_shows_only_once_it_is_there():
    assert errors("{{ results.main.c }}", replace(DESCRIPTION, result_fields=None)) == []
