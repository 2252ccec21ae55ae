"""Shell completion: what a word may become, and real shells that ask with TAB."""

import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time

import pytest

from site_builder.cli.main import COMMANDS
from tests.conftest import ROOT, Project

BUILD = f"{sys.executable} build.py"
SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}

BASH_COMPLETION = "/usr/share/bash-completion/bash_completion"


def in_shell(shell, *values):
    """Parameters of a test that needs this shell; script/shells installs it."""
    return pytest.param(shell, *values, id=shell, marks=pytest.mark.needs(shell))


def asked(*words, shell="zsh"):
    """The answers to a line of these words: each its kind, what the last word may become, and what that means."""
    command = [sys.executable, "build.py", "completion", shell, "--", *words]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stderr == ""
    return [line.split("\t") for line in done.stdout.splitlines()]


def values(*words, shell="zsh"):
    return [parts[1] for parts in asked(*words, shell=shell)]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["so"], ["solve"]),
        (["cl"], ["clean"]),
        (["help", "cl"], ["clean"]),
        (["clean", "--st"], ["--store"]),
        (["--dr"], ["--drafts"]),
        (["--drafts", "--exp"], ["--explain"]),
        (["--vers"], ["--version"]),
        (["solve", "riddler"], ["riddler_flips"]),
        (["solve", "--jobs", "2", "riddler"], ["riddler_flips"]),
        (["explain", "penn"], ["penneys-game-with-one-deck"]),
        (["accept", "ab"], ["about"]),
        (["accept", "about", "penn"], ["penneys-game-with-one-deck"]),
        (["schema", "f"], ["front-matter"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["nonsense", "x"], []),
        (["check", "--nonsense", "x"], []),
    ],
)
def test_a_word_becomes_what_may_stand_there(words, found):
    assert values(*words) == found


def test_commands_come_in_their_order_each_with_what_it_does():
    found = asked("")

    assert ["plain", "build", "Build the site into _site/."] in found
    assert ["plain", "explain", "List what a build would do for a post, and why."] in found
    assert [each[1] for each in found] == list(COMMANDS)


def test_an_option_is_offered_once_with_its_help():
    found = asked("--")

    assert ["plain", "--drafts", "Include drafts: posts with draft: true or published: false."] in found
    assert len({each[1] for each in found}) == len(found)


def test_a_folder_is_left_to_the_shell():
    assert asked("--output", "") == [["dir"]]


def test_the_value_of_an_option_in_one_word_is_whole_for_shells_that_do_not_split_it(tmp_path):
    assert values("clean", "--outp", shell="bash") == ["--output"]
    assert asked("build", "--output=pub") == [["dir"]]


def test_a_post_whose_name_is_no_address_is_offered_as_a_file(project):
    project.post("Text.\n", name="2017-10-13-coin-toss")
    project.post("Text.\n", name="Two Coins")

    found = project.run("completion", "bash", "--", "explain", "").out

    assert found == "plain\tcoin-toss\t\nplain\tcontent/posts/Two Coins.md\t\n"


def test_completing_loads_nothing_that_builds():
    code = (
        "import sys; from pathlib import Path; from site_builder.cli.main import main;"
        "main(Path('.'), ['completion', 'bash', '--', 'solve', '']);"
        "print({'pydantic', 'numpy', 'jinja2', 'markdown', 'yaml'} & set(sys.modules))"
    )

    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert ran.stdout.splitlines()[-1] == "set()"


def printed(shell, folder=ROOT):
    command = [sys.executable, "build.py", "completion", shell]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_printed_whole_with_the_folder_of_its_project(shell):
    script = ROOT / "site_builder" / "cli" / "commands" / "completion_scripts" / f"build.{shell}"

    text = printed(shell)

    assert f"Written by: python build.py completion {shell}" in text
    assert text.splitlines()[-1] == script.read_text("utf-8").splitlines()[-1]
    assert text.count(os.path.realpath(ROOT)) == 1
    assert "PROJECT" not in text


@pytest.mark.parametrize(
    ("shell", "show"),
    [
        in_shell("bash", 'source ./script; printf "%s\\n" "${_puzzlepress_projects[@]}"'),
        in_shell("zsh", 'source ./script; printf "%s\\n" $_puzzlepress_projects'),
        in_shell("fish", 'source ./script; printf "%s\\n" $__puzzlepress_projects'),
    ],
)
def test_a_shell_reads_the_folder_of_the_project_as_it_is(builds, tmp_path, shell, show):
    project = Project(tmp_path / "it's $HOME's \\ blog")
    project.write("script", project.run("completion", shell).out)

    quiet = {"zsh": ["-f"], "fish": ["--no-config"]}.get(shell, [])
    told = subprocess.run([shell, *quiet, "-c", show], cwd=project.root, capture_output=True, text=True, check=True)

    assert told.stdout.splitlines() == [str(project.root)]


# Real shells


class Terminal:
    """A shell at a terminal, in the project's folder."""

    def __init__(self, shell, home):
        self.shell, self.home = shell, home
        self.screen, theirs = pty.openpty()
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
        self.process = subprocess.Popen(
            SHELLS[shell],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=ROOT,
            env={**kept, "HOME": str(home), "TERM": "dumb" if shell != "fish" else "xterm", "COLUMNS": "200"},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # fish begins at no terminal but its own
        )
        os.close(theirs)

    def begin(self, folder=ROOT):
        """Wait for the shell, and have it read the script that a project prints for it."""
        self.type("echo rea''dy\n")
        self.wait("ready")
        script = self.home / "completion"
        script.write_text(printed(self.shell, folder), "utf-8")
        self.type(f"source {script}; echo load''ed\n")
        self.wait("loaded")

    def type(self, text):
        os.write(self.screen, text.encode())

    def wait(self, pattern, seconds=20):
        """All that the shell writes, up to something of this pattern."""
        seen, end = "", time.monotonic() + seconds
        while not re.search(pattern, seen):
            told = select.select([self.screen], [], [], max(0, end - time.monotonic()))[0]
            assert told, f"no {pattern!r} in {seen!r}"
            seen += os.read(self.screen, 65536).decode("utf-8", "replace")
        return seen

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.screen)


@pytest.fixture(params=map(in_shell, SHELLS))
def terminal(request, tmp_path):
    terminal = Terminal(request.param, tmp_path)
    try:
        terminal.begin()
        yield terminal
    finally:
        terminal.close()


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("acc", "accept"),
        ("solve ridd", "riddler_flips"),
        ("explain penn", "penneys-game-with-one-deck"),
        ("clean --sto", "--store"),
        ("schema fro", "front-matter"),
        ("build --output=templ", r"templ\W*ates"),
    ],
)
def test_tab_completes_a_line_in_a_real_shell(terminal, line, whole):
    terminal.type(f"{BUILD} {line}\t")

    assert terminal.wait(whole)


def test_other_lines_of_python_complete_as_before(terminal):
    terminal.type(f"{sys.executable} pypro\t")

    terminal.wait(r"pyproject\.toml")


def test_a_build_py_that_is_not_ours_is_never_run(terminal, tmp_path):
    (tmp_path / "build.py").write_text("open(__file__ + '.ran', 'w')\n")
    for shell in SHELLS:  # whatever else its folder has
        (tmp_path / "site_builder" / "cli").mkdir(parents=True, exist_ok=True)
        (tmp_path / "site_builder" / "cli" / f"build.{shell}").touch()
    terminal.type(f"{sys.executable} {tmp_path}/build.py acc\t")

    terminal.type("\x15echo do''ne\n")  # Ctrl-U takes the line away

    terminal.wait("done")
    assert not (tmp_path / "build.py.ran").exists()


@pytest.mark.needs(BASH_COMPLETION)
def test_bash_goes_on_completing_python_as_bash_completion_does(tmp_path):
    terminal = Terminal("bash", tmp_path)
    try:
        terminal.type(f"source {BASH_COMPLETION}\n")
        terminal.begin()

        terminal.type("python3 -m tomlli\t")

        terminal.wait("tomllib")
    finally:
        terminal.close()
