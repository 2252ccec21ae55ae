"""The command line: words in, messages and exit status out.

0 done, 1 the project's files are wrong, 2 usage, 70 our own fault, 130 interrupted: docs/commands.md.
"""

import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time

import click
import pytest

from site_builder import __version__
from site_builder.cli import options
from site_builder.cli.main import main
from site_builder.pipeline import build
from tests.conftest import _RUN, ROOT, RUIN, Project
from tests.processes import BEGUN, Begun, processes_left_in, wait_until_begun

ENDLESS = RUIN.replace("    ratio = (1", f"{BEGUN}    while goal:\n        pass\n    ratio = (1", 1)
DONE = re.compile(
    r"Built (?P<posts>\d+) posts?, (?P<texts>\d+) texts?, (?P<solves>\d+) solutions? and (?P<figures>\d+) figures? of"
    r" them anew: (?P<written>\d+) files? written, (?P<kept>\d+) unchanged, (?P<removed>\d+) removed"
    r" in (?P<folder>\S+) \(\d+\.\d s\)\n"
)
NOTHING = re.compile(
    r"Nothing has changed: (?P<posts>\d+) posts? and (?P<files>\d+) files? in (?P<folder>\S+) \(\d+\.\d s\)\n"
)
FAILING_DOOR = """
import sys
import time
from pathlib import Path

from site_builder.cli import main


@main.commands.command()
def fail():
    raise {error}


sys.exit(main.main(Path(sys.argv[1]), ["fail"]))
"""


@pytest.fixture(scope="module")
def built(builds, tmp_path_factory):
    """A project with a small site, for commands that fail before they change anything."""
    project = Project(tmp_path_factory.mktemp("built"))
    project.post("Text.\n", front="runs:\n  yours: {solver: gamblers_ruin}\n")
    project.first = project.build()
    project.before = project.files()
    return project


def environment(**more):
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


# Done


def test_a_build_ends_with_one_line_that_says_what_was_done(built):
    told = DONE.fullmatch(built.first.out)

    assert told
    assert told.group("posts", "texts", "solves", "figures") == ("1", "1", "1", "0")
    assert told.group("kept", "removed", "folder") == ("0", "0", "_site/")
    assert int(told["written"]) == len([name for name in built.before if not name.startswith(".")])


def test_building_again_writes_nothing(built):
    again = NOTHING.fullmatch(built.build("build").out)

    assert again
    assert again.group("posts", "folder") == ("1", "_site/")
    assert again["files"] == DONE.fullmatch(built.first.out)["written"]
    assert built.files() == built.before


def test_a_build_tells_how_much_of_the_site_was_as_it_had_to_be(project):
    project.post("Text.\n", "one")
    project.post("Text.\n", "two", front="runs: {}\n")
    files = int(DONE.fullmatch(project.build().out)["written"])
    project.post("Other words.\n", "two", front="runs: {}\n")

    told = DONE.fullmatch(project.build().out)

    assert told.group("posts", "texts", "solves", "figures") == ("2", "1", "0", "0")
    assert int(told["written"]) + int(told["kept"]) == files
    assert 1 <= int(told["written"]) < files


def test_a_build_tells_its_stages_in_plain_lines_where_there_is_no_terminal(built):
    lines = built.first.err.splitlines()

    stages = [line.partition(":")[0] for line in lines]
    assert [stage for stage in stages if stage != "Drawing"] == ["Solving", "Writing", "Saving", "Indexing"]
    assert "\x1b" not in built.first.err


def test_the_front_door_builds_its_own_folder_from_any_other(tmp_path, project):
    shutil.copyfile(ROOT / "build.py", project.root / "build.py")
    project.post("Text.\n")
    (tmp_path / "elsewhere").mkdir()

    done = subprocess.run(
        [sys.executable, project.root / "build.py", "--output", "here", "--jobs", "1"],
        capture_output=True,
        text=True,
        env=environment(),
        cwd=tmp_path / "elsewhere",
        check=False,
    )

    assert (done.returncode, DONE.fullmatch(done.stdout)["folder"]) == (0, "here/")
    assert (tmp_path / "elsewhere" / "here" / "posts" / "ruin" / "index.html").exists()
    assert not (project.root / "_site").exists()


def test_the_folder_of_solvers_may_be_a_link(project, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "code"
    (project.root / "solvers").rename(elsewhere)
    (project.root / "solvers").symlink_to(elsewhere)
    project.post("It is {{ results.fair.half }}.\n")

    assert "Built 1 post" in project.build().out


def test_the_output_of_config_is_inside_the_project(project):
    project.write("config.yaml", (project.root / "config.yaml").read_text() + "output: public\n")
    project.post("Text.\n")

    project.build()

    assert (project.root / "public" / "index.html").exists()
    assert not (project.root / "_site").exists()


def test_a_setting_changes_the_numbers_of_a_post(project):
    project.post("It is {{ results.mine.half }}.\n", front="runs:\n  mine: {solver: gamblers_ruin}\n")

    project.build("--set", "gamblers_ruin.goal=2", "--set", "gamblers_ruin.win=0.6")

    assert "It is 3/5." in project.page("posts/ruin/index.html")  # from 1 coin of 2 the game is one round


@pytest.mark.parametrize(
    "words", [["--help"], ["-h"], ["help"], ["build", "--help"], ["--drafts", "--help"], ["help", "check"]]
)
def test_help_is_shown_and_nothing_is_done(built, words):
    ran = built.build(*words)

    assert ran.out.startswith("Usage: build.py")
    assert not DONE.search(ran.out)
    assert ran.err == ""


def test_help_with_a_command_is_the_help_of_the_command(built):
    assert built.build("help", "check").out == built.build("check", "--help").out


def test_the_version_is_the_one_of_the_project(built):
    assert built.build("--version").out == f"Puzzlepress {__version__}\n"


# Wrong usage


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--xyzzy"], "Error: No such option '--xyzzy'."),
        (["--jbos", "3"], "Error: No such option '--jbos'. Did you mean '--jobs'?"),
        (["check", "--twise"], "Error: No such option '--twise'. Did you mean '--twice'?"),
        (["check", "--xyzzy"], "Try 'build.py check --help' for help.\n"),
        (["help", "bild"], "there is no command 'bild'\n    mend: did you mean 'build'?"),
        (["bild"], "there is no command 'bild'\n    mend: did you mean 'build'?"),
        (["build", "extra"], "Usage: build.py build [OPTIONS]\n"),
        (["build", "extra"], "Error: Got unexpected extra argument (extra)\n"),
        (["--drafts", "clean", "--store"], "Error: No such option '--store'."),
        (["--drafts", "clean"], "Error: Got unexpected extra argument (clean)\n"),
        (["explain"], "Usage: build.py explain [OPTIONS] POST\n"),
        (
            ["--jobs", "257"],
            "Invalid value for '--workers' / '--jobs': '257' is not a number of processes, at most 256, or an address",
        ),
        (["--workers", "many"], "'--jobs': 'many' is not a number of processes, at most 256, or an address"),
        (["--output"], "Option '--output' requires an argument"),
        (["--drafts=yes"], "Option '--drafts' does not take a value"),
        (
            ["--output", "config.yaml"],
            "Invalid value for '--output': Directory 'config.yaml' is a file",
        ),
        (["--output", "content/site"], "--output content/site: it holds files of the project itself"),
        (["--set"], "--set"),
        (["--set", "goal=3"], "--set goal=3: it must be solver.name=value"),
        (["--set", "gamblers_ruin.goal"], "it must be solver.name=value"),
        (["--set", "gamblers_ruin=3"], "it must be solver.name=value"),
        (["--set", ".goal=3"], "it must be solver.name=value"),
        (["--set", "gamblers_ruin.=3"], "it must be solver.name=value"),
        (["--set", "gamblers_ruin.goal=[1, 2"], "--set gamblers_ruin.goal=[1, 2: "),
        (["--set", "gamblers_ruine.goal=3"], "did you mean 'gamblers_ruin'?"),
        (["--set", "gamblers_ruin.gaol=3"], "did you mean 'goal'?"),
        (["--set", "gamblers_ruin.goal=0"], "--set gamblers_ruin.goal: goal is 0; it must lie between 1 and 1000"),
        (["--set", "gamblers_ruin.goal="], "--set gamblers_ruin.goal: goal is empty; it must be a whole number"),
    ],
)
def test_a_wrong_command_line_ends_with_2_and_changes_nothing(built, words, said):
    ran = built.build(*words, status=2)

    assert said in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""
    assert built.files() == built.before


@pytest.mark.parametrize(
    ("value", "more"),
    [
        ("many", ""),
        ("tcp://192.0.2.7:8786", "; an address is taken from --workers on the command line alone"),
    ],
)
def test_a_wrong_value_of_a_variable_is_told_by_its_name(built, value, more):
    ran = built.build(status=2, PUZZLEPRESS_WORKERS=value)

    assert f"PUZZLEPRESS_WORKERS: '{value}' is not a number of processes, at most 256{more}\n" in ran.err
    assert built.files() == built.before


@pytest.mark.parametrize(("words", "value", "count"), [([], "", 0), ([], "3", 3), (["--workers", "2"], "3", 2)])
def test_the_number_of_workers_is_that_of_the_command_line_or_the_variable(monkeypatch, words, value, count):
    monkeypatch.setenv("PUZZLEPRESS_WORKERS", value)

    command = click.command()(options.workers(lambda workers: workers))

    assert command.main(words, standalone_mode=False) == count


# Faults of the project


def test_a_fault_in_a_post_ends_with_1_and_the_site_stays(project):
    project.post("Text.\n")
    project.build()
    before = project.files()
    project.post("{{ results.fair.halv }}\n")

    ran = project.build(status=1)

    assert "content/posts/ruin.md:7: " in ran.err
    assert "mend: " in ran.err
    assert ran.err.endswith("1 error; the site is as it was.\n")
    assert ran.out == ""
    assert project.files() == before


@pytest.mark.parametrize("words", [[], ["solve", "heads"]], ids=["build", "solve"])
def test_a_folder_without_a_project_ends_with_1(tmp_path, words):
    command = [sys.executable, "-c", _RUN, str(tmp_path), *words]

    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)

    assert done.returncode == 1
    assert "there is no config.yaml here" in done.stderr


@pytest.mark.parametrize(
    ("template", "line", "text", "said"),
    [
        ("post.html", 2, "{# broken #}\n{{ post.titel }}\n", "titel"),
        ("_head.html", 3, "\n\n{% if %}\n", "Expected an expression"),
        ("base.html", 1, '<link href="{{ asset("none.css") }}">\n', "there is no file templates/assets/none.css"),
    ],
)
def test_a_fault_in_a_template_ends_with_1_at_its_line(project, template, line, text, said):
    project.post("Text.\n")
    project.build()
    before = project.files()
    (project.root / "templates").unlink()
    shutil.copytree(ROOT / "templates", project.root / "templates")
    project.write(f"templates/{template}", text)

    ran = project.build(status=1)

    assert f"templates/{template}:{line}: " in ran.err
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert project.files() == before


def test_a_folder_where_a_file_is_in_the_way_ends_with_1(project):
    project.post("Text.\n")
    project.write("_site", "a file")

    ran = project.build(status=1)

    assert "_site: a file is where the folder of the site belongs" in ran.err
    assert (project.root / "_site").read_text() == "a file"


# Our own faults


@pytest.mark.parametrize(
    "error", ["RuntimeError('ours')", "ExceptionGroup('many', [RuntimeError('ours')])", "AssertionError('ours')"]
)
def test_a_fault_of_our_own_ends_with_70_and_its_traceback(project, error):
    command = [sys.executable, "-c", FAILING_DOOR.format(error=error), str(project.root)]

    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)

    assert done.returncode == 70
    assert "Traceback (most recent call last)" in done.stderr
    assert "ours" in done.stderr
    assert "an error of the builder, not of your files" in done.stderr.splitlines()[-1]


# Cleaning


def test_cleaning_removes_the_built_site_and_says_how_many_files_it_had(project):
    project.post("Text.\n")
    project.build()
    built = [name for name in project.files() if not name.startswith(".")]

    ran = project.build("clean")

    assert ran.out == f"Removed {len(built)} files in _site/.\n"
    assert not (project.root / "_site").exists()


def test_cleaning_another_folder_keeps_what_others_wrote_there(project):
    project.post("Text.\n")
    project.build("--output", "public")
    project.write("public/CNAME", "blog.example.org")

    ran = project.build("clean", "--output", "public")

    assert ran.out.endswith(" files in public/.\n")
    assert [path.name for path in (project.root / "public").iterdir()] == ["CNAME"]


def test_cleaning_says_so_when_there_is_nothing_to_remove(project):
    project.post("Text.\n")

    assert project.build("clean", "--store").out == "There is nothing to remove.\n"


def test_cleaning_never_looks_for_a_site_among_the_projects_own_files(built):
    ran = built.build("clean", "--output", "content/site", status=2)

    assert "--output content/site: it holds files of the project itself" in ran.err


# Interrupted


@pytest.mark.parametrize(
    "everyone",
    [
        pytest.param(False, id="the build alone", marks=pytest.mark.deep),
        pytest.param(True, id="its whole group, as a terminal does"),
    ],
)
def test_ctrl_c_ends_with_130_and_leaves_site_and_processes_as_they_were(project, everyone):
    project.post("Text.\n")
    project.build()
    before = project.files()
    project.write("solvers/endless.py", ENDLESS)
    project.post("Text.\n", "endless", front="solver: endless\n")
    with Begun(
        [sys.executable, "-c", _RUN, str(project.root)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd=project.root,
        start_new_session=True,
    ) as build:
        wait_until_begun(project.root)

        (os.killpg if everyone else os.kill)(build.pid, signal.SIGINT)

        out, err = build.communicate(timeout=120)
    assert (build.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "Interrupted; the site is as it was."
    assert "Traceback" not in err
    assert processes_left_in(project.root) == []
    assert project.files() == before


@pytest.mark.parametrize(
    "seconds", [0.1, *(pytest.param(each, marks=pytest.mark.deep) for each in (0, 0.05, 0.2, 0.3, 0.4, 0.5))]
)
def test_ctrl_c_while_workers_begin_ends_in_good_order(project, seconds):
    project.write("solvers/endless.py", ENDLESS)
    project.post("Text.\n", "endless", front="solver: endless\n")
    with project.start() as build:
        assert any(line.startswith("Solving") for line in build.stderr)
        time.sleep(seconds)

        os.killpg(build.pid, signal.SIGINT)

        _, err = build.communicate(timeout=120)
    assert build.returncode == 130
    assert err.splitlines()[-1] == "Interrupted; the site is as it was."
    assert "Traceback" not in err
    assert processes_left_in(project.root) == []


def test_ctrl_c_right_after_the_site_was_written_says_so(project, monkeypatch, capsys):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(build, "_large_settings", interrupt)

    assert main(project.root, ["build", "--jobs", "1"]) == 130
    assert capsys.readouterr().err.splitlines()[-1] == "Interrupted; the new site was written before, and is whole."


# On a terminal


def on_a_terminal(project, *options):
    """How a build ends whose standard error is a terminal, and all that it writes there."""
    ours, theirs = pty.openpty()
    with Begun(
        [sys.executable, "-c", _RUN, str(project.root), *options],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env=environment(TERM="xterm-256color", COLUMNS="80"),
        cwd=project.root,
    ) as build:
        os.close(theirs)
        seen = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # Linux says so when the other side has closed
                break
            if not piece:
                break
            seen += piece
        out, _ = build.communicate(timeout=120)
    os.close(ours)
    return build.returncode, out, seen.decode()


def test_a_terminal_has_a_progress_bar_that_is_gone_at_the_end(project):
    project.post("{{ figure(results.fair.figures.chance) }}\n")

    status, out, seen = on_a_terminal(project)

    assert status == 0, seen
    assert DONE.fullmatch(out)
    assert re.search(r"(Reading|Solving|Writing|Drawing|Saving)\s.*[━╸╺]", seen)
    assert "Solving: " not in seen
    assert seen.rfind("\x1b[?25h") > seen.rfind("\x1b[?25l") >= 0  # the cursor is hidden, and shown again
    assert seen.rstrip("\r\n").endswith("\x1b[2K")  # the line of the bar is cleared


@pytest.mark.deep
def test_a_fault_on_a_terminal_stands_below_the_bar(project):
    project.post("{{ results.fair.halv }}\n")

    status, out, seen = on_a_terminal(project)

    after = seen[seen.rfind("\x1b[?25h") :]
    assert (status, out) == (1, "")
    assert "content/posts/ruin.md:7: " in after
    assert "1 error; the site is as it was." in after
