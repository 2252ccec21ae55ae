"""Shell completion: what a word may become, as a shell asks click for it."""

import os
import subprocess
import sys

import pytest

from site_builder.cli.main import COMMANDS
from tests.conftest import ROOT, Project

RUN = "import sys; sys.argv = ['puzzlepress']; from site_builder.cli.main import run; run()"


def asked(*words, shell="zsh", folder=ROOT):
    """The answers to a line of these words: each its kind, what the last word may become, and what that means."""
    asking = {"_PUZZLEPRESS_COMPLETE": f"{shell}_complete", "COMP_WORDS": " ".join(["puzzlepress", *words])}
    asking |= {"COMP_CWORD": str(len(words)), "PYTHONPATH": str(ROOT)}
    command, env = [sys.executable, "-c", RUN], {**os.environ, **asking}
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=env, check=True)
    assert done.stderr == ""
    lines = [line for line in done.stdout.splitlines() if line]
    return list(zip(lines[::3], lines[1::3], lines[2::3], strict=True))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["so"], ["solve"]),
        (["cl"], ["clean"]),
        (["clean", "--st"], ["--store"]),
        (["build", "--dr"], ["--drafts"]),
        (["--vers"], ["--version"]),
        (["nonsense", "x"], []),
        (["check", "--nonsense", "x"], []),
    ],
)
def test_a_word_becomes_what_may_stand_there(words, found):
    assert [value for _, value, _ in asked(*words)] == found


@pytest.mark.parametrize("folder", [".", "content/posts"])
def test_names_are_those_of_the_project_around_the_current_folder(project, folder):
    (project.root / folder).mkdir(exist_ok=True)

    assert [value for _, value, _ in asked("solve", "g", folder=project.root / folder)] == ["gamblers_ruin"]


def test_commands_come_in_their_order_each_with_what_it_does(tmp_path):
    found = asked("", folder=tmp_path)  # which is no project

    assert ("plain", "build", "Build the site into _site/.") in found
    assert [value for _, value, _ in found] == list(COMMANDS)


def test_an_option_is_offered_once_with_its_help():
    found = asked("build", "--")

    assert ("plain", "--drafts", "Include drafts: posts with draft: true or published: false.") in found
    assert len({value for _, value, _ in found}) == len(found)


def test_a_folder_is_left_to_the_shell():
    assert [kind for kind, *_ in asked("build", "--output", "p")] == ["dir"]


def test_completing_loads_nothing_that_builds(tmp_path):
    Project(tmp_path)
    code = (
        "import sys; from pathlib import Path; from site_builder.cli import main, options;"
        "context = main.commands.make_context('puzzlepress', ['solve'], obj=Path(sys.argv[1]), resilient_parsing=True);"
        "assert options.solvers(context, None, '');"
        "print({'pydantic', 'numpy', 'jinja2', 'markdown', 'yaml'} & set(sys.modules))"
    )

    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert ran.stdout.splitlines()[-1] == "set()"
