"""Every file of a source folder that is not imported is listed with its reason."""

import pytest

from site_builder.extensions.importing.plan import plan_import
from site_builder.project.config import load_config

POST = "---\ntitle: A\n---\n![x](/img/x.png)\n"
UNUSED = "neither a post nor shown by or linked from one"
NOT_SEARCHED = "no posts are looked for there"


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
    ("file", "note"),
    [
        ("img/y.png", f"old/img/: {UNUSED}; not imported: y.png"),
        ("data.csv", f"old/: {UNUSED}; not imported: data.csv"),
        ("assets/notes.md", f"old/assets/: {UNUSED}; not imported: notes.md"),
        ("README.md", "old/: without front matter, Jekyll makes no page of it; not imported: README.md"),
        ("_posts/a.txt", f"old/_posts/: {UNUSED}; not imported: a.txt"),
        (".gitignore", "old/: hidden; not imported: .gitignore"),
        (".git/config", f"old/: {NOT_SEARCHED}; not imported: .git/"),
        ("_site/index.html", f"old/: {NOT_SEARCHED}; not imported: _site/"),
        ("_data/a.yml", f"old/: {NOT_SEARCHED}; not imported: _data/"),
        ("_notes/2020-01-02-a.md", f"old/: {NOT_SEARCHED}; not imported: _notes/"),
        ("node_modules/a/b.js", f"old/: {NOT_SEARCHED}; not imported: node_modules/"),
    ],
)
def test_a_skipped_file_or_folder_is_listed_with_its_reason(listed, file, note):
    assert listed(file) == [note]


def test_files_of_one_folder_that_are_skipped_for_one_reason_have_one_line(listed):
    notes = listed("gallery/a.png", "gallery/more/b.png", "gallery/more/c.csv", "img/y.png", "gallery/README.md")

    assert notes == [
        "old/gallery/: without front matter, Jekyll makes no page of it; not imported: README.md",
        f"old/gallery/: {UNUSED}; not imported: a.png",
        f"old/gallery/more/: {UNUSED}; not imported: b.png, c.csv",
        f"old/img/: {UNUSED}; not imported: y.png",
    ]


def test_a_link_to_a_folder_is_listed_and_not_followed(listed, project):
    project.write("elsewhere/2020-01-02-b.md", POST)
    project.write("old/_posts/c.txt", "").unlink()
    (project.root / "old/link").symlink_to(project.root / "elsewhere")

    assert listed() == ["old/: links to folders are not followed; not imported: link/"]


def test_files_beside_a_single_post_are_not_listed(listed):
    assert listed("_posts/other.txt", path="old/_posts/2020-01-02-a.md") == []


@pytest.mark.parametrize("path", ["old/_notes", "old/_notes/2020-01-02-a.md"])
def test_a_file_of_a_collection_is_a_post_when_it_or_its_folder_is_named(project, path):
    project.write("old/_config.yml", "title: Old\n")
    project.write("old/_notes/2020-01-02-a.md", "---\ntitle: A\n---\nText.\n")

    plan = plan_import(load_config(project.root), project.root / path, path)

    assert plan.notes == []
    assert [post.target for post in plan.posts] == ["content/posts/2020-01-02-a.md"]
