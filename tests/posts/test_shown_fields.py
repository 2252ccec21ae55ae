"""Numbers that nothing confirms are marked where they stand, and named at the top of the page."""

import re

SOLVER = '''"""A sum."""


def solve(n: int = 3):
    return {"sum": 6, "square": 9}


def check_sum(n):
    """1 + 2 + 3"""
    return {"sum": 1 + 2 + 3}
'''
FRONT = "solver: summing\n"


def page(project, body, front=FRONT):
    project.write("solvers/summing.py", SOLVER)
    project.post(body, front=front)
    said = project.build().err
    return project.page("posts/ruin/index.html"), said


def test_an_unconfirmed_number_is_marked_and_named_at_the_top_of_the_page(project):
    html, said = page(
        project, "{% set main = results.main %}{{ results.main.sum }} {{ results.main.square }} {{ main.square }}"
    )

    marks = re.findall(r'<mark class="unconfirmed"[^>]*>(.*?)</mark>', html)
    assert marks == ["9", "9"]
    assert "Draft: 1 number here is not confirmed by a second method: <code>results.main.square</code>." in html
    assert "results.main.square is not confirmed by a second method" in said
    assert "unchecked: {square: why it is shown all the same}" in said


def test_what_has_no_mark_in_the_text_is_named_at_the_top(project):
    html, _ = page(project, "It is $n = {{ results.main.square }}$.")

    assert "Draft: 1 number here is not confirmed by a second method: <code>results.main.square</code>" in html


def test_a_number_with_a_reason_is_not_marked_and_readers_see_the_reason(project):
    front = f"{FRONT}unchecked: {{square: squares are easy}}\n"

    html, said = page(project, "{{ results.main.square }}", front)

    assert "<mark" not in html
    assert "Draft" not in html
    assert "square (squares are easy)" in html
    assert "not confirmed" not in said


def test_confirmed_numbers_and_parameters_are_not_marked(project):
    html, said = page(project, "{{ results.main.sum }} {{ results.main.n }}")

    assert "<mark" not in html
    assert "not confirmed" not in said


def test_check_refuses_what_build_warns_of(project):
    page(project, "{{ results.main.square }}")

    checked = project.run("check", status=1)

    assert "content/posts/ruin.md:4: results.main.square is not confirmed by a second method" in checked.err
