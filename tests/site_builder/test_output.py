"""The output folder."""

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
