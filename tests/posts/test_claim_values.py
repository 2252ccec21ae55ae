"""Values of claims: what they may be made of, and how they are written without the names of a post."""

import pytest

from site_builder.posts.claims.origins import add_claim_origins
from site_builder.posts.jinja import PostEnvironment


def origin(value, before=""):
    """The only claim of a text that compares with this value."""
    (found,) = add_claim_origins(PostEnvironment().parse(f"{before}{{{{ claim('1', {value}) }}}}"))
    return found


@pytest.mark.parametrize(
    ("value", "before", "text"),
    [
        ("results.a.x", "", "results.a.x"),
        ("results['a-b'].cells[3]", "", "results['a-b'].cells[3]"),
        ("x[1:3]", "{% set x = results.a.list %}", "results.a.list[1:3]"),
        ("main.grid.at(flips=30, score=-10)", "{% set main = results.a %}", "results.a.grid.at(flips=30, score=-10)"),
        ("results.a.grid.along(p=3/10).at(q='x')", "", "results.a.grid.along(p=3 / 10).at(q='x')"),
        ("results.a.cells[k - 1]", "{% set k = 3 %}", "results.a.cells[3 - 1]"),
        ("1 - results.a.x / 100", "", "1 - (results.a.x / 100)"),
        ("100 * x", "{% set x = results.a.x - results.b.x %}", "100 * (results.a.x - results.b.x)"),
        ("results.a.rows | map(attribute='left') | list | last", "", None),
        ("results.a.ties | select('lt', 17) | list", "", "results.a.ties | select('lt', 17) | list"),
        ("b", "{% set a, b = results.a.pair %}", "results.a.pair[1]"),
        ("x", "{% with x = results.a.x %}", None),
        ("x", "{% for x in results.a.all %}", "results.a.all[…]"),
        ("v", "{% for k, v in results.a.all %}", "results.a.all[…][1]"),
        ("[results.a.x, results.b.x]", "", "[results.a.x, results.b.x]"),
        ("every.a.x", "{% set every = results %}", "results.a.x"),
    ],
)
def test_a_claim_is_compared_with_values_of_results_and_simple_arithmetic(value, before, text):
    end = {"{% with": "{% endwith %}", "{% for ": "{% endfor %}"}.get(before[:7], "")
    (found,) = add_claim_origins(PostEnvironment().parse(f"{before}{{{{ claim('1', {value}) }}}}{end}"))

    assert found.message == ""
    if text is not None:
        assert found.value == text


@pytest.mark.parametrize(
    ("value", "before", "reason"),
    [
        ("results.a.x + 0.01", "", "in which 0.01 is typed"),
        ("(10 * results.a.x) | round / 10", "", "which uses the filter round"),
        ("results.a.x * 0 + 50", "", "in which 0 is typed"),
        ("results.a.x + 79 / 100", "", "which calculates with typed numbers alone"),
        ("results.a.x + 101", "", "in which 101 is typed"),
        ("0.79", "", "in which 0.79 is typed"),
        ("3", "", "which comes from no run"),
        ("[results.a.x, 5]", "", "which comes from no run"),
        ("results.a.x if results.a.y else 2", "", "which chooses with if"),
        ("results.a.all | map('round') | list", "", "which uses the filter map with a filter in it"),
        ("results.a.all | sum", "", "which uses the filter sum"),
        ("results.a.x ** 2", "", "which is no plain value of a result"),
        ("results.a.x ~ 'a'", "", "which is no plain value of a result"),
        ("typed('79')", "", "which calls typed"),
        ("results.a.word.upper()", "", "which calls upper"),
        ("x", "{% set x = 5 %}", "which comes from no run"),
        ("x", "{% set x = results.a.x %}{% set x = 50 %}", "and x is set in more than one place"),
        ("n.x", "{% set n = namespace(x=results.a.x) %}", "which calls namespace"),
        ("x[0]", "{% set x = results.a.all | list %}{% do x.append(50) %}", "and x is set in more than one place"),
        ("x", "{% set x %}{{ results.a.x }}{% endset %}", "and x is not what one {% set %} or {% for %} gives"),
        ("x", "{% set x = x + results.a.x %}", "and x is not what one {% set %} or {% for %} gives"),
        ("results.a", "{% set results = 3 %}", "which comes from no run"),
    ],
)
def test_a_value_that_an_author_could_adjust_is_refused(value, before, reason):
    found = origin(value, before)

    assert found.message.endswith(reason)
    assert found.cure.startswith(("let the solver return the value", "compare it with a result"))


def test_what_a_macro_is_given_is_no_value_of_a_claim():
    text = "{% macro held(x) %}{{ claim('50', x) }}{% endmacro %}{{ held(results.a.x) }}"

    (found,) = add_claim_origins(PostEnvironment().parse(text))

    assert found.message == "the claim 50 is held against x, and x is not what one {% set %} or {% for %} gives"


def test_the_text_of_a_claim_is_typed_where_it_stands():
    found = add_claim_origins(PostEnvironment().parse("{% set x = '5' %}{{ claim(x, results.a.x) }}"))[0]

    assert found.message == "the text of a claim has to be typed where it stands, and x is not"
    assert found.cure == 'write it in quotes, such as claim("0.64", ...)'
