"""Many files replaced together, under a record that says when a part of them is new.

What errors and deaths on the way leave is tested with what replaces files: the output folder and published folders.
"""

from itertools import count

import pytest

from site_builder.errors import SiteError, StoppedError
from site_builder.storage.staging import STAGING, discard, remove, staging
from tests.support.faults import snapshot, watched

# Files that are replaced, new, removed and of others; a file that becomes a folder, and a folder that becomes a file.
OLD = {
    "a": "old a",
    "b/c": "old c",
    "b/gone": "gone",
    "file": "a file",
    "folder/deep/file": "in a folder",
    "mine": "mine",
    "record": "old",
}
NEW = {
    "a": "new a",
    "b/c": "new c",
    "file/x": "in a folder",
    "folder": "a file",
    "mine": "mine",
    "new/deep": "deep",
    "record": "new",
}
GONE = ("b/gone", "file", "folder/deep/file")
UNFINISHED = "unfinished"


def put(folder, texts):
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def change(folder):
    """Change OLD, or what an unfinished change has made of it, to NEW."""
    with staging(str(folder)) as staged:
        moves = [(staged.put(NEW[path].encode())[0], path) for path in NEW if path not in ("mine", "record")]
        return staged.replace("record", (UNFINISHED.encode(), NEW["record"].encode()), moves, GONE)


def tree(folder):
    """The texts of the files, but for those that are staged."""
    found = snapshot(folder).items()
    return {path: data.decode() for path, data in found if not path.startswith(STAGING)}


def test_files_are_replaced_and_added_and_removed(tmp_path):
    put(tmp_path, OLD)

    removed = change(tmp_path)

    assert removed == len(GONE)
    assert tree(tmp_path) == NEW
    assert not (tmp_path / STAGING).exists()


def test_the_record_says_that_the_change_is_unfinished_from_the_first_move_to_the_last(tmp_path):
    put(tmp_path, OLD)
    found = []

    def look(kind, path):
        if STAGING not in path:
            found.append(((tmp_path / "record").read_text(), kind))

    with watched(tmp_path, look):
        change(tmp_path)

    assert found[0] == ("old", "rename")
    assert {record for record, _ in found[1:]} == {UNFINISHED}
    assert found[-1] == (UNFINISHED, "rename")
    assert tree(tmp_path)["record"] == "new"


def test_a_file_that_is_replaced_is_there_at_any_time(tmp_path):
    put(tmp_path, OLD)
    found = []

    with watched(tmp_path, lambda kind, path: found.append([(tmp_path / each).read_text() for each in ("a", "b/c")])):
        change(tmp_path)

    assert [each for place, each in enumerate(found) if each not in found[:place]] == [
        ["old a", "old c"],
        ["new a", "old c"],
        ["new a", "new c"],
    ]


def test_ctrl_c_says_whether_a_part_of_the_files_is_new(tmp_path):
    def interrupt(kind, path):
        if len(changes) == at:
            raise KeyboardInterrupt

    said = []
    for at in count(1):
        folder = tmp_path / str(at)
        put(folder, OLD)
        error = None
        with watched(folder, interrupt) as changes:
            try:
                change(folder)
            except (KeyboardInterrupt, StoppedError) as raised:
                error = raised
        if len(changes) < at:
            break
        is_partial = (folder / "record").read_text() == UNFINISHED
        assert is_partial or tree(folder) in (OLD, NEW)
        assert is_partial == isinstance(error, StoppedError)
        said.append(str(error))
    words = "is new, the rest is old. The same command completes the change."
    assert sum(each.endswith(words) for each in said) > 10


# Links, and what others have put there


def test_a_link_in_place_of_the_hidden_folder_is_refused_and_not_followed(tmp_path):
    put(tmp_path, {"site/a": "a", "thesis/1": "mine"})
    (tmp_path / "site" / STAGING).symlink_to(tmp_path / "thesis")

    for act in (discard, change):
        with pytest.raises(SiteError, match="new: this was not written by this tool, which keeps new files under"):
            act(str(tmp_path / "site"))

    assert snapshot(tmp_path / "thesis") == {"1": b"mine"}


@pytest.mark.parametrize("name", ["thesis.txt", "deep/1"])
def test_what_others_put_into_the_hidden_folder_stays(tmp_path, name):
    put(tmp_path, {f"{STAGING}/{name}": "mine", f"{STAGING}/7": ""})

    discard(str(tmp_path))

    assert snapshot(tmp_path) == {f"{STAGING}/{name}": b"mine"}


def test_a_file_in_place_of_the_hidden_folder_is_refused(tmp_path):
    put(tmp_path, {STAGING: "mine"})

    with pytest.raises(SiteError, match=f"{STAGING}: this was not written by this tool"):
        change(tmp_path)


def test_nothing_is_removed_behind_a_folder_that_became_a_link(tmp_path):
    put(tmp_path / "site", OLD)
    (tmp_path / "site/b").rename(tmp_path / "elsewhere")
    (tmp_path / "site/b").symlink_to(tmp_path / "elsewhere")
    before = snapshot(tmp_path)

    assert not remove(str(tmp_path / "site"), "b/gone")

    assert snapshot(tmp_path) == before


def test_a_file_that_became_a_link_is_replaced_and_not_what_it_leads_to(tmp_path):
    put(tmp_path, {f"site/{path}": text for path, text in OLD.items()} | {"elsewhere": "mine"})
    for name in ("a", "b/gone", "record"):
        (tmp_path / "site" / name).unlink()
        (tmp_path / "site" / name).symlink_to(tmp_path / "elsewhere")

    change(tmp_path / "site")

    assert tree(tmp_path / "site") == NEW
    assert (tmp_path / "elsewhere").read_text() == "mine"
