"""The examples of docs/extending.md, each in a blog of its own, and what is made again when an extension changes."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from site_builder.extension import with_page
from tests.conftest import ROOT, Project

PAGE = (ROOT / "docs/extending.md").read_text("utf-8")
SECTIONS = (re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:])[:7]
FENCE = re.compile(r"^```(?:python|jinja)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = {section.splitlines()[0]: FENCE.search(section)[1] for section in SECTIONS}
PROOF = FENCE.findall(SECTIONS[6])[1]
(VIOLINS,) = FENCE.findall(PAGE.partition("\n## A kind of figure\n")[2].partition("\n## ")[0])
POST = "content/posts/ruin.md"


def text_of(project, name="ruin"):
    html = project.page(f"posts/{name}/index.html")
    return html[html.index("<main") : html.index("</main>")]


def test_the_page_has_seven_examples_of_at_most_ten_lines():
    code = [[line for line in text.splitlines() if line.strip()] for text in EXAMPLES.values()]

    assert list(EXAMPLES) == [
        *("A filter", "A function that draws", "A macro", "More Markdown", "A target of publishing", "A command"),
        "A function of solvers",
    ]
    assert all(len(lines) <= 10 for lines in code)


def test_a_filter_writes_values_in_texts_titles_and_columns(project):
    project.write("extensions.py", EXAMPLES["A filter"])
    table = '{{ table({"n": [4, 9]}, forms={"n": "roman"}) }}'
    project.post(f"{{{{ results.fair.goal | roman }}}}\n\n{table}\n", title="Round {{ 14 | roman }}")

    project.build()

    assert "<title>Round XIV" in project.page("posts/ruin/index.html")
    assert re.findall(r'scope="row" class="numeric">(\w+)<', text_of(project)) == ["IV", "IX"]
    assert ">XX<" in text_of(project).replace("\n", "")


def test_a_function_draws_in_a_line_and_alone(project):
    project.write("extensions.py", EXAMPLES["A function that draws"])
    project.post("A die {{ die(5) }} in a line.\n\n{{ die(1) }}\n")

    project.build()

    assert re.search(r"<p>A die <svg [^>]*>.*?</svg> in a line\.</p>", text_of(project))
    assert text_of(project).count("<circle") == 6
    assert not re.search(r"<p>\s*<svg", text_of(project))


def test_a_macro_serves_all_posts(project):
    project.write("content/macros.html", EXAMPLES["A macro"])
    project.post("It takes {{ coins(3) }}.\n")

    project.build()

    assert "It takes <strong>3 coins</strong>." in text_of(project)


def test_an_extension_of_markdown_serves_all_posts(project):
    project.write("extensions.py", EXAMPLES["More Markdown"])
    project.post("Press ++ctrl+c++.\n")

    project.build()

    assert '<kbd class="key-control">Ctrl</kbd><span>-</span><kbd class="key-c">C</kbd>' in text_of(project)


def test_a_target_publishes_and_knows_what_it_holds(project, tmp_path_factory):
    target = tmp_path_factory.mktemp("target") / "www"
    project.write("extensions.py", EXAMPLES["A target of publishing"])
    project.write("config.yaml", (project.root / "config.yaml").read_text() + f"publish: {{copy: {target}}}\n")
    project.post("A text.\n")

    first = project.run("publish", "--yes")
    second = project.run("publish", "--yes")
    (project.root / POST).unlink()
    project.post("Another text.\n", name="other")
    third = project.run("publish", "--dry-run", "--yes")

    assert "A text." in (target / "posts/ruin/index.html").read_text()
    assert f"Published to copy {target}: " in first.out
    assert f"Nothing to publish: copy {target} has the site as it is" in second.out
    assert "posts/ruin/index.html" in third.out


def test_a_command_is_one_of_the_program(project):
    project.write("extensions.py", EXAMPLES["A command"])
    project.post("Three words here.\n")

    assert re.search(r"^ +\d+ ruin$", project.run("words").out, re.M)
    assert "Count the words of all posts." in project.run("--help").out
    assert "mend: did you mean 'words'?" in project.run("word", status=2).err


SUM = """def solve(n: int = 4):
    return {"total": sum(range(n + 1)), "other": n * n}


"""
SHOWN = "The sum is {{ results.main.total }}.\n\n{{ checks(results.main) }}\n\n"


@pytest.fixture
def with_proof(project):
    """A post with a solver whose function `proof` an extension reads."""
    project.write("extensions.py", EXAMPLES["A function of solvers"])
    project.write("solvers/sums.py", SUM + PROOF)
    project.post(SHOWN, front="solver: sums\n")
    return project


def test_a_function_of_a_solver_confirms_a_field(with_proof):
    with_proof.build()

    record = json.loads(with_proof.page("posts/ruin/provenance.json"))
    (check,) = record["runs"][0]["checks"]
    assert (check["name"], check["kind"], check["of"]) == ("proof", "certificate", "total")
    assert "Gauss: each number and its partner" in with_proof.page("posts/ruin/index.html")
    assert "by its equations" in with_proof.page("posts/ruin/index.html")


def test_a_field_that_a_function_of_a_solver_was_not_given_stays_unconfirmed(with_proof):
    with_proof.post(SHOWN + "Its square is {{ results.main.other }}.\n", front="solver: sums\n")

    error = with_proof.run("check", status=1).err

    assert "results.main.other is not confirmed" in error
    assert "results.main.total is not confirmed" not in error


def test_what_an_extension_refuses_is_an_error_at_the_function_of_the_solver(with_proof):
    with_proof.write("solvers/sums.py", SUM.replace("n + 1", "n") + PROOF)

    error = with_proof.build(status=1).err

    assert "solvers/sums.py:5: 12 is not 20\n    mend: correct solve or proof" in error


def test_a_changed_extension_reads_functions_of_solvers_again_and_solves_nothing(with_proof):
    with_proof.build()
    with_proof.write("extensions.py", EXAMPLES["A function of solvers"].replace("by its equations", "by equations"))

    explained = with_proof.build("--explain").out

    assert "checks main: run, the extension extensions.py changed" in explained
    assert "solve main" not in explained
    assert "by equations" in with_proof.page("posts/ruin/index.html")


def test_a_function_of_a_solver_that_no_extension_reads_is_an_ordinary_one(with_proof):
    (with_proof.root / "extensions.py").unlink()

    assert "results.main.total is not confirmed" in with_proof.run("check", status=1).err


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("def proof(totl, n):\n    return []\n", "proof takes 'totl', which is no parameter"),
        ("def proof(total, n):\n    return []\n", "proof confirms 'total' and reads nothing of it"),
        ("def proof(total, n):\n    return [total]\n", "extensions.py:6: TypeError: cannot unpack"),
    ],
)
def test_a_wrong_function_of_a_solver_is_refused_at_its_line(with_proof, code, error):
    with_proof.write("solvers/sums.py", SUM + code)

    assert error in with_proof.build(status=1).err


def test_a_function_of_solvers_may_not_have_a_name_of_the_builders(project):
    project.write("extensions.py", "def extend(site):\n    site.solver_function('check_more', print)\n")
    project.post(SHOWN.replace("main.total", "fair.goal"))

    assert "extensions.py:2: the builder itself has a function of solvers" in project.build(status=1).err


DIE = 'def die(points):\n    return "*" * points\n\ndef extend(site):\n    site.function("die", die)\n'


@pytest.fixture(scope="module")
def built_with_die(builds, tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("die"))
    project.write("extensions.py", DIE)
    project.post("A die: {{ die(3) }}.\n", name="dice")
    project.post("Another text.\n", name="plain")
    project.build()
    return project


@pytest.fixture
def with_die(built_with_die, tmp_path):
    """Two posts, of which one uses a function of an extension, built: a copy for one test."""
    return built_with_die.copy_to(tmp_path / "blog")


def test_a_changed_extension_writes_exactly_the_texts_that_can_use_it(with_die):
    with_die.write("extensions.py", DIE.replace('"*"', '"o"'))

    explained = with_die.build("--explain").out

    assert "A die: ooo." in text_of(with_die, "dice")
    assert "the extension extensions.py changed" in explained
    assert "Built 2 posts, 1 text," in explained


def test_a_helper_of_an_extension_counts_as_its_code(with_die):
    with_die.write("helper.py", "SIGN = 'x'\n")
    with_die.write("extensions.py", "import helper\n" + DIE.replace('"*"', "helper.SIGN"))
    with_die.build()
    assert "A die: xxx." in text_of(with_die, "dice")

    with_die.write("helper.py", "SIGN = 'y'\n")
    with_die.build()

    assert "A die: yyy." in text_of(with_die, "dice")


def test_nothing_is_made_for_an_unchanged_extension(with_die):
    with_die.write("assets/dice.css", ".die {}\n")
    with_die.write("extensions.py", DIE + '    site.assets("assets")\n')
    with_die.build()

    assert with_die.build().out.startswith("Nothing has changed")


def test_an_error_names_the_line_of_the_post_and_that_of_the_extension(with_die):
    with_die.post("A line.\n\nA die: {{ die('x') }}.\n", name="dice")

    (error, cure, *_) = with_die.build(status=1).err.split("\n")[-4:]

    assert error.startswith("content/posts/dice.md:9: the function die fails at extensions.py:2: TypeError: ")
    assert cure.strip() == "mend: see what it was given here, or mend the extension"


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("def extend(site:\n    pass\n", "extensions.py:1: this is no Python: "),
        ("import nothing_of_this_name\n", "extensions.py:1: the extension fails: ModuleNotFoundError: "),
        ("\n\nx = 1 / 0\n", "extensions.py:3: the extension fails: ZeroDivisionError: division by zero"),
        ("def other(site):\n    pass\n", "extensions.py: it has no function extend(site)"),
        (DIE + '    site.function("die", die)\n', "extensions.py:6: the function 'die' is there already"),
        (DIE.replace('"die"', '"claim"'), "extensions.py:5: the builder itself has a function 'claim'"),
        ('def extend(site):\n    site.filter("percent", str)\n', "extensions.py:2: the builder itself has a filter"),
        ('def extend(site):\n    site.filter("two words", str)\n', "extensions.py:2: 'two words' is no name"),
    ],
)
def test_a_wrong_extension_is_refused_at_its_line(project, code, error):
    project.write("extensions.py", code)
    project.post("A value: {{ results.fair.goal }}, {{ 1 | percent }}, {{ 'claim two words' }}.\n")

    ran = project.build(status=1)

    assert ran.err.startswith(error) or f"\n{error}" in ran.err


def test_options_stand_in_front_matter_and_config_and_have_a_type(project):
    code = 'def colour(page):\n    return page.options["dice_colour"]\n\ndef extend(site):\n'
    code += '    site.option("dice_colour", str, "red")\n    site.function("colour", colour)\n'
    project.write("extensions.py", code)
    project.post("It is {{ colour() }}.\n", name="one")
    project.post("It is {{ colour() }}.\n", name="two", front="dice_colour: blue\n")
    project.build()
    assert "It is red." in text_of(project, "one")
    assert "It is blue." in text_of(project, "two")

    config = (project.root / "config.yaml").read_text()
    project.write("config.yaml", config + "dice_colour: green\n")
    project.build()
    assert "It is green." in text_of(project, "one")
    assert "It is blue." in text_of(project, "two")

    project.write("config.yaml", config + "dice_colour: [1]\n")
    error = project.build(status=1).err
    assert error.startswith("config.yaml:5: dice_colour")
    assert "it must be text" in error


@pytest.mark.parametrize(
    ("arguments", "given", "shown"),
    [
        ("page, value, digits=2", "3, 5", "3 5 posts/ruin/"),
        ("value, page, digits=2", "3, 5", "3 5 posts/ruin/"),
        ("value, page, digits=2", "digits=4, value=3", "3 4 posts/ruin/"),
        ("value, digits=2, page=None", "3", "3 2 posts/ruin/"),
        ("value, digits=2, *, page", "3, 5", "3 5 posts/ruin/"),
    ],
)
def test_a_function_has_its_page_at_any_place(arguments, given, shown):
    scope = {}
    exec(f"def both({arguments}): return f'{{value}} {{digits}} {{page}}'", scope)
    scope["called"] = with_page(scope["both"], "posts/ruin/")

    assert eval(f"called({given})", scope) == shown


def test_files_of_a_function_are_published_and_its_links_are_checked(project):
    code = "from site_builder.extension import Html\n\ndef data(page, address=''):\n"
    code += "    address = address or page.file('values.csv', str(page.run('fair').goal).encode())\n"
    code += "    return Html(f'<a href=\"{address}\">data</a>')\n\ndef extend(site):\n    site.function('data', data)\n"
    project.write("extensions.py", code)
    project.post("Take the {{ data() }}.\n")
    project.build()

    (address,) = re.findall(r'Take the <a href="([^"]+)">data</a>', text_of(project))

    assert (project.root / "_site/posts/ruin" / address).read_text() == "20"
    project.post("Take the {{ data('nowhere.csv') }}.\n")
    assert "the link nowhere.csv leads nowhere" in project.build(status=1).err


def test_assets_are_loaded_by_the_pages_that_can_use_the_extension(with_die):
    with_die.write("parts/dice.css", ".die { color: red }\n")
    with_die.write("parts/dice.js", "document.title += '!';\n")
    with_die.write("extensions.py", DIE + '    site.assets("parts")\n')

    with_die.build()

    (sheet,) = re.findall(r'href="(\.\./\.\./assets/[^"]*/dice\.css)"', with_die.page("posts/dice/index.html"))
    assert re.search(r'<script src="[^"]*/dice\.js" defer>', with_die.page("posts/dice/index.html"))
    assert (with_die.root / "_site/posts/dice" / sheet).resolve().read_text() == ".die { color: red }\n"
    assert "dice.css" not in with_die.page("posts/plain/index.html")
    with_die.write("parts/dice.css", ".die { color: blue }\n")
    with_die.build()
    (changed,) = re.findall(r'href="(\.\./\.\./assets/[^"]*/dice\.css)"', with_die.page("posts/dice/index.html"))
    assert changed != sheet


def test_scripts_in_folders_of_the_assets_are_published_and_not_loaded(with_die):
    with_die.write("parts/dice.js", "document.title += '!';\n")
    with_die.write("parts/later/more.js", "document.title += '?';\n")
    with_die.write("extensions.py", DIE + '    site.assets("parts")\n')

    with_die.build()

    (script,) = re.findall(r'<script src="\.\./\.\./([^"]*/dice\.js)" defer>', with_die.page("posts/dice/index.html"))
    assert "more.js" not in with_die.page("posts/dice/index.html")
    assert (with_die.root / "_site" / script).with_name("later").joinpath("more.js").exists()


def test_a_word_in_the_text_uses_no_extension(with_die):
    with_die.write("parts/dice.css", ".die { color: red }\n")
    with_die.write("extensions.py", DIE + '    site.assets("parts")\n')
    with_die.post("You may die, {{ 3 }} times.\n", name="plain")

    with_die.build()

    assert "dice.css" in with_die.page("posts/dice/index.html")
    assert "dice.css" not in with_die.page("posts/plain/index.html")


BOARD = """from site_builder.extension import Html


def board(run, page):
    facts = page.facts_of(run)
    name = page.free_name("A board")
    script = page.file("board.js", str(run.goal).encode())
    html = f'<div id="{name}" data-script="{script}" title="{facts.name} of {facts.solver}">Many words here</div>'
    return Html(html, feed=f'<p><a href="#{name}">Play</a></p>')


def has_board(page):
    return page.run("fair").goal > 10


def extend(site):
    site.function("board", board)
    site.function("has_board", has_board)
"""
WITH_BOARD = "A text.\n\n{% if has_board() %}{{ board(results.fair) }}{% endif %}\n\nSee [it](#a-board).\n"


def test_a_block_has_a_form_of_its_own_in_feeds(project):
    project.write("extensions.py", BOARD)
    project.post(WITH_BOARD)

    project.build()

    (script,) = re.findall(r'<div id="a-board" data-script="([^"]*)" title="fair of gamblers_ruin">', text_of(project))
    assert (project.root / "_site/posts/ruin" / script).read_text() == "20"
    feed = project.page("feed.xml")
    assert "Many words" not in feed
    assert "/posts/ruin/#a-board" in feed


def test_an_extension_has_fields_of_its_own_which_it_may_change(project):
    spoil = "def spoil(run, page):\n    page.facts_of(run).fields()['by'].update(k=1)\n    return ''\n\n"
    project.write("extensions.py", spoil + "def extend(site):\n    site.function('spoil', spoil)\n")
    project.write("solvers/sums.py", "def solve():\n    return {'by': {'k': 9}}\n")
    project.post(
        "It is {{ results.main.by.k }}{{ spoil(results.main) }}{{ results.main.by.k }}.", front="solver: sums\n"
    )

    project.build()

    assert re.findall(r"<mark[^>]*>(\d+)</mark>", text_of(project)) == ["9", "9"]


def test_a_block_needs_a_line_of_its_own(project):
    project.write("extensions.py", BOARD)
    project.post("A board {{ board(results.fair) }} in a line.\n")

    assert "ruin.md:7: this stands in the middle of a paragraph" in project.build(status=1).err


def test_a_turned_post_has_files_of_extensions_of_its_own(project):
    project.write("extensions.py", BOARD)
    front = "runs:\n  fair: {solver: gamblers_ruin}\nturn:\n  gamblers_ruin.goal: [12, 20]\n"
    project.post(WITH_BOARD, front=front)

    project.build()

    turned = project.page("posts/ruin/12/index.html")
    (script,) = re.findall(r'data-script="([^"]*)"', turned)
    assert (project.root / "_site/posts/ruin/12" / script).resolve().read_text() == "12"


def test_a_file_that_comes_to_the_assets_is_published(with_die):
    with_die.write("parts/dice.css", ".die { color: red }\n")
    with_die.write("extensions.py", DIE + '    site.assets("parts")\n')
    with_die.build()
    with_die.build()

    with_die.write("parts/dice.js", "document.title += '!';\n")

    assert not with_die.build().out.startswith("Nothing has changed")
    assert "/dice.js" in with_die.page("posts/dice/index.html")


def test_an_installed_distribution_extends_the_blog_and_can_be_turned_off(project, tmp_path_factory):
    site = tmp_path_factory.mktemp("site-packages") / "site-packages"
    (site / "dice_extension").mkdir(parents=True)
    (site / "dice_extension/__init__.py").write_text(DIE)
    (site / "dice-1.0.dist-info").mkdir()
    (site / "dice-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: dice\nVersion: 1.0\n")
    (site / "dice-1.0.dist-info/entry_points.txt").write_text("[puzzlepress]\ndice = dice_extension:extend\n")
    project.post("A die: {{ die(3) }}.\n")

    project.build(PYTHONPATH=f"{ROOT}:{site}")

    assert "A die: ***." in text_of(project)
    project.write("config.yaml", (project.root / "config.yaml").read_text() + "extensions: {dice: false}\n")
    assert "there is no 'die' here" in project.build(status=1, PYTHONPATH=f"{ROOT}:{site}").err
    project.write("config.yaml", (project.root / "config.yaml").read_text().replace("dice: false", "dise: false"))
    error = project.build(status=1, PYTHONPATH=f"{ROOT}:{site}").err
    assert "config.yaml:5: there is no extension 'dise'" in error
    assert "did you mean 'dice'?" in error


def test_no_module_of_a_blog_hides_a_library(project):
    project.write("yaml.py", "raise SystemExit('hidden')\n")
    project.write("extensions.py", DIE)
    project.post("A die: {{ die(3) }}.\n")

    code = "import sys; from pathlib import Path; from site_builder.cli.main import main; "
    code += "sys.exit(main(Path(sys.argv[1]), ['build']))"
    ran = subprocess.run(
        [sys.executable, "-c", code, project.root], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert ran.returncode == 0, ran.stderr
    assert "A die: ***." in text_of(project)


def test_the_builder_works_without_any_of_its_own_extensions(tmp_path, project):
    without = tmp_path / "without"
    shutil.copytree(ROOT / "site_builder", without / "site_builder", ignore=shutil.ignore_patterns("extensions"))
    shutil.copytree(ROOT / "templates", without / "templates")
    project.post("A chance of {{ results.fair.half | percent }}.\n")

    ran = project.build(PYTHONPATH=str(without), PUZZLEPRESS_WORKERS="1")

    assert "Built 1 post" in ran.out
    assert "A chance of 50%." in text_of(project)
    assert "there is no command 'mutants'" in project.build("mutants", "x", status=2, PYTHONPATH=str(without)).err


def test_an_extension_of_the_builder_can_be_turned_off(project):
    project.write("config.yaml", (project.root / "config.yaml").read_text() + "extensions: {dask: false}\n")
    project.post("A text.\n")

    error = project.build("--workers", "tcp://192.0.2.7:8786", status=2).err

    assert error.startswith("no extension has workers at tcp://\n    mend: write a number of processes")


def test_an_importer_of_an_extension_gives_files_that_import_takes(project, tmp_path_factory):
    old = tmp_path_factory.mktemp("old") / "notes.txt"
    old.write_text("A note; with a second half")
    code = "def read(path):\n    title, rest = path.read_text().split(';')\n"
    code += "    yield 'note.md', f'---\\ntitle: {title}\\ndate: 2026-03-01\\n---\\n{rest}\\n'\n\n"
    project.write("extensions.py", code + "def extend(site):\n    site.importer('notes', read)\n")

    ran = project.run("import", "--from", "notes", str(old))

    assert "Imported 1 post into content/" in ran.out
    assert "with a second half" in (project.root / "content/posts/note.md").read_text()
    assert "did you mean 'notes'?" in project.run("import", "--from", "note", str(old), status=2).err
    old.write_text("no half")
    error = project.run("import", "--from", "notes", str(old), status=2).err
    assert "--from notes: the importer notes fails at extensions.py:2: ValueError" in error


WITH_VIOLIN = """

def figure_turns():
    return Violin("Turns", {"rush": [2, 3, 5], "pass": [1, 4, 4]}, "turns")
"""


def test_a_kind_of_figure_is_drawn_described_and_drawn_again_when_its_extension_changes(project):
    solver = project.root / "solvers/gamblers_ruin.py"
    project.write("violins.py", VIOLINS)
    project.write(
        "extensions.py", "from violins import ViolinKind\n\n\ndef extend(site):\n    site.figure(ViolinKind)\n"
    )
    project.write("solvers/gamblers_ruin.py", f"from violins import Violin\n\n{solver.read_text()}{WITH_VIOLIN}")
    project.post("{{ figure(results.fair.figures.turns) }}\n\n{{ figure(results.fair.figures.chance) }}\n")

    project.build()

    first = pictures_of(project)
    assert "Turns: turns of rush, pass." in text_of(project)
    assert first["turns.csv"].decode().split("\r\n")[:2] == ["group,turns", "rush,2"]
    assert b">pass<" in first["turns.svg"]
    assert project.build().out.startswith("Nothing has changed")

    project.write("violins.py", VIOLINS.replace("range(len(values)))", "[0, 1], widths=1)"))
    said = project.build("--explain").out

    again = pictures_of(project)
    assert sorted(name for name in first if again[name] != first[name]) == [
        "turns-narrow.svg",
        "turns.png",
        "turns.svg",
    ]
    assert "the extension extensions.py changed" in said


def pictures_of(project):
    """The files of the figures of a post, without the digests in their names."""
    found = project.files().items()
    return {re.sub(r".*/fair-([^.]*).*(\.\w+)", r"\1\2", name): data for name, data in found if "/figures/" in name}


def test_a_figure_of_a_kind_that_nothing_registers_is_an_error_at_its_function(project):
    project.write("violins.py", VIOLINS)
    solver = project.root / "solvers/gamblers_ruin.py"
    project.write("solvers/gamblers_ruin.py", f"from violins import Violin\n\n{solver.read_text()}{WITH_VIOLIN}")
    project.post("{{ figure(results.fair.figures.turns) }}\n")

    assert "figure_turns returned a Violin, which is no figure" in project.build(status=1).err
