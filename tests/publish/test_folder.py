"""Publishing to a folder: the site is there whole, what others put there stays, and nothing else is touched."""

import errno
import os
from functools import partial
from itertools import count

import pytest

from site_builder.errors import SiteError
from site_builder.publish.folder import LocalFolder
from site_builder.publish.target import Snapshot, difference
from site_builder.storage.atomic_files import make_files
from tests.support.faults import failing, is_killed, snapshot
from tests.support.published import copy_of, listed, site_of, to

PUBLISHED = ".puzzlepress-published.json"


@pytest.fixture
def project(published_blog, tmp_path):
    project = copy_of(published_blog, tmp_path / "blog")
    to(project, "{folder: public}")
    return project


@pytest.fixture
def site(tmp_path):
    return tmp_path / "blog" / "public"


def held(project, site):
    """The files of the folder, but for the record."""
    return {path: data for path, data in project.files(site).items() if path != PUBLISHED}


def test_the_folder_holds_the_site_as_it_was_built(project, site):
    ran = project.run("publish")

    assert held(project, site) == site_of(project)
    count = len(site_of(project)) + 1
    assert ran.out == f"Published to folder public: {count} files added, 0 changed, 0 removed\n"


def test_publishing_again_with_nothing_new_writes_nothing(project, site):
    project.run("publish")
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*")}

    ran = project.run("publish")

    assert ran.out.startswith("Nothing to publish: folder public has the site as it is")
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*")} == before


def test_only_files_that_publishing_wrote_are_removed_and_others_are_told(project, site):
    project.run("publish")
    (site / "mine.txt").write_text("mine", "utf-8")
    (site / "posts" / "a" / "photo.jpg").write_text("mine", "utf-8")
    (project.root / "content" / "posts" / "a.md").unlink()

    ran = project.run("publish")

    assert "2 files there that publishing did not write: kept (mine.txt, posts/a/photo.jpg)\n" in ran.out
    assert (site / "mine.txt").exists()
    assert [path.name for path in (site / "posts" / "a").iterdir()] == ["photo.jpg"]
    assert (site / "posts" / "b" / "index.html").exists()


def test_a_folder_that_is_empty_afterwards_goes_with_its_page(project, site):
    project.run("publish")
    (project.root / "content" / "posts" / "a.md").unlink()

    project.run("publish")

    assert not (site / "posts" / "a").exists()


def test_a_dry_run_lists_everything_and_makes_no_folder(project, site):
    ran = project.run("publish", "--dry-run")

    count = len(site_of(project)) + 1
    assert f"Publishing would change folder public: {count} files added, 0 changed, 0 removed." in ran.out
    assert "posts/a/index.html" in listed(ran.out, "add")
    assert not site.exists()


def test_a_page_that_was_altered_there_is_listed_and_put_right(project, site):
    project.run("publish")
    page = site / "posts" / "a" / "index.html"
    was = page.read_bytes()
    page.write_bytes(was[::-1])  # as long as before

    dry = project.run("publish", "--dry-run")
    still = page.read_bytes()
    project.run("publish")

    assert listed(dry.out, "change") == ["posts/a/index.html"]
    assert still == was[::-1]
    assert page.read_bytes() == was


def test_files_of_others_are_not_written_over_without_yes(project, site):
    site.mkdir()
    (site / "index.html").write_text("another site", "utf-8")

    refused = project.run("publish", status=1)
    rehearsed = project.run("publish", "--dry-run", status=1)
    unchanged = project.files(site)
    project.run("publish", "--yes")

    assert "folder public: publishing would write over 1 file that it did not write (index.html)" in refused.err
    assert "--dry-run lists all of it; if it is meant, add --yes" in refused.err
    assert listed(rehearsed.out, "change") == ["index.html"]
    assert unchanged == {"index.html": b"another site"}
    assert held(project, site) == site_of(project)


def test_a_link_of_others_leads_no_file_out_of_the_folder(project, site, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    site.mkdir()
    (site / "posts").symlink_to(tmp_path / "elsewhere")

    ran = project.run("publish", status=1)
    project.run("publish", "--yes")

    assert "folder public: publishing would write over 1 file that it did not write (posts)" in ran.err
    assert held(project, site) == site_of(project)
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.fixture
def linked(tmp_path):
    """A folder to publish to, and the function that makes a link in it to a file of somebody else."""
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "record.json").write_text('{"files": ["mine"]}', "utf-8")
    folder = LocalFolder(tmp_path / "site", "folder site")
    folder.path.mkdir()
    (folder.path / "mine").write_text("mine", "utf-8")
    yield folder, lambda name, to: (folder.path / name).symlink_to(theirs / to)
    assert [(path.name, path.read_text("utf-8")) for path in theirs.iterdir()] == [
        ("record.json", '{"files": ["mine"]}')
    ]


def test_a_link_where_new_files_are_kept_is_refused(linked, tmp_path):
    folder, link = linked
    link(".puzzlepress-new", "")

    with pytest.raises(SiteError, match="this was not written by this tool, which keeps new files under this name"):
        put(folder, {"index.html": "text"}, tmp_path / "snapshot")


def test_a_link_in_place_of_the_list_of_files_is_not_followed(linked, tmp_path):
    folder, link = linked
    link(PUBLISHED, "record.json")

    put(folder, {"index.html": "text"}, tmp_path / "snapshot")

    assert texts_in(folder) == {"index.html": "text", "mine": "mine"}
    assert not (folder.path / PUBLISHED).is_symlink()


OLD = {"index.html": "old", "style-1.css": "old", "gone/index.html": "old"}
NEW = {"index.html": "new", "style-2.css": "new", "posts/x/index.html": "new"}


def put(folder, texts, copy):
    """Publish a site with these texts. copy: a new folder for its snapshot."""
    site = Snapshot(copy, dict.fromkeys(texts, ""))
    make_files(copy, {path: text.encode() for path, text in texts.items()})
    folder.put(site, difference(frozenset(texts), folder.compare(site)))


def published(tmp_path, number):
    """A folder of this number with OLD, and a file of others."""
    folder = LocalFolder(tmp_path / f"site {number}", "folder site")
    folder.path.mkdir()
    (folder.path / "mine").write_text("mine")
    put(folder, OLD, tmp_path / f"old {number}")
    return folder


def texts_in(folder):
    return {path: data.decode() for path, data in snapshot(folder.path).items() if not path.startswith(".")}


def is_whole(folder):
    return texts_in(folder).items() <= OLD.items() | NEW.items() | {("mine", "mine")}


def test_after_an_error_at_any_moment_files_are_whole_and_the_next_publishing_completes_them(tmp_path):
    told = []
    for at in count(1):
        folder = published(tmp_path, at)
        error = None
        with failing(folder.path, at, errno.EACCES) as changes:
            try:
                put(folder, NEW, tmp_path / f"new {at}")
            except SiteError as raised:
                error = raised
        if len(changes) < at:
            break

        assert is_whole(folder)
        told.append(str(error))
        if "nothing was changed" in told[-1]:
            assert texts_in(folder) == OLD | {"mine": "mine"}
        put(folder, NEW, tmp_path / f"again {at}")
        assert texts_in(folder) == NEW | {"mine": "mine"}
    for state in ("nothing was changed", "a part of the site in "):
        assert sum(f"it cannot be written: Permission denied; {state}" in each for each in told) > 3


def test_after_a_death_at_any_moment_files_are_whole_and_the_next_publishing_completes_them(tmp_path):
    for at in count(1):
        folder = published(tmp_path, at)
        if not is_killed(folder.path, at, partial(put, folder, NEW, tmp_path / f"new {at}")):
            break

        assert is_whole(folder)
        put(folder, NEW, tmp_path / f"again {at}")
        assert texts_in(folder) == NEW | {"mine": "mine"}
    assert at > 12


@pytest.mark.parametrize("folder", [".", "..", "content/site", "_site", "_site/inside", ".git/site"])
def test_a_folder_of_the_project_is_refused_before_anything_is_built(project, folder):
    to(project, f"{{folder: {folder}}}")

    ran = project.run("publish", status=1)

    assert f"publish.folder is '{folder}', which holds files of the project itself or the built site" in ran.err
    assert "such as public" in ran.err
    assert "Saving" not in ran.err


def test_a_misspelt_path_makes_no_folders(project, tmp_path):
    to(project, "{folder: nowhere/site}")

    ran = project.run("publish", status=1)

    assert f"there is no folder {project.root / 'nowhere'}" in ran.err
    assert not (project.root / "nowhere").exists()


@pytest.mark.parametrize("link", [False, True], ids=["named", "behind a link"])
def test_a_folder_outside_of_the_project_is_refused_in_config_yaml(project, tmp_path, link):
    folder = "public" if link else "../site"
    if link:
        (tmp_path / "site").mkdir()
        (project.root / "public").symlink_to(tmp_path / "site")
    to(project, f"{{folder: {folder}}}")
    line = (project.root / "config.yaml").read_text("utf-8").count("\n")

    ran = project.run("publish", status=1)

    assert f"config.yaml:{line}: publish.folder is '{folder}', which lies outside of the project\n" in ran.err
    assert f"mend: leave publish: out, and write publish --folder {folder}\n" in ran.err
    assert not (tmp_path / "site").exists() or list((tmp_path / "site").iterdir()) == []


@pytest.mark.parametrize("target", ["{folder: public}", "{branch: gh-pages}", "{folder: ../site}", ""])
def test_the_command_line_may_name_a_folder_anywhere(project, tmp_path, target):
    to(project, target)

    ran = project.run("publish", "--folder", str(tmp_path / "site"))

    assert held(project, tmp_path / "site") == site_of(project)
    assert f"Published to folder {tmp_path / 'site'}: " in ran.out
    assert not (project.root / "public").exists()


def test_a_folder_of_the_command_line_keeps_apart_from_the_project(project, tmp_path):
    overlapping = project.run("publish", "--folder", "content/site", status=2)
    misspelt = project.run("publish", "--folder", str(tmp_path / "nowhere" / "site"), status=2)

    assert "--folder content/site, which holds files of the project itself or the built site" in overlapping.err
    assert f", and there is no folder {tmp_path / 'nowhere'}\n    mend: make it" in misspelt.err


def test_a_clone_keeps_its_history(project, site):
    (site / ".git").mkdir(parents=True)
    (site / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")

    ran = project.run("publish")

    assert "kept" not in ran.out
    assert (site / ".git" / "HEAD").read_text() == "ref: refs/heads/main\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_told(project, site):
    site.mkdir(mode=0o555)

    ran = project.run("publish", status=1)

    assert f"{site}" in ran.err
    assert "it cannot be written: Permission denied" in ran.err


def test_a_file_where_the_folder_belongs_is_told(project, site):
    site.write_text("a file", "utf-8")

    ran = project.run("publish", status=1)

    assert f"{site}: it cannot be written: " in ran.err
    assert site.read_text() == "a file"
