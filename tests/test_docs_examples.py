"""What README.md and docs/ show is real: links, command lines, front matter, settings, code."""

import dataclasses
import json
import re
import shlex
import shutil
from collections.abc import Mapping
from fractions import Fraction
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Annotated, Any

import click
import pytest

from site_builder import contract
from site_builder.cli import main, options
from site_builder.contract.checks import METHODS
from site_builder.markup.syntax_check import syntax_errors
from site_builder.posts.jinja import PostEnvironment
from site_builder.project.config import Settings
from site_builder.project.front_matter import FrontMatter
from site_builder.project.posts import split_front_matter
from site_builder.project.yaml_reader import read_yaml
from site_builder.solving.catalog import solver_names
from tests.conftest import ROOT, RUIN, of_the_five

PAGES = [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md")), *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"""(?:\]\(|src=")(?!https?:)([^)"\s#]*)(?:#([^)\s]*))?[)"]""")
MODULE = re.compile(r"\bsite_builder[./](?:[\w./-]*\w/?)?")
PROGRESS = re.compile(r"^\w+ing: [\d,]+\n", re.MULTILINE)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
COMMAND = re.compile(r"(?:^|[\s`])(?:python3? |\S*/python |\./|`)(?:\S*/)?build\.py\b([^`\n]*)")


def bare(path):
    """A page without its fences."""
    return FENCE.sub("", path.read_text("utf-8"))


def fences(*languages):
    return [
        pytest.param(text, id=f"{path.name}-{number}")
        for path in PAGES
        for number, (language, text) in enumerate(FENCE.findall(path.read_text("utf-8")))
        if language in languages
    ]


def anchors(path):
    """The anchors of a page's headings, as they are made where its repository is shown."""
    words = [re.sub(r"[^\w\s-]", "", heading.lower()) for heading in HEADING.findall(bare(path))]
    return {re.sub(r"\s", "-", each.strip()) for each in words}


def links():
    return [
        pytest.param(path, target, anchor, id=f"{path.name}-{target}#{anchor}")
        for path in PAGES
        for target, anchor in LINK.findall(re.sub(r"`[^`\n]*`", "``", bare(path)))
    ]


def command_lines():
    """The words after build.py of every command line, comments and what follows in the shell left out."""
    found = {}
    for path in PAGES:
        for rest in COMMAND.findall(path.read_text("utf-8")):
            words = re.split(r"\s#|\s&&|\s[>|]|[;:,)]\s|[.;:,)]+$", rest)[0].strip()
            if "[" not in words:  # a usage line, which test_docs.py holds to the command
                found[words] = path.name
    return [pytest.param(words, id=f"{name}-{words}") for words, name in found.items()]


@pytest.mark.parametrize(("path", "target", "anchor"), links())
def test_a_link_leads_somewhere(path, target, anchor):
    file = (path.parent / target) if target else path

    assert file.exists()
    assert not anchor or anchor in anchors(file)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_module_of_the_builder_that_is_named_is_there(path):
    named = [name for name in MODULE.findall(path.read_text("utf-8")) if name != "site_builder.load"]  # a function

    assert [name for name in named if not ((ROOT / name).exists() if "/" in name else find_spec(name))] == []


@of_the_five
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_folder_of_the_project_that_is_named_is_there(path):
    named = re.findall(r"`((?:\.github|docs|script|site_builder|solvers|templates|tests)/(?:[\w-]+/)*)`", bare(path))

    assert [name for name in named if not (ROOT / name).is_dir()] == []


@of_the_five
def test_every_file_that_the_page_on_architecture_names_is_there():
    named = re.findall(r"`([\w./-]*/[\w./-]*)`", bare(ROOT / "docs" / "architecture.md"))

    assert len(named) > 20
    assert [
        name for name in named if not any((folder / name).exists() for folder in (ROOT, ROOT / "site_builder"))
    ] == []


def test_modules_of_the_builder_are_found_wherever_they_are_named():
    text = "`site_builder/`, site_builder.contract and (site_builder/a_b/c.py)."

    assert MODULE.findall(text) == ["site_builder/", "site_builder.contract", "site_builder/a_b/c.py"]


@of_the_five
def test_the_failing_build_of_the_readme_prints_what_the_program_prints(project):
    readme = (ROOT / "README.md").read_text("utf-8")
    command, shown = re.search(r"^```console\n\$ (.+)\n((?:.+\n)+)```$", readme, re.MULTILINE).groups()
    file = re.match(r"\S+?\.md(?=:)", shown)[0]
    wrong, value = re.search(r'`\{\{ claim\("(\w+)", ([\w.]+)\) \}\}`', readme).groups()
    post, n_claims = re.subn(rf'claim\("\w+", {value}', f'claim("{wrong}", {value}', (ROOT / file).read_text("utf-8"))
    shutil.copytree(ROOT / "solvers", project.root / "solvers", dirs_exist_ok=True)
    project.write(file, post)

    ran = project.build(*shlex.split(command)[2:], status=1)

    assert n_claims == 1
    assert ran.out + PROGRESS.sub("", ran.err) == shown


def blocks(page):
    """The fenced blocks of a page that are in no language: what the program prints."""
    return [text for language, text in FENCE.findall((ROOT / "docs" / page).read_text("utf-8")) if not language]


def test_the_reasons_shown_for_tasks_are_printed(project):
    def write(steps, nearly):
        sweep = f"sweep: {{win: {{start: 0.3, stop: 0.7, steps: {steps}}}}}, keep: [half]"
        runs = f"  main: {{solver: gamblers_ruin}}\n  by_win: {{solver: gamblers_ruin, {sweep}}}\n"
        project.post(
            "{{ results.by_win.half | first | number(2) }}\n\n{{ figure(results.main.figures.chance) }}\n",
            front=f"runs:\n{runs}",
        )
        constant = f"NEARLY = {nearly}\n\n\ndef checks"
        solver = RUIN.replace("def checks", constant).replace("(0, 1), (", "(0 * NEARLY, 1), (")
        project.write("solvers/gamblers_ruin.py", solver)

    write(9, 0)
    project.build()
    write(17, 0.5)
    (shown,) = blocks("store.md")

    of_the_post = project.build("--explain").out.partition("the site\n")[0]
    assert sorted(of_the_post.splitlines()) == sorted(shown.splitlines())


def test_the_failed_check_that_is_shown_is_printed(project):
    shown, _, _ = blocks("checks-and-claims.md")
    project.write(
        "solvers/gamblers_ruin.py",
        RUIN.replace(
            "(0, 1), (result.chance[0], result.chance[-1])",
            "(0, 2), (result.chance[0], result.chance[-1])",
        ),
    )
    project.post("Text.\n")

    assert shown in project.build(status=1).err


def test_the_seeded_faults_that_are_shown_are_printed_in_this_order(project):
    _, shown, _ = blocks("checks-and-claims.md")
    project.post("Text.\n")

    said = project.run("check", "--mutants", "gamblers_ruin").out

    assert re.fullmatch(".*".join(map(re.escape, shown.split("...\n"))), said, re.DOTALL)


def test_the_answer_that_differs_is_printed_as_shown(project):
    _, _, shown = blocks("checks-and-claims.md")
    project.post("{{ results.fair.half | fraction }}\n")
    project.run("accept")
    project.write(
        "solvers/gamblers_ruin.py",
        RUIN.replace("chance, chance[goal // 2]", "chance, chance[goal // 2] * Fraction(9, 10)"),
    )

    said = project.run("check", status=1).out

    assert shown in re.sub(r"date: \d{4}-\d\d-\d\d", "date: 2026-12-01", said)


@pytest.mark.parametrize("line", command_lines())
def test_a_command_line_is_one_that_is_taken(line):
    name, *words = main.in_full(shlex.split(line))
    if name in ("--help", "--version"):
        return
    command = main.commands.get_command(click.Context(main.commands), name)

    assert command is not None
    if "--help" not in words:
        command.make_context(name, words)


def test_command_lines_are_found_wherever_they_are_shown():
    lines = {case.values[0] for case in command_lines()}

    assert {"", "check --twice", "clean --store", "--set riddler_flips.n_flips=60 --set riddler_flips.p_a=3/5"} <= lines


@of_the_five
@pytest.mark.parametrize("text", fences("yaml"))
def test_yaml_is_front_matter_or_settings_that_are_taken(text):
    if text.startswith("---\n"):
        settings, _, _ = split_front_matter(text, "a page")
        front = FrontMatter(**read_yaml(settings, "a page").said)
        assert {run.solver for run in front.all_runs().values()} <= set(solver_names(ROOT))
        return
    said = read_yaml(text, "a page").said
    if said.keys() <= Settings.model_fields.keys():
        Settings(**{"title": "A", "base_url": "https://example.org/", **said})
    else:
        FrontMatter(**{"title": "A", **said})


@pytest.mark.parametrize("text", fences("python"))
def test_python_is_what_the_contract_takes(text):
    names = {name: getattr(contract, name) for name in contract.__all__} | {
        "Annotated": Annotated,
        "Any": Any,
        "Fraction": Fraction,
        "Mapping": Mapping,
        "Parameters": SimpleNamespace,
        "Result": SimpleNamespace,
        "rows": 2,
        "table": [1],
        "next_row": len,
    }

    exec(compile(text, "a page", "exec"), names)

    if "class Parameters" in text:
        names["Parameters"]()


def smallest_solver():
    """The solver at the head of its contract: its file's name and text."""
    text = (ROOT / "docs" / "solver-contract.md").read_text("utf-8")
    return re.search(r"`solvers/(\w+)\.py`", text)[1], FENCE.search(text)[2]


@pytest.mark.parametrize("settings", [{}, {"heads": 1, "p": "9/10"}, {"heads": 50, "p": "1/3"}], ids=str)
def test_the_smallest_solver_runs_and_its_checks_pass(project, settings):
    name, text = smallest_solver()
    project.write(f"solvers/{name}.py", text)

    ran = project.run("solve", name, "--json", *(f"--set={key}={value}" for key, value in settings.items()))

    answer = json.loads(ran.out)
    assert answer["checks"]
    assert all(check["passed"] for check in answer["checks"])
    assert answer["figures"]


@pytest.mark.parametrize(("heads", "states"), [(3, 4), (50, 51)])
def test_the_smallest_game_confirms_every_value_of_the_smallest_solver(project, heads, states):
    name, text = smallest_solver()
    (game,) = (each.values[0] for each in fences("python") if "-> Game" in each.values[0])
    project.write(f"solvers/{name}.py", text + game)

    ran = project.run("solve", name, "--json", f"--set=heads={heads}")

    check = json.loads(ran.out)["checks"][-1]
    assert check["detail"] == f"every one of {states} states satisfies the equation of optimality"
    assert (check["passed"], check["shared"]) == (True, [])


def test_the_board_of_the_smallest_game_can_be_played(project):
    name, text = smallest_solver()
    (game,) = (each.values[0] for each in fences("python") if "-> Game" in each.values[0])
    (board,) = (each.values[0] for each in fences("python") if "-> Board" in each.values[0])
    project.write(f"solvers/{name}.py", text + game.replace("of=", "board=board(n), of=") + board)
    head = f"---\ntitle: Heads\ndate: 2026-01-01\nruns: {{main: {{solver: {name}}}}}\n---\n\n"
    project.write("content/posts/heads.md", f"{head}{{{{ play(results.main) }}}}\n")

    project.build()

    assert "0 heads in a row: 0 flips so far, 14 to come." in project.page("posts/heads/index.html")
    assert len(list((project.root / "_site/posts/heads/play").glob("heads-in-a-row.*.js"))) == 1


def test_a_check_of_the_smallest_solver_fails_for_a_wrong_result():
    names = {}
    exec(compile(smallest_solver()[1], "a page", "exec"), names)
    solver = SimpleNamespace(**names)
    result = solver.solve(solver.Parameters())

    wrong = dataclasses.replace(result, flips=result.flips + 1)

    assert not all(check.passed for check in solver.checks(solver.Parameters(), wrong))


def test_the_post_of_the_cheat_sheet_builds_and_has_all_that_it_shows(project):
    name, solver = smallest_solver()
    language, post = FENCE.search((ROOT / "docs" / "post-language.md").read_text("utf-8")).groups()
    project.write(f"solvers/{name}.py", solver)
    project.write("content/posts/heads.md", post)

    project.build()

    page = project.page("posts/heads/index.html")
    shown = (
        "<h1>3 heads in a row</h1>",
        '<span class="claim">14</span>',
        '<details class="hint">',
        "<math",
        "checks-title",
        "That is long.",
    )
    assert [each for each in (*shown, 'class="figure"', 'class="table"') if each not in page] == []
    assert (language, post.count("\n")) == ("md", 27)


def test_every_method_of_a_check_is_documented_and_no_other():
    text = (ROOT / "docs" / "solver-contract.md").read_text("utf-8")
    table = text.split("| method | meaning |\n|---|---|\n")[1].split("\n\n")[0]

    assert tuple(re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)) == METHODS


@pytest.mark.parametrize("text", fences("markdown"))
def test_markdown_is_taken(text):
    assert syntax_errors(text) == []


@pytest.mark.parametrize("text", fences("json"))
def test_json_is_json(text):
    json.loads(text)


def test_every_field_of_the_contract_is_documented_and_no_other():
    text = (ROOT / "docs" / "solver-contract.md").read_text("utf-8")
    table = text.split("| name | required | optional |\n|---|---|---|\n")[1].split("\n\n")[0]
    documented = {
        name: (re.findall(r"`(\w+)`", must), re.findall(r"`(\w+)`", may))
        for name, must, may in re.findall(r"^\| `(\w+)` \|(.*)\|(.*)\|$", table, re.MULTILINE)
    }

    assert documented == {
        name: fields(getattr(contract, name))
        for name in contract.__all__
        if dataclasses.is_dataclass(getattr(contract, name))
    }


def fields(kind):
    """The names of the fields that have to be given, and of those that may be."""
    own = [each for each in dataclasses.fields(kind) if each.init]
    must = [each.name for each in own if each.default is each.default_factory is dataclasses.MISSING]
    return must, [each.name for each in own if each.name not in must]


@pytest.mark.parametrize("name", [name for name in vars(contract.Grid) if not name.startswith("_")])
def test_every_method_of_a_grid_is_documented_for_posts_and_solvers(name):
    for page in ("post-language.md", "solver-contract.md"):
        assert f".{name}(" in (ROOT / "docs" / page).read_text("utf-8"), page


@pytest.mark.parametrize("page", ["post-language.md", "solver-contract.md"])
def test_a_method_that_is_documented_is_there(page):
    called = re.findall(r"\w\.(\w+)\((?=[^`\n]*`)", bare(ROOT / "docs" / page))

    assert [
        name for name in called if not hasattr(contract.Grid, name) and name not in ("errstate", "time", "now")
    ] == []
    assert "at" in called


def test_the_filters_of_jinja_that_are_named_are_there():
    text = (ROOT / "docs" / "post-language.md").read_text("utf-8")
    named = re.findall(r"`(\w+)`", re.search(r"Jinja's own filters \((.*?)\)", text, re.DOTALL)[1])

    assert len(named) > 5
    assert [name for name in named if name not in PostEnvironment().filters] == []


def test_the_exit_statuses_are_those_of_the_builder():
    told = re.search(r"^Exit status: (.*?)\.", (ROOT / "docs" / "commands.md").read_text("utf-8"), re.DOTALL | re.M)[1]

    assert [int(number) for number in re.findall(r"\b\d+\b", told)] == [
        *(options.DONE, options.AUTHORS_ERROR, options.USAGE, options.CRASHED, options.INTERRUPTED)
    ]
