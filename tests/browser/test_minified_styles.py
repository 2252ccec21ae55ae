"""The stylesheets of the default theme, minified, have the rules that a browser reads in their sources."""

import re

import pytest

from site_builder.site.theme import minified
from tests.conftest import ROOT

STYLES = sorted((ROOT / "templates/assets").glob("*.css"), key=lambda path: path.name)
RULES = """text => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return [...sheet.cssRules].map(rule => rule.cssText)
}"""


@pytest.fixture(scope="module")
def rules(chromium):
    """The rules of a stylesheet as the browser writes them; it keeps the spaces of custom properties as they are."""
    page = chromium.new_page()
    yield lambda text: [re.sub(r"\s+|(?<=,)", " ", rule).replace(" ,", ",") for rule in page.evaluate(RULES, text)]
    page.close()


@pytest.mark.parametrize("style", STYLES, ids=lambda path: path.name)
def test_a_minified_stylesheet_has_the_rules_of_its_source(rules, style):
    source = style.read_text("utf-8")

    found = minified(style.name, source.encode()).decode()

    assert len(found) < len(source)
    assert rules(found) == rules(source)
