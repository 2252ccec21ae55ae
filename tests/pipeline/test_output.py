"""The output folder."""

import errno
import json
import os
import resource
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from threading import Thread

import pytest

from site_builder.errors import WRITTEN, Place, SiteError, StoppedError, UnfinishedError, errors_of
from site_builder.pipeline.last_build import WrittenFile
from site_builder.pipeline.output import clean, write_site
from tests.support.faults import failing, is_killed, snapshot, watched

# A site and the one that follows it: files changed, new, gone and as they were, a file that becomes a folder, and a
# folder that becomes a file.
OLD = {
    "style.css": "old style",
    "index.html": "old index",
    "posts/changed/index.html": "old text",
    "posts/gone/index.html": "gone text",
    "same.html": "same",
    "file": "a file",
    "folder/deep/file": "in a folder",
}
NEW = {
    "style.css": "new style",
    "index.html": "new index",
    "posts/changed/index.html": "new text",
    "posts/new/index.html": "other text",
    "same.html": "same",
    "file/index.html": "in a folder now",
    "folder": "a file now",
}
FOREIGN = {"CNAME": "blog.example.org", "posts/mine.txt": "mine"}


@dataclass(frozen=True)
class Page:
    """A page of these tests."""

    path: str
    render: Callable[[], bytes]
    key: str = ""


def pages(**texts):
    return site({path.replace("_", "/"): text for path, text in texts.items()})


def site(texts, keys=False):
    """Pages with these texts, and if so wanted with keys that change when the texts do."""
    return [Page(path, lambda text=text: text.encode(), text if keys else "") for path, text in texts.items()]


def unrendered(texts):
    """Pages with the keys that `site` gives, which end the test when they are rendered."""
    return [Page(path, lambda path=path: pytest.fail(f"{path} was rendered"), text) for path, text in texts.items()]


def tree(folder):
    """The files of a folder but for the hidden ones of the tool."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_text() for name, path in files.items() if not name.startswith(".")}


def put(folder, texts):
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def is_unfinished(folder):
    return "unfinished" in json.loads((folder / ".puzzlepress.json").read_text())


@pytest.fixture(scope="module")
def left_by_kills(tmp_path_factory):
    """A folder with OLD for each moment at which a build of NEW can be killed, and was: only to be read."""
    folders = []
    for at in count(1):
        folder = tmp_path_factory.mktemp("killed")
        put(folder, FOREIGN)
        write_site(site(OLD), folder)
        if not is_killed(folder, at, lambda folder=folder: write_site(site(NEW), folder)):
            break
        folders.append(folder)
    return folders


@pytest.fixture
def killed_builds(left_by_kills, tmp_path):
    """Copies of these folders, for one test."""
    return [shutil.copytree(folder, tmp_path / f"killed {at}") for at, folder in enumerate(left_by_kills)]


def test_only_what_changed_is_written(tmp_path):
    write_site(pages(a="1", b="2"), tmp_path)
    before = (tmp_path / "a").stat().st_mtime_ns

    written = write_site(pages(a="1", b="3"), tmp_path)

    assert (written.written, written.kept, written.removed) == (1, 1, 0)
    assert (tmp_path / "a").stat().st_mtime_ns == before
    assert (tmp_path / "b").read_text() == "3"


def test_a_page_that_is_gone_leaves_with_its_empty_folder(tmp_path):
    write_site(pages(a="1", x_y="2"), tmp_path)

    written = write_site(pages(a="1"), tmp_path)

    assert written.removed == 1
    assert not (tmp_path / "x").exists()


def test_files_that_others_wrote_are_kept(tmp_path):
    write_site(pages(a="1"), tmp_path)
    (tmp_path / "CNAME").write_text("blog")

    write_site(pages(b="1"), tmp_path)

    assert (tmp_path / "CNAME").read_text() == "blog"


def test_a_foreign_file_where_a_page_belongs_is_not_overwritten(tmp_path):
    (tmp_path / "a").write_text("mine")

    with pytest.raises(SiteError, match="not written by this tool"):
        write_site(pages(a="1"), tmp_path)

    assert (tmp_path / "a").read_text() == "mine"


def test_a_page_that_was_altered_or_deleted_by_hand_is_restored(tmp_path):
    write_site(pages(a="1", b="2"), tmp_path)
    (tmp_path / "a").write_text("altered")
    (tmp_path / "b").unlink()

    write_site(pages(a="1", b="2"), tmp_path)

    assert (tmp_path / "a").read_text() == "1"
    assert (tmp_path / "b").read_text() == "2"


def test_a_page_that_cannot_be_rendered_changes_nothing(tmp_path):
    write_site(pages(a="1", b="2"), tmp_path)

    def broken():
        raise SiteError.__new__(SiteError)

    with pytest.raises(SiteError):
        write_site([*pages(a="3"), Page("b", broken)], tmp_path)

    assert (tmp_path / "a").read_text() == "1"


def test_a_file_in_the_way_of_the_folder_is_named(tmp_path):
    (tmp_path / "site").write_text("a file")

    with pytest.raises(SiteError, match="a file is where the folder of the site belongs"):
        write_site(pages(a="1"), tmp_path / "site")


def test_a_foreign_file_is_not_overwritten_in_a_folder_that_holds_a_site_either(tmp_path):
    write_site(pages(a="1"), tmp_path)
    (tmp_path / "b").write_text("mine")

    with pytest.raises(SiteError, match="not written by this tool"):
        write_site(pages(a="2", b="3"), tmp_path)

    assert ((tmp_path / "a").read_text(), (tmp_path / "b").read_text()) == ("1", "mine")


@pytest.mark.parametrize(("foreign", "page"), [("x", "x_y"), ("x/y", "x")])
def test_a_foreign_file_that_is_in_the_way_of_a_folder_or_file_is_kept(tmp_path, foreign, page):
    write_site(pages(a="1"), tmp_path)
    (tmp_path / foreign).parent.mkdir(exist_ok=True)
    (tmp_path / foreign).write_text("mine")

    with pytest.raises(SiteError, match="not written by this tool"):
        write_site(pages(a="1", **{page: "2"}), tmp_path)

    assert (tmp_path / foreign).read_text() == "mine"


@pytest.mark.parametrize(("before", "after"), [("x", "x_y"), ("x_y", "x"), ("x_y_z", "x")])
def test_a_page_may_become_a_folder_and_a_folder_a_page(tmp_path, before, after):
    write_site(pages(a="1", **{before: "2"}), tmp_path)

    write_site(pages(a="1", **{after: "3"}), tmp_path)

    assert (tmp_path / after.replace("_", "/")).read_text() == "3"


def test_a_folder_that_was_deleted_by_hand_is_no_trouble(tmp_path):
    write_site(pages(a="1", x_y_z="2"), tmp_path)
    shutil.rmtree(tmp_path / "x")

    assert write_site(pages(a="1"), tmp_path).removed == 0
    assert tree(tmp_path) == {"a": "1"}


def test_a_damaged_record_never_leads_out_of_the_folder(tmp_path):
    site = tmp_path / "site"
    (tmp_path / "mine").write_text("mine")
    write_site(pages(a="1"), site)
    record = site / ".puzzlepress.json"
    record.write_text(record.read_text().replace('"a":', '"../mine": "", "a":'))

    write_site(pages(b="1"), site)

    assert (tmp_path / "mine").read_text() == "mine"


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"format": 1, "files": 3}', '{"format": 99, "files": {}}'])
def test_a_record_that_cannot_be_read_stops_no_build(tmp_path, damage):
    write_site(pages(a="1"), tmp_path)
    (tmp_path / ".puzzlepress.json").write_text(damage)

    write_site(pages(a="2"), tmp_path)

    assert (tmp_path / "a").read_text() == "2"


def test_ctrl_c_while_files_are_replaced_says_that_the_next_build_completes_the_site(tmp_path):
    write_site(pages(a="1", b="1"), tmp_path)

    def interrupt(kind, path):
        if path == str(tmp_path / "b"):
            raise KeyboardInterrupt

    with watched(tmp_path, interrupt), pytest.raises(StoppedError, match="The same command completes the change"):
        write_site(pages(a="2", b="2"), tmp_path)

    assert tree(tmp_path) == {"a": "2", "b": "1"}
    assert write_site(pages(a="2", b="2"), tmp_path).written == 1
    assert tree(tmp_path) == {"a": "2", "b": "2"}


@pytest.mark.parametrize("below", ["", "deeper/site"])
def test_a_file_in_place_of_the_folder_is_an_error_with_its_cure(tmp_path, below):
    (tmp_path / "site").write_text("mine")

    with pytest.raises(SiteError) as raised:
        write_site(pages(a="1"), tmp_path / "site" / below)

    assert str(raised.value) == (
        f"{tmp_path / 'site' / below}: a file is where the folder of the site belongs\n"
        "    mend: choose another folder with --output, or move the file away"
    )
    assert (tmp_path / "site").read_text() == "mine"


def test_an_interrupt_after_the_last_file_says_that_the_site_was_written(tmp_path):
    def interrupt(kind, path):
        if kind == "rmdir":
            raise KeyboardInterrupt

    with watched(tmp_path, interrupt), pytest.raises(KeyboardInterrupt) as raised:
        write_site(pages(a="1"), tmp_path)

    assert raised.value.__notes__ == [WRITTEN]
    assert tree(tmp_path) == {"a": "1"}


def test_no_page_is_ever_served_before_what_it_names_nor_after_that_is_gone(tmp_path):
    def one(version):
        texts = {"index.html": f"style-{version}.css", "feed.xml": "index.html posts/x/index.html"}
        return texts | {"posts/x/index.html": f"style-{version}.css", f"style-{version}.css": "", "gone" * version: "x"}

    def look(kind, path):
        texts = tree(tmp_path)
        assert all((tmp_path / name).exists() for path, text in texts.items() if "." in path for name in text.split())

    write_site(site(one(1)), tmp_path)

    with watched(tmp_path, look) as changes:
        write_site(site(dict(reversed(one(2).items()))), tmp_path)

    assert len(changes) > 10


def test_a_build_waits_while_another_one_writes_into_its_folder(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    other = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    ours = Thread(target=write_site, args=(pages(a="1"), tmp_path))

    ours.start()
    ours.join(0.3)
    while_it_writes = (ours.is_alive(), list(tmp_path.iterdir()))
    os.close(other)
    ours.join(120)

    assert while_it_writes == (True, [])
    assert (tmp_path / "a").read_text() == "1"


# Only what changed


def test_a_page_with_the_key_of_an_untouched_file_is_not_rendered(tmp_path):
    first = write_site(site(OLD, keys=True), tmp_path)

    again = write_site(unrendered(OLD), tmp_path, first.after)

    assert (again.written, again.kept, again.removed) == (0, len(OLD), 0)
    assert again.after == first.after


def test_a_page_without_a_key_is_rendered_every_time(tmp_path):
    first = write_site(site({"a": "1"}), tmp_path)

    write_site(site({"a": "2"}), tmp_path, first.after)

    assert tree(tmp_path) == {"a": "2"}


def test_a_page_with_another_key_and_the_same_bytes_leaves_its_file_as_it_is(tmp_path):
    first = write_site([Page("a", lambda: b"1", "old")], tmp_path)

    again = write_site([Page("a", lambda: b"1", "new")], tmp_path, first.after)

    assert (again.written, again.kept) == (0, 1)
    assert again.after["a"].key == "new"
    assert again.after["a"].signature == first.after["a"].signature


def test_files_that_were_compared_once_are_known_from_then_on(tmp_path):
    write_site(site(OLD, keys=True), tmp_path)

    compared = write_site(site(OLD, keys=True), tmp_path)
    again = write_site(unrendered(OLD), tmp_path, compared.after)

    assert (compared.written, again.kept) == (0, len(OLD))


def delete(file):
    file.unlink()


def truncate(file):
    os.truncate(file, 2)


def alter(file):
    """Same size, same inode."""
    time.sleep(0.02)  # the clock of the file system ticks every few milliseconds
    file.write_text(file.read_text().swapcase())


def exchange(file):
    found = file.stat()
    other = file.with_name("other")
    other.write_text(file.read_text().swapcase())
    os.utime(other, ns=(found.st_atime_ns, found.st_mtime_ns))
    other.replace(file)


def make_folder(file):
    file.unlink()
    (file / "empty").mkdir(parents=True)


def delete_folder(file):
    shutil.rmtree(file.parent)


@pytest.mark.parametrize("harm", [delete, truncate, alter, exchange, make_folder, delete_folder])
@pytest.mark.parametrize("is_known", [True, False])
def test_a_file_that_was_harmed_is_restored(tmp_path, harm, is_known):
    first = write_site(site(OLD, keys=True), tmp_path)
    harm(tmp_path / "posts/changed/index.html")

    again = write_site(site(OLD, keys=True), tmp_path, first.after if is_known else {})

    assert (again.written, again.kept) == (1, len(OLD) - 1)
    assert tree(tmp_path) == OLD


def test_a_file_that_is_altered_the_moment_after_it_was_written_is_restored(tmp_path):
    times = set()
    for text in "ab":
        (tmp_path / "clock").write_text(text)
        times.add((tmp_path / "clock").stat().st_mtime_ns)
    if len(times) == 1:
        pytest.skip("the clock of this file system ticks every few milliseconds")

    for number in range(30):
        first = write_site(site({"a": f"text {number}"}, keys=True), tmp_path / "site")
        (tmp_path / "site" / "a").write_text(f"harm {number}")

        write_site(site({"a": f"text {number}"}, keys=True), tmp_path / "site", first.after)

        assert tree(tmp_path / "site") == {"a": f"text {number}"}


def test_a_file_that_is_altered_before_the_build_ends_is_restored_by_the_next(tmp_path):
    def altering():
        time.sleep(0.05)  # a tick of the file system's clock
        (staged,) = (tmp_path / ".puzzlepress-new").iterdir()
        staged.write_text("harm")
        return b"last"

    first = write_site([*site({"a": "text"}, keys=True), Page("b", altering, "last")], tmp_path)

    write_site([*site({"a": "text"}, keys=True), Page("b", lambda: b"last", "last")], tmp_path, first.after)

    assert tree(tmp_path) == {"a": "text", "b": "last"}


def test_what_is_known_of_another_folder_misleads_nobody(tmp_path):
    first = write_site(site(OLD, keys=True), tmp_path / "one")
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    (tmp_path / "two" / "index.html").write_text("altered")

    write_site(site(OLD, keys=True), tmp_path / "two", first.after)

    assert tree(tmp_path / "two") == OLD


def test_a_file_of_unknown_looks_is_made_even_where_another_file_stood_in_its_way(tmp_path):
    write_site(site({"x": "1"}), tmp_path)
    unknown = {"x/y": WrittenFile("2", "", 0, 0, 0)}

    write_site(site({"x/y": "2"}, keys=True), tmp_path, unknown)

    assert tree(tmp_path) == {"x/y": "2"}


def test_a_build_that_changes_nothing_touches_nothing_but_for_the_lock(tmp_path):
    first = write_site(site(OLD, keys=True), tmp_path)
    before = {path: path.stat() for path in (tmp_path, *tmp_path.rglob("*"))}

    write_site(site(OLD, keys=True), tmp_path, first.after)

    assert {path: path.stat().st_ctime_ns for path in (tmp_path, *tmp_path.rglob("*"))} == {
        path: found.st_ctime_ns for path, found in before.items()
    }


def test_the_pages_done_are_told_and_add_up(tmp_path):
    first = write_site(site(OLD, keys=True), tmp_path)
    told = []

    write_site(site(OLD | {"index.html": "changed"}, keys=True), tmp_path, first.after, told.append)

    assert sum(told) == len(OLD)


@pytest.mark.parametrize("way", ["relative", "link"])
def test_a_folder_may_be_given_in_any_way(tmp_path, monkeypatch, way):
    (tmp_path / "site").mkdir()
    (tmp_path / "link").symlink_to("site")
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "link" if way == "link" else (tmp_path / "site").relative_to(tmp_path)

    first = write_site(site(OLD, keys=True), folder)
    again = write_site([*unrendered(OLD)[1:], Page("style.css", lambda: b"new style", "new")], folder, first.after)

    assert (again.written, again.kept) == (1, len(OLD) - 1)
    assert tree(tmp_path / "site") == OLD | {"style.css": "new style"}


# Faults


def fails(path):
    def render():
        raise SiteError(Place(path), "it cannot be rendered")

    return Page(path, render)


def missing(path):
    return Page(path, lambda: open(path).read())


def test_all_pages_that_cannot_be_rendered_are_told_together_and_nothing_changes(tmp_path):
    write_site(site(OLD), tmp_path)
    before = sorted(tmp_path.rglob("*"))

    with pytest.raises(ExceptionGroup) as raised:
        write_site([*site(NEW), fails("one"), missing("two"), *site({"x": "y"}), fails("three")], tmp_path)

    assert [str(error) for error in errors_of(raised.value)] == [
        "one: it cannot be rendered",
        "three: it cannot be rendered",
        "two: it cannot be read: No such file or directory",
    ]
    assert tree(tmp_path) == OLD
    assert sorted(tmp_path.rglob("*")) == before


def test_all_foreign_files_in_the_way_are_told_together(tmp_path):
    put(tmp_path, {"index.html": "mine", "file/mine": "mine", "posts": "mine"})

    with pytest.raises(ExceptionGroup) as raised:
        write_site(site({"index.html": "1", "file": "2", "posts/x/index.html": "3"}), tmp_path)

    assert [error.place.path for error in errors_of(raised.value)] == [
        str(tmp_path / name) for name in ("file/mine", "index.html", "posts")
    ]


def test_a_link_of_others_below_a_page_is_kept(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "link").symlink_to(tmp_path)

    with pytest.raises(SiteError, match="x/link: this file was not written by this tool"):
        write_site(site({"x": "1"}), tmp_path)

    assert (tmp_path / "x" / "link").is_symlink()


def test_what_stops_a_build_on_the_way_is_told_and_the_next_one_completes_the_site(tmp_path):
    put(tmp_path, FOREIGN)
    write_site(site(OLD), tmp_path)

    def in_the_way():
        put(tmp_path, {"posts/new/index.html/mine": "mine"})
        return b"last"

    with pytest.raises(UnfinishedError) as raised:
        write_site([*site(NEW), Page("last", in_the_way)], tmp_path)

    told = str(raised.value)
    assert told.startswith(f"{tmp_path}/posts/new/index.html: it cannot be written: Directory not empty; a part of the")
    assert f"a part of the site in {tmp_path} is new, the rest is old\n" in told
    assert "mend: see that there is room, and that it may be written; then run the same command again" in told
    theirs = FOREIGN | {"posts/new/index.html/mine": "mine", "last": "last"}
    assert tree(tmp_path).items() <= OLD.items() | NEW.items() | theirs.items()
    assert is_unfinished(tmp_path)
    shutil.rmtree(tmp_path / "posts/new")
    write_site(site(NEW), tmp_path)
    assert tree(tmp_path) == NEW | FOREIGN
    assert [path.name for path in tmp_path.glob(".*")] == [".puzzlepress.json"]


def test_a_name_that_no_file_system_takes_leaves_the_old_site(tmp_path):
    write_site(site(OLD), tmp_path)

    with pytest.raises(SiteError, match="it cannot be written: File name too long") as raised:
        write_site(site(NEW | {f"posts/{'x' * 300}/index.html": "x"}), tmp_path)

    assert not isinstance(raised.value, UnfinishedError)
    assert tree(tmp_path) == OLD
    assert write_site(site(NEW), tmp_path).kept == 1
    assert tree(tmp_path) == NEW


@pytest.mark.parametrize("lasts", [False, True], ids=["once", "from then on"])
def test_a_full_disk_at_any_moment_leaves_whole_files_and_the_next_build_completes_them(tmp_path, lasts):
    told = []
    for at in count(1):
        folder = tmp_path / str(at)
        put(folder, FOREIGN)
        write_site(site(OLD), folder)
        error = None
        with failing(folder, at, errno.ENOSPC, lasts) as changes:
            try:
                write_site(site(NEW), folder)
            except SiteError as raised:
                error = raised
        if len(changes) < at:
            break

        assert tree(folder).items() <= OLD.items() | NEW.items() | FOREIGN.items()
        assert is_unfinished(folder) == isinstance(error, UnfinishedError)
        if not is_unfinished(folder):
            assert tree(folder) == (NEW if error is None else OLD) | FOREIGN
        told.append(str(error))
        write_site(site(NEW), folder)
        assert tree(folder) == NEW | FOREIGN
        assert [path.name for path in folder.glob(".*")] == [".puzzlepress.json"]
    assert sum("No space left on device; a part of the site in" in each for each in told) > 10
    assert sum("No space left on device; nothing was changed\n" in each for each in told) > 5


@pytest.mark.parametrize("target", ["", "elsewhere"])
@pytest.mark.parametrize("act", [lambda folder: write_site(site(NEW), folder), clean])
def test_what_has_the_name_of_the_list_of_files_and_is_none_is_refused(tmp_path, act, target):
    folder, listed = tmp_path / "site", tmp_path / "site/.puzzlepress.json"
    put(tmp_path, {"elsewhere": '{"format": 1, "files": {"mine": ""}}', "site/mine": "mine"})
    listed.symlink_to(tmp_path / target) if target else put(listed, {"letter": "mine"})
    before = snapshot(tmp_path)

    with pytest.raises(SiteError, match="keeps the list of its files under this name\n    mend: move it away"):
        act(folder)

    assert snapshot(tmp_path) == before


def test_a_folder_of_the_site_that_became_a_link_is_refused_and_nothing_behind_it_is_touched(tmp_path):
    folder = tmp_path / "site"
    write_site(site(OLD), folder)
    (folder / "posts").rename(tmp_path / "posts")
    (folder / "posts").symlink_to(tmp_path / "posts")
    before = snapshot(tmp_path / "posts")

    with pytest.raises(SiteError, match="site/posts: this file was not written by this tool"):
        write_site(site({"posts/new/index.html": "1"}), folder)
    write_site(site({"index.html": "1"}), folder)
    clean(folder)

    assert snapshot(tmp_path / "posts") == before
    assert (folder / "posts").is_symlink()


def test_nothing_is_written_behind_a_link_where_nobody_knows_what_is_the_sites_either(tmp_path):
    folder = tmp_path / "site"
    write_site(site(OLD), folder)
    (folder / "posts").rename(tmp_path / "posts")
    (folder / "posts").symlink_to(tmp_path / "posts")
    (folder / ".puzzlepress.json").write_text("")
    before = snapshot(tmp_path)

    with pytest.raises(SiteError, match="site/posts: this file was not written by this tool"):
        write_site(site({"posts/new/index.html": "1"}), folder)

    assert snapshot(tmp_path) == before


def test_a_fault_of_our_own_in_a_page_is_not_taken_for_one_of_the_authors(tmp_path):
    def broken():
        raise ExceptionGroup("ours", [ZeroDivisionError()])

    with pytest.raises(ExceptionGroup, match="ours"):
        write_site([Page("a", broken)], tmp_path)

    assert list(tmp_path.iterdir()) == []


# Killed


def test_a_build_killed_at_any_moment_leaves_whole_files_and_says_whether_it_was_finished(killed_builds):
    found = []
    for folder in killed_builds:
        assert tree(folder).items() <= OLD.items() | NEW.items() | FOREIGN.items()
        recorded = json.loads((folder / ".puzzlepress.json").read_text())
        if "unfinished" in recorded:
            assert tree(folder).keys() <= recorded["files"].keys() | FOREIGN.keys()
        else:
            assert tree(folder) in (OLD | FOREIGN, NEW | FOREIGN)
            assert tree(folder).keys() == recorded["files"].keys() | FOREIGN.keys()
        found.append("unfinished" if "unfinished" in recorded else tree(folder)["index.html"])
    assert found == sorted(found, key=["old index", "unfinished", "new index"].index)
    assert found.count("unfinished") > 15


@pytest.mark.parametrize("texts", [NEW, OLD | {"more": "more"}, {"index.html": "third"}], ids=["same", "other", "one"])
def test_the_build_after_a_killed_one_makes_its_site_whatever_was_left(killed_builds, tmp_path, texts):
    never_killed = tmp_path / "never"
    write_site(site(texts), never_killed)
    for folder in killed_builds:
        write_site(site(texts), folder)

        assert tree(folder) == texts | FOREIGN
        assert (folder / ".puzzlepress.json").read_bytes() == (never_killed / ".puzzlepress.json").read_bytes()
        assert [path.name for path in folder.glob(".*")] == [".puzzlepress.json"]


def test_what_a_killed_build_has_replaced_is_not_mistaken_for_what_was_known(tmp_path):
    first = write_site(site(OLD, keys=True), tmp_path)
    for at in count(1):
        if not is_killed(tmp_path, at, lambda: write_site(site(NEW, keys=True), tmp_path)):
            break
        first = write_site(site(OLD, keys=True), tmp_path, first.after)

        assert tree(tmp_path) == OLD


def test_after_a_killed_build_every_file_is_compared_whatever_is_known_of_it(killed_builds):
    folder = next(folder for folder in killed_builds if is_unfinished(folder))
    known = write_site(site(NEW, keys=True), folder).after
    manifest = folder / ".puzzlepress.json"
    manifest.write_text(manifest.read_text().removesuffix("}") + ',"unfinished":true}')
    rendered = []

    def noted(path):
        return Page(path, lambda: rendered.append(path) or NEW[path].encode(), NEW[path])

    compared = write_site(map(noted, NEW), folder, known)
    again = write_site(map(noted, NEW), folder, compared.after)

    assert (compared.written, again.written) == (0, 0)
    assert rendered == list(NEW)
    assert not is_unfinished(folder)


@pytest.mark.deep
def test_the_build_after_a_killed_one_may_be_killed_as_well(killed_builds, tmp_path):
    unfinished = [folder for folder in killed_builds if is_unfinished(folder)]
    for number, first in enumerate(unfinished[::4]):
        for at in count(1, 3):
            folder = tmp_path / f"again {number} {at}"
            shutil.copytree(first, folder)
            if not is_killed(folder, at, lambda folder=folder: write_site(site(NEW), folder)):
                break

            write_site(site({"index.html": "third"}), folder)

            assert tree(folder) == FOREIGN | {"index.html": "third"}
        assert at > 6


def test_a_build_that_is_killed_by_a_page_changes_nothing(tmp_path):
    write_site(site(OLD), tmp_path)
    deadly = Page("z", lambda: os.kill(os.getpid(), signal.SIGKILL))

    assert is_killed(tmp_path, 0, lambda: write_site([*site(NEW), deadly], tmp_path))

    assert not is_unfinished(tmp_path)
    assert tree(tmp_path) == OLD


def test_a_build_that_is_killed_in_the_middle_of_a_file_changes_nothing(tmp_path):
    write_site(site(OLD), tmp_path)

    def large():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # ends the process that writes more than the limit
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        return b"x" * 3000

    assert is_killed(tmp_path, 0, lambda: write_site([*site(NEW), Page("large", large)], tmp_path))

    assert 1000 in [path.stat().st_size for path in (tmp_path / ".puzzlepress-new").iterdir()]
    assert tree(tmp_path) == OLD
    assert not is_unfinished(tmp_path)
    write_site(site(NEW), tmp_path)
    assert tree(tmp_path) == NEW
    assert [path.name for path in tmp_path.glob(".*")] == [".puzzlepress.json"]


# Cleaned


def test_cleaning_removes_what_was_written_and_the_folder(tmp_path):
    folder = tmp_path / "site"
    write_site(site(OLD), folder)

    assert clean(folder) == len(OLD)
    assert not folder.exists()


def test_cleaning_keeps_the_files_of_others(tmp_path):
    put(tmp_path, FOREIGN)
    write_site(site(OLD), tmp_path)

    clean(tmp_path)

    assert tree(tmp_path) == FOREIGN
    assert not (tmp_path / "posts" / "changed").exists()
    assert list(tmp_path.glob(".*")) == []


def test_cleaning_after_a_killed_build_leaves_nothing_of_it(killed_builds):
    for folder in killed_builds:
        clean(folder)

        assert tree(folder) == FOREIGN
        assert list(folder.glob(".*")) == []


def test_a_folder_of_which_a_file_cannot_be_removed_is_cleaned_by_the_next_command(tmp_path):
    write_site(site(OLD), tmp_path)
    with failing(tmp_path, 1, errno.EACCES), pytest.raises(UnfinishedError) as raised:
        clean(tmp_path)

    clean(tmp_path)

    assert f"Permission denied; a part of the site in {tmp_path} is removed" in str(raised.value)
    assert "run the same command again" in str(raised.value)
    assert tree(tmp_path) == {}


def test_there_is_nothing_to_clean_where_nothing_was_written(tmp_path):
    (tmp_path / "empty").mkdir()

    assert clean(tmp_path / "none") == 0
    assert clean(tmp_path / "empty") == 0
    assert (tmp_path / "empty").exists()


def test_nothing_is_cleaned_when_nobody_knows_what_was_written(tmp_path):
    write_site(site(OLD), tmp_path)
    (tmp_path / ".puzzlepress.json").write_text("{")

    with pytest.raises(SiteError, match="cannot be read"):
        clean(tmp_path)

    assert tree(tmp_path) == OLD
