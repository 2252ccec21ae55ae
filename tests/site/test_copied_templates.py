"""Copies of files of the default theme."""

import pytest

from site_builder.cli.main import main
from tests.conftest import Project


@pytest.fixture
def blog(builds, tmp_path):
    """A project with the default theme."""
    project = Project(tmp_path / "blog")
    (project.root / "templates").unlink()
    return project


def test_a_copy_changes_no_page(blog):
    blog.write("content/posts/a.md", "---\ntitle: A\ndate: 2026-01-01\n---\nText.\n")
    blog.build()
    before = blog.files()

    for name in ("_entry.html", "base.html", "assets/icon.png"):
        assert main(blog.root, ["theme", "copy", name]) == 0
    blog.build()

    assert blog.files() == before


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("_entri.html", 2, "the default theme has no file _entri.html\n    mend: did you mean '_entry.html'?"),
        ("../config.yaml", 2, "the default theme has no file ../config.yaml"),
        ("_tags.html", 1, "templates/_tags.html: it cannot be written: File exists\n    mend: edit this file, or move"),
    ],
)
def test_what_cannot_be_copied_is_told(blog, capsys, name, status, said):
    blog.write("templates/_tags.html", "my own")

    assert main(blog.root, ["theme", "copy", name]) == status

    assert said in capsys.readouterr().err
    assert (blog.root / "templates/_tags.html").read_text("utf-8") == "my own"


def test_the_default_theme_is_not_copied_over_itself(builds, tmp_path, capsys):
    assert main(Project(tmp_path).root, ["theme", "copy", "post.html"]) == 1

    assert "edit this file, or move it away" in capsys.readouterr().err
