"""Waiting for the files of a project to change.

Linux reports each change (inotify), so that nothing runs while nothing happens. On other systems watchfiles looks for
reports fifty times a second. Where there are no reports, the files are looked at every other second.
"""

import os
import select
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable
from errno import EMFILE, ENOMEM, ENOSPC
from pathlib import Path
from typing import Any

from site_builder.solving.processes.pool import block_interrupts
from site_builder.storage.file_fingerprints import is_leftover

_HAS_INOTIFY = sys.platform == "linux"
_POLL = 2.0  # seconds between two looks at the files
_STEP, _DEBOUNCE = 20, 100  # milliseconds: how often watchfiles looks for reports, and how long it collects them
_PAUSE, _AT_MOST = 20, 0.2  # milliseconds between two steps of one save; seconds that they may take together
_MOUNTS = Path("/proc/self/mountinfo")
# Kinds of file systems that other machines change as well, of which no report comes:
_REMOTE = {"9p", "afs", "ceph", "cifs", "drvfs", "fuse.sshfs", "nfs", "nfs4", "prl_fs", "smb3", "vboxsf", "virtiofs"}
_CURES = {
    EMFILE: "too many programs watch files; allow more with: sudo sysctl fs.inotify.max_user_instances=1024",
    ENOSPC: "too many folders are watched; allow more with: sudo sysctl fs.inotify.max_user_watches=524288",
}


class Watcher:
    """Calls `changed` whenever something may have changed in the folders of a project.

    folders: lists all folders to watch. warn: is called where changes are seen only every other second.
    """

    def __init__(
        self, folders: Callable[[], Collection[str]], changed: Callable[[], None], warn: Callable[[str], None]
    ) -> None:
        self._folders = folders
        self._changed = changed
        self._warn = warn
        self._is_stopped = False
        self._woken = threading.Event()
        self._woken_end, self._waking_end = os.pipe()  # the same, for `select`
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        """Watch in a thread."""
        self._thread.start()

    def list_again(self) -> None:
        """Ask for the folders again, which have become others."""
        self._woken.set()
        os.write(self._waking_end, b"!")

    def stop(self) -> None:
        """End the thread; nothing else may be called afterwards."""
        self._is_stopped = True
        self.list_again()
        self._thread.join()
        os.close(self._woken_end)
        os.close(self._waking_end)

    def _watch(self) -> None:
        block_interrupts()
        try:
            if _HAS_INOTIFY:
                self._watch_by_inotify()
            else:
                self._watch_by_watchfiles()
        except (ImportError, OSError) as error:
            self._warn(f"Changes are seen only every other second: {_reason(error)}")
            while not self._is_stopped:
                self._woken.clear()
                self._changed()
                self._woken.wait(0 if self._is_stopped else _POLL)

    def _watch_by_inotify(self) -> None:
        from inotify_simple import INotify  # type: ignore[import-untyped]

        with INotify() as reports:
            poller = select.poll()
            poller.register(reports, select.POLLIN)
            poller.register(self._woken_end, select.POLLIN)
            while not self._is_stopped:
                watched: dict[int, str] = {}
                asked: set[str] = set()
                while new := set(self._folders()) - asked:  # also those made before the folder around them was watched
                    asked |= new
                    watched |= _add_watches(reports, new)
                interval = None
                if remote := _remote(watched.values()):
                    self._warn(f"Changes by other machines are seen only every other second: {remote}")
                    interval = 1000 * _POLL
                self._changed()  # while it was not watched yet
                while not self._needs_listing(reports, poller.poll(interval), watched):
                    self._changed()

    def _needs_listing(self, reports: Any, ready: Collection[tuple[int, int]], watched: dict[int, str]) -> bool:
        """True when there may be other folders to watch, once all steps of a save are done."""
        from inotify_simple import flags

        files = [file for file, _ in ready]
        if self._woken_end in files:
            os.read(self._woken_end, 100)
            return True
        found = _save(reports) if files else ()
        of_folders = flags.ISDIR | flags.IGNORED | flags.Q_OVERFLOW
        return any(
            event.mask & of_folders or os.path.islink(os.path.join(watched.get(event.wd, ""), event.name))
            for event in found
        )

    def _watch_by_watchfiles(self) -> None:
        from watchfiles import watch

        options: Any = {"recursive": False, "watch_filter": None, "raise_interrupt": False, "stop_event": self._woken}
        options |= {"step": _STEP, "debounce": _DEBOUNCE, "rust_timeout": int(1000 * _POLL), "yield_on_timeout": True}
        while True:
            self._woken.clear()
            if self._is_stopped:
                return
            folders = set(self._folders())
            self._changed()
            try:
                for _ in watch(*folders, **options):
                    self._changed()
                    if set(self._folders()) != folders:
                        break
            except FileNotFoundError:  # a folder went just now
                continue


def _add_watches(reports: Any, folders: Iterable[str]) -> dict[int, str]:
    """Watch folders; each with the number by which it is reported. Raises OSError where the system allows no more."""
    from inotify_simple import flags

    mask = flags.MODIFY | flags.CLOSE_WRITE | flags.ATTRIB | flags.CREATE | flags.DELETE | flags.DELETE_SELF
    mask |= flags.MOVED_FROM | flags.MOVED_TO | flags.MOVE_SELF | flags.ONLYDIR
    found = {}
    for folder in folders:
        try:
            found[reports.add_watch(folder, mask)] = folder
        except OSError as error:  # else it went just now, or cannot be read, which the build reports
            if error.errno in (ENOSPC, ENOMEM):
                raise
    return found


def _save(reports: Any) -> list[Any]:
    """The reports of one save, up to its last step: a file is closed, or renamed to what is no backup."""
    from inotify_simple import flags

    found: list[Any] = reports.read(timeout=0)
    end = time.monotonic() + _AT_MOST
    while found and time.monotonic() < end:
        last = found[-1]
        if last.mask & (flags.CLOSE_WRITE | flags.MOVED_TO) and not is_leftover(last.name):
            break
        more = reports.read(timeout=_PAUSE)
        if not more:
            break
        found = [*found, *more]
    return found


def _remote(folders: Iterable[str]) -> str:
    """Why changes of some folders are not all reported, and the cure; empty where they are."""
    try:
        mounts = [line.split() for line in _MOUNTS.read_text("utf-8", "replace").splitlines()]
    except OSError:
        return ""
    kinds = {fields[2]: fields[fields.index("-") + 1] for fields in mounts}  # by device
    for folder in folders:
        try:
            device = os.stat(folder).st_dev
        except OSError:
            continue
        kind = kinds.get(f"{os.major(device)}:{os.minor(device)}", "")
        if kind in _REMOTE:
            return f"{folder} is on a file system of the kind {kind}; keep the project on a disk of this machine"
    return ""


def _reason(error: ImportError | OSError) -> str:
    """Why nothing reports changes, and the cure."""
    if isinstance(error, ImportError):
        return f"{error.name} is not installed; run pip install {error.name}"
    return _CURES.get(error.errno or 0, str(error))
