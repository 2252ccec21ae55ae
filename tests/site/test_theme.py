"""The digests of templates, and the fingerprinted names of assets and of the files that stylesheets refer to."""

import re
import shutil
import subprocess
import sys

import pytest
from jinja2 import Environment

from site_builder.errors import SiteError, errors_of
from site_builder.project.config import Limits
from site_builder.site import theme
from site_builder.site.theme import addresses, fingerprinted, with_urls
from site_builder.storage import file_fingerprints
from tests.conftest import ROOT
from tests.support.sites import load_theme, write_theme
from tests.support.time_limits import ENDLESS, range_that_takes_all_time

DEEP = {
    "post.html": '{% extends "middle.html" %}{% block main %}{% include "a.html" %}{% endblock %}',
    "middle.html": '{% extends "base.html" %}{% block head %}{{ super() }}m{% endblock %}',
    "base.html": "{% block head %}b{% endblock %}{% block main %}{% endblock %}",
    "a.html": '{% include "b.html" %}',
    "b.html": '{% from "macros/signs.html" import sign %}{{ sign("x") }}',
    "macros/signs.html": '{% import "macros/deep.html" as deep %}{% macro sign(s) %}{{ deep.bold(s) }}{% endmacro %}',
    "macros/deep.html": "{% macro bold(s) %}[{{ s }}]{% endmacro %}",
    "apart.html": "Nothing of the others.",
    "assets/style.css": "a {}",
    "assets/icons/i.svg": "<svg/>",
}


def digests_of(theme):
    """The digest of the templates of a theme and the paths of its assets, by name."""
    return {"templates": theme.templates_digest} | {f"asset {name}": path for name, path in theme.assets.items()}


def digests(root, **templates):
    """The digests of a theme once these templates have been written, by their names without .html."""
    write_theme(root, {f"{name}.html": text for name, text in templates.items()})
    return digests_of(load_theme(root))


def changed(root, name, text):
    """Which of the digests differ once a file has another text."""
    before = digests_of(load_theme(root))
    write_theme(root, {name: text})
    after = digests_of(load_theme(root))
    return {name for name in {*before, *after} if before.get(name) != after.get(name)}


def rendered(root, name="post.html", **context):
    return load_theme(root).render(name, context)


@pytest.fixture
def deep(tmp_path):
    write_theme(tmp_path, DEEP)
    return tmp_path


def test_the_same_files_have_the_same_digests(deep):
    assert digests_of(load_theme(deep)) == digests_of(load_theme(deep))


@pytest.mark.parametrize("name", ["middle", "base", "a", "b", "macros/signs", "macros/deep"])
def test_a_change_however_deep_changes_the_digest(deep, name):
    before = rendered(deep)

    found = changed(deep, f"{name}.html", DEEP[f"{name}.html"].replace("b{%", "c{%") + "{# changed #}")

    assert found == {"templates"}
    assert before == "bm[x]"


def test_a_template_that_is_gone_or_new_changes_the_digest(tmp_path):
    write_theme(tmp_path, {"post.html": '{% include "more.html" ignore missing %}'})
    before = digests_of(load_theme(tmp_path))

    assert changed(tmp_path, "more.html", "More.") == {"templates"}
    (tmp_path / "templates/more.html").unlink()
    assert digests_of(load_theme(tmp_path)) == before


@pytest.mark.parametrize("name", ["part.txt", "part.jinja", "assets/part.svg", "part", "deep/part.xml"])
def test_a_part_that_is_no_page_itself_changes_the_page(tmp_path, name):
    write_theme(tmp_path, {"post.html": f'{{% include "{name}" %}}', name: "old"})
    assert rendered(tmp_path) == "old"

    assert changed(tmp_path, name, "new")
    assert rendered(tmp_path) == "new"


@pytest.mark.parametrize("name", [".part.html", "./part.html", "part.html~", "../outside.html", "#part.html#"])
def test_what_is_no_file_of_the_theme_cannot_be_used(tmp_path, name):
    write_theme(tmp_path, {"post.html": f'\n{{% include "{name}" %}}', name: "old"})

    with pytest.raises(SiteError, match=r"part|outside") as caught:
        rendered(tmp_path)

    assert str(caught.value.place) == "templates/post.html:2"


@pytest.mark.parametrize("text", ["{{ [1, 2] | random }}", "{{ lipsum() }}"])
def test_a_template_cannot_show_what_is_other_in_each_build(tmp_path, text):
    write_theme(tmp_path, {"post.html": text})

    with pytest.raises(SiteError, match=r"random|lipsum"):
        rendered(tmp_path)


def test_a_file_that_changed_since_it_was_looked_at_is_not_taken_for_what_it_was(tmp_path):
    write_theme(tmp_path, {"post.html": '{% include "part.html" %}', "part.html": "old", "assets/a.css": "old"})
    theme = load_theme(tmp_path)
    write_theme(tmp_path, {"part.html": "new", "assets/a.css": "new"})

    with pytest.raises(SiteError, match=r"templates/part\.html: it changed while the site was built"):
        theme.render("post.html", {})
    with pytest.raises(SiteError, match=r"templates/assets/a\.css: it changed while the site was built"):
        theme.asset_bytes("a.css")


@pytest.mark.parametrize("text", ["{% if %}", "{{ ", "{% include %}", b"\xff\xfe", "{% nothing %}"])
def test_a_broken_template_that_no_page_uses_is_no_fault(tmp_path, text):
    write_theme(tmp_path, {"post.html": "fine", "broken.html": text})

    assert rendered(tmp_path) == "fine"


@pytest.mark.parametrize("text", ["x\n{% if %}", "x\n{% nothing %}"])
def test_a_broken_part_is_told_at_its_line_and_mending_it_changes_the_digest(tmp_path, text):
    write_theme(tmp_path, {"post.html": '{% include "broken.html" %}', "broken.html": text})
    with pytest.raises(SiteError) as caught:
        rendered(tmp_path)

    assert str(caught.value.place) == "templates/broken.html:2"
    assert changed(tmp_path, "broken.html", "mended") == {"templates"}


def test_a_fault_in_a_block_is_told_at_the_line_of_the_block_and_not_of_the_shell_around_it(tmp_path):
    write_theme(
        tmp_path,
        {
            "base.html": "<html>\n{% block main %}{% endblock %}",
            "post.html": '{% extends "base.html" %}\n\n{% block main %}\n{{ nothing.there }}{% endblock %}',
        },
    )

    with pytest.raises(SiteError) as caught:
        rendered(tmp_path)

    assert str(caught.value.place) == "templates/post.html:4"


@pytest.mark.parametrize(
    ("loop", "words"),
    [
        (
            f"{{% for i in [1] %}}\n{{% for j in range({ENDLESS}) %}}{{% for k in range(9999) %}}{{% endfor %}}"
            "{% endfor %}{% endfor %}",
            "this takes longer than",
        ),
        ("\n{% for i in range(10**12) %}x{% endfor %}", "Range too big"),
        ("\n{{ range(10**12) | sum }}", "Range too big"),
    ],
)
def test_a_loop_that_does_not_end_is_an_error_at_its_line(tmp_path, loop, words, monkeypatch):
    write_theme(tmp_path, {"base.html": f"<html>\n{loop}\n</html>\n", "a.html": '{% extends "base.html" %}'})
    theme = load_theme(tmp_path, limits=Limits(text=3600))
    monkeypatch.setitem(theme._environment.globals, "range", range_that_takes_all_time)

    with pytest.raises(SiteError, match=words) as caught:
        theme.render("a.html", {})

    assert str(caught.value.place) == "templates/base.html:3"


def test_a_template_that_is_no_text_is_the_authors_fault(tmp_path):
    write_theme(tmp_path, {"post.html": b"\xff\xfe"})

    with pytest.raises(SiteError) as caught:
        rendered(tmp_path)

    assert caught.value.place.path == "templates/post.html"


# The overlay: files of a project in place of those of the default theme


@pytest.fixture
def default(tmp_path, monkeypatch):
    """A small default theme; the project beside it has no templates/."""
    write_theme(
        tmp_path / "builder",
        {
            "post.html": '{% extends "base.html" %}{% block main %}{% include "_note.html" %}{% endblock %}',
            "base.html": "<{% block main %}{% endblock %}>",
            "_note.html": "default note",
            "assets/a.css": "b { src: url(b.png) }",
            "assets/b.png": "default picture",
        },
    )
    monkeypatch.setattr(file_fingerprints, "DEFAULT_THEME", tmp_path / "builder" / "templates")
    return tmp_path / "builder"


def overlaid(root):
    return load_theme(root, is_overlay=True)


def test_a_project_without_templates_has_the_default_theme(default, tmp_path):
    assert overlaid(tmp_path).render("post.html", {}) == "<default note>"
    assert overlaid(tmp_path).asset_bytes("b.png") == b"default picture"


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("_note.html", "own note", "<own note>"),
        ("base.html", "({% block main %}{% endblock %})", "(default note)"),
        ("post.html", '{% include "_note.html" %}, and more', "default note, and more"),
        (
            "post.html",
            '{% extends "default/post.html" %}{% block main %}[{{ super() }}]{% endblock %}',
            "<[default note]>",
        ),
        ("_note.html", 'own, then {% include "default/_note.html" %}', "<own, then default note>"),
    ],
)
def test_a_file_of_the_project_takes_the_place_of_one_of_the_default_theme(default, tmp_path, name, text, shown):
    write_theme(tmp_path, {name: text})

    assert overlaid(tmp_path).render("post.html", {}) == shown


def test_an_asset_of_the_project_takes_the_place_of_one_of_the_default_theme(default, tmp_path):
    before = overlaid(tmp_path).assets
    write_theme(tmp_path, {"assets/b.png": "own picture"})

    theme = overlaid(tmp_path)

    assert theme.asset_bytes("b.png") == b"own picture"
    assert theme.assets["a.css"] != before["a.css"]  # which names the picture
    assert [theme.assets["b.png"][7:]] == re.findall(r"url\((.*)\)", theme.asset_bytes("a.css").decode())


@pytest.mark.parametrize("where", ["own", "default", "replaced"])
def test_the_digest_of_templates_follows_files_of_both_themes(default, tmp_path, where):
    own = '{% include "default/_note.html" %}' if where == "replaced" else "own note"
    write_theme(tmp_path, {} if where == "default" else {"_note.html": own})
    before = digests_of(overlaid(tmp_path))

    write_theme(tmp_path if where == "own" else default, {"_note.html": "another note"})

    assert digests_of(overlaid(tmp_path)) != before


def test_a_file_that_comes_or_goes_changes_the_digest(default, tmp_path):
    before = digests_of(overlaid(tmp_path))["templates"]
    write_theme(tmp_path, {"_note.html": "own note"})
    with_own = digests_of(overlaid(tmp_path))["templates"]
    (tmp_path / "templates" / "_note.html").unlink()

    assert with_own != before == digests_of(overlaid(tmp_path))["templates"]


def test_an_error_names_the_file_of_the_theme_that_it_is_in(default, tmp_path):
    write_theme(default, {"_note.html": "\n{{ gone }}"})
    with pytest.raises(SiteError) as in_default:
        overlaid(tmp_path).render("post.html", {})
    write_theme(tmp_path, {"_note.html": "\n\n{{ gone }}"})
    with pytest.raises(SiteError) as in_own:
        overlaid(tmp_path).render("post.html", {})

    assert str(in_default.value.place) == f"{default}/templates/_note.html:2"
    assert str(in_own.value.place) == "templates/_note.html:3"


def test_a_build_without_templates_is_one_with_the_default_theme(project):
    project.post("{{ figure(results.fair.figures.chance) }}\n")
    project.build()
    before = project.files()
    (project.root / "templates").unlink()

    ran = project.build()

    assert " 0 files written" in ran.out
    assert project.files() == before


def test_a_partial_of_the_project_changes_the_pages_that_show_it_and_no_others(project):
    project.post("Text.\n", front="tags: [chance]\n")
    (project.root / "templates").unlink()
    project.build()
    before = project.files()
    project.write("templates/redirect.html", "not used")
    assert " 0 files written" in project.build().out

    project.write("templates/_tags.html", '<p>my own tags</p>{% include "_answer.html" %}')
    project.build()

    changed = {name for name, data in project.files().items() if before.get(name) != data} - {".puzzlepress.json"}
    pages = {name for name in changed if not name.startswith("pagefind/")}  # whose index is made of them
    assert pages == {name for name, data in project.files().items() if b"my own tags" in data}
    assert "posts/ruin/index.html" in pages
    assert "404.html" not in pages


def test_the_digest_of_an_asset_changes_with_its_bytes_alone(deep):
    assert changed(deep, "assets/style.css", "b {}") == {"asset style.css"}
    assert changed(deep, "assets/new.js", "x") == {"asset new.js"}
    assert changed(deep, "assets/style.css", "b {}") == set()


def test_assets_have_addresses_that_change_with_their_bytes(deep):
    before = load_theme(deep).assets
    write_theme(deep, {"assets/style.css": "b {}"})

    after = load_theme(deep).assets

    assert set(before) == {"style.css", "icons/i.svg"}
    assert before["icons/i.svg"] == after["icons/i.svg"]
    assert before["style.css"] != after["style.css"]
    assert load_theme(deep).asset_bytes("style.css") == b"b {}"


def test_the_address_of_a_file_without_an_extension_tells_its_bytes_too():
    assert fingerprinted("assets/LICENCE", "0123456789abcdef") == "assets/LICENCE.0123456789"
    assert fingerprinted("assets/a.min.js", "0123456789abcdef") == "assets/a.min.0123456789.js"


def test_the_address_of_an_asset_leads_to_it_and_one_that_is_missing_is_a_fault():
    asset = addresses("tags/x/", {"style.css": "assets/style.1.css"})["asset"]

    assert asset("style.css") == "../../assets/style.1.css"
    with pytest.raises(LookupError, match=r"there is no file templates/assets/gone\.css"):
        asset("gone.css")


def test_digests_are_the_same_in_every_process(deep):
    code = (
        "import sys; from pathlib import Path; from tests.site.test_theme import digests_of, load_theme;"
        "print(sorted(digests_of(load_theme(Path(sys.argv[1]))).items()))"
    )

    found = {
        subprocess.run(
            [sys.executable, "-c", code, str(deep)],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(found) == 1
    assert "templates" in found.pop()


@pytest.mark.parametrize("included", ['"note.txt"', '"no" ~ "te.txt"', '["missing.txt", "note.txt"]'])
def test_a_page_is_made_anew_when_a_file_of_any_kind_that_it_includes_changes(project, included):
    (project.root / "templates").unlink()
    shutil.copytree(ROOT / "templates", project.root / "templates")
    project.write("templates/post.html", f"{{% include {included} %}}\n")
    project.write("templates/note.txt", "first")
    project.write("content/posts/plain.md", "---\ntitle: A\ndate: 2026-03-01\n---\nText.\n")
    project.build()
    before = project.page("posts/plain/index.html")
    project.write("templates/note.txt", "second")

    project.build()

    assert (before.strip(), project.page("posts/plain/index.html").strip()) == ("first", "second")


def test_a_template_that_is_missing_is_told_where_it_is_asked_for_with_a_cure(tmp_path):
    write_theme(tmp_path, {"post.html": 'First.\n{% include "gone.html" %}'})

    with pytest.raises(SiteError) as included:
        load_theme(tmp_path).render("post.html", {})
    with pytest.raises(SiteError) as asked:
        load_theme(tmp_path).render("answers.html", {})

    assert str(included.value).startswith("templates/post.html:2: there is no template gone.html\n    mend: write")
    assert str(asked.value).startswith("templates/answers.html: there is no template answers.html\n    mend: write")


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
    before = digests_of(load_theme(fonts))["asset style.css"]

    assert digests_of(theme_of(fonts, fonts__serif_woff2=b"\x00new"))["asset style.css"] != before


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

    first, second = errors_of(caught.value)
    assert str(first) == (
        "templates/assets/style.css:3: url(fonts/serf.woff2) leads to no file of templates/assets/, seen from the "
        "stylesheet\n"
        "    mend: did you mean 'fonts/serif.woff2'?"
    )
    assert str(second).startswith("templates/assets/style.css:4: url(/icon.svg) leads to no file of templates/assets/,")


@pytest.mark.parametrize("address", ["../post.html", "../../config.yaml"])
def test_files_outside_the_assets_cannot_be_named(tmp_path, address):
    write_theme(tmp_path, {"post.html": "x"})

    with pytest.raises(SiteError, match="leads to no file of templates/assets/"):
        theme_of(tmp_path, style_css=f"a {{ src: url({address}); }}").assets  # noqa: B018


def test_stylesheets_that_name_each_other_in_a_circle_are_told(tmp_path):
    with pytest.raises(SiteError, match=r"templates/assets/a\.css: stylesheets name each other in a circle"):
        theme_of(tmp_path, a_css='@import "b.css";', b_css='@import "a.css";').assets  # noqa: B018


def test_a_stylesheet_that_is_no_text_is_told(tmp_path):
    with pytest.raises(SiteError, match=r"templates/assets/a\.css:1: this is no UTF-8 text"):
        theme_of(tmp_path, a_css=b"\xff\xfe").assets  # noqa: B018


def test_only_addresses_are_rewritten_each_with_its_line_and_not_the_words_around_them():
    css = "url(x) x url('x') \"url(x)\"\n\n@import 'y.css';"

    changed = with_urls(css, lambda address, line: f"{address}{line}")

    assert changed == "url(x1) x url('x1') \"url(x)\"\n\n@import 'y.css3';"


def test_the_site_has_the_font_under_the_name_that_its_stylesheet_uses(project):
    (project.root / "templates").unlink()
    shutil.copytree(ROOT / "templates", project.root / "templates")
    project.write("templates/assets/extra.css", 'a { src: url("more/f.woff2"); }')
    project.write("templates/assets/more/f.woff2", "font")

    project.build()

    assets = project.root / "_site" / "assets"
    (sheet,), (font,) = assets.glob("extra.*.css"), assets.glob("more/f.*.woff2")
    assert sheet.read_text("utf-8") == f'a {{ src: url("more/{font.name}"); }}'


# What a project adds: custom.css, filled partials, extra


def linked(root, name="base.html"):
    """What the page links, and the theme."""
    theme = overlaid(root)
    return theme.render(name, addresses("a/index.html", theme.assets)), theme


@pytest.fixture
def linking(default):
    link = '{% if has_asset("custom.css") %}{{ asset("custom.css") }}{% endif %}'
    write_theme(default, {"base.html": link})
    return default


def test_a_stylesheet_custom_css_is_an_asset_and_a_page_without_it_depends_on_its_absence(linking, tmp_path):
    without, before = linked(tmp_path)
    write_theme(tmp_path, {"custom.css": "p { color: red }"})

    text, theme = linked(tmp_path)

    assert without == ""
    assert text == "../" + theme.assets["custom.css"]
    assert theme.assets_digest != before.assets_digest
    assert theme.asset_bytes("custom.css") == b"p { color: red }"


def test_paths_in_custom_css_start_at_the_file(linking, tmp_path):
    write_theme(tmp_path, {"custom.css": "b { src: url(assets/b.png) }"})

    _, theme = linked(tmp_path)

    assert theme.asset_bytes("custom.css").decode() == f"b {{ src: url({theme.assets['b.png'][7:]}) }}"


@pytest.mark.parametrize(
    ("files", "place", "message"),
    [
        (
            {"custom.css": "\nb { src: url(c.png) }"},
            "templates/custom.css:2",
            "url(c.png) leads to no file of templates/assets/",
        ),
        ({"custom.css": "b { src: url(assets/c.png) }"}, "templates/custom.css:1", "leads to no file of"),
    ],
)
def test_a_wrong_path_in_custom_css_is_an_error_at_its_line(linking, tmp_path, files, place, message):
    write_theme(tmp_path, files)

    with pytest.raises(SiteError) as caught:
        _ = overlaid(tmp_path).assets

    assert str(caught.value.place) == place
    assert message in str(caught.value)


def test_templates_are_compiled_once_while_their_texts_are_the_same(deep, tmp_path_factory, monkeypatch):
    monkeypatch.setattr(theme._CompiledTemplates, "_codes", {})
    compiled = []
    generate = Environment._generate
    monkeypatch.setattr(
        Environment,
        "_generate",
        lambda self, *args, **named: compiled.append(args[1]) or generate(self, *args, **named),
    )
    first, all_of_them = rendered(deep), set(compiled)
    other = tmp_path_factory.mktemp("other")
    write_theme(other, DEEP | {"b.html": "changed"})
    compiled.clear()

    assert all_of_them == {name for name in DEEP if name.endswith(".html") and name != "apart.html"}
    assert (rendered(deep), compiled) == (first, [])
    assert "changed" in rendered(other)
    assert compiled == ["b.html"]
