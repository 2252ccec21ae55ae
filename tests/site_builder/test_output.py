"""The output folder."""

import os
import shutil
import signal
from threading import Thread

import pytest

from site_builder.errors import SiteError
from site_builder.output import write_site
from site_builder.pages import Page


def pages(**texts):
    return [Page(path.replace("_", "/"), lambda text=text: text.encode()) for path, text in texts.items()]


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


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "site").write_text("a file")

    with pytest.raises(SiteError, match="cannot be written"):
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

    assert write_site(pages(a="1"), tmp_path).removed == 1


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


@pytest.mark.parametrize("files", [1, 2, 3])
def test_a_build_that_was_cut_short_is_finished_by_the_next(tmp_path, monkeypatch, files):
    write_site(pages(a="1", b="1", c="1"), tmp_path)
    replace, count = os.replace, iter(range(100))

    def cut_short(source, target):
        if next(count) == files:
            raise KeyboardInterrupt
        replace(source, target)

    monkeypatch.setattr(os, "replace", cut_short)
    with pytest.raises(KeyboardInterrupt):
        write_site(pages(a="2", d="2", e="2"), tmp_path)
    monkeypatch.undo()
    write_site(pages(a="3", d="3", e="3"), tmp_path)

    found = {path.name: path.read_text() for path in tmp_path.iterdir() if not path.name.startswith(".")}
    assert found == {"a": "3", "d": "3", "e": "3"}


def test_ctrl_c_waits_until_a_site_is_replaced_as_a_whole(tmp_path, monkeypatch):
    write_site(pages(a="1", b="1"), tmp_path)
    replace = os.replace

    def interrupted(source, target):
        signal.raise_signal(signal.SIGINT)
        replace(source, target)

    monkeypatch.setattr(os, "replace", interrupted)
    write_site(pages(a="2", b="2"), tmp_path)

    assert ((tmp_path / "a").read_text(), (tmp_path / "b").read_text()) == ("2", "2")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_build_waits_while_another_one_writes_into_its_folder(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    other = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    ours = Thread(target=write_site, args=(pages(a="1"), tmp_path))

    ours.start()
    ours.join(0.3)
    while_it_writes = (ours.is_alive(), list(tmp_path.iterdir()))
    os.close(other)
    ours.join(10)

    assert while_it_writes == (True, [])
    assert (tmp_path / "a").read_text() == "1"
