"""The colours that browsers derive from those of `theme:`: text can be read on every ground."""

import re

import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure

from site_builder.figures.house_style import import_matplotlib
from site_builder.figures.kinds.drawing import Words, drawn_figure
from site_builder.figures.palette import INK
from site_builder.figures.rendered import styled
from site_builder.project.theme_settings import ThemeSettings
from site_builder.site.theme_style import figure_style, stylesheet
from tests.site.test_stylesheets import contrast, style
from tests.support.figures import draw

THEMES = [
    {"accent": "#00aa55"},
    {"accent": "#00ff00"},
    {"accent": "#0000ff"},
    {"accent": "#000000"},
    {"paper": "#f5efe0", "ink": "#333333", "accent": "#d02090"},
    {"accent": "#0066cc"},
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


def test_a_theme_changes_the_colours_of_a_drawing_but_for_its_field_of_values(page):
    with rc_context():
        import_matplotlib()
        axes = Figure().add_subplot(title="Chance")
        axes.imshow([[0, 1], [1, 0]])
        axes.plot([0, 1], [0, 1], color=INK.light)
        svg = draw(drawn_figure(lambda _: axes.figure, False, Words("Chance", "A field."))).svg
    style = figure_style(ThemeSettings.model_validate({"paper": "#ffffee", "ink": "#111144"}))
    page.emulate_media(color_scheme="light")
    page.set_content(styled(svg, style).decode())

    drawn = page.evaluate(
        """ink => [...document.querySelectorAll(`[stroke="${ink}"], [fill="${ink}"]`)].map(each =>
            [!!each.closest('.fixed-colours'), getComputedStyle(each)[each.hasAttribute('stroke') ? 'stroke' : 'fill']])
        """,
        INK.light,
    )

    assert {tuple(each) for each in drawn} == {(True, "rgb(35, 33, 29)"), (False, "rgb(17, 17, 68)")}
