"""What a page takes from the templates, and when it is made anew for it."""

import shutil

import pytest

from tests.conftest import ROOT


@pytest.mark.parametrize("included", ['"note.txt"', '"no" ~ "te.txt"', '["missing.txt", "note.txt"]'])
def test_a_page_is_made_anew_when_a_file_of_any_kind_that_it_includes_changes(project, included):
    (project.root / "templates").unlink()
    shutil.copytree(ROOT / "templates", project.root / "templates")
    project.write("templates/post.html", f"{{% include {included} %}}\n")
    project.write("templates/note.txt", "first")
    project.write("content/posts/plain.md", "---\ntitle: A\ndate: 2026-03-01\n---\nText.\n")
    project.build()
    before = project.page("posts/plain/index.html")
    project.write("templates/note.txt", "second")

    project.build()

    assert (before.strip(), project.page("posts/plain/index.html").strip()) == ("first", "second")
