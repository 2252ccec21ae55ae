"""Values of claims: expressions with a result in them, and how they are written without the names of a post."""

import pytest

from site_builder.posts.claim_origins import add_claim_origins
from site_builder.posts.jinja import PostEnvironment


def origin(value, before="", after=""):
    """The only claim of a text that compares with this value."""
    (found,) = add_claim_origins(PostEnvironment().parse(f"{before}{{{{ claim('1', {value}) }}}}{after}"))
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
        ("(10 * results.a.x) | round / 10", "", "((10 * results.a.x) | round) / 10"),
        ("100 * x", "{% set x = results.a.x - results.b.x %}", "100 * (results.a.x - results.b.x)"),
        ("results.a.ties | select('lt', 17) | list", "", "results.a.ties | select('lt', 17) | list"),
        ("b", "{% set a, b = results.a.pair %}", "results.a.pair[1]"),
        ("[results.a.x, results.b.x]", "", "[results.a.x, results.b.x]"),
        ("every.a.x", "{% set every = results %}", "results.a.x"),
        ("x + results.a.x", "{% set x = results.b.x %}{% set x = 50 %}", "x + results.a.x"),
    ],
)
def test_the_value_of_a_claim_is_written_with_results_in_place_of_names(value, before, text):
    found = origin(value, before)

    assert (found.value, found.message) == (text, "")


@pytest.mark.parametrize(
    ("value", "before", "after", "text"),
    [
        ("x", "{% with x = results.a.x %}", "{% endwith %}", "results.a.x"),
        ("x", "{% for x in results.a.all %}", "{% endfor %}", "results.a.all[…]"),
        ("v", "{% for k, v in results.a.all %}", "{% endfor %}", "results.a.all[…][1]"),
        ("x", "{% for x in results.a.all %}", "{% endfor %}{% for x in results.b.all %}{% endfor %}", "x"),
    ],
)
def test_the_names_of_with_and_for_are_replaced_too(value, before, after, text):
    assert origin(value, before, after).value == text


@pytest.mark.parametrize(
    ("value", "before"),
    [
        ("0.79", ""),
        ("typed('79')", ""),
        ("x", "{% set x = 5 %}"),
        ("x", "{% set x = x + 1 %}"),
        ("x", "{% set x = results.a.x %}{% set x = 50 %}"),
        ("results.a", "{% set results = 3 %}"),
    ],
)
def test_a_value_without_a_result_is_refused(value, before):
    found = origin(value, before)

    assert found.message == f"the claim 1 is held against {value}, which comes from no run"
    assert found.cure == "compare it with a result, such as results.<run>.<field>"


def test_what_a_macro_is_given_is_no_value_of_a_claim():
    text = "{% macro held(x) %}{{ claim('50', x) }}{% endmacro %}{{ held(results.a.x) }}"

    (found,) = add_claim_origins(PostEnvironment().parse(text))

    assert found.message == "the claim 50 is held against x, which comes from no run"


def test_the_text_of_a_claim_is_typed_where_it_stands():
    found = add_claim_origins(PostEnvironment().parse("{% set x = '5' %}{{ claim(x, results.a.x) }}"))[0]

    assert found.message == "the text of a claim has to be typed where it stands, and x is not"
    assert found.cure == 'write it in quotes, such as claim("0.64", ...)'


@pytest.mark.parametrize(
    "value", ["x - y", "1 - x", "x * x / y", "(100 * x - 50) / 2", "x[3 - 1] - x[2]", "x.pass - x.at(is=True)"]
)
def test_arithmetic_with_results_is_compared(value):
    assert origin(value, "{% set x = results.a.x %}{% set y = results.b.x %}").message == ""
