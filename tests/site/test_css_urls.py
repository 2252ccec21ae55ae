"""Files that stylesheets name: the site has them under names that tell their content, and so must the stylesheet."""

import shutil

import pytest

from site_builder.errors import SiteError, faults_of
from site_builder.site.theme import AssetUrl, asset_urls, with_urls
from tests.conftest import ROOT
from tests.support.sites import load_theme, write_theme

FACE = '@font-face { font-family: Serif; src: url("fonts/serif.woff2") format("woff2"); }\n'


def theme_of(root, **files):
    """A theme whose assets have these contents, by their names with _ for the dot."""
    names = {name.replace("__", "/").replace("_", "."): text for name, text in files.items()}
    write_theme(root, {f"assets/{name}": text for name, text in names.items()})
    return load_theme(root)


@pytest.fixture
def fonts(tmp_path):
    theme_of(tmp_path, style_css=FACE, fonts__serif_woff2=b"\x00old", other_css="a {}")
    return tmp_path


def test_an_address_in_a_stylesheet_becomes_the_fingerprinted_name_of_its_file(fonts):
    theme = load_theme(fonts)

    font = theme.assets["fonts/serif.woff2"].removeprefix("assets/")
    assert font.startswith("fonts/serif.")
    assert theme.asset_bytes("style.css").decode() == FACE.replace("fonts/serif.woff2", font)
    assert theme.asset_bytes("fonts/serif.woff2") == b"\x00old"


def test_a_stylesheet_has_a_new_name_when_a_file_that_it_names_changes_and_others_keep_theirs(fonts):
    before = load_theme(fonts).assets

    after = theme_of(fonts, fonts__serif_woff2=b"\x00new").assets

    assert {name for name in after if before[name] != after[name]} == {"style.css", "fonts/serif.woff2"}


def test_pages_that_use_the_stylesheet_are_made_anew_when_a_font_changes(fonts):
    before = load_theme(fonts).digests["asset style.css"]

    assert theme_of(fonts, fonts__serif_woff2=b"\x00new").digests["asset style.css"] != before


def test_a_stylesheet_that_names_another_changes_with_what_that_one_names(tmp_path):
    files = {"deep__all_css": '@import "../style.css";', "style_css": FACE, "fonts__serif_woff2": "1"}
    before = theme_of(tmp_path, **files)

    after = theme_of(tmp_path, fonts__serif_woff2="2")

    assert before.assets["deep/all.css"] != after.assets["deep/all.css"]
    name = after.assets["style.css"].removeprefix("assets/")
    assert after.asset_bytes("deep/all.css").decode() == f'@import "../{name}";'


@pytest.mark.parametrize("written", ["fonts/serif.woff2", "'fonts/serif.woff2'", '"./fonts/../fonts/serif.woff2"'])
def test_an_address_is_found_however_it_is_written(tmp_path, written):
    theme = theme_of(tmp_path, style_css=f"a {{ src: URL( {written} ); }}", fonts__serif_woff2="x")

    font = theme.assets["fonts/serif.woff2"].removeprefix("assets/")
    mark = written[0] if written[0] in "'\"" else ""
    assert theme.asset_bytes("style.css").decode() == f"a {{ src: URL( {mark}{font}{mark} ); }}"


def test_what_follows_the_name_of_a_file_is_kept(tmp_path):
    theme = theme_of(tmp_path, style_css="a { fill: url(signs.svg#dot); }", signs_svg="<svg/>")

    assert theme.asset_bytes("style.css").decode() == f"a {{ fill: url({theme.assets['signs.svg'][7:]}#dot); }}"


@pytest.mark.parametrize(
    "text",
    [
        "/* url(gone.png) */",
        'a::before { content: "url(gone.png)"; }',
        "a { background: url(data:image/png;base64,AAAA); }",
        "a { background: url(https://example.org/x.png); }",
        "a { background: url(//example.org/x.png); }",
        "a { fill: url(#dot); }",
        "a { fill: url(); }",
        "/* a comment without an end: url(gone.png)",
    ],
)
def test_what_is_no_file_of_the_theme_stays_as_it_is(tmp_path, text):
    assert theme_of(tmp_path, style_css=text).asset_bytes("style.css").decode() == text


def test_addresses_that_lead_nowhere_are_all_told_at_their_lines(tmp_path):
    text = "a {}\n/* two\nlines */ b { src: url(fonts/serf.woff2); }\nc { background: url('/icon.svg'); }\n"

    with pytest.raises(ExceptionGroup) as caught:
        theme_of(tmp_path, style_css=text, fonts__serif_woff2="x").assets  # noqa: B018

    first, second = faults_of(caught.value)
    assert str(first) == (
        "templates/assets/style.css:3: url(fonts/serf.woff2) leads nowhere: no file templates/assets/fonts/serf.woff2\n"
        "    mend: did you mean 'fonts/serif.woff2'?"
    )
    assert str(second.place) == "templates/assets/style.css:4"
    assert "seen from the stylesheet" in second.cure


@pytest.mark.parametrize("address", ["../post.html", "../../config.yaml"])
def test_files_outside_the_assets_cannot_be_named(tmp_path, address):
    write_theme(tmp_path, {"post.html": "x"})

    with pytest.raises(SiteError, match="leads nowhere"):
        theme_of(tmp_path, style_css=f"a {{ src: url({address}); }}").assets  # noqa: B018


def test_stylesheets_that_name_each_other_in_a_circle_are_told(tmp_path):
    with pytest.raises(SiteError, match=r"templates/assets/a\.css: stylesheets name each other in a circle"):
        theme_of(tmp_path, a_css='@import "b.css";', b_css='@import "a.css";').assets  # noqa: B018


def test_a_stylesheet_that_is_no_text_is_told(tmp_path):
    with pytest.raises(SiteError, match=r"templates/assets/a\.css: the stylesheet is not UTF-8 text"):
        theme_of(tmp_path, a_css=b"\xff\xfe").assets  # noqa: B018


def test_nothing_is_read_of_stylesheets_that_are_known(fonts):
    kept: dict[str, bytes] = {}
    found: list[str] = []

    def recall(key, find):
        if key not in kept:
            found.append(key)
            kept[key] = find()
        return kept[key]

    first = load_theme(fonts, recall).assets
    known = len(found)

    assert load_theme(fonts, recall).assets == first
    assert 0 < known == len(found)


def test_the_lines_of_addresses_are_counted_from_one():
    assert asset_urls("a { b: url(x) }\n\n@import 'y.css';") == [AssetUrl("x", 1), AssetUrl("y.css", 3)]


def test_only_addresses_are_rewritten_and_not_the_words_around_them():
    assert with_urls("url(x) x url('x') \"url(x)\"", {"x": "z"}) == "url(z) x url('z') \"url(x)\""


def test_the_site_has_the_font_under_the_name_that_its_stylesheet_uses(project):
    (project.root / "templates").unlink()
    shutil.copytree(ROOT / "templates", project.root / "templates")
    project.write("templates/assets/extra.css", 'a { src: url("more/f.woff2"); }')
    project.write("templates/assets/more/f.woff2", "font")

    project.build()

    assets = project.root / "_site" / "assets"
    (sheet,), (font,) = assets.glob("extra.*.css"), assets.glob("more/f.*.woff2")
    assert sheet.read_text("utf-8") == f'a {{ src: url("more/{font.name}"); }}'
