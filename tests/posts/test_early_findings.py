"""Fields that a post shows and no check returns: known before anything is solved."""

from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from site_builder.errors import Place
from site_builder.posts.coverage import early_findings
from site_builder.project.config import Limits
from site_builder.project.posts import read_post
from site_builder.solving.catalog import CheckDescription, SolverDescription
from site_builder.solving.plan import PlannedRun, Solve

CHECKS = {"check_a": CheckDescription("A", (), ("a",)), "check_law": CheckDescription("A law", ("b",), ())}
KINDS = dict.fromkeys(("a", "b", "n"), "")
DESCRIPTION = SolverDescription("game", "A game.", "solvers/game.py", {}, KINDS, CHECKS)


def names(body, description=DESCRIPTION, title="A title", **more):
    solves = (Solve("game", b"", Limits()),)
    run = PlannedRun("a", "main", "game", Place("a", 4), {"n": 3}, solves, {}, (), description, True, **more)
    text = f'---\ntitle: "{title}"\ndate: 2026-03-01\n---\n{body}'
    found = early_findings(read_post(text.encode(), PurePosixPath("posts/a.md"), "content/posts/a.md"), [run])
    assert all(each.line == 4 for each in found)
    return [each.name for each in found]


def test_a_field_that_no_check_returns_is_a_finding():
    body = (
        "{{ results.main.a }} of {{ results.main.n }}, {{ 2 * results.main.b | number(2) }} {{ results.main.checks }}"
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
