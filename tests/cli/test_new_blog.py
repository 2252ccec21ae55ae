"""A new blog: its files, which pass their own checks, and where none is written."""

import json
import os
import subprocess
import sys

import pytest
import yaml

from site_builder import __version__
from site_builder.cli import scaffold
from site_builder.cli.main import main
from site_builder.cli.scaffold import NewBlog, begin_blog, builder_from
from site_builder.errors import SiteError
from site_builder.project.config import load_config
from tests.conftest import ROOT, Project

POST, SOLVER, TEST = (
    *("content/posts/the-gamblers-ruin.md", "solvers/gamblers_ruin.py"),
    "tests/solvers/test_gamblers_ruin.py",
)
OWN = {
    *("config.yaml", "content/pages/about.md", "build.py", "requirements.txt", "pytest.ini", ".gitignore", "README.md"),
    *(".github/workflows/publish.yml", "solvers/__init__.py", POST, SOLVER, TEST),
}


def written(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def begin(folder, *words):
    return main(folder.parent, ["init", str(folder), *words])


def test_a_new_blog_holds_what_it_needs_and_no_file_of_the_builder(tmp_path, capsys):
    assert begin(tmp_path / "my-blog") == 0

    assert written(tmp_path / "my-blog") == OWN
    assert capsys.readouterr().out.startswith(f"Wrote {len(OWN)} files into {tmp_path}/my-blog/\n")


@pytest.mark.deep  # as of a wheel in test_wheel.py
def test_a_new_blog_builds_and_passes_its_checks_and_tests(builds, tmp_path):
    begin(tmp_path / "my-blog")
    project = Project.at(tmp_path / "my-blog")

    built, checked = project.build(), project.build("check")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    path = {**os.environ, "PYTHONPATH": str(ROOT)}
    tested = subprocess.run(command, cwd=project.root, env=path, capture_output=True, text=True, check=False)

    assert "Built 1 post" in built.out
    assert "1 post with results, 1 claim" in checked.out
    assert "solved once more in fresh processes: the same bytes" in checked.out  # a sweep among them
    assert tested.returncode == 0, tested.stdout
    assert " passed" in tested.stdout


@pytest.mark.parametrize(
    ("folder", "words", "title"),
    [
        ("two-dice", (), "Two dice"),
        ("MyBlog", (), "MyBlog"),
        ("blog", ("--title", 'Ann\'s "dice": #1'), 'Ann\'s "dice": #1'),
    ],
)
def test_the_title_is_the_one_that_is_given_or_that_of_the_folder(tmp_path, folder, words, title):
    assert begin(tmp_path / folder, *words) == 0

    assert load_config(tmp_path / folder).settings.title == title


def requirements(folder):
    return (folder / "requirements.txt").read_text("utf-8").splitlines()


def test_the_requirements_name_the_checkout_and_say_so_or_another_builder(tmp_path, capsys):
    begin(tmp_path / "one")
    told = capsys.readouterr().out
    begin(tmp_path / "two", "--builder", "puzzlepress @ file:///wheels/puzzlepress.whl")

    assert requirements(tmp_path / "one")[1:3] == [f"puzzlepress @ {ROOT.as_uri()}", "pytest"]
    assert told.endswith("which other machines do not have; there, name a wheel or a repository instead\n")
    assert requirements(tmp_path / "two")[1:3] == ["puzzlepress @ file:///wheels/puzzlepress.whl", "pytest"]
    assert "builder" not in capsys.readouterr().out


# The form of direct_url.json: PEP 610, https://packaging.python.org/en/latest/specifications/direct-url/
@pytest.mark.parametrize(
    ("direct_url", "line"),
    [
        ({}, f"puzzlepress=={__version__}"),  # from an index
        ({"url": "https://example.org/p-1.whl", "archive_info": {}}, "puzzlepress @ https://example.org/p-1.whl"),
        (
            {"url": "https://example.org/p.git", "vcs_info": {"vcs": "git", "commit_id": "7921be1"}},
            "puzzlepress @ git+https://example.org/p.git@7921be1",
        ),
        ({"url": "file:///", "dir_info": {"editable": True}}, "puzzlepress @ file:///"),
        ({"url": "file:///not/there.whl", "archive_info": {}}, f"puzzlepress=={__version__}"),
    ],
)
def test_the_builder_is_found_where_it_was_installed_from(direct_url, line):
    assert builder_from(json.dumps(direct_url)) == (line, None)


def test_a_wheel_that_no_index_has_is_copied_into_the_blog(tmp_path):
    wheel = tmp_path / "a folder" / "puzzlepress-1.whl"
    wheel.parent.mkdir()
    wheel.write_bytes(b"of the builder")

    line, found = builder_from(json.dumps({"url": wheel.as_uri(), "archive_info": {}}))
    begin_blog(tmp_path / "blog", NewBlog("A", line, found))

    assert requirements(tmp_path / "blog")[1] == "./wheels/puzzlepress-1.whl"
    assert (tmp_path / "blog" / "wheels" / "puzzlepress-1.whl").read_bytes() == b"of the builder"


def test_the_workflow_runs_the_commands_of_the_blog(tmp_path):
    begin(tmp_path / "blog")

    text = (tmp_path / "blog" / ".github/workflows/publish.yml").read_text("utf-8").replace("\non:", '\n"on":')
    steps = yaml.safe_load(text)["jobs"]["build"]["steps"]
    assert [step["run"] for step in steps if "run" in step] == [
        *("pip install -r requirements.txt", "python -m pytest", "puzzlepress build", "puzzlepress check")
    ]


def test_the_examples_are_the_posts_of_this_repository_with_their_solvers_and_tests(tmp_path):
    begin(tmp_path / "blog", "--examples")

    more = written(tmp_path / "blog") - OWN
    posts = {path.relative_to(ROOT).as_posix() for path in (ROOT / "content" / "posts").glob("*.md")}
    assert {name for name in more if name.startswith("content/posts/")} == posts
    assert {name for name in more if name.startswith("tests/")} == {
        f"tests/solvers/test_{path.parent.name}.py"
        for path in (ROOT / "solvers").glob("*/__init__.py")
        if path.parent.name != "common"
    } | {f"tests/{name}.py" for name in ("solvers/by_name", "support/short_solvers", "support/solvers_checked")}
    assert all((tmp_path / "blog" / name).read_bytes() == (ROOT / name).read_bytes() for name in more)


@pytest.mark.parametrize("there", ["notes.txt", "content/posts/a.md"])
def test_a_folder_with_other_files_is_refused(tmp_path, capsys, there):
    (tmp_path / "blog" / there).parent.mkdir(parents=True)
    (tmp_path / "blog" / there).write_text("mine", "utf-8")

    assert begin(tmp_path / "blog") == 2

    assert written(tmp_path / "blog") == {there}
    assert f"is not empty: it holds {there.partition('/')[0]}\n    mend: name a new folder" in capsys.readouterr().err


def test_a_repository_or_an_environment_may_be_there_before(tmp_path):
    for name in (".git", ".venv"):
        (tmp_path / "blog" / name).mkdir(parents=True)

    assert begin(tmp_path / "blog") == 0


def test_nothing_is_written_for_a_wrong_command_line(tmp_path):
    assert begin(tmp_path / "blog", "--title", " ") == 2

    assert not (tmp_path / "blog").exists()


def test_nothing_is_left_where_a_file_cannot_be_written(tmp_path, monkeypatch):
    files = scaffold.NewBlog.files(NewBlog("A", "puzzlepress")) | {"README.md/inside": b""}
    monkeypatch.setattr(scaffold.NewBlog, "files", lambda blog: files)

    with pytest.raises(SiteError):
        begin_blog(tmp_path / "deep" / "blog", NewBlog("A", "puzzlepress"))

    assert list(tmp_path.iterdir()) == []
