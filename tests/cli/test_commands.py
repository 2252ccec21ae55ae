"""What holds for every command: help, words in common, options that mean one thing."""

import re
import subprocess
import sys
from collections import defaultdict

import click
import pytest
from click.testing import CliRunner

from site_builder.cli import main
from site_builder.project.extensions import load_extensions
from tests.conftest import ROOT

ORDER = (  # of docs/commands.md
    *(
        "build",
        "serve",
        "new",
        "solve",
        "check",
        "explain",
        "accept",
        "publish",
        "import",
        "schema",
        "clean",
    ),
    *("init", "doctor", "theme"),
)
COMMANDS = {name: main.commands.get_command(None, name) for name in main.COMMANDS}
COMMANDS |= {name: each.value for name, each in load_extensions(ROOT).registry.of("command").items()}
OPTIONS = [(name, each) for name in COMMANDS for each in COMMANDS[name].params if isinstance(each, click.Option)]


def test_commands_are_told_in_the_order_of_the_documentation():
    assert [name for name in main.COMMANDS if name in ORDER] == [name for name in ORDER if name in main.COMMANDS]


def test_the_short_help_of_every_command_is_one_whole_sentence_in_eighty_columns():
    told = CliRunner(env={"COLUMNS": "80"}).invoke(main.commands, ["--help"]).output.split("Commands:\n")[1]
    lines = dict(re.findall(r"^  (\w+) +(\S.*)$", told.split("\n\n")[0], re.MULTILINE))

    assert list(lines) == list(main.COMMANDS)
    assert [line for line in lines.values() if not re.fullmatch(r"[A-Z].*[^.]\.", line)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_bears_its_own_name(name):
    assert COMMANDS[name].name == name


@pytest.mark.parametrize(("name", "option"), OPTIONS, ids=lambda each: getattr(each, "name", each))
def test_every_option_is_told_in_a_sentence(name, option):
    assert option.hidden or re.fullmatch(r"[A-Z].*\.", option.help or ""), f"{name} {option.opts}"


def test_an_option_that_several_commands_have_is_the_same_to_all_of_them():
    meanings = defaultdict(set)
    for _, option in OPTIONS:
        meanings[option.opts[0]].add((option.help, repr(option.type), option.is_flag, option.multiple, option.nargs))

    assert {name: found for name, found in meanings.items() if len(found) > 1} == {}
    assert {"--output", "--set", "--drafts", "--workers"} <= meanings.keys()


def test_a_build_that_has_not_begun_has_loaded_nothing_that_builds():
    # One with nothing to do ends after this, and takes no longer.
    code = (
        "import sys; from site_builder.pipeline.last_build import unchanged; from site_builder.cli import main;"
        "from site_builder.cli.commands.build import build; build.make_context('build', []);"
        "print({'pydantic', 'numpy', 'jinja2', 'markdown', 'yaml'} & set(sys.modules))"
    )

    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert ran.stdout == "set()\n"
