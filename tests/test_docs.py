"""The tables of docs/ and the code name the same things: keys, filters, functions, options, names of the contract."""

import inspect
import re
from pathlib import Path

import click
import pytest

from site_builder import cli, contract, numbers
from site_builder.config import Settings
from site_builder.errors import Place
from site_builder.front_matter import FrontMatter, PuzzleCredit, Run, Steps
from site_builder.functions import PostFunctions
from site_builder.language import PostEnvironment
from site_builder.markup import faults

DOCS = Path(__file__).resolve().parents[1] / "docs"
COMMANDS = {name: cli.commands.get_command(None, name) for name in cli.COMMANDS}
FUNCTIONS = PostFunctions(Place("a post"), {}, {}, lambda solver, name: None).names()


def page(name):
    return (DOCS / name).read_text("utf-8")


def first_cells(name, heading):
    """The first column of the table under a heading, which is the first table after it."""
    text = f"\n{page(name)}".split(f"\n{heading}\n", 1)[1]
    rows = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)[0].splitlines()
    return [row.strip("|").split(" | ")[0].strip() for row in rows[2:]]


def names(name, heading):
    """The names in code spans in the first column, without their arguments or values."""
    spans = [span for cell in first_cells(name, heading) for span in re.findall(r"`([^`]+)`", cell)]
    return [re.match(r"(?:--)?[\w-]+", span)[0] for span in spans]


def calls(name, heading):
    """Name -> the names of its arguments, of each call such as `number(digits=4)` in the first column."""
    found = {}
    for cell in first_cells(name, heading):
        called, _, arguments = cell.strip("`").rstrip(")").partition("(")
        found[called] = [argument.partition("=")[0].strip() for argument in arguments.split(",") if argument.strip()]
    return found


def test_every_key_of_config_yaml_is_documented_and_no_other():
    assert sorted(names("configuration.md", "# config.yaml")) == sorted(Settings.model_fields)


def test_every_page_of_the_documentation_stands_in_its_index():
    linked = re.findall(r"\]\(([\w-]+\.md)\)", "\n".join(first_cells("README.md", "# Documentation")))

    assert sorted(linked) == sorted(path.name for path in DOCS.glob("*.md") if path.name != "README.md")


def test_every_command_is_documented_in_the_order_and_the_words_of_the_help():
    rows = [(name, command.get_short_help_str(1000)) for name, command in COMMANDS.items() if not command.hidden]

    assert re.findall(r"^\| \[`(\w+)`\]\(#\1\) \| (.+) \|$", page("commands.md"), re.MULTILINE) == rows
    assert re.findall(r"^## (\w+)$", page("commands.md"), re.MULTILINE) == [name for name, _ in rows]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_and_option_of_a_command_is_documented_as_its_help_writes_it_and_no_other(name):
    command = COMMANDS[name]
    section = page("commands.md").split(f"\n## {name}\n", 1)[1].split("\n## ", 1)[0]

    context = click.Context(command, info_name=name)
    assert re.search(r"^```sh\npython build.py (.+)\n```$", section, re.MULTILINE)[1] == " ".join(
        [name, *command.collect_usage_pieces(context)]
    )
    assert re.findall(r"^\| `([^`]+)` \| ", section, re.MULTILINE) == written(command, context)


def written(command, context):
    """The arguments and options of a command as its help writes them, but for --help."""
    arguments = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    return [argument.make_metavar(context) for argument in arguments] + [
        option.get_help_record(context)[0] for option in options
    ]


def test_every_key_of_front_matter_is_documented_and_no_other():
    documented = names("post-language.md", "## Front matter")

    assert set(documented) == set(FrontMatter.model_fields)


@pytest.mark.parametrize("model", [Run, PuzzleCredit, Steps], ids=lambda model: model.__name__)
def test_every_key_below_those_of_front_matter_is_mentioned(model):
    text = page("post-language.md")

    assert [name for name in model.model_fields if not re.search(rf"\b{name}\b", text)] == []


def test_every_filter_is_documented_with_its_arguments_and_no_other():
    documented = calls("post-language.md", "## Filters")
    own = set(PostEnvironment().filters) & set(numbers.FORMS)

    assert set(documented) == own == set(numbers.FORMS)
    for name, arguments in documented.items():
        assert len(arguments) == len(inspect.signature(numbers.FORMS[name]).parameters) - 1, name


def test_a_filters_documented_default_is_the_one_that_it_has():
    cells = first_cells("post-language.md", "## Filters")
    documented = dict(re.findall(r"`(\w+)\(\w+=([^)]+)\)`", " ".join(cells)))

    for name, default in documented.items():
        parameters = list(inspect.signature(numbers.FORMS[name]).parameters.values())
        assert str(parameters[1].default) == default.strip('"')
    assert documented.keys() == {"number", "percent", "sentence"}


def test_every_function_is_documented_with_arguments_that_it_takes_and_no_other():
    documented = calls("post-language.md", "## Functions")

    assert set(documented) == set(FUNCTIONS)
    for name, arguments in documented.items():
        assert set(arguments) <= set(inspect.signature(FUNCTIONS[name]).parameters), name


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_argument_of_a_function_is_mentioned_in_its_row(name):
    row = re.search(rf"^\| `{name}\(.*", page("post-language.md"), re.MULTILINE)[0]

    arguments = [each for each in inspect.signature(FUNCTIONS[name]).parameters if not each.startswith("_")]
    assert [argument for argument in arguments if argument not in row] == []


def test_every_name_of_the_contract_is_documented_and_no_other():
    documented = names("solver-contract.md", "## What a solver imports")

    assert sorted(documented) == sorted(contract.__all__)


@pytest.mark.parametrize(
    ("deepest", "sign"), [(20, "- "), (50, "["), (50, "*a ")], ids=["lists", "brackets", "emphasis"]
)
def test_a_post_may_nest_as_deeply_as_the_page_says_and_no_deeper(deepest, sign):
    text = page("post-language.md")

    assert str(deepest) in text
    assert not [fault for fault in faults(sign * deepest + "x\n") if "more than" in fault[1]]
    assert [fault for fault in faults(sign * (deepest + 1) + "x\n") if f"more than {deepest}" in fault[1]]
