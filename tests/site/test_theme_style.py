"""The colours that `theme:` gives to pages, figures and share cards."""

import pytest

from site_builder.figures.palette import INK, SERIES
from site_builder.figures.share_card import CardColours
from site_builder.project.theme_settings import ThemeSettings
from site_builder.site.theme_style import card_colours, figure_style, stylesheet
from tests.conftest import CONFIG, ROOT


def test_without_a_theme_there_are_no_rules():
    assert stylesheet(ThemeSettings()) == figure_style(ThemeSettings()) == ""
    assert card_colours(ThemeSettings()) == CardColours()


def test_the_stylesheet_sets_properties_for_the_screen_alone():
    sheet = stylesheet(ThemeSettings(accent="#00704a", text_font="Georgia, serif", width="30rem"))

    assert sheet.startswith("@media screen and (not (prefers-contrast: more))")
    assert "--paper: light-dark(#fdfcf9, #15181b);" in sheet
    assert "--warm: var(--accent);" in sheet
    assert "--serif: Georgia, serif;" in sheet
    assert "--measure: 30rem;" in sheet


@pytest.mark.parametrize(
    ("settings", "light", "dark"),
    [
        ({"accent": "#00aa55"}, "#00aa55 min(l, 0.48)", "#00aa55 max(l, 0.75)"),
        ({"accent": "#00704a", "dark": {"accent": "#5fd9a5"}}, "#00704a min(l, 0.48)", "#5fd9a5 max(l, 0.75)"),
        ({"accent": "#ffb000", "paper": "#0c120c"}, "#ffb000 max(l, 0.75)", "#ffb000 max(l, 0.75)"),
        ({"paper": "#ffffff"}, "#0d5c68 min(l, 0.48)", "#79c9d2 max(l, 0.75)"),
    ],
)
def test_an_accent_has_a_lightness_at_which_links_in_it_can_be_read(settings, light, dark):
    sheet = stylesheet(ThemeSettings.model_validate(settings))

    assert f"--accent: light-dark(oklch(from {light} c h), oklch(from {dark} c h));" in sheet


@pytest.mark.parametrize(
    ("settings", "scheme", "ink"),
    [
        ({"paper": "#101010"}, "dark", "#e3dfd6"),
        ({"dark": {"paper": "#ffffff"}}, "light", "#23211d"),
    ],
)
def test_a_site_whose_papers_are_both_dark_or_both_light_has_one_scheme_and_no_switch(settings, scheme, ink):
    theme = ThemeSettings.model_validate(settings)
    paper = settings.get("paper", "#ffffff")

    assert f"color-scheme: {scheme};" in stylesheet(theme)
    assert ".theme-switch { display: none; }" in stylesheet(theme)
    assert f"--paper: light-dark({paper}, {paper});" in stylesheet(theme)
    assert f"--ink: light-dark({ink}, {ink});" in stylesheet(theme)
    assert f":root{{color-scheme:{scheme};" in figure_style(theme)


def test_ink_of_figures_follows_the_theme_and_their_series_do_not():
    rules = figure_style(ThemeSettings(accent="#7000a0", ink="#111144"))

    assert "--ink:light-dark(#111144, #e3dfd6);" in rules
    assert f'[fill="{INK.light}"]:not(.fixed-colours *){{fill:var(--ink)}}' in rules
    assert SERIES[0].light not in rules


def test_an_icon_of_content_is_that_of_the_browser_tab(project):
    (project.root / "templates").unlink()
    icon = project.write("content/own.svg", (ROOT / "templates/assets/icon.svg").read_text("utf-8"))
    project.write("config.yaml", f"{CONFIG}theme: {{icon: own.svg}}\n")
    project.post("Text.\n")

    project.build()

    assert '<link rel="icon" href="../../own.svg">' in project.page("posts/ruin/index.html")
    assert project.files()["own.svg"] == icon.read_bytes()


def test_pages_figures_and_cards_of_a_build_follow_the_theme(project):
    project.post("{{ figure(results.fair.figures.chance) }}\n", front="answer: one half\n")
    config = (project.root / "config.yaml").read_text("utf-8")
    project.build()
    before = project.files()
    project.write("config.yaml", config + 'theme: {accent: "#7000a0", paper: "#ffffff"}\n')
    project.build()
    after = project.files()

    (sheet,) = (data for name, data in after.items() if name.startswith("assets/config."))
    assert b"oklch(from #7000a0 max(l, 0.75) c h)" in sheet
    page = after["posts/ruin/index.html"].decode()
    figures = [name for name in after if name.endswith(".svg") and "/figures/" in name]
    assert len(figures) == 2
    assert not set(figures) & set(before)
    assert all(b"--paper:light-dark(#ffffff," in after[name] for name in figures)
    assert all(name.rpartition("/")[2] in page for name in figures)
    assert 'content="#ffffff"' in page
    assert after["card.png"] != before["card.png"]

    project.write("config.yaml", config)
    project.build()
    assert project.files() == before


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
    assert "come from a program" not in page
    assert '<a href="https://creativecommons.org/licenses/by/4.0/" rel="license">CC BY 4.0</a>' in page
    assert '<a href="https://social.example.org/@me" rel="me">Mastodon</a>' in page
    link = (
        "https://forum.example.org/new?title=Heads%20%26%20tails%3F&amp;body=https%3A//blog.example.org/sub/posts/ruin/"
    )
    assert f'<a href="{link}">Comment on this post</a>' in page
    assert "Comment on this post" not in project.page("index.html")
