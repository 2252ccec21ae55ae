"""The files of a project as they lie on disk: which are found, and which of their changes are seen."""

import os
import time
from pathlib import Path

import pytest

from site_builder.errors import SiteError
from site_builder.storage import file_fingerprints
from site_builder.storage.file_fingerprints import (
    ABSENT,
    Scan,
    content_digest,
    digests,
    folders,
    scan,
    settled,
    signature,
)
from tests.conftest import ROOT

SECOND = 1_000_000_000


def write(root, *names, text="x"):
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def found(root, further=()):
    """The files found in a project, but for those of the builder."""
    return {name for name in scan(root, further).signatures if not name.startswith("@")}


def listed(root, further=()):
    """The folders in which a change counts, as paths in the project; not those of the builder."""
    every = [Path(each) for each in folders(root, further)]
    return {each.relative_to(root).as_posix() for each in every if each.is_relative_to(root)}


def age(path, seconds=60):
    """Make a file look as if it had been changed some time ago, as far as one can."""
    then = time.time_ns() - seconds * SECOND
    os.utime(path, ns=(then, then))


# Which files there are


def test_files_of_the_folders_of_a_project_are_found(tmp_path):
    names = {"content/posts/a.md", "content/x.png", "templates/parts/a.html", "solvers/a.py", "config.yaml"}
    write(tmp_path, *names, "_site/index.html", "notes.txt", ".store/store.sqlite", "docs/a.md")

    assert found(tmp_path) == names


def test_modules_beside_the_folders_are_found(tmp_path):
    write(tmp_path, "lattice.py", "numbers/__init__.py", "numbers/deep.py", "plain/deep.py")

    assert found(tmp_path) == {"lattice.py", "numbers/__init__.py"}


def test_further_files_are_found_where_they_are_there(tmp_path):
    write(tmp_path, "data/table.csv")

    assert found(tmp_path, ["data/table.csv", "data/gone.csv"]) == {"data/table.csv"}


def test_a_project_without_any_folder_has_no_files(tmp_path):
    assert found(tmp_path) == set()


@pytest.mark.parametrize(
    "name", [".hidden", "a.md~", "#a.md#", ".a.md.swp", "a.md.swo", "a.bak", "a.orig", "a.tmp", "Thumbs.db", ".git/x"]
)
def test_dotfiles_and_leftovers_of_editors_are_no_content(tmp_path, name):
    write(tmp_path, f"content/{name}", f"content/posts/{name}", f"templates/{name}")

    assert found(tmp_path) == set()


@pytest.mark.parametrize(
    "name", ["a.template", "a~b.md", "bak", "tmp/a.md", "a#.md", "Thumbs.dbx", "größe.md", "a b.md"]
)
def test_what_only_looks_like_a_leftover_is_content(tmp_path, name):
    write(tmp_path, f"content/{name}")

    assert found(tmp_path) == {f"content/{name}"}


def test_the_folder_of_well_known_addresses_is_content(tmp_path):
    # RFC 8615: /.well-known/ is where others look for facts about a site.
    path = tmp_path / "content/.well-known/security.txt"
    path.parent.mkdir(parents=True)
    path.write_text("Contact: mailto:a@example.org")
    (tmp_path / "content/posts/.well-known").mkdir(parents=True)
    (tmp_path / "content/posts/.well-known/x").write_text("")

    assert {name for name in scan(tmp_path).signatures if name[0] not in "@"} == {"content/.well-known/security.txt"}


def test_the_code_of_the_builder_is_found():
    names = {name for name in scan(ROOT).signatures if name.startswith("@")}

    assert {"@site/pages/all.py", "@solving/code/code_keys.py"} <= names
    assert {name for name in names if not name.endswith((".py", ".html"))} == set()

    assert scan(ROOT).path("@site/pages/all.py") == ROOT / "site_builder/site/pages/all.py"


def test_a_file_beside_the_folders_is_not_taken_for_one_of_the_builder(tmp_path):
    write(tmp_path, "@site/pages/all.py", "@more.py")

    scanned = scan(tmp_path)

    assert scanned.signatures["@site/pages/all.py"] == signature(str(ROOT / "site_builder/site/pages/all.py"))
    assert "@more.py" not in scanned.signatures


# Links


def test_links_to_files_are_followed(tmp_path):
    write(tmp_path, "elsewhere/a.md", text="words")
    (tmp_path / "content").mkdir()
    (tmp_path / "content/one.md").symlink_to(tmp_path / "elsewhere/a.md")

    assert found(tmp_path) == {"content/one.md"}
    assert digests(scan(tmp_path), {})["content/one.md"] == content_digest(tmp_path / "elsewhere/a.md")


def test_a_change_behind_a_link_is_seen(tmp_path):
    write(tmp_path, "elsewhere/a.md", "elsewhere/b.md")
    (tmp_path / "content").mkdir()
    link = tmp_path / "content/one.md"
    link.symlink_to(tmp_path / "elsewhere/a.md")
    before = scan(tmp_path).signatures

    write(tmp_path, "elsewhere/a.md", text="other words")
    changed = scan(tmp_path).signatures
    link.unlink()
    link.symlink_to(tmp_path / "elsewhere/b.md")
    moved = scan(tmp_path).signatures

    assert before["content/one.md"] != changed["content/one.md"] != moved["content/one.md"]


@pytest.mark.parametrize("target", [".", "..", "../b", "/"])
def test_a_link_to_a_folder_is_refused(tmp_path, target):
    write(tmp_path, "content/a/x.md", "content/b/x.md")
    (tmp_path / "content/a/link").symlink_to(target)

    with pytest.raises(SiteError, match=r"content/a/link: this link leads to /.*, which is no file of the project"):
        scan(tmp_path)


def test_a_link_to_itself_is_told(tmp_path):
    write(tmp_path, "content/a/x.md")
    (tmp_path / "content/a/self").symlink_to("self")

    with pytest.raises(SiteError, match=r"content/a/self: this link leads to .*/self, which is no file of the project"):
        scan(tmp_path)


@pytest.mark.parametrize("folder", ["content", "templates", "solvers"])
def test_a_link_that_leaves_the_project_is_refused(tmp_path, folder):
    write(tmp_path, f"project/{folder}/posts/a.md", "outside.md")
    (tmp_path / f"project/{folder}/posts/leak.md").symlink_to(tmp_path / "outside.md")

    with pytest.raises(SiteError) as caught:
        scan(tmp_path / "project")

    assert str(caught.value).startswith(
        f"{folder}/posts/leak.md: this link leads to {tmp_path / 'outside.md'}, which is no file"
    )
    assert "mend: put a copy of a file in its place" in str(caught.value)


def test_a_link_that_leaves_the_project_by_another_link_is_refused(tmp_path):
    write(tmp_path, "project/content/a.md", "outside.md")
    (tmp_path / "project/far.md").symlink_to("../outside.md")
    (tmp_path / "project/content/leak.md").symlink_to("../far.md")

    with pytest.raises(SiteError, match=r"content/leak\.md: this link leads to .*/outside\.md, which is no file"):
        scan(tmp_path / "project")


def test_a_whole_folder_of_a_project_may_lie_elsewhere_with_links_in_it(tmp_path):
    write(tmp_path, "theme/base.html", "theme/deep/a.html", "project/config.yaml")
    (tmp_path / "theme/deep/b.html").symlink_to("../base.html")
    (tmp_path / "project/templates").symlink_to(tmp_path / "theme")

    expected = {"templates/base.html", "templates/deep/a.html", "templates/deep/b.html", "config.yaml"}
    assert found(tmp_path / "project") == expected


@pytest.mark.parametrize("name", ["content/posts/gone.md", "templates/gone.html", "solvers/gone.py"])
def test_a_link_to_what_does_not_exist_is_refused(tmp_path, name):
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).symlink_to("nowhere")

    with pytest.raises(SiteError, match=f"{name}: this link leads to .*/nowhere, which is no file of the project"):
        scan(tmp_path)


def test_the_lock_of_an_editor_is_no_link_of_the_author(tmp_path):
    write(tmp_path, "solvers/a.py")
    (tmp_path / "solvers/.#a.py").symlink_to("ann@host.1234:1700000000")  # as Emacs marks a file with unsaved changes

    assert found(tmp_path) == {"solvers/a.py"}


# Odd names and odd files


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"gr\xf6\xdfe.png", r"content/gr\udcf6\udcdfe.png"),
        (b"a\x1b[31m.md", r"content/a\x1b[31m.md"),
        (b"a\nb.png", r"content/a\nb.png"),
        ("a\u202egnp.md".encode(), r"content/a\u202egnp.md"),
    ],
)
def test_a_name_that_no_terminal_shows_is_told_in_signs(tmp_path, name, shown):
    write(tmp_path, "content/a.md")
    Path(os.fsdecode(os.fsencode(tmp_path / "content") + b"/" + name)).write_bytes(b"x")

    with pytest.raises(SiteError) as caught:
        scan(tmp_path)

    message = "the name of this file is no text in UTF-8 without control characters"
    assert str(caught.value).splitlines()[0] == f"{shown}: {message}"


def test_the_target_of_a_link_is_told_in_signs(tmp_path):
    write(tmp_path, "content/a.md")
    (tmp_path / "content/b.md").symlink_to("gone\x1b]0;title\x07")

    with pytest.raises(SiteError) as caught:
        scan(tmp_path)

    assert r"/gone\x1b]0;title\x07, which is no file of the project" in str(caught.value)


def test_what_is_neither_file_nor_folder_is_left_out(tmp_path):
    write(tmp_path, "content/a.md")
    os.mkfifo(tmp_path / "content/pipe")

    assert found(tmp_path) == {"content/a.md"}


def test_a_file_that_vanishes_while_it_is_looked_at_was_never_there(tmp_path, monkeypatch):
    write(tmp_path, "content/a.md", "content/b.md", "content/gone/c.md")
    listed = os.scandir

    class Vanishing:
        """The entries of a folder, of which two are removed once they have been listed."""

        def __init__(self, folder):
            self.entries = listed(folder)

        def __enter__(self):
            found = list(self.entries)
            (tmp_path / "content/b.md").unlink(missing_ok=True)
            if (tmp_path / "content/gone").is_dir():
                (tmp_path / "content/gone/c.md").unlink(missing_ok=True)
                (tmp_path / "content/gone").rmdir()
            return iter(found)

        def __exit__(self, *_):
            self.entries.close()

    monkeypatch.setattr(file_fingerprints.os, "scandir", Vanishing)

    assert found(tmp_path) == {"content/a.md"}


def test_a_folder_that_may_not_be_looked_into_is_told(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("nothing is forbidden to this user")
    write(tmp_path, "content/shut/a.md")
    (tmp_path / "content/shut").chmod(0)

    with pytest.raises(SiteError, match="it cannot be read"):
        scan(tmp_path)


# Folders in which a change counts


def test_the_folders_of_all_files_are_listed_and_empty_ones(tmp_path):
    write(tmp_path, "content/posts/deep/a.md", "numbers/__init__.py", "solvers/__pycache__/a.pyc", ".git/x/y")
    (tmp_path / "templates" / "empty").mkdir(parents=True)

    wanted = {".", "content", "content/posts", "content/posts/deep", "numbers", "solvers", "templates"}
    assert listed(tmp_path) == {*wanted, "templates/empty"}


def test_the_folders_of_further_files_are_listed_with_those_above(tmp_path):
    write(tmp_path, "data/tables/deep/a.csv", "installed/b.py")

    assert listed(tmp_path, ["data/tables/deep/a.csv"]) >= {"data", "data/tables", "data/tables/deep"}
    assert str(tmp_path / "installed") in folders(tmp_path / "other", [str(tmp_path / "installed" / "b.py")])


def test_folders_of_files_that_links_lead_to_are_listed(tmp_path):
    write(tmp_path, "notes/files/b.md", "content/c.md")
    (tmp_path / "content" / "b.md").symlink_to(tmp_path / "notes" / "files" / "b.md")

    assert listed(tmp_path) >= {"notes/files"}


@pytest.mark.parametrize("target", ["/", "..", ".", "../../outside"])
def test_a_link_that_leads_out_or_round_is_not_followed(tmp_path, target):
    write(tmp_path, "outside/x/a.md", "project/content/b.md", "project/other/deep/c")
    (tmp_path / "project" / "content" / "link").symlink_to(target)

    assert listed(tmp_path / "project") == {".", "content", "other"}
    assert str(tmp_path / "outside") not in folders(tmp_path / "project")


def test_the_folders_of_the_builder_and_of_its_theme_are_listed(tmp_path):
    found = folders(tmp_path)

    assert {str(file_fingerprints.BUILDER / "pipeline" / "steps"), str(file_fingerprints.DEFAULT_THEME)} <= found


# What has changed


def test_a_file_that_is_as_it_was_is_not_read_again(tmp_path):
    write(tmp_path, "content/a.md")
    scanned = scan(tmp_path)
    known = {name: (each, "kept") for name, each in scanned.signatures.items()}

    assert digests(scanned, known)["content/a.md"] == "kept"


@pytest.mark.parametrize("change", ["longer", "same size", "replaced", "touched"])
def test_a_change_is_seen_in_the_signature(tmp_path, change):
    path = tmp_path / "content/a.md"
    write(tmp_path, "content/a.md", text="one")
    age(path)
    before = signature(str(path))

    if change == "replaced":  # by a file of the same size and time
        write(tmp_path, "other", text="two")
        os.utime(tmp_path / "other", ns=(before[1], before[1]))
        os.replace(tmp_path / "other", path)
    elif change == "touched":
        time.sleep(0.05)
        os.utime(path, ns=(before[1], before[1]))
    else:
        path.write_text("two" if change == "same size" else "longer")

    assert signature(str(path)) != before


def test_digests_name_the_bytes(tmp_path):
    write(tmp_path, "content/a.md", "content/b.md", text="same")
    write(tmp_path, "content/c.md", text="other")

    found = digests(scan(tmp_path), {})

    assert found["content/a.md"] == found["content/b.md"] != found["content/c.md"]
    assert found["content/a.md"] == content_digest(tmp_path / "content/a.md")


def scanned_at(tmp_path, began, changed, moved=None):
    return Scan(tmp_path, {"a": (3, changed, changed if moved is None else moved, 7)}, began)


NOW = 1_800_000_000 * SECOND
FINE, COARSE = 123_456_789, 0  # nanoseconds past a second, on file systems that keep them, and on those that do not


@pytest.mark.parametrize(
    ("before", "is_settled"),
    [
        (60 * SECOND + FINE, True),
        (60 * SECOND + COARSE, True),
        (SECOND + FINE, True),
        (SECOND, False),  # a file system of whole seconds might hide a further change in the same second
        (2 * SECOND, False),
        (3 * SECOND, True),
        (10_000_000, False),  # within a tick of the clock of files
        (0, False),
        (-60 * SECOND, False),  # from the future
    ],
)
def test_a_signature_is_trusted_when_no_further_change_could_hide_behind_it(tmp_path, before, is_settled):
    assert bool(settled(scanned_at(tmp_path, NOW, NOW - before))) == is_settled


def test_the_later_of_both_times_of_a_file_counts(tmp_path):
    assert not settled(scanned_at(tmp_path, NOW, NOW - 60 * SECOND, NOW))
    assert not settled(scanned_at(tmp_path, NOW, NOW, NOW - 60 * SECOND))


def test_a_file_that_was_just_written_is_not_trusted_yet(tmp_path):
    write(tmp_path, "content/a.md")

    assert "content/a.md" not in settled(scan(tmp_path))


def test_the_digest_of_a_folder_is_that_of_the_names_in_it_without_bytecode(tmp_path):
    write(tmp_path, "data/a.csv")
    before = content_digest(tmp_path / "data")
    write(tmp_path, "data/__pycache__/a.pyc")
    write(tmp_path, "data/a.csv", "other")
    same = content_digest(tmp_path / "data")
    write(tmp_path, "data/b.csv")

    assert same == before
    assert content_digest(tmp_path / "data") != before


@pytest.mark.parametrize("name", ["gone", "gone/inside", "file/inside"])
def test_what_is_not_there_has_a_digest_too(tmp_path, name):
    write(tmp_path, "file")

    assert content_digest(tmp_path / name) == ABSENT
    assert signature(str(tmp_path / name)) is None


def test_what_is_no_file_is_not_read_and_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")

    assert content_digest(tmp_path / "pipe") == "no file"
