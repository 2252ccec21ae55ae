"""Which scripts and stylesheets are published minified; tests/browser says what the minifier leaves as it is."""

import pytest

from site_builder.storage import file_fingerprints
from tests.support.sites import load_theme, write_theme

SPACED = {"assets/a.css": "a   {\n  color : red;\n}\n", "assets/a.js": "// What it does.\nlet  one = 1;\n"}


@pytest.fixture
def default(tmp_path, monkeypatch):
    """A default theme of a script and a stylesheet; the project beside it has no templates/."""
    write_theme(tmp_path / "builder", SPACED)
    monkeypatch.setattr(file_fingerprints, "DEFAULT_THEME", tmp_path / "builder" / "templates")
    return tmp_path / "builder"


def test_files_of_the_default_theme_are_published_minified(default, tmp_path):
    theme = load_theme(tmp_path, is_overlay=True)

    assert theme.asset_bytes("a.css") == b"a{color:red}"
    assert theme.asset_bytes("a.js") == b"let one=1;"


def test_files_of_a_project_are_published_as_they_are_written(default, tmp_path):
    write_theme(tmp_path, {**SPACED, "custom.css": "b  {}\n"})

    theme = load_theme(tmp_path, is_overlay=True)

    assert {f"assets/{name}": theme.asset_bytes(name).decode() for name in ("a.css", "a.js")} == SPACED
    assert theme.asset_bytes("custom.css") == b"b  {}\n"


def test_a_stylesheet_beside_the_default_theme_is_published_as_it_is_written(default):
    write_theme(default, {"custom.css": "b  {}\n"})

    theme = load_theme(default)

    assert theme.asset_bytes("custom.css") == b"b  {}\n"
    assert theme.asset_bytes("a.css") == b"a{color:red}"


def test_the_name_of_a_minified_file_follows_what_is_published(default, tmp_path):
    before = load_theme(tmp_path, is_overlay=True).assets
    write_theme(default, {"assets/a.js": "// Said otherwise.\nlet one = 1;\n", "assets/a.css": "a { color: blue }"})

    after = load_theme(tmp_path, is_overlay=True).assets

    assert after["a.js"] == before["a.js"]
    assert after["a.css"] != before["a.css"]


def test_addresses_in_a_minified_stylesheet_lead_to_the_final_files(default, tmp_path):
    write_theme(default, {"assets/a.css": 'a  { src: url( "b.png" ) }\n', "assets/b.png": "picture"})

    theme = load_theme(tmp_path, is_overlay=True)

    picture = theme.assets["b.png"].removeprefix("assets/")
    assert picture != "b.png"
    assert picture in theme.asset_bytes("a.css").decode()


def test_what_a_stylesheet_of_the_default_theme_imports_stands_in_its_place(default, tmp_path):
    write_theme(default, {"assets/all.css": '@import "a.css";\n@import "b.css";\n', "assets/b.css": "i { top : 0 }"})

    assert load_theme(tmp_path, is_overlay=True).asset_bytes("all.css") == b"a{color:red}i{top:0}"


def test_a_stylesheet_that_a_project_replaces_stays_an_import(default, tmp_path):
    # It may import others itself, which have to come first, or leave a brace open, which would take in the next one.
    write_theme(default, {"assets/all.css": '@import "b.css";\n@import "a.css";\n', "assets/b.css": "i { top : 0 }"})
    write_theme(tmp_path, {"assets/b.css": "b  { src: url(c.png) ", "assets/c.png": "picture"})

    theme = load_theme(tmp_path, is_overlay=True)

    a, b = (theme.assets[name].removeprefix("assets/") for name in ("a.css", "b.css"))
    assert theme.asset_bytes("all.css").decode() == f'@import "{b}";@import "{a}";'
    before = theme.assets
    write_theme(tmp_path, {"assets/c.png": "another"})
    assert load_theme(tmp_path, is_overlay=True).assets["all.css"] != before["all.css"]
