"""What Jinja finds wrong is said in our words, with what to write instead."""

import pytest
from jinja2 import Environment, TemplateSyntaxError

from site_builder.markup.jinja_text import syntax_error

ENVIRONMENT = Environment()
NAMES = {"filters": ["number", "percent", "fraction"], "tests": ["even", "odd"]}


@pytest.mark.parametrize(
    ("text", "message", "cure"),
    [
        ("{{ 5 | percentage }}", "there is no filter 'percentage'", "did you mean 'percent'?"),
        ("{{ 5 | numbr }}", "there is no filter 'numbr'", "did you mean 'number'?"),
        ("{{ 5 is evn }}", "there is no test 'evn'", "did you mean 'even'?"),
        ("{% if 1 %}x", "{% if %} is never closed", "close it with {% endif %}"),
        ("{% if 1 %}{% endfor %}", "{% endfor %} stands within {% if %}", "with {% endif %}"),
        ("{% endfor %}", "{% endfor %} closes nothing", "{% for … %}"),
        ("{% fro x in y %}", "there is no statement {% fro %}", "did you mean 'for'?"),
        ("{# a", "missing end of comment tag", "all that begins is closed"),
        ("{{ a b }}", "expected token 'end of print statement', got 'b'", "{{ … }} takes one expression"),
        ("In a shell {{1..3},{7..9}} counts", "expected", "write `…` around braces that are code"),
        ("and {% is a percentage.", "", "`…` around braces"),
    ],
)
def test_an_error_of_jinja_has_a_cure_of_ours(text, message, cure):
    with pytest.raises(TemplateSyntaxError) as caught:
        ENVIRONMENT.from_string(text)
    found = syntax_error(caught.value.message, NAMES)

    assert message in found[0]
    assert cure in found[1]
