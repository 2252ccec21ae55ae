"""Waiting for the files of a project to change."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from watchfiles import watch as changes

from site_builder.storage import file_fingerprints

_PACE: Any = {"step": 5, "debounce": 100}  # milliseconds without a change before one is told, and the most of it
_LOOK = 2000  # milliseconds, after which one looks even if nothing was told: not every file system tells


def watch(root: Path, told: Callable[[], None], warn: Callable[[str], None], stopped: threading.Event) -> None:
    """Call `told` whenever something may have changed in the project in `root`, until `stopped` is set.

    warn: told where the system does not tell of changes, so that they are seen only every other second.
    """
    beside = threading.Thread(target=_persist, args=(_watch_files, root, told, warn, stopped), daemon=True)
    beside.start()
    _persist(_watch_folders, root, told, warn, stopped)
    beside.join()


def _persist(
    look: Callable[[Path, Callable[[], None], threading.Event], None],
    root: Path,
    told: Callable[[], None],
    warn: Callable[[str], None],
    stopped: threading.Event,
) -> None:
    """Look again and again; where the system refuses to tell of changes, from time to time."""
    while not stopped.is_set():
        try:
            look(root, told, stopped)
        except FileNotFoundError:  # a folder went just now
            continue
        except OSError as error:
            warn(f"Changes are seen only every other second: {error}")
            stopped.wait(_LOOK / 1000)
            told()


def _watch_files(root: Path, told: Callable[[], None], stopped: threading.Event) -> None:
    """Watch what lies in the project's own folder, and look around from time to time."""
    options: Any = {"recursive": False, "rust_timeout": _LOOK, "yield_on_timeout": True}
    for _ in changes(root, watch_filter=None, stop_event=stopped, raise_interrupt=False, **_PACE, **options):
        told()


def _watch_folders(root: Path, told: Callable[[], None], stopped: threading.Event) -> None:
    """Watch all that lies in the folders of sources, until one of them has come or gone."""
    folders = _identities(root)
    options: Any = {"rust_timeout": _LOOK, "yield_on_timeout": True, "ignore_permission_denied": True}
    paths = [*folders, file_fingerprints.BUILDER]
    for _ in changes(*paths, watch_filter=None, stop_event=stopped, raise_interrupt=False, **_PACE, **options):
        told()
        if _identities(root) != folders:
            return


def _identities(root: Path) -> dict[Path, int]:
    """The folders of sources that there are; one that was removed and made again is another."""
    found = {}
    for name in file_fingerprints.FOLDERS:
        with suppress(OSError):
            found[root / name] = os.stat(root / name).st_ino
    return found
