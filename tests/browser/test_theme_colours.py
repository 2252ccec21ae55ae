"""The colours that browsers derive from those of `theme:`: text can be read on every ground."""

import re

import pytest

from site_builder.project.theme_settings import ThemeSettings
from site_builder.site.theme_style import stylesheet
from tests.site.test_stylesheets import contrast, style

THEMES = [
    {"accent": "#00aa55"},
    {"accent": "#00ff00"},
    {"accent": "#0000ff"},
    {"accent": "#000000"},
    {"paper": "#ffffff", "ink": "#555555", "accent": "#767676"},
    {"paper": "#101510", "ink": "#33ff66", "accent": "#ffb000"},
    {"paper": "#0b0b0b"},
    {"dark": {"paper": "#222244", "ink": "#ffffff", "accent": "#ffff00"}},
]
GROUNDS = ("paper", "panel", "warm-panel")
COLOURS = """names => {
    const canvas = document.createElement('canvas').getContext('2d')
    return names.map(name => {
        document.body.style.color = `var(--${name})`
        canvas.fillStyle = getComputedStyle(document.body).color
        canvas.fillRect(0, 0, 1, 1)
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
    })
}"""


@pytest.fixture(scope="module")
def page(chromium):
    page = chromium.new_page()
    yield page
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("settings", THEMES)
def test_all_text_has_a_contrast_of_four_and_a_half_on_paper_and_panels(page, settings, scheme):
    page.emulate_media(color_scheme=scheme)
    fonts = re.compile(r"@font-face \{.*?\}", re.DOTALL)
    sheets = fonts.sub("", style("style.css")), stylesheet(ThemeSettings.model_validate(settings))
    page.set_content("".join(f"<style>{sheet}</style>" for sheet in sheets))
    names = [*GROUNDS, "ink", "accent", "soft", "warm"]

    drawn = page.evaluate(COLOURS, names)

    colours = {name: f"#{red:02x}{green:02x}{blue:02x}" for name, (red, green, blue) in zip(names, drawn, strict=True)}
    # WCAG 2.2, criterion 1.4.3 (AA): at least 4.5 to 1 for text of ordinary size.
    assert min(contrast(colours[name], colours[each]) for name in names[3:] for each in GROUNDS[:2]) >= 4.5
    assert contrast(colours["warm"], colours["warm-panel"]) >= 4.5
