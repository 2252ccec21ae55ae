"""A change of many files: made whole or undone, whatever fails or dies on the way, and never through a link."""

import errno
import shutil
from contextlib import suppress
from itertools import count

import pytest

from site_builder.errors import SiteError
from site_builder.storage import disk
from site_builder.storage.disk import is_torn
from site_builder.storage.folder_transaction import TornError, discard, remove, resume, staging
from tests.support.faults import ERRORS, Died, fault, snapshot

# Files that are replaced, new, removed and of others; a file that becomes a folder, and a folder that becomes a file.
OLD = {
    "a": "old a",
    "b/c": "old c",
    "b/gone": "gone",
    "file": "a file",
    "folder/deep/file": "in a folder",
    "mine": "mine",
}
NEW = {"a": "new a", "b/c": "new c", "new/deep": "deep", "file/x": "in a folder", "folder": "a file", "mine": "mine"}
GONE = ("b/gone", "file", "folder/deep/file")


def put(folder, texts):
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def change(folder):
    """Change OLD to NEW."""
    with staging(str(folder)) as staged:
        files = {path: staged.put(text.encode())[0] for path, text in NEW.items() if path != "mine"}
        last = files.pop("a")
        staged.replace([(name, path) for path, name in files.items()], GONE, [(last, "a")])


def tree(folder):
    """The texts of the files, but for those that are staged."""
    return {
        path: text.decode() if isinstance(text, bytes) else text
        for path, text in snapshot(folder).items()
        if not path.startswith(disk.STAGING)
    }


def leftovers(folder):
    return [path for path in snapshot(folder) if path.startswith(disk.STAGING)]


@pytest.fixture
def faults(tmp_path):
    """A function that runs the change with a fault at each point in turn; gives the folder and how it ended."""

    def each(number, lasts=False):
        for at in count(1):
            folder = tmp_path / f"{number} {lasts} {at}"
            put(folder, OLD)
            ended = None
            with fault(at, number, lasts) as changes:
                try:
                    change(folder)
                except (OSError, Died) as error:
                    ended = error
            if len(changes) < at:
                break
            yield folder, ended

    return each


@pytest.mark.parametrize("number", ERRORS, ids=errno.errorcode.get)
def test_after_an_error_at_any_point_the_old_or_the_new_files_are_there(faults, number):
    ended = []
    for folder, error in faults(number):
        assert tree(folder) == (OLD if error else NEW)
        assert not is_torn(folder)
        ended.append(error is None)
        with staging(str(folder)):
            pass
        assert leftovers(folder) == []
    assert 20 < ended.count(False) < len(ended)  # after the change is made, errors cost nothing


def test_where_nothing_can_be_undone_either_it_is_said_and_completed_later(faults):
    torn = 0
    for folder, error in faults(errno.EIO, lasts=True):
        if isinstance(error, TornError):
            torn += 1
            assert is_torn(folder)
            assert tree(folder).items() <= OLD.items() | NEW.items()

            assert resume(str(folder))
            assert tree(folder) in (OLD, NEW)
        else:
            assert tree(folder) == (OLD if error else NEW)
    assert torn > 10


def test_after_a_death_at_any_point_the_change_is_completed_or_was_not_begun(faults):
    found = []
    for folder, _ in faults(None):
        was_torn = is_torn(folder)

        assert resume(str(folder))

        assert tree(folder) == (NEW if was_torn or found[-1:] == [NEW] else OLD)
        assert not is_torn(folder)
        found.append(tree(folder))
    assert found[0] == OLD
    assert found[-1] == NEW


@pytest.mark.parametrize("first", [None, errno.EIO], ids=["died", "failed"])
@pytest.mark.parametrize("second", [None, errno.EIO], ids=["died", "failed"])
def test_a_second_fault_on_resuming_loses_nothing_either(faults, tmp_path, first, second):
    torn = [folder for folder, _ in faults(first, lasts=True) if is_torn(folder)]
    for number, folder in enumerate(torn):
        for at in count(1, 3):
            copy = tmp_path / f"copy {number} {at}"
            shutil.copytree(folder, copy, symlinks=True)
            with fault(at, second) as changes, suppress(OSError, Died):
                resume(str(copy))

            resume(str(copy))

            assert tree(copy) in (OLD, NEW)
            shutil.rmtree(copy)
            if len(changes) < at:
                break
    assert len(torn) > 10


def test_a_change_that_can_be_neither_completed_nor_undone_is_dropped(faults):
    for folder, error in faults(errno.EACCES, lasts=True):
        if isinstance(error, TornError):
            kept = tree(folder)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(disk, "rename", lambda source, target: (_ for _ in ()).throw(PermissionError(13, "no")))
                was_done = resume(str(folder))

            assert not is_torn(folder)
            assert leftovers(folder) == []
            if not was_done:
                assert tree(folder) == kept
                break
    else:
        pytest.fail("none was dropped")


def test_where_files_cannot_be_linked_they_are_moved(tmp_path, monkeypatch):
    put(tmp_path, OLD)
    monkeypatch.setattr(disk, "link", lambda source, target: (_ for _ in ()).throw(PermissionError(1, "no links")))

    change(tmp_path)

    assert tree(tmp_path) == NEW


# Links, and what others have put there


def test_a_link_in_place_of_the_hidden_folder_is_refused_and_not_followed(tmp_path):
    put(tmp_path, {"site/a": "a", "thesis/1": "mine", "thesis/record.json": "{}"})
    (tmp_path / "site" / disk.STAGING).symlink_to(tmp_path / "thesis")

    for act in (discard, resume, change):
        with pytest.raises(SiteError, match="new: this was not written by this tool, which keeps new files under"):
            act(str(tmp_path / "site"))

    assert snapshot(tmp_path / "thesis") == {"1": b"mine", "record.json": b"{}"}


@pytest.mark.parametrize("name", ["thesis.txt", "deep/1", "1/2"])
def test_what_others_put_into_the_hidden_folder_is_refused_and_stays(tmp_path, name):
    put(tmp_path, {f"{disk.STAGING}/{name}": "mine", f"{disk.STAGING}/clock": ""})

    with pytest.raises(SiteError, match="move it away"):
        change(tmp_path)

    assert len(snapshot(tmp_path)) == 2


def test_a_file_in_place_of_the_hidden_folder_is_refused(tmp_path):
    put(tmp_path, {disk.STAGING: "mine"})

    with pytest.raises(SiteError, match=f"{disk.STAGING}: this was not written by this tool"):
        change(tmp_path)


def test_a_folder_that_became_a_link_is_neither_written_nor_emptied(tmp_path):
    put(tmp_path / "site", OLD)
    (tmp_path / "site/b").rename(tmp_path / "elsewhere")
    (tmp_path / "site/b").symlink_to(tmp_path / "elsewhere")
    before = snapshot(tmp_path)

    with pytest.raises(OSError, match="this is a link, and the builder follows none"):
        change(tmp_path / "site")
    removed = remove(str(tmp_path / "site"), "b/gone")

    assert snapshot(tmp_path) == before
    assert not removed


def test_a_file_that_became_a_link_is_replaced_and_not_what_it_leads_to(tmp_path):
    put(tmp_path, {f"site/{path}": text for path, text in OLD.items()} | {"elsewhere": "mine"})
    for name in ("a", "b/gone"):
        (tmp_path / "site" / name).unlink()
        (tmp_path / "site" / name).symlink_to(tmp_path / "elsewhere")

    change(tmp_path / "site")

    assert tree(tmp_path / "site") == NEW
    assert (tmp_path / "elsewhere").read_text() == "mine"
