"""Values of claims: expressions with a result in them."""

import pytest

from site_builder.posts.claims import add_claim_origins
from site_builder.posts.jinja import PostEnvironment


def origin(value, before="", after=""):
    """The only claim of a text that compares with this value."""
    (found,) = origins_of(f"{before}{{{{ claim('1', {value}) }}}}{after}")
    return found


def origins_of(text):
    environment = PostEnvironment()
    return add_claim_origins(environment.parse(text), environment.lex(text))


@pytest.mark.parametrize(
    ("value", "before", "after"),
    [
        ("x[1:3]", "{% set x = results.a.list %}", ""),
        ("main.grid.at(flips=30)", "{% set main = results.a %}", ""),
        ("every.a.x", "{% set every = results %}", ""),
        ("b", "{% set a, b = results.a.pair %}", ""),
        ("total", "{% set x = results.a.x %}{% set total = x + 1 %}", ""),
        ("x + results.a.x", "{% set x = results.b.x %}{% set x = 50 %}", ""),
        ("x", "{% with x = results.a.x %}", "{% endwith %}"),
        ("v", "{% for k, v in results.a.all %}", "{% endfor %}"),
        ("x", "{% for x in results.a.all %}", "{% endfor %}{% for x in results.b.all %}{% endfor %}"),
    ],
)
def test_a_name_that_stands_for_results_alone_is_a_value_of_a_claim(value, before, after):
    found = origin(value, before, after)

    assert (found.expression, found.message) == (value, "")


@pytest.mark.parametrize(
    ("value", "before"),
    [
        ("0.79", ""),
        ("typed('79')", ""),
        ("x", "{% set x = 5 %}"),
        ("x", "{% set x = x + 1 %}"),
        ("x", "{% set x = results.a.x %}{% set x = 50 %}"),
        ("results.a", "{% set results = 3 %}"),
        ("x", "{% set x %}{{ results.a.x }}{% endset %}"),
    ],
)
def test_a_value_without_a_result_is_refused(value, before):
    found = origin(value, before)

    assert found.message == f"the claim 1 is held against {value}, which comes from no run"
    assert found.cure == "compare it with a result, such as results.<run>.<field>"


def test_what_a_macro_is_given_is_no_value_of_a_claim():
    text = "{% macro held(x) %}{{ claim('50', x) }}{% endmacro %}{{ held(results.a.x) }}"

    (found,) = origins_of(text)

    assert found.message == "the claim 50 is held against x, which comes from no run"


def test_the_text_of_a_claim_is_typed_where_it_stands():
    (found,) = origins_of("{% set x = '5' %}{{ claim(x, results.a.x) }}")

    assert found.message == "the text of a claim has to be typed where it stands"
    assert found.cure == 'write it in quotes, such as claim("0.64", ...)'


@pytest.mark.parametrize(
    "value", ["x - y", "1 - x", "x * x / y", "(100 * x - 50) / 2", "x[3 - 1] - x[2]", "x.pass - x.at(is=True)"]
)
def test_arithmetic_with_results_is_compared(value):
    assert origin(value, "{% set x = results.a.x %}{% set y = results.b.x %}").message == ""
