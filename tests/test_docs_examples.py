"""What README.md and docs/ show is real: links, command lines, front matter, settings, code."""

import dataclasses
import json
import re
import shlex
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from typing import Annotated

import click
import pytest

from site_builder import contract
from site_builder.cli import main, options
from site_builder.markup.syntax_check import syntax_errors
from site_builder.posts.jinja import PostEnvironment
from site_builder.project.config import Settings
from site_builder.project.front_matter import FrontMatter
from site_builder.project.posts import split_front_matter
from site_builder.project.yaml_reader import read_yaml
from site_builder.solving.catalog import solver_names
from site_builder.values.language import Language
from tests.conftest import ROOT, of_the_five

PAGES = [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md")), *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"""(?:\]\(|src=")(?!https?:)([^)"\s#]*)(?:#([^)\s]*))?[)"]""")
MODULE = re.compile(r"\bsite_builder[./](?:[\w./-]*\w/?)?")
PROGRESS = re.compile(r"^\w+ing: [\d,]+\n", re.MULTILINE)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
EXTENSIONS = "site_builder/extensions", "site_builder.extensions"
COMMANDS_OF_EXTENSIONS = ("import", "mutants")
"""What tests/extensions/test_docs.py tries, so that the tests here pass without extensions of the builder."""
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


def command_lines(of_extensions=False):
    """The words after build.py of every command line, comments and what follows in the shell left out."""
    found = {}
    for path in PAGES:
        for rest in COMMAND.findall(path.read_text("utf-8")):
            words = re.split(r"\s#|\s&&|\s[>|]|[;:,)]\s|[.;:,)]+$", rest)[0].strip()
            is_wanted = (words.partition(" ")[0] in COMMANDS_OF_EXTENSIONS) == of_extensions
            if is_wanted and "[" not in words:  # a list, of which only a part is found
                found[words] = path.name
    return [pytest.param(words, id=f"{name}-{words}") for words, name in found.items()]


@pytest.mark.parametrize(("path", "target", "anchor"), links())
def test_a_link_leads_somewhere(path, target, anchor):
    file = (path.parent / target) if target else path

    assert file.exists()
    assert not anchor or anchor in anchors(file)


def missing_modules(path, of_extensions=False):
    """The modules and files of the builder that a page names and that are not there."""
    named = [name for name in MODULE.findall(path.read_text("utf-8")) if name != "site_builder.load"]  # a function
    wanted = [name for name in named if name.startswith(EXTENSIONS) == of_extensions]
    return [name for name in wanted if not ((ROOT / name).exists() if "/" in name else find_spec(name))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_module_of_the_builder_that_is_named_is_there(path):
    assert missing_modules(path) == []


@of_the_five
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_folder_of_the_project_that_is_named_is_there(path):
    named = re.findall(r"`((?:\.github|docs|script|site_builder|solvers|templates|tests)/(?:[\w-]+/)*)`", bare(path))

    assert [name for name in named if not (ROOT / name).is_dir()] == []


@of_the_five
def test_modules_of_the_builder_are_found_wherever_they_are_named():
    text = "`site_builder/`, site_builder.contract and (site_builder/a_b/c.py)."

    assert MODULE.findall(text) == ["site_builder/", "site_builder.contract", "site_builder/a_b/c.py"]


def blocks(page):
    """The fenced blocks of a page that are in no language: what the program prints."""
    return [text for language, text in FENCE.findall((ROOT / "docs" / page).read_text("utf-8")) if not language]


def smallest_solver():
    """The solver at the head of its contract, with its check and its figure: its file's name and text."""
    text = (ROOT / "docs" / "solver-contract.md").read_text("utf-8")
    parts = [part for language, part in FENCE.findall(text) if language == "python"]
    return re.search(r"`solvers/(\w+)\.py`", text)[1], "\n\n".join(parts[:3])


@pytest.fixture
def heads(project):
    """A project with the smallest solver and a post about it."""
    name, text = smallest_solver()
    project.write(f"solvers/{name}.py", text)
    project.write("content/posts/heads.md", HEADS)
    return project


HEADS = """---
title: Heads in a row
date: 2026-11-20
solver: heads_in_a_row
---
It takes {{ results.main.flips }} flips.
"""


def changed(project, *changes):
    """Write the smallest solver with these changes, each an old and a new text."""
    name, text = smallest_solver()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    project.write(f"solvers/{name}.py", text)


def test_the_failing_build_of_the_readme_prints_what_the_program_prints(heads):
    readme = (ROOT / "README.md").read_text("utf-8")
    command, shown = re.search(r"^```console\n\$ (.+)\n((?:.+\n)+)```$", readme, re.MULTILINE).groups()
    claim = re.search(r"`(\{\{ claim\(.+?\}\})`", readme)[1]
    heads.write("content/posts/heads.md", f"{HEADS}It was published as {claim}.\n")

    ran = heads.build(*shlex.split(command)[2:], status=1)

    assert ran.out + PROGRESS.sub("", ran.err) == shown


def test_the_answer_that_differs_is_printed_as_shown(heads):
    (shown,) = blocks("checks-and-claims.md")
    heads.run("accept")
    changed(
        heads, ('"flips": expected[-1]', '"flips": 2 * expected[-1]'), ('"flips": exact[-1]', '"flips": 2 * exact[-1]')
    )

    said = heads.run("check", status=1).out

    assert shown in re.sub(r"date: \d{4}-\d\d-\d\d", "date: 2026-12-01", said)


def take(line):
    """The command of a line, read as the program does; raises for a line that it does not take."""
    name, *words = main.in_full(shlex.split(line))
    if name in ("--help", "--version"):
        return name
    command = main.commands.get_command(click.Context(main.commands, obj=ROOT), name)

    assert command is not None
    if "--help" not in words:
        command.make_context(name, words)
    return name


@pytest.mark.parametrize("line", command_lines())
def test_a_command_line_is_one_that_is_taken(line):
    assert take(line)  # the name of a command


def test_command_lines_are_found_wherever_they_are_shown():
    lines = {case.values[0] for case in command_lines()}

    assert {"", "check --twice", "clean --store", "--set riddler_flips.n_flips=60 --set riddler_flips.p_a=3/5"} <= lines


@of_the_five
@pytest.mark.parametrize("text", fences("yaml"))
def test_yaml_is_front_matter_or_settings_that_are_taken(text):
    if text.startswith("---\n"):
        settings, _, _ = split_front_matter(text, "a page")
        front = FrontMatter(**read_yaml(settings, "a page").keys_with_values)
        assert {front.solver, *(run.solver for run in front.runs.values())} - {""} <= set(solver_names(ROOT))
        return
    said = read_yaml(text, "a page").keys_with_values
    if said.keys() <= Settings.model_fields.keys():
        Settings(**{"title": "A", "base_url": "https://example.org/", **said})
    elif "months" in said:
        Language(**said)
    else:
        FrontMatter(**{"title": "A", **said})


def run_python(text):
    """The names that code of a page defines when it runs with those of the contract."""
    given = {name: getattr(contract, name) for name in contract.__all__} | {
        **{"Annotated": Annotated, "Fraction": Fraction, "dataclass": dataclass},
        **{"rows": 2, "table": [1], "next_row": len},
    }
    names = dict(given)
    exec(compile(text, "a page", "exec"), names)
    return names.keys() - given.keys() - {"__builtins__"}


@pytest.mark.parametrize("text", [each for each in fences("python") if EXTENSIONS[1] not in each.values[0]])
def test_python_is_what_the_contract_takes(text):
    assert run_python(text)


def test_the_head_of_the_contract_is_a_whole_solver_without_its_check_and_figure(heads):
    name, text = smallest_solver()
    heads.write(f"solvers/{name}.py", text.partition("\n\n\ndef check")[0])

    answer = json.loads(heads.run("solve", name, "--json").out)

    assert answer["result"]["flips"]["exact"] == "14"  # Feller, vol. I, sect. XIII.7: (1 - p^3) / ((1 - p) p^3)
    assert answer["unconfirmed"] == ["flips", "by_heads"]


@pytest.mark.parametrize("settings", [{}, {"heads": 1, "p": "9/10"}, {"heads": 50, "p": "1/3"}], ids=str)
def test_the_smallest_solver_runs_and_its_check_confirms_all_of_it(heads, settings):
    ran = heads.run("solve", "heads_in_a_row", "--json", *(f"--set={key}={value}" for key, value in settings.items()))

    answer = json.loads(ran.out)
    assert answer["checks"]
    assert all(check["confirms"] for check in answer["checks"])
    assert (answer["unconfirmed"], answer["figures"]) == ([], ["by_heads"])


def test_the_keys_of_the_json_that_is_documented_are_printed(heads):
    page = (ROOT / "docs" / "solver-contract.md").read_text("utf-8")
    text = page.split("`--json` prints one JSON object.")[1].split("\n\n")[0]
    run, check, sweep = (
        text.split("each of `checks` has")[0],
        *text.split("each of `checks` has")[1].split("A sweep has"),
    )

    solved = json.loads(heads.run("solve", "heads_in_a_row", "--json").out)
    swept = json.loads(heads.run("solve", "heads_in_a_row", "--json", "--sweep=heads=1:3:3").out)

    kinds = ["answer", "case", "law", "certificate"]
    assert re.findall(r"`(\w+)`", run) == list(solved)
    assert sorted(set(re.findall(r"`(\w+)`", check)) - {*kinds}) == sorted(solved["checks"][0])
    assert re.findall(r"`(\w+)`", sweep)[: len(swept)] == list(swept)


def test_the_figure_with_steps_of_the_contract_is_made_of_the_smallest_solver(heads):
    name, text = smallest_solver()
    (steps,) = (each.values[0] for each in fences("python") if "def figure_waiting" in each.values[0])
    heads.write(f"solvers/{name}.py", f"{text}\n\n{steps}")

    answer = json.loads(heads.run("solve", name, "--json").out)

    assert answer["figures"] == ["by_heads", "waiting"]


def test_the_validated_solver_of_the_contract_refuses_what_it_says(heads):
    (text,) = (each.values[0] for each in fences("python") if "def validate" in each.values[0])
    head = "from typing import Annotated\n\nfrom site_builder.contract import Field\n\n\n"
    heads.write("solvers/lead.py", f'"""A lead."""\n\n{head}{text}')

    assert "0.75" in heads.run("solve", "lead", "--set=lead=50").out  # (1 + 50 / 100) / 2
    assert "the lead has more points" in heads.run("solve", "lead", "--set=lead=101", status=None).err


def test_the_post_of_the_cheat_sheet_builds_and_has_all_that_it_shows(heads):
    language, post = FENCE.search((ROOT / "docs" / "post-language.md").read_text("utf-8")).groups()
    heads.write("content/posts/heads.md", post)

    heads.run("check")
    heads.build()

    page = heads.page("posts/heads/index.html")
    shown = (
        "<h1>3 heads in a row</h1>",
        'class="claim"',
        ">14</",
        '<details class="hint">',
        "<math",
        "checks-title",
        "That is long.",
    )
    assert [each for each in (*shown, 'class="figure"', 'class="table"') if each not in page] == []
    assert (language, post.count("\n")) == ("md", 25)


@pytest.mark.parametrize("text", fences("markdown"))
def test_markdown_is_taken(text):
    assert syntax_errors(text) == []


def test_every_field_of_the_contract_is_documented_and_no_other():
    text = (ROOT / "docs" / "solver-contract.md").read_text("utf-8")
    table = text.split("| name | what it is | required | optional |\n|---|---|---|---|\n")[1].split("\n\n")[0]
    documented = {
        name: (re.findall(r"`(\w+)`", must), re.findall(r"`(\w+)`", may))
        for name, must, may in re.findall(r"^\| `(\w+)` \|.*\|(.*)\|(.*)\|$", table, re.MULTILINE)
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

    assert [name for name in called if not hasattr(contract.Grid, name) and name not in ("time", "now", "common")] == []
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
