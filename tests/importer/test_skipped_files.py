"""Every file of a source folder that is not imported is listed with its reason."""

import pytest

from site_builder.importer.plan import plan_import
from site_builder.project.config import load_config

POST = "---\ntitle: A\n---\n![x](/img/x.png)\n"
UNUSED = "not shown by or linked from an imported post"


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
        ("img/y.png", f"old/img/y.png: {UNUSED}; not imported"),
        ("data.csv", f"old/data.csv: {UNUSED}; not imported"),
        ("assets/notes.md", f"old/assets/notes.md: {UNUSED}; not imported"),
        ("README.md", "old/README.md: without front matter, Jekyll makes no page of it; not imported"),
        ("_posts/a.txt", "old/_posts/a.txt: no posts are made of files of the kind .txt; not imported"),
        (".gitignore", "old/.gitignore: hidden; not imported"),
        (".git/config", "old/.git/: hidden; not imported"),
        ("_site/index.html", "old/_site/: the old blog's output, made from its sources; not imported"),
        (
            "_layouts/a.html",
            "old/_layouts/: layouts and styles: pages here have those of templates/; not imported",
        ),
        (
            "_data/a.yml",
            "old/_data/: data files and plugins of the old blog are not run here; not imported",
        ),
        ("node_modules/a/b.js", "old/node_modules/: installed libraries; not imported"),
    ],
)
def test_a_skipped_file_or_folder_is_listed_with_its_reason(listed, file, note):
    assert listed(file) == [note]


def test_files_of_one_folder_that_are_skipped_for_one_reason_have_one_line(listed):
    notes = listed("gallery/a.png", "gallery/more/b.png", "gallery/more/c.csv", "img/y.png", "img/z/w.png")

    assert notes == [
        f"old/gallery/a.png: {UNUSED}; not imported",
        f"old/gallery/more/: {UNUSED}; b.png, c.csv are not imported",
        f"old/img/y.png: {UNUSED}; not imported",
        f"old/img/z/w.png: {UNUSED}; not imported",
    ]


def test_files_of_one_folder_that_are_skipped_for_two_reasons_have_a_line_for_each(listed):
    assert listed("files/a.png", "files/README.md") == [
        "old/files/README.md: without front matter, Jekyll makes no page of it; not imported",
        f"old/files/a.png: {UNUSED}; not imported",
    ]


def test_a_link_to_a_folder_is_listed_and_not_followed(listed, project):
    project.write("elsewhere/2020-01-02-b.md", POST)
    project.write("old/_posts/c.txt", "").unlink()
    (project.root / "old/link").symlink_to(project.root / "elsewhere")

    assert listed() == ["old/link/: links to folders are not followed; not imported"]


def test_files_beside_a_single_post_are_not_listed(listed):
    assert listed("_posts/other.txt", path="old/_posts/2020-01-02-a.md") == []


def test_a_file_of_a_collection_is_imported_by_its_name_as_its_reason_says(project):
    project.write("old/_config.yml", "title: Old\n")
    project.write("old/_notes/2020-01-02-a.md", "---\ntitle: A\n---\nText.\n")

    notes = plan_import(load_config(project.root), project.root / "old/_notes", "old/_notes").notes
    plan = plan_import(load_config(project.root), project.root / "old/_notes/2020-01-02-a.md", "a.md")

    reason = "it stands in a collection; import it by its name if it is a post"
    assert [str(note) for note in notes] == [f"old/_notes/2020-01-02-a.md: {reason}; not imported"]
    assert [post.target for post in plan.posts] == ["content/posts/2020-01-02-a.md"]
