"""Files of the project are written whole or not at all."""

import errno
import resource

import pytest

from site_builder.errors import SiteError
from site_builder.storage.atomic_files import create_file, make_files, replace_file
from tests.support.faults import failing, is_killed, snapshot

FILES = {"a": b"1", "new/b": b"2", "new/deep/c": b"3"}


@pytest.fixture
def small_files():
    """No file can grow beyond a kilobyte, as on a disk that is full then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_that_cannot_be_written_whole_is_not_there(tmp_path, small_files):
    with pytest.raises(OSError, match="File too large") as raised:
        create_file(str(tmp_path / "a"), b"x" * 3000)

    assert raised.value.filename == str(tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_no_file_is_created_over_another(tmp_path):
    (tmp_path / "a").write_text("mine")

    with pytest.raises(FileExistsError):
        create_file(str(tmp_path / "a"), b"text")

    assert (tmp_path / "a").read_text() == "mine"


def test_a_file_is_replaced_and_one_with_these_bytes_is_left_alone(tmp_path):
    file = tmp_path / "folder/a"

    assert replace_file(file, b"1")
    before = file.stat().st_mtime_ns
    assert not replace_file(file, b"1")
    assert file.stat().st_mtime_ns == before
    assert replace_file(file, b"2")
    assert snapshot(tmp_path) == {"folder/a": b"2"}


def test_a_file_that_cannot_be_replaced_is_named_and_as_it_was(tmp_path, small_files):
    (tmp_path / "a").write_text("old")

    with pytest.raises(SiteError, match=r"a\.new: it cannot be written: File too large"):
        replace_file(tmp_path / "a", b"x" * 3000)

    assert snapshot(tmp_path) == {"a": b"old"}


@pytest.mark.parametrize("at", [1, 2])
def test_a_file_that_was_being_replaced_by_a_killed_process_is_whole(tmp_path, at):
    (tmp_path / "a").write_text("old")
    assert is_killed(tmp_path, at, lambda: replace_file(tmp_path / "a", b"new"))
    left = (tmp_path / "a").read_text()

    replace_file(tmp_path / "a", b"new")

    assert left == "old"
    assert snapshot(tmp_path) == {"a": b"new"}


@pytest.mark.parametrize("at", range(1, 6))
def test_either_all_new_files_are_made_or_none_and_no_folder(tmp_path, at):
    with (
        failing(tmp_path, at, errno.ENOSPC),
        pytest.raises(SiteError, match=r"cannot be written: No space.*\n.*mend: make room"),
    ):
        make_files(tmp_path, FILES, "make room")
    left = list(tmp_path.iterdir())

    make_files(tmp_path, FILES)

    assert left == []
    assert snapshot(tmp_path) == FILES


def test_new_files_are_never_made_over_others(tmp_path):
    (tmp_path / "new").mkdir()
    (tmp_path / "new/b").write_text("mine")

    with pytest.raises(SiteError, match="new/b: it cannot be written: File exists"):
        make_files(tmp_path, FILES)

    assert snapshot(tmp_path) == {"new/b": b"mine"}
