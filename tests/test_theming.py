"""docs/theming.md and the theme name the same things: templates, blocks, names, assets, colours, measures."""

import re
import shutil

import pytest

from tests.conftest import ROOT
from tests.site.test_stylesheets import contrast, palette, style
from tests.support.sites import load_theme
from tests.test_docs import first_cells

PAGE = "theming.md"
TEMPLATES = ROOT / "templates"
TEXT = (ROOT / "docs" / PAGE).read_text("utf-8")
NAMES = sorted(set(re.findall(r"`((?:site|page|post)\.(?!(?:html|css|js)\b)\w+)`", TEXT)))


def spans(heading):
    """What stands in code spans in the first column of the table under a heading."""
    return [span for cell in first_cells(PAGE, heading) for span in re.findall(r"`([^`]+)`", cell)]


def properties():
    """The properties that style.css sets on the root before anything else."""
    root = re.search(r":root \{\n(.*?)\n\}", style("style.css"), re.DOTALL)[1]
    return re.findall(r"^\s+(--[\w-]+):", root, re.MULTILINE)


def test_every_template_is_documented_and_no_other():
    files = [path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.html")]

    assert sorted(spans("## Templates")) == sorted(files)


def test_every_block_of_the_shell_is_documented_and_no_other():
    blocks = re.findall(r"\{% block (\w+)", (TEMPLATES / "base.html").read_text("utf-8"))
    table = TEXT.split("`base.html` has these blocks")[1].split("\n\n")[1]

    assert blocks
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == blocks


def test_every_asset_is_documented_and_no_other():
    assets = [path.name for path in (TEMPLATES / "assets").iterdir() if path.is_file()]

    assert sorted(spans("## Assets")) == sorted(assets)


def test_every_colour_and_measure_is_documented_and_no_other():
    documented = [*spans("## Colours"), *spans("## Sizes and fonts")]
    code = re.findall(r"^\s+(--code-\w+):", style("code.css"), re.MULTILINE)

    assert sorted(documented) == sorted([*properties(), *code])


def test_the_contrasts_that_the_page_tells_are_those_of_the_colours():
    told = dict(re.findall(r"^\| `--(\w+)` \|.*\| ([\d.]+, [\d.]+) \|$", TEXT, re.MULTILINE))
    names = palette()

    assert set(told) == {"ink", "soft", "accent", "warm"}
    for name, text in told.items():
        ratios = [contrast(names["paper"][scheme], names[name][scheme]) for scheme in (0, 1)]
        assert text == ", ".join(f"{ratio:.1f}" for ratio in ratios), name


@pytest.fixture
def shown(project):
    """What a post's page finds of the names that the page tells, as its template sees them."""
    lines = [
        f"{name} {{{{ {name} is defined }}}}"
        for name in (*NAMES, "url", "asset", "has_asset", "inline_script", "script_hash", "extra")
    ]
    lines.append("{{ post.date | date_words }}, {{ post.date | date_iso }}")
    (project.root / "templates").unlink()
    shutil.copytree(TEMPLATES, project.root / "templates")
    project.write("templates/post.html", "\n".join(lines))
    project.post("Text.")
    project.build()
    return project.page("posts/ruin/index.html").splitlines()


def test_a_template_finds_every_name_that_the_page_tells(shown):
    *found, dates = shown

    assert len(found) > 30
    assert [line for line in found if not line.endswith(" True")] == []
    assert dates == "1 March 2026, 2026-03-01"


def test_every_name_of_the_site_and_the_page_that_a_template_uses_is_told():
    every = "".join(path.read_text("utf-8") for path in TEMPLATES.rglob("*.html"))
    used = set(re.findall(r"(?<![\w.])(?:site|page)\.\w+", re.sub(r"\{#.*?#\}", "", every, flags=re.DOTALL)))

    assert used
    assert used - set(NAMES) == set()


def test_the_folder_of_fonts_weighs_what_the_page_says():
    fonts = {path.name: path.stat().st_size for path in (TEMPLATES / "assets" / "fonts").glob("*.woff2")}
    text = sorted(size / 1000 for name, size in fonts.items() if name.startswith("text-"))

    least, most = map(int, re.search(r"loads (\d+) to (\d+) kB", TEXT).groups())
    assert round(sum(text[:2])) == least
    assert round(sum(text)) == most
    assert round(fonts["mathematics.woff2"] / 1000) == int(re.search(r"formulas\n(\d+) kB more", TEXT)[1])


def test_the_second_file_of_signs_is_fetched_for_its_signs_alone():
    ranges = re.findall(r"unicode-range: ([^;]*);", style("style.css"))

    assert [text for text in ranges if "U+2A00" in text] == []
    assert any("U+1D400" in text for text in ranges)  # bold A: few formulas have it
    assert not any(re.search(r"U\+(0041|41|2211|1D44E)\b", text) for text in ranges)  # A, ∑ and a: many have them


def test_the_theme_of_this_project_has_no_address_that_leads_nowhere():
    theme = load_theme(ROOT)

    sheet = theme.asset_bytes("style.css").decode()
    assert set(re.findall(r'url\("(.*?)"\)', sheet)) == {
        path.removeprefix("assets/") for name, path in theme.assets.items() if name.endswith(".woff2")
    }


def test_the_example_builds_from_the_text_of_the_page(project):
    (project.root / "templates").unlink()
    (config,) = re.findall(r"```yaml\n(# config.yaml\n.*?)```", TEXT, re.DOTALL)
    (css,) = re.findall(r"```css\n(/\* templates/custom.css \*/\n.*?)```", TEXT, re.DOTALL)
    project.write("templates/custom.css", css)
    project.write("config.yaml", (project.root / "config.yaml").read_text("utf-8") + config)
    project.post("{{ figure(results.fair.figures.chance) }}\n\n{{ run_yourself(results.fair) }}")

    project.build()

    page = project.page("posts/ruin/index.html")
    sheets = re.findall(r'<link rel="stylesheet" href="../../assets/(?:[\w.]*/)?(\w+)\.', page)
    paper = re.search(r'paper: "(#\w+)"', config)[1]
    made = project.files()
    (custom,) = (data for name, data in made.items() if name.startswith("assets/custom."))
    assert sheets == ["pages", "config", "custom", "bundle", "custom"]
    assert custom.decode() == css
    assert any(paper.encode() in data for name, data in made.items() if name.endswith(".svg"))
