"""Waiting for the files of a project to change, by watchfiles: reports of the system, or its own polling."""

import threading
from collections.abc import Callable, Collection
from typing import Any

from site_builder.solving.processes.pool import block_interrupts

_STEP, _DEBOUNCE = 20, 100  # milliseconds: how often watchfiles looks for reports, and how long it collects them
_FIRST = 500  # milliseconds after which folders that are watched anew are looked at once more
_CURE = "allow more with: sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=1024"


class Watcher:
    """Calls `changed` whenever something may have changed in the folders of a project.

    folders: lists all folders to watch. warn: is called where the system reports no changes and files are polled.
    """

    def __init__(
        self, folders: Callable[[], Collection[str]], changed: Callable[[], None], warn: Callable[[str], None]
    ) -> None:
        self._folders = folders
        self._changed = changed
        self._warn = warn
        self._is_stopped = False
        self._woken = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Watch in a thread."""
        self._thread.start()

    def list_again(self) -> None:
        """Ask for the folders again, which have become others."""
        self._woken.set()

    def stop(self) -> None:
        """End the thread."""
        self._is_stopped = True
        self._woken.set()
        self._thread.join()

    def _run(self) -> None:
        block_interrupts()
        try:
            self._watch()
        except OSError as error:  # the system watches no more files
            self._warn(f"Changes are not reported, and files are polled: {error}; {_CURE}")
            self._watch(force_polling=True)

    def _watch(self, force_polling: bool | None = None) -> None:
        """Watch until stopped. force_polling: None for what the system and WATCHFILES_FORCE_POLLING say."""
        from watchfiles import watch

        options: dict[str, Any] = {"recursive": False, "watch_filter": None, "raise_interrupt": False}
        options |= {"step": _STEP, "debounce": _DEBOUNCE, "rust_timeout": _FIRST, "yield_on_timeout": True}
        while not self._is_stopped:
            self._woken.clear()
            if self._is_stopped:
                return
            folders, is_first = set(self._folders()), True
            self._changed()
            try:
                for changes in watch(*folders, stop_event=self._woken, force_polling=force_polling, **options):
                    if changes or is_first:  # what has changed before they were watched is noticed now
                        self._changed()
                        is_first = False
                    if changes and set(self._folders()) != folders:
                        break
            except FileNotFoundError:  # a folder went just now
                continue
