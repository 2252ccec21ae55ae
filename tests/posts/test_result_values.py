"""Values know the fields that they come from, by which numbers that nothing confirms are marked."""

import re
from fractions import Fraction

import pytest

from site_builder.errors import Place, SiteError
from site_builder.markup.placeholders import Placeholders
from site_builder.posts.jinja import PostEnvironment, render
from site_builder.posts.result_values import results_value, sources_of, with_values
from site_builder.values.records import Record

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


FIELDS = {"x": Fraction(1, 2), "n": 3, "list": (4, 5, 6), "pair": (7, 8), "rows": ((1, "a"), (2, "b")), "by": {"k": 9}}
RUNS = {name: Record({**FIELDS, "parameters": Record({"p": 1})}, f"result '{name}'") for name in "ab"}


def seen(body):
    """The sources, name and printed value of each value that a text hands to a function."""
    found = []

    @with_values
    def see(value):
        found.append((sorted(sources_of(value)), getattr(value, "name", ""), str(value)))
        return ""

    render(PostEnvironment(), body, Place("a.md", 1), {"results": results_value(RUNS), "see": see}, Placeholders())
    return found


@pytest.mark.parametrize(
    ("written", "name", "value"),
    [
        ("results.a.x", "results.a.x", "1/2"),
        ("results['a'].list[2]", "results.a.list[2]", "6"),
        ("results.a.by.k", "results.a.by.k", "9"),
        ("results.a.list[1:]", "", "(5, 6)"),
        ("100 * results.a.x", "", "50"),
        ("-results.a.n", "", "-3"),
        ("1 / results.a.n", "", "1/3"),
        ("[results.a.n, 2] | sum", "", "5"),
        ("results.a.x | percent", "", "50%"),
        ("results.a.list | map('number', 1) | join(' ')", "", "4.0 5.0 6.0"),
        ("range(results.a.n) | last", "", "2"),
        ("results.a.by.get('k')", "", "9"),
        ("(results.a.n if results.a.n > 2 else 0)", "results.a.n", "3"),
        ("('n' ~ results.a.n) if results.a.n in [3] else 0", "", "n3"),
    ],
)
def test_a_value_keeps_its_sources_through_what_a_text_does_with_it(written, name, value):
    ((sources, found, printed),) = seen(f"{{{{ see({written}) }}}}")

    assert (found, printed) == (name, value)
    assert len(sources) == ("~" not in written)
    assert all(source.startswith("results.a.") for source in sources)


@pytest.mark.parametrize(
    ("body", "sources"),
    [
        ("{% set x = results.a.x %}{{ see(x + 1) }}", ["results.a.x"]),
        ("{% set a, b = results.a.pair %}{{ see(b) }}", ["results.a.pair"]),
        ("{{ see(results.a.x + results.b.n) }}", ["results.a.x", "results.b.n"]),
        ("{% for number, word in results.a.rows[:1] %}{{ see(number) }}{% endfor %}", ["results.a.rows"]),
        ("{% macro held(x) %}{{ see(x) }}{% endmacro %}{{ held(results.a.x) }}", ["results.a.x"]),
        ("{% set all = [] %}{% do all.append(results.a.x) %}{{ see(all[0]) }}", ["results.a.x"]),
        ("{% set ns = namespace(x=results.a.x) %}{% set ns.x = ns.x + 1 %}{{ see(ns.x) }}", ["results.a.x"]),
        ("{{ see(dict(x=results.a.x).x) }}", ["results.a.x"]),
        ("{{ see(results.a.parameters.p) }}", ["results.a.parameters.p"]),
        ("{% set x = results.a.x %}{% set x = 50 %}{{ see(x) }}", []),
        ("{{ see(0.79) }}", []),
    ],
)
def test_names_loops_and_macros_hand_on_what_a_value_comes_from(body, sources):
    ((found, _, _),) = seen(body)

    assert found == sources


def test_values_are_compared_and_looked_up_as_what_they_are():
    body = (
        "{% if results.a.n == 3 and 2 < results.a.n <= results.b.n and results.a.n is odd %}{{ see('yes') }}{% endif %}"
    )

    assert seen(body + "{{ see({3: 'three'}[results.a.n]) }}") == [([], "", "yes"), (["results.a.n"], "", "three")]


def test_a_text_is_looked_for_in_a_list_and_not_in_a_text():
    assert seen("{{ see('yes') if results.a.rows[0][1] in ['a', 'b'] }}") == [([], "", "yes")]
    with pytest.raises(SiteError) as raised:
        seen("{{ see('yes') if results.a.rows[0][1] in 'ab' }}")

    assert raised.value.message == "a text is looked for in another text"
    assert raised.value.cure == 'write a list: results.<run>.<field> in ["A", "B"]'


@pytest.mark.parametrize(
    "body",
    [
        "{% do results.a.by.update(k=1) %}",
        "{% for each in [results.a.by] %}{% do each.pop('k') %}{% endfor %}",
        "{% do results.a.by['update']({'k': 1}) %}",
        "{% do (results.a.by | attr('update'))({'k': 1}) %}",
        "{% do ([results.a.by] | map(attribute='update') | first)({'k': 1}) %}",
        "{% set change = results.a.by.update %}{% do change(k=1) %}",
    ],
)
def test_a_text_cannot_change_a_mapping_of_a_result(body):
    with pytest.raises(SiteError, match=r"would change a result, results\.a\.by") as raised:
        seen(body)

    assert raised.value.cure == "write a new mapping, such as dict(table.items(), other=1)"
    assert FIELDS["by"] == {"k": 9}
    with pytest.raises(SiteError, match="not allowed in a post"):
        seen("{% do dict.update(results.a.by, {'k': 1}) %}")
    assert seen("{% set by = dict(results.a.by.items(), m=1) %}{{ see(by.k) }}") == [(["results.a.by"], "", "9")]
    assert seen("{% set own = {} %}{% do own.update(k=results.a.n) %}{{ see(own.k) }}") == [
        (["results.a.n"], "results.a.n", "3")
    ]


def test_a_number_that_a_loop_takes_from_an_unconfirmed_field_is_marked(project):
    html, _ = page(project, "{% for each in [results.main.sum, results.main.square] %}{{ each }} {% endfor %}")

    assert re.findall(r'<mark class="unconfirmed"[^>]*>(.*?)</mark>', html) == ["9"]
