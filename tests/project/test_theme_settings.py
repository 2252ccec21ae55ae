"""`theme:` in config.yaml: what is taken, and what is refused."""

import re

import pytest

from tests.conftest import ROOT
from tests.project.test_config import LEAST, load, messages

CONFIGURATION = (ROOT / "docs/configuration.md").read_text("utf-8")


def test_colours_fonts_and_width_are_taken_and_the_rest_is_the_default(tmp_path):
    text = 'theme:\n  accent: "#006644"\n  dark: {paper: "#000000"}\n'
    text += "  text_font: \"'Own Font', serif\"\n  width: 40.5rem\n"

    theme = load(tmp_path, LEAST + text).settings.theme

    light, dark = theme.both
    assert (light["accent"], light["paper"]) == ("#006644", "#fdfcf9")
    assert (dark["accent"], dark["paper"]) == ("#006644", "#000000")
    assert (theme.text_font, theme.width) == ("'Own Font', serif", "40.5rem")


def test_the_accent_that_the_reference_shows_is_taken(tmp_path):
    line = next(line for line in CONFIGURATION.splitlines() if line.startswith("| `theme.accent` |"))
    accent = re.search(r'"#\w+"', line)[0]

    assert load(tmp_path, f"{LEAST}theme: {{accent: {accent}}}\n").settings.theme.accent == accent.strip('"')


def test_on_dark_paper_in_light_mode_the_other_colours_are_those_of_dark_mode(tmp_path):
    light, dark = load(tmp_path, LEAST + 'theme: {paper: "#101010"}\n').settings.theme.both

    assert light == {"accent": "#79c9d2", "paper": "#101010", "ink": "#e3dfd6"} == dark


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("accent: green", "'green' is not a colour of six digits"),
        ("accent: #0a5", "theme.accent: it is empty, since # begins a comment"),
        ('text_font: "x; } body { color: red"', "is not a list of font families"),
        ("width: wide", "'wide' is not a width"),
        ("dark: {paper: }", "theme.dark.paper: it is empty, since # begins a comment"),
        ('acent: "#000"', "'acent' is not known here"),
    ],
)
def test_what_is_no_colour_font_or_width_is_refused(tmp_path, text, expected):
    (message,) = messages(tmp_path, f"{LEAST}theme:\n  {text}\n")

    assert message.startswith("config.yaml:4")
    assert expected in message
