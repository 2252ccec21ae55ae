"""The tables of docs/ and the code name the same things: keys, filters, functions, options, names of the contract."""

import inspect
import re
from pathlib import Path

import pytest

from site_builder import contract, numbers
from site_builder.commands.build import command as build
from site_builder.commands.publish import command as publish
from site_builder.config import Settings
from site_builder.errors import Place
from site_builder.front_matter import FrontMatter, PuzzleCredit, Run, Steps
from site_builder.functions import PostFunctions
from site_builder.language import PostEnvironment
from site_builder.markup import faults
from site_builder.targets import PublishSettings

DOCS = Path(__file__).resolve().parents[1] / "docs"
FUNCTIONS = PostFunctions(Place("a post"), {}, {}, lambda solver, name: None).names()


def first_cells(page, heading):
    """The first column of the table under a heading, which is the first table after it."""
    text = f"\n{(DOCS / page).read_text('utf-8')}".split(f"\n{heading}\n", 1)[1]
    rows = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)[0].splitlines()
    return [row.strip("|").split(" | ")[0].strip() for row in rows[2:]]


def names(page, heading):
    """The names in code spans in the first column, without their arguments or values."""
    spans = [span for cell in first_cells(page, heading) for span in re.findall(r"`([^`]+)`", cell)]
    return [re.match(r"(?:--)?[\w-]+", span)[0] for span in spans]


def calls(page, heading):
    """Name -> the names of its arguments, of each call such as `number(digits=4)` in the first column."""
    found = {}
    for cell in first_cells(page, heading):
        name, _, arguments = cell.strip("`").rstrip(")").partition("(")
        found[name] = [argument.partition("=")[0].strip() for argument in arguments.split(",") if argument.strip()]
    return found


def test_every_key_of_config_yaml_is_documented_and_no_other():
    assert sorted(names("configuration.md", "# config.yaml")) == sorted(Settings.model_fields)


def test_every_option_of_the_command_line_is_documented_and_no_other():
    options = {option for parameter in build.params for option in parameter.opts}

    assert set(names("configuration.md", "## The command line")) == options


def test_every_key_of_front_matter_is_documented_and_no_other():
    documented = names("post-language.md", "## Front matter")

    assert set(documented) == set(FrontMatter.model_fields)


@pytest.mark.parametrize("model", [Run, PuzzleCredit, Steps], ids=lambda model: model.__name__)
def test_every_key_below_those_of_front_matter_is_mentioned(model):
    text = (DOCS / "post-language.md").read_text("utf-8")

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
    row = re.search(rf"^\| `{name}\(.*", (DOCS / "post-language.md").read_text("utf-8"), re.MULTILINE)[0]

    arguments = [each for each in inspect.signature(FUNCTIONS[name]).parameters if not each.startswith("_")]
    assert [argument for argument in arguments if argument not in row] == []


def test_every_name_of_the_contract_is_documented_and_no_other():
    documented = names("solver-contract.md", "## What a solver imports")

    assert sorted(documented) == sorted(contract.__all__)


@pytest.mark.parametrize(
    ("deepest", "sign"), [(20, "- "), (50, "["), (50, "*a ")], ids=["lists", "brackets", "emphasis"]
)
def test_a_post_may_nest_as_deeply_as_the_page_says_and_no_deeper(deepest, sign):
    text = (DOCS / "post-language.md").read_text("utf-8")

    assert str(deepest) in text
    assert not [fault for fault in faults(sign * deepest + "x\n") if "more than" in fault[1]]
    assert [fault for fault in faults(sign * (deepest + 1) + "x\n") if f"more than {deepest}" in fault[1]]


def test_every_refusal_of_publishing_that_is_documented_is_one_that_it_says():
    folder = DOCS.parent / "site_builder"
    code = "".join(path.read_text("utf-8") for path in [*(folder / "publishing").glob("*.py"), folder / "targets.py"])
    quoted = [
        span for cell in first_cells("publishing.md", "### What is refused") for span in re.findall("`(.+?)`", cell)
    ]

    assert len(quoted) > 15
    assert [words for words in quoted if words not in code and words.replace("CNAME", "{path}") not in code] == []


def test_every_option_of_publishing_is_documented_and_no_other():
    options = {option for parameter in publish.params for option in parameter.opts}

    assert set(names("publishing.md", "## build.py publish")) == options


def test_every_key_of_a_target_is_documented():
    text = (DOCS / "publishing.md").read_text("utf-8")

    assert [
        name for name in PublishSettings.model_fields if f"`{name}`" not in text and f"{{{name}: " not in text
    ] == []
