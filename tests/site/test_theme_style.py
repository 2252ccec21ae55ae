"""The colours that `theme:` gives to pages, figures and share cards."""

import re

import pytest

from site_builder.figures.canvas.palette import INK, SERIES
from site_builder.project.theme_settings import ThemeSettings
from site_builder.site.theme_style import _DEFAULT, card_colours, colours, figure_style, stylesheet
from site_builder.values.colours import contrast
from tests.conftest import CONFIG, ROOT
from tests.site.test_stylesheets import colours as colours_of
from tests.site.test_stylesheets import palette, style

THEMES = [
    {"accent": "#00704a"},
    {"paper": "#ffffff", "ink": "#767676", "accent": "#767676"},
    {"paper": "#101510", "ink": "#33ff66", "accent": "#ffb000"},
    {"paper": "#0b0b0b"},
    {"dark": {"paper": "#222244", "ink": "#ffffff", "accent": "#ffff00"}},
]


def test_the_defaults_are_the_colours_of_the_stylesheets():
    told = palette() | colours_of(style("code.css"))

    assert {name: told[name] for name in _DEFAULT} == dict(_DEFAULT)


@pytest.mark.parametrize("text", THEMES)
def test_all_text_has_a_contrast_of_four_and_a_half_on_paper_and_panels(text):
    theme = ThemeSettings.model_validate(text)
    for scheme in (0, 1):
        found = colours(theme, scheme)
        for name in ("ink", "accent", "soft", "warm"):
            assert contrast(found[name], found["paper"]) >= 4.5, name
            assert contrast(found[name], found["panel"]) >= 4.5, name
        assert contrast(found["warm"], found["warm-panel"]) >= 4.5


def test_without_a_theme_there_are_no_rules():
    assert stylesheet(ThemeSettings()) == figure_style(ThemeSettings()) == ""
    assert card_colours(ThemeSettings()) is None


def test_the_stylesheet_sets_pairs_for_the_screen_alone():
    sheet = stylesheet(ThemeSettings(accent="#00704a", text_font="Georgia, serif", width="30rem"))

    assert "--accent: light-dark(#00704a, #79c9d2);" in sheet
    assert sheet.startswith("@media screen and (not (prefers-contrast: more))")
    assert "--serif: Georgia, serif;" in sheet
    assert "--measure: 30rem;" in sheet


def test_ink_and_the_first_series_of_figures_follow_the_theme():
    rules = figure_style(ThemeSettings(accent="#7000a0", ink="#111144"))

    assert f'[stroke="{SERIES[0].light}"]{{stroke:light-dark(#7000a0,{SERIES[0].dark})}}' in rules
    assert f'[fill="{INK.light}"]{{fill:light-dark(#111144,{INK.dark})}}' in rules


def test_a_series_like_the_accent_gets_the_colour_of_the_first():
    rules = figure_style(ThemeSettings(accent="#c0500a"))  # the second series is #c8500a

    assert f'[stroke="{SERIES[1].light}"]{{stroke:light-dark({SERIES[0].light},{SERIES[1].dark})}}' in rules


def test_cards_have_the_colours_of_light_mode():
    paper, ink, *_ = card_colours(ThemeSettings(paper="#ffffff", ink="#111111"))

    assert (paper, ink) == ("#ffffff", "#111111")


def test_pages_figures_and_cards_of_a_build_follow_the_theme(project):
    project.post("{{ figure(results.fair.figures.chance) }}\n", front="answer: one half\n")
    config = (project.root / "config.yaml").read_text("utf-8")
    project.build()
    before = project.files()
    project.write("config.yaml", config + 'theme: {accent: "#7000a0", paper: "#ffffff"}\n')
    project.build()
    after = project.files()

    (sheet,) = (data for name, data in after.items() if name.startswith("assets/config."))
    assert b"--accent: light-dark(#7000a0, #79c9d2)" in sheet
    page = after["posts/ruin/index.html"].decode()
    figures = [name for name in after if name.endswith(".svg") and "/figures/" in name]
    assert len(figures) == 2
    assert not set(figures) & set(before)
    assert all(b"light-dark(#7000a0," in after[name] for name in figures)
    assert all(name.rpartition("/")[2] in page for name in figures)
    assert 'content="#ffffff"' in page
    assert after["card.png"] != before["card.png"]

    project.write("config.yaml", config)
    project.build()
    assert project.files() == before


def test_fonts_of_the_project_are_published_and_named_in_the_stylesheet(project):
    (project.root / "templates").unlink()
    font = next((ROOT / "templates/assets/fonts").glob("*.woff2")).read_bytes()
    (project.root / "templates/assets/fonts").mkdir(parents=True)
    (project.root / "templates/assets/fonts/own.woff2").write_bytes(font)
    project.write("config.yaml", f"{CONFIG}theme:\n  fonts: {{Own Sans bold: fonts/own.woff2}}\n")
    project.post("Text.\n")

    project.build()

    sheet = next(text for name, text in project.files().items() if re.fullmatch(r"assets/config\.\w+\.css", name))
    face = re.search(r'@font-face { font-family: "Own Sans"; src: url\("([^"]+)"\); font-weight: 700;', sheet.decode())
    assert project.files()[f"assets/{face[1]}"] == font


def test_the_foot_of_pages_and_the_end_of_posts_follow_the_settings(project):
    (project.root / "templates").unlink()
    project.write(
        "config.yaml",
        f"{CONFIG}footer: A puzzle a week & more.\n"
        "licence: {CC BY 4.0: 'https://creativecommons.org/licenses/by/4.0/'}\n"
        "links: {Mastodon: 'https://social.example.org/@me'}\n"
        "comments: 'https://forum.example.org/new?title={title}&body={url}'\n",
    )
    project.post("Text.\n", title="Heads & tails?")

    project.build()

    page = project.page("posts/ruin/index.html")
    assert "A puzzle a week &amp; more." in page
    assert "are computed when the site is built" not in page
    assert '<a href="https://creativecommons.org/licenses/by/4.0/" rel="license">CC BY 4.0</a>' in page
    assert '<a href="https://social.example.org/@me" rel="me">Mastodon</a>' in page
    link = (
        "https://forum.example.org/new?title=Heads%20%26%20tails%3F&amp;body=https%3A//blog.example.org/sub/posts/ruin/"
    )
    assert f'<a href="{link}">Comment on this post</a>' in page
    assert "Comment on this post" not in project.page("index.html")
