"""Waiting for the files of a project to change."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from watchfiles import watch as changes

from site_builder.storage import file_fingerprints

_PACE: Any = {"step": 5, "debounce": 100}  # milliseconds without a change before one is reported, and the most of it
_POLL = 2000  # milliseconds between scans without an event: not every file system sends events


def watch(root: Path, changed: Callable[[], None], warn: Callable[[str], None], stopped: threading.Event) -> None:
    """Call `changed` whenever something may have changed in the project in `root`, until `stopped` is set.

    warn: is called where the system reports no changes, so that they are seen only every other second.
    """
    beside = threading.Thread(target=_persist, args=(_watch_files, root, changed, warn, stopped), daemon=True)
    beside.start()
    _persist(_watch_folders, root, changed, warn, stopped)
    beside.join()


def _persist(
    watch_once: Callable[[Path, Callable[[], None], threading.Event], None],
    root: Path,
    changed: Callable[[], None],
    warn: Callable[[str], None],
    stopped: threading.Event,
) -> None:
    """Watch again and again; where the system refuses to report changes, poll."""
    while not stopped.is_set():
        try:
            watch_once(root, changed, stopped)
        except FileNotFoundError:  # a folder went just now
            continue
        except OSError as error:
            warn(f"Changes are seen only every other second: {error}")
            stopped.wait(_POLL / 1000)
            changed()


def _watch_files(root: Path, changed: Callable[[], None], stopped: threading.Event) -> None:
    """Watch what lies in the project's own folder, and look around every now and then."""
    options: Any = {"recursive": False, "rust_timeout": _POLL, "yield_on_timeout": True}
    for _ in changes(root, watch_filter=None, stop_event=stopped, raise_interrupt=False, **_PACE, **options):
        changed()


def _watch_folders(root: Path, changed: Callable[[], None], stopped: threading.Event) -> None:
    """Watch all that lies in the folders of sources, until one of them has come or gone."""
    folders = _identities(root)
    options: Any = {"rust_timeout": _POLL, "yield_on_timeout": True, "ignore_permission_denied": True}
    paths = [*folders, file_fingerprints.BUILDER]
    for _ in changes(*paths, watch_filter=None, stop_event=stopped, raise_interrupt=False, **_PACE, **options):
        changed()
        if _identities(root) != folders:
            return


def _identities(root: Path) -> dict[Path, int]:
    """The folders of sources that there are; one that was removed and made again is another."""
    found = {}
    for name in file_fingerprints.FOLDERS:
        with suppress(OSError):
            found[root / name] = os.stat(root / name).st_ino
    return found
