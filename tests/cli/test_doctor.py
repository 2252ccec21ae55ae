"""puzzlepress doctor: what it finds."""

import sys

import pytest

from site_builder import __version__
from site_builder.cli.main import main
from tests.conftest import ROOT, Project


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


def doctor(capsys, root):
    """The status, the lines by their first word, and the errors."""
    status = main(root, ["doctor"])
    out, err = capsys.readouterr()
    return status, dict(line.split(maxsplit=1) for line in out.splitlines()), err.splitlines()


def test_it_tells_the_versions_the_project_and_its_cache(project, capsys):
    project.write("content/posts/a.md", "")
    project.write(".store/some", "x" * 2**20)

    status, lines, errors = doctor(capsys, project.root)

    assert (status, errors) == (0, [])
    assert lines["Puzzlepress"] == f"{__version__}, in {ROOT}/site_builder"
    assert lines["Python"].endswith(sys.executable)
    assert lines["Docs"] == f"{ROOT}/docs"
    assert lines["Project"] == f"{project.root}, 'A blog': 1 post, 1 solver"
    assert lines["Cache"].endswith(".store, 1.0 MiB")


def test_a_fault_of_config_is_told_and_the_rest_all_the_same(project, capsys):
    project.write("config.yaml", "title: A\n")

    status, lines, errors = doctor(capsys, project.root)

    assert status == 1
    assert errors[0].startswith("config.yaml")
    assert "Cache" in lines


def test_without_a_project_it_tells_of_the_installation_alone(tmp_path, capsys):
    status, lines, errors = doctor(capsys, tmp_path)

    assert (status, errors) == (0, [])
    assert lines["Project"].startswith("none here: puzzlepress init")
