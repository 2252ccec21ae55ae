"""Watching: what is reported, and what is done where the system reports nothing."""

import errno
import os
import threading
import time
from contextlib import contextmanager, suppress

import pytest
import watchfiles

from site_builder.preview.controller import Watcher

PATIENCE = 60  # seconds; ends only what hangs


class Watched:
    """A folder with what was reported of it. also: further folders."""

    def __init__(self, root):
        self.root = root
        self.also = set()
        self.warnings = []
        self.seen = {}  # the text of each file, as it was at the last report
        self.looks = 0
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
            self.looks += 1
            self._news.notify_all()
        self.held.wait(PATIENCE)

    def put(self, name, text):
        """Put a file there in one step, so that no report finds a part of it."""
        beside = self.root.with_name(f"{self.root.name}.part")
        beside.write_text(text)
        beside.replace(self.root / name)

    def comes_to(self, texts):
        """The texts that the folder had at the last report, after a while in which it may come to have these."""
        with self._news:
            self._news.wait_for(lambda: self.seen == texts, PATIENCE)
            return self.seen

    def until(self, **texts):
        """Wait until the folder was looked at while it had exactly these texts."""
        wanted = {f"{name}.md": text for name, text in texts.items()}
        assert self.comes_to(wanted) == wanted


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
        with found._news:  # it looks again once the folder is watched
            assert found._news.wait_for(lambda: found.looks > 1, PATIENCE)
        yield found


def save_by_renaming(root):
    (root / ".a.md.part").write_text("two")
    (root / ".a.md.part").replace(root / "a.md")


def save_beside_the_old_one(root):
    (root / "a.md").rename(root / "a.md~")
    (root / "a.md").write_text("two")
    (root / "a.md~").unlink()


def make_folders(root):
    (root / "x" / "y").mkdir(parents=True)
    (root / "x" / "y" / "b.md").write_text("two")


def move_a_folder_here(root):
    beside = root.with_name(f"{root.name}.beside")
    beside.mkdir()
    (beside / "b.md").write_text("two")
    beside.rename(root / "x")


CHANGES = {
    "a new text": (lambda root: (root / "b.md").write_text("two"), {"a.md": "one", "b.md": "two"}),
    "an edit": (lambda root: (root / "a.md").write_text("two"), {"a.md": "two"}),
    "a removed text": (lambda root: (root / "a.md").unlink(), {}),
    "a save by renaming": (save_by_renaming, {"a.md": "two"}),
    "a save that moves the old file away first": (save_beside_the_old_one, {"a.md": "two"}),
    "a text in new folders": (make_folders, {"a.md": "one", "x/y/b.md": "two"}),
    "a folder that is moved here": (move_a_folder_here, {"a.md": "one", "x/b.md": "two"}),
}


@pytest.mark.parametrize(("change", "left"), CHANGES.values(), ids=CHANGES)
def test_a_change_is_reported(watched, change, left):
    watched.put("a.md", "one")
    watched.until(a="one")

    change(watched.root)

    assert watched.comes_to(left) == left


def test_a_folder_that_is_removed_and_made_again_is_watched_again(watched):
    for text in ("one", "two"):
        (watched.root / "x").mkdir()
        (watched.root / "x" / "a.md").write_text(text)
        assert watched.comes_to({"x/a.md": text}) == {"x/a.md": text}
        (watched.root / "x" / "a.md").unlink()
        (watched.root / "x").rmdir()
        assert watched.comes_to({}) == {}


def test_a_folder_that_is_listed_later_is_watched_from_then_on(watched, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (watched.root / "a.md").symlink_to(other / "text")
    watched.until()

    watched.also.add(str(other))
    watched.watcher.woken.set()
    (other / "text").write_text("one")

    assert watched.comes_to({"a.md": "one"}) == {"a.md": "one"}


def test_what_happens_while_a_report_is_taken_is_reported_afterwards(watched):
    watched.held.clear()
    watched.put("a.md", "one")
    watched.until(a="one")
    (watched.root / "a.md").write_text("two")
    watched.held.set()

    assert watched.comes_to({"a.md": "two"}) == {"a.md": "two"}


# Where the system does not report changes


def test_where_the_system_watches_no_more_files_are_polled_and_the_cure_is_told(tmp_path, monkeypatch):
    real = watchfiles.watch

    def refuse(*folders, force_polling, **options):
        if not force_polling:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(*folders, force_polling=True, poll_delay_ms=20, **options)

    monkeypatch.setattr(watchfiles, "watch", refuse)
    with watching(tmp_path) as watched:
        for age, text in enumerate(("one", "two")):
            (watched.root / "a.md").write_text(text)
            os.utime(watched.root / "a.md", (time.time(), 1_000_000 + 10 * age))  # polling compares whole seconds
            watched.until(a=text)

    (warning,) = watched.warnings
    assert warning.startswith("Changes are not reported, and files are polled: [Errno 28] No space left on device; ")
    assert "sudo sysctl fs.inotify.max_user_watches=524288" in warning


def test_where_changes_are_reported_there_is_no_warning(watched):
    assert watched.warnings == []
