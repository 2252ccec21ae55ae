"""The stylesheets of templates/assets/: what a reader could not read, or a browser would have to fetch."""

import gzip
import re
from pathlib import Path

import pytest

from site_builder.project.theme_settings import DEFAULT_COLOURS
from site_builder.site.theme import minified

ASSETS = Path(__file__).parents[2] / "templates" / "assets"
FONTS = ASSETS / "fonts"
STYLES = sorted(path.name for path in ASSETS.glob("*.css"))


def style(name: str) -> str:
    return (ASSETS / name).read_text("utf-8")


def colours(text: str) -> dict[str, tuple[str, str]]:
    """Colours by name: the light one and the dark one."""
    pairs = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", text)
    return {name: (light, dark) for name, light, dark in pairs}


def palette() -> dict[str, tuple[str, str]]:
    """The colours that hold where the reader has asked for nothing."""
    return colours("".join(style(name).split("@media (prefers-contrast")[0] for name in STYLES))


def contrast(one: str, other: str) -> float:
    """The ratio of two colours' luminance, 1 to 21. Source: WCAG 2.2, definitions of the two terms."""

    def luminance(colour: str) -> float:
        shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def grounds_and_inks() -> list[tuple[str, str]]:
    names = palette()
    inks = [name for name in names if name in ("ink", "soft", "accent", "warm") or name.startswith("code-")]
    return [(ground, ink) for ground in ("paper", "panel", "warm-panel") for ink in inks]


def test_the_ratio_of_black_to_white_is_the_published_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)  # WCAG 2.2, definition of contrast ratio


@pytest.mark.parametrize(("ground", "ink"), grounds_and_inks())
def test_text_stands_out_from_its_ground_in_light_and_dark(ground, ink):
    # WCAG 2.2, criterion 1.4.3 (AA): at least 4.5 to 1 for text of ordinary size.
    names = palette()

    for scheme in (0, 1):
        assert contrast(names[ground][scheme], names[ink][scheme]) >= 4.5


@pytest.mark.parametrize(("ground", "ink"), [pair for pair in grounds_and_inks() if not pair[1].startswith("code-")])
def test_readers_who_ask_for_more_contrast_get_more_of_it_than_7_to_1(ground, ink):
    # WCAG 2.2, criterion 1.4.6 (AAA): at least 7 to 1.
    asked = style("style.css").split("@media (prefers-contrast: more)")[1].split("\n}\n")[0]
    names = palette() | colours(asked)

    for scheme in (0, 1):
        assert contrast(names[ground][scheme], names[ink][scheme]) >= 7


def test_the_browser_around_a_page_has_the_colour_of_its_paper():
    head = (ASSETS.parent / "_theme.html").read_text("utf-8")

    told = dict(re.findall(r'name="theme-color" data-scheme="(\w+)".* content="\{\{ (.*?) }}"', head))
    assert told == {"light": "site.paper[0]", "dark": "site.paper[1]"}
    assert DEFAULT_COLOURS["paper"] == palette()["paper"]


def test_every_colour_and_size_that_the_styles_use_is_defined_somewhere():
    text = "".join(map(style, STYLES))

    used = set(re.findall(r"var\((--[\w-]+)", text))
    assert used
    scripts = "".join(path.read_text("utf-8") for path in ASSETS.glob("*.js"))
    set_by_scripts = set(re.findall(r'"(--[\w-]+)"', scripts))
    assert used <= set(re.findall(r"(--[\w-]+):", text)) | set_by_scripts


def test_the_styles_load_nothing_but_fonts_of_the_theme():
    text = "".join(map(style, STYLES))

    imported = re.findall(r"@import (.*);", text)
    assert imported == re.findall(r"@import (\".*\.css\");", style("pages.css"))  # whose places they take
    assert {f'"{path.name}"' for path in ASSETS.glob("*.css")} - {*imported} == {'"pages.css"', '"search.css"'}
    addresses = set(re.findall(r"url\(\"(.*?)\"\)", text))
    assert addresses == {f"fonts/{path.name}" for path in FONTS.glob("*.woff2")}
    assert text.count("url(") == text.count('url("fonts/')


def test_the_fonts_are_woff2_files_that_stay_small_and_have_their_licence_beside_them():
    fonts = [path.read_bytes() for path in FONTS.glob("*.woff2")]

    assert {font[:4] for font in fonts} == {b"wOF2"}  # the signature of the WOFF2 file format
    assert sum(map(len, fonts)) <= 120_000
    assert "SIL OPEN FONT LICENSE Version 1.1" in (FONTS / "OFL.txt").read_text("utf-8")


def weight(pattern: str) -> int:
    """The bytes of the files as they travel: minified and compressed."""
    files = [minified(path.name, path.read_bytes()) for path in ASSETS.glob(pattern)]
    return sum(len(gzip.compress(data, 9)) for data in files)


def test_the_styles_of_all_pages_and_the_scripts_of_a_post_stay_small():
    assert 0 < weight("*.css") < 16_500
    apart = {"search.js": 3_300}  # on a page of its own
    apart["guess.js"] = 500  # for posts with a guess alone
    assert weight("*.js") - sum(map(weight, apart)) < 10_500
    assert {name: weight(name) for name in apart if weight(name) > apart[name]} == {}


def test_what_explores_a_figure_weighs_at_most_4_kb():
    assert 0 < weight("explore.js") <= 4_000


@pytest.mark.parametrize("name", STYLES)
def test_a_browser_is_told_how_to_show_text_before_its_font_is_there(name):
    faces = re.findall(r"@font-face \{[^}]*\}", style(name))

    assert all(re.search(r"font-display: (optional|swap);", face) for face in faces)
    assert bool(faces) == (name == "style.css")


def test_the_icon_loads_nothing():
    addresses = re.findall(r"\w+://[^\"]+", style("icon.svg"))

    assert addresses == ["http://www.w3.org/2000/svg"]  # the name of its language, never fetched
