"""Every text, notebook and folder that is not imported is listed."""

import pytest

from site_builder.extensions.importing.plan import plan_import
from site_builder.project.config import load_config

POST = "---\ntitle: A\n---\n![x](/img/x.png)\n"


@pytest.fixture
def listed(project):
    """A function from files of a source folder to what its import lists; 2020-01-02-a.md is always one of them."""

    def listing(*files, path="old"):
        project.write("old/_posts/2020-01-02-a.md", POST)
        project.write("old/img/x.png", "picture")
        for file in files:
            project.write(f"old/{file}", "title: x")
        plan = plan_import(load_config(project.root), project.root / path, path)
        return [str(note) for note in plan.notes]

    return listing


def test_what_is_imported_or_read_is_not_listed(listed):
    assert listed("_config.yml") == []


@pytest.mark.parametrize(
    ("file", "skipped"),
    [
        ("assets/notes.md", "assets/"),
        ("README.md", "README.md"),
        (".hidden.md", ".hidden.md"),
        (".git/config", ".git/"),
        ("_site/index.html", "_site/"),
        ("_notes/2020-01-02-a.md", "_notes/"),
        ("node_modules/a/b.js", "node_modules/"),
    ],
)
def test_a_text_or_folder_that_is_left_out_is_listed(listed, file, skipped):
    assert listed(file) == [f"old/{skipped}: neither a post nor a page; not imported"]


@pytest.mark.parametrize("file", ["img/y.png", "data.csv", "_posts/a.txt"])
def test_other_files_that_no_post_shows_are_not_listed(listed, file):
    assert listed(file) == []


def test_a_link_to_a_folder_is_listed_and_not_followed(listed, project):
    project.write("elsewhere/2020-01-02-b.md", POST)
    project.write("old/_posts/c.txt", "").unlink()
    (project.root / "old/link").symlink_to(project.root / "elsewhere")

    assert listed() == ["old/link/: neither a post nor a page; not imported"]


def test_files_beside_a_single_post_are_not_listed(listed):
    assert listed("_posts/other.txt", path="old/_posts/2020-01-02-a.md") == []


@pytest.mark.parametrize("path", ["old/_notes", "old/_notes/2020-01-02-a.md"])
def test_a_file_of_a_collection_is_a_post_when_it_or_its_folder_is_named(project, path):
    project.write("old/_config.yml", "title: Old\n")
    project.write("old/_notes/2020-01-02-a.md", "---\ntitle: A\n---\nText.\n")

    plan = plan_import(load_config(project.root), project.root / path, path)

    assert plan.notes == []
    assert [post.target for post in plan.posts] == ["content/posts/2020-01-02-a.md"]
