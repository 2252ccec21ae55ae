"""Watching: what is reported, and what is done where the system reports nothing."""

import errno
import os
import threading
import time
from contextlib import contextmanager, suppress

import pytest
import watchfiles

from site_builder.preview.watch import Watcher

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
        with found._news:  # it looks again once the folder is watched
            assert found._news.wait_for(lambda: found.looks > 1, PATIENCE)
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
