"""Waiting for the files of a project to change."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from watchfiles import watch as changes

from site_builder.storage import file_fingerprints

_STEP, _DEBOUNCE = 5, 100  # milliseconds without a change before one is reported, and the most of it
_POLL = 2000  # milliseconds between scans without an event: not every file system sends events


def watch(root: Path, changed: Callable[[], None], warn: Callable[[str], None], stopped: threading.Event) -> None:
    """Call `changed` whenever something may have changed in the project in `root`, until `stopped` is set.

    warn: is called where the system reports no changes, so that they are seen only every other second.
    """
    options: Any = {"watch_filter": None, "stop_event": stopped, "raise_interrupt": False, "yield_on_timeout": True}
    options |= {"step": _STEP, "debounce": _DEBOUNCE, "rust_timeout": _POLL}

    def watch_files() -> None:
        for _ in changes(root, recursive=False, **options):
            changed()

    def watch_folders() -> None:
        """Watch all that lies in the folders of sources, until one of them has come or gone."""
        folders = _identities(root)
        for _ in changes(*folders, file_fingerprints.BUILDER, ignore_permission_denied=True, **options):
            changed()
            if _identities(root) != folders:
                return

    def persist(watch_once: Callable[[], None]) -> None:
        """Watch again and again; where the system refuses to report changes, poll."""
        while not stopped.is_set():
            try:
                watch_once()
            except FileNotFoundError:  # a folder went just now
                continue
            except OSError as error:
                warn(f"Changes are seen only every other second: {error}")
                stopped.wait(_POLL / 1000)
                changed()

    beside = threading.Thread(target=persist, args=(watch_files,), daemon=True)
    beside.start()
    persist(watch_folders)
    beside.join()


def _identities(root: Path) -> dict[Path, int]:
    """The folders of sources that there are; one that was removed and made again is another."""
    found = {}
    for name in file_fingerprints.FOLDERS:
        with suppress(OSError):
            found[root / name] = os.stat(root / name).st_ino
    return found
