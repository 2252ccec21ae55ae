"""Watching: what is reported, in which steps, and what is done where the system reports nothing."""

import errno
import os
import threading
from contextlib import contextmanager, suppress

import inotify_simple
import pytest
from inotify_simple import Event, flags

from site_builder.preview import watch
from site_builder.preview.watch import Watcher

PATIENCE = 60  # seconds; ends only what hangs

only_linux = pytest.mark.skipif(not watch._HAS_INOTIFY, reason="inotify is of Linux")


class Watched:
    """A folder with what was reported of it. also: further folders."""

    def __init__(self, root):
        self.root = root
        self.also = set()
        self.warnings = []
        self.seen = {}  # the text of each file, as it was at the last report
        self.held = threading.Event()  # not set while no report may return
        self.held.set()
        self._news = threading.Condition()
        self.watcher = Watcher(self._folders, self._changed, self.warnings.append)

    def _folders(self):
        return {str(self.root), *(name for name, _, _ in os.walk(self.root)), *self.also}

    def _changed(self):
        seen = {}
        for path in self.root.rglob("*.md"):
            with suppress(FileNotFoundError):  # it has just gone, of which another report comes
                seen[path.relative_to(self.root).as_posix()] = path.read_text()
        with self._news:
            self.seen = seen
            self._news.notify_all()
        self.held.wait(PATIENCE)

    def put(self, name, text):
        """Put a file there in one step, so that no report finds a part of it."""
        beside = self.root.with_name(f"{self.root.name}.part")
        beside.write_text(text)
        beside.replace(self.root / name)

    def until(self, **texts):
        """Wait until the folder was looked at while it had exactly these texts."""
        wanted = {f"{name.replace('__', '/')}.md": text for name, text in texts.items()}
        with self._news:
            assert self._news.wait_for(lambda: self.seen == wanted, PATIENCE), self.seen


@contextmanager
def watching(root):
    watched = Watched(root)
    watched.watcher.start()
    try:
        yield watched
    finally:
        watched.held.set()
        watched.watcher.stop()


@pytest.fixture
def watched(tmp_path):
    with watching(tmp_path) as found:
        found.until()
        yield found


def test_a_new_text_an_edit_and_a_removed_text_are_reported(watched):
    text = watched.root / "a.md"

    text.write_text("one")
    watched.until(a="one")
    text.write_text("two")
    watched.until(a="two")
    text.unlink()
    watched.until()


def test_a_save_by_renaming_is_reported(watched):
    (watched.root / "a.md").write_text("one")
    watched.until(a="one")

    (watched.root / ".a.md.part").write_text("two")
    (watched.root / ".a.md.part").replace(watched.root / "a.md")

    watched.until(a="two")


def test_a_save_that_moves_the_old_file_away_first_is_reported(watched):
    text = watched.root / "a.md"
    text.write_text("one")
    watched.until(a="one")

    text.rename(watched.root / "a.md~")
    text.write_text("two")
    (watched.root / "a.md~").unlink()

    watched.until(a="two")


def test_texts_in_new_folders_are_reported(watched):
    (watched.root / "x" / "y").mkdir(parents=True)
    (watched.root / "x" / "y" / "a.md").write_text("one")
    watched.until(x__y__a="one")

    (watched.root / "x" / "y" / "a.md").write_text("two")
    watched.until(x__y__a="two")


def test_a_folder_that_is_moved_here_with_its_texts_is_reported(watched, tmp_path_factory):
    other = tmp_path_factory.mktemp("other") / "x"
    other.mkdir()
    (other / "a.md").write_text("one")

    other.rename(watched.root / "x")
    watched.until(x__a="one")

    (watched.root / "x" / "a.md").write_text("two")
    watched.until(x__a="two")


def test_a_folder_that_is_removed_and_made_again_is_watched_again(watched):
    for text in ("one", "two"):
        (watched.root / "x").mkdir()
        (watched.root / "x" / "a.md").write_text(text)
        watched.until(x__a=text)
        (watched.root / "x" / "a.md").unlink()
        (watched.root / "x").rmdir()
        watched.until()


def test_a_folder_that_is_listed_later_is_watched_from_then_on(watched, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (watched.root / "a.md").symlink_to(other / "text")
    watched.until()

    watched.also.add(str(other))
    watched.watcher.list_again()
    (other / "text").write_text("one")

    watched.until(a="one")


def test_what_happens_while_a_report_is_taken_is_reported_afterwards(watched):
    watched.held.clear()
    watched.put("a.md", "one")
    watched.until(a="one")
    (watched.root / "a.md").write_text("two")
    watched.held.set()

    watched.until(a="two")


@only_linux
def test_a_folder_that_was_made_while_too_much_happened_is_watched(watched):
    with open("/proc/sys/fs/inotify/max_queued_events") as file:
        most = int(file.read())
    watched.held.clear()
    watched.put("a.md", "one")
    watched.until(a="one")
    for number in range(most // 2):  # each is made and closed
        (watched.root / f"{number}.txt").touch()
    (watched.root / "x").mkdir()
    watched.held.set()

    (watched.root / "x" / "b.md").write_text("two")
    watched.until(a="one", x__b="two")
    (watched.root / "x" / "b.md").write_text("three")
    watched.until(a="one", x__b="three")


# The steps of one save


class Reports:
    """Reports that come one batch after the other."""

    def __init__(self, *batches):
        self.batches = list(batches)

    def read(self, timeout):
        return self.batches.pop(0) if self.batches else []


def report(mask, name="a.md"):
    return Event(1, mask, 0, name)


@only_linux
@pytest.mark.parametrize(
    ("first", "rest"),
    [
        pytest.param([report(flags.MODIFY)], [report(flags.CLOSE_WRITE)], id="truncated"),
        pytest.param([report(flags.CREATE)], [report(flags.MODIFY), report(flags.CLOSE_WRITE)], id="made"),
        pytest.param([report(flags.DELETE)], [report(flags.MOVED_TO)], id="removed and replaced"),
        pytest.param(
            [report(flags.MOVED_FROM), report(flags.MOVED_TO, "a.md~")], [report(flags.CLOSE_WRITE)], id="backup"
        ),
        pytest.param(
            [report(flags.CLOSE_WRITE, ".a.swp")], [report(flags.CLOSE_WRITE)], id="file of an editor comes first"
        ),
    ],
)
def test_a_save_is_reported_when_its_last_step_is_done(first, rest):
    assert watch._save(Reports(first, rest)) == [*first, *rest]


@only_linux
@pytest.mark.parametrize("mask", [flags.CLOSE_WRITE, flags.MOVED_TO])
def test_what_is_saved_in_one_step_is_reported_without_waiting(mask):
    further = [report(flags.CLOSE_WRITE, "b.md")]
    reports = Reports([report(mask)], further)

    assert watch._save(reports) == [report(mask)]
    assert reports.batches == [further]


@only_linux
def test_a_file_that_is_written_without_end_is_reported_nevertheless(monkeypatch):
    monkeypatch.setattr(watch, "_AT_MOST", 0.01)

    class Endless:
        def read(self, timeout):
            return [report(flags.MODIFY)]

    assert watch._save(Endless())


# Where the system does not report changes


@pytest.fixture
def polling(monkeypatch):
    monkeypatch.setattr(watch, "_POLL", 0.01)


def assert_edits_are_seen(watched):
    for text in ("one", "two"):
        (watched.root / "a.md").write_text(text)
        watched.until(a=text)


def test_without_the_library_files_are_looked_at_and_the_cure_is_told(tmp_path, polling, monkeypatch):
    library = "inotify_simple" if watch._HAS_INOTIFY else "watchfiles"
    monkeypatch.setitem(__import__("sys").modules, library, None)

    with watching(tmp_path) as watched:
        assert_edits_are_seen(watched)

    cure = f"{library} is not installed; run pip install {library}"
    assert watched.warnings == [f"Changes are seen only every other second: {cure}"]


@only_linux
@pytest.mark.parametrize(
    ("method", "number", "cure"),
    [
        ("add_watch", errno.ENOSPC, "sudo sysctl fs.inotify.max_user_watches=524288"),
        ("__init__", errno.EMFILE, "sudo sysctl fs.inotify.max_user_instances=1024"),
    ],
)
def test_where_the_system_watches_no_more_files_are_looked_at(tmp_path, polling, monkeypatch, method, number, cure):
    def refuse(*args, **named):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(inotify_simple.INotify, method, refuse)
    with watching(tmp_path) as watched:
        assert_edits_are_seen(watched)

    (warning,) = watched.warnings
    assert cure in warning


@only_linux
def test_on_a_network_file_system_files_are_looked_at_as_well(tmp_path, polling, monkeypatch, tmp_path_factory):
    device = os.stat(tmp_path).st_dev
    mounts = tmp_path_factory.mktemp("mounts") / "mountinfo"
    mounts.write_text(f"36 35 {os.major(device)}:{os.minor(device)} / / rw shared:1 - nfs4 server:/home rw\n")
    monkeypatch.setattr(watch, "_MOUNTS", mounts)
    monkeypatch.setattr(watch, "_save", lambda reports: reports.read(timeout=0) and [])  # reports tell nothing

    with watching(tmp_path) as watched:
        assert_edits_are_seen(watched)

    words = f"{tmp_path} is on a file system of the kind nfs4; keep the project on a disk of this machine"
    assert set(watched.warnings) == {f"Changes by other machines are seen only every other second: {words}"}


def test_a_disk_of_this_machine_is_no_network_file_system(watched):
    assert watched.warnings == []


def test_other_systems_are_watched_with_another_library(tmp_path, monkeypatch):
    monkeypatch.setattr(watch, "_HAS_INOTIFY", False)

    with watching(tmp_path) as watched:
        assert_edits_are_seen(watched)
        (tmp_path / "x").mkdir()
        (tmp_path / "x" / "b.md").write_text("three")
        watched.until(a="two", x__b="three")
        (tmp_path / "x" / "b.md").write_text("four")
        watched.until(a="two", x__b="four")

    assert watched.warnings == []
