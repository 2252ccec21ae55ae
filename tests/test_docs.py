"""The tables of docs/ and the code name the same things: keys, filters, functions, options, names of the contract."""

import dataclasses
import inspect
import re
from pathlib import Path, PurePosixPath
from typing import get_args, get_origin

import click
import pytest
from pydantic import BaseModel, ByteSize, TypeAdapter

from site_builder import __version__, contract
from site_builder.cli import main
from site_builder.posts.functions import PostFunctions
from site_builder.posts.held_sentences import Holds
from site_builder.posts.jinja import PostEnvironment, when
from site_builder.posts.job import Job, JobData
from site_builder.project.config import Settings
from site_builder.project.extensions import load_extensions
from site_builder.project.front_matter import FrontMatter
from site_builder.project.posts import read_post
from site_builder.project.yaml_reader import read_scalar
from site_builder.values import number_format

DOCS = Path(__file__).resolve().parents[1] / "docs"
COMMANDS = {name: main.commands.get_command(None, name) for name in main.COMMANDS}
COMMANDS |= {name: each.value for name, each in load_extensions(DOCS.parent).registry.of("command").items()}
POST = read_post(b"---\ntitle: A\ndate: 2026-01-01\n---\n", PurePosixPath("posts/a.md"), "content/posts/a.md")
FUNCTIONS = PostFunctions(JobData(Path(), Job(POST))).names()


def page(name):
    return (DOCS / name).read_text("utf-8")


def rows(name, heading):
    """The rows of the table under a heading, which is the first table after it."""
    text = f"\n{page(name)}".split(f"\n{heading}\n", 1)[1]
    return re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)[0].splitlines()[2:]


def first_cells(name, heading):
    return [row.strip("|").split(" | ")[0].strip() for row in rows(name, heading)]


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


@pytest.mark.parametrize(
    ("name", "heading", "model"),
    [("configuration.md", "# config.yaml", Settings), ("post-language.md", "## Front matter", FrontMatter)],
)
def test_every_key_is_documented_in_the_words_of_its_model_with_its_default_and_no_other(name, heading, model):
    table = [row.strip("|").split(" | ") for row in rows(name, heading)]

    assert [key.strip(" `") for key, _ in table] == [key for key, _ in keys(model)]
    for (_, text), (key, field) in zip(table, keys(model), strict=True):
        meaning, _, without = text.strip().removeprefix(field.description).partition("; ")
        assert (meaning, default_in(without.removeprefix("default ").strip("`"))) == ("", default_of(field)), key


def keys(model, before=""):
    """The keys of a model and of those within it, each with its field."""
    for name, field in model.model_fields.items():
        name = field.alias or name
        yield before + name, field
        for inner, way in models_in(field.annotation, before + name):
            yield from keys(inner, f"{way}.")


def models_in(annotation, way):
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation, way
    elif get_origin(annotation) is dict:
        yield from models_in(get_args(annotation)[1], f"{way}.NAME")
    else:
        for part in get_args(annotation):
            yield from models_in(part, way)


def default_in(cell):
    """What is said of a key that is left out: a size in bytes, a value; nothing where it is empty."""
    if cell == "required":
        return cell
    value = read_scalar(cell) if cell else None
    return TypeAdapter(ByteSize).validate_python(value) if str(value).endswith("iB") else value


def default_of(field):
    if field.is_required():
        return "required"
    default = field.get_default(call_default_factory=True)
    return None if isinstance(default, BaseModel) or default in ("", [], {}) else default


def test_every_page_of_the_documentation_stands_in_its_index():
    linked = re.findall(r"\]\(([\w-]+\.md)\)", "\n".join(first_cells("README.md", "# Documentation")))

    assert sorted(linked) == sorted(path.name for path in DOCS.glob("*.md") if path.name != "README.md")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_argument_and_option_of_a_command_is_documented_as_its_help_writes_it_and_no_other(name):
    command = COMMANDS[name]
    section = page("commands.md").split(f"\n## {name}\n", 1)[1].split("\n## ", 1)[0]

    context = click.Context(command, info_name=name)
    own = re.findall(r"^\| `([^`]+)` \| ", section, re.MULTILINE)
    common = [cell.strip("`") for cell in first_cells("commands.md", "## Common options")]
    assert own == [each for each in written(command, context) if each in own or each not in common]


def test_every_common_option_is_one_of_several_commands():
    taken = [each for command in COMMANDS.values() for each in written(command, click.Context(command))]

    for cell in first_cells("commands.md", "## Common options"):
        assert taken.count(cell.strip("`")) > 1, cell


def written(command, context):
    """The arguments and options of a command as its help writes them, but for --help."""
    arguments = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    return [argument.make_metavar(context) for argument in arguments] + [
        option.get_help_record(context)[0] for option in options
    ]


def test_every_filter_is_documented_with_its_arguments_and_no_other():
    documented = calls("post-language.md", "## Filters")
    functions = number_format.FORMS | number_format.WORDS | {"when": when}

    assert set(documented) == set(PostEnvironment().filters) & set(functions) == set(functions)
    for name, arguments in documented.items():
        assert len(arguments) == len(inspect.signature(functions[name]).parameters) - 1, name


def test_a_filters_documented_default_is_the_one_that_it_has():
    cells = first_cells("post-language.md", "## Filters")
    documented = dict(re.findall(r"`(\w+)\(\w+=([^)]+)\)`", " ".join(cells)))

    for name, default in documented.items():
        parameters = list(inspect.signature(number_format.FORMS[name]).parameters.values())
        assert str(parameters[1].default) == default.strip('"')
    assert documented.keys() == {"number", "percent", "sentence", "estimate"}


def test_every_function_is_documented_with_arguments_that_it_takes_and_no_other():
    documented = calls("post-language.md", "## Functions")

    assert set(documented) == set(FUNCTIONS)
    for name, arguments in documented.items():
        assert set(arguments) <= arguments_of(name), name


def test_the_cheat_sheet_names_every_filter_function_and_tag_and_nothing_else():
    sheet = "\n".join(rows("post-language.md", "## Cheat sheet"))

    named = {re.search(r"\w+", span)[0] for span in re.findall(r"`([^`]+)`", sheet)}
    assert named == {*number_format.FORMS, *number_format.WORDS, "when", *FUNCTIONS, *Holds.tags}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_argument_of_a_function_is_mentioned_in_its_row(name):
    row = re.search(rf"^\| `{name}\(.*", page("post-language.md"), re.MULTILINE)[0]

    arguments = [each for each in inspect.signature(FUNCTIONS[name]).parameters if not each.startswith("_")]
    assert [argument for argument in arguments if argument not in row and argument != "more"] == []


def arguments_of(name):
    """The arguments of a function of posts, and the fields of the kind of figure that it takes too."""
    kind = (
        getattr(contract, name.capitalize(), None) if "more" in inspect.signature(FUNCTIONS[name]).parameters else None
    )
    fields = [each.name for each in dataclasses.fields(kind)] if kind else []
    return {*inspect.signature(FUNCTIONS[name]).parameters, *fields}


def test_every_name_of_the_contract_is_documented_and_no_other():
    data = page("solver-contract.md").split("| name | what it is | required | optional |\n")[1]
    documented = [*names("solver-contract.md", "## Reference"), *re.findall(r"^\| `(\w+)` \|", data, re.MULTILINE)]

    assert sorted(documented) == sorted(contract.__all__)


def test_the_changelog_has_the_projects_version_below_what_is_unreleased_and_the_usual_sections():
    text = (DOCS.parent / "CHANGELOG.md").read_text("utf-8")

    versions = re.findall(r"^## (\S+)(?: - \d{4}-\d\d-\d\d)?$", text, re.MULTILINE)
    assert versions[:2] == ["Unreleased", __version__]
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= {"Added", "Changed", "Fixed", "Removed"}
