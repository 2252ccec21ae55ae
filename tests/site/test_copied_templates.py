"""Copies of files of the default theme: their first line, and what check says when an original has changed."""

import pytest

from site_builder import __version__
from site_builder.cli.main import main
from tests.conftest import Project


@pytest.fixture
def blog(builds, tmp_path):
    """A project with the default theme."""
    project = Project(tmp_path / "blog")
    (project.root / "templates").unlink()
    return project


def test_a_copy_says_where_it_comes_from_and_changes_no_page(blog):
    blog.write("content/posts/a.md", "---\ntitle: A\ndate: 2026-01-01\n---\nText.\n")
    blog.build()
    before = blog.files()

    for name in ("_entry.html", "base.html", "assets/icon.png"):
        assert main(blog.root, ["theme", "copy", name]) == 0
    blog.build()

    first = (blog.root / "templates/_entry.html").read_text("utf-8").partition("\n")[0]
    assert first.startswith(f"{{# Copied from Puzzlepress {__version__}, digest ")
    assert blog.files() == before


def test_check_names_the_copies_whose_originals_have_changed_and_no_others(blog):
    blog.write("content/posts/a.md", "---\ntitle: A\ndate: 2026-01-01\n---\nText.\n")
    main(blog.root, ["theme", "copy", "base.html"])
    copy = blog.root / "templates/_entry.html"
    main(blog.root, ["theme", "copy", "_entry.html"])
    text = copy.read_text("utf-8")
    digest = text.split("digest ")[1].partition(":")[0]
    copy.write_text(text.replace(digest, "0" * len(digest)).replace(__version__, "0.0.9") + "<hr>", "utf-8")
    blog.write("templates/_gone.html", text)
    blog.write("templates/_tags.html", "my own")

    ran = blog.build("check")

    assert ran.out.count("of the default theme") == 2
    assert "templates/_entry.html:1: _entry.html of the default theme has changed since version 0.0.9, from" in ran.out
    assert (
        "mend: move this file away, run python build.py theme copy _entry.html, and make your changes again" in ran.out
    )
    assert f"templates/_gone.html:1: _gone.html of the default theme is gone since version {__version__}" in ran.out


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
